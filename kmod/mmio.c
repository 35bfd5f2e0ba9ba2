// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units in memory. Where they are was read from registers that may hold anything:
 * their pages are checked before the kernel or a user maps them, and whether
 * something answers there is looked at each time.
 */
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pci.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "find.h"

/*
 * What is at the same place on all machines, whether the kernel knows of it or
 * not; kmod/AUDIT.md has the sources. The MCHBAR of clients, at 0xfed10000 or
 * 0xfedc0000, is not among it.
 */
static const struct {
	u64 start;
	u64 end;
} fixed[] = {
	{ 0, SZ_1M },			/* BIOS, option ROMs, VGA */
	{ 0xfec00000, 0xfed00000 },	/* I/O APICs */
	{ 0xfed00000, 0xfed04000 },	/* HPET */
	{ 0xfed20000, 0xfed50000 },	/* TXT, TPM */
	{ 0xfed84000, 0xfed94000 },	/* IOMMUs */
	{ 0xfee00000, 0xfef00000 },	/* local APICs, interrupts */
	{ 0xff000000, SZ_4G },		/* flash memory of the firmware */
};

/**
 * struct uncore_bars - memory that PCI devices decode
 * @count: number of @bar
 * @bar: start and end of the memory, and whose it is
 */
struct uncore_bars {
	unsigned int count;
	struct {
		u64 start;
		u64 end;
		const struct pci_dev *pdev;
	} bar[];
};

static bool is_memory(const struct resource *res)
{
	return res->flags & IORESOURCE_MEM && !(res->flags & IORESOURCE_UNSET) &&
	       resource_size(res);
}

/* What a bridge passes on is not its own. */
static bool is_window(unsigned int bar)
{
	return bar >= PCI_BRIDGE_RESOURCES && bar <= PCI_BRIDGE_RESOURCE_END;
}

/* All of them into @bars, or only counted if that is NULL. */
static unsigned int walk_bars(struct uncore_bars *bars, unsigned int max)
{
	struct pci_dev *pdev = NULL;
	unsigned int i, n = 0;

	for_each_pci_dev(pdev) {
		for (i = 0; i < PCI_NUM_RESOURCES; i++) {
			const struct resource *res = &pdev->resource[i];

			if (is_window(i) || !is_memory(res))
				continue;
			if (bars && n < max) {
				bars->bar[n].start = res->start;
				bars->bar[n].end = res->end + 1;
				bars->bar[n].pdev = pdev;
			}
			n++;
		}
	}
	return min(n, max);
}

static const struct uncore_bars *get_bars(struct uncore_finder *finder)
{
	struct uncore_bars *bars = finder->bars;
	unsigned int n;

	if (bars)
		return bars;

	n = walk_bars(NULL, UINT_MAX);
	bars = kvzalloc(struct_size(bars, bar, n), GFP_KERNEL);
	if (!bars)
		return NULL;
	bars->count = walk_bars(bars, n);
	finder->bars = bars;
	return bars;
}

/* Within the memory of a function, where its own driver may be. */
static int is_not_of(struct resource *res, void *own)
{
	const struct pci_dev *pdev = own;
	unsigned int i;

	for (i = 0; pdev && i < PCI_STD_NUM_BARS; i++)
		if (is_memory(&pdev->resource[i]) &&
		    pdev->resource[i].start <= res->start &&
		    pdev->resource[i].end >= res->end)
			return 0;
	return 1;
}

/*
 * Has the kernel or a driver a use for a part of it? What is only reserved may
 * well be a unit's.
 */
static bool is_busy(u64 start, u64 end, const struct pci_dev *own)
{
	return walk_iomem_res_desc(IORES_DESC_NONE,
				   IORESOURCE_MEM | IORESOURCE_BUSY, start,
				   end - 1, (void *)own, is_not_of) == 1;
}

/* Is there a PCI device, or something else that is not a unit? */
static bool is_other(struct uncore_finder *finder, u64 start, u64 end,
		     const struct pci_dev *own)
{
	const struct uncore_bars *bars = get_bars(finder);
	unsigned int i;

	if (!bars || uncore_pmu_ecam_overlaps(&finder->ecam, start, end - start))
		return true;
	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		if (start < fixed[i].end && fixed[i].start < end)
			return true;
	for (i = 0; i < bars->count; i++)
		if (bars->bar[i].pdev != own && start < bars->bar[i].end &&
		    bars->bar[i].start < end)
			return true;
	return is_busy(start, end, own);
}

