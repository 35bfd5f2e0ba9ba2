// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source of the servers' registers: Linux 6.1, uncore_snbep.c, SNR_IMC_MMIO_*,
 * the users of snr_uncore_mmio_map(), snr_imc_freerunning and its like.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "machine.h"
#include "simctl.h"

#define XEON_IMC(class_) \
	"imc", class_, .general = 4, .width = 48, .fixed_width = 48, \
	.enable = CONTROL_ENABLE, .freeze = UNIT_FREEZE, \
	.reset_controls = UNIT_RESET_CONTROLS, \
	.reset_counters = UNIT_RESET_COUNTERS, \
	.unit_bits = UNIT_RESET_CONTROLS | UNIT_RESET_COUNTERS | UNIT_FREEZE, \
	.fixed_enable = FIXED_ENABLE, .fixed_control = 0x54, \
	.fixed_counter = 0x38, .control = { 0x40, 0x44, 0x48, 0x4c }, \
	.counter = { 0x08, 0x10, 0x18, 0x20 }

#define FREE_RUNNING(n) \
	"imc_free_running", UNIT_FREE_RUNNING, .general = (n), .width = 48

static const struct unit_kind snowridge_imc = { XEON_IMC(UNIT_MEMORY_SNR) };

static const struct unit_kind snowridge_free_running = {
	FREE_RUNNING(3), .counter = { 0x2b0, 0x290, 0x298 },
	.role = { ROLE_CLOCK, ROLE_READ, ROLE_WRITE } };
static const struct unit_kind icelake_free_running = {
	FREE_RUNNING(5), .counter = { 0x2b0, 0x290, 0x298, 0x2a0, 0x2a8 },
	.role = { ROLE_CLOCK, ROLE_READ, ROLE_WRITE } };
static const struct unit_kind sapphire_rapids_free_running = {
	FREE_RUNNING(3), .counter = { 0x2b0, 0x318, 0x320 },
	.role = { ROLE_CLOCK } };

const struct base_scheme scheme_snowridge = {
	1, MC_MEM_SPACE, 0, { { &snowridge_imc, 2, 0x22800, 0x4000 },
			      { &snowridge_free_running, 1, 0x2000, 0 } }
};

const struct base_scheme scheme_icelake_sp = {
	4, MC_MEM_SPACE, 0, { { &snowridge_imc, 3, 0x22800, 0x4000 },
			      { &icelake_free_running, 1, 0x2000, 0 } }
};

/* The channels are in the discovery table. */
const struct base_scheme scheme_sapphire_rapids = {
	4, MC_MEM_SPACE, 0, { { &sapphire_rapids_free_running, 1, 0x2000, 0 } }
};

static void add_base(struct machine *machine, unsigned int function,
		     enum base_class class, const struct base_scheme *scheme)
{
	struct base *b;

	/* The functions beyond are inert. */
	if (machine->bases == BASES_MAX)
		return;
	b = &machine->base[machine->bases];
	*b = (struct base) {
		.class = class,
		.function = function,
		.scheme = scheme,
	};
	machine->function[function].base = machine->bases++;
}

/* The first host bridge, every memory controller, a table on each socket. */
static void find_bases(struct machine *machine, bool discovery)
{
	const struct platform *platform = machine->platform;
	bool table[SOCKETS_MAX] = { false }, bridge = false;
	unsigned int i;

	for (i = 0; i < machine->functions; i++) {
		struct function *f = &machine->function[i];

		f->base = -1;
		if (f->vendor_id != 0x8086)
			continue;
		if (platform->mc && f->device_id == platform->mc) {
			add_base(machine, i, BASE_MC, platform->scheme);
		} else if (!bridge && !platform->mc && platform->scheme &&
			   client_platform(f->device_id) == platform) {
			bridge = true;
			add_base(machine, i, BASE_MCHBAR, platform->scheme);
		} else if (discovery && f->device_id == DISCOVERY_DEVICE &&
			   f->socket >= 0 && f->socket < SOCKETS_MAX &&
			   !table[f->socket]) {
			table[f->socket] = true;
			add_base(machine, i, BASE_TABLE, NULL);
		}
	}
}

static void place_bases(struct machine *machine)
{
	uint64_t first = LOW_MEMORY + machine->config_size, address;
	unsigned int i, j;

	first = (first + REGION_SIZE - 1) / REGION_SIZE * REGION_SIZE;
	address = first;
	for (i = 0; i < machine->bases; i++) {
		struct base *b = &machine->base[i];

		b->region = address;
		b->units = address;
		address += REGION_SIZE;
		if (b->class == BASE_TABLE)
			address += REGION_SIZE;
	}
	for (i = 0; i < machine->bases; i++) {
		struct base *b = &machine->base[i];
		int socket = machine->function[b->function].socket;

		for (j = 0; b->class == BASE_TABLE && j < machine->bases; j++)
			if (machine->base[j].class == BASE_MC &&
			    machine->function[machine->base[j].function]
					    .socket == socket)
				b->units = machine->base[j].region;
	}
	machine->reserved_size = machine->config_size;
	if (machine->bases)
		machine->reserved_size = address - LOW_MEMORY;
}

