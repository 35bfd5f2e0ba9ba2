// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes discovery tables, right and wrong. Sources: Linux 6.12,
 * uncore_discovery.h, for fields; the capabilities of a real Granite Rapids,
 * for the chain of them.
 */
#include <errno.h>
#include <string.h>

#include "discovery.h"
#include "machine.h"
#include "simctl.h"
#include "variants.h"

#define ENTRY_SIZE		24u
#define UNITS_OF_ALL		65535u
#define RAM_ADDRESS		(16ull << 20)
#define HIGH_ADDRESS		(1ull << 46)
#define WRAP_ADDRESS		0xfffffffffffffff0ull
#define LOCAL_APIC		0xfee00000ull
#define PAGES_OF_ALL		1024u

#define CAPABILITIES		0x100
#define CAP_DVSEC		0x0023
#define CAP_VSEC		0x000b
#define DVSEC_LENGTH		0x10
#define VENDOR			0x8086

/* Where a field is: quadword of the entry, lowest bit, width */
static const struct field {
	bool global;
	uint8_t word;
	uint8_t bit;
	uint8_t width;
} fields[SIM_FIELDS] = {
	[SIM_GLOBAL_TYPE] = { true, 0, 0, 8 },
	[SIM_GLOBAL_STRIDE] = { true, 0, 8, 8 },
	[SIM_GLOBAL_UNITS] = { true, 0, 16, 10 },
	[SIM_GLOBAL_ACCESS] = { true, 0, 62, 2 },
	[SIM_GLOBAL_CONTROL] = { true, 1, 0, 64 },
	[SIM_GLOBAL_STATUS] = { true, 2, 0, 8 },
	[SIM_GLOBAL_STATUSES] = { true, 2, 8, 16 },
	[SIM_UNIT_COUNTERS] = { false, 0, 0, 8 },
	[SIM_UNIT_CONTROL_OFFSET] = { false, 0, 8, 8 },
	[SIM_UNIT_WIDTH] = { false, 0, 16, 8 },
	[SIM_UNIT_COUNTER_OFFSET] = { false, 0, 24, 8 },
	[SIM_UNIT_STATUS_OFFSET] = { false, 0, 32, 8 },
	[SIM_UNIT_ACCESS] = { false, 0, 62, 2 },
	[SIM_UNIT_ADDRESS] = { false, 1, 0, 64 },
	[SIM_UNIT_TYPE] = { false, 2, 0, 16 },
	[SIM_UNIT_ID] = { false, 2, 16, 16 },
	[SIM_GLOBAL_WORD0] = { true, 0, 0, 64 },
	[SIM_GLOBAL_WORD2] = { true, 2, 0, 64 },
	[SIM_UNIT_WORD0] = { false, 0, 0, 64 },
	[SIM_UNIT_WORD2] = { false, 2, 0, 64 },
};

/* The table that is being written */
struct writer {
	const struct machine *machine;
	const struct base *base;
	uint8_t *table;
	unsigned int stride;		/* bytes */
	unsigned int units;
	unsigned int first;		/* the first unit in memory */
};

static uint8_t *entry_at(const struct writer *w, unsigned int unit)
{
	return w->table + (1 + unit) * w->stride;
}

static void set(uint8_t *entry, enum sim_field which, uint64_t value)
{
	const struct field *f = &fields[which];
	uint64_t mask = UINT64_MAX >> (64 - f->width), word;

	memcpy(&word, entry + 8 * f->word, sizeof(word));
	word = (word & ~(mask << f->bit)) | (value & mask) << f->bit;
	memcpy(entry + 8 * f->word, &word, sizeof(word));
}

static uint64_t get(const uint8_t *entry, enum sim_field which)
{
	const struct field *f = &fields[which];
	uint64_t word;

	memcpy(&word, entry + 8 * f->word, sizeof(word));
	return word >> f->bit & UINT64_MAX >> (64 - f->width);
}

