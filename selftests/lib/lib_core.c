// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of the core, as far as that goes without any: names, with folders
 * that stand for the kernel's; processors with several kinds of cores; pages of
 * kernels that are not to be trusted; what CPUID says.
 *
 * Test: where=host
 */
#include "harness.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <core.h>
#include "files.h"
#include "place.h"

FIXTURE(names)
{
	char dir[64];
	struct uncore_core_place place;
	struct uncore_core_event event;
	struct uncore_event_error error;
};

FIXTURE_SETUP(names)
{
	ASSERT_EQ(0, place_make(self->dir));
	self->place.devices = self->dir;
}

FIXTURE_TEARDOWN(names)
{
	EXPECT_EQ(0, place_remove(self->dir));
}

#define PARSE(text) \
	uncore_core_event_parse(&self->place, text, &self->event, &self->error)

static void one_kind(const char *dir)
{
	place_put(dir, "cpu/type", "4\n");
	place_put(dir, "cpu/format/event", "config:0-7,32-35\n");
	place_put(dir, "cpu/format/umask", "config:8-15\n");
	place_put(dir, "cpu/format/inv", "config:23\n");
	place_put(dir, "cpu/format/ldlat", "config1:0-15\n");
	place_put(dir, "cpu/format/odd", "config7:0-15\n");
	place_put(dir, "cpu/format/wide", "config:60-64\n");
	place_put(dir, "cpu/format/backwards", "config:9-8\n");
	place_put(dir, "cpu/format/text", "config:x\n");
	place_put(dir, "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	place_put(dir, "cpu/events/bad", "event=0xfffff\n");
	place_put(dir, "uncore_imc_0/type", "20\n");
	place_put(dir, "cpu_noise/other", "1\n");
}

TEST_F(names, what_they_mean)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config, config1;
		int user, kernel;
	} good[] = {
		{ "branch-misses", PERF_TYPE_HARDWARE, 5, 0, 1, 0 },
		{ "BRANCH-MISSES:K", PERF_TYPE_HARDWARE, 5, 0, 0, 1 },
		{ "cycles:uk", PERF_TYPE_HARDWARE, 0, 0, 1, 1 },
		{ "cpu/instructions/:u", PERF_TYPE_HARDWARE, 1, 0, 1, 0 },
		{ "cpu/instructions", PERF_TYPE_HARDWARE, 1, 0, 1, 0 },
		{ "CPU/Instructions/:U", PERF_TYPE_HARDWARE, 1, 0, 1, 0 },
		{ "Cpu/r1C5/", 4, 0x1c5, 0, 1, 0 },
		{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000, 0, 1, 0 },
		{ "dTLB-stores", PERF_TYPE_HW_CACHE, 0x103, 0, 1, 0 },
		{ "LLC-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10202, 0, 1, 0 },
		{ "r1c5", 4, 0x1c5, 0, 1, 0 },
		{ "RFFFFffffFFFFffff:k", 4, UINT64_MAX, 0, 0, 1 },
		{ "event=0x1c5,umask=3", 4, 0x1000003c5, 0, 1, 0 },
		{ "event=0xc5,inv:uk", 4, 0x8000c5, 0, 1, 1 },
		{ "config=0x1b,config1=7", 4, 0x1b, 7, 1, 0 },
		{ "mem-loads", 4, 0x1cd, 3, 1, 0 },
		{ "CPU/Mem-Loads/", 4, 0x1cd, 3, 1, 0 },
		{ "CPU/EVENT=0xC5,Inv/:UK", 4, 0x8000c5, 0, 1, 1 },
		{ "Config=0x1B,CONFIG1=7", 4, 0x1b, 7, 1, 0 },
	};
	size_t i;

	one_kind(self->dir);
	for (i = 0; i < ARRAY_LENGTH(good); i++) {
		ASSERT_EQ(0, PARSE(good[i].text))
			TH_LOG("%s: %s", good[i].text, self->error.message);
		EXPECT_EQ(good[i].type, self->event.type);
		EXPECT_EQ(good[i].config, self->event.config[0])
			TH_LOG("%s", good[i].text);
		EXPECT_EQ(good[i].config1, self->event.config[1]);
		EXPECT_EQ(good[i].user, self->event.user);
		EXPECT_EQ(good[i].kernel, self->event.kernel);
		EXPECT_STREQ("", self->error.message);
	}
}

