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
 * @page, @length, @users and @details belong to the lock of the node. A counter
 * points to its details and they to the mapping, so neither ever moves.
 */
struct uncore_mapping {
	struct uncore *uncore;
	unsigned int unit;
	unsigned int users;
	const volatile void *page;
	size_t length;
	struct uncore_details *details;
};

struct pfm_table;

/*
 * @generations and @rdpmc_page belong to the lock too, mapped while counters are
 * open, or somebody has asked for RDPMC; and so do @tables, which are made when
 * they are first needed and stay.
 */
struct uncore {
	int fd;
	struct uncore_pmu_info info;
	pthread_mutex_t lock;
	const volatile uint32_t *generations;
	unsigned int generation_users;
	struct pfm_table *tables;
	void *rdpmc_page;
	unsigned int rdpmc_users;
	struct uncore_mapping mappings[];
};

/* The pure halves of functions that talk to the node. */

/* -ENODEV for another driver's name; 0 if @target does not tell. */
int uncore_check_sysfs_target(const char *target);
int uncore_check_info(const struct uncore_pmu_info *info);
int uncore_check_mappable(const struct uncore_pmu_unit *info);
/* All but the generation and the mapping; the counter does not point to @details. */
int uncore_counter_bind(struct uncore_counter *counter,
			struct uncore_details *details,
			const struct uncore_pmu_unit *info, unsigned int index,
			const volatile void *page);
/* Reads the registers only: never UNCORE_COUNTER_GONE. */
int uncore_counter_registers(const struct uncore_counter *counter);
/* Splits "unit/counter"; the unit goes to @unit. */
int uncore_split_name(const char *name, char *unit, size_t size,
		      const char **counter);

int uncore_map_info(struct uncore *uncore, const struct uncore_pmu_unit *info,
		    const volatile void **page);

/* Where the generation of a counter is; NULL in @word if the module has none. */
int uncore_map_generation(struct uncore *uncore, unsigned int unit,
			  unsigned int counter,
			  const volatile uint32_t **word);
void uncore_unmap_generation(struct uncore *uncore);

void uncore_pfm_free(struct pfm_table *tables);

/* For counters that are perf events, see core.c. */
void uncore_core_close(struct uncore_counter *counter);
int uncore_core_state(const struct uncore_counter *counter);

/*
 * Twice the counts a second that a counter may reach: of cycles or transfers, or in
 * general of an event that is the filling of a queue, which counts its entries in
 * each cycle.
 */
static inline double uncore_fastest(const struct uncore_counter *counter)
{
	return counter->details->kind == UNCORE_PMU_KIND_GENERAL ? 128 * 8e9
								  : 8e9;
}

/* Names are ASCII whatever the locale says. */
bool uncore_is_digit(char c);
char uncore_lower(char c);
void uncore_lower_text(char *text);
bool uncore_same_text(const char *text, size_t length, const char *known);

/* How many bytes a character of UTF-8 has that begins here; 0 if none does. */
int uncore_utf8_length(const char *string);
/* The same, and 0 for what a terminal could take for a command. */
int uncore_visible_length(const char *string);

#endif /* UNCORE_INTERNAL_H */
