// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=snowridge,icelake-sp,tigerlake,alderlake,skylake,sapphire-rapids,granite-rapids user=root kernels=6.12 timeout=300 module=no */
/*
 * Units in memory: what is said of them is true, and their pages show exactly
 * what the hardware counts.
 */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "harness.h"
#include "mmio_units.h"

/* Bits 31 and 32 differ, so that no half is mistaken for the other. */
#define PATTERN	0x5a3cf0e1d2b4ULL

FIXTURE(mmio)
{
	struct sim *sim;
	struct units units;
	struct uncore_pmu_info info;
	int fd;
	int dies;
};

FIXTURE_SETUP(mmio)
{
	unsigned int i;

	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	self->fd = mmio_load_units("mchbar=1", &self->units);
	ASSERT_LE(0, self->fd);
	ASSERT_LT(0U, self->units.count);
	self->info.size = sizeof(self->info);
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &self->info));
	for (i = 0; i < self->units.count; i++)
		if (self->units.unit[i].die >= self->dies)
			self->dies = self->units.unit[i].die + 1;
}

FIXTURE_TEARDOWN(mmio)
{
	unmap_all();
	units_free(&self->units);
	close(self->fd);
	EXPECT_EQ(0, sim_clock(self->sim, true));
	sim_close(self->sim);
	EXPECT_EQ(0, module_unload());
}

/* Units and counters of a die. */
static const struct expected {
	const char *platform;
	const char *type;
	unsigned int units;
	uint32_t access;
	uint32_t unit_control;
	uint32_t counters;
	const char *first;
	uint16_t width;
	uint8_t kind;
	uint8_t quantity;
	uint32_t scale;
	uint32_t offset;
} expected[] = {
	{ "snowridge", "imc", 2, UNCORE_PMU_ACCESS_MMIO64, 0x800, 5, "ctr0",
	  48, UNCORE_PMU_KIND_GENERAL, UNCORE_PMU_QUANTITY_EVENT, 0, 0x808 },
	{ "snowridge", "imc_free_running", 1, UNCORE_PMU_ACCESS_MMIO64,
	  UNCORE_PMU_NO_REGISTER, 3, "dclk", 48, UNCORE_PMU_KIND_FREE_RUNNING,
	  UNCORE_PMU_QUANTITY_CYCLES, 1, 0x2b0 },
	{ "icelake-sp", "imc", 12, UNCORE_PMU_ACCESS_MMIO64, 0x800, 5, "ctr0",
	  48, UNCORE_PMU_KIND_GENERAL, UNCORE_PMU_QUANTITY_EVENT, 0, 0x808 },
	{ "icelake-sp", "imc_free_running", 4, UNCORE_PMU_ACCESS_MMIO64,
	  UNCORE_PMU_NO_REGISTER, 5, "dclk", 48, UNCORE_PMU_KIND_FREE_RUNNING,
	  UNCORE_PMU_QUANTITY_CYCLES, 1, 0x2b0 },
	{ "skylake", "imc", 1, UNCORE_PMU_ACCESS_MMIO32,
	  UNCORE_PMU_NO_REGISTER, 5, "data_reads", 32,
	  UNCORE_PMU_KIND_FREE_RUNNING, UNCORE_PMU_QUANTITY_BYTES, 64, 0x050 },
	{ "tigerlake", "imc_free_running", 2, UNCORE_PMU_ACCESS_MMIO64,
	  UNCORE_PMU_NO_REGISTER, 3, "data_total", 64,
	  UNCORE_PMU_KIND_FREE_RUNNING, UNCORE_PMU_QUANTITY_BYTES, 64, 0x040 },
	{ "alderlake", "imc_free_running", 2, UNCORE_PMU_ACCESS_MMIO64,
	  UNCORE_PMU_NO_REGISTER, 3, "data_total", 64,
	  UNCORE_PMU_KIND_FREE_RUNNING, UNCORE_PMU_QUANTITY_BYTES, 64, 0x840 },
	{ "alderlake", "imc", 2, UNCORE_PMU_ACCESS_MMIO64, 0x9c4, 5, "ctr0",
	  64, UNCORE_PMU_KIND_GENERAL, UNCORE_PMU_QUANTITY_EVENT, 0, 0x9e8 },
	{ "sapphire-rapids", "imc", 8, UNCORE_PMU_ACCESS_MMIO64, 0x800, 5,
	  "ctr0", 48, UNCORE_PMU_KIND_GENERAL, UNCORE_PMU_QUANTITY_EVENT, 0,
	  0x808 },
	{ "sapphire-rapids", "imc_free_running", 4, UNCORE_PMU_ACCESS_MMIO64,
	  UNCORE_PMU_NO_REGISTER, 3, "dclk", 48, UNCORE_PMU_KIND_FREE_RUNNING,
	  UNCORE_PMU_QUANTITY_CYCLES, 1, 0x2b0 },
	{ "granite-rapids", "imc", 12, UNCORE_PMU_ACCESS_MMIO64, 0x800, 5,
	  "ctr0", 48, UNCORE_PMU_KIND_GENERAL, UNCORE_PMU_QUANTITY_EVENT, 0,
	  0x808 },
};