/* From the begin of the unit to its first register. */
static u32 first_register(const struct uncore_layout *layout)
{
	u32 first = U32_MAX;
	unsigned int i;

	if (layout->num_counters)
		first = min3(layout->unit_control, layout->counter,
			     layout->control);
	if (layout->fixed)
		first = min_t(u32, first,
			      min(layout->fixed, layout->fixed_control));
	for (i = 0; i < layout->num_free; i++)
		first = min_t(u32, first, layout->free[i].offset);
	return first;
}

/* From the begin of the unit to what follows its last register. */
static u32 end_of_registers(const struct uncore_layout *layout)
{
	unsigned int i, last = layout->num_counters - 1;
	u32 end = 0;

	if (layout->num_counters) {
		end = max(layout->counter + 8 * (last + 1),
			  layout->control +
				layout->control_stride * (last + 1));
		end = max_t(u32, end, layout->unit_control + 4);
	}
	if (layout->fixed)
		end = max_t(u32, end, max(layout->fixed + 8,
					  layout->fixed_control + 4));
	for (i = 0; i < layout->num_free; i++)
		end = max_t(u32, end, layout->free[i].offset + 8);
	return end;
}

/**
 * uncore_pmu_mmio_check() - may a range of memory be mapped
 * @finder: knows what else there is
 * @address: physical address
 * @length: bytes from there on, not 0
 * @own: function that leads there; its own memory is no obstacle
 *
 * Return: UNCORE_PMU_REASON_NONE, or why not.
 */
