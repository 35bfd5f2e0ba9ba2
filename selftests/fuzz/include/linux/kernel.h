/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_KERNEL_H
#define FUZZ_LINUX_KERNEL_H

#include <linux/types.h>
#include <stdint.h>
#include <stdio.h>

#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b)	((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define min3(a, b, c)		min(min(a, b), c)
#define max(a, b)		((a) > (b) ? (a) : (b))
#define swap(a, b) \
	do { __typeof__(a) swapped = (a); (a) = (b); (b) = swapped; } while (0)

#endif /* FUZZ_LINUX_KERNEL_H */
