/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of programming share. */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "common.h"

/*
 * A descriptor that may program, all units, their pages, the generations, and
 * the simulated machine, whose clock stands meanwhile.
 */
struct rig {
	int fd;
	struct sim *sim;
	struct units units;
	char **page;
	uint32_t *generations;
	uint32_t generation_length;
};

/* 0 or -errno; the clock runs again after rig_close(). */
int rig_open(struct rig *rig);
void rig_close(struct rig *rig);

const struct uncore_pmu_unit *rig_unit(const struct rig *rig, const char *type,
				       uint32_t instance, int32_t die);

/* All 0 or -errno. @program, which may be NULL, is filled in either case. */
int claim(int fd, uint32_t unit, uint64_t config,
	  struct uncore_pmu_program *program);
int claim_fixed(int fd, uint32_t unit, struct uncore_pmu_program *program);
int claim_release(int fd, uint32_t number);
int counter_status(int fd, uint32_t unit, uint32_t counter,
		   struct uncore_pmu_status *status);

/* The state alone, or -errno. */
int counter_state(int fd, uint32_t unit, uint32_t counter);

/* NULL and errno as mmap. */
uint32_t *generations_map(int fd, uint32_t *length);
uint32_t generation_of(const uint32_t *generations, uint32_t unit,
		       uint32_t counter);

/* Waits at most PATIENCE_MS for another generation; the last one seen. */
uint32_t generation_await_change(const uint32_t *generations, uint32_t unit,
				 uint32_t counter, uint32_t from);

/* The same for a state; the last one seen. */
int counter_await(int fd, uint32_t unit, uint32_t counter, int state);

/* Another event for each number, which no unit restricts to some counters. */
uint32_t plain_event(unsigned int number);

/* Counts of a claim: what is added comes out, to the last one. */
uint64_t claim_count(const struct rig *rig,
		     const struct uncore_pmu_program *program);
int claim_add(const struct rig *rig, const struct uncore_pmu_program *program,
	      uint64_t n);

/* What is added comes out, and the claim is what it was when it was made. */
bool claim_counts(const struct rig *rig,
		  const struct uncore_pmu_program *program, uint64_t n);
bool claim_unchanged(const struct rig *rig,
		     const struct uncore_pmu_program *program);

/*
 * The generation comes to say without being asked that the claim does not count
 * any more, and its state says why.
 */
bool claim_stops(const struct rig *rig,
		 const struct uncore_pmu_program *program);

/* The claimed counter's control register, in the unit's page. */
uint64_t claim_control(const struct rig *rig,
		       const struct uncore_pmu_program *program);

/*
 * Fills counters of the units from the first on, up to @max claims. How many,
 * or -errno of the first that failed with anything but EBUSY.
 */
int claim_all(const struct rig *rig, struct uncore_pmu_program *claims,
	      int max);
int release_all(const struct rig *rig, const struct uncore_pmu_program *claims,
		int count);

/*
 * All registers of all units at one moment.
 */
uint32_t *registers_save(const struct rig *rig);

/* Registers that are different now; prints the first ones. */
unsigned int registers_changed(const struct rig *rig, const uint32_t *saved);

/* The unit's PCI function; 0 or -errno. */
int device_remove(const struct uncore_pmu_unit *unit);

/* Takes the unit's device from its driver; -ENOENT if it has none. */
int device_unbind(const struct uncore_pmu_unit *unit);

/* Gives it to a driver that does nothing with it. */
int device_bind_stranger(const struct uncore_pmu_unit *unit);

/* Loads the kernel's own driver, or unloads it. */
int perf_driver_load(void);
int perf_driver_unload(void);

/*
 * Finds the removed devices again. Not under the kernel's driver: it gives no
 * CPU to a device that comes after it, and warns of that when it is unloaded
 * (uncore_change_type_ctx() in arch/x86/events/intel/uncore.c).
 */
int devices_rescan(void);

/* The same, and both modules are loaded anew. */
int machine_restore(void);

#endif /* CLAIMS_H */
