// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every counter of every platform, through the library, and what each type of
 * units can count. Four sockets of a processor have nothing that two have not.
 *
 * Test: where=guest platform=sandybridge-ep,ivybridge-ep,haswell-ep,broadwell-ep,knl,skylake-sp,snowridge,icelake-sp,sapphire-rapids,granite-rapids,ivybridge,skylake,tigerlake,alderlake kernels=6.12 timeout=120
 */
#include "harness.h"

#include <dirent.h>
#include <string.h>

#include <uncore.h>

#include "mmio_units.h"
#include "said.h"
#include "tool.h"

/* Two values that differ in every bit of every width. */
static void compare(struct __test_metadata *_metadata, struct sim *sim,
		    const struct uncore_pmu_unit *info, unsigned int index,
		    const struct uncore_counter *counter)
{
	uint64_t value = (0x5a5a5a5a5a5a5a5a ^ info->index ^ index) &
			 counter->mask;
	struct sim_addr addr;
	int round;

	ASSERT_EQ(0, mmio_find(sim, info, &addr)) ABOUT(info);
	for (round = 0; round < 2; round++) {
		ASSERT_EQ(0, sim_set(sim, addr, index, value)) ABOUT(info);
		EXPECT_EQ(value, uncore_read(counter)) ABOUT(info);
		EXPECT_EQ((uint32_t)value, uncore_read_low(counter))
			ABOUT(info);
		value = ~value & counter->mask;
	}
}

TEST(all_counters)
{
	unsigned int unit, index, checked = 0, locked = 0;
	struct uncore_counter counter;
	struct uncore_pmu_unit info;
	struct uncore *uncore;
	struct sim *sim;

	ASSERT_EQ(0, sim_open(&sim));
	ASSERT_EQ(0, sim_clock(sim, false));
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	for (unit = 0; unit < uncore_num_units(uncore); unit++) {
		ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
		locked += info.state == UNCORE_PMU_STATE_LOCKED;
		if (info.state != UNCORE_PMU_STATE_OK)
			continue;
		for (index = 0; index < info.num_counters; index++) {
			ASSERT_EQ(0, uncore_counter_open(uncore, unit, index,
							 &counter))
				ABOUT(&info);
			EXPECT_EQ(info.counter[index].width, counter.width);
			compare(_metadata, sim, &info, index, &counter);
			uncore_counter_close(&counter);
			checked++;
		}
	}
	TH_LOG("%u counters", checked);
	/* Some client chips have no others; kmod/client unlocks them. */
	EXPECT_LT(0, checked + locked);
	uncore_close(uncore);
	sim_clock(sim, true);
	sim_close(sim);
}

static bool has_text(json_t *array, const char *text)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element)
		if (!strcmp(json_string_value(element), text))
			return true;
	return false;
}

/* By names, or as units that have none. */
TEST(what_can_be_programmed_is_listed)
{
	unsigned int unit, programmable = 0;
	struct uncore_pmu_unit info;
	json_t *json, *events, *nameless;
	struct uncore *uncore;
	int status;

	json = said_json("uncorectl events --json 2>/dev/null", &status);
	ASSERT_NE(NULL, json);
	events = json_object_get(json, "events");
	nameless = json_object_get(json, "nameless");
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	for (unit = 0; unit < uncore_num_units(uncore); unit++) {
		ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
		if (info.state != UNCORE_PMU_STATE_OK || !info.config_mask)
			continue;
		programmable++;
		EXPECT_TRUE(json_find(events, "type", info.type) ||
			    has_text(nameless, info.type)) ABOUT(&info);
	}
	if (programmable)
		EXPECT_EQ(0, status);
	TH_LOG("%u units can be programmed", programmable);
	uncore_close(uncore);
	json_decref(json);
}

/* Units without names have a line that says what can be written instead. */
TEST(fields_of_the_nameless)
{
	char line[128], text[1024], *fields, *n;
	struct uncore_pmu_unit info;
	struct uncore_event event;
	struct uncore *uncore;
	unsigned int unit;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	for (unit = 0; unit < uncore_num_units(uncore); unit++) {
		ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
		if (info.state != UNCORE_PMU_STATE_OK || info.instance ||
		    info.die > 0 || !info.config_mask || uncore_events_source(uncore, &info))
			continue;
		snprintf(line, sizeof(line), "uncorectl events '%s/event=N*'",
			 info.type);
		EXPECT_EQ(0, said(line, text, sizeof(text))) ABOUT(&info);
		fields = strstr(text, "event=N");
		ASSERT_NE(NULL, fields) TH_LOG("%s", text);
		fields[strcspn(fields, " ")] = '\0';
		if (!strcmp(uncore_info(uncore)->platform, "alderlake") &&
		    !strcmp(info.type, "imc"))
			EXPECT_STREQ("event=N,chmask=N,edge=N", fields);
		for (n = strchr(fields, 'N'); n; n = strchr(n, 'N'))
			*n = '1';
		EXPECT_EQ(0, uncore_event_parse(uncore, &info, fields, &event,
						NULL))
			TH_LOG("%s: %s", info.type, fields);
	}
	uncore_close(uncore);
}

