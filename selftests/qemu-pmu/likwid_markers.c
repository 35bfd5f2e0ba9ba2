// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/*
 * A program written for LIKWID's markers, measured by libuncore; and regions in
 * children made by fork.
 */
#define LIKWID_PERFMON
#include <likwid-marker.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../lib/files.h"
#include "opmu_check.h"

#define OUTPUT	"/tmp/likwid_markers"
#define SAID	"/tmp/likwid_markers.err"

static void *work(void *data)
{
	(void)data;
	LIKWID_MARKER_THREADINIT;
	LIKWID_MARKER_REGISTER("work");
	LIKWID_MARKER_START("work");
	spin(20000);
	LIKWID_MARKER_STOP("work");
	return NULL;
}

static int run_threads(void)
{
	pthread_t thread[2];
	int i;

	for (i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, work, NULL))
			return -1;
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

#define HEADING	"group,region,event,thread,tid,die,times,seconds,count,state\n"

TEST(two_groups_and_threads)
{
	char text[4096];
	double events[4], time;
	int num, count;

	unlink(OUTPUT);
	ASSERT_EQ(0, setenv("UNCORE_EVENTS", "instructions,branches;cycles", 1));
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", OUTPUT, 1));
	ASSERT_EQ(0, setenv("UNCORE_FORMAT", "csv", 1));
	LIKWID_MARKER_INIT;
	ASSERT_NE(NULL, uncore_likwid_marker);
	ASSERT_EQ(0, run_threads());
	work(NULL);
	LIKWID_MARKER_START("work");
	LIKWID_MARKER_STOP("work");
	num = 4;
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(2, num);
	EXPECT_EQ(2, count);
	EXPECT_LT(0, events[0]);
	EXPECT_LT(0, time);
	num = 1;
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(1, num);

	LIKWID_MARKER_SWITCH;
	num = 4;
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(0, num);
	EXPECT_EQ(0, count);
	work(NULL);
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(0, num);
	EXPECT_EQ(1, count);
	num = 4;
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(1, num);
	LIKWID_MARKER_RESET("work");
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(1, num);
	EXPECT_EQ(0, count);
	EXPECT_EQ(0, events[0]);
	LIKWID_MARKER_SWITCH;
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(2, count);
	EXPECT_EQ(-ENOENT, LIKWID_MARKER_STOP("never begun"));
	LIKWID_MARKER_CLOSE;
	EXPECT_EQ(NULL, uncore_likwid_marker);
	LIKWID_MARKER_CLOSE;

	ASSERT_EQ(0, file_read(OUTPUT, text, sizeof(text)));
	EXPECT_EQ(&text[0], strstr(text, HEADING
				     "1,\"work\",\"instructions\",0,"));
	EXPECT_EQ(NULL, strstr(text + 1, HEADING));
	EXPECT_NE(NULL, strstr(text, "\n1,\"work\",\"branches\",2,"));
	EXPECT_NE(NULL, strstr(text, "\n2,\"work\",\"cycles\",0,"));
}

/* It is said what is missing, beside what was counted. */
TEST(threads_without_descriptors)
{
	int kept = dup(STDERR_FILENO), err = open(SAID, O_RDWR | O_CREAT |
						  O_TRUNC | O_CLOEXEC, 0600);
	struct rlimit limit;
	char text[4096];

	ASSERT_LE(0, kept);
	ASSERT_LE(0, err);
	unlink(OUTPUT);
	ASSERT_EQ(0, setenv("UNCORE_EVENTS", "instructions;cycles", 1));
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", OUTPUT, 1));
	LIKWID_MARKER_INIT;
	ASSERT_NE(NULL, uncore_likwid_marker);
	work(NULL);
	ASSERT_EQ(0, leave_files(&limit, 0));
	EXPECT_EQ(0, run_threads());
	EXPECT_EQ(0, LIKWID_MARKER_START("work"));
	EXPECT_EQ(0, LIKWID_MARKER_STOP("work"));
	LIKWID_MARKER_SWITCH;
	EXPECT_EQ(-EMFILE, LIKWID_MARKER_START("work"));
	EXPECT_EQ(-ENOENT, LIKWID_MARKER_STOP("work"));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	ASSERT_EQ(STDERR_FILENO, dup2(err, STDERR_FILENO));
	LIKWID_MARKER_CLOSE;
	ASSERT_EQ(STDERR_FILENO, dup2(kept, STDERR_FILENO));
	ASSERT_EQ(0, file_read(SAID, text, sizeof(text)));
	EXPECT_STREQ("uncore: regions are missing: 3 starts of them failed: too "
		     "many open files in this process: raise ulimit -n, as each "
		     "thread needs one for each event of the core, in each "
		     "group\n", text);
	ASSERT_EQ(0, file_read(OUTPUT, text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, "\n    1 work                 thread 0            2 "));
	EXPECT_EQ(NULL, strstr(text, "thread 1"));
}