static void check_unit(struct __test_metadata *_metadata,
		       const struct expected *e,
		       const struct uncore_pmu_unit *u)
{
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u->state) ABOUT(u);
	EXPECT_EQ(0U, u->reason) ABOUT(u);
	EXPECT_EQ(e->access, u->access) ABOUT(u);
	EXPECT_EQ(PAGE, u->mmap_length) ABOUT(u);
	EXPECT_EQ(e->unit_control, u->unit_control) ABOUT(u);
	EXPECT_EQ(e->counters, u->num_counters) ABOUT(u);
	EXPECT_STREQ(e->first, u->counter[0].name) ABOUT(u);
	EXPECT_EQ(e->width, u->counter[0].width) ABOUT(u);
	EXPECT_EQ(e->kind, u->counter[0].kind) ABOUT(u);
	EXPECT_EQ(e->quantity, u->counter[0].quantity) ABOUT(u);
	EXPECT_EQ(e->scale, u->counter[0].scale) ABOUT(u);
	EXPECT_EQ(e->offset, u->counter[0].offset) ABOUT(u);
	EXPECT_EQ(0x8086, u->pci_vendor) ABOUT(u);
	if (e->kind == UNCORE_PMU_KIND_FREE_RUNNING) {
		EXPECT_EQ(UNCORE_PMU_NO_REGISTER, u->counter[0].control)
			ABOUT(u);
		EXPECT_EQ(0U, u->counter[0].enable) ABOUT(u);
		EXPECT_EQ(0ULL, u->config_mask) ABOUT(u);
	}
}

TEST_F(mmio, described)
{
	const struct expected *e;
	unsigned int i, rows = 0;
	int die;

	for (e = expected; e < expected + ARRAY_SIZE(expected); e++) {
		if (strcmp(e->platform, self->info.platform))
			continue;
		rows++;
		EXPECT_EQ(e->units * self->dies,
			  mmio_count(&self->units, e->type,
				     UNCORE_PMU_STATE_OK)) {
			TH_LOG("%s on %d dies", e->type, self->dies);
		}
		for (die = 0; die < self->dies; die++)
			for (i = 0; i < e->units; i++) {
				const struct uncore_pmu_unit *u =
					units_find(&self->units, e->type, i,
						   die);

				ASSERT_NE(NULL, u) {
					TH_LOG("%s%u@%d", e->type, i, die);
				}
				check_unit(_metadata, e, u);
			}
	}
	EXPECT_LT(0U, rows) TH_LOG("%s", self->info.platform);
	EXPECT_EQ(0U, mmio_count(&self->units, NULL,
				 UNCORE_PMU_STATE_INVALID));
	EXPECT_EQ(0U, mmio_count(&self->units, NULL, UNCORE_PMU_STATE_LOCKED));
}

