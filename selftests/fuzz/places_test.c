// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * Where units in memory may be, kmod/mmio.c as it is, on machines that are
 * nowhere: locked units that share a page or registers with others, and memory
 * that something else has.
 */
#include <errno.h>
#include <string.h>

#include "mmio.c"
#include "tap.h"

struct cpuinfo_x86 boot_cpu_data = { .x86_phys_bits = 46 };

static const struct uncore_free_running free_counters[] = {
	{ .name = "clock", .offset = 0x10, .width = 64 },
	{ .name = "read", .offset = 0x18, .width = 64 },
};
static const struct uncore_layout free_layout = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
	.num_free = 2, .free = free_counters,
};
static const struct uncore_type free_type = {
	.name = "imc_free_running", .layout = &free_layout,
};

#define UNITS	4U
static struct uncore_unit unit[UNITS];
static struct uncore_finder finder;

#define DEVICES	2U
static struct pci_dev device[DEVICES];
static struct resource ram, busy;
static u64 ecam;

struct pci_dev *pci_get_device(unsigned int vendor, unsigned int id,
			       struct pci_dev *from)
{
	(void)vendor;
	(void)id;
	if (!from)
		return device;
	return from + 1 < device + DEVICES ? from + 1 : NULL;
}

int pci_read_config_word(struct pci_dev *dev, int where, u16 *value)
{
	(void)dev;
	(void)where;
	*value = PCI_COMMAND_MEMORY;
	return 0;
}

int pci_read_config_dword(struct pci_dev *dev, int where, u32 *value)
{
	(void)dev;
	(void)where;
	*value = ~0U;
	return 0;
}

static bool touches(const struct resource *res, u64 start, u64 end)
{
	return res->flags && start <= res->end && res->start <= end;
}

int region_intersects(u64 start, size_t size, unsigned long flags,
		      unsigned long desc)
{
	EXPECT_EQ(flags, IORESOURCE_SYSTEM_RAM);
	EXPECT_EQ(desc, IORES_DESC_NONE);
	EXPECT_EQ(start % PAGE_SIZE, 0);
	EXPECT_EQ(size % PAGE_SIZE, 0);
	return touches(&ram, start, start + size - 1) ? REGION_INTERSECTS
						      : REGION_DISJOINT;
}

/* As the kernel does, it shows the part that was asked for. */
int walk_iomem_res_desc(unsigned long desc, unsigned long flags, u64 start,
			u64 end, void *arg,
			int (*visit)(struct resource *res, void *arg))
{
	struct resource part = busy;

	EXPECT_EQ(desc, IORES_DESC_NONE);
	EXPECT_EQ(flags, IORESOURCE_MEM | IORESOURCE_BUSY);
	if (!touches(&busy, start, end))
		return -EINVAL;
	part.start = max(part.start, start);
	part.end = min(part.end, end);
	return visit(&part, arg);
}

bool uncore_pmu_ecam_overlaps(const struct uncore_ecam *where, u64 start,
			      u64 length)
{
	EXPECT(where == &finder.ecam);
	return ecam >= start && ecam < start + length;
}

bool uncore_pmu_is_mmio(const struct uncore_unit *u)
{
	return u->type->layout->access == UNCORE_PMU_ACCESS_MMIO64;
}

void uncore_pmu_set_state(struct uncore_unit *u, enum uncore_pmu_reason reason)
{
	u->reason = reason;
	u->state = reason ? UNCORE_PMU_STATE_INVALID : UNCORE_PMU_STATE_OK;
}

struct pci_dev *uncore_pmu_unit_device(const struct uncore_unit *u)
{
	return u->pdev;
}

void *ioremap(phys_addr_t address, size_t size)
{
	(void)address;
	(void)size;
	return NULL;
}

u32 readl(const void *at)
{
	(void)at;
	return 0;
}

static void reset(void)
{
	memset(unit, 0, sizeof(unit));
	memset(device, 0, sizeof(device));
	memset(&ram, 0, sizeof(ram));
	memset(&busy, 0, sizeof(busy));
	ecam = 0;
	free(finder.bars);
	finder = (struct uncore_finder) { .unit = unit };
}

static struct uncore_unit *place(u64 base)
{
	struct uncore_unit *u = &unit[finder.count++];

	u->type = &free_type;
	uncore_pmu_mmio_set(&finder, u, base, 0);
	return u;
}

static void lock(struct uncore_unit *u)
{
	u->state = UNCORE_PMU_STATE_LOCKED;
	u->reason = UNCORE_PMU_REASON_MCHBAR;
}

