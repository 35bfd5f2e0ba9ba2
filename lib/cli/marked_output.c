// SPDX-License-Identifier: LGPL-2.1-or-later
/* What "stat --marked" prints. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../events.h"
#include "marked_process.h"

/**
 * struct row - a count to print
 * @several: there are more groups, so that it is said which one this is of
 * @die: as in struct uncore_result
 * @socket: -1 if not known
 * @valid: there is a number
 * @sized: it is one of bytes, 2^20 of which are @mib
 * @known: and @mb of 10^6 in a second
 */
struct row {
	json_int_t pid;
	bool several;
	json_int_t group;
	const char *region;
	const char *event;
	json_int_t thread;
	json_int_t tid;
	json_int_t die;
	json_int_t socket;
	json_int_t times;
	double seconds;
	bool valid;
	json_int_t count;
	bool sized;
	double mib;
	bool known;
	double mb;
	const char *state;
};

bool process_is_complete(const struct process *process)
{
	bool good = !json_array_size(process->errors);
	const json_t *error;
	char name[32];
	size_t i;

	snprintf(name, sizeof(name), "process %" PRIdMAX,
		 (intmax_t)process->pid);
	json_array_foreach(process->errors, i, error)
		complain(name, json_string_value(error));
	if (process->opened > process->reported)
		complain(name, "was killed, or did not come to "
			 "LIKWID_MARKER_CLOSE or uncore_plan_report(): what it "
			 "counted is lost");
	else if (good && process->reported && !json_array_size(process->rows))
		complain(name, "came to no region");
	return good && process->opened <= process->reported &&
	       json_array_size(process->rows);
}

void process_free(struct process *process)
{
	json_decref(process->errors);
	json_decref(process->rows);
}

/* Of AMD's counters the die is what the kernel calls the package. */
static json_int_t socket_of(struct uncore *uncore, const char *event,
			    json_int_t die)
{
	struct uncore_pmu_unit info;
	unsigned int i;

	if (die < 0)
		return -1;
	if (uncore_spec_is_amd(event))
		return die;
	for (i = 0; uncore && i < uncore_num_units(uncore); i++)
		if (!uncore_unit_info(uncore, i, &info) && info.die == die)
			return info.socket;
	return -1;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "?";
}

static json_int_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static struct row row_of(const struct marked *marked, json_int_t pid,
			 const json_t *object)
{
	const json_t *die = json_object_get(object, "die");
	const json_t *count = json_object_get(object, "count");
	double scale = json_number_value(json_object_get(object, "scale"));
	struct row row = {
		.pid = pid,
		.several = marked->several,
		.group = number_of(object, "group"),
		.region = text_of(object, "region"),
		.event = text_of(object, "event"),
		.thread = number_of(object, "thread"),
		.tid = number_of(object, "tid"),
		.die = json_is_integer(die) ? json_integer_value(die) :
		       json_is_null(die) ? UNCORE_DIE_UNKNOWN : UNCORE_DIE_NONE,
		.times = number_of(object, "times"),
		.seconds = json_number_value(json_object_get(object, "seconds")),
		.valid = json_is_integer(count),
		.count = json_integer_value(count),
		.state = text_of(object, "state"),
	};

	row.socket = socket_of(marked->uncore, row.event, row.die);
	row.sized = row.valid && scale > 0 &&
		    !strcmp(text_of(object, "unit"), "bytes");
	row.mib = (double)row.count * scale / (1 << 20);
	row.known = row.sized && row.seconds > 0;
	if (row.known)
		row.mb = (double)row.count * scale / row.seconds / 1e6;
	return row;
}

static void print_text(FILE *out, const struct row *row)
{
	char of[64];

	if (row->die == UNCORE_DIE_UNKNOWN)
		snprintf(of, sizeof(of), "die ?");
	else if (row->die == UNCORE_DIE_NONE)
		snprintf(of, sizeof(of), "thread %" PRIdMAX,
			 (intmax_t)row->thread);
	else if (row->socket == row->die)
		snprintf(of, sizeof(of), "socket %" PRIdMAX,
			 (intmax_t)row->socket);
	else
		snprintf(of, sizeof(of), "die %" PRIdMAX, (intmax_t)row->die);
	if (row->several)
		fprintf(out, "%5" PRIdMAX " ", (intmax_t)row->group);
	print_visible(out, row->region, 20);
	fprintf(out, " %-10s %10" PRIdMAX " %14.9f  ", of,
		(intmax_t)row->times, row->seconds);
	print_visible(out, row->event, 28);
	if (row->valid)
		fprintf(out, " %20" PRIdMAX, (intmax_t)row->count);
	else
		fprintf(out, " %20s", "-");
	if (row->sized)
		fprintf(out, " %12.2f", row->mib);
	else
		fprintf(out, " %12s", "-");
	if (row->known)
		fprintf(out, " %12.1f", row->mb);
	else
		fprintf(out, " %12s", "-");
	fputs("  ", out);
	print_visible(out, row->state, 0);
	putc('\n', out);
}

