/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding the units of this machine: what find.c and the files for each way of
 * finding units share, and the tables that they work by.
 */
#ifndef _UNCORE_PMU_FIND_H
#define _UNCORE_PMU_FIND_H

#include "uncore_pmu.h"

struct acpi_mcfg_allocation;
struct pci_bus;
struct uncore_bars;
struct uncore_discovery_unit;

/* struct uncore_unit.rank of a type of a discovery table, less its number. */
#define UNCORE_RANK_DISCOVERY	64
/* More would need more generations than there is room for. */
#define UNCORE_MAX_UNITS \
	(UNCORE_PMU_MAX_GENERATION_LENGTH / \
	 (UNCORE_PMU_MAX_COUNTERS * sizeof(u32)))

/**
 * struct uncore_imc - memory controllers that registers of a function lead to
 * @device: PCI device id of the function
 * @controllers: number of memory controllers on a die
 * @channels: number of channels of each, each with a PMON block; 0 if those are
 *	found in another way
 * @block: first channel's block, from the begin of its memory controller
 * @free_running: free-running counters, from the begin of the controller
 * @channel: type of the blocks
 * @controller: type of the free-running counters, one for each controller
 */
struct uncore_imc {
	u16 device;
	u8 controllers;
	u8 channels;
	u32 block;
	u32 free_running;
	const struct uncore_type *channel;
	const struct uncore_type *controller;
};

/**
 * struct uncore_block - units in memory that a client's host bridge leads to
 * @type: what they are; NULL ends a list
 * @base: register of the host bridge with the base address
 * @count: number of units
 * @offset: the first one, from the base address
 * @step: from there to the next, may be negative
 * @energy: there are energy counters in the same page
 * @global: register that freezes all of them, from the base address; 0 if there
 *	is none
 */
struct uncore_block {
	const struct uncore_type *type;
	u8 base;
	u8 count;
	u32 offset;
	s32 step;
	bool energy;
	u32 global;
};

/**
 * struct uncore_client - the memory controller of client processors
 * @bridges: PCI device ids of host bridges, 0 at the end
 * @blocks: the units
 */
struct uncore_client {
	const u16 *bridges;
	const struct uncore_block *blocks;
};

/**
 * struct uncore_fixed - units in memory at the same place on all machines
 * @type: what they are
 * @at: physical addresses; those of @type are from there on
 * @as_many_as: there are as many as units of this type in discovery tables, in
 *	memory
 * @below: of which those with this number or a higher one do not count
 */
struct uncore_fixed {
	const struct uncore_type *type;
	u64 at[4];
	u16 as_many_as;
	u16 below;
};

/**
 * struct uncore_ecam - where the firmware says that configuration space is
 * @entry: entries of all MCFG tables
 * @count: number of @entry
 * @usable: there is a table and it is sound, even if it has no entry
 */
struct uncore_ecam {
	struct acpi_mcfg_allocation *entry;
	unsigned int count;
	bool usable;
};

/**
 * struct uncore_finder - while units are being found
 * @platform: what to look for
 * @bars: memory of PCI devices, once it was asked for
 * @unit: what was found; the caller's once it is complete
 * @count: number of @unit
 * @room: for so many there is memory
 * @tables_left_out: number of discovery tables that were not looked at
 * @buses: dies of the buses
 * @ecam: the MCFG tables
 */
struct uncore_finder {
	const struct uncore_platform *platform;
	struct uncore_bars *bars;
	struct uncore_unit *unit;
	unsigned int count;
	unsigned int room;
	unsigned int tables_left_out;
	struct list_head buses;
	struct uncore_ecam ecam;
};

/**
 * struct uncore_table - a discovery table and its units
 * @list: all tables
 * @pdev: function that leads to it, or a client's host bridge, with a reference;
 *	NULL if there is none
 * @by_msr: an MSR leads to it
 * @address: physical address
 * @length: bytes from there on that are its function's, U64_MAX if not known
 * @reason: why it cannot be used
 * @why: enum uncore_discovery_reason of the whole table
 * @die: logical die, -1 if unknown
 * @number: of the table
 * @count: number of @unit
 * @unit: what it says
 * @global: what freezes all of them, or NULL
 */
struct uncore_table {
	struct list_head list;
	struct pci_dev *pdev;
	bool by_msr;
	u64 address;
	u64 length;
	enum uncore_pmu_reason reason;
	u8 why;
	int die;
	unsigned int number;
	unsigned int count;
	struct uncore_discovery_unit *unit;
	struct uncore_global *global;
};

/* platforms.c */
extern const struct uncore_platform uncore_pmu_platforms[];
extern const unsigned int uncore_pmu_num_platforms;

/* platforms_pci.c */
extern const struct uncore_type *const uncore_pmu_snbep_types[];
extern const struct uncore_type *const uncore_pmu_ivbep_types[];
extern const struct uncore_type *const uncore_pmu_hswep_types[];
extern const struct uncore_type *const uncore_pmu_bdx_types[];
extern const struct uncore_type *const uncore_pmu_knl_types[];
extern const struct uncore_type *const uncore_pmu_skx_types[];
extern const struct uncore_type *const uncore_pmu_icx_types[];
extern const struct uncore_type *const uncore_pmu_snr_types[];

/* platforms_imc.c */
extern const struct uncore_imc uncore_pmu_snr_imc;
extern const struct uncore_imc uncore_pmu_icx_imc;
extern const struct uncore_imc uncore_pmu_spr_imc;

