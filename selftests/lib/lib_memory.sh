#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The host tests of the library again, under valgrind and with sanitizers.
#
# Test: where=host timeout=180

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

SANITIZE="-O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all"
PROGRAMS=(lib_names lib_values lib_open lib_events lib_specs lib_status
	lib_core lib_region)

# What libpfm4 allocates once, it keeps.
cat >"$tap_work/libpfm4.supp" <<'END'
{
	libpfm4
	Memcheck:Leak
	match-leak-kinds: reachable,possible
	...
	fun:pfm_initialize
}
END

under_valgrind() {
	valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all \
		--suppressions="$tap_work/libpfm4.supp" "$BUILD/selftests/$1"
}

build_sanitized() {
	local harness

	harness=$("$TOP/scripts/kernel-dir" --harness)
	make --no-print-directory -C "$LIB" CC="$CC" BUILD="$tap_work/lib" \
		CFLAGS="$SANITIZE" "$tap_work/lib/libuncore.a"
	make --no-print-directory -C "$TOP/selftests/lib" CC="$CC" \
		BUILD="$tap_work/selftests" HARNESS="$harness" \
		CFLAGS="$SANITIZE" LDFLAGS="$SANITIZE" \
		"${PROGRAMS[@]/#/$tap_work/selftests/}"
}

plan $((1 + 2 * ${#PROGRAMS[@]}))
for program in "${PROGRAMS[@]}"; do
	if command -v valgrind >/dev/null; then
		check "$program, valgrind" under_valgrind "$program"
	else
		skip "$program, valgrind" "valgrind is not installed"
	fi
done
check "build with sanitizers" build_sanitized
for program in "${PROGRAMS[@]}"; do
	check "$program, sanitizers" "$tap_work/selftests/$program"
done
finish
