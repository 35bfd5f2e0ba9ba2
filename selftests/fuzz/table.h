/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes discovery tables, good ones and others, from descriptions. */
#ifndef TABLE_H
#define TABLE_H

#include "discovery.h"

/* Words 0 and 1 of the global state that are always good. */
#define TABLE_CONTROL	0x2ff0ULL

/**
 * struct entry - a unit's entry in words as they are
 * @access: two bits of enum uncore_discovery_access
 * @counters: number of counters
 * @width: of a counter
 * @control_offset: first control register
 * @counter_offset: first counter
 * @type: unit type
 * @id: number of the unit
 * @control: address of unit control
 */
struct entry {
	u8 access;
	u8 counters;
	u8 width;
	u8 control_offset;
	u8 counter_offset;
	u16 type;
	u16 id;
	u64 control;
};

/**
 * struct table - bytes of a table, as many as it says and no more
 * @data: the bytes, to be freed
 * @length: how many
 * @stride: from one entry to the next
 */
struct table {
	u8 *data;
	size_t length;
	unsigned int stride;
};

u64 table_word(unsigned int stride, unsigned int units);
void table_make(struct table *table, unsigned int stride, unsigned int units);
void table_free(struct table *table);
void table_set(struct table *table, unsigned int unit, unsigned int word,
	       u64 value);
void table_put(struct table *table, unsigned int unit,
	       const struct entry *entry);
struct entry table_unit(unsigned int i);

#endif /* TABLE_H */
