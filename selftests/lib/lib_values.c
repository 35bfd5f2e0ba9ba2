// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values, differences, groups and states, on registers in memory.
 *
 * Test: where=host
 */
#include "harness.h"

#include <uncore.h>

#include "internal.h"

#define PAGE_SIZE	4096

/* One unit with a counter of every sort, in a page that is memory. */
static uint32_t page[PAGE_SIZE / 4] __attribute__((aligned(PAGE_SIZE)));

static struct uncore_pmu_unit unit_of(uint32_t access, unsigned int width,
				      uint32_t offset)
{
	struct uncore_pmu_unit info = {
		.state = UNCORE_PMU_STATE_OK,
		.access = access,
		.num_counters = 1,
		.mmap_length = PAGE_SIZE,
		.unit_control = 0xf4,
		.unit_freeze = 1 << 8,
		.counter[0] = {
			.offset = offset,
			.control = 0xd8,
			.enable = 1 << 22,
			.width = (uint16_t)width,
			.kind = UNCORE_PMU_KIND_GENERAL,
		},
	};

	return info;
}

static int bind_unit(struct uncore_counter *counter,
		     const struct uncore_pmu_unit *info)
{
	struct uncore_details details;

	return uncore_counter_bind(counter, &details, info, 0, page);
}

static int bind(struct uncore_counter *counter, uint32_t access,
		unsigned int width, uint32_t offset)
{
	struct uncore_pmu_unit info = unit_of(access, width, offset);

	memset(counter, 0, sizeof(*counter));
	return bind_unit(counter, &info);
}

static void set(uint32_t offset, uint64_t value)
{
	page[offset / 4] = (uint32_t)value;
	page[offset / 4 + 1] = (uint32_t)(value >> 32);
	__asm__ volatile("" : : : "memory");
}

TEST(difference_at_every_width)
{
	struct uncore_counter counter;
	unsigned int width;
	uint64_t top;

	for (width = 1; width <= 64; width++) {
		ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_MMIO64, width,
				  0xa0));
		top = UINT64_MAX >> (64 - width);
		EXPECT_EQ(0, uncore_delta(&counter, top, top));
		EXPECT_EQ(1, uncore_delta(&counter, top, 0));
		EXPECT_EQ(1, uncore_delta(&counter, 0, 1));
		EXPECT_EQ(top, uncore_delta(&counter, 0, top));
		EXPECT_EQ(top, uncore_delta(&counter, 1, 0));
		EXPECT_EQ(3 & top, uncore_delta(&counter, top - 1, 1));
	}
}

TEST(low_difference_at_every_width)
{
	struct uncore_counter counter;
	unsigned int width;
	uint32_t top;

	for (width = 1; width <= 64; width++) {
		ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_MMIO64, width,
				  0xa0));
		top = width >= 32 ? UINT32_MAX : (1U << width) - 1;
		EXPECT_EQ(1, uncore_delta_low(&counter, top, 0));
		EXPECT_EQ(top, uncore_delta_low(&counter, 1, 0));
		EXPECT_EQ(0, uncore_delta_low(&counter, top, top));
	}
}

TEST(value_is_masked_at_every_width)
{
	static const uint32_t access[] = {
		UNCORE_PMU_ACCESS_CONFIG, UNCORE_PMU_ACCESS_MMIO64,
		UNCORE_PMU_ACCESS_MMIO32,
	};
	struct uncore_counter counter;
	unsigned int width;
	size_t i;

	set(0xa0, UINT64_MAX);
	for (i = 0; i < ARRAY_LENGTH(access); i++) {
		for (width = 1; width <= 64; width++) {
			if (access[i] == UNCORE_PMU_ACCESS_MMIO32 && width > 32)
				break;
			ASSERT_EQ(0, bind(&counter, access[i], width, 0xa0));
			EXPECT_EQ(UINT64_MAX >> (64 - width),
				  uncore_read(&counter));
			EXPECT_EQ(UINT64_MAX >> (64 - width),
				  uncore_load_counter(&counter, counter.load));
		}
	}
}

