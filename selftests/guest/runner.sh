#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=400
#
# scripts/test itself: whatever goes wrong in a test program or in the machine
# that it runs in must be a failure, and only that.
set -euo pipefail

TOP=${TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tests=$dir/fake
mkdir "$tests"
number=0

# program NAME OPTIONS: the rest of the program comes on standard input.
program() {
	{
		printf '#!/bin/sh\n# Test: where=%s\n' "$2"
		cat
	} >"$tests/$1.sh"
	chmod +x "$tests/$1.sh"
}

guest="guest module=no kernels=6.12"

program good "$guest" <<'END'
echo 1..2
echo ok 1 - first
echo ok 2 - second
END
program skipping "$guest" <<'END'
echo 1..2
echo ok 1 - first
echo "ok 2 - second # SKIP no such thing here"
END
program skipped "$guest" <<'END'
echo "1..0 # SKIP nothing to do"
exit 4
END
program notok "$guest" <<'END'
echo 1..2
echo not ok 1 - first
echo ok 2 - second
exit 1
END
program liar "$guest" <<'END'
echo 1..1
echo ok 1 - first
exit 1
END
program noplan "$guest" <<'END'
echo ok 1 - first
END
program short "$guest" <<'END'
echo 1..2
echo ok 1 - first
END
program silent "$guest" <<'END'
exit 0
END
program killed "$guest" <<'END'
echo 1..1
echo ok 1 - first
kill -9 $$
END
program slow "$guest timeout=3" <<'END'
echo 1..1
sleep 100
echo ok 1 - first
END
program warns "$guest" <<'END'
echo 1..1
echo "WARNING: CPU: 0 PID: 1 at a test of the runner" >/dev/kmsg
echo ok 1 - first
END
program crashes "$guest" <<'END'
echo 1..1
echo "traps: a[1] general protection fault ip:1 sp:2 error:0 in a" >/dev/kmsg
echo ok 1 - first
END
program strays "$guest" <<'END'
echo 1..1
sleep 98765 &
setsid sleep 98765 &
echo ok 1 - first
END
program zalone "$guest" <<'END'
echo 1..1
if ps | grep -q '[s]leep 98765'; then printf 'not '; fi
echo ok 1 - nothing is left of earlier programs
END
# A result that they print may be lost with the machine.
program panics "$guest boot=own" <<'END'
echo 1..1
echo c >/proc/sysrq-trigger
END
program poweroff "$guest boot=own" <<'END'
echo 1..1
poweroff -f
END
program hostgood host <<'END'
echo 1..1
echo ok 1 - first
END
program hostslow "host timeout=1" <<'END'
echo 1..1
sleep 100
END
program hostnothing host <<'END'
echo 1..0
END
echo '/* Test: where=host */' >"$tests/hostabsent.c"
program hostboot "host timeout=100" <<'END'
exec "$TOP/scripts/vm" --no-module --no-intel-uncore -- sh -c 'echo 1..1
	echo "WARNING: CPU: 0 PID: 1 at a test of the runner" >/dev/kmsg
	echo ok 1 - first'
END

# verdict EXPECTED_LINE EXPECTED_STATUS NAME: runs scripts/test NAME.
verdict() {
	local status=0 last

	number=$((number + 1))
	UNCORE_TEST_DIRS=$tests "$TOP/scripts/test" "$3" >"$dir/out" 2>&1 || status=$?
	last=$(tail -n 1 "$dir/out")
	if [[ $last == "$1" && $status -eq $2 ]]; then
		echo "ok $number - $3"
	else
		echo "not ok $number - $3"
		echo "# expected \"$1\" and $2, got \"$last\" and $status"
		sed 's/^/# /' "$dir/out"
	fi
}

# line TITLE PATTERN: the output of the last run has such a line.
line() {
	number=$((number + 1))
	if grep -qE -- "$2" "$dir/out"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
	fi
}

echo 1..26
verdict "14 passed, 14 failed, 2 skipped" 1 fake/
line "bad result" "^  fake/notok .*: first$"
line "exit status" "^  fake/liar .*: all passed, but exit 1$"
line "no plan" "^  fake/noplan .*: no plan in the output$"
line "fewer results" "^  fake/short .*: planned 2 tests, reported 1$"
line "silence" "^  fake/silent .*: no plan in the output$"
line "signal" "^  fake/killed .*: died of signal 9$"
line "timeout" "^  fake/slow .*: timed out$"
line "kernel warning" "^  fake/warns .*: the kernel complained, 1 lines in its log$"
line "panic" "^  fake/panics .*: the machine failed meanwhile: .*panicked"
line "power-off" "^  fake/poweroff .*: the machine failed meanwhile: .*powered off"
line "timeout on the host" "^  fake/hostslow: timed out$"
line "not built" "^  fake/hostabsent: no plan in the output$"
line "no tests" "^  fake/hostnothing: planned no tests and does not say why$"
line "kernel warning in a machine of the program" \
	"^  fake/hostboot: the kernel complained, 1 lines in its log$"
line "skip with its reason" "^  fake/skipping .*: second: no such thing here$"
line "whole program skipped" "^  fake/skipped .*: all: nothing to do$"
verdict "2 passed, 0 failed, 0 skipped" 0 fake/good
verdict "1 passed, 0 failed, 0 skipped" 0 fake/hostgood
verdict "test: no test has a name with: nosuch" 1 nosuch

# As the guest's init reports a program, and then the machine is gone.
cat >"$dir/qemu" <<'END'
#!/bin/sh
printf 'B\000\000\000\010\000\000\000\000\000\000\000\012\000\000\000' >&3
printf 'O\000\000\000\022\000\000\0001..1\nok 1 - first\n' >&3
printf 'X\000\000\000\014\000\000\000\000\000\000\000' >&3
printf '\000\000\000\000\000\000\000\000' >&3
END
chmod +x "$dir/qemu"
QEMU=$dir/qemu verdict "1 passed, 1 failed, 0 skipped" 1 fake/good
line "end of the machine" \
	"^  end of the machine of fake/good .*: vm: .* before it had reported its end$"

# What does not fit on the disk is no result.
mkdir "$dir/jobs"
ln -s /dev/full "$dir/jobs/0.out"
status=0
"$TOP/build/guest/vmrun" --log /dev/null --boot-timeout 20 --timeout 20 \
	--jobs "$dir/jobs" -- "$dir/qemu" >"$dir/out" 2>&1 || status=$?
[[ $status -eq 125 && ! -e $dir/jobs/0.status ]] || echo "status $status" >"$dir/out"
line "full disk" "^vm: cannot write the results; is the disk full\?$"

# The judge itself dies.
mkdir "$dir/bin"
cat >"$dir/bin/awk" <<'END'
#!/bin/sh
case $* in *tap.awk*) kill -9 $$ ;; esac
exec /usr/bin/awk "$@"
END
chmod +x "$dir/bin/awk"
PATH=$dir/bin:$PATH verdict "0 passed, 1 failed, 0 skipped" 1 fake/hostgood

