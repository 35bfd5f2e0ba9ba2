/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Choosing what is counted; included by <uncore.h> only. */
#ifndef UNCORE_PROGRAM_H
#define UNCORE_PROGRAM_H

#ifndef UNCORE_H
#error "include <uncore.h>"
#endif

/*
 * For uncore_open_flags(): open the node for reading and writing, which is the
 * right to program.
 */
#define UNCORE_OPEN_PROGRAM	(1U << 0)

/**
 * uncore_open_flags - open the node, to program too if wanted
 * @path: path of the node, NULL for /dev/uncore_pmu
 * @flags: 0, or UNCORE_OPEN_PROGRAM
 * @uncore: where to put the result
 *
 * uncore_open() is the same with @flags 0. uncore_open_fd() takes a descriptor
 * with the rights that it has.
 *
 * Return: 0, or -EACCES the user may not open the node in this way: with
 * UNCORE_OPEN_PROGRAM perhaps without; -EINVAL unknown flags; or an error as
 * from uncore_open().
 */
int uncore_open_flags(const char *path, unsigned int flags,
		      struct uncore **uncore);

/**
 * uncore_can_program - may this handle program?
 * @uncore: from uncore_open_flags() or uncore_open_fd()
 *
 * Return: 1 the module can program and the descriptor is open for writing, 0
 * the descriptor is open for reading only, -EOPNOTSUPP the module cannot.
 */
int uncore_can_program(const struct uncore *uncore);

/**
 * uncore_program - claim a counter and have it count an event
 * @uncore: from uncore_open_flags() with UNCORE_OPEN_PROGRAM
 * @unit: index of the unit
 * @event: from uncore_event_parse() or uncore_spec_parse(), for units of this
 *	type
 * @claim: filled on success: the counter's index, the claim's number, the
 *	generation
 *
 * The claim ends with uncore_release(), or with the last reference to the open
 * file, the library's mappings included: at the latest with the process.
 *
 * A free-running counter counts its event already, for everyone. It is found
 * without a right to program, and not claimed: the claim's number is 0, and
 * there is nothing to release. Errors are then those of uncore_map(), or -EINVAL
 * the unit has no such counter.
 *
 * Return: 0, or -EBADF the descriptor is not open for writing; -EPERM kernel
 * lockdown; -ENXIO no such unit; -ENOENT the unit is absent, -EIO invalid,
 * -ENODEV gone; -EINVAL the unit does not let this be counted; -EOPNOTSUPP it
 * has no counter of that kind, or the module cannot program at all; -EBUSY all
 * counters that could count this are in use; -EADDRINUSE a driver without perf
 * PMU has the device; -EHOSTDOWN no CPU of the die is online, or the die is not
 * known; -EPROTO a register is not what it should be; or the errno of perf.
 * Nothing is claimed then.
 */
int uncore_program(struct uncore *uncore, unsigned int unit,
		   const struct uncore_event *event,
		   struct uncore_pmu_program *claim);

/**
 * uncore_release - end a claim
 * @uncore: the handle that made it
 * @claim: its number, from struct uncore_pmu_program
 *
 * Return: 0, or -EBADF the descriptor is not open for writing, -ENOENT no such
 * claim, -EACCES it belongs to another open file, -EOPNOTSUPP the module cannot
 * program at all.
 */
int uncore_release(struct uncore *uncore, uint32_t claim);

/**
 * uncore_status - ask what a counter is doing, and who holds it
 * @uncore: from uncore_open()
 * @unit: index of the unit
 * @counter: index of the counter in its unit
 * @status: filled on success; pid and comm only for those who may see them
 *
 * For everyone who may read. uncore_event_name() gives the event a name.
 *
 * Return: 0, or -ENXIO no such unit or counter, -ENOENT the unit is absent,
 * -EIO invalid, -ENODEV gone, -EOPNOTSUPP the module cannot program at all.
 */
int uncore_status(struct uncore *uncore, unsigned int unit,
		  unsigned int counter, struct uncore_pmu_status *status);

/** uncore_claim_state_name - "free", "claimed", and so on, for a status */
const char *uncore_claim_state_name(uint32_t state);
/** uncore_via_name - "perf", "direct" */
const char *uncore_via_name(uint32_t via);

#endif /* UNCORE_PROGRAM_H */
