# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# shellcheck disable=SC2034 # what is set here is for the other scripts
# What the scripts of this folder share. Source it, do not run it.

set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C.UTF-8
umask 022
# modprobe and depmod are there, and an ordinary user's PATH has neither.
PATH=$PATH:/usr/sbin:/sbin

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=$TOP/build
CACHE=${UNCORE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/uncore_pmu}
PMU_BUILD=$TOP/selftests/qemu-pmu/build
PLATFORMS_FILE=$TOP/selftests/sim/platforms

# The kernels that the simulated machine boots, and the default one.
KERNELS=(6.1 6.12)
DEFAULT_KERNEL=6.12
DEFAULT_PLATFORM=haswell-ep
USERS=(root member outsider)
PMUS=(intel amd)

case $TOP$CACHE in
*[[:space:]:]*)
	echo "The kernel's build takes no blanks or colons in paths: $TOP, $CACHE" >&2
	exit 1
	;;
esac

note() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# What scripts/vm sets apart from the statuses of the command that it runs.
FAILURE=1

die() {
	note "$*"
	exit "$FAILURE"
}

# A wrong command line: its own exit status, apart from failures.
usage_error() {
	note "$*"
	exit 2
}

as_root() {
	if [[ $(id -u) -eq 0 ]]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		note "not root and no sudo; run as root: $*"
		return 1
	fi
}

contains() {
	local wanted=$1 item
	shift
	for item; do
		[[ $item == "$wanted" ]] && return 0
	done
	return 1
}

# Names of --platform, one a line.
platform_names() {
	[[ -r $PLATFORMS_FILE ]] || return 0
	awk '!/^[[:space:]]*(#|$)/ { print $1 }' "$PLATFORMS_FILE"
}

# platform_listing NAME: the PCI listing that describes it.
platform_listing() {
	local listing

	listing=$(awk -v "name=$1" '$1 == name { print $2 }' "$PLATFORMS_FILE")
	echo "${PLATFORMS_FILE%/*}/$listing"
}

# kernel_dir VERSION: where the unpacked packages of that kernel are.
kernel_dir() {
	local link=$CACHE/kernels/$1/current

	[[ -r $link/release ]] || return 1
	(cd "$link" && pwd -P)
}

# kernel_missing_reason VERSION: why setup could not get it; empty otherwise.
kernel_missing_reason() {
	local file=$CACHE/kernels/$1/unavailable

	kernel_dir "$1" >/dev/null && return 0
	if [[ -r $file ]]; then
		cat "$file"
	else
		echo "kernel $1 is not in the cache; run scripts/setup"
	fi
}

# kernel_release VERSION: what uname -r says in that kernel.
kernel_release() {
	cat "$(kernel_dir "$1")/release"
}

# kernel_build_dir [VERSION]: what modules are built against.
kernel_build_dir() {
	local dir release

	if [[ $# -eq 0 || -z $1 ]]; then
		echo "/lib/modules/$(uname -r)/build"
		return
	fi
	dir=$(kernel_dir "$1") || die "$(kernel_missing_reason "$1")"
	release=$(cat "$dir/release")
	echo "$dir/usr/src/linux-headers-$release"
}

# The directory with the files taken out of the kernel's source package.
kernel_source_dir() {
	local link=$CACHE/source/current

	[[ -r $link/version ]] || die "no kernel source files in the cache; run scripts/setup"
	(cd "$link" && pwd -P)
}

# keep_log FILE: a copy that stays, of the newest 100; prints its name. Others
# may do the same at this moment.
keep_log() {
	local copy

	mkdir -p "$BUILD/log" || return
	find "$BUILD/log" -ignore_readdir_race -name '*.log' -printf '%T@ %p\0' |
		sort -zrn | tail -zn +100 | cut -zd ' ' -f 2- | xargs -0r rm -f || return
	copy=$(mktemp "$BUILD/log/kernel-XXXXXX.log") || return
	cat "$1" >"$copy" && chmod 644 "$copy" && echo "$copy"
}

# log_hits FILE: the lines of the kernel log that fail a test.
log_hits() {
	local patterns

	[[ -s $1 ]] || return 0
	patterns=$(grep -v '^#' "$TOP/scripts/kernel-log-patterns")
	# "traps:" begins the message on a user's program that crashed.
	grep -aE -e "$patterns" "$1" | grep -avE '^(\[[^]]*\] )?traps: ' || true
}

# For make module: the compiler's extra warnings, and sparse.
LINT_FLAGS="W=1 C=1"

# lint_file VERSION: where is kept what they said of the module for that kernel.
lint_file() {
	echo "$BUILD/lint-$1"
}

# run_setup: everything that the scripts need is there afterwards. A script
# that is called by another one does not look again.
run_setup() {
	[[ ${UNCORE_SETUP_DONE:-} == "$CACHE" ]] && return
	"$TOP/scripts/setup" --quiet || exit "$FAILURE"
	export UNCORE_SETUP_DONE=$CACHE
}

# run_make TARGET...: builds without a word unless it fails. Two scripts that
# start together do not build the same files at once.
run_make() {
	local out

	mkdir -p "$BUILD"
	if ! out=$(flock "$BUILD/.lock" make --no-print-directory -C "$TOP" "$@" 2>&1); then
		printf '%s\n' "$out" >&2
		die "make $* failed"
	fi
}
