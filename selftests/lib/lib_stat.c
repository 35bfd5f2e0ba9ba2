// SPDX-License-Identifier: GPL-2.0-only
/*
 * uncorectl stat: what others have programmed, exactly; and what it says when
 * the number would be wrong.
 *
 * Test: where=guest platform=haswell-ep timeout=240 kernels=6.12
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uncore.h>

#include "common.h"
#include "counted.h"
#include "tool.h"

#define BOTH	"imc/" READS "/,imc/" WRITES "/"
#define RESULTS	"/tmp/results"
/* A COMMAND that lasts until it is told to end. */
#define PAUSE	"sh -c 'echo begun; read x; exit 7'"

/*
 * @sim: its clock is stopped
 * @holder: root's "uncorectl program" for both events on all units
 * @unit: the units of type imc that are there
 */
FIXTURE(stat)
{
	struct sim *sim;
	struct uncore *uncore;
	struct tool *holder;
	struct tool *stat;
	struct uncore_pmu_unit unit[MAX_IMC];
	unsigned int count;
};

FIXTURE_SETUP(stat)
{
	self->holder = calloc(2, sizeof(*self->holder));
	ASSERT_NE(NULL, self->holder);
	self->stat = self->holder + 1;
	unlink(RESULTS);
	self->count = counted_open(&self->sim, &self->uncore, self->unit);
	ASSERT_LT(1, self->count);
	/* It says what it holds when it holds everything. */
	ASSERT_EQ(0, tool_start(self->holder, 0, "exec uncorectl program imc/"
				READS "/ imc/" WRITES "/"));
	ASSERT_TRUE(tool_expect(self->holder, WRITES "  via"));
}

FIXTURE_TEARDOWN(stat)
{
	tool_end(self->holder, SIGTERM);
	counted_close(self->sim, self->uncore);
	free(self->holder);
}

/* Numbers that tell units and events apart. */
static uint64_t amount(unsigned int unit, bool writes)
{
	return 1000003 * (uint64_t)(unit + 1) + (writes ? 500000000 : 0);
}

static int count_all(struct sim *sim, struct uncore *uncore,
		     const struct uncore_pmu_unit *unit, unsigned int count)
{
	unsigned int i, w;
	int ret;

	for (i = 0; i < count; i++)
		for (w = 0; w < 2; w++) {
			ret = count_event(sim, uncore, &unit[i],
					  w ? WRITES : READS, amount(i, w));
			if (ret)
				return ret;
		}
	return 0;
}

static json_t *event_of(json_t *json, const char *name)
{
	return json_find(json_object_get(json, "events"), "event", name);
}

static json_t *unit_of(json_t *json, const char *event, const char *unit)
{
	return json_find(json_object_get(event_of(json, event), "units"),
			 "unit", unit);
}

static bool begin(struct tool *stat)
{
	return !tool_start(stat, MEMBER_UID, "rm -f " RESULTS "; exec "
			   "uncorectl stat --json -o " RESULTS " -e " BOTH
			   " -- " PAUSE) &&
	       tool_expect(stat, "begun");
}

/* Lets COMMAND end; NULL if its status was not kept. */
static json_t *finish(struct tool *stat)
{
	tool_say(stat, "");
	if (tool_wait(stat) != 7)
		return NULL;
	return json_load_file(RESULTS, JSON_REJECT_DUPLICATES, NULL);
}

