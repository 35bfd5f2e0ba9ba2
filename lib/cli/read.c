// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl read: values of counters, once or in intervals. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "cli.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = signal;
}

static void catch_signals(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Sleeps to a point in time, so that the intervals do not drift. */
static void sleep_until(double when)
{
	struct timespec time = {
		.tv_sec = (time_t)when,
		.tv_nsec = (long)((when - (double)(time_t)when) * 1e9),
	};

	while (!interrupted &&
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) ==
	       EINTR)
		;
}

/* The sleep may end a rounding error early. */
long next_multiple(double start, double interval, long last)
{
	long passed = (long)((now() - start) / interval);

	return (passed > last ? passed : last) + 1;
}

/*
 * The samples in between see to it that no counter wraps unseen. Returns the
 * time of the last one.
 */
static double sample_until(struct targets *targets, double due)
{
	double period = targets_period(targets), time = now();

	do {
		time += period;
		sleep_until(time < due ? time : due);
		if (interrupted)
			break;
		time = now();
		targets_sample(targets);
	} while (time < due);
	return time;
}

static int read_intervals(struct targets *targets,
			  const struct options *options)
{
	double interval = options->interval > 0 ? options->interval : 1;
	double start, before, after;
	int ret, partly = EXIT_OK;
	long i, multiple = 0;

	catch_signals();
	/* The first access to a page takes long. */
	targets_sample(targets);
	start = now();
	before = start;
	targets_sample(targets);
	for (i = 1; !options->count || i <= options->count; i++) {
		targets_begin(targets);
		multiple = next_multiple(start, interval, multiple);
		after = sample_until(targets,
				     start + (double)multiple * interval);
		if (interrupted)
			break;
		if (!targets_all_counted(targets))
			partly = EXIT_PARTLY;
		ret = print_deltas(targets, options->json, after - start,
				   after - before);
		if (ret)
			return ret;
		before = after;
	}
	return partly;
}

int cmd_read(struct uncore *uncore, const struct options *options)
{
	struct targets targets;
	int ret;

	if (targets_open(uncore, options, &targets))
		return EXIT_FAILED;

	if (options->interval > 0 || options->count) {
		ret = read_intervals(&targets, options);
	} else {
		targets_sample(&targets);
		ret = print_values(&targets, options->json);
	}
	if (ret == EXIT_OK && !targets_all_read(&targets))
		ret = EXIT_PARTLY;
	targets_close(&targets);
	return ret;
}
