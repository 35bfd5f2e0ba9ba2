/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libuncore: read uncore performance counters through a pointer.
 *
 *	struct uncore *uncore;
 *	struct uncore_counter counter;
 *
 *	uncore_open(NULL, &uncore);
 *	uncore_counter_open_name(uncore, "imc0@0/ctr0", &counter);
 *	before = uncore_read(&counter);
 *	...
 *	count = uncore_delta(&counter, before, uncore_read(&counter));
 *
 * Functions that can fail return 0 or a count on success and a negative errno
 * value on failure; uncore_strerror() says what it means. The library does not
 * print (but in uncore_plan_report()), exit, set errno for its caller or keep
 * global state. All functions may be called from any thread at any time, with one
 * exception: what is closed, unmapped or initialised must not be in use by another
 * thread.
 */
#ifndef UNCORE_H
#define UNCORE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/uncore_pmu.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* There are no other casts in C. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/*
 * Functions on the read path are compiled into the program that calls them. The
 * library has the same functions as symbols, for languages that cannot include
 * this header: lib/ffi.c makes this macro empty and includes it.
 */
#ifndef UNCORE_INLINE
#define UNCORE_INLINE static inline
#endif

#define UNCORE_ALWAYS_INLINE static inline __attribute__((always_inline))

/* Room for the name of a unit and its NUL, see uncore_unit_name(). */
#define UNCORE_NAME_LEN		56

/** struct uncore - an open node; opaque */
struct uncore;
/** struct uncore_mapping - a mapped unit; opaque */
struct uncore_mapping;

/**
 * enum uncore_load - the loads that read a counter
 * @UNCORE_LOAD_PAIR: high, low, high half in 32-bit loads, until the high half
 *	agrees; counters of UNCORE_PMU_ACCESS_CONFIG above 32 bits
 * @UNCORE_LOAD_64: one 64-bit load
 * @UNCORE_LOAD_32: one 32-bit load
 * @UNCORE_LOAD_RDPMC: the RDPMC instruction
 * @UNCORE_LOAD_PERF: RDPMC as the page of a perf event says, see
 *	uncore_core_open()
 */
enum uncore_load {
	UNCORE_LOAD_PAIR	= 1,
	UNCORE_LOAD_64		= 2,
	UNCORE_LOAD_32		= 3,
	UNCORE_LOAD_RDPMC	= 4,
	UNCORE_LOAD_PERF	= 5,
};

/**
 * struct uncore_details - what uncore_counter_status() needs of a counter
 * @generation: the counter's generation, or NULL if the module has none
 * @config_mask: the bits of the control register that choose the event, those
 *	above 31 in the register behind it; 0 for a fixed counter
 * @mapping: the library's record of the mapped unit
 * @kind: enum uncore_pmu_kind
 * @wide: 1 if @config_mask has bits above 31, else 0
 * @ask: 1 if uncore_counter_status() has to ask the module, else 0
 * @index: which counter of its unit it is
 *
 * Apart from struct uncore_counter, so that this stays one cache line. The
 * fields are for reading only.
 */
struct uncore_details {
	const volatile uint32_t *generation;
	uint64_t config_mask;
	struct uncore_mapping *mapping;
	uint32_t kind;
	uint16_t wide;
	uint8_t ask;
	uint8_t index;
};

/**
 * struct uncore_counter - an open counter, filled by uncore_counter_open()
 * @address: the counter, or its low half; NULL if read by RDPMC
 * @mask: the significant bits, 2^@width - 1
 * @high_mask: the significant bits of the high half
 * @load: enum uncore_load
 * @way: what uncore_read() decides by, so that it compares only once: 1 if @load
 *	is UNCORE_LOAD_PAIR, 2 if it is UNCORE_LOAD_PERF, else 0
 * @width: number of significant bits, 1 to 64
 * @quantity: enum uncore_pmu_quantity
 * @scale: cycles or bytes in one count; 0 for UNCORE_PMU_QUANTITY_EVENT
 * @index: RDPMC index, or descriptor of the perf event
 * @control: control register, or NULL
 * @unit_control: unit control register, or NULL
 * @enable: the bit of *@control that lets the counter count; 0 if any event does
 * @freeze: the bit of *@unit_control that freezes the unit
 * @details: what is not needed to read; stays the library's
 *
 * The fields are for reading only. The structure may be copied; of all copies
 * one is closed.
 */
