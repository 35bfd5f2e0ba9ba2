// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 module=no */
/*
 * Firmware and hardware that lie: the module loads, says what is wrong, maps
 * nothing that it cannot trust, and loses nothing else.
 */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "harness.h"

/* What a healthy load shows. */
static struct units healthy_units(void)
{
	struct units units = { 0 };
	int fd;

	if (module_load())
		return units;
	fd = node_open(O_RDONLY);
	units = units_get(fd);
	close(fd);
	if (module_unload())
		units_free(&units);
	return units;
}

FIXTURE(fault)
{
	struct sim *sim;
	struct units healthy;
	struct units units;
	int fd;
	int klog;
	char log[16384];
};

FIXTURE_SETUP(fault)
{
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_FALSE(module_loaded(MODULE_NAME));
	self->healthy = healthy_units();
	ASSERT_NE(NULL, units_first(&self->healthy, UNCORE_PMU_STATE_OK));
	self->fd = -1;
	self->klog = klog_open();
	ASSERT_LE(0, self->klog);
}

FIXTURE_TEARDOWN(fault)
{
	struct units again;
	unsigned int i;

	/* Repaired, everything is as before; also after a test that failed. */
	EXPECT_EQ(0, sim_mcfg(self->sim, SIM_MCFG_OK, 0));
	for (i = 0; i < self->healthy.count; i++) {
		const struct uncore_pmu_unit *u = &self->healthy.unit[i];

		if (u->state == UNCORE_PMU_STATE_OK) {
			EXPECT_EQ(0, sim_set_id(self->sim, unit_addr(u),
						u->pci_vendor, u->pci_device));
		}
	}
	unmap_all();
	if (self->fd >= 0)
		close(self->fd);
	units_free(&self->units);
	if (module_loaded(MODULE_NAME)) {
		ASSERT_EQ(0, module_unload());
	}
	again = healthy_units();
	EXPECT_EQ(self->healthy.count, again.count);
	for (i = 0; i < again.count; i++) {
		EXPECT_EQ(0, memcmp(&again.unit[i], &self->healthy.unit[i],
				    sizeof(again.unit[i])))
			ABOUT(&again.unit[i]);
	}
	units_free(&again);
	units_free(&self->healthy);
	close(self->klog);
	sim_close(self->sim);
}

static int load(FIXTURE_DATA(fault) *self)
{
	int err = module_load();

	if (err)
		return err;
	self->fd = node_open(O_RDONLY);
	self->units = units_get(self->fd);
	return klog_read(self->klog, self->log, sizeof(self->log));
}

/* The unit is known as before, but it is not mapped, and says why. */
static void expect_invalid(struct __test_metadata *_metadata, int fd,
			   const struct uncore_pmu_unit *healthy,
			   const struct uncore_pmu_unit *unit, uint32_t reason)
{
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, unit->state) ABOUT(unit);
	EXPECT_EQ(reason, unit->reason) ABOUT(unit);
	EXPECT_EQ(0ULL, unit->mmap_length) ABOUT(unit);
	EXPECT_EQ(healthy->mmap_offset, unit->mmap_offset) ABOUT(unit);
	EXPECT_STREQ(healthy->type, unit->type) ABOUT(unit);
	EXPECT_EQ(healthy->instance, unit->instance) ABOUT(unit);
	EXPECT_EQ(healthy->die, unit->die) ABOUT(unit);
	EXPECT_EQ(healthy->bus, unit->bus) ABOUT(unit);
	EXPECT_EQ(healthy->num_counters, unit->num_counters) ABOUT(unit);
	EXPECT_ERRNO(EIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd,
			       unit->mmap_offset));
	EXPECT_ERRNO(EACCES, mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				  MAP_SHARED, fd, unit->mmap_offset));
}

static void expect_healthy(struct __test_metadata *_metadata, int fd,
			   const struct uncore_pmu_unit *healthy,
			   const struct uncore_pmu_unit *unit)
{
	void *page;

	EXPECT_EQ(0, memcmp(healthy, unit, sizeof(*unit))) ABOUT(unit);
	if (unit->state != UNCORE_PMU_STATE_OK)
		return;
	page = unit_map(fd, unit);
	ASSERT_NE(MAP_FAILED, page) ABOUT(unit);
	EXPECT_EQ(unit_id(unit), page_load(page, 0)) ABOUT(unit);
	munmap(page, PAGE);
}

/* No unit can be mapped, each for the same reason; RDPMC works all the same. */
static void expect_all_invalid(struct __test_metadata *_metadata,
			       FIXTURE_DATA(fault) *self, uint32_t reason)
{
	unsigned int i;
	void *page;

	ASSERT_EQ(self->healthy.count, self->units.count);
	for (i = 0; i < self->units.count; i++)
		if (self->healthy.unit[i].state == UNCORE_PMU_STATE_OK)
			expect_invalid(_metadata, self->fd,
				       &self->healthy.unit[i],
				       &self->units.unit[i], reason);
		else
			expect_healthy(_metadata, self->fd,
				       &self->healthy.unit[i],
				       &self->units.unit[i]);
	page = rdpmc_map(self->fd);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(rdpmc_granted(), trap_rdpmc());
	munmap(page, UNCORE_PMU_RDPMC_LENGTH);
	/* Said once, not once a unit. */
	EXPECT_EQ(1, klog_module_lines(self->log))
		TH_LOG("%s", self->log);
}

