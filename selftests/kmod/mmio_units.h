/* SPDX-License-Identifier: GPL-2.0-only */
/* Units in memory, for the tests of them. */
#ifndef MMIO_UNITS_H
#define MMIO_UNITS_H

#include <string.h>

#include "common.h"

static inline bool unit_is_mmio(const struct uncore_pmu_unit *unit)
{
	return unit->access == UNCORE_PMU_ACCESS_MMIO64 ||
	       unit->access == UNCORE_PMU_ACCESS_MMIO32;
}

/* The loads that the unit's access class asks for. */
static inline uint64_t mmio_load(const void *page,
				 const struct uncore_pmu_unit *unit,
				 unsigned int counter)
{
	const char *at = (const char *)page + unit->counter[counter].offset;

	if (unit->access == UNCORE_PMU_ACCESS_MMIO32)
		return *(const volatile uint32_t *)at;
	if (unit->access == UNCORE_PMU_ACCESS_MMIO64)
		return *(const volatile uint64_t *)at;
	return counter_load(page, &unit->counter[counter]);
}

static inline bool unit_is(const struct uncore_pmu_unit *unit, const char *type)
{
	return !strcmp(unit->type, type);
}

/* Where the simulator has a unit: in memory it is found through a function. */
static inline int mmio_find(struct sim *sim, const struct uncore_pmu_unit *unit,
			    struct sim_addr *addr)
{
	*addr = unit_addr(unit);
	return unit_is_mmio(unit) ? sim_find(sim, *addr, unit->type,
					     unit->instance, addr) : 0;
}

/* finit_module() with parameters; 0 or -errno. */
int mmio_module_load(const char *parameters);

/* Loads the module, and describes all units; a descriptor or -errno. */
int mmio_load_units(const char *parameters, struct units *units);

/* Undoes that: maps nothing, closes, sets *@fd to -1, and unloads the module. */
void mmio_unload_units(int *fd, struct units *units);

/* Where in memory the simulator has a unit; 0 if it does not know. */
uint64_t mmio_address(struct sim *sim, const struct uncore_pmu_unit *unit);

/* How many units have this state, of a type if it is not NULL. */
unsigned int mmio_count(const struct units *units, const char *type,
			uint32_t state);

/*
 * Removes the device that carries the simulator's messages, which must be
 * closed, and finds it again: where its memory is then, 0 on failure. It is the
 * same place each time.
 */
int plugged_remove(void);
uint64_t plugged_find(void);

#endif /* MMIO_UNITS_H */
