// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading discovery tables, see discovery.h. Nothing here trusts a table, and
 * everything here is a pure function over memory: no hardware, no allocation.
 *
 * The format, from struct uncore_global_discovery and uncore_unit_discovery in
 * arch/x86/events/intel/uncore_discovery.h; kmod/AUDIT.md has what was compared.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "discovery.h"

/* An entry is three words of 64 bits. */
#define WORDS			3

/* Global state: word 1 is the address of global control */
#define TABLE0_TYPE		GENMASK_ULL(7, 0)
#define TABLE0_STRIDE		GENMASK_ULL(15, 8)
/*
 * The number has ten bits, the next are reserved and have to be 0: with more
 * bits it is a number that this format cannot say.
 */
#define TABLE0_UNITS		GENMASK_ULL(31, 16)
#define TABLE0_ACCESS		GENMASK_ULL(63, 62)

/* Unit: word 1 is the address of unit control */
#define UNIT0_COUNTERS		GENMASK_ULL(7, 0)
#define UNIT0_CONTROL		GENMASK_ULL(15, 8)
#define UNIT0_WIDTH		GENMASK_ULL(23, 16)
#define UNIT0_COUNTER		GENMASK_ULL(31, 24)
#define UNIT0_ACCESS		GENMASK_ULL(63, 62)
#define UNIT2_TYPE		GENMASK_ULL(15, 0)
#define UNIT2_ID		GENMASK_ULL(31, 16)

#define PCI_ADDRESS_BITS	31
#define PCI_OFFSET		GENMASK_ULL(11, 0)
#define PCI_CAPABILITIES	0x100
#define PCI_SPACE		0x1000

/* DVSEC: its id, and in bits 2:0 of the next word the base register. */
#define DVSEC_ID		GENMASK(15, 0)
#define PCI_BARS		6

#define MAX_PHYS_BITS		52

/* Registers of a unit, from its unit control on. */
struct range {
	unsigned int start;
	unsigned int length;
};

static void read_entry(const void *data, size_t offset, u64 word[WORDS])
{
	memcpy(word, (const u8 *)data + offset, WORDS * sizeof(*word));
}

static bool has_ones(const u64 word[WORDS])
{
	return word[0] == ~0ULL || word[1] == ~0ULL || word[2] == ~0ULL;
}

/**
 * uncore_pmu_discovery_bar - where a DVSEC says that the table is
 * @id: dword at offset 8 of the capability
 * @location: dword at offset 12
 *
 * Returns the number of the base address register, -ENOENT if the capability
 * is about something else, -EINVAL if there is no such register or the table
 * does not begin where the register points.
 */
int uncore_pmu_discovery_bar(u32 id, u32 location)
{
	if (FIELD_GET(DVSEC_ID, id) != UNCORE_DISCOVERY_DVSEC_PMON)
		return -ENOENT;
	if (location >= PCI_BARS)
		return -EINVAL;
	return location;
}

/**
 * uncore_pmu_discovery_table - read the global state of a table
 * @data: begin of the table, need not be aligned
 * @length: bytes there
 * @table: what it says; complete if the answer is UNCORE_DISCOVERY_OK
 */
enum uncore_discovery_reason
uncore_pmu_discovery_table(const void *data, size_t length,
			   struct uncore_discovery_table *table)
{
	u64 word[WORDS];
	u32 units;

	memset(table, 0, sizeof(*table));
	if (length < UNCORE_DISCOVERY_ENTRY)
		return UNCORE_DISCOVERY_TRUNCATED;
	read_entry(data, 0, word);
	if (has_ones(word))
		return UNCORE_DISCOVERY_ONES;
	if (!word[0] || !word[1])
		return UNCORE_DISCOVERY_ZEROS;

	table->type = FIELD_GET(TABLE0_TYPE, word[0]);
	table->access = FIELD_GET(TABLE0_ACCESS, word[0]);
	table->control = word[1];
	table->stride = FIELD_GET(TABLE0_STRIDE, word[0]) * sizeof(*word);
	if (table->stride < UNCORE_DISCOVERY_ENTRY)
		return UNCORE_DISCOVERY_STRIDE;
	units = FIELD_GET(TABLE0_UNITS, word[0]);
	if (!units || units > UNCORE_DISCOVERY_MAX_UNITS)
		return UNCORE_DISCOVERY_COUNT;
	table->num_units = units;
	table->length = units * table->stride + UNCORE_DISCOVERY_ENTRY;
	return UNCORE_DISCOVERY_OK;
}