static void expect(const struct uncore_unit *u, enum uncore_pmu_state state,
		   enum uncore_pmu_reason reason)
{
	EXPECT_EQ(u->state, state);
	EXPECT_EQ(u->reason, reason);
}

/* Whichever comes first. */
static void test_lock(void)
{
	unsigned int first;

	for (first = 0; first < 2; first++) {
		reset();
		place(0x40005000 + 0x100 * first);
		place(0x40005100 - 0x100 * first);
		place(0x40006000);
		lock(&unit[first]);
		uncore_pmu_mmio_check_overlaps(&finder);
		expect(&unit[0], UNCORE_PMU_STATE_LOCKED,
		       UNCORE_PMU_REASON_MCHBAR);
		expect(&unit[1], UNCORE_PMU_STATE_LOCKED,
		       UNCORE_PMU_REASON_MCHBAR);
		expect(&unit[2], UNCORE_PMU_STATE_OK, UNCORE_PMU_REASON_NONE);
	}
}

/* One that is invalid besides has not opened its page. */
static void test_lock_and_overlap(void)
{
	reset();
	lock(place(0x40005000));
	place(0x40005008);
	place(0x40005800);
	place(0x40006800);
	uncore_pmu_mmio_check_overlaps(&finder);
	expect(&unit[0], UNCORE_PMU_STATE_INVALID, UNCORE_PMU_REASON_OVERLAP);
	expect(&unit[1], UNCORE_PMU_STATE_INVALID, UNCORE_PMU_REASON_OVERLAP);
	expect(&unit[2], UNCORE_PMU_STATE_LOCKED, UNCORE_PMU_REASON_MCHBAR);
	expect(&unit[3], UNCORE_PMU_STATE_OK, UNCORE_PMU_REASON_NONE);
}

