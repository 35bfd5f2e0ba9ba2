#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs with LIKWID's marker macros compile unchanged, with and without
# LIKWID_PERFMON, in C, C++ and with OpenMP, against our header and against
# LIKWID's own, and run with either library; and those that use its module for
# Fortran.
#
# Test: where=host timeout=120

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

OURS=$LIB/include/likwid-compat
THEIRS=${LIKWID_INCLUDE:-/usr/include}

cat >"$tap_work/user.c" <<'END'
#include <stdio.h>
#include <likwid-marker.h>

void other(void);

int main(void)
{
	double events[8] = { 0 }, time = 0;
	int nevents = 8, count = 0, sum = 0;

	(void)nevents;
	(void)count;
	LIKWID_MARKER_INIT;
#ifdef _OPENMP
#pragma omp parallel
#endif
	{
		LIKWID_MARKER_THREADINIT;
		LIKWID_MARKER_REGISTER("sum");
	}
#ifdef _OPENMP
#pragma omp parallel reduction(+ : sum)
#endif
	{
		LIKWID_MARKER_START("sum");
		sum += 1;
		LIKWID_MARKER_STOP("sum");
	}
	LIKWID_MARKER_GET("sum", &nevents, events, &time, &count);
	LIKWID_MARKER_RESET("sum");
	LIKWID_MARKER_SWITCH;
	other();
	LIKWID_MARKER_CLOSE;
	printf("%d %g %g\n", sum > 0, events[0], time);
	return 0;
}
END
cat >"$tap_work/other.c" <<'END'
#ifdef LIKWID_PERFMON
#include <likwid.h>
#endif
#include <likwid-marker.h>
#ifdef __cplusplus
extern "C"
#endif
void other(void);

void other(void)
{
	LIKWID_MARKER_START("other");
	LIKWID_MARKER_STOP("other");
}
END
sed -i 's/^void other(void);$/#ifdef __cplusplus\nextern "C"\n#endif\n&/' "$tap_work/user.c"

cat >"$tap_work/user.f90" <<'END'
program user
  use likwid
  implicit none
  integer :: nevents, count
  double precision :: events(8), time

  nevents = 8
  call likwid_markerInit()
!$omp parallel
  call likwid_markerThreadInit()
  call likwid_markerRegisterRegion("sum")
!$omp end parallel
!$omp parallel
  call likwid_markerStartRegion("sum")
  call likwid_markerStopRegion("sum")
!$omp end parallel
  call likwid_markerGetRegion("sum", nevents, events, time, count)
  call likwid_markerResetRegion("sum")
  call likwid_markerNextGroup()
  call likwid_markerClose()
  print "(i0, x, f3.1, x, i0)", nevents, time, count
end program user
END

# compiles COMPILER LANGUAGE INCLUDE FLAG...
compiles() {
	local compiler=$1 language=$2 include=$3 file

	shift 3
	for file in user other; do
		"$compiler" -x "$language" -Wall -Wextra -Werror -O2 "$@" -I"$include" \
			-I"$LIB/include" -I"$TOP/uapi" -c -o "$tap_work/$file.o" \
			"$tap_work/$file.c" || return
	done
}

# compiles_all TITLE INCLUDE: in both languages, with and without each flag.
compiles_all() {
	local language compiler flag

	for language in c c++; do
		compiler=$CC
		[[ $language == c ]] || compiler=$CXX
		for flag in -Wno-unknown-pragmas -fopenmp; do
			check "$1, $language $flag" compiles "$compiler" "$language" "$2" "$flag"
			check "$1, $language $flag, measured" compiles "$compiler" "$language" \
				"$2" "$flag" -DLIKWID_PERFMON
		done
	done
}

# runs COMPILER LANGUAGE INCLUDE LIBRARY SAID FLAG...: and says so on stderr.
runs() {
	local compiler=$1 language=$2 include=$3 library=$4 said=$5

	shift 5
	compiles "$compiler" "$language" "$include" -fopenmp "$@" || return
	"$compiler" -fopenmp -o "$tap_work/user" "$tap_work"/{user,other}.o \
		"$library" -lpfm -pthread || return
	[[ $("$tap_work/user" 2>"$tap_work/stderr") == "1 0 0" ]] || return 1
	cat "$tap_work/stderr"
	# shellcheck disable=SC2053 # a pattern
	[[ $(cat "$tap_work/stderr") == $said ]]
}

FORTRAN=(gfortran -Wall -Wextra -Werror -O2 -fopenmp)

fortran_compiles() {
	cd "$tap_work" || return
	"${FORTRAN[@]}" -std=f2008 -c "$OURS/likwid.f90" &&
		"${FORTRAN[@]}" -c user.f90
}

fortran_runs() {
	cd "$tap_work" || return
	"${FORTRAN[@]}" -o fortran user.o "$@" likwid.o "$BUILD/lib/libuncore.a" -lpfm || return
	[[ $(./fortran 2>stderr) == "0 0.0 0" ]] || return 1
	cat stderr
	# shellcheck disable=SC2053 # a pattern
	[[ $(cat stderr) == $OURS_SAY ]]
}

# One marker for all parts of a program.
fortran_with_c() {
	compiles "$CC" c "$OURS" -std=c11 -DLIKWID_PERFMON || return
	fortran_compiles && fortran_runs other.o &&
		[[ $(nm fortran | grep -c ' uncore_likwid_marker$') -eq 1 ]]
}

unset UNCORE_EVENTS UNCORE_STAT
OURS_SAY="uncore: no region is measured: say what to count,*"
THEIRS_SAY="Running without Marker API.*"
STATIC=$BUILD/lib/libuncore.a
SHARED=(/usr/lib/*/liblikwid.so.*)

plan 24
compiles_all "our header" "$OURS"
compiles_all "LIKWID's header" "$THEIRS"
check "C runs" runs "$CC" c "$OURS" "$STATIC" ""
check "C runs, measured" runs "$CC" c "$OURS" "$STATIC" "$OURS_SAY" -DLIKWID_PERFMON
check "C++ runs, measured" runs "$CXX" c++ "$OURS" "$STATIC" "$OURS_SAY" -DLIKWID_PERFMON
check "C runs with LIKWID" runs "$CC" c "$THEIRS" "${SHARED[0]}" "$THEIRS_SAY" \
	-DLIKWID_PERFMON
check "C++ runs with LIKWID" runs "$CXX" c++ "$THEIRS" "${SHARED[0]}" "$THEIRS_SAY" \
	-DLIKWID_PERFMON
check "Fortran" fortran_compiles
check "Fortran runs" fortran_runs
check "Fortran and C" fortran_with_c
finish
