// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that freeze the counters of many units at once. Some are set at
 * power-on, and cleared by nobody where the kernel's own driver is not there.
 *
 * Those that claim a counter without perf, under claims_lock, have the bit
 * cleared, and the last of them has it set again, if it was and perf has no use
 * for any of the units.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/err.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include <asm/msr.h>

#include "find.h"

/* ADL_UNCORE_IMC_CTL_FRZ, uncore_mmio_global_init() */
#define GLOBAL_FREEZE	BIT(0)

/**
 * struct uncore_global - one such register
 * @list: all of them
 * @own: function that leads to one in memory, with a reference, or NULL
 * @page: its page, mapped; NULL if it is an MSR or cannot be reached
 * @address: physical address, or number of an MSR
 * @die: whose MSR it is; -1 in memory
 * @reason: why it cannot be reached; or not any more, which comes under the
 *	lock of device removal
 * @is_msr: @address is the number of one
 * @claims: claims without perf of counters that it can freeze
 * @frozen: it was, when the first of them came
 */
struct uncore_global {
	struct list_head list;
	struct pci_dev *own;
	void __iomem *page;
	u64 address;
	int die;
	u8 reason;
	bool is_msr;
	bool frozen;
	unsigned int claims;
};

static LIST_HEAD(globals);

static void map_global(struct uncore_finder *finder,
		       struct uncore_global *global)
{
	global->reason = uncore_pmu_mmio_check(finder, global->address,
					       sizeof(u32), global->own);
	if (global->reason)
		return;
	global->page = ioremap(global->address & PAGE_MASK, PAGE_SIZE);
	if (!global->page)
		global->reason = UNCORE_PMU_REASON_MAP;
}

static struct uncore_global *add_global(u64 address, bool is_msr, int die)
{
	struct uncore_global *global;

	list_for_each_entry(global, &globals, list)
		if (global->address == address && global->is_msr == is_msr &&
		    global->die == die)
			return global;

	global = kzalloc(sizeof(*global), GFP_KERNEL);
	if (!global)
		return NULL;
	global->address = address;
	global->is_msr = is_msr;
	global->die = die;
	list_add_tail(&global->list, &globals);
	return global;
}

/**
 * uncore_pmu_add_global() - note a register in memory that freezes units
 * @finder: knows what else there is
 * @address: its physical address, unchecked
 * @own: function that leads there, or NULL
 *
 * Return: the register, until uncore_pmu_forget_globals(); NULL without memory.
 */
struct uncore_global *uncore_pmu_add_global(struct uncore_finder *finder,
					    u64 address, struct pci_dev *own)
{
	struct uncore_global *global = add_global(address, false, -1);

	if (global && !global->page && !global->reason) {
		global->own = pci_dev_get(own);
		map_global(finder, global);
	}
	return global;
}

/**
 * uncore_pmu_add_global_msr() - note an MSR that freezes units
 * @msr: its number, which must be known for this
 * @die: whose
 *
 * Return: as uncore_pmu_add_global().
 */
struct uncore_global *uncore_pmu_add_global_msr(u32 msr, int die)
{
	return add_global(msr, true, die);
}

static void forget_page(struct uncore_global *global)
{
	if (global->page)
		iounmap(global->page);
	global->page = NULL;
}

static void lose_global(struct uncore_global *global,
			enum uncore_pmu_reason reason)
{
	WRITE_ONCE(global->reason, reason);
	pr_warn("global control cannot be used, so units are not programmed without perf: %s\n",
		uncore_pmu_reason_text(reason));
}

/**
 * uncore_pmu_check_globals() - see whether such registers are those of units
 * @finder: all units, checked
 */
void uncore_pmu_check_globals(const struct uncore_finder *finder)
{
	struct uncore_global *global;
	unsigned int i;

	list_for_each_entry(global, &globals, list) {
		if (global->is_msr)
			continue;
		for (i = 0; i < finder->count; i++) {
			if (!uncore_pmu_mmio_covers(&finder->unit[i],
						    global->address,
						    sizeof(u32)))
				continue;
			forget_page(global);
			global->reason = UNCORE_PMU_REASON_OVERLAP;
		}
		if (global->reason)
			lose_global(global, global->reason);
	}
}

/**
 * uncore_pmu_check_globals_taken() - see whether PCI devices were given the
 * memory of such registers
 *
 * They are then neither read nor written again. The caller keeps devices from
 * coming and going.
 */
