/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table by which hardware from Sapphire Rapids on describes its units.
 *
 * A PCI function (or an MSR) tells where the table is: its first entry is the
 * global state, each further one a unit. It comes from hardware and firmware
 * and is not trusted: these functions work on a copy of it, look at each field
 * before they use it, allocate nothing and give each unit a verdict of its own.
 * They need no lock, and are compiled for user space too (selftests/fuzz).
 *
 * How to use them:
 *
 *	copy UNCORE_DISCOVERY_ENTRY bytes of the table
 *	uncore_pmu_discovery_table()	how long it is, or why it is refused
 *	copy the smaller of table.length and what the hardware has of it
 *	uncore_pmu_discovery_units()	into an array of table.num_units
 *	with the units of all tables:
 *	uncore_pmu_discovery_check()	duplicates and overlaps
 */
#ifndef _UNCORE_PMU_DISCOVERY_H
#define _UNCORE_PMU_DISCOVERY_H

#include <linux/bits.h>
#include <linux/types.h>

/* The DVSEC of a PCI function that tells where a table is. */
#define UNCORE_DISCOVERY_DVSEC_PMON	1

/* Bytes of an entry that mean something; the rest of the stride does not. */
#define UNCORE_DISCOVERY_ENTRY		24
/* The number of units has ten bits, and the stride eight, in units of 8 bytes. */
#define UNCORE_DISCOVERY_MAX_UNITS	1023
#define UNCORE_DISCOVERY_MAX_LENGTH	\
	(UNCORE_DISCOVERY_MAX_UNITS * 255 * 8 + UNCORE_DISCOVERY_ENTRY)
/* General counters of a unit; one of UNCORE_PMU_MAX_COUNTERS may be fixed. */
#define UNCORE_DISCOVERY_MAX_COUNTERS	31

/*
 * Unit control: the bit that freezes the unit's counters, and those that reset
 * its control registers and its counters. Others than before discovery.
 */
#define UNCORE_DISCOVERY_FREEZE		BIT(0)
#define UNCORE_DISCOVERY_RESET_CONTROL	BIT(8)
#define UNCORE_DISCOVERY_RESET_COUNTERS	BIT(9)

/* Says of a unit that could not be read that type and id mean nothing. */
#define UNCORE_DISCOVERY_NO_TYPE	0xffff

/**
 * enum uncore_discovery_access - what the address of a unit is
 * @UNCORE_DISCOVERY_MSR: number of a model-specific register
 * @UNCORE_DISCOVERY_MMIO: physical address
 * @UNCORE_DISCOVERY_PCI: bits 11:0 offset in configuration space, 19:12 device
 *	and function, 27:20 bus, 30:28 segment
 */
enum uncore_discovery_access {
	UNCORE_DISCOVERY_MSR	= 0,
	UNCORE_DISCOVERY_MMIO	= 1,
	UNCORE_DISCOVERY_PCI	= 2,
};

/**
 * enum uncore_discovery_reason - why a table or a unit cannot be used
 * @UNCORE_DISCOVERY_OK: it can
 * @UNCORE_DISCOVERY_ZEROS: a word that says where it is reads as zeros
 * @UNCORE_DISCOVERY_ONES: a word reads as ones: nothing answers there
 * @UNCORE_DISCOVERY_TRUNCATED: it goes beyond the end of the table
 * @UNCORE_DISCOVERY_STRIDE: table: entries would overlap each other
 * @UNCORE_DISCOVERY_COUNT: table: no units, or more than the format can hold
 * @UNCORE_DISCOVERY_LOCATION: table: what should say where it is does not
 * @UNCORE_DISCOVERY_PORTS: table: its base register is one for I/O ports
 * @UNCORE_DISCOVERY_REPLACED: unit: the tables of this platform are known to be
 *	wrong about this type, so that it is found in another way or not at all
 * @UNCORE_DISCOVERY_ACCESS: unit: the access type is not defined
 * @UNCORE_DISCOVERY_COUNTERS: unit: no counters, or too many
 * @UNCORE_DISCOVERY_WIDTH: unit: width of a counter is not 1 to 64 bits
 * @UNCORE_DISCOVERY_LAYOUT: unit: unit control, control registers and counters
 *	would overlap each other
 * @UNCORE_DISCOVERY_ALIGNMENT: unit: a register is not aligned
 * @UNCORE_DISCOVERY_ADDRESS: unit: an address that cannot exist: MSR above 32
 *	bits, memory above the physical address width, more bits than a PCI
 *	address has
 * @UNCORE_DISCOVERY_HEADER: unit: in the first 256 bytes of a PCI function, with
 *	its standard header and capabilities such as that for sleeping
 * @UNCORE_DISCOVERY_RANGE: unit: not within one configuration space
 * @UNCORE_DISCOVERY_TABLE: unit: inside the discovery table
 * @UNCORE_DISCOVERY_DUPLICATE: unit: one before it in the same table, or in
 *	another of the same die, has its type and id
 * @UNCORE_DISCOVERY_OVERLAP: unit: registers that another unit has too; none
 *	of them can be trusted
 * @UNCORE_DISCOVERY_REASONS: number of reasons
 */
