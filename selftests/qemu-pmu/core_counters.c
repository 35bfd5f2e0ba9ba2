// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* The library's counters of the core, on a machine that has some. */
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "opened.h"

/* More than the hardware has counters. */
#define CROWD		12

FIXTURE(core)
{
	struct uncore_counter counter;
};

FIXTURE_VARIANT(core)
{
	const char *event;
};

FIXTURE_VARIANT_ADD(core, instructions) { .event = "instructions" };
FIXTURE_VARIANT_ADD(core, cycles_both) { .event = "cycles:uk" };
FIXTURE_VARIANT_ADD(core, branches) { .event = "cpu/branches/" };

FIXTURE_SETUP(core)
{
	OPENED_SETUP(&self->counter, variant->event);
}

FIXTURE_TEARDOWN(core)
{
	OPENED_TEARDOWN(&self->counter);
}

TEST_F(core, agrees_with_the_kernel)
{
	uint64_t last = 0, value;
	int i;

	for (i = 0; i < 1000; i++) {
		value = i % 2 ? uncore_read(&self->counter)
			      : kernel_read(&self->counter);
		ASSERT_NE(UINT64_MAX, value);
		ASSERT_LT(last, value) TH_LOG("read %d", i);
		last = value;
		spin(500);
	}
	EXPECT_EQ(0, facts_of(&self->counter).system_calls);
}

TEST_F(core, all_readers_do_the_same)
{
	struct uncore_group group;
	uint64_t value, last = uncore_core_read(&self->counter);

	ASSERT_EQ(0, uncore_group_init(&group, &self->counter, 1));
	spin(500);
	uncore_group_read(&group, &value);
	EXPECT_LT(last, value);
	spin(500);
	last = uncore_load_counter(&self->counter, UNCORE_LOAD_PERF);
	EXPECT_LT(value, last);
	spin(500);
	value = last & 0xffffffff;
	EXPECT_LT(value, uncore_read_low(&self->counter));
	EXPECT_EQ(UNCORE_COUNTER_COUNTING,
		  uncore_counter_state(&self->counter));
	EXPECT_EQ(0, facts_of(&self->counter).system_calls);
}

TEST_F(core, watched_across_other_cpus)
{
	struct uncore_watch watch;
	uint64_t before, delta = 0;
	int i;

	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&self->counter, NULL,
						   &watch));
	before = uncore_read(&self->counter);
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, pin_to(i % cpu_count()));
		usleep(1000);
		spin(500);
		ASSERT_EQ(0, uncore_delta_checked(&self->counter, &watch, before,
						  uncore_read(&self->counter),
						  &delta));
	}
	EXPECT_LT(20 * 50, delta);
	EXPECT_EQ(0, facts_of(&self->counter).system_calls);
}

TEST_F(core, takes_no_event_of_the_uncore)
{
	struct uncore_event event = { .kind = UNCORE_PMU_KIND_GENERAL };
	struct uncore_watch watch;

	EXPECT_EQ(UNCORE_OTHER_EVENT,
		  uncore_watch_begin(&self->counter, &event, &watch));
	EXPECT_EQ(UNCORE_OTHER_EVENT,
		  uncore_counter_status(&self->counter, &watch));
}

TEST_F(core, tells_about_itself)
{
	struct uncore_core_facts facts;

	/* The clock of a machine without a good one moves by its ticks. */
	do {
		ASSERT_EQ(0, uncore_core_info(&self->counter, &facts));
	} while (!facts.enabled);
	EXPECT_STREQ(variant->event, facts.event);
	EXPECT_STREQ("cpu", facts.pmu);
	EXPECT_EQ(UNCORE_COUNTER_COUNTING, facts.state);
	EXPECT_EQ(facts.enabled, facts.running);
	EXPECT_EQ(0, facts.error);
	EXPECT_EQ(0, facts.other_core);
}

static void *read_elsewhere(void *arg)
{
	struct uncore_counter *counter = arg;
	static uint64_t values[2];

	values[0] = uncore_read(counter);
	values[1] = kernel_read(counter);
	return values;
}

