// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programming a counter through the kernel's perf PMU of its unit. perf
 * arbitrates: it knows who else counts there, and chooses the counter.
 *
 * Called under claims_lock, or in CPU hotplug, see lock_claims(). What perf does
 * to an uncore event it does on one CPU of the die, with interrupts off; we look
 * at an event, and restore the registers that it had, in the same way, so that
 * neither sees the other half done.
 */
#include <linux/bits.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/perf_event.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "uncore_pmu.h"

/* UNCORE_FIXED_EVENT in arch/x86/events/intel/uncore.h */
#define PERF_FIXED_CONFIG	0xff

/*
 * perf asks whether its caller may use counters of a whole CPU. Ours holds a
 * descriptor that is open for writing, which is the right to do this.
 */
static const struct cred *perf_cred;

/**
 * struct perf_look - what an event is at one moment
 * @unit: the unit it is to count in
 * @event: the event
 * @kind: enum uncore_pmu_kind that is wanted
 * @claim: whose event it is; if perf has moved it, the counter that it has left
 *	gets its previous content; may be NULL
 * @restore: give the registers their previous content
 * @here: it was on the CPU that was asked
 * @active: it counts
 * @counter: index of its counter, if @active
 * @control: content of the control register, if @active
 * @frozen: the unit is frozen
 * @tag: as in struct uncore_claim, if @active
 * @ahead: as in struct uncore_claim, if @active
 */
struct perf_look {
	const struct uncore_unit *unit;
	struct perf_event *event;
	const struct uncore_claim *claim;
	u8 kind;
	bool restore;
	bool here;
	bool active;
	u32 counter;
	u64 control;
	bool frozen;
	u64 tag;
	u64 ahead;
};

/* The counter that perf has given an event, or the number of them. */
static u32 counter_of(const struct perf_look *look,
		      struct uncore_pmu_counter *desc)
{
	const struct hw_perf_event *hw = &look->event->hw;
	u32 base = uncore_pmu_perf_base(look->unit);
	u32 i, n = uncore_pmu_num_counters(look->unit);

	for (i = 0; i < n; i++) {
		uncore_pmu_describe_counter(look->unit, i, desc);
		if (desc->kind != look->kind)
			continue;
		if (look->kind == UNCORE_PMU_KIND_GENERAL && hw->idx != i)
			continue;
		if (!look->unit->type->perf_by_index &&
		    (hw->event_base != desc->offset - base ||
		     hw->config_base != desc->control - base))
			continue;
		break;
	}
	return i;
}

/*
 * Returns the control register's new content. If a counter was enabled before,
 * it was by another event of perf's, which perf has moved: not to be enabled
 * again.
 */
static u64 restore_registers(const struct uncore_unit *unit, u32 counter,
			     const struct uncore_pmu_counter *desc)
{
	const struct uncore_saved *saved = unit->saved;
	u64 control = saved->counter[counter].control &
		      ~(u64)uncore_pmu_enable_mask(unit, desc);

	uncore_pmu_write_control(unit, desc, control);
	uncore_pmu_write_count(unit, desc, saved->counter[counter].count);
	return control;
}

/*
 * What perf makes of a control register when it stops an event: it clears the
 * enable bit, or the lower half where there is none. If that is not what it
 * holds, another event has come there, perhaps of the same kind.
 */
static bool is_left(const struct uncore_claim *claim)
{
	u64 control = uncore_pmu_read_control(claim->unit, &claim->desc);
	u64 left = claim->config;

	if (!claim->desc.enable)
		left &= ~(u64)U32_MAX;
	return uncore_pmu_meaning(claim->unit, &claim->desc, control) == left;
}

/* Stopped by perf: untouched since, or not ours to touch. */
static void restore_left(const struct uncore_claim *claim)
{
	if (is_left(claim))
		restore_registers(claim->unit, claim->counter, &claim->desc);
}

/*
 * perf adds to its count what the register has gone on while the event was in
 * it: the two keep their distance for as long as the register counts all of the
 * event and nothing else.
 */
static u64 ahead_of(struct perf_event *event,
		    const struct uncore_pmu_counter *desc)
{
	u64 ahead = local64_read(&event->hw.prev_count) -
		    local64_read(&event->count);

	return ahead & GENMASK_ULL(desc->width - 1, 0);
}

