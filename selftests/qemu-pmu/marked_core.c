// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/*
 * Counters of the core and the uncore in one region, of programs that uncorectl
 * stat -m starts, in C and Fortran, and of the example of a known traffic.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../lib/counted.h"
#include "../lib/tool.h"
#include "opmu_check.h"

#define CORE	"instructions"
#define UNCORE	"imc/" READS "/"
#define RESULTS	"/tmp/regions"
#define OPTIONS	" stat -m --json -o " RESULTS " -e "
#define STAT	"exec uncorectl" OPTIONS
#define VALID	"counted without a break"

/* @sim: NULL without units, else its clock is stopped; @count: of @unit */
FIXTURE(marked)
{
	struct sim *sim;
	struct uncore *uncore;
	struct tool *tool;
	struct uncore_pmu_unit unit[MAX_IMC];
	unsigned int count;
};

FIXTURE_SETUP(marked)
{
	self->tool = calloc(1, sizeof(*self->tool));
	ASSERT_NE(NULL, self->tool);
	unlink(RESULTS);
	ASSERT_EQ(0, uncore_open(NULL, &self->uncore));
	self->count = find_imc(self->uncore, self->unit);
	if (!self->count)
		return;
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
}

FIXTURE_TEARDOWN(marked)
{
	uncore_close(self->uncore);
	if (self->sim) {
		sim_clock(self->sim, true);
		sim_close(self->sim);
	}
	free(self->tool);
}

/* Adds the lines evenly, the rest to the first unit. */
static int add_lines(struct sim *sim, struct uncore *uncore,
		     const struct uncore_pmu_unit *unit, unsigned int count,
		     const char *event, uint64_t lines)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++)
		ret = count_event(sim, uncore, &unit[i], event,
				  lines / count + (i ? 0 : lines % count));
	return ret;
}

/* The row's number, of a count that is good. */
static json_int_t count_of(json_t *row)
{
	return strcmp(json_text(row, "state"), VALID) ? -1
						      : json_int(row, "count");
}

/*
 * Of so many threads. The loop has 40000 instructions, and one that sets its
 * counter up; macros look for the name, which is in another place for each.
 */
static void expect_threads(struct __test_metadata *_metadata, json_t *json,
			   int threads, json_int_t most)
{
	json_int_t work, none;
	int i;

	for (i = 0; i < threads; i++) {
		json_t *row = json_region(json, "work", CORE, "thread", i);

		ASSERT_NE(NULL, row);
		EXPECT_EQ(1, json_int(row, "times"));
		EXPECT_TRUE(json_is_null(json_object_get(row, "mb_per_s")));
		work = count_of(row);
		none = count_of(json_region(json, "none", CORE, "thread", i));
		ASSERT_LT(0, none);
		ASSERT_LT(0, work);
		/* Else an interrupt may be longer than the loop. */
		if (getenv("UNCORE_ICOUNT")) {
			EXPECT_LE(40000, work - none);
			EXPECT_GE(most, work - none);
		}
	}
	EXPECT_EQ(NULL, json_region(json, "work", CORE, "thread", threads));
}

/* What it counted in the region that has "begun". */
static json_t *measure(struct tool *tool, const char *command, int status)
{
	tool_say(tool, "");
	if (tool_wait(tool) != status) {
		fprintf(stderr, "# %s: %s\n", command, tool->text);
		return NULL;
	}
	return json_load_file(RESULTS, JSON_REJECT_DUPLICATES, NULL);
}

/* The core alone needs no node. */
TEST_F(marked, core_of_each_thread)
{
	static const char *const command[] = {
		STAT CORE " -- /selftests/marked plan",
		"exec uncorectl -d /nonexistent" OPTIONS CORE
		" -- /selftests/marked macros",
	};
	json_t *json;
	int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, tool_start(self->tool, 0, command[i]));
		ASSERT_TRUE(tool_expect(self->tool, "begun"));
		json = measure(self->tool, command[i], 7);
		ASSERT_NE(NULL, json);
		expect_threads(_metadata, json, i ? 3 : 1, i ? 40050 : 40004);
		json_decref(json);
	}
}