TEST(value_comes_from_its_own_place)
{
	struct uncore_counter counter;

	set(0x98, 0x1111111111111111);
	set(0xa0, 0x0000123456789abc);
	set(0xa8, 0x2222222222222222);
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 0xa0));
	EXPECT_EQ(0x123456789abc, uncore_read(&counter));
	EXPECT_EQ(0x56789abc, uncore_read_low(&counter));
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_MMIO64, 48, 0xa0));
	EXPECT_EQ(0x123456789abc, uncore_read(&counter));
	EXPECT_EQ(0x56789abc, uncore_read_low(&counter));
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_MMIO32, 32, 0xa0));
	EXPECT_EQ(0x56789abc, uncore_read(&counter));
	/* A half that starts in the middle of eight bytes. */
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 0xa4));
	EXPECT_EQ(0x222200001234, uncore_read(&counter));
}

TEST(loads_by_class_and_width)
{
	struct uncore_counter counter;

	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 0xa0));
	EXPECT_EQ(UNCORE_LOAD_PAIR, counter.load);
	EXPECT_EQ(1, counter.way);
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 33, 0xa0));
	EXPECT_EQ(UNCORE_LOAD_PAIR, counter.load);
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 32, 0xa0));
	EXPECT_EQ(UNCORE_LOAD_32, counter.load);
	EXPECT_EQ(0, counter.way);
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_MMIO64, 48, 0xa0));
	EXPECT_EQ(UNCORE_LOAD_64, counter.load);
	EXPECT_EQ(0, counter.way);
	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_RDPMC, 48, 0x40000001));
	EXPECT_EQ(UNCORE_LOAD_RDPMC, counter.load);
	EXPECT_EQ(0x40000001, counter.index);
	EXPECT_EQ(NULL, counter.address);
}

TEST(descriptions_that_cannot_be)
{
	struct uncore_counter counter;
	struct uncore_pmu_unit info;

	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 0, 0xa0));
	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 65, 0xa0));
	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 0xa2));
	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 4092));
	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 4096));
	EXPECT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 4088));
	EXPECT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 32, 4092));
	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48,
				UINT32_MAX - 3));
	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_MMIO64, 48, 0xa4));
	EXPECT_EQ(-EPROTO, bind(&counter, UNCORE_PMU_ACCESS_MMIO32, 33, 0xa0));
	EXPECT_EQ(-EOPNOTSUPP, bind(&counter, UNCORE_PMU_ACCESS_WINDOW, 48, 0));
	EXPECT_EQ(-EOPNOTSUPP, bind(&counter, 99, 48, 0xa0));

	info = unit_of(UNCORE_PMU_ACCESS_CONFIG, 48, 0xa0);
	info.counter[0].control = 4096;
	EXPECT_EQ(-EPROTO, bind_unit(&counter, &info));
	info = unit_of(UNCORE_PMU_ACCESS_CONFIG, 48, 0xa0);
	info.unit_control = 0xf5;
	EXPECT_EQ(-EPROTO, bind_unit(&counter, &info));
	info = unit_of(UNCORE_PMU_ACCESS_CONFIG, 48, 0xa0);
	info.mmap_length = 4;
	EXPECT_EQ(-EPROTO, bind_unit(&counter, &info));
}

TEST(nothing_is_changed_on_failure)
{
	struct uncore_counter counter, before;
	struct uncore_pmu_unit info;

	memset(&counter, 0x5a, sizeof(counter));
	before = counter;
	info = unit_of(UNCORE_PMU_ACCESS_CONFIG, 65, 0xa0);
	EXPECT_EQ(-EPROTO, bind_unit(&counter, &info));
	EXPECT_EQ(0, memcmp(&counter, &before, sizeof(counter)));
}

