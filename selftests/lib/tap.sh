# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# TAP for the test scripts of this folder. Source it.

set -euo pipefail
export LC_ALL=C.UTF-8

TOP=${TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${BUILD:-$TOP/build}
# shellcheck disable=SC2034 # for the scripts that source this
LIB=$TOP/lib
CC=${CC:-gcc}
CXX=${CXX:-g++}
# The compilers that there are, to try the headers with.
COMPILERS=("$CC")
! command -v clang >/dev/null || COMPILERS+=(clang)

tap_number=0
tap_failed=0
tap_work=$(mktemp -d)
trap 'rm -rf "$tap_work"' EXIT

# plan COUNT
plan() {
	echo "TAP version 13"
	echo "1..$1"
}

# check TITLE COMMAND...: passes if the command does; says why not.
check() {
	local title=$1 status=0

	shift
	tap_number=$((tap_number + 1))
	"$@" >"$tap_work/said" 2>&1 </dev/null || status=$?
	if [[ $status -eq 0 ]]; then
		echo "ok $tap_number - $title"
	else
		tap_failed=1
		echo "not ok $tap_number - $title"
		sed 's/^/# /' "$tap_work/said"
		echo "# status $status"
	fi
}

# skip TITLE REASON
skip() {
	tap_number=$((tap_number + 1))
	echo "ok $tap_number - $1 # SKIP $2"
}

finish() {
	exit "$tap_failed"
}
