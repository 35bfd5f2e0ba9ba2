// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units that the hardware describes in discovery tables: what becomes of what
 * the tables say.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include <asm/msr.h>

#include "compat.h"
#include "discovery.h"
#include "find.h"

/* A table that cannot be used is seen in the list of units as one of these. */
static const struct uncore_layout table_layout = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
};

static const struct uncore_type table_type = { "discovery", &table_layout };

#define RANK_TABLE	(UNCORE_RANK_DISCOVERY - 1)

/* Of all tables together. */
static int check_units(struct list_head *tables)
{
	struct uncore_discovery_unit **unit;
	struct uncore_table *table;
	unsigned int i, n = 0;

	list_for_each_entry(table, tables, list)
		n += table->count;
	if (!n)
		return 0;

	unit = kvcalloc(n, sizeof(*unit), GFP_KERNEL);
	if (!unit)
		return -ENOMEM;
	n = 0;
	list_for_each_entry(table, tables, list)
		for (i = 0; i < table->count; i++)
			unit[n++] = &table->unit[i];
	uncore_pmu_discovery_check(unit, n);
	kvfree(unit);
	return 0;
}

static enum uncore_pmu_reason reason_of(enum uncore_discovery_reason why)
{
	switch (why) {
	case UNCORE_DISCOVERY_OK:
		return UNCORE_PMU_REASON_NONE;
	case UNCORE_DISCOVERY_ALIGNMENT:
		return UNCORE_PMU_REASON_UNALIGNED;
	case UNCORE_DISCOVERY_ADDRESS:
		return UNCORE_PMU_REASON_ADDRESS;
	case UNCORE_DISCOVERY_DUPLICATE:
		return UNCORE_PMU_REASON_DUPLICATE;
	case UNCORE_DISCOVERY_OVERLAP:
		return UNCORE_PMU_REASON_OVERLAP;
	default:
		return UNCORE_PMU_REASON_TABLE;
	}
}

/*
 * A table could name any function. Those with units are of these classes; a
 * root port has units of PCI Express. Those that tell where something is have
 * none.
 */
static bool is_unit_function(const struct uncore_platform *on,
			     const struct pci_dev *pdev, const char *type)
{
	u8 class = pdev->class >> 16;

	if (pdev->vendor != PCI_VENDOR_ID_INTEL || pdev->device == on->ubox ||
	    pdev->device == on->discovery->device)
		return false;
	return class == PCI_BASE_CLASS_SYSTEM ||
	       class == PCI_BASE_CLASS_SIGNAL_PROCESSING ||
	       (class == PCI_BASE_CLASS_BRIDGE && strstarts(type, "pcie"));
}

/* UNCORE_DISCOVERY_PCI_DOMAIN, _BUS, _DEVFN, _BOX_CTRL */
static void set_function(struct uncore_finder *finder, struct uncore_unit *unit,
			 u64 control)
{
	struct pci_dev *pdev;

	pdev = pci_get_domain_bus_and_slot(control >> 28 & 0x7,
					   control >> 20 & 0xff,
					   control >> 12 & 0xff);
	if (!pdev) {
		uncore_pmu_set_absent(unit, 0, unit->die);
		return;
	}
	uncore_pmu_set_device(unit, pdev);
	if (is_unit_function(finder->platform, pdev, unit->type->name))
		uncore_pmu_ecam_set(&finder->ecam, unit, control & ~PAGE_MASK);
	else
		uncore_pmu_set_state(unit, UNCORE_PMU_REASON_FUNCTION);
	pci_dev_put(pdev);
}

/* Only what the table says of a good unit means anything. */
static void set_address(struct uncore_finder *finder, struct uncore_unit *unit,
			const struct uncore_discovery_unit *from)
{
	switch (from->access) {
	case UNCORE_DISCOVERY_PCI:
		set_function(finder, unit, from->control);
		break;
	case UNCORE_DISCOVERY_MMIO:
		uncore_pmu_mmio_set(finder, unit, from->control, 0);
		break;
	default:
		unit->state = UNCORE_PMU_STATE_WINDOW;
		unit->reason = UNCORE_PMU_REASON_MSR;
	}
}

