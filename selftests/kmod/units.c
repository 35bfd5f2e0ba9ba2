// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=all user=root kernels=all timeout=120 */
/* What the unit descriptions say is complete and fits together. */
#include <ctype.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "harness.h"
#include "mmio_units.h"

FIXTURE(units)
{
	int fd;
	struct units units;
};

FIXTURE_SETUP(units)
{
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	ASSERT_LT(0U, self->units.count);
}

FIXTURE_TEARDOWN(units)
{
	units_free(&self->units);
	close(self->fd);
}

static bool is_name(const char *name, size_t size)
{
	size_t length = strnlen(name, size);
	size_t i;

	if (!length || length == size)
		return false;
	for (i = 0; i < length; i++)
		if (!islower((unsigned char)name[i]) &&
		    !isdigit((unsigned char)name[i]) && name[i] != '_')
			return false;
	/* No leftovers behind the end. */
	for (; i < size; i++)
		if (name[i])
			return false;
	return true;
}

/* Nothing is broken on these machines. */
static uint32_t expected_reason(const struct uncore_pmu_unit *u)
{
	switch (u->state) {
	case UNCORE_PMU_STATE_OK:
		return UNCORE_PMU_REASON_NONE;
	case UNCORE_PMU_STATE_ABSENT:
		return UNCORE_PMU_REASON_NOT_FOUND;
	case UNCORE_PMU_STATE_LOCKED:
		return UNCORE_PMU_REASON_MCHBAR;
	case UNCORE_PMU_STATE_WINDOW:
		return UNCORE_PMU_REASON_MSR;
	default:
		return ~0U;
	}
}

TEST_F(units, states)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_EQ((uint32_t)sizeof(*u), u->size) ABOUT(u);
		EXPECT_EQ(0U, u->flags) ABOUT(u);
		EXPECT_EQ(i, u->index) ABOUT(u);
		EXPECT_EQ(expected_reason(u), u->reason) ABOUT(u);
		EXPECT_EQ(u->access == UNCORE_PMU_ACCESS_WINDOW,
			  u->state == UNCORE_PMU_STATE_WINDOW) ABOUT(u);
	}
	EXPECT_LT(0U, mmio_count(&self->units, NULL, UNCORE_PMU_STATE_OK) +
		      mmio_count(&self->units, NULL, UNCORE_PMU_STATE_LOCKED));
}

/* Where perf has rules for which counter may count what, it moves events. */
TEST_F(units, ask)
{
	static const char *const types[] = {
		"r2pcie", "r3qpi", "m2pcie", "m3upi", "cxlcm",
	};
	unsigned int i, n;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		bool ask = false;

		/* None is claimed where there is no page. */
		for (n = 0; n < ARRAY_SIZE(types); n++)
			ask |= u->state != UNCORE_PMU_STATE_WINDOW &&
			       !strcmp(u->type, types[n]);
		EXPECT_EQ(ask, u->ask) ABOUT(u);
	}
}

TEST_F(units, names)
{
	unsigned int i, n;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_TRUE(is_name(u->type, sizeof(u->type))) ABOUT(u);
		EXPECT_GT(1000U, u->instance) ABOUT(u);
		for (n = 0; n < i; n++) {
			const struct uncore_pmu_unit *other =
				&self->units.unit[n];

			EXPECT_FALSE(unit_is(u, other->type) &&
				     u->instance == other->instance &&
				     u->die == other->die) ABOUT(u);
		}
	}
}

TEST_F(units, places)
{
	unsigned int i, n;
	char path[256];

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		int vendor = 0, device = 0;

		EXPECT_LE(0, u->die) ABOUT(u);
		EXPECT_LE(0, u->socket) ABOUT(u);
		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		EXPECT_LT(0U, u->segment) ABOUT(u);
		for (n = 0; n < i; n++) {
			const struct uncore_pmu_unit *other =
				&self->units.unit[n];

			/* One function leads to many units in memory. */
			if (other->state != UNCORE_PMU_STATE_OK ||
			    u->access != UNCORE_PMU_ACCESS_CONFIG)
				continue;
			EXPECT_FALSE(u->segment == other->segment &&
				     u->bus == other->bus &&
				     u->device == other->device &&
				     u->function == other->function) ABOUT(u);
		}
		snprintf(path, sizeof(path),
			 "/sys/bus/pci/devices/%04x:%02x:%02x.%x/vendor",
			 u->segment, u->bus, u->device, u->function);
		EXPECT_EQ(0, file_read_int(path, &vendor)) ABOUT(u);
		EXPECT_EQ((int)u->pci_vendor, vendor) ABOUT(u);
		strcpy(strrchr(path, '/'), "/device");
		EXPECT_EQ(0, file_read_int(path, &device)) ABOUT(u);
		EXPECT_EQ((int)u->pci_device, device) ABOUT(u);
	}
}

