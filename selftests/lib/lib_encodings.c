// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every event and unit mask of libpfm4, on every platform: the same encoding as
 * libpfm4's own, which is asked through its environment variable for PMUs that
 * this machine does not have.
 *
 * Test: where=host timeout=180
 */
#include "harness.h"

#include <stdlib.h>

#include <perfmon/pfmlib.h>

#include <uncore.h>

#include "events.h"

struct tally {
	struct __test_metadata *metadata;
	const struct uncore_place *place;
	const char *pmu;
	unsigned int names;
};

/* What libpfm4 says; false if it needs more than the control register. */
static bool encode(const char *pmu, const char *name, uint64_t *config)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	char text[256];
	bool alone;

	snprintf(text, sizeof(text), "%s::%s", pmu, name);
	if (pfm_get_os_event_encoding(text, PFM_PLM3, PFM_OS_NONE, &arg) !=
	    PFM_SUCCESS)
		return false;
	alone = arg.count == 1;
	*config = arg.codes[0];
	free(arg.codes);
	return alone;
}

static int compare(const struct uncore_event *event, const char *description,
		   void *data)
{
	struct tally *tally = data;
	struct __test_metadata *_metadata = tally->metadata;
	struct uncore_event_error error;
	struct uncore_event again;
	uint64_t config = ~0ULL;

	if (event->source != UNCORE_EVENT_LIBPFM)
		return 0;
	tally->names++;
	EXPECT_TRUE(encode(tally->pmu, event->name, &config))
		TH_LOG("%s %s", tally->pmu, event->name);
	EXPECT_EQ(config, event->kind == UNCORE_PMU_KIND_FIXED
			  ? UNCORE_CONFIG_FIXED : event->config)
		TH_LOG("%s %s", tally->pmu, event->name);
	EXPECT_NE('\0', description[0]);

	/* The name that is listed means what is listed. */
	EXPECT_EQ(0, uncore_place_parse(tally->place, event->name, &again,
					&error))
		TH_LOG("%s: %s", event->name, error.message);
	EXPECT_EQ(event->config, again.config);
	EXPECT_EQ(event->kind, again.kind);
	EXPECT_STREQ(event->name, again.name);
	return 0;
}

/* All of a PMU, through libpfm4's own list: what is missing from ours? */
static void look_for_missing(struct __test_metadata *_metadata,
			     const struct uncore_place *place, pfm_pmu_t pmu)
{
	pfm_pmu_info_t info = { .size = sizeof(info) };
	pfm_event_info_t event;
	struct uncore_event_error error;
	struct uncore_event parsed;
	uint64_t config;
	int i, ret;

	ASSERT_EQ(PFM_SUCCESS, pfm_get_pmu_info(pmu, &info));
	for (i = info.first_event; i >= 0; i = pfm_get_event_next(i)) {
		memset(&event, 0, sizeof(event));
		event.size = sizeof(event);
		ASSERT_EQ(PFM_SUCCESS,
			  pfm_get_event_info(i, PFM_OS_NONE, &event));
		ret = uncore_place_parse(place, event.name, &parsed, &error);
		/* The kernel's driver matches packets for it. */
		if (!strcmp(event.name, "UNC_Q_CTO_COUNT")) {
			EXPECT_EQ(-EOPNOTSUPP, ret);
			continue;
		}
		if (encode(info.name, event.name, &config)) {
			EXPECT_EQ(0, ret) TH_LOG("%s", error.message);
			if (parsed.kind == UNCORE_PMU_KIND_GENERAL)
				EXPECT_EQ(config, parsed.config);
		} else {
			EXPECT_NE(0, ret) TH_LOG("%s", event.name);
		}
	}
}

static pfm_pmu_t pmu_named(const char *name)
{
	pfm_pmu_info_t info;
	int i;

	for (i = 0; i < PFM_PMU_MAX; i++) {
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		if (pfm_get_pmu_info((pfm_pmu_t)i, &info) == PFM_SUCCESS &&
		    !strcmp(info.name, name))
			return (pfm_pmu_t)i;
	}
	return PFM_PMU_MAX;
}

FIXTURE(encodings) { };
FIXTURE_SETUP(encodings)
{
	/* Each test is a process of its own, so that this comes first. */
	ASSERT_EQ(0, setenv("LIBPFM_ENCODE_INACTIVE", "1", 1));
}
FIXTURE_TEARDOWN(encodings)
{
}

TEST_F(encodings, are_those_of_libpfm)
{
	struct uncore_pmu_unit info;
	struct uncore_place place;
	struct tally tally;
	unsigned int total = 0;
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(unit_cases); i++) {
		info = unit_of(&unit_cases[i]);
		place = (struct uncore_place){
			unit_cases[i].platform, &info, "/nonexistent", NULL,
		};
		tally = (struct tally){
			_metadata, &place, uncore_pfm_source(&place), 0,
		};
		if (!tally.pmu) {
			EXPECT_TRUE(unit_cases[i].nameless)
				TH_LOG("%s %s", unit_cases[i].platform,
				       unit_cases[i].type);
			continue;
		}
		EXPECT_EQ(0, uncore_place_list(&place, compare, &tally));
		look_for_missing(_metadata, &place, pmu_named(tally.pmu));
		TH_LOG("%s: %u names", tally.pmu, tally.names);
		EXPECT_LT(0, tally.names);
		total += tally.names;
	}
	EXPECT_LT(2000, total);
}

/* Without that variable, which is how it is used. */
TEST(names_without_the_variable)
{
	struct uncore_pmu_unit info = unit_of(find_case("haswell-ep", "imc"));
	struct uncore_place place = { "haswell-ep", &info, "/nonexistent", NULL };
	struct uncore_event_error error;
	struct uncore_event event;

	unsetenv("LIBPFM_ENCODE_INACTIVE");
	EXPECT_STREQ("hswep_unc_imc0", uncore_pfm_source(&place));
	EXPECT_EQ(0, uncore_place_parse(&place, "UNC_M_CAS_COUNT:WR", &event,
					&error));
	EXPECT_EQ(0xc04, event.config);
}

TEST_HARNESS_MAIN
