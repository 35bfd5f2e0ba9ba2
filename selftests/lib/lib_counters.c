// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every counter of every platform, through the library, and what each type of
 * units can count.
 *
 * Test: where=guest platform=all kernels=6.12 timeout=120
 */
#include "harness.h"

#include <string.h>

#include <uncore.h>

#include "mmio_units.h"
#include "said.h"
#include "tool.h"

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

static bool has_text(json_t *array, const char *text)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element)
		if (!strcmp(json_string_value(element), text))
			return true;
	return false;
}

/* By names, or as units that have none. */
TEST(what_can_be_programmed_is_listed)
{
	unsigned int unit, programmable = 0;
	struct uncore_pmu_unit info;
	json_t *json, *events, *nameless;
	struct uncore *uncore;
	int status;

	json = said_json("uncorectl events --json 2>/dev/null", &status);
	ASSERT_NE(NULL, json);
	events = json_object_get(json, "events");
	nameless = json_object_get(json, "nameless");
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	for (unit = 0; unit < uncore_num_units(uncore); unit++) {
		ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
		if (info.state != UNCORE_PMU_STATE_OK || !info.config_mask)
			continue;
		programmable++;
		EXPECT_TRUE(json_find(events, "type", info.type) ||
			    has_text(nameless, info.type)) ABOUT(&info);
	}
	if (programmable)
		EXPECT_EQ(0, status);
	TH_LOG("%u units can be programmed", programmable);
	uncore_close(uncore);
	json_decref(json);
}

TEST_HARNESS_MAIN
