// SPDX-License-Identifier: GPL-2.0-only
/*
 * What to count, in every form, with what users and attackers may type.
 *
 * Test: where=host
 */
#include "harness.h"

#include <stdlib.h>

#include <uncore.h>

#include "events.h"

/*
 * Units of Haswell-EP, on a machine whose kernel has no perf PMU for them. The
 * context, which has no node, keeps what was looked up in libpfm4.
 */
FIXTURE(events)
{
	struct uncore *uncore;
	struct uncore_pmu_unit imc;
	struct uncore_pmu_unit ha;
	struct uncore_pmu_unit qpi;
	struct uncore_event event;
	struct uncore_event_error error;
};

FIXTURE_SETUP(events)
{
	self->imc = unit_of(find_case("haswell-ep", "imc"));
	self->ha = unit_of(find_case("haswell-ep", "ha"));
	self->qpi = unit_of(find_case("haswell-ep", "qpi"));
	memset(&self->event, 0x5a, sizeof(self->event));
	self->uncore = calloc(1, sizeof(*self->uncore));
	ASSERT_NE(NULL, self->uncore);
	ASSERT_EQ(0, pthread_mutex_init(&self->uncore->lock, NULL));
}

FIXTURE_TEARDOWN(events)
{
	uncore_pfm_free(self->uncore->tables);
	pthread_mutex_destroy(&self->uncore->lock);
	free(self->uncore);
}

static int parse(FIXTURE_DATA(events) *self, const struct uncore_pmu_unit *info,
		 const char *text)
{
	struct uncore_place place = {
		"haswell-ep", info, "/nonexistent", self->uncore,
	};

	return uncore_place_parse(&place, text, &self->event, &self->error);
}

static void expect(struct __test_metadata *_metadata,
		   FIXTURE_DATA(events) *self,
		   const struct uncore_pmu_unit *info, const char *text,
		   uint64_t config, const char *name)
{
	EXPECT_EQ(0, parse(self, info, text)) {
		TH_LOG("%s: %s", text, self->error.message);
		return;
	}
	EXPECT_EQ(UNCORE_PMU_KIND_GENERAL, self->event.kind);
	EXPECT_EQ(config, self->event.config) TH_LOG("%s", text);
	EXPECT_STREQ(name, self->event.name);
	EXPECT_STREQ("", self->error.message);
	EXPECT_EQ(0, self->error.num_nearest);
}

TEST_F(events, names_of_libpfm)
{
	static const char *const texts[] = {
		"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT.RD",
		"unc_m_cas_count:rd", "Unc_M_Cas_Count.Rd",
		"UNC_M_CAS_COUNT:RD:e=0", "UNC_M_CAS_COUNT.rd.I=0:t=0",
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(texts); i++) {
		expect(_metadata, self, &self->imc, texts[i], 0x304,
		       "UNC_M_CAS_COUNT:RD");
		EXPECT_EQ(UNCORE_EVENT_LIBPFM, self->event.source);
		EXPECT_EQ(64.0, self->event.scale);
		EXPECT_STREQ("bytes", self->event.unit);
	}
}

TEST_F(events, parts_of_names)
{
	/* the default unit mask */
	expect(_metadata, self, &self->imc, "UNC_M_CAS_COUNT", 0xf04,
	       "UNC_M_CAS_COUNT:ALL");
	/* two of them */
	expect(_metadata, self, &self->imc, "UNC_M_CAS_COUNT:RD:WR", 0xf04,
	       "UNC_M_CAS_COUNT:RD:WR");
	expect(_metadata, self, &self->imc, "unc_m_act_count.wr.rd", 0x301,
	       "UNC_M_ACT_COUNT:WR:RD");
	/* none */
	expect(_metadata, self, &self->imc, "UNC_M_RPQ_INSERTS", 0x10,
	       "UNC_M_RPQ_INSERTS");
	/* modifiers, after which a count is one of something else */
	expect(_metadata, self, &self->imc, "UNC_M_CAS_COUNT:RD:e:i=1:t=0x1f",
	       0x1f840304, "UNC_M_CAS_COUNT:RD:e=1:i=1:t=31");
	EXPECT_EQ(0.0, self->event.scale);
	EXPECT_STREQ("", self->event.unit);
	/* bit 21 */
	expect(_metadata, self, &self->qpi, "UNC_Q_VNA_CREDIT_RETURNS",
	       0x20001c, "UNC_Q_VNA_CREDIT_RETURNS");
	/* cycles, which are no fixed counter here */
	expect(_metadata, self, &self->ha, "UNC_H_CLOCKTICKS", 0,
	       "UNC_H_CLOCKTICKS");
	EXPECT_EQ(1.0, self->event.scale);
	EXPECT_STREQ("cycles", self->event.unit);
}