TEST_F(names, what_means_nothing)
{
	static const struct {
		const char *text;
		int error;
		const char *said;
	} bad[] = {
		{ "", -EINVAL, "an event is missing" },
		{ "cpu//", -EINVAL, "an event is missing" },
		{ "cpux/cycles/", -ENOENT, "there is no PMU cpux for cores" },
		{ "AMD_UMC_0/event=0/", -EOPNOTSUPP, "amd_umc_0: RDPMC does "
		  "not reach the counters of AMD's memory controllers: use "
		  "perf stat -a -e amd_umc_0/.../, or count memory traffic in "
		  "amd_df" },
		{ "event=0x10000", -ERANGE,
		  "event=0x10000 is too large for its field" },
		{ "event=0x10000000000000000", -ERANGE,
		  "event=0x10000000000000000 is too large for its field" },
		{ "event=-1", -EINVAL,
		  "event=-1: a number is expected, as in 0x1f or 31" },
		{ "event=1x", -EINVAL,
		  "event=1x: a number is expected, as in 0x1f or 31" },
		{ "event=1,nothing=1", -EINVAL,
		  "cpu has no field nothing: see "
		  "/sys/bus/event_source/devices/cpu/format" },
		{ "../type/event=1/", -ENOENT, "there is no PMU .. for cores" },
		{ "event=1,,umask=1", -EINVAL, "cpu has no field : see "
		  "/sys/bus/event_source/devices/cpu/format" },
		{ "odd=1", -EPROTO, "odd=1: the kernel's description of this "
		  "field is not understood" },
		{ "wide=1", -EPROTO, "wide=1: the kernel's description of this "
		  "field is not understood" },
		{ "backwards=1", -EPROTO, "backwards=1: the kernel's "
		  "description of this field is not understood" },
		{ "text=1", -EPROTO, "text=1: the kernel's description of this "
		  "field is not understood" },
		{ "bad", -EOPNOTSUPP, "event=0xfffff is too large for its field" },
		{ "no-such-event", -ENOENT, "cpu has no event no-such-event: it "
		  "is neither perf's, nor in "
		  "/sys/bus/event_source/devices/cpu/events, nor libpfm4's for "
		  "this processor" },
		{ "r", -ENOENT, NULL },
		{ "r12345678901234567", -ENOENT, NULL },
		{ "cycles:q", -EINVAL, NULL },
		{ "cycles:", -EINVAL, NULL },
		{ "page-faults", -EOPNOTSUPP, NULL },
	};
	char text[UNCORE_SPEC_LEN + 1];
	size_t i;

	one_kind(self->dir);
	for (i = 0; i < ARRAY_LENGTH(bad); i++) {
		EXPECT_EQ(bad[i].error, PARSE(bad[i].text))
			TH_LOG("%s: %s", bad[i].text, self->error.message);
		EXPECT_NE('\0', self->error.message[0]);
		if (bad[i].said)
			EXPECT_STREQ(bad[i].said, self->error.message);
	}
	memset(text, 'x', sizeof(text));
	text[UNCORE_SPEC_LEN] = '\0';
	EXPECT_EQ(-EINVAL, PARSE(text));
}

TEST_F(names, no_pmu)
{
	EXPECT_EQ(-ENODEV, PARSE("cycles"));
	place_put(self->dir, "cpu/other", "");
	EXPECT_EQ(-ENODEV, PARSE("cycles"));
	place_put(self->dir, "cpu/type", "four\n");
	EXPECT_EQ(-ENODEV, PARSE("cycles"));
	self->place.devices = "/nonexistent";
	EXPECT_EQ(-ENODEV, PARSE("cycles"));
}

#define TOO_MANY	"%s cannot be read: too many open files in this process: " \
			"raise ulimit -n, as each thread needs one for each event " \
			"of the core, in each group"

/* What cannot be looked at may be there. */
TEST_F(names, too_many_open_files)
{
	char expected[256];
	struct rlimit limit;
	int files, ret;

	one_kind(self->dir);
	/* With one file it is the PMU's that cannot be read, else the folder. */
	for (files = 0; files < 2; files++) {
		ASSERT_EQ(0, leave_files(&limit, files));
		ret = PARSE("cycles");
		ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
		EXPECT_EQ(-EMFILE, ret);
		snprintf(expected, sizeof(expected), TOO_MANY, self->dir);
		EXPECT_STREQ(expected, self->error.message);
	}
	ASSERT_EQ(0, PARSE("cycles"));
	ASSERT_EQ(0, leave_files(&limit, 0));
	ret = uncore_core_fields_parse(&self->place, "umask=1", &self->event,
				       &self->error);
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(-EMFILE, ret);
	snprintf(expected, sizeof(expected), TOO_MANY, "umask");
	EXPECT_STREQ(expected, self->error.message);
}

