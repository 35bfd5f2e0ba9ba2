// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a difference can be relied upon, on registers and generations in
 * memory.
 *
 * Test: where=host
 */
#include "harness.h"

#include <uncore.h>

#include "internal.h"

#define PAGE_SIZE	4096
#define COUNTER		0xa0
#define CONTROL		0xd8
#define ENABLE		(1U << 22)
#define MASK		0xff84ffffULL

static uint32_t page[PAGE_SIZE / 4] __attribute__((aligned(PAGE_SIZE)));
static uint32_t generation;

FIXTURE(status)
{
	struct uncore_pmu_unit info;
	struct uncore_counter counter;
	struct uncore_details details;
	struct uncore_event event;
	struct uncore_watch watch;
	uint64_t delta;
};

static void put(uint32_t offset, uint32_t value)
{
	page[offset / 4] = value;
	__asm__ volatile("" : : : "memory");
}

static void put_generation(uint32_t value)
{
	generation = value;
	__asm__ volatile("" : : : "memory");
}

static int bind(FIXTURE_DATA(status) *self)
{
	int ret = uncore_counter_bind(&self->counter, &self->details,
				      &self->info, 0, page);

	self->details.generation = &generation;
	self->counter.details = &self->details;
	return ret;
}

FIXTURE_SETUP(status)
{
	self->info = (struct uncore_pmu_unit){
		.state = UNCORE_PMU_STATE_OK,
		.access = UNCORE_PMU_ACCESS_CONFIG,
		.num_counters = 1,
		.mmap_length = PAGE_SIZE,
		.unit_control = UNCORE_PMU_NO_REGISTER,
		.config_mask = MASK,
		.counter[0] = {
			.offset = COUNTER,
			.control = CONTROL,
			.enable = ENABLE,
			.width = 48,
			.kind = UNCORE_PMU_KIND_GENERAL,
		},
	};
	self->event = (struct uncore_event){
		.kind = UNCORE_PMU_KIND_GENERAL, .config = 0x304,
	};
	self->delta = 0x5a5a;
	put(CONTROL, ENABLE | 0x304);
	put(CONTROL + 4, 0);
	put_generation(5);
	ASSERT_EQ(0, bind(self));
}

FIXTURE_TEARDOWN(status)
{
}

static int begin(FIXTURE_DATA(status) *self)
{
	return uncore_watch_begin(&self->counter, &self->event, &self->watch);
}

static int status(FIXTURE_DATA(status) *self)
{
	return uncore_counter_status(&self->counter, &self->watch);
}

static int checked(FIXTURE_DATA(status) *self)
{
	return uncore_delta_checked(&self->counter, &self->watch,
				    0xfffffffffff0, 0x10, &self->delta);
}

TEST_F(status, valid)
{
	EXPECT_EQ(UNCORE_VALID, begin(self));
	EXPECT_EQ(UNCORE_VALID, status(self));
	EXPECT_EQ(UNCORE_VALID, status(self));
	EXPECT_EQ(0, checked(self));
	EXPECT_EQ(0x20, self->delta);
	EXPECT_EQ(5, uncore_generation(&self->counter));
	/* for whatever it counts */
	EXPECT_EQ(UNCORE_VALID, uncore_watch_begin(&self->counter, NULL,
						   &self->watch));
	EXPECT_EQ(UNCORE_VALID, status(self));
	/* bits that choose no event, as perf's own, do not matter at the begin */
	put(CONTROL, ENABLE | 1U << 20 | 0x304);
	EXPECT_EQ(UNCORE_VALID, begin(self));
}

TEST_F(status, reprogrammed)
{
	ASSERT_EQ(UNCORE_VALID, begin(self));
	put_generation(7);
	EXPECT_EQ(UNCORE_REPROGRAMMED, status(self));
	EXPECT_EQ(-ESTALE, checked(self));
	EXPECT_EQ(0x5a5a, self->delta);
	/* another event since */
	put(CONTROL, ENABLE | 0xc04);
	EXPECT_EQ(UNCORE_REPROGRAMMED, status(self));
	EXPECT_EQ(UNCORE_OTHER_EVENT, begin(self));
	self->event.config = 0xc04;
	EXPECT_EQ(UNCORE_VALID, begin(self));
	EXPECT_EQ(0, checked(self));
}

TEST_F(status, released)
{
	ASSERT_EQ(UNCORE_VALID, begin(self));
	put_generation(6);
	put(CONTROL, 0);
	EXPECT_EQ(UNCORE_RELEASED, status(self));
	EXPECT_EQ(-ESTALE, checked(self));
	EXPECT_EQ(0x5a5a, self->delta);
	EXPECT_EQ(UNCORE_UNCLAIMED, begin(self));
}

TEST_F(status, overwritten)
{
	static const uint32_t others[] = {
		0, 0x304, ENABLE | 0xc04, ENABLE | 0x1000304,
		ENABLE | 0x304 | 1U << 20, 0xffffffff,
	};
	size_t i;

	ASSERT_EQ(UNCORE_VALID, begin(self));
	for (i = 0; i < ARRAY_LENGTH(others); i++) {
		put(CONTROL, others[i]);
		EXPECT_EQ(UNCORE_OVERWRITTEN, status(self));
		EXPECT_EQ(-ESTALE, checked(self));
	}
	EXPECT_EQ(0x5a5a, self->delta);
	/* claimed, but not enabled */
	put(CONTROL, 0x304);
	EXPECT_EQ(UNCORE_OVERWRITTEN, begin(self));
}