TEST_F(events, fields)
{
	static const char *const texts[] = {
		"event=0x04,umask=0x03", "event=4,umask=3", "EVENT=0X4,Umask=03",
		"umask=3,event=4", "config=0x304", "event=4,umask=3,edge=0",
		"event=4,umask=3,edge=0,inv=0,thresh=0",
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(texts); i++) {
		expect(_metadata, self, &self->imc, texts[i], 0x304,
		       "event=0x04,umask=0x03");
		EXPECT_EQ(UNCORE_EVENT_RAW, self->event.source);
		EXPECT_EQ(64.0, self->event.scale);
		EXPECT_STREQ("bytes", self->event.unit);
	}
	expect(_metadata, self, &self->imc,
	       "event=4,umask=3,edge,inv=1,thresh=255", 0xff840304,
	       "event=0x04,umask=0x03,edge=1,inv=1,thresh=255");
	EXPECT_EQ(0.0, self->event.scale);
	expect(_metadata, self, &self->imc, "event=0", 0,
	       "event=0x00,umask=0x00");
	EXPECT_STREQ("cycles", self->event.unit);
	/* the ninth bit of an event, as perf writes it */
	expect(_metadata, self, &self->qpi, "event=0x102,umask=8", 0x200802,
	       "event=0x102,umask=0x08");
}

TEST(fields_of_the_upper_half)
{
	struct uncore_pmu_unit m2m = unit_of(find_case("snowridge", "m2m"));
	struct uncore_pmu_unit pcie3 = unit_of(find_case("snowridge", "pcie3"));
	struct uncore_place place = { "snowridge", &m2m, "/nonexistent", NULL };
	struct uncore_event_error error;
	struct uncore_event event;

	ASSERT_EQ(0, uncore_place_parse(&place, "event=0x37,umask=0x1204",
					&event, &error));
	EXPECT_EQ(0x1200000437, event.config);
	EXPECT_STREQ("event=0x37,umask=0x1204", event.name);
	EXPECT_EQ(-ERANGE, uncore_place_parse(&place, "event=1,umask=0x10000",
					      &event, &error));
	place.info = &pcie3;
	ASSERT_EQ(0, uncore_place_parse(&place, "event=1,thresh=0xfff", &event,
					&error));
	EXPECT_EQ(0xfff000001, event.config);
	EXPECT_STREQ("event=0x01,umask=0x00,thresh=4095", event.name);
}

TEST_F(events, fixed)
{
	static const char *const texts[] = {
		"fixed", "FIXED", "clockticks", "event=0xff", "config=255",
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(texts); i++) {
		EXPECT_EQ(0, parse(self, &self->imc, texts[i]));
		EXPECT_EQ(UNCORE_PMU_KIND_FIXED, self->event.kind);
		EXPECT_EQ(0, self->event.config);
		EXPECT_EQ(1.0, self->event.scale);
		EXPECT_STREQ("cycles", self->event.unit);
		EXPECT_STREQ("fixed", self->event.name);
	}
	/* libpfm4's name for it */
	EXPECT_EQ(0, parse(self, &self->imc, "UNC_M_CLOCKTICKS"));
	EXPECT_EQ(UNCORE_PMU_KIND_FIXED, self->event.kind);
	EXPECT_EQ(0, self->event.config);
	EXPECT_STREQ("UNC_M_CLOCKTICKS", self->event.name);
	EXPECT_STREQ("cycles", self->event.unit);

	/* home agents have none */
	EXPECT_EQ(-EOPNOTSUPP, parse(self, &self->ha, "fixed"));
	EXPECT_STREQ("units of type ha have no fixed counter",
		     self->error.message);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, &self->ha, "event=0xff"));
	EXPECT_STREQ("event=0xff means the fixed counter, which units of type "
		     "ha do not have", self->error.message);
	EXPECT_EQ(-ENOENT, parse(self, &self->ha, "clockticks"));
}