/*
 * The table does not say how far registers are from each other. MSRs follow at
 * once, counters at 8 bytes; control registers at 8 bytes in configuration
 * space, where their upper half is used, and at 4 in memory but for some types
 * (UNCORE_BOX_FLAG_CTL_OFFS8 and uncore_pci_event_ctl() in mainline).
 */
static void set_strides(struct uncore_discovery_unit *unit,
			const struct uncore_discovery_type *type)
{
	switch (unit->access) {
	case UNCORE_DISCOVERY_MSR:
		unit->control_stride = 1;
		unit->counter_stride = 1;
		break;
	case UNCORE_DISCOVERY_PCI:
		unit->control_stride = 8;
		unit->counter_stride = 8;
		break;
	default:
		unit->control_stride = 4;
		unit->counter_stride = 8;
		if (!type)
			break;
		if (type->control_stride)
			unit->control_stride = type->control_stride;
		unit->fixed = type->fixed;
		unit->fixed_control = type->fixed_control;
	}
}

static bool overlap(const struct range *a, const struct range *b)
{
	return a->start < b->start + b->length &&
	       b->start < a->start + a->length;
}

/* Sets unit->extent; returns false if registers lie on each other. */
static bool set_extent(struct uncore_discovery_unit *unit)
{
	unsigned int size = unit->access == UNCORE_DISCOVERY_MSR ? 1 : 4;
	const struct range range[] = {
		{ 0, size },
		{ unit->control_offset,
		  unit->num_counters * unit->control_stride },
		{ unit->counter_offset,
		  unit->num_counters * unit->counter_stride },
		{ unit->fixed, 8 },
		{ unit->fixed_control, 4 },
	};
	unsigned int i, k, n = unit->fixed ? 5 : 3, end = 0;

	for (i = 0; i < n; i++) {
		for (k = 0; k < i; k++)
			if (overlap(&range[i], &range[k]))
				return false;
		end = max(end, range[i].start + range[i].length);
	}
	unit->extent = end;
	return true;
}

static bool aligned(const struct uncore_discovery_unit *unit)
{
	unsigned int size = 4;

	if (unit->access == UNCORE_DISCOVERY_MSR)
		return true;
	/* A single load reads a counter in memory, two in configuration space. */
	if (unit->access == UNCORE_DISCOVERY_MMIO && unit->width > 32)
		size = 8;
	return !(unit->control % 4) && !(unit->control_offset % 4) &&
	       !((unit->control + unit->counter_offset) % size) &&
	       (!unit->fixed || !((unit->control + unit->fixed) % 8));
}

static enum uncore_discovery_reason
check_memory(const struct uncore_discovery_unit *unit,
	     const struct uncore_discovery_table *table,
	     const struct uncore_discovery_source *source)
{
	u64 end = BIT_ULL(min_t(unsigned int, source->phys_bits, MAX_PHYS_BITS));

	if (unit->extent > end || unit->control > end - unit->extent)
		return UNCORE_DISCOVERY_ADDRESS;
	/* The table is below 2^64, but it need not be below the width. */
	if (unit->control + unit->extent > source->address &&
	    (unit->control < source->address ||
	     unit->control - source->address < table->length))
		return UNCORE_DISCOVERY_TABLE;
	return UNCORE_DISCOVERY_OK;
}

static enum uncore_discovery_reason
check_config(const struct uncore_discovery_unit *unit)
{
	u32 offset = FIELD_GET(PCI_OFFSET, unit->control);

	if (unit->control >> PCI_ADDRESS_BITS)
		return UNCORE_DISCOVERY_ADDRESS;
	if (offset < PCI_CAPABILITIES)
		return UNCORE_DISCOVERY_HEADER;
	if (offset + unit->extent > PCI_SPACE)
		return UNCORE_DISCOVERY_RANGE;
	return UNCORE_DISCOVERY_OK;
}

/* Where the registers are; the unit itself makes sense by now. */
static enum uncore_discovery_reason
check_address(const struct uncore_discovery_unit *unit,
	      const struct uncore_discovery_table *table,
	      const struct uncore_discovery_source *source)
{
	switch (unit->access) {
	case UNCORE_DISCOVERY_MSR:
		if (unit->control > U32_MAX - unit->extent)
			return UNCORE_DISCOVERY_ADDRESS;
		return UNCORE_DISCOVERY_OK;
	case UNCORE_DISCOVERY_PCI:
		return check_config(unit);
	default:
		return check_memory(unit, table, source);
	}
}

