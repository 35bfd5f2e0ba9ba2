// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units that are PCI functions: their registers are in its configuration space.
 */
#include <linux/err.h>
#include <linux/pci.h>

#include "find.h"

/* After the types of memory controllers. */
#define RANK	16

/* Does a function belong to a platform, and what is it there? */
static bool match_function(const struct uncore_platform *on,
			   const struct pci_dev *pdev, u8 *type, u8 *instance)
{
	const struct uncore_function *fn;
	unsigned int i, j;

	if (!on->types || pdev->vendor != PCI_VENDOR_ID_INTEL)
		return false;

	for (i = 0; on->types[i]; i++) {
		for (j = 0; j < UNCORE_MAX_INSTANCES; j++) {
			fn = &on->types[i]->at[j];
			if (!fn->device)
				break;
			if (pdev->device != on->id_base + fn->device)
				continue;
			if (fn->devfn != UNCORE_ANY_DEVFN &&
			    fn->devfn != pdev->devfn)
				continue;
			*type = i;
			*instance = j;
			return true;
		}
	}
	return false;
}

/**
 * uncore_pmu_count_pci() - how many PCI functions of a platform there are
 * @on: the platform
 *
 * Return: the number.
 */
unsigned int uncore_pmu_count_pci(const struct uncore_platform *on)
{
	struct pci_dev *pdev = NULL;
	unsigned int n = 0;
	u8 type, instance;

	for_each_pci_dev(pdev)
		n += match_function(on, pdev, &type, &instance);
	return n;
}

/**
 * uncore_pmu_find_pci() - find the units that are PCI functions
 * @finder: where to note them
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int uncore_pmu_find_pci(struct uncore_finder *finder)
{
	const struct uncore_platform *platform = finder->platform;
	struct pci_dev *pdev = NULL;
	struct uncore_unit *unit;
	u8 type, instance;

	for_each_pci_dev(pdev) {
		if (!match_function(platform, pdev, &type, &instance))
			continue;
		unit = uncore_pmu_add_unit(finder, platform->types[type],
					   RANK + type, instance);
		if (IS_ERR(unit)) {
			pci_dev_put(pdev);
			return PTR_ERR(unit);
		}
		uncore_pmu_set_device(unit, pdev);
		uncore_pmu_set_die(unit, uncore_pmu_device_die(finder, pdev));
		uncore_pmu_ecam_set(&finder->ecam, unit, 0);
	}
	return 0;
}

/**
 * uncore_pmu_find_absent_pci() - note the PCI functions that a die has not
 * @finder: where
 * @die: the die
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int uncore_pmu_find_absent_pci(struct uncore_finder *finder, int die)
{
	const struct uncore_platform *on = finder->platform;
	struct uncore_unit *unit;
	unsigned int i, j;
	u16 device;

	for (i = 0; on->types && on->types[i]; i++) {
		for (j = 0; j < UNCORE_MAX_INSTANCES; j++) {
			device = on->types[i]->at[j].device;
			if (!device)
				break;
			if (uncore_pmu_has_unit(finder, die, RANK + i, j))
				continue;
			unit = uncore_pmu_add_unit(finder, on->types[i],
						   RANK + i, j);
			if (IS_ERR(unit))
				return PTR_ERR(unit);
			uncore_pmu_set_absent(unit, on->id_base + device, die);
		}
	}
	return 0;
}
