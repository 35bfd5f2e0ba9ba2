// SPDX-License-Identifier: LGPL-2.1-or-later
/* The counters behind "stat": found, sampled, and found again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

/* What SIGBUS must not make forget. */
struct sampling {
	struct measures *measures;
	size_t measure;
	unsigned int meter;
	void (*each)(struct meter *meter);
};

void meter_set_state(struct meter *meter, const char *state,
		     const char *reason)
{
	meter->valid = false;
	meter->state = state;
	meter->reason = reason;
}

static void set_gone(struct meter *meter)
{
	meter_set_state(meter, "gone",
			"the device was removed or does not answer");
}

int meter_find(struct meter *meter)
{
	const char *reason = "no counter of the unit counts this event";
	struct uncore_pmu_status status;
	struct uncore_pmu_unit info;
	bool found = false;
	unsigned int i;
	uint32_t own;
	int ret;

	ret = uncore_unit_info(meter->uncore, meter->unit, &info);
	if (ret)
		return ret;
	if (info.state != UNCORE_PMU_STATE_OK) {
		meter_set_state(meter, uncore_state_name(info.state),
				uncore_reason_text(info.reason));
		return -ENODEV;
	}
	/* It counts whoever asks, and there is only this one. */
	if (meter->event->kind == UNCORE_PMU_KIND_FREE_RUNNING) {
		meter->index = (unsigned int)meter->event->config;
		meter->claim = 0;
		return 0;
	}
	own = hold_claim(meter->hold, meter->unit, meter->event);
	for (i = 0; i < info.num_counters && i < UNCORE_PMU_MAX_COUNTERS; i++) {
		ret = uncore_status(meter->uncore, meter->unit, i, &status);
		if (ret == -ENODEV)
			set_gone(meter);
		if (ret)
			return ret;
		if (status_counts(&status, &info.counter[i], meter->event) &&
		    (!found || status.claim == own)) {
			meter->index = i;
			meter->claim = status.claim;
			found = true;
		}
		if (status_counts_no_more(&status, &info.counter[i],
					  meter->event))
			reason = "its counter was overwritten or lost";
	}
	if (found)
		return 0;
	meter_set_state(meter, "not programmed", reason);
	return -ENOENT;
}

int meter_attach(struct meter *meter)
{
	struct uncore_pmu_unit info;
	int ret;

	ret = meter_find(meter);
	if (!ret)
		ret = uncore_unit_info(meter->uncore, meter->unit, &info);
	if (!ret)
		ret = uncore_counter_open(meter->uncore, meter->unit,
					  meter->index, &meter->counter);
	if (ret == -ENODEV && !strcmp(meter->state, "unknown"))
		set_gone(meter);
	if (ret)
		return ret;
	snprintf(meter->counter_name, sizeof(meter->counter_name), "%.*s",
		 UNCORE_PMU_NAME_LEN, info.counter[meter->index].name);
	meter->attached = true;
	return 0;
}

void meter_detach(struct meter *meter)
{
	if (meter->attached)
		uncore_counter_close(&meter->counter);
	meter->attached = false;
	meter->counter_name[0] = '\0';
}

/* Runs @each for every open counter; a device that is removed is skipped. */
static void run_each(void *argument)
{
	struct sampling *sampling = argument;
	struct measures *measures = sampling->measures;

	while (sampling->measure < measures->count) {
		struct measure *measure = &measures->list[sampling->measure];

		while (sampling->meter < measure->count) {
			struct meter *meter =
				&measure->meters[sampling->meter];

			if (meter->attached)
				sampling->each(meter);
			sampling->meter++;
		}
		sampling->meter = 0;
		sampling->measure++;
	}
}

static void for_each_open(struct measures *measures,
			  void (*each)(struct meter *meter))
{
	struct sampling sampling = { .measures = measures, .each = each };
	struct meter *meter;

	while (!guard_run(run_each, &sampling)) {
		meter = &measures->list[sampling.measure]
				.meters[sampling.meter++];
		set_gone(meter);
	}
}

static void read_value(struct meter *meter)
{
	meter->after = uncore_read(&meter->counter);
}

