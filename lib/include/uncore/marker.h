/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions by name, as the header for LIKWID's macros needs them. */
#ifndef UNCORE_MARKER_H
#define UNCORE_MARKER_H

#ifndef UNCORE_H
#error "include <uncore.h>"
#endif

/*
 * All functions but uncore_marker_open() may be called with NULL, and then do
 * nothing and return 0. They may be called by any thread.
 *
 * In a child made by fork the parent's marker measures nothing: start, register and
 * report return -ECHILD; stop, reset and get -ENOENT. The child may close it, which
 * leaves the parent's as it is, and open one of its own.
 */

/** struct uncore_marker - the plans of a process; opaque */
struct uncore_marker;

/**
 * uncore_marker_open - say what to count in regions that are known by name
 * @groups: lists of events as for uncore_plan_open(), separated by semicolons;
 *	the first is counted; NULL for those that UNCORE_EVENTS in the environment
 *	names, as "uncorectl stat -m" does
 * @marker: where to put the result
 * @error: filled; may be NULL
 *
 * Opens /dev/uncore_pmu if there are events of the uncore.
 *
 * Return: 0, or an error as from uncore_open() or uncore_plan_open(); -ENODATA
 * the environment names none.
 */
int uncore_marker_open(const char *groups, struct uncore_marker **marker,
		       struct uncore_event_error *error);

/** uncore_marker_close - forget all; no other thread may be in a region */
void uncore_marker_close(struct uncore_marker *marker);

/**
 * uncore_marker_next - count the next group, after the last one the first
 * @marker: from uncore_marker_open()
 *
 * Stops what perf counts for the last group in all threads, and starts what it
 * counts for the next, so that each group has all counters of the core and of
 * AMD's data fabric and L3 cache. Programmed counters of the uncore are held for
 * all groups at once.
 *
 * No thread may be in a region, nor begin or end one meanwhile: what it counts is
 * UNCORE_UNPAIRED. Does nothing if there is one group only. A child made by fork
 * goes on to the next group without stopping what its parent counts.
 */
void uncore_marker_next(struct uncore_marker *marker);

/** uncore_marker_register - open a region, so that its first start is short */
int uncore_marker_register(struct uncore_marker *marker, const char *name);

/**
 * uncore_marker_start - begin a region of the calling thread
 * @marker: from uncore_marker_open()
 * @name: of the region
 *
 * Opens it if need be. Otherwise makes no system call.
 *
 * Return: 0, or an error as from uncore_region_open(), of which
 * uncore_marker_report() will speak.
 */
int uncore_marker_start(struct uncore_marker *marker, const char *name);

/** uncore_marker_stop - end a region; -ENOENT if the thread never began it */
int uncore_marker_stop(struct uncore_marker *marker, const char *name);

/**
 * uncore_marker_reset - forget what was counted in a region
 * @marker: from uncore_marker_open()
 * @name: of the region
 *
 * Return: 0; -ENOENT the thread does not know the region; -EBUSY it has begun it,
 * and nothing is forgotten.
 */
int uncore_marker_reset(struct uncore_marker *marker, const char *name);

/**
 * uncore_marker_get - what the calling thread has counted in a region
 * @marker: from uncore_marker_open()
 * @name: of the region
 * @num: in: room in @values; out: how many are there
 * @values: the counts, in the order of the group's events
 * @times: how often it was begun and ended
 * @seconds: how long that took
 *
 * Return: 0; -ENOENT the thread does not know the region; -ENOMEM; or -ESTALE as
 * from uncore_region_values(). On failure there are no values: @num is 0.
 */
int uncore_marker_get(struct uncore_marker *marker, const char *name,
		      unsigned int *num, double *values, uint64_t *times,
		      double *seconds);

/**
 * uncore_marker_text - all counts of all groups as a text
 * @marker: from uncore_marker_open()
 * @format: enum uncore_format
 * @text: where to put the text, to be given to free()
 *
 * One table, CSV or JSON array as from uncore_plan_text(), in which the groups
 * follow each other. If there are several, rows of a table or CSV begin with the
 * number of the group, from 1.
 *
 * Return: 0, or -ENOMEM, -EINVAL.
 */
int uncore_marker_text(struct uncore_marker *marker, enum uncore_format format,
		       char **text);

/**
 * uncore_marker_report - give all counts to who has started the program
 * @marker: from uncore_marker_open()
 *
 * As uncore_plan_report() does. If starts of regions have failed it says so, with
 * the first error and the number of starts, on stderr or to "uncorectl stat -m",
 * which then fails.
 *
 * Return: 0, or an error as from uncore_plan_report().
 */
int uncore_marker_report(struct uncore_marker *marker);

#endif /* UNCORE_MARKER_H */
