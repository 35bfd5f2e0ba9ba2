// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * Discovery tables that MSRs lead to, kmod/tables.c as it is: the simulated
 * machine has no such MSRs.
 */
#include <errno.h>
#include <string.h>

#include "tables.c"
#include "tap.h"

#define MSR		0x710
#define GLOBAL_MSR	0x2ff0
#define DIES		4
#define TABLE		0x12340ff4ULL	/* its head is in two pages */
#define CONTROL		0xfedc0380ULL

struct cpuinfo_x86 boot_cpu_data = { .x86_phys_bits = 46 };

/* Two of each die. */
const int online_cpus = 2 * DIES;

static struct {
	u64 msr[DIES];
	bool fault[DIES];
	u8 memory[2 * 4096];		/* from the table's page on */
	enum uncore_pmu_reason reason;
	int mapped;
	u64 global;			/* what was noted */
	u32 global_msr;
	int global_die;
	const struct pci_dev *own;
} hw;

static struct pci_dev bridge;
static struct uncore_discovery_platform discovery = { .msr = MSR };
static const struct uncore_platform platform = { .discovery = &discovery };
static struct uncore_finder finder = { .platform = &platform };
static struct list_head tables;

int topology_logical_die_id(int cpu)
{
	return cpu / 2;
}

int uncore_pmu_die_cpu(int die)
{
	return 2 * die;
}

int rdmsr_safe_on_cpu(unsigned int cpu, u32 msr, u32 *low, u32 *high)
{
	EXPECT_EQ(msr, MSR);
	EXPECT_EQ(cpu % 2, 0);
	*low = hw.msr[cpu / 2];
	*high = hw.msr[cpu / 2] >> 32;
	return hw.fault[cpu / 2] ? -EIO : 0;
}

struct pci_dev *uncore_pmu_client_bridge(const struct uncore_platform *on)
{
	EXPECT(on == &platform);
	return pci_dev_get(&bridge);
}

enum uncore_pmu_reason uncore_pmu_mmio_check(struct uncore_finder *to,
					     u64 address, u32 length,
					     const struct pci_dev *own)
{
	EXPECT(to == &finder);
	EXPECT_EQ(address, TABLE);
	EXPECT(length >= UNCORE_DISCOVERY_ENTRY);
	EXPECT(own == &bridge);
	return hw.reason;
}

void *ioremap(phys_addr_t address, size_t size)
{
	EXPECT_EQ(address, TABLE & PAGE_MASK);
	EXPECT_EQ(size, 2 * PAGE_SIZE);
	hw.mapped++;
	return hw.memory;
}

void iounmap(void *at)
{
	EXPECT(at == hw.memory);
	hw.mapped--;
}

void memcpy_fromio(void *to, const void *from, size_t length)
{
	EXPECT_EQ(hw.mapped, 1);
	memcpy(to, from, length);
}

struct uncore_global *uncore_pmu_add_global(struct uncore_finder *to,
					    u64 address, struct pci_dev *own)
{
	EXPECT(to == &finder);
	hw.global = address;
	hw.own = own;
	return (struct uncore_global *)&hw;
}

struct uncore_global *uncore_pmu_add_global_msr(u32 msr, int die)
{
	hw.global_msr = msr;
	hw.global_die = die;
	return (struct uncore_global *)&hw;
}

/* What only functions with tables need. */
bool uncore_pmu_is_asleep(struct pci_dev *pdev)
{
	return pdev->pm_cap;
}

int uncore_pmu_node_die(struct pci_bus *bus)
{
	return bus ? -1 : 0;
}

int pcibus_to_node(struct pci_bus *bus)
{
	return bus ? 0 : NUMA_NO_NODE;
}

int pci_find_next_ext_capability(struct pci_dev *dev, int start, int id)
{
	(void)dev;
	(void)id;
	return start;
}

int pci_read_config_word(struct pci_dev *dev, int where, u16 *value)
{
	(void)dev;
	*value = where;
	return -EIO;
}

int pci_read_config_dword(struct pci_dev *dev, int where, u32 *value)
{
	(void)dev;
	*value = where;
	return -EIO;
}

struct pci_dev *pci_get_device(unsigned int vendor, unsigned int id,
			       struct pci_dev *from)
{
	EXPECT_EQ(vendor, PCI_VENDOR_ID_INTEL);
	EXPECT(false);
	(void)id;
	return from;
}

static void reset(void)
{
	memset(&hw, 0, sizeof(hw));
	INIT_LIST_HEAD(&tables);
	finder.tables_left_out = 0;
	discovery.global = 0;
}

static unsigned int find(void)
{
	const struct uncore_table *table;
	unsigned int n = 0;

	EXPECT_EQ(uncore_pmu_count_discovery(&platform), 0);
	EXPECT_EQ(uncore_pmu_find_tables(&finder, &tables), 0);
	list_for_each_entry(table, &tables, list) {
		EXPECT_EQ(table->number, n);
		EXPECT_EQ(table->by_msr, true);
		EXPECT_EQ(table->length, ~0ULL);
		EXPECT(table->pdev == &bridge);
		n++;
	}
	EXPECT_EQ(bridge.references, (int)n);
	return n;
}

static void forget(void)
{
	uncore_pmu_free_tables(&tables);
	EXPECT_EQ(bridge.references, 0);
	EXPECT_EQ(hw.mapped, 0);
}

