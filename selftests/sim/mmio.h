/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units in memory: which functions have base registers, where those point to,
 * and which units are there.
 *
 * All of it is reserved guest memory after the configuration spaces. Each base
 * has a region of its own; that of a discovery table has the units of the table
 * in its first half unless the memory controllers of its socket have a region.
 */
#ifndef MMIO_H
#define MMIO_H

#include <stdbool.h>
#include <stdint.h>

#include "units.h"

#define BASES_MAX		128
#define BLOCKS_MAX		8192

/* Regions are as aligned as the coarsest register wants, 23 bits. */
#define REGION_SIZE		(8ull << 20)
/* A table of 65,535 units fits. */
#define TABLE_SIZE		(2u << 20)

#define MCHBAR			0x48
#define MCHBAR_ENABLE		1u
#define MC_BASE			0xd0
#define MC_BASE_SHIFT		23
#define MC_MEM			0xd8	/* and following, one a controller */
#define MC_MEM_SHIFT		12
#define MC_MEM_SPACE		0x40000u
#define DISCOVERY_DEVICE	0x09a7

enum base_class {
	BASE_MCHBAR,		/* of a client's host bridge */
	BASE_MC,		/* of a server's memory controllers */
	BASE_TABLE,		/* discovery table */
};

/* What there is @count times behind each controller, @step bytes apart. */
struct scheme_part {
	const struct unit_kind *kind;
	unsigned int count;
	uint32_t offset;
	uint32_t step;
};

/**
 * struct base_scheme - what is behind the base registers of a function
 * @controllers: number of memory controllers
 * @step: bytes from one to the next
 * @global: register that freezes and resets all units, from the base on; it has
 *	the bits of their unit control, and is frozen after reset. 0: there is
 *	none
 * @part: ends with a kind of NULL
 */
struct base_scheme {
	unsigned int controllers;
	uint32_t step;
	uint32_t global;
	struct scheme_part part[3];
};

struct base {
	enum base_class class;
	const struct base_scheme *scheme;	/* NULL: discovery table */
	unsigned int function;			/* index */
	uint64_t region;
	uint64_t units;				/* region of a table's units */
	unsigned int first_block;
	unsigned int blocks;
};

/* A unit in memory */
struct block {
	const struct unit_kind *kind;
	unsigned int base;		/* index */
	unsigned int number;		/* among those of its type, or box id */
	int socket;
	uint64_t address;		/* of its registers */
};

struct listing;
struct machine;
struct report;

extern const struct base_scheme scheme_client, scheme_tigerlake_u,
	scheme_tigerlake_h, scheme_alderlake, scheme_snowridge,
	scheme_icelake_sp, scheme_sapphire_rapids;

/* The platform of a client by its host bridge, or NULL. */
const struct platform *client_platform(uint16_t device);

/* Bases, regions and blocks of a machine whose functions are there. */
int machine_build_mmio(const struct listing *listing, struct machine *machine,
		       struct report *report);

/*
 * Writes the base registers into the page of the function. @what: enum
 * sim_base. -EINVAL if the registers cannot have such a value.
 */
int base_registers(const struct machine *machine, unsigned int base,
		   uint64_t what, uint8_t *page);

/* Offset of the power management capability. */
unsigned int base_pm(const struct base *base);

/* Where the table is; only of BASE_TABLE. */
static inline uint64_t base_table(const struct base *base)
{
	return base->region + REGION_SIZE;
}

#endif /* MMIO_H */