static enum uncore_discovery_reason
read_unit(const u64 word[WORDS], const struct uncore_discovery_table *table,
	  const struct uncore_discovery_source *source,
	  struct uncore_discovery_unit *unit)
{
	const struct uncore_discovery_quirk *quirk;

	if (word[2] == ~0ULL)
		return UNCORE_DISCOVERY_ONES;
	unit->type = FIELD_GET(UNIT2_TYPE, word[2]);
	unit->id = FIELD_GET(UNIT2_ID, word[2]);
	quirk = uncore_pmu_discovery_quirk(source->platform, unit->type);
	if (quirk && quirk->ignore)
		return UNCORE_DISCOVERY_REPLACED;
	if (has_ones(word))
		return UNCORE_DISCOVERY_ONES;
	if (!word[0] || !word[1])
		return UNCORE_DISCOVERY_ZEROS;

	unit->control = word[1];
	unit->access = FIELD_GET(UNIT0_ACCESS, word[0]);
	unit->num_counters = FIELD_GET(UNIT0_COUNTERS, word[0]);
	unit->width = FIELD_GET(UNIT0_WIDTH, word[0]);
	unit->control_offset = FIELD_GET(UNIT0_CONTROL, word[0]);
	unit->counter_offset = FIELD_GET(UNIT0_COUNTER, word[0]);
	if (unit->access > UNCORE_DISCOVERY_PCI)
		return UNCORE_DISCOVERY_ACCESS;
	if (!unit->num_counters ||
	    unit->num_counters > UNCORE_DISCOVERY_MAX_COUNTERS)
		return UNCORE_DISCOVERY_COUNTERS;
	if (!unit->width || unit->width > 64)
		return UNCORE_DISCOVERY_WIDTH;
	set_strides(unit, uncore_pmu_discovery_type(source->platform,
						    unit->type));
	if (!set_extent(unit))
		return UNCORE_DISCOVERY_LAYOUT;
	if (!aligned(unit))
		return UNCORE_DISCOVERY_ALIGNMENT;
	return check_address(unit, table, source);
}

/**
 * uncore_pmu_discovery_units - read all units of a table
 * @data: begin of the table
 * @length: bytes there; units beyond it are UNCORE_DISCOVERY_TRUNCATED
 * @table: its global state, from uncore_pmu_discovery_table()
 * @source: what else is known of it
 * @unit: room for @table->num_units
 *
 * An entry that says neither what nor where, a word for each being 0, is empty
 * and no unit. Returns the number of units, whatever their reason is.
 */
unsigned int
uncore_pmu_discovery_units(const void *data, size_t length,
			   const struct uncore_discovery_table *table,
			   const struct uncore_discovery_source *source,
			   struct uncore_discovery_unit *unit)
{
	struct uncore_discovery_unit *next = unit;
	u64 word[WORDS];
	size_t offset = 0;
	unsigned int i;

	for (i = 0; i < table->num_units; i++) {
		offset += table->stride;
		*next = (struct uncore_discovery_unit) {
			.die = source->die, .entry = i,
			.type = UNCORE_DISCOVERY_NO_TYPE,
			.id = UNCORE_DISCOVERY_NO_TYPE,
			.reason = UNCORE_DISCOVERY_TRUNCATED,
		};
		if (length >= offset + UNCORE_DISCOVERY_ENTRY) {
			read_entry(data, offset, word);
			if (!word[0] && !word[1])
				continue;
			next->reason = read_unit(word, table, source, next);
		}
		next++;
	}
	return next - unit;
}

