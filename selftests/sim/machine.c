// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "machine.h"

/* Dies that a UBOX has room for; with more NUMA nodes, the kernel asks those. */
#define UBOX_ENTRIES	8u

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

/*
 * Domain 0 is segment 1, since QEMU's own devices are on segment 0; the other
 * domains follow in their order.
 */
static int build_segments(const struct listing *listing,
			  struct machine *machine, struct report *report)
{
	uint64_t address = LOW_MEMORY;
	struct segment *s = NULL;
	size_t i;

	machine->segment = allocate(SEGMENTS_MAX, sizeof(*s));
	for (i = 0; i < listing->count; i++) {
		const struct listing_function *f = &listing->function[i];

		if (!s || s->domain != f->domain) {
			if (machine->segments == SEGMENTS_MAX)
				return fail(report, "more than %u domains; shorten the listing",
					    SEGMENTS_MAX);
			s = &machine->segment[machine->segments++];
			s->domain = f->domain;
			s->number = machine->segments;
			s->first_bus = f->bus;
		}
		s->last_bus = f->bus;
	}
	for (i = 0; i < machine->segments; i++) {
		s = &machine->segment[i];
		s->address = address;
		address += (s->last_bus - s->first_bus + 1ull) * BUS_SIZE;
	}
	machine->config_size = address - LOW_MEMORY;
	if (address + HIGH_MEMORY > MEMORY_LIMIT)
		return fail(report, "the buses need %llu MiB of configuration space, more than fits below 3.5 GiB; use fewer domains or a smaller range of buses",
			    (unsigned long long)machine->config_size >> 20);
	return 0;
}

static void add_function(struct machine *machine, unsigned int segment,
			 const struct listing_function *from)
{
	struct function *f = &machine->function[machine->functions++];
	const struct unit_id *id;

	*f = (struct function) {
		.segment = segment,
		.bus = from->bus,
		.device = from->device,
		.function = from->function,
		.revision = from->revision,
		.class = from->class,
		.vendor_id = from->vendor_id,
		.device_id = from->device_id,
		.socket = -1,
	};
	f->address = machine->segment[segment].address +
		     (uint64_t)(f->bus - machine->segment[segment].first_bus) *
		     BUS_SIZE +
		     (f->device << 3 | f->function) * CONFIG_PAGE_SIZE;
	f->ubox = machine->platform->ubox && f->vendor_id == 0x8086 &&
		  f->device_id == machine->platform->ubox;
	id = unit_find(f->vendor_id, f->device_id);
	if (id)
		f->kind = id->kind;
}

/*
 * Linux looks for function 0 of a device first and for others only if it is
 * there, so a device listed without one gets an inert one.
 */
static void build_functions(const struct listing *listing,
			    struct machine *machine)
{
	const struct listing_function *f = listing->function;
	unsigned int segment = 0;
	size_t i;

	machine->function = allocate(listing->count * 2,
				     sizeof(*machine->function));
	for (i = 0; i < listing->count; i++) {
		struct listing_function extra = {
			.bus = f[i].bus,
			.device = f[i].device,
			.class = EXTRA_CLASS,
			.vendor_id = EXTRA_VENDOR_ID,
			.device_id = EXTRA_DEVICE_ID,
		};
		bool first = !i || f[i].domain != f[i - 1].domain ||
			     f[i].bus != f[i - 1].bus ||
			     f[i].device != f[i - 1].device;

		if (machine->segment[segment].domain != f[i].domain)
			segment++;
		if (first && f[i].function)
			add_function(machine, segment, &extra);
		add_function(machine, segment, &f[i]);
		if (f[i].function) {
			struct function *p =
				&machine->function[machine->functions - 1];

			while (p->function)
				p--;
			p->multifunction = true;
		}
	}
}

static bool contains(const struct listing_numbers *numbers, uint8_t value)
{
	unsigned int i;

	for (i = 0; i < numbers->count; i++)
		if (numbers->value[i] == value)
			return true;
	return false;
}

