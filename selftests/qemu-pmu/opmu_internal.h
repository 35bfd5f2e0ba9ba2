/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the emulated performance monitoring unit share: opmu.c
 * counts, opmu_intel.c and opmu_amd.c are its two programming interfaces.
 */
#ifndef I386_OPMU_INTERNAL_H
#define I386_OPMU_INTERNAL_H

enum {
    OPMU_MAX_GENERAL = 8,
    OPMU_MAX_FIXED = 4,
    OPMU_MIN_WIDTH = 32,        /* WRMSR to IA32_PMCx writes that many */
    OPMU_MAX_WIDTH = 63,
    OPMU_RATE_ONE = 64,         /* the rate of one count per unit of time */
};

/* Event select bits that both interfaces have. */
#define OPMU_SELECT_USR     (1ull << 16)
#define OPMU_SELECT_OS      (1ull << 17)
#define OPMU_SELECT_ENABLE  (1ull << 22)

typedef struct OpmuCounter {
    uint64_t select;            /* the event select register, if it has one */
    uint64_t value;
    uint32_t fraction;          /* of a count, in OPMU_RATE_ONEths */
    uint32_t rate[2];           /* at privilege level 0, and above */
} OpmuCounter;

/* What became of an access to an MSR. */
typedef enum OpmuAccess {
    OPMU_FOREIGN,               /* not a register of the unit */
    OPMU_DONE,
    OPMU_REFUSED,               /* the instruction draws #GP */
} OpmuAccess;

/* A programming interface. Core counters are up to date in every call. */
typedef struct OpmuStyle {
    void (*realize)(X86CPU *cpu, OpmuState *s);
    void (*reset)(X86CPU *cpu, OpmuState *s);
    /* Derive the rates of the core counters from the control registers. */
    void (*set_rates)(OpmuState *s);
    /* False if no counter has this index. */
    bool (*rdpmc)(X86CPU *cpu, uint32_t index, uint64_t *value);
    OpmuAccess (*rdmsr)(X86CPU *cpu, uint32_t msr, uint64_t *value);
    OpmuAccess (*wrmsr)(X86CPU *cpu, uint32_t msr, uint64_t value);
} OpmuStyle;

/* The unit of one virtual CPU, touched by that CPU's thread only. */
struct OpmuState {
    const OpmuStyle *style;
    unsigned n_general;
    unsigned n_fixed;
    unsigned width;

    OpmuCounter general[OPMU_MAX_GENERAL];
    OpmuCounter fixed[OPMU_MAX_FIXED];
    uint64_t fixed_control;     /* these three: Intel only */
    uint64_t global_control;
    uint64_t global_status;

    bool counting;              /* some rate is not zero */
    int64_t synced;             /* time at which the counters are correct */
};

extern const OpmuStyle opmu_intel;
extern const OpmuStyle opmu_amd;

static inline uint64_t opmu_mask(unsigned bits)
{
    return MAKE_64BIT_MASK(0, bits);
}

/* Time as one CPU and as the whole machine sees it; see opmu.c. */
int64_t opmu_core_time(X86CPU *cpu);
int64_t opmu_machine_time(void);

/* Let a counter run for a while. True if it wrapped. */
bool opmu_advance(OpmuCounter *c, int64_t elapsed, unsigned rate,
                  unsigned width);
void opmu_set_value(OpmuCounter *c, uint64_t value, unsigned width);

/* The rate of an event that has none of its own: never 0, often different. */
unsigned opmu_other_rate(unsigned event, unsigned umask);

#endif
