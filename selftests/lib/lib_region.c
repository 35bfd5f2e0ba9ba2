// SPDX-License-Identifier: GPL-2.0-only
/*
 * Begin and end of regions with all kinds of counters of the uncore, on registers
 * in memory, and no counter of the core; and what is made of the counts.
 *
 * Test: where=host
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <region.h>

#define MANY	20

/* The halves of a counter of its own for each kind and number. */
static uint32_t registers[2 * MANY] __attribute__((aligned(8)));

static void set(unsigned int i, uint64_t value)
{
	registers[2 * i] = (uint32_t)value;
	registers[2 * i + 1] = (uint32_t)(value >> 32);
	__asm__ volatile("" : : : "memory");
}

FIXTURE(region)
{
	struct uncore_plan plan;
	struct uncore_thread thread;
	struct uncore_region_full *region;
};

FIXTURE_SETUP(region)
{
	unsigned int i;

	self->thread.plan = &self->plan;
	self->region = calloc(1, sizeof(*self->region));
	ASSERT_NE(NULL, self->region);
	self->region->thread = &self->thread;
	for (i = 0; i < MANY; i++) {
		self->region->address[i] = &registers[2 * i];
		self->region->mask[i] = UINT64_MAX >> 16;
	}
}

FIXTURE_TEARDOWN(region)
{
	free(self->region);
}

/* Gives the plan one event, counted by the slot or, without, by the core. */
static void plan_event(FIXTURE_DATA(region) *self, struct uncore_entry *entry,
		       struct uncore_slot *slot)
{
	entry->core = !slot;
	self->plan.entries = entry;
	self->plan.num_entries = 1;
	self->plan.slots = slot;
	self->plan.num_slots = slot ? 1 : 0;
	self->region->num[UNCORE_SLOT_64] = slot ? 1 : 0;
	self->region->region.depth = -1;
}

/* And the region a name, so that it is in the results. */
static struct uncore_region_name *plan_name(FIXTURE_DATA(region) *self,
					    const char *text)
{
	struct uncore_region_name *name = calloc(1, sizeof(*name) + 64);

	if (!name)
		abort();
	strcpy(name->name, text);
	self->plan.names = name;
	self->plan.threads = &self->thread;
	self->thread.ended = true;
	self->thread.regions = self->region;
	self->region->name = name->name;
	return name;
}

/* Registers that are not read have something else in them each time. */
static void count(struct uncore_region_full *region, uint64_t before,
		  uint64_t after)
{
	unsigned int i;

	for (i = 0; i < MANY; i++)
		set(i, before + i);
	uncore_region_begin(&region->region);
	for (i = 0; i < MANY; i++)
		set(i, after + 3 * i);
	uncore_region_end(&region->region);
}

TEST_F(region, every_number_of_pairs)
{
	unsigned int num, i;

	for (num = 0; num <= MANY; num++) {
		memset(self->region->sum, 0, sizeof(self->region->sum));
		self->region->times = 0;
		self->region->num[UNCORE_SLOT_PAIR] = num;
		uncore_region_wire(self->region, 0, num % 2);
		count(self->region, 0xfffffff0, 0x10000000f);
		count(self->region, 0xfffffffffff0, 0x5);
		EXPECT_EQ(2, self->region->times);
		EXPECT_EQ(-1, self->region->region.depth);
		for (i = 0; i < MANY; i++)
			EXPECT_EQ(i < num ? 0x1f + 0x15 + 4 * i : 0,
				  self->region->sum[i])
				TH_LOG("%u of %u", i, num);
	}
}

TEST_F(region, loads_of_64_and_32_bits)
{
	unsigned int i;

	self->region->num[UNCORE_SLOT_PAIR] = 1;
	self->region->num[UNCORE_SLOT_64] = 2;
	self->region->num[UNCORE_SLOT_32] = 2;
	self->region->mask[3] = UINT32_MAX;
	self->region->mask[4] = UINT32_MAX;
	uncore_region_wire(self->region, 0, false);
	/* The low half wraps twice, which only a sum of differences knows. */
	count(self->region, 0xffffff00, 0xffffff00ULL + 0xffffff00);
	count(self->region, 0xffffff00, 0xffffff00ULL + 0xffffff00);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(2 * (0xffffff00ULL + 2 * i), self->region->sum[i])
			TH_LOG("%u", i);
	EXPECT_EQ(0, self->region->sum[5]);
}

