// SPDX-License-Identifier: LGPL-2.1-or-later
/* What "stat" prints. */
#include <inttypes.h>
#include <string.h>

#include "stat.h"

/**
 * struct line - a number to print: of a unit, or a sum
 * @scope: "unit", "socket" or "total"
 * @unit: the unit, or for a sum what the request named
 * @socket: -1 if not known or all
 * @counter: "ctr0", or "" for a sum
 * @valid: there is a number
 * @counted: the number
 * @units: how many units it is from
 */
struct line {
	const char *scope;
	const char *unit;
	int socket;
	const char *counter;
	bool valid;
	uint64_t counted;
	unsigned int units;
	const char *state;
	const char *reason;
};

static struct line line_of(const struct meter *meter)
{
	struct line line = {
		.scope = "unit", .unit = meter->unit_name,
		.socket = meter->socket, .counter = meter->counter_name,
		.valid = meter->valid, .counted = meter->counted, .units = 1,
		.state = meter->state, .reason = meter->reason,
	};

	if (meter->valid && meter->late) {
		line.valid = false;
		line.state = "uncertain";
		line.reason = "counted in a part of the interval only";
	} else if (meter->valid && meter->doubt) {
		line.valid = false;
		line.state = "uncertain";
		line.reason = meter->doubt;
	}
	return line;
}

/* A sum that lacks a part is not a smaller number but none. */
static void add_to(struct line *sum, const struct meter *meter)
{
	struct line line = line_of(meter);

	sum->units++;
	sum->counted += line.counted;
	if (!sum->valid || line.valid)
		return;
	sum->valid = false;
	sum->state = line.state;
	sum->reason = "a unit has no number";
}

static struct line sum_of(const struct measure *measure, const char *unit,
			  bool all, int socket)
{
	struct line sum = {
		.scope = all ? "total" : "socket", .unit = unit,
		.socket = all ? -1 : socket, .counter = "", .valid = true,
		.state = "counting", .reason = "",
	};
	unsigned int i;

	for (i = 0; i < measure->count; i++)
		if (all || measure->meters[i].socket == socket)
			add_to(&sum, &measure->meters[i]);
	return sum;
}

/* The first meter of each socket stands for it. */
static bool first_of_socket(const struct measure *measure, unsigned int meter)
{
	unsigned int i;

	for (i = 0; i < meter; i++)
		if (measure->meters[i].socket == measure->meters[meter].socket)
			return false;
	return true;
}

static bool many_sockets(const struct measure *measure)
{
	unsigned int i;

	for (i = 1; i < measure->count; i++)
		if (measure->meters[i].socket != measure->meters[0].socket)
			return true;
	return false;
}

/* What the counts stand for, where that is bytes. */
static bool bytes(const struct measure *measure, const struct line *line,
		  double *number)
{
	const struct uncore_event *event = &measure->request->event;

	*number = (double)line->counted * event->scale;
	return line->valid && event->scale > 0 && !strcmp(event->unit, "bytes");
}

static bool mebibytes(const struct measure *measure, const struct line *line,
		      double *mib)
{
	bool known = bytes(measure, line, mib);

	*mib /= 1 << 20;
	return known;
}

/* Decimal megabytes a second. */
static bool bandwidth(const struct measure *measure, const struct line *line,
		      const struct span *span, double *mb)
{
	bool known = bytes(measure, line, mb);

	*mb /= span->interval * 1e6;
	return known && span->interval > 0;
}

static void print_text(FILE *out, const struct measure *measure,
		       const struct line *line, const struct span *span)
{
	char unit[UNCORE_NAME_LEN];
	double mib, mb;

	if (!strcmp(line->scope, "unit"))
		snprintf(unit, sizeof(unit), "%s", line->unit);
	else if (!strcmp(line->scope, "total"))
		snprintf(unit, sizeof(unit), "all");
	else if (line->socket < 0)
		snprintf(unit, sizeof(unit), "socket ?");
	else
		snprintf(unit, sizeof(unit), "socket %d", line->socket);

	fprintf(out, "%-10.3f %-32s %-19s %-11s", span->time,
		measure->request->event.name, unit,
		line->counter[0] ? line->counter : "-");
	if (line->valid)
		fprintf(out, " %20" PRIu64, line->counted);
	else
		fprintf(out, " %20s", "-");
	if (mebibytes(measure, line, &mib))
		fprintf(out, " %12.2f", mib);
	else
		fprintf(out, " %12s", "-");
	if (bandwidth(measure, line, span, &mb))
		fprintf(out, " %12.1f", mb);
	else
		fprintf(out, " %12s", "-");
	fprintf(out, "  %s%s%s\n", line->state, line->reason[0] ? ": " : "",
		line->reason);
}

void print_csv_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void print_csv(FILE *out, const struct measure *measure,
		      const struct line *line, const struct span *span)
{
	double mib, mb;

	fprintf(out, "%.6f,%.6f,", span->time, span->interval);
	print_csv_field(out, measure->request->event.name);
	fprintf(out, ",%s,%s,", line->scope, line->unit);
	if (line->socket >= 0)
		fprintf(out, "%d", line->socket);
	fprintf(out, ",%s,", line->counter);
	if (line->valid)
		fprintf(out, "%" PRIu64, line->counted);
	putc(',', out);
	if (mebibytes(measure, line, &mib))
		fprintf(out, "%.6f", mib);
	putc(',', out);
	if (bandwidth(measure, line, span, &mb))
		fprintf(out, "%.3f", mb);
	fprintf(out, ",%s\n", line->state);
}