/* Two descriptors open an event, one of which stays with the main thread. */
TEST_F(marked, threads_without_descriptors)
{
	RUN(125, 0, "echo | uncorectl stat -m -e " CORE " -- sh -c '"
	    "ulimit -n 5; /selftests/marked macros; exit 0'");
	SAID(": regions are missing: 4 starts of them failed: too many open "
	     "files in this process: raise ulimit -n, as each thread needs one "
	     "for each event of the core, in each group\n");
	SAID("\nwork                 thread 0 ");
	EXPECT_EQ(NULL, strstr(self->tool->text, "thread 1"));
	RUN(7, 0, "ulimit -n 5; echo | UNCORE_EVENTS='" CORE ";cycles' "
	    "/selftests/marked macros");
	SAID("\nuncore: regions are missing: 4 starts of them failed: too many "
	     "open files in this process: raise ulimit -n, ");
	SAID("\n    1 work                 thread 0            1 ");
	/* Reports have no descriptor above 100 then. */
	RUN(7, 0, "ulimit -n 64; echo | uncorectl stat -m -e " CORE
	    " -- /selftests/marked plan");
	SAID("\nwork                 thread 0 ");
}

/* Two lists that are counted one after the other are one array all the same. */
TEST_F(marked, groups_in_json)
{
	json_t *json;

	RUN(7, 0, "echo | UNCORE_FORMAT=json UNCORE_OUTPUT=" RESULTS
	    " UNCORE_EVENTS='" CORE ";cycles' /selftests/marked groups");
	json = json_load_file(RESULTS, JSON_REJECT_DUPLICATES, NULL);
	ASSERT_EQ(2, json_array_size(json));
	EXPECT_EQ(1, json_int(json_array_get(json, 0), "group"));
	EXPECT_STREQ(CORE, json_text(json_array_get(json, 0), "event"));
	EXPECT_EQ(2, json_int(json_array_get(json, 1), "group"));
	EXPECT_STREQ("cycles", json_text(json_array_get(json, 1), "event"));
	json_decref(json);
}

TEST_F(marked, core_and_uncore)
{
	const char *command = STAT CORE "," UNCORE " -- /selftests/marked macros";
	json_int_t sum = 0;
	json_t *json;
	int socket;

	if (!self->sim || cpu_count() < 2)
		SKIP(return, "needs units, and a CPU on each of two dies");
	ASSERT_EQ(0, tool_start(self->tool, 0, command));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	ASSERT_EQ(0, add_lines(self->sim, self->uncore, self->unit, self->count,
			       READS, 123457));
	json = measure(self->tool, command, 7);
	ASSERT_NE(NULL, json);
	expect_threads(_metadata, json, 3, 40050);
	for (socket = 0; socket < 2; socket++)
		sum += count_of(json_region(json, "paused", UNCORE, "socket",
					    socket));
	EXPECT_EQ(123457, sum);
	json_decref(json);
}

TEST_F(marked, fortran)
{
	const char *command = STAT CORE "," UNCORE
			      " -- /selftests/fortran_markers";
	json_t *json, *row;
	char line[64];
	int i;

	if (!self->sim || cpu_count() < 2)
		SKIP(return, "needs units, and a CPU on each of two dies");
	ASSERT_EQ(0, tool_start(self->tool, 0, command));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	ASSERT_EQ(0, add_lines(self->sim, self->uncore, self->unit, 1, READS,
			       98765));
	json = measure(self->tool, command, 0);
	ASSERT_NE(NULL, json);
	row = json_region(json, "paused", UNCORE, "socket",
			  self->unit[0].socket);
	EXPECT_EQ(98765, count_of(row));
	EXPECT_EQ(0, count_of(json_region(json, "paused", UNCORE, "socket",
					  !self->unit[0].socket)));
	for (i = 0; i < 2; i++) {
		row = json_region(json, "work", CORE, "thread", i);
		ASSERT_NE(NULL, row);
		EXPECT_EQ(3, json_int(row, "times"));
		EXPECT_LT(0, count_of(row));
	}
	/* The main thread may have come after the other one. */
	row = json_region(json, "work", CORE, "thread", 0);
	i = json_int(row, "tid") != json_int(row, "pid");
	row = json_region(json, "forgotten", CORE, "thread", i);
	EXPECT_EQ(0, json_int(row, "times"));
	EXPECT_EQ(0, count_of(row));
	/* The program itself was told the same. */
	row = json_region(json, "work", CORE, "thread", i);
	snprintf(line, sizeof(line), "work 2 3 %lld\n",
		 (long long)json_int(row, "count"));
	EXPECT_NE(NULL, strstr(self->tool->text, line))
		TH_LOG("not said: %s; but: %s", line, self->tool->text);
	json_decref(json);
}

