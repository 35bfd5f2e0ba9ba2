// SPDX-License-Identifier: LGPL-2.1-or-later
/* What was counted in regions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"

#define ALL_DIES	INT32_MIN

/* Less what begin and end count, which one time may have been less. */
static uint64_t net(uint64_t value, uint64_t times, uint64_t cost,
		    unsigned int flags)
{
	if (!(flags & UNCORE_RESULT_NET))
		return value;
	return times && value / times >= cost ? value - times * cost : 0;
}

static bool is_unpaired(const struct uncore_region_full *region)
{
	return region->misused || region->region.unpaired ||
	       region->region.depth != -1;
}

/* Can it have counted so much since the plan was opened? */
static bool is_plausible(const struct uncore_plan *plan,
			 const struct uncore_slot *slot, uint64_t value)
{
	double seconds = (double)(uncore_now() - plan->ns_start) * 1e-9;

	return (double)value <= seconds * uncore_fastest(&slot->counter);
}

static uint64_t sum_slots(const struct uncore_region_full *region,
			  unsigned int entry, int32_t die, int *state)
{
	const struct uncore_plan *plan = region->thread->plan;
	uint64_t value = 0;
	unsigned int i;
	int now;

	for (i = 0; i < plan->num_slots; i++) {
		const struct uncore_slot *slot = &plan->slots[i];

		if (slot->entry != entry ||
		    (die != ALL_DIES && slot->die != die))
			continue;
		value += region->sum[i];
		now = uncore_slot_state(plan, slot);
		if ((now == UNCORE_VALID || now == UNCORE_UNCLAIMED) &&
		    !is_plausible(plan, slot, region->sum[i]))
			now = UNCORE_IMPLAUSIBLE;
		/* Callers may accept "unclaimed": anything else is worse. */
		if (*state == UNCORE_VALID ||
		    (*state == UNCORE_UNCLAIMED && now != UNCORE_VALID))
			*state = now;
	}
	return value;
}

uint64_t uncore_region_count(const struct uncore_region_full *region,
			     unsigned int entry, int32_t die,
			     unsigned int flags, int *state)
{
	const struct uncore_thread *thread = region->thread;
	const struct uncore_entry *known = &thread->plan->entries[entry];
	uint64_t value;

	*state = UNCORE_VALID;
	if (known->core) {
		value = net(region->core[known->index], region->times,
			    thread->cost[known->index], flags);
		*state = uncore_thread_state(thread, known->index);
	} else {
		value = sum_slots(region, entry, die, state);
	}
	if (is_unpaired(region))
		*state = UNCORE_UNPAIRED;
	return value;
}

double uncore_region_seconds(const struct uncore_region_full *region,
			     unsigned int flags)
{
	const struct uncore_thread *thread = region->thread;
	const struct uncore_plan *plan = thread->plan;
	uint64_t ticks = uncore_tsc() - plan->tsc_start;
	uint64_t ns = uncore_now() - plan->ns_start;

	if (!ticks || is_unpaired(region))
		return 0;
	return (double)net(region->time, region->times, thread->time_cost,
			   flags) * (double)ns / (double)ticks / 1e9;
}

/* Does this thread read the uncore, and if so, is there something to read? */
static bool has_uncore(const struct uncore_region_full *region)
{
	unsigned int i;

	for (i = 0; i < UNCORE_SLOT_KINDS; i++)
		if (region->num[i])
			return true;
	return false;
}

int uncore_region_values(const struct uncore_region *begun, unsigned int flags,
			 uint64_t *values, uint64_t *times, double *seconds)
{
	const struct uncore_region_full *region =
		(const struct uncore_region_full *)begun;
	const struct uncore_plan *plan = region->thread->plan;
	int state, ret = 0;
	unsigned int i;

	for (i = 0; i < plan->num_entries; i++) {
		values[i] = 0;
		if (!plan->entries[i].core && !has_uncore(region))
			continue;
		values[i] = uncore_region_count(region, i, ALL_DIES, flags,
						&state);
		if (state != UNCORE_VALID && state != UNCORE_UNCLAIMED)
			ret = -ESTALE;
	}
	*times = region->times;
	*seconds = uncore_region_seconds(region, flags);
	return ret;
}

struct giving {
	unsigned int flags;
	uncore_result_fn each;
	void *data;
};

static int give(const struct giving *giving,
		const struct uncore_region_full *region, unsigned int entry,
		int32_t die)
{
	const struct uncore_thread *thread = region->thread;
	const struct uncore_entry *known = &thread->plan->entries[entry];
	struct uncore_result result = {
		.region = region->name,
		.event = known->name,
		.thread = thread->number,
		.tid = thread->tid,
		.die = die,
		.times = region->times,
		.seconds = uncore_region_seconds(region, giving->flags),
		.scale = known->event.scale,
		.unit = known->event.unit,
	};

	result.value = uncore_region_count(region, entry, die, giving->flags,
					   &result.state);
	return giving->each(&result, giving->data);
}

/* Each die that the event is counted on, once. */
static int give_dies(const struct giving *giving,
		     const struct uncore_region_full *region,
		     unsigned int entry)
{
	const struct uncore_plan *plan = region->thread->plan;
	unsigned int i, j;
	int ret = 0;

	for (i = 0; i < plan->num_slots && !ret; i++) {
		if (plan->slots[i].entry != entry)
			continue;
		for (j = 0; j < i; j++)
			if (plan->slots[j].entry == entry &&
			    plan->slots[j].die == plan->slots[i].die)
				break;
		if (j == i)
			ret = give(giving, region, entry, plan->slots[i].die);
	}
	return ret;
}

static int give_region(const struct giving *giving,
		       const struct uncore_region_full *region)
{
	const struct uncore_plan *plan = region->thread->plan;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < plan->num_entries && !ret; i++) {
		if (plan->entries[i].core)
			ret = give(giving, region, i, UNCORE_DIE_NONE);
		else if (has_uncore(region))
			ret = give_dies(giving, region, i);
	}
	return ret;
}

int uncore_plan_results(struct uncore_plan *plan, unsigned int flags,
			uncore_result_fn each, void *data)
{
	const struct giving giving = {
		.flags = flags, .each = each, .data = data,
	};
	const struct uncore_region_full *region;
	const struct uncore_region_name *name;
	const struct uncore_thread *thread;
	bool mine = uncore_plan_is_mine(plan);
	int ret = 0;

	if (mine)
		pthread_mutex_lock(&plan->lock);
	for (name = plan->names; name && !ret; name = name->next)
		for (thread = plan->threads; thread && !ret;
		     thread = thread->next)
			for (region = thread->regions; region && !ret;
			     region = region->next)
				if (region->name == name->name)
					ret = give_region(&giving, region);
	if (mine)
		pthread_mutex_unlock(&plan->lock);
	return ret;
}
