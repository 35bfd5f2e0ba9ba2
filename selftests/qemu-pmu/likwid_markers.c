// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* A program written for LIKWID's markers, measured by libuncore. */
#define LIKWID_PERFMON
#include <likwid-marker.h>
#include <pthread.h>

#include "opmu_check.h"

#define OUTPUT	"/tmp/likwid_markers"

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

TEST_HARNESS_MAIN
