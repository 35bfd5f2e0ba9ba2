#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# uncorectl where there is no node: usage, messages, exit statuses.
#
# Test: where=host

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

UNCORECTL=$BUILD/lib/uncorectl
MEMBW=$BUILD/lib/membw

# ends STATUS STDOUT STDERR ARGUMENT...: patterns, "" for silence
ends() {
	local want=$1 out=$2 err=$3 status=0

	shift 3
	"${COMMAND[@]}" "$@" >"$tap_work/out" 2>"$tap_work/err" || status=$?
	cat "$tap_work/out" "$tap_work/err"
	[[ $status -eq $want ]] || { echo "exit $status, not $want"; return 1; }
	says "$tap_work/out" "$out" && says "$tap_work/err" "$err"
}

says() {
	if [[ -z $2 ]]; then
		[[ ! -s $1 ]]
	else
		grep -qE -- "$2" "$1"
	fi
}

every_message_has_a_remedy() {
	local node

	mkfifo "$tap_work/fifo"
	: >"$tap_work/file"
	for node in "$tap_work/none:no such node: load the kernel module" \
		"/dev/null:not a node of uncore_pmu" \
		"$tap_work/file:not a character device" \
		"$tap_work/fifo:not a character device" \
		"$tap_work:not a character device"; do
		ends 1 "" "^uncorectl: ${node%%:*}: ${node#*:}" \
			--device "${node%%:*}" list || return 1
	done
}

fills_up() {
	local status=0

	"$UNCORECTL" "$@" >/dev/full 2>"$tap_work/err" || status=$?
	cat "$tap_work/err"
	[[ $status -eq 1 ]] && says "$tap_work/err" "standard output"
}

COMMAND=("$UNCORECTL")
plan 21
check "help" ends 0 "^Usage: uncorectl" "" --help
check "version" ends 0 "^uncorectl $(cat "$LIB/VERSION")\$" "" --version
check "help that cannot be written" fills_up --help
check "version that cannot be written" fills_up --version
check "no command" ends 2 "" "no command"
check "unknown command" ends 2 "" "nonsense: no such command" nonsense
check "unknown option" ends 2 "" "nonsense" --nonsense list
check "read nothing" ends 2 "" "say which units" read
check "bench takes no unit" ends 2 "" "takes no arguments" bench imc
check "list takes no interval" ends 2 "" "does not take" list -i 1
check "doctor takes no --json" ends 2 "" "does not take" doctor -j
check "interval of 0" ends 2 "" "not a number of seconds" read -i 0 imc
check "interval without end" ends 2 "" "not a number" read -i 1e9 imc
check "interval that is none" ends 2 "" "not a number" read -i nan imc
check "interval with a rest" ends 2 "" "not a number" read -i 1x imc
check "count of 0" ends 2 "" "not a count" read -n 0 imc
check "count below 0" ends 2 "" "not a count" read -n -1 imc
check "what is not the node" every_message_has_a_remedy
check "doctor finds the node missing" ends 1 "TROUBLE +node" "" \
	-d "$tap_work/none" doctor
COMMAND=("$MEMBW")
check "membw says what is missing" ends 1 "" "load the kernel module" \
	"$tap_work/none"
check "membw, wrong usage" ends 2 "" "Usage" --seconds 0
finish
