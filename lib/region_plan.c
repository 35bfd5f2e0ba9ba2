// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a plan says to count, and the counters of the uncore that do. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"

static enum uncore_slot_kind kind_of(const struct uncore_counter *counter)
{
	switch (counter->load) {
	case UNCORE_LOAD_PAIR:
		return UNCORE_SLOT_PAIR;
	case UNCORE_LOAD_64:
		return UNCORE_SLOT_64;
	case UNCORE_LOAD_32:
		return UNCORE_SLOT_32;
	case UNCORE_LOAD_PERF:
		return UNCORE_SLOT_CALL;
	default:
		return UNCORE_SLOT_KINDS;
	}
}

/* Takes over the counter, also on failure. Slots are in the order of kinds. */
static int add_slot(struct uncore_plan *plan, struct uncore_slot *slot,
		    struct uncore_event_error *error)
{
	enum uncore_slot_kind kind = kind_of(&slot->counter), i;
	unsigned int at = 0;

	if (kind == UNCORE_SLOT_KINDS) {
		uncore_say(error, "counters of this kind cannot be read in "
			   "regions");
		uncore_counter_close(&slot->counter);
		return -EOPNOTSUPP;
	}
	if (plan->num_slots == UNCORE_PLAN_UNCORE_MAX) {
		uncore_say(error, "a plan can have %u counters of the uncore",
			   UNCORE_PLAN_UNCORE_MAX);
		uncore_counter_close(&slot->counter);
		return -E2BIG;
	}
	for (i = 0; i <= kind; i++)
		at += plan->num[i];
	memmove(&plan->slots[at + 1], &plan->slots[at],
		(plan->num_slots - at) * sizeof(plan->slots[0]));
	plan->slots[at] = *slot;
	plan->num[kind]++;
	plan->num_slots++;
	return 0;
}

/* Index of a counter of the unit that counts the event; programs it if need be. */
static int find_counter(struct uncore_plan *plan, unsigned int unit,
			const struct uncore_pmu_unit *info,
			const struct uncore_event *event,
			struct uncore_slot *slot)
{
	struct uncore_pmu_program claim;
	struct uncore_pmu_status status;
	unsigned int i;
	int ret;

	for (i = 0; i < info->num_counters; i++)
		if (!uncore_status(plan->uncore, unit, i, &status) &&
		    status.state == UNCORE_PMU_COUNTER_CLAIMED &&
		    info->counter[i].kind == event->kind &&
		    status.config == event->config)
			return (int)i;
	ret = uncore_program(plan->uncore, unit, event, &claim);
	if (ret)
		return ret;
	/* A free-running counter needs none. */
	slot->claimed = claim.claim != 0;
	slot->claim = claim.claim;
	return (int)claim.counter;
}

static int add_unit(struct uncore_plan *plan, unsigned int unit,
		    const struct uncore_event *event,
		    struct uncore_event_error *error)
{
	struct uncore_slot slot = { .entry = plan->num_entries };
	struct uncore_pmu_unit info;
	char name[UNCORE_NAME_LEN];
	int index, ret;

	ret = uncore_unit_info(plan->uncore, unit, &info);
	if (ret)
		return ret;
	index = find_counter(plan, unit, &info, event, &slot);
	if (index < 0) {
		uncore_unit_name(&info, name, sizeof(name));
		if (index == -EBADF)
			uncore_say(error, "no counter of %s counts %s: have it "
				   "programmed (uncorectl program)", name,
				   event->name);
		else
			uncore_say(error, "%s: %s", name,
				   uncore_strerror(UNCORE_CALL_PROGRAM, index));
		return index == -EBADF ? -ENODATA : index;
	}
	slot.die = info.die < 0 ? UNCORE_DIE_UNKNOWN : info.die;
	ret = uncore_counter_open(plan->uncore, unit, (unsigned int)index,
				  &slot.counter);
	if (ret)
		uncore_say(error, "%s",
			   uncore_strerror(UNCORE_CALL_MAP, ret));
	else
		ret = add_slot(plan, &slot, error);
	if (ret && slot.claimed)
		uncore_release(plan->uncore, slot.claim);
	return ret;
}

static int add_event(struct uncore_plan *plan, const char *spec,
		     struct uncore_entry *entry,
		     struct uncore_event_error *error)
{
	unsigned int units[UNCORE_PLAN_UNCORE_MAX], i;
	int count, ret = 0;

	count = uncore_spec_parse(plan->uncore, spec, &entry->event, units,
				  UNCORE_PLAN_UNCORE_MAX, error);
	if (count < 0)
		return count;
	if (count > UNCORE_PLAN_UNCORE_MAX) {
		uncore_say(error, "a plan can have %u counters of the uncore",
			   UNCORE_PLAN_UNCORE_MAX);
		return -E2BIG;
	}
	entry->expected = true;
	for (i = 0; i < (unsigned int)count && !ret; i++)
		ret = add_unit(plan, units[i], &entry->event, error);
	return ret;
}

/* "imc0@0/ctr0/" */
static int add_counter(struct uncore_plan *plan, const char *spec,
		       struct uncore_entry *entry,
		       struct uncore_event_error *error)
{
	struct uncore_slot slot = { .entry = plan->num_entries };
	struct uncore_counter *counter = &slot.counter;
	struct uncore_pmu_unit info;
	char name[UNCORE_SPEC_LEN];
	size_t length = strlen(spec);
	int ret;

