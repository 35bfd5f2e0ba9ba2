// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* Regions: sections of a program, with counters of the core and the uncore. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <uncore.h>

#include "opmu_check.h"

#define MAX_RESULTS	64
#define UNCORE		"imc/UNC_M_CAS_COUNT:RD/"

static int keep(const struct uncore_result *result, void *data);

FIXTURE(region)
{
	struct sim *sim;
	struct uncore *uncore;
	struct uncore_plan *plan;
	struct uncore_region *region;
	struct uncore_event_error error;
	struct uncore_result result[MAX_RESULTS];
	unsigned int count;
};

FIXTURE_SETUP(region)
{
	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, uncore_open_flags(NULL, UNCORE_OPEN_PROGRAM,
				       &self->uncore));
	if (uncore_num_units(self->uncore)) {
		ASSERT_EQ(0, sim_open(&self->sim));
		ASSERT_EQ(0, sim_clock(self->sim, false));
	}
}

FIXTURE_TEARDOWN(region)
{
	uncore_plan_close(self->plan);
	uncore_close(self->uncore);
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
	if (self->sim) {
		sim_clock(self->sim, true);
		sim_close(self->sim);
	}
}

static int keep(const struct uncore_result *result, void *data)
{
	FIXTURE_DATA(region) *self = data;

	if (self->count == MAX_RESULTS)
		return 1;
	self->result[self->count++] = *result;
	return 0;
}

#define OPEN(events, flags)						\
	ASSERT_EQ(0, uncore_plan_open(self->uncore, events, flags,	\
				      &self->plan, &self->error))	\
		TH_LOG("%s", self->error.message)

#define REGION(name)							\
	ASSERT_EQ(0, uncore_region_open(self->plan, name, &self->region))

#define RESULTS(flags)							\
	do {								\
		self->count = 0;					\
		ASSERT_EQ(0, uncore_plan_results(self->plan, flags,	\
						 keep, self));		\
	} while (0)

/* The counter of a unit that the plan has programmed. */
static unsigned int programmed(struct uncore *uncore, unsigned int unit)
{
	struct uncore_pmu_status status;
	unsigned int i = 0;

	while (!uncore_status(uncore, unit, i, &status) && !status.own)
		i++;
	return i;
}

TEST_F(region, uncore_counts_by_die)
{
	struct uncore_pmu_unit info;
	unsigned int units[16], i;
	struct sim_addr addr;
	uint64_t sum[2] = { 0 }, values[2], times = 0;
	double seconds;
	int count;

	if (!self->sim || cpu_count() < 2)
		SKIP(return, "needs units, and a CPU on each of two dies");
	OPEN("branch-misses," UNCORE, 0);
	ASSERT_EQ(2, uncore_plan_count(self->plan));
	EXPECT_STREQ("branch-misses", uncore_plan_event(self->plan, 0));
	EXPECT_STREQ(UNCORE, uncore_plan_event(self->plan, 1));
	EXPECT_EQ(NULL, uncore_plan_event(self->plan, 2));
	REGION("r");
	count = uncore_find(self->uncore, "imc", units, 16);
	ASSERT_LE(2, count);
	ASSERT_GE(16, count);

	/* The first wraps; before and after do not count. */
	for (i = 0; i < (unsigned int)count; i++) {
		unsigned int counter = programmed(self->uncore, units[i]);

		ASSERT_EQ(0, uncore_unit_info(self->uncore, units[i], &info));
		if (info.state == UNCORE_PMU_STATE_ABSENT)
			continue;
		times++;
		addr = unit_addr(&info);
		if (!i)
			ASSERT_EQ(0, sim_set(self->sim, addr, counter,
					     (1ULL << 48) - 5));
		uncore_region_begin(self->region);
		ASSERT_EQ(0, sim_add(self->sim, addr, counter, 1000 + i));
		uncore_region_end(self->region);
		ASSERT_EQ(0, sim_add(self->sim, addr, counter, 1 << 20));
		sum[info.die] += 1000 + i;
	}
	RESULTS(0);
	ASSERT_EQ(3, self->count);
	EXPECT_EQ(-1, self->result[0].die);
	for (i = 1; i < 3; i++) {
		EXPECT_STREQ("r", self->result[i].region);
		EXPECT_STREQ(UNCORE, self->result[i].event);
		EXPECT_EQ(UNCORE_VALID, self->result[i].state);
		ASSERT_EQ(i - 1, (unsigned int)self->result[i].die);
		EXPECT_EQ(sum[i - 1], self->result[i].value);
		EXPECT_EQ(times, self->result[i].times);
		EXPECT_EQ(64, self->result[i].scale);
		EXPECT_STREQ("bytes", self->result[i].unit);
	}
	ASSERT_EQ(0, uncore_region_values(self->region, 0, values, &times,
					  &seconds));
	EXPECT_EQ(sum[0] + sum[1], values[1]);
	EXPECT_LT(0, seconds);
	uncore_region_reset(self->region);
	ASSERT_EQ(0, uncore_region_values(self->region, 0, values, &times,
					  &seconds));
	EXPECT_EQ(0, values[0]);
	EXPECT_EQ(0, values[1]);
	EXPECT_EQ(0, times);
}

