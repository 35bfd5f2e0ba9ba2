// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where discovery tables are, as intel_uncore_has_discovery_tables() and its
 * successors in arch/x86/events/intel/uncore_discovery.c find them. What is in
 * them is read by discovery.c, from a copy.
 */
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <asm/msr.h>

#include "discovery.h"
#include "find.h"

/* UNCORE_DISCOVERY_DVSEC_OFFSET, _DVSEC2_OFFSET */
#define DVSEC_ID		0x8
#define DVSEC_LOCATION		0xc

/* Both are within a capability of this length, see PCI_DVSEC_HEADER1_LEN. */
#define DVSEC_LENGTH		0x10

/* Of all dies; there are no machines with nearly as many. */
#define MAX_TABLES		256

/*
 * Capabilities that a function has of discovery tables; @visit, if any, is
 * called with each. Their chain may have a loop.
 */
static int walk_dvsecs(struct uncore_finder *finder, struct list_head *tables,
		       struct pci_dev *pdev,
		       int (*visit)(struct uncore_finder *finder,
				    struct list_head *tables,
				    struct pci_dev *pdev, int bar))
{
	DECLARE_BITMAP(seen, PCI_CFG_SPACE_EXP_SIZE) = {};
	u32 vendor, id, location;
	int bar, found = 0, ret, pos = 0;

	for (;;) {
		pos = pci_find_next_ext_capability(pdev, pos,
						   PCI_EXT_CAP_ID_DVSEC);
		if (!pos || __test_and_set_bit(pos, seen))
			return found;
		if (pci_read_config_dword(pdev, pos + PCI_DVSEC_HEADER1,
					  &vendor) ||
		    pci_read_config_dword(pdev, pos + DVSEC_ID, &id) ||
		    pci_read_config_dword(pdev, pos + DVSEC_LOCATION,
					  &location) ||
		    PCI_DVSEC_HEADER1_VID(vendor) != PCI_VENDOR_ID_INTEL)
			continue;
		bar = uncore_pmu_discovery_bar(id, location);
		if (bar == -ENOENT)
			continue;
		if (PCI_DVSEC_HEADER1_LEN(vendor) < DVSEC_LENGTH)
			bar = -EINVAL;
		found++;
		ret = visit ? visit(finder, tables, pdev, bar) : 0;
		if (ret)
			return ret;
	}
}

/* One id on the platforms that we know, any of Intel on others. */
static struct pci_dev *next_function(const struct uncore_platform *on,
				     struct pci_dev *pdev)
{
	u16 device = on->discovery->device;

	return pci_get_device(PCI_VENDOR_ID_INTEL, device ?: PCI_ANY_ID, pdev);
}

/* On some only MSRs lead to tables. */
static bool uses_functions(const struct uncore_platform *on)
{
	return on->discovery &&
	       (on->discovery->device || !on->discovery->msr);
}

/**
 * uncore_pmu_count_discovery() - how many discovery tables of a platform there
 * are
 * @on: platform
 *
 * Return: the number, without those that only MSRs lead to.
 */
unsigned int uncore_pmu_count_discovery(const struct uncore_platform *on)
{
	struct pci_dev *pdev = NULL;
	unsigned int n = 0;

	if (!uses_functions(on))
		return 0;
	while ((pdev = next_function(on, pdev)))
		n += walk_dvsecs(NULL, NULL, pdev, NULL);
	return n;
}

/* One that says no more than another; a function need not have two bad ones. */
static bool is_repeated(const struct uncore_table *a,
			const struct uncore_table *b)
{
	return a->address == b->address && a->reason == b->reason &&
	       (!a->reason || a->pdev == b->pdev);
}

