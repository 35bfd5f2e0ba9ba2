/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AMD's core, data fabric and L3 counters: APM volume 2, "Performance
 * Monitoring Counters", and RDPMC in volume 3. All vCPUs of one die share the
 * data fabric and the L3 counters.
 */
#include "qemu/osdep.h"
#include "qemu/lockable.h"
#include "cpu.h"
#include "opmu_internal.h"

enum {
    PERF_LEGACY_CTL0 = 0xc0010000,      /* four, then their four counters */
    PERF_CTL0 = 0xc0010200,             /* PERF_CTR0 is next to it, and so on */
    L3_PERF_CTL0 = 0xc0010230,
    DF_PERF_CTL0 = 0xc0010240,

    N_LEGACY = 4,
    N_CORE = 6,
    N_DF = 4,
    N_L3 = 6,

    RDPMC_DF = N_CORE,                  /* RDPMC numbers them in this order */
    RDPMC_L3 = RDPMC_DF + N_DF,
    RDPMC_END = RDPMC_L3 + N_L3,

    WIDTH = 48,
    MAX_SOCKETS = 8,
    MAX_DIES = 8,
};

#define ECX_TOPOEXT         (1u << 22)
#define ECX_PERFCTR_CORE    (1u << 23)
#define ECX_PERFCTR_DF      (1u << 24)
#define ECX_PERFCTR_L3      (1u << 28)

/* What all vCPUs of a die share. These counters know no privilege level. */
typedef struct Die {
    OpmuCounter counters[N_DF + N_L3];  /* from RDPMC_DF on */
    int64_t synced;
} Die;

static Die dies[MAX_SOCKETS][MAX_DIES];
static QemuMutex dies_lock;             /* vCPU threads run at the same time */

static void __attribute__((constructor)) init_dies_lock(void)
{
    qemu_mutex_init(&dies_lock);
}

static unsigned event_of(uint64_t select)
{
    return extract64(select, 0, 8) | extract64(select, 32, 4) << 8;
}

static unsigned umask_of(uint64_t select)
{
    return extract64(select, 8, 8);
}

static unsigned core_event_rate(uint64_t select)
{
    switch (event_of(select)) {
    case 0x076:                 /* cycles not in halt */
        return 96;
    case 0x0c0:                 /* retired instructions */
        return 64;
    case 0x0c2:                 /* retired branches */
        return 12;
    case 0x0c3:                 /* retired branches, mispredicted */
        return 1;
    default:
        return opmu_other_rate(event_of(select), umask_of(select));
    }
}

static unsigned die_event_rate(uint64_t select)
{
    /* The data fabric has two more bits of event select. */
    unsigned event = event_of(select) | extract64(select, 59, 2) << 12;

    return select & OPMU_SELECT_ENABLE ?
           opmu_other_rate(event, umask_of(select)) : 0;
}

/* With dies_lock held: the CPU's die, its counters up to date. */
static Die *die_of(X86CPU *cpu)
{
    Die *die = &dies[cpu->socket_id % MAX_SOCKETS][cpu->die_id % MAX_DIES];
    int64_t now = opmu_machine_time();
    int64_t elapsed = now - die->synced;

    if (elapsed > 0) {
        die->synced = now;
        for (unsigned i = 0; i < ARRAY_SIZE(die->counters); i++) {
            OpmuCounter *c = &die->counters[i];

            opmu_advance(c, elapsed, c->rate[0], WIDTH);
        }
    }
    return die;
}

static void amd_realize(X86CPU *cpu, OpmuState *s)
{
    s->n_general = N_CORE;
    s->width = WIDTH;
}

static void amd_reset(X86CPU *cpu, OpmuState *s)
{
    /* Not with every CPU: starting another one must not clear the die's. */
    if (CPU(cpu)->cpu_index == 0) {
        QEMU_LOCK_GUARD(&dies_lock);
        memset(dies, 0, sizeof(dies));
    }
}