/* What was not valid at the begin does not become so. */
TEST_F(status, not_valid_from_the_begin)
{
	put_generation(4);
	EXPECT_EQ(UNCORE_UNCLAIMED, begin(self));
	put_generation(5);
	EXPECT_EQ(UNCORE_UNCLAIMED, status(self));
	EXPECT_EQ(-ESTALE, checked(self));

	self->event.config = 0xc04;
	EXPECT_EQ(UNCORE_OTHER_EVENT, begin(self));
	EXPECT_EQ(UNCORE_OTHER_EVENT, status(self));
	self->event.config = 0x304;
	self->event.kind = UNCORE_PMU_KIND_FIXED;
	EXPECT_EQ(UNCORE_OTHER_EVENT, begin(self));
	EXPECT_EQ(-ESTALE, checked(self));
	EXPECT_EQ(0x5a5a, self->delta);
}

TEST_F(status, upper_control_register)
{
	self->info.config_mask |= 0xffULL << 32;
	ASSERT_EQ(0, bind(self));
	EXPECT_EQ(1, self->details.wide);

	ASSERT_EQ(UNCORE_VALID, begin(self));
	put(CONTROL + 4, 0x12);
	EXPECT_EQ(UNCORE_OVERWRITTEN, status(self));
	EXPECT_EQ(UNCORE_OTHER_EVENT, begin(self));
	self->event.config |= 0x1200000000;
	EXPECT_EQ(UNCORE_VALID, begin(self));

	/* it would be outside of the page */
	self->info.counter[0].control = PAGE_SIZE - 4;
	EXPECT_EQ(-EPROTO, bind(self));
}

TEST_F(status, fixed_counter)
{
	self->info.counter[0].kind = UNCORE_PMU_KIND_FIXED;
	self->info.config_mask |= 0xffULL << 32;
	ASSERT_EQ(0, bind(self));
	EXPECT_EQ(0, self->details.config_mask);
	EXPECT_EQ(0, self->details.wide);
	EXPECT_EQ(UNCORE_OTHER_EVENT, begin(self));
	self->event.kind = UNCORE_PMU_KIND_FIXED;
	self->event.config = 0;
	EXPECT_EQ(UNCORE_VALID, begin(self));
	EXPECT_EQ(0, checked(self));
}

TEST_F(status, free_running_counter)
{
	self->info.counter[0].kind = UNCORE_PMU_KIND_FREE_RUNNING;
	self->info.counter[0].control = UNCORE_PMU_NO_REGISTER;
	self->info.counter[0].enable = 0;
	put_generation(0);
	ASSERT_EQ(0, bind(self));
	EXPECT_EQ(UNCORE_VALID, uncore_watch_begin(&self->counter, NULL,
						   &self->watch));
	EXPECT_EQ(0, checked(self));
	EXPECT_EQ(0x20, self->delta);
	/* it cannot be programmed, and is no other */
	EXPECT_EQ(UNCORE_OTHER_EVENT, begin(self));
	self->event.kind = UNCORE_PMU_KIND_FREE_RUNNING;
	self->event.config = 1;
	EXPECT_EQ(UNCORE_OTHER_EVENT, begin(self));
	self->event.config = 0;
	EXPECT_EQ(UNCORE_VALID, begin(self));
	EXPECT_EQ(0, checked(self));
}

TEST_F(status, module_without_generations)
{
	self->details.generation = NULL;
	EXPECT_EQ(0, uncore_generation(&self->counter));
	EXPECT_EQ(UNCORE_UNCLAIMED, begin(self));
	EXPECT_EQ(-ESTALE, checked(self));
}

TEST(texts)
{
	int i;

	for (i = UNCORE_VALID; i <= UNCORE_IMPLAUSIBLE; i++)
		EXPECT_STRNE("unknown", uncore_validity_text(i));
	EXPECT_STREQ("unknown", uncore_validity_text(-1));
	EXPECT_STREQ("did not run all the time (fewer events at once? the NMI "
		     "watchdog takes a counter)",
		     uncore_validity_text(UNCORE_NOT_RUNNING));
	EXPECT_STREQ("unknown", uncore_validity_text(i));
	for (i = UNCORE_PMU_COUNTER_FREE; i <= UNCORE_PMU_COUNTER_FREE_RUNNING;
	     i++)
		EXPECT_STRNE("unknown", uncore_claim_state_name((uint32_t)i));
	EXPECT_STREQ("unknown", uncore_claim_state_name(0));
	EXPECT_STREQ("perf", uncore_via_name(UNCORE_PMU_VIA_PERF));
	EXPECT_STREQ("direct", uncore_via_name(UNCORE_PMU_VIA_DIRECT));
	EXPECT_STREQ("unknown", uncore_via_name(0));
	EXPECT_NE(NULL, strstr(uncore_strerror(UNCORE_CALL_PROGRAM, -EBUSY),
			       "in use"));
	EXPECT_NE(NULL, strstr(uncore_strerror(UNCORE_CALL_RELEASE, -EACCES),
			       "another open file"));
	EXPECT_NE(NULL, strstr(uncore_strerror(UNCORE_CALL_STATUS, -ENXIO),
			       "no such"));
	EXPECT_NE(NULL, strstr(uncore_strerror(UNCORE_CALL_EVENT, -ENOENT),
			       "no such event"));
	EXPECT_STREQ("out of memory",
		     uncore_strerror((enum uncore_call)99, -ENOMEM));
}

TEST_HARNESS_MAIN
