/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The marker macros of LIKWID, measured by libuncore: a program that has them
 * compiles without a change, with this folder in front of the others.
 *
 *	cc -DLIKWID_PERFMON -I/usr/include/uncore/likwid-compat x.c -luncore
 *	uncorectl stat -m -e branch-misses,imc/cas_count_read/ -- ./a.out
 *
 * Without LIKWID_PERFMON they are nothing. The environment says what to do, where
 * it is not uncorectl that has started the program:
 *
 *	UNCORE_EVENTS	events, as for uncore_plan_open(); several lists with
 *			semicolons between, LIKWID_MARKER_SWITCH goes to the next;
 *			without it nothing is measured
 *	UNCORE_OUTPUT	file for the results, which are else written to stderr;
 *			"%p" stands for the process id
 *	UNCORE_FORMAT	table (default), csv or json
 */
#ifndef LIKWID_MARKER_H
#define LIKWID_MARKER_H

#ifdef LIKWID_PERFMON

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <uncore.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One in a program, whatever number of its files have it. */
__attribute__((weak)) struct uncore_marker *uncore_likwid_marker;

static inline void likwid_markerInit(void)
{
	struct uncore_event_error error;
	int ret;

	if (uncore_likwid_marker)
		return;
	memset(&error, 0, sizeof(error));
	ret = uncore_marker_open(NULL, &uncore_likwid_marker, &error);
	if (ret)
		fprintf(stderr, "uncore: no region is measured: %s\n",
			error.message[0] ? error.message
					 : uncore_strerror(UNCORE_CALL_CORE,
							   ret));
}

/* Threads are set up when they first need it. */
static inline void likwid_markerThreadInit(void)
{
}

static inline void likwid_markerNextGroup(void)
{
	uncore_marker_next(uncore_likwid_marker);
}

static inline int likwid_markerRegisterRegion(const char *regionTag)
{
	return uncore_marker_register(uncore_likwid_marker, regionTag);
}

static inline int likwid_markerStartRegion(const char *regionTag)
{
	return uncore_marker_start(uncore_likwid_marker, regionTag);
}

static inline int likwid_markerStopRegion(const char *regionTag)
{
	return uncore_marker_stop(uncore_likwid_marker, regionTag);
}

static inline int likwid_markerResetRegion(const char *regionTag)
{
	int ret = uncore_marker_reset(uncore_likwid_marker, regionTag);

	if (ret == -EBUSY)
		fprintf(stderr, "uncore: region %s is begun and was not reset\n",
			regionTag);
	return ret;
}

static inline void likwid_markerGetRegion(const char *regionTag, int *nr_events,
					  double *events, double *time,
					  int *count)
{
	unsigned int num = *nr_events > 0 ? (unsigned int)*nr_events : 0;
	uint64_t times;

	if (uncore_marker_get(uncore_likwid_marker, regionTag, &num, events,
			      &times, time))
		num = 0;
	*nr_events = (int)num;
	*count = (int)times;
}

static inline void likwid_markerClose(void)
{
	int ret = uncore_marker_report(uncore_likwid_marker);

	/* A child made by fork has only what its parent will give. */
	if (ret && ret != -ECHILD)
		fprintf(stderr, "uncore: the results are lost: %s\n",
			strerror(-ret));
	uncore_marker_close(uncore_likwid_marker);
	uncore_likwid_marker = NULL;
}

#ifdef __cplusplus
}
#endif

#define LIKWID_MARKER_INIT			likwid_markerInit()
#define LIKWID_MARKER_THREADINIT		likwid_markerThreadInit()
#define LIKWID_MARKER_SWITCH			likwid_markerNextGroup()
#define LIKWID_MARKER_REGISTER(regionTag)	\
	likwid_markerRegisterRegion(regionTag)
#define LIKWID_MARKER_START(regionTag)		\
	likwid_markerStartRegion(regionTag)
#define LIKWID_MARKER_STOP(regionTag)		likwid_markerStopRegion(regionTag)
#define LIKWID_MARKER_CLOSE			likwid_markerClose()
#define LIKWID_MARKER_RESET(regionTag)		\
	likwid_markerResetRegion(regionTag)
#define LIKWID_MARKER_GET(regionTag, nevents, events, time, count)	\
	likwid_markerGetRegion(regionTag, nevents, events, time, count)

#else /* LIKWID_PERFMON */

#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_SWITCH
#define LIKWID_MARKER_REGISTER(regionTag)
#define LIKWID_MARKER_START(regionTag)
#define LIKWID_MARKER_STOP(regionTag)
#define LIKWID_MARKER_CLOSE
#define LIKWID_MARKER_GET(regionTag, nevents, events, time, count)
#define LIKWID_MARKER_RESET(regionTag)

#endif /* LIKWID_PERFMON */

#endif /* LIKWID_MARKER_H */