static void two_kinds(const char *dir)
{
	place_put(dir, "cpu_core/type", "4\n");
	place_put(dir, "cpu_core/cpus", "0-7,16\n");
	place_put(dir, "cpu_core/format/event", "config:0-7\n");
	place_put(dir, "cpu_atom/type", "10\n");
	place_put(dir, "cpu_atom/cpus", "8-15\n");
	place_put(dir, "cpu_atom/format/event", "config:0-7\n");
}

TEST_F(names, the_kind_of_core_decides)
{
	static const struct {
		int cpu;
		const char *pmu;
		uint32_t type;
	} kinds[] = {
		{ 0, "cpu_core", 4 }, { 7, "cpu_core", 4 },
		{ 8, "cpu_atom", 10 }, { 15, "cpu_atom", 10 },
		{ 16, "cpu_core", 4 },
	};
	size_t i;

	two_kinds(self->dir);
	for (i = 0; i < ARRAY_LENGTH(kinds); i++) {
		self->place.cpu = kinds[i].cpu;
		ASSERT_EQ(0, PARSE("branch-misses"));
		EXPECT_STREQ(kinds[i].pmu, self->event.pmu.name);
		EXPECT_EQ(PERF_TYPE_HARDWARE, self->event.type);
		EXPECT_EQ((uint64_t)kinds[i].type << 32 | 5,
			  self->event.config[0]);
		ASSERT_EQ(0, PARSE("LLC-loads"));
		EXPECT_EQ((uint64_t)kinds[i].type << 32 | 2,
			  self->event.config[0]);
		ASSERT_EQ(0, PARSE("event=0xc5"));
		EXPECT_EQ(kinds[i].type, self->event.type);
		EXPECT_EQ(0xc5, self->event.config[0]);
		ASSERT_EQ(0, PARSE("cpu_atom/rc5/"));
		EXPECT_EQ(10, self->event.type);
		ASSERT_EQ(0, PARSE("CPU_Atom/RC5/"));
		EXPECT_EQ(10, self->event.type);
	}
	self->place.cpu = 17;
	EXPECT_EQ(-ENODEV, PARSE("branch-misses"));
	EXPECT_STREQ("no PMU is for this CPU", self->error.message);
	EXPECT_EQ(-ENOENT, PARSE("cpu/branch-misses/"));
}

TEST(lists_of_cpus)
{
	EXPECT_TRUE(uncore_core_cpus_have("0", 0));
	EXPECT_TRUE(uncore_core_cpus_have("1,3-5,9", 9));
	EXPECT_TRUE(uncore_core_cpus_have("1,3-5,9", 4));
	EXPECT_FALSE(uncore_core_cpus_have("1,3-5,9", 2));
	EXPECT_FALSE(uncore_core_cpus_have("1,3-5,9", 10));
	EXPECT_FALSE(uncore_core_cpus_have("", 0));
	EXPECT_FALSE(uncore_core_cpus_have("0-7", -1));
	EXPECT_FALSE(uncore_core_cpus_have("x", 0));
	EXPECT_FALSE(uncore_core_cpus_have("5-", 6));
}

/* A counter whose page and descriptor are this program's own. */
FIXTURE(page)
{
	struct uncore_perf_page *page;
	struct uncore_core_record *record;
	struct uncore_counter counter;
};

FIXTURE_SETUP(page)
{
	static const uint64_t reading[3] = { 1234, 20, 20 };
	struct uncore_core *core;
	int fd = memfd_create("event", MFD_CLOEXEC);

	ASSERT_EQ(sizeof(reading), write(fd, reading, sizeof(reading)));
	ASSERT_EQ(0, lseek(fd, 0, SEEK_SET));
	self->record = mmap(NULL, sizeof(struct uncore_core_pages),
			    PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->record);
	core = &self->record->core;
	self->page = &((struct uncore_core_pages *)core)->perf;
	core->page = self->page;
	core->limit = UNCORE_CORE_INDICES;
	core->sign = 1ULL << 47;
	core->bias = core->sign;
#ifdef __x86_64__
	__asm__("mov %%fs:0, %0" : "=r"(core->owner));
#endif
	strcpy(self->record->event, "cycles");
	self->counter.load = UNCORE_LOAD_PERF;
	self->counter.way = 2;
	self->counter.mask = UINT64_MAX;
	self->counter.index = fd;
	self->counter.details = &core->details;
}

