#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest platform=haswell-ep,skylake-sp user=root kernels=6.12 timeout=60
#
# The program in README.md, compiled from there: what it prints is what the
# simulated hardware holds, and what it says when it may not.

set -u
number=0

result() {
	number=$((number + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $number - $1"
	else
		echo "# wanted: $2"
		echo "# got: $3"
		echo "not ok $number - $1"
	fi
}

as() {
	su "$1" -s /bin/sh -c "/selftests/readme_example 2>&1"
}

echo "1..7"
simctl stop

# Every memory channel, in the order of the list, each with a value of its own.
wanted=''
value=0x123456789a
for line in $(uncorectl list imc | awk '$2 == "ok" { print $1 "=" $5 }'); do
	simctl set "${line#*=}" 0 "$value"
	wanted="$wanted${line%=*} ctr0 = $((value))
"
	value=$((value + 0x100000001))
done
wanted=${wanted%?}

result "there are channels" yes "$([ -n "$wanted" ] && echo yes)"
result "a member of the group reads them" "$wanted" "$(as member)"
result "root reads them" "$wanted" "$(as root)"
result "a user outside the group is refused" \
	"/dev/uncore_pmu: Permission denied" "$(as outsider)"

# A removed device is left out, and nothing behind it.
first=$(uncorectl list imc | awk '$2 == "ok" { print $5; exit }')
echo 1 >"/sys/bus/pci/devices/$first/remove"
result "all but a removed one" "$(echo "$wanted" | tail -n +2)" "$(as member)"

uncorectl list imc | awk '$2 == "ok" { print $5 }' | while read -r device; do
	echo 1 >"/sys/bus/pci/devices/$device/remove"
done
said=$(as member)
result "none is left" \
	"no imc, see uncorectl list: No such device or address 1" "$said $?"

# All as it was, for the programs that come after this one.
rmmod uncore_pmu && rmmod intel_uncore && echo 1 >/sys/bus/pci/rescan &&
	modprobe intel-uncore && insmod /lib/modules/uncore_pmu.ko && udevadm settle &&
	simctl start
result "the device comes back" "0 $first" \
	"$? $(uncorectl list imc | awk '$2 == "ok" { print $5; exit }')"
