// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* The kernel's core PMU driver on the emulated PMU, and who may use RDPMC. */
#include <stdlib.h>
#include <sys/mman.h>

#include "opmu_check.h"

/* How perf_event.h says that a counter is to be read. */
static uint64_t page_read(volatile struct perf_event_mmap_page *page)
{
	uint64_t count;
	uint32_t seq;

	do {
		uint32_t index;

		seq = page->lock;
		__asm__ volatile("" : : : "memory");
		index = page->index;
		count = page->offset;
		if (page->cap_user_rdpmc && index) {
			unsigned int unused = 64 - page->pmc_width;
			uint64_t value = rdpmc(index - 1) << unused;

			count += (int64_t)value >> unused;
		}
		__asm__ volatile("" : : : "memory");
	} while (page->lock != seq);
	return count;
}

FIXTURE(event)
{
	int fd;
	volatile struct perf_event_mmap_page *page;
};

FIXTURE_VARIANT(event)
{
	uint64_t config;
	bool user_only;
};

FIXTURE_VARIANT_ADD(event, instructions)
{
	.config = PERF_COUNT_HW_INSTRUCTIONS,
	.user_only = false,
};

FIXTURE_VARIANT_ADD(event, user_instructions)
{
	.config = PERF_COUNT_HW_INSTRUCTIONS,
	.user_only = true,
};

FIXTURE_VARIANT_ADD(event, user_cycles)
{
	.config = PERF_COUNT_HW_CPU_CYCLES,
	.user_only = true,
};

FIXTURE_VARIANT_ADD(event, user_branches)
{
	.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	.user_only = true,
};

FIXTURE_SETUP(event)
{
	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(SIGSEGV, trap_rdpmc());
	self->fd = perf_open(PERF_TYPE_HARDWARE, variant->config, 0, -1,
			     variant->user_only);
	ASSERT_LE(0, self->fd);
	self->page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->page);
}

FIXTURE_TEARDOWN(event)
{
	EXPECT_EQ(0, munmap((void *)self->page, PAGE));
	/* The right to RDPMC goes with the last mapping. */
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
	close(self->fd);
}

TEST_F(event, page_allows_rdpmc)
{
	EXPECT_EQ(1ULL, (__u64)self->page->cap_user_rdpmc);
	EXPECT_NE(0, self->page->index);
	EXPECT_EQ(pmu_shape().width, self->page->pmc_width);
	EXPECT_EQ(0, trap_rdpmc());
}

/* Each value read, either way, lies between the ones before and after it. */
TEST_F(event, rdpmc_agrees_with_read)
{
	uint64_t last = 0, value;
	int i;

	ASSERT_NE(0, self->page->index);
	for (i = 0; i < 1000; i++) {
		value = i % 2 ? page_read(self->page) : perf_read(self->fd);
		ASSERT_NE(UINT64_MAX, value);
		ASSERT_LT(last, value) TH_LOG("read %d", i);
		last = value;
		spin(500);
	}
}

/* Counts per 64 instructions, see README.md; the last event has no own rate. */
static const struct exact {
	uint32_t type;
	uint64_t config;
	unsigned int rate;
} exact[] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 64 },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 96 },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 12 },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 1 },
	{ PERF_TYPE_RAW, 0x0124, 3 + (0x24 * 31 + 0x01 * 7) % 59 },
};

/*
 * What 128,000 instructions at user level add to an event. Those around the
 * loop do not count, as they are the same in both loops.
 */
static int64_t added(const struct exact *event)
{
	int fd = perf_open(event->type, event->config, 0, -1, true);
	volatile struct perf_event_mmap_page *page;
	uint64_t start, once, twice;

	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -1;
	start = page_read(page);
	spin(64000);
	once = page_read(page) - start;
	start = page_read(page);
	spin(128000);
	twice = page_read(page) - start;
	munmap((void *)page, PAGE);
	close(fd);
	return twice - once;
}

TEST(exact_under_icount)
{
	unsigned int i;

	if (!getenv("UNCORE_ICOUNT"))
		SKIP(return, "needs --icount");
	for (i = 0; i < ARRAY_SIZE(exact); i++) {
		int64_t expected = 2000 * exact[i].rate;
		int64_t got = added(&exact[i]);

		/* A fraction of a count is carried in or out. */
		EXPECT_LE(expected - 1, got)
			TH_LOG("event %#llx", (long long)exact[i].config);
		EXPECT_GE(expected + 1, got)
			TH_LOG("event %#llx", (long long)exact[i].config);
		if (exact[i].rate % 64 == 0)
			EXPECT_EQ(expected, got);
	}
}

TEST(kernel_has_a_driver)
{
	int type;

	EXPECT_EQ(0, access(PMU_DIR "cpu", F_OK));
	EXPECT_EQ(0, file_read_int(PMU_DIR "cpu/type", &type));
	EXPECT_EQ((int)PERF_TYPE_RAW, type);
	if (is_amd()) {
		EXPECT_EQ(0, access(PMU_DIR "amd_df", F_OK));
		EXPECT_EQ(0, access(PMU_DIR "amd_l3", F_OK));
	}
}

TEST(denied_without_a_mapping)
{
	int policy;

	ASSERT_EQ(0, file_read_int(RDPMC_POLICY, &policy));
	EXPECT_EQ(1, policy);
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
}

FIXTURE(policy)
{
	int fd;
	volatile struct perf_event_mmap_page *page;
};

FIXTURE_SETUP(policy)
{
	self->fd = perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0,
			     -1, true);
	ASSERT_LE(0, self->fd);
	self->page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->page);
	ASSERT_EQ(0, trap_rdpmc());
}

FIXTURE_TEARDOWN(policy)
{
	EXPECT_EQ(0, file_write(RDPMC_POLICY, "1"));
	munmap((void *)self->page, PAGE);
	close(self->fd);
}

TEST_F(policy, zero_denies)
{
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "0"));
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "1"));
	EXPECT_EQ(0, trap_rdpmc());
}

TEST_F(policy, two_allows_without_a_mapping)
{
	ASSERT_EQ(0, munmap((void *)self->page, PAGE));
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "2"));
	EXPECT_EQ(0, trap_rdpmc());
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "1"));
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
}

TEST_F(policy, three_is_refused)
{
	EXPECT_EQ(-EINVAL, file_write(RDPMC_POLICY, "3"));
	EXPECT_EQ(0, trap_rdpmc());
}

TEST_HARNESS_MAIN
