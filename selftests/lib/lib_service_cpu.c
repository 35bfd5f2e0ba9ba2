// SPDX-License-Identifier: GPL-2.0-only
/*
 * Standing events when the last CPU of a die goes offline, and comes back.
 *
 * Test: where=guest boot=own kernels=6.1 timeout=180
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "tool.h"

#define CPU_OF_DIE_1	"/sys/devices/system/cpu/cpu1/online"

TEST(programmed_anew_when_there_is_a_cpu_again)
{
	struct tool *tool = calloc(2, sizeof(*tool)), *status = tool + 1;

	ASSERT_NE(NULL, tool);
	ASSERT_EQ(0, tool_start(tool, 0, "exec uncorectl program "
				"imc0@0/UNC_M_CAS_COUNT:RD "
				"imc0@1/UNC_M_CAS_COUNT:RD"));
	ASSERT_TRUE(tool_expect(tool, "imc0@0/ctr0"));
	ASSERT_TRUE(tool_expect(tool, "imc0@1/ctr0"));
	ASSERT_TRUE(tool_expect(tool, "via perf\n"));

	ASSERT_EQ(0, file_write(CPU_OF_DIE_1, "0"));
	EXPECT_TRUE(tool_expect(tool, "no CPU of its die is online: bring one back"));
	EXPECT_TRUE(tool_expect(tool, "1 claims were lost\n"));
	ASSERT_EQ(0, tool_run(status, 0, "uncorectl status imc0@0"));
	EXPECT_NE(NULL, strstr(status->text, "claimed"));

	ASSERT_EQ(0, file_write(CPU_OF_DIE_1, "1"));
	EXPECT_TRUE(tool_expect(tool, "imc0@1/ctr0"));
	EXPECT_TRUE(tool_expect(tool, "via perf\n"));
	ASSERT_EQ(0, tool_run(status, 0, "uncorectl status imc0@1"));
	EXPECT_NE(NULL, strstr(status->text, "claimed"));
	EXPECT_EQ(0, tool_end(tool, SIGTERM));
	free(tool);
}

TEST_HARNESS_MAIN