enum uncore_pmu_reason uncore_pmu_mmio_check(struct uncore_finder *finder,
					     u64 address, u32 length,
					     const struct pci_dev *own)
{
	u64 start, end;

	if (address % sizeof(u32))
		return UNCORE_PMU_REASON_UNALIGNED;
	if (check_add_overflow(address, (u64)length - 1, &end) ||
	    end >> boot_cpu_data.x86_phys_bits)
		return UNCORE_PMU_REASON_ADDRESS;

	start = address & PAGE_MASK;
	end = (end | ~PAGE_MASK) + 1;
	if (region_intersects(start, end - start, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT)
		return UNCORE_PMU_REASON_RAM;
	return is_other(finder, start, end, own) ? UNCORE_PMU_REASON_OVERLAP
						 : UNCORE_PMU_REASON_NONE;
}

/*
 * A single load reads a counter of more than 32 bits. The unit itself may lie
 * at any dword, as that of Alder Lake's unit control, d9c4, does.
 */
static bool are_aligned(const struct uncore_layout *layout, u64 address)
{
	unsigned int i;

	if (layout->access != UNCORE_PMU_ACCESS_MMIO64)
		return true;
	if ((layout->num_counters && (address + layout->counter) % 8) ||
	    (layout->fixed && (address + layout->fixed) % 8))
		return false;
	for (i = 0; i < layout->num_free; i++)
		if ((address + layout->free[i].offset) % 8)
			return false;
	return true;
}

/**
 * uncore_pmu_mmio_set() - say at which address a unit is
 * @finder: knows what else there is
 * @unit: the unit, whose device is set; receives its state
 * @base: physical address that a register or a table has, unchecked
 * @offset: from there to the begin of the unit, far below 2^63
 */
void uncore_pmu_mmio_set(struct uncore_finder *finder,
			 struct uncore_unit *unit, u64 base, s64 offset)
{
	u32 end = end_of_registers(unit->type->layout);
	u64 address = base + offset;
	u16 command = 0;

	/* So that the sum does not come round to an address that there is. */
	if (base >> boot_cpu_data.x86_phys_bits)
		uncore_pmu_set_state(unit, UNCORE_PMU_REASON_ADDRESS);
	else if (!are_aligned(unit->type->layout, address))
		uncore_pmu_set_state(unit, UNCORE_PMU_REASON_UNALIGNED);
	else
		uncore_pmu_set_state(unit,
				     uncore_pmu_mmio_check(finder, address, end,
							   unit->pdev));
	if (unit->reason)
		return;

	unit->page = address & PAGE_MASK;
	unit->offset = address & ~PAGE_MASK;
	unit->length = PAGE_ALIGN(unit->offset + end);
	if (unit->leads) {
		pci_read_config_word(unit->pdev, PCI_COMMAND, &command);
		unit->decode = command & PCI_COMMAND_MEMORY;
	}
}

static bool ranges_overlap(u64 a, u64 a_end, u64 b, u64 b_end)
{
	return a < b_end && b < a_end;
}

static bool covers(const struct uncore_unit *unit, u64 start, u64 end)
{
	const struct uncore_layout *layout = unit->type->layout;
	u64 address = unit->page + unit->offset;

	return ranges_overlap(start, end, address + first_register(layout),
			      address + end_of_registers(layout));
}

/**
 * uncore_pmu_mmio_covers() - does a range touch registers of a unit
 * @unit: the unit
 * @address: physical address
 * @length: bytes
 *
 * Return: true if it does.
 */
bool uncore_pmu_mmio_covers(const struct uncore_unit *unit, u64 address,
			    u32 length)
{
	return uncore_pmu_is_mmio(unit) && unit->length &&
	       covers(unit, address, address + length);
}

static bool share_page(const struct uncore_unit *a, const struct uncore_unit *b)
{
	return ranges_overlap(a->page, (u64)a->page + a->length,
			      b->page, (u64)b->page + b->length);
}

static bool share_registers(const struct uncore_unit *a,
			    const struct uncore_unit *b)
{
	const struct uncore_layout *layout = b->type->layout;
	u64 address = b->page + b->offset;

	return covers(a, address + first_register(layout),
		      address + end_of_registers(layout));
}

static bool any_locked(const struct uncore_finder *finder)
{
	unsigned int i;

	for (i = 0; i < finder->count; i++)
		if (finder->unit[i].state == UNCORE_PMU_STATE_LOCKED)
			return true;
	return false;
}

static void lend_lock(const struct uncore_unit *from, struct uncore_unit *to)
{
	if (from->state != UNCORE_PMU_STATE_LOCKED ||
	    to->state != UNCORE_PMU_STATE_OK)
		return;
	to->state = from->state;
	to->reason = from->reason;
}

/* A page is handed out only if all units in it permit that. */
static void share_lock(struct uncore_unit *a, struct uncore_unit *b)
{
	lend_lock(a, b);
	lend_lock(b, a);
}

static void check_overlap(struct uncore_unit *a, struct uncore_unit *b)
{
	if (!share_registers(a, b))
		return;
	uncore_pmu_set_state(a, UNCORE_PMU_REASON_OVERLAP);
	uncore_pmu_set_state(b, UNCORE_PMU_REASON_OVERLAP);
}

/*
 * Duplicates, which nobody can map, do not count, nor does what is known of
 * functions without a table.
 */
static bool is_somewhere(const struct uncore_unit *unit)
{
	return (uncore_pmu_is_mmio(unit) ||
		unit->rank >= UNCORE_RANK_DISCOVERY) && unit->length &&
	       (unit->state != UNCORE_PMU_STATE_INVALID ||
		unit->reason == UNCORE_PMU_REASON_OVERLAP);
}

static void visit_neighbours(struct uncore_finder *finder,
			     void (*visit)(struct uncore_unit *a,
					   struct uncore_unit *b))
{
	struct uncore_unit *unit = finder->unit;
	unsigned int i, j;

	for (i = 1; i < finder->count; i++) {
		if (!is_somewhere(&unit[i]))
			continue;
		cond_resched();
		for (j = 0; j < i; j++)
			if (is_somewhere(&unit[j]) &&
			    share_page(&unit[i], &unit[j]))
				visit(&unit[i], &unit[j]);
	}
}

/**
 * uncore_pmu_mmio_check_overlaps() - find units that are where others are
 * @finder: all units; those with registers of others become invalid, since
 *	nothing tells which of them is right. They may share pages
 *
 * A unit that becomes invalid was locked no less for what is in its page.
 */
void uncore_pmu_mmio_check_overlaps(struct uncore_finder *finder)
{
	if (any_locked(finder))
		visit_neighbours(finder, share_lock);
	visit_neighbours(finder, check_overlap);
}

/**
 * uncore_pmu_mmio_map() - map the units that can be used for the kernel
 * @finder: all units, checked
 */
void uncore_pmu_mmio_map(struct uncore_finder *finder)
{
	struct uncore_unit *unit;
	unsigned int i;

	for (i = 0; i < finder->count; i++) {
		unit = &finder->unit[i];
		if (!uncore_pmu_is_mmio(unit) ||
		    unit->state != UNCORE_PMU_STATE_OK)
			continue;
		unit->regs = ioremap(unit->page, unit->length);
		if (!unit->regs)
			uncore_pmu_set_state(unit, UNCORE_PMU_REASON_MAP);
	}
}

/**
 * uncore_pmu_is_taken() - has a PCI device been given memory
 * @start: physical address
 * @end: what follows the last
 * @own: function that may have it, or NULL
 *
 * The caller keeps devices from coming and going.
 *
 * Return: true if another has.
 */
bool uncore_pmu_is_taken(u64 start, u64 end, const struct pci_dev *own)
{
	struct pci_dev *pdev = NULL;
	const struct resource *res;
	unsigned int i;

	for_each_pci_dev(pdev) {
		for (i = 0; i < PCI_NUM_RESOURCES; i++) {
			res = &pdev->resource[i];
			if (pdev == own || is_window(i) || !is_memory(res) ||
			    !ranges_overlap(start, end, res->start,
					    res->end + 1))
				continue;
			pci_dev_put(pdev);
			return true;
		}
	}
	return false;
}

/**
 * uncore_pmu_mmio_is_taken() - has a PCI device been given the memory of a unit
 * @unit: the unit, whose device is there
 *
 * The caller keeps devices from coming and going.
 *
 * Return: true if one has.
 */
bool uncore_pmu_mmio_is_taken(const struct uncore_unit *unit)
{
	return uncore_pmu_is_mmio(unit) &&
	       uncore_pmu_is_taken(unit->page, unit->page + unit->length,
				   unit->pdev);
}

/**
 * uncore_pmu_is_asleep() - is a function in D3
 * @pdev: the function
 *
 * Return: true if it is.
 */
bool uncore_pmu_is_asleep(struct pci_dev *pdev)
{
	u16 control = 0;

	if (!pdev->pm_cap)
		return false;
	pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &control);
	return (control & PCI_PM_CTRL_STATE_MASK) == (__force u16)PCI_D3hot;
}

