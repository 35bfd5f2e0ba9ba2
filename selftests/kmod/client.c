// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=ivybridge,skylake,tigerlake,alderlake user=root kernels=all timeout=300 module=no */
/*
 * Client processors: a page that shows energy counters too is handed out only
 * where the administrator has said so, and 32-bit counters give exact
 * differences over their end.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "claims.h"
#include "harness.h"
#include "mmio_units.h"

FIXTURE(client)
{
	struct sim *sim;
	struct units units;
	bool energy;
	int fd;
};

FIXTURE_SETUP(client)
{
	ASSERT_EQ(0, sim_open(&self->sim));
	self->fd = -1;
}

FIXTURE_TEARDOWN(client)
{
	unmap_all();
	units_free(&self->units);
	if (self->fd >= 0)
		close(self->fd);
	if (module_loaded(MODULE_NAME))
		EXPECT_EQ(0, module_unload());
	EXPECT_EQ(0, sim_clock(self->sim, true));
	sim_close(self->sim);
}

/* Alder Lake and later have no energy counters in these pages. */
static void load(struct __test_metadata *_metadata,
		 FIXTURE_DATA(client) *self, const char *parameters)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };

	self->fd = mmio_load_units(parameters, &self->units);
	ASSERT_LE(0, self->fd);
	ASSERT_LT(0U, self->units.count);
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &info));
	self->energy = strcmp(info.platform, "alderlake");
	TH_LOG("%s: %u units", info.platform, info.num_units);
}

static void expect_locked(struct __test_metadata *_metadata,
			  FIXTURE_DATA(client) *self,
			  const struct uncore_pmu_unit *u)
{
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_LOCKED, u->state) ABOUT(u);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_MCHBAR, u->reason) ABOUT(u);
	EXPECT_EQ(0ULL, u->mmap_length) ABOUT(u);
	EXPECT_ERRNO(EPERM, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd,
				 u->mmap_offset));
}

static void expect_mapped(struct __test_metadata *_metadata,
			  FIXTURE_DATA(client) *self,
			  const struct uncore_pmu_unit *u)
{
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u->state) ABOUT(u);
	EXPECT_EQ(0U, u->reason) ABOUT(u);
	EXPECT_EQ(PAGE, u->mmap_length) ABOUT(u);
	EXPECT_NE(MAP_FAILED, unit_map(self->fd, u)) ABOUT(u);
}

static void check_parameter(struct __test_metadata *_metadata,
			    FIXTURE_DATA(client) *self, const char *parameter,
			    const char *shown, bool allowed)
{
	char text[16];
	unsigned int i;

	load(_metadata, self, parameter);
	ASSERT_EQ(0, file_read("/sys/module/uncore_pmu/parameters/mchbar",
			       text, sizeof(text)));
	EXPECT_STREQ(shown, text);
	EXPECT_EQ(-EACCES, file_write("/sys/module/uncore_pmu/parameters/mchbar",
				      "Y"));
	for (i = 0; i < self->units.count; i++)
		if (self->energy && !allowed)
			expect_locked(_metadata, self, &self->units.unit[i]);
		else
			expect_mapped(_metadata, self, &self->units.unit[i]);
}

TEST_F(client, locked_by_default)
{
	check_parameter(_metadata, self, "", "N\n", false);
}

TEST_F(client, locked)
{
	check_parameter(_metadata, self, "mchbar=0", "N\n", false);
}

TEST_F(client, allowed)
{
	check_parameter(_metadata, self, "mchbar=1", "Y\n", true);
}