static void expect_nearest(struct __test_metadata *_metadata,
			   FIXTURE_DATA(events) *self,
			   const struct uncore_pmu_unit *info, const char *text,
			   const char *first)
{
	EXPECT_EQ(-ENOENT, parse(self, info, text)) TH_LOG("%s", text);
	EXPECT_LT(0, self->error.num_nearest) {
		TH_LOG("%s", text);
		return;
	}
	EXPECT_GE(UNCORE_NEAREST_MAX, self->error.num_nearest);
	EXPECT_STREQ(first, self->error.nearest[0]);
	EXPECT_NE(NULL, strstr(self->error.message, text));
}

TEST_F(events, nearest_names)
{
	expect_nearest(_metadata, self, &self->imc, "UNC_M_CAS_COUNTS",
		       "UNC_M_CAS_COUNT");
	expect_nearest(_metadata, self, &self->imc, "UNC_M_CSA_COUNT",
		       "UNC_M_CAS_COUNT");
	expect_nearest(_metadata, self, &self->imc, "cas_count",
		       "UNC_M_CAS_COUNT");
	expect_nearest(_metadata, self, &self->imc, "UNC_M_CAS_COUNT:RDD",
		       "UNC_M_CAS_COUNT:RD");
	expect_nearest(_metadata, self, &self->imc, "UNC_M_CAS_COUNTS.WR",
		       "UNC_M_CAS_COUNT:WR");
	expect_nearest(_metadata, self, &self->imc, "unc_m_cas_cnt.wr",
		       "UNC_M_CAS_COUNT:WR");
	expect_nearest(_metadata, self, &self->imc, "fixt", "fixed");
	expect_nearest(_metadata, self, &self->ha, "UNC_H_IMC_READ",
		       "UNC_H_IMC_READS");

	/* the wrong thing between the parts */
	expect_nearest(_metadata, self, &self->imc, "UNC_M_CAS_COUNT_RD",
		       "UNC_M_CAS_COUNT:RD");
	EXPECT_EQ(1, self->error.num_nearest);
	EXPECT_STREQ("units of type imc have no event UNC_M_CAS_COUNT_RD: \":\" "
		     "is between the parts of a name", self->error.message);
	expect_nearest(_metadata, self, &self->ha, "unc_h_requests_reads",
		       "UNC_H_REQUESTS:READS");

	EXPECT_EQ(-ENOENT, parse(self, &self->imc, "nothing_like_it_at_all"));
	EXPECT_EQ(0, self->error.num_nearest);
	EXPECT_NE(NULL, strstr(self->error.message,
			       "have no event nothing_like_it_at_all: such"));
	/* of another type */
	EXPECT_EQ(-ENOENT, parse(self, &self->ha, "UNC_M_CAS_COUNT:RD"));
}