TEST_F(region, uncore_programmed_anew)
{
	struct uncore_pmu_status status;
	unsigned int unit;

	if (!self->sim)
		SKIP(return, "no units");
	OPEN("imc0@0/UNC_M_CAS_COUNT:RD/,imc1@0/ctr0/", 0);
	REGION("r");
	uncore_region_begin(self->region);
	ASSERT_EQ(1, uncore_find(self->uncore, "imc0@0", &unit, 1));
	ASSERT_EQ(0, uncore_status(self->uncore, unit,
				   programmed(self->uncore, unit), &status));
	ASSERT_EQ(0, uncore_release(self->uncore, status.claim));
	uncore_region_end(self->region);
	RESULTS(0);
	ASSERT_EQ(2, self->count);
	EXPECT_EQ(UNCORE_RELEASED, self->result[0].state);
	EXPECT_EQ(UNCORE_UNCLAIMED, self->result[1].state);
}

/* Instructions of a loop, to the last one, after what begin and end cost. */
TEST_F(region, core_counts)
{
	uint64_t once, twice, none;

	OPEN("instructions,branches", 0);
	REGION("none");
	uncore_region_begin(self->region);
	uncore_region_end(self->region);
	REGION("once");
	uncore_region_begin(self->region);
	spin(64000);
	uncore_region_end(self->region);
	REGION("twice");
	uncore_region_begin(self->region);
	spin(64000);
	uncore_region_end(self->region);
	uncore_region_begin(self->region);
	spin(64000);
	uncore_region_end(self->region);
	RESULTS(UNCORE_RESULT_NET);
	ASSERT_EQ(6, self->count);
	none = self->result[0].value;
	once = self->result[2].value;
	twice = self->result[4].value;
	EXPECT_EQ(2, self->result[4].times);
	EXPECT_EQ(UNCORE_VALID, self->result[4].state);
	EXPECT_LT(0, once);
	EXPECT_LT(0, twice);
	if (!getenv("UNCORE_ICOUNT"))
		return;
	EXPECT_EQ(0, none);
	/* The loop, and an instruction that sets its counter up. */
	EXPECT_LE(128000, once);
	EXPECT_GE(128002, once);
	EXPECT_EQ(2 * once, twice);
	RESULTS(0);
	EXPECT_LT(10, self->result[0].value);
	EXPECT_GT(100, self->result[0].value);
}

TEST_F(region, within_each_other)
{
	struct uncore_region *outer, *inner;
	int i;

	OPEN("instructions", 0);
	REGION("outer");
	outer = self->region;
	REGION("inner");
	inner = self->region;
	REGION("outer");
	EXPECT_EQ(outer, self->region);
	uncore_region_begin(outer);
	for (i = 0; i < 3; i++) {
		uncore_region_begin(outer);
		uncore_region_begin(inner);
		spin(10000);
		uncore_region_end(inner);
		uncore_region_end(outer);
	}
	uncore_region_end(outer);
	RESULTS(0);
	ASSERT_EQ(2, self->count);
	EXPECT_STREQ("outer", self->result[0].region);
	EXPECT_EQ(1, self->result[0].times);
	EXPECT_EQ(3, self->result[1].times);
	EXPECT_EQ(UNCORE_VALID, self->result[0].state);
	EXPECT_LT(self->result[1].value, self->result[0].value);
	EXPECT_LT(self->result[1].seconds, self->result[0].seconds);
}

