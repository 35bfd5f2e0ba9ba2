// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "parse.h"

/* A table in which nothing is wrong. */
void good_table(struct table *table, unsigned int stride, unsigned int units)
{
	struct entry entry;
	unsigned int i;

	table_make(table, stride, units);
	for (i = 0; i < units; i++) {
		entry = table_unit(i);
		table_put(table, i, &entry);
	}
}

static void *allocate(size_t length)
{
	void *memory = malloc(length ? length : 1);

	if (!memory)
		abort();
	return memory;
}

/*
 * All buffers have just the size that they must have, and the copy of the table
 * is not aligned, so that the sanitizers see whatever goes beyond.
 */
void parse_from(struct parsed *parsed, const struct table *table,
		const struct uncore_discovery_source *source)
{
	struct uncore_discovery_table global;
	u8 *copy = allocate(table->length + 1);

	memset(parsed, 0, sizeof(*parsed));
	memcpy(copy + 1, table->data, table->length);
	parsed->reason = uncore_pmu_discovery_table(copy + 1, table->length,
						    &global);
	if (parsed->reason == UNCORE_DISCOVERY_OK) {
		parsed->unit = allocate(global.num_units *
					sizeof(*parsed->unit));
		parsed->n = uncore_pmu_discovery_units(copy + 1, table->length,
						       &global, source,
						       parsed->unit);
	}
	free(copy);
}

void parse(struct parsed *parsed, const struct table *table,
	   const struct uncore_discovery_platform *platform)
{
	const struct uncore_discovery_source source = {
		.platform = platform, .address = SOURCE_ADDRESS,
		.die = SOURCE_DIE, .phys_bits = SOURCE_BITS,
	};

	parse_from(parsed, table, &source);
}

void parsed_free(struct parsed *parsed)
{
	free(parsed->unit);
	parsed->unit = NULL;
}

/* Looks for duplicates and overlaps in all of them together. */
void check(struct parsed *parsed, unsigned int tables)
{
	struct uncore_discovery_unit **all;
	unsigned int i, k, n = 0;

	for (i = 0; i < tables; i++)
		n += parsed[i].n;
	all = allocate(n * sizeof(*all));
	n = 0;
	for (i = 0; i < tables; i++)
		for (k = 0; k < parsed[i].n; k++)
			all[n++] = &parsed[i].unit[k];
	uncore_pmu_discovery_check(all, n);
	free(all);
}
