# SPDX-License-Identifier: GPL-2.0-only
# Short lines as in the kernel's build; V=1 shows the commands.

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-7s %s\n' '$(1)' '$(patsubst $(BUILD)/%,%,$(2))'
MAKEFLAGS += --no-print-directory
endif
