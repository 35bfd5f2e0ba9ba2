// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=full-sandybridge-ep,full-ivybridge-ep,full-haswell-ep,full-broadwell-ep,knl,full-skylake-sp,snowridge,full-icelake-sp user=root kernels=all timeout=300 */
/* What is read through the mappings is what the counters hold, exactly. */
#include <fcntl.h>

#include "harness.h"

FIXTURE(values)
{
	int fd;
	struct sim *sim;
	struct units units;
	char **page;
};

FIXTURE_SETUP(values)
{
	unsigned int i;

	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	ASSERT_LT(0U, self->units.count);
	self->page = calloc(self->units.count, sizeof(*self->page));
	ASSERT_NE(NULL, self->page);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		/* Those in memory have a test of their own. */
		if (u->state != UNCORE_PMU_STATE_OK ||
		    u->access != UNCORE_PMU_ACCESS_CONFIG)
			continue;
		self->page[i] = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, self->page[i]) ABOUT(u);
	}
}

FIXTURE_TEARDOWN(values)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++)
		if (self->page[i])
			munmap(self->page[i], PAGE);
	free(self->page);
	units_free(&self->units);
	close(self->fd);
	EXPECT_EQ(0, sim_clock(self->sim, true));
	sim_close(self->sim);
}

/* All counters that can be read: the body that follows runs for each. */
#define for_each_counter(self, u, c, i, n) \
	for (i = 0; i < (self)->units.count; i++) \
		for (u = &(self)->units.unit[i], n = 0; \
		     (self)->page[i] && n < u->num_counters && \
		     (c = &u->counter[n]); n++)

static uint64_t some_value(unsigned int i, unsigned int n, uint64_t mask)
{
	return ((i * 64ULL + n + 1) * 0x9e3779b97f4a7c15ULL) & mask;
}

TEST_F(values, every_counter_at_its_place)
{
	const struct uncore_pmu_counter *c;
	const struct uncore_pmu_unit *u;
	unsigned int i, n, count = 0;

	for_each_counter(self, u, c, i, n) {
		ASSERT_EQ(0, sim_set(self->sim, unit_addr(u), n,
				     some_value(i, n, counter_mask(c))))
			ABOUT(u);
		count++;
	}
	/* Only now: a counter that stands in for another would show. */
	for_each_counter(self, u, c, i, n) {
		EXPECT_EQ(some_value(i, n, counter_mask(c)),
			  counter_load(self->page[i], c)) {
			TH_LOG("%s counter %u", unit_name(u), n);
		}
	}
	EXPECT_LT(0U, count);
	TH_LOG("%u counters", count);
}

TEST_F(values, same_by_the_pci_core)
{
	const struct uncore_pmu_counter *c;
	const struct uncore_pmu_unit *u;
	unsigned int i, n;

	for_each_counter(self, u, c, i, n) {
		uint32_t low, high;

		ASSERT_EQ(0, sim_set(self->sim, unit_addr(u), n,
				     some_value(n, i, counter_mask(c))))
			ABOUT(u);
		ASSERT_EQ(0, config_load(u, c->offset, &low)) ABOUT(u);
		ASSERT_EQ(0, config_load(u, c->offset + 4, &high)) ABOUT(u);
		EXPECT_EQ(low, page_load(self->page[i], c->offset)) ABOUT(u);
		EXPECT_EQ(high, page_load(self->page[i], c->offset + 4))
			ABOUT(u);
	}
}

TEST_F(values, exactly_what_is_added)
{
	static const uint64_t adds[] = {
		1, 2, 0xffffffff, 0x100000000, 0x123456789ab, 0,
	};
	const struct uncore_pmu_counter *c;
	const struct uncore_pmu_unit *u;
	unsigned int i, n, k;

	for_each_counter(self, u, c, i, n) {
		struct sim_addr addr = unit_addr(u);
		uint64_t value = some_value(i, n, counter_mask(c) >> 3);

		ASSERT_EQ(0, counter_stop(u, n)) ABOUT(u);
		EXPECT_EQ(-EAGAIN, sim_add(self->sim, addr, n, 1)) ABOUT(u);
		ASSERT_EQ(0, counter_start(u, n, 0x0106)) ABOUT(u);
		ASSERT_EQ(0, sim_set(self->sim, addr, n, value)) ABOUT(u);
		for (k = 0; k < ARRAY_SIZE(adds); k++) {
			ASSERT_EQ(0, sim_add(self->sim, addr, n, adds[k]))
				ABOUT(u);
			value += adds[k];
			EXPECT_EQ(value & counter_mask(c),
				  counter_load(self->page[i], c)) ABOUT(u);
		}
		EXPECT_EQ(0, counter_stop(u, n)) ABOUT(u);
	}
}