enum uncore_discovery_reason {
	UNCORE_DISCOVERY_OK,
	UNCORE_DISCOVERY_ZEROS,
	UNCORE_DISCOVERY_ONES,
	UNCORE_DISCOVERY_TRUNCATED,
	UNCORE_DISCOVERY_STRIDE,
	UNCORE_DISCOVERY_COUNT,
	UNCORE_DISCOVERY_LOCATION,
	UNCORE_DISCOVERY_PORTS,
	UNCORE_DISCOVERY_REPLACED,
	UNCORE_DISCOVERY_ACCESS,
	UNCORE_DISCOVERY_COUNTERS,
	UNCORE_DISCOVERY_WIDTH,
	UNCORE_DISCOVERY_LAYOUT,
	UNCORE_DISCOVERY_ALIGNMENT,
	UNCORE_DISCOVERY_ADDRESS,
	UNCORE_DISCOVERY_HEADER,
	UNCORE_DISCOVERY_RANGE,
	UNCORE_DISCOVERY_TABLE,
	UNCORE_DISCOVERY_DUPLICATE,
	UNCORE_DISCOVERY_OVERLAP,
	UNCORE_DISCOVERY_REASONS,
};

/**
 * struct uncore_discovery_type - what the table does not say about a unit type
 * @name: as mainline names it
 * @control_stride: bytes between control registers of a unit in memory, where
 *	it is not 4
 * @fixed: fixed counter, from the unit control on; 0 if there is none
 * @fixed_control: its control register
 */
struct uncore_discovery_type {
	const char *name;
	u8 control_stride;
	u8 fixed;
	u8 fixed_control;
};

/**
 * struct uncore_discovery_quirk - a unit type that the tables are wrong about
 * @type: its number
 * @ignore: take no unit of this type from a table
 * @device: but each PCI function with this id, from the next members; 0 if
 *	there is no other way to find them
 * @first: PCI device (slot) of the link or port with id 0; the next has id 1
 * @function: their PCI function
 * @control: unit control in their configuration space
 * @control_offset: from there to the control register of the first counter
 * @counter_offset: from there to the first counter
 * @num_counters: number of counters
 * @width: bits of a counter
 * @count_msr: MSR with the number of units of this type, where tables have a
 *	wrong one; means nothing if it reads as 0. 0 if there is none
 */
struct uncore_discovery_quirk {
	u16 type;
	bool ignore;
	u16 device;
	u8 first;
	u8 function;
	u16 control;
	u8 control_offset;
	u8 counter_offset;
	u8 num_counters;
	u8 width;
	u32 count_msr;
};

/**
 * struct uncore_discovery_platform - a generation with discovery tables
 * @device: PCI function that tells where a die's table is, 0 if there is none
 * @msr: MSR with the address of a die's table, 0 if there is none
 * @global: MSR that is the global control, where a table names it; 0 if none
 *	is known
 * @types: by type number; a hole has no name
 * @num_types: number of @types
 * @quirks: what the tables are wrong about
 * @num_quirks: number of @quirks
 */