static void build_buses(const struct listing *listing, struct machine *machine)
{
	struct bus *bus = NULL;
	int ubox_bus = -1;
	unsigned int i;

	machine->bus = allocate(machine->functions, sizeof(*bus));
	for (i = 0; i < machine->functions; i++) {
		const struct function *f = &machine->function[i];

		if (!bus || bus->segment != f->segment ||
		    bus->number != f->bus) {
			bool next = bus && machine->platform->bus_after_ubox &&
				    bus->segment == f->segment &&
				    bus->number == ubox_bus &&
				    f->bus == ubox_bus + 1;
			int socket = next ? bus->socket : -1;

			bus = &machine->bus[machine->buses++];
			bus->segment = f->segment;
			bus->number = f->bus;
			bus->socket = socket;
		}
		if (f->kind)
			bus->has_units = true;
		if (bus->socket < 0 &&
		    (f->ubox || contains(&listing->ubox_buses, f->bus))) {
			bus->socket = machine->sockets++;
			ubox_bus = f->bus;
		}
	}
}

/*
 * A bus without a UBOX belongs to the socket of the next UBOX in the direction
 * that the kernel's driver goes.
 */
static void spread_sockets(struct machine *machine)
{
	bool down = machine->platform->buses_before_ubox;
	int socket = -1, segment = -1;
	unsigned int i, j = 0;

	for (i = 0; i < machine->buses; i++) {
		struct bus *bus = &machine->bus[down ? machine->buses - 1 - i : i];

		if (bus->segment != segment) {
			segment = bus->segment;
			socket = -1;
		}
		if (bus->socket < 0)
			bus->socket = socket;
		socket = bus->socket;
	}
	/* These have one socket; of others nothing is known. */
	if (!machine->sockets) {
		machine->sockets = 1;
		for (i = 0; i < machine->buses; i++)
			if (machine->platform->id == PLATFORM_KNL ||
			    machine->platform->id == PLATFORM_CLIENT)
				machine->bus[i].socket = 0;
	}
	for (i = 0; i < machine->functions; i++) {
		struct function *f = &machine->function[i];

		while (machine->bus[j].segment != f->segment ||
		       machine->bus[j].number != f->bus)
			j++;
		f->socket = machine->bus[j].socket;
	}
}

static void number_units(struct machine *machine)
{
	unsigned int i, j;

	for (i = 0; i < machine->functions; i++) {
		struct function *f = &machine->function[i];

		for (j = i; f->kind && j-- > 0;) {
			const struct function *other = &machine->function[j];

			if (other->kind != f->kind ||
			    other->socket != f->socket)
				continue;
			f->instance = other->instance + 1;
			break;
		}
	}
}

/*
 * Three bits for each die: the node id of the die's UBOX. The kernel takes the
 * first die whose entry is equal, so unused entries must not equal any. Above
 * eight dies there is no room for the truth, and the entries are all different.
 */
static int build_group_map(struct machine *machine, bool truth,
			   struct report *report)
{
	uint8_t entry[UBOX_ENTRIES];
	unsigned int i, j, unused = 0, used = 0;

	for (i = 0; i < machine->sockets; i++)
		used |= 1u << machine->node_id[i];
	while (unused < 7 && used & 1u << unused)
		unused++;
	for (i = 0; i < UBOX_ENTRIES; i++)
		entry[i] = truth ? unused : i;
	for (i = 0; truth && i < machine->sockets; i++)
		entry[machine->die[i]] = machine->node_id[i];
	for (i = 0; i < UBOX_ENTRIES; i++)
		machine->group_map |= (uint32_t)entry[i] << (3 * i);
	for (i = 0; truth && i < machine->sockets; i++)
		for (j = 0; j < UBOX_ENTRIES; j++)
			if ((entry[j] == machine->node_id[i]) !=
			    (j == machine->die[i]))
				return fail(report, "'dies:' and 'nodes:' of the listing contradict each other on die %u; give each die a node id of its own",
					    j);
	return 0;
}

/* How many sockets get CPUs, and how many. */
static void build_cpus(const struct listing *listing, struct machine *machine)
{
	unsigned int with = machine->sockets, fits, nodes;

	machine->nodes_per_socket = listing->nodes_per_socket ?
					    listing->nodes_per_socket : 1;
	if (with > SOCKETS_WITH_CPUS_MAX)
		with = SOCKETS_OF_GIANTS;
	fits = 1 + (MEMORY_LIMIT - LOW_MEMORY - HIGH_MEMORY -
		    machine->reserved_size) / HIGH_MEMORY;
	if (fits > NODES_MAX)
		fits = NODES_MAX;
	if (fits < machine->nodes_per_socket)
		machine->nodes_per_socket = fits;
	if (with > fits / machine->nodes_per_socket)
		with = fits / machine->nodes_per_socket;
	if (listing->cpus && listing->cpus < with)
		with = listing->cpus;
	nodes = with * machine->nodes_per_socket;
	machine->sockets_with_cpus = with;
	machine->nodes = nodes;
	machine->cpus = listing->cpus / nodes * nodes;
	if (!machine->cpus)
		machine->cpus = nodes > 1 ? nodes : 2;
}

