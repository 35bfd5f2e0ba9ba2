/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_SORT_H
#define FUZZ_LINUX_SORT_H

#include <stdlib.h>
#include <string.h>

/*
 * The kernel's sort is not stable, but most qsort() are: turned around before,
 * elements that are the same come out in another order than they came in.
 */
static inline void sort(void *base, size_t n, size_t size,
			int (*compare)(const void *, const void *),
			void (*swap)(void *, void *, int))
{
	char *low = base, *high = low + n * size, spare[sizeof(void *)];

	(void)swap;
	if (!n || size > sizeof(spare))
		return;
	while (low < (high -= size)) {
		memcpy(spare, low, size);
		memcpy(low, high, size);
		memcpy(high, spare, size);
		low += size;
	}
	qsort(base, n, size, compare);
}

#endif /* FUZZ_LINUX_SORT_H */