static void print_csv(FILE *out, const struct row *row)
{
	fprintf(out, "%" PRIdMAX ",", (intmax_t)row->pid);
	if (row->several)
		fprintf(out, "%" PRIdMAX ",", (intmax_t)row->group);
	print_csv_field(out, row->region);
	putc(',', out);
	print_csv_field(out, row->event);
	fprintf(out, ",%" PRIdMAX ",%" PRIdMAX ",", (intmax_t)row->thread,
		(intmax_t)row->tid);
	if (row->die == UNCORE_DIE_UNKNOWN)
		putc('?', out);
	else if (row->die != UNCORE_DIE_NONE)
		fprintf(out, "%" PRIdMAX, (intmax_t)row->die);
	putc(',', out);
	if (row->socket >= 0)
		fprintf(out, "%" PRIdMAX, (intmax_t)row->socket);
	fprintf(out, ",%" PRIdMAX ",%.9f,", (intmax_t)row->times,
		row->seconds);
	if (row->valid)
		fprintf(out, "%" PRIdMAX, (intmax_t)row->count);
	putc(',', out);
	if (row->sized)
		fprintf(out, "%.6f", row->mib);
	putc(',', out);
	if (row->known)
		fprintf(out, "%.3f", row->mb);
	putc(',', out);
	print_csv_field(out, row->state);
	putc('\n', out);
}

static json_t *row_object(const struct row *row)
{
	return json_pack("{s:I, s:I, s:s, s:s, s:s, s:I, s:I, s:o, s:o, s:I, s:f, "
			 "s:o, s:o, s:o, s:s}",
			 "pid", row->pid, "group", row->group,
			 "region", row->region, "event", row->event, "of",
			 row->die == UNCORE_DIE_NONE ? "thread" : "die",
			 "thread", row->thread, "tid", row->tid,
			 "die", json_signed_or_null((int)row->die),
			 "socket", json_signed_or_null((int)row->socket),
			 "times", row->times, "seconds", row->seconds,
			 "count", row->valid ? json_integer(row->count)
					     : json_null(),
			 "mib", row->sized ? json_real(row->mib) : json_null(),
			 "mb_per_s", row->known ? json_real(row->mb)
						: json_null(),
			 "state", row->state);
}

static void print_json_regions(FILE *out, const struct marked *marked)
{
	json_t *regions = json_array(), *object, *row;
	struct row found;
	size_t i, r;

	for (i = 0; i < marked->count; i++) {
		json_array_foreach(marked->processes[i].rows, r, row) {
			found = row_of(marked, marked->processes[i].pid, row);
			json_array_append_new(regions, row_object(&found));
		}
	}
	object = json_pack("{s:o}", "regions", regions);
	json_dumpf(object, out, JSON_COMPACT | JSON_ENSURE_ASCII |
			      JSON_REAL_PRECISION(12));
	json_decref(object);
	putc('\n', out);
}

static void print_heading(FILE *out, enum stat_format format, bool several)
{
	if (format == STAT_CSV)
		fprintf(out, "pid,%sregion,event,thread,tid,die,socket,times,"
			"seconds,count,mib,mb_per_s,state\n",
			several ? "group," : "");
	else
		fprintf(out, "%s%-20s %-10s %10s %14s  %-28s %20s %12s %12s  "
			"%s\n", several ? "GROUP " : "", "REGION", "OF", "TIMES", "SECONDS", "EVENT",
			"COUNTED", "MIB", "MB/S", "STATE");
}

static void print_rows(FILE *out, enum stat_format format,
		       const struct marked *marked)
{
	void (*print)(FILE *out, const struct row *row) =
		format == STAT_CSV ? print_csv : print_text;
	const struct process *process = marked->processes;
	struct row found;
	json_t *row;
	size_t i, r;

	print_heading(out, format, marked->several);
	for (i = 0; i < marked->count; i++, process++) {
		if (format == STAT_TEXT && marked->count > 1 &&
		    json_array_size(process->rows))
			fprintf(out, "process %" PRIdMAX ":\n",
				(intmax_t)process->pid);
		json_array_foreach(process->rows, r, row) {
			found = row_of(marked, process->pid, row);
			print(out, &found);
		}
	}
}

bool marked_print(FILE *out, enum stat_format format,
		  const struct marked *marked)
{
	if (format == STAT_JSON)
		print_json_regions(out, marked);
	else
		print_rows(out, format, marked);
	return !fflush(out) && !ferror(out);
}
