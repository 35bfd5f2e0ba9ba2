// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/memory-2s.lspci user=root kernels=all timeout=300 */
/*
 * Units that are alone of their type: perf's PMU has no number in its name then,
 * whatever the unit's is.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "claims.h"
#include "harness.h"
#include "perf.h"

FIXTURE(alone)
{
	struct rig rig;
	int perf;
};

FIXTURE_VARIANT(alone)
{
	const char *type;
	uint32_t instance;
	const char *nameless;	/* for perf of Linux 6.1 */
};

FIXTURE_VARIANT_ADD(alone, cxlcm)
{
	.type = "cxlcm",
	.instance = 4,
	.nameless = "type_12",
};

FIXTURE_VARIANT_ADD(alone, cxldp)
{
	.type = "cxldp",
	.instance = 5,
	.nameless = "type_13",
};

FIXTURE_SETUP(alone)
{
	ASSERT_EQ(0, rig_open(&self->rig));
	/* A name without a number, which is tried for instance 0. */
	self->perf = perf_pmu_type(variant->type, 0);
	if (self->perf == -ENOENT)
		self->perf = perf_pmu_type(variant->nameless, 0);
	ASSERT_LE(0, self->perf);
}

FIXTURE_TEARDOWN(alone)
{
	rig_close(&self->rig);
}

/*
 * On both dies, beside an event of perf's. Where perf does not know the type, it
 * has the first counter right only.
 */
TEST_F(alone, is_programmed_by_perf)
{
	bool nameless = perf_is_nameless(variant->type);
	const struct uncore_pmu_unit *unit;
	struct uncore_pmu_program p[2];
	uint64_t value;
	int die, perf;
	char **page;

	for (die = 0; die < 2; die++) {
		unit = rig_unit(&self->rig, variant->type, variant->instance,
				die);
		ASSERT_NE(NULL, unit);
		/* What perf does not know is left out by rig_open(). */
		page = &self->rig.page[unit->index];
		if (nameless)
			*page = unit_map(self->rig.fd, unit);
		ASSERT_NE(MAP_FAILED, *page);
		ASSERT_EQ(0, claim(self->rig.fd, unit->index, 0x50, &p[0]));
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, p[0].via);
		EXPECT_TRUE(claim_counts(&self->rig, &p[0], 4711));

		perf = perf_open(self->perf, perf_pmu_cpu("imc", 0, die), 0x51);
		ASSERT_LE(0, perf);
		EXPECT_EQ(nameless ? -EPROTO : 0,
			  claim(self->rig.fd, unit->index, 0x52, &p[1]));
		if (!nameless) {
			EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, p[1].via);
			EXPECT_TRUE(claim_counts(&self->rig, &p[1], 42));
		}
		EXPECT_TRUE(claim_counts(&self->rig, &p[0], 1));
		EXPECT_TRUE(claim_unchanged(&self->rig, &p[0]));
		EXPECT_EQ(0, release_all(&self->rig, p, nameless ? 1 : 2));
		EXPECT_EQ(0, perf_read(perf, &value));
		EXPECT_EQ(0ULL, value);
		EXPECT_EQ(0, close(perf));
	}
}

TEST_HARNESS_MAIN
