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
#include <linux/workqueue.h>

#include "uncore_pmu.h"

DECLARE_RWSEM(uncore_pmu_units_lock);

static struct uncore_unit *units;
static unsigned int num_units;
static const struct uncore_platform *platform;
static bool units_logged;

static const char *const reason_text[] = {
	[UNCORE_PMU_REASON_NO_MCFG] = "no MCFG table",
	[UNCORE_PMU_REASON_NO_ECAM] = "not in the MCFG table",
	[UNCORE_PMU_REASON_UNALIGNED] = "unaligned address",
	[UNCORE_PMU_REASON_ADDRESS] = "address too high",
	[UNCORE_PMU_REASON_RAM] = "address of System RAM",
	[UNCORE_PMU_REASON_ID] = "other id",
	[UNCORE_PMU_REASON_DUPLICATE] = "duplicate",
	[UNCORE_PMU_REASON_MAP] = "cannot be mapped",
	[UNCORE_PMU_REASON_BASE_ZERO] = "base register is zero",
	[UNCORE_PMU_REASON_BASE_ONES] = "base register is all ones",
	[UNCORE_PMU_REASON_OVERLAP] = "address of something else",
	[UNCORE_PMU_REASON_DECODE] = "memory decoding is off",
	[UNCORE_PMU_REASON_D3] = "in D3",
	[UNCORE_PMU_REASON_ALL_ONES] = "does not answer",
	[UNCORE_PMU_REASON_TABLE] = "discovery table not usable",
	[UNCORE_PMU_REASON_FUNCTION] = "not a function with units",
};

/**
 * uncore_pmu_reason_text() - a reason in words, for the log
 * @reason: why a unit cannot be used
 *
 * Return: the words.
 */
const char *uncore_pmu_reason_text(enum uncore_pmu_reason reason)
{
	return reason_text[reason];
}

/* The first unit that is not to be trusted, and why. */
static void describe_invalid(char *text, size_t size)
{
	enum uncore_pmu_reason reason;
	unsigned int i;

	for (i = 0; i < num_units; i++) {
		if (uncore_pmu_unit_state(&units[i], &reason) !=
		    UNCORE_PMU_STATE_INVALID)
			continue;
		snprintf(text, size, "; %s%u@%d: %s", units[i].type->name,
			 units[i].instance, units[i].die, reason_text[reason]);
		return;
	}
}

static void log_units(void)
{
	unsigned int count[UNCORE_PMU_STATE_WINDOW + 1] = {};
	enum uncore_pmu_reason reason;
	unsigned int dies = 0, i;
	char others[48] = "";
	char invalid[80] = "";

	if (!num_units) {
		pr_info("no uncore unit found, there is RDPMC only\n");
		return;
	}

	for (i = 0; i < num_units; i++) {
		count[uncore_pmu_unit_state(&units[i], &reason)]++;
		dies += units[i].die >= 0 &&
			(!i || units[i].die != units[i - 1].die);
	}
	if (count[UNCORE_PMU_STATE_LOCKED] + count[UNCORE_PMU_STATE_WINDOW])
		snprintf(others, sizeof(others), ", %u locked, %u window only",
			 count[UNCORE_PMU_STATE_LOCKED],
			 count[UNCORE_PMU_STATE_WINDOW]);
	if (count[UNCORE_PMU_STATE_INVALID])
		describe_invalid(invalid, sizeof(invalid));
	pr_info("%s: %u units on %u die%s: %u ok, %u absent, %u invalid%s; %zu bytes%s\n",
		platform->name, num_units, dies, dies == 1 ? "" : "s",
		count[UNCORE_PMU_STATE_OK], count[UNCORE_PMU_STATE_ABSENT],
		count[UNCORE_PMU_STATE_INVALID], others,
		num_units * sizeof(*units), invalid);
}

/* From now on nobody can use it. */
static void end_unit(struct uncore_unit *unit, enum uncore_pmu_state state,
		     enum uncore_pmu_reason reason)
{
	down_write(&uncore_pmu_units_lock);
	unit->state = state;
	unit->reason = reason;
	up_write(&uncore_pmu_units_lock);

	uncore_pmu_lose_claims(unit, 0);
	if (unit->length)
		uncore_pmu_zap(uncore_pmu_mmap_offset(unit - units),
			       unit->length);
}

/*
 * A device that came after us has been given memory where a unit is, or what
 * freezes it, which nothing told the kernel. There is no event for it: the
 * device is added before its memory is assigned, both under the lock that we
 * then wait for.
 */
