// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory controllers of servers, as snr_uncore_mmio_map() in
 * arch/x86/events/intel/uncore_snbep.c finds them: a function has a register
 * with the base address of all, and one for each with the distance from there.
 */
#include <linux/bitfield.h>
#include <linux/err.h>
#include <linux/pci.h>

#include "find.h"

#define RANK_CHANNEL	0
#define RANK_CONTROLLER	1

/* SNR_IMC_MMIO_BASE_OFFSET, _MASK: in units of 8 MiB */
#define BASE		0xd0
#define BASE_ADDRESS	GENMASK(28, 0)
#define BASE_SHIFT	23
/* SNR_IMC_MMIO_MEM0_OFFSET, _MASK, ICX_IMC_MEM_STRIDE: in pages */
#define CONTROLLER(_n)	(0xd8 + 4 * (_n))
#define CONTROLLER_PAGE	GENMASK(10, 0)
/* SNR_IMC_MMIO_OFFSET */
#define CHANNEL_STEP	0x4000

/**
 * uncore_pmu_count_imc() - how many functions lead to memory controllers
 * @on: platform
 *
 * Return: the number.
 */
unsigned int uncore_pmu_count_imc(const struct uncore_platform *on)
{
	struct pci_dev *pdev = NULL;
	unsigned int n = 0;

	if (!on->imc)
		return 0;
	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, on->imc->device,
				      pdev)))
		n++;
	return n;
}

static enum uncore_pmu_reason check_register(u32 value, u32 mask)
{
	if (PCI_POSSIBLE_ERROR(value))
		return UNCORE_PMU_REASON_BASE_ONES;
	return value & mask ? UNCORE_PMU_REASON_NONE
			    : UNCORE_PMU_REASON_BASE_ZERO;
}

static enum uncore_pmu_reason controller_address(struct pci_dev *pdev,
						 unsigned int n, u64 *address)
{
	u32 base = ~0U, controller = ~0U;
	enum uncore_pmu_reason reason;

	pci_read_config_dword(pdev, BASE, &base);
	pci_read_config_dword(pdev, CONTROLLER(n), &controller);

	reason = check_register(base, BASE_ADDRESS);
	/* The first one may be at the very begin; one that is not used is too. */
	if (!reason && (n || controller))
		reason = check_register(controller, ~0U);
	*address = FIELD_GET(BASE_ADDRESS, (u64)base) << BASE_SHIFT |
		   (u64)FIELD_GET(CONTROLLER_PAGE, controller) << PAGE_SHIFT;
	return reason;
}

static int add_unit(struct uncore_finder *finder, struct pci_dev *pdev,
		    const struct uncore_type *type, u32 rank, u16 instance,
		    enum uncore_pmu_reason reason, u64 base, u32 offset)
{
	struct uncore_unit *unit;

	unit = uncore_pmu_add_unit(finder, type, rank, instance);
	if (IS_ERR(unit))
		return PTR_ERR(unit);

	uncore_pmu_set_device(unit, pdev);
	uncore_pmu_set_die(unit, uncore_pmu_device_die(finder, pdev));
	uncore_pmu_set_state(unit, reason);
	unit->leads = true;
	if (!reason)
		uncore_pmu_mmio_set(finder, unit, base, offset);
	return 0;
}

static int add_controller(struct uncore_finder *finder, struct pci_dev *pdev,
			  unsigned int n)
{
	const struct uncore_imc *imc = finder->platform->imc;
	enum uncore_pmu_reason reason;
	unsigned int i;
	u64 address;
	int ret;

	reason = controller_address(pdev, n, &address);
	ret = add_unit(finder, pdev, imc->controller, RANK_CONTROLLER, n,
		       reason, address, imc->free_running);
	for (i = 0; i < imc->channels && !ret; i++)
		ret = add_unit(finder, pdev, imc->channel, RANK_CHANNEL,
			       n * imc->channels + i, reason, address,
			       imc->block + i * CHANNEL_STEP);
	return ret;
}

/**
 * uncore_pmu_find_imc() - find the memory controllers
 * @finder: where to note them
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int uncore_pmu_find_imc(struct uncore_finder *finder)
{
	const struct uncore_imc *imc = finder->platform->imc;
	struct pci_dev *pdev = NULL;
	unsigned int i;
	int ret;

	if (!imc)
		return 0;
	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, imc->device,
				      pdev))) {
		for (i = 0; i < imc->controllers; i++) {
			ret = add_controller(finder, pdev, i);
			if (ret) {
				pci_dev_put(pdev);
				return ret;
			}
		}
	}
	return 0;
}

static int add_absent(struct uncore_finder *finder, int die,
		      const struct uncore_type *type, u32 rank, unsigned int n)
{
	struct uncore_unit *unit;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (uncore_pmu_has_unit(finder, die, rank, i))
			continue;
		unit = uncore_pmu_add_unit(finder, type, rank, i);
		if (IS_ERR(unit))
			return PTR_ERR(unit);
		uncore_pmu_set_absent(unit, finder->platform->imc->device,
				      die);
	}
	return 0;
}

/**
 * uncore_pmu_find_absent_imc() - note the memory controllers of a die without
 * the function that leads to them
 * @finder: where
 * @die: the die
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int uncore_pmu_find_absent_imc(struct uncore_finder *finder, int die)
{
	const struct uncore_imc *imc = finder->platform->imc;
	int ret;

	if (!imc)
		return 0;
	ret = add_absent(finder, die, imc->channel, RANK_CHANNEL,
			 imc->controllers * imc->channels);
	if (!ret)
		ret = add_absent(finder, die, imc->controller, RANK_CONTROLLER,
				 imc->controllers);
	return ret;
}