/* Units whose function the machine has not are not in the table. */
static void write_right(struct writer *w)
{
	const struct discovery *d = w->machine->discovery;
	unsigned int base = w->base - w->machine->base, i;

	memset(w->table, 0, TABLE_SIZE);
	w->stride = d->stride * 8u;
	w->first = UINT32_MAX;
	for (i = 0; i < d->units; i++) {
		const struct discovery_unit *u = &d->unit[i];
		const struct discovery_type *type = &d->type[u->type];
		uint64_t address = discovery_address(w->machine, base, u);
		uint8_t *entry = entry_at(w, w->units);

		if (!address)
			continue;
		set(entry, SIM_UNIT_COUNTERS, type->kind.general);
		set(entry, SIM_UNIT_CONTROL_OFFSET, type->control);
		set(entry, SIM_UNIT_WIDTH, type->kind.width);
		set(entry, SIM_UNIT_COUNTER_OFFSET, type->counter);
		set(entry, SIM_UNIT_STATUS_OFFSET, type->status);
		set(entry, SIM_UNIT_ACCESS, type->access);
		set(entry, SIM_UNIT_ADDRESS, address);
		set(entry, SIM_UNIT_TYPE, type->id);
		set(entry, SIM_UNIT_ID, u->id);
		if (type->access == ACCESS_MMIO && w->first == UINT32_MAX)
			w->first = w->units;
		w->units++;
	}
	if (w->first == UINT32_MAX)
		w->first = 0;
	set(w->table, SIM_GLOBAL_TYPE, d->global_type);
	set(w->table, SIM_GLOBAL_STRIDE, d->stride);
	set(w->table, SIM_GLOBAL_UNITS, w->units);
	set(w->table, SIM_GLOBAL_ACCESS, d->global_access);
	set(w->table, SIM_GLOBAL_CONTROL, d->global_control);
	set(w->table, SIM_GLOBAL_STATUS, d->status);
	set(w->table, SIM_GLOBAL_STATUSES, d->statuses);
}

static void write_all_units(const struct writer *w)
{
	uint8_t first[ENTRY_SIZE];
	uint64_t address, word;
	unsigned int i;

	memcpy(first, entry_at(w, w->first), ENTRY_SIZE);
	address = get(first, SIM_UNIT_ADDRESS);
	memset(w->table + w->stride, 0, TABLE_SIZE - w->stride);
	word = get(w->table, SIM_GLOBAL_WORD0);
	word &= ~((uint64_t)UINT8_MAX << 8);
	word |= (uint64_t)(ENTRY_SIZE / 8) << 8 | (uint64_t)UNITS_OF_ALL << 16;
	set(w->table, SIM_GLOBAL_WORD0, word);
	for (i = 0; i < UNITS_OF_ALL; i++) {
		uint8_t *entry = w->table + (1 + i) * ENTRY_SIZE;

		memcpy(entry, first, ENTRY_SIZE);
		set(entry, SIM_UNIT_ID, i);
		set(entry, SIM_UNIT_ADDRESS,
		    address + (i % PAGES_OF_ALL) * CONFIG_PAGE_SIZE);
	}
}

enum place {
	PLACE_RAM,
	PLACE_FOREIGN,
	PLACE_SELF,
	PLACE_OVERLAP,
	PLACE_HIGH,
	PLACE_WRAP,
	PLACE_UNALIGNED,
};

static uint64_t place_at(const struct writer *w, enum place place,
			 unsigned int unit, uint64_t address)
{
	const struct machine *m = w->machine;

	switch (place) {
	case PLACE_RAM:
		return RAM_ADDRESS + unit * CONFIG_PAGE_SIZE;
	case PLACE_FOREIGN:
		return unit == w->first ? LOCAL_APIC :
			m->function[unit % m->functions].address;
	case PLACE_SELF:
		return base_table(w->base);
	case PLACE_OVERLAP:
		return get(entry_at(w, w->first), SIM_UNIT_ADDRESS);
	case PLACE_HIGH:
		return HIGH_ADDRESS + unit * CONFIG_PAGE_SIZE;
	case PLACE_WRAP:
		return WRAP_ADDRESS;
	default:
		return address + 2;
	}
}

static void move_units(const struct writer *w, enum place place)
{
	unsigned int i;

	for (i = 0; i < w->units; i++) {
		uint8_t *entry = entry_at(w, i);
		uint64_t address = get(entry, SIM_UNIT_ADDRESS);

		if (get(entry, SIM_UNIT_ACCESS) == ACCESS_MMIO)
			set(entry, SIM_UNIT_ADDRESS,
			    place_at(w, place, i, address));
	}
}