struct worker {
	struct uncore_plan *plan;
	struct uncore_region *region;
	int loops, ret;
	pthread_barrier_t *barrier;
};

static void *work(void *data)
{
	struct worker *worker = data;
	int i;

	pthread_barrier_wait(worker->barrier);
	worker->ret = uncore_region_open(worker->plan, "r", &worker->region);
	for (i = 0; i < worker->loops && !worker->ret; i++) {
		uncore_region_begin(worker->region);
		spin(10000);
		uncore_region_end(worker->region);
	}
	pthread_barrier_wait(worker->barrier);
	return NULL;
}

/* One starts before the plan is made and the other after; both have ended. */
TEST_F(region, threads)
{
	struct worker worker[2] = { { .loops = 1 }, { .loops = 4 } };
	pthread_barrier_t barrier[2];
	pthread_t thread[2];
	int i;

	for (i = 0; i < 2; i++) {
		pthread_barrier_init(&barrier[i], NULL, 2);
		worker[i].barrier = &barrier[i];
	}
	ASSERT_EQ(0, pthread_create(&thread[0], NULL, work, &worker[0]));
	OPEN("instructions" , 0);
	worker[0].plan = self->plan;
	worker[1].plan = self->plan;
	ASSERT_EQ(0, pthread_create(&thread[1], NULL, work, &worker[1]));
	for (i = 0; i < 2; i++) {
		pthread_barrier_wait(&barrier[i]);
		pthread_barrier_wait(&barrier[i]);
		ASSERT_EQ(0, worker[i].ret);
	}
	REGION("r");
	uncore_region_begin(self->region);
	uncore_region_end(self->region);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
	RESULTS(0);
	ASSERT_EQ(3, self->count);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(i, (int)self->result[i].thread);
		EXPECT_EQ(UNCORE_VALID, self->result[i].state);
	}
	EXPECT_EQ(gettid(), self->result[2].tid);
	/* Nobody else may use what is left of a thread. */
	uncore_region_begin(worker[0].region);
	uncore_region_end(worker[0].region);
	RESULTS(0);
	EXPECT_EQ(UNCORE_UNPAIRED, self->result[0].state);
	EXPECT_EQ(1, self->result[0].times);
	EXPECT_EQ(4, self->result[1].times);
	if (!getenv("UNCORE_ICOUNT"))
		return;
	EXPECT_LT(20000, self->result[0].value);
	EXPECT_GT(30000, self->result[0].value);
	EXPECT_LT(80000, self->result[1].value);
	EXPECT_GT(90000, self->result[1].value);
	EXPECT_GT(1000, self->result[2].value);
}

/* The thread that comes first reads the uncore; when it ends, the next. */
TEST_F(region, one_thread_reads_the_uncore)
{
	struct worker worker = { .loops = 1 };
	pthread_barrier_t barrier;
	pthread_t thread;

	if (!self->sim)
		SKIP(return, "no units");
	pthread_barrier_init(&barrier, NULL, 1);
	OPEN("imc0@0/UNC_M_CAS_COUNT:RD/", 0);
	worker.plan = self->plan;
	worker.barrier = &barrier;
	ASSERT_EQ(0, pthread_create(&thread, NULL, work, &worker));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	REGION("r");
	uncore_region_begin(self->region);
	uncore_region_end(self->region);
	ASSERT_EQ(0, pthread_create(&thread, NULL, work, &worker));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	RESULTS(0);
	ASSERT_EQ(2, self->count);
	EXPECT_EQ(0, self->result[0].thread);
	EXPECT_EQ(1, self->result[1].thread);
}

static void *misuse(void *data)
{
	uncore_region_begin(data);
	uncore_region_end(data);
	return NULL;
}

