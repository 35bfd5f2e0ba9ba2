#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=200
#
# A firmware without MCFG, or with a wrong one, at boot: every unit that is
# there says why it cannot be mapped, and the machine works.

. "$(dirname "$0")/../../scripts/common.sh"

number=0

# variant NAME WORDS: what "uncorectl list" says of all 22 present units.
variant() {
	local out found status=0

	number=$((number + 1))
	out=$("$TOP/scripts/vm" --mcfg "$1" -- uncorectl list 2>&1) || status=$?
	found=$(awk '$2 == "invalid"' <<<"$out" | grep -c "$2") || true
	if [[ $status -eq 0 && $found -eq 22 ]] && ! grep -q ' ok ' <<<"$out"; then
		echo "ok $number - $1"
	else
		awk '{ print "# " $0 }' <<<"$out"
		echo "not ok $number - $1"
	fi
}

echo "1..3"
variant missing "no usable MCFG"
variant base "System RAM"
variant buses "no MCFG entry"
