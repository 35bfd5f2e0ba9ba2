// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep,sapphire-rapids user=root kernels=all timeout=300 suspend=yes boot=own */
/*
 * The machine sleeps (S3) and wakes up. All CPUs but the first are offline
 * meanwhile, so that the other die's claims are lost where perf has them, and
 * perf's driver unmaps that die's units in memory.
 *
 * One CPU a die: QEMU's firmware leaves the others spinning at wake-up.
 */
#include <fcntl.h>
#include <stdio.h>

#include "claims.h"
#include "harness.h"
#include "mmio_units.h"

#define POWER_STATE	"/sys/power/state"
#define ALARM		"/sys/class/rtc/rtc0/wakealarm"

FIXTURE(sleep)
{
	struct rig rig;
};

FIXTURE_VARIANT(sleep)
{
	uint32_t via;
};

FIXTURE_VARIANT_ADD(sleep, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

FIXTURE_VARIANT_ADD(sleep, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

FIXTURE_SETUP(sleep)
{
	char states[128];

	ASSERT_EQ(0, file_read(POWER_STATE, states, sizeof(states)));
	ASSERT_NE(NULL, strstr(states, "mem"));
	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, perf_driver_unload());
	}
	ASSERT_EQ(0, rig_open(&self->rig));
}

FIXTURE_TEARDOWN(sleep)
{
	rig_close(&self->rig);
	/* Anew, for the CPUs have been away. */
	EXPECT_EQ(0, perf_driver_unload());
	EXPECT_EQ(0, perf_driver_load());
}

/* Until the clock wakes the machine. */
static int sleep_a_while(void)
{
	int err = file_write(ALARM, "0");

	if (!err)
		err = file_write(ALARM, "+2");
	return err ? err : file_write(POWER_STATE, "mem");
}

static uint64_t control_address(struct sim *sim,
				const struct uncore_pmu_unit *u)
{
	return (mmio_address(sim, u) & ~(uint64_t)(PAGE - 1)) + u->unit_control;
}

static int control_load(struct sim *sim, const struct uncore_pmu_unit *u,
			uint32_t *control)
{
	if (unit_is_mmio(u))
		return sim_peek(sim, control_address(sim, u), control);
	return config_load(u, u->unit_control, control);
}

static int control_store(struct sim *sim, const struct uncore_pmu_unit *u,
			 uint32_t control)
{
	if (unit_is_mmio(u))
		return sim_poke(sim, control_address(sim, u), control);
	return config_store(u, u->unit_control, control);
}

static int wipe_unit(const struct rig *rig, uint32_t unit)
{
	const struct uncore_pmu_unit *u = &rig->units.unit[unit];
	/* RST_CTRL of units from discovery tables, and of all others. */
	uint32_t reset = u->unit_freeze == 1 ? 1 << 8 : 1;
	uint32_t control;
	int err = sim_sync(rig->sim);

	/* What was written just before, a reset would spare. */
	if (!err)
		err = control_load(rig->sim, u, &control);
	if (!err)
		err = control_store(rig->sim, u, control | reset);
	return err ? err : sim_sync(rig->sim);
}

/*
 * Claims 0 to 3 are on two units of each die, 4 to 7 on the same units' fixed
 * counters. The registers of the second ones are lost in between, as on
 * hardware.
 */
TEST_F(sleep, claims)
{
	struct uncore_pmu_program p[8];
	struct uncore_pmu_status status;
	uint32_t now;
	int i;

	for (i = 0; i < 4; i++) {
		const struct uncore_pmu_unit *imc =
			rig_unit(&self->rig, "imc", i / 2, i % 2);

		ASSERT_NE(NULL, imc);
		ASSERT_EQ(0, claim(self->rig.fd, imc->index, 0x304, &p[i]));
		ASSERT_EQ(0, claim_fixed(self->rig.fd, imc->index, &p[4 + i]));
	}
	for (i = 2; i < 4; i++) {
		ASSERT_EQ(0, wipe_unit(&self->rig, p[i].unit));
		EXPECT_EQ(0ULL, claim_control(&self->rig, &p[i]));
	}
	ASSERT_EQ(0, sleep_a_while());
	for (i = 0; i < 8; i++) {
		bool lost = variant->via == UNCORE_PMU_VIA_PERF && i % 2;

		now = generation_of(self->rig.generations, p[i].unit,
				    p[i].counter);
		EXPECT_NE(p[i].generation, now);
		EXPECT_EQ((uint32_t)!lost, now & 1) TH_LOG("claim %d", i);
		ASSERT_EQ(0, counter_status(self->rig.fd, p[i].unit,
					    p[i].counter, &status));
		EXPECT_EQ((uint32_t)(lost ? UNCORE_PMU_COUNTER_LOST :
					    UNCORE_PMU_COUNTER_CLAIMED),
			  status.state) TH_LOG("claim %d", i);
		EXPECT_EQ(p[i].claim, status.claim);
		EXPECT_EQ(!lost, claim_counts(&self->rig, &p[i], 271828))
			TH_LOG("claim %d", i);
	}
	EXPECT_EQ(0, release_all(&self->rig, p, 8));
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
			  counter_state(self->rig.fd, p[i].unit, p[i].counter));
	}
}

/* What a counter did meanwhile, the tool cannot know, and so gives no number. */
TEST(no_number_across_sleep)
{
	FILE *out = popen("exec uncorectl read --json -i 0.2 -n 100 imc0@0/ctr0",
			  "re");
	char line[1024];

	ASSERT_NE(NULL, out);
	ASSERT_NE(NULL, fgets(line, sizeof(line), out));
	EXPECT_NE(NULL, strstr(line, "\"state\":\"not programmed\",\"reason\":"
			       "null,\"delta\":0,")) TH_LOG("%s", line);
	ASSERT_EQ(0, sleep_a_while());
	do {
		ASSERT_NE(NULL, fgets(line, sizeof(line), out));
	} while (strstr(line, "\"reason\":null,\"delta\":0,"));
	EXPECT_NE(NULL, strstr(line, "\"state\":\"uncertain\",\"reason\":\"the "
			       "machine slept meanwhile: the counter may have "
			       "been reset\",\"delta\":null,\"rate\":null,"))
		TH_LOG("%s", line);
	ASSERT_NE(NULL, fgets(line, sizeof(line), out));
	EXPECT_NE(NULL, strstr(line, "\"reason\":null,\"delta\":0,"))
		TH_LOG("%s", line);
	pclose(out);
}

TEST_HARNESS_MAIN
