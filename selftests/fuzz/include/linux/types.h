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
typedef u64 phys_addr_t;

#define __iomem

#endif /* FUZZ_LINUX_TYPES_H */
