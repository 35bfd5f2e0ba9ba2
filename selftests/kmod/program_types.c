// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=full-sandybridge-ep,full-ivybridge-ep,full-haswell-ep,full-broadwell-ep,knl,full-skylake-sp,snowridge,full-icelake-sp user=root kernels=all timeout=300 */
/*
 * Units of all types: each bit that may be programmed, and no other; and what
 * becomes of claims when the kernel's driver comes.
 */
#include <fcntl.h>

#include "claims.h"
#include "harness.h"

#define MAX_TYPES	16
#define PLAIN_EVENT	0x06ULL

FIXTURE(types)
{
	struct rig rig;
	const struct uncore_pmu_unit *first[MAX_TYPES];	/* of each type */
	unsigned int count;
};

FIXTURE_VARIANT(types)
{
	uint32_t via;
};

/* The first is without the kernel's driver, and ends with its coming. */
FIXTURE_VARIANT_ADD(types, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

FIXTURE_VARIANT_ADD(types, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

static const struct uncore_pmu_unit *
first_like(FIXTURE_DATA(types) *self, const struct uncore_pmu_unit *u)
{
	unsigned int i;

	for (i = 0; i < self->count; i++)
		if (!strcmp(self->first[i]->type, u->type))
			return self->first[i];
	return NULL;
}

FIXTURE_SETUP(types)
{
	const struct units *units = &self->rig.units;
	unsigned int i;

	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, perf_driver_unload());
	} else {
		ASSERT_EQ(0, perf_driver_load());
	}
	ASSERT_EQ(0, rig_open(&self->rig));
	for (i = 0; i < units->count; i++) {
		if (!self->rig.page[i] || first_like(self, &units->unit[i]))
			continue;
		ASSERT_GT((unsigned int)MAX_TYPES, self->count);
		self->first[self->count++] = &units->unit[i];
	}
	ASSERT_LT(0U, self->count);
}

FIXTURE_TEARDOWN(types)
{
	rig_close(&self->rig);
}

/* perf leaves the upper half of these types' control registers alone. */
static bool perf_drops(const struct uncore_pmu_unit *u, unsigned int bit)
{
	return bit > 31 && (!strcmp(u->type, "m2m") || !strcmp(u->type, "upi"));
}

static void try_bit(struct __test_metadata *_metadata,
		    FIXTURE_DATA(types) *self, uint32_t via,
		    const struct uncore_pmu_unit *u, unsigned int bit)
{
	uint64_t config = 1ULL << bit | (bit < 8 ? 0 : PLAIN_EVENT);
	struct uncore_pmu_program p;

	if (!(u->config_mask >> bit & 1)) {
		EXPECT_EQ(-EINVAL, claim(self->rig.fd, u->index, config, NULL))
			TH_LOG("%s bit %u", unit_name(u), bit);
		return;
	}
	if (via == UNCORE_PMU_VIA_PERF && perf_drops(u, bit)) {
		EXPECT_EQ(-EPROTO, claim(self->rig.fd, u->index, config, NULL))
			TH_LOG("%s bit %u", unit_name(u), bit);
		return;
	}
	ASSERT_EQ(0, claim(self->rig.fd, u->index, config, &p))
		TH_LOG("%s bit %u", unit_name(u), bit);
	EXPECT_EQ(via, p.via);
	EXPECT_EQ(config | u->counter[p.counter].enable,
		  claim_control(&self->rig, &p))
		TH_LOG("%s bit %u", unit_name(u), bit);
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* At once, and without that anyone asks. */
static void driver_comes(struct __test_metadata *_metadata,
			 FIXTURE_DATA(types) *self)
{
	struct uncore_pmu_program lost[MAX_TYPES], later;
	uint32_t now;
	unsigned int i;

	for (i = 0; i < self->count; i++)
		ASSERT_EQ(0, claim(self->rig.fd, self->first[i]->index,
				   PLAIN_EVENT, &lost[i]));
	ASSERT_EQ(0, perf_driver_load());
	for (i = 0; i < self->count; i++) {
		const struct uncore_pmu_unit *u = self->first[i];
		uint32_t n = lost[i].counter;

		now = generation_of(self->rig.generations, u->index, n);
		EXPECT_NE(lost[i].generation, now) ABOUT(u);
		EXPECT_EQ(0U, now & 1) ABOUT(u);
		EXPECT_EQ(0ULL, claim_control(&self->rig, &lost[i]) &
				u->counter[n].enable) ABOUT(u);
		EXPECT_EQ(UNCORE_PMU_COUNTER_LOST,
			  counter_state(self->rig.fd, u->index, n)) ABOUT(u);
		EXPECT_EQ(0, claim_release(self->rig.fd, lost[i].claim));
		ASSERT_EQ(0, claim(self->rig.fd, u->index, PLAIN_EVENT, &later))
			ABOUT(u);
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, later.via) ABOUT(u);
		EXPECT_TRUE(claim_counts(&self->rig, &later, 4711)) ABOUT(u);
		EXPECT_EQ(0, claim_release(self->rig.fd, later.claim));
	}
}

TEST_F(types, each_bit)
{
	const struct units *units = &self->rig.units;
	unsigned int i, bit;

	for (i = 0; i < units->count; i++)
		if (self->rig.page[i])
			EXPECT_EQ(first_like(self, &units->unit[i])->config_mask,
				  units->unit[i].config_mask)
				ABOUT(&units->unit[i]);
	for (i = 0; i < self->count; i++)
		for (bit = 0; bit < 64; bit++)
			try_bit(_metadata, self, variant->via, self->first[i],
				bit);
	if (variant->via == UNCORE_PMU_VIA_DIRECT)
		driver_comes(_metadata, self);
}

TEST_HARNESS_MAIN
