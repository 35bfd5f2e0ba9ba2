// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with marked regions, for the tests to start:
 *
 *	marked macros	LIKWID's macros, also in threads
 *	marked groups	a second group of events in the region "other"
 *	marked plan	a plan without events
 *	marked nothing	no region at all
 *	marked lost	ends without giving its results
 *	marked child	a child gives the results of its parent
 *	marked own	a child measures by itself
 *
 * The region "paused" lasts until a line comes, and "begun" says that it has begun.
 */
#define LIKWID_PERFMON
#include <likwid-compat/likwid-marker.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two instructions each time, and a few more. */
static void spin(uint64_t n)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n) : : "cc");
}

static void pause_here(void)
{
	char line[8];

	puts("begun");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(99);
}

static void *work(void *data)
{
	LIKWID_MARKER_THREADINIT;
	LIKWID_MARKER_START("none");
	LIKWID_MARKER_STOP("none");
	LIKWID_MARKER_START("work");
	spin(20000);
	LIKWID_MARKER_STOP("work");
	return data;
}

static void run_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) ||
	    pthread_join(thread, NULL))
		exit(98);
}

static int run_macros(void)
{
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_START("paused");
	pause_here();
	LIKWID_MARKER_STOP("paused");
	work(NULL);
	run_thread();
	run_thread();
	LIKWID_MARKER_CLOSE;
	return 7;
}

/*
 * A name with bytes that are no UTF-8, too, and with what CSV and terminals take
 * for something else.
 */
#define OTHER	"\xe4\xc3\xb6\xed\xa0\x80,\"\n\x1b"

static int run_groups(void)
{
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_START("paused");
	pause_here();
	LIKWID_MARKER_STOP("paused");
	LIKWID_MARKER_SWITCH;
	LIKWID_MARKER_START(OTHER);
	LIKWID_MARKER_STOP(OTHER);
	LIKWID_MARKER_CLOSE;
	return 7;
}

static int run_plan(void)
{
	struct uncore_region *region, *none, *work;
	struct uncore_event_error error;
	struct uncore_plan *plan;

	if (uncore_plan_open(NULL, NULL, 0, &plan, &error)) {
		fprintf(stderr, "marked: %s\n", error.message);
		return 1;
	}
	if (uncore_region_open(plan, "paused", &region) ||
	    uncore_region_open(plan, "none", &none) ||
	    uncore_region_open(plan, "work", &work))
		return 2;
	uncore_region_begin(region);
	pause_here();
	uncore_region_end(region);
	uncore_region_begin(none);
	uncore_region_end(none);
	uncore_region_begin(work);
	spin(20000);
	uncore_region_end(work);
	if (uncore_plan_report(plan))
		return 3;
	uncore_plan_close(plan);
	return 7;
}

/* The child has nothing to give, and what the parent has comes once. */
static int run_child(void)
{
	int status = -1;
	pid_t pid;

	LIKWID_MARKER_INIT;
	LIKWID_MARKER_START("paused");
	LIKWID_MARKER_STOP("paused");
	pid = fork();
	if (!pid)
		_exit(LIKWID_MARKER_START("paused") == -ECHILD &&
		      LIKWID_MARKER_START("new") == -ECHILD &&
		      LIKWID_MARKER_STOP("paused") == -ENOENT &&
		      uncore_marker_report(uncore_likwid_marker) == -ECHILD);
	waitpid(pid, &status, 0);
	LIKWID_MARKER_CLOSE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
}

static int run_own(void)
{
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_START("paused");
	LIKWID_MARKER_STOP("paused");
	if (!fork()) {
		LIKWID_MARKER_CLOSE;
		LIKWID_MARKER_INIT;
		LIKWID_MARKER_START("own");
		LIKWID_MARKER_STOP("own");
	} else {
		wait(NULL);
	}
	LIKWID_MARKER_CLOSE;
	return 7;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "macros"))
		return run_macros();
	if (!strcmp(what, "groups"))
		return run_groups();
	if (!strcmp(what, "plan"))
		return run_plan();
	if (!strcmp(what, "child"))
		return run_child();
	if (!strcmp(what, "own"))
		return run_own();
	LIKWID_MARKER_INIT;
	if (!strcmp(what, "nothing"))
		LIKWID_MARKER_CLOSE;
	return 0;
}
