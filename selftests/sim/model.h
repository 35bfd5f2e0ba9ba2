/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hardware model: obeys the registers in the configuration pages and moves
 * the counters.
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
 * the upper halves of the 64-bit controls (extended umask).
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

struct page_state {
	const struct function *function;
	uint8_t *page;
	uint8_t *hidden;	/* what is behind a hidden page, or NULL */
	uint32_t id;		/* vendor and device, as shown */
	unsigned int read_only_end;
	struct counter_state counter[UNIT_COUNTERS_MAX];
};

struct model {
	struct machine machine;
	struct page_state *page;	/* one for each function, in that order */
	uint8_t (*reset)[RESET_SIZE];	/* contents after reset, ditto */
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

uint64_t counter_mask(const struct unit_kind *kind, unsigned int counter);

/* Puts the model's value into the page, unless it is held or hidden. */
void counter_show(struct page_state *state, unsigned int counter);

/* Shows another value than the model's. */
void counter_show_value(struct page_state *state, unsigned int counter,
			uint64_t value);

void page_hide(struct page_state *state, bool hidden);

/* Counts a second; see rates.c. */
uint64_t counter_rate(const struct function *function, unsigned int counter,
		      uint32_t control);

struct sim_page;

/* Carries out one command of the control page. */
void model_command(struct model *model, struct sim_page *page);

/* sim_mcfg(): 0 or -errno */
int mcfg_patch(struct model *model, uint32_t what, uint64_t argument);

/* "run": plays the machine in DIR until told to stop. */
int run(const char *dir, struct report *report);

#endif /* MODEL_H */