/* A register of the page: aligned, inside, and not the header's. */
static bool is_register(const struct uncore_pmu_unit *u, uint32_t offset,
			uint32_t size)
{
	uint32_t begin = u->access == UNCORE_PMU_ACCESS_CONFIG ? 0x40 : 0;

	if (u->access == UNCORE_PMU_ACCESS_WINDOW)
		return offset == UNCORE_PMU_NO_REGISTER;
	/* One load reads a counter in memory. */
	if (u->access == UNCORE_PMU_ACCESS_MMIO64 && offset % size)
		return false;
	return offset % 4 == 0 && offset >= begin && offset + size <= PAGE;
}

static bool is_free_running(const struct uncore_pmu_counter *c)
{
	return c->kind == UNCORE_PMU_KIND_FREE_RUNNING;
}

static void check_kind(struct __test_metadata *_metadata,
		       const struct uncore_pmu_unit *u,
		       const struct uncore_pmu_counter *c)
{
	if (is_free_running(c)) {
		EXPECT_EQ(UNCORE_PMU_NO_REGISTER, c->control) ABOUT(u);
		EXPECT_EQ(0U, c->enable) ABOUT(u);
		EXPECT_NE(UNCORE_PMU_QUANTITY_EVENT, (int)c->quantity)
			ABOUT(u);
	} else {
		EXPECT_TRUE(is_register(u, c->control, 4)) ABOUT(u);
		EXPECT_GE(1, __builtin_popcount(c->enable)) ABOUT(u);
		EXPECT_TRUE(c->kind == UNCORE_PMU_KIND_GENERAL ||
			    c->kind == UNCORE_PMU_KIND_FIXED) ABOUT(u);
		EXPECT_EQ(c->kind == UNCORE_PMU_KIND_FIXED ?
				  UNCORE_PMU_QUANTITY_CYCLES :
				  UNCORE_PMU_QUANTITY_EVENT,
			  (int)c->quantity) ABOUT(u);
	}
	EXPECT_EQ(c->quantity != UNCORE_PMU_QUANTITY_EVENT, c->scale > 0)
		ABOUT(u);
}

static uint32_t size_of(const struct uncore_pmu_counter *c)
{
	return c->width > 32 ? 8 : 4;
}

/* Registers do not lie on each other. */
static void check_overlap(struct __test_metadata *_metadata,
			  const struct uncore_pmu_unit *u, unsigned int n)
{
	const struct uncore_pmu_counter *c = &u->counter[n];
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct uncore_pmu_counter *other = &u->counter[i];

		EXPECT_TRUE(c->offset >= other->offset + size_of(other) ||
			    other->offset >= c->offset + size_of(c)) ABOUT(u);
	}
	if (is_free_running(c))
		return;
	EXPECT_NE(c->control, u->unit_control) ABOUT(u);
	for (i = 0; i < n; i++)
		EXPECT_NE(c->control, u->counter[i].control) ABOUT(u);
	for (i = 0; i < u->num_counters; i++)
		EXPECT_FALSE(c->control >= u->counter[i].offset &&
			     c->control < u->counter[i].offset +
						  size_of(&u->counter[i]))
			ABOUT(u);
}

static void check_counter(struct __test_metadata *_metadata,
			  const struct uncore_pmu_unit *u, unsigned int n)
{
	const struct uncore_pmu_counter *c = &u->counter[n];
	unsigned int i;

	EXPECT_TRUE(is_name(c->name, sizeof(c->name) - 1)) ABOUT(u);
	EXPECT_EQ(0U, c->__reserved) ABOUT(u);
	EXPECT_TRUE(c->width == 48 || c->width == 44 || c->width == 32 ||
		    c->width == 64) ABOUT(u);
	EXPECT_TRUE(is_register(u, c->offset, size_of(c))) ABOUT(u);
	check_kind(_metadata, u, c);
	for (i = 0; i < n; i++) {
		EXPECT_STRNE(c->name, u->counter[i].name) ABOUT(u);
		/* General counters come first, then the fixed one. */
		EXPECT_TRUE(is_free_running(c) ||
			    u->counter[i].kind == UNCORE_PMU_KIND_GENERAL)
			ABOUT(u);
	}
	if (u->access != UNCORE_PMU_ACCESS_WINDOW)
		check_overlap(_metadata, u, n);
}

