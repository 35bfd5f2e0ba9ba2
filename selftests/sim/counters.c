// SPDX-License-Identifier: GPL-2.0-only
/* The registers of one unit, wherever they are. */
#include "model.h"

#define NANOSECONDS	1000000000u

/* Some counters of Knights Landing are at odd multiples of 4. */
struct unaligned64 {
	uint64_t value;
} __attribute__((packed, aligned(4)));

/*
 * The neighbour of a counter of 32 bits is another one: nothing beyond it is
 * read or written.
 */
static uint64_t load_counter(const uint8_t *at, unsigned int width)
{
	if (width <= 32)
		return *(const volatile uint32_t *)at;
	return ((const volatile struct unaligned64 *)at)->value;
}

/*
 * One store in all cases: x86 does an unaligned one inside a cache line at
 * once. Only the aligned one spares a value that the guest is just writing.
 */
static void update_counter(uint8_t *at, unsigned int width, uint64_t old,
			   uint64_t new)
{
	if (width <= 32)
		update32(at, 0, old, new);
	else if ((uintptr_t)at % sizeof(new))
		((volatile struct unaligned64 *)at)->value = new;
	else
		__atomic_compare_exchange_n((uint64_t *)at, &old, new, false,
					    __ATOMIC_SEQ_CST,
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

static unsigned int counter_width(const struct unit_kind *kind,
				  unsigned int counter)
{
	return is_fixed(kind, counter) ? kind->fixed_width : kind->width;
}

uint64_t counter_mask(const struct unit_kind *kind, unsigned int counter)
{
	return UINT64_MAX >> (64 - counter_width(kind, counter));
}

void counter_show_value(struct unit_state *unit, unsigned int counter,
			uint64_t value)
{
	struct counter_state *c = &unit->counter[counter];
	const struct unit_kind *kind = unit->kind;

	if (value == c->shown)
		return;
	update_counter(unit->registers + counter_offset(kind, counter),
		       counter_width(kind, counter), c->shown, value);
	c->shown = value;
}

void counter_show(struct unit_state *unit, unsigned int counter)
{
	struct counter_state *c = &unit->counter[counter];

	if (!c->held)
		counter_show_value(unit, counter, c->value);
}

/*
 * What the guest wrote into a counter becomes its value, but for a held one
 * and a free-running one. Returns whether it wrote.
 */
static bool take_over(struct unit_state *unit, unsigned int counter)
{
	const struct unit_kind *kind = unit->kind;
	struct counter_state *c = &unit->counter[counter];
	uint64_t there = load_counter(unit->registers +
					      counter_offset(kind, counter),
				      counter_width(kind, counter));
	uint64_t shown = c->shown;

	if (there == shown)
		return false;
	c->shown = there;
	if (c->held) {
		counter_show_value(unit, counter, shown);
	} else if (unit_is_free_running(kind)) {
		counter_show(unit, counter);
	} else {
		c->value = there & counter_mask(kind, counter);
		c->rest = 0;
		counter_show(unit, counter);
	}
	return true;
}

static void reset_counter(struct unit_state *unit, unsigned int counter)
{
	struct counter_state *c = &unit->counter[counter];

	c->value = 0;
	c->rest = 0;
	counter_show(unit, counter);
}

/* Returns whether the counter may count. */
static bool obey_control(struct unit_state *unit, unsigned int counter,
			 uint32_t *control)
{
	const struct unit_kind *kind = unit->kind;
	unsigned int offset = control_offset(kind, counter);
	uint32_t there = load32(unit->registers, offset);
	uint32_t enable = kind->enable ? kind->enable : CONTROL_EVENT;
	uint32_t reset = CONTROL_RESET, writable = ~CONTROL_RESET;

	if (is_fixed(kind, counter)) {
		enable = kind->fixed_enable;
		reset = FIXED_RESET;
		writable = enable | FIXED_OVERFLOW;
	}
	if (there & reset)
		reset_counter(unit, counter);
	update32(unit->registers, offset, there, there & writable);
	*control = there & writable;
	return there & enable;
}

static void count(struct unit_state *unit, unsigned int counter,
		  uint32_t control, uint64_t elapsed)
{
	struct counter_state *c = &unit->counter[counter];
	uint64_t rate = counter_rate(unit->kind, &unit->place, counter,
				     control);
	uint64_t sum = rate * elapsed + c->rest;

	c->rest = sum % NANOSECONDS;
	c->value = (c->value + sum / NANOSECONDS) &
		   counter_mask(unit->kind, counter);
	counter_show(unit, counter);
}

/* Returns whether the unit is frozen. @written: counters that the guest wrote */
static bool obey_unit_control(struct unit_state *unit, unsigned int written)
{
	const struct unit_kind *kind = unit->kind;
	uint32_t there = load32(unit->registers, kind->unit_control);
	uint32_t keep = kind->unit_bits &
			~(kind->reset_controls | kind->reset_counters);
	unsigned int i;

	for (i = 0; i < unit_counters(kind); i++) {
		if (there & kind->reset_controls)
			update32(unit->registers, control_offset(kind, i),
				 unit->counter[i].control, 0);
		if (there & kind->reset_counters && !(written & 1u << i))
			reset_counter(unit, i);
	}
	update32(unit->registers, kind->unit_control, there, there & keep);
	if (!(there & kind->freeze))
		return false;
	return !kind->freeze_needs_enable || there & UNIT_FREEZE_ENABLE;
}

void unit_pass(struct unit_state *unit, bool running, uint64_t elapsed)
{
	const struct unit_kind *kind = unit->kind;
	bool free_running = unit_is_free_running(kind), frozen = false;
	unsigned int i, written = 0;

	for (i = 0; i < unit_counters(kind); i++)
		written |= (unsigned int)take_over(unit, i) << i;
	if (!free_running)
		frozen = obey_unit_control(unit, written) || unit->frozen;
	for (i = 0; i < unit_counters(kind); i++) {
		struct counter_state *c = &unit->counter[i];
		bool counted = c->counting;

		c->counting = free_running ||
			      (obey_control(unit, i, &c->control) && !frozen);
		/* Enabled between two passes: counts from the second one on. */
		if (running && counted && c->counting)
			count(unit, i, c->control, elapsed);
	}
}

void unit_init(struct unit_state *unit)
{
	unsigned int i;

	for (i = 0; i < unit_counters(unit->kind); i++) {
		struct counter_state *c = &unit->counter[i];

		c->shown = load_counter(unit->registers +
						counter_offset(unit->kind, i),
					counter_width(unit->kind, i));
		c->value = c->shown & counter_mask(unit->kind, i);
	}
}