TEST_F(events, refused)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "", -EINVAL },
		{ "event=", -EINVAL },
		{ "event=x", -EINVAL },
		{ "event=0x", -EINVAL },
		{ "event=-1", -EINVAL },
		{ "event= 1", -EINVAL },
		{ "event=1 ", -EINVAL },
		{ "event=1,", -EINVAL },
		{ ",event=1", -EINVAL },
		{ "event=1,,umask=1", -EINVAL },
		{ "event=08", -EINVAL },
		{ "umask=1", -EINVAL },
		{ "edge=1,umask=1", -EINVAL },
		{ "event=1,event=1", -EINVAL },
		{ "config=1,event=1", -EINVAL },
		{ "event=1,config=1", -EINVAL },
		{ "config=1,config=1", -EINVAL },
		{ "event=1,cmask=1", -EINVAL },
		{ "event=1=1", -EINVAL },
		{ "event=1:umask=1", -EINVAL },
		{ "=", -EINVAL },
		{ ",", -EINVAL },
		{ "event=0x100", -ERANGE },
		{ "event=1,umask=0x100", -ERANGE },
		{ "event=1,edge=2", -ERANGE },
		{ "event=1,thresh=256", -ERANGE },
		{ "event=0x10000000000000000", -ERANGE },
		{ "event=9999999999999999999999", -ERANGE },
		{ "event=99999999999999999999999999", -EINVAL },
		{ "config=0x400304", -EOPNOTSUPP },
		{ "config=0x80304", -EOPNOTSUPP },
		{ "config=0x100000304", -EOPNOTSUPP },
		{ "config1=1,event=1", -EOPNOTSUPP },
		{ "event=1,filter_tid=1", -EOPNOTSUPP },
		{ "event=1,tid_en=1", -EOPNOTSUPP },
		{ "event=1,match_mc=1", -EOPNOTSUPP },
		{ "event=1,mask0=1", -EOPNOTSUPP },
		{ "UNC_H_ADDR_OPC_MATCH:FILT", -EOPNOTSUPP },
		{ "unc_h_addr_opc_match.opc", -EOPNOTSUPP },
		{ "UNC_X:FILT_NODE", -EOPNOTSUPP },
		{ "UNC_M_CAS_COUNT:RD:tid=3", -EOPNOTSUPP },
		{ "UNC_M_ACT_COUNT", -EINVAL },
		{ "UNC_M_CAS_COUNT:RD:RD", -EINVAL },
		{ "UNC_M_CAS_COUNT:RD:ALL", -EINVAL },
		{ "UNC_M_RD_CAS_RANK0:BANK1:BANK2", -EINVAL },
		{ "hswep_unc_ha0::UNC_M_CAS_COUNT:RD", -ENOENT },
		{ "::UNC_M_CAS_COUNT:RD", -ENOENT },
		{ "event=4,,umask=3", -EINVAL },
		{ "UNC_M_CAS_COUNT:", -ENOENT },
		{ "UNC_M_CAS_COUNT::RD", -ENOENT },
		{ ":RD", -ENOENT },
		{ ":", -ENOENT },
		{ "UNC_M_CAS_COUNT:RD:", -ENOENT },
		{ "UNC_M_CAS_COUNT:RD:x=1", -ENOENT },
		{ "UNC_M_CAS_COUNT:RD=1", -ENOENT },
		{ "UNC_M_CAS_COUNT:RD:e=2", -ERANGE },
		{ "UNC_M_CAS_COUNT:RD:t=256", -ERANGE },
		{ "UNC_M_CAS_COUNT:RD:t=99999999999999999999", -ERANGE },
		{ "UNC_M_CAS_COUNT:RD:t", -EINVAL },
		{ "UNC_M_CAS_COUNT:RD:t=", -EINVAL },
		{ "UNC_M_CAS_COUNT:RD:t=5x", -EINVAL },
		{ "UNC_M_CAS_COUNT:RD:t=-1", -EINVAL },
		{ "UNC_M_CAS_COUNT:RD:e=1:e=1", -EINVAL },
		{ "UNC_M_CAS_COUNT RD", -ENOENT },
		{ " UNC_M_CAS_COUNT:RD", -ENOENT },
		{ "UNC_M_CAS_COUNT:RD\n", -ENOENT },
		{ "%s%n%s%n", -ENOENT },
		{ "event=%n", -EINVAL },
		{ "../../etc/passwd", -ENOENT },
	};
	struct uncore_event before = self->event;
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(cases); i++) {
		EXPECT_EQ(cases[i].error,
			  parse(self, &self->imc, cases[i].text))
			TH_LOG("%s: %s", cases[i].text, self->error.message);
		EXPECT_NE('\0', self->error.message[0])
			TH_LOG("%s", cases[i].text);
		EXPECT_EQ(0, memcmp(&before, &self->event, sizeof(before)));
	}
}

TEST_F(events, messages)
{
	EXPECT_EQ(-EINVAL, parse(self, &self->imc, "UNC_M_ACT_COUNT"));
	EXPECT_STREQ("UNC_M_ACT_COUNT needs a unit mask: RD, WR, BYP",
		     self->error.message);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, &self->imc, "event=1,tid_en=1"));
	EXPECT_STREQ("tid_en" FILTER, self->error.message);
	EXPECT_EQ(-EINVAL, parse(self, &self->imc, "event=\x1b[2J\xff"));
	EXPECT_STREQ("event=?[2J?: a number is expected, as in 0x1f or 31",
		     self->error.message);
	EXPECT_EQ(-ENOENT, parse(self, &self->imc, "UNC_M_CAS_COUNT:RD:"));
	EXPECT_STREQ("UNC_M_CAS_COUNT:RD: has an empty part: write one \":\" "
		     "between two parts and none at the end",
		     self->error.message);
	EXPECT_EQ(-EINVAL, parse(self, &self->imc, "event=1,,umask=2"));
	EXPECT_STREQ("an empty field: write one comma between two fields and "
		     "none at the ends, as in event=0x04,umask=0x03",
		     self->error.message);
	EXPECT_EQ(-ENOENT, parse(self, &self->imc,
				 "bdx_unc_imc0::UNC_M_CAS_COUNT:RD"));
	EXPECT_STREQ("bdx_unc_imc0 is neither an event nor libpfm4's name for "
		     "these units, which is hswep_unc_imc0: leave it and the "
		     "\"::\" out", self->error.message);
	EXPECT_EQ(-ERANGE, parse(self, &self->imc, "event=1,umask=256"));
	EXPECT_STREQ("umask=0x100 is too large: the field ends at 0xff",
		     self->error.message);
}