struct uncore_counter {
	const volatile uint32_t *address;
	uint64_t mask;
	uint32_t high_mask;
	uint8_t load;
	uint8_t way;
	uint8_t width;
	uint8_t quantity;
	uint32_t scale;
	uint32_t index;
	const volatile uint32_t *control;
	const volatile uint32_t *unit_control;
	uint32_t enable;
	uint32_t freeze;
	const struct uncore_details *details;
};

/**
 * struct uncore_group - counters that are read together
 * @counters: the counters, owned by the caller
 * @blocks_end: behind the last whole block of eight counters
 * @end: behind the last counter
 * @count: number of counters
 * @load: enum uncore_load of all of them
 * @halves: 1 if @load is UNCORE_LOAD_PAIR, else 0
 *
 * The fields are for reading only.
 */
struct uncore_group {
	const struct uncore_counter *counters;
	const struct uncore_counter *blocks_end;
	const struct uncore_counter *end;
	uint32_t count;
	uint8_t load;
	uint8_t halves;
};

/**
 * enum uncore_counter_state - what a counter is doing
 * @UNCORE_COUNTER_COUNTING: enabled and not frozen
 * @UNCORE_COUNTER_NOT_PROGRAMMED: its enable bit is clear, or it has no
 *	event; the value stands
 * @UNCORE_COUNTER_FROZEN: all counters of its unit are frozen
 * @UNCORE_COUNTER_GONE: the device was removed or does not answer; the value
 *	means nothing
 * @UNCORE_COUNTER_NOT_RUNNING: a counter of a core that is not on the hardware
 *	now: others have their turn, or the thread runs on another kind of core
 */
enum uncore_counter_state {
	UNCORE_COUNTER_COUNTING		= 0,
	UNCORE_COUNTER_NOT_PROGRAMMED	= 1,
	UNCORE_COUNTER_FROZEN		= 2,
	UNCORE_COUNTER_GONE		= 3,
	UNCORE_COUNTER_NOT_RUNNING	= 4,
};

/**
 * enum uncore_call - which call an error came from, for uncore_strerror()
 * @UNCORE_CALL_OPEN: uncore_open(), uncore_open_fd()
 * @UNCORE_CALL_FIND: uncore_find(), uncore_counter_find(), uncore_unit_info()
 * @UNCORE_CALL_MAP: uncore_map(), uncore_counter_open(),
 *	uncore_counter_open_name(), uncore_group_init()
 * @UNCORE_CALL_PROGRAM: uncore_program(), and uncore_open_flags() with
 *	UNCORE_OPEN_PROGRAM
 * @UNCORE_CALL_RELEASE: uncore_release()
 * @UNCORE_CALL_STATUS: uncore_status()
 * @UNCORE_CALL_EVENT: uncore_event_parse(), uncore_spec_parse(), for which
 *	struct uncore_event_error says more
 * @UNCORE_CALL_CORE: uncore_core_open(), for which struct uncore_event_error
 *	says more
 * @UNCORE_CALL_RDPMC: uncore_rdpmc_begin(), uncore_rdpmc_width()
 */
enum uncore_call {
	UNCORE_CALL_OPEN,
	UNCORE_CALL_FIND,
	UNCORE_CALL_MAP,
	UNCORE_CALL_PROGRAM,
	UNCORE_CALL_RELEASE,
	UNCORE_CALL_STATUS,
	UNCORE_CALL_EVENT,
	UNCORE_CALL_CORE,
	UNCORE_CALL_RDPMC,
};