	if (length && spec[length - 1] == '/')
		length--;
	snprintf(name, sizeof(name), "%.*s", (int)length, spec);
	ret = uncore_counter_open_name(plan->uncore, name, counter);
	if (ret) {
		uncore_say(error, "%s: %s", spec,
			   uncore_strerror(UNCORE_CALL_MAP, ret));
		return ret;
	}
	ret = uncore_unit_info(plan->uncore, counter->details->mapping->unit,
			       &info);
	if (ret) {
		uncore_counter_close(counter);
		return ret;
	}
	if (counter->scale) {
		entry->event.scale = counter->scale;
		snprintf(entry->event.unit, sizeof(entry->event.unit), "%s",
			 uncore_quantity_name(counter->quantity));
	}
	slot.die = info.die < 0 ? UNCORE_DIE_UNKNOWN : info.die;
	return add_slot(plan, &slot, error);
}

/* Events of the core are tried here, so that a plan fails early. */
static int add_core(struct uncore_plan *plan, const char *spec,
		    struct uncore_entry *entry,
		    struct uncore_event_error *error)
{
	struct uncore_counter counter;
	int ret;

	if (plan->num_core == UNCORE_PLAN_CORE_MAX) {
		uncore_say(error, "a plan can have %u events of the core",
			   UNCORE_PLAN_CORE_MAX);
		return -E2BIG;
	}
	ret = uncore_core_open(spec, &counter, error);
	if (ret)
		return ret;
	uncore_counter_close(&counter);
	entry->core = true;
	entry->index = plan->num_core++;
	return 0;
}

/* Of AMD: as other counters of the uncore, one for all threads. */
static int add_shared(struct uncore_plan *plan, const char *spec,
		      struct uncore_event_error *error)
{
	struct uncore_slot slot = { .entry = plan->num_entries };
	int ret = uncore_core_open(spec, &slot.counter, error);

	if (ret)
		return ret;
	slot.die = uncore_core_record_of(&slot.counter)->amd.cpus.package;
	return add_slot(plan, &slot, error);
}

static bool is_counter(const char *spec)
{
	const char *name = strchr(spec, '/') + 1;

	return uncore_same_text(name, 3, "ctr");
}

static int open_node(struct uncore **uncore, struct uncore_event_error *error)
{
	int ret = uncore_open_flags(NULL, UNCORE_OPEN_PROGRAM, uncore);

	if (ret)
		ret = uncore_open(NULL, uncore);
	if (ret)
		uncore_say(error, "%s", uncore_strerror(UNCORE_CALL_OPEN, ret));
	return ret;
}

static bool has_uncore(const char *events)
{
	char spec[UNCORE_SPEC_LEN];

	while (uncore_spec_next(&events, spec, sizeof(spec)) == 1)
		if (!uncore_spec_is_core(spec))
			return true;
	return false;
}

int uncore_plan_node(const char *events, struct uncore **uncore,
		     struct uncore_event_error *error)
{
	if (*uncore || !events || !has_uncore(events))
		return 0;
	return open_node(uncore, error);
}

static int add_entry(struct uncore_plan *plan, const char *spec,
		     struct uncore_event_error *error)
{
	struct uncore_entry *entry = &plan->entries[plan->num_entries];
	int ret;

	memset(entry, 0, sizeof(*entry));
	snprintf(entry->name, sizeof(entry->name), "%s", spec);
	if (uncore_spec_is_amd(spec)) {
		ret = add_shared(plan, spec, error);
	} else if (uncore_spec_is_core(spec)) {
		ret = add_core(plan, spec, entry, error);
	} else if (!plan->uncore) {
		uncore_say(error, "%s: /dev/uncore_pmu is not open", spec);
		ret = -EINVAL;
	} else if (is_counter(spec)) {
		ret = add_counter(plan, spec, entry, error);
	} else {
		ret = add_event(plan, spec, entry, error);
	}
	if (!ret)
		plan->num_entries++;
	return ret;
}

int uncore_plan_parse(struct uncore_plan *plan, const char *events,
		      struct uncore_event_error *error)
{
	char spec[UNCORE_SPEC_LEN];
	unsigned int i;
	int ret;

	plan->max_entries = UNCORE_PLAN_CORE_MAX + UNCORE_PLAN_UNCORE_MAX;
	plan->entries = calloc(plan->max_entries, sizeof(*plan->entries));
	plan->slots = calloc(UNCORE_PLAN_UNCORE_MAX, sizeof(*plan->slots));
	if (!plan->entries || !plan->slots)
		return -ENOMEM;

	while ((ret = uncore_spec_next(&events, spec, sizeof(spec))) == 1) {
		if (plan->num_entries == plan->max_entries) {
			uncore_say(error, "a plan can have %u events",
				   plan->max_entries);
			return -E2BIG;
		}
		ret = add_entry(plan, spec, error);
		if (ret)
			return ret;
	}
	if (!ret && !plan->num_entries)
		ret = -EINVAL;
	if (ret) {
		uncore_say(error, ret == -EINVAL ? "an event is missing"
						 : "an event is too long");
		return ret;
	}
	for (i = 0; i < plan->num_slots; i++) {
		struct uncore_slot *slot = &plan->slots[i];
		struct uncore_entry *entry = &plan->entries[slot->entry];

		uncore_watch_begin(&slot->counter,
				   entry->expected ? &entry->event : NULL,
				   &slot->watch);
	}
	return 0;
}

void uncore_plan_forget(struct uncore_plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->num_slots; i++) {
		uncore_counter_close(&plan->slots[i].counter);
		/* A child shares the open file, but claims are its parent's. */
		if (plan->slots[i].claimed && uncore_plan_is_mine(plan))
			uncore_release(plan->uncore, plan->slots[i].claim);
	}
	free(plan->slots);
	free(plan->entries);
}
