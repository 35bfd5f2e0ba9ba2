#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=1200
#
# Every listing boots, and is found complete by functions.sh; those that are
# platforms have it among the programs of their machine. On the kernel that
# boots sooner: what it does with listings is the same.

. "$(dirname "$0")/../../scripts/common.sh"

boot() {
	"$TOP/scripts/vm" --kernel 6.1 --no-intel-uncore --machine "$1" \
		--add "$TOP/selftests/sim/functions.sh" -- /host/functions.sh
}

# listings: the files, but for those of the platforms.
listings() {
	local file

	for file in "$TOP"/selftests/sim/machines/*.lspci; do
		grep -qE "[[:space:]]machines/${file##*/}[[:space:]]" "$PLATFORMS_FILE" ||
			echo "$file"
	done
}

mapfile -t files < <(listings)
number=0
echo "1..${#files[@]}"
for file in "${files[@]}"; do
	number=$((number + 1))
	status=0
	found=$(boot "$file" 2>&1) || status=$?
	if [[ $status -eq 0 && $found == "1..1"$'\n'"ok 1 - $(basename "$file" .lspci), "* ]]; then
		echo "ok $number - ${found#*ok 1 - }"
	else
		awk '{ print "# " $0 }' <<<"$found"
		echo "not ok $number - $(basename "$file" .lspci)"
	fi
done
