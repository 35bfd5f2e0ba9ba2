// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units at the same place on all machines of a platform. No function leads to
 * them; how many there are is told by other units that tables describe.
 */
#include <linux/err.h>
#include <linux/kernel.h>

#include "find.h"

#define RANK_FIXED	0
#define DIE_NONE	(-2)

/*
 * One more than the highest number of those units. Only where all of them are of
 * one die it is known whose the fixed ones are: each would be there once, as
 * much as its address.
 */
static unsigned int count_units(const struct uncore_finder *finder,
				const struct uncore_fixed *fixed, int *die)
{
	const struct uncore_unit *unit = finder->unit;
	u32 rank = UNCORE_RANK_DISCOVERY + fixed->as_many_as;
	unsigned int i, n = 0;

	*die = DIE_NONE;
	for (i = 0; i < finder->count; i++) {
		if (unit[i].rank != rank ||
		    unit[i].instance >= fixed->below ||
		    !uncore_pmu_is_mmio(&unit[i]))
			continue;
		n = max(n, unit[i].instance + 1U);
		if (*die == DIE_NONE)
			*die = unit[i].die;
		else if (*die != unit[i].die)
			*die = -1;
	}
	return min_t(unsigned int, n, ARRAY_SIZE(fixed->at));
}

/**
 * uncore_pmu_find_fixed() - find the units at fixed places
 * @finder: where to note them; has the units of the discovery tables already
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int uncore_pmu_find_fixed(struct uncore_finder *finder)
{
	const struct uncore_fixed *fixed = finder->platform->fixed;
	struct uncore_unit *unit;
	unsigned int i, n;
	int die;

	if (!fixed)
		return 0;
	n = count_units(finder, fixed, &die);
	for (i = 0; i < n; i++) {
		unit = uncore_pmu_add_unit(finder, fixed->type, RANK_FIXED, i);
		if (IS_ERR(unit))
			return PTR_ERR(unit);
		uncore_pmu_set_die(unit, die);
		uncore_pmu_mmio_set(finder, unit, fixed->at[i], 0);
	}
	return 0;
}
