// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that freeze, and some that reset, many units at once: of a client's
 * memory controllers, and what a discovery table calls global control where it
 * says that this is in memory.
 *
 * Sources: Linux 6.12, adl_uncore_imc_init_box(); Linux 7, commits
 * b575fc0e3357 and 46da08a2bb4d: bit 0 of the table's register freezes all.
 */
#include <string.h>

#include "discovery.h"
#include "model.h"

#define GLOBAL_FREEZE	(1u << 0)

/* What the table says by now, which the guest may have changed. */
static uint64_t table_address(struct model *model, unsigned int base)
{
	uint64_t word[2];

	memcpy(word, table_of(model, base), sizeof(word));
	return word[0] >> 62 == ACCESS_MMIO ? word[1] : 0;
}

static uint8_t *global_of(struct model *model, unsigned int base)
{
	const struct base *b = &model->machine.base[base];
	uint64_t address = 0;

	if (b->class == BASE_TABLE)
		address = table_address(model, base);
	else if (b->scheme->global)
		address = b->region + b->scheme->global;
	return address ? memory_at(model, address) : NULL;
}

void global_init(struct model *model)
{
	unsigned int i;

	for (i = 0; i < model->machine.bases; i++) {
		uint8_t *at = global_of(model, i);

		if (at)
			store32(at, 0, GLOBAL_FREEZE);
	}
}

/* A reset of all is one of each, which the units then obey. */
static void pass_on(struct model *model, unsigned int base, uint32_t bits)
{
	const struct base *b = &model->machine.base[base];
	unsigned int i;

	for (i = b->first_block; i < b->first_block + b->blocks; i++) {
		struct unit_state *unit = &model->block[i].unit;
		uint32_t resets = unit->kind->reset_controls |
				  unit->kind->reset_counters;
		uint32_t there;

		if (!(bits & resets))
			continue;
		there = load32(unit->registers, unit->kind->unit_control);
		store32(unit->registers, unit->kind->unit_control,
			there | (bits & resets));
	}
}

void global_pass(struct model *model)
{
	unsigned int i;

	for (i = 0; i < model->machine.bases; i++) {
		uint8_t *at = global_of(model, i);
		uint32_t there;

		model->frozen[i] = false;
		if (!at)
			continue;
		there = load32(at, 0);
		model->frozen[i] = there & GLOBAL_FREEZE;
		if (model->machine.base[i].class != BASE_TABLE)
			pass_on(model, i, there);
		update32(at, 0, there, there & GLOBAL_FREEZE);
	}
}

int global_table(const struct machine *machine, const struct function *f)
{
	unsigned int i;

	for (i = 0; f->kind && i < machine->bases; i++)
		if (machine->base[i].class == BASE_TABLE &&
		    machine->function[machine->base[i].function].socket ==
			    f->socket)
			return i;
	return -1;
}