static void build_memory(struct machine *machine)
{
	unsigned int i;

	machine->memory[0] = LOW_MEMORY + machine->reserved_size;
	if (machine->nodes == 1)
		machine->memory[0] += HIGH_MEMORY;
	for (i = 1; i < machine->nodes; i++)
		machine->memory[i] = HIGH_MEMORY;
}

/* Dies without processors have no NUMA node. */
static void build_pxm(const struct listing *listing, struct machine *machine)
{
	unsigned int i;

	for (i = 0; i < machine->buses; i++) {
		struct bus *bus = &machine->bus[i];

		bus->pxm = bus->socket >= 0 &&
			   machine->die[bus->socket] <
				   machine->sockets_with_cpus &&
			   !contains(&listing->no_pxm, bus->number);
	}
}

static int build_sockets(const struct listing *listing,
			 struct machine *machine, struct report *report)
{
	unsigned int i, with;
	bool truth = true;

	if (machine->sockets > SOCKETS_MAX)
		return fail(report, "%u sockets are more than %u; shorten the listing",
			    machine->sockets, SOCKETS_MAX);
	build_cpus(listing, machine);
	with = machine->sockets_with_cpus;
	if ((listing->dies.count && listing->dies.count != machine->sockets) ||
	    (listing->nodes.count && listing->nodes.count != machine->sockets))
		return fail(report, "'dies:' and 'nodes:' of the listing need %u numbers, one for each UBOX",
			    machine->sockets);
	for (i = 0; i < machine->sockets; i++) {
		machine->die[i] = i;
		if (i >= with && with < UBOX_ENTRIES)
			machine->die[i] = with + (i - with) %
						 (UBOX_ENTRIES - with);
		if (listing->dies.count)
			machine->die[i] = listing->dies.value[i];
		if (machine->die[i] >= UBOX_ENTRIES)
			truth = false;
		machine->node_id[i] = machine->die[i] % UBOX_ENTRIES;
		if (listing->nodes.count)
			machine->node_id[i] = listing->nodes.value[i];
	}
	if (!truth && machine->nodes <= UBOX_ENTRIES)
		return fail(report, "die %u needs more than %u NUMA nodes with CPUs; correct 'dies:' or 'cpus:' of the listing",
			    UBOX_ENTRIES, UBOX_ENTRIES);

	build_memory(machine);
	build_pxm(listing, machine);
	return build_group_map(machine, truth, report);
}

int machine_build(const struct listing *listing, struct machine *machine,
		  struct report *report)
{
	memset(machine, 0, sizeof(*machine));
	machine->platform = platform_of(listing);
	if (build_segments(listing, machine, report))
		goto err;
	build_functions(listing, machine);
	build_buses(listing, machine);
	spread_sockets(machine);
	number_units(machine);
	if (machine_build_mmio(listing, machine, report) ||
	    build_sockets(listing, machine, report))
		goto err;
	return 0;
err:
	machine_free(machine);
	return -1;
}

void machine_free(struct machine *machine)
{
	free(machine->segment);
	free(machine->bus);
	free(machine->function);
	free(machine->block);
	free(machine->discovery);
	memset(machine, 0, sizeof(*machine));
}

uint64_t machine_memory(const struct machine *machine)
{
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < machine->nodes; i++)
		total += machine->memory[i];
	return total;
}

struct function *machine_find(struct machine *machine, uint32_t segment,
			      uint8_t bus, uint8_t device, uint8_t function)
{
	unsigned int i;

	for (i = 0; i < machine->functions; i++) {
		struct function *f = &machine->function[i];

		if (machine->segment[f->segment].number == segment &&
		    f->bus == bus && f->device == device &&
		    f->function == function)
			return f;
	}
	return NULL;
}

uint8_t machine_quiet_bus(const struct machine *machine, unsigned int segment)
{
	bool taken[256] = { false };
	unsigned int i;

	for (i = 0; i < machine->buses; i++)
		if (machine->bus[i].segment == segment &&
		    machine->bus[i].has_units)
			taken[machine->bus[i].number] = true;
	for (i = 0; i < 255 && taken[i];)
		i++;
	return i;
}
