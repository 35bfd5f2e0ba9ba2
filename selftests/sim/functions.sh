#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest platform=all,full-sandybridge-ep,full-ivybridge-ep,full-haswell-ep,full-broadwell-ep,full-skylake-sp,full-icelake-sp kernels=6.1
#
# The kernel finds as many functions as are listed, the driver is loaded, and
# its list of units can be read. For boot_listings.sh too, with other listings.

# Those in which some device has no function 0, which the simulator adds.
case $UNCORE_LISTING in
gnr-ap-2s-birchstream-6980p.lspci) added=3 ;;
spr-1s-1000-units.lspci) added=1 ;;
*) added=0 ;;
esac

echo 1..1
wanted=$((UNCORE_LISTED + added))
found=$(find /sys/bus/pci/devices -mindepth 1 ! -name '0000:*' | wc -l)
status=0
uncorectl list >/dev/null || status=$?
if [ "$found" -eq "$wanted" ] && { [ "$status" -eq 0 ] || [ "$status" -eq 3 ]; }; then
	echo "ok 1 - ${UNCORE_LISTING%.lspci}, $wanted functions"
else
	echo "# wanted $wanted functions, got $found; uncorectl list: $status"
	echo "not ok 1 - ${UNCORE_LISTING%.lspci}"
fi
