/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steers the simulated machine from inside of it.
 *
 * Every call posts one command on the control page and waits until the host
 * process has carried it out completely, at most SIM_TIMEOUT_MS. Before any
 * command the host process obeys all register writes made earlier, so a test
 * needs no sleeps. All calls return 0 or a negative errno:
 *
 *   -ENODEV	 no control page: this is not the simulated machine
 *   -EACCES	 the control page may not be opened: not root
 *   -ETIMEDOUT	 the host process does not answer
 *   -ENXIO	 no function at this address in the listing of the machine, or it
 *		 has no such unit, base register or table
 *   -EINVAL	 the function has no counter with this index, or the argument is
 *		 outside its range
 *   -EAGAIN	 sim_add(): the counter is not counting (disabled or frozen)
 *   -EBUSY	 sim_hold(): already held
 *   -ENOENT	 sim_mcfg(): there is no MCFG in the memory of the machine
 *
 * Counters have the driver's order: the general ones from 0, then the fixed
 * one. Free-running counters are general ones that always count, in the order
 * of the kernel's table: data_reads, data_writes, gt, ia, io for 32-bit client
 * units; total, read, write for 64-bit ones; dclk, read, write, ddrt_read,
 * ddrt_write for servers, dclk, rpq, wpq from Sapphire Rapids on. A struct sim may be used by one thread at a time; any number of them,
 * in any number of processes, may be open at once. Kernel lockdown forbids
 * sim_open(): open it before.
 */
#ifndef SIMCTL_H
#define SIMCTL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIM_TIMEOUT_MS	10000

struct sim;

/**
 * struct sim_addr - a function, or a unit in memory that is found through it
 * @unit: 0 is the function's own configuration page; a unit in memory has the
 *	number that sim_find() gives
 */
struct sim_addr {
	uint32_t segment;
	uint8_t bus;
	uint8_t device;
	uint8_t function;
	uint16_t unit;
};

/**
 * enum sim_mcfg - what becomes of the MCFG table in the machine's memory
 * @SIM_MCFG_OK: the table of the boot again; the argument is ignored, as it is
 *	where nothing else is said
 * @SIM_MCFG_NO_ENTRY: no entry at all: the length is that of the header
 * @SIM_MCFG_WRONG_BASE: the argument is added to the base address of every
 *	entry, modulo 2^64. 0x8000 is the next device's page, 0x800 is not
 *	page-aligned, 1ULL << 52 is above every physical address width.
 * @SIM_MCFG_RAM_BASE: every entry points into System RAM
 * @SIM_MCFG_WRONG_BUSES: the bus range of every entry is a single bus that has
 *	no counters
 * @SIM_MCFG_WRONG_SEGMENT: the argument is added to the segment of every entry
 * @SIM_MCFG_CHECKSUM: a wrong checksum, all else right
 * @SIM_MCFG_SIGNATURE: the signature is not MCFG any more
 * @SIM_MCFG_TRUNCATED: the length ends in the middle of the last entry
 * @SIM_MCFG_REVERSED: in every entry the last bus is below the first one
 *
 * The driver must be loaded afterwards to see it. The checksum is right unless
 * said otherwise.
 */
enum sim_mcfg {
	SIM_MCFG_OK		= 0,
	SIM_MCFG_NO_ENTRY	= 1,
	SIM_MCFG_WRONG_BASE	= 2,
	SIM_MCFG_RAM_BASE	= 3,
	SIM_MCFG_WRONG_BUSES	= 4,
	SIM_MCFG_WRONG_SEGMENT	= 5,
	SIM_MCFG_CHECKSUM	= 6,
	SIM_MCFG_SIGNATURE	= 7,
	SIM_MCFG_TRUNCATED	= 8,
	SIM_MCFG_REVERSED	= 9,
};

