// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that is removed while the library and uncorectl use it.
 *
 * Test: where=guest timeout=120 boot=own kernels=6.1
 */
#include "harness.h"

#include <signal.h>

#include <uncore.h>

#include "common.h"
#include "said.h"

static int remove_device(const struct uncore_pmu_unit *info)
{
	char path[80];

	snprintf(path, sizeof(path),
		 "/sys/bus/pci/devices/%04x:%02x:%02x.%x/remove",
		 info->segment, info->bus, info->device, info->function);
	return file_write(path, "1");
}

static struct uncore_pmu_unit unit_named(struct __test_metadata *_metadata,
					 struct uncore *uncore,
					 const char *name)
{
	struct uncore_pmu_unit info;
	unsigned int unit;

	ASSERT_EQ(1, uncore_find(uncore, name, &unit, 1));
	ASSERT_EQ(0, uncore_unit_info(uncore, unit, &info));
	ASSERT_EQ(UNCORE_PMU_STATE_OK, info.state);
	return info;
}

static int read_once(int sock, void *counter)
{
	(void)sock;
	uncore_read(counter);
	return 0;
}

TEST(library)
{
	struct uncore_counter counter;
	const volatile void *page;
	struct uncore_pmu_unit info;
	struct uncore *uncore;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	info = unit_named(_metadata, uncore, "imc1@0");
	ASSERT_EQ(0, uncore_counter_open(uncore, info.index, 0, &counter));
	EXPECT_EQ(0, child_run(read_once, &counter));

	ASSERT_EQ(0, remove_device(&info));
	EXPECT_EQ(UNCORE_COUNTER_GONE, uncore_counter_state(&counter));
	EXPECT_EQ(128 + SIGBUS, child_run(read_once, &counter));
	EXPECT_EQ(0, uncore_unit_info(uncore, info.index, &info));
	EXPECT_EQ(UNCORE_PMU_STATE_GONE, info.state);
	EXPECT_STREQ("imc", info.type);

	uncore_counter_close(&counter);
	EXPECT_EQ(-ENODEV, uncore_map(uncore, info.index, &page));
	EXPECT_EQ(-ENODEV, uncore_counter_open(uncore, info.index, 0,
					       &counter));
	uncore_close(uncore);
}

TEST(uncorectl)
{
	struct uncore_pmu_unit info;
	struct uncore *uncore;
	char line[1024], text[8192];
	int gone = 0, lines = 0;
	FILE *pipe;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	info = unit_named(_metadata, uncore, "imc1@1");
	uncore_close(uncore);

	pipe = popen("uncorectl read -j -i 0.1 -n 30 imc0@1/ctr0 imc1@1/ctr0",
		     "re");
	ASSERT_NE(NULL, pipe);
	while (fgets(line, sizeof(line), pipe)) {
		if (!lines++) {
			ASSERT_EQ(0, remove_device(&info));
		}
		gone += strstr(line, "\"gone\"") != NULL;
	}
	EXPECT_EQ(30, lines);
	EXPECT_LT(0, gone);
	EXPECT_LT(gone, 30);
	/* Died of nothing, but tells that a part could not be read. */
	EXPECT_EQ(3 << 8, pclose(pipe));

	EXPECT_EQ(3, said("uncorectl read imc1@1", line, sizeof(line)));
	EXPECT_NE(NULL, strstr(line, "gone: the PCI function was removed"));
	EXPECT_EQ(1, said("uncorectl doctor", text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, "devices were removed; should they be "
			       "back, have the module look anew: "))
		TH_LOG("%s", text);
}

/* The page reads as ones, though the kernel knows of no removal. */
TEST(hidden_while_read)
{
	struct uncore_pmu_unit info;
	struct uncore *uncore;
	int gone = 0, lines = 0;
	char line[1024];
	struct sim *sim;
	FILE *pipe;

	ASSERT_EQ(0, sim_open(&sim));
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	info = unit_named(_metadata, uncore, "imc4@1");
	uncore_close(uncore);

	pipe = popen("uncorectl read -j -i 0.1 -n 20 imc4@1/ctr0", "re");
	ASSERT_NE(NULL, pipe);
	while (fgets(line, sizeof(line), pipe)) {
		if (!lines++) {
			ASSERT_EQ(0, sim_hide(sim, unit_addr(&info), true));
		}
		gone += strstr(line, "\"gone\"") != NULL;
	}
	EXPECT_EQ(20, lines);
	EXPECT_LT(0, gone);
	EXPECT_EQ(3 << 8, pclose(pipe));

	/* Who comes now finds that the unit cannot be trusted. */
	EXPECT_EQ(3, said("uncorectl read imc4@1", line, sizeof(line)));
	EXPECT_NE(NULL, strstr(line, "invalid: the page does not show"));
	ASSERT_EQ(0, sim_hide(sim, unit_addr(&info), false));
	sim_close(sim);
}

TEST_HARNESS_MAIN
