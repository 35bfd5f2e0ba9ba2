// SPDX-License-Identifier: GPL-2.0-only
/* Commands of the control page. Nothing in it is trusted. */
#include <errno.h>
#include <string.h>

#include "model.h"
#include "protocol.h"

struct request {
	uint32_t command;
	uint32_t segment;
	uint8_t bus;
	uint8_t device;
	uint8_t function;
	uint16_t unit;
	uint32_t counter;
	uint64_t argument;
	char name[SIM_NAME_MAX];
	struct function_state *state;
	struct block_state *block;	/* NULL: the function itself */
	struct unit_state *of;		/* the one or the other's */
	uint64_t reply[SIM_REPLY_WORDS];
};

static int command_clock(struct model *model, struct request *request)
{
	if (request->argument > 1)
		return -EINVAL;
	model->running = request->argument;
	return 0;
}

static int command_add(struct unit_state *unit, struct request *request)
{
	struct counter_state *c = &unit->counter[request->counter];

	if (!c->counting)
		return -EAGAIN;
	c->value = (c->value + request->argument) &
		   counter_mask(unit->kind, request->counter);
	counter_show(unit, request->counter);
	return 0;
}

static int command_set(struct unit_state *unit, struct request *request)
{
	struct counter_state *c = &unit->counter[request->counter];

	if (request->argument &
	    ~counter_mask(unit->kind, request->counter))
		return -EINVAL;
	c->value = request->argument;
	c->rest = 0;
	counter_show(unit, request->counter);
	return 0;
}

static int command_hold(struct unit_state *unit, struct request *request)
{
	struct counter_state *c = &unit->counter[request->counter];
	uint64_t before = c->value;

	if (request->argument &
	    ~counter_mask(unit->kind, request->counter))
		return -EINVAL;
	if (c->held)
		return -EBUSY;
	c->held = true;
	c->value = request->argument;
	c->rest = 0;
	counter_show_value(unit, request->counter,
			   (before & ~(uint64_t)UINT32_MAX) |
			   (request->argument & UINT32_MAX));
	return 0;
}

static int command_counter(struct request *request)
{
	struct unit_state *unit = request->of;
	const struct unit_kind *kind = unit->kind;
	struct counter_state *c;

	if (!kind || request->counter >= unit_counters(kind))
		return -EINVAL;
	c = &unit->counter[request->counter];

	switch (request->command) {
	case SIM_COMMAND_ADD:
		return command_add(unit, request);
	case SIM_COMMAND_SET:
		return command_set(unit, request);
	case SIM_COMMAND_GET:
		request->reply[0] = c->value;
		return 0;
	case SIM_COMMAND_HOLD:
		return command_hold(unit, request);
	default:
		c->held = false;
		counter_show(unit, request->counter);
		return 0;
	}
}

static int command_hide(struct model *model, struct request *request)
{
	struct function_state *state = request->state;
	unsigned int i;

	if (request->argument > 1)
		return -EINVAL;
	if (request->block)
		return model_hide_block(model, request->block - model->block,
					request->argument);
	page_hide(&state->page, request->argument);
	state->unit.registers = state->page.hidden ? state->page.hidden :
						     state->page.page;
	for (i = 0; state->page.hidden && i < UNIT_COUNTERS_MAX; i++)
		state->unit.counter[i].counting = false;
	return 0;
}

static int command_set_id(struct request *request)
{
	struct function_state *state = request->state;
	uint8_t *page = state->page.hidden ? state->page.hidden :
					     state->page.page;

	if (request->argument > UINT32_MAX)
		return -EINVAL;
	state->id = request->argument;
	memcpy(page, &state->id, sizeof(state->id));
	return 0;
}

static int command_describe(struct model *model, struct request *request)
{
	const struct function *f = request->state->function;
	const struct unit_kind *kind = request->of->kind;
	const struct page_state *page = &request->state->page;
	uint64_t *reply = request->reply;

	reply[SIM_REPLY_ADDRESS] = f->address;
	if (request->block) {
		page = &model->page[request->block->page].page;
		reply[SIM_REPLY_ADDRESS] = request->block->block->address;
	} else if (f->base >= 0) {
		reply[SIM_REPLY_UNITS] = model->machine.base[f->base].blocks;
	}
	if (kind) {
		reply[SIM_REPLY_GENERAL] = kind->general;
		reply[SIM_REPLY_FIXED] = kind->fixed_width ? 1 : 0;
		reply[SIM_REPLY_WIDTH] = kind->width;
		reply[SIM_REPLY_FIXED_WIDTH] = kind->fixed_width;
		reply[SIM_REPLY_FREE_RUNNING] = unit_is_free_running(kind);
	}
	reply[SIM_REPLY_HIDDEN] = !!page->hidden;
	reply[SIM_REPLY_ID] = (uint32_t)f->device_id << 16 | f->vendor_id;
	return 0;
}