/* Each section counts less than its counters hold, all together more. */
TEST_F(region, sums_are_wider_than_counters)
{
	static const unsigned int widths[] = { 48, 44, 64, 48, 36, 32, 24 };
	const unsigned int num = sizeof(widths) / sizeof(widths[0]);
	uint64_t most, before, after;
	unsigned int i, time;

	self->region->num[UNCORE_SLOT_PAIR] = 2;
	self->region->num[UNCORE_SLOT_64] = 3;
	self->region->num[UNCORE_SLOT_32] = 2;
	for (i = 0; i < num; i++)
		self->region->mask[i] = UINT64_MAX >> (64 - widths[i]);
	uncore_region_wire(self->region, 0, false);
	for (time = 0; time < 3; time++) {
		for (i = 0; i < num; i++)
			set(i, time * 5ULL);
		uncore_region_begin(&self->region->region);
		for (i = 0; i < num; i++) {
			most = self->region->mask[i] / 4 * 3;
			set(i, (time * 5ULL + most) & self->region->mask[i]);
		}
		uncore_region_end(&self->region->region);
	}
	for (i = 0; i < num; i++)
		EXPECT_EQ(3 * (self->region->mask[i] / 4 * 3),
			  self->region->sum[i]) TH_LOG("%u bits", widths[i]);

	/* Bits above the width are none of the counter's. */
	before = 0xabcULL << 48 | 7;
	after = 0x123ULL << 48 | 9;
	memset(self->region->sum, 0, sizeof(self->region->sum));
	set(0, before);
	set(1, before);
	uncore_region_begin(&self->region->region);
	set(0, after);
	set(1, after);
	uncore_region_end(&self->region->region);
	EXPECT_EQ(2, self->region->sum[0]);
	EXPECT_EQ(2, self->region->sum[1]);
}

TEST_F(region, only_the_outermost_counts)
{
	self->region->num[UNCORE_SLOT_64] = 1;
	uncore_region_wire(self->region, 0, false);
	set(0, 5);
	uncore_region_begin(&self->region->region);
	set(0, 7);
	uncore_region_begin(&self->region->region);
	set(0, 11);
	uncore_region_end(&self->region->region);
	set(0, 13);
	EXPECT_EQ(0, self->region->times);
	uncore_region_end(&self->region->region);
	EXPECT_EQ(1, self->region->times);
	EXPECT_EQ(8, self->region->sum[0]);
}

/* Callers may accept "unclaimed", so nothing else hides behind it. */
TEST_F(region, the_worst_state)
{
	static const struct {
		int first, second, both;
	} cases[] = {
		{ UNCORE_UNCLAIMED, UNCORE_UNCLAIMED, UNCORE_UNCLAIMED },
		{ UNCORE_UNCLAIMED, UNCORE_OVERWRITTEN, UNCORE_OVERWRITTEN },
		{ UNCORE_OVERWRITTEN, UNCORE_UNCLAIMED, UNCORE_OVERWRITTEN },
		{ UNCORE_UNCLAIMED, UNCORE_RELEASED, UNCORE_RELEASED },
	};
	const struct uncore_details details = { .kind = UNCORE_PMU_KIND_GENERAL };
	struct uncore_slot slots[2] = {
		{ .counter.details = &details }, { .counter.details = &details },
	};
	struct uncore_entry entry = { .core = false };
	unsigned int i;
	int state;

	plan_event(self, &entry, slots);
	self->plan.num_slots = 2;
	self->region->sum[0] = 5;
	self->region->sum[1] = 7;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		slots[0].watch.begun = (uint32_t)cases[i].first;
		slots[1].watch.begun = (uint32_t)cases[i].second;
		EXPECT_EQ(12, uncore_region_count(self->region, 0, 0, 0,
						  &state));
		EXPECT_EQ(cases[i].both, state) TH_LOG("%u", i);
	}
}

