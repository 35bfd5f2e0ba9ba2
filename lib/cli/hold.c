// SPDX-License-Identifier: LGPL-2.1-or-later
/* Claims, and which of them are still needed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "hold.h"

static struct holding *find(struct hold *hold, unsigned int unit,
			    const struct uncore_event *event)
{
	size_t i;

	for (i = 0; i < hold->count; i++) {
		struct holding *holding = &hold->list[i];

		if (holding->unit == unit &&
		    holding->event.kind == event->kind &&
		    holding->event.config == event->config)
			return holding;
	}
	return NULL;
}

bool hold_has(struct hold *hold, unsigned int unit,
	      const struct uncore_event *event)
{
	return find(hold, unit, event) != NULL;
}

uint32_t hold_claim(struct hold *hold, unsigned int unit,
		    const struct uncore_event *event)
{
	const struct holding *holding = find(hold, unit, event);

	return holding && !holding->waiting ? holding->claim.claim : 0;
}

static void name_holding(struct hold *hold, struct holding *holding)
{
	char unit[UNCORE_NAME_LEN];
	struct uncore_pmu_unit info;
	unsigned int counter = holding->claim.counter;

	unit_name(hold->uncore, holding->unit, unit, sizeof(unit));
	if (!uncore_unit_info(hold->uncore, holding->unit, &info) &&
	    counter < UNCORE_PMU_MAX_COUNTERS)
		snprintf(holding->name, sizeof(holding->name), "%s/%.*s", unit,
			 UNCORE_PMU_NAME_LEN, info.counter[counter].name);
	else
		snprintf(holding->name, sizeof(holding->name), "%s/%u", unit,
			 counter);
}

static int claim(struct hold *hold, unsigned int unit,
		 const struct uncore_event *event)
{
	struct holding *holding;
	size_t room = hold->room ? hold->room * 2 : 16;
	int ret;

	if (hold->count == hold->room) {
		holding = reallocarray(hold->list, room, sizeof(*holding));
		if (!holding)
			return -ENOMEM;
		hold->list = holding;
		hold->room = room;
	}
	holding = &hold->list[hold->count];
	memset(holding, 0, sizeof(*holding));
	ret = uncore_program(hold->uncore, unit, event, &holding->claim);
	if (ret)
		return ret;
	holding->unit = unit;
	holding->event = *event;
	name_holding(hold, holding);
	hold->count++;
	return 0;
}

int hold_unit(struct hold *hold, unsigned int unit,
	      const struct uncore_event *event, struct holding **holding)
{
	int ret;

	*holding = find(hold, unit, event);
	if (!*holding) {
		ret = claim(hold, unit, event);
		if (ret)
			return ret;
		*holding = &hold->list[hold->count - 1];
	}
	(*holding)->uses++;
	return 0;
}

static void let_go(struct hold *hold, struct holding *holding)
{
	int ret;

	if (holding->waiting)
		return;
	if (holding->announced)
		printf("%-24s %s  released\n", holding->name,
		       holding->event.name);
	ret = uncore_release(hold->uncore, holding->claim.claim);
	if (ret)
		complain(holding->name,
			 uncore_strerror(UNCORE_CALL_RELEASE, ret));
}

/* The last of the list takes its place. */
static void drop(struct hold *hold, struct holding *holding)
{
	let_go(hold, holding);
	*holding = hold->list[--hold->count];
}

static void give_back(struct hold *hold, const struct request *request,
		      unsigned int count)
{
	struct holding *holding;
	unsigned int i;

	for (i = 0; i < count; i++) {
		holding = find(hold, request->units[i], &request->event);
		if (holding && !--holding->uses && !holding->kept)
			drop(hold, holding);
	}
}

int hold_request(struct hold *hold, const struct request *request, bool lenient,
		 unsigned int *unit)
{
	struct holding *holding;
	unsigned int i, gone = 0;
	int ret = 0;

	for (i = 0; i < request->count; i++) {
		*unit = request->units[i];
		ret = hold_unit(hold, *unit, &request->event, &holding);
		if (ret == -ENODEV && lenient && ++gone < request->count)
			continue;
		if (ret) {
			give_back(hold, request, i);
			return ret;
		}
	}
	return 0;
}

enum fate { COUNTS, OVERWRITTEN, LOST };

static enum fate fate_at(struct hold *hold, const struct holding *holding,
			 unsigned int counter)
{
	struct uncore_pmu_status status;

	if (uncore_status(hold->uncore, holding->unit, counter, &status) ||
	    status.claim != holding->claim.claim ||
	    status.state == UNCORE_PMU_COUNTER_LOST)
		return LOST;
	return status.state == UNCORE_PMU_COUNTER_REPROGRAMMED ? OVERWRITTEN
							       : COUNTS;
}

