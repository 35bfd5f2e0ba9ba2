/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libpfm4's events for the units of one type; not installed. */
#ifndef UNCORE_PFM_TABLE_H
#define UNCORE_PFM_TABLE_H

#include <perfmon/pfmlib.h>

#include "events.h"

/**
 * struct pfm_table - the events of a PMU of libpfm4
 * @next: of those that are kept
 * @wanted: name of the PMU as it was looked for
 * @pmu: name of the PMU, NULL if libpfm4 has none
 * @count: number of @events
 * @events: each name once
 */
struct pfm_table {
	struct pfm_table *next;
	char wanted[64];
	const char *pmu;
	size_t count;
	pfm_event_info_t events[];
};

/*
 * 0, -ENOENT without names for these units, or -ENOMEM; only if it is 0 is there
 * a table, to be given back.
 */
int uncore_pfm_get(const struct uncore_place *place, struct pfm_table **table);
void uncore_pfm_put(const struct uncore_place *place, struct pfm_table *table);
/*
 * Skips "hswep_unc_imc0::", which libpfm4's own tools put before an event.
 * Another PMU is refused; which of several is meant, the name of the unit says.
 */
int uncore_pfm_skip_pmu(const struct pfm_table *table, const char **text,
			struct uncore_event_error *error);

#endif /* UNCORE_PFM_TABLE_H */