static struct block *add_block(struct machine *machine, unsigned int base,
			       const struct unit_kind *kind, uint64_t address)
{
	struct base *b = &machine->base[base];
	struct block *block = &machine->block[machine->blocks++];
	unsigned int i;

	*block = (struct block) {
		.kind = kind,
		.base = base,
		.socket = machine->function[b->function].socket,
		.address = address,
	};
	for (i = b->first_block; i < b->first_block + b->blocks; i++)
		if (!strcmp(machine->block[i].kind->type, kind->type))
			block->number = machine->block[i].number + 1;
	b->blocks++;
	return block;
}

static void add_scheme(struct machine *machine, unsigned int base)
{
	const struct base *b = &machine->base[base];
	const struct scheme_part *part;
	unsigned int i, j;

	for (i = 0; i < b->scheme->controllers; i++)
		for (part = b->scheme->part; part->kind; part++)
			for (j = 0; j < part->count; j++)
				add_block(machine, base, part->kind,
					  b->region + i * b->scheme->step +
					  part->offset + j * part->step);
}

/* The @nth function of the socket with this id, or NULL. */
static struct function *nth_function(struct machine *machine, int socket,
				     uint16_t device, uint64_t nth)
{
	unsigned int i;

	for (i = 0; i < machine->functions; i++) {
		struct function *f = &machine->function[i];

		if (f->vendor_id == 0x8086 && f->device_id == device &&
		    f->socket == socket && !nth--)
			return f;
	}
	return NULL;
}

uint64_t discovery_address(const struct machine *machine, unsigned int base,
			   const struct discovery_unit *unit)
{
	const struct discovery_type *type =
		&machine->discovery->type[unit->type];
	const struct base *b = &machine->base[base];
	const struct function *f;

	if (type->access == ACCESS_MSR)
		return unit->place;
	if (type->access == ACCESS_MMIO)
		return b->units + unit->place;
	f = nth_function((struct machine *)machine,
			 machine->function[b->function].socket, unit->device,
			 unit->place);
	if (!f)
		return 0;
	return (uint64_t)machine->segment[f->segment].number << 28 |
	       f->bus << 20 | f->device << 15 | f->function << 12 | type->unit;
}

/* Functions that the machine has not are left out, as real tables do. */
static void add_units(struct machine *machine, unsigned int base)
{
	const struct discovery *d = machine->discovery;
	int socket = machine->function[machine->base[base].function].socket;
	unsigned int i;

	for (i = 0; i < d->units; i++) {
		const struct discovery_unit *u = &d->unit[i];
		const struct discovery_type *type = &d->type[u->type];
		struct function *f;

		if (type->access == ACCESS_MMIO) {
			add_block(machine, base, &type->kind,
				  discovery_address(machine, base, u))->number =
				u->id;
		} else if (type->access == ACCESS_PCI) {
			f = nth_function(machine, socket, u->device, u->place);
			if (!f)
				continue;
			f->kind = &type->kind;
			f->instance = u->id;
		}
	}
}

/* Those of discovery tables were not known when the buses were built. */
static void mark_buses(struct machine *machine)
{
	unsigned int i, j = 0;

	for (i = 0; i < machine->functions; i++) {
		const struct function *f = &machine->function[i];

		while (machine->bus[j].segment != f->segment ||
		       machine->bus[j].number != f->bus)
			j++;
		if (f->kind)
			machine->bus[j].has_units = true;
	}
}

static unsigned int count_blocks(const struct machine *machine)
{
	unsigned int i, count = 0;

	for (i = 0; i < machine->bases; i++) {
		const struct base_scheme *scheme = machine->base[i].scheme;
		const struct scheme_part *part;

		if (!scheme)
			count += machine->discovery->units;
		for (part = scheme ? scheme->part : NULL; part && part->kind;
		     part++)
			count += scheme->controllers * part->count;
	}
	return count;
}

int machine_build_mmio(const struct listing *listing, struct machine *machine,
		       struct report *report)
{
	unsigned int i, count;

	if (listing->discovery)
		machine->discovery = discovery_copy(listing->discovery);
	find_bases(machine, listing->discovery);
	place_bases(machine);
	if (LOW_MEMORY + machine->reserved_size + HIGH_MEMORY > MEMORY_LIMIT)
		return fail(report, "the units in memory do not fit below 3.5 GiB; use fewer sockets or a smaller range of buses");
	count = count_blocks(machine);
	if (count > BLOCKS_MAX)
		return fail(report, "%u units in memory are more than %u; shorten the description of the discovery table",
			    count, BLOCKS_MAX);
	machine->block = calloc(count ? count : 1, sizeof(*machine->block));
	if (!machine->block)
		abort();
	for (i = 0; i < machine->bases; i++) {
		machine->base[i].first_block = machine->blocks;
		if (machine->base[i].scheme)
			add_scheme(machine, i);
		else
			add_units(machine, i);
	}
	mark_buses(machine);
	return 0;
}
