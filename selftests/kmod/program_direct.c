// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 intel_uncore=no */
/* Without the kernel's own driver the registers are ours, and given back. */
#include <fcntl.h>

#include "claims.h"
#include "harness.h"
#include "perf.h"

#define FREEZE_ENABLE	(1U << 16)

FIXTURE(direct)
{
	struct rig rig;
	uint32_t unit;
	uint32_t *registers;
};

static const struct uncore_pmu_unit *the_unit(FIXTURE_DATA(direct) *self)
{
	return &self->rig.units.unit[self->unit];
}

/* Leftovers of other software in every register, the unit frozen or not. */
FIXTURE_VARIANT(direct)
{
	uint32_t unit_control;
	uint32_t junk;
};

FIXTURE_VARIANT_ADD(direct, after_reset)
{
	.unit_control = 0,
	.junk = 0,
};

FIXTURE_VARIANT_ADD(direct, frozen_with_leftovers)
{
	.unit_control = FREEZE_ENABLE | 1U << 8,
	.junk = 0xa5840c04,
};

FIXTURE_SETUP(direct)
{
	const struct uncore_pmu_unit *unit;
	uint32_t n;

	ASSERT_FALSE(module_loaded("intel_uncore"));
	ASSERT_EQ(0, rig_open(&self->rig));
	unit = rig_unit(&self->rig, "imc", 1, 0);
	ASSERT_NE(NULL, unit);
	self->unit = unit->index;
	ASSERT_EQ(0, config_store(unit, unit->unit_control,
				  variant->unit_control));
	for (n = 0; n < unit->num_counters; n++) {
		const struct uncore_pmu_counter *c = &unit->counter[n];

		ASSERT_EQ(0, config_store(unit, c->control,
					  c->kind == UNCORE_PMU_KIND_FIXED ?
						  0 : variant->junk));
		ASSERT_EQ(0, sim_set(self->rig.sim, unit_addr(unit), n,
				     variant->junk * 0x10001ULL + n));
	}
	self->registers = registers_save(&self->rig);
	ASSERT_NE(NULL, self->registers);
}

FIXTURE_TEARDOWN(direct)
{
	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
	free(self->registers);
	rig_close(&self->rig);
}

TEST_F(direct, all_counters_of_the_unit)
{
	struct uncore_pmu_program p[UNCORE_PMU_MAX_COUNTERS];
	uint32_t n, count = the_unit(self)->num_counters;

	ASSERT_EQ(0, claim_fixed(self->rig.fd, self->unit, &p[0]));
	for (n = 1; n < count; n++) {
		ASSERT_EQ(0, claim(self->rig.fd, self->unit, plain_event(n),
				   &p[n]));
	}
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, self->unit, 0x304, NULL));
	for (n = 0; n < count; n++) {
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_DIRECT, p[n].via);
		EXPECT_TRUE(claim_counts(&self->rig, &p[n], 4711));
	}
	/* In another order than they came. */
	for (n = 0; n < count; n++) {
		EXPECT_EQ(0, claim_release(self->rig.fd,
					   p[(n + 2) % count].claim));
	}
}

static int claims_and_is_killed(int sock, void *arg)
{
	const uint32_t *unit = arg;
	int fd = node_open(O_RDWR);
	uint32_t n;

	(void)sock;
	for (n = 0; n < 3; n++)
		if (claim(fd, *unit, plain_event(n), NULL))
			return 1;
	if (claim_fixed(fd, *unit, NULL))
		return 2;
	raise(SIGKILL);
	return 3;
}

TEST_F(direct, killed)
{
	EXPECT_EQ(128 + SIGKILL, child_run(claims_and_is_killed, &self->unit));
}

static int claims_and_passes_it_on(int sock, void *arg)
{
	const uint32_t *unit = arg;
	int fd = node_open(O_RDWR);

	if (claim(fd, *unit, 0x304, NULL) || send_fd(sock, fd))
		return 1;
	raise(SIGKILL);
	return 2;
}

TEST_F(direct, passed_on)
{
	struct child child;
	int fd;

	ASSERT_EQ(0, child_start(&child, claims_and_passes_it_on,
				 &self->unit));
	fd = receive_fd(child.sock);
	ASSERT_LE(0, fd);
	EXPECT_EQ(128 + SIGKILL, child_wait(&child));
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
		  counter_state(self->rig.fd, self->unit, 0));
	close(fd);
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
		  counter_state(self->rig.fd, self->unit, 0));
}

/* A counter that is enabled is someone's: it is left alone. */
TEST_F(direct, what_others_have_enabled)
{
	const struct uncore_pmu_unit *u = the_unit(self);
	const struct uncore_pmu_counter *c = &u->counter[0];
	struct uncore_pmu_program p[UNCORE_PMU_MAX_COUNTERS];
	uint32_t n, general = u->num_counters - 1;

	ASSERT_EQ(0, config_store(u, c->control, c->enable | 0x50b));
	EXPECT_EQ(UNCORE_PMU_COUNTER_OTHER,
		  counter_state(self->rig.fd, self->unit, 0));
	for (n = 1; n < general; n++) {
		ASSERT_EQ(0, claim(self->rig.fd, self->unit, plain_event(n),
				   &p[n]));
		EXPECT_NE(0U, p[n].counter);
	}
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, self->unit, 0x304, NULL));
	EXPECT_EQ(c->enable | 0x50b,
		  page_load(self->rig.page[self->unit], c->control));
	for (n = 1; n < general; n++) {
		EXPECT_EQ(0, claim_release(self->rig.fd, p[n].claim));
	}
	EXPECT_EQ(c->enable | 0x50b,
		  page_load(self->rig.page[self->unit], c->control));
	ASSERT_EQ(0, config_store(u, c->control, variant->junk));
}

