// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only some units have: events that match packets.
 *
 * Test: where=host
 */
#include "harness.h"

#include <uncore.h>

#include "events.h"

/* On a machine whose kernel has no perf PMU for the unit. */
FIXTURE(fields)
{
	struct uncore_pmu_unit info;
	struct uncore_place place;
	struct uncore_event event;
	struct uncore_event_error error;
};

FIXTURE_SETUP(fields)
{
	self->place = (struct uncore_place){
		"icelake-sp", &self->info, "/nonexistent", NULL,
	};
}

FIXTURE_TEARDOWN(fields)
{
}

static void be(FIXTURE_DATA(fields) *self, const char *platform,
	       const char *type, uint64_t mask)
{
	struct unit_case unit = { platform, type, mask, false, true };

	self->info = unit_of(&unit);
	self->place.platform = platform;
}

static int parse(FIXTURE_DATA(fields) *self, const char *text)
{
	return uncore_place_parse(&self->place, text, &self->event,
				  &self->error);
}

/* The kernel's driver programs registers that match packets for these. */
TEST_F(fields, numbers_of_events_that_match)
{
	static const struct {
		const char *type;
		const char *text;
		const char *message;
	} cases[] = {
		{ "qpi", "event=0x38", "UNC_Q_CTO_COUNT" FILTER },
		{ "qpi", "event=0x138,umask=1", "UNC_Q_CTO_COUNT" FILTER },
		{ "qpi", "UNC_Q_CTO_COUNT", "UNC_Q_CTO_COUNT" FILTER },
		{ "qpi", "config=0x840238", "UNC_Q_CTO_COUNT" FILTER },
		{ "ha", "event=0x20", "UNC_H_ADDR_OPC_MATCH" FILTER },
		{ "ha", "config=0x320", "UNC_H_ADDR_OPC_MATCH" FILTER },
	};
	static const char *const platforms[] = {
		"sandybridge-ep", "ivybridge-ep", "haswell-ep", "broadwell-ep",
	};
	size_t i, p;

	for (p = 0; p < ARRAY_LENGTH(platforms); p++) {
		for (i = 0; i < ARRAY_LENGTH(cases); i++) {
			be(self, platforms[p], cases[i].type,
			   SNBEP_CONFIG | QPI_CONFIG);
			EXPECT_EQ(-EOPNOTSUPP, parse(self, cases[i].text));
			EXPECT_STREQ(cases[i].message, self->error.message);
		}
		/* The same numbers are other events elsewhere. */
		be(self, platforms[p], "r2pcie", SNBEP_CONFIG);
		EXPECT_EQ(0, parse(self, "event=0x20"));
		EXPECT_EQ(0, parse(self, "event=0x38"));
		be(self, platforms[p], "qpi", SNBEP_CONFIG | QPI_CONFIG);
		EXPECT_EQ(0, parse(self, "event=0x120"));
	}
}

TEST_HARNESS_MAIN
