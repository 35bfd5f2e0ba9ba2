// SPDX-License-Identifier: GPL-2.0-only
/*
 * The units of this machine, and what becomes of them. A function that is
 * removed leaves its unit behind, gone.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device/bus.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/notifier.h>
#include <linux/pci.h>

#include "uncore_pmu.h"

DECLARE_RWSEM(uncore_pmu_units_lock);

static struct uncore_unit *units;
static unsigned int num_units;
static const struct uncore_platform *platform;

static void log_units(void)
{
	unsigned int ok = 0, absent = 0, dies = 0, i;

	if (!num_units) {
		pr_info("no uncore unit found, there is RDPMC only\n");
		return;
	}

	for (i = 0; i < num_units; i++) {
		ok += units[i].state == UNCORE_PMU_STATE_OK;
		absent += units[i].state == UNCORE_PMU_STATE_ABSENT;
		dies += units[i].die >= 0 &&
			(!i || units[i].die != units[i - 1].die);
	}
	pr_info("%s: %u units on %u die%s: %u ok, %u absent, %u invalid; %zu bytes\n",
		platform->name, num_units, dies, dies == 1 ? "" : "s", ok,
		absent, num_units - ok - absent, num_units * sizeof(*units));
}

static void lose_unit(struct uncore_unit *unit)
{
	struct pci_dev *pdev = unit->pdev;

	down_write(&uncore_pmu_units_lock);
	unit->state = UNCORE_PMU_STATE_GONE;
	unit->reason = UNCORE_PMU_REASON_REMOVED;
	up_write(&uncore_pmu_units_lock);

	uncore_pmu_lose_claims(unit, 0);
	uncore_pmu_zap(uncore_pmu_mmap_offset(unit - units), PAGE_SIZE);

	down_write(&uncore_pmu_units_lock);
	unit->pdev = NULL;
	up_write(&uncore_pmu_units_lock);
	pci_dev_put(pdev);
}

static struct uncore_unit *unit_of(const struct pci_dev *pdev)
{
	unsigned int i;

	for (i = 0; i < num_units; i++)
		if (units[i].pdev == pdev)
			return &units[i];
	return NULL;
}

/*
 * Removals come one at a time, under pci_lock_rescan_remove(). A driver that
 * comes, which is perf's, finds the registers as they were; and events of one
 * that goes must not outlive it.
 */
