// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of the structures that programs were compiled with. That of what
 * crosses the border to the kernel is in selftests/kmod/abi.c.
 *
 * Test: where=host
 */
#include "harness.h"

#include <stddef.h>

#include <uncore.h>

#define LAYOUT(type, member, at) \
	_Static_assert(offsetof(struct type, member) == (at), #member)

/* Inline readers in old programs know these places. */
_Static_assert(sizeof(struct uncore_counter) == 64, "open counter");
LAYOUT(uncore_counter, address, 0);
LAYOUT(uncore_counter, mask, 8);
LAYOUT(uncore_counter, high_mask, 16);
LAYOUT(uncore_counter, load, 20);
LAYOUT(uncore_counter, way, 21);
LAYOUT(uncore_counter, index, 28);
LAYOUT(uncore_counter, control, 32);
LAYOUT(uncore_counter, enable, 48);
LAYOUT(uncore_counter, details, 56);
_Static_assert(sizeof(struct uncore_details) == 32, "details");
LAYOUT(uncore_details, generation, 0);
LAYOUT(uncore_details, config_mask, 8);
LAYOUT(uncore_details, mapping, 16);
LAYOUT(uncore_details, kind, 24);
LAYOUT(uncore_details, wide, 28);
LAYOUT(uncore_details, ask, 30);
LAYOUT(uncore_details, index, 31);
_Static_assert(sizeof(struct uncore_core) == 72, "core");
LAYOUT(uncore_core, details, 0);
LAYOUT(uncore_core, page, 32);
LAYOUT(uncore_core, owner, 40);
LAYOUT(uncore_core, sign, 48);
LAYOUT(uncore_core, bias, 56);
LAYOUT(uncore_core, limit, 64);
LAYOUT(uncore_core_pages, perf, 4096);
_Static_assert(sizeof(struct uncore_core_facts) == 208, "facts");
LAYOUT(uncore_core_facts, event, 0);
LAYOUT(uncore_core_facts, pmu, 128);
LAYOUT(uncore_core_facts, config, 160);
LAYOUT(uncore_core_facts, type, 168);
LAYOUT(uncore_core_facts, state, 172);
LAYOUT(uncore_core_facts, enabled, 176);
LAYOUT(uncore_core_facts, running, 184);
LAYOUT(uncore_core_facts, system_calls, 192);
LAYOUT(uncore_core_facts, error, 200);
LAYOUT(uncore_core_facts, other_core, 204);
/* The library makes these and adds to them at their end. */
LAYOUT(uncore_region, depth, 0);
LAYOUT(uncore_region, begin, 8);
LAYOUT(uncore_region, end, 16);
_Static_assert(sizeof(struct uncore_result) == 72, "result");
LAYOUT(uncore_result, thread, 16);
LAYOUT(uncore_result, die, 24);
LAYOUT(uncore_result, times, 32);
LAYOUT(uncore_result, value, 48);
LAYOUT(uncore_result, unit, 64);
_Static_assert(sizeof(struct uncore_watch) == 16, "watch");
LAYOUT(uncore_watch, control, 0);
LAYOUT(uncore_watch, generation, 8);
LAYOUT(uncore_watch, begun, 12);
_Static_assert(sizeof(struct uncore_event) == 168, "event");
LAYOUT(uncore_event, config, 0);
LAYOUT(uncore_event, kind, 8);
LAYOUT(uncore_event, source, 12);
LAYOUT(uncore_event, scale, 16);
LAYOUT(uncore_event, unit, 24);
LAYOUT(uncore_event, name, 40);
_Static_assert(sizeof(struct uncore_group) == 32, "group");
LAYOUT(uncore_group, counters, 0);
LAYOUT(uncore_group, blocks_end, 8);
LAYOUT(uncore_group, end, 16);
LAYOUT(uncore_group, count, 24);
LAYOUT(uncore_group, load, 28);
LAYOUT(uncore_group, halves, 29);

TEST(version_of_the_library)
{
	EXPECT_NE(NULL, uncore_version());
	EXPECT_EQ('0', uncore_version()[0]);
}

TEST_HARNESS_MAIN