TEST_F(stat, a_member_gets_exact_numbers)
{
	json_t *json, *unit, *socket;
	unsigned int i, w;
	size_t s;

	ASSERT_TRUE(begin(self->stat));
	ASSERT_EQ(0, count_all(self->sim, self->uncore, self->unit,
			       self->count));
	json = finish(self->stat);
	ASSERT_NE(NULL, json);
	for (w = 0; w < 2; w++) {
		const char *name = w ? WRITES : READS;
		json_t *event = event_of(json, name);
		json_int_t total = 0, of_sockets = 0;
		double seconds = json_number_value(json_object_get(json,
								   "interval"));

		ASSERT_EQ(self->count,
			  json_array_size(json_object_get(event, "units")));
		for (i = 0; i < self->count; i++) {
			const char *where = unit_name(&self->unit[i]);

			unit = unit_of(json, name, where);
			ASSERT_NE(NULL, unit) TH_LOG("%s", where);
			EXPECT_EQ(amount(i, w), json_int(unit, "counted"));
			EXPECT_STREQ("counting", json_text(unit, "state"));
			EXPECT_EQ(self->unit[i].socket,
				  json_int(unit, "socket"));
			total += (json_int_t)amount(i, w);
		}
		json_array_foreach(json_object_get(event, "sockets"), s, socket)
			of_sockets += json_int(socket, "counted");
		EXPECT_EQ(total, of_sockets);
		socket = json_object_get(event, "total");
		EXPECT_EQ(total, json_int(socket, "counted"));
		EXPECT_EQ((json_int_t)((double)total * 64 / seconds / 1e6),
			  (json_int_t)json_number_value(
				json_object_get(socket, "mb_per_s")));
	}
	json_decref(json);
}

TEST_F(stat, a_counter_that_wraps)
{
	int counter = counter_of(self->uncore, &self->unit[0], READS);
	const char *where = unit_name(&self->unit[0]);
	json_t *json;

	ASSERT_LE(0, counter);
	ASSERT_EQ(0, sim_set(self->sim, unit_addr(&self->unit[0]),
			     (unsigned int)counter, (1ULL << 48) - 5));
	ASSERT_TRUE(begin(self->stat));
	ASSERT_EQ(0, sim_add(self->sim, unit_addr(&self->unit[0]),
			     (unsigned int)counter, 12));
	json = finish(self->stat);
	ASSERT_NE(NULL, json);
	EXPECT_EQ(12, json_int(unit_of(json, READS, where), "counted"));
	json_decref(json);
}

TEST_F(stat, one_of_two_users_is_killed)
{
	struct tool *other = calloc(1, sizeof(*other));
	json_t *json;

	ASSERT_NE(NULL, other);
	ASSERT_EQ(0, tool_start(other, MEMBER_UID,
				"exec uncorectl stat -e " BOTH " -- " PAUSE));
	ASSERT_TRUE(tool_expect(other, "begun"));
	ASSERT_TRUE(begin(self->stat));
	ASSERT_EQ(0, count_all(self->sim, self->uncore, self->unit, 1));
	kill(other->pid, SIGKILL);
	tool_say(other, "");
	EXPECT_EQ(128 + SIGKILL, tool_wait(other));
	ASSERT_EQ(0, count_all(self->sim, self->uncore, self->unit, 1));
	json = finish(self->stat);
	ASSERT_NE(NULL, json);
	EXPECT_EQ(2 * amount(0, false),
		  json_int(unit_of(json, READS, unit_name(&self->unit[0])),
			   "counted"));
	EXPECT_EQ(2 * amount(0, true),
		  json_int(unit_of(json, WRITES, unit_name(&self->unit[0])),
			   "counted"));
	json_decref(json);
	free(other);
}

/* All units and sums of both events are without a number, for this reason. */
static void expect_no_numbers(struct __test_metadata *_metadata, json_t *json,
			      const char *state)
{
	json_t *event, *unit, *total;
	size_t e, u, units = 0;

	json_array_foreach(json_object_get(json, "events"), e, event) {
		json_array_foreach(json_object_get(event, "units"), u, unit) {
			EXPECT_TRUE(json_is_null(json_object_get(unit,
								 "counted")));
			EXPECT_TRUE(json_is_null(json_object_get(unit,
								 "mb_per_s")));
			EXPECT_STREQ(state, json_text(unit, "state"));
			EXPECT_LT(5, strlen(json_text(unit, "reason")));
			units++;
		}
		total = json_object_get(event, "total");
		EXPECT_TRUE(json_is_null(json_object_get(total, "counted")));
		EXPECT_TRUE(json_is_null(json_object_get(total, "rate")));
		EXPECT_STREQ(state, json_text(total, "state"));
	}
	EXPECT_LT(0, units);
}