/* Reserved bits of the first quadword: 26 to 61, and 40 to 61 of a unit. */
#define GLOBAL_RESERVED		0x3ffffffffc000000ull
#define UNIT_RESERVED		0x3fffff0000000000ull

static const struct {
	const char *name;
	enum sim_field field;
	uint64_t value;
} field_variants[] = {
	{ "no-units", SIM_GLOBAL_UNITS, 0 },
	{ "zero-stride", SIM_GLOBAL_STRIDE, 0 },
	{ "short-stride", SIM_GLOBAL_STRIDE, 2 },
	{ "global-type", SIM_GLOBAL_TYPE, UINT8_MAX },
	{ "global-stride", SIM_GLOBAL_STRIDE, UINT8_MAX },
	{ "global-units", SIM_GLOBAL_UNITS, 1023 },
	{ "global-access", SIM_GLOBAL_ACCESS, 3 },
	{ "global-control", SIM_GLOBAL_CONTROL, 0 },
	{ "global-status", SIM_GLOBAL_STATUS, UINT8_MAX },
	{ "global-statuses", SIM_GLOBAL_STATUSES, UINT16_MAX },
	{ "unit-counters", SIM_UNIT_COUNTERS, UINT8_MAX },
	{ "unit-no-counters", SIM_UNIT_COUNTERS, 0 },
	{ "unit-control-offset", SIM_UNIT_CONTROL_OFFSET, 0 },
	{ "unit-width", SIM_UNIT_WIDTH, UINT8_MAX },
	{ "unit-no-width", SIM_UNIT_WIDTH, 0 },
	{ "unit-counter-offset", SIM_UNIT_COUNTER_OFFSET, 0 },
	{ "unit-status", SIM_UNIT_STATUS_OFFSET, UINT8_MAX },
	{ "unit-access", SIM_UNIT_ACCESS, 3 },
	{ "unit-address", SIM_UNIT_ADDRESS, 0 },
	{ "unit-type", SIM_UNIT_TYPE, UINT16_MAX },
	{ "unit-id", SIM_UNIT_ID, UINT16_MAX },
};

static const struct {
	const char *name;
	enum place place;
} place_variants[] = {
	{ "ram", PLACE_RAM },
	{ "foreign", PLACE_FOREIGN },
	{ "self", PLACE_SELF },
	{ "overlap", PLACE_OVERLAP },
	{ "high", PLACE_HIGH },
	{ "wrap", PLACE_WRAP },
	{ "unaligned", PLACE_UNALIGNED },
};

static void write_variant(const struct writer *w, const char *variant)
{
	uint8_t *first = entry_at(w, w->first);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(field_variants); i++)
		if (!strcmp(field_variants[i].name, variant))
			set(fields[field_variants[i].field].global ?
			    w->table : first, field_variants[i].field,
			    field_variants[i].value);
	for (i = 0; i < ARRAY_SIZE(place_variants); i++)
		if (!strcmp(place_variants[i].name, variant))
			move_units(w, place_variants[i].place);
	if (!strcmp(variant, "ones"))
		memset(w->table, 0xff, TABLE_SIZE);
	if (!strcmp(variant, "zero"))
		memset(w->table, 0, TABLE_SIZE);
	if (!strcmp(variant, "truncated"))
		memset(entry_at(w, w->units / 2), 0xff,
		       TABLE_SIZE - (1 + w->units / 2) * w->stride);
	if (!strcmp(variant, "65535-units"))
		write_all_units(w);
	if (!strcmp(variant, "duplicate"))
		for (i = 0; i < w->units; i++)
			set(entry_at(w, i), SIM_UNIT_ID, 0);
	if (!strcmp(variant, "global-reserved"))
		set(w->table, SIM_GLOBAL_WORD0, GLOBAL_RESERVED |
		    get(w->table, SIM_GLOBAL_WORD0));
	if (!strcmp(variant, "unit-reserved"))
		set(first, SIM_UNIT_WORD0,
		    UNIT_RESERVED | get(first, SIM_UNIT_WORD0));
}

