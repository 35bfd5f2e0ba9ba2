// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: whatever a discovery table holds, the units that the parser calls
 * good are what discovery.h says of them. The conditions are written here once
 * more, in another way; the sanitizers watch over the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "fuzz.h"

/* More units than this are not compared each with each other. */
#define COMPARED	200

#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			fail(#condition, __LINE__); \
	} while (0)

static void fail(const char *condition, int line)
{
	fprintf(stderr, "discovery_fuzz.c:%d: not true: %s\n", line, condition);
	abort();
}

static const struct uncore_discovery_platform *fuzz_platform(u8 number)
{
	switch (number) {
	case 1: return &uncore_pmu_discovery_spr;
	case 2: return &uncore_pmu_discovery_gnr;
	case 3: return &uncore_pmu_discovery_dmr;
	case 4: return &uncore_pmu_discovery_ptl;
	default: return NULL;
	}
}

/* Each register of a unit that is good: it exists, and is aligned. */
static void check_register(const struct uncore_discovery_unit *unit,
			   const struct uncore_discovery_source *source,
			   unsigned int offset, unsigned int size)
{
	u64 first = unit->control + offset, last = first + size - 1;
	unsigned int bits = source->phys_bits < 52 ? source->phys_bits : 52;

	REQUIRE(last >= unit->control);
	REQUIRE(offset + size <= unit->extent);
	if (unit->access == UNCORE_DISCOVERY_MSR) {
		REQUIRE(last <= 0xffffffff);
		return;
	}
	REQUIRE(first % 4 == 0);
	if (unit->access == UNCORE_DISCOVERY_MMIO) {
		REQUIRE(last >> bits == 0);
		if (size == 8 && unit->width > 32)
			REQUIRE(first % 8 == 0);
	} else {
		REQUIRE(unit->access == UNCORE_DISCOVERY_PCI);
		REQUIRE(last >> 31 == 0);
		REQUIRE(first >> 12 == last >> 12);
		REQUIRE((first & 0xfff) >= 0x100);
	}
}

static void check_good(const struct uncore_discovery_unit *unit,
		       const struct uncore_discovery_table *table,
		       const struct uncore_discovery_source *source)
{
	bool msr = unit->access == UNCORE_DISCOVERY_MSR;
	unsigned int i, control, counter;

	REQUIRE(unit->control);
	REQUIRE(unit->num_counters >= 1 && unit->num_counters <= 31);
	REQUIRE(unit->width >= 1 && unit->width <= 64);
	REQUIRE(unit->extent < 0x1000);
	for (i = 0; i < unit->num_counters; i++) {
		control = unit->control_offset + i * unit->control_stride;
		counter = unit->counter_offset + i * unit->counter_stride;
		REQUIRE(control && counter && control != counter);
		check_register(unit, source, control, msr ? 1 : 4);
		check_register(unit, source, counter, msr ? 1 : 8);
		if (unit->fixed) {
			REQUIRE(counter + 8 <= unit->fixed ||
				counter >= unit->fixed + 8U);
			REQUIRE(control != unit->fixed_control);
		}
	}
	check_register(unit, source, 0, msr ? 1 : 4);
	if (unit->fixed)
		check_register(unit, source, unit->fixed, 8);
	if (unit->access == UNCORE_DISCOVERY_MMIO)
		REQUIRE(unit->control + unit->extent <= source->address ||
			unit->control >= source->address + table->length);
}

static bool contradict(const struct uncore_discovery_unit *a,
		       const struct uncore_discovery_unit *b)
{
	if (a->die == b->die && a->type == b->type && a->id == b->id)
		return true;
	if (a->access != b->access)
		return false;
	if (a->access == UNCORE_DISCOVERY_MSR && a->die != b->die)
		return false;
	return a->control < b->control + b->extent &&
	       b->control < a->control + a->extent;
}

