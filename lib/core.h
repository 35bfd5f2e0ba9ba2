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

#define UNCORE_PERF_PAGE	4096
#define UNCORE_CORE_RECORD_SIZE	UNCORE_CORE_DISTANCE
#define UNCORE_CPUS_PATH	"/sys/devices/system/cpu"

/*
 * Where the kernel describes its PMUs and CPUs, and on which CPU the caller runs;
 * tests give their own.
 */
struct uncore_core_place {
	const char *devices;
	const char *cpus;
	int cpu;
};

/*
 * @shared: counts for all CPUs of a die or an L3 complex, see amd.c
 * @cpus: as the kernel lists them; "" if it is all of them
 */
struct uncore_core_pmu {
	char name[UNCORE_CORE_PMU_LEN];
	uint32_t type;
	bool hybrid;
	bool shared;
	char cpus[256];
};

/*
 * @config: config, config1, config2 of struct perf_event_attr
 * @cpu: if the PMU is shared, where perf counts it
 */
struct uncore_core_event {
	struct uncore_core_pmu pmu;
	uint32_t type;
	uint64_t config[3];
	bool kernel;
	bool user;
	int cpu;
};

/* More than the kernel can have. */
#define UNCORE_AMD_CPUS		8192

/* CPUs that read the same counters. @home is the one where perf counts. */
struct uncore_amd_cpus {
	int home;
	int package;
	uint64_t set[UNCORE_AMD_CPUS / 64];
};

/*
 * What is more to a counter that others share.
 * @right: a page whose mapping gives the right to RDPMC
 * @indices: those of RDPMC that the event's counter may have, a bit for each
 * @known: which of these are left, below the lock of the event's page that this
 *	is true for
 * @last: what perf said last
 * @refused: how many reads were tried on other CPUs
 */
struct uncore_amd {
	const struct uncore_perf_page *right;
	struct uncore_amd_cpus cpus;
	uint64_t known;
	uint64_t last;
	uint32_t indices;
	uint32_t refused;
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
	struct uncore_amd amd;
};

static inline struct uncore_core_record *
uncore_core_record_of(const struct uncore_counter *counter)
{
	return (struct uncore_core_record *)(uintptr_t)counter->details;
}

/* With @behind bytes of memory behind it. Null if out of memory. */
struct uncore_core_record *uncore_core_record_new(size_t behind);
void uncore_core_record_name(struct uncore_core_record *record,
			     const char *text,
			     const struct uncore_core_event *event);

/* As read(2) gives it. */
struct uncore_core_reading {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/*
 * Leaves errno alone: the caller may be in the middle of anything. -EPROTO: not
 * what was asked for, but nothing if a pinned event has no counter.
 */
int uncore_core_perf_read(const struct uncore_counter *counter,
			  struct uncore_core_reading *reading);

#define UNCORE_CORE_PINNED	1U
#define UNCORE_CORE_STOPPED	2U

/* A descriptor. */
int uncore_core_perf_open(const struct uncore_core_event *event,
			  unsigned int how, struct uncore_event_error *error);
/*
 * @place: where, or NULL. If that fails, the kernel has taken away what was there
 * before, and another thread may have something there already.
 */
int uncore_core_perf_map(int fd, void *place,
			 const struct uncore_perf_page **page,
			 struct uncore_event_error *error);
/* The width of the counter, if the page lets it be read with RDPMC. */
int uncore_core_perf_map_rdpmc(int fd, const struct uncore_core_pmu *pmu,
			       void *place,
			       const struct uncore_perf_page **page,
			       struct uncore_event_error *error);

/* The page of an event that never counts: while mapped it lets RDPMC be used. */
int uncore_core_perf_right(const struct uncore_core_place *place,
			   const struct uncore_perf_page **page,
			   struct uncore_event_error *error);

/* Of AMD's data fabric and L3 cache. */

static inline bool uncore_amd_is(const struct uncore_core_record *record)
{
	return record->amd.right;
}

static inline bool uncore_amd_cpus_have(const struct uncore_amd_cpus *cpus,
					int cpu)
{
	return cpu >= 0 && cpu < UNCORE_AMD_CPUS &&
	       cpus->set[cpu / 64] >> cpu % 64 & 1;
}

/*
 * Which CPUs share the counters of a PMU with the place's CPU? @nodes is how many
 * parts of a package have a data fabric of their own. -EXDEV if perf does not
 * count for that CPU.
 */
int uncore_amd_cpus_find(const struct uncore_core_place *place,
			 const char *pmu, unsigned int nodes,
			 struct uncore_amd_cpus *cpus,
			 struct uncore_event_error *error);
/* Is perf still counting on one of the CPUs? */
bool uncore_amd_cpus_hold(const struct uncore_core_place *place,
			  const char *pmu, const struct uncore_amd_cpus *cpus);
/* Which candidates, a bit for each, lie between two looks at all of them? */
uint32_t uncore_amd_between(uint32_t candidates, const uint64_t *before,
			    uint64_t value, const uint64_t *after);

int uncore_amd_open(const struct uncore_core_place *place, const char *text,
		    struct uncore_core_event *event,
		    struct uncore_counter *counter,
		    struct uncore_event_error *error);
/* Finds the counter, so that reading needs no system call if it can. */
int uncore_amd_settle(const struct uncore_counter *counter);
uint64_t uncore_amd_read(const struct uncore_counter *counter);
void uncore_amd_watch_begin(const struct uncore_counter *counter,
			    struct uncore_watch *watch);
int uncore_amd_watch_status(const struct uncore_counter *counter,
			    const struct uncore_watch *watch);
int uncore_amd_state(const struct uncore_counter *counter);
bool uncore_amd_is_here(const struct uncore_core_record *record);

/* Does this say that a file could not be looked at, not that it is not there? */
bool uncore_core_is_failure(int error);
/* Returns the error. */
int uncore_core_say_failure(const char *what, int error,
			    struct uncore_event_error *text);

/*
 * Finds a PMU by name, or for name NULL the one of the place's CPU. -ENODEV if
 * there is no PMU of a core at all, -ENOENT no such one; or that it is not known,
 * an error for uncore_core_is_failure().
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

/* That perf_event_paranoid cannot be read. */
#define UNCORE_CORE_PARANOID_UNKNOWN	INT32_MIN

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