/* Of a number that there is not, the message has names that there are. */
TEST(numbers_that_there_are)
{
	struct uncore_pmu_unit info;
	struct uncore_event_error error;
	struct uncore_event event;
	struct uncore *uncore;
	unsigned int unit;
	char name[UNCORE_NAME_LEN], spec[UNCORE_SPEC_LEN], *first;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	for (unit = 0; unit < uncore_num_units(uncore); unit++) {
		ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
		if (info.state == UNCORE_PMU_STATE_ABSENT)
			continue;
		info.instance = 4711;
		ASSERT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
		name[strcspn(name, "@")] = '\0';
		snprintf(spec, sizeof(spec), "%s/fixed/", name);
		EXPECT_EQ(-ENODEV, uncore_spec_parse(uncore, spec, &event, NULL,
						     0, &error));
		first = strstr(error.message, ", but ");
		ASSERT_NE(NULL, first) TH_LOG("%s", error.message);
		first += strlen(", but ");
		first[strcspn(first, ", ")] = '\0';
		EXPECT_LT(0, uncore_find(uncore, first, NULL, 0))
			TH_LOG("%s", first);
	}
	uncore_close(uncore);
}

/* What is reached by MSRs only has no place in a page. */
TEST(no_offset_without_a_page)
{
	json_t *json, *unit, *counter;
	unsigned int windows = 0;
	size_t u, c;
	int status;

	json = said_json("uncorectl list --json", &status);
	ASSERT_NE(NULL, json);
	json_array_foreach(json_object_get(json, "units"), u, unit) {
		bool window = !strcmp(json_text(unit, "state"), "window");

		windows += window;
		json_array_foreach(json_object_get(unit, "counters"), c, counter)
			EXPECT_EQ(window, json_is_null(json_object_get(counter,
								       "offset")))
				TH_LOG("%s", json_text(unit, "name"));
	}
	TH_LOG("%u units have no page", windows);
	json_decref(json);
}

/* "config:8-15,32" as bits; 0 for another register. */
static uint64_t bits_of_format(const char *text)
{
	unsigned int first, last;
	uint64_t bits = 0;
	int used;

	if (strncmp(text, "config:", 7))
		return 0;
	for (text += 7; sscanf(text, "%u%n", &first, &used) == 1; text++) {
		text += used;
		last = first;
		if (sscanf(text, "-%u%n", &last, &used) == 1)
			text += used;
		for (; first <= last && first < 64; first++)
			bits |= 1ULL << first;
		if (*text != ',')
			break;
	}
	return bits;
}

/* One bit of the value after the other: which bit of the register is it? */
static void check_field(struct __test_metadata *_metadata,
			struct uncore *uncore,
			const struct uncore_pmu_unit *info, const char *name,
			uint64_t bits)
{
	bool is_event = !strcmp(name, "event");
	struct uncore_event_error error;
	struct uncore_event event;
	char text[UNCORE_SPEC_LEN + 64];
	uint64_t bit, value = 1;
	int ret;

	for (; bits; bits &= bits - 1, value <<= 1) {
		bit = bits & -bits;
		snprintf(text, sizeof(text), "%s%s=0x%llx",
			 is_event ? "" : "event=0,", name,
			 (unsigned long long)value);
		ret = uncore_event_parse(uncore, info, text, &event, &error);
		if (bit & ~info->config_mask) {
			EXPECT_TRUE(ret == -EOPNOTSUPP || ret == -ERANGE)
				TH_LOG("%s: %s: %d", info->type, text, ret);
		} else if (!is_event || ret != -EOPNOTSUPP) {
			EXPECT_EQ(0, ret)
				TH_LOG("%s: %s: %s", info->type, text,
				       error.message);
			EXPECT_EQ(bit, event.config)
				TH_LOG("%s: %s", info->type, text);
		}
	}
}

/* Number of fields that were looked at. */
static unsigned int check_formats(struct __test_metadata *_metadata,
				  struct uncore *uncore,
				  const struct uncore_pmu_unit *info)
{
	static const char *const folders[] = { "%s_%u", "%s" };
	char path[256], name[64], file[600], text[64];
	unsigned int checked = 0, i;
	struct dirent *entry;
	uint64_t bits;
	DIR *dir = NULL;

	for (i = 0; i < 2 && !dir; i++) {
		snprintf(name, sizeof(name), folders[i], info->type,
			 info->instance);
		snprintf(path, sizeof(path),
			 "/sys/bus/event_source/devices/uncore_%s/format", name);
		dir = opendir(path);
	}
	while (dir && (entry = readdir(dir))) {
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		if (file_read(file, text, sizeof(text)))
			continue;
		bits = bits_of_format(text);
		check_field(_metadata, uncore, info, entry->d_name, bits);
		checked += bits != 0;
	}
	if (dir)
		closedir(dir);
	return checked;
}

/* The kernel's driver says what is where; the first unit speaks for a type. */
TEST(fields_are_those_of_perf)
{
	struct uncore_pmu_unit info, before = { .type = "" };
	unsigned int unit, checked = 0, types = 0;
	struct uncore *uncore;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	for (unit = 0; unit < uncore_num_units(uncore); unit++) {
		ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
		if (!strcmp(info.type, before.type) || !info.config_mask ||
		    info.state != UNCORE_PMU_STATE_OK || info.die > 0)
			continue;
		before = info;
		types++;
		checked += check_formats(_metadata, uncore, &info);
	}
	TH_LOG("%u fields of %u types", checked, types);
	EXPECT_TRUE(checked || !types);
	uncore_close(uncore);
}

TEST_HARNESS_MAIN
