// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl stat: what was counted, by whoever programmed it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

static int open_measure(struct uncore *uncore, struct hold *hold,
			struct measure *measure)
{
	const struct request *request = measure->request;
	struct uncore_pmu_unit info;
	struct meter *meter;
	unsigned int i;

	measure->meters = calloc(request->count, sizeof(*measure->meters));
	if (!measure->meters) {
		complain_errno(request->where, ENOMEM);
		return EXIT_FAILED;
	}
	measure->count = request->count;
	for (i = 0; i < request->count; i++) {
		meter = &measure->meters[i];
		meter->uncore = uncore;
		meter->hold = hold;
		meter->unit = request->units[i];
		meter->event = &request->event;
		meter->socket = -1;
		if (!uncore_unit_info(uncore, meter->unit, &info))
			meter->socket = info.socket;
		unit_name(uncore, meter->unit, meter->unit_name,
			  sizeof(meter->unit_name));
		meter_set_state(meter, "unknown", "");
	}
	return EXIT_OK;
}

int measures_open(struct measures *measures, struct uncore *uncore,
		  struct hold *hold, const struct requests *requests)
{
	int ret = EXIT_OK;
	size_t i;

	measures->uncore = uncore;
	measures->hold = hold;
	measures->count = 0;
	measures->list = calloc(requests->count, sizeof(*measures->list));
	if (!measures->list) {
		complain_errno("stat", ENOMEM);
		return EXIT_FAILED;
	}
	for (i = 0; i < requests->count && ret == EXIT_OK; i++) {
		measures->list[i].request = &requests->list[i];
		measures->count++;
		ret = open_measure(uncore, hold, &measures->list[i]);
	}
	return ret;
}

void measures_close(struct measures *measures)
{
	unsigned int m;
	size_t i;

	for (i = 0; i < measures->count; i++) {
		for (m = 0; m < measures->list[i].count; m++)
			meter_detach(&measures->list[i].meters[m]);
		free(measures->list[i].meters);
	}
	free(measures->list);
	memset(measures, 0, sizeof(*measures));
}

/* 0 or an error, which was said. */
static int program_meter(struct measures *measures,
			 const struct measure *measure, struct meter *meter)
{
	const struct request *request = measure->request;
	struct holding *holding;
	int ret;

	/* An own claim that is lost is waiting to be programmed anew. */
	if (hold_has(measures->hold, meter->unit, &request->event))
		return 0;
	ret = hold_unit(measures->hold, meter->unit, &request->event, &holding);
	if (ret && ret != meter->refused)
		complain_program(measures->uncore, request->where, meter->unit,
				 &request->event, ret);
	meter->refused = ret;
	return ret;
}

/* Counts what is @missing, unless it can be programmed; an exit code. */
static int claim_measure(struct measures *measures,
			 const struct measure *measure, unsigned int *missing)
{
	bool may = uncore_can_program(measures->uncore) == 1;
	unsigned int i;
	int ret;

	for (i = 0; i < measure->count; i++) {
		struct meter *meter = &measure->meters[i];

		ret = meter_find(meter);
		if (ret == -ENOENT && !may) {
			(*missing)++;
		} else if (ret == -ENOENT) {
			if (program_meter(measures, measure, meter))
				return EXIT_FAILED;
		} else if (ret && ret != -ENODEV) {
			complain(meter->unit_name,
				 uncore_strerror(UNCORE_CALL_STATUS, ret));
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

/*
 * What others count may end with them: a counter of one's own does not, if one is
 * left when all that is missing has one.
 */
static void claim_own(struct measures *measures, const struct measure *measure)
{
	const struct uncore_event *event = &measure->request->event;
	struct holding *holding;
	unsigned int i;

	if (event->kind == UNCORE_PMU_KIND_FREE_RUNNING)
		return;
	for (i = 0; i < measure->count; i++)
		if (!hold_has(measures->hold, measure->meters[i].unit, event))
			hold_unit(measures->hold, measure->meters[i].unit,
				  event, &holding);
}

/* Counts what is @attached; an exit code. */
static int attach_measure(const struct measure *measure, unsigned int *attached)
{
	unsigned int i;
	int ret;

	for (i = 0; i < measure->count; i++) {
		struct meter *meter = &measure->meters[i];

		ret = meter_attach(meter);
		if (ret && ret != -ENODEV && ret != -ENOENT) {
			complain(meter->unit_name,
				 uncore_strerror(UNCORE_CALL_MAP, ret));
			return EXIT_FAILED;
		}
		*attached += meter->attached;
	}
	return EXIT_OK;
}

/* Not one unit is left: say why, of each event's first one. */
static int explain_nothing(const struct measures *measures)
{
	char message[256];
	size_t i;

	for (i = 0; i < measures->count; i++) {
		const struct meter *meter = measures->list[i].meters;

		snprintf(message, sizeof(message), "%s is %s: %s",
			 meter->unit_name, meter->state, meter->reason);
		complain(measures->list[i].request->where, message);
	}
	return EXIT_FAILED;
}

/*
 * perf may move what counts already when it is given one more event: which
 * counter counts what is asked when nothing more is to be programmed.
 */
int measures_attach(struct measures *measures)
{
	bool may = uncore_can_program(measures->uncore) == 1;
	unsigned int attached = 0, missing = 0;
	int ret = EXIT_OK;
	size_t i;

	for (i = 0; i < measures->count && ret == EXIT_OK; i++)
		ret = claim_measure(measures, &measures->list[i], &missing);
	if (ret == EXIT_OK && missing) {
		explain_missing(measures);
		return EXIT_NOT_STANDING;
	}
	for (i = 0; may && i < measures->count && ret == EXIT_OK; i++)
		claim_own(measures, &measures->list[i]);
	for (i = 0; i < measures->count && ret == EXIT_OK; i++)
		ret = attach_measure(&measures->list[i], &attached);
	if (ret != EXIT_OK)
		return ret;
	return attached ? EXIT_OK : explain_nothing(measures);
}

/* Who counted it until now does not any more. */
static void program_again(struct measures *measures,
			  const struct measure *measure)
{
	unsigned int i;

	for (i = 0; i < measure->count; i++) {
		struct meter *meter = &measure->meters[i];

		if (!meter->valid && meter_find(meter) == -ENOENT)
			program_meter(measures, measure, meter);
	}
}

/* Counts what is missing all the same. */
static unsigned int attach_again(const struct measure *measure)
{
	unsigned int i, missing = 0;

	for (i = 0; i < measure->count; i++) {
		struct meter *meter = &measure->meters[i];

		if (meter->valid)
			continue;
		meter_detach(meter);
		meter_attach(meter);
		missing += meter_is_missing(meter);
	}
	return missing;
}

void measures_find_again(struct measures *measures)
{
	bool may = uncore_can_program(measures->uncore) == 1;
	unsigned int missing = 0;
	size_t i;

	if (measures_all_valid(measures))
		return;
	hold_renew(measures->hold);
	for (i = 0; may && i < measures->count; i++)
		program_again(measures, &measures->list[i]);
	for (i = 0; i < measures->count; i++)
		missing += attach_again(&measures->list[i]);
	if (missing && !may && !measures->explained)
		explain_missing(measures);
	measures->explained = missing && !may;
}
