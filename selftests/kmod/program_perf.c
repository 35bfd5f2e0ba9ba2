// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 */
/* Beside users of perf: neither disturbs the other, whoever was first. */
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>

#include "claims.h"
#include "harness.h"
#include "perf.h"

#define GENERAL	4

/* An event of a perf user, and the counter that it sits on. */
struct seat {
	int fd;
	uint32_t config;
	uint32_t counter;
	uint64_t count;
};

FIXTURE(beside)
{
	struct rig rig;
	const struct uncore_pmu_unit *unit;
	int pmu;
	int cpu;
};

FIXTURE_SETUP(beside)
{
	unsigned int n, general = 0;

	ASSERT_TRUE(module_loaded("intel_uncore"));
	ASSERT_EQ(0, rig_open(&self->rig));
	self->unit = rig_unit(&self->rig, "ha", 0, 1);
	ASSERT_NE(NULL, self->unit);
	for (n = 0; n < self->unit->num_counters; n++)
		general += self->unit->counter[n].kind ==
			   UNCORE_PMU_KIND_GENERAL;
	ASSERT_EQ((unsigned int)GENERAL, general);
	self->pmu = perf_pmu_type("ha", 0);
	self->cpu = perf_pmu_cpu("ha", 0, 1);
	ASSERT_LE(0, self->pmu);
	ASSERT_LE(0, self->cpu);
}

FIXTURE_TEARDOWN(beside)
{
	rig_close(&self->rig);
}

/* Where the event counts is in the control registers. */
static int seat_find(FIXTURE_DATA(beside) *self, struct seat *seat)
{
	const char *page = self->rig.page[self->unit->index];
	uint32_t n;

	for (n = 0; n < self->unit->num_counters; n++) {
		const struct uncore_pmu_counter *c = &self->unit->counter[n];

		if (page_load(page, c->control) == (seat->config | c->enable)) {
			seat->counter = n;
			return 0;
		}
	}
	return -ENOENT;
}

static int seat_take(FIXTURE_DATA(beside) *self, struct seat *seat,
		     uint32_t config)
{
	seat->config = config;
	seat->count = 0;
	seat->fd = perf_open_shared(self->pmu, self->cpu, config);
	return seat->fd < 0 ? seat->fd : seat_find(self, seat);
}

/* perf may have moved it, for one that is pinned as ours are. */
static int seat_add(FIXTURE_DATA(beside) *self, struct seat *seat, uint64_t n)
{
	int err = seat_find(self, seat);

	if (err)
		return err;
	seat->count += n;
	return sim_add(self->rig.sim, unit_addr(self->unit), seat->counter, n);
}

/* It has had its counter all the time, and counts what was added. */
static void expect_undisturbed(struct __test_metadata *_metadata,
			       const struct seat *seat)
{
	struct perf_times times = { 0 };

	EXPECT_EQ(0, perf_read_times(seat->fd, &times));
	EXPECT_EQ(seat->count, times.value);
	EXPECT_LT(0ULL, times.enabled);
	EXPECT_EQ(times.enabled, times.running);
}

/* Nobody counts any more: no counter is left enabled. */
static void expect_all_free(struct __test_metadata *_metadata,
			    FIXTURE_DATA(beside) *self)
{
	uint32_t n;

	for (n = 0; n < self->unit->num_counters; n++) {
		EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
			  counter_state(self->rig.fd, self->unit->index, n)) {
			TH_LOG("counter %u", n);
		}
	}
}