void uncore_pmu_check_globals_taken(void)
{
	struct uncore_global *global;
	u64 page;

	list_for_each_entry(global, &globals, list) {
		page = global->address & PAGE_MASK;
		if (!global->reason && global->page &&
		    uncore_pmu_is_taken(page, page + PAGE_SIZE, global->own))
			lose_global(global, UNCORE_PMU_REASON_OVERLAP);
	}
}

/**
 * uncore_pmu_forget_globals() - free all such registers
 *
 * No unit has one any more.
 */
void uncore_pmu_forget_globals(void)
{
	struct uncore_global *global, *next;

	list_for_each_entry_safe(global, next, &globals, list) {
		forget_page(global);
		pci_dev_put(global->own);
		kfree(global);
	}
	INIT_LIST_HEAD(&globals);
}

/**
 * uncore_pmu_global_is_lost() - is a unit's register that freezes it out of reach
 * @unit: the unit
 *
 * Return: true if there is one that cannot be reached, or not any more.
 */
bool uncore_pmu_global_is_lost(const struct uncore_unit *unit)
{
	return unit->global && READ_ONCE(unit->global->reason);
}

/*
 * False where nothing answers, the register reading as all ones: then there is
 * nothing that could freeze. In memory it has 32 bits.
 */
static bool read_global(const struct uncore_global *global, u32 *low, u32 *high)
{
	int cpu;

	*high = 0;
	if (READ_ONCE(global->reason))
		return false;
	if (global->page) {
		*low = readl(global->page + (global->address & ~PAGE_MASK));
		return *low != ~0U;
	}
	cpu = uncore_pmu_die_cpu(global->die);
	return cpu >= 0 &&
	       !rdmsr_safe_on_cpu(cpu, global->address, low, high) &&
	       *low != ~0U;
}

/* Its other bits stay, those that reset counters read as 0. */
static void write_freeze(const struct uncore_global *global, u32 freeze)
{
	u32 low, high;

	if (!read_global(global, &low, &high))
		return;
	low = (low & ~GLOBAL_FREEZE) | freeze;
	if (global->page)
		writel(low, global->page + (global->address & ~PAGE_MASK));
	else
		wrmsr_safe_on_cpu(uncore_pmu_die_cpu(global->die),
				  global->address, low, high);
}

/**
 * uncore_pmu_global_is_frozen() - is a unit frozen together with others
 * @unit: the unit
 *
 * Return: true if it is.
 */
bool uncore_pmu_global_is_frozen(const struct uncore_unit *unit)
{
	u32 low, high;

	return unit->global && read_global(unit->global, &low, &high) &&
	       low & GLOBAL_FREEZE;
}

/**
 * uncore_pmu_global_lift() - let counters count that are frozen with others
 * @unit: whose counters
 *
 * In memory it is always written, as mainline does when it comes.
 *
 * Return: 0, or -EPROTO if they stay frozen or nothing tells whether they are.
 */
int uncore_pmu_global_lift(const struct uncore_unit *unit)
{
	const struct uncore_global *global = unit->global;

	if (!global)
		return 0;
	if (uncore_pmu_global_is_lost(unit))
		return -EPROTO;
	if (!global->is_msr || uncore_pmu_global_is_frozen(unit))
		write_freeze(global, 0);
	return uncore_pmu_global_is_frozen(unit) ? -EPROTO : 0;
}

/**
 * uncore_pmu_global_get() - a counter of a unit is to count without perf
 * @unit: the unit
 *
 * Return: 0 or as uncore_pmu_global_lift(), with nothing changed.
 */
int uncore_pmu_global_get(const struct uncore_unit *unit)
{
	struct uncore_global *global = unit->global;
	int ret;

	if (!global)
		return 0;
	if (!global->claims)
		global->frozen = uncore_pmu_global_is_frozen(unit);
	ret = uncore_pmu_global_lift(unit);
	if (!ret)
		global->claims++;
	return ret;
}

/* perf clears the bit once, when it comes, and wants its counters to count. */
static bool perf_needs(const struct uncore_global *global)
{
	const struct uncore_unit *unit;
	u64 i;

	for (i = 0; (unit = uncore_pmu_unit(i)); i++)
		if (unit->global == global && unit->type->perf_unbound &&
		    uncore_pmu_perf_has(unit))
			return true;
	return false;
}

/**
 * uncore_pmu_global_put() - undo uncore_pmu_global_get()
 * @unit: the unit
 */
void uncore_pmu_global_put(const struct uncore_unit *unit)
{
	struct uncore_global *global = unit->global;

	if (global && !--global->claims && global->frozen &&
	    !perf_needs(global))
		write_freeze(global, GLOBAL_FREEZE);
}
