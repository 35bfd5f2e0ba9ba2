// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units of client processors, in memory that registers of the host bridge lead
 * to, as snb_uncore_imc_init_box() and uncore_get_box_mmio_addr() in
 * arch/x86/events/intel/uncore_snb.c find them.
 */
#include <linux/err.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>

#include "find.h"

/* The base register's low bits: in use, and none else. */
#define BASE_ENABLE	BIT_ULL(0)

static bool mchbar;
module_param(mchbar, bool, 0444);
MODULE_PARM_DESC(mchbar, "Let users map the pages of a client's memory controller that show the energy counters of the processor too (default: no)");

static bool is_bridge(const struct uncore_platform *on,
		      const struct pci_dev *pdev)
{
	const u16 *id;

	if (pdev->vendor != PCI_VENDOR_ID_INTEL)
		return false;
	for (id = on->client->bridges; *id; id++)
		if (*id == pdev->device)
			return true;
	return false;
}

/**
 * uncore_pmu_client_bridge() - the host bridge of a client platform
 * @on: platform
 *
 * Return: the bridge with a reference, NULL if there is none.
 */
struct pci_dev *uncore_pmu_client_bridge(const struct uncore_platform *on)
{
	struct pci_dev *pdev = NULL;

	if (!on->client)
		return NULL;
	for_each_pci_dev(pdev)
		if (is_bridge(on, pdev))
			return pdev;
	if (!uncore_pmu_is_model(on))
		return NULL;

	/* A processor that we know may have an id that nobody has listed. */
	pdev = pci_get_domain_bus_and_slot(0, 0, PCI_DEVFN(0, 0));
	if (pdev && pdev->vendor == PCI_VENDOR_ID_INTEL &&
	    pdev->class >> 8 == PCI_CLASS_BRIDGE_HOST)
		return pdev;
	pci_dev_put(pdev);
	return NULL;
}

/**
 * uncore_pmu_count_client() - is there the host bridge of a client platform
 * @on: platform
 *
 * Return: the number of host bridges that are used, 0 or 1.
 */
unsigned int uncore_pmu_count_client(const struct uncore_platform *on)
{
	struct pci_dev *bridge = uncore_pmu_client_bridge(on);

	pci_dev_put(bridge);
	return !!bridge;
}

static enum uncore_pmu_reason block_address(struct pci_dev *bridge, u8 where,
					    u64 *address)
{
	u32 low = ~0U, high = ~0U;
	u64 base;

	pci_read_config_dword(bridge, where, &low);
	pci_read_config_dword(bridge, where + 4, &high);
	base = (u64)high << 32 | low;

	*address = base & ~BASE_ENABLE;
	if (base == ~0ULL)
		return UNCORE_PMU_REASON_BASE_ONES;
	if (!*address)
		return UNCORE_PMU_REASON_BASE_ZERO;
	if (*address & ~PAGE_MASK)
		return UNCORE_PMU_REASON_UNALIGNED;
	return base & BASE_ENABLE ? UNCORE_PMU_REASON_NONE
				  : UNCORE_PMU_REASON_DECODE;
}

static int set_global(struct uncore_finder *finder, struct uncore_unit *unit,
		      u64 address)
{
	unit->global = uncore_pmu_add_global(finder, address, unit->pdev);
	return unit->global ? 0 : -ENOMEM;
}

static void lock_unit(struct uncore_unit *unit)
{
	unit->state = UNCORE_PMU_STATE_LOCKED;
	unit->reason = UNCORE_PMU_REASON_MCHBAR;
}

static int add_block(struct uncore_finder *finder, struct pci_dev *bridge,
		     const struct uncore_block *block, u32 rank)
{
	enum uncore_pmu_reason reason;
	struct uncore_unit *unit;
	unsigned int i;
	u64 base;

	reason = block_address(bridge, block->base, &base);
	for (i = 0; i < block->count; i++) {
		unit = uncore_pmu_add_unit(finder, block->type, rank, i);
		if (IS_ERR(unit))
			return PTR_ERR(unit);

		uncore_pmu_set_device(unit, bridge);
		uncore_pmu_set_die(unit, 0);
		uncore_pmu_set_state(unit, reason);
		unit->leads = true;
		if (!reason)
			uncore_pmu_mmio_set(finder, unit, base,
					    block->offset +
					    (s64)i * block->step);
		if (unit->state != UNCORE_PMU_STATE_OK)
			continue;
		if (block->global &&
		    set_global(finder, unit, base + block->global))
			return -ENOMEM;
		if (block->energy && !mchbar)
			lock_unit(unit);
	}
	return 0;
}

/**
 * uncore_pmu_find_client() - find the units of a client processor
 * @finder: where to note them
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int uncore_pmu_find_client(struct uncore_finder *finder)
{
	const struct uncore_block *block;
	struct pci_dev *bridge;
	u32 rank = 0;
	int ret = 0;

	bridge = uncore_pmu_client_bridge(finder->platform);
	if (!bridge)
		return 0;
	for (block = finder->platform->client->blocks; block->type && !ret;
	     block++)
		ret = add_block(finder, bridge, block, rank++);
	pci_dev_put(bridge);
	return ret;
}
