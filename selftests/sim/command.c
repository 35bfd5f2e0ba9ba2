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
	uint32_t counter;
	uint64_t argument;
	struct page_state *state;
	uint64_t reply[SIM_REPLY_WORDS];
};

static int command_clock(struct model *model, struct request *request)
{
	if (request->argument > 1)
		return -EINVAL;
	model->running = request->argument;
	return 0;
}

static int command_add(struct page_state *state, struct request *request)
{
	struct counter_state *c = &state->counter[request->counter];

	if (!c->counting)
		return -EAGAIN;
	c->value = (c->value + request->argument) &
		   counter_mask(state->function->kind, request->counter);
	counter_show(state, request->counter);
	return 0;
}

static int command_set(struct page_state *state, struct request *request)
{
	struct counter_state *c = &state->counter[request->counter];

	if (request->argument &
	    ~counter_mask(state->function->kind, request->counter))
		return -EINVAL;
	c->value = request->argument;
	c->rest = 0;
	counter_show(state, request->counter);
	return 0;
}

static int command_hold(struct page_state *state, struct request *request)
{
	struct counter_state *c = &state->counter[request->counter];
	uint64_t before = c->value;

	if (request->argument &
	    ~counter_mask(state->function->kind, request->counter))
		return -EINVAL;
	if (c->held)
		return -EBUSY;
	c->held = true;
	c->value = request->argument;
	c->rest = 0;
	counter_show_value(state, request->counter,
			   (before & ~(uint64_t)UINT32_MAX) |
			   (request->argument & UINT32_MAX));
	return 0;
}

static int command_counter(struct request *request)
{
	struct page_state *state = request->state;
	const struct unit_kind *kind = state->function->kind;
	struct counter_state *c;

	if (!kind || request->counter >= unit_counters(kind))
		return -EINVAL;
	c = &state->counter[request->counter];

	switch (request->command) {
	case SIM_COMMAND_ADD:
		return command_add(state, request);
	case SIM_COMMAND_SET:
		return command_set(state, request);
	case SIM_COMMAND_GET:
		request->reply[0] = c->value;
		return 0;
	case SIM_COMMAND_HOLD:
		return command_hold(state, request);
	default:
		c->held = false;
		counter_show(state, request->counter);
		return 0;
	}
}

static int command_hide(struct request *request)
{
	if (request->argument > 1)
		return -EINVAL;
	page_hide(request->state, request->argument);
	return 0;
}

static int command_set_id(struct request *request)
{
	struct page_state *state = request->state;
	uint8_t *page = state->hidden ? state->hidden : state->page;

	if (request->argument > UINT32_MAX)
		return -EINVAL;
	state->id = request->argument;
	memcpy(page, &state->id, sizeof(state->id));
	return 0;
}

static int command_describe(struct request *request)
{
	const struct function *f = request->state->function;

	if (f->kind) {
		request->reply[SIM_REPLY_GENERAL] = f->kind->general;
		request->reply[SIM_REPLY_FIXED] = f->kind->fixed_width ? 1 : 0;
		request->reply[SIM_REPLY_WIDTH] = f->kind->width;
		request->reply[SIM_REPLY_FIXED_WIDTH] = f->kind->fixed_width;
	}
	request->reply[SIM_REPLY_HIDDEN] = !!request->state->hidden;
	request->reply[SIM_REPLY_ID] = (uint32_t)f->device_id << 16 |
				       f->vendor_id;
	return 0;
}

static int execute(struct model *model, struct request *request)
{
	struct function *f;

	switch (request->command) {
	case SIM_COMMAND_SYNC:
		return 0;
	case SIM_COMMAND_CLOCK:
		return command_clock(model, request);
	case SIM_COMMAND_MCFG:
		return mcfg_patch(model, request->counter, request->argument);
	}

	f = machine_find(&model->machine, request->segment, request->bus,
			 request->device, request->function);
	if (!f)
		return -ENXIO;
	request->state = &model->page[f - model->machine.function];

	switch (request->command) {
	case SIM_COMMAND_ADD:
	case SIM_COMMAND_SET:
	case SIM_COMMAND_GET:
	case SIM_COMMAND_HOLD:
	case SIM_COMMAND_RELEASE:
		return command_counter(request);
	case SIM_COMMAND_HIDE:
		return command_hide(request);
	case SIM_COMMAND_SET_ID:
		return command_set_id(request);
	case SIM_COMMAND_DESCRIBE:
		return command_describe(request);
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
		.counter = untrusted->counter,
		.argument = untrusted->argument,
	};

	page->result = execute(model, &request);
	memcpy(page->reply, request.reply, sizeof(page->reply));
}
