// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* Groups of events of markers, of which one is counted at a time. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <uncore.h>

#include "opmu_check.h"

/* In CSV. */
#define VALID		",\"counted without a break\""
#define UNPAIRED	",0.000000000,,\"not begun and ended in pairs\""

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
		if (!strstr(line, ",\"spin\","))
			continue;
		rows++;
		if (strstr(line, UNPAIRED))
			continue;
		EXPECT_NE(NULL, strstr(line, VALID)) TH_LOG("%s", line);
		ASSERT_EQ(2, sscanf(line, "%*u,\"spin\",\"r00c0\",%*u,%*u,,%llu,"
				    "%*f,%llu,", &times, &count))
			TH_LOG("%s", line);
		expect_spins(_metadata, times, count);
	}
	EXPECT_LE(3, rows);
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
		if (strstr(line, ",\"spin\",")) {
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

/* To be counted when the library has just stopped an event. */
static struct uncore_marker *stopped;

/* What the library calls, too. */
int ioctl(int fd, unsigned long request, ...)
{
	struct uncore_marker *marker = stopped;
	va_list arguments;
	void *argument;
	int ret;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	ret = (int)syscall(SYS_ioctl, fd, request, argument);
	if (marker && request == PERF_EVENT_IOC_DISABLE) {
		stopped = NULL;
		count_spin(marker);
	}
	return ret;
}

/* It is begun and ended where nothing can see that from outside. */
TEST(counts_while_the_group_changes)
{
	struct uncore_marker *marker;

	ASSERT_EQ(0, uncore_marker_open("r00c0;cycles", &marker, NULL));
	EXPECT_EQ(0, count_spin(marker));
	EXPECT_EQ(1, count_rows(marker, VALID));
	stopped = marker;
	uncore_marker_next(marker);
	EXPECT_EQ(NULL, stopped);
	EXPECT_EQ(1, count_rows(marker, UNPAIRED));
	uncore_marker_next(marker);
	EXPECT_EQ(1, count_rows(marker, UNPAIRED));
	uncore_marker_close(marker);
}

struct race {
	struct uncore_marker *marker;
	bool end;
};

static void *race(void *data)
{
	struct race *race = data;

	do {
		count_spin(race->marker);
	} while (!__atomic_load_n(&race->end, __ATOMIC_RELAXED));
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

TEST_HARNESS_MAIN
