/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The description of a discovery table, a text file beside the listing that
 * names it. Comments begin with #, numbers are as in C. One line says what all
 * tables of the machine share, then come types and units:
 *
 *	global [type N] [access N] [control ADDRESS] [status N] [statuses N]
 *	       [stride N] [bar N] [wide]
 *	type ID NAME msr|mmio|pci counters N width N control N counter N
 *	     [step N] [status N] [fixed CONTROL COUNTER] [unit N] [memory]
 *	unit TYPE ID[-ID] PLACE [STEP]
 *
 * stride: in units of 8 bytes; bar: which base register points at the table;
 * wide: that is one of 64 bits. control and counter of a type: offsets from the
 * unit control register; step: from one control to the next, 4 unless said
 * otherwise, counters being 8 apart; fixed: the fixed counter of 48 bits; unit:
 * offset of the unit control register in configuration space; memory: counts
 * what a memory channel counts. PLACE of a unit is an MSR, an offset in the
 * socket's region of memory, both STEP further with each id, or VVVV:DDDD for
 * units in configuration space: the functions with this id on the socket, in
 * their order.
 *
 * Facts about the tables: Linux 6.12, uncore_discovery.h.
 */
#ifndef DISCOVERY_H
#define DISCOVERY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "units.h"
#include "util.h"

#define DISCOVERY_TYPES_MAX	64
#define DISCOVERY_UNITS_MAX	1023
#define DISCOVERY_NAME_MAX	24

enum discovery_access {
	ACCESS_MSR,
	ACCESS_MMIO,
	ACCESS_PCI,
};

struct discovery_type {
	uint16_t id;
	char name[DISCOVERY_NAME_MAX];
	enum discovery_access access;
	uint8_t status;
	uint8_t control;		/* as the table has them */
	uint8_t counter;
	uint16_t unit;
	struct unit_kind kind;
};

struct discovery_unit {
	unsigned int type;		/* index */
	uint16_t id;
	uint16_t device;		/* of ACCESS_PCI */
	uint64_t place;			/* of ACCESS_PCI: which of the socket */
};

struct discovery {
	uint8_t global_type;
	uint8_t global_access;
	uint8_t stride;
	uint8_t status;
	uint16_t statuses;
	uint8_t bar;
	bool wide;
	uint64_t global_control;
	unsigned int types;
	unsigned int units;
	struct discovery_type type[DISCOVERY_TYPES_MAX];
	struct discovery_unit unit[DISCOVERY_UNITS_MAX];
};

/* NULL on failure; free() it. */
struct discovery *discovery_read(const char *path, struct report *report);
struct discovery *discovery_parse(FILE *stream, const char *name,
				  struct report *report);

/* Another one; the kinds belong to it. */
struct discovery *discovery_copy(const struct discovery *from);

struct machine;

/* The extended capabilities of a function with a table. */
void discovery_capabilities(const struct machine *machine, uint8_t *page);

/*
 * Writes the table of that base and what leads to it, with a fault that
 * variants.h names. @table: TABLE_SIZE bytes; @page: of the function. -EINVAL
 * for an unknown name.
 */
int discovery_write(const struct machine *machine, unsigned int base,
		    const char *variant, uint8_t *table, uint8_t *page);

/* Changes one field, enum sim_field. 0 or -EINVAL. */
int discovery_field(const struct machine *machine, unsigned int base,
		    unsigned int entry, uint32_t field, uint64_t value,
		    uint8_t *table);

#endif /* DISCOVERY_H */