TEST_F(values, wrap_at_the_width)
{
	const struct uncore_pmu_counter *c;
	const struct uncore_pmu_unit *u;
	unsigned int i, n;

	for_each_counter(self, u, c, i, n) {
		struct sim_addr addr = unit_addr(u);
		uint64_t mask = counter_mask(c);
		uint64_t before, after;

		ASSERT_EQ(0, counter_start(u, n, 0x0106)) ABOUT(u);
		ASSERT_EQ(0, sim_set(self->sim, addr, n, mask - 4)) ABOUT(u);
		before = counter_load(self->page[i], c);
		EXPECT_EQ(mask - 4, before) ABOUT(u);
		ASSERT_EQ(0, sim_add(self->sim, addr, n, 4)) ABOUT(u);
		EXPECT_EQ(mask, counter_load(self->page[i], c)) ABOUT(u);
		ASSERT_EQ(0, sim_add(self->sim, addr, n, 1)) ABOUT(u);
		EXPECT_EQ(0ULL, counter_load(self->page[i], c)) ABOUT(u);
		ASSERT_EQ(0, sim_add(self->sim, addr, n, 1000)) ABOUT(u);
		after = counter_load(self->page[i], c);
		EXPECT_EQ(1005ULL, (after - before) & mask) ABOUT(u);
		EXPECT_EQ(0, counter_stop(u, n)) ABOUT(u);
	}
}

TEST_F(values, both_halves_as_they_are)
{
	const struct uncore_pmu_counter *c;
	const struct uncore_pmu_unit *u;
	unsigned int i, n;

	for_each_counter(self, u, c, i, n) {
		struct sim_addr addr = unit_addr(u);
		const char *page = self->page[i];

		ASSERT_EQ(0, sim_set(self->sim, addr, n, 0x1fffffff0)) ABOUT(u);
		EXPECT_EQ(0xfffffff0U, page_load(page, c->offset)) ABOUT(u);
		EXPECT_EQ(1U, page_load(page, c->offset + 4)) ABOUT(u);
		/* Half-done: the low half is new, the high half is not yet. */
		ASSERT_EQ(0, sim_hold(self->sim, addr, n, 0x200000010))
			ABOUT(u);
		EXPECT_EQ(0x10U, page_load(page, c->offset)) ABOUT(u);
		EXPECT_EQ(1U, page_load(page, c->offset + 4)) ABOUT(u);
		ASSERT_EQ(0, sim_release(self->sim, addr, n)) ABOUT(u);
		EXPECT_EQ(0x200000010ULL, counter_load(page, c)) ABOUT(u);
	}
}

/* True when every counter has left its first value; false after a while. */
static bool all_move(FIXTURE_DATA(values) *self, const uint64_t *first)
{
	int end = now_ms() + PATIENCE_MS;
	const struct uncore_pmu_counter *c;
	const struct uncore_pmu_unit *u;
	unsigned int i, n;
	bool all;

	do {
		all = true;
		for_each_counter(self, u, c, i, n)
			if (counter_load(self->page[i], c) ==
			    first[i * UNCORE_PMU_MAX_COUNTERS + n])
				all = false;
	} while (!all && now_ms() < end);
	return all;
}

TEST_F(values, live)
{
	const struct uncore_pmu_counter *c;
	const struct uncore_pmu_unit *u;
	unsigned int i, n;
	uint64_t *first = calloc(self->units.count * UNCORE_PMU_MAX_COUNTERS,
				 sizeof(*first));

	ASSERT_NE(NULL, first);
	for_each_counter(self, u, c, i, n) {
		ASSERT_EQ(0, counter_start(u, n, 0x0106)) ABOUT(u);
	}
	ASSERT_EQ(0, sim_sync(self->sim));
	for_each_counter(self, u, c, i, n)
		first[i * UNCORE_PMU_MAX_COUNTERS + n] =
			counter_load(self->page[i], c);
	ASSERT_EQ(0, sim_clock(self->sim, true));
	EXPECT_TRUE(all_move(self, first));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	for_each_counter(self, u, c, i, n) {
		uint64_t model;

		ASSERT_EQ(0, sim_get(self->sim, unit_addr(u), n, &model))
			ABOUT(u);
		EXPECT_EQ(model, counter_load(self->page[i], c)) ABOUT(u);
		/* Stopped is stopped. */
		EXPECT_EQ(model, counter_load(self->page[i], c)) ABOUT(u);
		EXPECT_EQ(0, counter_stop(u, n)) ABOUT(u);
	}
	free(first);
}

TEST_HARNESS_MAIN