/* As of a counter that was reset, so that it ran backwards. */
TEST_F(region, more_than_can_be)
{
	static const struct {
		uint32_t kind;
		uint64_t most;
	} cases[] = {
		{ UNCORE_PMU_KIND_GENERAL, 128 * 8000000000ULL },
		{ UNCORE_PMU_KIND_FIXED, 8000000000 },
		{ UNCORE_PMU_KIND_FREE_RUNNING, 8000000000 },
	};
	struct uncore_details details = { .kind = 0 };
	struct uncore_slot slot = { .counter.details = &details };
	struct uncore_entry entry = { .core = false };
	unsigned int i;
	int state;

	plan_event(self, &entry, &slot);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		details.kind = cases[i].kind;
		slot.watch.begun = cases[i].kind == UNCORE_PMU_KIND_FREE_RUNNING
				   ? UNCORE_VALID : UNCORE_UNCLAIMED;
		/* In a second or more, but not in an hour. */
		self->plan.ns_start = uncore_now() - 1000000000;
		self->region->sum[0] = cases[i].most;
		uncore_region_count(self->region, 0, 0, 0, &state);
		EXPECT_EQ((int)slot.watch.begun, state) TH_LOG("%u", i);
		self->region->sum[0] = 3600 * cases[i].most;
		uncore_region_count(self->region, 0, 0, 0, &state);
		EXPECT_EQ(UNCORE_IMPLAUSIBLE, state) TH_LOG("%u", i);
	}
}

/* Names are what a program made of them; a table goes to a terminal. */
TEST_F(region, names_do_not_steer_the_terminal)
{
	const struct uncore_details details = { .kind = UNCORE_PMU_KIND_GENERAL };
	struct uncore_slot slot = {
		.counter.details = &details, .watch.begun = UNCORE_UNCLAIMED,
	};
	struct uncore_entry entry = { .name = "imc/\x1b[2J/" };
	struct uncore_region_name *name;
	char *text;

	plan_event(self, &entry, &slot);
	name = plan_name(self, "a\x1b[2J\xc2\x9b\n\x7f\xe4 \xc3\xa4z");
	ASSERT_EQ(0, uncore_plan_text(&self->plan, UNCORE_FORMAT_TABLE, 0,
				      &text));
	EXPECT_NE(NULL, strstr(text, "\na?[2J????? \xc3\xa4z        die 0    "
			       "           0 ")) TH_LOG("%s", text);
	EXPECT_NE(NULL, strstr(text, "  imc/?[2J/                    not claimed, "
			       "may be changed by others\n"))
		TH_LOG("%s", text);
	free(text);
	free(name);
}

/* Empty is as good as not set. */
TEST_F(region, settings_of_the_environment)
{
	char path[] = "/tmp/lib_region-XXXXXX", text[8] = "";
	static const char *const good[] = { "", "table", "CSV", "Json" };
	static const char *const bad[] = { "xml", "csv,json", "js", "jsonx" };
	struct uncore_event_error error;
	char said[80];
	unsigned int i;
	int fd;

	self->plan.pid = getpid();
	self->plan.num_entries = 1;
	ASSERT_EQ(0, pthread_mutex_init(&self->plan.lock, NULL));
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, setenv("UNCORE_FORMAT", good[i], 1));
		EXPECT_EQ(0, uncore_tell_open(&error)) TH_LOG("%s", good[i]);
		ASSERT_EQ(0, setenv("UNCORE_FORMAT", bad[i], 1));
		EXPECT_EQ(-EINVAL, uncore_tell_open(&error));
		snprintf(said, sizeof(said), "UNCORE_FORMAT is %s: make it "
			 "table, csv or json", bad[i]);
		EXPECT_STREQ(said, error.message);
	}
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", "", 1));
	EXPECT_EQ(0, uncore_plan_report(&self->plan));
	fd = mkstemp(path);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", path, 1));
	ASSERT_EQ(0, setenv("UNCORE_FORMAT", "Json", 1));
	EXPECT_EQ(0, uncore_plan_report(&self->plan));
	EXPECT_EQ(3, read(fd, text, sizeof(text)));
	EXPECT_STREQ("[]\n", text);
	close(fd);
	unlink(path);
	ASSERT_EQ(0, unsetenv("UNCORE_OUTPUT"));
	ASSERT_EQ(0, unsetenv("UNCORE_FORMAT"));
}