/* Nor is one that is claimed given away, because someone has disabled it. */
TEST_F(direct, disabled_behind_its_back)
{
	struct uncore_pmu_program p, other, fixed;
	const struct uncore_pmu_unit *u = the_unit(self);

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &p));
	ASSERT_EQ(0, claim_fixed(self->rig.fd, self->unit, &fixed));
	ASSERT_EQ(0, config_store(u, u->counter[p.counter].control, 0));
	ASSERT_EQ(0, config_store(u, u->counter[fixed.counter].control, 0));
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &other));
	EXPECT_NE(p.counter, other.counter);
	EXPECT_EQ(-EBUSY, claim_fixed(self->rig.fd, self->unit, NULL));
	EXPECT_EQ(UNCORE_PMU_COUNTER_REPROGRAMMED,
		  counter_state(self->rig.fd, self->unit, p.counter));
	EXPECT_TRUE(claim_counts(&self->rig, &other, 31));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(0, claim_release(self->rig.fd, fixed.claim));
	EXPECT_TRUE(claim_unchanged(&self->rig, &other));
	EXPECT_EQ(0, claim_release(self->rig.fd, other.claim));
}

/* Frozen by someone: nothing counts, and the generation says so. */
TEST_F(direct, frozen_meanwhile)
{
	const struct uncore_pmu_unit *u = the_unit(self);
	struct uncore_pmu_program p;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &p));
	ASSERT_EQ(0, config_store(u, u->unit_control,
				  FREEZE_ENABLE | u->unit_freeze));
	EXPECT_TRUE(claim_stops(&self->rig, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* Events that only some counters can count, as perf would place them. */
TEST_F(direct, constraints)
{
	const struct uncore_pmu_unit *u = rig_unit(&self->rig, "r2pcie", 0, 0);
	struct uncore_pmu_program p[4];

	ASSERT_NE(NULL, u);
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x113, &p[0]));
	EXPECT_EQ(0U, p[0].counter);
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, u->index, 0x123, NULL));
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x110, &p[1]));
	EXPECT_EQ(1U, p[1].counter);
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, u->index, 0x111, NULL));
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x106, &p[2]));
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x206, &p[3]));
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, u->index, 0x306, NULL));
	EXPECT_EQ(0, release_all(&self->rig, p, 4));

	/* In the other order: what any counter can count takes no other's. */
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x106, &p[0]));
	EXPECT_EQ(2U, p[0].counter);
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x110, &p[1]));
	EXPECT_EQ(1U, p[1].counter);
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x113, &p[2]));
	EXPECT_EQ(0U, p[2].counter);
	EXPECT_EQ(0, release_all(&self->rig, p, 3));
}

/*
 * The kernel's driver comes: it finds the registers as they were, and has them
 * from then on.
 */
TEST_F(direct, driver_is_loaded)
{
	struct uncore_pmu_program lost[2], later;
	struct uncore_pmu_status status;
	uint64_t value;
	int i, fd;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &lost[0]));
	ASSERT_EQ(0, claim_fixed(self->rig.fd, self->unit, &lost[1]));
	ASSERT_EQ(0, perf_driver_load());
	for (i = 0; i < 2; i++) {
		uint32_t n = lost[i].counter;

		EXPECT_EQ(0U, generation_of(self->rig.generations, self->unit,
					    n) & 1);
		ASSERT_EQ(0, counter_status(self->rig.fd, self->unit, n,
					    &status));
		EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_LOST, status.state);
		EXPECT_EQ(lost[i].claim, status.claim);
		EXPECT_EQ(lost[i].config, status.config);
		EXPECT_EQ(1U, status.own);
		EXPECT_EQ(0ULL, status.control &
				the_unit(self)->counter[n].enable);
	}
	fd = perf_open(perf_pmu_type("imc", 1), perf_pmu_cpu("imc", 1, 0),
		       0x106);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, perf_read(fd, &value));
	close(fd);
	/* One gives way to a new claim of its counter, the other is released. */
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &later));
	EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, later.via);
	ASSERT_EQ(lost[0].counter, later.counter);
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
		  counter_state(self->rig.fd, self->unit, later.counter));
	EXPECT_EQ(-ENOENT, claim_release(self->rig.fd, lost[0].claim));
	EXPECT_EQ(0, claim_release(self->rig.fd, lost[1].claim));
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
		  counter_state(self->rig.fd, self->unit, lost[1].counter));
	EXPECT_EQ(0, claim_release(self->rig.fd, later.claim));
	ASSERT_EQ(0, perf_driver_unload());
	/* The driver has reset all units. */
	free(self->registers);
	self->registers = registers_save(&self->rig);
}

TEST_HARNESS_MAIN
