// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units that share type and number, since nothing tells the die of either: the
 * PCI address tells them apart.
 *
 * Test: where=guest machine=selftests/sim/machines/hsx-2s-hidden-ubox.lspci timeout=120 kernels=6.1
 */
#include "harness.h"

#include <stdlib.h>

#include <uncore.h>

#include "common.h"
#include "said.h"

#define FIRST	0x111111111111ULL
#define SECOND	0x222222222222ULL

#define STAT_AS(format)	"echo | uncorectl stat -m " format " -o /dev/stdout " \
			"-e imc0@0001:7f:14.0/event=4,umask=3/ " \
			"-- /selftests/marked plan"

FIXTURE(unknown)
{
	struct uncore *uncore;
	struct sim *sim;
	char text[16384];
};

FIXTURE_SETUP(unknown)
{
	struct sim_addr addr = {
		.segment = 1, .bus = 0x7f, .device = 0x14, .function = 0
	};

	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	ASSERT_EQ(0, sim_set(self->sim, addr, 0, FIRST));
	addr.bus = 0xff;
	ASSERT_EQ(0, sim_set(self->sim, addr, 0, SECOND));
	ASSERT_EQ(0, uncore_open(NULL, &self->uncore));
}

FIXTURE_TEARDOWN(unknown)
{
	uncore_close(self->uncore);
	sim_clock(self->sim, true);
	sim_close(self->sim);
}

TEST_F(unknown, every_name_is_of_one_unit)
{
	struct uncore_pmu_unit info;
	char name[UNCORE_NAME_LEN];
	unsigned int i, unit;

	ASSERT_EQ(22, uncore_num_units(self->uncore));
	for (i = 0; i < uncore_num_units(self->uncore); i++) {
		ASSERT_EQ(0, uncore_unit_info(self->uncore, i, &info));
		EXPECT_EQ(-1, info.die);
		ASSERT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
		EXPECT_EQ(1, uncore_find(self->uncore, name, &unit, 1))
			TH_LOG("%s", name);
		EXPECT_EQ(i, unit);
	}
	EXPECT_EQ(2, uncore_find(self->uncore, "imc0@?", NULL, 0));
	EXPECT_EQ(2, uncore_find(self->uncore, "imc0", NULL, 0));
	EXPECT_EQ(0, uncore_find(self->uncore, "imc0@0", NULL, 0));
	EXPECT_EQ(0, uncore_find(self->uncore, "imc1@0001:ff:14.0", NULL, 0));
	EXPECT_EQ(1, uncore_find(self->uncore, "imc@0001:ff:14.0", NULL, 0));
}

TEST_F(unknown, counters)
{
	struct uncore_counter counter;

	EXPECT_EQ(-ENOTUNIQ, uncore_counter_open_name(self->uncore,
						      "imc0@?/ctr0", &counter));
	ASSERT_EQ(0, uncore_counter_open_name(self->uncore,
					      "imc0@0001:7f:14.0/ctr0",
					      &counter));
	EXPECT_EQ(FIRST, uncore_read(&counter));
	uncore_counter_close(&counter);
	ASSERT_EQ(0, uncore_counter_open_name(self->uncore,
					      "imc0@0001:FF:14.0/ctr0",
					      &counter));
	EXPECT_EQ(SECOND, uncore_read(&counter));
	uncore_counter_close(&counter);
	EXPECT_EQ(-ENOENT, uncore_counter_open_name(self->uncore,
						    "imc0@0001:7e:14.0/ctr0",
						    &counter));
}

static int keep_result(const struct uncore_result *result, void *data)
{
	*(struct uncore_result *)data = *result;
	return 0;
}

/* Not what a thread has counted. */
TEST_F(unknown, region)
{
	struct uncore_result result = { .die = 0 };
	struct uncore_region *region;
	struct uncore_plan *plan;
	char *text;

	ASSERT_EQ(0, uncore_plan_open(self->uncore, "imc0@0001:7f:14.0/ctr0/", 0,
				      &plan, NULL));
	ASSERT_EQ(0, uncore_region_open(plan, "r", &region));
	uncore_region_begin(region);
	uncore_region_end(region);
	ASSERT_EQ(0, uncore_plan_results(plan, 0, keep_result, &result));
	EXPECT_EQ(UNCORE_DIE_UNKNOWN, result.die);
	ASSERT_EQ(0, uncore_plan_text(plan, UNCORE_FORMAT_TABLE, 0, &text));
	EXPECT_EQ(1, said_count(text, "\nr                    die ?  "));
	free(text);
	ASSERT_EQ(0, uncore_plan_text(plan, UNCORE_FORMAT_CSV, 0, &text));
	EXPECT_EQ(1, said_count(text, ",?,1,"));
	free(text);
	ASSERT_EQ(0, uncore_plan_text(plan, UNCORE_FORMAT_JSON, 0, &text));
	EXPECT_EQ(1, said_count(text, ", \"die\": null, \"times\": 1, "));
	free(text);
	uncore_plan_close(plan);

	EXPECT_EQ(7, said(STAT_AS(""), self->text, sizeof(self->text)));
	EXPECT_EQ(1, said_count(self->text, "\npaused               die ?  "));
	EXPECT_EQ(7, said(STAT_AS("--csv"), self->text, sizeof(self->text)));
	EXPECT_EQ(3, said_count(self->text, ",?,,1,"));
	EXPECT_EQ(7, said(STAT_AS("--json"), self->text, sizeof(self->text)));
	EXPECT_EQ(3, said_count(self->text, "\"of\":\"die\","));
	EXPECT_EQ(0, said_count(self->text, "\"of\":\"thread\","));
}

TEST_F(unknown, tool)
{
	EXPECT_EQ(0, said("uncorectl read imc0@0001:ff:14.0/ctr0", self->text,
			  sizeof(self->text)));
	EXPECT_STREQ("UNIT           COUNTER                 VALUE  STATE\n"
		     "imc0@0001:ff:14.0 ctr0           37529996894754  not programmed\n",
		     self->text);

	/* Both, each under the name that asks for it alone. */
	EXPECT_EQ(0, said("uncorectl read imc0@?/ctr0", self->text,
			  sizeof(self->text)));
	EXPECT_STREQ("UNIT           COUNTER                 VALUE  STATE\n"
		     "imc0@0001:7f:14.0 ctr0           18764998447377  not programmed\n"
		     "imc0@0001:ff:14.0 ctr0           37529996894754  not programmed\n",
		     self->text);

	EXPECT_EQ(0, said("uncorectl list imc0@0001:7f:14.0", self->text,
			  sizeof(self->text)));
	EXPECT_EQ(1, said_count(self->text, "\nimc0@0001:7f:14.0   ok "));
	EXPECT_EQ(1, said_count(self->text, "\n1 unit: 1 ok\n"));
}

TEST_HARNESS_MAIN