static void look_here(void *arg)
{
	struct perf_look *look = arg;
	struct uncore_pmu_counter desc;

	look->here = look->event->cpu == smp_processor_id();
	look->active = look->event->state == PERF_EVENT_STATE_ACTIVE;
	if (!look->here || !look->active)
		return;

	look->counter = counter_of(look, &desc);
	if (look->counter == uncore_pmu_num_counters(look->unit))
		return;
	look->control = uncore_pmu_read_control(look->unit, &desc);
	look->frozen = uncore_pmu_is_frozen(look->unit);
	look->tag = look->event->hw.last_tag;
	look->ahead = ahead_of(look->event, &desc);
	if (look->claim && look->claim->counter != look->counter)
		restore_left(look->claim);
	/* What perf writes when it stops the event is then the same. */
	if (look->restore)
		look->event->hw.config = restore_registers(look->unit,
							   look->counter,
							   &desc);
}

/* False if its CPU is not to be had. */
static bool look_at(struct perf_look *look)
{
	int cpu = READ_ONCE(look->event->cpu);

	return !smp_call_function_single(cpu, look_here, look, 1) &&
	       look->here;
}

static bool holds(const struct uncore_claim *claim,
		  const struct uncore_pmu_counter *desc, u64 control)
{
	return uncore_pmu_meaning(claim->unit, desc, control) ==
	       (claim->config | desc->enable);
}

static struct perf_event *create(const struct uncore_claim *claim, bool pinned)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = claim->desc.kind == UNCORE_PMU_KIND_FIXED
				? PERF_FIXED_CONFIG : claim->config,
		.pinned = pinned,
	};
	int cpu = uncore_pmu_die_cpu(claim->unit->die);
	char name[UNCORE_PERF_NAME_LEN];
	const struct cred *caller;
	struct perf_event *event;
	int ret;

	if (cpu < 0)
		return ERR_PTR(cpu);
	ret = uncore_pmu_perf_type(claim->unit, &attr.type, name);
	if (ret)
		return ERR_PTR(ret);

	caller = override_creds(perf_cred);
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	revert_creds(caller);
	/* Another PMU may have the number by now. */
	if (!IS_ERR(event) && strcmp(event->pmu->name, name)) {
		perf_event_release_kernel(event);
		event = ERR_PTR(-EPROTO);
	}
	return event;
}

/* False if the event is not on a CPU, and its registers are not restored. */
static bool end(const struct uncore_unit *unit, u8 kind,
		struct perf_event *event)
{
	struct perf_look look = {
		.unit = unit, .event = event, .kind = kind, .restore = true,
	};
	bool restored = look_at(&look) && look.active;

	perf_event_release_kernel(event);
	return restored;
}

/* Before perf is asked: with all counters enabled there is none. */
static bool may_have_room(const struct uncore_claim *claim)
{
	u32 i, n = uncore_pmu_num_counters(claim->unit);
	struct uncore_pmu_counter desc;

	for (i = 0; i < n; i++) {
		uncore_pmu_describe_counter(claim->unit, i, &desc);
		if (desc.kind == claim->desc.kind &&
		    !uncore_pmu_is_enabled(claim->unit, &desc,
					   uncore_pmu_read_control(claim->unit,
								   &desc)))
			return true;
	}
	return false;
}

/*
 * A pinned event would push others out of their counters. One that is not is
 * content with what is left; if it gets a counter, so will ours.
 */
static int try_room(const struct uncore_claim *claim)
{
	struct perf_event *event;
	bool active;

	if (!may_have_room(claim))
		return -EBUSY;

	event = create(claim, false);
	if (IS_ERR(event))
		return PTR_ERR(event);
	active = event->state == PERF_EVENT_STATE_ACTIVE;
	end(claim->unit, claim->desc.kind, event);
	return active ? 0 : -EBUSY;
}

static void note(struct uncore_claim *claim, const struct perf_look *look)
{
	claim->tag = look->tag;
	claim->ahead = look->ahead;
}

/* The register that perf chose must be the unit's and hold the event. */
static int take(struct uncore_claim *claim, struct perf_event *event)
{
	struct perf_look look = {
		.unit = claim->unit, .event = event, .kind = claim->desc.kind,
	};

	if (!look_at(&look))
		return -EHOSTDOWN;
	if (!look.active)
		return -EBUSY;
	if (look.counter == uncore_pmu_num_counters(claim->unit))
		return -EPROTO;

	uncore_pmu_describe_counter(claim->unit, look.counter, &claim->desc);
	if (!holds(claim, &claim->desc, look.control))
		return -EPROTO;

	claim->counter = look.counter;
	claim->cpu = event->cpu;
	claim->event = event;
	note(claim, &look);
	return 0;
}

/* perf clears the bit when it comes, and some kernels' not even then. */
static int unfreeze(const struct uncore_unit *unit)
{
	return uncore_pmu_global_is_frozen(unit) ? uncore_pmu_global_lift(unit)
						 : 0;
}

