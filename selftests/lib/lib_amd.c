// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of AMD's data fabric and L3 cache, as far as that goes without any:
 * which CPUs share them, and which counter an event is in.
 *
 * Test: where=host
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <core.h>
#include "place.h"

#define MASK	((1ULL << 48) - 1)

FIXTURE(machine)
{
	char dir[64];
	struct uncore_core_place place;
	struct uncore_event_error error;
	struct uncore_amd_cpus cpus;
};

FIXTURE_SETUP(machine)
{
	ASSERT_EQ(0, place_make(self->dir));
	self->place.devices = self->dir;
	self->place.cpus = self->dir;
}

FIXTURE_TEARDOWN(machine)
{
	EXPECT_EQ(0, place_remove(self->dir));
}

/* Two packages of two dies, with two complexes of two CPUs each. */
static void build(const char *dir, bool dies)
{
	char file[64], text[64];
	int cpu, first;

	for (cpu = 0; cpu < 16; cpu++) {
#define PUT(name, size)							\
		snprintf(file, sizeof(file), "cpu%d/" name, cpu);	\
		first = cpu / (size) * (size);				\
		snprintf(text, sizeof(text), "%d-%d\n", first,		\
			 first + (size) - 1);				\
		place_put(dir, file, text)
		PUT("topology/package_cpus_list", 8);
		PUT("topology/die_cpus_list", dies ? 4 : 8);
		PUT("cache/index3/shared_cpu_list", 2);
#undef PUT
		snprintf(file, sizeof(file), "cpu%d/cache/index3/level", cpu);
		place_put(dir, file, "3\n");
		snprintf(file, sizeof(file), "cpu%d/topology/physical_package_id",
			 cpu);
		place_put(dir, file, cpu < 8 ? "0\n" : "1\n");
	}
}

#define FIND(pmu, nodes)						\
	uncore_amd_cpus_find(&self->place, pmu, nodes, &self->cpus,	\
			     &self->error)

TEST_F(machine, one_data_fabric_a_package)
{
	build(self->dir, true);
	place_put(self->dir, "amd_df/cpumask", "0,8\n");
	self->place.cpu = 13;
	ASSERT_EQ(0, FIND("amd_df", 1)) TH_LOG("%s", self->error.message);
	EXPECT_EQ(8, self->cpus.home);
	EXPECT_EQ(1, self->cpus.package);
	EXPECT_EQ(0xff00, self->cpus.set[0]);
	EXPECT_TRUE(uncore_amd_cpus_hold(&self->place, "amd_df", &self->cpus));

	/* perf has gone to another CPU, or where it is of no use. */
	place_put(self->dir, "amd_df/cpumask", "0,9\n");
	EXPECT_TRUE(uncore_amd_cpus_hold(&self->place, "amd_df", &self->cpus));
	place_put(self->dir, "amd_df/cpumask", "0-7\n");
	EXPECT_FALSE(uncore_amd_cpus_hold(&self->place, "amd_df", &self->cpus));
}

TEST_F(machine, a_data_fabric_for_each_die)
{
	build(self->dir, true);
	place_put(self->dir, "amd_df/cpumask", "0,4,8,12\n");
	self->place.cpu = 6;
	ASSERT_EQ(0, FIND("amd_df", 2)) TH_LOG("%s", self->error.message);
	EXPECT_EQ(4, self->cpus.home);
	EXPECT_EQ(0, self->cpus.package);
	EXPECT_EQ(0x00f0, self->cpus.set[0]);
}

/* As new kernels do on old processors. */
TEST_F(machine, perf_counts_in_one_die_only)
{
	build(self->dir, true);
	place_put(self->dir, "amd_df/cpumask", "0,8\n");
	self->place.cpu = 6;
	EXPECT_EQ(-EXDEV, FIND("amd_df", 2));
	EXPECT_STREQ("for CPU 6, amd_df is not known to count: run on CPU 0,8, "
		     "where perf counts, or on one of the same die (taskset -c)",
		     self->error.message);
	self->place.cpu = 3;
	ASSERT_EQ(0, FIND("amd_df", 2));
	EXPECT_EQ(0, self->cpus.home);
	EXPECT_EQ(0x000f, self->cpus.set[0]);
}

/* Then nothing is certain but that a CPU is on its own die. */
TEST_F(machine, dies_are_not_told_apart)
{
	static const unsigned int nodes[] = { 0, 2, 4 };
	size_t i;

	build(self->dir, false);
	place_put(self->dir, "amd_df/cpumask", "0,8\n");
	for (i = 0; i < ARRAY_LENGTH(nodes); i++) {
		self->place.cpu = 3;
		EXPECT_EQ(-EXDEV, FIND("amd_df", nodes[i]));
		self->place.cpu = 8;
		ASSERT_EQ(0, FIND("amd_df", nodes[i]));
		EXPECT_EQ(8, self->cpus.home);
		EXPECT_EQ(0x0100, self->cpus.set[0]);
	}
}

