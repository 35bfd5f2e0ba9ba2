// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define NANOSECONDS	1000000000u
/* The host was asleep or stopped: such a gap counts as this. */
#define ELAPSED_MAX	(10ull * NANOSECONDS)

/* Some counters of Knights Landing are at odd multiples of 4. */
struct unaligned64 {
	uint64_t value;
} __attribute__((packed, aligned(4)));

static uint32_t *reg32(uint8_t *page, unsigned int offset)
{
	return (uint32_t *)(page + offset);
}

static uint32_t load32(uint8_t *page, unsigned int offset)
{
	return __atomic_load_n(reg32(page, offset), __ATOMIC_SEQ_CST);
}

static void store32(uint8_t *page, unsigned int offset, uint32_t value)
{
	__atomic_store_n(reg32(page, offset), value, __ATOMIC_SEQ_CST);
}

/*
 * Changes a register only if the guest has not written it since it was read;
 * what it wrote is obeyed at the next pass.
 */
static void update32(uint8_t *page, unsigned int offset, uint32_t old,
		     uint32_t new)
{
	if (old != new)
		__atomic_compare_exchange_n(reg32(page, offset), &old, new,
					    false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
}

static uint64_t load64(uint8_t *page, unsigned int offset)
{
	return ((volatile struct unaligned64 *)(page + offset))->value;
}

/*
 * One store in both cases: x86 does an unaligned one inside a cache line at
 * once. Only the aligned one spares a value that the guest is just writing.
 */
static void update64(uint8_t *page, unsigned int offset, uint64_t old,
		     uint64_t new)
{
	if (offset % sizeof(new))
		((volatile struct unaligned64 *)(page + offset))->value = new;
	else
		__atomic_compare_exchange_n((uint64_t *)(page + offset), &old,
					    new, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
}

static bool is_fixed(const struct unit_kind *kind, unsigned int counter)
{
	return counter == kind->general;
}

static unsigned int counter_offset(const struct unit_kind *kind,
				   unsigned int counter)
{
	return is_fixed(kind, counter) ? kind->fixed_counter :
					 kind->counter[counter];
}

static unsigned int control_offset(const struct unit_kind *kind,
				   unsigned int counter)
{
	return is_fixed(kind, counter) ? kind->fixed_control :
					 kind->control[counter];
}

uint64_t counter_mask(const struct unit_kind *kind, unsigned int counter)
{
	unsigned int width = is_fixed(kind, counter) ? kind->fixed_width :
						       kind->width;

	return (1ull << width) - 1;
}

void counter_show_value(struct page_state *state, unsigned int counter,
			uint64_t value)
{
	struct counter_state *c = &state->counter[counter];
	const struct unit_kind *kind = state->function->kind;
	uint8_t *page = state->hidden ? state->hidden : state->page;

	if (value == c->shown)
		return;
	update64(page, counter_offset(kind, counter), c->shown, value);
	c->shown = value;
}

void counter_show(struct page_state *state, unsigned int counter)
{
	struct counter_state *c = &state->counter[counter];

	if (!c->held)
		counter_show_value(state, counter, c->value);
}

/*
 * What the guest wrote into a counter becomes its value, but for a held one.
 * Returns whether it wrote.
 */
static bool take_over(struct page_state *state, unsigned int counter)
{
	const struct unit_kind *kind = state->function->kind;
	struct counter_state *c = &state->counter[counter];
	uint64_t there = load64(state->page, counter_offset(kind, counter));
	uint64_t shown = c->shown;

	if (there == shown)
		return false;
	c->shown = there;
	if (c->held) {
		counter_show_value(state, counter, shown);
	} else {
		c->value = there & counter_mask(kind, counter);
		c->rest = 0;
		counter_show(state, counter);
	}
	return true;
}

static void reset_counter(struct page_state *state, unsigned int counter)
{
	struct counter_state *c = &state->counter[counter];

	c->value = 0;
	c->rest = 0;
	counter_show(state, counter);
}

/* Returns whether the counter may count. */
static bool obey_control(struct page_state *state, unsigned int counter,
			 uint32_t *control)
{
	const struct unit_kind *kind = state->function->kind;
	unsigned int offset = control_offset(kind, counter);
	uint32_t there = load32(state->page, offset);
	uint32_t enable = CONTROL_ENABLE, reset = CONTROL_RESET;
	uint32_t writable = ~CONTROL_RESET;

	if (is_fixed(kind, counter)) {
		enable = kind->fixed_enable;
		reset = FIXED_RESET;
		writable = enable | FIXED_OVERFLOW;
	}
	if (there & reset)
		reset_counter(state, counter);
	update32(state->page, offset, there, there & writable);
	*control = there & writable;
	return there & enable;
}

static void count(struct page_state *state, unsigned int counter,
		  uint32_t control, uint64_t elapsed)
{
	struct counter_state *c = &state->counter[counter];
	uint64_t rate = counter_rate(state->function, counter, control);
	uint64_t sum = rate * elapsed + c->rest;

	c->rest = sum % NANOSECONDS;
	c->value = (c->value + sum / NANOSECONDS) &
		   counter_mask(state->function->kind, counter);
	counter_show(state, counter);
}

/* Returns whether the unit is frozen. @written: counters that the guest wrote */
static bool obey_unit_control(struct page_state *state, unsigned int written)
{
	const struct unit_kind *kind = state->function->kind;
	uint32_t there = load32(state->page, kind->unit_control);
	uint32_t keep = kind->unit_bits &
			~(UNIT_RESET_CONTROLS | UNIT_RESET_COUNTERS);
	unsigned int i;

	for (i = 0; i < unit_counters(kind); i++) {
		if (there & UNIT_RESET_CONTROLS)
			update32(state->page, control_offset(kind, i),
				 state->counter[i].control, 0);
		if (there & UNIT_RESET_COUNTERS && !(written & 1u << i))
			reset_counter(state, i);
	}
	update32(state->page, kind->unit_control, there, there & keep);
	if (!(there & UNIT_FREEZE))
		return false;
	return !kind->freeze_needs_enable || there & UNIT_FREEZE_ENABLE;
}

static void pass_unit(struct page_state *state, bool running, uint64_t elapsed)
{
	const struct unit_kind *kind = state->function->kind;
	unsigned int i, written = 0;
	bool frozen;

	for (i = 0; i < unit_counters(kind); i++)
		written |= (unsigned int)take_over(state, i) << i;
	frozen = obey_unit_control(state, written);
	for (i = 0; i < unit_counters(kind); i++) {
		struct counter_state *c = &state->counter[i];
		bool counted = c->counting;

		c->counting = obey_control(state, i, &c->control) && !frozen;
		/* Enabled between two passes: counts from the second one on. */
		if (running && counted && c->counting)
			count(state, i, c->control, elapsed);
	}
}

static void keep_hidden(struct page_state *state)
{
	unsigned int offset;

	for (offset = 0; offset < CONFIG_PAGE_SIZE; offset += 4)
		if (load32(state->page, offset) != UINT32_MAX)
			store32(state->page, offset, UINT32_MAX);
}

/* The first dword is the ids, which sim_set_id() may have changed. */
static void restore_page(const struct model *model, unsigned int index)
{
	struct page_state *state = &model->page[index];
	uint8_t *reset = model->reset[index];
	unsigned int offset;

	if (load32(state->page, 0) != state->id)
		store32(state->page, 0, state->id);
	for (offset = 4; offset < state->read_only_end; offset += 4) {
		if (load32(state->page, offset) == load32(reset, offset) ||
		    !machine_read_only(&model->machine, state->function,
				       offset))
			continue;
		store32(state->page, offset, load32(reset, offset));
	}
}

void model_pass(struct model *model, uint64_t elapsed, bool all)
{
	unsigned int i;

	if (elapsed > ELAPSED_MAX)
		elapsed = ELAPSED_MAX;
	for (i = 0; i < model->machine.functions; i++) {
		struct page_state *state = &model->page[i];

		if (!state->function->kind && !all)
			continue;
		if (state->hidden) {
			keep_hidden(state);
			continue;
		}
		restore_page(model, i);
		if (state->function->kind)
			pass_unit(state, model->running, elapsed);
	}
}

/*
 * A hidden unit does not count: it is not there. Its registers come back as
 * they were.
 */
void page_hide(struct page_state *state, bool hidden)
{
	unsigned int i;

	if (hidden == !!state->hidden)
		return;
	if (!hidden) {
		memcpy(state->page, state->hidden, CONFIG_PAGE_SIZE);
		free(state->hidden);
		state->hidden = NULL;
		return;
	}
	state->hidden = malloc(CONFIG_PAGE_SIZE);
	if (!state->hidden)
		abort();
	memcpy(state->hidden, state->page, CONFIG_PAGE_SIZE);
	memset(state->page, 0xff, CONFIG_PAGE_SIZE);
	for (i = 0; i < UNIT_COUNTERS_MAX; i++)
		state->counter[i].counting = false;
}

static void page_init(struct model *model, unsigned int index)
{
	const struct function *f = &model->machine.function[index];
	struct page_state *state = &model->page[index];
	uint8_t page[CONFIG_PAGE_SIZE];
	unsigned int i;

	machine_page(&model->machine, f, page);
	memcpy(model->reset[index], page, RESET_SIZE);
	for (i = 0; i < RESET_SIZE; i += 4)
		if (machine_read_only(&model->machine, f, i))
			state->read_only_end = i + 4;
	state->function = f;
	state->page = model->memory[0] + f->address;
	state->id = (uint32_t)f->device_id << 16 | f->vendor_id;
	for (i = 0; f->kind && i < unit_counters(f->kind); i++) {
		struct counter_state *c = &state->counter[i];

		c->shown = load64(state->page, counter_offset(f->kind, i));
		c->value = c->shown & counter_mask(f->kind, i);
	}
}

void model_init(struct model *model, const struct machine *machine)
{
	unsigned int i;

	model->machine = *machine;
	model->running = true;
	model->page = calloc(machine->functions, sizeof(*model->page));
	model->reset = calloc(machine->functions, sizeof(*model->reset));
	if (!model->page || !model->reset)
		abort();
	for (i = 0; i < machine->functions; i++)
		page_init(model, i);
}

void model_free(struct model *model)
{
	unsigned int i;

	for (i = 0; i < model->machine.functions; i++)
		free(model->page[i].hidden);
	free(model->page);
	free(model->reset);
	machine_free(&model->machine);
}
