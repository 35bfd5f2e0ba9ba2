#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=1200
#
# Every listing boots: the kernel finds as many functions as are listed, the
# driver loads, and its list of units can be read. On the kernel that boots
# sooner: what it does with listings is the same.

. "$(dirname "$0")/../../scripts/common.sh"

# Those in which some device has no function 0, which the simulator adds.
ADDED_FUNCTIONS="gnr-ap-2s-birchstream-6980p:3 spr-1s-1000-units:1"

listed() {
	grep -cE '^[0-9a-fA-F]{4,}:' "$1"
}

# added NAME: how many functions the simulator adds to that listing.
added() {
	local pair

	for pair in $ADDED_FUNCTIONS; do
		[[ ${pair%:*} != "$1" ]] || echo "${pair#*:}"
	done
}

boot() {
	# shellcheck disable=SC2016 # for the shell in the machine
	"$TOP/scripts/vm" --kernel 6.1 --no-intel-uncore --machine "$1" -- sh -c '
		uncorectl list >/dev/null; [ $? -eq 0 ] || [ $? -eq 3 ] || exit
		ls /sys/bus/pci/devices | grep -vc "^0000:"'
}

files=("$TOP"/selftests/sim/machines/*.lspci)
number=0
echo "1..${#files[@]}"
for file in "${files[@]}"; do
	name=$(basename "$file" .lspci)
	number=$((number + 1))
	wanted=$(($(listed "$file") + $(added "$name") + 0))
	found=$(boot "$file" 2>&1) || true
	if [[ $found == "$wanted" ]]; then
		echo "ok $number - $name, $wanted functions"
	else
		echo "# wanted $wanted functions, got: $found"
		echo "not ok $number - $name"
	fi
done
