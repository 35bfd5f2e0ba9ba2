#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=900
#
# The kernel's own driver finds the memory controllers of every platform that
# has them in memory, and that many: the simulated machine is right about what
# leads to them.

. "$(dirname "$0")/../../scripts/common.sh"

# platform, PMUs of memory controllers, PMUs of their free-running counters
PLATFORMS="
ivybridge		1	0
skylake			1	0
tigerlake		0	2
alderlake		2	2
snowridge		2	1
icelake-sp		12	4
sapphire-rapids		8	4
sapphire-rapids-4s	8	4
granite-rapids		12	0
"

boot() {
	# shellcheck disable=SC2016 # for the shell in the machine
	"$TOP/scripts/vm" --platform "$1" --no-module -- sh -c '
		cd /sys/bus/event_source/devices || exit
		echo $(ls | grep -cE "^uncore_imc(_[0-9]+)?$") $(ls | grep -c "^uncore_imc_free_running")'
}

echo "1..$(grep -c . <<<"$PLATFORMS")"
number=0
while read -r name imc free; do
	[[ -n $name ]] || continue
	number=$((number + 1))
	found=$(boot "$name" 2>&1 </dev/null) || true
	if [[ $found == "$imc $free" ]]; then
		echo "ok $number - $name, $imc and $free"
	else
		echo "# wanted $imc and $free PMUs, got: $found"
		echo "not ok $number - $name"
	fi
done <<<"$PLATFORMS"
