// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/faults-duplicate.lspci user=root kernels=all timeout=120 module=no intel_uncore=no */
/*
 * Several functions that claim to be the same unit of the same die: the one with
 * the lowest address is it, and the others are not trusted.
 */
#include <fcntl.h>

#include "harness.h"

#define ABSENT_KINDS	16	/* of 18 on each die, all but imc0 and imc1 */

/* What is there, in the order of the list. */
static const struct claim {
	uint8_t bus;
	uint8_t device;
	uint8_t function;
	uint32_t instance;
	int die;
	bool duplicate;
} claims[] = {
	{ 0x7e, 0x14, 0, 0, 0, false },
	{ 0x7f, 0x14, 0, 0, 0, true },
	{ 0x7f, 0x15, 0, 0, 0, true },
	{ 0x7e, 0x14, 1, 1, 0, false },
	{ 0xff, 0x14, 0, 0, 1, false },
	{ 0xff, 0x14, 1, 1, 1, false },
};

FIXTURE(duplicate)
{
	int fd;
	int klog;
	struct sim *sim;
	struct units units;
	char log[8192];
};

FIXTURE_SETUP(duplicate)
{
	ASSERT_FALSE(module_loaded("intel_uncore"));
	ASSERT_FALSE(module_loaded(MODULE_NAME));
	ASSERT_EQ(0, sim_open(&self->sim));
	self->klog = klog_open();
	ASSERT_LE(0, self->klog);
	self->fd = -1;
}

FIXTURE_TEARDOWN(duplicate)
{
	unmap_all();
	units_free(&self->units);
	if (self->fd >= 0)
		close(self->fd);
	if (module_loaded(MODULE_NAME)) {
		EXPECT_EQ(0, module_unload());
	}
	close(self->klog);
	sim_close(self->sim);
}

static int load(FIXTURE_DATA(duplicate) *self)
{
	int err = module_load();

	if (err)
		return err;
	self->fd = node_open(O_RDONLY);
	self->units = units_get(self->fd);
	return klog_read(self->klog, self->log, sizeof(self->log));
}

static void expect_unmapped(struct __test_metadata *_metadata, int fd,
			    const struct uncore_pmu_unit *u, uint32_t reason)
{
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state) ABOUT(u);
	EXPECT_EQ(reason, u->reason) ABOUT(u);
	EXPECT_EQ(0ULL, u->mmap_length) ABOUT(u);
	EXPECT_ERRNO(EIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd,
			       u->mmap_offset));
}

static void expect_mapped(struct __test_metadata *_metadata, int fd,
			  const struct uncore_pmu_unit *u)
{
	void *page;

	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u->state) ABOUT(u);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_NONE, u->reason) ABOUT(u);
	page = unit_map(fd, u);
	ASSERT_NE(MAP_FAILED, page) ABOUT(u);
	EXPECT_EQ(unit_id(u), page_load(page, 0)) ABOUT(u);
}

/* The units that are there, with that of claims[@broken] hidden, or -1. */
static void check(struct __test_metadata *_metadata,
		  FIXTURE_DATA(duplicate) *self, int broken)
{
	unsigned int i, n = 0;
	char summary[128];

	ASSERT_EQ((unsigned int)ARRAY_SIZE(claims) + 2 * ABSENT_KINDS,
		  self->units.count);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		const struct claim *claim = &claims[n];

		if (u->state == UNCORE_PMU_STATE_ABSENT) {
			/* None of a kind that is there at least once. */
			EXPECT_FALSE(!strcmp(u->type, "imc") && u->instance < 2)
				ABOUT(u);
			continue;
		}
		ASSERT_GT(ARRAY_SIZE(claims), n);
		EXPECT_STREQ("imc", u->type);
		EXPECT_EQ(claim->instance, u->instance) ABOUT(u);
		EXPECT_EQ(claim->die, u->die) ABOUT(u);
		EXPECT_EQ(claim->bus, u->bus) ABOUT(u);
		EXPECT_EQ(claim->device, u->device) ABOUT(u);
		EXPECT_EQ(claim->function, u->function) ABOUT(u);
		if (claim->duplicate)
			expect_unmapped(_metadata, self->fd, u,
					UNCORE_PMU_REASON_DUPLICATE);
		else if ((int)n == broken)
			expect_unmapped(_metadata, self->fd, u,
					UNCORE_PMU_REASON_ID);
		else
			expect_mapped(_metadata, self->fd, u);
		n++;
	}
	EXPECT_EQ((unsigned int)ARRAY_SIZE(claims), n);

	/* One line about all of it. */
	snprintf(summary, sizeof(summary),
		 "haswell-ep: 38 units on 2 dies: %d ok, 32 absent, %d invalid; ",
		 broken < 0 ? 4 : 3, broken < 0 ? 2 : 3);
	EXPECT_EQ(1, klog_module_lines(self->log)) TH_LOG("%s", self->log);
	EXPECT_NE(NULL, strstr(self->log, summary)) TH_LOG("%s", self->log);
}

TEST_F(duplicate, lowest_address_wins)
{
	ASSERT_EQ(0, load(self));
	check(_metadata, self, -1);
}

/* No other function steps in for the first one when that cannot be trusted. */
TEST_F(duplicate, nobody_steps_in)
{
	struct sim_addr addr = {
		.segment = 1, .bus = 0x7e, .device = 0x14, .function = 0
	};

	ASSERT_EQ(0, sim_hide(self->sim, addr, true));
	EXPECT_EQ(0, load(self));
	check(_metadata, self, 0);
	EXPECT_EQ(0, sim_hide(self->sim, addr, false));
}

TEST_HARNESS_MAIN
