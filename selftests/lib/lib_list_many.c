// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine of 1,000 units from a discovery table, where an instruction
 * is a nanosecond: how long the list of them takes is the same every time.
 *
 * Test: where=guest machine=selftests/sim/machines/spr-1s-1000-units.lspci icount=yes intel_uncore=no timeout=120 kernels=6.1
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"

#include <uncore.h>

#define LIST		"/tmp/list"
/* and the free-running counters of four memory controllers */
#define NUM_UNITS	1004
#define HALF_A_SECOND	500000000LL

static long long now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static unsigned int lines_with(const char *path, const char *part)
{
	FILE *file = fopen(path, "re");
	unsigned int count = 0;
	char line[1024];

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		count += !!strstr(line, part);
	fclose(file);
	return count;
}

static void list(struct __test_metadata *_metadata, const char *command)
{
	long long took, start = now();

	ASSERT_EQ(0, system(command));
	took = now() - start;
	TH_LOG("%s with %u units: %lld instructions", command, NUM_UNITS, took);
	EXPECT_LT(took, HALF_A_SECOND);
	EXPECT_LT(1000000, took);
}

/* The first one after boot, when the kernel has no random numbers yet. */
TEST(json)
{
	list(_metadata, "uncorectl list --json >" LIST);
	EXPECT_EQ(NUM_UNITS, lines_with(LIST, "\"access\": \"mmio64\""));
}

TEST(text)
{
	list(_metadata, "uncorectl list >" LIST);
	EXPECT_EQ(NUM_UNITS, lines_with(LIST, " mmio64 "));
	EXPECT_EQ(1, lines_with(LIST, "1004 units: 1004 ok\n"));
}

TEST(events)
{
	list(_metadata, "uncorectl events >" LIST);
	EXPECT_EQ(1, lines_with(LIST, "type_40"));
}

TEST(names)
{
	unsigned int units[NUM_UNITS];
	struct uncore *uncore;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	EXPECT_EQ(NUM_UNITS, uncore_num_units(uncore));
	EXPECT_EQ(100, uncore_find(uncore, "imc", units, NUM_UNITS));
	EXPECT_EQ(400, uncore_find(uncore, "hbm", units, NUM_UNITS));
	EXPECT_EQ(500, uncore_find(uncore, "type_40", units, NUM_UNITS));
	EXPECT_EQ(1, uncore_find(uncore, "type_40_123@0", units, NUM_UNITS));
	uncore_close(uncore);
}

TEST_HARNESS_MAIN
