/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory channels, and which of their counters counts what. */
#ifndef LIB_COUNTED_H
#define LIB_COUNTED_H

#include <stdint.h>

#include <simctl.h>
#include <uncore.h>

#define READS	"UNC_M_CAS_COUNT:RD"
#define WRITES	"UNC_M_CAS_COUNT:WR"
#define MAX_IMC	32

/* The units of type imc that are there, MAX_IMC at most. */
unsigned int find_imc(struct uncore *uncore, struct uncore_pmu_unit *unit);
/* Stops the clock and opens the node; the number of units as above, 0 on failure. */
unsigned int counted_open(struct sim **sim, struct uncore **uncore,
			  struct uncore_pmu_unit *unit);
void counted_close(struct sim *sim, struct uncore *uncore);
/* Which counter of the unit counts the event; -1 if none. */
int counter_of(struct uncore *uncore, const struct uncore_pmu_unit *unit,
	       const char *name);
/* Adds to the counter of the unit that counts the event. */
int count_event(struct sim *sim, struct uncore *uncore,
		const struct uncore_pmu_unit *unit, const char *name,
		uint64_t n);

#endif /* LIB_COUNTED_H */
