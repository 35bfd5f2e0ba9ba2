/* SPDX-License-Identifier: GPL-2.0-only */
/* The units of all platforms, without a machine, for the tests of events. */
#ifndef LIB_EVENTS_H
#define LIB_EVENTS_H

#include <string.h>

#include "../../lib/events.h"

/* As the module gives them, see kmod/platforms.c. */
#define IVBEP_CONFIG	0xff04ffffULL
#define SNBEP_CONFIG	0xff84ffffULL
#define QPI_CONFIG	(1ULL << 21)
#define SNR_M2M_CONFIG	(0xffULL << 32)
#define SNR_PCIE3_CONFIG (0xfULL << 32)

#define FILTER \
	" needs a filter, by which single addresses, packets, threads or cores " \
	"could be watched: filters are never programmed through uncore_pmu"

struct unit_case {
	const char *platform;
	const char *type;
	uint64_t mask;
	bool fixed;
	/* libpfm4 4.13 has no names for it */
	bool nameless;
};

static const struct unit_case unit_cases[] = {
	{ "sandybridge-ep", "ha", SNBEP_CONFIG, false, false },
	{ "sandybridge-ep", "imc", SNBEP_CONFIG, true, false },
	{ "sandybridge-ep", "qpi", SNBEP_CONFIG | QPI_CONFIG, false, false },
	{ "sandybridge-ep", "r2pcie", SNBEP_CONFIG, false, false },
	{ "sandybridge-ep", "r3qpi", SNBEP_CONFIG, false, false },
	{ "ivybridge-ep", "ha", IVBEP_CONFIG, false, false },
	{ "ivybridge-ep", "imc", IVBEP_CONFIG, true, false },
	{ "ivybridge-ep", "irp", IVBEP_CONFIG, false, false },
	{ "ivybridge-ep", "qpi", IVBEP_CONFIG | QPI_CONFIG, false, false },
	{ "ivybridge-ep", "r2pcie", IVBEP_CONFIG, false, false },
	{ "ivybridge-ep", "r3qpi", IVBEP_CONFIG, false, false },
	{ "haswell-ep", "ha", SNBEP_CONFIG, false, false },
	{ "haswell-ep", "imc", SNBEP_CONFIG, true, false },
	{ "haswell-ep", "irp", SNBEP_CONFIG, false, false },
	{ "haswell-ep", "qpi", SNBEP_CONFIG | QPI_CONFIG, false, false },
	{ "haswell-ep", "r2pcie", SNBEP_CONFIG, false, false },
	{ "haswell-ep", "r3qpi", SNBEP_CONFIG, false, false },
	{ "broadwell-ep", "ha", SNBEP_CONFIG, false, false },
	{ "broadwell-ep", "imc", SNBEP_CONFIG, true, false },
	{ "broadwell-ep", "irp", SNBEP_CONFIG, false, false },
	{ "broadwell-ep", "qpi", SNBEP_CONFIG | QPI_CONFIG, false, false },
	{ "broadwell-ep", "r2pcie", SNBEP_CONFIG, false, false },
	{ "broadwell-ep", "r3qpi", SNBEP_CONFIG, false, false },
	{ "knl", "imc_uclk", SNBEP_CONFIG, true, false },
	{ "knl", "imc", SNBEP_CONFIG, true, false },
	{ "knl", "edc_uclk", SNBEP_CONFIG, true, false },
	{ "knl", "edc_eclk", SNBEP_CONFIG, true, false },
	{ "knl", "m2pcie", SNBEP_CONFIG, false, false },
	{ "knl", "irp", SNBEP_CONFIG, false, true },
	{ "skylake-sp", "imc", SNBEP_CONFIG, true, false },
	{ "skylake-sp", "m2m", SNBEP_CONFIG, false, false },
	{ "skylake-sp", "upi", SNBEP_CONFIG, false, false },
	{ "skylake-sp", "m2pcie", SNBEP_CONFIG, false, true },
	{ "skylake-sp", "m3upi", SNBEP_CONFIG, false, false },
	{ "icelake-sp", "m2m", SNBEP_CONFIG | SNR_M2M_CONFIG, false, true },
	{ "icelake-sp", "upi", SNBEP_CONFIG, false, true },
	{ "icelake-sp", "m3upi", SNBEP_CONFIG, false, true },
	{ "snowridge", "m2m", SNBEP_CONFIG | SNR_M2M_CONFIG, false, true },
	{ "snowridge", "pcie3", SNBEP_CONFIG | SNR_PCIE3_CONFIG, false, true },
};

/* A unit of a type with one general counter, and a fixed one if it has that. */
static inline struct uncore_pmu_unit unit_of(const struct unit_case *unit)
{
	struct uncore_pmu_unit info = {
		.state = UNCORE_PMU_STATE_OK,
		.config_mask = unit->mask,
		.num_counters = unit->fixed ? 2 : 1,
		.counter[0].kind = UNCORE_PMU_KIND_GENERAL,
		.counter[1] = {
			.kind = UNCORE_PMU_KIND_FIXED,
			.quantity = UNCORE_PMU_QUANTITY_CYCLES,
			.scale = 1,
		},
	};

	memcpy(info.type, unit->type, strlen(unit->type));
	return info;
}

static inline const struct unit_case *find_case(const char *platform,
						const char *type)
{
	size_t i;

	for (i = 0; i < sizeof(unit_cases) / sizeof(unit_cases[0]); i++)
		if (!strcmp(unit_cases[i].platform, platform) &&
		    !strcmp(unit_cases[i].type, type))
			return &unit_cases[i];
	return NULL;
}

#endif /* LIB_EVENTS_H */
