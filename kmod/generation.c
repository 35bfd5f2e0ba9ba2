// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generations: a word for each counter that users map, which changes with
 * everything that makes a difference across it worthless.
 */
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "uncore_pmu.h"

static u32 *generations;
static u32 generation_length;

/**
 * uncore_pmu_generation_init() - make the table, for the units there are
 *
 * Return: 0 or -ENOMEM.
 */
int uncore_pmu_generation_init(void)
{
	size_t length = array3_size(uncore_pmu_num_units(),
				    UNCORE_PMU_MAX_COUNTERS, sizeof(u32));

	if (!length)
		return 0;

	length = PAGE_ALIGN(length);
	if (length > UNCORE_PMU_MAX_GENERATION_LENGTH)
		return -E2BIG;

	generations = vmalloc_user(length);
	if (!generations)
		return -ENOMEM;
	generation_length = length;
	return 0;
}

/**
 * uncore_pmu_generation_exit() - undo uncore_pmu_generation_init()
 */
void uncore_pmu_generation_exit(void)
{
	vfree(generations);
}

/**
 * uncore_pmu_generation_length() - length of the table
 *
 * Return: a multiple of the page size, 0 without units.
 */
u32 uncore_pmu_generation_length(void)
{
	return generation_length;
}

/**
 * uncore_pmu_generation_page() - a page of the table
 * @offset: from the beginning of the table
 *
 * Return: the page, NULL beyond the end.
 */
struct page *uncore_pmu_generation_page(u64 offset)
{
	if (offset >= generation_length)
		return NULL;
	return vmalloc_to_page((char *)generations + offset);
}

static u32 *entry(u32 unit, u32 counter)
{
	return &generations[unit * UNCORE_PMU_MAX_COUNTERS + counter];
}

/**
 * uncore_pmu_generation() - the generation of a counter
 * @unit: index of the unit
 * @counter: index of the counter
 *
 * Return: the generation.
 */
u32 uncore_pmu_generation(u32 unit, u32 counter)
{
	return READ_ONCE(*entry(unit, counter));
}

/**
 * uncore_pmu_generation_next() - begin a new generation
 * @unit: index of the unit
 * @counter: index of the counter
 * @counts: the counter is claimed and counts as it was programmed
 *
 * The caller keeps others from doing the same.
 */
void uncore_pmu_generation_next(u32 unit, u32 counter, bool counts)
{
	u32 next = *entry(unit, counter) + 1;

	if ((next & 1) != counts)
		next++;
	/* What was done to the registers before is seen before. */
	smp_store_release(entry(unit, counter), next);
}
