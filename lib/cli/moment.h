/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When counters were read, and what a difference between two times can be. */
#ifndef UNCORECTL_MOMENT_H
#define UNCORECTL_MOMENT_H

#include <stdint.h>

#include <uncore.h>

/**
 * struct moment - when a sample was taken
 * @begun: before the first counter was read: seconds, with the time asleep
 * @ended: after the last one
 * @asleep: how long the machine has slept by then
 */
struct moment {
	double begun;
	double ended;
	double asleep;
};

/* A sample is taken between these two. */
void moment_begin(struct moment *moment);
void moment_end(struct moment *moment);

#define DAY	86400.0

/* Seconds between two samples of a counter that see every wrap, with a margin. */
double sample_period(const struct uncore_counter *counter);

/*
 * Why what seems to be counted between two samples may be wrong, whatever the
 * counter counts and whoever programmed it; NULL if nothing speaks against it.
 */
const char *moment_doubt(const struct uncore_counter *counter,
			 const struct moment *before,
			 const struct moment *after, uint64_t counted);

#endif /* UNCORECTL_MOMENT_H */
