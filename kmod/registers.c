// SPDX-License-Identifier: GPL-2.0-only
/*
 * A unit's registers, for the kernel's own reads and writes. User space has
 * its mapping.
 *
 * The functions do not sleep: perf's registers are looked at where perf cannot
 * change them meanwhile, with interrupts off.
 */
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/pci.h>

#include "uncore_pmu.h"

/**
 * uncore_pmu_is_mmio() - are a unit's registers in memory
 * @unit: the unit
 *
 * Return: true if they are.
 */
bool uncore_pmu_is_mmio(const struct uncore_unit *unit)
{
	return unit->type->layout->access == UNCORE_PMU_ACCESS_MMIO64 ||
	       unit->type->layout->access == UNCORE_PMU_ACCESS_MMIO32;
}

/* Control registers whose upper half says something of what is counted. */
static bool is_wide(const struct uncore_unit *unit)
{
	return upper_32_bits(uncore_pmu_config_mask(unit) | unit->type->filter);
}

/*
 * The memory of a unit may be another device's by now: it is not to be written
 * even to give back what was there.
 */
static bool is_lost(const struct uncore_unit *unit)
{
	return READ_ONCE(unit->reason) == UNCORE_PMU_REASON_OVERLAP;
}

static u32 read32(const struct uncore_unit *unit, u32 offset)
{
	u32 value = ~0U;

	if (uncore_pmu_is_mmio(unit))
		return readl(unit->regs + offset);
	pci_read_config_dword(unit->pdev, offset, &value);
	return value;
}

static void write32(const struct uncore_unit *unit, u32 offset, u32 value)
{
	if (is_lost(unit))
		return;
	if (uncore_pmu_is_mmio(unit))
		writel(value, unit->regs + offset);
	else
		pci_write_config_dword(unit->pdev, offset, value);
}

static u64 read64(const struct uncore_unit *unit, u32 offset)
{
	if (uncore_pmu_is_mmio(unit))
		return readq(unit->regs + offset);
	return read32(unit, offset) | (u64)read32(unit, offset + 4) << 32;
}

static void write64(const struct uncore_unit *unit, u32 offset, u64 value)
{
	if (is_lost(unit))
		return;
	if (uncore_pmu_is_mmio(unit)) {
		writeq(value, unit->regs + offset);
		return;
	}
	write32(unit, offset + 4, upper_32_bits(value));
	write32(unit, offset, lower_32_bits(value));
}

/**
 * uncore_pmu_read_control() - content of a counter's control register
 * @unit: the unit, whose device is there
 * @counter: description of the counter
 *
 * Return: the content.
 */
u64 uncore_pmu_read_control(const struct uncore_unit *unit,
			    const struct uncore_pmu_counter *counter)
{
	return is_wide(unit) && counter->kind == UNCORE_PMU_KIND_GENERAL
		? read64(unit, counter->control)
		: read32(unit, counter->control);
}

/**
 * uncore_pmu_meaning() - what a control register says of event and enabling
 * @unit: the unit
 * @counter: description of the counter
 * @control: content of its control register
 *
 * Return: the content without what means nothing.
 */
u64 uncore_pmu_meaning(const struct uncore_unit *unit,
		       const struct uncore_pmu_counter *counter, u64 control)
{
	u64 mask = counter->enable;

	if (counter->kind == UNCORE_PMU_KIND_GENERAL)
		mask |= uncore_pmu_config_mask(unit) | unit->type->filter;
	return control & mask;
}

/**
 * uncore_pmu_enable_mask() - what lets a counter count
 * @unit: its unit
 * @counter: description of the counter
 *
 * Without an enable bit it is the event, which perf clears in the lower half alone.
 *
 * Return: bits of its control register.
 */
u32 uncore_pmu_enable_mask(const struct uncore_unit *unit,
			   const struct uncore_pmu_counter *counter)
{
	return counter->enable ?: lower_32_bits(uncore_pmu_config_mask(unit));
}

/**
 * uncore_pmu_is_enabled() - does a counter count
 * @unit: its unit
 * @counter: description of the counter
 * @control: content of its control register
 *
 * Return: true if it does, or would if its unit is frozen.
 */
bool uncore_pmu_is_enabled(const struct uncore_unit *unit,
			   const struct uncore_pmu_counter *counter,
			   u64 control)
{
	return control & uncore_pmu_enable_mask(unit, counter);
}

/**
 * uncore_pmu_write_control() - set a counter's control register
 * @unit: the unit, whose device is there
 * @counter: description of the counter
 * @value: new content
 */
void uncore_pmu_write_control(const struct uncore_unit *unit,
			      const struct uncore_pmu_counter *counter,
			      u64 value)
{
	if (is_wide(unit) && counter->kind == UNCORE_PMU_KIND_GENERAL)
		write64(unit, counter->control, value);
	else
		write32(unit, counter->control, value);
}

/**
 * uncore_pmu_read_count() - content of a counter that does not count
 * @unit: the unit, whose device is there
 * @counter: description of the counter
 *
 * Return: the content.
 */
u64 uncore_pmu_read_count(const struct uncore_unit *unit,
			  const struct uncore_pmu_counter *counter)
{
	return counter->width > 32 ? read64(unit, counter->offset)
				   : read32(unit, counter->offset);
}

/**
 * uncore_pmu_write_count() - set a counter that does not count
 * @unit: the unit, whose device is there
 * @counter: description of the counter
 * @value: new content
 */
void uncore_pmu_write_count(const struct uncore_unit *unit,
			    const struct uncore_pmu_counter *counter, u64 value)
{
	if (counter->width > 32)
		write64(unit, counter->offset, value);
	else
		write32(unit, counter->offset, value);
}

/**
 * uncore_pmu_read_unit_control() - content of the unit control register
 * @unit: the unit, whose device is there
 *
 * Return: the content.
 */
u32 uncore_pmu_read_unit_control(const struct uncore_unit *unit)
{
	return read32(unit, unit->offset + unit->type->layout->unit_control);
}

/**
 * uncore_pmu_is_frozen() - does the unit say that its counters are frozen
 * @unit: the unit, whose device is there
 *
 * Return: true if it does.
 */
bool uncore_pmu_is_frozen(const struct uncore_unit *unit)
{
	return uncore_pmu_read_unit_control(unit) & unit->type->layout->freeze;
}

/**
 * uncore_pmu_write_unit_control() - set the unit control register
 * @unit: the unit, whose device is there
 * @value: new content
 */
void uncore_pmu_write_unit_control(const struct uncore_unit *unit, u32 value)
{
	write32(unit, unit->offset + unit->type->layout->unit_control, value);
}
