// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stddef.h>
#include <time.h>

#include "../internal.h"
#include "cli.h"
#include "moment.h"

/* The clocks are not read at the same time. */
#define CLOCKS_APART	0.001
#define ASLEEP		0.002

/* CLOCK_MONOTONIC stands while the machine sleeps. */
static double time_asleep(void)
{
	double before, after, boot;

	do {
		before = clock_seconds(CLOCK_MONOTONIC);
		boot = clock_seconds(CLOCK_BOOTTIME);
		after = clock_seconds(CLOCK_MONOTONIC);
	} while (after - before > CLOCKS_APART);
	return boot - after;
}

void moment_begin(struct moment *moment)
{
	moment->begun = clock_seconds(CLOCK_BOOTTIME);
}

void moment_end(struct moment *moment)
{
	moment->asleep = time_asleep();
	moment->ended = clock_seconds(CLOCK_BOOTTIME);
}

/* A quarter of the time in which it may wrap. */
double sample_period(const struct uncore_counter *counter)
{
	return (double)counter->mask / uncore_fastest(counter) / 2;
}

const char *moment_doubt(const struct uncore_counter *counter,
			 const struct moment *before,
			 const struct moment *after, uint64_t counted)
{
	double passed = after->ended - before->begun;

	if (after->asleep - before->asleep > ASLEEP)
		return "the machine slept meanwhile: the counter may have been "
		       "reset";
	if (passed > (double)counter->mask / (uncore_fastest(counter) / 2))
		return "not read in time: it may have wrapped unseen";
	if ((double)counted > passed * uncore_fastest(counter))
		return "more than it can count in that time: it was reset or "
		       "written";
	return NULL;
}