#define TABLE_TEST(name, what, argument, wanted) \
	TEST_F(fault, name) \
	{ \
		ASSERT_EQ(0, sim_mcfg(self->sim, what, argument)); \
		ASSERT_EQ(0, load(self)); \
		expect_all_invalid(_metadata, self, wanted); \
	}

TABLE_TEST(no_entry, SIM_MCFG_NO_ENTRY, 0, UNCORE_PMU_REASON_NO_ECAM)
TABLE_TEST(wrong_buses, SIM_MCFG_WRONG_BUSES, 0, UNCORE_PMU_REASON_NO_ECAM)
TABLE_TEST(wrong_segment, SIM_MCFG_WRONG_SEGMENT, 1, UNCORE_PMU_REASON_NO_ECAM)
TABLE_TEST(reversed_buses, SIM_MCFG_REVERSED, 0, UNCORE_PMU_REASON_NO_ECAM)
TABLE_TEST(in_memory, SIM_MCFG_RAM_BASE, 0, UNCORE_PMU_REASON_RAM)
TABLE_TEST(next_device, SIM_MCFG_WRONG_BASE, 0x8000, UNCORE_PMU_REASON_ID)
TABLE_TEST(unaligned, SIM_MCFG_WRONG_BASE, 0x800, UNCORE_PMU_REASON_UNALIGNED)
TABLE_TEST(above_the_width, SIM_MCFG_WRONG_BASE, 1ULL << 52,
	   UNCORE_PMU_REASON_ADDRESS)
TABLE_TEST(signature, SIM_MCFG_SIGNATURE, 0, UNCORE_PMU_REASON_NO_MCFG)

/* A table cut short, or with a wrong sum, is broken. */
TABLE_TEST(truncated, SIM_MCFG_TRUNCATED, 0, UNCORE_PMU_REASON_NO_ECAM)
TABLE_TEST(checksum, SIM_MCFG_CHECKSUM, 0, UNCORE_PMU_REASON_NO_MCFG)

/* The base address of the first entry; 0 if it cannot be read. */
static uint64_t mcfg_base(void)
{
	int fd = open("/sys/firmware/acpi/tables/MCFG", O_RDONLY | O_CLOEXEC);
	uint64_t base = 0;

	if (fd < 0 || pread(fd, &base, sizeof(base), 44) != sizeof(base))
		base = 0;
	close(fd);
	return base;
}

/* Base and bus add up to 2^64 and a bit, which looks like low memory. */
TEST_F(fault, wraps)
{
	const struct uncore_pmu_unit *u =
		units_first(&self->healthy, UNCORE_PMU_STATE_OK);
	uint64_t base = mcfg_base();

	ASSERT_NE(0ULL, base);
	ASSERT_EQ(0, sim_mcfg(self->sim, SIM_MCFG_WRONG_BASE,
			      -base - ((uint64_t)u->bus << 20)));
	ASSERT_EQ(0, load(self));
	expect_all_invalid(_metadata, self, UNCORE_PMU_REASON_ADDRESS);
}

/* A page that the kernel has mapped as cached memory; 0 if there is none. */
static uint64_t cached_page(void)
{
	FILE *file = fopen("/sys/kernel/debug/x86/pat_memtype_list", "re");
	unsigned long long page, found = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, " write-back") &&
		    sscanf(line, "PAT: [mem %llx-", &page) == 1)
			found = page;
	if (file)
		fclose(file);
	return found;
}

/*
 * Linux does not map a page uncached that is mapped as cached memory already, so
 * that the id there cannot be looked at. The page is one of the ACPI tables,
 * which lie outside of System RAM.
 */
TEST_F(fault, cached_by_others)
{
	const struct uncore_pmu_unit *healthy =
		units_first(&self->healthy, UNCORE_PMU_STATE_OK);
	uint64_t base = mcfg_base(), page = cached_page();
	const struct uncore_pmu_unit *u;
	unsigned int i;

	ASSERT_NE(0ULL, base);
	ASSERT_NE(0ULL, page);
	ASSERT_EQ(0, sim_mcfg(self->sim, SIM_MCFG_WRONG_BASE, page - base -
			      ((uint64_t)healthy->bus << 20) -
			      (healthy->device << 15) -
			      (healthy->function << 12)));
	ASSERT_EQ(0, load(self));
	ASSERT_EQ(self->healthy.count, self->units.count);
	u = &self->units.unit[healthy->index];
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_MAP, u->reason);
	EXPECT_EQ(0ULL, u->mmap_length);
	EXPECT_EQ(healthy->mmap_offset, u->mmap_offset);
	EXPECT_EQ(healthy->num_counters, u->num_counters);
	EXPECT_ERRNO(EIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd,
				  u->mmap_offset));
	for (i = 0; i < self->units.count; i++) {
		EXPECT_NE((uint32_t)UNCORE_PMU_STATE_OK,
			  self->units.unit[i].state)
			ABOUT(&self->units.unit[i]);
	}
	EXPECT_EQ(1, klog_module_lines(self->log)) TH_LOG("%s", self->log);
	EXPECT_NE(NULL, strstr(self->log, "ioremap error"))
		TH_LOG("%s", self->log);
}

