// SPDX-License-Identifier: GPL-2.0-or-later
/* Run by side_by_side. */
/*
 * What begin and end of a region cost with LIKWID's markers, in instructions,
 * those of its access daemon and of the kernel included.
 *
 * A program of its own, as liblikwid has version 3 of the licence, which what
 * has only version 2 must not be linked to.
 */
#define LIKWID_PERFMON
#include <likwid-marker.h>
#include <stdio.h>

#include "../../lib/cli/ticks.h"

#define REPEATS		50
#define MAX_EVENTS	16

static void pair(void)
{
	LIKWID_MARKER_START("r");
	LIKWID_MARKER_STOP("r");
}

/* Prints the cost, the number of counters, and what they have counted. */
int main(void)
{
	uint64_t unit = bench_calibrate(REPEATS), cost;
	int num = MAX_EVENTS, count = 0, i;
	double events[MAX_EVENTS], time;

	if (!unit) {
		fprintf(stderr, "ticks do not count instructions here\n");
		return 1;
	}
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_THREADINIT;
	LIKWID_MARKER_REGISTER("r");
	cost = BENCH_LEAST(REPEATS, pair()) - BENCH_LEAST(REPEATS, );
	LIKWID_MARKER_GET("r", &num, events, &time, &count);
	LIKWID_MARKER_CLOSE;
	if (count != REPEATS || num < 1) {
		fprintf(stderr, "LIKWID has measured the region %d times\n",
			count);
		return 1;
	}
	printf("%llu %d", (unsigned long long)(cost / unit), num);
	for (i = 0; i < num; i++)
		printf(" %.0f", events[i]);
	printf("\n");
	return 0;
}
