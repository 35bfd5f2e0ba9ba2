#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=host timeout=1800
#
# The QEMU with a core PMU: that it is one, and RDPMC as the module grants it
# where there is a counter to read.

. "$(dirname "$0")/../../scripts/common.sh"

# A machine each: options of scripts/vm, and the programs that run in it. Each
# program has a result, so have what it skips and the machine. The last one has
# a single socket.
MACHINES=(
	"--pmu intel:opmu_check opmu_registers core_counters core_rights regions region_cost likwid_markers likwid_groups marked_core rdpmc rdpmc_sysfs"
	"--pmu intel --icount:opmu_check core_counters regions likwid_groups marked_core side_by_side"
	"--pmu amd:opmu_check opmu_registers core_counters core_rights regions region_cost likwid_markers likwid_groups marked_core amd_shared"
	"--pmu amd --platform snowridge:opmu_registers"
)

# What side_by_side compares with; too large for the image of all machines.
LIKWID=(--add "$BUILD/selftests/likwid/likwid_cost" --add /usr/sbin/likwid-accessD)

number=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

result() {
	number=$((number + 1))
	echo "$1 $number - $2"
}

# run_machine KERNEL OPTIONS PROGRAMS
run_machine() {
	local program skip options programs hits good=yes machine="ok"

	read -ra options <<<"$2"
	read -ra programs <<<"$3"
	! contains side_by_side "${programs[@]}" || options+=("${LIKWID[@]}")
	: >"$dir/kernel.log"
	# shellcheck disable=SC2016 # for the shell in the machine
	UNCORE_VM_LOG=$dir/kernel.log "$TOP/scripts/vm" --kernel "$1" "${options[@]}" \
		sh -c 'for i; do /selftests/$i && echo "PASSED $i"; done; true' \
		sh "${programs[@]}" >"$dir/out" 2>&1 || machine="not ok"
	hits=$(log_hits "$dir/kernel.log")
	if [[ -n $hits ]]; then
		awk '{ print "# kernel: " $0 }' <<<"$hits"
		machine="not ok"
	fi
	[[ $machine == "ok" ]] || good=no
	for program in "${programs[@]}"; do
		if grep -qx "PASSED $program" "$dir/out"; then
			result "ok" "$program [$1 $2]"
		else
			result "not ok" "$program [$1 $2]"
			good=no
		fi
	done
	while read -r _ _ program skip; do
		result "ok" "$program [$1 $2] $skip"
	done < <(grep '^ok [0-9]* .* # SKIP' "$dir/out")
	result "$machine" "end and kernel log of the machine [$1 $2]"
	if [[ $good == yes ]]; then
		grep '^# cost: ' "$dir/out" || true
	else
		sed 's/^/# /' "$dir/out"
	fi
}

main() {
	local status=0 kernel machine reason

	"$TOP/scripts/setup" --quiet --pmu 2>"$dir/err" || status=$?
	sed 's/^/# /' "$dir/err"
	if [[ $status -eq 77 ]]; then
		echo "1..0 # SKIP $(tail -n 1 "$dir/err")"
		return
	fi
	[[ $status -eq 0 ]] || return "$status"
	QEMU=$("$TOP/selftests/qemu-pmu/build")
	export QEMU

	for kernel in "${KERNELS[@]}"; do
		reason=$(kernel_missing_reason "$kernel")
		for machine in "${MACHINES[@]}"; do
			if [[ -z $reason ]]; then
				run_machine "$kernel" "${machine%%:*}" "${machine#*:}"
				continue
			fi
			for program in ${machine#*:} machine; do
				result "ok" "$program [$kernel ${machine%%:*}] # SKIP $reason"
			done
		done
	done
	echo "1..$number"
}

main