static void amd_set_rates(OpmuState *s)
{
    for (unsigned i = 0; i < N_CORE; i++) {
        OpmuCounter *c = &s->general[i];
        unsigned rate = c->select & OPMU_SELECT_ENABLE ?
                        core_event_rate(c->select) : 0;

        c->rate[0] = c->select & OPMU_SELECT_OS ? rate : 0;
        c->rate[1] = c->select & OPMU_SELECT_USR ? rate : 0;
    }
}

static bool amd_rdpmc(X86CPU *cpu, uint32_t index, uint64_t *value)
{
    if (index < N_CORE) {
        *value = cpu->opmu_state->general[index].value;
        return true;
    }
    if (index < RDPMC_END) {
        QEMU_LOCK_GUARD(&dies_lock);
        *value = die_of(cpu)->counters[index - RDPMC_DF].value;
        return true;
    }
    return false;
}

/*
 * Which counter, by its RDPMC index, an MSR belongs to, and whether the MSR is
 * the counter itself or its event select.
 */
static bool find_msr(uint32_t msr, unsigned *index, bool *is_counter)
{
    static const struct {
        uint32_t msr;
        unsigned n;
        unsigned index;
    } pairs[] = {
        { PERF_CTL0, N_CORE, 0 },
        { DF_PERF_CTL0, N_DF, RDPMC_DF },
        { L3_PERF_CTL0, N_L3, RDPMC_L3 },
    };

    if (msr - PERF_LEGACY_CTL0 < 2 * N_LEGACY) {
        *index = (msr - PERF_LEGACY_CTL0) % N_LEGACY;
        *is_counter = msr - PERF_LEGACY_CTL0 >= N_LEGACY;
        return true;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
        uint32_t offset = msr - pairs[i].msr;

        if (offset < 2 * pairs[i].n) {
            *index = pairs[i].index + offset / 2;
            *is_counter = offset % 2;
            return true;
        }
    }
    return false;
}

static OpmuAccess amd_rdmsr(X86CPU *cpu, uint32_t msr, uint64_t *value)
{
    unsigned index;
    bool is_counter;
    OpmuCounter *c;

    if (!find_msr(msr, &index, &is_counter)) {
        return OPMU_FOREIGN;
    }
    QEMU_LOCK_GUARD(&dies_lock);
    c = index < N_CORE ? &cpu->opmu_state->general[index] :
                         &die_of(cpu)->counters[index - RDPMC_DF];
    *value = is_counter ? c->value : c->select;
    return OPMU_DONE;
}

static OpmuAccess amd_wrmsr(X86CPU *cpu, uint32_t msr, uint64_t value)
{
    unsigned index;
    bool is_counter;
    OpmuCounter *c;

    if (!find_msr(msr, &index, &is_counter)) {
        return OPMU_FOREIGN;
    }
    QEMU_LOCK_GUARD(&dies_lock);
    c = index < N_CORE ? &cpu->opmu_state->general[index] :
                         &die_of(cpu)->counters[index - RDPMC_DF];
    if (is_counter) {
        opmu_set_value(c, value, WIDTH);
        return OPMU_DONE;
    }
    c->select = value;
    if (index >= N_CORE) {
        c->rate[0] = die_event_rate(value);
    }
    return OPMU_DONE;
}

const OpmuStyle opmu_amd = {
    .realize = amd_realize,
    .reset = amd_reset,
    .set_rates = amd_set_rates,
    .rdpmc = amd_rdpmc,
    .rdmsr = amd_rdmsr,
    .wrmsr = amd_wrmsr,
};

uint32_t opmu_cpuid_80000001_ecx(X86CPU *cpu)
{
    OpmuState *s = cpu->opmu_state;
    uint32_t bits = ECX_PERFCTR_CORE | ECX_PERFCTR_DF | ECX_PERFCTR_L3;

    if (!s || s->style != &opmu_amd) {
        return 0;
    }
    /* TCG has leaves 8000_001DH and 1EH but not the bit that announces them;
     * Linux places L3 counters by them. */
    if (cpu->env.cpuid_xlevel >= 0x8000001e) {
        bits |= ECX_TOPOEXT;
    }
    return bits;
}
