/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A performance monitoring unit for x86 guests of TCG, to test programs that
 * read counters with RDPMC where there is no hardware to run them on.
 *
 * Counts follow a model, not any real machine:
 *
 *     count += elapsed time * rate of the event / OPMU_RATE_ONE
 *
 * while the counter is enabled for the current privilege level. Time is the
 * number of instructions executed if -icount is in use, which makes counts
 * exact and repeatable, else nanoseconds of the virtual clock.
 *
 * Counters are brought up to date when something looks at them, changes their
 * rate, or the privilege level changes. No interrupt is ever raised.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "system/cpu-timers.h"
#include "tcg/helper-tcg.h"
#include "opmu_internal.h"

/* Instructions of the running slice that icount has not booked yet. */
static int64_t instructions_pending(CPUState *cs)
{
    return cs->icount_budget - cs->icount_extra - cs->neg.icount_decr.u16.low;
}

int64_t opmu_core_time(X86CPU *cpu)
{
    CPUState *cs = CPU(cpu);

    if (icount_enabled()) {
        return cs->icount_executed + instructions_pending(cs);
    }
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

int64_t opmu_machine_time(void)
{
    int64_t sum = 0;
    CPUState *cs;

    if (!icount_enabled()) {
        return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    }
    /* icount runs all CPUs in one thread: none of them moves meanwhile. */
    CPU_FOREACH(cs) {
        sum += cs->icount_executed + instructions_pending(cs);
    }
    return sum;
}

unsigned opmu_other_rate(unsigned event, unsigned umask)
{
    return 3 + (event * 31 + umask * 7) % 59;
}

bool opmu_advance(OpmuCounter *c, int64_t elapsed, unsigned rate,
                  unsigned width)
{
    uint64_t parts = c->fraction + (uint64_t)elapsed * rate;
    uint64_t sum = c->value + parts / OPMU_RATE_ONE;

    c->fraction = parts % OPMU_RATE_ONE;
    c->value = sum & opmu_mask(width);
    return sum != c->value;
}

void opmu_set_value(OpmuCounter *c, uint64_t value, unsigned width)
{
    c->value = value & opmu_mask(width);
    c->fraction = 0;
}

static void set_rates(OpmuState *s)
{
    s->style->set_rates(s);
    s->counting = false;
    for (unsigned i = 0; i < s->n_general; i++) {
        s->counting |= s->general[i].rate[0] || s->general[i].rate[1];
    }
    for (unsigned i = 0; i < s->n_fixed; i++) {
        s->counting |= s->fixed[i].rate[0] || s->fixed[i].rate[1];
    }
}

static void sync_core(X86CPU *cpu)
{
    OpmuState *s = cpu->opmu_state;
    bool user = cpu->env.hflags & HF_CPL_MASK;
    int64_t now = opmu_core_time(cpu);
    int64_t elapsed = now - s->synced;

    if (elapsed <= 0) {
        return;
    }
    s->synced = now;
    if (!s->counting) {
        return;
    }
    for (unsigned i = 0; i < s->n_general; i++) {
        OpmuCounter *c = &s->general[i];

        if (opmu_advance(c, elapsed, c->rate[user], s->width)) {
            s->global_status |= 1ull << i;
        }
    }
    for (unsigned i = 0; i < s->n_fixed; i++) {
        OpmuCounter *c = &s->fixed[i];

        if (opmu_advance(c, elapsed, c->rate[user], s->width)) {
            s->global_status |= 1ull << (32 + i);
        }
    }
}

void opmu_cpl_change(CPUX86State *env)
{
    X86CPU *cpu = env_archcpu(env);

    if (cpu->opmu_state && cpu->opmu_state->counting) {
        sync_core(cpu);
    }
}

/* Hygon's CPUs have the interface of the AMD ones that they derive from. */
static bool is_amd_style(CPUX86State *env)
{
    static const char hygon[] = CPUID_VENDOR_HYGON;

    return IS_AMD_CPU(env) ||
           (env->cpuid_vendor1 == ldl_le_p(hygon) &&
            env->cpuid_vendor2 == ldl_le_p(hygon + 4) &&
            env->cpuid_vendor3 == ldl_le_p(hygon + 8));
}

bool opmu_realize(X86CPU *cpu, Error **errp)
{
    const OpmuProperties *want = &cpu->opmu;
    OpmuState *s;

    if (!want->enabled || cpu->opmu_state) {
        return true;
    }
    if (want->n_general > OPMU_MAX_GENERAL) {
        error_setg(errp, "opmu-gp is more than %d", OPMU_MAX_GENERAL);
        return false;
    }
    if (want->n_fixed > OPMU_MAX_FIXED) {
        error_setg(errp, "opmu-fixed is more than %d", OPMU_MAX_FIXED);
        return false;
    }
    if (want->width < OPMU_MIN_WIDTH || want->width > OPMU_MAX_WIDTH) {
        error_setg(errp, "opmu-width is not from %d to %d", OPMU_MIN_WIDTH,
                   OPMU_MAX_WIDTH);
        return false;
    }
    s = g_new0(OpmuState, 1);
    s->style = is_amd_style(&cpu->env) ? &opmu_amd : &opmu_intel;
    s->style->realize(cpu, s);
    cpu->opmu_state = s;
    return true;
}

void opmu_reset(X86CPU *cpu)
{
    OpmuState *s = cpu->opmu_state;

    if (!s) {
        return;
    }
    memset(s->general, 0, sizeof(s->general));
    memset(s->fixed, 0, sizeof(s->fixed));
    s->fixed_control = 0;
    s->global_control = 0;
    s->global_status = 0;
    s->style->reset(cpu, s);
    s->synced = opmu_core_time(cpu);
    set_rates(s);
}

/* -d unimp makes the log a witness, outside the guest, of every access. */
static void log_access(CPUX86State *env, const char *what, uint32_t index,
                       uint64_t value)
{
    qemu_log_mask(LOG_UNIMP, "opmu: cpu%d cpl%d %s %08x %016" PRIx64 "\n",
                  env_cpu(env)->cpu_index, env->hflags & HF_CPL_MASK, what,
                  index, value);
}

static G_NORETURN void refuse(CPUX86State *env, const char *what,
                              uint32_t index, uintptr_t ra)
{
    qemu_log_mask(LOG_UNIMP, "opmu: cpu%d cpl%d %s %08x #GP\n",
                  env_cpu(env)->cpu_index, env->hflags & HF_CPL_MASK, what,
                  index);
    raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
}

static void give(CPUX86State *env, uint64_t value)
{
    env->regs[R_EAX] = (uint32_t)value;
    env->regs[R_EDX] = value >> 32;
}

/* CPL has been checked against CR4.PCE. */
bool opmu_rdpmc(CPUX86State *env, uintptr_t ra)
{
    X86CPU *cpu = env_archcpu(env);
    uint32_t index = env->regs[R_ECX];
    uint64_t value;

    if (!cpu->opmu_state) {
        return false;
    }
    sync_core(cpu);
    if (!cpu->opmu_state->style->rdpmc(cpu, index, &value)) {
        refuse(env, "rdpmc", index, ra);
    }
    log_access(env, "rdpmc", index, value);
    give(env, value);
    return true;
}

bool opmu_rdmsr(CPUX86State *env, uintptr_t ra)
{
    X86CPU *cpu = env_archcpu(env);
    uint32_t msr = env->regs[R_ECX];
    uint64_t value = 0;

    if (!cpu->opmu_state) {
        return false;
    }
    sync_core(cpu);
    switch (cpu->opmu_state->style->rdmsr(cpu, msr, &value)) {
    case OPMU_FOREIGN:
        return false;
    case OPMU_REFUSED:
        refuse(env, "rdmsr", msr, ra);
    case OPMU_DONE:
        break;
    }
    log_access(env, "rdmsr", msr, value);
    give(env, value);
    return true;
}

bool opmu_wrmsr(CPUX86State *env, uint64_t value, uintptr_t ra)
{
    X86CPU *cpu = env_archcpu(env);
    uint32_t msr = env->regs[R_ECX];

    if (!cpu->opmu_state) {
        return false;
    }
    sync_core(cpu);
    switch (cpu->opmu_state->style->wrmsr(cpu, msr, value)) {
    case OPMU_FOREIGN:
        return false;
    case OPMU_REFUSED:
        refuse(env, "wrmsr", msr, ra);
    case OPMU_DONE:
        break;
    }
    log_access(env, "wrmsr", msr, value);
    set_rates(cpu->opmu_state);
    return true;
}
