// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rate of this host's TSC, which is the guest's too. A guest that measures
 * it on a busy host may be wrong by far, and then its clock runs that wrong.
 */
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "tsc.h"

#define MEASURE_NS	20000000
#define TOGETHER_NS	1000	/* both clocks were read at the same time */
#define TRIES		1000

#ifdef __x86_64__
struct moment {
	uint64_t tsc;
	int64_t ns;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static bool look(struct moment *moment)
{
	int64_t before;
	int i;

	for (i = 0; i < TRIES; i++) {
		before = now_ns();
		moment->tsc = __builtin_ia32_rdtsc();
		moment->ns = now_ns();
		if (moment->ns - before < TOGETHER_NS)
			return true;
	}
	return false;
}

unsigned int tsc_khz(void)
{
	const struct timespec pause = { .tv_nsec = MEASURE_NS };
	struct moment begin, end;

	if (!look(&begin))
		return 0;
	nanosleep(&pause, NULL);
	if (!look(&end) || end.ns - begin.ns < MEASURE_NS)
		return 0;
	return (double)(end.tsc - begin.tsc) * 1e6 /
	       (double)(end.ns - begin.ns);
}
#else
unsigned int tsc_khz(void)
{
	return 0;
}
#endif
