// SPDX-License-Identifier: GPL-2.0-only
/*
 * UNIT/EVENT/, lists of it, and the names that the kernel's perf PMUs have.
 *
 * Test: where=host
 */
#include "harness.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uncore.h>

#include "events.h"

static int split(const char *text, char *unit, char *event)
{
	struct uncore_event_error error = { .message = "" };
	int ret = uncore_spec_split(text, unit, event, &error);

	return ret && !error.message[0] ? -1 : ret;
}

TEST(specs)
{
	static const char *const wrong[] = {
		"", "/", "//", "imc", "imc/", "imc//", "/event=1/", "/event=1",
		"imc/a/b", "imc/a/b/", "imc/a//", "imc//a/", "%s%n",
	};
	char unit[UNCORE_NAME_LEN], event[UNCORE_SPEC_LEN];
	char text[1000];
	size_t i;

	ASSERT_EQ(0, split("imc/UNC_M_CAS_COUNT:RD/", unit, event));
	EXPECT_STREQ("imc", unit);
	EXPECT_STREQ("UNC_M_CAS_COUNT:RD", event);
	ASSERT_EQ(0, split("imc3@1/event=0x04,umask=0x03", unit, event));
	EXPECT_STREQ("imc3@1", unit);
	EXPECT_STREQ("event=0x04,umask=0x03", event);

	for (i = 0; i < ARRAY_LENGTH(wrong); i++)
		EXPECT_EQ(-EINVAL, split(wrong[i], unit, event))
			TH_LOG("%s", wrong[i]);
	for (i = 1; i < 900; i++) {
		memset(text, 'a', sizeof(text));
		strcpy(text + i, "/x/");
		EXPECT_EQ(i < UNCORE_NAME_LEN ? 0 : -EINVAL,
			  split(text, unit, event));
		memset(text, 'a', sizeof(text));
		text[1] = '/';
		text[2 + i] = '\0';
		EXPECT_EQ(i < UNCORE_SPEC_LEN ? 0 : -EINVAL,
			  split(text, unit, event));
	}
}

/* One spec after the other, up to a NULL. */
static void expect_list(struct __test_metadata *_metadata, const char *list,
			const char *const *specs)
{
	char spec[UNCORE_SPEC_LEN];

	for (; *specs; specs++) {
		ASSERT_EQ(1, uncore_spec_next(&list, spec, sizeof(spec)));
		EXPECT_STREQ(*specs, spec);
	}
	EXPECT_EQ(0, uncore_spec_next(&list, spec, sizeof(spec)));
}

#define LIST(list, ...) \
	expect_list(_metadata, list, (const char *const []){ __VA_ARGS__, NULL })

TEST(lists)
{
	char spec[UNCORE_SPEC_LEN], small[4];
	const char *list;

	LIST("imc/event=4,umask=3/,ha0@1/UNC_H_CLOCKTICKS/,x",
	     "imc/event=4,umask=3/", "ha0@1/UNC_H_CLOCKTICKS/", "x");
	LIST(" instructions,\tcpu/event=1, umask=2/ , imc/a\n",
	     "instructions", "cpu/event=1, umask=2/", "imc/a");
	/* without its second slash, a spec goes on to the end */
	LIST("imc/event=4,umask=3", "imc/event=4,umask=3");

	list = " \t\n";
	EXPECT_EQ(0, uncore_spec_next(&list, spec, sizeof(spec)));
	list = " , a";
	EXPECT_EQ(-EINVAL, uncore_spec_next(&list, spec, sizeof(spec)));
	list = "a , ";
	EXPECT_EQ(-EINVAL, uncore_spec_next(&list, spec, sizeof(spec)));

	list = ",imc/a/";
	EXPECT_EQ(-EINVAL, uncore_spec_next(&list, spec, sizeof(spec)));
	list = "imc/a/,";
	EXPECT_EQ(-EINVAL, uncore_spec_next(&list, spec, sizeof(spec)));
	list = ",";
	EXPECT_EQ(-EINVAL, uncore_spec_next(&list, spec, sizeof(spec)));
	list = "abcd";
	EXPECT_EQ(-ENAMETOOLONG, uncore_spec_next(&list, small, sizeof(small)));
	list = "abc";
	EXPECT_EQ(1, uncore_spec_next(&list, small, sizeof(small)));
}