TEST(state_from_the_registers)
{
	struct uncore_counter counter;

	ASSERT_EQ(0, bind(&counter, UNCORE_PMU_ACCESS_CONFIG, 48, 0xa0));
	page[0xd8 / 4] = 0;
	page[0xf4 / 4] = 0;
	EXPECT_EQ(UNCORE_COUNTER_NOT_PROGRAMMED,
		  uncore_counter_registers(&counter));
	EXPECT_EQ(0, uncore_control(&counter));
	page[0xd8 / 4] = 1 << 22 | 0x0304;
	EXPECT_EQ(UNCORE_COUNTER_COUNTING, uncore_counter_registers(&counter));
	EXPECT_EQ(1U << 22 | 0x0304, uncore_control(&counter));
	page[0xf4 / 4] = 1 << 8;
	EXPECT_EQ(UNCORE_COUNTER_FROZEN, uncore_counter_registers(&counter));
	page[0xd8 / 4] = 0x0304;
	EXPECT_EQ(UNCORE_COUNTER_NOT_PROGRAMMED,
		  uncore_counter_registers(&counter));
}

TEST(state_without_registers)
{
	struct uncore_pmu_unit info = unit_of(UNCORE_PMU_ACCESS_CONFIG, 48,
					      0xa0);
	struct uncore_counter counter;

	info.counter[0].control = UNCORE_PMU_NO_REGISTER;
	info.counter[0].enable = 0;
	info.unit_control = UNCORE_PMU_NO_REGISTER;
	ASSERT_EQ(0, bind_unit(&counter, &info));
	EXPECT_EQ(UNCORE_COUNTER_COUNTING, uncore_counter_registers(&counter));
	EXPECT_EQ(0, uncore_control(&counter));
}

TEST(groups_of_every_size)
{
	static const uint32_t access[] = {
		UNCORE_PMU_ACCESS_CONFIG, UNCORE_PMU_ACCESS_MMIO64,
		UNCORE_PMU_ACCESS_MMIO32,
	};
	struct uncore_counter counters[20];
	uint64_t values[21], expected;
	uint32_t low[21], count, i;
	struct uncore_group group;
	size_t a;

	for (i = 0; i < ARRAY_LENGTH(counters); i++)
		set(0x200 + i * 8, 0xabcd00000000 + i * 0x0000000100000001ULL);
	for (a = 0; a < ARRAY_LENGTH(access); a++) {
		bool half = access[a] == UNCORE_PMU_ACCESS_MMIO32;

		for (i = 0; i < ARRAY_LENGTH(counters); i++)
			ASSERT_EQ(0, bind(&counters[i], access[a],
					  half ? 32 : 48, 0x200 + i * 8));
		for (count = 1; count <= ARRAY_LENGTH(counters); count++) {
			memset(values, 0xee, sizeof(values));
			memset(low, 0xee, sizeof(low));
			ASSERT_EQ(0, uncore_group_init(&group, counters, count));
			uncore_group_read(&group, values);
			uncore_group_read_low(&group, low);
			for (i = 0; i < count; i++) {
				expected = 0xabcd00000000 +
					   i * 0x0000000100000001ULL;
				EXPECT_EQ(half ? i : expected, values[i]);
				EXPECT_EQ(i, low[i]);
			}
			EXPECT_EQ(0xeeeeeeeeeeeeeeeeULL, values[count]);
			EXPECT_EQ(0xeeeeeeee, low[count]);
		}
	}
}

TEST(groups_that_cannot_be)
{
	struct uncore_counter counters[2];
	struct uncore_group group;

	ASSERT_EQ(0, bind(&counters[0], UNCORE_PMU_ACCESS_CONFIG, 48, 0xa0));
	ASSERT_EQ(0, bind(&counters[1], UNCORE_PMU_ACCESS_MMIO64, 48, 0xa8));
	EXPECT_EQ(-EINVAL, uncore_group_init(&group, counters, 0));
	EXPECT_EQ(-EINVAL, uncore_group_init(&group, counters, 2));
	memset(counters, 0, sizeof(counters));
	EXPECT_EQ(-EINVAL, uncore_group_init(&group, counters, 1));
}

