/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_BITS_H
#define FUZZ_LINUX_BITS_H

#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(high, low)	((~0UL << (low)) & (~0UL >> (63 - (high))))
#define GENMASK_ULL(high, low)	((~0ULL << (low)) & (~0ULL >> (63 - (high))))

#endif /* FUZZ_LINUX_BITS_H */