/* @first events of perf, then claims for as long as there are counters. */
static void perf_first(struct __test_metadata *_metadata,
		       FIXTURE_DATA(beside) *self, unsigned int first)
{
	struct uncore_pmu_program p[GENERAL];
	struct seat seat[GENERAL];
	uint64_t before[GENERAL];
	unsigned int i, claims;

	for (i = 0; i < first; i++) {
		ASSERT_EQ(0, seat_take(self, &seat[i], plain_event(i)));
		ASSERT_EQ(0, seat_add(self, &seat[i], 100 + i));
	}
	for (claims = 0; claims < GENERAL - first; claims++) {
		ASSERT_EQ(0, claim(self->rig.fd, self->unit->index,
				   plain_event(10 + claims), &p[claims]));
		for (i = 0; i < first; i++) {
			ASSERT_EQ(0, seat_add(self, &seat[i], 10));
			EXPECT_NE(seat[i].counter, p[claims].counter);
		}
		before[claims] = claim_count(&self->rig, &p[claims]);
	}
	for (i = 0; i < 10; i++) {
		EXPECT_EQ(-EBUSY, claim(self->rig.fd, self->unit->index,
					plain_event(20 + i), NULL));
	}
	for (i = 0; i < claims; i++) {
		EXPECT_EQ(before[i], claim_count(&self->rig, &p[i]));
		EXPECT_TRUE(claim_counts(&self->rig, &p[i], 5000 + i));
		EXPECT_TRUE(claim_unchanged(&self->rig, &p[i]));
	}
	for (i = 0; i < first; i++) {
		EXPECT_EQ(UNCORE_PMU_COUNTER_OTHER,
			  counter_state(self->rig.fd, self->unit->index,
					seat[i].counter));
		expect_undisturbed(_metadata, &seat[i]);
	}
	EXPECT_EQ(0, release_all(&self->rig, p, claims));
	for (i = 0; i < first; i++) {
		ASSERT_EQ(0, seat_add(self, &seat[i], 1));
		expect_undisturbed(_metadata, &seat[i]);
		close(seat[i].fd);
	}
	expect_all_free(_metadata, self);
}

TEST_F(beside, perf_has_one)
{
	perf_first(_metadata, self, 1);
}

TEST_F(beside, perf_has_two)
{
	perf_first(_metadata, self, 2);
}

TEST_F(beside, perf_has_three)
{
	perf_first(_metadata, self, 3);
}

TEST_F(beside, perf_has_all)
{
	perf_first(_metadata, self, 4);
}

/* @first claims, then perf's events until it has no counter for them. */
static void claims_first(struct __test_metadata *_metadata,
			 FIXTURE_DATA(beside) *self, unsigned int first)
{
	struct uncore_pmu_program p[GENERAL];
	struct perf_times times = { 0 };
	uint64_t before[GENERAL], value;
	struct seat seat[GENERAL];
	unsigned int i, seats;
	int pinned, shared;

	for (i = 0; i < first; i++) {
		ASSERT_EQ(0, claim(self->rig.fd, self->unit->index,
				   plain_event(i), &p[i]));
		before[i] = claim_count(&self->rig, &p[i]);
		ASSERT_EQ(0, claim_add(&self->rig, &p[i], 300 + i));
	}
	for (seats = 0; seats < GENERAL - first; seats++) {
		ASSERT_EQ(0, seat_take(self, &seat[seats],
				       plain_event(10 + seats)));
		ASSERT_EQ(0, seat_add(self, &seat[seats], 50 + seats));
	}
	/* What is pinned fails at once; what is not gets no turn. */
	if (seats == 0) {
		pinned = perf_open(self->pmu, self->cpu, plain_event(20));
		ASSERT_LE(0, pinned);
		EXPECT_EQ(-EAGAIN, perf_read(pinned, &value));
		close(pinned);
		shared = perf_open_shared(self->pmu, self->cpu,
					  plain_event(21));
		ASSERT_LE(0, shared);
		ASSERT_EQ(0, perf_read_times(shared, &times));
		EXPECT_EQ(0ULL, times.running);
		close(shared);
	}
	for (i = 0; i < seats; i++) {
		expect_undisturbed(_metadata, &seat[i]);
		close(seat[i].fd);
	}
	for (i = 0; i < first; i++) {
		EXPECT_EQ(300ULL + i,
			  claim_count(&self->rig, &p[i]) - before[i]);
		EXPECT_TRUE(claim_counts(&self->rig, &p[i], 1));
		EXPECT_TRUE(claim_unchanged(&self->rig, &p[i]));
	}
	EXPECT_EQ(0, release_all(&self->rig, p, first));
	expect_all_free(_metadata, self);
}

