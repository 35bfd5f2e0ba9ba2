// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only some units have: counters that run freely, fields of the control
 * register, and events that match packets.
 *
 * Test: where=host
 */
#include "harness.h"

#include <uncore.h>

#include "events.h"

#define ADL_IMC_CONFIG	0x00040fffULL
#define LNL_CONFIG	0xff84ffffULL
/* What the registers of IIO have; the module gives none to be programmed. */
#define SKX_IIO_CONFIG	0x00007fffff84ffffULL
#define SNR_IIO_CONFIG	0x0007ffffff84ffffULL
#define KNL_QOR_CONFIG	0xff85ffffULL

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

/* As kmod/platforms_imc.c has them. */
static void run_freely(FIXTURE_DATA(fields) *self)
{
	static const struct uncore_pmu_counter counters[] = {
		{ .name = "dclk", .scale = 1,
		  .quantity = UNCORE_PMU_QUANTITY_CYCLES },
		{ .name = "read", .scale = 64,
		  .quantity = UNCORE_PMU_QUANTITY_BYTES },
		{ .name = "ddrt_read_and_18", .scale = 64,
		  .quantity = UNCORE_PMU_QUANTITY_BYTES },
	};
	size_t i;

	be(self, "icelake-sp", "imc_free_running", 0);
	self->info.num_counters = ARRAY_LENGTH(counters);
	for (i = 0; i < ARRAY_LENGTH(counters); i++) {
		self->info.counter[i] = counters[i];
		self->info.counter[i].kind = UNCORE_PMU_KIND_FREE_RUNNING;
	}
}

TEST_F(fields, free_running)
{
	struct uncore_event named;

	run_freely(self);
	ASSERT_EQ(0, parse(self, "Read"));
	EXPECT_EQ(UNCORE_PMU_KIND_FREE_RUNNING, self->event.kind);
	EXPECT_EQ(UNCORE_EVENT_FREE_RUNNING, self->event.source);
	EXPECT_EQ(1, self->event.config);
	EXPECT_EQ(64.0, self->event.scale);
	EXPECT_STREQ("bytes", self->event.unit);
	EXPECT_STREQ("read", self->event.name);
	ASSERT_EQ(0, parse(self, "dclk"));
	EXPECT_EQ(0, self->event.config);
	EXPECT_STREQ("cycles", self->event.unit);
	/* of all its letters none is a NUL */
	ASSERT_EQ(0, parse(self, "ddrt_read_and_18"));
	EXPECT_EQ(2, self->event.config);
	EXPECT_STREQ("ddrt_read_and_18", self->event.name);

	ASSERT_EQ(0, uncore_place_name(&self->place,
				       UNCORE_PMU_KIND_FREE_RUNNING, 1,
				       &named));
	EXPECT_STREQ("read", named.name);
	EXPECT_EQ(-EINVAL, uncore_place_name(&self->place,
					     UNCORE_PMU_KIND_FREE_RUNNING, 3,
					     &named));
	EXPECT_EQ(-EINVAL, uncore_place_name(&self->place,
					     UNCORE_PMU_KIND_FREE_RUNNING,
					     1ULL << 32, &named));
}

TEST_F(fields, free_running_refused)
{
	run_freely(self);
	EXPECT_EQ(-ENOENT, parse(self, "rread"));
	EXPECT_STREQ("units of type imc_free_running have no event rread",
		     self->error.message);
	ASSERT_EQ(1, self->error.num_nearest);
	EXPECT_STREQ("read", self->error.nearest[0]);
	EXPECT_EQ(-ENOENT, parse(self, "joules"));
	EXPECT_EQ(0, self->error.num_nearest);
	EXPECT_STREQ("units of type imc_free_running have no event joules: "
		     "\"uncorectl events imc_free_running\" shows the names "
		     "there are", self->error.message);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "event=0xff,umask=0x20"));
	EXPECT_STREQ("units of type imc_free_running cannot be programmed, but "
		     "these always count: dclk, read, ddrt_read_and_18",
		     self->error.message);
	/* a counter that is programmed is no event */
	be(self, "haswell-ep", "imc", SNBEP_CONFIG);
	memcpy(self->info.counter[0].name, "ctr0", 5);
	EXPECT_EQ(-ENOENT, parse(self, "ctr0"));
}

