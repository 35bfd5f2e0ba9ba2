/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_BITMAP_H
#define FUZZ_LINUX_BITMAP_H

#include <linux/bits.h>
#include <stdbool.h>

#define DECLARE_BITMAP(name, n)	unsigned long name[((n) + 63) / 64]

static inline bool __test_and_set_bit(unsigned int n, unsigned long *map)
{
	bool was = map[n / 64] & BIT(n % 64);

	map[n / 64] |= BIT(n % 64);
	return was;
}

#endif /* FUZZ_LINUX_BITMAP_H */
