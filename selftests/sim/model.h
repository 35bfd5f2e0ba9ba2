/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hardware model: obeys the registers in the configuration pages and in
 * memory, and moves the counters.
 *
 * The pages are ordinary memory that the guest changes at any time. A pass over
 * all units looks at what is there, takes over what the guest wrote, does what
 * the control registers say and shows the counters' new values. What hardware
 * does at once (self-clearing bits, read-only registers) happens at the next
 * pass here, within about a millisecond, or before sim_sync() returns. What was
 * written since the last pass has no order: a unit reset spares the controls
 * and counters written in the same interval, since programming after a reset
 * is what drivers do.
 *
 * Not modelled: overflow status and interrupts, the freeze signal that other
 * units send, filter registers (they keep what is written and do nothing),
 * the upper halves of the 64-bit controls (extended umask), units and global
 * controls in MSRs.
 */
#ifndef MODEL_H
#define MODEL_H

#include "acpi.h"

/* No read-only register is above. */
#define RESET_SIZE	0x100

struct counter_state {
	uint64_t value;		/* the model's own */
	uint64_t shown;		/* what the page holds */
	uint64_t rest;		/* of a count, in 1e-9 */
	uint32_t control;	/* at the last pass */
	bool counting;		/* at the last pass */
	bool held;
};

/* Where a unit is among those of its kind, for the rates */
struct unit_place {
	int socket;
	unsigned int instance;
};

struct unit_state {
	const struct unit_kind *kind;	/* NULL: no unit */
	struct unit_place place;
	uint8_t *registers;		/* kind's offsets are from here */
	bool frozen;			/* by a global control */
	struct counter_state counter[UNIT_COUNTERS_MAX];
};

/* A page of registers, of a function or in memory */
struct page_state {
	uint8_t *page;
	uint8_t *hidden;	/* what is behind a hidden page, or NULL */
};

struct function_state {
	const struct function *function;
	struct page_state page;
	struct unit_state unit;
	uint32_t id;		/* vendor and device, as shown */
	unsigned int read_only_end;
	int table;		/* base that describes the unit, or -1 */
};

/* A unit in memory */
struct block_state {
	const struct block *block;
	unsigned int page;	/* index */
	unsigned int offset;	/* of the registers in it */
	struct unit_state unit;
};

/* A page of units in memory; those in it are found through the same base. */
struct memory_page {
	struct page_state page;
	uint64_t address;
	unsigned int base;	/* index */
	bool asked;		/* to be hidden, by sim_hide() */
};

struct model {
	struct machine machine;
	struct function_state *state;	/* one for each function, in that order */
	uint8_t (*reset)[RESET_SIZE];	/* contents after reset, ditto */
	struct block_state *block;	/* one for each block, in that order */
	struct memory_page *page;
	unsigned int pages;
	bool base_off[BASES_MAX];	/* no power or no decoding */
	bool frozen[BASES_MAX];		/* all units, by the global control */
	uint8_t *table_behind[BASES_MAX];	/* a hidden table, or NULL */
	uint8_t *memory[NODES_MAX];	/* the guest's, by node */
	bool running;			/* the clock */
	uint8_t *mcfg;			/* in guest memory, NULL: not found yet */
	uint8_t mcfg_original[MCFG_SIZE_MAX];
	uint32_t mcfg_size;
};

/* Takes over @machine; guest memory must be mapped already. */
void model_init(struct model *model, const struct machine *machine);
void model_free(struct model *model);

/*
 * @elapsed: nanoseconds since the last pass
 * @all: look at the functions without counters as well
 */
void model_pass(struct model *model, uint64_t elapsed, bool all);

/* 0 or -errno; see simctl.h. */
int model_hide_block(struct model *model, unsigned int block, bool hidden);
int model_base(struct model *model, unsigned int base, uint64_t what);
int model_power(struct model *model, unsigned int base, uint64_t what);
int model_discovery(struct model *model, unsigned int base,
		    const char *variant);
int model_table(struct model *model, unsigned int base, unsigned int entry,
		uint32_t field, uint64_t value);

/* Units in memory, see memory.c. */
void memory_init(struct model *model);
void memory_free(struct model *model);
void memory_pass(struct model *model, uint64_t elapsed);

/* Obeys the registers that freeze or reset all units of a base; see global.c. */
void global_init(struct model *model);
void global_pass(struct model *model);

/* The base whose table describes a unit in configuration space, or -1. */
int global_table(const struct machine *machine, const struct function *f);

/* A register in reserved memory, behind what hides it; NULL: out of reach. */
uint8_t *memory_at(struct model *model, uint64_t address);

/* The table as the guest would read it, or will once it can. */
uint8_t *table_of(struct model *model, unsigned int base);

/* All ones instead of the page, until it shows again. */
void page_hide(struct page_state *page, bool hidden);
void page_keep_hidden(struct page_state *page);

/* One unit, see counters.c. */
void unit_init(struct unit_state *unit);
void unit_pass(struct unit_state *unit, bool running, uint64_t elapsed);
uint64_t counter_mask(const struct unit_kind *kind, unsigned int counter);

/* Puts the model's value into the register, unless it is held. */
void counter_show(struct unit_state *unit, unsigned int counter);

/* Shows another value than the model's. */
void counter_show_value(struct unit_state *unit, unsigned int counter,
			uint64_t value);

/* Counts a second; see rates.c. */
uint64_t counter_rate(const struct unit_kind *kind,
		      const struct unit_place *place, unsigned int counter,
		      uint32_t control);

/* Registers, which the guest may change at any time */
static inline uint32_t load32(const uint8_t *page, unsigned int offset)
{
	return __atomic_load_n((const uint32_t *)(page + offset),
			       __ATOMIC_SEQ_CST);
}

static inline void store32(uint8_t *page, unsigned int offset, uint32_t value)
{
	__atomic_store_n((uint32_t *)(page + offset), value, __ATOMIC_SEQ_CST);
}

/*
 * Changes a register only if the guest has not written it since it was read;
 * what it wrote is obeyed at the next pass.
 */
static inline void update32(uint8_t *page, unsigned int offset, uint32_t old,
			    uint32_t new)
{
	if (old != new)
		__atomic_compare_exchange_n((uint32_t *)(page + offset), &old,
					    new, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
}

struct sim_page;

/* Carries out one command of the control page. */
void model_command(struct model *model, struct sim_page *page);

/* sim_mcfg(): 0 or -errno */
int mcfg_patch(struct model *model, uint32_t what, uint64_t argument);

/* "run": plays the machine in DIR until told to stop. */
int run(const char *dir, struct report *report);

#endif /* MODEL_H */