/**
 * enum sim_base - what becomes of the base registers of a function
 * @SIM_BASE_OK: as after the boot
 * @SIM_BASE_ZERO: all bits zero
 * @SIM_BASE_ONES: all bits one
 * @SIM_BASE_UNALIGNED: the middle of a page; -EINVAL for the memory
 *	controllers, whose registers have no such bits
 * @SIM_BASE_HIGH: above the physical address width
 * @SIM_BASE_RAM: System RAM
 * @SIM_BASE_CONFIG: the configuration page of another function
 * @SIM_BASE_TWIN: where another unit is already: all blocks of the function at
 *	the place of the first one; for a table or a single memory controller,
 *	that of the next socket's function; -EINVAL where there is none
 * @SIM_BASE_DISABLED: the right address with the enable bit off; -EINVAL where
 *	there is no such bit
 *
 * The registers are 0x48 of a client's host bridge, 0xd0 and 0xd8 + 4n of
 * 8086:3451 and 8086:3251, and the table's BAR of 8086:09a7. Linux shows no
 * resource for that BAR, since the machine cannot answer its question for the
 * size: the configuration register tells the address. The units keep their
 * place and go on counting there. The driver must be loaded afterwards.
 */
enum sim_base {
	SIM_BASE_OK		= 0,
	SIM_BASE_ZERO		= 1,
	SIM_BASE_ONES		= 2,
	SIM_BASE_UNALIGNED	= 3,
	SIM_BASE_HIGH		= 4,
	SIM_BASE_RAM		= 5,
	SIM_BASE_CONFIG		= 6,
	SIM_BASE_TWIN		= 7,
	SIM_BASE_DISABLED	= 8,
};

/**
 * enum sim_power - whether a function with base registers answers in memory
 * @SIM_POWER_ON: as after the boot
 * @SIM_POWER_NO_DECODE: the memory bit of its command register is off
 * @SIM_POWER_D3: its power management capability says D3hot
 *
 * Without power or decoding all that is found through its base registers reads
 * as all ones and does not count. A guest that writes these registers does the
 * same.
 */
enum sim_power {
	SIM_POWER_ON		= 0,
	SIM_POWER_NO_DECODE	= 1,
	SIM_POWER_D3		= 2,
};

/* A field of a discovery table, for sim_table(). */
enum sim_field {
	/* of the global entry */
	SIM_GLOBAL_TYPE		= 0,
	SIM_GLOBAL_STRIDE	= 1,	/* in units of 8 bytes */
	SIM_GLOBAL_UNITS	= 2,
	SIM_GLOBAL_ACCESS	= 3,
	SIM_GLOBAL_CONTROL	= 4,	/* address */
	SIM_GLOBAL_STATUS	= 5,	/* offset */
	SIM_GLOBAL_STATUSES	= 6,	/* number */
	/* of a unit's entry */
	SIM_UNIT_COUNTERS	= 7,
	SIM_UNIT_CONTROL_OFFSET	= 8,
	SIM_UNIT_WIDTH		= 9,
	SIM_UNIT_COUNTER_OFFSET	= 10,
	SIM_UNIT_STATUS_OFFSET	= 11,
	SIM_UNIT_ACCESS		= 12,	/* 0 MSR, 1 MMIO, 2 PCI */
	SIM_UNIT_ADDRESS	= 13,	/* of the unit control register */
	SIM_UNIT_TYPE		= 14,
	SIM_UNIT_ID		= 15,
	/* Whole quadwords, for bits that are reserved */
	SIM_GLOBAL_WORD0	= 16,
	SIM_GLOBAL_WORD2	= 17,
	SIM_UNIT_WORD0		= 18,
	SIM_UNIT_WORD2		= 19,
	SIM_FIELDS		= 20,
};

/* sim_describe() */
struct sim_unit {
	unsigned int general;	/* number of general counters, 0: no unit */
	unsigned int fixed;	/* number of fixed counters, 0 or 1 */
	unsigned int width;	/* of the general counters, in bits */
	unsigned int fixed_width;
	bool hidden;
	uint16_t vendor;	/* as in the listing */
	uint16_t device;
	bool free_running;	/* the general counters always count */
	uint64_t address;	/* physical, of the registers */
	unsigned int units;	/* in memory, found through the function */
};

/* Opens the control page of the machine that the caller runs in. */
int sim_open(struct sim **out);

