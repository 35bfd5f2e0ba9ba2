// SPDX-License-Identifier: GPL-2.0-only
/*
 * Free-running counters as events: found, read and measured without being
 * programmed, where the platform has any.
 *
 * Test: where=guest platform=all kernels=6.12 timeout=120
 */
#include "harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uncore.h>

#include "mmio_units.h"
#include "said.h"
#include "tool.h"

#define RESULTS	"/tmp/results"

/* The first free-running counter of a unit, or -1. */
static int first_free(const struct uncore_pmu_unit *info)
{
	unsigned int i;

	for (i = 0; i < info->num_counters; i++)
		if (info->counter[i].kind == UNCORE_PMU_KIND_FREE_RUNNING)
			return (int)i;
	return -1;
}

/* The first unit in this state that has a free-running counter; its index. */
static int find_free(struct uncore *uncore, uint32_t state,
		     struct uncore_pmu_unit *info)
{
	unsigned int unit;

	for (unit = 0; unit < uncore_num_units(uncore); unit++)
		if (!uncore_unit_info(uncore, unit, info) &&
		    info->state == state && first_free(info) >= 0)
			return first_free(info);
	return -1;
}

/* And the first that can be programmed, as a spec, or "". */
static void programmable_spec(struct uncore *uncore, char *spec, size_t size)
{
	struct uncore_pmu_unit info;
	unsigned int unit;

	spec[0] = '\0';
	for (unit = 0; unit < uncore_num_units(uncore) && !spec[0]; unit++)
		if (!uncore_unit_info(uncore, unit, &info) &&
		    info.state == UNCORE_PMU_STATE_OK && info.config_mask)
			snprintf(spec, size, ",%s/event=1/", unit_name(&info));
}

/* It is found for who may only read, and claims nothing. */
static void expect_reader(struct __test_metadata *_metadata,
			  struct uncore *uncore,
			  const struct uncore_pmu_unit *info, unsigned int index,
			  const char *spec)
{
	struct uncore_pmu_program claim;
	struct uncore_counter counter;
	struct uncore_watch watch;
	struct uncore_event event;
	struct uncore_plan *plan;
	uint64_t before, delta = 1;
	unsigned int unit;

	ASSERT_EQ(1, uncore_spec_parse(uncore, spec, &event, &unit, 1, NULL));
	EXPECT_EQ(info->index, unit);
	EXPECT_EQ(UNCORE_EVENT_FREE_RUNNING, event.source);
	EXPECT_STREQ(info->counter[index].name, event.name);
	ASSERT_EQ(0, uncore_program(uncore, unit, &event, &claim));
	EXPECT_EQ(index, claim.counter);
	EXPECT_EQ(0, claim.claim);
	ASSERT_EQ(0, uncore_counter_open(uncore, unit, claim.counter,
					 &counter));
	EXPECT_EQ(UNCORE_VALID, uncore_watch_begin(&counter, &event, &watch));
	before = uncore_read(&counter);
	EXPECT_EQ(0, uncore_delta_checked(&counter, &watch, before, before,
					  &delta));
	EXPECT_EQ(0, delta);
	event.config++;
	EXPECT_EQ(UNCORE_OTHER_EVENT,
		  uncore_watch_begin(&counter, &event, &watch));
	uncore_counter_close(&counter);
	ASSERT_EQ(0, uncore_plan_open(uncore, spec, 0, &plan, NULL));
	uncore_plan_close(plan);
	event.config = 0x1000;
	EXPECT_EQ(-EINVAL, uncore_program(uncore, unit, &event, &claim));
}

/* Over the end of the counter, beside an event that is programmed. */
static void expect_stat(struct __test_metadata *_metadata, struct sim *sim,
			const struct uncore_pmu_unit *info, unsigned int index,
			const char *spec, const char *others)
{
	const struct uncore_pmu_counter *counter = &info->counter[index];
	struct tool *stat = calloc(1, sizeof(*stat));
	json_t *json, *events, *total;
	bool bytes = counter->quantity == UNCORE_PMU_QUANTITY_BYTES;
	struct sim_addr addr;
	char line[512];

	ASSERT_NE(NULL, stat);
	ASSERT_EQ(0, mmio_find(sim, info, &addr));
	ASSERT_EQ(0, sim_set(sim, addr, index, counter_mask(counter) - 4));
	snprintf(line, sizeof(line), "exec uncorectl stat --json -o " RESULTS
		 " -e %s%s -- sh -c 'echo begun; read x'", spec, others);
	ASSERT_EQ(0, tool_start(stat, 0, line));
	ASSERT_TRUE(tool_expect(stat, "begun")) TH_LOG("%s", stat->text);
	ASSERT_EQ(0, sim_add(sim, addr, index, 0x140000));
	tool_say(stat, "");
	tool_wait(stat);
	free(stat);

	json = json_load_file(RESULTS, JSON_REJECT_DUPLICATES, NULL);
	ASSERT_NE(NULL, json);
	events = json_object_get(json, "events");
	EXPECT_EQ(others[0] ? 2 : 1, json_array_size(events));
	total = json_object_get(json_find(events, "event", counter->name),
				"total");
	EXPECT_STREQ("counting", json_text(total, "state"));
	EXPECT_EQ(0x140000, json_int(total, "counted"));
	EXPECT_EQ(bytes ? 80.0 : 0,
		  json_number_value(json_object_get(total, "mib")));
	EXPECT_STREQ("counting",
		     json_text(json_object_get(json_array_get(events,
							      others[0] != 0),
					       "total"), "state"));
	json_decref(json);
}

