#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is packaged is complete.
#
# Test: where=host timeout=120

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

PACKAGING=$TOP/scripts/packaging
VERSION=$(cat "$LIB/VERSION")
SOURCE=$tap_work/root/usr/src/uncore-pmu-$VERSION

dkms_source_is_complete() {
	local object missing=0

	"$PACKAGING/dkms-source" "$tap_work/root"
	while read -r object; do
		[[ -e $SOURCE/${object%.o}.c ]] ||
			{ echo "no ${object%.o}.c"; missing=1; }
	done < <(sed -n 's/^uncore_pmu-y *[:+]= *//p' "$SOURCE/Kbuild" |
		tr -s ' ' '\n')
	[[ -e $SOURCE/uapi/linux/uncore_pmu.h ]] || missing=1
	return "$missing"
}

dkms_conf_is_filled_in() {
	grep -qx "PACKAGE_VERSION=\"$VERSION\"" "$SOURCE/dkms.conf" &&
		! grep -q '@' "$SOURCE/dkms.conf"
}

sysusers_makes_the_group() {
	mkdir -p "$tap_work/system/etc"
	systemd-sysusers --root="$tap_work/system" - \
		<"$PACKAGING/uncore-pmu.sysusers"
	grep '^uncore:' "$tap_work/system/etc/group"
}

# installs ROOT: what "make install" makes of a build with a module, or without
installs() {
	make -s -C "$TOP" BUILD="$BUILD" KMOD="$tap_work/kmod" RELEASE=6.1.0-x \
		DESTDIR="$1" install
}

module_is_loaded_at_boot() {
	local root=$tap_work/installed file

	mkdir "$tap_work/kmod"
	: >"$tap_work/kmod/uncore_pmu.ko"
	installs "$root" || return 1
	for file in lib/modules/6.1.0-x/updates/uncore_pmu.ko \
		usr/local/lib/systemd/system/uncore-pmu.service \
		usr/local/lib/udev/rules.d/60-uncore-pmu.rules \
		usr/local/lib/modprobe.d/uncore-pmu.conf \
		etc/uncore-pmu/events.conf usr/local/bin/uncorectl; do
		[[ -e $root/$file ]] || { echo "no $file"; return 1; }
	done
	[[ $(grep -v '^#' "$root/usr/local/lib/modules-load.d/uncore-pmu.conf") == \
		uncore_pmu ]]
}

# systemd would complain of a module that is not there at each boot.
module_was_not_built() {
	local root=$tap_work/without

	rm -r "$tap_work/kmod"
	installs "$root" || return 1
	[[ ! -e $root/usr/local/lib/modules-load.d && ! -e $root/lib/modules ]] &&
		grep -q 'No module was built' "$tap_work/said"
}

# The service is for a node that comes with the module, at boot or later.
module_comes_before_the_service() {
	grep '^After=.*systemd-modules-load.service' \
		"$PACKAGING/uncore-pmu.service" &&
		grep '^WantedBy=.*dev-uncore_pmu.device' \
			"$PACKAGING/uncore-pmu.service"
}

debian_packages_build() {
	local package

	DEB_BUILD_OPTIONS="noautodbgsym nostrip" "$PACKAGING/deb" -d
	for package in uncore-pmu-dkms_${VERSION}_all \
		libuncore0_${VERSION}_amd64 libuncore-dev_${VERSION}_amd64 \
		uncore-pmu-tools_${VERSION}_amd64; do
		dpkg-deb --info "$BUILD/deb/$package.deb" || return 1
	done
	dpkg-deb --contents "$BUILD/deb/libuncore-dev_${VERSION}_amd64.deb" |
		grep /usr/include/uncore/likwid-compat/likwid.f90 || return 1
	dpkg-deb --contents "$BUILD/deb/uncore-pmu-dkms_${VERSION}_all.deb" |
		grep /usr/lib/udev/rules.d/60-uncore-pmu.rules
}