static void check_taken(struct work_struct *work)
{
	unsigned int i;

	pci_lock_rescan_remove();
	uncore_pmu_check_globals_taken();
	for (i = 0; i < num_units; i++) {
		struct uncore_unit *unit = &units[i];

		if (unit->state != UNCORE_PMU_STATE_OK)
			continue;
		if (!uncore_pmu_mmio_is_taken(unit)) {
			if (uncore_pmu_global_is_lost(unit))
				uncore_pmu_lose_claims(unit,
						       UNCORE_PMU_VIA_DIRECT);
			continue;
		}
		pr_warn("%s%u@%d: a PCI device was given its memory\n",
			unit->type->name, unit->instance, unit->die);
		end_unit(unit, UNCORE_PMU_STATE_INVALID,
			 UNCORE_PMU_REASON_OVERLAP);
	}
	pci_unlock_rescan_remove();
}

static DECLARE_WORK(taken_work, check_taken);

static void lose_unit(struct uncore_unit *unit)
{
	struct pci_dev *pdev = unit->pdev;

	end_unit(unit, UNCORE_PMU_STATE_GONE, UNCORE_PMU_REASON_REMOVED);

	down_write(&uncore_pmu_units_lock);
	unit->pdev = NULL;
	up_write(&uncore_pmu_units_lock);
	pci_dev_put(pdev);
}

/*
 * Removals come one at a time, under pci_lock_rescan_remove(). A driver that
 * comes, which is perf's, finds the registers as they were; and events of one
 * that goes must not outlive it. A driver of what leads to units in memory does
 * not use them.
 */
static void notify_unit(struct uncore_unit *unit, unsigned long action)
{
	switch (action) {
	case BUS_NOTIFY_DEL_DEVICE:
		lose_unit(unit);
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		if (!uncore_pmu_is_mmio(unit))
			uncore_pmu_lose_claims(unit, UNCORE_PMU_VIA_DIRECT);
		break;
	case BUS_NOTIFY_UNBIND_DRIVER:
		uncore_pmu_lose_claims(unit, UNCORE_PMU_VIA_PERF);
		break;
	}
}

static int bus_notify(struct notifier_block *nb, unsigned long action,
		      void *data)
{
	const struct pci_dev *pdev = to_pci_dev(data);
	unsigned int i;

	/* A driver may have changed what memory its device has. */
	if (action == BUS_NOTIFY_ADD_DEVICE ||
	    action == BUS_NOTIFY_BOUND_DRIVER)
		schedule_work(&taken_work);

	/* A function may lead to many units. */
	for (i = 0; i < num_units; i++)
		if (units[i].pdev == pdev)
			notify_unit(&units[i], action);
	return NOTIFY_OK;
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
	units_logged = true;
	return 0;
}

/**
 * uncore_pmu_units_exit() - undo uncore_pmu_units_init()
 */
void uncore_pmu_units_exit(void)
{
	bus_unregister_notifier(&pci_bus_type, &bus_notifier);
	cancel_work_sync(&taken_work);
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

/*
 * Once for each change: a unit may be looked at all the time. What is so from
 * the begin on is in the line about all units.
 */
static void tell(const struct uncore_unit *unit, enum uncore_pmu_reason reason)
{
	struct uncore_unit *own = &units[unit - units];

	if (READ_ONCE(own->told) == reason)
		return;
	WRITE_ONCE(own->told, reason);
	if (reason && units_logged)
		pr_warn_ratelimited("%s%u@%d cannot be used now: %s\n",
				    own->type->name, own->instance, own->die,
				    reason_text[reason]);
}

/**
 * uncore_pmu_unit_state() - the state of a unit at this moment
 * @unit: the unit
 * @reason: receives the reason for it
 *
 * A page that does not show its function's id now has been hidden since it was
 * found, or its function sleeps: to read counters there would give nonsense. It
 * may answer again later, so that is not kept.
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
	now = uncore_pmu_is_mmio(unit) ? uncore_pmu_mmio_check_now(unit)
				       : check_id(unit);
	state = kept_state(unit, reason);
	if (state != UNCORE_PMU_STATE_OK)
		return state;
	tell(unit, now);
	if (now == UNCORE_PMU_REASON_NONE)
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
	case UNCORE_PMU_STATE_LOCKED:
		return -EPERM;
	case UNCORE_PMU_STATE_WINDOW:
		return -EADDRNOTAVAIL;
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
