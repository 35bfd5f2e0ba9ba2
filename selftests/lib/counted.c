// SPDX-License-Identifier: GPL-2.0-only
#include "counted.h"

#include <errno.h>
#include <string.h>

#include "common.h"

unsigned int find_imc(struct uncore *uncore, struct uncore_pmu_unit *unit)
{
	struct uncore_pmu_unit info;
	unsigned int i, count = 0;

	for (i = 0; i < uncore_num_units(uncore); i++)
		if (!uncore_unit_info(uncore, i, &info) &&
		    info.state == UNCORE_PMU_STATE_OK &&
		    !strcmp(info.type, "imc") && count < MAX_IMC)
			unit[count++] = info;
	return count;
}

unsigned int counted_open(struct sim **sim, struct uncore **uncore,
			  struct uncore_pmu_unit *unit)
{
	if (sim_open(sim) || sim_clock(*sim, false) ||
	    uncore_open(NULL, uncore))
		return 0;
	return find_imc(*uncore, unit);
}

void counted_close(struct sim *sim, struct uncore *uncore)
{
	uncore_close(uncore);
	if (!sim)
		return;
	sim_clock(sim, true);
	sim_close(sim);
}

int counter_of(struct uncore *uncore, const struct uncore_pmu_unit *unit,
	       const char *name)
{
	struct uncore_pmu_status status;
	struct uncore_event event;
	unsigned int i;

	if (uncore_event_parse(uncore, unit, name, &event, NULL))
		return -1;
	for (i = 0; i < unit->num_counters; i++)
		if (!uncore_status(uncore, unit->index, i, &status) &&
		    status.state == UNCORE_PMU_COUNTER_CLAIMED &&
		    unit->counter[i].kind == event.kind &&
		    status.config == event.config)
			return (int)i;
	return -1;
}

int count_event(struct sim *sim, struct uncore *uncore,
		const struct uncore_pmu_unit *unit, const char *name,
		uint64_t n)
{
	int counter = counter_of(uncore, unit, name);

	if (counter < 0)
		return -ENOENT;
	return sim_add(sim, unit_addr(unit), (unsigned int)counter, n);
}