static void found(const struct machine *machine, const struct function *f,
		  unsigned int unit, struct request *request)
{
	request->reply[SIM_FOUND_ADDRESS] =
		SIM_FOUND_FUNCTION(machine->segment[f->segment].number, f->bus,
				   f->device, f->function);
	request->reply[SIM_FOUND_UNIT] = unit;
}

static int command_find(const struct machine *machine, struct request *request)
{
	const struct function *self = request->state->function;
	const struct base *base = self->base < 0 ? NULL :
						   &machine->base[self->base];
	unsigned int i;

	for (i = 0; base && i < base->blocks; i++) {
		const struct block *b = &machine->block[base->first_block + i];

		if (strcmp(b->kind->type, request->name) ||
		    b->number != request->counter)
			continue;
		found(machine, self, 1 + i, request);
		return 0;
	}
	for (i = 0; base && base->class == BASE_TABLE &&
	     i < machine->functions; i++) {
		const struct function *f = &machine->function[i];

		if (!f->kind || f->socket != self->socket ||
		    strcmp(f->kind->type, request->name) ||
		    f->instance != request->counter)
			continue;
		found(machine, f, 0, request);
		return 0;
	}
	return -ENXIO;
}

/* Commands for functions with base registers */
static int command_base(struct model *model, struct request *request)
{
	int base = request->state->function->base;

	if (base < 0)
		return -ENXIO;
	switch (request->command) {
	case SIM_COMMAND_BASE:
		return model_base(model, base, request->argument);
	case SIM_COMMAND_POWER:
		return model_power(model, base, request->argument);
	case SIM_COMMAND_DISCOVERY:
		return model_discovery(model, base, request->name);
	default:
		return model_table(model, base, request->counter & 0xffff,
				   request->counter >> 16, request->argument);
	}
}

static int command_memory(struct model *model, struct request *request)
{
	uint8_t *at = memory_at(model, request->argument);

	if (!at)
		return -EINVAL;
	if (request->command == SIM_COMMAND_POKE)
		store32(at, 0, request->counter);
	request->reply[0] = load32(at, 0);
	return 0;
}

/* The function of the request, and the unit in memory if that is meant. */
static int find_state(struct model *model, struct request *request)
{
	struct machine *machine = &model->machine;
	const struct base *base;
	struct function *f;

	f = machine_find(machine, request->segment, request->bus,
			 request->device, request->function);
	if (!f)
		return -ENXIO;
	request->state = &model->state[f - machine->function];
	request->of = &request->state->unit;
	if (!request->unit)
		return 0;
	if (f->base < 0)
		return -ENXIO;
	base = &machine->base[f->base];
	if (request->unit > base->blocks)
		return -ENXIO;
	request->block = &model->block[base->first_block + request->unit - 1];
	request->of = &request->block->unit;
	return 0;
}

static int execute(struct model *model, struct request *request)
{
	int ret;

	switch (request->command) {
	case SIM_COMMAND_SYNC:
		return 0;
	case SIM_COMMAND_CLOCK:
		return command_clock(model, request);
	case SIM_COMMAND_MCFG:
		return mcfg_patch(model, request->counter, request->argument);
	case SIM_COMMAND_PEEK:
	case SIM_COMMAND_POKE:
		return command_memory(model, request);
	}

	ret = find_state(model, request);
	if (ret)
		return ret;
	switch (request->command) {
	case SIM_COMMAND_ADD:
	case SIM_COMMAND_SET:
	case SIM_COMMAND_GET:
	case SIM_COMMAND_HOLD:
	case SIM_COMMAND_RELEASE:
		return command_counter(request);
	case SIM_COMMAND_HIDE:
		return command_hide(model, request);
	case SIM_COMMAND_SET_ID:
		return request->block ? -EINVAL : command_set_id(request);
	case SIM_COMMAND_DESCRIBE:
		return command_describe(model, request);
	case SIM_COMMAND_FIND:
		return command_find(&model->machine, request);
	case SIM_COMMAND_BASE:
	case SIM_COMMAND_POWER:
	case SIM_COMMAND_DISCOVERY:
	case SIM_COMMAND_TABLE:
		return command_base(model, request);
	default:
		return -EOPNOTSUPP;
	}
}

void model_command(struct model *model, struct sim_page *page)
{
	/* The guest may change the page while it is looked at: copy first. */
	const volatile struct sim_page *untrusted = page;
	struct request request = {
		.command = untrusted->command,
		.segment = untrusted->segment,
		.bus = untrusted->bus,
		.device = untrusted->device,
		.function = untrusted->function,
		.unit = untrusted->unit,
		.counter = untrusted->counter,
		.argument = untrusted->argument,
	};
	unsigned int i;

	for (i = 0; i < SIM_NAME_MAX - 1; i++)
		request.name[i] = untrusted->name[i];
	page->result = execute(model, &request);
	memcpy(page->reply, request.reply, sizeof(page->reply));
}