TEST_F(stat, the_holder_is_killed)
{
	json_t *json;

	ASSERT_TRUE(begin(self->stat));
	EXPECT_EQ(128 + SIGKILL, tool_end(self->holder, SIGKILL));
	json = finish(self->stat);
	ASSERT_NE(NULL, json);
	expect_no_numbers(_metadata, json, "uncertain");
	json_decref(json);

	EXPECT_EQ(0, tool_run(self->stat, MEMBER_UID, "uncorectl status imc"));
	EXPECT_EQ(NULL, strstr(self->stat->text, "claimed"));
	EXPECT_NE(NULL, strstr(self->stat->text, "free"));
}

TEST_F(stat, programmed_anew_meanwhile)
{
	json_t *json;

	ASSERT_TRUE(begin(self->stat));
	EXPECT_EQ(0, tool_end(self->holder, SIGTERM));
	ASSERT_EQ(0, tool_start(self->holder, 0, "exec uncorectl program imc/"
				READS "/ imc/" WRITES "/"));
	ASSERT_TRUE(tool_expect(self->holder, WRITES "  via"));
	json = finish(self->stat);
	ASSERT_NE(NULL, json);
	expect_no_numbers(_metadata, json, "uncertain");
	json_decref(json);
}

/* Intervals: one good, one without the holder, one after it has come back. */
TEST_F(stat, found_again_after_it_was_lost)
{
	const char *row = "total,imc@0,,,0,0.000000,0.000,counting";

	ASSERT_EQ(0, tool_start(self->stat, MEMBER_UID,
				"exec uncorectl stat --csv -I 200 -e imc@0/"
				READS "/"));
	ASSERT_TRUE(tool_expect(self->stat, "time,interval,event,scope,unit,"
				"socket,counter,counted,mib,mb_per_s,state\n"));
	ASSERT_TRUE(tool_expect(self->stat, row));
	EXPECT_EQ(0, tool_end(self->holder, SIGTERM));
	EXPECT_TRUE(tool_expect(self->stat, "total,imc@0,,,,,,uncertain"));
	/* Once, whom to ask. */
	EXPECT_TRUE(tool_expect(self->stat, "uncorectl: imc@0/" READS
				"/: not programmed on imc0@0, "));
	EXPECT_TRUE(tool_expect(self->stat, "uncorectl: ask the administrator "
				"to run: uncorectl program 'imc@0/" READS
				"/'\n"));
	EXPECT_TRUE(tool_expect(self->stat, "total,imc@0,,,,,,not programmed"));
	EXPECT_TRUE(tool_expect(self->stat, "total,imc@0,,,,,,not programmed"));
	EXPECT_EQ(NULL, strstr(strstr(self->stat->text, "ask the") + 1,
			       "ask the"));
	ASSERT_EQ(0, tool_start(self->holder, 0, "exec uncorectl program "
				"imc/" WRITES "/ imc/" READS "/"));
	/* The interval in which it begins to count has no number yet. */
	EXPECT_TRUE(tool_expect(self->stat, "total,imc@0,,,,,,uncertain"));
	EXPECT_TRUE(tool_expect(self->stat, row));
	EXPECT_EQ(3, tool_end(self->stat, SIGINT));
}

/* Two of those who may program: the end of one is not that of the other. */
TEST_F(stat, a_counter_of_ones_own_while_there_is_one)
{
	struct tool *first = calloc(1, sizeof(*first));
	const char *where = unit_name(&self->unit[0]);
	char command[256];

	ASSERT_NE(NULL, first);
	snprintf(command, sizeof(command), "exec uncorectl stat --csv -e %s/"
		 "event=0x10/ -- " PAUSE, where);
	ASSERT_EQ(0, tool_start(first, 0, command));
	ASSERT_TRUE(tool_expect(first, "begun"));
	ASSERT_EQ(0, tool_start(self->stat, 0, command));
	ASSERT_TRUE(tool_expect(self->stat, "begun"));
	ASSERT_EQ(0, count_event(self->sim, self->uncore, &self->unit[0],
				 "event=0x10", 11));
	tool_say(first, "");
	EXPECT_EQ(7, tool_wait(first));
	EXPECT_NE(NULL, strstr(first->text, ",unit,imc0@0,0,ctr2,11,,,counting"
			       "\n")) TH_LOG("%s", first->text);
	ASSERT_EQ(0, count_event(self->sim, self->uncore, &self->unit[0],
				 "event=0x10", 4321));
	tool_say(self->stat, "");
	EXPECT_EQ(7, tool_wait(self->stat));
	EXPECT_NE(NULL, strstr(self->stat->text, ",total,imc0@0,,,4321,,,"
			       "counting\n")) TH_LOG("%s", self->stat->text);
	free(first);
}