# An interrupted run leaves no program behind.
program hostlong "host timeout=90" <<END
echo \$\$ >"$dir/pid"
exec sleep 4321
END
UNCORE_TEST_DIRS=$tests "$TOP/scripts/test" fake/hostlong >"$dir/out" 2>&1 &
pid=$!
until [[ -s $dir/pid ]]; do
	sleep 0.1
done
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
if kill -0 "$(cat "$dir/pid")" 2>/dev/null; then
	echo "the program goes on" >"$dir/out"
else
	echo "it ended with $status" >"$dir/out"
fi
line "interrupted" "^it ended with 143$"

# Nor a machine, if the terminal interrupts all processes at once.
program sleeper "guest module=no kernels=6.1 timeout=90" <<'END'
sleep 80
END

# directories GROUP: those of the machines of that group of processes.
directories() {
	local name number

	for name in /dev/shm/uncore-vm.* "${TMPDIR:-/tmp}"/uncore-vm.*; do
		number=${name##*/uncore-vm.}
		number=${number%%.*}
		[[ $(awk '{ print $5 }' "/proc/$number/stat" 2>/dev/null) != "$1" ]] ||
			echo "$name"
	done
}

UNCORE_TEST_DIRS=$tests setsid "$TOP/scripts/test" fake/sleeper >"$dir/out" 2>&1 &
pid=$!
until name=$(directories "$pid") && [[ -e $name/initrd ]]; do
	kill -0 "$pid"
	sleep 0.1
done
kill -TERM -- "-$pid"
status=0
wait "$pid" || status=$?
echo "it ended with $status, $([[ -e $name ]] && echo "and left $name" || echo clean)" >"$dir/out"
line "all interrupted at once" "^it ended with 143, clean$"