/* Is the claim that this counter was held by on another one now? */
static bool has_moved(const struct meter *meter)
{
	struct uncore_pmu_status status;
	unsigned int i;

	for (i = 0; i < UNCORE_PMU_MAX_COUNTERS && meter->claim; i++) {
		if (uncore_status(meter->uncore, meter->unit, i, &status))
			break;
		if (status.claim == meter->claim && i != meter->index &&
		    status.state == UNCORE_PMU_COUNTER_CLAIMED)
			return true;
	}
	return false;
}

static void judge(struct meter *meter, int validity)
{
	const char *reason = uncore_validity_text(validity);

	if (validity == UNCORE_VALID)
		return;
	if ((validity == UNCORE_RELEASED || validity == UNCORE_REPROGRAMMED) &&
	    has_moved(meter))
		reason = "perf has moved the event to another counter";
	meter_set_state(meter, "uncertain", reason);
}

static void check(struct meter *meter)
{
	int state;

	judge(meter, uncore_counter_status(&meter->counter, &meter->watch));
	state = uncore_counter_state(&meter->counter);
	if (state < 0 || state == UNCORE_COUNTER_GONE)
		set_gone(meter);
	else if (meter->valid &&
		 (state == UNCORE_COUNTER_FROZEN || meter->frozen))
		meter_set_state(meter, "frozen",
				"the unit's counters were stopped");
	meter->frozen = state == UNCORE_COUNTER_FROZEN;
}

static void add_up(struct meter *meter, const struct moment *before,
		   const struct moment *after)
{
	uint64_t counted = uncore_delta(&meter->counter, meter->before,
					meter->after);

	if (meter->valid && !meter->doubt)
		meter->doubt = moment_doubt(&meter->counter, before, after,
					    counted);
	meter->counted += counted;
	meter->before = meter->after;
}

/* All values first, as close together as they can be. */
void measures_sample(struct measures *measures)
{
	struct moment before = measures->moment;
	unsigned int m;
	size_t i;

	moment_begin(&measures->moment);
	for_each_open(measures, read_value);
	moment_end(&measures->moment);
	for_each_open(measures, check);
	for (i = 0; i < measures->count; i++)
		for (m = 0; m < measures->list[i].count; m++)
			if (measures->list[i].meters[m].attached)
				add_up(&measures->list[i].meters[m], &before,
				       &measures->moment);
}

/* Goes on from the last value, or, if that means nothing, from a new one. */
static void start(struct meter *meter)
{
	meter->fresh = !meter->valid;
	meter->counted = 0;
	meter->doubt = NULL;
	meter->valid = true;
	meter->state = "counting";
	meter->reason = "";
	if (!meter->fresh)
		return;
	judge(meter, uncore_watch_begin(&meter->counter,
					meter->event, &meter->watch));
	meter->frozen = uncore_counter_state(&meter->counter) ==
			UNCORE_COUNTER_FROZEN;
	/* Nothing: but the first access to a page takes long. */
	uncore_read(&meter->counter);
}

static void read_first(struct meter *meter)
{
	if (meter->fresh)
		meter->before = uncore_read(&meter->counter);
}

static void set_late(struct meter *meter)
{
	meter->late = meter->fresh;
}

/*
 * The values last, as close together as at the end. Those that begin anew do so
 * later than the interval, which has begun with the sample before.
 */
void measures_begin(struct measures *measures)
{
	for_each_open(measures, start);
	if (!measures->begun)
		moment_begin(&measures->moment);
	for_each_open(measures, read_first);
	if (measures->begun)
		for_each_open(measures, set_late);
	else
		moment_end(&measures->moment);
	measures->begun = true;
}

bool measures_all_valid(const struct measures *measures)
{
	unsigned int m;
	size_t i;

	for (i = 0; i < measures->count; i++)
		for (m = 0; m < measures->list[i].count; m++)
			if (!measures->list[i].meters[m].valid ||
			    measures->list[i].meters[m].doubt)
				return false;
	return true;
}

double measures_period(const struct measures *measures)
{
	double least = DAY, period;
	unsigned int m;
	size_t i;

	for (i = 0; i < measures->count; i++)
		for (m = 0; m < measures->list[i].count; m++) {
			const struct meter *meter =
				&measures->list[i].meters[m];

			if (!meter->attached)
				continue;
			period = sample_period(&meter->counter);
			least = period < least ? period : least;
		}
	return least;
}
