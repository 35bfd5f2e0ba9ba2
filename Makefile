# SPDX-License-Identifier: GPL-2.0-only
# For people; the kernel's build reads Kbuild. All results go to build/.

BUILD := $(abspath build)
PREFIX ?= /usr/local
DESTDIR ?=

include scripts/quiet.mk

# Which kernel the module is for: KERNEL=6.1 is the cached one of the simulated
# machine, without it the running one. KDIR=DIR names any other.
KERNEL ?=
RELEASE := $(shell uname -r)
KMOD := $(BUILD)/kmod-$(or $(KERNEL),$(RELEASE))
KDIR ?= $(shell scripts/kernel-dir $(KERNEL))
KFLAGS ?=

MODULE_FILES := Kbuild $(wildcard kmod/*.[ch]) uapi/linux/uncore_pmu.h
MODULE_COPIES := $(addprefix $(KMOD)/,$(MODULE_FILES))

HARNESS = $(shell scripts/kernel-dir --harness)

all: lib

# The kernel's build writes beside the sources, so it gets a copy.
module: $(KMOD)/uncore_pmu.ko

$(KMOD)/uncore_pmu.ko: $(MODULE_COPIES) $(KMOD)/.against
	$(call say,KBUILD,$@)
	$(Q)$(MAKE) $(if $(Q),-s) -C $(KDIR) M=$(KMOD) $(KFLAGS) modules
	@touch $@

$(MODULE_COPIES): $(KMOD)/%: %
	@mkdir -p $(@D)
	@cp -p $< $@

$(KMOD)/.against: FORCE
	@mkdir -p $(@D)
	@dir='$(KDIR)'; test -n "$$dir" || exit 1; \
		test -e "$$dir/Makefile" || \
		{ echo "no kernel headers in $$dir; install linux-headers-$$(uname -r)" >&2; exit 1; }; \
		test "$$(cat $@ 2>/dev/null)" = "$$dir" || echo "$$dir" >$@

lib:
	$(Q)$(MAKE) -C lib BUILD=$(BUILD)/lib all

sim:
	$(Q)$(MAKE) -C selftests/sim BUILD=$(BUILD)/sim all

selftests: lib
	$(Q)$(MAKE) -C selftests BUILD=$(BUILD) HARNESS=$(HARNESS) all

check:
	$(Q)scripts/check

test:
	$(Q)scripts/test

demo:
	$(Q)scripts/demo

install: lib
	$(Q)$(MAKE) -C lib BUILD=$(BUILD)/lib DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) install
	install -D -m 644 scripts/packaging/60-uncore-pmu.rules \
		$(DESTDIR)$(PREFIX)/lib/udev/rules.d/60-uncore-pmu.rules
	install -D -m 644 scripts/packaging/uncore-pmu.sysusers \
		$(DESTDIR)$(PREFIX)/lib/sysusers.d/uncore-pmu.conf
	install -D -m 644 scripts/packaging/uncore-pmu.service \
		$(DESTDIR)$(PREFIX)/lib/systemd/system/uncore-pmu.service
	install -D -m 644 scripts/packaging/uncore-pmu.modprobe \
		$(DESTDIR)$(PREFIX)/lib/modprobe.d/uncore-pmu.conf
	test -e $(DESTDIR)/etc/uncore-pmu/events.conf || \
		install -D -m 644 scripts/packaging/events.conf \
			$(DESTDIR)/etc/uncore-pmu/events.conf
	$(Q)if test -e $(KMOD)/uncore_pmu.ko; then \
		$(MAKE) module_install; \
	else \
		echo 'No module was built, so none is installed: make module'; \
	fi

# Where modprobe finds the module. Nothing on the bus asks for it, so that it is
# loaded at boot from now on.
module_install:
	install -D -m 644 $(KMOD)/uncore_pmu.ko \
		$(DESTDIR)/lib/modules/$(RELEASE)/updates/uncore_pmu.ko
	install -D -m 644 scripts/packaging/uncore-pmu.modules-load \
		$(DESTDIR)$(PREFIX)/lib/modules-load.d/uncore-pmu.conf
	$(if $(DESTDIR),,depmod)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make [all]           library and tool, into build/lib'
	@echo 'make module          kernel module for the running kernel;'
	@echo '                     KERNEL=6.1, KERNEL=6.12: for the simulated machine'
	@echo 'make selftests sim   test programs, simulated machine'
	@echo 'make check           linters'
	@echo 'make test            everything, as scripts/test does'
	@echo 'make demo            the main job on the simulated machine'
	@echo 'make install         library, headers, tool, manual pages, udev rule, service,'
	@echo '                     and the module, if it was built, to be loaded at boot;'
	@echo '                     PREFIX=/usr/local, DESTDIR='
	@echo 'make clean           removes build/'
	@echo 'V=1 shows the commands.'

FORCE:

.PHONY: all module lib sim selftests check test demo install module_install clean help FORCE
