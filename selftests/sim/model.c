// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* The host was asleep or stopped: such a gap counts as this. */
#define ELAPSED_MAX	(10ull * 1000000000u)

void page_keep_hidden(struct page_state *page)
{
	unsigned int offset;

	for (offset = 0; offset < CONFIG_PAGE_SIZE; offset += 4)
		if (load32(page->page, offset) != UINT32_MAX)
			store32(page->page, offset, UINT32_MAX);
}

/*
 * A hidden unit does not count: it is not there. Its registers come back as
 * they were.
 */
void page_hide(struct page_state *page, bool hidden)
{
	if (hidden == !!page->hidden)
		return;
	if (!hidden) {
		memcpy(page->page, page->hidden, CONFIG_PAGE_SIZE);
		free(page->hidden);
		page->hidden = NULL;
		return;
	}
	page->hidden = malloc(CONFIG_PAGE_SIZE);
	if (!page->hidden)
		abort();
	memcpy(page->hidden, page->page, CONFIG_PAGE_SIZE);
	memset(page->page, 0xff, CONFIG_PAGE_SIZE);
}

/* The first dword is the ids, which sim_set_id() may have changed. */
static void restore_page(const struct model *model, unsigned int index)
{
	struct function_state *state = &model->state[index];
	uint8_t *page = state->page.page, *reset = model->reset[index];
	unsigned int offset;

	if (load32(page, 0) != state->id)
		store32(page, 0, state->id);
	for (offset = 4; offset < state->read_only_end; offset += 4) {
		if (load32(page, offset) == load32(reset, offset) ||
		    !machine_read_only(&model->machine, state->function,
				       offset))
			continue;
		store32(page, offset, load32(reset, offset));
	}
}

void model_pass(struct model *model, uint64_t elapsed, bool all)
{
	unsigned int i;

	if (elapsed > ELAPSED_MAX)
		elapsed = ELAPSED_MAX;
	global_pass(model);
	for (i = 0; i < model->machine.functions; i++) {
		struct function_state *state = &model->state[i];

		if (!state->unit.kind && !all)
			continue;
		if (state->page.hidden) {
			page_keep_hidden(&state->page);
			continue;
		}
		restore_page(model, i);
		state->unit.frozen = state->table >= 0 &&
				     model->frozen[state->table];
		if (state->unit.kind)
			unit_pass(&state->unit, model->running, elapsed);
	}
	memory_pass(model, elapsed);
}

static void function_init(struct model *model, unsigned int index)
{
	const struct function *f = &model->machine.function[index];
	struct function_state *state = &model->state[index];
	uint8_t page[CONFIG_PAGE_SIZE];
	unsigned int i;

	machine_page(&model->machine, f, page);
	memcpy(model->reset[index], page, RESET_SIZE);
	for (i = 0; i < RESET_SIZE; i += 4)
		if (machine_read_only(&model->machine, f, i))
			state->read_only_end = i + 4;
	state->function = f;
	state->page.page = model->memory[0] + f->address;
	state->id = (uint32_t)f->device_id << 16 | f->vendor_id;
	state->table = global_table(&model->machine, f);
	if (!f->kind)
		return;
	state->unit.kind = f->kind;
	state->unit.place = (struct unit_place) { f->socket, f->instance };
	state->unit.registers = state->page.page;
	unit_init(&state->unit);
}

void model_init(struct model *model, const struct machine *machine)
{
	unsigned int i;

	model->machine = *machine;
	model->running = true;
	model->state = calloc(machine->functions, sizeof(*model->state));
	model->reset = calloc(machine->functions, sizeof(*model->reset));
	if (!model->state || !model->reset)
		abort();
	for (i = 0; i < machine->functions; i++)
		function_init(model, i);
	memory_init(model);
}

void model_free(struct model *model)
{
	unsigned int i;

	for (i = 0; i < model->machine.functions; i++)
		free(model->state[i].page.hidden);
	free(model->state);
	free(model->reset);
	memory_free(model);
	machine_free(&model->machine);
}
