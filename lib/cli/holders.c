// SPDX-License-Identifier: LGPL-2.1-or-later
/* What stands in the way of an event, for messages. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "hold.h"
#include "status.h"

void unit_name(struct uncore *uncore, unsigned int unit, char *name,
	       size_t size)
{
	struct uncore_pmu_unit info;

	if (uncore_unit_info(uncore, unit, &info) ||
	    uncore_unit_name(&info, name, size))
		snprintf(name, size, "?");
}

static bool is_for(const struct uncore_pmu_status *status,
		   const struct uncore_pmu_counter *counter,
		   const struct uncore_event *event)
{
	return status->claim && counter->kind == event->kind &&
	       status->config == event->config;
}

bool status_counts(const struct uncore_pmu_status *status,
		   const struct uncore_pmu_counter *counter,
		   const struct uncore_event *event)
{
	return status->state == UNCORE_PMU_COUNTER_CLAIMED &&
	       is_for(status, counter, event);
}

bool status_counts_no_more(const struct uncore_pmu_status *status,
			   const struct uncore_pmu_counter *counter,
			   const struct uncore_event *event)
{
	return (status->state == UNCORE_PMU_COUNTER_REPROGRAMMED ||
		status->state == UNCORE_PMU_COUNTER_LOST) &&
	       is_for(status, counter, event);
}

void describe_holders(struct uncore *uncore, unsigned int unit, char *text,
		      size_t size)
{
	struct uncore_pmu_unit info;
	struct counter_row row;
	size_t length = 0;
	unsigned int i;

	text[0] = '\0';
	if (uncore_unit_info(uncore, unit, &info))
		return;
	for (i = 0; i < info.num_counters && i < UNCORE_PMU_MAX_COUNTERS; i++) {
		if (counter_row_fill(uncore, &info, i, &row) ||
		    row.status.state == UNCORE_PMU_COUNTER_FREE_RUNNING)
			continue;
		snprintf(text + length, size - length, "%s%s: %s%s%s%s%s",
			 length ? ", " : "", row.name,
			 uncore_claim_state_name(row.status.state),
			 row.event[0] ? " " : "", row.event,
			 row.holder[0] ? " by " : "", row.holder);
		length = strlen(text);
	}
}

/* perf moves its events for a new one; the module by itself does not. */
static const char *hint_at_order(struct uncore *uncore, unsigned int unit,
				 const struct uncore_event *event)
{
	struct uncore_pmu_status status;
	struct uncore_pmu_unit info;
	unsigned int i;

	if (uncore_unit_info(uncore, unit, &info))
		return "";
	for (i = 0; i < info.num_counters && i < UNCORE_PMU_MAX_COUNTERS; i++)
		if (info.counter[i].kind == event->kind &&
		    !uncore_status(uncore, unit, i, &status) &&
		    status.state == UNCORE_PMU_COUNTER_FREE)
			return "; those that are free cannot count this: give "
			       "what few counters can count first";
	return "";
}

void complain_program(struct uncore *uncore, const char *where,
		      unsigned int unit, const struct uncore_event *event,
		      int error)
{
	char name[UNCORE_NAME_LEN], holders[2048], what[512], message[4096];
	struct uncore_pmu_unit info;

	unit_name(uncore, unit, name, sizeof(name));
	snprintf(what, sizeof(what), "%s: %s", where, name);
	snprintf(message, sizeof(message), "%s",
		 uncore_strerror(UNCORE_CALL_PROGRAM, error));
	if (error == -EBUSY) {
		describe_holders(uncore, unit, holders, sizeof(holders));
		snprintf(message, sizeof(message), "%s; %s%s",
			 uncore_strerror(UNCORE_CALL_PROGRAM, error), holders,
			 hint_at_order(uncore, unit, event));
	} else if (error == -EPROTO && event->config >> 32) {
		snprintf(message, sizeof(message), "perf's driver writes only "
			 "the lower 32 bits of the control register for units "
			 "of this type, not all of 0x%" PRIx64 ": choose an "
			 "event that needs no more, or unload intel_uncore",
			 event->config);
	} else if (!uncore_unit_info(uncore, unit, &info) &&
		   info.state != UNCORE_PMU_STATE_OK) {
		snprintf(message, sizeof(message), "%s: %s",
			 uncore_state_name(info.state),
			 uncore_reason_text(info.reason));
	}
	complain(what, message);
}
