/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intel's architectural performance monitoring, version 2: Intel SDM volume 3,
 * "Performance Monitoring", and the MSR tables of volume 4.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "opmu_internal.h"

enum {
    IA32_PMC0 = 0xc1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_FIXED_CTR0 = 0x309,
    IA32_FIXED_CTR_CTRL = 0x38d,
    IA32_PERF_GLOBAL_STATUS = 0x38e,
    IA32_PERF_GLOBAL_CTRL = 0x38f,
    IA32_PERF_GLOBAL_OVF_CTRL = 0x390,
};

#define RDPMC_FIXED         (1u << 30)

/* AnyThread came with version 3, the upper half later still. */
#define SELECT_RESERVED     (1ull << 21 | MAKE_64BIT_MASK(32, 32))

/* The fields of IA32_FIXED_CTR_CTRL, four bits a counter. */
#define FIXED_OS            1
#define FIXED_USR           2
#define FIXED_PMI           8
#define FIXED_SHIFT(i)      (4 * (i))

/* instructions, core cycles, reference cycles; the fourth is just different */
static const unsigned fixed_rate[OPMU_MAX_FIXED] = { 64, 96, 80, 61 };

static unsigned event_rate(uint64_t select)
{
    unsigned event = select & 0xff;
    unsigned umask = select >> 8 & 0xff;

    switch (umask << 8 | event) {
    case 0x003c:                /* unhalted core cycles */
        return 96;
    case 0x013c:                /* unhalted reference cycles */
        return 80;
    case 0x00c0:                /* instructions retired */
        return 64;
    case 0x4f2e:                /* last level cache references */
        return 4;
    case 0x412e:                /* last level cache misses */
        return 2;
    case 0x00c4:                /* branches retired */
        return 12;
    case 0x00c5:                /* branches mispredicted */
        return 1;
    default:
        return opmu_other_rate(event, umask);
    }
}

static uint64_t fixed_control_mask(const OpmuState *s)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < s->n_fixed; i++) {
        mask |= (uint64_t)(FIXED_OS | FIXED_USR | FIXED_PMI) << FIXED_SHIFT(i);
    }
    return mask;
}

static uint64_t global_mask(const OpmuState *s)
{
    return opmu_mask(s->n_general) | opmu_mask(s->n_fixed) << 32;
}

static void intel_realize(X86CPU *cpu, OpmuState *s)
{
    s->n_general = cpu->opmu.n_general;
    s->n_fixed = cpu->opmu.n_fixed;
    s->width = cpu->opmu.width;
}

static void intel_reset(X86CPU *cpu, OpmuState *s)
{
    s->global_control = opmu_mask(s->n_general);
}

static void intel_set_rates(OpmuState *s)
{
    for (unsigned i = 0; i < s->n_general; i++) {
        OpmuCounter *c = &s->general[i];
        bool on = (c->select & OPMU_SELECT_ENABLE) &&
                  (s->global_control >> i & 1);
        unsigned rate = on ? event_rate(c->select) : 0;

        c->rate[0] = c->select & OPMU_SELECT_OS ? rate : 0;
        c->rate[1] = c->select & OPMU_SELECT_USR ? rate : 0;
    }
    for (unsigned i = 0; i < s->n_fixed; i++) {
        OpmuCounter *c = &s->fixed[i];
        bool on = s->global_control >> (32 + i) & 1;
        unsigned control = s->fixed_control >> FIXED_SHIFT(i);

        c->rate[0] = on && (control & FIXED_OS) ? fixed_rate[i] : 0;
        c->rate[1] = on && (control & FIXED_USR) ? fixed_rate[i] : 0;
    }
}

static bool intel_rdpmc(X86CPU *cpu, uint32_t index, uint64_t *value)
{
    OpmuState *s = cpu->opmu_state;

    if (index < s->n_general) {
        *value = s->general[index].value;
        return true;
    }
    if (index >= RDPMC_FIXED && index - RDPMC_FIXED < s->n_fixed) {
        *value = s->fixed[index - RDPMC_FIXED].value;
        return true;
    }
    return false;
}