static enum uncore_pmu_reason check_device(const struct uncore_unit *unit,
					   bool *decode)
{
	struct pci_dev *pdev = uncore_pmu_unit_device(unit);
	enum uncore_pmu_reason reason = UNCORE_PMU_REASON_NONE;
	u32 id = ~0U;
	u16 command = 0;

	if (!pdev)
		return UNCORE_PMU_REASON_NONE;

	pci_read_config_dword(pdev, PCI_VENDOR_ID, &id);
	pci_read_config_word(pdev, PCI_COMMAND, &command);
	*decode = command & PCI_COMMAND_MEMORY;
	if (id != ((u32)unit->device << 16 | PCI_VENDOR_ID_INTEL))
		reason = UNCORE_PMU_REASON_ID;
	else if (uncore_pmu_is_asleep(pdev))
		reason = UNCORE_PMU_REASON_D3;
	else if (unit->decode && !*decode)
		reason = UNCORE_PMU_REASON_DECODE;
	pci_dev_put(pdev);
	return reason;
}

/* Unit control has bits that are always zero; so has one of many counters. */
static bool reads_ones(const struct uncore_unit *unit)
{
	const struct uncore_layout *layout = unit->type->layout;
	const void __iomem *regs = unit->regs + unit->offset;
	unsigned int i;

	if (layout->num_counters)
		return readl(regs + layout->unit_control) == U32_MAX;
	for (i = 0; i < layout->num_free; i++)
		if (readl(regs + layout->free[i].offset) != U32_MAX)
			return false;
	return true;
}

/**
 * uncore_pmu_mmio_check_now() - does a unit in memory answer at this moment
 * @unit: the unit, which was found usable
 *
 * A function without memory of its own may have no use for the bit that
 * switches decoding on: that it is off counts only if it was on before, or if
 * nothing answers.
 *
 * Return: UNCORE_PMU_REASON_NONE, or why not.
 */
enum uncore_pmu_reason uncore_pmu_mmio_check_now(const struct uncore_unit *unit)
{
	enum uncore_pmu_reason reason = UNCORE_PMU_REASON_NONE;
	bool decode = true;

	if (unit->leads)
		reason = check_device(unit, &decode);
	if (reason || !reads_ones(unit))
		return reason;
	return decode ? UNCORE_PMU_REASON_ALL_ONES : UNCORE_PMU_REASON_DECODE;
}
