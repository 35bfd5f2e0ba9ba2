// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=alderlake,granite-rapids user=root kernels=6.12 timeout=300 module=no */
/*
 * Registers that freeze the counters of many units at once: without perf a claim
 * counts all the same, and the register is given back as it was.
 */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "claims.h"
#include "harness.h"
#include "mmio_units.h"

#define FROZEN		1U

FIXTURE(frozen)
{
	struct rig rig;
	struct uncore_pmu_info info;
	struct sim *sim;
	struct sim_addr table;
	bool has_table;
	uint32_t last;		/* entry of the table */
	uint64_t global;	/* physical address, 0: there is none */
};

static uint32_t global_value(FIXTURE_DATA(frozen) *self)
{
	uint32_t value = ~0U;

	return sim_peek(self->sim, self->global, &value) ? ~0U : value;
}

/* Anew, since what a table says is read when the module comes. */
static int load(void)
{
	int err = module_loaded(MODULE_NAME) ? module_unload() : 0;

	return err ? err : mmio_module_load("mchbar=1");
}

FIXTURE_SETUP(frozen)
{
	const struct uncore_pmu_unit *u;
	uint32_t bar, address, word;
	bool client;

	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, load());
	ASSERT_EQ(0, rig_open(&self->rig));
	self->info.size = sizeof(self->info);
	ASSERT_EQ(0, ioctl(self->rig.fd, UNCORE_PMU_INFO, &self->info));
	client = !strcmp(self->info.platform, "alderlake");
	self->has_table = !strcmp(self->info.platform, "granite-rapids");
	if (!client && !self->has_table)
		return;
	ASSERT_EQ(0, perf_driver_unload());
	u = rig_unit(&self->rig, "imc", client, 0);
	ASSERT_NE(NULL, u);
	self->global = mmio_address(self->sim, u) + 0xc0;
	if (self->has_table) {
		self->table = unit_addr(u);
		ASSERT_EQ(0, config_load(u, 0x10c, &bar));
		ASSERT_EQ(0, config_load(u, 0x10 + 4 * bar, &address));
		ASSERT_EQ(0, sim_peek(self->sim, address & ~0xfU, &word));
		self->last = (word >> 16) - 1;
		self->global = mmio_address(self->sim, u) + 0x404;
		ASSERT_EQ(0, sim_table(self->sim, self->table, 0,
				       SIM_GLOBAL_ACCESS, 1));
		ASSERT_EQ(0, sim_table(self->sim, self->table, 0,
				       SIM_GLOBAL_CONTROL, self->global));
		rig_close(&self->rig);
		ASSERT_EQ(0, load());
		ASSERT_EQ(0, rig_open(&self->rig));
	}
}

FIXTURE_TEARDOWN(frozen)
{
	rig_close(&self->rig);
	EXPECT_EQ(0, module_unload());
	if (self->global)
		EXPECT_EQ(0, sim_poke(self->sim, self->global, 0));
	if (self->has_table)
		EXPECT_EQ(0, sim_discovery(self->sim, self->table, "ok"));
	sim_close(self->sim);
}

/* Units that are frozen together, in whatever memory they are. */
static const struct uncore_pmu_unit *one_of(FIXTURE_DATA(frozen) *self,
					    unsigned int n)
{
	if (self->has_table)
		return rig_unit(&self->rig, n ? "b2cmi" : "imc", n, 0);
	return rig_unit(&self->rig, "imc", n, 0);
}

