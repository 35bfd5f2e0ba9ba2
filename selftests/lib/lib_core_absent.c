// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of the core in a virtual machine that has none.
 *
 * Test: where=guest user=member
 */
#include "harness.h"

#include <uncore.h>

TEST(no_pmu)
{
	struct uncore_event_error error;
	struct uncore_counter counter;

	EXPECT_EQ(-ENODEV, uncore_core_open("branch-misses", &counter, &error));
	EXPECT_STREQ(uncore_strerror(UNCORE_CALL_CORE, -ENODEV), error.message);
	EXPECT_EQ(-ENODEV, uncore_core_open("cpu/cycles/", &counter, NULL));
	EXPECT_EQ(-ENODEV, uncore_core_open("amd_df/event=7/", &counter,
					    &error));
	EXPECT_STREQ("amd_df is of AMD's processors: what this one has, "
		     "\"uncorectl list\" shows", error.message);
	EXPECT_EQ(-EINVAL, uncore_core_open("", &counter, &error));
	EXPECT_STREQ("an event is missing", error.message);
}

TEST(no_rdpmc)
{
	struct uncore *uncore;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	EXPECT_EQ(-ENODEV, uncore_rdpmc_begin(uncore));
	EXPECT_EQ(-ENXIO, uncore_rdpmc_width(0));
	uncore_close(uncore);
}

TEST_HARNESS_MAIN
