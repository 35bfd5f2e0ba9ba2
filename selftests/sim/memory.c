// SPDX-License-Identifier: GPL-2.0-only
/* Units in memory, and what they are found by. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "model.h"
#include "simctl.h"

#define PCI_COMMAND		0x04
#define PCI_COMMAND_MEMORY	0x0002u
#define PM_STATE		4	/* in the capability */
#define PM_STATE_MASK		3u
#define PM_STATE_D3		3u

static struct function_state *base_function(struct model *model,
					    unsigned int base)
{
	return &model->state[model->machine.base[base].function];
}

static uint8_t *base_page(struct model *model, unsigned int base)
{
	struct page_state *page = &base_function(model, base)->page;

	return page->hidden ? page->hidden : page->page;
}

static unsigned int find_page(struct model *model, unsigned int base,
			      uint64_t address)
{
	unsigned int i;

	for (i = model->pages; i-- > 0;)
		if (model->page[i].address == address)
			return i;
	model->page[model->pages] = (struct memory_page) {
		.page.page = model->memory[0] + address,
		.address = address,
		.base = base,
	};
	return model->pages++;
}

void memory_init(struct model *model)
{
	const struct machine *machine = &model->machine;
	unsigned int i;

	model->block = calloc(machine->blocks + 1, sizeof(*model->block));
	model->page = calloc(machine->blocks + 1, sizeof(*model->page));
	if (!model->block || !model->page)
		abort();
	for (i = 0; i < machine->blocks; i++) {
		const struct block *b = &machine->block[i];
		struct block_state *state = &model->block[i];

		state->block = b;
		state->offset = b->address % CONFIG_PAGE_SIZE;
		state->page = find_page(model, b->base,
					b->address - state->offset);
		state->unit.kind = b->kind;
		state->unit.place = (struct unit_place) { b->socket,
							  b->number };
		state->unit.registers = model->memory[0] + b->address;
		unit_init(&state->unit);
	}
	global_init(model);
}

void memory_free(struct model *model)
{
	unsigned int i;

	for (i = 0; i < model->pages; i++)
		free(model->page[i].page.hidden);
	for (i = 0; i < BASES_MAX; i++)
		free(model->table_behind[i]);
	free(model->page);
	free(model->block);
}

uint8_t *table_of(struct model *model, unsigned int base)
{
	if (model->table_behind[base])
		return model->table_behind[base];
	return model->memory[0] + base_table(&model->machine.base[base]);
}

uint8_t *memory_at(struct model *model, uint64_t address)
{
	uint64_t end = LOW_MEMORY + model->machine.reserved_size;
	unsigned int i, offset = address % CONFIG_PAGE_SIZE;

	if (address % 4 || address < LOW_MEMORY || address >= end)
		return NULL;
	for (i = 0; i < model->pages; i++)
		if (model->page[i].address == address - offset &&
		    model->page[i].page.hidden)
			return model->page[i].page.hidden + offset;
	return model->memory[0] + address;
}

static void hide_table(struct model *model, unsigned int base, bool hidden)
{
	uint8_t *table = model->memory[0] +
			 base_table(&model->machine.base[base]);

	if (hidden == !!model->table_behind[base])
		return;
	if (!hidden) {
		memcpy(table, model->table_behind[base], TABLE_SIZE);
		free(model->table_behind[base]);
		model->table_behind[base] = NULL;
		return;
	}
	model->table_behind[base] = malloc(TABLE_SIZE);
	if (!model->table_behind[base])
		abort();
	memcpy(model->table_behind[base], table, TABLE_SIZE);
	memset(table, 0xff, TABLE_SIZE);
}

/* No power or no decoding. A hidden function goes on decoding. */
static bool is_off(struct model *model, unsigned int base)
{
	const uint8_t *page = base_page(model, base);
	unsigned int pm = base_pm(&model->machine.base[base]);

	return !(load32(page, PCI_COMMAND) & PCI_COMMAND_MEMORY) ||
	       (load32(page, pm + PM_STATE) & PM_STATE_MASK) == PM_STATE_D3;
}

static void stop_counting(struct unit_state *unit)
{
	unsigned int i;

	for (i = 0; i < UNIT_COUNTERS_MAX; i++)
		unit->counter[i].counting = false;
}

void memory_pass(struct model *model, uint64_t elapsed)
{
	unsigned int i;

	for (i = 0; i < model->machine.bases; i++) {
		model->base_off[i] = is_off(model, i);
		if (model->machine.base[i].class == BASE_TABLE)
			hide_table(model, i, model->base_off[i]);
	}
	for (i = 0; i < model->pages; i++) {
		struct memory_page *p = &model->page[i];

		page_hide(&p->page, p->asked || model->base_off[p->base]);
		if (p->page.hidden)
			page_keep_hidden(&p->page);
	}
	for (i = 0; i < model->machine.blocks; i++) {
		struct block_state *state = &model->block[i];
		struct page_state *page = &model->page[state->page].page;
		uint8_t *at = page->hidden ? page->hidden : page->page;

		state->unit.registers = at + state->offset;
		state->unit.frozen = model->frozen[state->block->base];
		if (page->hidden)
			stop_counting(&state->unit);
		else
			unit_pass(&state->unit, model->running, elapsed);
	}
}

int model_hide_block(struct model *model, unsigned int block, bool hidden)
{
	model->page[model->block[block].page].asked = hidden;
	memory_pass(model, 0);
	return 0;
}

int model_base(struct model *model, unsigned int base, uint64_t what)
{
	return base_registers(&model->machine, base, what,
			      base_page(model, base));
}

int model_power(struct model *model, unsigned int base, uint64_t what)
{
	unsigned int pm = base_pm(&model->machine.base[base]) + PM_STATE;
	uint8_t *page = base_page(model, base);
	uint32_t command = load32(page, PCI_COMMAND) | PCI_COMMAND_MEMORY;
	uint32_t state = load32(page, pm) & ~PM_STATE_MASK;

	switch (what) {
	case SIM_POWER_ON:
		break;
	case SIM_POWER_NO_DECODE:
		command &= ~PCI_COMMAND_MEMORY;
		break;
	case SIM_POWER_D3:
		state |= PM_STATE_D3;
		break;
	default:
		return -EINVAL;
	}
	store32(page, PCI_COMMAND, command);
	store32(page, pm, state);
	memory_pass(model, 0);
	return 0;
}

int model_discovery(struct model *model, unsigned int base,
		    const char *variant)
{
	if (model->machine.base[base].class != BASE_TABLE)
		return -ENXIO;
	return discovery_write(&model->machine, base, variant,
			       table_of(model, base), base_page(model, base));
}

int model_table(struct model *model, unsigned int base, unsigned int entry,
		uint32_t field, uint64_t value)
{
	if (model->machine.base[base].class != BASE_TABLE)
		return -ENXIO;
	return discovery_field(&model->machine, base, entry, field, value,
			       table_of(model, base));
}
