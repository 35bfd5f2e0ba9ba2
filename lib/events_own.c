// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events that are counters by themselves: the fixed counter, and those that run
 * freely, which need no programming.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

const struct uncore_pmu_counter *
uncore_fixed_counter(const struct uncore_pmu_unit *info)
{
	unsigned int i;

	for (i = 0; i < info->num_counters && i < UNCORE_PMU_MAX_COUNTERS; i++)
		if (info->counter[i].kind == UNCORE_PMU_KIND_FIXED)
			return &info->counter[i];
	return NULL;
}

/* What one count is, the unit knows. */
static void take_from(const struct uncore_pmu_counter *counter,
		      struct uncore_event *event)
{
	memset(event, 0, sizeof(*event));
	event->kind = counter->kind;
	event->scale = counter->scale;
	if (counter->quantity != UNCORE_PMU_QUANTITY_EVENT)
		snprintf(event->unit, sizeof(event->unit), "%s",
			 uncore_quantity_name(counter->quantity));
}

int uncore_fixed_set(const struct uncore_place *place,
		     struct uncore_event *event,
		     struct uncore_event_error *error)
{
	const struct uncore_pmu_counter *fixed =
		uncore_fixed_counter(place->info);

	if (!fixed) {
		uncore_say(error, "units of type %.*s have no fixed counter",
			   UNCORE_PMU_TYPE_LEN, place->info->type);
		return -EOPNOTSUPP;
	}
	take_from(fixed, event);
	event->source = UNCORE_EVENT_FIXED;
	snprintf(event->name, sizeof(event->name), "fixed");
	return 0;
}

bool uncore_free_get(const struct uncore_pmu_unit *info, uint64_t index,
		     struct uncore_event *event)
{
	const struct uncore_pmu_counter *counter;

	if (index >= info->num_counters || index >= UNCORE_PMU_MAX_COUNTERS ||
	    info->counter[index].kind != UNCORE_PMU_KIND_FREE_RUNNING)
		return false;
	counter = &info->counter[index];
	take_from(counter, event);
	event->source = UNCORE_EVENT_FREE_RUNNING;
	event->config = index;
	snprintf(event->name, sizeof(event->name), "%.*s", UNCORE_PMU_NAME_LEN,
		 counter->name);
	return true;
}

int uncore_free_parse(const struct uncore_place *place, const char *text,
		      struct uncore_event *event)
{
	int index = uncore_counter_find(place->info, text);

	return index >= 0 && uncore_free_get(place->info, (uint64_t)index,
					     event) ? 0 : -ENOENT;
}

int uncore_free_list(const struct uncore_place *place, uncore_event_fn each,
		     void *data)
{
	struct uncore_event event;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < place->info->num_counters && !ret; i++)
		if (uncore_free_get(place->info, i, &event))
			ret = each(&event, "A free-running counter: it needs "
				   "no programming", data);
	return ret;
}

int uncore_say_not_programmable(const struct uncore_place *place,
				struct uncore_event_error *error)
{
	const char *between = ", but these always count: ";
	struct uncore_event event;
	unsigned int i;
	size_t used;

	uncore_say(error, "units of type %.*s cannot be programmed",
		   UNCORE_PMU_TYPE_LEN, place->info->type);
	for (i = 0; i < place->info->num_counters; i++) {
		if (!uncore_free_get(place->info, i, &event))
			continue;
		used = strlen(error->message);
		snprintf(error->message + used, sizeof(error->message) - used,
			 "%s%s", between, event.name);
		between = ", ";
	}
	return -EOPNOTSUPP;
}
