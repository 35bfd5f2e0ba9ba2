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
 *   -ENXIO	 no function at this address in the listing of the machine
 *   -EINVAL	 the function has no counter with this index, or the argument is
 *		 outside its range
 *   -EAGAIN	 sim_add(): the counter is not counting (disabled or frozen)
 *   -EBUSY	 sim_hold(): already held
 *   -ENOENT	 sim_mcfg(): there is no MCFG in the memory of the machine
 *
 * Counters have the driver's order: the general ones from 0, then the fixed
 * one. A struct sim may be used by one thread at a time; any number of them,
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

struct sim_addr {
	uint32_t segment;
	uint8_t bus;
	uint8_t device;
	uint8_t function;
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

/* sim_describe() */
struct sim_unit {
	unsigned int general;	/* number of general counters, 0: no unit */
	unsigned int fixed;	/* number of fixed counters, 0 or 1 */
	unsigned int width;	/* of the general counters, in bits */
	unsigned int fixed_width;
	bool hidden;
	uint16_t vendor;	/* as in the listing */
	uint16_t device;
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

/* What the model knows about a function. */
int sim_describe(struct sim *sim, struct sim_addr addr, struct sim_unit *unit);

/* "0001:ff:14.0" or "ff:14.0" (segment 1). -EINVAL if it is not an address. */
int sim_parse_addr(const char *text, struct sim_addr *addr);

#ifdef __cplusplus
}
#endif

#endif /* SIMCTL_H */