struct uncore_discovery_platform {
	u16 device;
	u32 msr;
	u32 global;
	const struct uncore_discovery_type *types;
	unsigned int num_types;
	const struct uncore_discovery_quirk *quirks;
	unsigned int num_quirks;
};

/**
 * struct uncore_discovery_source - what is known of a table from elsewhere
 * @platform: names and quirks, or NULL
 * @address: physical address of the table
 * @die: whose units it has; a number, also where it is not known
 * @phys_bits: width of physical addresses
 */
struct uncore_discovery_source {
	const struct uncore_discovery_platform *platform;
	u64 address;
	u32 die;
	u8 phys_bits;
};

/**
 * struct uncore_discovery_table - global state of a table
 * @control: address of the global control register
 * @length: bytes from its begin to the end of the last unit's entry
 * @stride: bytes from one entry to the next
 * @num_units: number of entries for units, some may be empty
 * @type: of the table
 * @access: of @control, not checked
 */
struct uncore_discovery_table {
	u64 control;
	u32 length;
	u16 stride;
	u16 num_units;
	u8 type;
	u8 access;
};

/**
 * struct uncore_discovery_unit - what a table says about a unit
 * @control: address of the unit control register
 * @die: from struct uncore_discovery_source
 * @extent: all its registers are within so many bytes (MSR: registers), from
 *	@control on
 * @order: position among the units of all tables, set by
 *	uncore_pmu_discovery_check()
 * @entry: number of its entry in the table, from 0 on
 * @type: unit type, or UNCORE_DISCOVERY_NO_TYPE
 * @id: number among those of its type on its die, as in the names of mainline
 * @access: enum uncore_discovery_access, if @reason is UNCORE_DISCOVERY_OK
 * @num_counters: number of general counters
 * @width: bits of a counter
 * @control_offset: from @control to the control register of the first counter
 * @control_stride: from there to that of the next
 * @counter_offset: from @control to the first counter
 * @counter_stride: from there to the next
 * @fixed: from @control to the fixed counter, 0 if there is none
 * @fixed_control: from @control to its control register
 * @reason: enum uncore_discovery_reason
 */
struct uncore_discovery_unit {
	u64 control;
	u32 die;
	u32 order;
	u16 extent;
	u16 entry;
	u16 type;
	u16 id;
	u8 access;
	u8 num_counters;
	u8 width;
	u8 control_offset;
	u8 control_stride;
	u8 counter_offset;
	u8 counter_stride;
	u8 fixed;
	u8 fixed_control;
	u8 reason;
};

/* discovery_types.c */
extern const struct uncore_discovery_platform uncore_pmu_discovery_spr;
extern const struct uncore_discovery_platform uncore_pmu_discovery_gnr;
extern const struct uncore_discovery_platform uncore_pmu_discovery_dmr;
extern const struct uncore_discovery_platform uncore_pmu_discovery_ptl;
extern const struct uncore_discovery_platform uncore_pmu_discovery_nvl;

const struct uncore_discovery_type *
uncore_pmu_discovery_type(const struct uncore_discovery_platform *platform,
			  u16 type);
const struct uncore_discovery_quirk *
uncore_pmu_discovery_quirk(const struct uncore_discovery_platform *platform,
			   u16 type);
const char *
uncore_pmu_discovery_name(const struct uncore_discovery_platform *platform,
			  u16 type, char *buffer, size_t size);

/* discovery.c */
int uncore_pmu_discovery_bar(u32 id, u32 location);
enum uncore_discovery_reason
uncore_pmu_discovery_table(const void *data, size_t length,
			   struct uncore_discovery_table *table);
unsigned int
uncore_pmu_discovery_units(const void *data, size_t length,
			   const struct uncore_discovery_table *table,
			   const struct uncore_discovery_source *source,
			   struct uncore_discovery_unit *unit);
void uncore_pmu_discovery_check(struct uncore_discovery_unit **unit,
				unsigned int n);
const char *uncore_pmu_discovery_reason(enum uncore_discovery_reason reason);

#endif /* _UNCORE_PMU_DISCOVERY_H */
