#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=240
#
# The demonstration: every channel has a line with numbers, their sums are the
# sockets', the outsider is refused, and what cannot be shown is said.

. "$(dirname "$0")/../../scripts/common.sh"

number=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# result TITLE COMMAND...
result() {
	local title=$1

	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number - $title"
	else
		sed 's/^/# /' "$out"
		echo "not ok $number - $title"
	fi
}

demo() {
	DEMO_SECONDS=1 "$TOP/scripts/demo" "$@" >"$out" 2>&1
}

# channels NUMBER SOCKETS: that many lines of either, and the counts add up.
channels() {
	awk -v channels="$1" -v sockets="$2" '
		/^imc(_free_running)?[0-9]+@[0-9]+ / && NF == 6 && $5 > 0 && $6 > 0 {
			split($1, part, "@")
			reads[part[2]] += $5
			writes[part[2]] += $6
			n++
		}
		/^socket / { m++; bad += reads[$2] != $6 || writes[$2] != $7 }
		END { exit !(n == channels && m == sockets && !bad) }' "$out"
}

says() {
	grep -q -e "$1" "$out"
}

refused_natively() {
	! demo --native && says 'shows no uncore memory controller'
}

echo "1..13"
result "haswell-ep runs" demo
result "a line a channel, sums a socket" channels 8 2
result "the outsider is refused" says '^uncorectl: /dev/uncore_pmu: not permitted'
result "knl runs" demo --platform knl
result "a line a channel, sums a socket" channels 6 1
result "a listing runs" demo --machine "$TOP/selftests/sim/machines/snb-ep-4s-dell-server.lspci"
result "a line a channel, sums a socket" channels 16 4
result "icelake-sp, whose channels are in memory, runs" demo --platform icelake-sp
result "a line a channel, sums a socket" channels 24 2
result "skylake, a client with energy counters in the page, runs" demo --platform skylake
result "a line a channel, sums a socket" channels 1 1
result "it says that this has to be allowed" says 'insmod uncore_pmu.ko mchbar=1'
if compgen -G '/sys/bus/event_source/devices/uncore_imc*' >/dev/null; then
	number=$((number + 1))
	echo "ok $number - no uncore devices here # SKIP this machine has them"
else
	result "without uncore devices --native is refused" refused_natively
fi
