/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests do with a table. */
#ifndef PARSE_H
#define PARSE_H

#include <linux/kernel.h>

#include "table.h"

/* What is known of the tables from elsewhere, unless a test says otherwise. */
#define SOURCE_ADDRESS	0xc3b00000ULL
#define SOURCE_DIE	5
#define SOURCE_BITS	46

/**
 * struct parsed - what a table was understood as
 * @reason: of the table
 * @n: number of units
 * @unit: the units
 */
struct parsed {
	enum uncore_discovery_reason reason;
	unsigned int n;
	struct uncore_discovery_unit *unit;
};

void good_table(struct table *table, unsigned int stride, unsigned int units);
void parse_from(struct parsed *parsed, const struct table *table,
		const struct uncore_discovery_source *source);
void parse(struct parsed *parsed, const struct table *table,
	   const struct uncore_discovery_platform *platform);
void parsed_free(struct parsed *parsed);
void check(struct parsed *parsed, unsigned int tables);

#endif /* PARSE_H */
