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

/* In CSV. */
#define VALID		",\"counted without a break\""
#define UNPAIRED	",0.000000000,,\"not begun and ended in pairs\""

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
	EXPECT_EQ(&text[0], strstr(text, "region,event,thread,tid,die,times,"
				     "seconds,count,state\n"
				     "\"work\",\"instructions\",0,"));
	EXPECT_NE(NULL, strstr(text, "\n\"work\",\"branches\",2,"));
	EXPECT_NE(NULL, strstr(text, "\n\"work\",\"cycles\",0,"));
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
	EXPECT_NE(NULL, strstr(text, "\nwork                 thread 0            2 "));
	EXPECT_EQ(NULL, strstr(text, "thread 1"));
}

struct turns {
	struct uncore_marker *marker;
	pthread_barrier_t barrier;
	int ret;
};

static int count_spin(struct uncore_marker *marker)
{
	int ret = uncore_marker_start(marker, "spin");

	spin(20000);
	return ret ? ret : uncore_marker_stop(marker, "spin");
}

/* Instructions, with those of the region itself, and of fork(). */
static void expect_spins(struct __test_metadata *_metadata, int times,
			 double count)
{
	EXPECT_LT(0, count);
	if (!getenv("UNCORE_ICOUNT"))
		return;
	EXPECT_LE(40000 * times, count);
	EXPECT_GE(40500 * times, count);
}

/* Each row has times,seconds,count,state; the state is that it is valid, or not. */
static void expect_rows(struct __test_metadata *_metadata, char *text)
{
	unsigned long long times, count;
	char *rest = text, *line;
	int rows = 0;

	while ((line = strsep(&rest, "\n"))) {
		if (strncmp(line, "\"spin\",", 7))
			continue;
		rows++;
		if (strstr(line, UNPAIRED))
			continue;
		EXPECT_NE(NULL, strstr(line, VALID)) TH_LOG("%s", line);
		ASSERT_EQ(2, sscanf(line, "\"spin\",\"r00c0\",%*u,%*u,,%llu,"
				    "%*f,%llu,", &times, &count))
			TH_LOG("%s", line);
		expect_spins(_metadata, times, count);
	}
	EXPECT_LT(0, rows);
}

#define TURNS	6

static void *take_turns(void *data)
{
	struct turns *turns = data;
	int i;

	for (i = 0; i < TURNS; i++) {
		pthread_barrier_wait(&turns->barrier);
		turns->ret = turns->ret ? turns->ret
					: count_spin(turns->marker);
		pthread_barrier_wait(&turns->barrier);
	}
	return NULL;
}

/* How many lines of the text end so, or -1 if there are others. */
static int count_rows(struct uncore_marker *marker, const char *state)
{
	char *text, *rest, *line;
	int count = 0;

	if (uncore_marker_text(marker, UNCORE_FORMAT_CSV, &text))
		return -1;
	for (rest = text; (line = strsep(&rest, "\n"));)
		if (!strncmp(line, "\"spin\"", 6)) {
			if (!strstr(line, state)) {
				printf("# %s\n", line);
				count = -1;
				break;
			}
			count++;
		}
	free(text);
	return count;
}

/* Each group nearly fills the counters. */
TEST(groups_have_all_counters)
{
	struct turns turns = { 0 };
	uint64_t times, group;
	double events[4], time;
	pthread_t thread;
	unsigned int num;
	int i;

	ASSERT_EQ(0, uncore_marker_open("r00c0,r00c0,r00c0,r00c0;"
					"r00c0,r00c0,r00c0",
					&turns.marker, NULL));
	pthread_barrier_init(&turns.barrier, NULL, 2);
	ASSERT_EQ(0, pthread_create(&thread, NULL, take_turns, &turns));
	for (i = 0; i < TURNS; i++) {
		pthread_barrier_wait(&turns.barrier);
		EXPECT_EQ(0, count_spin(turns.marker));
		pthread_barrier_wait(&turns.barrier);
		uncore_marker_next(turns.marker);
	}
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, turns.ret);
	EXPECT_EQ(2 * 7, count_rows(turns.marker, VALID));
	for (group = 0; group < 2; group++) {
		num = 4;
		EXPECT_EQ(0, uncore_marker_get(turns.marker, "spin", &num,
					       events, &times, &time));
		EXPECT_EQ(4 - group, num);
		EXPECT_EQ(TURNS / 2, times);
		for (i = 0; i < (int)num; i++)
			expect_spins(_metadata, TURNS / 2, events[i]);
		uncore_marker_next(turns.marker);
	}
	uncore_marker_close(turns.marker);
}