static void set_place(struct uncore_finder *finder, struct uncore_unit *unit,
		      const struct uncore_table *table,
		      const struct uncore_discovery_unit *from)
{
	bool is_pci = from->access == UNCORE_DISCOVERY_PCI && !from->reason;

	if (table->pdev && !is_pci)
		uncore_pmu_set_device(unit, table->pdev);
	unit->leads = unit->pdev && table->by_msr;
	uncore_pmu_set_state(unit, reason_of(from->reason));
	if (!unit->reason)
		set_address(finder, unit, from);
	unit->global = table->global;
	uncore_pmu_set_die(unit, table->die);
}

static int add_unit(struct uncore_finder *finder, const struct uncore_table *table,
		    const struct uncore_discovery_unit *from)
{
	const struct uncore_type *type;
	struct uncore_unit *unit;

	type = uncore_pmu_discovered_type(finder->platform->discovery, from);
	if (!type)
		return -ENOMEM;
	/* What cannot be told by its number is told by its entry. */
	unit = uncore_pmu_add_unit(finder, type,
				   UNCORE_RANK_DISCOVERY + from->type,
				   from->type == UNCORE_DISCOVERY_NO_TYPE
					? from->entry : from->id);
	if (IS_ERR(unit))
		return PTR_ERR(unit);
	set_place(finder, unit, table, from);
	return 0;
}

/* How many units of a type a die has, where the tables are wrong; 0 if right. */
static u32 true_count(const struct uncore_finder *finder,
		      const struct uncore_table *table, u16 type)
{
	const struct uncore_discovery_quirk *quirk;
	u32 low = 0, high;
	int cpu;

	quirk = uncore_pmu_discovery_quirk(finder->platform->discovery, type);
	if (!quirk || !quirk->count_msr)
		return 0;
	cpu = uncore_pmu_die_cpu(table->die);
	return cpu < 0 || rdmsr_safe_on_cpu(cpu, quirk->count_msr, &low, &high)
		? 0 : low;
}

static const char *why(u8 discovery, enum uncore_pmu_reason reason)
{
	return discovery ? uncore_pmu_discovery_reason(discovery)
			 : uncore_pmu_reason_text(reason);
}

/* One line for each table, however much of it is wrong. */
static int add_units(struct uncore_finder *finder, const struct uncore_table *table)
{
	const struct uncore_discovery_unit *from, *first = NULL;
	enum uncore_pmu_reason reason = UNCORE_PMU_REASON_NONE;
	const struct uncore_unit *unit;
	unsigned int i, bad = 0;
	int ret = 0;
	u32 count;

	for (i = 0; i < table->count && !ret; i++) {
		from = &table->unit[i];
		if (from->reason == UNCORE_DISCOVERY_REPLACED)
			continue;
		count = true_count(finder, table, from->type);
		if (count && from->id >= count)
			continue;
		ret = add_unit(finder, table, from);
		if (ret)
			break;
		unit = &finder->unit[finder->count - 1];
		if (unit->state == UNCORE_PMU_STATE_INVALID && !bad++) {
			first = from;
			reason = unit->reason;
		}
	}
	if (bad)
		pr_warn("discovery table %u of die %d: %u of %u units not usable, the first is entry %u, type %u, id %u: %s\n",
			table->number, table->die, bad, table->count,
			first->entry, first->type, first->id,
			why(first->reason, reason));
	return ret;
}

static int add_bad_table(struct uncore_finder *finder,
			 const struct uncore_table *table)
{
	struct uncore_unit *unit;

	unit = uncore_pmu_add_unit(finder, &table_type, RANK_TABLE,
				   table->number);
	if (IS_ERR(unit))
		return PTR_ERR(unit);
	if (table->pdev)
		uncore_pmu_set_device(unit, table->pdev);
	uncore_pmu_set_die(unit, table->die);
	uncore_pmu_set_state(unit, table->reason);
	pr_warn("discovery table %u of die %d: %s\n", table->number,
		table->die, why(table->why, table->reason));
	return 0;
}

