// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * uncorectl bench: what a read costs, by each way of reading, in instructions
 * or, where they are not counted, in ticks of the time stamp counter.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define REPEATS		1000

/* @compared: which line the ratio is to. */
struct line {
	const char *name;
	bench_op op;
	unsigned int reads;
	unsigned int compared;
	const char *trouble;
	double cost;
};

enum line_index {
	BARE,
	READ,
	BARE_LOW,
	READ_LOW,
	BARE_GROUP,
	BARE_LOOP,
	GROUP,
	BARE_GROUP_LOW,
	GROUP_LOW,
	SYSFS,
	PROC,
	PERF,
	NUM_LINES,
};

static const struct line template[NUM_LINES] = {
	[BARE] = { "bare loads", bench_bare, 1, BARE, NULL, 0 },
	[READ] = { "library read", bench_read, 1, BARE, NULL, 0 },
	[BARE_LOW] = { "bare load, low half", bench_bare_low, 1, BARE_LOW,
		       NULL, 0 },
	[READ_LOW] = { "library read, low half", bench_read_low, 1, BARE_LOW,
		       NULL, 0 },
	[BARE_GROUP] = { "bare loads, 8 written out", bench_bare_group,
			 BENCH_GROUP, BARE_GROUP, NULL, 0 },
	[BARE_LOOP] = { "bare loads, 8 in a loop", bench_bare_loop,
			BENCH_GROUP, BARE_GROUP, NULL, 0 },
	[GROUP] = { "library group read of 8", bench_group, BENCH_GROUP,
		    BARE_GROUP, NULL, 0 },
	[BARE_GROUP_LOW] = { "bare loads, 8 low halves", bench_bare_group_low,
			     BENCH_GROUP, BARE_GROUP_LOW, NULL, 0 },
	[GROUP_LOW] = { "library group read, low halves", bench_group_low,
			BENCH_GROUP, BARE_GROUP_LOW, NULL, 0 },
	[SYSFS] = { "pread of the sysfs config file", bench_sysfs, 1, READ,
		    NULL, 0 },
	[PROC] = { "pread of /proc/bus/pci", bench_proc, 1, READ, NULL, 0 },
	[PERF] = { "perf read(2)", bench_perf, 1, READ, NULL, 0 },
};

/* Counters of distinct units first: a page each, as in real use. */
static unsigned int open_counters(struct uncore *uncore, struct bench *bench,
				  struct uncore_pmu_unit *first)
{
	unsigned int found = 0, index, unit;
	struct uncore_pmu_unit info;

	for (index = 0; index < UNCORE_PMU_MAX_COUNTERS; index++) {
		for (unit = 0; unit < uncore_num_units(uncore); unit++) {
			struct uncore_counter *counter = &bench->counter[found];

			if (uncore_unit_info(uncore, unit, &info) ||
			    info.access != UNCORE_PMU_ACCESS_CONFIG ||
			    uncore_counter_open(uncore, unit, index, counter))
				continue;
			if (counter->load != UNCORE_LOAD_PAIR || counter->width != 48) {
				uncore_counter_close(counter);
				continue;
			}
			if (!found) {
				*first = info;
				bench->offset = info.counter[index].offset;
				uncore_unit_name(&info, bench->unit,
						 sizeof(bench->unit));
			}
			bench->address[found++] = counter->address;
			if (found == BENCH_GROUP)
				return found;
		}
	}
	return found;
}

static int prepare(struct uncore *uncore, struct bench *bench,
		   struct line *lines)
{
	struct uncore_pmu_unit info;
	unsigned int i, found;

	found = open_counters(uncore, bench, &info);
	if (!found) {
		complain("bench", "no unit with 48-bit counters in PCI "
			 "configuration space can be mapped: see \"uncorectl "
			 "list\"");
		return -1;
	}
	for (i = 0; i < NUM_LINES; i++)
		if (lines[i].reads > found)
			lines[i].trouble = "needs 8 counters";
	if (found == BENCH_GROUP)
		uncore_group_init(&bench->group, bench->counter, found);

