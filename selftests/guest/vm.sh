#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=300
#
# scripts/vm itself: what goes in and out, and what happens when the machine
# fails.
set -euo pipefail

TOP=${TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
number=0
good=yes

# vm EXPECTED_STATUS ARGUMENT...: its output goes to $dir/out and $dir/err.
# What is not as expected makes $good no, until the next result.
vm() {
	local expected=$1 status=0

	shift
	"$TOP/scripts/vm" "$@" >"$dir/out" 2>"$dir/err" || status=$?
	if [[ $status -ne $expected ]]; then
		good=no
		echo "# exit status $status, expected $expected"
	fi
}

# has FILE PATTERN: the output has such a line.
has() {
	grep -qE -- "$2" "$dir/$1" && return
	good=no
	echo "# no line \"$2\" in $1"
}

is() {
	[[ $(cat "$dir/$1"; echo .) == "$2". ]] && return
	good=no
	echo "# $1 is not \"$2\""
}

result() {
	number=$((number + 1))
	if [[ $good == yes ]]; then
		echo "ok $number - $1"
	else
		sed 's/^/# out: /' "$dir/out" | head -n 20
		sed 's/^/# err: /' "$dir/err" | head -n 20
		echo "not ok $number - $1"
	fi
	good=yes
}

kernel_log_is_kept() {
	local log

	log=$(sed -n 's/^vm: kernel log: //p' "$dir/err")
	if ! grep -q "Linux version" "$log"; then
		good=no
		echo "# no kernel log"
	fi
	rm -f "$log"
}

echo 1..16

head -c 1000000 /dev/urandom >"$dir/random data"
# shellcheck disable=SC2016 # for the shell in the machine
vm 3 --no-module --add "$dir/random data" -- sh -c 'printf "<%s>" "$@"; echo e >&2; cat
	cat "/host/random data"; simctl sync && exit 3' \
	x '' 'a b' $'c\nx' "'\"\$HOME\\" '*' < <(true)
{
	printf '%s' $'<><a b><c\nx><\'"$HOME\\><*>'
	cat "$dir/random data"
} | cmp - "$dir/out" || good=no
has err '^e$'
kernel_log_is_kept
result "arguments, both outputs, an added file as it was, exit status, no input"

# What runs left behind whose processes are gone (there is none of such a number):
# the one directory, not that of a simulator that still plays.
left=uncore-vm.4194304
[[ $(df --output=avail -k /dev/shm | tail -n 1) -gt 3000000 ]] &&
	left=/dev/shm/$left || left=${TMPDIR:-/tmp}/$left
mkdir -p "$left.left" "$left.used"
exec {held}>"$left.used/lock"
flock "$held"
# shellcheck disable=SC2016 # for the shell in the machine
vm 137 --no-module -- sh -c 'kill -9 $$'
[[ ! -e $left.left && -e $left.used ]] || good=no
exec {held}>&-
rm -rf "$left.left" "$left.used"
result "death by a signal, and what others left behind"

vm 127 --no-module -- nosuchcommand
has err '^nosuchcommand: No such file'
result "no such command"

# Two at once, a machine each.
"$TOP/scripts/vm" --user outsider -- sh -c 'id -Gn | grep -w uncore || cat /dev/uncore_pmu' \
	>"$dir/outsider" 2>&1 &
pid=$!
vm 0 --user member --kernel 6.12 -- sh -c 'id -u; id -Gn; ls -l /dev/uncore_pmu; uname -r'
has out '^1000$'
has out '\buncore\b'
has out '^crw-r----- .* uncore .*/dev/uncore_pmu$'
has out '^6\.12\.'
is err ''
result "member of the group, the node as udev made it, and nothing else"

status=0
wait "$pid" || status=$?
[[ $status -eq 1 ]] || good=no
has outsider '^cat: .*Permission denied'
result "outsider, at the same time"

UNCORE_VM_HITS='' vm 125 --no-module -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60'
has err "^vm: the guest's kernel panicked: .*sysrq"
kernel_log_is_kept
result "panic"

vm 125 --no-module -- poweroff -f
has err '^vm: the guest powered off before the command had ended$'
result "early power-off"

UNCORE_VM_TIMEOUT=2 vm 125 --no-module sleep 60
has err '^vm: the command had not ended after 2 s$'
result "timeout"

# The reader is there, and does not read.
mkfifo "$dir/unread"
exec {unread}<>"$dir/unread"
status=0
UNCORE_VM_TIMEOUT=2 "$TOP/scripts/vm" --no-module yes >"$dir/unread" 2>"$dir/err" || status=$?
exec {unread}>&-
: >"$dir/out"
[[ $status -eq 125 ]] || good=no
has err "^vm: nobody has read the command's output for 2 s$"
result "output that nobody reads"

QEMU_ARGS='-S  -name *' UNCORE_VM_BOOT_TIMEOUT=2 vm 125 --no-module true
has err '^vm: the guest was not up after 2 s$'
result "silence"

QEMU=/nonexistent/qemu vm 125 --no-module true
has err '^vm: QEMU ended with status 127$'
result "no such QEMU"

# A command that succeeds, on a machine whose hardware is gone.
cat >"$dir/qemu" <<'END'
#!/bin/sh
args=$*
run=${args#*mem-path=}
run=${run%%/ram*}
for pid in $(cd /proc && echo [0-9]*); do
	case $(cat "/proc/$pid/cmdline" 2>/dev/null | tr '\0' ' ') in
	*"uncore-sim run --dir $run ") break ;;
	esac
done
kill "$pid"
while kill -0 "$pid" 2>/dev/null; do
	sleep 0.01
done
printf 'B\000\000\000\010\000\000\000\000\000\000\000\012\000\000\000' >&3
printf 'X\000\000\000\014\000\000\000\000\000\000\000' >&3
printf '\000\000\000\000\000\000\000\000' >&3
printf 'D\000\000\000\000\000\000\000' >&3
END
chmod +x "$dir/qemu"
QEMU=$dir/qemu vm 125 --no-module true
has err '^vm: uncore-sim has ended before the machine, '
result "no hardware"

# Failures on the way are not taken for the command's.
mkdir "$dir/tree"
ln -s /nonexistent "$dir/tree/link"
vm 125 --no-module --add "$dir/tree" true
has err '/nonexistent|tree/link'
result "a file that cannot be added"

vm 2 --platform pentium true
has err 'known are: .*\bhaswell-ep\b.*\bicelake-sp\b'
vm 2 --kernel 2.6 true
has err 'known are: 6\.1 6\.12$'
vm 2 --user guest true
has err 'known are: root member outsider$'
vm 2 --platform knl --machine /dev/null true
has err 'exclude each other'
vm 2 --mcfg wrong true
has err '^uncore-sim: --mcfg does not know wrong$'
vm 2 --pmu '' true
has err '^vm: --pmu needs an argument that is not empty$'
vm 2 --machine <(true) true
has err 'is no ordinary file; write the listing to one$'
vm 2
has err 'no command'
result "wrong command lines"

echo "what is this" >"$dir/bad"
vm 2 --machine "$dir/bad" true
has err 'bad:1: '
result "bad listing"

# Both ends of an interrupted run are gone: the machine and its hardware.
"$TOP/scripts/vm" --no-module -- sh -c 'echo up; sleep 60' >"$dir/out" 2>"$dir/err" &
pid=$!
until grep -q up "$dir/out" || ! kill -0 "$pid" 2>/dev/null; do
	sleep 0.1
done
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
[[ $status -eq 143 ]] || good=no
# The directory of the run names its process, and is in their command lines.
if cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep "uncore-vm\.$pid\." >"$dir/out" ||
   compgen -G "/dev/shm/uncore-vm.$pid.*" >>"$dir/out"; then
	good=no
fi
result "interrupted"
