// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups of counters. */
#include <errno.h>

#include "internal.h"

int uncore_group_init(struct uncore_group *group,
		      const struct uncore_counter *counters, unsigned int count)
{
	unsigned int i;

	if (!count)
		return -EINVAL;
	for (i = 0; i < count; i++)
		if (!counters[i].load || counters[i].load != counters[0].load)
			return -EINVAL;

	group->counters = counters;
	group->blocks_end = counters + count / 8 * 8;
	group->end = counters + count;
	group->count = count;
	group->load = counters[0].load;
	group->halves = counters[0].load == UNCORE_LOAD_PAIR;
	return 0;
}

void uncore_core_group_read(const struct uncore_group *group, uint64_t *values)
{
	uncore_load_each(group, values, UNCORE_LOAD_PERF);
}

void uncore_core_group_read_low(const struct uncore_group *group,
				uint32_t *values)
{
	const struct uncore_counter *counter = group->counters;

	while (counter != group->end)
		*values++ = (uint32_t)uncore_core_read(counter++);
}