/* As libpfm4's own tools write it; the number is the unit's affair. */
TEST_F(events, with_the_name_of_libpfm4s_pmu)
{
	ASSERT_EQ(0, parse(self, &self->imc,
			   "hswep_unc_imc0::UNC_M_CAS_COUNT:RD"));
	EXPECT_EQ(0x304, self->event.config);
	EXPECT_STREQ("UNC_M_CAS_COUNT:RD", self->event.name);
	EXPECT_EQ(0, parse(self, &self->imc,
			   "HSWEP_UNC_IMC5::unc_m_cas_count.rd:t=3"));
	EXPECT_EQ(0x3000304, self->event.config);
}

/* The kernel's names where its driver is not there. */
TEST_F(events, names_of_a_driver_that_is_not_loaded)
{
	EXPECT_EQ(-ENOENT, parse(self, &self->imc, "CAS_count_read"));
	EXPECT_STREQ("units of type imc have no event CAS_count_read: such "
		     "names come from the kernel's driver intel_uncore, which "
		     "has no PMU for them now; \"uncorectl events imc\" shows "
		     "the names there are", self->error.message);
	ASSERT_EQ(1, self->error.num_nearest);
	EXPECT_STREQ("UNC_M_CAS_COUNT:RD", self->error.nearest[0]);
	EXPECT_EQ(-ENOENT, parse(self, &self->imc, "UNC_WHATEVER_IT_IS"));
	EXPECT_STREQ("units of type imc have no event UNC_WHATEVER_IT_IS: "
		     "\"uncorectl events imc\" shows the names there are",
		     self->error.message);
}

TEST_F(events, long_texts)
{
	static const size_t lengths[] = {
		1, 2, 3, 15, 16, 127, 128, 129, 254, 255, 256, 257, 511, 1024,
		99999,
	};
	static char text[100000];
	size_t i, length;
	int expected;

	for (i = 0; i < ARRAY_LENGTH(lengths); i++) {
		length = lengths[i];
		expected = length < UNCORE_SPEC_LEN ? -ENOENT : -EINVAL;
		memset(text, 'A', length);
		text[length] = '\0';
		EXPECT_EQ(expected, parse(self, &self->imc, text));
		memset(text, ':', length);
		EXPECT_EQ(expected, parse(self, &self->imc, text));
		text[length / 2] = '=';
		EXPECT_NE(0, parse(self, &self->imc, text));
	}
	memset(text, '1', sizeof(text) - 1);
	memcpy(text, "event=", 6);
	EXPECT_EQ(-EINVAL, parse(self, &self->imc, text));
}

/* Valid texts with a few bytes changed: whatever comes, it ends well. */
TEST_F(events, changed_texts)
{
	static const char *const seeds[] = {
		"UNC_M_CAS_COUNT:RD:e=1:t=5", "event=0x04,umask=0x03,thresh=9",
		"cas_count_read", "config=0x304", "fixed",
	};
	char text[64];
	uint64_t random = 0x9e3779b97f4a7c15;
	unsigned int round, i, accepted = 0;

	for (round = 0; round < 100; round++) {
		strcpy(text, seeds[round % ARRAY_LENGTH(seeds)]);
		for (i = 0; i < 1 + round % 3; i++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			text[random % strlen(text)] =
				(char)(1 + (random >> 32) % 255);
		}
		if (parse(self, &self->imc, text)) {
			EXPECT_NE('\0', self->error.message[0]);
			continue;
		}
		accepted++;
		EXPECT_EQ(0, self->event.config & ~self->imc.config_mask);
	}
	EXPECT_GT(100, accepted);
}

