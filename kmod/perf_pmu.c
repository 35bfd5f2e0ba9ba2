// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding the kernel's perf PMU of a unit. It may go at any time, with the
 * module of perf's driver or the last of its devices.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "uncore_pmu.h"

/* The bus that PMUs are on, which is not exported. */
static typeof_member(struct device, bus) pmu_bus;

/*
 * As mainline names them: uncore_TYPE_N, or uncore_TYPE if it counts one of the
 * type, which may have any number. Should that be another than ours, then perf
 * does not program ours, which is noticed.
 */
static struct device *find_named(const char *type, unsigned int instance)
{
	char name[UNCORE_PERF_NAME_LEN];
	struct device *dev;

	snprintf(name, sizeof(name), "uncore_%s_%u", type, instance);
	dev = bus_find_device_by_name(pmu_bus, NULL, name);
	if (dev)
		return dev;

	snprintf(name, sizeof(name), "uncore_%s", type);
	return bus_find_device_by_name(pmu_bus, NULL, name);
}

static struct device *find_pmu(const struct uncore_unit *unit)
{
	struct device *dev = find_named(unit->type->name, unit->instance);

	if (dev || !unit->type->alias)
		return dev;
	return find_named(unit->type->alias, unit->instance);
}

static void unlock_pmu(struct device *dev)
{
	device_unlock(dev);
	put_device(dev);
}

/*
 * A PMU that is still on its bus once we have its lock stays until we let go of
 * that: bus_remove_device() takes it off first, and then needs the lock.
 */
static struct device *lock_pmu(const struct uncore_unit *unit)
{
	struct device *dev = find_pmu(unit), *again;

	if (!dev)
		return NULL;

	device_lock(dev);
	again = find_pmu(unit);
	put_device(again);
	if (again == dev)
		return dev;
	unlock_pmu(dev);
	return NULL;
}

/**
 * uncore_pmu_perf_has() - is there a perf PMU for a unit
 * @unit: the unit; its device is there, unless perf can do without being its
 *	driver
 *
 * Return: true if there is.
 */
bool uncore_pmu_perf_has(const struct uncore_unit *unit)
{
	const struct pci_driver *driver = NULL;
	const struct pmu *pmu;
	struct device *dev;
	bool has;

	if (!unit->type->perf_unbound) {
		driver = unit->pdev->driver;
		if (!driver)
			return false;
	}

	dev = lock_pmu(unit);
	if (!dev)
		return false;

	/* It may be there for other dies only, and the driver a stranger. */
	pmu = dev_get_drvdata(dev);
	has = unit->type->perf_unbound ||
	      (pmu && pmu->module == driver->driver.owner);
	unlock_pmu(dev);
	return has;
}

/**
 * uncore_pmu_perf_type() - by which number perf knows the PMU of a unit
 * @unit: the unit
 * @type: receives the number
 * @name: receives the PMU's name, of at most UNCORE_PERF_NAME_LEN
 *
 * Return: 0, or -ENODEV if there is none.
 */
int uncore_pmu_perf_type(const struct uncore_unit *unit, u32 *type, char *name)
{
	struct device *dev = lock_pmu(unit);
	const struct pmu *pmu;
	int ret = -ENODEV;

	if (!dev)
		return ret;

	pmu = dev_get_drvdata(dev);
	if (pmu) {
		*type = pmu->type;
		ret = strscpy(name, dev_name(dev), UNCORE_PERF_NAME_LEN) < 0
			? -ENODEV : 0;
	}
	unlock_pmu(dev);
	return ret;
}

/**
 * uncore_pmu_perf_pmu_init() - find the bus of the PMUs, by one that is always
 * there
 *
 * Return: 0 or a negative errno.
 */
int uncore_pmu_perf_pmu_init(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, raw_smp_processor_id(),
						 NULL, NULL, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);

	if (event->pmu->dev)
		pmu_bus = event->pmu->dev->bus;
	perf_event_release_kernel(event);
	return pmu_bus ? 0 : -EOPNOTSUPP;
}
