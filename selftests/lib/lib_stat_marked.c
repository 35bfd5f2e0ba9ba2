// SPDX-License-Identifier: GPL-2.0-only
/*
 * uncorectl stat -m: what a program counts in its own regions, with counters of
 * the uncore; and what it says when there is nothing.
 *
 * Test: where=guest platform=haswell-ep timeout=240 kernels=6.12
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "counted.h"
#include "tool.h"

#define EVENT	"imc/" READS "/"
#define RESULTS	"/tmp/regions"
#define MARKED	"/selftests/marked "
#define VALID	"counted without a break"
#define STAT	"uncorectl stat -m -e " EVENT " "
#define LOST	"was killed, or did not come to LIKWID_MARKER_CLOSE or " \
		"uncore_plan_report(): what it counted is lost\n"

/* @sim: its clock is stopped; @unit: the units of type imc that are there */
FIXTURE(marked)
{
	struct sim *sim;
	struct uncore *uncore;
	struct tool *tool;
	struct tool *holder;
	struct uncore_pmu_unit unit[MAX_IMC];
	unsigned int count;
};

FIXTURE_SETUP(marked)
{
	self->tool = calloc(2, sizeof(*self->tool));
	ASSERT_NE(NULL, self->tool);
	self->holder = self->tool + 1;
	unlink(RESULTS);
	self->count = counted_open(&self->sim, &self->uncore, self->unit);
	ASSERT_LT(1, self->count);
}

FIXTURE_TEARDOWN(marked)
{
	counted_close(self->sim, self->uncore);
	free(self->tool);
}

/* Adds a number of each unit's own to all, and to the sums of the sockets. */
static int count_all(struct sim *sim, struct uncore *uncore,
		     const struct uncore_pmu_unit *unit, unsigned int count,
		     uint64_t *sum)
{
	unsigned int i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = count_event(sim, uncore, &unit[i], READS, 1000003 + i);
		if (ret)
			return ret;
		sum[unit[i].socket] += 1000003 + i;
	}
	return 0;
}

/* Runs the command up to its region, counts, and loads what it says. */
#define MEASURE(user, command, json, sum)				\
	do {								\
		ASSERT_EQ(0, tool_start(self->tool, user, command));	\
		ASSERT_TRUE(tool_expect(self->tool, "begun"));		\
		ASSERT_EQ(0, count_all(self->sim, self->uncore,		\
				       self->unit, self->count, sum));	\
		tool_say(self->tool, "");				\
		ASSERT_EQ(7, tool_wait(self->tool))			\
			TH_LOG("%s", self->tool->text);			\
		(json) = json_load_file(RESULTS,			\
					JSON_REJECT_DUPLICATES, NULL);	\
		ASSERT_NE(NULL, json);					\
	} while (0)

static void expect_sums(struct __test_metadata *_metadata, json_t *json,
			const uint64_t *sum)
{
	json_t *row;
	int socket;

	for (socket = 0; socket < 2; socket++) {
		row = json_region(json, "paused", EVENT, "socket", socket);
		ASSERT_NE(NULL, row);
		EXPECT_EQ(sum[socket], json_int(row, "count"));
		EXPECT_EQ(socket, json_int(row, "die"));
		EXPECT_EQ(1, json_int(row, "times"));
		EXPECT_STREQ(VALID, json_text(row, "state"));
	}
}

TEST_F(marked, root_programs_what_the_program_reads)
{
	uint64_t sum[2] = { 0 };
	json_t *json, *row;
	double seconds;

	MEASURE(0, "exec " STAT "--json -o " RESULTS " -- " MARKED "macros",
		json, sum);
	expect_sums(_metadata, json, sum);
	row = json_region(json, "paused", EVENT, "socket", 1);
	EXPECT_EQ(sum[1] * 64, (uint64_t)(json_number_value(
		json_object_get(row, "mib")) * (1 << 20) + .5));
	seconds = json_number_value(json_object_get(row, "seconds"));
	EXPECT_EQ((json_int_t)((double)sum[1] * 64 / seconds / 1e6),
		  (json_int_t)json_number_value(json_object_get(row,
								"mb_per_s")));
	/* The first thread reads the uncore for all; nothing was counted. */
	row = json_region(json, "work", EVENT, "socket", 0);
	ASSERT_NE(NULL, row);
	EXPECT_EQ(0, json_int(row, "count"));
	EXPECT_EQ(0, json_int(row, "thread"));
	EXPECT_EQ(1, json_int(row, "times"));
	json_decref(json);
	EXPECT_EQ(-1, counter_of(self->uncore, &self->unit[0], READS));
}