static int text_in_child(const struct uncore_result *result, void *plan)
{
	char *text, good = 0;
	int said[2];
	pid_t pid;

	(void)result;
	if (pipe(said))
		return -errno;
	pid = fork();
	if (!pid) {
		alarm(10);	/* rather than to wait for ever */
		good = !uncore_plan_text(plan, UNCORE_FORMAT_CSV, 0, &text) &&
		       strstr(text, "\n\"r\",\"e\",");
		_exit(write(said[1], &good, 1) != 1);
	}
	/* Not its exit status: valgrind finds fault with what it inherited. */
	close(said[1]);
	good = pid > 0 && read(said[0], &good, 1) == 1 && good;
	close(said[0]);
	return waitpid(pid, NULL, 0) == pid && good ? 0 : -ECHILD;
}

/* Each has the plan's lock when it makes a child, as another thread may. */
TEST_F(region, a_child_waits_for_no_lock)
{
	struct uncore_entry entry = { .name = "e" };
	struct uncore_region_name *name = plan_name(self, "r");

	plan_event(self, &entry, NULL);
	ASSERT_EQ(0, pthread_mutex_init(&self->plan.lock, NULL));
	self->plan.pid = getpid();
	EXPECT_EQ(0, uncore_plan_results(&self->plan, 0, text_in_child,
					 &self->plan));
	free(name);
}

TEST(too_many_plans)
{
	static struct uncore_plan *plans[PTHREAD_KEYS_MAX + 1];
	struct uncore_event_error error;
	unsigned int count = 0, i;
	int ret;

	ASSERT_EQ(0, unsetenv("UNCORE_EVENTS"));
	do {
		ASSERT_LE(count, PTHREAD_KEYS_MAX);
		ret = uncore_plan_open(NULL, NULL, 0, &plans[count], &error);
	} while (!ret && ++count);
	EXPECT_EQ(-EAGAIN, ret);
	EXPECT_LT(PTHREAD_KEYS_MAX - 50, count);
	EXPECT_STREQ("too many plans: each takes one of the 1024 keys that a "
		     "process has (pthread_key_create), so close some",
		     error.message);
	for (i = 0; i < count; i++)
		uncore_plan_close(plans[i]);
	ASSERT_EQ(0, uncore_plan_open(NULL, NULL, 0, &plans[0], &error));
	uncore_plan_close(plans[0]);
}

/* A reader of JSON takes no line that is no UTF-8, so there are only others. */
TEST(errors_are_plain_text)
{
	const struct uncore_event_error details = {
		.message = "\xe4 \xc3\xa4 \"\\\n\x7f~",
	};
	char path[] = "/tmp/lib_region-XXXXXX", line[128], expected[128];
	FILE *file;
	int fd;

	fd = mkstemp(path);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, setenv("UNCORE_STAT", path, 1));
	uncore_tell_error(-EINVAL, &details);
	ASSERT_EQ(0, unsetenv("UNCORE_STAT"));
	unlink(path);
	file = fdopen(fd, "r");
	ASSERT_NE(NULL, file);
	ASSERT_NE(NULL, fgets(line, sizeof(line), file));
	snprintf(expected, sizeof(expected), "{\"pid\": %d, \"error\": "
		 "\"' '' ''''~\"}\n", getpid());
	EXPECT_STREQ(expected, line);
	EXPECT_EQ(NULL, fgets(line, sizeof(line), file));
	fclose(file);
}

/* Nothing is read by an end without a begin, nor by the begin that follows. */
TEST_F(region, ended_before_it_is_begun)
{
	struct uncore_region *region = &self->region->region;
	int i;

	self->region->num[UNCORE_SLOT_64] = 1;
	uncore_region_wire(self->region, 0, false);
	for (i = 0; i < 2; i++) {
		set(0, 5);
		uncore_region_end(region);
		EXPECT_EQ(1, region->unpaired);
		set(0, 11);
		uncore_region_begin(region);
		EXPECT_EQ(-1, region->depth);
		EXPECT_EQ(0, self->region->times);
		EXPECT_EQ(0, self->region->sum[0]);
	}
	EXPECT_EQ(0, uncore_region_reset(region));
	EXPECT_EQ(0, region->unpaired);
	count(self->region, 3, 5);
	EXPECT_EQ(1, self->region->times);
	EXPECT_EQ(2, self->region->sum[0]);
	EXPECT_EQ(0, region->unpaired);
}