/**
 * uncore_open - open the node
 * @path: path of the node, NULL for /dev/uncore_pmu
 * @uncore: where to put the result
 *
 * Return: 0, or -ENOENT no such node (the module is not loaded), -EACCES not
 * permitted, -ENOTTY not a character device, -ENODEV another driver's device,
 * -EPROTONOSUPPORT the module speaks another version of the contract, -EPROTO it
 * contradicts itself, -ENOMEM, or another error of open(2).
 */
int uncore_open(const char *path, struct uncore **uncore);

/**
 * uncore_open_fd - use a descriptor of the node that is open already
 * @fd: the descriptor, for example one received over a socket; it is
 *	duplicated, and stays the caller's to close, at any time
 * @uncore: where to put the result
 *
 * Return: 0, or -EBADF, -EMFILE, or an error as from uncore_open().
 */
int uncore_open_fd(int fd, struct uncore **uncore);

/**
 * uncore_close - unmap all units and close the node
 * @uncore: from uncore_open(), or NULL
 *
 * Counters that are still open must not be read any more, nor closed.
 */
void uncore_close(struct uncore *uncore);

/** uncore_fd - the library's own descriptor of the node, close-on-exec */
int uncore_fd(const struct uncore *uncore);

/** uncore_info - what the module said about itself and the machine */
const struct uncore_pmu_info *uncore_info(const struct uncore *uncore);

/** uncore_num_units - number of units; their indices start at 0 */
unsigned int uncore_num_units(const struct uncore *uncore);

/** uncore_version - version of the library, for example "0.1.0" */
const char *uncore_version(void);

/**
 * uncore_unit_info - describe a unit as it is now
 * @uncore: from uncore_open()
 * @unit: index of the unit
 * @info: the description; @info->state says whether it can be mapped
 *
 * Return: 0, also for a unit that cannot be mapped; -ENXIO no such unit.
 */
int uncore_unit_info(struct uncore *uncore, unsigned int unit,
		     struct uncore_pmu_unit *info);

/**
 * uncore_unit_name - write a unit's name, for example "imc3@1"
 * @info: the unit: type, instance, die; where that is unknown the PCI address,
 *	"imc3@0001:ff:14.0"
 * @name: buffer, UNCORE_NAME_LEN bytes are always enough
 * @size: size of the buffer
 *
 * Return: 0, or -ENAMETOOLONG.
 */
int uncore_unit_name(const struct uncore_pmu_unit *info, char *name,
		     size_t size);

/**
 * uncore_unit_match - does a name mean this unit?
 * @info: the unit
 * @name: "imc3@1", "imc3" (any die), "imc@1" (any instance) or "imc"; behind the
 *	"@" also "?" (an unknown die) or a PCI address, "imc3@0001:ff:14.0"; upper
 *	and lower case are the same
 *
 * Return: 1 yes, 0 no, -EINVAL the name can mean no unit at all.
 */
int uncore_unit_match(const struct uncore_pmu_unit *info, const char *name);

/**
 * uncore_find - find units by name
 * @uncore: from uncore_open()
 * @name: as for uncore_unit_match()
 * @units: where to put the indices, in increasing order
 * @max: room in @units
 *
 * Return: how many units have the name, which may be more than @max and may be
 * 0; -EINVAL the name can mean no unit at all.
 */
int uncore_find(struct uncore *uncore, const char *name, unsigned int *units,
		unsigned int max);

/**
 * uncore_counter_find - find a counter of a unit by name, "ctr0" or "fixed"
 * @info: the unit
 * @name: the counter; upper and lower case are the same
 *
 * Return: its index, or -ENOENT.
 */
int uncore_counter_find(const struct uncore_pmu_unit *info, const char *name);