static int compare(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int compare_identity(const void *left, const void *right)
{
	const struct uncore_discovery_unit *a, *b;
	int diff;

	a = *(const struct uncore_discovery_unit *const *)left;
	b = *(const struct uncore_discovery_unit *const *)right;
	diff = compare(a->die, b->die);
	if (!diff)
		diff = compare(a->type, b->type);
	if (!diff)
		diff = compare(a->id, b->id);
	return diff ?: compare(a->order, b->order);
}

/* The dies share memory and configuration space, but each has its own MSRs. */
static u32 space(const struct uncore_discovery_unit *unit)
{
	return unit->access == UNCORE_DISCOVERY_MSR ? unit->die : 0;
}

static int compare_address(const void *left, const void *right)
{
	const struct uncore_discovery_unit *a, *b;
	int diff;

	a = *(const struct uncore_discovery_unit *const *)left;
	b = *(const struct uncore_discovery_unit *const *)right;
	diff = compare(a->access, b->access);
	if (!diff)
		diff = compare(space(a), space(b));
	if (!diff)
		diff = compare(a->control, b->control);
	return diff ?: compare(a->order, b->order);
}

/* Moves the units that are good to the front, and returns their number. */
static unsigned int keep_good(struct uncore_discovery_unit **unit,
			      unsigned int n)
{
	unsigned int i, kept = 0;

	for (i = 0; i < n; i++) {
		if (unit[i]->reason != UNCORE_DISCOVERY_OK)
			continue;
		swap(unit[i], unit[kept]);
		kept++;
	}
	return kept;
}

/**
 * uncore_pmu_discovery_check - find duplicates and overlaps
 * @unit: the units of all tables, in their order; is sorted
 * @n: how many
 *
 * Of several units with one identity the first stays good, as it does in
 * mainline, so that units have the same number here and there. Where registers
 * belong to several units none stays good: nothing tells whose they are.
 */
void uncore_pmu_discovery_check(struct uncore_discovery_unit **unit,
				unsigned int n)
{
	struct uncore_discovery_unit *last, *next;
	unsigned int i;

	for (i = 0; i < n; i++)
		unit[i]->order = i;

	n = keep_good(unit, n);
	sort(unit, n, sizeof(*unit), compare_identity, NULL);
	for (i = 1, last = n ? unit[0] : NULL; i < n; i++) {
		next = unit[i];
		if (next->die == last->die && next->type == last->type &&
		    next->id == last->id)
			next->reason = UNCORE_DISCOVERY_DUPLICATE;
		else
			last = next;
	}

	/* @last is the one of those before that reaches furthest. */
	n = keep_good(unit, n);
	sort(unit, n, sizeof(*unit), compare_address, NULL);
	for (i = 1, last = n ? unit[0] : NULL; i < n; i++) {
		next = unit[i];
		if (next->access != last->access ||
		    space(next) != space(last) ||
		    next->control >= last->control + last->extent) {
			last = next;
			continue;
		}
		last->reason = UNCORE_DISCOVERY_OVERLAP;
		next->reason = UNCORE_DISCOVERY_OVERLAP;
		if (next->control + next->extent > last->control + last->extent)
			last = next;
	}
}

/**
 * uncore_pmu_discovery_reason - a reason in words, for the log
 * @reason: which
 */
const char *uncore_pmu_discovery_reason(enum uncore_discovery_reason reason)
{
	static const char *const text[UNCORE_DISCOVERY_REASONS] = {
		[UNCORE_DISCOVERY_OK] = "good",
		[UNCORE_DISCOVERY_ZEROS] = "reads as zeros",
		[UNCORE_DISCOVERY_ONES] = "reads as ones",
		[UNCORE_DISCOVERY_TRUNCATED] = "beyond the end of the table",
		[UNCORE_DISCOVERY_STRIDE] = "entries overlap each other",
		[UNCORE_DISCOVERY_COUNT] = "impossible number of units",
		[UNCORE_DISCOVERY_LOCATION] = "its capability names no base register",
		[UNCORE_DISCOVERY_PORTS] = "its base register is for I/O ports",
		[UNCORE_DISCOVERY_REPLACED] = "known to be wrong",
		[UNCORE_DISCOVERY_ACCESS] = "unknown access type",
		[UNCORE_DISCOVERY_COUNTERS] = "impossible number of counters",
		[UNCORE_DISCOVERY_WIDTH] = "impossible width of counters",
		[UNCORE_DISCOVERY_LAYOUT] = "registers overlap each other",
		[UNCORE_DISCOVERY_ALIGNMENT] = "registers are not aligned",
		[UNCORE_DISCOVERY_ADDRESS] = "impossible address",
		[UNCORE_DISCOVERY_HEADER] = "in the header or capabilities of a PCI function",
		[UNCORE_DISCOVERY_RANGE] = "beyond configuration space",
		[UNCORE_DISCOVERY_TABLE] = "inside the discovery table",
		[UNCORE_DISCOVERY_DUPLICATE] = "type and id of another unit",
		[UNCORE_DISCOVERY_OVERLAP] = "registers of another unit",
	};

	if ((unsigned int)reason >= UNCORE_DISCOVERY_REASONS)
		return "unknown";
	return text[reason];
}