/* Every unit in turn would take long: one of each type of the first die. */
TEST_F(fault, ids)
{
	const struct uncore_pmu_unit *broken = NULL;
	unsigned int i, n;

	for (i = 0; i < self->healthy.count; i++) {
		const struct uncore_pmu_unit *u = &self->healthy.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK ||
		    (broken && !strcmp(broken->type, u->type)))
			continue;
		broken = u;
		/* The PCI core has read the right one at boot. */
		ASSERT_EQ(0, sim_set_id(self->sim, unit_addr(u), 0x8086,
					0x1234));
		ASSERT_EQ(0, load(self));
		ASSERT_EQ(self->healthy.count, self->units.count);
		for (n = 0; n < self->units.count; n++)
			if (n == i)
				expect_invalid(_metadata, self->fd, u,
					       &self->units.unit[n],
					       UNCORE_PMU_REASON_ID);
			else
				expect_healthy(_metadata, self->fd,
					       &self->healthy.unit[n],
					       &self->units.unit[n]);
		EXPECT_NE(NULL, strstr(self->log, " 1 invalid"))
			TH_LOG("%s", self->log);
		ASSERT_EQ(0, sim_set_id(self->sim, unit_addr(u), u->pci_vendor,
					u->pci_device));
		close(self->fd);
		self->fd = -1;
		units_free(&self->units);
		ASSERT_EQ(0, module_unload());
	}
	EXPECT_NE(NULL, broken);
}

TEST_F(fault, wrong_vendor)
{
	const struct uncore_pmu_unit *u =
		units_first(&self->healthy, UNCORE_PMU_STATE_OK);

	ASSERT_EQ(0, sim_set_id(self->sim, unit_addr(u), 0x8087,
				u->pci_device));
	EXPECT_EQ(0, load(self));
	EXPECT_EQ(0, sim_set_id(self->sim, unit_addr(u), u->pci_vendor,
				u->pci_device));
	expect_invalid(_metadata, self->fd, u, &self->units.unit[u->index],
		       UNCORE_PMU_REASON_ID);
}

/* Found healthy, but hidden when it is to be mapped, and only as long as that. */
TEST_F(fault, id_changes_while_loaded)
{
	struct uncore_pmu_unit unit;
	const struct uncore_pmu_unit *u;
	unsigned int n;
	void *page;

	ASSERT_EQ(0, load(self));
	u = units_first(&self->units, UNCORE_PMU_STATE_OK);
	page = unit_map(self->fd, u);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, sim_hide(self->sim, unit_addr(u), true));
	EXPECT_EQ(UINT32_MAX, page_load(page, 0));
	EXPECT_EQ(MAP_FAILED, unit_map(self->fd, u));
	EXPECT_EQ(EIO, errno);
	ASSERT_EQ(0, unit_describe(self->fd, u->index, &unit));
	expect_invalid(_metadata, self->fd, u, &unit, UNCORE_PMU_REASON_ID);
	EXPECT_EQ(0, sim_hide(self->sim, unit_addr(u), false));
	EXPECT_EQ(unit_id(u), page_load(page, 0));
	for (n = 0; n < self->units.count; n++)
		expect_healthy(_metadata, self->fd, &self->healthy.unit[n],
			       &self->units.unit[n]);
	munmap(page, PAGE);
}

/* The function stopped answering: all ones, for the PCI core as for us. */
TEST_F(fault, hidden_after_boot)
{
	const struct uncore_pmu_unit *u =
		units_first(&self->healthy, UNCORE_PMU_STATE_OK);
	unsigned int n;

	ASSERT_EQ(0, sim_hide(self->sim, unit_addr(u), true));
	EXPECT_EQ(0, load(self));
	EXPECT_EQ(0, sim_hide(self->sim, unit_addr(u), false));
	ASSERT_EQ(self->healthy.count, self->units.count);
	for (n = 0; n < self->units.count; n++)
		if (n == u->index)
			expect_invalid(_metadata, self->fd, u,
				       &self->units.unit[n],
				       UNCORE_PMU_REASON_ID);
		else
			expect_healthy(_metadata, self->fd,
				       &self->healthy.unit[n],
				       &self->units.unit[n]);
}

TEST_HARNESS_MAIN
