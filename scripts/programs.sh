# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# shellcheck disable=SC2034 # what is set here is for scripts/test
# Part of scripts/test: finds the test programs. A source file is one if its
# head has a line "Test: where=guest|host KEY=VALUE...", in any order:
#
#	platform=NAME[,NAME...]		default haswell-ep; all: those without full-
#	machine=FILE			a listing instead, from the project's top
#	kernels=all|VERSION[,...]	default all
#	user=root|member|outsider	default root
#	timeout=SECONDS			default 60
#	module=no			loads the module by itself, and removes it
#	intel_uncore=no			without the kernel's own uncore driver
#	suspend=yes			the program suspends the machine
#	icount=yes			in a machine that counts instructions
#	boot=own			shares its machine with no other program

TEST_DIRS=${UNCORE_TEST_DIRS:-$TOP/selftests}

# test_line FILE: what follows "Test:" in the head of the file.
test_line() {
	sed -n '1,40s|^[/*# ]*Test: \([a-z_]*=.*\)$|\1|p' "$1" |
		sed 's| *\*/ *$||' | head -n 1
}

# Names of the platforms that platform=all means.
all_platforms() {
	platform_names | grep -v '^full-'
}

# test_sources: the source file of every test program.
test_sources() {
	local dir

	for dir in $TEST_DIRS; do
		find "$dir" \( -name '*.c' -o -name '*.sh' \) -type f
	done | sort | while read -r file; do
		[[ -z $(test_line "$file") ]] || echo "$file"
	done
}

# test_name FILE: as NAME of scripts/test and in the report.
test_name() {
	local dir=${1%/*} name=${1##*/}

	echo "${dir##*/}/${name%.*}"
}

# host_program FILE: what to run on the host for that source.
host_program() {
	local name=${1##*/} dir

	if [[ $name == *.sh ]]; then
		echo "$1"
		return
	fi
	for dir in selftests selftests/fuzz sim lib guest; do
		if [[ -x $BUILD/$dir/${name%.c} ]]; then
			echo "$BUILD/$dir/${name%.c}"
			return
		fi
	done
	die "$1 was not built"
}

# guest_program FILE: its name in the guest.
guest_program() {
	local name=${1##*/}

	case $name in
	*.c) echo "/selftests/${name%.c}" ;;
	*) echo "/host/$name" ;;
	esac
}

# parse_test FILE: sets test_* from the file's Test: line.
parse_test() {
	local file=$1 word key value

	test_where='' test_platform=$DEFAULT_PLATFORM test_machine=''
	test_kernels=all test_user=root test_timeout=60 test_module=yes
	test_intel_uncore=yes test_suspend=no test_icount=no test_boot=shared
	for word in $(test_line "$file"); do
		key=${word%%=*}
		value=${word#*=}
		case $key in
		where) [[ $value == guest || $value == host ]] || key='' ;;
		machine) [[ -r $TOP/$value ]] || key='' ;;
		user) contains "$value" "${USERS[@]}" || key='' ;;
		timeout) [[ $value =~ ^[1-9][0-9]*$ ]] || key='' ;;
		module|intel_uncore|suspend|icount) [[ $value == yes || $value == no ]] || key='' ;;
		boot) [[ $value == own || $value == shared ]] || key='' ;;
		platform|kernels) ;;
		*) key='' ;;
		esac
		[[ -n $key ]] || die "$file: bad Test: line at \"$word\""
		printf -v "test_$key" '%s' "$value"
	done
	[[ -n $test_where ]] || die "$file: no where= in its Test: line"
	expand_test "$file"
}

# Makes arrays kernels and platforms of the lists, and checks their names.
expand_test() {
	local name known

	case $test_kernels in
	all) kernels=("${KERNELS[@]}") ;;
	*) IFS=, read -ra kernels <<<"$test_kernels" ;;
	esac
	for name in "${kernels[@]}"; do
		contains "$name" "${KERNELS[@]}" || die "$1: no kernel $name"
	done
	mapfile -t platforms < <(tr ',' '\n' <<<"$test_platform" |
		while read -r name; do
			if [[ $name == all ]]; then all_platforms; else echo "$name"; fi
		done)
	mapfile -t known < <(platform_names)
	for name in "${platforms[@]}"; do
		contains "$name" "${known[@]}" || die "$1: no platform $name"
	done
	[[ -z $test_machine ]] || platforms=('')
}