static void expect_difference(struct __test_metadata *_metadata,
			      FIXTURE_DATA(client) *self, struct sim_addr addr,
			      const struct uncore_pmu_unit *u, unsigned int n,
			      const void *page, uint64_t start, uint64_t add)
{
	uint64_t mask = counter_mask(&u->counter[n]);
	uint64_t before;

	ASSERT_EQ(0, sim_set(self->sim, addr, n, start & mask)) ABOUT(u);
	before = mmio_load(page, u, n);
	EXPECT_EQ(start & mask, before) ABOUT(u);
	ASSERT_EQ(0, sim_add(self->sim, addr, n, add)) ABOUT(u);
	EXPECT_EQ(add, (mmio_load(page, u, n) - before) & mask) {
		TH_LOG("%s/%s from %llx", unit_name(u), u->counter[n].name,
		       (unsigned long long)start);
	}
}

/* Up to one count less than a whole turn. */
TEST_F(client, differences)
{
	static const struct {
		uint64_t start;
		uint64_t add;
	} turns[] = {
		{ 0, 1 }, { ~0ULL, 1 }, { ~0ULL, 0 }, { 0x80000000, 0x80000000 },
		{ 1, 0xffffffff }, { 0xfffffff0, 0x10 }, { ~0ULL, 0xffffffff },
	};
	struct sim_addr addr;
	unsigned int i, n, t;

	ASSERT_EQ(0, sim_clock(self->sim, false));
	load(_metadata, self, "mchbar=1");
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		const void *page = unit_map(self->fd, u);

		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		ASSERT_EQ(0, mmio_find(self->sim, u, &addr)) ABOUT(u);
		for (n = 0; n < u->num_counters; n++) {
			if (u->counter[n].kind != UNCORE_PMU_KIND_FREE_RUNNING)
				continue;
			for (t = 0; t < ARRAY_SIZE(turns); t++)
				expect_difference(_metadata, self, addr, u, n,
						  page, turns[t].start,
						  turns[t].add);
		}
	}
}

/* A free-running counter is no one's to claim. */
TEST_F(client, not_to_program)
{
	unsigned int i;
	int rw;

	load(_metadata, self, "mchbar=1");
	rw = node_open(O_RDWR);
	ASSERT_LE(0, rw);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		struct uncore_pmu_program program = {
			.size = sizeof(program), .unit = i,
			.kind = UNCORE_PMU_KIND_GENERAL,
		};
		struct uncore_pmu_status status = {
			.size = sizeof(status), .unit = i,
		};

		if (u->counter[0].kind != UNCORE_PMU_KIND_FREE_RUNNING)
			continue;
		EXPECT_ERRNO(EOPNOTSUPP,
			     ioctl(rw, UNCORE_PMU_PROGRAM, &program));
		EXPECT_EQ(0, ioctl(rw, UNCORE_PMU_STATUS, &status)) ABOUT(u);
		EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_FREE_RUNNING,
			  status.state) ABOUT(u);
	}
	close(rw);
}

#define MCHBAR		0x48

static void store(struct __test_metadata *_metadata,
		  const struct uncore_pmu_unit *bridge, uint32_t offset,
		  uint64_t value)
{
	ASSERT_EQ(0, config_store(bridge, offset, value));
	ASSERT_EQ(0, config_store(bridge, offset + 4, value >> 32));
}

static void unload(FIXTURE_DATA(client) *self)
{
	units_free(&self->units);
	close(self->fd);
	self->fd = -1;
	module_unload();
}

/* What registers of the bridge lead to, once they hold something else. */
static void check_base(struct __test_metadata *_metadata,
		       FIXTURE_DATA(client) *self,
		       const struct uncore_pmu_unit *bridge, uint64_t base,
		       uint32_t reason)
{
	unsigned int i;

	store(_metadata, bridge, MCHBAR, base);
	load(_metadata, self, "mchbar=1");
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state) {
			TH_LOG("%s from %llx", unit_name(u),
			       (unsigned long long)base);
		}
		EXPECT_EQ(reason, u->reason) {
			TH_LOG("%s from %llx", unit_name(u),
			       (unsigned long long)base);
		}
		EXPECT_ERRNO(EIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED,
				       self->fd, u->mmap_offset));
	}
	unload(self);
}