TEST(of_the_core)
{
	EXPECT_EQ(1, uncore_spec_is_core("branch-misses"));
	EXPECT_EQ(1, uncore_spec_is_core("cpu/event=0xc5/"));
	EXPECT_EQ(1, uncore_spec_is_core("cpu_atom/cycles/"));
	EXPECT_EQ(1, uncore_spec_is_core("amd_df/event=7/"));
	EXPECT_EQ(1, uncore_spec_is_core("amd_l3/event=4/"));
	EXPECT_EQ(1, uncore_spec_is_core("CPU/cycles/"));
	EXPECT_EQ(1, uncore_spec_is_core("Cpu_Core/cycles/"));
	EXPECT_EQ(1, uncore_spec_is_core("AMD_DF/event=7/"));
	EXPECT_EQ(0, uncore_spec_is_core("cp/cycles/"));
	EXPECT_EQ(0, uncore_spec_is_core("amd/event=7/"));
	EXPECT_EQ(0, uncore_spec_is_core("imc/event=4/"));
	EXPECT_EQ(0, uncore_spec_is_core("imc0@0/ctr0/"));
}

TEST(numbers)
{
	static const char *const wrong[] = {
		"", ".", "x", "-1", "+1", " 1", "1 ", "1x", "0x10", "1..2",
		"1,5", "1e", "1e-", "1e99", "1e-99", "123456789012345678901234567890",
		"inf", "nan",
	};
	double value = 7;
	size_t i;

	ASSERT_TRUE(uncore_parse_decimal("6.103515625e-5", &value));
	EXPECT_EQ(64.0, value * 1048576);
	ASSERT_TRUE(uncore_parse_decimal("64", &value));
	EXPECT_EQ(64.0, value);
	ASSERT_TRUE(uncore_parse_decimal("3.814697266E-6", &value));
	EXPECT_EQ(3.814697266e-6, value);
	ASSERT_TRUE(uncore_parse_decimal("19e22", &value));
	EXPECT_EQ(19e22, value);
	value = 7;
	for (i = 0; i < ARRAY_LENGTH(wrong); i++) {
		EXPECT_FALSE(uncore_parse_decimal(wrong[i], &value))
			TH_LOG("%s", wrong[i]);
		EXPECT_EQ(7.0, value);
	}
}

/* Folders as the kernel's intel_uncore makes them. */
FIXTURE(aliases)
{
	char devices[64];
	struct uncore_pmu_unit info;
	struct uncore_place place;
	struct uncore_event event;
	struct uncore_event_error error;
};