/* UNIT as before the check and as after it. */
static void check_all(const struct uncore_discovery_unit *unit,
		      const u8 *before, unsigned int n)
{
	const struct uncore_discovery_unit *a, *b;
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		a = &unit[i];
		REQUIRE(a->order == i);
		if (a->reason != UNCORE_DISCOVERY_DUPLICATE &&
		    a->reason != UNCORE_DISCOVERY_OVERLAP)
			REQUIRE(a->reason == before[i]);
		else
			REQUIRE(before[i] == UNCORE_DISCOVERY_OK);
		for (k = 0; n <= COMPARED && k < i; k++) {
			b = &unit[k];
			if (a->reason == UNCORE_DISCOVERY_OK &&
			    b->reason == UNCORE_DISCOVERY_OK)
				REQUIRE(!contradict(a, b));
		}
	}
	/* A unit that was refused has another one that it contradicts. */
	for (i = 0; n <= COMPARED && i < n; i++) {
		if (unit[i].reason != UNCORE_DISCOVERY_DUPLICATE &&
		    unit[i].reason != UNCORE_DISCOVERY_OVERLAP)
			continue;
		for (k = 0; k < n; k++)
			if (k != i && before[k] == UNCORE_DISCOVERY_OK &&
			    contradict(&unit[i], &unit[k]))
				break;
		REQUIRE(k < n);
	}
}

static void *allocate(size_t length)
{
	void *memory = malloc(length ? length : 1);

	if (!memory)
		abort();
	return memory;
}

static void check_names(const struct uncore_discovery_unit *unit,
			const struct uncore_discovery_source *source)
{
	char buffer[16];
	const char *name;

	name = uncore_pmu_discovery_name(source->platform, unit->type, buffer,
					 sizeof(buffer));
	REQUIRE(strlen(name) > 0 && strlen(name) < sizeof(buffer));
	REQUIRE(unit->reason < UNCORE_DISCOVERY_REASONS);
	REQUIRE(uncore_pmu_discovery_reason(unit->reason));
}

/* One table, and its units: returns how many. */
static unsigned int read_units(const u8 *data, size_t size,
			       const struct uncore_discovery_table *table,
			       const struct uncore_discovery_source *source,
			       struct uncore_discovery_unit *unit)
{
	unsigned int i, n;

	n = uncore_pmu_discovery_units(data, size, table, source, unit);
	REQUIRE(n <= table->num_units);
	for (i = 0; i < n; i++) {
		REQUIRE(unit[i].entry < table->num_units);
		REQUIRE(!i || unit[i].entry > unit[i - 1].entry);
		REQUIRE(unit[i].die == source->die);
		REQUIRE(unit[i].reason != UNCORE_DISCOVERY_DUPLICATE &&
			unit[i].reason != UNCORE_DISCOVERY_OVERLAP);
		check_names(&unit[i], source);
		if (unit[i].reason == UNCORE_DISCOVERY_OK)
			check_good(&unit[i], table, source);
	}
	return n;
}

static void fuzz_table(const struct fuzz_head *head, const u8 *data, size_t size)
{
	unsigned int i, tables = head->flags & FUZZ_TWO_TABLES ? 2 : 1, n = 0;
	struct uncore_discovery_source source = {
		.platform = fuzz_platform(head->platform),
		.address = (u64)head->page << 12,
		.phys_bits = head->phys_bits,
	};
	struct uncore_discovery_unit *unit, **all;
	struct uncore_discovery_table table;
	u8 *before;

	if (uncore_pmu_discovery_table(data, size, &table))
		return;
	REQUIRE(table.num_units >= 1 &&
		table.num_units <= UNCORE_DISCOVERY_MAX_UNITS);
	REQUIRE(table.stride >= UNCORE_DISCOVERY_ENTRY);
	REQUIRE(table.length <= UNCORE_DISCOVERY_MAX_LENGTH);

	/* The last table has no more room than it needs. */
	unit = allocate(tables * table.num_units * sizeof(*unit));
	for (i = 0; i < tables; i++) {
		source.die = head->flags & FUZZ_SAME_DIE ? 0 : i;
		n += read_units(data, size, &table, &source, unit + n);
	}
	all = allocate(n * sizeof(*all));
	before = allocate(n);
	for (i = 0; i < n; i++) {
		all[i] = &unit[i];
		before[i] = unit[i].reason;
	}
	uncore_pmu_discovery_check(all, n);
	check_all(unit, before, n);
	free(before);
	free(all);
	free(unit);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_head head;
	u8 *copy;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, data, sizeof(head));
	size -= sizeof(head);
	copy = allocate(size);
	memcpy(copy, data + sizeof(head), size);
	fuzz_table(&head, copy, size);
	free(copy);
	return 0;
}