/* Registers are from 10 to 1f. */
static void test_overlap(void)
{
	static const struct {
		u32 distance;
		bool overlap;
	} rows[] = {
		{ 0, true }, { 8, true }, { 0x10, false }, { 0x20, false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		enum uncore_pmu_reason reason = rows[i].overlap ?
			UNCORE_PMU_REASON_OVERLAP : UNCORE_PMU_REASON_NONE;

		reset();
		place(0x40005000);
		place(0x40005000 + rows[i].distance);
		uncore_pmu_mmio_check_overlaps(&finder);
		EXPECT_EQ(unit[0].reason, reason);
		EXPECT_EQ(unit[1].reason, reason);
		EXPECT_EQ(uncore_pmu_mmio_covers(&unit[0], 0x4000500c, 4), false);
		EXPECT_EQ(uncore_pmu_mmio_covers(&unit[0], 0x4000500e, 4), true);
		EXPECT_EQ(uncore_pmu_mmio_covers(&unit[0], 0x4000501c, 4), true);
		EXPECT_EQ(uncore_pmu_mmio_covers(&unit[0], 0x40005020, 4), false);
	}
}

/* Their controls have 64 bits where they are 8 bytes apart. */
static void test_config(void)
{
	static const struct uncore_layout layout = {
		.access = UNCORE_PMU_ACCESS_CONFIG, .num_counters = 4,
		.counter = 0x8, .control = 0x38, .control_stride = 8,
	};
	static const struct uncore_type type = {
		.name = "upi", .layout = &layout,
	};
	u32 offset;
	unsigned int i;

	for (offset = 0x368; offset <= 0x370; offset += 4) {
		reset();
		finder.count = 2;
		for (i = 0; i < 2; i++) {
			unit[i].type = &type;
			unit[i].rank = UNCORE_RANK_DISCOVERY + 8;
			unit[i].page = 0x40000000;
			unit[i].length = PAGE_SIZE;
			unit[i].offset = i ? offset : 0x318;
			unit[i].state = UNCORE_PMU_STATE_OK;
		}
		uncore_pmu_mmio_check_overlaps(&finder);
		for (i = 0; i < 2; i++)
			EXPECT_EQ(unit[i].reason, offset < 0x370 ?
				  UNCORE_PMU_REASON_OVERLAP :
				  UNCORE_PMU_REASON_NONE);
	}
}

static enum uncore_pmu_reason check(u64 address, u32 length,
				    const struct pci_dev *own)
{
	return uncore_pmu_mmio_check(&finder, address, length, own);
}

static void test_address(void)
{
	u64 top = 1ULL << 46;

	reset();
	EXPECT_EQ(check(0x40000002, 4, NULL), UNCORE_PMU_REASON_UNALIGNED);
	EXPECT_EQ(check(top - 4, 4, NULL), UNCORE_PMU_REASON_NONE);
	EXPECT_EQ(check(top - 4, 8, NULL), UNCORE_PMU_REASON_ADDRESS);
	EXPECT_EQ(check(top, 4, NULL), UNCORE_PMU_REASON_ADDRESS);
	EXPECT_EQ(check(0ULL - 4, 8, NULL), UNCORE_PMU_REASON_ADDRESS);

	/* A fixed address, on a machine that has fewer bits. */
	expect(place(0x1ffff6aeb000), UNCORE_PMU_STATE_OK,
	       UNCORE_PMU_REASON_NONE);
	EXPECT_EQ(unit[0].length, PAGE_SIZE);
	boot_cpu_data.x86_phys_bits = 40;
	expect(place(0x1ffff6aeb000), UNCORE_PMU_STATE_INVALID,
	       UNCORE_PMU_REASON_ADDRESS);
	EXPECT_EQ(unit[1].length, 0);
	boot_cpu_data.x86_phys_bits = 46;
}

/* All of the pages count, not only what was asked for. */
static void test_others(void)
{
	const u64 page = 0x1ffff6aeb000, at = page + 0x800;

	reset();
	ram = (struct resource) { page, page, IORESOURCE_MEM };
	EXPECT_EQ(check(at, 4, NULL), UNCORE_PMU_REASON_RAM);
	ram.start = page + PAGE_SIZE;
	ram.end = ram.start;
	EXPECT_EQ(check(at, 4, NULL), UNCORE_PMU_REASON_NONE);
	EXPECT_EQ(check(at, PAGE_SIZE, NULL), UNCORE_PMU_REASON_RAM);

	reset();
	ecam = page + PAGE_SIZE - 1;
	EXPECT_EQ(check(at, 4, NULL), UNCORE_PMU_REASON_OVERLAP);

	reset();
	device[1].resource[2] = (struct resource) {
		page, page + 15, IORESOURCE_MEM
	};
	EXPECT_EQ(check(at, 4, NULL), UNCORE_PMU_REASON_OVERLAP);
	EXPECT_EQ(check(at, 4, &device[0]), UNCORE_PMU_REASON_OVERLAP);
	EXPECT_EQ(check(at, 4, &device[1]), UNCORE_PMU_REASON_NONE);
	EXPECT_EQ(check(at + PAGE_SIZE, 4, NULL), UNCORE_PMU_REASON_NONE);
	EXPECT_EQ(uncore_pmu_is_taken(page, at, NULL), true);
	EXPECT_EQ(uncore_pmu_is_taken(page + 16, at, NULL), false);
	EXPECT_EQ(uncore_pmu_is_taken(page, at, &device[1]), false);

	/* What a bridge passes on, and what has no address. */
	reset();
	device[1].resource[PCI_BRIDGE_RESOURCES] = (struct resource) {
		page, page + 15, IORESOURCE_MEM
	};
	device[1].resource[1] = (struct resource) {
		page, page + 15, IORESOURCE_MEM | IORESOURCE_UNSET
	};
	EXPECT_EQ(check(at, 4, NULL), UNCORE_PMU_REASON_NONE);
	EXPECT_EQ(uncore_pmu_is_taken(page, at, NULL), false);

	/* Busy: its own driver may be there, in its own memory. */
	reset();
	busy = (struct resource) { page, page + 0x1fff, IORESOURCE_MEM };
	EXPECT_EQ(check(at, 4, NULL), UNCORE_PMU_REASON_OVERLAP);
	EXPECT_EQ(check(at, 4, &device[0]), UNCORE_PMU_REASON_OVERLAP);
	reset();
	busy = (struct resource) { page, page + 0x1fff, IORESOURCE_MEM };
	device[0].resource[0] = busy;
	EXPECT_EQ(check(at, 4, &device[0]), UNCORE_PMU_REASON_NONE);
	EXPECT_EQ(check(at, 4, &device[1]), UNCORE_PMU_REASON_OVERLAP);
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "a lock that two units of a page share", test_lock },
		{ "a lock, and registers of another", test_lock_and_overlap },
		{ "registers of two units", test_overlap },
		{ "controls in configuration space", test_config },
		{ "addresses", test_address },
		{ "memory that something else has", test_others },
	};
	int ret = tap_run(test, sizeof(test) / sizeof(test[0]));

	free(finder.bars);
	return ret;
}