/**
 * uncore_pmu_perf_program() - have perf program a counter for a claim
 * @claim: the claim, receives the counter
 *
 * Return: 0; -EHOSTDOWN if no CPU of the die is online; -EBUSY if perf has no
 * counter left; -EPROTO if it does not do as it should, or the counter would
 * stay frozen together with others; or an errno of perf.
 */
int uncore_pmu_perf_program(struct uncore_claim *claim)
{
	struct perf_event *event;
	int ret;

	ret = try_room(claim);
	if (ret)
		return ret;

	event = create(claim, true);
	if (IS_ERR(event))
		return PTR_ERR(event);

	ret = take(claim, event);
	if (!ret)
		ret = unfreeze(claim->unit);
	if (ret)
		end(claim->unit, claim->desc.kind, event);
	return ret;
}

/**
 * uncore_pmu_perf_end() - give the counter back to perf
 * @claim: the claim
 */
void uncore_pmu_perf_end(struct uncore_claim *claim)
{
	if (!end(claim->unit, claim->desc.kind, claim->event))
		restore_left(claim);
	claim->event = NULL;
}

/*
 * Cheap, and now and then wrong about what it does not like. The tag comes last:
 * perf gives it to an event before it enables the counter.
 */
static bool looks_unchanged(const struct uncore_claim *claim, bool frozen)
{
	const struct perf_event *event = claim->event;
	bool before = claim->state == UNCORE_PMU_COUNTER_CLAIMED;

	return READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE &&
	       READ_ONCE(event->cpu) == claim->cpu &&
	       (claim->desc.kind == UNCORE_PMU_KIND_FIXED ||
		READ_ONCE(event->hw.idx) == claim->counter) &&
	       before == (holds(claim, &claim->desc,
				uncore_pmu_read_control(claim->unit,
							&claim->desc)) &&
			  !frozen && !uncore_pmu_is_frozen(claim->unit)) &&
	       READ_ONCE(event->hw.last_tag) == claim->tag;
}

/**
 * uncore_pmu_perf_check() - see what has become of a claim's event
 * @claim: the claim, which may be lost by this
 *
 * CPU hotplug is kept out by the caller: while perf moves its events to another
 * CPU they seem to be off.
 */
void uncore_pmu_perf_check(struct uncore_claim *claim)
{
	struct perf_look look = {
		.unit = claim->unit, .event = claim->event,
		.claim = claim, .kind = claim->desc.kind,
	};
	bool frozen = uncore_pmu_global_is_frozen(claim->unit);
	bool broken, counts;

	if (looks_unchanged(claim, frozen))
		return;

	if (READ_ONCE(claim->event->state) < PERF_EVENT_STATE_INACTIVE ||
	    !look_at(&look)) {
		uncore_pmu_lose_claim(claim);
		return;
	}

	broken = claim->cpu != claim->event->cpu;
	claim->cpu = claim->event->cpu;
	if (look.active &&
	    look.counter < uncore_pmu_num_counters(claim->unit)) {
		/* It may have been elsewhere and come back. */
		broken |= look.ahead != claim->ahead;
		note(claim, &look);
		if (look.counter != claim->counter) {
			uncore_pmu_claim_moved(claim, look.counter);
			return;
		}
	}

	counts = look.active && !look.frozen && !frozen &&
		 holds(claim, &claim->desc, look.control);
	if (broken)
		uncore_pmu_claim_counts(claim, counts);
	else
		uncore_pmu_claim_seen(claim, counts);
}

/**
 * uncore_pmu_perf_resume() - have perf write the registers anew
 * @claim: the claim, which may be lost by this
 */
void uncore_pmu_perf_resume(struct uncore_claim *claim)
{
	unfreeze(claim->unit);
	perf_event_disable(claim->event);
	perf_event_enable(claim->event);
	uncore_pmu_perf_check(claim);
	if (claim->state == UNCORE_PMU_COUNTER_CLAIMED)
		uncore_pmu_claim_counts(claim, true);
	else if (claim->state == UNCORE_PMU_COUNTER_REPROGRAMMED)
		uncore_pmu_lose_claim(claim);
}

/**
 * uncore_pmu_perf_init() - get ready to ask perf
 *
 * Return: 0 or a negative errno.
 */
int uncore_pmu_perf_init(void)
{
	int ret = uncore_pmu_perf_pmu_init();

	if (ret)
		return ret;
	perf_cred = prepare_kernel_cred(&init_task);
	return perf_cred ? 0 : -ENOMEM;
}

/**
 * uncore_pmu_perf_exit() - undo uncore_pmu_perf_init()
 */
void uncore_pmu_perf_exit(void)
{
	put_cred(perf_cred);
}