TEST_F(region, misuse_is_reported)
{
	struct uncore_region *open, *swapped;
	uint64_t value, times;
	pthread_t thread;
	double seconds;
	int i;

	OPEN("instructions", 0);
	REGION("ended twice");
	uncore_region_begin(self->region);
	uncore_region_end(self->region);
	uncore_region_end(self->region);
	REGION("swapped");
	swapped = self->region;
	uncore_region_end(swapped);
	uncore_region_begin(swapped);
	EXPECT_EQ(-ESTALE, uncore_region_values(swapped, 0, &value, &times,
						&seconds));
	EXPECT_EQ(0, seconds);
	REGION("not ended");
	open = self->region;
	uncore_region_begin(open);
	REGION("not this thread's");
	ASSERT_EQ(0, pthread_create(&thread, NULL, misuse, self->region));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	RESULTS(0);
	ASSERT_EQ(4, self->count);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(UNCORE_UNPAIRED, self->result[i].state)
			TH_LOG("%s", self->result[i].region);
		EXPECT_EQ(0, self->result[i].seconds);
	}
	uncore_region_end(open);
	EXPECT_EQ(0, uncore_region_reset(swapped));
	RESULTS(0);
	EXPECT_EQ(UNCORE_VALID, self->result[1].state);
	EXPECT_EQ(UNCORE_VALID, self->result[2].state);
	EXPECT_LT(0, self->result[2].seconds);
}

TEST_F(region, more_events_than_counters)
{
	unsigned int i, missed = 0;
	char *text;

	OPEN("r0124,r0224,r0324,r0424,r0524,r0624,r0724,r0824", 0);
	REGION("r");
	uncore_region_begin(self->region);
	spin(1000);
	uncore_region_end(self->region);
	RESULTS(0);
	ASSERT_EQ(8, self->count);
	for (i = 0; i < 8; i++)
		missed += self->result[i].state == UNCORE_NOT_RUNNING;
	EXPECT_LT(0, missed);
	ASSERT_EQ(0, uncore_plan_text(self->plan, UNCORE_FORMAT_JSON, 0, &text));
	EXPECT_NE(NULL, strstr(text, "\"count\": null, \"state\": \"did not run "
				     "all the time (fewer events at once? the "
				     "NMI watchdog takes a counter)\"}"));
	free(text);
}

TEST_F(region, texts)
{
	char *text, line[128];
	uint64_t value;

	OPEN("cpu/event=0xc5,umask=0/,instructions", UNCORE_PLAN_FENCE);
	ASSERT_EQ(0, uncore_plan_text(self->plan, UNCORE_FORMAT_JSON, 0, &text));
	EXPECT_STREQ("[]\n", text);
	free(text);
	REGION("a \"b\\\n");
	uncore_region_begin(self->region);
	uncore_region_end(self->region);
	RESULTS(0);
	ASSERT_EQ(2, self->count);
	value = self->result[1].value;

	ASSERT_EQ(0, uncore_plan_text(self->plan, UNCORE_FORMAT_JSON, 0, &text));
	EXPECT_EQ(text, strstr(text, "[\n{\"group\": 1, "
				     "\"region\": \"a \\\"b\\\\\\u000a\", "
				     "\"event\": \"cpu/event=0xc5,umask=0/\", "
				     "\"thread\": 0, \"tid\": "));
	snprintf(line, sizeof(line), ", \"count\": %llu, \"state\": \"counted "
		 "without a break\"}\n]\n", (unsigned long long)value);
	EXPECT_NE(NULL, strstr(text, line)) TH_LOG("%s", text);
	free(text);

	ASSERT_EQ(0, uncore_plan_text(self->plan, UNCORE_FORMAT_CSV, 0, &text));
	EXPECT_EQ(text, strstr(text, "region,event,thread,tid,die,times,"
				     "seconds,count,state\n\"a \"\"b\\\n\","
				     "\"cpu/event=0xc5,umask=0/\",0,"));
	snprintf(line, sizeof(line), ",%llu,\"counted without a break\"\n",
		 (unsigned long long)value);
	EXPECT_NE(NULL, strstr(text, line)) TH_LOG("%s", text);
	free(text);

	ASSERT_EQ(0, uncore_plan_text(self->plan, UNCORE_FORMAT_TABLE, 0,
				      &text));
	snprintf(line, sizeof(line), "  instructions                 %20llu\n",
		 (unsigned long long)value);
	EXPECT_NE(NULL, strstr(text, line)) TH_LOG("%s", text);
	free(text);
	EXPECT_EQ(-EINVAL, uncore_plan_text(self->plan,
					    (enum uncore_format)3, 0, &text));
}