TEST_F(machine, complexes)
{
	build(self->dir, true);
	place_put(self->dir, "amd_l3/cpumask", "0,2,4,6,8,10,12,14\n");
	self->place.cpu = 11;
	ASSERT_EQ(0, FIND("amd_l3", 1)) TH_LOG("%s", self->error.message);
	EXPECT_EQ(10, self->cpus.home);
	EXPECT_EQ(0x0c00, self->cpus.set[0]);
	/* No cache is shared by packages, whatever is said. */
	place_put(self->dir, "cpu11/cache/index3/shared_cpu_list", "0-15\n");
	ASSERT_EQ(0, FIND("amd_l3", 1));
	EXPECT_EQ(0xff00, self->cpus.set[0]);
	/* That is the instructions' or another level's. */
	place_put(self->dir, "cpu11/cache/index3/level", "2\n");
	EXPECT_EQ(-EXDEV, FIND("amd_l3", 1));
	EXPECT_NE(NULL, strstr(self->error.message, "of the same L3 cache"));
}

TEST_F(machine, nothing_is_said)
{
	EXPECT_EQ(-EPROTO, FIND("amd_df", 1));
	build(self->dir, true);
	EXPECT_EQ(-EPROTO, FIND("amd_df", 1));
	EXPECT_FALSE(uncore_amd_cpus_hold(&self->place, "amd_df", &self->cpus));
	EXPECT_FALSE(uncore_amd_cpus_have(&self->cpus, -1));
	EXPECT_FALSE(uncore_amd_cpus_have(&self->cpus, UNCORE_AMD_CPUS));
	place_put(self->dir, "amd_df/cpumask", "0\n");
	self->place.cpu = -1;
	EXPECT_EQ(-EPROTO, FIND("amd_df", 1));
}

TEST_F(machine, names)
{
	struct uncore_core_event event;

	place_put(self->dir, "cpu/type", "4\n");
	EXPECT_EQ(-ENODEV, uncore_core_event_parse(&self->place,
						   "amd_df/event=7/", &event,
						   &self->error));
	EXPECT_NE(NULL, strstr(self->error.message, "amd_df"));
	place_put(self->dir, "amd_df/type", "10\n");
	place_put(self->dir, "amd_df/format/event", "config:0-7,32-35,59-60\n");
	place_put(self->dir, "amd_df/format/umask", "config:8-15\n");
	ASSERT_EQ(0, uncore_core_event_parse(&self->place,
					     "amd_df/event=0x1807,umask=0x38/",
					     &event, &self->error));
	EXPECT_EQ(10, event.type);
	EXPECT_EQ(0x0800000800003807ULL, event.config[0]);
	EXPECT_TRUE(event.user && event.kernel && event.pmu.shared);
	ASSERT_EQ(0, uncore_core_event_parse(&self->place, "amd_df/r1234/",
					     &event, &self->error));
	EXPECT_EQ(0x1234, event.config[0]);
	EXPECT_EQ(-EOPNOTSUPP, uncore_core_event_parse(&self->place,
						       "amd_umc_3/event=1/",
						       &event, &self->error));
}

TEST(which_counter)
{
	uint64_t before[28] = { 0 }, after[28] = { 0 };

	before[6] = 100;
	after[6] = 200;
	before[7] = 150;
	after[7] = 151;
	before[10] = MASK - 9;
	after[10] = 300;
	before[27] = 151;
	after[27] = 151;
	EXPECT_EQ(1 << 6 | 1 << 7 | 1 << 10 | 1 << 27,
		  uncore_amd_between(~0U >> 4, before, 151, after));
	EXPECT_EQ(1 << 6 | 1 << 10,
		  uncore_amd_between(~0U >> 4, before, 199, after));
	EXPECT_EQ(1 << 6, uncore_amd_between(1 << 6 | 1 << 7, before, 100,
					     after));
	EXPECT_EQ(1 << 10, uncore_amd_between(~0U >> 4, before, MASK, after));
	EXPECT_EQ(0, uncore_amd_between(1 << 7 | 1 << 27, before, 152, after));
	/* All that have counted nothing. */
	EXPECT_EQ(1 << 8 | 1 << 9 | 1 << 10,
		  uncore_amd_between(0x7c0, before, 0, after));
}

TEST(indices)
{
	struct uncore_cpuid cpuid = { .amd = true };

	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&cpuid, 6));
	cpuid.leaf_80000001_ecx = 1U << 23 | 1U << 24;
	EXPECT_EQ(48, uncore_cpuid_width(&cpuid, 9));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&cpuid, 10));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&cpuid, 16));
	cpuid.leaf_80000001_ecx |= 1U << 28;
	EXPECT_EQ(48, uncore_cpuid_width(&cpuid, 15));
	/* 16 counters of the data fabric, as version 2 may have. */
	cpuid.leaf_80000022_eax = 1;
	cpuid.leaf_80000022_ebx = 16 << 10 | 6;
	EXPECT_EQ(48, uncore_cpuid_width(&cpuid, 16));
	EXPECT_EQ(48, uncore_cpuid_width(&cpuid, 27));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&cpuid, 28));
	cpuid.leaf_80000022_ebx = 5 << 10 | 6;
	EXPECT_EQ(48, uncore_cpuid_width(&cpuid, 16));
	EXPECT_EQ(-ENXIO, uncore_cpuid_width(&cpuid, 17));
}

TEST_HARNESS_MAIN