	lines[SYSFS].trouble = bench_open_sysfs(bench, &info);
	lines[PROC].trouble = bench_open_proc(bench, &info);
	lines[PERF].trouble = bench_open_perf(bench);
	return 0;
}

static void finish(struct bench *bench)
{
	unsigned int i;

	for (i = 0; i < BENCH_GROUP; i++)
		if (bench->counter[i].load)
			uncore_counter_close(&bench->counter[i]);
	if (bench->sysfs_fd >= 0)
		close(bench->sysfs_fd);
	if (bench->proc_fd >= 0)
		close(bench->proc_fd);
	if (bench->perf_fd >= 0)
		close(bench->perf_fd);
}

static double per_read(const struct line *line)
{
	return line->cost / line->reads;
}

static double ratio(const struct line *lines, const struct line *line)
{
	const struct line *other = &lines[line->compared];

	return other->cost > 0 ? per_read(line) / per_read(other) : 0;
}

static int print_lines_json(const struct bench *bench, const struct line *lines,
			    bool exact)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < NUM_LINES; i++) {
		const struct line *line = &lines[i];
		bool ok = !line->trouble;

		json_array_append_new(array, json_pack(
			"{s:s, s:i, s:o, s:o, s:s, s:o, s:o}",
			"name", line->name, "reads", (int)line->reads,
			"cost", ok ? json_real(line->cost) : json_null(),
			"a_read", ok ? json_real(per_read(line)) : json_null(),
			"compared", lines[line->compared].name,
			"ratio", ok ? json_real(ratio(lines, line))
				    : json_null(),
			"trouble", ok ? json_null()
				      : json_string(line->trouble)));
	}
	return print_json(json_pack("{s:s, s:s, s:o}", "unit", bench->unit,
				    "measure", exact ? "instructions" : "ticks",
				    "lines", array), JSON_INDENT(2));
}

static int print_lines(const struct bench *bench, const struct line *lines,
		       bool exact)
{
	unsigned int i;

	printf("%s, unit %s and others; the least of %d\n\n", exact
	       ? "Instructions, counted exactly"
	       : "Ticks of the time stamp counter, not instructions "
		 "(UNCORE_ICOUNT=1 is not set, or not true)",
	       bench->unit, REPEATS);
	printf("%-32s %5s %10s %10s  %s\n", "WAY OF READING", "READS", "COST",
	       "A READ", "RATIO");
	for (i = 0; i < NUM_LINES; i++) {
		const struct line *line = &lines[i];

		printf("%-32s %5u ", line->name, line->reads);
		if (line->trouble)
			printf("%10s %10s  %s\n", "-", "-", line->trouble);
		else
			printf("%10.0f %10.2f  %.2f x %s\n", line->cost,
			       per_read(line), ratio(lines, line),
			       lines[line->compared].name);
	}
	return EXIT_OK;
}

int cmd_bench(struct uncore *uncore, const struct options *options)
{
	struct bench bench = { .sysfs_fd = -1, .proc_fd = -1, .perf_fd = -1 };
	struct line lines[NUM_LINES];
	uint64_t unit, cost, nothing;
	unsigned int i;
	int ret;

	memcpy(lines, template, sizeof(lines));
	if (prepare(uncore, &bench, lines)) {
		finish(&bench);
		return EXIT_FAILED;
	}

	unit = bench_calibrate(REPEATS);
	nothing = BENCH_LEAST(REPEATS, bench_nothing(&bench));
	for (i = 0; i < NUM_LINES; i++) {
		if (lines[i].trouble)
			continue;
		cost = BENCH_LEAST(REPEATS, lines[i].op(&bench));
		cost = cost > nothing ? cost - nothing : 0;
		lines[i].cost = (double)cost / (double)(unit ? unit : 1);
	}

	ret = options->json ? print_lines_json(&bench, lines, unit)
			    : print_lines(&bench, lines, unit);
	finish(&bench);
	return ret;
}
