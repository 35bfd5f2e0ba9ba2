/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine made from a listing: which platform, where everything lies in
 * the guest's memory, which bus belongs to which socket.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "listing.h"
#include "mmio.h"
#include "units.h"

#define CONFIG_PAGE_SIZE	0x1000u
#define BUS_SIZE		(1u << 20)

/*
 * Guest memory: System RAM up to the configuration spaces (every bus number
 * times 1 MiB must be below it, see SIM_MCFG_RAM_BASE), those, the units in
 * memory (mmio.h), and System RAM above them, where firmware puts its tables and QEMU the initial RAM disk.
 * All of it must stay below QEMU's hole for PCI.
 */
#define LOW_MEMORY		(512ull << 20)
#define HIGH_MEMORY		(192ull << 20)
#define MEMORY_LIMIT		(3584ull << 20)

#define SEGMENTS_MAX		16
#define SOCKETS_MAX		LISTING_NUMBERS_MAX
/* QEMU boots so many in reasonable time; a machine with more gets two. */
#define SOCKETS_WITH_CPUS_MAX	10
#define SOCKETS_OF_GIANTS	2
#define NODES_MAX		16

/* Vendor and device of functions 0 that no listing has; nothing binds to it. */
#define EXTRA_VENDOR_ID		0x1b36
#define EXTRA_DEVICE_ID		0xffff
#define EXTRA_CLASS		0xff00

struct platform {
	const char *name;
	enum platform_id id;
	const char *generation;		/* must be in the listing's header */
	uint8_t cpu_model;
	uint8_t cpu_stepping;
	uint16_t ubox;			/* device id, 0 if there is none */
	uint8_t node_id_register;
	uint8_t group_register;
	bool buses_before_ubox;		/* which buses are of the UBOX's socket */
	bool bus_after_ubox;		/* the next one is, too */
	uint16_t mc;			/* with MC_BASE; 0 if there is none */
	const struct base_scheme *scheme;
};

struct segment {
	uint32_t domain;		/* in the listing */
	uint16_t number;		/* in the machine */
	uint8_t first_bus;
	uint8_t last_bus;
	uint64_t address;		/* of first_bus */
};

struct bus {
	uint16_t segment;		/* index */
	uint8_t number;
	bool has_units;
	int socket;			/* -1: unknown */
	bool pxm;			/* firmware tells its NUMA node */
};

struct function {
	uint16_t segment;		/* index */
	uint8_t bus;
	uint8_t device;
	uint8_t function;
	uint8_t revision;
	uint16_t class;
	uint16_t vendor_id;
	uint16_t device_id;
	bool multifunction;
	bool ubox;
	int base;			/* index, -1: no base registers */
	int socket;
	unsigned int instance;		/* among the socket's units of its kind */
	const struct unit_kind *kind;	/* NULL: inert */
	uint64_t address;		/* of its page in guest memory */
};

struct machine {
	const struct platform *platform;
	struct segment *segment;
	unsigned int segments;
	struct bus *bus;
	unsigned int buses;
	struct function *function;	/* sorted by address */
	unsigned int functions;
	struct base base[BASES_MAX];
	unsigned int bases;
	struct block *block;		/* by base and address registers */
	unsigned int blocks;
	struct discovery *discovery;	/* NULL: no tables */
	unsigned int sockets;		/* as the listing has them */
	unsigned int sockets_with_cpus;
	unsigned int nodes_per_socket;	/* NUMA nodes */
	unsigned int nodes;
	unsigned int cpus;
	uint8_t die[SOCKETS_MAX];
	uint8_t node_id[SOCKETS_MAX];
	uint32_t group_map;		/* of the UBOX */
	uint64_t config_size;		/* of all segments together */
	uint64_t reserved_size;		/* with the units in memory */
	uint64_t memory[NODES_MAX];	/* by NUMA node */
};

/* The platform that the listing shows; never NULL. */
const struct platform *platform_of(const struct listing *listing);

int machine_build(const struct listing *listing, struct machine *machine,
		  struct report *report);
void machine_free(struct machine *machine);

uint64_t machine_memory(const struct machine *machine);

/* The NUMA node of a bus with a _PXM: those of a socket take turns. */
static inline unsigned int machine_bus_node(const struct machine *machine,
					    const struct bus *bus)
{
	return machine->die[bus->socket] * machine->nodes_per_socket +
	       bus->number % machine->nodes_per_socket;
}

/* What MCFG says: the address that bus 0 of the segment would have. */
static inline uint64_t segment_base(const struct segment *segment)
{
	return segment->address - (uint64_t)segment->first_bus * BUS_SIZE;
}

/* "DDDD:BB:dd.f" in the machine; NULL if there is none. */
struct function *machine_find(struct machine *machine, uint32_t segment,
			      uint8_t bus, uint8_t device, uint8_t function);

/* A bus of the segment without counters, for a bus range that misses them. */
uint8_t machine_quiet_bus(const struct machine *machine, unsigned int segment);

/* The unit of a discovery table's entry, as the table addresses it; or 0. */
struct discovery_unit;
uint64_t discovery_address(const struct machine *machine, unsigned int base,
			   const struct discovery_unit *unit);

/* Fills in the page as it is after reset. */
void machine_page(const struct machine *machine,
		  const struct function *function, uint8_t *page);

/* Whether the dword at @offset ignores writes. */
bool machine_read_only(const struct machine *machine,
		       const struct function *function, unsigned int offset);

#endif /* MACHINE_H */
