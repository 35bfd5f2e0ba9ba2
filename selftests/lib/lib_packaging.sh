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

debian_packages_build() {
	local package

	DEB_BUILD_OPTIONS="noautodbgsym nostrip" "$PACKAGING/deb" -d
	for package in uncore-pmu-dkms_${VERSION}_all \
		libuncore0_${VERSION}_amd64 libuncore-dev_${VERSION}_amd64 \
		uncore-pmu-tools_${VERSION}_amd64; do
		dpkg-deb --info "$BUILD/deb/$package.deb" || return 1
	done
	dpkg-deb --contents "$BUILD/deb/uncore-pmu-dkms_${VERSION}_all.deb" |
		grep /usr/lib/udev/rules.d/60-uncore-pmu.rules
}

has_debhelper() {
	command -v dpkg-buildpackage && command -v dh && command -v dh_dkms
} >/dev/null

plan 4
check "DKMS gets all sources" dkms_source_is_complete
check "DKMS knows the version" dkms_conf_is_filled_in
if command -v systemd-sysusers >/dev/null; then
	check "the group is made" sysusers_makes_the_group
else
	skip "the group is made" "systemd-sysusers is not installed"
fi
if has_debhelper; then
	check "Debian packages" debian_packages_build
else
	skip "Debian packages" "debhelper or dh-dkms is not installed"
fi
finish
