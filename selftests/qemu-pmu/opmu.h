/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A performance monitoring unit for x86 guests of TCG: what the rest of QEMU
 * calls. insert_hooks.py puts the calls in place, opmu.c answers them.
 */
#ifndef I386_OPMU_H
#define I386_OPMU_H

typedef struct OpmuState OpmuState;

/* The properties opmu, opmu-gp, opmu-fixed and opmu-width of the CPU. */
typedef struct OpmuProperties {
    bool enabled;
    uint8_t n_general;
    uint8_t n_fixed;
    uint8_t width;
} OpmuProperties;

/*
 * Give the CPU its unit, if the properties ask for one. False, with an error,
 * if they ask for the impossible. May be called more than once.
 */
bool opmu_realize(ArchCPU *cpu, Error **errp);
void opmu_reset(ArchCPU *cpu);

/* False if CPUID leaf 0AH is not the unit's to answer. */
bool opmu_cpuid_0a(ArchCPU *cpu, uint32_t *eax, uint32_t *ebx, uint32_t *ecx,
                   uint32_t *edx);

/* Bits to add to ECX of CPUID leaf 8000_0001H. */
uint32_t opmu_cpuid_80000001_ecx(ArchCPU *cpu);

/*
 * One instruction, its operands in the guest's registers. False if it is not
 * the unit's business; a refusal does not return but raises #GP.
 */
bool opmu_rdpmc(CPUArchState *env, uintptr_t ra);
bool opmu_rdmsr(CPUArchState *env, uintptr_t ra);
bool opmu_wrmsr(CPUArchState *env, uint64_t value, uintptr_t ra);

/* The privilege level is about to change; env still has the old one. */
void opmu_cpl_change(CPUArchState *env);

#endif
