// SPDX-License-Identifier: LGPL-2.1-or-later
/* For who may not program: what is there to measure, and whom to ask. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"
#include "status.h"

/* More than these make no message any more. */
#define MAX_STANDING	32
#define MAX_UNITS	4

/* An event that stands, and on how many units of which type. */
struct standing {
	char type[UNCORE_PMU_TYPE_LEN + 1];
	uint32_t kind;
	uint64_t config;
	unsigned int units;
	char name[UNCORE_EVENT_NAME_LEN];
};

static void add_standing(struct uncore *uncore,
			 const struct uncore_pmu_unit *info, uint32_t kind,
			 uint64_t config, struct standing *list, size_t *count)
{
	struct uncore_event event;
	struct standing *standing;
	size_t i;

	for (i = 0; i < *count; i++) {
		standing = &list[i];
		if (!strncmp(standing->type, info->type, UNCORE_PMU_TYPE_LEN) &&
		    standing->kind == kind && standing->config == config) {
			standing->units++;
			return;
		}
	}
	if (*count == MAX_STANDING ||
	    uncore_event_name(uncore, info, kind, config, &event))
		return;
	standing = &list[(*count)++];
	snprintf(standing->type, sizeof(standing->type), "%.*s",
		 UNCORE_PMU_TYPE_LEN, info->type);
	snprintf(standing->name, sizeof(standing->name), "%s", event.name);
	standing->kind = kind;
	standing->config = config;
	standing->units = 1;
}

static size_t find_standing(struct uncore *uncore, struct standing *list)
{
	struct uncore_pmu_status status;
	struct uncore_pmu_unit info;
	unsigned int i, c;
	size_t count = 0;

	for (i = 0; i < uncore_num_units(uncore); i++) {
		if (uncore_unit_info(uncore, i, &info))
			continue;
		for (c = 0; c < info.num_counters &&
		     c < UNCORE_PMU_MAX_COUNTERS; c++)
			if (!uncore_status(uncore, i, c, &status) &&
			    status.state == UNCORE_PMU_COUNTER_CLAIMED)
				add_standing(uncore, &info,
					     info.counter[c].kind,
					     status.config, list, &count);
	}
	return count;
}

static void explain_standing(struct uncore *uncore)
{
	struct standing list[MAX_STANDING];
	size_t i, count = find_standing(uncore, list);

	if (!count)
		fputs(PROGRAM ": no events are standing\n", stderr);
	for (i = 0; i < count; i++)
		fprintf(stderr, PROGRAM ": standing: %s/%s/ on %u unit%s\n",
			list[i].type, list[i].name, list[i].units,
			list[i].units == 1 ? "" : "s");
}

bool meter_is_missing(const struct meter *meter)
{
	return !meter->attached && !strcmp(meter->state, "not programmed");
}

/* The counter that somebody holds for the event without its counting. */
static bool find_held(struct uncore *uncore, const struct meter *meter,
		      struct counter_row *row)
{
	struct uncore_pmu_unit info;
	unsigned int i;

	if (uncore_unit_info(uncore, meter->unit, &info))
		return false;
	for (i = 0; i < info.num_counters && i < UNCORE_PMU_MAX_COUNTERS; i++)
		if (!counter_row_fill(uncore, &info, i, row) &&
		    status_counts_no_more(&row->status, &info.counter[i],
					  meter->event))
			return true;
	return false;
}

/* It is for the holder, not for the administrator, to program that anew. */
static void explain_held(const struct measure *measure,
			 const struct meter *meter,
			 const struct counter_row *row, unsigned int more)
{
	bool lost = row->status.state == UNCORE_PMU_COUNTER_LOST;
	char others[32] = "", message[512];

	if (more)
		snprintf(others, sizeof(others), " (and %u more)", more);
	snprintf(message, sizeof(message), "%s/%s%s is held for this by %s, "
		 "but %s; \"uncorectl program\" and uncore-pmu.service program "
		 "it anew within ten seconds if they can",
		 meter->unit_name, row->name, others,
		 row->status.pid ? row->holder : "another process",
		 lost ? "lost: its driver or device was removed, or the last "
			"CPU of its die went offline"
		      : "other software has changed its control register or "
			"stopped the unit");
	complain(measure->request->where, message);
}

/*
 * "not programmed on imc0@0, imc1@0 and 6 more"; false if it is, or is held for
 * it.
 */
static bool explain_measure(struct uncore *uncore,
			    const struct measure *measure)
{
	char text[MAX_UNITS * (UNCORE_NAME_LEN + 2) + 64];
	const struct meter *first_held = NULL;
	unsigned int i, missing = 0, held = 0;
	struct counter_row row, first_row;
	size_t length;

	snprintf(text, sizeof(text), "not programmed on ");
	for (i = 0; i < measure->count; i++) {
		const struct meter *meter = &measure->meters[i];

		if (!meter_is_missing(meter))
			continue;
		if (find_held(uncore, meter, &row)) {
			if (!held++) {
				first_held = meter;
				first_row = row;
			}
			continue;
		}
		length = strlen(text);
		if (missing++ < MAX_UNITS)
			snprintf(text + length, sizeof(text) - length, "%s%s",
				 missing == 1 ? "" : ", ", meter->unit_name);
	}
	length = strlen(text);
	if (missing > MAX_UNITS)
		snprintf(text + length, sizeof(text) - length, " and %u more",
			 missing - MAX_UNITS);
	if (held)
		explain_held(measure, first_held, &first_row, held - 1);
	if (missing)
		complain(measure->request->where, text);
	return missing;
}

static void ask_administrator(const struct measures *measures,
			      const bool *missing)
{
	size_t i;

	fputs(PROGRAM ": " RIGHT_TO_PROGRAM "\n", stderr);
	explain_standing(measures->uncore);

	fputs(PROGRAM ": ask the administrator to run: " PROGRAM " program",
	      stderr);
	for (i = 0; i < measures->count; i++)
		if (missing[i])
			fprintf(stderr, " '%s'",
				measures->list[i].request->spec);
	fputs("\n" PROGRAM ": or to add to " EVENTS_CONF " for the service "
	      "uncore-pmu:\n", stderr);
	for (i = 0; i < measures->count; i++)
		if (missing[i])
			fprintf(stderr, "%s\n",
				measures->list[i].request->spec);
}

void explain_missing(const struct measures *measures)
{
	bool *missing = calloc(measures->count, sizeof(*missing)), any = false;
	size_t i;

	for (i = 0; missing && i < measures->count; i++) {
		missing[i] = explain_measure(measures->uncore,
					     &measures->list[i]);
		any |= missing[i];
	}
	if (any)
		ask_administrator(measures, missing);
	free(missing);
}
