/* SPDX-License-Identifier: GPL-2.0-only */
/* The test that needs them has them. */
#ifndef FUZZ_ASM_MSR_H
#define FUZZ_ASM_MSR_H

#include <linux/types.h>

int rdmsr_safe_on_cpu(unsigned int cpu, u32 msr, u32 *low, u32 *high);
int wrmsr_safe_on_cpu(unsigned int cpu, u32 msr, u32 low, u32 high);

#endif /* FUZZ_ASM_MSR_H */