/* platforms_fixed.c */
extern const struct uncore_fixed uncore_pmu_dmr_fixed;

/* platforms_client.c */
extern const struct uncore_client uncore_pmu_snb_client;
extern const struct uncore_client uncore_pmu_ivb_client;
extern const struct uncore_client uncore_pmu_hsw_client;
extern const struct uncore_client uncore_pmu_bdw_client;
extern const struct uncore_client uncore_pmu_skl_client;
extern const struct uncore_client uncore_pmu_icl_client;
extern const struct uncore_client uncore_pmu_rkl_client;
extern const struct uncore_client uncore_pmu_tgl_l_client;
extern const struct uncore_client uncore_pmu_tgl_client;
extern const struct uncore_client uncore_pmu_adl_client;
extern const struct uncore_client uncore_pmu_mtl_client;
extern const struct uncore_client uncore_pmu_arl_client;
extern const struct uncore_client uncore_pmu_lnl_client;
extern const struct uncore_client uncore_pmu_ptl_client;
extern const struct uncore_client uncore_pmu_nvl_client;

/* find.c */
bool uncore_pmu_is_model(const struct uncore_platform *on);
struct uncore_unit *uncore_pmu_add_unit(struct uncore_finder *finder,
					const struct uncore_type *type,
					u32 rank, u16 instance);
int uncore_pmu_device_die(const struct uncore_finder *finder,
			  const struct pci_dev *pdev);
void uncore_pmu_set_die(struct uncore_unit *unit, int die);
void uncore_pmu_set_device(struct uncore_unit *unit, struct pci_dev *pdev);
void uncore_pmu_set_state(struct uncore_unit *unit,
			  enum uncore_pmu_reason reason);
void uncore_pmu_set_absent(struct uncore_unit *unit, u16 device, int die);
bool uncore_pmu_has_unit(const struct uncore_finder *finder, int die, u32 rank,
			 u16 instance);

/* find_pci.c */
unsigned int uncore_pmu_count_pci(const struct uncore_platform *on);
int uncore_pmu_find_pci(struct uncore_finder *finder);
int uncore_pmu_find_absent_pci(struct uncore_finder *finder, int die);

/* find_imc.c */
unsigned int uncore_pmu_count_imc(const struct uncore_platform *on);
int uncore_pmu_find_imc(struct uncore_finder *finder);
int uncore_pmu_find_absent_imc(struct uncore_finder *finder, int die);

/* find_client.c */
struct pci_dev *uncore_pmu_client_bridge(const struct uncore_platform *on);
unsigned int uncore_pmu_count_client(const struct uncore_platform *on);
int uncore_pmu_find_client(struct uncore_finder *finder);

/* tables.c */
unsigned int uncore_pmu_count_discovery(const struct uncore_platform *on);
int uncore_pmu_find_tables(struct uncore_finder *finder,
			   struct list_head *tables);
enum uncore_pmu_reason uncore_pmu_read_table(struct uncore_finder *finder,
					     struct uncore_table *table);
void uncore_pmu_free_tables(struct list_head *tables);

/* find_discovery.c */
int uncore_pmu_find_discovery(struct uncore_finder *finder);

/* find_fixed.c */
int uncore_pmu_find_fixed(struct uncore_finder *finder);

/* discovered.c */
const struct uncore_type *
uncore_pmu_discovered_type(const struct uncore_discovery_platform *platform,
			   const struct uncore_discovery_unit *unit);
void uncore_pmu_forget_discovery(void);

/* mmio.c */
enum uncore_pmu_reason uncore_pmu_mmio_check(struct uncore_finder *finder,
					     u64 address, u32 length,
					     const struct pci_dev *own);
bool uncore_pmu_is_asleep(struct pci_dev *pdev);
void uncore_pmu_mmio_set(struct uncore_finder *finder,
			 struct uncore_unit *unit, u64 base, s64 offset);
bool uncore_pmu_mmio_covers(const struct uncore_unit *unit, u64 address,
			    u32 length);
void uncore_pmu_mmio_check_overlaps(struct uncore_finder *finder);
void uncore_pmu_mmio_map(struct uncore_finder *finder);

/* global.c */
struct uncore_global *uncore_pmu_add_global(struct uncore_finder *finder,
					    u64 address, struct pci_dev *own);
struct uncore_global *uncore_pmu_add_global_msr(u32 msr, int die);
void uncore_pmu_check_globals(const struct uncore_finder *finder);
void uncore_pmu_forget_globals(void);

/* ecam.c */
int uncore_pmu_ecam_read(struct uncore_ecam *ecam);
void uncore_pmu_ecam_free(struct uncore_ecam *ecam);
void uncore_pmu_ecam_set(const struct uncore_ecam *ecam,
			 struct uncore_unit *unit, u32 offset);
bool uncore_pmu_ecam_overlaps(const struct uncore_ecam *ecam, u64 start,
			      u64 length);

/* topology.c */
int uncore_pmu_map_buses(struct list_head *map,
			 const struct uncore_platform *platform);
void uncore_pmu_unmap_buses(struct list_head *map);
int uncore_pmu_bus_die(const struct list_head *map, struct pci_bus *bus);
int uncore_pmu_node_die(struct pci_bus *bus);
int uncore_pmu_die_socket(int die);
int uncore_pmu_die_node(int die);

#endif /* _UNCORE_PMU_FIND_H */
