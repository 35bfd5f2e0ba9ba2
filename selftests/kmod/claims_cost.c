// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all icount=yes timeout=120 */
/*
 * What a claim costs, in instructions: here one is a nanosecond of the thread.
 * A machine with 600 counters is to be claimed within a second.
 */
#include <fcntl.h>
#include <time.h>

#include "claims.h"
#include "harness.h"

#define MAX_CLAIMS	1024
#define BUDGET		(1000000000LL / 600)

static long long instructions(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

FIXTURE(cost)
{
	struct rig rig;
	struct uncore_pmu_program p[MAX_CLAIMS];
	long long spent[MAX_CLAIMS];
	int count;
};

FIXTURE_VARIANT(cost)
{
	uint32_t via;
};

FIXTURE_VARIANT_ADD(cost, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

FIXTURE_VARIANT_ADD(cost, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

FIXTURE_SETUP(cost)
{
	ASSERT_NE(NULL, getenv("UNCORE_ICOUNT"));
	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, perf_driver_unload());
	} else {
		ASSERT_EQ(0, perf_driver_load());
	}
	ASSERT_EQ(0, rig_open(&self->rig));
}

FIXTURE_TEARDOWN(cost)
{
	rig_close(&self->rig);
}

static long long average(const long long *spent, int count)
{
	long long sum = 0;
	int i;

	for (i = 0; i < count; i++)
		sum += spent[i];
	return sum / count;
}

/* perf needs a processor of the die, and this machine has one alone. */
static int claim_first_die(FIXTURE_DATA(cost) *self)
{
	const struct units *units = &self->rig.units;
	unsigned int i;
	int err = 0;

	for (i = 0; i < units->count; i++) {
		if (!self->rig.page[i] || units->unit[i].die)
			continue;
		do {
			long long start = instructions();

			err = claim(self->rig.fd, i, plain_event(self->count),
				    &self->p[self->count]);
			self->spent[self->count] = instructions() - start;
			self->count += !err;
		} while (!err && self->count < MAX_CLAIMS);
		if (err != -EBUSY)
			return err;
	}
	return 0;
}

/* The last ones cost about as much as the first. */
TEST_F(cost, of_a_claim)
{
	long long all, first, last;
	int quarter;

	ASSERT_EQ(0, claim_first_die(self));
	ASSERT_LE(40, self->count);
	EXPECT_EQ(variant->via, self->p[0].via);
	quarter = self->count / 4;
	all = average(self->spent, self->count);
	first = average(self->spent, quarter);
	last = average(self->spent + self->count - quarter, quarter);
	TH_LOG("%d claims of %lld instructions each: first %lld, last %lld",
	       self->count, all, first, last);
	EXPECT_LT(0, all);
	EXPECT_GT(BUDGET, all);
	EXPECT_GT(2 * first, last);
	EXPECT_EQ(0, release_all(&self->rig, self->p, self->count));
}

TEST_HARNESS_MAIN