/* Others read what root has programmed; the file of root's they only inherit. */
TEST_F(marked, another_user_reads)
{
	uint64_t sum[2] = { 0 };
	json_t *json;

	MEASURE(0, "exec " STAT "--json -o " RESULTS " -- su member -c '"
		MARKED "plan'", json, sum);
	expect_sums(_metadata, json, sum);
	json_decref(json);
}

TEST_F(marked, a_member_measures_what_stands)
{
	uint64_t sum[2] = { 0 };
	json_t *json, *row;

	RUN(125, MEMBER_UID, STAT "-- " MARKED "macros");
	SAID("uncorectl: ask the administrator to run: uncorectl program '"
	     EVENT "'\n");
	EXPECT_EQ(NULL, strstr(self->tool->text, "begun"));

	ASSERT_EQ(0, tool_start(self->holder, 0, "exec uncorectl program "
				EVENT));
	ASSERT_TRUE(tool_expect(self->holder, READS "  via"));
	MEASURE(MEMBER_UID, "exec " STAT "--json -o " RESULTS " -- " MARKED
		"plan", json, sum);
	expect_sums(_metadata, json, sum);
	json_decref(json);

	/* The holder goes in the region: there is no number. */
	ASSERT_EQ(0, unlink(RESULTS));
	ASSERT_EQ(0, tool_start(self->tool, MEMBER_UID, "exec " STAT "--json -o "
				RESULTS " -- " MARKED "plan"));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	EXPECT_EQ(128 + SIGKILL, tool_end(self->holder, SIGKILL));
	tool_say(self->tool, "");
	EXPECT_EQ(7, tool_wait(self->tool));
	json = json_load_file(RESULTS, JSON_REJECT_DUPLICATES, NULL);
	row = json_region(json, "paused", EVENT, "socket", 0);
	ASSERT_NE(NULL, row);
	EXPECT_TRUE(json_is_null(json_object_get(row, "count")));
	EXPECT_TRUE(json_is_null(json_object_get(row, "mb_per_s")));
	EXPECT_STRNE(VALID, json_text(row, "state"));
	json_decref(json);
}

/* "other" has Latin-1 for what is no UTF-8. */
TEST_F(marked, groups_of_events)
{
	const char *other = "\xc3\xa4\xc3\xb6\xc3\xad\xc2\xa0\xc2\x80,\"\n\x1b";
	uint64_t sum[2] = { 0 };
	json_t *json, *row;

	MEASURE(0, "exec uncorectl stat -m -e '" EVENT ";imc/" WRITES "/' "
		"--json -o " RESULTS " -- " MARKED "groups", json, sum);
	expect_sums(_metadata, json, sum);
	EXPECT_EQ(4, json_array_size(json_object_get(json, "regions")));
	row = json_region(json, other, "imc/" WRITES "/", "socket", 0);
	ASSERT_NE(NULL, row);
	EXPECT_EQ(0, json_int(row, "count"));
	EXPECT_EQ(2, json_int(row, "group"));
	EXPECT_STREQ(VALID, json_text(row, "state"));
	row = json_region(json, "paused", EVENT, "socket", 0);
	EXPECT_EQ(1, json_int(row, "group"));
	json_decref(json);

	RUN(2, 0, "uncorectl stat -m -e '" EVENT "; ' -- echo begun");
	SAID("uncorectl: -e '" EVENT "; ': a group without an event: write "
	     "EVENT,EVENT;EVENT\n");
	RUN(1, 0, "uncorectl stat -m -e '" EVENT ";imc/" WRITES "/' -- " MARKED
	    "plan");
	SAID("a plan counts one group of events, with no semicolon in it; "
	     "markers count several\n");

	/* A group of the core does not make the other one of the core. */
	RUN(125, 0, "uncorectl stat -m -e 'cpu/event=0xc5/;imc/" WRITES "/' -- "
	    "echo begun");
	SAID("no performance monitoring unit");
}

#define GROUPS	"echo | uncorectl stat -m -e '" EVENT ";imc/" WRITES "/' "