/*
 * Whoever may program, but finds no counter free, goes on with claims of its own
 * when others have given up theirs.
 */
TEST_F(stat, programs_what_others_have_given_up)
{
	const char *row = "total,imc@0,,,0,0.000000,0.000,counting";
	struct tool *other = calloc(1, sizeof(*other));
	int counter;

	ASSERT_NE(NULL, other);
	ASSERT_EQ(0, tool_start(other, 0, "exec uncorectl program "
				"imc@0/event=0x10/ imc@0/event=0x11/"));
	ASSERT_TRUE(tool_expect(other, "event=0x11,umask=0x00  via"));
	ASSERT_EQ(0, tool_start(self->stat, 0, "exec uncorectl stat --csv "
				"-I 200 -e imc@0/" READS "/"));
	ASSERT_TRUE(tool_expect(self->stat, row));
	EXPECT_EQ(0, tool_end(self->holder, SIGTERM));
	EXPECT_TRUE(tool_expect(self->stat, "total,imc@0,,,,,,uncertain"));
	EXPECT_TRUE(tool_expect(self->stat, row));
	EXPECT_EQ(NULL, strstr(self->stat->text, "not programmed"));
	counter = counter_of(self->uncore, &self->unit[0], READS);
	ASSERT_LE(0, counter);
	ASSERT_EQ(0, sim_add(self->sim, unit_addr(&self->unit[0]),
			     (unsigned int)counter, 12345));
	EXPECT_TRUE(tool_expect(self->stat, "total,imc@0,,,12345,"));
	EXPECT_EQ(3, tool_end(self->stat, SIGINT));
	EXPECT_EQ(-1, counter_of(self->uncore, &self->unit[0], READS));
	EXPECT_EQ(0, tool_end(other, SIGTERM));
	free(other);
}

TEST_F(stat, a_control_register_is_overwritten)
{
	const struct uncore_pmu_unit *unit = &self->unit[0];
	int counter = counter_of(self->uncore, unit, READS);
	uint32_t control, offset;
	json_t *json, *row;

	ASSERT_LE(0, counter);
	offset = unit->counter[counter].control;
	ASSERT_TRUE(begin(self->stat));
	ASSERT_EQ(0, config_load(unit, offset, &control));
	ASSERT_EQ(0, config_store(unit, offset, control ^ 0x100));
	json = finish(self->stat);
	ASSERT_NE(NULL, json);
	ASSERT_EQ(0, config_store(unit, offset, control));
	row = unit_of(json, READS, unit_name(unit));
	EXPECT_STREQ("uncertain", json_text(row, "state"));
	EXPECT_TRUE(json_is_null(json_object_get(row, "counted")));
	row = unit_of(json, WRITES, unit_name(unit));
	EXPECT_STREQ("counting", json_text(row, "state"));
	EXPECT_EQ(0, json_int(row, "counted"));
	json_decref(json);
}

TEST_F(stat, a_frozen_unit_has_no_number)
{
	const struct uncore_pmu_unit *unit = &self->unit[0];
	uint32_t control;
	json_t *json, *row;

	ASSERT_TRUE(begin(self->stat));
	ASSERT_EQ(0, config_load(unit, unit->unit_control, &control));
	ASSERT_EQ(0, config_store(unit, unit->unit_control,
				  control | unit->unit_freeze));
	json = finish(self->stat);
	ASSERT_NE(NULL, json);
	ASSERT_EQ(0, config_store(unit, unit->unit_control, control));
	row = unit_of(json, READS, unit_name(unit));
	EXPECT_STREQ("frozen", json_text(row, "state"));
	EXPECT_TRUE(json_is_null(json_object_get(row, "counted")));
	row = unit_of(json, READS, unit_name(&self->unit[1]));
	EXPECT_STREQ("counting", json_text(row, "state"));
	EXPECT_EQ(0, json_int(row, "counted"));
	json_decref(json);
}

TEST_HARNESS_MAIN