/* perf may have moved it to another counter. */
static enum fate fate_of(struct hold *hold, struct holding *holding)
{
	enum fate fate = fate_at(hold, holding, holding->claim.counter);
	struct uncore_pmu_unit info;
	unsigned int i;

	if (fate != LOST ||
	    uncore_unit_info(hold->uncore, holding->unit, &info))
		return fate;
	for (i = 0; i < info.num_counters; i++) {
		fate = fate_at(hold, holding, i);
		if (fate == LOST)
			continue;
		holding->claim.counter = i;
		name_holding(hold, holding);
		holding->announced = false;
		return fate;
	}
	return LOST;
}

static void say_overwritten(const struct holding *holding, const char *remedy)
{
	char message[UNCORE_EVENT_NAME_LEN + 128];

	snprintf(message, sizeof(message), "%s: other software has changed its "
		 "control register or stopped the unit: %s",
		 holding->event.name, remedy);
	complain(holding->name, message);
}

/*
 * The others stay, whatever becomes of the unit. What cannot be programmed now
 * may be later, when a CPU or a driver is back; a device that was removed is
 * not the same unit when it comes back.
 */
static int renew(struct hold *hold, struct holding *holding)
{
	int ret, before = holding->waiting;

	let_go(hold, holding);
	holding->announced = false;
	ret = uncore_program(hold->uncore, holding->unit, &holding->event,
			     &holding->claim);
	holding->waiting = ret;
	if (!ret) {
		name_holding(hold, holding);
		return 0;
	}
	if (ret != before)
		complain_program(hold->uncore, holding->event.name,
				 holding->unit, &holding->event, ret);
	if (ret == -ENODEV)
		drop(hold, holding);
	return ret;
}

/* What programming does not mend, as where the unit is kept stopped, is left. */
static void repair(struct hold *hold, struct holding *holding)
{
	if (holding->stuck)
		return;
	say_overwritten(holding, "it is programmed anew");
	if (renew(hold, holding))
		return;
	holding->stuck = fate_of(hold, holding) == OVERWRITTEN;
	if (holding->stuck)
		say_overwritten(holding, "it does not count until that is "
				"undone");
}

/* Those that take a place in the list while it is gone through are alive. */
size_t hold_renew(struct hold *hold)
{
	size_t i, lost = 0;

	for (i = hold->count; i-- > 0;) {
		struct holding *holding = &hold->list[i];
		enum fate fate = holding->waiting ? LOST
						  : fate_of(hold, holding);

		if (fate == COUNTS) {
			holding->stuck = false;
		} else if (fate == OVERWRITTEN) {
			repair(hold, holding);
		} else {
			lost += !holding->waiting;
			renew(hold, holding);
		}
	}
	return lost;
}

size_t hold_waiting(const struct hold *hold)
{
	size_t i, waiting = 0;

	for (i = 0; i < hold->count; i++)
		waiting += hold->list[i].waiting != 0;
	return waiting;
}

void hold_mark(struct hold *hold, const struct requests *requests)
{
	struct holding *holding;
	unsigned int u;
	size_t i;

	for (i = hold->count; i-- > 0;) {
		enum fate fate;

		holding = &hold->list[i];
		holding->kept = false;
		holding->uses = 0;
		fate = holding->waiting ? LOST : fate_of(hold, holding);
		if (fate == OVERWRITTEN)
			say_overwritten(holding, "it is programmed anew");
		if (fate != COUNTS)
			drop(hold, holding);
	}
	for (i = 0; i < requests->count; i++) {
		const struct request *request = &requests->list[i];

		for (u = 0; u < request->count; u++) {
			holding = find(hold, request->units[u],
				       &request->event);
			if (holding)
				holding->kept = true;
		}
	}
}

void hold_sweep(struct hold *hold)
{
	size_t i;

	for (i = hold->count; i-- > 0;)
		if (!hold->list[i].uses && !hold->list[i].kept)
			drop(hold, &hold->list[i]);
}

void hold_announce(struct hold *hold)
{
	size_t i;

	for (i = 0; i < hold->count; i++) {
		struct holding *holding = &hold->list[i];

		if (!holding->waiting)
			fate_of(hold, holding);
		if (holding->announced || holding->waiting)
			continue;
		printf("%-24s %s  via %s\n", holding->name,
		       holding->event.name,
		       uncore_via_name(holding->claim.via));
		holding->announced = true;
	}
}

void hold_close(struct hold *hold)
{
	size_t i;

	for (i = hold->count; i-- > 0;) {
		hold->list[i].announced = false;
		drop(hold, &hold->list[i]);
	}
	free(hold->list);
	memset(hold, 0, sizeof(*hold));
}
