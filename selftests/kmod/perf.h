/* SPDX-License-Identifier: GPL-2.0-only */
/* The uncore PMUs of the kernel's own driver. */
#ifndef PERF_H
#define PERF_H

#include <stdbool.h>
#include <stdint.h>

struct uncore_pmu_unit;

/* The config that means the fixed counter of a PMU. */
#define PERF_FIXED_EVENT	0xff

/*
 * The PMU type number of uncore_TYPE_INSTANCE, or of uncore_TYPE, which is how
 * a PMU is named that exists once a die. -ENOENT if there is none.
 */
int perf_pmu_type(const char *type, unsigned int instance);

/* Instances of a type that have a PMU: one more than the last. */
unsigned int perf_pmu_instances(const char *type);

/* The first CPU of the PMU's cpumask that lies on this die; -ENOENT. */
int perf_pmu_cpu(const char *type, unsigned int instance, int die);

/* A pinned event, counting; a descriptor or -errno. */
int perf_open(int pmu_type, int cpu, uint64_t config);

/* The same, of an event that takes turns with others if need be. */
int perf_open_shared(int pmu_type, int cpu, uint64_t config);

/* The event's count; -EAGAIN if it has not got a counter. */
int perf_read(int fd, uint64_t *value);

/* With how long it has been on, and has had a counter, in nanoseconds. */
struct perf_times {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

int perf_read_times(int fd, struct perf_times *times);

/* perf's PMU for this unit reads and programs another one. */
bool perf_is_misplaced(const struct uncore_pmu_unit *unit);

/* perf knows nothing of this type but its number, and its registers wrongly. */
bool perf_is_nameless(const char *type);

#endif /* PERF_H */
