#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the shared library exports is what its map lists and its header declares.
#
# Test: where=host

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

SO=$BUILD/lib/libuncore.so.0

exported() {
	nm -D --defined-only "$SO" |
		awk '$2 != "A" { sub(/@@UNCORE_0\.1$/, "", $3); print $3 }' | sort
}

versioned() {
	sed -n 's/^\t*\(uncore_[a-z_0-9]*\);$/\1/p' "$LIB/libuncore.map" | sort
}

# Functions that are "always inline" exist in the program only.
declared() {
	"$CC" -DUNCORE_INLINE= -I"$LIB/include" -I"$TOP/uapi" -include uncore.h \
		-x c -fsyntax-only -aux-info "$tap_work/declared" /dev/null
	sed -n 's/^.* extern .*\b\(uncore_[a-z_0-9]*\) (.*/\1/p' \
		"$tap_work/declared" | sort -u
}

same() {
	diff <("$1") <("$2")
}

no_leak_in_static_library() {
	local strange

	strange=$(nm -g --defined-only "$BUILD/lib/libuncore.a" |
		awk 'NF == 3 && $3 !~ /^uncore_/ { print $3 }')
	[[ -z $strange ]] || { echo "$strange"; return 1; }
}

# libpfm4 has state of its own, which must be set up by one thread only; what is
# called when the process forks is given no pointer; and the file for results is one
# for all plans of a process.
no_global_state() {
	local data

	data=$(nm --defined-only "$BUILD/lib/libuncore.a" |
		awk 'NF == 3 && $2 ~ /^[BbDdCGgSs]$/ && $3 !~ /^(names|texts|[a-z]+_errors|pfm_once|fork_[a-z]+|noted)(\.|$)/')
	[[ -z $data ]] || { echo "$data"; return 1; }
}

is_soname() {
	objdump -p "$SO" | grep -qE 'SONAME +libuncore\.so\.0$'
}

no_forbidden_calls() {
	local calls

	calls=$(nm -D --undefined-only "$SO" | awk '{ print $2 }' |
		grep -E '^(exit|_exit|abort|printf|puts|fprintf|perror|syslog|__.*printf_chk)(@|$)' |
		grep -vE '^__v?snprintf_chk' || true)
	[[ -z $calls ]] || { echo "$calls"; return 1; }
}

plan 7
check "exported = versioned" same exported versioned
check "declared = versioned" same declared versioned
check "every symbol of the static library begins with uncore_" \
	no_leak_in_static_library
check "no global state" no_global_state
check "soname" is_soname
check "the library does not print or exit" no_forbidden_calls
check "one version" grep -qF "Version: $(cat "$LIB/VERSION")" \
	"$BUILD/lib/uncore.pc"
finish