FIXTURE_TEARDOWN(page)
{
	uncore_counter_close(&self->counter);
	EXPECT_EQ(0, self->counter.load);
}

/* To execute RDPMC would be the end of this program. */
TEST_F(page, indices_that_do_not_exist)
{
	static const uint32_t indices[] = {
		0, UNCORE_CORE_INDICES + 1, 0x7fffffff, 0x80000000, 0xffffffff,
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(indices); i++) {
		self->page->index = indices[i];
		ASSERT_EQ(0, lseek(self->counter.index, 0, SEEK_SET));
		EXPECT_EQ(1234, uncore_read(&self->counter));
		EXPECT_EQ(i + 1, self->record->system_calls);
	}
	EXPECT_EQ(0, self->record->error);
}

TEST_F(page, indices_that_not_every_kind_of_core_has)
{
	static const uint32_t indices[] = {
		UNCORE_CORE_HYBRID_GENERAL + 1, 9, 0x20000001,
		UNCORE_CORE_FIXED + UNCORE_CORE_HYBRID_FIXED + 1,
		UNCORE_CORE_FIXED + 32,
	};
	size_t i;

	self->record->core.limit = UNCORE_CORE_HYBRID_GENERAL;
	for (i = 0; i < ARRAY_LENGTH(indices); i++) {
		self->page->index = indices[i];
		ASSERT_EQ(0, lseek(self->counter.index, 0, SEEK_SET));
		EXPECT_EQ(1234, uncore_read(&self->counter));
		EXPECT_EQ(i + 1, self->record->system_calls);
	}
}

/* As for another thread. */
TEST_F(page, not_the_owner)
{
	self->page->index = 1;
	self->record->core.owner++;
	EXPECT_EQ(1234, uncore_read(&self->counter));
	EXPECT_EQ(1, self->record->system_calls);
}

TEST_F(page, failures_are_kept)
{
	struct uncore_core_facts facts;

	errno = 4711;
	self->page->index = 0;
	EXPECT_EQ(1234, uncore_read(&self->counter));
	EXPECT_EQ(UINT64_MAX, uncore_read(&self->counter));
	EXPECT_EQ(-EPROTO, self->record->error);
	EXPECT_EQ(2, self->record->system_calls);
	EXPECT_EQ(4711, errno);
	EXPECT_EQ(-EPROTO, uncore_core_info(&self->counter, &facts));
	ASSERT_EQ(0, lseek(self->counter.index, 0, SEEK_SET));
	ASSERT_EQ(0, uncore_core_info(&self->counter, &facts));
	EXPECT_EQ(-EPROTO, facts.error);
	EXPECT_EQ(2, facts.system_calls);
	EXPECT_STREQ("cycles", facts.event);
	EXPECT_EQ(UNCORE_COUNTER_NOT_RUNNING, facts.state);
}

/* A thread on a core of another kind: its event waits. */
TEST_F(page, other_core)
{
	struct uncore_core_facts facts;
	struct uncore_watch watch;

	self->record->pmu.hybrid = true;
	strcpy(self->record->pmu.cpus, "100000-100001");
	self->page->index = 0;
	EXPECT_EQ(UNCORE_NOT_RUNNING,
		  uncore_watch_begin(&self->counter, NULL, &watch));
	EXPECT_EQ(UNCORE_COUNTER_NOT_RUNNING,
		  uncore_counter_state(&self->counter));
	ASSERT_EQ(0, uncore_core_info(&self->counter, &facts));
	EXPECT_EQ(1, facts.other_core);
}

TEST_F(page, missed_time_is_noticed)
{
	struct uncore_watch watch;
	uint64_t delta = 7;

	self->page->index = 1;
	self->page->time_enabled = 100;
	self->page->time_running = 60;
	EXPECT_EQ(UNCORE_VALID,
		  uncore_watch_begin(&self->counter, NULL, &watch));
	self->page->time_enabled = 200;
	self->page->time_running = 160;
	EXPECT_EQ(0, uncore_delta_checked(&self->counter, &watch, 10, 15,
					  &delta));
	EXPECT_EQ(5, delta);
	self->page->time_enabled++;
	EXPECT_EQ(-ESTALE, uncore_delta_checked(&self->counter, &watch, 10, 16,
						&delta));
	EXPECT_EQ(5, delta);
	EXPECT_EQ(UNCORE_NOT_RUNNING,
		  uncore_counter_status(&self->counter, &watch));
}

