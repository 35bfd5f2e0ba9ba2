// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every counter of every platform, through the library.
 *
 * Test: where=guest platform=all timeout=120
 */
#include "harness.h"

#include <uncore.h>

#include "mmio_units.h"

/* Two values that differ in every bit of every width. */
static void compare(struct __test_metadata *_metadata, struct sim *sim,
		    const struct uncore_pmu_unit *info, unsigned int index,
		    const struct uncore_counter *counter)
{
	uint64_t value = (0x5a5a5a5a5a5a5a5a ^ info->index ^ index) &
			 counter->mask;
	struct sim_addr addr;
	int round;

	ASSERT_EQ(0, mmio_find(sim, info, &addr)) ABOUT(info);
	for (round = 0; round < 2; round++) {
		ASSERT_EQ(0, sim_set(sim, addr, index, value)) ABOUT(info);
		EXPECT_EQ(value, uncore_read(counter)) ABOUT(info);
		EXPECT_EQ((uint32_t)value, uncore_read_low(counter))
			ABOUT(info);
		value = ~value & counter->mask;
	}
}

TEST(all_counters)
{
	unsigned int unit, index, checked = 0, locked = 0;
	struct uncore_counter counter;
	struct uncore_pmu_unit info;
	struct uncore *uncore;
	struct sim *sim;

	ASSERT_EQ(0, sim_open(&sim));
	ASSERT_EQ(0, sim_clock(sim, false));
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	for (unit = 0; unit < uncore_num_units(uncore); unit++) {
		ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
		locked += info.state == UNCORE_PMU_STATE_LOCKED;
		if (info.state != UNCORE_PMU_STATE_OK)
			continue;
		for (index = 0; index < info.num_counters; index++) {
			ASSERT_EQ(0, uncore_counter_open(uncore, unit, index,
							 &counter))
				ABOUT(&info);
			EXPECT_EQ(info.counter[index].width, counter.width);
			compare(_metadata, sim, &info, index, &counter);
			uncore_counter_close(&counter);
			checked++;
		}
	}
	TH_LOG("%u counters", checked);
	/* Some client chips have no others; kmod/client unlocks them. */
	EXPECT_LT(0, checked + locked);
	uncore_close(uncore);
	sim_clock(sim, true);
	sim_close(sim);
}

TEST_HARNESS_MAIN
