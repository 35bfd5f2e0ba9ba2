// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptions of units, made from the constant layouts when they are asked
 * for.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/security.h>
#include <linux/string.h>

#include "uncore_pmu.h"

/**
 * uncore_pmu_mmap_offset() - where a unit is in the node's offset space
 * @index: index of the unit
 *
 * Return: the offset to pass to mmap.
 */
u64 uncore_pmu_mmap_offset(u32 index)
{
	return ((u64)index + 1) << UNCORE_PMU_UNIT_SHIFT;
}

/**
 * uncore_pmu_locked_down() - does kernel lockdown forbid reading counters
 *
 * Return: true if it does.
 */
bool uncore_pmu_locked_down(void)
{
	return security_locked_down(LOCKDOWN_PERF);
}

static void describe_general(const struct uncore_layout *layout,
			     unsigned int n, struct uncore_pmu_counter *counter)
{
	counter->offset = layout->counters ? layout->counters[n]
					   : layout->counter + 8 * n;
	counter->control = layout->control + layout->control_stride * n;
	counter->enable = layout->enable;
	counter->width = layout->width;
	counter->kind = UNCORE_PMU_KIND_GENERAL;
	counter->quantity = UNCORE_PMU_QUANTITY_EVENT;
	snprintf(counter->name, sizeof(counter->name), "ctr%u", n);
}

static void describe_fixed(const struct uncore_layout *layout,
			   struct uncore_pmu_counter *counter)
{
	counter->offset = layout->fixed;
	counter->control = layout->fixed_control;
	counter->enable = layout->fixed_enable;
	counter->scale = 1;
	counter->width = layout->width;
	counter->kind = UNCORE_PMU_KIND_FIXED;
	counter->quantity = UNCORE_PMU_QUANTITY_CYCLES;
	strscpy(counter->name, "fixed", sizeof(counter->name));
}

static void describe_free_running(const struct uncore_free_running *free,
				  struct uncore_pmu_counter *counter)
{
	counter->offset = free->offset;
	counter->control = UNCORE_PMU_NO_REGISTER;
	counter->scale = free->scale;
	counter->width = free->width;
	counter->kind = UNCORE_PMU_KIND_FREE_RUNNING;
	counter->quantity = free->quantity;
	strscpy(counter->name, free->name, sizeof(counter->name));
}

/* From the begin of the unit to that of its pages. */
static u32 in_pages(const struct uncore_unit *unit, u32 offset)
{
	if (offset == UNCORE_PMU_NO_REGISTER ||
	    unit->type->layout->access == UNCORE_PMU_ACCESS_WINDOW)
		return UNCORE_PMU_NO_REGISTER;
	return unit->offset + offset;
}

/**
 * uncore_pmu_num_counters() - number of counters of a unit
 * @unit: the unit
 *
 * Return: the number, at most UNCORE_PMU_MAX_COUNTERS.
 */
unsigned int uncore_pmu_num_counters(const struct uncore_unit *unit)
{
	const struct uncore_layout *layout = unit->type->layout;

	return layout->num_counters + !!layout->fixed + layout->num_free;
}

/**
 * uncore_pmu_describe_counter() - describe a counter
 * @unit: its unit
 * @n: index of the counter
 * @out: the description
 */
void uncore_pmu_describe_counter(const struct uncore_unit *unit, u32 n,
				 struct uncore_pmu_counter *out)
{
	const struct uncore_layout *layout = unit->type->layout;
	u32 programmable = layout->num_counters + !!layout->fixed;

	memset(out, 0, sizeof(*out));
	if (n < layout->num_counters)
		describe_general(layout, n, out);
	else if (n < programmable)
		describe_fixed(layout, out);
	else
		describe_free_running(&layout->free[n - programmable], out);
	out->offset = in_pages(unit, out->offset);
	out->control = in_pages(unit, out->control);
}

/**
 * uncore_pmu_perf_base() - where perf begins to count the registers of a unit
 * @unit: the unit
 *
 * Return: what to subtract from the offset of a register in the pages to have
 * what perf notes in its events.
 */
u32 uncore_pmu_perf_base(const struct uncore_unit *unit)
{
	return uncore_pmu_is_mmio(unit) ? unit->offset : 0;
}

/**
 * uncore_pmu_config_mask() - what can be programmed in a unit
 * @unit: the unit
 *
 * Return: bits of the control register of a general counter.
 */
u64 uncore_pmu_config_mask(const struct uncore_unit *unit)
{
	return uncore_pmu_platform_config() | unit->type->config;
}

/**
 * uncore_pmu_check_config() - can what is wanted be programmed in a unit at all
 * @unit: the unit
 * @arg: what is wanted
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP as in <linux/uncore_pmu.h>.
 */
int uncore_pmu_check_config(const struct uncore_unit *unit,
			    const struct uncore_pmu_program *arg)
{
	switch (arg->kind) {
	case UNCORE_PMU_KIND_GENERAL:
		if (!unit->type->layout->num_counters)
			return -EOPNOTSUPP;
		if (arg->config & ~uncore_pmu_config_mask(unit))
			return -EINVAL;
		/* Where no bit enables a counter, the event does. */
		return unit->type->layout->enable || lower_32_bits(arg->config)
			? 0 : -EINVAL;
	case UNCORE_PMU_KIND_FIXED:
		if (arg->config)
			return -EINVAL;
		return unit->type->layout->fixed ? 0 : -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
}

static void describe_state(const struct uncore_unit *unit,
			   struct uncore_pmu_unit *out)
{
	enum uncore_pmu_reason reason;

	out->state = uncore_pmu_unit_state(unit, &reason);
	out->reason = reason;
	if (out->state == UNCORE_PMU_STATE_OK && uncore_pmu_locked_down()) {
		out->state = UNCORE_PMU_STATE_LOCKED;
		out->reason = UNCORE_PMU_REASON_LOCKDOWN;
	}
}

/**
 * uncore_pmu_describe() - describe a unit to user space
 * @unit: the unit
 * @index: its index
 * @out: the description; all but its size is overwritten
 */
void uncore_pmu_describe(const struct uncore_unit *unit, u32 index,
			 struct uncore_pmu_unit *out)
{
	const struct uncore_layout *layout = unit->type->layout;
	u32 size = out->size;
	unsigned int i;

	memset(out, 0, sizeof(*out));
	out->size = size;
	out->index = index;
	describe_state(unit, out);

	out->access = layout->access;
	strscpy(out->type, unit->type->name, sizeof(out->type));
	out->instance = unit->instance;
	out->die = unit->die;
	out->socket = unit->socket;
	out->numa_node = unit->numa_node;

	out->segment = unit->segment;
	out->bus = unit->bus;
	out->device = PCI_SLOT(unit->devfn);
	out->function = PCI_FUNC(unit->devfn);
	out->pci_vendor = PCI_VENDOR_ID_INTEL;
	out->pci_device = unit->device;
	out->ask = !!unit->type->constraints;

	out->unit_control = layout->num_counters
		? in_pages(unit, layout->unit_control) : UNCORE_PMU_NO_REGISTER;
	out->unit_freeze = layout->freeze;
	out->mmap_offset = uncore_pmu_mmap_offset(index);
	if (out->state == UNCORE_PMU_STATE_OK)
		out->mmap_length = unit->length;

	out->num_counters = uncore_pmu_num_counters(unit);
	for (i = 0; i < out->num_counters; i++)
		uncore_pmu_describe_counter(unit, i, &out->counter[i]);
	if (layout->num_counters)
		out->config_mask = uncore_pmu_config_mask(unit);
}