/* Each counter has its own value, and only one place shows it. */
TEST_F(mmio, values)
{
	uint64_t want, pattern = PATTERN;
	struct sim_addr addr;
	unsigned int i, n, seen = 0;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		void *page;

		if (!unit_is_mmio(u) || u->state != UNCORE_PMU_STATE_OK)
			continue;
		ASSERT_EQ(0, mmio_find(self->sim, u, &addr)) ABOUT(u);
		page = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		for (n = 0; n < u->num_counters; n++)
			ASSERT_EQ(0, sim_set(self->sim, addr, n,
					     (pattern + n) &
					     counter_mask(&u->counter[n])))
				ABOUT(u);
		for (n = 0; n < u->num_counters; n++, seen++) {
			want = (pattern + n) & counter_mask(&u->counter[n]);
			EXPECT_EQ(want, mmio_load(page, u, n)) {
				TH_LOG("%s/%s", unit_name(u),
				       u->counter[n].name);
			}
		}
		pattern += 0x100000001000ULL;
		munmap(page, u->mmap_length);
	}
	EXPECT_LT(0U, seen);
	TH_LOG("%s: %u counters", self->info.platform, seen);
}

/* A difference is exact over the end of a free-running counter. */
TEST_F(mmio, wraps)
{
	uint64_t before, after, mask;
	struct sim_addr addr;
	unsigned int i, n, seen = 0;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		void *page;

		if (!unit_is_mmio(u) || u->state != UNCORE_PMU_STATE_OK)
			continue;
		ASSERT_EQ(0, mmio_find(self->sim, u, &addr)) ABOUT(u);
		page = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		for (n = 0; n < u->num_counters; n++) {
			if (u->counter[n].kind != UNCORE_PMU_KIND_FREE_RUNNING)
				continue;
			mask = counter_mask(&u->counter[n]);
			ASSERT_EQ(0, sim_set(self->sim, addr, n, mask - 5));
			before = mmio_load(page, u, n);
			ASSERT_EQ(0, sim_add(self->sim, addr, n, 1000 + seen));
			after = mmio_load(page, u, n);
			EXPECT_GT(before, after) ABOUT(u);
			EXPECT_EQ(1000ULL + seen, (after - before) & mask)
				ABOUT(u);
			seen++;
		}
		munmap(page, u->mmap_length);
	}
	TH_LOG("%s: %u counters", self->info.platform, seen);
}

/* They count while the machine runs, and not while its clock stands. */
TEST_F(mmio, moves)
{
	int end = now_ms() + PATIENCE_MS;
	unsigned int i, n;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		uint64_t before;
		void *page;

		if (!unit_is_mmio(u) || u->state != UNCORE_PMU_STATE_OK)
			continue;
		page = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		for (n = 0; n < u->num_counters; n++) {
			if (u->counter[n].kind != UNCORE_PMU_KIND_FREE_RUNNING)
				continue;
			before = mmio_load(page, u, n);
			EXPECT_EQ(before, mmio_load(page, u, n));
			ASSERT_EQ(0, sim_clock(self->sim, true));
			while (mmio_load(page, u, n) == before &&
			       now_ms() < end)
				;
			EXPECT_NE(before, mmio_load(page, u, n)) {
				TH_LOG("%s/%s", unit_name(u),
				       u->counter[n].name);
			}
			ASSERT_EQ(0, sim_clock(self->sim, false));
		}
		munmap(page, u->mmap_length);
	}
}

/* The page and nothing after it. */
TEST_F(mmio, length)
{
	const struct uncore_pmu_unit *u;
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		u = &self->units.unit[i];
		if (!unit_is_mmio(u) || u->state != UNCORE_PMU_STATE_OK)
			continue;
		EXPECT_ERRNO(EINVAL, mmap(NULL, u->mmap_length + PAGE,
					  PROT_READ, MAP_SHARED, self->fd,
					  u->mmap_offset));
		EXPECT_ERRNO(ENXIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED,
					 self->fd, u->mmap_offset + PAGE));
		EXPECT_ERRNO(EACCES, mmap(NULL, u->mmap_length,
					  PROT_READ | PROT_WRITE, MAP_SHARED,
					  self->fd, u->mmap_offset));
	}
}

TEST_HARNESS_MAIN