/* The file for results, which others may write to as well. */
FIXTURE(output)
{
	char path[64];
};

FIXTURE_SETUP(output)
{
	int fd;

	strcpy(self->path, "/tmp/lib_region-XXXXXX");
	fd = mkstemp(self->path);
	ASSERT_LE(0, fd);
	ASSERT_EQ(4, write(fd, "old\n", 4));
	close(fd);
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", self->path, 1));
	uncore_output_note();
}

FIXTURE_TEARDOWN(output)
{
	unlink(self->path);
}

#define WRITE(format, text) \
	EXPECT_EQ(0, uncore_output_write(self->path, format, text))

static void expect_file(struct __test_metadata *_metadata, const char *path,
			const char *text)
{
	char there[256] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	ASSERT_LE(0, fd);
	EXPECT_LE(0, read(fd, there, sizeof(there) - 1));
	EXPECT_STREQ(text, there);
	close(fd);
}

/* As programs do that are started together. */
static int write_in_child(const char *path, const char *text)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(uncore_output_write(path, UNCORE_FORMAT_CSV, text) != 0);
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

TEST_F(output, what_is_old_goes_and_what_is_new_stays)
{
	WRITE(UNCORE_FORMAT_TABLE, "h\n1\n");
	uncore_output_note();
	WRITE(UNCORE_FORMAT_TABLE, "h\n2\n");
	expect_file(_metadata, self->path, "h\n1\nh\n2\n");

	/* Begun anew, as another process does later. */
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", "/nonexistent", 1));
	uncore_output_note();
	ASSERT_EQ(0, setenv("UNCORE_OUTPUT", self->path, 1));
	uncore_output_note();
	WRITE(UNCORE_FORMAT_TABLE, "3\n");
	expect_file(_metadata, self->path, "3\n");
}

TEST_F(output, processes_at_the_same_time)
{
	EXPECT_EQ(0, write_in_child(self->path, "a,b\n1,2\n"));
	EXPECT_EQ(0, write_in_child(self->path, "a,b\n3,4\n"));
	WRITE(UNCORE_FORMAT_CSV, "a,b,c\n5,6,7\n");
	expect_file(_metadata, self->path, "a,b\n1,2\n3,4\na,b,c\n5,6,7\n");
}

TEST_F(output, json_stays_one_array)
{
	WRITE(UNCORE_FORMAT_JSON, "[]\n");
	expect_file(_metadata, self->path, "[]\n");
	WRITE(UNCORE_FORMAT_JSON, "[]\n");
	WRITE(UNCORE_FORMAT_JSON, "[\n{1}\n]\n");
	expect_file(_metadata, self->path, "[\n{1}\n]\n");
	WRITE(UNCORE_FORMAT_JSON, "[]\n");
	WRITE(UNCORE_FORMAT_JSON, "[\n{2},\n{3}\n]\n");
	expect_file(_metadata, self->path, "[\n{1},\n{2},\n{3}\n]\n");
}

TEST_F(output, a_file_for_each_process)
{
	char name[80], path[96];

	snprintf(name, sizeof(name), "%s.%%p%%", self->path);
	snprintf(path, sizeof(path), "%s.%d%%", self->path, getpid());
	EXPECT_EQ(0, uncore_output_write(name, UNCORE_FORMAT_TABLE, "1\n"));
	expect_file(_metadata, path, "1\n");
	unlink(path);
	expect_file(_metadata, self->path, "old\n");
}

TEST_F(output, what_cannot_be_written)
{
	char name[PATH_MAX + 1];

	memset(name, 'x', PATH_MAX);
	name[PATH_MAX] = '\0';
	EXPECT_EQ(-ENAMETOOLONG, uncore_output_write(name, 0, "1\n"));
	EXPECT_EQ(-EISDIR, uncore_output_write("/tmp", 0, "1\n"));
	EXPECT_EQ(-ENOENT, uncore_output_write("", 0, "1\n"));
	EXPECT_EQ(-ENOSPC, uncore_output_write("/dev/full", 0, "1\n"));
	EXPECT_EQ(0, uncore_output_write("/dev/null", 0, "1\n"));
}

TEST_HARNESS_MAIN