#define LIES	"-- sh -c 'echo \"{\\\"pid\\\": 1, \\\"results\\\": [{" \
		"\\\"region\\\": \\\"r\\u000ab\\\", " \
		"\\\"event\\\": \\\"e\\u009b\\\", " \
		"\\\"state\\\": \\\"a\\u009b2J\\u007f\\u001bb\\\"}]}\" " \
		">>\"$UNCORE_STAT\"'"

/* A line break in a name ends no row, and nothing steers the terminal. */
TEST_F(marked, names_that_programs_choose)
{
	RUN(7, 0, GROUPS "--csv -- " MARKED "groups");
	SAID("pid,group,region,event,thread,tid,die,socket,");
	SAID(",1,paused," EVENT ",0,");
	SAID(",2,\"\xc3\xa4\xc3\xb6\xc3\xad\xc2\xa0\xc2\x80,\"\"\n\x1b\",imc/"
	     WRITES "/,0,");
	RUN(7, 0, GROUPS "-- " MARKED "groups");
	SAID("\nGROUP REGION               OF ");
	SAID("\n    1 paused               socket 0            1 ");
	SAID("\n    2 \xc3\xa4\xc3\xb6\xc3\xad\xc2\xa0??,\"??           socket 0"
	     "            1 ");
	RUN(7, 0, GROUPS "--json -- " MARKED "groups");
	SAID("\"region\":\"\\u00E4\\u00F6\\u00ED\\u00A0\\u0080,\\\"\\n\\u001B\",");

	/* What the program says may be anything. */
	RUN(0, 0, STAT LIES);
	SAID("\nr?b                  ");
	SAID("  e??                                             - ");
	SAID("  a??2J??b\n");
	RUN(0, 0, STAT "--csv " LIES);
	SAID("\n1,\"r\nb\",e\xc2\x9b,");
}

/* 100000 elements are 25000 lines read and 12500 written; here without a core. */
TEST_F(marked, known_traffic)
{
	ASSERT_EQ(0, tool_start(self->tool, 0, "exec triad -n 100000 sh -c "
				"'echo begun; read x'"));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	ASSERT_EQ(0, count_event(self->sim, self->uncore, &self->unit[1],
				 READS, 25000));
	ASSERT_EQ(0, count_event(self->sim, self->uncore, &self->unit[0],
				 WRITES, 12501));
	tool_say(self->tool, "");
	EXPECT_EQ(0, tool_wait(self->tool));
	SAID("without the core: no performance monitoring unit");
	SAID("\nread              1600000 bytes counted,          1600000 by the "
	     "loop: +0 bytes, +0.0 %\n");
	SAID("\nwritten            800064 bytes counted,           800000 by the "
	     "loop: +64 bytes, +0.0 %\n");
}

TEST_F(marked, texts)
{
	uint64_t sum[2] = { 0 };
	char line[128];

	ASSERT_EQ(0, tool_start(self->tool, 0, "exec " STAT "--csv -- " MARKED
				"plan"));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	ASSERT_EQ(0, count_all(self->sim, self->uncore, self->unit, self->count,
			       sum));
	tool_say(self->tool, "");
	EXPECT_EQ(7, tool_wait(self->tool));
	SAID("\npid,region,event,thread,tid,die,socket,times,seconds,count,"
	     "mib,mb_per_s,state\n");
	SAID(",paused," EVENT ",0,");
	SAID(",0,0,1,");
	SAID(",1,1,1,");
	snprintf(line, sizeof(line), ",%llu,", (unsigned long long)sum[1]);
	SAID(line);
	SAID("," VALID "\n");

	RUN(1, 0, STAT "-- " MARKED "child");
	SAID("\npaused               socket 1            1 ");
	EXPECT_EQ(NULL, strstr(self->tool->text, LOST));
	EXPECT_EQ(NULL, strstr(self->tool->text, "process"));
}

/* It is named whose results are which, and whose are missing. */
TEST_F(marked, several_processes)
{
	const char *result;

	RUN(125, 0, STAT "-- sh -c '" MARKED "child; " MARKED "child; "
	    MARKED "lost'");
	SAID("\nprocess ");
	SAID(LOST);
	result = strstr(self->tool->text, ":\npaused  ");
	ASSERT_NE(NULL, result);
	EXPECT_NE(NULL, strstr(result + 1, ":\npaused  "));
	RUN(9, 0, STAT "-- sh -c '" MARKED "lost; exit 9'");
	SAID(LOST);
}