static int add_table(struct list_head *tables, unsigned int *left_out,
		     const struct uncore_table *new)
{
	unsigned int n = 0;
	struct uncore_table *table;

	list_for_each_entry(table, tables, list) {
		if (is_repeated(table, new))
			break;
		n++;
	}
	if (n == MAX_TABLES || !list_entry_is_head(table, tables, list)) {
		++*left_out;
		return 0;
	}

	table = kmemdup(new, sizeof(*new), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	pci_dev_get(table->pdev);
	table->number = n;
	list_add_tail(&table->list, tables);
	return 0;
}

/**
 * uncore_pmu_free_tables() - free what uncore_pmu_find_tables() has allocated
 * @tables: the tables
 */
void uncore_pmu_free_tables(struct list_head *tables)
{
	struct uncore_table *table, *next;

	list_for_each_entry_safe(table, next, tables, list) {
		pci_dev_put(table->pdev);
		kvfree(table->unit);
		kfree(table);
	}
}

/* get_device_die_id(): without NUMA information, in the order of the tables */
static int table_die(const struct list_head *tables, struct pci_dev *pdev)
{
	if (pcibus_to_node(pdev->bus) != NUMA_NO_NODE)
		return uncore_pmu_node_die(pdev->bus);
	if (list_empty(tables))
		return 0;
	return list_last_entry(tables, struct uncore_table, list)->number + 1;
}

/* How much memory a base register is for; as much as we like if not known. */
static u64 bar_length(struct pci_dev *pdev, int bar, u64 address)
{
	unsigned long flags = pci_resource_flags(pdev, bar);

	if (!(flags & IORESOURCE_MEM) || flags & IORESOURCE_UNSET ||
	    pci_resource_start(pdev, bar) != address)
		return U64_MAX;
	return pci_resource_len(pdev, bar);
}

static enum uncore_pmu_reason read_bar(struct pci_dev *pdev, int bar,
				       struct uncore_table *table)
{
	int where = PCI_BASE_ADDRESS_0 + 4 * bar;
	u32 low = ~0U, high = 0;
	u16 command = 0;

	pci_read_config_word(pdev, PCI_COMMAND, &command);
	pci_read_config_dword(pdev, where, &low);
	if (PCI_POSSIBLE_ERROR(low))
		return UNCORE_PMU_REASON_BASE_ONES;
	if (low & PCI_BASE_ADDRESS_SPACE_IO) {
		table->why = UNCORE_DISCOVERY_PORTS;
		return UNCORE_PMU_REASON_TABLE;
	}
	if (low & PCI_BASE_ADDRESS_MEM_TYPE_64)
		pci_read_config_dword(pdev, where + 4, &high);

	table->address = (u64)high << 32 | (low & PCI_BASE_ADDRESS_MEM_MASK);
	table->length = bar_length(pdev, bar, table->address);
	if (!table->address)
		return UNCORE_PMU_REASON_BASE_ZERO;
	if (!PAGE_ALIGNED(table->address))
		return UNCORE_PMU_REASON_UNALIGNED;
	if (uncore_pmu_is_asleep(pdev))
		return UNCORE_PMU_REASON_D3;
	return command & PCI_COMMAND_MEMORY ? UNCORE_PMU_REASON_NONE
					    : UNCORE_PMU_REASON_DECODE;
}

static int visit_dvsec(struct uncore_finder *finder, struct list_head *tables,
		       struct pci_dev *pdev, int bar)
{
	struct uncore_table table = {
		.pdev = pdev, .die = table_die(tables, pdev),
		.reason = UNCORE_PMU_REASON_TABLE,
		.why = UNCORE_DISCOVERY_LOCATION,
	};

	if (bar >= 0) {
		table.why = UNCORE_DISCOVERY_OK;
		table.reason = read_bar(pdev, bar, &table);
	}
	return add_table(tables, &finder->tables_left_out, &table);
}

/*
 * Each die tells by an MSR of its own. A client's host bridge decodes what is
 * in memory, as it does for units that its own registers lead to.
 */
static int find_msr_tables(struct uncore_finder *finder,
			   struct list_head *tables, u32 msr)
{
	struct uncore_table table = { .length = U64_MAX, .by_msr = true };
	u32 low, high;
	int cpu, ret = 0;

	table.pdev = uncore_pmu_client_bridge(finder->platform);

	for_each_online_cpu(cpu) {
		table.die = topology_logical_die_id(cpu);
		if (uncore_pmu_die_cpu(table.die) != cpu ||
		    rdmsr_safe_on_cpu(cpu, msr, &low, &high) ||
		    !(low | high))
			continue;
		table.address = (u64)high << 32 | low;
		ret = add_table(tables, &finder->tables_left_out, &table);
		if (ret)
			break;
	}
	pci_dev_put(table.pdev);
	return ret;
}

/**
 * uncore_pmu_find_tables() - find all discovery tables
 * @finder: knows the platform
 * @tables: an empty list, receives them
 *
 * Return: 0 or -ENOMEM, with @tables to be freed in any case.
 */
int uncore_pmu_find_tables(struct uncore_finder *finder,
			   struct list_head *tables)
{
	const struct uncore_platform *on = finder->platform;
	struct pci_dev *pdev = NULL;
	int ret;

	while (uses_functions(on) && (pdev = next_function(on, pdev))) {
		ret = walk_dvsecs(finder, tables, pdev, visit_dvsec);
		if (ret < 0) {
			pci_dev_put(pdev);
			return ret;
		}
	}
	return on->discovery->msr
		? find_msr_tables(finder, tables, on->discovery->msr) : 0;
}

/* A copy of a part of the table, which must have been checked. */
static int copy_table(const struct uncore_table *table, void *to, u32 length)
{
	u64 page = table->address & PAGE_MASK;
	u32 offset = table->address & ~PAGE_MASK;
	void __iomem *from = ioremap(page, PAGE_ALIGN(offset + length));

	if (!from)
		return -ENOMEM;
	memcpy_fromio(to, from + offset, length);
	iounmap(from);
	return 0;
}

static enum uncore_pmu_reason read_units(struct uncore_finder *finder,
					 struct uncore_table *table,
					 const struct uncore_discovery_table *head)
{
	struct uncore_discovery_source source = {
		.platform = finder->platform->discovery,
		.address = table->address,
		/* A number of its own, where it is not known. */
		.die = table->die < 0 ? ~table->number : (u32)table->die,
		.phys_bits = boot_cpu_data.x86_phys_bits,
	};
	u32 length = min_t(u64, head->length, table->length);
	void *copy;

	copy = kvmalloc(length, GFP_KERNEL);
	table->unit = kvcalloc(head->num_units, sizeof(*table->unit),
			       GFP_KERNEL);
	if (!copy || !table->unit || copy_table(table, copy, length)) {
		kvfree(copy);
		return UNCORE_PMU_REASON_MAP;
	}
	table->count = uncore_pmu_discovery_units(copy, length, head, &source,
						  table->unit);
	kvfree(copy);
	return UNCORE_PMU_REASON_NONE;
}

/*
 * Only a known MSR is written for a table, which may lie. What an MSR leads to
 * has its control in memory, whatever its access type: uncore_mmio_global_init().
 */
static bool add_global(struct uncore_finder *finder, struct uncore_table *table,
		       const struct uncore_discovery_table *head)
{
	u32 msr = finder->platform->discovery->global;

	if (table->by_msr || head->access == UNCORE_DISCOVERY_MMIO)
		table->global = uncore_pmu_add_global(finder, head->control,
						      table->pdev);
	else if (msr && head->access == UNCORE_DISCOVERY_MSR &&
		 head->control == msr)
		table->global = uncore_pmu_add_global_msr(msr, table->die);
	else
		return true;
	return table->global;
}

/**
 * uncore_pmu_read_table() - read a discovery table
 * @finder: knows what else there is
 * @table: the table, receives its units
 *
 * Return: UNCORE_PMU_REASON_NONE, or why it cannot be used.
 */
enum uncore_pmu_reason uncore_pmu_read_table(struct uncore_finder *finder,
					     struct uncore_table *table)
{
	u8 entry[UNCORE_DISCOVERY_ENTRY];
	u32 length = min_t(u64, sizeof(entry), table->length);
	struct uncore_discovery_table head;
	enum uncore_pmu_reason reason;

	reason = uncore_pmu_mmio_check(finder, table->address, length,
				       table->pdev);
	if (reason)
		return reason;
	if (copy_table(table, entry, length))
		return UNCORE_PMU_REASON_MAP;

	table->why = uncore_pmu_discovery_table(entry, length, &head);
	if (table->why == UNCORE_DISCOVERY_ONES)
		return UNCORE_PMU_REASON_ALL_ONES;
	if (table->why)
		return UNCORE_PMU_REASON_TABLE;

	reason = uncore_pmu_mmio_check(finder, table->address,
				       min_t(u64, head.length, table->length),
				       table->pdev);
	if (!reason)
		reason = read_units(finder, table, &head);
	if (!reason && !add_global(finder, table, &head))
		reason = UNCORE_PMU_REASON_MAP;
	return reason;
}