static OpmuCounter *selected_by(OpmuState *s, uint32_t msr)
{
    unsigned i = msr - IA32_PERFEVTSEL0;

    return i < s->n_general ? &s->general[i] : NULL;
}

static OpmuCounter *counter_at(OpmuState *s, uint32_t msr)
{
    unsigned i = msr - IA32_PMC0;
    unsigned j = msr - IA32_FIXED_CTR0;

    return i < s->n_general ? &s->general[i] :
           j < s->n_fixed ? &s->fixed[j] : NULL;
}

static OpmuAccess intel_rdmsr(X86CPU *cpu, uint32_t msr, uint64_t *value)
{
    OpmuState *s = cpu->opmu_state;
    OpmuCounter *selected = selected_by(s, msr);
    OpmuCounter *counter = counter_at(s, msr);

    if (selected) {
        *value = selected->select;
        return OPMU_DONE;
    }
    if (counter) {
        *value = counter->value;
        return OPMU_DONE;
    }
    switch (msr) {
    case IA32_FIXED_CTR_CTRL:
        *value = s->fixed_control;
        return OPMU_DONE;
    case IA32_PERF_GLOBAL_STATUS:
        *value = s->global_status;
        return OPMU_DONE;
    case IA32_PERF_GLOBAL_CTRL:
        *value = s->global_control;
        return OPMU_DONE;
    case IA32_PERF_GLOBAL_OVF_CTRL:
        *value = 0;
        return OPMU_DONE;
    default:
        return OPMU_FOREIGN;
    }
}

/* Write a control register that faults on reserved bits. */
static OpmuAccess write_control(uint64_t *reg, uint64_t value, uint64_t allowed)
{
    if (value & ~allowed) {
        return OPMU_REFUSED;
    }
    *reg = value;
    return OPMU_DONE;
}

static OpmuAccess intel_wrmsr(X86CPU *cpu, uint32_t msr, uint64_t value)
{
    OpmuState *s = cpu->opmu_state;
    OpmuCounter *selected = selected_by(s, msr);
    OpmuCounter *counter = counter_at(s, msr);

    if (selected) {
        return write_control(&selected->select, value, ~SELECT_RESERVED);
    }
    if (counter) {
        /* A general counter takes 32 bits and extends their sign. */
        if (msr < IA32_FIXED_CTR0) {
            value = (int64_t)(int32_t)value;
        }
        opmu_set_value(counter, value, s->width);
        return OPMU_DONE;
    }
    switch (msr) {
    case IA32_FIXED_CTR_CTRL:
        return write_control(&s->fixed_control, value, fixed_control_mask(s));
    case IA32_PERF_GLOBAL_CTRL:
        return write_control(&s->global_control, value, global_mask(s));
    case IA32_PERF_GLOBAL_OVF_CTRL:
        s->global_status &= ~value;
        return OPMU_DONE;
    case IA32_PERF_GLOBAL_STATUS:
        return OPMU_REFUSED;    /* read-only */
    default:
        return OPMU_FOREIGN;
    }
}

const OpmuStyle opmu_intel = {
    .realize = intel_realize,
    .reset = intel_reset,
    .set_rates = intel_set_rates,
    .rdpmc = intel_rdpmc,
    .rdmsr = intel_rdmsr,
    .wrmsr = intel_wrmsr,
};

bool opmu_cpuid_0a(X86CPU *cpu, uint32_t *eax, uint32_t *ebx, uint32_t *ecx,
                   uint32_t *edx)
{
    OpmuState *s = cpu->opmu_state;
    const unsigned version = 2, n_events = 7;

    if (!s || s->style != &opmu_intel) {
        return false;
    }
    *eax = version | s->n_general << 8 | s->width << 16 | n_events << 24;
    *ebx = 0;                   /* of those events none is missing */
    *ecx = 0;
    *edx = s->n_fixed | s->width << 5;
    return true;
}