/* Opens a control page by its file, also from the host. */
int sim_open_file(struct sim **out, const char *path);

void sim_close(struct sim *sim);

/* Lets all counters count, or stops them all: values do not move then. */
int sim_clock(struct sim *sim, bool run);

/*
 * On return all register writes made before it are obeyed and visible. Needed
 * between programming a counter and resetting its unit: without it the reset
 * counts as the first of the two.
 */
int sim_sync(struct sim *sim);

/*
 * Adds exactly @n to a counter, modulo its width, in one step. -EAGAIN if the
 * control registers do not let it count.
 */
int sim_add(struct sim *sim, struct sim_addr addr, unsigned int counter,
	    uint64_t n);

/* Gives a counter a value, whether it counts or not. */
int sim_set(struct sim *sim, struct sim_addr addr, unsigned int counter,
	    uint64_t value);

/* The model's own value, also while another one is visible (sim_hold()). */
int sim_get(struct sim *sim, struct sim_addr addr, unsigned int counter,
	    uint64_t *value);

/*
 * Sets a counter to @next but shows a half-done update: the low half of @next
 * and the high half of the value before. What is visible stays so until
 * sim_release(), then the model's value shows.
 */
int sim_hold(struct sim *sim, struct sim_addr addr, unsigned int counter,
	     uint64_t next);
int sim_release(struct sim *sim, struct sim_addr addr, unsigned int counter);

/* The whole configuration page reads as all ones, or shows again. */
int sim_hide(struct sim *sim, struct sim_addr addr, bool hidden);

/* Puts other ids into the configuration page. */
int sim_set_id(struct sim *sim, struct sim_addr addr, uint16_t vendor,
	       uint16_t device);

int sim_mcfg(struct sim *sim, enum sim_mcfg what, uint64_t arg);

/* What the model knows about a function or a unit. */
int sim_describe(struct sim *sim, struct sim_addr addr, struct sim_unit *unit);

/*
 * The address of a unit in memory: number @number of those of @type ("imc",
 * "imc_free_running", "hbm", ...) that are found through the function @addr,
 * counted from 0 in the order of the base registers and blocks; for units from
 * a discovery table @number is the id in its entry. A unit that a table puts
 * into configuration space has the address of that function, also here.
 */
int sim_find(struct sim *sim, struct sim_addr addr, const char *type,
	     unsigned int number, struct sim_addr *unit);

/* Changes the base registers of a function; sim_discovery() does that, too. */
int sim_base(struct sim *sim, struct sim_addr addr, enum sim_base what);

/* Changes the power or memory decoding of a function with base registers. */
int sim_power(struct sim *sim, struct sim_addr addr, enum sim_power what);

/*
 * Writes the discovery table of the 8086:09a7 at @addr anew, with the fault
 * that "prepare --discovery" knows under this name, or none for "ok". -EINVAL
 * for an unknown name. The units stay where they are; only what is said of them
 * changes. sim_discovery_name() lists the names from 0 on, then NULL.
 */
int sim_discovery(struct sim *sim, struct sim_addr addr, const char *variant);
const char *sim_discovery_name(unsigned int index);

/*
 * Changes one field of the table, which sim_discovery() puts right again.
 * @entry: of the unit, from 0; ignored for fields of the global entry. Bits
 * that the field has no room for are -EINVAL.
 */
int sim_table(struct sim *sim, struct sim_addr addr, unsigned int entry,
	      enum sim_field field, uint64_t value);

/*
 * A dword of the memory where units and configuration spaces are, by its
 * physical address, as the guest would read or write it; what is written is
 * obeyed on return. -EINVAL for other memory.
 */
int sim_peek(struct sim *sim, uint64_t address, uint32_t *value);
int sim_poke(struct sim *sim, uint64_t address, uint32_t value);

/*
 * "0001:ff:14.0" or "ff:14.0" (segment 1), with "#3" for unit 3. -EINVAL if it
 * is not an address.
 */
int sim_parse_addr(const char *text, struct sim_addr *addr);

#ifdef __cplusplus
}
#endif

#endif /* SIMCTL_H */