TEST_F(marked, a_child_begins_anew)
{
	RUN(7, 0, STAT "-- " MARKED "own");
	SAID(":\n" "own                  socket 0            1 ");
	SAID(":\npaused               socket 0            1 ");
	EXPECT_EQ(NULL, strstr(self->tool->text, "uncore: "));
}

static int close_plan(int sock, void *plan)
{
	(void)sock;
	uncore_plan_close(plan);
	return 0;
}

/* The child shares the open file to which the claims belong. */
TEST_F(marked, a_childs_close_ends_no_claim)
{
	struct uncore_region *region;
	struct uncore_plan *plan;
	uint64_t sum[2] = { 0 }, value, times;
	struct uncore *uncore;
	double seconds;

	ASSERT_EQ(0, uncore_open_flags(NULL, UNCORE_OPEN_PROGRAM, &uncore));
	ASSERT_EQ(0, uncore_plan_open(uncore, EVENT, 0, &plan, NULL));
	ASSERT_EQ(0, uncore_region_open(plan, "r", &region));
	uncore_region_begin(region);
	EXPECT_EQ(0, child_run(close_plan, plan));
	ASSERT_EQ(0, count_all(self->sim, self->uncore, self->unit, self->count,
			       sum));
	uncore_region_end(region);
	EXPECT_EQ(0, uncore_region_values(region, 0, &value, &times,
					  &seconds));
	EXPECT_EQ(sum[0] + sum[1], value);
	EXPECT_EQ(1, times);
	uncore_plan_close(plan);
	EXPECT_EQ(-1, counter_of(self->uncore, &self->unit[0], READS));
	uncore_close(uncore);
}

/* What was killed has counted nothing that anybody knows. */
TEST_F(marked, the_program_is_killed)
{
	ASSERT_EQ(0, tool_start(self->tool, 0, STAT "--json -- sh -c 'echo $$; "
				"exec " MARKED "macros'"));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	kill(atoi(self->tool->text), SIGKILL);
	EXPECT_EQ(128 + SIGKILL, tool_wait(self->tool));
	SAID(LOST);
	SAID("{\"regions\":[]}\n");
}

TEST_F(marked, nothing_is_measured)
{
	RUN(125, 0, STAT "-- " MARKED "nothing");
	SAID("came to no region\n");
	RUN(125, 0, STAT "-- true");
	SAID("uncorectl: true: measures no regions: it must call "
	     "LIKWID_MARKER_INIT, built with -DLIKWID_PERFMON and -luncore, or "
	     "open a plan without events; what starts it must leave the "
	     "environment to it, as sudo does not, and a program that is "
	     "set-user-ID or has capabilities (setcap) ignores that: run it "
	     "without\n");
	RUN(125, 0, "cp /selftests/marked /secure && "
	    "chmod 4755 /secure && " STAT "-- su outsider -c "
	    "'/secure nothing'");
	SAID("uncore: no region is measured: say what to count, ");
	SAID("has capabilities (setcap) ignores that: ");
	RUN(3, 0, STAT "-- sh -c 'exit 3'");
	RUN(127, 0, STAT "-- /nonexistent");
	/* The event is there, but not for everybody. */
	RUN(125, 0, STAT "-- su outsider -c '" MARKED "nothing'");
	SAID(": not permitted to open the node");
	SAID("uncore: no region is measured: not permitted to open the node");
}

/* Before the program has begun. */
TEST_F(marked, what_cannot_be_counted)
{
	RUN(125, 0, "uncorectl stat -m -e branch-misses -- echo begun");
	SAID("uncorectl: branch-misses: no performance monitoring unit: ");
	EXPECT_EQ(NULL, strstr(self->tool->text, "begun"));
	RUN(125, 0, "uncorectl -d /nonexistent stat -m -e branch-misses -- true");
	SAID("uncorectl: branch-misses: no performance monitoring unit: ");
	RUN(125, 0, "uncorectl stat -m -e imc/no_such/ -- echo begun");
	SAID("uncorectl: imc/no_such/: units of type imc have no event no_such");
	RUN(2, 0, "uncorectl stat -m -e " EVENT);
	SAID("uncorectl: --marked: say which program has regions: ");
	RUN(2, 0, "uncorectl stat -m -I 100 -e " EVENT " -- true");
	SAID("uncorectl: --marked: has one result, at the end: it does not "
	     "take -I\n");
	RUN(2, 0, "uncorectl read -m imc");
	SAID("uncorectl: read: does not take --marked\n");
}

TEST_HARNESS_MAIN
