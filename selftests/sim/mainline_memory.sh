#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest platform=ivybridge,skylake,tigerlake,alderlake,snowridge,icelake-sp,sapphire-rapids,sapphire-rapids-4s,granite-rapids kernels=6.12
#
# The kernel's own driver finds the memory controllers of every platform that
# has them in memory, and that many: the simulated machine is right about what
# leads to them.

# platform, PMUs of memory controllers, PMUs of their free-running counters
PLATFORMS="
ivybridge		1	0
skylake			1	0
tigerlake		0	2
alderlake		2	2
snowridge		2	1
icelake-sp		12	4
sapphire-rapids		8	4
granite-rapids		12	0
"

# pmus PATTERN: how many have such a name.
pmus() {
	find /sys/bus/event_source/devices -mindepth 1 | grep -cE "/$1\$"
}

echo 1..1
name=$(sed -n 's/^model name.*simulated uncore (\(.*\))$/\1/p' /proc/cpuinfo | head -n 1)
wanted=$(echo "$PLATFORMS" | awk -v "name=$name" '$1 == name { print $2, $3 }')
found="$(pmus 'uncore_imc(_[0-9]+)?') $(pmus 'uncore_imc_free_running(_[0-9]+)?')"
if [ -n "$wanted" ] && [ "$found" = "$wanted" ]; then
	echo "ok 1 - $name, PMUs of memory controllers"
else
	echo "# $name: wanted $wanted PMUs, got $found"
	echo "not ok 1 - PMUs of memory controllers"
fi