static void put(const char *devices, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", devices, name);
	file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

FIXTURE_SETUP(aliases)
{
	char folder[128];

	strcpy(self->devices, "/tmp/uncore-events-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->devices));
	snprintf(folder, sizeof(folder), "%s/uncore_imc_0", self->devices);
	ASSERT_EQ(0, mkdir(folder, 0700));
	snprintf(folder, sizeof(folder), "%s/uncore_imc_0/events",
		 self->devices);
	ASSERT_EQ(0, mkdir(folder, 0700));
	put(folder, "cas_count_read", "event=0x04,umask=0x03\n");
	put(folder, "cas_count_read.scale", "6.103515625e-5\n");
	put(folder, "cas_count_read.unit", "MiB\n");
	put(folder, "clockticks", "event=0x00,umask=0x00\n");
	put(folder, "rd_prio", "event=0xa0,umask=0x01\n");
	put(folder, "rd_prio.scale", "x\n");
	put(folder, "rd_prio.unit", "MiB\n");
	put(folder, "joules", "event=0x55");
	put(folder, "joules.scale", "0.5");
	put(folder, "joules.unit", "Joules");
	put(folder, "steering", "event=0x56\n");
	put(folder, "steering.scale", "2\n");
	put(folder, "steering.unit", "\xc2\x9b" "2J\n");
	put(folder, "\x1b[2J", "event=0x57\n");
	put(folder, "filtered", "event=0x35,filter_opc=0x1c8\n");
	put(folder, "garbage", "\xff\xfe%n%n\n");
	put(folder, "empty", "");

	self->info = unit_of(find_case("haswell-ep", "imc"));
	self->place = (struct uncore_place){
		"haswell-ep", &self->info, self->devices, NULL,
	};
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

FIXTURE_TEARDOWN(aliases)
{
	EXPECT_EQ(0, nftw(self->devices, remove_one, 8, FTW_DEPTH | FTW_PHYS));
}

static int parse(FIXTURE_DATA(aliases) *self, const char *text)
{
	return uncore_place_parse(&self->place, text, &self->event,
				  &self->error);
}

TEST_F(aliases, parsed)
{
	ASSERT_EQ(0, parse(self, "cas_count_read"));
	EXPECT_EQ(0x304, self->event.config);
	EXPECT_EQ(UNCORE_EVENT_ALIAS, self->event.source);
	EXPECT_STREQ("cas_count_read", self->event.name);
	EXPECT_EQ(64.0, self->event.scale);
	EXPECT_STREQ("bytes", self->event.unit);
	ASSERT_EQ(0, parse(self, "CAS_Count_Read"));
	EXPECT_STREQ("cas_count_read", self->event.name);

	/* a scale that is none; libpfm4 knows no better */
	ASSERT_EQ(0, parse(self, "rd_prio"));
	EXPECT_EQ(0x1a0, self->event.config);
	EXPECT_EQ(0.0, self->event.scale);
	EXPECT_STREQ("", self->event.unit);

	ASSERT_EQ(0, parse(self, "joules"));
	EXPECT_EQ(0.5, self->event.scale);
	EXPECT_STREQ("Joules", self->event.unit);

	/* a unit that a terminal could take for a command */
	ASSERT_EQ(0, parse(self, "steering"));
	EXPECT_EQ(0x56, self->event.config);
	EXPECT_EQ(0.0, self->event.scale);
	EXPECT_STREQ("", self->event.unit);

	/* what the kernel knows of an event holds for its other names */
	ASSERT_EQ(0, parse(self, "event=0x55"));
	EXPECT_EQ(0.5, self->event.scale);
	EXPECT_STREQ("Joules", self->event.unit);

	/* the fixed counter, with perf's PMU or without */
	ASSERT_EQ(0, parse(self, "clockticks"));
	EXPECT_EQ(UNCORE_PMU_KIND_FIXED, self->event.kind);
}

TEST_F(aliases, refused)
{
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "filtered"));
	EXPECT_NE(NULL, strstr(self->error.message, "filter_opc needs a filter"));
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "garbage"));
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "empty"));
	EXPECT_EQ(-ENOENT, parse(self, "cas_count_read.scale"));
	EXPECT_EQ(-ENOENT, parse(self, "\x1b[2J"));
	EXPECT_EQ(-ENOENT, parse(self, "."));
	EXPECT_EQ(-ENOENT, parse(self, ".."));
	EXPECT_EQ(-ENOENT, parse(self, "../events/cas_count_read"));

	EXPECT_EQ(-ENOENT, parse(self, "cas_count_raed"));
	ASSERT_LE(1, self->error.num_nearest);
	EXPECT_STREQ("cas_count_read", self->error.nearest[0]);
}

TEST_F(aliases, other_units)
{
	/* of the same type, but another instance: 3 has no folder here */
	self->info.instance = 3;
	EXPECT_EQ(-ENOENT, parse(self, "cas_count_read"));
	/* Ice Lake-SP has no names in libpfm4, but the kernel's */
	self->info.instance = 0;
	self->place.platform = "snowridge";
	EXPECT_EQ(0, parse(self, "cas_count_read"));
	EXPECT_EQ(-ENOENT, parse(self, "UNC_M_CAS_COUNT:RD"));
	EXPECT_STREQ("units of type imc have no event UNC_M_CAS_COUNT:RD: "
		     "libpfm4 has no names for them on snowridge; names of the "
		     "kernel's perf PMU and event=...,umask=... can be used",
		     self->error.message);
}

struct list {
	unsigned int fixed;
	unsigned int aliases;
	unsigned int libpfm;
	unsigned int order;
};

static int count(const struct uncore_event *event, const char *description,
		 void *data)
{
	struct list *list = data;

	if (event->source == UNCORE_EVENT_FIXED)
		list->fixed++;
	if (event->source == UNCORE_EVENT_ALIAS) {
		list->aliases++;
		list->order |= list->libpfm;
	}
	if (event->source == UNCORE_EVENT_LIBPFM) {
		list->libpfm++;
		list->order |= !description[0];
	}
	return 0;
}

static int stop(const struct uncore_event *event, const char *description,
		void *data)
{
	(void)event;
	(void)description;
	return ++*(int *)data == 3 ? -EINTR : 0;
}

TEST_F(aliases, listed)
{
	struct list list = { 0 };
	int calls = 0;

	EXPECT_EQ(0, uncore_place_list(&self->place, count, &list));
	EXPECT_EQ(1, list.fixed);
	/* without those that are refused */
	EXPECT_EQ(5, list.aliases);
	EXPECT_LT(100, list.libpfm);
	EXPECT_EQ(0, list.order);
	EXPECT_EQ(-EINTR, uncore_place_list(&self->place, stop, &calls));
	EXPECT_EQ(3, calls);
}

TEST_HARNESS_MAIN