# With the tool in place: systemd looks for it.
unit_is_well_formed() {
	local unit=$tap_work/uncore-pmu.service said

	sed "s|^ExecStart=uncorectl |ExecStart=$BUILD/lib/uncorectl |" \
		"$PACKAGING/uncore-pmu.service" >"$unit"
	said=$(systemd-analyze verify --man=no "$unit" 2>&1)
	[[ -z $said ]] || { echo "$said"; return 1; }
}

# Each line says what to refuse: a name that systemd does not know is ignored.
unit_is_confined() {
	local line

	for line in CapabilityBoundingSet= NoNewPrivileges=yes \
		DevicePolicy=closed "DeviceAllow=/dev/uncore_pmu rw" \
		ProtectSystem=strict ProtectHome=yes PrivateNetwork=yes \
		MemoryDenyWriteExecute=yes SystemCallFilter=@system-service; do
		grep -qx "$line" "$PACKAGING/uncore-pmu.service" ||
			{ echo "no $line"; return 1; }
	done
	systemd-analyze security --offline=true --threshold=25 \
		"$PACKAGING/uncore-pmu.service"
}

# The paths that unit, tool and manual name are one.
unit_reads_the_file_of_the_manual() {
	local file=/etc/uncore-pmu/events.conf

	grep -q "^ExecStart=uncorectl program --file $file\$" \
		"$PACKAGING/uncore-pmu.service" &&
		grep -q "\"$file\"" "$LIB/cli/hold.h" &&
		grep -q '^BindsTo=dev-uncore_pmu.device$' \
			"$PACKAGING/uncore-pmu.service" &&
		grep -q 'TAG+="systemd"' "$PACKAGING/60-uncore-pmu.rules"
}

installed_file_holds_nothing() {
	! grep -vE '^(#|$)' "$PACKAGING/events.conf"
}

# in_tools FILE...: paths in the package of tools
in_tools() {
	local file contents

	contents=$(dpkg-deb --contents \
		"$BUILD/deb/uncore-pmu-tools_${VERSION}_amd64.deb")
	for file; do
		grep -q " \./$file\$" <<<"$contents" ||
			{ echo "no $file"; echo "$contents"; return 1; }
	done
}

debian_service_is_complete() {
	local deb=$BUILD/deb/uncore-pmu-tools_${VERSION}_amd64.deb

	in_tools usr/bin/uncorectl etc/uncore-pmu/events.conf \
		usr/share/man/man8/uncore-pmu.service.8.gz \
		usr/share/man/man5/events.conf.5.gz || return 1
	dpkg-deb --contents "$deb" | grep 'lib/systemd/system/uncore-pmu.service$' &&
		dpkg-deb --info "$deb" conffiles | grep -x /etc/uncore-pmu/events.conf &&
		dpkg-deb --info "$deb" postinst |
			grep "deb-systemd-helper enable 'uncore-pmu.service'" &&
		dpkg-deb --info "$deb" prerm |
			grep 'deb-systemd-invoke stop uncore-pmu.service'
}

has_debhelper() {
	command -v dpkg-buildpackage && command -v dh && command -v dh_dkms
} >/dev/null

plan 12
check "DKMS gets all sources" dkms_source_is_complete
check "DKMS knows the version" dkms_conf_is_filled_in
if command -v systemd-sysusers >/dev/null; then
	check "the group is made" sysusers_makes_the_group
else
	skip "the group is made" "systemd-sysusers is not installed"
fi
if command -v systemd-analyze >/dev/null; then
	check "the service's unit" unit_is_well_formed
	check "the service has no rights it does not need" unit_is_confined
else
	skip "the service's unit" "systemd is not installed"
	skip "the service has no rights it does not need" "systemd is not installed"
fi
check "the module is installed and loaded at boot" module_is_loaded_at_boot
check "without a module nothing loads one" module_was_not_built
check "the service waits for the module" module_comes_before_the_service
check "unit, tool and manual agree" unit_reads_the_file_of_the_manual
check "the file of events holds none" installed_file_holds_nothing
if has_debhelper; then
	check "Debian packages" debian_packages_build
	check "Debian package of the service" debian_service_is_complete
else
	skip "Debian packages" "debhelper or dh-dkms is not installed"
	skip "Debian package of the service" "debhelper or dh-dkms is not installed"
fi
finish
