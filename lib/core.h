/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files about counters of the core share; not installed. */
#ifndef UNCORE_CORE_INTERNAL_H
#define UNCORE_CORE_INTERNAL_H

#include "events.h"

/*
 * RDPMC indices that a perf page may give: fixed counters are at bit 30, and no
 * processor has more than 32 of them.
 */
#define UNCORE_CORE_FIXED	0x40000000U
#define UNCORE_CORE_INDICES	(UNCORE_CORE_FIXED + 32)

/*
 * Those that every kind of core of the processors with several kinds has. A
 * thread may be moved to another core right before RDPMC, which must then not
 * fault; that the value is wrong is found out afterwards.
 */
#define UNCORE_CORE_HYBRID_GENERAL	6U
#define UNCORE_CORE_HYBRID_FIXED	3U

/*
 * Where the kernel describes its PMUs, and on which CPU the caller runs; tests
 * give their own.
 */
struct uncore_core_place {
	const char *devices;
	int cpu;
};

/* @cpus: as the kernel lists them; "" if it is all of them. */
struct uncore_core_pmu {
	char name[UNCORE_CORE_PMU_LEN];
	uint32_t type;
	bool hybrid;
	char cpus[256];
};

/* @config: config, config1, config2 of struct perf_event_attr. */
struct uncore_core_event {
	struct uncore_core_pmu pmu;
	uint32_t type;
	uint64_t config[3];
	bool kernel;
	bool user;
};

/* Tells threads of a process apart; a child made by fork has its parent's. */
static inline uint64_t uncore_core_self(void)
{
	uint64_t self = 0;

#ifdef __x86_64__
	__asm__("mov %%fs:0, %0" : "=r"(self));
#endif
	return self;
}

/* One counter, in a page of its own. */
struct uncore_core_record {
	struct uncore_core core;
	char event[UNCORE_EVENT_NAME_LEN];
	struct uncore_core_pmu pmu;
	uint32_t type;
	uint64_t config;
	uint64_t system_calls;
	int32_t error;
};

/*
 * Finds a PMU by name, or for name NULL the one of the place's CPU. -ENODEV if
 * there is no PMU of a core at all, -ENOENT no such one.
 */
int uncore_core_pmu_find(const struct uncore_core_place *place,
			 const char *name, struct uncore_core_pmu *pmu);
/* Is the CPU in a list as "0-3,8"? */
bool uncore_core_cpus_have(const char *list, int cpu);
/* A small text file below the folder of a PMU, without its newline. */
int uncore_core_pmu_text(const struct uncore_core_place *place,
			 const char *pmu, const char *file, char *text,
			 size_t size);

int uncore_core_event_parse(const struct uncore_core_place *place,
			    const char *text, struct uncore_core_event *event,
			    struct uncore_event_error *error);
/* "event=0xc5,umask=1", for the PMU in @event. */
int uncore_core_fields_parse(const struct uncore_core_place *place,
			     const char *text, struct uncore_core_event *event,
			     struct uncore_event_error *error);

/* Says why perf refused, and gives the error to return. */
int uncore_core_explain(const struct uncore_core_event *event, int error,
			int paranoid, struct uncore_event_error *text);

/* What CPUID says about counters, apart from CPUID so that tests can say it. */
struct uncore_cpuid {
	bool amd;
	uint32_t max_leaf;
	uint32_t leaf_7_1_eax;
	uint32_t leaf_a_eax, leaf_a_ecx, leaf_a_edx;
	uint32_t leaf_23_ebx;
	uint32_t leaf_80000001_ecx;
	uint32_t leaf_80000022_eax, leaf_80000022_ebx;
};

void uncore_cpuid_read(struct uncore_cpuid *cpuid);
bool uncore_cpuid_hides(const struct uncore_cpuid *cpuid);
int uncore_cpuid_width(const struct uncore_cpuid *cpuid, uint32_t index);

#endif /* UNCORE_CORE_INTERNAL_H */