/* Longer than a counter of 32 bits takes to wrap, also for membw. */
#define TOO_LONG_US	2300000

static void signal_all(const struct tool *tools, unsigned int count, int signal)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (tools[i].pid)
			kill(tools[i].pid, signal);
}

/* A row in which a direction has no number has no sum. */
static void expect_no_sum(struct __test_metadata *_metadata, const char *row)
{
	char reads[32] = "", writes[32] = "", sum[32] = "";

	EXPECT_EQ(3, sscanf(row, "%*[^@]@%*s %31s %31s %31s", reads, writes,
			    sum)) TH_LOG("%s", row);
	EXPECT_TRUE(!strcmp("-", reads) || !strcmp("-", writes))
		TH_LOG("%s", row);
	EXPECT_STREQ("-", sum);
}

/* In one interval only. */
static void expect_membw(struct __test_metadata *_metadata, struct tool *membw,
			 bool narrow)
{
	const char *row;

	EXPECT_TRUE(tool_expect(membw, narrow
				? " ^ not read in time: it may have wrapped "
				  "unseen\n"
				: " ^ more than can be: the counter was reset "
				  "or written\n"));
	row = strstr(membw->text, "\n                    ^ ");
	ASSERT_NE(NULL, row);
	while (row > membw->text && row[-1] != '\n')
		row--;
	expect_no_sum(_metadata, row);
	EXPECT_TRUE(tool_expect(membw, " ^ as a channel above\n"));
	EXPECT_TRUE(tool_expect(membw, " s\n\n"));
	EXPECT_TRUE(tool_expect(membw, " s\n\n"));
	EXPECT_EQ(1, said_count(membw->text, " ^ as a channel above"));
	EXPECT_EQ(128 + SIGTERM, tool_end(membw, SIGTERM));
}

/*
 * A number that may be wrong is none: of a counter that ran backwards, for it
 * was reset; of one of 32 bits that nobody read in time. Then it goes on.
 */
static void expect_doubt(struct __test_metadata *_metadata, struct sim *sim,
			 const struct uncore_pmu_unit *info, unsigned int index,
			 const char *spec)
{
	bool narrow = info->counter[index].width == 32;
	const char *reason = narrow
		? "not read in time: it may have wrapped unseen"
		: "more than it can count in that time: it was reset or "
		  "written";
	struct tool *stat = calloc(3, sizeof(*stat)), *reader = stat + 1;
	struct tool *membw = stat + 2;
	bool traffic = !strncmp(info->counter[index].name, "data_", 5);
	struct sim_addr addr;
	char line[512];

	ASSERT_NE(NULL, stat);
	ASSERT_EQ(0, mmio_find(sim, info, &addr));
	ASSERT_EQ(0, sim_set(sim, addr, index, 500000));
	snprintf(line, sizeof(line), "exec uncorectl read --json -i 0.3 %.*s",
		 (int)strlen(spec) - 1, spec);
	ASSERT_EQ(0, tool_start(reader, 0, line));
	if (traffic) {
		ASSERT_EQ(0, tool_start(membw, 0, "exec membw --seconds 60"));
		ASSERT_TRUE(tool_expect(membw, " s\n"));
	}
	snprintf(line, sizeof(line), "exec uncorectl stat -e %s -- sh -c "
		 "'echo begun; read x'", spec);
	ASSERT_EQ(0, tool_start(stat, 0, line));
	ASSERT_TRUE(tool_expect(stat, "begun"));
	ASSERT_TRUE(tool_expect(reader, "\"state\":\"counting\""));
	if (narrow) {
		signal_all(stat, 3, SIGSTOP);
		usleep(TOO_LONG_US);
		signal_all(stat, 3, SIGCONT);
	} else {
		ASSERT_EQ(0, sim_set(sim, addr, index, 5));
	}
	tool_say(stat, "");
	EXPECT_EQ(0, tool_wait(stat));
	snprintf(line, sizeof(line), "  uncertain: %s\n", reason);
	EXPECT_NE(NULL, strstr(stat->text, line)) TH_LOG("%s", stat->text);
	snprintf(line, sizeof(line), "\"state\":\"uncertain\",\"reason\":"
		 "\"%s\",\"delta\":null,\"rate\":null,"
		 "\"reprogrammed\":false", reason);
	EXPECT_TRUE(tool_expect(reader, line));
	EXPECT_TRUE(tool_expect(reader, "\"state\":\"counting\",\"reason\":"
				"null,\"delta\":0,\"rate\":0"));
	EXPECT_EQ(3, tool_end(reader, SIGTERM));
	if (traffic)
		expect_membw(_metadata, membw, narrow);
	free(stat);
}