/* Only what each counts: the parent's counters go on. */
TEST(group_of_a_child)
{
	struct uncore_marker *marker;
	uint64_t times;
	double count, time;
	unsigned int num = 1;
	int status;
	pid_t pid;

	ASSERT_EQ(0, uncore_marker_open("r00c0;cycles", &marker, NULL));
	ASSERT_EQ(0, uncore_marker_start(marker, "r"));
	pid = fork();
	if (!pid) {
		uncore_marker_next(marker);
		_exit(uncore_marker_stop(marker, "r") == -ENOENT ? 0 : 1);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	spin(20000);
	ASSERT_EQ(0, uncore_marker_stop(marker, "r"));
	EXPECT_EQ(0, uncore_marker_get(marker, "r", &num, &count, &times,
				       &time));
	expect_spins(_metadata, 1, count);
	uncore_marker_close(marker);
}

/* One is begun while the group changes. */
TEST(misused_and_reset)
{
	struct uncore_marker *marker;
	unsigned int num = 1;
	uint64_t times;
	double count, time;

	ASSERT_EQ(0, uncore_marker_open("r00c0;cycles", &marker, NULL));
	ASSERT_EQ(0, uncore_marker_start(marker, "spin"));
	uncore_marker_next(marker);
	EXPECT_EQ(-ENOENT, uncore_marker_stop(marker, "spin"));
	EXPECT_EQ(-ENOENT, uncore_marker_reset(marker, "spin"));
	uncore_marker_next(marker);
	EXPECT_EQ(-EBUSY, uncore_marker_reset(marker, "spin"));
	ASSERT_EQ(0, uncore_marker_stop(marker, "spin"));
	EXPECT_EQ(1, count_rows(marker, UNPAIRED));
	EXPECT_EQ(-ESTALE, uncore_marker_get(marker, "spin", &num, &count,
					     &times, &time));
	EXPECT_EQ(0, uncore_marker_reset(marker, "spin"));

	ASSERT_EQ(0, uncore_marker_start(marker, "spin"));
	spin(20000);
	EXPECT_EQ(-EBUSY, uncore_marker_reset(marker, "spin"));
	ASSERT_EQ(0, uncore_marker_stop(marker, "spin"));
	num = 1;
	EXPECT_EQ(0, uncore_marker_get(marker, "spin", &num, &count, &times,
				       &time));
	EXPECT_EQ(1, num);
	EXPECT_EQ(1, times);
	expect_spins(_metadata, 1, count);
	EXPECT_EQ(1, count_rows(marker, VALID));
	uncore_marker_close(marker);
}

/* What is begun in one group is ended in the other, where it is known, too. */
TEST(slips_into_the_next_group)
{
	struct uncore_marker *marker;
	int i;

	ASSERT_EQ(0, uncore_marker_open("r00c0;cycles", &marker, NULL));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, uncore_marker_register(marker, "spin"));
		uncore_marker_next(marker);
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, uncore_marker_start(marker, "spin"));
		uncore_marker_next(marker);
		ASSERT_EQ(0, uncore_marker_stop(marker, "spin"));
	}
	EXPECT_EQ(2, count_rows(marker, UNPAIRED));
	uncore_marker_close(marker);
}

struct race {
	struct uncore_marker *marker;
	bool end;
};

static void *race(void *data)
{
	struct race *race = data;

	while (!__atomic_load_n(&race->end, __ATOMIC_RELAXED))
		count_spin(race->marker);
	return NULL;
}

/* Threads begin and end regions all the time; what is valid is right. */
TEST(group_changes_while_threads_count)
{
	/* To stop what other processors count takes long where time is real. */
	int changes = getenv("UNCORE_ICOUNT") ? 400 : 20;
	struct race arg = { .end = false };
	pthread_t thread[3];
	char *text;
	int i;

	ASSERT_EQ(0, uncore_marker_open("r00c0;r00c0", &arg.marker, NULL));
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, race, &arg));
	for (i = 0; i < changes; i++) {
		uncore_marker_next(arg.marker);
		spin(3000 + 61 * i);
	}
	__atomic_store_n(&arg.end, true, __ATOMIC_RELAXED);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
	ASSERT_EQ(0, uncore_marker_text(arg.marker, UNCORE_FORMAT_CSV, &text));
	expect_rows(_metadata, text);
	free(text);
	uncore_marker_close(arg.marker);
}

#define DF	"amd_df/event=0x07,umask=0x38/"

/* The data fabric has four counters. */
TEST(groups_of_a_die)
{
	struct uncore_marker *marker;
	struct uncore_event_error error;
	int i;

	if (!is_amd())
		SKIP(return, "AMD only");
	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, uncore_marker_open(DF ",AMD_DF/event=0x07,umask=0x38/,"
					DF ";" DF "," DF,
					&marker, &error))
		TH_LOG("%s", error.message);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(0, count_spin(marker));
		uncore_marker_next(marker);
	}
	EXPECT_EQ(5, count_rows(marker, VALID));
	uncore_marker_close(marker);
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
