// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programming a counter by its registers, where the kernel has no perf PMU for
 * the unit. Called under claims_lock, with the unit's device locked or on its
 * way out.
 */
#include <linux/bits.h>
#include <linux/pci.h>

#include "uncore_pmu.h"

/* Counters that can count an event, as mainline's constraints have it. */
static u32 allowed_counters(const struct uncore_unit *unit, u64 config)
{
	const struct uncore_constraint *c = unit->type->constraints;
	u8 event = config;

	for (; c && c->counters; c++)
		if (c->event == event)
			return c->counters;
	return GENMASK(unit->type->layout->num_counters - 1, 0);
}

/* How many of the events that not all counters can count need this one. */
static unsigned int demand(const struct uncore_unit *unit, unsigned int counter)
{
	const struct uncore_constraint *c = unit->type->constraints;
	unsigned int n = 0;

	for (; c && c->counters; c++)
		n += !!(c->counters & BIT(counter));
	return n;
}

static bool is_free(const struct uncore_unit *unit, u32 counter,
		    const struct uncore_pmu_counter *desc)
{
	return !uncore_pmu_is_claimed(unit, counter) &&
	       !uncore_pmu_is_enabled(unit, desc,
				      uncore_pmu_read_control(unit, desc));
}

/*
 * Of those that are free, the one that is least in demand. A counter that is
 * enabled is in use, whoever has done it: we do not know, and it is not ours. A
 * claimed one need not be enabled, someone may have written the register.
 */
static int find_counter(struct uncore_claim *claim)
{
	const struct uncore_unit *unit = claim->unit;
	unsigned int i, n = uncore_pmu_num_counters(unit);
	u32 allowed = allowed_counters(unit, claim->config);
	unsigned int least = ~0U;
	struct uncore_pmu_counter desc;
	u8 kind = claim->desc.kind;

	for (i = 0; i < n; i++) {
		uncore_pmu_describe_counter(unit, i, &desc);
		if (desc.kind != kind)
			continue;
		if (kind == UNCORE_PMU_KIND_GENERAL && !(allowed & BIT(i)))
			continue;
		if (demand(unit, i) >= least || !is_free(unit, i, &desc))
			continue;
		least = demand(unit, i);
		claim->counter = i;
		claim->desc = desc;
	}
	return least == ~0U ? -EBUSY : 0;
}

static bool holds(const struct uncore_claim *claim)
{
	u64 control = uncore_pmu_read_control(claim->unit, &claim->desc);

	return uncore_pmu_meaning(claim->unit, &claim->desc, control) ==
	       (claim->config | claim->desc.enable);
}

/* Always written: the guides say that the bit cannot be read everywhere. */
static void unfreeze(const struct uncore_unit *unit)
{
	u32 control = uncore_pmu_read_unit_control(unit);

	uncore_pmu_write_unit_control(unit,
				      control & ~unit->type->layout->freeze);
}

/* The event first, then the bit that has it counted. */
static void write_control(const struct uncore_claim *claim)
{
	uncore_pmu_write_control(claim->unit, &claim->desc, claim->config);
	uncore_pmu_write_control(claim->unit, &claim->desc,
				 claim->config | claim->desc.enable);
}

/**
 * uncore_pmu_direct_program() - program a counter for a claim
 * @claim: the claim, receives the counter
 *
 * Return: 0; -EADDRINUSE if a driver has the device that the unit is; -EBUSY if
 * no counter is free that could count this; -EPROTO if a register does not take
 * it, or what freezes all units cannot be reached.
 */
int uncore_pmu_direct_program(struct uncore_claim *claim)
{
	struct uncore_unit *unit = claim->unit;
	struct pci_dev *pdev = unit->pdev;
	int ret;

	/* Drivers of root ports, or of what leads to it, do not use the unit. */
	if (pdev->driver && !uncore_pmu_is_mmio(unit) && !pci_is_bridge(pdev))
		return -EADDRINUSE;

	ret = find_counter(claim);
	if (ret)
		return ret;

	ret = uncore_pmu_global_get(unit);
	if (ret)
		return ret;
	if (!unit->saved->direct++)
		unit->saved->unit_control = uncore_pmu_read_unit_control(unit);
	unfreeze(unit);
	write_control(claim);
	if (holds(claim))
		return 0;

	uncore_pmu_direct_end(claim);
	return -EPROTO;
}

/* perf has come without a driver that we would have been told of. */
static bool perf_has_come(const struct uncore_unit *unit)
{
	return unit->type->perf_unbound && uncore_pmu_perf_has(unit);
}

/**
 * uncore_pmu_direct_end() - give the registers their previous content
 * @claim: the claim
 */
void uncore_pmu_direct_end(struct uncore_claim *claim)
{
	struct uncore_unit *unit = claim->unit;
	struct uncore_saved *saved = unit->saved;
	u64 control = saved->counter[claim->counter].control;

	if (perf_has_come(unit)) {
		/* It has reset them, and they are its own now. */
		saved->direct--;
		uncore_pmu_global_put(unit);
		return;
	}

	uncore_pmu_write_control(unit, &claim->desc,
				 control & ~(u64)claim->desc.enable);
	uncore_pmu_write_count(unit, &claim->desc,
			       saved->counter[claim->counter].count);
	uncore_pmu_write_control(unit, &claim->desc, control);
	if (!--saved->direct)
		uncore_pmu_write_unit_control(unit, saved->unit_control);
	uncore_pmu_global_put(unit);
}

/**
 * uncore_pmu_direct_check() - see whether a claimed counter counts its event
 * @claim: the claim, which may be lost by this
 */
void uncore_pmu_direct_check(struct uncore_claim *claim)
{
	const struct uncore_unit *unit = claim->unit;
	bool frozen;

	if (perf_has_come(unit)) {
		uncore_pmu_lose_claim(claim);
		return;
	}
	frozen = uncore_pmu_is_frozen(unit) || uncore_pmu_global_is_frozen(unit);
	uncore_pmu_claim_seen(claim, !frozen && holds(claim));
}

/**
 * uncore_pmu_direct_resume() - program a counter anew, its registers are reset
 * @claim: the claim, which may be lost by this
 */
void uncore_pmu_direct_resume(struct uncore_claim *claim)
{
	int ret;

	if (perf_has_come(claim->unit)) {
		uncore_pmu_lose_claim(claim);
		return;
	}
	ret = uncore_pmu_global_lift(claim->unit);
	unfreeze(claim->unit);
	write_control(claim);
	if (!ret && holds(claim))
		uncore_pmu_claim_counts(claim, true);
	else
		uncore_pmu_lose_claim(claim);
}