/* The last claim gives back what the first has found. */
TEST_F(frozen, lifted)
{
	struct uncore_pmu_program p[2];
	unsigned int i;

	if (!self->global)
		return;
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	for (i = 0; i < 2; i++) {
		ASSERT_NE(NULL, one_of(self, i));
		ASSERT_EQ(0, claim(self->rig.fd, one_of(self, i)->index, 0x304,
				   &p[i]));
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_DIRECT, p[i].via);
		EXPECT_EQ(0U, global_value(self));
	}
	for (i = 0; i < 2; i++)
		EXPECT_TRUE(claim_counts(&self->rig, &p[i], 4711));
	EXPECT_EQ(0, claim_release(self->rig.fd, p[0].claim));
	EXPECT_EQ(0U, global_value(self));
	EXPECT_TRUE(claim_counts(&self->rig, &p[1], 815));
	EXPECT_EQ(0, claim_release(self->rig.fd, p[1].claim));
	EXPECT_EQ(FROZEN, global_value(self));
}

/* With the holder, as with a release. */
TEST_F(frozen, closed)
{
	struct uncore_pmu_program p;
	int fd;

	if (!self->global)
		return;
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	fd = node_open(O_RDWR);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, claim(fd, one_of(self, 0)->index, 0x304, &p));
	EXPECT_TRUE(claim_counts(&self->rig, &p, 4711));
	close(fd);
	EXPECT_EQ(FROZEN, global_value(self));
}

TEST_F(frozen, not_frozen_before)
{
	struct uncore_pmu_program p;

	if (!self->global)
		return;
	ASSERT_EQ(0, sim_poke(self->sim, self->global, 0));
	ASSERT_EQ(0, claim(self->rig.fd, one_of(self, 0)->index, 0x304, &p));
	EXPECT_TRUE(claim_counts(&self->rig, &p, 4711));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(0U, global_value(self));
}

/* By someone else, while it counts: the generation says so, and the state. */
TEST_F(frozen, meanwhile)
{
	struct uncore_pmu_program p;

	if (!self->global)
		return;
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	ASSERT_EQ(0, claim(self->rig.fd, one_of(self, 0)->index, 0x304, &p));
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	EXPECT_TRUE(claim_stops(&self->rig, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(FROZEN, global_value(self));
}

/* The kernel's driver clears it, and it stays so. */
TEST_F(frozen, driver_is_loaded)
{
	struct uncore_pmu_program p;

	if (strcmp(self->info.platform, "alderlake"))
		return;
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	ASSERT_EQ(0, claim(self->rig.fd, one_of(self, 0)->index, 0x304, &p));
	ASSERT_EQ(0, perf_driver_load());
	EXPECT_EQ(UNCORE_PMU_COUNTER_LOST,
		  counter_state(self->rig.fd, p.unit, p.counter));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	ASSERT_EQ(0, sim_sync(self->sim));
	EXPECT_EQ(0U, global_value(self));
	ASSERT_EQ(0, claim(self->rig.fd, one_of(self, 0)->index, 0x304, &p));
	EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, p.via);
	EXPECT_TRUE(claim_counts(&self->rig, &p, 4711));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(0U, global_value(self));
	ASSERT_EQ(0, perf_driver_unload());
}

/* perf does not look at it, so what it programs is lifted, and watched. */
TEST_F(frozen, under_perf)
{
	struct uncore_pmu_program p;

	if (!self->global)
		return;
	ASSERT_EQ(0, perf_driver_load());
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	ASSERT_EQ(0, claim(self->rig.fd, one_of(self, 0)->index, 0x304, &p));
	EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, p.via);
	EXPECT_EQ(0U, global_value(self));
	EXPECT_TRUE(claim_counts(&self->rig, &p, 4711));
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	EXPECT_TRUE(claim_stops(&self->rig, &p));
	ASSERT_EQ(0, sim_poke(self->sim, self->global, 0));
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
		  counter_state(self->rig.fd, p.unit, p.counter));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(0U, global_value(self));
	ASSERT_EQ(0, perf_driver_unload());
}