static bool has_table(const struct list_head *tables, int die)
{
	const struct uncore_table *table;

	list_for_each_entry(table, tables, list)
		if (table->die == die || table->die < 0)
			return true;
	return false;
}

static void log_missing(const struct uncore_finder *finder,
			const struct list_head *tables)
{
	int cpu, die;

	if (finder->tables_left_out)
		pr_warn("%u discovery tables left out, they repeat others or are too many\n",
			finder->tables_left_out);
	if (list_empty(tables))
		return;
	for_each_online_cpu(cpu) {
		die = topology_logical_die_id(cpu);
		if (uncore_pmu_die_cpu(die) == cpu && !has_table(tables, die))
			pr_warn("die %d has no discovery table\n", die);
	}
}

/* What freezes the units of a die. */
static struct uncore_global *die_global(const struct list_head *tables, int die)
{
	const struct uncore_table *table;

	list_for_each_entry(table, tables, list)
		if (table->global && table->die == die)
			return table->global;
	return NULL;
}

/* Units that tables are known to be wrong about. */
static int add_replaced(struct uncore_finder *finder,
			const struct list_head *tables, struct pci_dev *pdev,
			const struct uncore_discovery_quirk *quirk)
{
	int id = PCI_SLOT(pdev->devfn) - quirk->first;
	struct uncore_discovery_unit from = {
		.access = UNCORE_DISCOVERY_PCI, .type = quirk->type, .id = id,
		.control = quirk->control, .width = quirk->width,
		.num_counters = quirk->num_counters,
		.control_offset = quirk->control_offset, .control_stride = 8,
		.counter_offset = quirk->counter_offset,
	};
	const struct uncore_type *type;
	struct uncore_unit *unit;

	if (id < 0 || PCI_FUNC(pdev->devfn) != quirk->function)
		return 0;
	type = uncore_pmu_discovered_type(finder->platform->discovery, &from);
	if (!type)
		return -ENOMEM;
	unit = uncore_pmu_add_unit(finder, type,
				   UNCORE_RANK_DISCOVERY + quirk->type, id);
	if (IS_ERR(unit))
		return PTR_ERR(unit);
	uncore_pmu_set_device(unit, pdev);
	uncore_pmu_set_die(unit, uncore_pmu_device_die(finder, pdev));
	uncore_pmu_ecam_set(&finder->ecam, unit, quirk->control);
	unit->global = die_global(tables, unit->die);
	unit->perf_elsewhere = COMPAT_PERF_FIRST_LINK && id;
	return 0;
}

static int find_replaced(struct uncore_finder *finder,
			 const struct list_head *tables)
{
	const struct uncore_discovery_platform *on = finder->platform->discovery;
	struct pci_dev *pdev = NULL;
	unsigned int i;
	int ret;

	for (i = 0; i < on->num_quirks; i++) {
		if (!on->quirks[i].device)
			continue;
		while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL,
					      on->quirks[i].device, pdev))) {
			ret = add_replaced(finder, tables, pdev,
					   &on->quirks[i]);
			if (ret) {
				pci_dev_put(pdev);
				return ret;
			}
		}
	}
	return 0;
}

/**
 * uncore_pmu_find_discovery() - find the units that discovery tables describe
 * @finder: where to note them
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int uncore_pmu_find_discovery(struct uncore_finder *finder)
{
	struct uncore_table *table;
	LIST_HEAD(tables);
	int ret;

	if (!finder->platform->discovery)
		return 0;

	ret = uncore_pmu_find_tables(finder, &tables);
	if (ret)
		goto out;
	log_missing(finder, &tables);
	list_for_each_entry(table, &tables, list)
		if (!table->reason)
			table->reason = uncore_pmu_read_table(finder, table);
	ret = check_units(&tables);
	if (ret)
		goto out;
	list_for_each_entry(table, &tables, list) {
		ret = table->reason ? add_bad_table(finder, table)
				    : add_units(finder, table);
		if (ret)
			goto out;
	}
	ret = find_replaced(finder, &tables);
out:
	uncore_pmu_free_tables(&tables);
	return ret;
}