static int bus_notify(struct notifier_block *nb, unsigned long action,
		      void *data)
{
	struct uncore_unit *unit = unit_of(to_pci_dev(data));

	if (!unit)
		return NOTIFY_DONE;

	switch (action) {
	case BUS_NOTIFY_DEL_DEVICE:
		lose_unit(unit);
		return NOTIFY_OK;
	case BUS_NOTIFY_BIND_DRIVER:
		uncore_pmu_lose_claims(unit, UNCORE_PMU_VIA_DIRECT);
		return NOTIFY_OK;
	case BUS_NOTIFY_UNBIND_DRIVER:
		uncore_pmu_lose_claims(unit, UNCORE_PMU_VIA_PERF);
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

/* Before perf's own, which lets go of what its events use. */
static struct notifier_block bus_notifier = {
	.notifier_call = bus_notify,
	.priority = 1,
};

/**
 * uncore_pmu_units_init() - find the units, and watch them from now on
 *
 * To find none is no error.
 *
 * Return: 0 or a negative errno.
 */
int uncore_pmu_units_init(void)
{
	int ret;

	/* No device goes away between being found and being watched. */
	pci_lock_rescan_remove();
	units = uncore_pmu_find_units(&platform, &num_units);
	ret = PTR_ERR_OR_ZERO(units);
	if (!ret) {
		ret = bus_register_notifier(&pci_bus_type, &bus_notifier);
		if (ret)
			uncore_pmu_put_units(units, num_units);
	}
	pci_unlock_rescan_remove();
	if (ret)
		return ret;

	log_units();
	return 0;
}

/**
 * uncore_pmu_units_exit() - undo uncore_pmu_units_init()
 */
void uncore_pmu_units_exit(void)
{
	bus_unregister_notifier(&pci_bus_type, &bus_notifier);
	uncore_pmu_put_units(units, num_units);
}

/**
 * uncore_pmu_num_units() - number of units
 *
 * Return: the number, which does not change.
 */
unsigned int uncore_pmu_num_units(void)
{
	return num_units;
}

/**
 * uncore_pmu_platform_name() - name of the platform whose units were found
 *
 * Return: the name, "" if none was.
 */
const char *uncore_pmu_platform_name(void)
{
	return platform ? platform->name : "";
}

/**
 * uncore_pmu_platform_config() - what can be programmed in all units
 *
 * Return: bits of a control register.
 */
u32 uncore_pmu_platform_config(void)
{
	return platform ? platform->config : 0;
}

/**
 * uncore_pmu_unit() - a unit by its index
 * @index: from user space
 *
 * Return: the unit, NULL if there is none.
 */
struct uncore_unit *uncore_pmu_unit(u64 index)
{
	if (index >= num_units)
		return NULL;
	return &units[array_index_nospec(index, num_units)];
}

static enum uncore_pmu_state kept_state(const struct uncore_unit *unit,
					enum uncore_pmu_reason *reason)
{
	enum uncore_pmu_state state;

	down_read(&uncore_pmu_units_lock);
	state = unit->state;
	*reason = unit->reason;
	up_read(&uncore_pmu_units_lock);
	return state;
}

/* By the PCI core, which need not map the page for it each time. */
static enum uncore_pmu_reason check_id(const struct uncore_unit *unit)
{
	enum uncore_pmu_reason reason = UNCORE_PMU_REASON_ID;
	u32 id;

	down_read(&uncore_pmu_units_lock);
	if (unit->pdev &&
	    !pci_read_config_dword(unit->pdev, PCI_VENDOR_ID, &id) &&
	    id == ((u32)unit->device << 16 | PCI_VENDOR_ID_INTEL))
		reason = UNCORE_PMU_REASON_NONE;
	up_read(&uncore_pmu_units_lock);
	return reason;
}

/**
 * uncore_pmu_unit_state() - the state of a unit at this moment
 * @unit: the unit
 * @reason: receives the reason for it
 *
 * A page that does not show its function's id now has been hidden since it was
 * found: to read counters there would give nonsense. It may answer again later,
 * so that is not kept.
 *
 * Return: the state, but for lockdown.
 */
enum uncore_pmu_state uncore_pmu_unit_state(const struct uncore_unit *unit,
					    enum uncore_pmu_reason *reason)
{
	enum uncore_pmu_state state = kept_state(unit, reason);
	enum uncore_pmu_reason now;

	if (state != UNCORE_PMU_STATE_OK)
		return state;

	/* A function on its way out does not answer either. */
	now = check_id(unit);
	state = kept_state(unit, reason);
	if (state != UNCORE_PMU_STATE_OK || now == UNCORE_PMU_REASON_NONE)
		return state;

	*reason = now;
	return UNCORE_PMU_STATE_INVALID;
}

/**
 * uncore_pmu_unit_usable() - can a unit's registers be used at this moment
 * @unit: the unit
 *
 * Return: 0 or the errno for its state, see <linux/uncore_pmu.h>.
 */
int uncore_pmu_unit_usable(const struct uncore_unit *unit)
{
	enum uncore_pmu_reason reason;

	switch (uncore_pmu_unit_state(unit, &reason)) {
	case UNCORE_PMU_STATE_OK:
		return 0;
	case UNCORE_PMU_STATE_ABSENT:
		return -ENOENT;
	case UNCORE_PMU_STATE_GONE:
		return -ENODEV;
	default:
		return -EIO;
	}
}

/**
 * uncore_pmu_unit_device() - the device of a unit
 * @unit: the unit
 *
 * Return: the device with a reference, NULL if it was removed.
 */
struct pci_dev *uncore_pmu_unit_device(const struct uncore_unit *unit)
{
	struct pci_dev *pdev;

	down_read(&uncore_pmu_units_lock);
	pdev = pci_dev_get(unit->pdev);
	up_read(&uncore_pmu_units_lock);
	return pdev;
}
