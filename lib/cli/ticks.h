/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Instructions of a piece of code, all that the machine executes meanwhile
 * included: the kernel's and those of other processes that it waits for.
 *
 * In the simulated machine with exact instruction counting (UNCORE_ICOUNT=1)
 * the time stamp counter advances by a fixed number of ticks an instruction,
 * which is measured first. Elsewhere it counts time.
 */
#ifndef UNCORECTL_TICKS_H
#define UNCORECTL_TICKS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#define BENCH_NOPS	1000

static inline uint64_t bench_ticks(void)
{
	uint64_t value;

	_mm_lfence();
	value = __rdtsc();
	_mm_lfence();
	return value;
}

/* Of a statement, the least of many: interrupts and cold caches only add. */
#define BENCH_LEAST(repeats, statement)					\
	({								\
		uint64_t bench_start, bench_cost, bench_least = UINT64_MAX; \
		unsigned int bench_left;				\
									\
		for (bench_left = (repeats); bench_left; bench_left--) { \
			bench_start = bench_ticks();			\
			statement;					\
			bench_cost = bench_ticks() - bench_start;	\
			if (bench_cost < bench_least)			\
				bench_least = bench_cost;		\
		}							\
		bench_least;						\
	})

#define BENCH_RUN_NOPS(number) \
	__asm__ volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(number))

/* Ticks an instruction, or 0 if they do not count instructions. */
static inline uint64_t bench_calibrate(unsigned int repeats)
{
	const char *icount = getenv("UNCORE_ICOUNT");
	uint64_t difference;

	if (!icount || strcmp(icount, "1"))
		return 0;
	difference = BENCH_LEAST(repeats, BENCH_RUN_NOPS(2 * BENCH_NOPS)) -
		     BENCH_LEAST(repeats, BENCH_RUN_NOPS(BENCH_NOPS));
	return difference % BENCH_NOPS ? 0 : difference / BENCH_NOPS;
}

#endif /* UNCORECTL_TICKS_H */
