/* SPDX-License-Identifier: GPL-2.0-only */
/* As much of the kernel's headers as the parser of kmod/ needs. */
#ifndef FUZZ_LINUX_TYPES_H
#define FUZZ_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef u64 phys_addr_t;

#define __iomem
#define __force

#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))

#endif /* FUZZ_LINUX_TYPES_H */