/* One of each die that tells where it is. */
static void test_dies(void)
{
	const struct uncore_table *table;

	reset();
	hw.msr[0] = 0x1ffff6000000;
	hw.msr[1] = 0x1000;
	hw.fault[1] = true;
	hw.msr[3] = 0xfed00000;
	EXPECT_EQ(find(), 2);
	table = list_last_entry(&tables, struct uncore_table, list);
	EXPECT_EQ(table->die, 3);
	EXPECT_EQ(table->address, 0xfed00000);
	table = list_entry(tables.next, struct uncore_table, list);
	EXPECT_EQ(table->die, 0);
	EXPECT_EQ(table->address, 0x1ffff6000000);
	EXPECT_EQ(finder.tables_left_out, 0);
	forget();

	reset();
	EXPECT_EQ(find(), 0);
	forget();
}

/* Nothing tells whose it is, so it is the first's. */
static void test_repeated(void)
{
	unsigned int i;

	reset();
	for (i = 0; i < DIES; i++)
		hw.msr[i] = TABLE;
	EXPECT_EQ(find(), 1);
	EXPECT_EQ(list_last_entry(&tables, struct uncore_table, list)->die, 0);
	EXPECT_EQ(finder.tables_left_out, DIES - 1);
	forget();
}

/* A head, and one unit in memory. */
static void write_table(unsigned int access, u64 control)
{
	const u64 word[] = {
		(u64)access << 62 | 1 << 16 | 3 << 8, control, 0,
		1ULL << 62 | 8ULL << 24 | 48 << 16 | 0x40 << 8 | 4,
		0x40000000, 6,
	};

	memcpy(hw.memory + TABLE % PAGE_SIZE, word, sizeof(word));
}

static enum uncore_pmu_reason read_one(void)
{
	enum uncore_pmu_reason reason;
	struct uncore_table *table;

	hw.msr[2] = TABLE;
	EXPECT_EQ(find(), 1);
	table = list_last_entry(&tables, struct uncore_table, list);
	reason = uncore_pmu_read_table(&finder, table);
	if (!reason) {
		EXPECT_EQ(table->count, 1);
		EXPECT_EQ(table->unit[0].reason, UNCORE_DISCOVERY_OK);
		EXPECT_EQ(table->unit[0].type, 6);
		EXPECT_EQ(table->unit[0].die, 2);
		EXPECT_EQ(table->unit[0].control, 0x40000000);
	}
	EXPECT_EQ(!!table->global, hw.global || hw.global_msr);
	forget();
	return reason;
}

/* It is at any dword, and its global control in memory whatever it says. */
static void test_global(void)
{
	unsigned int access;

	for (access = 0; access < 4; access++) {
		reset();
		discovery.global = CONTROL;
		write_table(access, CONTROL);
		EXPECT_EQ(read_one(), UNCORE_PMU_REASON_NONE);
		EXPECT_EQ(hw.global, CONTROL);
		EXPECT(hw.own == &bridge);
		EXPECT_EQ(hw.global_msr, 0);
	}
}

static void test_bad(void)
{
	reset();
	EXPECT_EQ(read_one(), UNCORE_PMU_REASON_TABLE);
	reset();
	memset(hw.memory, 0xff, sizeof(hw.memory));
	EXPECT_EQ(read_one(), UNCORE_PMU_REASON_ALL_ONES);
	reset();
	write_table(0, CONTROL);
	hw.reason = UNCORE_PMU_REASON_RAM;
	EXPECT_EQ(read_one(), UNCORE_PMU_REASON_RAM);
	EXPECT_EQ(hw.global, 0);
}

/* Of a table that a function leads to, an MSR only if it is the known one. */
static void test_global_msr(void)
{
	static const struct {
		u64 control;
		unsigned int access;
		u32 known;
		bool noted;
	} rows[] = {
		{ GLOBAL_MSR, UNCORE_DISCOVERY_MSR, GLOBAL_MSR, true },
		{ GLOBAL_MSR, UNCORE_DISCOVERY_MSR, 0, false },
		{ GLOBAL_MSR + 1, UNCORE_DISCOVERY_MSR, GLOBAL_MSR, false },
		{ 1ULL << 32 | GLOBAL_MSR, UNCORE_DISCOVERY_MSR, GLOBAL_MSR,
		  false },
		{ GLOBAL_MSR, UNCORE_DISCOVERY_PCI, GLOBAL_MSR, false },
	};
	struct uncore_table table;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		reset();
		discovery.global = rows[i].known;
		write_table(rows[i].access, rows[i].control);
		table = (struct uncore_table) {
			.pdev = &bridge, .address = TABLE, .length = ~0ULL,
			.die = 2,
		};
		EXPECT_EQ(uncore_pmu_read_table(&finder, &table),
			  UNCORE_PMU_REASON_NONE);
		EXPECT_EQ(!!table.global, rows[i].noted);
		EXPECT_EQ(hw.global_msr, rows[i].noted ? GLOBAL_MSR : 0);
		EXPECT_EQ(hw.global_die, rows[i].noted ? 2 : 0);
		EXPECT_EQ(hw.global, 0);
		free(table.unit);
	}
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "tables of dies", test_dies },
		{ "all dies have the same", test_repeated },
		{ "what freezes their units", test_global },
		{ "tables that cannot be used", test_bad },
		{ "MSRs that a table names", test_global_msr },
	};

	return tap_run(test, sizeof(test) / sizeof(test[0]));
}