TEST(why_perf_refuses)
{
	struct uncore_core_event user = { .user = true };
	struct uncore_core_event kernel = { .user = true, .kernel = true };
	static const struct {
		int failed, paranoid, error;
		bool kernel;
		const char *said;
	} cases[] = {
		{ EACCES, 4, EACCES, false, "perf_event_paranoid is 4" },
		{ EACCES, 3, EACCES, true, "CAP_PERFMON" },
		{ EACCES, 2, EACCES, true, "with :u" },
		{ EACCES, 2, EACCES, false, "security module" },
		{ EACCES, 1, EACCES, true, "security module" },
		{ EPERM, 1, EACCES, false, "in a container" },
		{ ENOSYS, 1, ENODEV, false, "virtual machine" },
		{ ENOENT, 1, EOPNOTSUPP, false, "cannot count this event" },
		{ EINVAL, 1, EOPNOTSUPP, false, "cannot count this event" },
		{ EOPNOTSUPP, 1, EOPNOTSUPP, false, "cannot count this event" },
		{ EBUSY, 1, EBUSY, false, "held by another" },
		{ EMFILE, 1, EMFILE, false, "ulimit -n" },
		{ EACCES, UNCORE_CORE_PARANOID_UNKNOWN, EACCES, true,
		  "perf does not let you count: set" },
	};
	struct uncore_event_error error;
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(cases); i++) {
		EXPECT_EQ(-cases[i].error,
			  uncore_core_explain(cases[i].kernel ? &kernel : &user,
					      cases[i].failed,
					      cases[i].paranoid, &error));
		EXPECT_NE(NULL, strstr(error.message, cases[i].said))
			TH_LOG("%s", error.message);
	}
}

TEST(processors_that_hide_counters)
{
	struct uncore_cpuid cpuid = {
		.max_leaf = 0x23, .leaf_7_1_eax = 1 << 8, .leaf_23_ebx = 1 << 2,
	};

	EXPECT_TRUE(uncore_cpuid_hides(&cpuid));
	cpuid.leaf_23_ebx = ~(1U << 2);
	EXPECT_FALSE(uncore_cpuid_hides(&cpuid));
	cpuid.leaf_23_ebx = UINT32_MAX;
	cpuid.leaf_7_1_eax = ~(1U << 8);
	EXPECT_FALSE(uncore_cpuid_hides(&cpuid));
	cpuid.leaf_7_1_eax = UINT32_MAX;
	/* Leaves beyond the last give the data of the last. */
	cpuid.max_leaf = 0x22;
	EXPECT_FALSE(uncore_cpuid_hides(&cpuid));
	cpuid.max_leaf = 0x24;
	EXPECT_TRUE(uncore_cpuid_hides(&cpuid));
	cpuid.amd = true;
	EXPECT_FALSE(uncore_cpuid_hides(&cpuid));
}

TEST(widths_of_counters)
{
	struct uncore_cpuid intel = {
		.leaf_a_eax = 48 << 16 | 8 << 8 | 5, .leaf_a_ecx = 1 << 4,
		.leaf_a_edx = 40 << 5 | 3,
	};
	struct uncore_cpuid amd = { .amd = true };

	EXPECT_EQ(48, uncore_cpuid_width(&intel, 0));
	EXPECT_EQ(48, uncore_cpuid_width(&intel, 7));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&intel, 8));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&intel, 0x20000000));
	EXPECT_EQ(40, uncore_cpuid_width(&intel, 0x40000002));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&intel, 0x40000003));
	EXPECT_EQ(40, uncore_cpuid_width(&intel, 0x40000004));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&intel, 0x40000024));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&intel, UINT32_MAX));
	intel.leaf_a_eax = 65 << 16 | 8 << 8 | 5;
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&intel, 0));
	intel.leaf_a_eax = 48 << 16 | 8 << 8;
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&intel, 0));

	EXPECT_EQ(48, uncore_cpuid_width(&amd, 3));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&amd, 4));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&amd, 6));
	amd.leaf_80000001_ecx = 1 << 23;
	EXPECT_EQ(48, uncore_cpuid_width(&amd, 5));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&amd, 9));
	amd.leaf_80000001_ecx |= 1 << 24;
	EXPECT_EQ(48, uncore_cpuid_width(&amd, 9));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&amd, 10));
	amd.leaf_80000001_ecx |= 1 << 28;
	EXPECT_EQ(48, uncore_cpuid_width(&amd, 15));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&amd, 16));
}

TEST_HARNESS_MAIN
