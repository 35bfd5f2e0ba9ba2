/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the registers of a performance monitoring unit look like, in its
 * configuration page or in memory. Written for the model alone: nothing of it comes from
 * the driver under test, so that the two can disagree.
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define UNIT_GENERAL_MAX	8
#define UNIT_COUNTERS_MAX	(UNIT_GENERAL_MAX + 1)

/* Unit control register, where it is not said by a discovery table */
#define UNIT_RESET_CONTROLS	(1U << 0)
#define UNIT_RESET_COUNTERS	(1U << 1)
#define UNIT_FREEZE		(1U << 8)
#define UNIT_FREEZE_ENABLE	(1U << 16)

/* Counter control register */
#define CONTROL_EVENT		0x000000ffU
#define CONTROL_UMASK		0x0000ff00U
#define CONTROL_RESET		(1U << 17)
#define CONTROL_EDGE		(1U << 18)
#define CONTROL_EVENT_EXT	(1U << 21)
#define CONTROL_ENABLE		(1U << 22)
#define CONTROL_INVERT		(1U << 23)
#define CONTROL_THRESHOLD	0xff000000U

/* Control register of a fixed counter */
#define FIXED_RESET		(1U << 19)
#define FIXED_OVERFLOW		(1U << 20)
#define FIXED_ENABLE		(1U << 22)
#define FIXED_ENABLE_KNL	(1U << 0)

/* What a unit counts, for the rates */
enum unit_class {
	UNIT_OTHER,
	UNIT_MEMORY,		/* a memory channel, CAS_COUNT is event 4 */
	UNIT_MEMORY_KNL,	/* the same, CAS_COUNT is event 3 */
	UNIT_MEMORY_SNR,	/* event 4, umask 0f for reads, 30 for writes */
	UNIT_MEMORY_SPR,	/* event 5, the same umask; clock is event 1 */
	UNIT_FREE_RUNNING,	/* see enum counter_role */
};

/* What a free-running counter counts */
enum counter_role {
	ROLE_OTHER,
	ROLE_CLOCK,
	ROLE_READ,
	ROLE_WRITE,
	ROLE_TOTAL,
};

/**
 * struct unit_kind - a layout of registers
 * @type: name of the type of unit
 * @class: what it counts
 * @general: number of general counters
 * @width: of the general counters, in bits
 * @fixed_width: of the fixed counter, 0 where there is none
 * @fixed_enable: the bit of @fixed_control that lets it count
 * @freeze_needs_enable: freezing works only while UNIT_FREEZE_ENABLE is set
 * @enable: the bit of a control that lets its counter count; 0 where any event
 *	but 0 does
 * @freeze: bit of the unit control register; 0: there is no such register, the
 *	counters have no controls and always count
 * @reset_controls: another one
 * @reset_counters: another one
 * @unit_bits: bits of the unit control register that can be written
 * @unit_control: offset of the unit control register
 * @control: offsets of the counter controls
 * @counter: offsets of the counters
 * @fixed_control: offset of the fixed counter's control
 * @fixed_counter: offset of the fixed counter
 * @role: what each of the counters counts, if free-running
 *
 * Offsets of units in memory are from where the machine says that the unit is.
 */
struct unit_kind {
	const char *type;
	enum unit_class class;
	uint8_t general;
	uint8_t width;
	uint8_t fixed_width;
	bool freeze_needs_enable;
	uint32_t enable;
	uint32_t freeze;
	uint32_t reset_controls;
	uint32_t reset_counters;
	uint32_t fixed_enable;
	uint32_t unit_bits;
	uint16_t unit_control;
	uint16_t control[UNIT_GENERAL_MAX];
	uint16_t counter[UNIT_GENERAL_MAX];
	uint16_t fixed_control;
	uint16_t fixed_counter;
	uint8_t role[UNIT_GENERAL_MAX];
};

enum platform_id {
	PLATFORM_NONE,
	PLATFORM_SANDYBRIDGE_EP,
	PLATFORM_IVYBRIDGE_EP,
	PLATFORM_HASWELL_EP,
	PLATFORM_BROADWELL_EP,
	PLATFORM_KNL,
	PLATFORM_SKYLAKE_SP,
	PLATFORM_SNOWRIDGE,
	PLATFORM_ICELAKE_SP,
	PLATFORM_SAPPHIRE_RAPIDS,
	PLATFORM_GRANITE_RAPIDS,
	PLATFORM_CLIENT,
};

struct unit_id {
	uint16_t device;
	enum platform_id platform;
	const struct unit_kind *kind;
};

/* NULL if vendor:device is no unit. */
const struct unit_id *unit_find(uint16_t vendor, uint16_t device);

static inline unsigned int unit_counters(const struct unit_kind *kind)
{
	return kind->general + (kind->fixed_width ? 1 : 0);
}

static inline bool unit_is_free_running(const struct unit_kind *kind)
{
	return !kind->freeze;
}

#endif /* UNITS_H */