/* They are perf's: no node is needed. The program stays on the die. */
TEST_F(marked, counters_of_a_die)
{
	static const char *const events[] = {
		"amd_df/event=0x07,umask=0x38/", "amd_l3/event=0x04,umask=0xff/",
	};
	char command[256];
	json_t *json, *row;
	int i;

	if (!is_amd())
		SKIP(return, "AMD only");
	ASSERT_EQ(0, pin_to(0));
	snprintf(command, sizeof(command), "exec uncorectl -d /nonexistent"
		 OPTIONS "%s," CORE " -e '%s' -- /selftests/marked plan",
		 events[0], events[1]);
	ASSERT_EQ(0, tool_start(self->tool, 0, command));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	json = measure(self->tool, command, 7);
	ASSERT_NE(NULL, json);
	EXPECT_EQ(9, json_array_size(json_object_get(json, "regions")));
	for (i = 0; i < 2; i++) {
		row = json_region(json, "paused", events[i], "socket", 0);
		ASSERT_NE(NULL, row);
		EXPECT_LT(0, count_of(row));
		EXPECT_EQ(1, json_int(row, "times"));
		EXPECT_EQ(0, json_int(row, "thread"));
		EXPECT_EQ(0, json_int(row, "die"));
	}
	expect_threads(_metadata, json, 1, 40004);
	json_decref(json);

	ASSERT_EQ(0, pin_to(cpu_count() - 1));
	RUN(7, 0, "echo | exec uncorectl stat -m -e 'amd_df/event=7/;" CORE
	    "' -- /selftests/marked groups");
	SAID("\n    1 paused               socket 1            1 ");
}

/* Where they are not counted, it is said what counts them. */
TEST_F(marked, other_pmus_are_perfs)
{
	const char *said = " is no unit but a PMU of perf: \"perf list\" has its "
			   "events; \"perf stat -a\" counts them, and "
			   "\"uncorectl stat -m\" in the regions of a program\n";

	RUN(125, 0, "uncorectl stat -e cpu/event=0xc5/ -- echo begun");
	SAID("uncorectl: cpu/event=0xc5/: cpu");
	SAID(said);
	if (!is_amd()) {
		RUN(125, 0, "uncorectl stat -e amd_df/event=7/ -- echo begun");
		SAID("this machine has no unit amd_df\n");
		return;
	}
	RUN(125, 0, "uncorectl stat -e amd_df/event=7/ -- echo begun");
	SAID("uncorectl: amd_df/event=7/: amd_df");
	SAID(said);
	EXPECT_EQ(NULL, strstr(self->tool->text, "begun"));
	RUN(1, 0, "uncorectl program amd_l3/event=4/");
	SAID("uncorectl: amd_l3/event=4/: amd_l3");
	SAID(said);
	RUN(3, 0, "uncorectl list amd_l3");
	SAID("uncorectl: amd_l3: amd_l3");
	SAID(said);
	RUN(1, 0, "uncorectl events amd_df/event");
	SAID("uncorectl: amd_df: amd_df");
	SAID(said);
	RUN(0, 0, "uncorectl list");
	SAID("AMD's amd_df and amd_l3 are PMUs of perf: \"perf list\" has their "
	     "events;\n\"perf stat -a\" counts them, and \"uncorectl stat -m\" "
	     "in the regions of a program.\n");
}

/* 100000 elements are 25000 lines read and 12500 written. */
TEST_F(marked, known_traffic)
{
	if (!self->sim || cpu_count() < 2)
		SKIP(return, "needs units, and a CPU on each of two dies");
	ASSERT_EQ(0, tool_start(self->tool, 0, "exec triad -n 100000 sh -c "
				"'echo begun; read x'"));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	ASSERT_EQ(0, add_lines(self->sim, self->uncore, self->unit, self->count,
			       READS, 25000));
	ASSERT_EQ(0, add_lines(self->sim, self->uncore, self->unit, self->count,
			       WRITES, 12500));
	tool_say(self->tool, "");
	EXPECT_EQ(0, tool_wait(self->tool));
	SAID("\n" CORE "               thread 0 ");
	SAID("\ncache-misses               thread 0 ");
	SAID("\nread              1600000 bytes counted,          1600000 by the "
	     "loop: +0 bytes, +0.0 %\n");
	SAID("\nwritten            800000 bytes counted,           800000 by the "
	     "loop: +0 bytes, +0.0 %\n");
}

TEST_HARNESS_MAIN
