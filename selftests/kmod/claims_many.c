// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/claims-616.lspci user=root kernels=all timeout=300 */
/* Very many claims at once leave no trace, and how long they take. */
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

#include "claims.h"
#include "harness.h"

#define ROUND	200
#define ALL	600

FIXTURE(many)
{
	struct rig rig;
	struct uncore_pmu_program *p;
	int all;	/* counters there are */
	int round;	/* ROUND of them, or all */
	uint32_t *registers;
};

FIXTURE_VARIANT(many)
{
	uint32_t via;
};

FIXTURE_VARIANT_ADD(many, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

FIXTURE_VARIANT_ADD(many, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

/* Every register that a user could have left something in. */
static int leave_something(const struct rig *rig)
{
	unsigned int i, n;
	int err = 0;

	for (i = 0; i < rig->units.count && !err; i++) {
		const struct uncore_pmu_unit *u = &rig->units.unit[i];

		for (n = 0; rig->page[i] && n < u->num_counters && !err; n++) {
			const struct uncore_pmu_counter *c = &u->counter[n];

			if (c->kind == UNCORE_PMU_KIND_GENERAL)
				err = config_store(u, c->control,
						   (i * 7 + n) << 24 | 0x1234);
			if (!err)
				err = sim_set(rig->sim, unit_addr(u), n,
					      i * 1000003ULL + n);
		}
	}
	return err;
}

FIXTURE_SETUP(many)
{
	unsigned int i;

	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, perf_driver_unload());
	}
	ASSERT_EQ(0, rig_open(&self->rig));
	for (i = 0; i < self->rig.units.count; i++)
		if (self->rig.page[i])
			self->all += self->rig.units.unit[i].num_counters;
	self->round = self->all < ROUND ? self->all : ROUND;
	if (!getenv("ANY_MACHINE")) {
		ASSERT_LE(ALL, self->all);
	}
	self->p = calloc(self->all + 1, sizeof(*self->p));
	ASSERT_NE(NULL, self->p);
	/* perf unfreezes a unit with its first event, and leaves it so. */
	ASSERT_EQ(self->all, claim_all(&self->rig, self->p, self->all + 1));
	ASSERT_EQ(0, release_all(&self->rig, self->p, self->all));
	ASSERT_EQ(0, leave_something(&self->rig));
	self->registers = registers_save(&self->rig);
	ASSERT_NE(NULL, self->registers);
}

FIXTURE_TEARDOWN(many)
{
	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
	free(self->registers);
	free(self->p);
	rig_close(&self->rig);
	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		EXPECT_EQ(0, perf_driver_load());
	}
}

TEST_F(many, two_hundred_released)
{
	int i;

	ASSERT_EQ(self->round,
		  claim_all(&self->rig, self->p, self->round));
	EXPECT_NE(0U, registers_changed(&self->rig, self->registers));
	for (i = 0; i < self->round; i++) {
		EXPECT_EQ(variant->via, self->p[i].via);
		EXPECT_TRUE(claim_counts(&self->rig, &self->p[i], 1 + i));
		EXPECT_TRUE(claim_unchanged(&self->rig, &self->p[i]));
	}
	EXPECT_EQ(0, release_all(&self->rig, self->p, self->round));
}

TEST_F(many, two_hundred_in_reverse)
{
	int i;

	ASSERT_EQ(self->round,
		  claim_all(&self->rig, self->p, self->round));
	for (i = self->round; i-- > 0;) {
		EXPECT_TRUE(claim_counts(&self->rig, &self->p[i], 1 + i));
		EXPECT_EQ(0, claim_release(self->rig.fd, self->p[i].claim));
	}
}

static int claims_and_is_killed(int sock, void *arg)
{
	FIXTURE_DATA(many) *self = arg;
	struct rig own = self->rig;
	int i;

	(void)sock;
	own.fd = node_open(O_RDWR);
	if (claim_all(&own, self->p, self->round) != self->round)
		return 1;
	for (i = 0; i < self->round; i++)
		if (!claim_counts(&own, &self->p[i], 1 + i))
			return 2;
	raise(SIGKILL);
	return 3;
}

TEST_F(many, two_hundred_of_a_killed_process)
{
	EXPECT_EQ(128 + SIGKILL, child_run(claims_and_is_killed, self));
}

static long elapsed_us(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000000 +
	       (now.tv_nsec - since->tv_nsec) / 1000;
}

/* The time is told, not judged: it is the host's as much as ours. */
TEST_F(many, six_hundred)
{
	int count = self->all < ALL ? self->all : ALL;
	struct timespec start;
	long claimed, released;

	clock_gettime(CLOCK_MONOTONIC, &start);
	ASSERT_EQ(count, claim_all(&self->rig, self->p, count));
	claimed = elapsed_us(&start);
	clock_gettime(CLOCK_MONOTONIC, &start);
	EXPECT_EQ(0, release_all(&self->rig, self->p, count));
	released = elapsed_us(&start);
	TH_LOG("%d counters through %s: claimed in %ld us, released in %ld us",
	       count,
	       variant->via == UNCORE_PMU_VIA_PERF ? "perf" : "registers",
	       claimed, released);
}

TEST_HARNESS_MAIN
