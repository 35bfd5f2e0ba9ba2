// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of what crosses the border to the kernel, and of the structures
 * that programs were compiled with.
 *
 * Test: where=host
 */
#include "harness.h"

#include <stddef.h>

#include <uncore.h>

#define LAYOUT(type, member, at) \
	_Static_assert(offsetof(struct type, member) == (at), #member)

_Static_assert(sizeof(struct uncore_pmu_info) == 56, "info");
LAYOUT(uncore_pmu_info, size, 0);
LAYOUT(uncore_pmu_info, flags, 4);
LAYOUT(uncore_pmu_info, abi_version, 8);
LAYOUT(uncore_pmu_info, num_units, 12);
LAYOUT(uncore_pmu_info, features, 16);
LAYOUT(uncore_pmu_info, platform, 24);

_Static_assert(sizeof(struct uncore_pmu_counter) == 40, "counter");
LAYOUT(uncore_pmu_counter, offset, 0);
LAYOUT(uncore_pmu_counter, control, 4);
LAYOUT(uncore_pmu_counter, enable, 8);
LAYOUT(uncore_pmu_counter, scale, 12);
LAYOUT(uncore_pmu_counter, width, 16);
LAYOUT(uncore_pmu_counter, kind, 18);
LAYOUT(uncore_pmu_counter, quantity, 19);
LAYOUT(uncore_pmu_counter, __reserved, 20);
LAYOUT(uncore_pmu_counter, name, 24);

_Static_assert(sizeof(struct uncore_pmu_unit) ==
	       96 + 40 * UNCORE_PMU_MAX_COUNTERS, "unit");
LAYOUT(uncore_pmu_unit, size, 0);
LAYOUT(uncore_pmu_unit, flags, 4);
LAYOUT(uncore_pmu_unit, index, 8);
LAYOUT(uncore_pmu_unit, state, 12);
LAYOUT(uncore_pmu_unit, reason, 16);
LAYOUT(uncore_pmu_unit, access, 20);
LAYOUT(uncore_pmu_unit, type, 24);
LAYOUT(uncore_pmu_unit, instance, 40);
LAYOUT(uncore_pmu_unit, die, 44);
LAYOUT(uncore_pmu_unit, socket, 48);
LAYOUT(uncore_pmu_unit, numa_node, 52);
LAYOUT(uncore_pmu_unit, segment, 56);
LAYOUT(uncore_pmu_unit, bus, 60);
LAYOUT(uncore_pmu_unit, device, 61);
LAYOUT(uncore_pmu_unit, function, 62);
LAYOUT(uncore_pmu_unit, pci_vendor, 64);
LAYOUT(uncore_pmu_unit, pci_device, 66);
LAYOUT(uncore_pmu_unit, unit_control, 68);
LAYOUT(uncore_pmu_unit, unit_freeze, 72);
LAYOUT(uncore_pmu_unit, num_counters, 76);
LAYOUT(uncore_pmu_unit, mmap_offset, 80);
LAYOUT(uncore_pmu_unit, mmap_length, 88);
LAYOUT(uncore_pmu_unit, counter, 96);

/* Inline readers in old programs know these places. */
_Static_assert(sizeof(struct uncore_counter) == 64, "open counter");
LAYOUT(uncore_counter, address, 0);
LAYOUT(uncore_counter, mask, 8);
LAYOUT(uncore_counter, high_mask, 16);
LAYOUT(uncore_counter, load, 20);
LAYOUT(uncore_counter, halves, 21);
LAYOUT(uncore_counter, index, 28);
LAYOUT(uncore_counter, control, 32);
_Static_assert(sizeof(struct uncore_group) == 32, "group");
LAYOUT(uncore_group, counters, 0);
LAYOUT(uncore_group, blocks_end, 8);
LAYOUT(uncore_group, end, 16);
LAYOUT(uncore_group, count, 24);
LAYOUT(uncore_group, load, 28);
LAYOUT(uncore_group, halves, 29);

TEST(numbers_of_calls_never_change)
{
	EXPECT_EQ(0xb700, UNCORE_PMU_INFO);
	EXPECT_EQ(0xb701, UNCORE_PMU_UNIT);
}

TEST(version_of_the_library)
{
	EXPECT_NE(NULL, uncore_version());
	EXPECT_EQ('0', uncore_version()[0]);
}

TEST_HARNESS_MAIN