/* What it counts would stand still if the freeze was given back. */
TEST_F(frozen, perf_has_others)
{
	struct uncore_pmu_program ours, perfs;
	const struct uncore_pmu_unit *u;

	if (!self->has_table)
		return;
	/* Of a type that perf did not see when it came. */
	ASSERT_EQ(0, perf_driver_load());
	ASSERT_EQ(0, sim_table(self->sim, self->table, self->last,
			       SIM_UNIT_TYPE, 41));
	rig_close(&self->rig);
	ASSERT_EQ(0, load());
	ASSERT_EQ(0, rig_open(&self->rig));
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	u = rig_unit(&self->rig, "type_41", 0, 0);
	ASSERT_NE(NULL, u);
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x304, &ours));
	EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_DIRECT, ours.via);
	ASSERT_EQ(0, claim(self->rig.fd, one_of(self, 0)->index, 0x304,
			   &perfs));
	EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, perfs.via);
	EXPECT_TRUE(claim_counts(&self->rig, &perfs, 4711));
	EXPECT_EQ(0, claim_release(self->rig.fd, ours.claim));
	EXPECT_EQ(0U, global_value(self));
	EXPECT_TRUE(claim_counts(&self->rig, &perfs, 815));
	EXPECT_TRUE(claim_unchanged(&self->rig, &perfs));
	EXPECT_EQ(0, claim_release(self->rig.fd, perfs.claim));

	/* Without perf it is given back. */
	ASSERT_EQ(0, perf_driver_unload());
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x304, &ours));
	EXPECT_EQ(0, claim_release(self->rig.fd, ours.claim));
	EXPECT_EQ(FROZEN, global_value(self));
}

/* A driver of the function with the table has nothing to do with the units. */
TEST_F(frozen, driver_of_the_table)
{
	struct uncore_pmu_program p;
	const struct uncore_pmu_unit *u;

	if (!self->has_table)
		return;
	u = one_of(self, 0);
	ASSERT_NE(NULL, u);
	ASSERT_EQ(0, sim_poke(self->sim, self->global, FROZEN));
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x304, &p));
	ASSERT_EQ(0, device_bind_stranger(u));
	EXPECT_TRUE(claim_unchanged(&self->rig, &p));
	EXPECT_TRUE(claim_counts(&self->rig, &p, 4711));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x304, &p));
	EXPECT_TRUE(claim_counts(&self->rig, &p, 815));
	ASSERT_EQ(0, device_unbind(u));
	EXPECT_TRUE(claim_unchanged(&self->rig, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(FROZEN, global_value(self));
}

/* Where it cannot be, nothing is counted that might stand still. */
TEST_F(frozen, out_of_reach)
{
	uint64_t imc = self->global - 0x404;
	const uint64_t places[] = { 0x100000, imc + 0x40, imc + 0x402 };
	const struct uncore_pmu_unit *u;
	struct uncore_pmu_program p;
	unsigned int i;

	if (!self->has_table)
		return;
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		ASSERT_EQ(0, sim_table(self->sim, self->table, 0,
				       SIM_GLOBAL_CONTROL, places[i]));
		rig_close(&self->rig);
		ASSERT_EQ(0, load());
		ASSERT_EQ(0, rig_open(&self->rig));
		EXPECT_EQ(-EPROTO, claim(self->rig.fd, one_of(self, 0)->index,
					 0x304, NULL)) TH_LOG("place %u", i);
		EXPECT_EQ(-EPROTO, claim(self->rig.fd, one_of(self, 1)->index,
					 0x304, NULL)) TH_LOG("place %u", i);
		/* Another die's table is not broken. */
		u = rig_unit(&self->rig, "imc", 0, 1);
		ASSERT_NE(NULL, u);
		ASSERT_EQ(0, claim(self->rig.fd, u->index, 0x304, &p));
		EXPECT_TRUE(claim_counts(&self->rig, &p, 4711));
		EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	}
}

/* Once, for it makes a PMU of every unit. */
TEST_LAST(perf_driver_comes_back)
{
	EXPECT_EQ(0, perf_driver_load());
}

TEST_HARNESS_MAIN
