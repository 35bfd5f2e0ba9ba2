// SPDX-License-Identifier: LGPL-2.1-or-later
/* What "read" prints. */
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"

/* Why there is no number, or NULL. */
static const char *reason_of(const struct target *target, bool in_interval)
{
	const char *reason = target->trouble;

	if (!reason && in_interval)
		reason = target->doubt;
	return reason && reason[0] ? reason : NULL;
}

static const char *state_text(const struct target *target, bool in_interval)
{
	if (target->trouble)
		return target->unit_state;
	if (in_interval && target->doubt)
		return "uncertain";
	return uncore_counter_state_name(target->state);
}

static void print_names(const struct target *target)
{
	printf("%-14s ", target->unit);
	print_visible(stdout, target->name[0] ? target->name : "-", 8);
}

static void print_state(const struct target *target, bool in_interval)
{
	const char *reason = reason_of(target, in_interval);

	printf("  %s", state_text(target, in_interval));
	if (reason)
		printf(": %s", reason);
	else if (in_interval && !target->trouble && !target->stable)
		printf(", reprogrammed in this interval");
	putchar('\n');
}

/* The fields that values and differences share. */
static json_t *target_object(const struct target *target, bool in_interval)
{
	const char *reason = reason_of(target, in_interval);

	return json_pack("{s:s, s:o, s:s, s:o}",
			 "unit", target->unit,
			 "counter", target->name[0] ? json_string(target->name)
						    : json_null(),
			 "state", state_text(target, in_interval),
			 "reason", reason ? json_string(reason) : json_null());
}

static int print_values_json(const struct targets *targets)
{
	json_t *array = json_array(), *object;
	size_t i;

	for (i = 0; i < targets->count; i++) {
		const struct target *target = &targets->target[i];
		bool ok = !target->trouble;

		object = target_object(target, false);
		json_object_set_new(object, "value",
				    json_number_or_null(ok, target->value));
		json_object_set_new(object, "width",
				    json_number_or_null(ok,
							target->counter.width));
		json_array_append_new(array, object);
	}
	return print_json(json_pack("{s:o}", "counters", array),
			  JSON_INDENT(2));
}

int print_values(const struct targets *targets, bool json)
{
	size_t i;

	if (json)
		return print_values_json(targets);

	printf("%-14s %-8s %20s  %s\n", "UNIT", "COUNTER", "VALUE", "STATE");
	for (i = 0; i < targets->count; i++) {
		const struct target *target = &targets->target[i];

		print_names(target);
		if (target->trouble)
			printf(" %20s", "-");
		else
			printf(" %20" PRIu64, target->value);
		print_state(target, false);
	}
	return EXIT_OK;
}

static int print_deltas_json(const struct targets *targets, double time,
			     double interval)
{
	json_t *array = json_array(), *object;
	size_t i;

	for (i = 0; i < targets->count; i++) {
		const struct target *target = &targets->target[i];
		bool ok = !target->trouble, counted = target_counted(target);
		double rate = (double)target->delta / interval;

		object = target_object(target, true);
		json_object_set_new(object, "delta",
				    json_number_or_null(counted,
							target->delta));
		json_object_set_new(object, "rate",
				    counted ? json_real(rate) : json_null());
		json_object_set_new(object, "reprogrammed",
				    ok ? json_boolean(!target->stable)
				       : json_null());
		json_array_append_new(array, object);
	}
	return print_json(json_pack("{s:f, s:f, s:o}", "time", time,
				    "interval", interval, "counters", array),
			  JSON_COMPACT | JSON_REAL_PRECISION(12));
}

int print_deltas(const struct targets *targets, bool json, double time,
		 double interval)
{
	size_t i;

	if (json)
		return print_deltas_json(targets, time, interval);

	printf("%-10s %-14s %-8s %20s %16s  %s\n", "TIME", "UNIT", "COUNTER",
	       "COUNTED", "A SECOND", "STATE");
	for (i = 0; i < targets->count; i++) {
		const struct target *target = &targets->target[i];

		printf("%-10.3f ", time);
		print_names(target);
		if (!target_counted(target))
			printf(" %20s %16s", "-", "-");
		else
			printf(" %20" PRIu64 " %16.0f", target->delta,
			       (double)target->delta / interval);
		print_state(target, true);
	}
	return written(EXIT_OK);
}