TEST(uncore_and_core)
{
	char text[4096];

	if (is_amd())
		SKIP(return, "no units");
	ASSERT_EQ(0, setenv("UNCORE_EVENTS", "branch-misses,imc0@0/ctr0/,"
			    "cpu/event=0xc5,umask=0/", 1));
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", OUTPUT, 1));
	ASSERT_EQ(0, unsetenv("UNCORE_FORMAT"));
	LIKWID_MARKER_INIT;
	ASSERT_NE(NULL, uncore_likwid_marker);
	work(NULL);
	LIKWID_MARKER_CLOSE;
	ASSERT_EQ(0, file_read(OUTPUT, text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, "\nwork                 die 0 "));
	EXPECT_NE(NULL, strstr(text, "not claimed, may be changed by others\n"));
}

/* Nothing is measured, and the program runs all the same. */
TEST(without_events)
{
	double events[1], time;
	int num = 1, count;

	ASSERT_EQ(0, unsetenv("UNCORE_EVENTS"));
	LIKWID_MARKER_INIT;
	EXPECT_EQ(NULL, uncore_likwid_marker);
	LIKWID_MARKER_SWITCH;
	work(NULL);
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(0, num);
	EXPECT_EQ(0, count);
	LIKWID_MARKER_RESET("work");
	LIKWID_MARKER_CLOSE;
	ASSERT_EQ(0, setenv("UNCORE_EVENTS", "no-such-event", 1));
	LIKWID_MARKER_INIT;
	EXPECT_EQ(NULL, uncore_likwid_marker);
	work(NULL);
}

/* By pointer, by name, and after it has left what is its parent's. */
static int measure_in_child(int sock, void *region)
{
	double events[4], time;
	int num = 4, count = 7;

	(void)sock;
	uncore_region_begin(region);
	uncore_region_end(region);
	if (LIKWID_MARKER_START("work") != -ECHILD ||
	    LIKWID_MARKER_REGISTER("new") != -ECHILD ||
	    LIKWID_MARKER_STOP("work") != -ENOENT)
		return 1;
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	if (num || count)
		return 2;
	LIKWID_MARKER_CLOSE;
	LIKWID_MARKER_INIT;
	work(NULL);
	num = 4;
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	if (num != 1 || count != 1 || events[0] <= 0)
		return 3;
	LIKWID_MARKER_CLOSE;
	return 0;
}

TEST(a_child_made_by_fork)
{
	struct uncore_region *region;
	struct uncore_plan *plan;
	uint64_t value, times;
	double events[4], time;
	int num = 4, count;

	ASSERT_EQ(0, setenv("UNCORE_EVENTS", "instructions", 1));
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", OUTPUT, 1));
	LIKWID_MARKER_INIT;
	ASSERT_NE(NULL, uncore_likwid_marker);
	work(NULL);
	ASSERT_EQ(0, uncore_plan_open(NULL, "instructions", 0, &plan, NULL));
	ASSERT_EQ(0, uncore_region_open(plan, "r", &region));
	uncore_region_begin(region);
	EXPECT_EQ(0, child_run(measure_in_child, region));
	uncore_region_end(region);
	EXPECT_EQ(0, uncore_region_values(region, 0, &value, &times, &time));
	EXPECT_LT(0, value);
	EXPECT_EQ(1, times);
	work(NULL);
	LIKWID_MARKER_GET("work", &num, events, &time, &count);
	EXPECT_EQ(1, num);
	EXPECT_EQ(2, count);
	LIKWID_MARKER_CLOSE;
	uncore_plan_close(plan);
}

#define MAX_HOLES	8

struct holes {
	struct uncore_plan *plan;
	uint64_t *page[MAX_HOLES];
	int count;
};

/* Pages of perf's events, which no child has. */
static void find_holes(struct holes *holes)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[512];

	while (file && fgets(line, sizeof(line), file) &&
	       holes->count < MAX_HOLES)
		if (strstr(line, "[perf_event]"))
			holes->page[holes->count++] =
				(void *)strtoul(line, NULL, 16);
	if (file)
		fclose(file);
}

static int fill_and_close(int sock, void *arg)
{
	struct holes *holes = arg;
	int i;

	(void)sock;
	for (i = 0; i < holes->count; i++) {
		if (mmap(holes->page[i], 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			 0) != holes->page[i])
			return 1;
		*holes->page[i] = 4711 + i;
	}
	uncore_plan_close(holes->plan);
	for (i = 0; i < holes->count; i++)
		if (*holes->page[i] != 4711U + i)
			return 2;
	return 0;
}

/* Of a counter alone, and of the thread's counters side by side. */
TEST(a_childs_close_unmaps_what_is_its_own)
{
	struct uncore_region *region;
	struct holes holes = { 0 };

	ASSERT_EQ(0, uncore_plan_open(NULL, "instructions,cycles", 0,
				      &holes.plan, NULL));
	ASSERT_EQ(0, uncore_region_open(holes.plan, "r", &region));
	find_holes(&holes);
	EXPECT_EQ(4, holes.count);
	EXPECT_EQ(0, child_run(fill_and_close, &holes));
	uncore_plan_close(holes.plan);
}

TEST_HARNESS_MAIN
