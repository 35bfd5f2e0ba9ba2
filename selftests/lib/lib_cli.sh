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
	local node command

	for command in list status "program imc/x/" "stat -e imc/x/" events; do
		# shellcheck disable=SC2086 # words of a command
		ends 1 "" "^uncorectl: $tap_work/none: no such node: load" \
			--device "$tap_work/none" $command || return 1
	done
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
	# opened for writing
	ends 1 "" "^uncorectl: $tap_work: a directory: give the node" \
		--device "$tap_work" status
}

fills_up() {
	local status=0

	"$UNCORECTL" "$@" >/dev/full 2>"$tap_work/err" || status=$?
	cat "$tap_work/err"
	[[ $status -eq 1 ]] && says "$tap_work/err" "standard output"
}

# Nothing that is opened takes the place of a standard descriptor.
without_output() {
	local status=0

	"$UNCORECTL" "$@" 2>"$tap_work/err" >&- <&- || status=$?
	cat "$tap_work/err"
	[[ $status -eq 1 ]] && [[ $(<"$tap_work/err") == \
		"uncorectl: standard output: Bad file descriptor" ]]
}

COMMAND=("$UNCORECTL")
plan 57
check "help" ends 0 "^Usage: uncorectl" "" --help
check "version" ends 0 "^uncorectl $(cat "$LIB/VERSION")\$" "" --version
check "help that cannot be written" fills_up --help
check "version that cannot be written" fills_up --version
check "help without standard output" without_output --help
check "a word is not for the terminal" ends 2 "" "a\?\[1mb: no such command" \
	$'a\e[1mb'
check "nor is an option" ends 2 "" "--a\?b: no such option" $'--a\nb'
check "option with an argument too many" ends 2 "" "takes no argument" list --json=x
check "unknown letter" ends 2 "" "^uncorectl: -x: no such option" list -jx
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
check "stat without events" ends 2 "" "say what to count" stat
check "stat without events, with a command" ends 2 "" "say what to count" \
	stat -- true
check "stat -m without events" ends 2 "" "say what to count: -e EVENT,\.\.\." \
	stat -m -- true
check "stat -m, an empty list" ends 2 "" "^uncorectl: -e '': names no event$" \
	stat -m -e '' -- true
check "stat -m, an empty group" ends 2 "" \
	"^uncorectl: -e 'cycles; ': a group without an event: write EVENT,EVENT;EVENT$" \
	stat -m -e 'cycles; ' -- true
check "stat -m, an empty event" ends 2 "" \
	"^uncorectl: -e 'cycles, ': an empty event: write EVENT,EVENT$" \
	stat -m -e 'cycles, ' -- true
check "stat, two formats" ends 2 "" "not both" stat -j --csv -e imc/x/
check "stat takes milliseconds" ends 2 "" "does not take --interval" \
	stat -i 1 -e imc/x/
check "0 milliseconds" ends 2 "" "not a number of milliseconds" stat -I 0 -e x
check "less than a millisecond" ends 2 "" "not a number of milliseconds" \
	stat -I 0.5 -e x
check "milliseconds without end" ends 2 "" "not a number of milliseconds" \
	stat -I 86400001 -e x
check "milliseconds, a word" ends 2 "" "not a number of milliseconds" \
	stat -I second -e x
check "stat takes no --file" ends 2 "" "does not take --file" \
	stat -e x --file y
check "option without its argument" ends 2 "" "requires an argument" stat -e
check "stat that cannot measure does not start a command" ends 125 "" \
	"no such node" -d "$tap_work/none" stat -e imc/x/ -- touch "$tap_work/ran"
check "it did not" test ! -e "$tap_work/ran"
check "options behind the command are the command's" ends 125 "" \
	"no such node" -d "$tap_work/none" stat -e imc/x/ ls --nonsense
check "options before the command are not" ends 2 "" "nonsense" \
	stat -e imc/x/ --nonsense ls
check "program nothing" ends 2 "" "say what to count" program
check "program for nothing" ends 2 "" "not a number of seconds" \
	program --for 0 imc/x/
check "program for ever" ends 2 "" "not a number of seconds" \
	program --for 31536001 imc/x/
check "program for a word" ends 2 "" "not a number of seconds" \
	program --for inf imc/x/
check "program takes no --json" ends 2 "" "does not take --json" \
	program --json imc/x/
check "list takes no --for" ends 2 "" "does not take --for" list --for 1
check "read takes no -I" ends 2 "" "does not take -I" read -I 1 imc
check "read takes no --csv" ends 2 "" "does not take --csv" read --csv imc
check "status takes no -e" ends 2 "" "does not take --event" status -e imc/x/
check "status takes no -o" ends 2 "" "does not take --output" status -o x
check "events takes one pattern" ends 2 "" "one PATTERN" events a b
check "options may follow" ends 1 "" "no such node" events -d "$tap_work/none"
check "-- ends the options" ends 1 "" "no such node" -d "$tap_work/none" \
	status -- -j
check "what is not the node" every_message_has_a_remedy
check "doctor finds the node missing" ends 1 "TROUBLE +node" "" \
	-d "$tap_work/none" doctor
COMMAND=("$MEMBW")
check "membw says what is missing" ends 1 "" "load the kernel module" \
	"$tap_work/none"
check "membw, wrong usage" ends 2 "" "Usage" --seconds 0
finish