TEST_F(units, counters)
{
	static const struct uncore_pmu_counter none;
	unsigned int i, n;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		ASSERT_GE((uint32_t)UNCORE_PMU_MAX_COUNTERS, u->num_counters)
			ABOUT(u);
		EXPECT_LT(0U, u->num_counters) ABOUT(u);
		if (is_free_running(&u->counter[0])) {
			EXPECT_EQ(UNCORE_PMU_NO_REGISTER, u->unit_control)
				ABOUT(u);
			EXPECT_EQ(0U, u->unit_freeze) ABOUT(u);
		} else {
			EXPECT_TRUE(is_register(u, u->unit_control, 4))
				ABOUT(u);
			EXPECT_EQ(1, __builtin_popcount(u->unit_freeze))
				ABOUT(u);
		}
		for (n = 0; n < u->num_counters; n++)
			check_counter(_metadata, u, n);
		for (; n < UNCORE_PMU_MAX_COUNTERS; n++) {
			EXPECT_EQ(0, memcmp(&u->counter[n], &none,
					    sizeof(none))) ABOUT(u);
		}
	}
}

TEST_F(units, mappings)
{
	unsigned int i, n;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_EQ(u->state == UNCORE_PMU_STATE_OK ? PAGE : 0,
			  u->mmap_length) ABOUT(u);
		EXPECT_EQ(0ULL, u->mmap_offset % PAGE) ABOUT(u);
		EXPECT_NE((uint64_t)UNCORE_PMU_RDPMC_OFFSET, u->mmap_offset)
			ABOUT(u);
		for (n = 0; n < i; n++) {
			EXPECT_NE(self->units.unit[n].mmap_offset,
				  u->mmap_offset) ABOUT(u);
		}
	}
}

TEST_F(units, every_page_begins_with_the_id)
{
	char **page = calloc(self->units.count, sizeof(*page));
	unsigned int i;

	ASSERT_NE(NULL, page);
	/* All at once, to see that no page stands in for another. */
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK ||
		    u->access != UNCORE_PMU_ACCESS_CONFIG)
			continue;
		page[i] = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page[i]) ABOUT(u);
	}
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (page[i]) {
			EXPECT_EQ(unit_id(u), page_load(page[i], 0)) ABOUT(u);
		}
	}
	free(page);
}

TEST_F(units, every_descriptor_says_the_same)
{
	int fd = node_open(O_RDWR);
	struct units again;
	unsigned int i;

	ASSERT_LE(0, fd);
	again = units_get(fd);
	ASSERT_EQ(self->units.count, again.count);
	for (i = 0; i < again.count; i++) {
		EXPECT_EQ(0, memcmp(&again.unit[i], &self->units.unit[i],
				    sizeof(again.unit[i]))) ABOUT(&again.unit[i]);
	}
	units_free(&again);
	close(fd);
}

/* The simulated machine's own list: what shows counters there is a unit here. */
TEST_F(units, agree_with_the_model)
{
	struct sim *sim;
	unsigned int i, n;

	ASSERT_EQ(0, sim_open(&sim));
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		unsigned int fixed = 0;
		struct sim_unit model, leads;
		struct sim_addr addr;

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		ASSERT_EQ(0, mmio_find(sim, u, &addr)) ABOUT(u);
		ASSERT_EQ(0, sim_describe(sim, addr, &model)) ABOUT(u);
		ASSERT_EQ(0, sim_describe(sim, unit_addr(u), &leads)) ABOUT(u);
		EXPECT_EQ(leads.vendor, u->pci_vendor) ABOUT(u);
		EXPECT_EQ(leads.device, u->pci_device) ABOUT(u);
		EXPECT_EQ(model.general + model.fixed, u->num_counters)
			ABOUT(u);
		for (n = 0; n < u->num_counters; n++) {
			bool is_fixed =
				u->counter[n].kind == UNCORE_PMU_KIND_FIXED;

			fixed += is_fixed;
			EXPECT_EQ(is_fixed ? model.fixed_width : model.width,
				  (unsigned int)u->counter[n].width) ABOUT(u);
		}
		EXPECT_EQ(model.fixed, fixed) ABOUT(u);
	}
	sim_close(sim);
}

TEST_HARNESS_MAIN