static int add_up(const struct uncore_event *event, const char *description,
		  void *data)
{
	uint64_t *sum = data;

	*sum += 1ULL << (8 * event->config);
	return event->kind == UNCORE_PMU_KIND_FREE_RUNNING && description[0]
	       ? 0 : -EIO;
}

TEST_F(fields, free_running_listed)
{
	uint64_t sum = 0;

	run_freely(self);
	EXPECT_EQ(0, uncore_place_list(&self->place, add_up, &sum));
	EXPECT_EQ(0x010101, sum);
}

/* By the names that the kernel's "format" folders have. */
TEST_F(fields, of_the_control_register)
{
	static const struct {
		const char *platform;
		const char *type;
		uint64_t mask;
		const char *text;
		uint64_t config;
		const char *name;
	} cases[] = {
		{ "alderlake", "imc", ADL_IMC_CONFIG,
		  "event=2,chmask=0xf,edge=1", 0x40f02,
		  "event=0x02,chmask=0x0f,edge=1" },
		{ "lunarlake", "hbo", LNL_CONFIG, "event=1,threshold=255,inv",
		  0xff800001, "event=0x01,umask=0x00,inv=1,thresh=255" },
		{ "skylake-sp", "iio", SKX_IIO_CONFIG,
		  "event=0x83,umask=4,thresh=0xfff,ch_mask=0xff,fc_mask=7",
		  0x7fffff000483,
		  "event=0x83,umask=0x04,thresh=4095,ch_mask=255,fc_mask=7" },
		{ "icelake-sp", "iio", SNR_IIO_CONFIG,
		  "event=0x83,ch_mask=0x801,fc_mask=5", 0x5801000000083,
		  "event=0x83,umask=0x00,ch_mask=2049,fc_mask=5" },
		{ "snowridge", "iio", SNR_IIO_CONFIG, "event=1,ch_mask=0xfff",
		  0xfff000000001, "event=0x01,umask=0x00,ch_mask=4095" },
		{ "knl", "irp", KNL_QOR_CONFIG, "event=1,qor", 0x10001,
		  "event=0x01,umask=0x00,qor=1" },
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(cases); i++) {
		be(self, cases[i].platform, cases[i].type, cases[i].mask);
		ASSERT_EQ(0, parse(self, cases[i].text))
			TH_LOG("%s: %s", cases[i].text, self->error.message);
		EXPECT_EQ(cases[i].config, self->event.config);
		EXPECT_STREQ(cases[i].name, self->event.name);
		ASSERT_EQ(0, parse(self, cases[i].name));
		EXPECT_EQ(cases[i].config, self->event.config);
	}
}

TEST_F(fields, that_others_have)
{
	be(self, "alderlake", "imc", ADL_IMC_CONFIG);
	EXPECT_EQ(-ERANGE, parse(self, "event=2,chmask=0x10"));
	EXPECT_STREQ("chmask=0x10 is too large: the field ends at 0xf",
		     self->error.message);
	EXPECT_EQ(-EINVAL, parse(self, "event=2,umask=1"));
	EXPECT_STREQ("there is no field umask: the fields are event, chmask, "
		     "edge, or config for all of them", self->error.message);
	EXPECT_EQ(-EINVAL, parse(self, "umask=1,event=2"));
	EXPECT_EQ(-EINVAL, parse(self, "chmask=1"));
	EXPECT_STREQ("the field event is missing, as in event=0x04,chmask=0x03",
		     self->error.message);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "event=2,thresh=1"));
	EXPECT_EQ(-EINVAL, parse(self, "event=2,ch=1"));
	EXPECT_STREQ("there is no field ch: the fields are event, chmask, edge, "
		     "or config for all of them", self->error.message);

	be(self, "icelake-sp", "m2m", SNBEP_CONFIG | SNR_M2M_CONFIG);
	EXPECT_EQ(-EINVAL, parse(self, "event=2,chmask=1"));
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "event=2,ch_mask=1"));
	EXPECT_STREQ("units of type m2m do not let ch_mask be set",
		     self->error.message);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "event=2,fc_mask=1"));
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "event=2,qor=1"));

	/* As the module describes it where a table has it: an MSR. */
	be(self, "sapphire-rapids", "iio", LNL_CONFIG);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, "event=0x83,ch_mask=1"));
	EXPECT_STREQ("units of type iio do not let ch_mask be set",
		     self->error.message);
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