TEST_F(beside, we_have_one)
{
	claims_first(_metadata, self, 1);
}

TEST_F(beside, we_have_two)
{
	claims_first(_metadata, self, 2);
}

TEST_F(beside, we_have_three)
{
	claims_first(_metadata, self, 3);
}

TEST_F(beside, we_have_all)
{
	claims_first(_metadata, self, 4);
}

/* perf's own event goes on through all our coming and going. */
TEST_F(beside, we_come_and_go)
{
	struct uncore_pmu_program p;
	struct seat seat;
	int i;

	ASSERT_EQ(0, seat_take(self, &seat, plain_event(0)));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, seat_add(self, &seat, 3));
		ASSERT_EQ(0, claim(self->rig.fd, self->unit->index,
				   plain_event(1 + i), &p));
		ASSERT_EQ(0, seat_add(self, &seat, 5));
		ASSERT_EQ(0, claim_release(self->rig.fd, p.claim));
	}
	expect_undisturbed(_metadata, &seat);
	close(seat.fd);
	expect_all_free(_metadata, self);
}

TEST_F(beside, perf_comes_and_goes)
{
	struct uncore_pmu_program p;
	struct seat seat;
	uint64_t before;
	int i;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit->index, plain_event(0),
			   &p));
	before = claim_count(&self->rig, &p);
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, claim_add(&self->rig, &p, 3));
		ASSERT_EQ(0, seat_take(self, &seat, plain_event(1 + i)));
		ASSERT_EQ(0, claim_add(&self->rig, &p, 5));
		close(seat.fd);
	}
	EXPECT_EQ(800ULL, claim_count(&self->rig, &p) - before);
	EXPECT_TRUE(claim_unchanged(&self->rig, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* Also those of counters that a claim has left. */
TEST_F(beside, registers_after_moves)
{
	struct uncore_pmu_program p[3], late[2];
	uint32_t unit = self->unit->index;
	uint32_t *saved;
	int i;

	/* perf unfreezes a unit with its first event. */
	ASSERT_EQ(0, claim(self->rig.fd, unit, plain_event(0), &p[0]));
	ASSERT_EQ(0, claim_release(self->rig.fd, p[0].claim));
	saved = registers_save(&self->rig);
	ASSERT_NE(NULL, saved);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, claim(self->rig.fd, unit, plain_event(i), &p[i]));
	EXPECT_EQ(0, claim_release(self->rig.fd, p[0].claim));
	EXPECT_EQ(0, claim_release(self->rig.fd, p[1].claim));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, claim(self->rig.fd, unit, plain_event(3 + i),
				   &late[i]));
	EXPECT_EQ(0, claim_release(self->rig.fd, late[1].claim));
	EXPECT_EQ(0, claim_release(self->rig.fd, late[0].claim));
	EXPECT_EQ(0, claim_release(self->rig.fd, p[2].claim));
	EXPECT_EQ(0U, registers_changed(&self->rig, saved));
	free(saved);
}

TEST_F(beside, driver_cannot_go_while_we_claim)
{
	struct uncore_pmu_program p;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, claim(self->rig.fd, self->unit->index,
				   plain_event(0), &p));
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, p.via);
		EXPECT_EQ(-EAGAIN, module_remove("intel_uncore"));
		EXPECT_TRUE(claim_unchanged(&self->rig, &p));
		EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
		EXPECT_EQ(0, perf_driver_unload());
		ASSERT_EQ(0, claim(self->rig.fd, self->unit->index,
				   plain_event(0), &p));
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_DIRECT, p.via);
		EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
		ASSERT_EQ(0, perf_driver_load());
	}
}

TEST_HARNESS_MAIN