static json_t *line_object(const struct measure *measure,
			   const struct line *line, const struct span *span)
{
	bool rate = line->valid && span->interval > 0;
	double mib, mb;
	bool sized = mebibytes(measure, line, &mib);
	bool known = bandwidth(measure, line, span, &mb);

	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}",
			 "counted", json_number_or_null(line->valid,
							line->counted),
			 "rate", rate ? json_real((double)line->counted /
						  span->interval) : json_null(),
			 "mib", sized ? json_real(mib) : json_null(),
			 "mb_per_s", known ? json_real(mb) : json_null(),
			 "state", line->state,
			 "reason", json_string_or_null(line->reason));
}

static json_t *unit_object(const struct measure *measure,
			   const struct meter *meter, const struct span *span)
{
	struct line line = line_of(meter);
	json_t *object = line_object(measure, &line, span);

	json_object_set_new(object, "unit", json_string(line.unit));
	json_object_set_new(object, "socket", json_signed_or_null(line.socket));
	json_object_set_new(object, "counter",
			    json_string_or_null(line.counter));
	return object;
}

static json_t *socket_object(const struct measure *measure, int socket,
			     const struct span *span)
{
	struct line line = sum_of(measure, "", false, socket);
	json_t *object = line_object(measure, &line, span);

	json_object_set_new(object, "socket", json_signed_or_null(socket));
	json_object_set_new(object, "units", json_uint64(line.units));
	return object;
}

static json_t *measure_object(const struct measure *measure,
			      const struct span *span)
{
	const struct uncore_event *event = &measure->request->event;
	struct line total = sum_of(measure, "", true, -1);
	json_t *units = json_array(), *sockets = json_array();
	unsigned int i;

	for (i = 0; i < measure->count; i++) {
		const struct meter *meter = &measure->meters[i];

		json_array_append_new(units, unit_object(measure, meter, span));
		if (first_of_socket(measure, i))
			json_array_append_new(sockets,
					      socket_object(measure,
							    meter->socket,
							    span));
	}
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}",
			 "spec", measure->request->spec, "event", event->name,
			 "scale", event->scale > 0 ? json_real(event->scale)
						   : json_null(),
			 "quantity", json_string_or_null(event->unit),
			 "units", units, "sockets", sockets,
			 "total", line_object(measure, &total, span));
}

static void print_json_span(FILE *out, const struct measures *measures,
			    const struct span *span)
{
	json_t *events = json_array(), *object;
	size_t i;

	for (i = 0; i < measures->count; i++)
		json_array_append_new(events, measure_object(&measures->list[i],
							     span));
	object = json_pack("{s:f, s:f, s:o}", "time", span->time, "interval",
			   span->interval, "events", events);
	json_dumpf(object, out, JSON_COMPACT | JSON_ENSURE_ASCII |
			      JSON_REAL_PRECISION(12));
	json_decref(object);
	putc('\n', out);
}

/* What a spec has before its slash. */
static void unit_part(const struct measure *measure, char *unit, size_t size)
{
	const char *spec = measure->request->spec;

	snprintf(unit, size, "%.*s", (int)strcspn(spec, "/"), spec);
}

/*
 * People see no sum of one number. Programs get all sums always.
 */
static void print_measure(FILE *out, enum stat_format format,
			  const struct measure *measure,
			  const struct span *span)
{
	void (*print)(FILE *out, const struct measure *measure,
		      const struct line *line, const struct span *span) =
		format == STAT_CSV ? print_csv : print_text;
	bool all = format == STAT_CSV, sockets = many_sockets(measure);
	char unit[UNCORE_NAME_LEN];
	struct line line;
	unsigned int i;

	unit_part(measure, unit, sizeof(unit));
	for (i = 0; i < measure->count; i++) {
		line = line_of(&measure->meters[i]);
		print(out, measure, &line, span);
	}
	for (i = 0; i < measure->count; i++) {
		if (!first_of_socket(measure, i))
			continue;
		line = sum_of(measure, unit, false, measure->meters[i].socket);
		if (all || (sockets && line.units > 1))
			print(out, measure, &line, span);
	}
	line = sum_of(measure, unit, true, -1);
	if (all || line.units > 1)
		print(out, measure, &line, span);
}

bool print_stat_heading(FILE *out, enum stat_format format)
{
	if (format == STAT_CSV)
		fputs("time,interval,event,scope,unit,socket,counter,counted,"
		      "mib,mb_per_s,state\n", out);
	return !fflush(out) && !ferror(out);
}

bool print_stat(FILE *out, enum stat_format format,
		const struct measures *measures, const struct span *span)
{
	size_t i;

	if (format == STAT_JSON) {
		print_json_span(out, measures, span);
		return !fflush(out) && !ferror(out);
	}
	if (format == STAT_TEXT)
		fprintf(out, "%-10s %-32s %-19s %-11s %20s %12s %12s  %s\n",
			"TIME", "EVENT", "UNIT", "COUNTER", "COUNTED", "MIB",
			"MB/S", "STATE");
	for (i = 0; i < measures->count; i++)
		print_measure(out, format, &measures->list[i], span);
	return !fflush(out) && !ferror(out);
}
