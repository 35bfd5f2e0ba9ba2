// SPDX-License-Identifier: GPL-2.0-only
/*
 * Standing events when the kernel's driver for the units comes after them, and
 * when a unit goes.
 *
 * Test: where=guest intel_uncore=no boot=own timeout=120 kernels=6.1
 */
#include "harness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "tool.h"

#define READS	"UNC_M_CAS_COUNT:RD"

TEST(programmed_anew_through_perf)
{
	struct tool *tool = calloc(2, sizeof(*tool)), *status = tool + 1;

	ASSERT_NE(NULL, tool);
	ASSERT_EQ(0, tool_start(tool, 0, "exec uncorectl program imc0@0/" READS
				"/ ha0@0/event=1"));
	ASSERT_TRUE(tool_expect(tool, "ha0@0/ctr0"));
	ASSERT_TRUE(tool_expect(tool, "via direct"));
	ASSERT_EQ(0, tool_run(status, 0, "modprobe intel-uncore && "
			      "uncorectl status imc0@0"));
	EXPECT_NE(NULL, strstr(status->text, "lost")) TH_LOG("%s", status->text);

	EXPECT_TRUE(tool_expect(tool, "uncorectl: program: 2 claims were lost\n"));
	EXPECT_TRUE(tool_expect(tool, "via perf"));
	EXPECT_TRUE(tool_expect(tool, "via perf"));
	ASSERT_EQ(0, tool_run(status, MEMBER_UID,
			      "uncorectl stat -I 10 -n 1 -e imc0@0/" READS));
	EXPECT_EQ(0, tool_end(tool, SIGTERM));
	ASSERT_EQ(0, tool_run(status, 0, "uncorectl status imc0@0 ha0@0"));
	EXPECT_EQ(NULL, strstr(status->text, "claimed"));
	EXPECT_EQ(NULL, strstr(status->text, "lost"));
	free(tool);
}

/* The attribute that removes the unit imc0@0. */
static int find_address(char *path, size_t size)
{
	int fd = node_open(O_RDONLY);
	struct units units = units_get(fd);
	const struct uncore_pmu_unit *unit = units_find(&units, "imc", 0, 0);

	if (unit)
		snprintf(path, size, "/sys/bus/pci/devices/%04x:%02x:%02x.%x/"
			 "remove", unit->segment, unit->bus, unit->device,
			 unit->function);
	units_free(&units);
	close(fd);
	return unit ? 0 : -ENODEV;
}

TEST(the_others_are_held)
{
	struct tool *tool = calloc(2, sizeof(*tool)), *stat = tool + 1;
	char path[128];

	ASSERT_NE(NULL, tool);
	ASSERT_EQ(0, find_address(path, sizeof(path)));
	ASSERT_EQ(0, tool_start(tool, 0, "exec uncorectl program imc@0/" READS));
	ASSERT_TRUE(tool_expect(tool, "imc5@0/ctr0"));
	ASSERT_EQ(0, tool_start(stat, MEMBER_UID, "exec uncorectl stat --csv "
				"-I 200 -e imc@0/" READS));
	ASSERT_TRUE(tool_expect(stat, ",total,imc@0,,,"));

	ASSERT_EQ(0, file_write(path, "1"));
	EXPECT_TRUE(tool_expect(stat, ",unit,imc0@0,0,ctr0,,,,gone\n"));
	EXPECT_TRUE(tool_expect(stat, ",total,imc@0,,,,,,gone\n"));
	EXPECT_TRUE(tool_expect(stat, ",unit,imc0@0,0,,,,,gone\n"));
	EXPECT_TRUE(tool_expect(stat, ",unit,imc1@0,0,ctr0,"));
	EXPECT_TRUE(tool_expect(tool, "imc0@0: gone: the PCI function was "
				"removed\n"));
	EXPECT_EQ(3, tool_end(stat, SIGINT));
	EXPECT_EQ(NULL, strstr(stat->text, "uncertain"));

	ASSERT_EQ(0, tool_run(stat, MEMBER_UID, "uncorectl stat -n 1 -I 10 -e "
			      "imc1@0/" READS));
	EXPECT_EQ(0, tool_end(tool, SIGTERM));
	free(tool);
}

TEST_HARNESS_MAIN
