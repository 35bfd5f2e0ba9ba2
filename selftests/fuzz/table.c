// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* Word 0 of the global state; stride in words, as the hardware has it. */
u64 table_word(unsigned int stride, unsigned int units)
{
	return 1ULL << 62 | (u64)units << 16 | (u64)stride << 8 | 0x01;
}

/* Makes a table with room for that many units, which are all empty. */
void table_make(struct table *table, unsigned int stride, unsigned int units)
{
	u64 word[3] = { table_word(stride, units), TABLE_CONTROL, 0x00042001 };

	table->stride = stride * 8;
	table->length = units * table->stride + sizeof(word);
	table->data = calloc(1, table->length);
	if (!table->data)
		abort();
	memcpy(table->data, word, sizeof(word));
}

void table_free(struct table *table)
{
	free(table->data);
	table->data = NULL;
}

/* Sets a word of a unit's entry. */
void table_set(struct table *table, unsigned int unit, unsigned int word,
	       u64 value)
{
	memcpy(table->data + (unit + 1) * table->stride + word * 8, &value,
	       sizeof(value));
}

void table_put(struct table *table, unsigned int unit,
	       const struct entry *entry)
{
	table_set(table, unit, 0,
		  (u64)entry->access << 62 | (u64)entry->counter_offset << 24 |
		  (u64)entry->width << 16 | (u64)entry->control_offset << 8 |
		  entry->counters);
	table_set(table, unit, 1, entry->control);
	table_set(table, unit, 2, (u64)entry->id << 16 | entry->type);
}

/* A good unit, each I another one; of type 100 and up, by access. */
struct entry table_unit(unsigned int i)
{
	struct entry entry = {
		.access = i % 3, .counters = 4, .width = 48,
		.type = 100 + i % 3, .id = i / 3,
	};

	switch (entry.access) {
	case UNCORE_DISCOVERY_MSR:
		entry.control = 0x2000 + 0x10 * (u64)entry.id;
		entry.control_offset = 2;
		entry.counter_offset = 8;
		break;
	case UNCORE_DISCOVERY_MMIO:
		entry.control = 0xc8800800 + 0x4000 * (u64)entry.id;
		entry.control_offset = 0x40;
		entry.counter_offset = 0x8;
		break;
	case UNCORE_DISCOVERY_PCI:
		entry.control = 0x7e00438 + 0x1000 * (u64)entry.id;
		entry.control_offset = 0x38;
		entry.counter_offset = 0x8;
		break;
	}
	return entry;
}