TEST_F(events, units_that_cannot)
{
	struct uncore_pmu_unit unit = self->imc;

	unit.config_mask = 0;
	EXPECT_EQ(-EOPNOTSUPP, parse(self, &unit, "event=4"));
	EXPECT_STREQ("units of type imc cannot be programmed",
		     self->error.message);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, &unit, "UNC_M_CAS_COUNT:RD"));

	/* Ivy Bridge-EP has no invert */
	unit.config_mask = IVBEP_CONFIG;
	EXPECT_EQ(-EOPNOTSUPP, parse(self, &unit, "event=4,inv=1"));
	EXPECT_STREQ("units of type imc do not let inv be set",
		     self->error.message);
	EXPECT_EQ(-EOPNOTSUPP, parse(self, &unit, "UNC_M_CAS_COUNT:RD:i=1"));
}

TEST(packets_are_not_matched)
{
	struct uncore_pmu_unit upi = unit_of(find_case("skylake-sp", "upi"));
	struct uncore_pmu_unit m2m = unit_of(find_case("skylake-sp", "m2m"));
	struct uncore_place place = { "skylake-sp", &upi, "/nonexistent", NULL };
	struct uncore_event_error error;
	struct uncore_event event;

	EXPECT_EQ(-EOPNOTSUPP,
		  uncore_place_parse(&place, "UNC_UPI_RXL_BASIC_HDR_MATCH:REQ",
				     &event, &error));
	EXPECT_STREQ("UNC_UPI_RXL_BASIC_HDR_MATCH" FILTER, error.message);
	/* nor by number, which here no other event has */
	EXPECT_EQ(-EOPNOTSUPP, uncore_place_parse(&place, "event=5,umask=0x8",
						  &event, &error));
	EXPECT_STREQ("UNC_UPI_RXL_BASIC_HDR_MATCH" FILTER, error.message);
	EXPECT_EQ(-EOPNOTSUPP, uncore_place_parse(&place, "config=0x804",
						  &event, &error));
	EXPECT_EQ(0, uncore_place_parse(&place, "event=2,umask=0xf", &event,
					&error));
	EXPECT_EQ(-EOPNOTSUPP,
		  uncore_place_parse(&place, "unc_upi_txl_basic_hdr_match",
				     &event, &error));
	EXPECT_EQ(0, uncore_place_parse(&place, "UNC_UPI_TXL_FLITS:ALL_DATA",
					&event, &error));
	EXPECT_EQ(0xf02, event.config);

	place.info = &m2m;
	EXPECT_EQ(-EOPNOTSUPP, uncore_place_parse(&place, "UNC_M2_PKT_MATCH:MC",
						  &event, &error));
	EXPECT_EQ(-EOPNOTSUPP, uncore_place_parse(&place, "event=0x4c,umask=2",
						  &event, &error));
	EXPECT_STREQ("UNC_M2_PKT_MATCH" FILTER, error.message);
}

TEST_F(events, names_of_configs)
{
	struct uncore_place place = {
		"haswell-ep", &self->imc, "/nonexistent", NULL,
	};
	struct uncore_event *event = &self->event;

	ASSERT_EQ(0, uncore_place_name(&place, UNCORE_PMU_KIND_GENERAL, 0x304,
				       event));
	EXPECT_STREQ("UNC_M_CAS_COUNT:RD", event->name);
	EXPECT_EQ(0x304, event->config);
	EXPECT_EQ(64.0, event->scale);
	ASSERT_EQ(0, uncore_place_name(&place, UNCORE_PMU_KIND_GENERAL,
				       0x05840304, event));
	EXPECT_STREQ("UNC_M_CAS_COUNT:RD:e=1:i=1:t=5", event->name);
	EXPECT_EQ(0x05840304, event->config);
	EXPECT_EQ(0.0, event->scale);
	ASSERT_EQ(0, uncore_place_name(&place, UNCORE_PMU_KIND_GENERAL, 0xabcd,
				       event));
	EXPECT_STREQ("event=0xcd,umask=0xab", event->name);
	ASSERT_EQ(0, uncore_place_name(&place, UNCORE_PMU_KIND_GENERAL,
				       0x100000304, event));
	EXPECT_STREQ("config=0x100000304", event->name);
	ASSERT_EQ(0, uncore_place_name(&place, UNCORE_PMU_KIND_FIXED, 0, event));
	EXPECT_STREQ("fixed", event->name);
	EXPECT_EQ(-EINVAL, uncore_place_name(&place,
					     UNCORE_PMU_KIND_FREE_RUNNING, 0,
					     event));
	place.info = &self->ha;
	EXPECT_EQ(-EINVAL, uncore_place_name(&place, UNCORE_PMU_KIND_FIXED, 0,
					     event));
}

TEST_HARNESS_MAIN
