#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The installed headers, alone, as C11 and C++17, and programs built with
# pkg-config against the shared and the static library.
#
# Test: where=host timeout=120

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

ROOT=$tap_work/root
WARNINGS=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-align -Werror)

# Into a scratch folder: the tests leave the build folder as it is.
install_it() {
	make --no-print-directory -C "$LIB" BUILD="$tap_work/build" CC="$CC" \
		CFLAGS=-O2 DESTDIR="$ROOT" PREFIX=/usr LIBDIR=/usr/lib64 install
}

compiles() {
	local compiler=$1 standard=$2 header=$3 language=(c)

	[[ $standard != c++* ]] || language=(c++ -Wold-style-cast)
	echo "#include <$header>" |
		"$compiler" -std="$standard" "${WARNINGS[@]}" -x "${language[@]}" \
			-I"$ROOT/usr/include" -c -o "$tap_work/alone.o" -
}

cat >"$tap_work/user.c" <<'END'
#include <uncore.h>

int main(void)
{
	struct uncore_counter counter;
	struct uncore *uncore;
	uint64_t value[1];
	struct uncore_group group;

	if (uncore_open("/nonexistent", &uncore) == 0) {
		struct uncore_event event;

		if (uncore_spec_parse(uncore, "imc/fixed/", &event, NULL, 0,
				      NULL) < 1)
			return 4;
		if (uncore_counter_open_name(uncore, "imc0/ctr0", &counter))
			return 2;
		if (uncore_group_init(&group, &counter, 1))
			return 3;
		uncore_group_read(&group, value);
		return (int)uncore_delta(&counter, value[0],
					 uncore_read(&counter));
	}
	return uncore_version()[0] != '0';
}
END
cp "$tap_work/user.c" "$tap_work/user.cc"

# The flags come from the installed file, with the scratch folder put before.
pc() {
	PKG_CONFIG_PATH=$ROOT/usr/lib64/pkgconfig PKG_CONFIG_SYSROOT_DIR=$ROOT \
		pkg-config "$@" uncore
}

runs() {
	local compiler=$1 standard=$2 source=$3 kind=$4 flags

	if [[ $kind == static ]]; then
		flags=$(pc --static --libs)
		flags="$(pc --cflags) $ROOT/usr/lib64/libuncore.a ${flags/-luncore/}"
	else
		flags=$(pc --cflags --libs)
	fi
	# shellcheck disable=SC2086 # a list of flags
	"$compiler" -std="$standard" -Wall -Wextra -Werror -O2 \
		-o "$tap_work/user" "$tap_work/$source" $flags
	LD_LIBRARY_PATH=$ROOT/usr/lib64 "$tap_work/user"
}

has_files() {
	local file missing=0

	for file in bin/uncorectl include/uncore.h include/uncore/read.h \
		include/uncore/{core,events,marker,program,region,watch}.h \
		include/uncore/likwid-compat/likwid{,-marker}.h \
		include/uncore/likwid-compat/likwid.f90 include/linux/uncore_pmu.h lib64/libuncore.a \
		lib64/libuncore.so lib64/libuncore.so.0 \
		lib64/pkgconfig/uncore.pc share/man/man1/uncorectl.1 \
		share/man/man3/uncore_open_fd.3 share/man/man4/uncore_pmu.4; do
		[[ -e $ROOT/usr/$file ]] || { echo "no $file"; missing=1; }
	done
	return "$missing"
}

paths_are_right() {
	grep -qx 'prefix=/usr' "$ROOT/usr/lib64/pkgconfig/uncore.pc" &&
		grep -qx 'libdir=/usr/lib64' "$ROOT/usr/lib64/pkgconfig/uncore.pc"
}

HEADERS=(uncore.h linux/uncore_pmu.h)
plan $((7 + ${#HEADERS[@]} * 3 * ${#COMPILERS[@]}))

check "make install" install_it
check "all files are there" has_files
check "uncore.pc names the folders" paths_are_right
for header in "${HEADERS[@]}"; do
	for compiler in "${COMPILERS[@]}"; do
		check "$header alone, $compiler, C11" \
			compiles "$compiler" c11 "$header"
		check "$header alone, $compiler, C++17" \
			compiles "$compiler" c++17 "$header"
		check "$header alone, $compiler, C++20" \
			compiles "$compiler" c++20 "$header"
	done
done
check "program in C, shared" runs "$CC" c11 user.c shared
check "program in C, static" runs "$CC" c11 user.c static
check "program in C++, shared" runs "$CXX" c++17 user.cc shared
check "program in C++, static" runs "$CXX" c++17 user.cc static
finish