TEST(errors_of_units_that_cannot_be_mapped)
{
	struct uncore_pmu_unit info = unit_of(UNCORE_PMU_ACCESS_CONFIG, 48,
					      0xa0);

	EXPECT_EQ(0, uncore_check_mappable(&info));
	info.state = UNCORE_PMU_STATE_ABSENT;
	EXPECT_EQ(-ENOENT, uncore_check_mappable(&info));
	info.state = UNCORE_PMU_STATE_INVALID;
	EXPECT_EQ(-EIO, uncore_check_mappable(&info));
	info.state = UNCORE_PMU_STATE_LOCKED;
	EXPECT_EQ(-EPERM, uncore_check_mappable(&info));
	info.state = UNCORE_PMU_STATE_GONE;
	EXPECT_EQ(-ENODEV, uncore_check_mappable(&info));
	info.state = 77;
	EXPECT_EQ(-EIO, uncore_check_mappable(&info));
	info.state = UNCORE_PMU_STATE_OK;
	info.mmap_length = 0;
	EXPECT_EQ(-EPROTO, uncore_check_mappable(&info));
}

TEST(every_error_is_explained)
{
	int call, error;

	for (call = UNCORE_CALL_OPEN; call <= UNCORE_CALL_MAP + 1; call++) {
		for (error = -200; error <= 200; error++) {
			const char *text = uncore_strerror((enum uncore_call)call,
							   error);

			ASSERT_NE(NULL, text);
			EXPECT_LT(0, strlen(text));
		}
		EXPECT_NE(NULL, uncore_strerror((enum uncore_call)call,
						INT32_MIN));
	}
	/* The same error means another thing in another call. */
	EXPECT_STRNE(uncore_strerror(UNCORE_CALL_OPEN, -ENOENT),
		     uncore_strerror(UNCORE_CALL_MAP, -ENOENT));
	EXPECT_STREQ(uncore_strerror(UNCORE_CALL_OPEN, -EACCES),
		     uncore_strerror(UNCORE_CALL_OPEN, EACCES));
	/* True of UNCORE_OPEN_PROGRAM as well. */
	EXPECT_STREQ("not permitted to open the node: reading it is for the "
		     "group uncore (usermod -aG uncore USER, and log in again); "
		     "programming needs the right to write to it, which is "
		     "root's unless a udev rule gives it to others (GROUP, MODE)",
		     uncore_strerror(UNCORE_CALL_OPEN, -EACCES));
}

TEST(every_name_is_there)
{
	uint32_t i;

	EXPECT_STREQ("ok", uncore_state_name(UNCORE_PMU_STATE_OK));
	EXPECT_STREQ("gone", uncore_state_name(UNCORE_PMU_STATE_GONE));
	EXPECT_STREQ("config", uncore_access_name(UNCORE_PMU_ACCESS_CONFIG));
	EXPECT_STREQ("window", uncore_access_name(UNCORE_PMU_ACCESS_WINDOW));
	EXPECT_STREQ("fixed", uncore_kind_name(UNCORE_PMU_KIND_FIXED));
	EXPECT_STREQ("bytes", uncore_quantity_name(UNCORE_PMU_QUANTITY_BYTES));
	EXPECT_STREQ("", uncore_reason_text(UNCORE_PMU_REASON_NONE));
	for (i = UNCORE_PMU_REASON_NOT_FOUND;
	     i <= UNCORE_PMU_REASON_REMOVED; i++)
		EXPECT_STRNE("unknown", uncore_reason_text(i));
	EXPECT_STREQ("unknown", uncore_state_name(0));
	EXPECT_STREQ("unknown", uncore_state_name(UINT32_MAX));
	EXPECT_STREQ("unknown", uncore_access_name(6));
	EXPECT_STREQ("unknown", uncore_kind_name(4));
	EXPECT_STREQ("unknown", uncore_quantity_name(3));
	EXPECT_STREQ("unknown", uncore_reason_text(UINT32_MAX));
	EXPECT_STREQ("unknown", uncore_counter_state_name(-1));
	EXPECT_STREQ("frozen", uncore_counter_state_name(UNCORE_COUNTER_FROZEN));
}

TEST_HARNESS_MAIN