/* The index of its counter is another thread's business. */
TEST_F(core, other_threads_ask_the_kernel)
{
	uint64_t before = uncore_read(&self->counter), *seen;
	pthread_t thread;
	void *result;

	ASSERT_EQ(0, pthread_create(&thread, NULL, read_elsewhere,
				    &self->counter));
	ASSERT_EQ(0, pthread_join(thread, &result));
	seen = result;
	EXPECT_LT(before, seen[0]);
	EXPECT_LE(seen[0], seen[1]);
	EXPECT_LT(seen[1], uncore_read(&self->counter));
	EXPECT_EQ(1, facts_of(&self->counter).system_calls);
}

static int read_in_child(int sock, void *arg)
{
	struct uncore_counter *counter = arg;
	struct uncore_watch watch;
	uint64_t value = uncore_read(counter);

	(void)sock;
	if (value == UINT64_MAX || value > kernel_read(counter) ||
	    uncore_watch_begin(counter, NULL, &watch) != UNCORE_VALID ||
	    uncore_counter_state(counter) != -ECHILD ||
	    facts_of(counter).system_calls != 1)
		return 1;
	uncore_counter_close(counter);
	return 0;
}

/* It has the parent's thread pointer but not its page. */
TEST_F(core, a_child_asks_the_kernel)
{
	EXPECT_EQ(0, child_run(read_in_child, &self->counter));
	EXPECT_LT(0, uncore_read(&self->counter));
	EXPECT_EQ(0, facts_of(&self->counter).system_calls);
}

/* All but read, write and exit kills: to ask the kernel would take read(). */
static int read_in_seccomp(int sock, void *arg)
{
	struct uncore_counter counter;
	struct uncore_watch watch;
	uint64_t first, delta = 0;
	int i, status;

	(void)sock;
	if (uncore_core_open(arg, &counter, NULL))
		return 1;
	close(counter.index);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	uncore_watch_begin(&counter, NULL, &watch);
	first = uncore_read(&counter);
	for (i = 0; i < 1000; i++)
		uncore_read(&counter);
	status = uncore_delta_checked(&counter, &watch, first,
				      uncore_read(&counter), &delta);
	syscall(SYS_exit, status || delta < 1000 ? 2 : 0);
	return 3;
}

/* The page keeps the event once its descriptor is closed. */
TEST_F(core, reads_without_a_system_call)
{
	EXPECT_EQ(0, child_run(read_in_seccomp, (void *)variant->event));
}

/* No more counters than the hardware has, so all get their turn. */
TEST(multiplexing_is_reported)
{
	struct uncore_counter counter[CROWD];
	struct uncore_watch watch[CROWD];
	struct uncore_core_facts facts;
	unsigned int i, missed = 0;
	uint64_t before, delta;

	ASSERT_EQ(0, pin_to(0));
	for (i = 0; i < CROWD; i++)
		ASSERT_EQ(0, uncore_core_open("branch-misses", &counter[i],
					      NULL));
	for (i = 0; i < CROWD; i++)
		missed += uncore_watch_begin(&counter[i], NULL, &watch[i]) !=
			  UNCORE_VALID;
	EXPECT_LT(0, missed);
	EXPECT_GT(CROWD, missed);
	for (i = 0; i < CROWD; i++) {
		if (watch[i].begun == UNCORE_VALID)
			continue;
		delta = 0x5a5a;
		before = kernel_read(&counter[i]);
		EXPECT_EQ(UNCORE_NOT_RUNNING,
			  uncore_counter_status(&counter[i], &watch[i]));
		EXPECT_EQ(-ESTALE, uncore_delta_checked(&counter[i], &watch[i],
							0, 1, &delta));
		EXPECT_EQ(0x5a5a, delta);
		/* It may have got its turn just now, and will lose it. */
		do {
			EXPECT_LE(before, uncore_read(&counter[i]));
			ASSERT_EQ(0, uncore_core_info(&counter[i], &facts));
		} while (!facts.system_calls ||
			 facts.running == facts.enabled);
		EXPECT_GT(facts.enabled, facts.running);
	}
	/* Turns are taken at the timer's ticks: all have missed one then. */
	for (i = 0; i < CROWD; i++) {
		do {
			spin(100000);
		} while (uncore_counter_status(&counter[i], &watch[i]) ==
			 UNCORE_VALID);
		EXPECT_EQ(UNCORE_NOT_RUNNING,
			  uncore_counter_status(&counter[i], &watch[i]));
	}
	for (i = 0; i < CROWD; i++)
		uncore_counter_close(&counter[i]);
}

