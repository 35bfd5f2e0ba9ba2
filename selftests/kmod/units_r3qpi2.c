// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/units-r3qpi2.lspci user=root kernels=all timeout=120 intel_uncore=no */
/*
 * The third R3QPI link of an Ivy Bridge-EP. Mainline knows its id, but its
 * driver has room for two and overruns an array, so that this is the one unit
 * without a referee. The numbers are from ivbep_uncore_r3qpi and the offsets
 * SNBEP_PCI_PMON_* of arch/x86/events/intel/uncore_snbep.c.
 */
#include <fcntl.h>

#include "harness.h"

#define LINKS		3
#define COUNTERS	3
#define MASK		((1ULL << 44) - 1)

FIXTURE(r3qpi2)
{
	int fd;
	struct sim *sim;
	struct units units;
};

FIXTURE_SETUP(r3qpi2)
{
	ASSERT_FALSE(module_loaded("intel_uncore"));
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
}

FIXTURE_TEARDOWN(r3qpi2)
{
	unmap_all();
	units_free(&self->units);
	close(self->fd);
	EXPECT_EQ(0, sim_clock(self->sim, true));
	sim_close(self->sim);
}

TEST_F(r3qpi2, description)
{
	static const struct uncore_pmu_counter counters[COUNTERS] = {
		{ .offset = 0xa0, .control = 0xd8, .enable = 1U << 22,
		  .width = 44, .kind = UNCORE_PMU_KIND_GENERAL,
		  .name = "ctr0" },
		{ .offset = 0xa8, .control = 0xdc, .enable = 1U << 22,
		  .width = 44, .kind = UNCORE_PMU_KIND_GENERAL,
		  .name = "ctr1" },
		{ .offset = 0xb0, .control = 0xe0, .enable = 1U << 22,
		  .width = 44, .kind = UNCORE_PMU_KIND_GENERAL,
		  .name = "ctr2" },
	};
	int die;

	for (die = 0; die < 2; die++) {
		const struct uncore_pmu_unit *u =
			units_find(&self->units, "r3qpi", 2, die);

		ASSERT_NE(NULL, u);
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u->state);
		EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_NONE, u->reason);
		EXPECT_EQ((uint32_t)UNCORE_PMU_ACCESS_CONFIG, u->access);
		EXPECT_EQ(die, u->socket);
		EXPECT_EQ(die, u->numa_node);
		EXPECT_EQ(1U, u->segment);
		EXPECT_EQ(die ? 0xff : 0x7f, u->bus);
		EXPECT_EQ(0x12, u->device);
		EXPECT_EQ(5, u->function);
		EXPECT_EQ(0x8086, u->pci_vendor);
		EXPECT_EQ(0x0e3e, u->pci_device);
		EXPECT_EQ(0xf4U, u->unit_control);
		EXPECT_EQ(1U << 8, u->unit_freeze);
		EXPECT_EQ(PAGE, u->mmap_length);
		ASSERT_EQ((uint32_t)COUNTERS, u->num_counters);
		EXPECT_EQ(0, memcmp(counters, u->counter, sizeof(counters)));
	}
}

static uint64_t some_value(int die, unsigned int link, unsigned int counter)
{
	return (0x123456789abULL << die) + 0x1000 * link + counter;
}

/* All three links of both dies, so that none can stand in for another. */
TEST_F(r3qpi2, values)
{
	unsigned int link, n;
	int die;

	for (die = 0; die < 2; die++)
		for (link = 0; link < LINKS; link++) {
			const struct uncore_pmu_unit *u =
				units_find(&self->units, "r3qpi", link, die);

			ASSERT_NE(NULL, u);
			for (n = 0; n < COUNTERS; n++) {
				ASSERT_EQ(0, sim_set(self->sim, unit_addr(u), n,
						     some_value(die, link, n)));
			}
		}
	for (die = 0; die < 2; die++)
		for (link = 0; link < LINKS; link++) {
			const struct uncore_pmu_unit *u =
				units_find(&self->units, "r3qpi", link, die);
			void *page = unit_map(self->fd, u);

			ASSERT_NE(MAP_FAILED, page) ABOUT(u);
			EXPECT_EQ(unit_id(u), page_load(page, 0)) ABOUT(u);
			for (n = 0; n < COUNTERS; n++) {
				EXPECT_EQ(some_value(die, link, n),
					  counter_load(page, &u->counter[n]))
					ABOUT(u);
			}
		}
}

TEST_F(r3qpi2, counting)
{
	const struct uncore_pmu_unit *u =
		units_find(&self->units, "r3qpi", 2, 1);
	struct sim_addr addr;
	unsigned int n;
	void *page;

	ASSERT_NE(NULL, u);
	addr = unit_addr(u);
	page = unit_map(self->fd, u);
	ASSERT_NE(MAP_FAILED, page);
	for (n = 0; n < COUNTERS; n++) {
		const struct uncore_pmu_counter *c = &u->counter[n];

		ASSERT_EQ(0, counter_stop(u, n));
		ASSERT_EQ(0, sim_sync(self->sim));
		EXPECT_EQ(-EAGAIN, sim_add(self->sim, addr, n, 1));
		ASSERT_EQ(0, counter_start(u, n, 0x0101));
		ASSERT_EQ(0, sim_set(self->sim, addr, n, MASK - 9));
		ASSERT_EQ(0, sim_add(self->sim, addr, n, 9));
		EXPECT_EQ(MASK, counter_load(page, c));
		ASSERT_EQ(0, sim_add(self->sim, addr, n, 1000 + n));
		EXPECT_EQ(999ULL + n, counter_load(page, c));
		EXPECT_EQ(0, counter_stop(u, n));
	}
}

TEST_HARNESS_MAIN