TEST_F(region, what_cannot_be_planned)
{
	static const struct {
		const char *events;
		int error;
		const char *said;
	} bad[] = {
		{ "", -EINVAL, "an event is missing" },
		{ "cycles,,cycles", -EINVAL, "an event is missing" },
		{ "no-such-event", -ENOENT, "cpu has no event" },
		{ "cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,"
		  "cycles", -E2BIG, "8 events of the core" },
		{ "nothing0@0/ctr0/", -ENOENT, "no such unit or counter" },
		{ "nothing/fixed/", -ENODEV, "" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(bad[i].error,
			  uncore_plan_open(self->uncore, bad[i].events, 0,
					   &self->plan, &self->error))
			TH_LOG("%s: %s", bad[i].events, self->error.message);
		EXPECT_NE(NULL, strstr(self->error.message, bad[i].said))
			TH_LOG("%s", self->error.message);
	}
	EXPECT_EQ(-EINVAL, uncore_plan_open(self->uncore, "cycles", 2,
					    &self->plan, NULL));
	EXPECT_EQ(-EINVAL, uncore_plan_open(NULL, "imc/fixed/", 0, &self->plan,
					    &self->error));
	EXPECT_STREQ("imc/fixed/: /dev/uncore_pmu is not open",
		     self->error.message);
	EXPECT_EQ(NULL, self->plan);
}

static int keep_state(const struct uncore_result *result, void *data)
{
	int *state = data;

	if (!strncmp(result->event, "amd_", 4))
		*state = result->state;
	return 0;
}

/* Beside those of the core; the last CPU is of another die. */
TEST(counters_of_a_die)
{
	static const char *const events[] = {
		"amd_df/event=0x07,umask=0x38/", "amd_l3/event=0x04,umask=0xff/",
	};
	uint64_t values[3], times, before[2], outer;
	struct uncore_counter counter[2];
	struct uncore_region *region;
	struct uncore_plan *plan;
	int i, state = -1;
	char text[128];
	double seconds;

	if (!is_amd())
		SKIP(return, "AMD only");
	ASSERT_EQ(0, pin_to(0));
	snprintf(text, sizeof(text), "%s,cycles,%s", events[0], events[1]);
	ASSERT_EQ(0, uncore_plan_open(NULL, text, 0, &plan, NULL));
	/* What begins with the first region is not disturbed by this. */
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, uncore_core_open(events[i], &counter[i], NULL));
	ASSERT_EQ(0, uncore_region_open(plan, "spin", &region));
	for (i = 0; i < 2; i++)
		before[i] = uncore_read(&counter[i]);
	uncore_region_begin(region);
	spin(100000);
	uncore_region_end(region);
	ASSERT_EQ(0, uncore_region_values(region, 0, values, &times, &seconds));
	for (i = 0; i < 2; i++) {
		outer = uncore_read(&counter[i]) - before[i];
		EXPECT_LT(0, values[2 * i]);
		EXPECT_LE(values[2 * i], outer);
		uncore_counter_close(&counter[i]);
	}
	EXPECT_EQ(1, times);
	EXPECT_LT(100000, values[1]);
	ASSERT_EQ(0, uncore_plan_results(plan, 0, keep_state, &state));
	EXPECT_EQ(UNCORE_VALID, state);

	ASSERT_EQ(0, pin_to(cpu_count() - 1));
	uncore_region_begin(region);
	uncore_region_end(region);
	EXPECT_EQ(-ESTALE, uncore_region_values(region, 0, values, &times,
						&seconds));
	ASSERT_EQ(0, uncore_plan_results(plan, 0, keep_state, &state));
	EXPECT_EQ(UNCORE_OTHER_CPU, state);
	uncore_plan_close(plan);
}

TEST_HARNESS_MAIN