/**
 * uncore_map - map a unit's page, or use once more the mapping there is
 * @uncore: from uncore_open()
 * @unit: index of the unit
 * @page: where to put the address
 *
 * Return: 0, or -ENXIO no such unit, -ENOENT the unit is absent, -EIO it is
 * invalid, -ENODEV it is gone, -EPERM it is locked, -EADDRNOTAVAIL it has no
 * page, or an error of mmap.
 */
int uncore_map(struct uncore *uncore, unsigned int unit,
	       const volatile void **page);

/**
 * uncore_unmap - give back one uncore_map()
 * @uncore: from uncore_open()
 * @unit: index of the unit
 *
 * Return: 0, or -ENXIO no such unit, -EINVAL the unit is not mapped.
 */
int uncore_unmap(struct uncore *uncore, unsigned int unit);

/**
 * uncore_counter_open - open a counter
 * @uncore: from uncore_open()
 * @unit: index of the unit
 * @index: index of the counter in its unit
 * @counter: filled on success
 *
 * Return: 0, or an error as from uncore_map(); -ENOENT also if there is no such
 * counter; -EOPNOTSUPP the library does not know the access class; -EPROTO the
 * module's description contradicts itself.
 */
int uncore_counter_open(struct uncore *uncore, unsigned int unit,
			unsigned int index, struct uncore_counter *counter);

/**
 * uncore_counter_open_name - open a counter by name
 * @uncore: from uncore_open()
 * @name: unit and counter, "imc3@1/ctr0"
 * @counter: filled on success
 *
 * Return: as uncore_counter_open(); -ENOENT also if no unit has the name,
 * -ENOTUNIQ if several have it, -EINVAL for what is not a name.
 */
int uncore_counter_open_name(struct uncore *uncore, const char *name,
			     struct uncore_counter *counter);

/** uncore_counter_close - close a counter, and unmap its unit with the last */
void uncore_counter_close(struct uncore_counter *counter);

/**
 * uncore_counter_state - is the counter counting?
 * @counter: an open counter
 *
 * Makes one system call. A device that is removed between that and the loads
 * that follow raises SIGBUS, as any read of it does.
 *
 * Return: enum uncore_counter_state, or a negative error of ioctl(2); of a counter
 * of a core -ECHILD in a child made by fork, or a negative error of read(2).
 */
int uncore_counter_state(const struct uncore_counter *counter);

/**
 * uncore_group_init - make a group of counters
 * @group: the group; there is nothing to free
 * @counters: open counters, all read by the same loads; the array must live as
 *	long as the group
 * @count: number of counters, at least 1
 *
 * Return: 0, or -EINVAL no counters, or not all read by the same loads.
 */
int uncore_group_init(struct uncore_group *group,
		      const struct uncore_counter *counters,
		      unsigned int count);

/** uncore_strerror - what an error means and what helps; never NULL */
const char *uncore_strerror(enum uncore_call call, int error);
/** uncore_state_name - "ok", "absent", "invalid", "locked", "gone" */
const char *uncore_state_name(uint32_t state);
/** uncore_reason_text - a sentence about an enum uncore_pmu_reason, or "" */
const char *uncore_reason_text(uint32_t reason);
/** uncore_access_name - "config", "mmio64", "mmio32", "rdpmc", "window" */
const char *uncore_access_name(uint32_t access);
/** uncore_kind_name - "general", "fixed", "free-running" */
const char *uncore_kind_name(uint32_t kind);
/** uncore_quantity_name - "event", "cycles", "bytes" */
const char *uncore_quantity_name(uint32_t quantity);
/** uncore_counter_state_name - "counting", "not programmed", and so on */
const char *uncore_counter_state_name(int state);

#include <uncore/events.h>
#include <uncore/core.h>
#include <uncore/read.h>
#include <uncore/program.h>
#include <uncore/watch.h>
#include <uncore/region.h>
#include <uncore/marker.h>

#pragma GCC visibility pop

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif /* UNCORE_H */