static void expect_refused(struct __test_metadata *_metadata, const char *unit,
			   const char *name)
{
	char line[256], text[1024];

	snprintf(line, sizeof(line), "uncorectl stat -n 1 -e %s/%sx/ 2>&1", unit,
		 name);
	EXPECT_EQ(1, said(line, text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, "; did you mean ")) TH_LOG("%s", text);
	EXPECT_NE(NULL, strstr(strstr(text, "mean "), name));
	snprintf(line, sizeof(line), "uncorectl program %s/%s/ 2>&1", unit,
		 name);
	EXPECT_EQ(1, said(line, text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, ": a free-running counter needs no "
			       "programming: \"uncorectl stat -e "))
		TH_LOG("%s", text);
}

static void expect_listed(struct __test_metadata *_metadata,
			  const struct uncore_pmu_unit *info)
{
	json_t *json, *events, *event;
	size_t i, found = 0;
	char line[128];
	int status;

	snprintf(line, sizeof(line), "uncorectl events --json '%s/*'",
		 info->type);
	json = said_json(line, &status);
	ASSERT_NE(NULL, json);
	EXPECT_EQ(0, status);
	events = json_object_get(json, "events");
	json_array_foreach(events, i, event) {
		if (strcmp(json_text(event, "source"), "free-running"))
			continue;
		EXPECT_STREQ(info->counter[json_int(event, "config")].name,
			     json_text(event, "name"));
		EXPECT_NE(NULL, json_text(event, "quantity"));
		found++;
	}
	EXPECT_EQ(info->num_counters, found);
	json_decref(json);
}

static void check_free_running(struct __test_metadata *_metadata,
			       struct uncore *uncore)
{
	char spec[UNCORE_SPEC_LEN], others[UNCORE_SPEC_LEN];
	struct uncore_pmu_unit info;
	struct sim *sim;
	int index;

	index = find_free(uncore, UNCORE_PMU_STATE_OK, &info);
	if (index < 0)
		return;
	/* One that counts bytes, where there is any. */
	if (index + 1 < (int)info.num_counters)
		index++;
	ASSERT_EQ(0, sim_open(&sim));
	ASSERT_EQ(0, sim_clock(sim, false));
	snprintf(spec, sizeof(spec), "%s/%s/", unit_name(&info),
		 info.counter[index].name);
	TH_LOG("%s", spec);
	programmable_spec(uncore, others, sizeof(others));
	expect_reader(_metadata, uncore, &info, (unsigned int)index, spec);
	expect_stat(_metadata, sim, &info, (unsigned int)index, spec, others);
	expect_doubt(_metadata, sim, &info, (unsigned int)index, spec);
	expect_refused(_metadata, info.type, info.counter[index].name);
	expect_listed(_metadata, &info);
	sim_clock(sim, true);
	sim_close(sim);
}

/* Locked, it is an error that says what helps. */
static void expect_locked(struct __test_metadata *_metadata,
			  struct uncore *uncore,
			  const struct uncore_pmu_unit *info, int index)
{
	struct uncore_pmu_program claim;
	struct uncore_event event;
	char line[256], text[1024];
	unsigned int unit;

	snprintf(line, sizeof(line), "uncorectl stat -n 1 -e %s/%s/ 2>&1",
		 info->type, info->counter[index].name);
	EXPECT_EQ(1, said(line, text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, " is locked: its page shows energy "
			       "counters, too: load the module with mchbar=1 "
			       "to allow it\n")) TH_LOG("%s", text);
	expect_listed(_metadata, info);
	snprintf(line, sizeof(line), "%s/%s", unit_name(info),
		 info->counter[index].name);
	ASSERT_EQ(1, uncore_spec_parse(uncore, line, &event, &unit, 1, NULL));
	EXPECT_EQ(-EPERM, uncore_program(uncore, unit, &event, &claim));
}

static void reload(struct __test_metadata *_metadata, const char *parameters)
{
	char line[128], text[256];

	snprintf(line, sizeof(line), "rmmod uncore_pmu && insmod " MODULE_FILE
		 " %s && udevadm settle", parameters);
	ASSERT_EQ(0, said(line, text, sizeof(text))) TH_LOG("%s", text);
}

TEST(free_running_counters)
{
	struct uncore_pmu_unit info;
	struct uncore *uncore;
	int index;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	check_free_running(_metadata, uncore);
	index = find_free(uncore, UNCORE_PMU_STATE_LOCKED, &info);
	if (index >= 0)
		expect_locked(_metadata, uncore, &info, index);
	uncore_close(uncore);
	if (index < 0)
		return;
	reload(_metadata, "mchbar=1");
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	check_free_running(_metadata, uncore);
	uncore_close(uncore);
	reload(_metadata, "");
}

TEST_HARNESS_MAIN
