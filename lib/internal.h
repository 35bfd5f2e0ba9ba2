/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of libuncore share; not installed. */
#ifndef UNCORE_INTERNAL_H
#define UNCORE_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>

#include <uncore.h>

#define UNCORE_DEFAULT_PATH	"/dev/uncore_pmu"
#define UNCORE_MISC_NAME	"uncore_pmu"

/*
 * @page, @length and @users belong to the lock of the node. A counter points to
 * its unit's mapping, so the array that holds them never moves.
 */
struct uncore_mapping {
	struct uncore *uncore;
	unsigned int unit;
	unsigned int users;
	const volatile void *page;
	size_t length;
};

struct uncore {
	int fd;
	struct uncore_pmu_info info;
	pthread_mutex_t lock;
	struct uncore_mapping mappings[];
};

/* The pure halves of functions that talk to the node. */

/* -ENODEV for another driver's name; 0 if @target does not tell. */
int uncore_check_sysfs_target(const char *target);
int uncore_check_info(const struct uncore_pmu_info *info);
int uncore_check_mappable(const struct uncore_pmu_unit *info);
int uncore_counter_bind(struct uncore_counter *counter,
			const struct uncore_pmu_unit *info, unsigned int index,
			const volatile void *page);
/* Reads the registers only: never UNCORE_COUNTER_GONE. */
int uncore_counter_registers(const struct uncore_counter *counter);
/* Splits "unit/counter"; the unit goes to @unit. */
int uncore_split_name(const char *name, char *unit, size_t size,
		      const char **counter);

int uncore_map_info(struct uncore *uncore, const struct uncore_pmu_unit *info,
		    const volatile void **page);

#endif /* UNCORE_INTERNAL_H */
