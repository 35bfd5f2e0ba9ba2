// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl status: what is programmed where, since when, by whom. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "status.h"

static void name_event(struct uncore *uncore,
		       const struct uncore_pmu_unit *info, unsigned int index,
		       struct counter_row *row)
{
	uint32_t kind = info->counter[index].kind;
	uint64_t config = row->status.config;
	struct uncore_event event;

	if (row->status.state == UNCORE_PMU_COUNTER_FREE ||
	    row->status.state == UNCORE_PMU_COUNTER_FREE_RUNNING)
		return;
	/* What others count is in the control register alone. */
	if (row->status.state == UNCORE_PMU_COUNTER_OTHER)
		config = kind == UNCORE_PMU_KIND_GENERAL
			 ? row->status.control & info->config_mask : 0;
	if (!uncore_event_name(uncore, info, kind, config, &event))
		snprintf(row->event, sizeof(row->event), "%s", event.name);
}

int counter_row_fill(struct uncore *uncore, const struct uncore_pmu_unit *info,
		     unsigned int index, struct counter_row *row)
{
	struct uncore_pmu_status *status = &row->status;
	int ret;

	memset(row, 0, sizeof(*row));
	copy_printable(row->name, sizeof(row->name), info->counter[index].name,
		       UNCORE_PMU_NAME_LEN);
	ret = uncore_status(uncore, info->index, index, status);
	if (ret)
		return ret;

	name_event(uncore, info, index, row);
	/* A command's name is what its user likes. */
	copy_printable(row->comm, sizeof(row->comm), status->comm,
		       sizeof(status->comm));
	if (status->own)
		snprintf(row->holder, sizeof(row->holder), "this command");
	else if (status->pid)
		snprintf(row->holder, sizeof(row->holder), "%d (%s)",
			 status->pid, row->comm);
	else if (status->claim)
		snprintf(row->holder, sizeof(row->holder), "held");
	return 0;
}

/* The local time of a point of CLOCK_BOOTTIME; "" for 0. */
static void since_text(uint64_t since, const char *format, char *text,
		       size_t size)
{
	double ago = clock_seconds(CLOCK_BOOTTIME) - (double)since * 1e-9;
	time_t when = (time_t)(clock_seconds(CLOCK_REALTIME) - ago);
	struct tm local;

	text[0] = '\0';
	if (since && localtime_r(&when, &local))
		strftime(text, size, format, &local);
}

static void print_row(const char *unit, const struct counter_row *row)
{
	char since[64];

	since_text(row->status.since, "%F %T", since, sizeof(since));
	printf("%-19s %-11s %-14s %-32s %-6s %-19s  %s\n", unit, row->name,
	       uncore_claim_state_name(row->status.state),
	       row->event[0] ? row->event : "-",
	       row->status.via ? uncore_via_name(row->status.via) : "-",
	       since[0] ? since : "-", row->holder[0] ? row->holder : "-");
}

static json_t *row_object(const char *unit, const struct counter_row *row)
{
	const struct uncore_pmu_status *status = &row->status;
	bool claimed = status->claim;
	char since[64];

	since_text(status->since, "%FT%T%z", since, sizeof(since));
	return json_pack("{s:s, s:s, s:s, s:n, s:o, s:o, s:o, s:o, s:o, s:b,"
			 " s:o, s:o, s:o, s:o}",
			 "unit", unit, "counter", row->name,
			 "state", uncore_claim_state_name(status->state),
			 "reason",
			 "event", json_string_or_null(row->event),
			 "config", json_number_or_null(claimed, status->config),
			 "control", json_uint64(status->control),
			 "via", json_string_or_null(status->via
				? uncore_via_name(status->via) : NULL),
			 "since", json_string_or_null(since),
			 "held", claimed,
			 "pid", json_number_or_null(status->pid > 0,
						    (uint64_t)status->pid),
			 "command", json_string_or_null(row->comm),
			 "generation", json_uint64(status->generation),
			 "claim", json_number_or_null(claimed, status->claim));
}

/* A unit whose counters cannot be asked about: one row, with the reason. */
static json_t *unit_row(const struct uncore_pmu_unit *info, const char *unit,
			bool json)
{
	const char *state = uncore_state_name(info->state);
	const char *reason = uncore_reason_text(info->reason);

	if (json)
		return json_pack("{s:s, s:n, s:s, s:s}", "unit", unit,
				 "counter", "state", state, "reason", reason);
	printf("%-19s %-11s %-14s %s\n", unit, "-", state, reason);
	return NULL;
}

/* An error, or 0; adds to @array if there is one, or prints. */
static int show_unit(struct uncore *uncore, const struct uncore_pmu_unit *info,
		     json_t *array)
{
	char unit[UNCORE_NAME_LEN];
	struct counter_row row;
	unsigned int i, count = info->num_counters;
	int ret;

	uncore_unit_name(info, unit, sizeof(unit));
	/* Lockdown forbids mapping, not asking. */
	if (info->state != UNCORE_PMU_STATE_OK &&
	    info->state != UNCORE_PMU_STATE_LOCKED) {
		json_t *object = unit_row(info, unit, array);

		return array ? json_array_append_new(array, object) : 0;
	}
	for (i = 0; i < count && i < UNCORE_PMU_MAX_COUNTERS; i++) {
		ret = counter_row_fill(uncore, info, i, &row);
		if (ret)
			return ret;
		if (!array)
			print_row(unit, &row);
		else if (json_array_append_new(array, row_object(unit, &row)))
			return -ENOMEM;
	}
	return 0;
}

static int show_units(struct uncore *uncore, const struct options *options,
		      json_t *array)
{
	struct uncore_pmu_unit info;
	unsigned int i;
	int ret;

	if (!array)
		printf("%-19s %-11s %-14s %-32s %-6s %-19s  %s\n", "UNIT",
		       "COUNTER", "STATE", "EVENT", "VIA", "SINCE", "HOLDER");
	for (i = 0; i < uncore_num_units(uncore); i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (!ret && list_wants(&info, options))
			ret = show_unit(uncore, &info, array);
		/* The device may have gone since it was described. */
		if (ret == -ENODEV && !uncore_unit_info(uncore, i, &info))
			ret = show_unit(uncore, &info, array);
		if (ret) {
			complain("status",
				 uncore_strerror(UNCORE_CALL_STATUS, ret));
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

int cmd_status(struct uncore *uncore, const struct options *options)
{
	int names = check_unit_names(uncore, options), ret;
	json_t *array = NULL;

	if (names != EXIT_OK && names != EXIT_PARTLY)
		return names;
	if (options->json)
		array = json_array();
	ret = show_units(uncore, options, array);
	if (ret == EXIT_OK && options->json)
		ret = print_json(json_pack("{s:O}", "counters", array),
				 JSON_INDENT(2));
	json_decref(array);
	return ret == EXIT_OK ? names : ret;
}