/* A base so high that the units would be at the begin of memory again. */
TEST_F(client, base_comes_round)
{
	static const struct {
		uint64_t base;
		uint32_t reason;
	} rows[] = {
		{ 0xfffffffffffff001, UNCORE_PMU_REASON_ADDRESS },
		{ 0xffffffffffffb001, UNCORE_PMU_REASON_ADDRESS },
		{ 0xffffffffffff3001, UNCORE_PMU_REASON_ADDRESS },
		{ 0xfffffffffffe3001, UNCORE_PMU_REASON_ADDRESS },
		{ 0x000ffffffffff001, UNCORE_PMU_REASON_ADDRESS },
		{ 0xffffffffffffffff, UNCORE_PMU_REASON_BASE_ONES },
	};
	struct uncore_pmu_unit bridge;
	uint32_t low, high;
	unsigned int i;

	load(_metadata, self, "");
	bridge = self->units.unit[0];
	unload(self);
	ASSERT_EQ(0, config_load(&bridge, MCHBAR, &low));
	ASSERT_EQ(0, config_load(&bridge, MCHBAR + 4, &high));
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check_base(_metadata, self, &bridge, rows[i].base,
			   rows[i].reason);
	store(_metadata, &bridge, MCHBAR, (uint64_t)high << 32 | low);
}

/* Of the host bridge, which on these machines means nothing. */
TEST_F(client, stray_tables)
{
	struct uncore_pmu_info info = { .size = sizeof(info) }, again = info;
	struct uncore_pmu_unit bridge;

	load(_metadata, self, "");
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &info));
	bridge = self->units.unit[0];
	unload(self);

	store(_metadata, &bridge, 0x100, 0x0100808614010023);
	store(_metadata, &bridge, 0x108, 1);
	store(_metadata, &bridge, 0x140, 0x0100808600010023);
	store(_metadata, &bridge, 0x148, 1);
	load(_metadata, self, "");
	store(_metadata, &bridge, 0x100, 0);
	EXPECT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &again));
	EXPECT_STREQ(info.platform, again.platform);
	EXPECT_EQ(info.num_units, again.num_units);
}

/* A device that comes is given memory where a unit is. */
TEST_F(client, memory_taken)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct uncore_pmu_unit u;
	uint32_t low, high, offset = 0xd000;
	unsigned int patience = PATIENCE_MS;
	const void *page;
	uint64_t start;

	load(_metadata, self, "");
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &info));
	if (strcmp(info.platform, "alderlake"))
		return;
	u = self->units.unit[0];
	unload(self);
	ASSERT_EQ(0, config_load(&u, MCHBAR, &low));
	ASSERT_EQ(0, config_load(&u, MCHBAR + 4, &high));
	sim_close(self->sim);
	ASSERT_EQ(0, plugged_remove());
	start = plugged_find();
	ASSERT_NE(0ULL, start);
	ASSERT_EQ(0, plugged_remove());

	store(_metadata, &u, MCHBAR, (start - offset) | 1);
	load(_metadata, self, "");
	u = self->units.unit[0];
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u.state) ABOUT(&u);
	page = unit_map(self->fd, &u);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(0, trap_load(page));
	EXPECT_EQ(start, plugged_find());
	while (!unit_describe(self->fd, 0, &u) &&
	       u.state == UNCORE_PMU_STATE_OK && patience--)
		usleep(1000);
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u.state);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_OVERLAP, u.reason);
	/* The state changes before the page goes. */
	while (!trap_load(page) && patience--)
		usleep(1000);
	EXPECT_EQ(SIGBUS, trap_load(page));
	EXPECT_ERRNO(EIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd,
			       u.mmap_offset));
	store(_metadata, &u, MCHBAR, (uint64_t)high << 32 | low);
	ASSERT_EQ(0, sim_open(&self->sim));
}

TEST_HARNESS_MAIN
