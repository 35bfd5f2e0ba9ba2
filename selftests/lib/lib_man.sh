#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The manual pages: well-formed, complete, and their example compiles.
#
# Test: where=host

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

MAN=$LIB/man

man_is_silent() {
	local said

	said=$(MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null)
	[[ -z $said ]] || { echo "$said"; return 1; }
}

mandoc_is_silent() {
	mandoc -T lint -W warning "$MAN"/*.[1-8]
}

# Every exported function is named in a NAME section.
all_functions_have_a_page() {
	local name missing=0

	"$MAN/install" "$tap_work/man"
	while read -r name; do
		[[ -e $tap_work/man/man3/$name.3 ]] ||
			{ echo "no page for $name"; missing=1; }
	done < <(sed -n 's/^\t*\(uncore_[a-z_0-9]*\);$/\1/p' \
		"$LIB/libuncore.map")
	return "$missing"
}

all_references_lead_somewhere() {
	local name section missing=0

	"$MAN/install" "$tap_work/man"
	while read -r name section; do
		[[ -e $tap_work/man/man$section/$name.$section ]] ||
			{ echo "no page $name($section)"; missing=1; }
	done < <(sed -n 's/^\.BR \(uncore[a-z_]*\|libuncore\) (\([1-8]\)).*/\1 \2/p' \
		"$MAN"/*.[1-8] | sort -u)
	return "$missing"
}

# Each errno that the kernel contract names is explained in section 4.
errors_are_those_of_the_contract() {
	diff <(sed -n 's/^ \*   \(E[A-Z0-9]*\|SIGBUS\)\t.*/\1/p' \
			"$TOP/uapi/linux/uncore_pmu.h" | sort -u) \
		<(sed -n 's/^\.B \(E[A-Z0-9]*\|SIGBUS\)\b.*/\1/p' \
			"$MAN/uncore_pmu.4" | sort -u)
}

example_compiles() {
	sed -n '/^\.SH EXAMPLES/,/^\.EE/{/^\.EX/,/^\.EE/{/^\.E[XE]/d;p}}' \
		"$MAN/libuncore.3" | sed 's/\\e/\\/g' >"$tap_work/example.c"
	[[ -s $tap_work/example.c ]] || { echo "no example"; return 1; }
	"$CC" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$LIB/include" \
		-I"$TOP/uapi" -o "$tap_work/example" "$tap_work/example.c" \
		"$BUILD/lib/libuncore.a" -lpfm -pthread
}

pages=("$MAN"/*.[1-8])
plan $((${#pages[@]} + 5))
for page in "${pages[@]}"; do
	if command -v man >/dev/null; then
		check "${page##*/}" man_is_silent "$page"
	else
		skip "${page##*/}" "man is not installed"
	fi
done
if command -v mandoc >/dev/null; then
	check "mandoc has nothing to say" mandoc_is_silent
else
	skip "mandoc has nothing to say" "mandoc is not installed"
fi
check "every function has a page" all_functions_have_a_page
check "references" all_references_lead_somewhere
check "errors of the contract" errors_are_those_of_the_contract
check "the example compiles" example_compiles
finish