/* The same event by all the names that it has. */
static const struct {
	const char *intel, *amd;
	uint64_t intel_config, amd_config;
	uint32_t type;
} names[] = {
	{ "Branch-Misses", "branch-misses", PERF_COUNT_HW_BRANCH_MISSES,
	  PERF_COUNT_HW_BRANCH_MISSES, PERF_TYPE_HARDWARE },
	{ "r00c5", "r00c3", 0xc5, 0xc3, PERF_TYPE_RAW },
	{ "event=0xc5,umask=0", "event=0xc3", 0xc5, 0xc3, PERF_TYPE_RAW },
	{ "event=0xc5,inv,cmask=2:u", "event=0x1c3,cmask=2", 0x28000c5,
	  0x1020000c3, PERF_TYPE_RAW },
	{ "BR_MISP_RETIRED:ALL_BRANCHES", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
	  0xc5, 0xc3, PERF_TYPE_RAW },
	{ "br_misp_retired.all_branches:u", "retired_branch_instructions_mispredicted:u",
	  0xc5, 0xc3, PERF_TYPE_RAW },
	{ "config=0xc5", "config=0xc3", 0xc5, 0xc3, PERF_TYPE_RAW },
};

TEST(names_of_one_event)
{
	struct uncore_event_error error;
	struct uncore_core_facts facts;
	struct uncore_counter counter;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const char *name = is_amd() ? names[i].amd : names[i].intel;

		ASSERT_EQ(0, uncore_core_open(name, &counter, &error))
			TH_LOG("%s: %s", name, error.message);
		ASSERT_EQ(0, uncore_core_info(&counter, &facts));
		EXPECT_EQ(is_amd() ? names[i].amd_config : names[i].intel_config,
			  facts.config & ~0x530000ULL) TH_LOG("%s", name);
		EXPECT_EQ(names[i].type, facts.type) TH_LOG("%s", name);
		uncore_counter_close(&counter);
	}
}

/* Counts per 64 instructions, see README.md. */
static const struct {
	const char *event;
	unsigned int rate;
} exact[] = {
	{ "instructions", 64 }, { "cycles", 96 }, { "branches", 12 },
	{ "branch-misses", 1 }, { "r0124", 3 + (0x24 * 31 + 0x01 * 7) % 59 },
};

/* What 128,000 instructions add; those around the loop cancel out. */
TEST(exact_under_icount)
{
	struct uncore_counter counter;
	uint64_t start, once, twice;
	int64_t expected, got;
	unsigned int i;

	if (!getenv("UNCORE_ICOUNT"))
		SKIP(return, "needs --icount");
	for (i = 0; i < ARRAY_SIZE(exact); i++) {
		ASSERT_EQ(0, uncore_core_open(exact[i].event, &counter, NULL));
		start = uncore_read(&counter);
		spin(64000);
		once = uncore_read(&counter) - start;
		start = uncore_read(&counter);
		spin(128000);
		twice = uncore_read(&counter) - start;
		uncore_counter_close(&counter);
		expected = 2000 * exact[i].rate;
		got = (int64_t)(twice - once);
		/* A fraction of a count is carried in or out. */
		EXPECT_LE(expected - 1, got) TH_LOG("%s", exact[i].event);
		EXPECT_GE(expected + 1, got) TH_LOG("%s", exact[i].event);
		if (exact[i].rate % 64 == 0)
			EXPECT_EQ(expected, got);
	}
}

TEST_HARNESS_MAIN