static void put32(uint8_t *page, unsigned int offset, uint32_t value)
{
	__atomic_store_n((uint32_t *)(page + offset), value, __ATOMIC_SEQ_CST);
}

/* DVSEC: vendor, revision and length, then an id; VSEC has the id at once. */
static const struct capability {
	uint16_t offset;
	uint16_t next;
	uint16_t type;
	uint16_t id;
} chain[] = {
	{ 0x100, 0x110, CAP_DVSEC, 1 },	/* discovery table */
	{ 0x110, 0x120, CAP_DVSEC, 2 },
	{ 0x120, 0x130, CAP_DVSEC, 3 },
	{ 0x130, 0x160, CAP_DVSEC, 4 },
	{ 0x160, 0x170, CAP_VSEC, 0x41 },
	{ 0x170, 0x180, CAP_VSEC, 0x42 },
	{ 0x180, 0x190, CAP_VSEC, 0x47 },
	{ 0x190, 0x000, CAP_VSEC, 0x44 },
};

void discovery_capabilities(const struct machine *machine, uint8_t *page)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(chain); i++) {
		const struct capability *c = &chain[i];
		bool dvsec = c->type == CAP_DVSEC;

		put32(page, c->offset, (uint32_t)c->next << 20 | 1u << 16 |
		      c->type);
		put32(page, c->offset + 4, DVSEC_LENGTH << 20 | 1u << 16 |
		      (dvsec ? VENDOR : c->id));
		put32(page, c->offset + 8, dvsec ? c->id : 0);
		put32(page, c->offset + 12,
		      c->offset == CAPABILITIES ? machine->discovery->bar : 0);
	}
}

static void write_chain(const char *variant, uint8_t *page)
{
	const unsigned int last = chain[ARRAY_SIZE(chain) - 1].offset;

	if (!strcmp(variant, "looping"))
		put32(page, last, CAPABILITIES << 20 | 1u << 16 | CAP_VSEC);
	if (!strcmp(variant, "dvsec-vendor"))
		put32(page, CAPABILITIES + 4,
		      DVSEC_LENGTH << 20 | 1u << 16 | 0x1234);
	if (!strcmp(variant, "dvsec-id"))
		put32(page, CAPABILITIES + 8, 5);
	if (!strcmp(variant, "dvsec-length"))
		put32(page, CAPABILITIES + 4, 8u << 20 | 1u << 16 | VENDOR);
	if (!strcmp(variant, "dvsec-bir"))
		put32(page, CAPABILITIES + 12, 7);
	if (!strcmp(variant, "dvsec-reserved"))
		put32(page, CAPABILITIES + 12, page[CAPABILITIES + 12] | 0x8);
}

int discovery_write(const struct machine *machine, unsigned int base,
		    const char *variant, uint8_t *table, uint8_t *page)
{
	struct writer w = {
		.machine = machine,
		.base = &machine->base[base],
		.table = table,
	};
	unsigned int i, bar = 0x10 + 4 * machine->discovery->bar;

	for (i = 0; sim_discovery_variants[i]; i++)
		if (!strcmp(sim_discovery_variants[i], variant))
			break;
	if (!sim_discovery_variants[i])
		return -EINVAL;
	write_right(&w);
	write_variant(&w, variant);
	discovery_capabilities(machine, page);
	write_chain(variant, page);
	base_registers(machine, base, SIM_BASE_OK, page);
	if (!strcmp(variant, "bar-io"))
		put32(page, bar, 0xe001);
	return 0;
}

int discovery_field(const struct machine *machine, unsigned int base,
		    unsigned int entry, uint32_t field, uint64_t value,
		    uint8_t *table)
{
	const struct writer w = {
		.machine = machine,
		.base = &machine->base[base],
		.table = table,
		.stride = machine->discovery->stride * 8u,
	};

	if (field >= SIM_FIELDS ||
	    value > UINT64_MAX >> (64 - fields[field].width) ||
	    (!fields[field].global && entry >= machine->discovery->units))
		return -EINVAL;
	set(fields[field].global ? table : entry_at(&w, entry), field, value);
	return 0;
}
