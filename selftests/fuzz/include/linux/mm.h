/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_MM_H
#define FUZZ_LINUX_MM_H

#include <limits.h>
#include <linux/kernel.h>

#define PAGE_SIZE		4096UL
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define PAGE_ALIGN(address)	(((address) + PAGE_SIZE - 1) & PAGE_MASK)

#define PAGE_ALIGNED(address)	(!((address) & ~PAGE_MASK))

#define pr_warn(...)		printf("# " __VA_ARGS__)

/* What the processor says of itself, in the test that needs it. */
struct cpuinfo_x86 {
	u8 x86_phys_bits;
};

extern struct cpuinfo_x86 boot_cpu_data;

#endif /* FUZZ_LINUX_MM_H */
