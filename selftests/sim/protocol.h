/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control page: how the guest side (simctl.c) and the host process talk.
 *
 * The guest fills in the command and its arguments, then raises @posted. The
 * host process carries it out, fills in @result and @reply, then makes @done
 * equal to @posted. The guest is not trusted: every argument is checked.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>

#define SIM_PAGE_MAGIC		0x314d4953	/* "SIM1" */
#define SIM_PAGE_SIZE		4096

/* The device that shows the control page to the guest: QEMU's ivshmem. */
#define SIM_PCI_VENDOR		0x1af4
#define SIM_PCI_DEVICE		0x1110

enum sim_command {
	SIM_COMMAND_SYNC	= 1,
	SIM_COMMAND_CLOCK	= 2,	/* argument: 0 or 1 */
	SIM_COMMAND_ADD		= 3,	/* argument: n */
	SIM_COMMAND_SET		= 4,	/* argument: value */
	SIM_COMMAND_GET		= 5,	/* reply[0]: value */
	SIM_COMMAND_HOLD	= 6,	/* argument: next value */
	SIM_COMMAND_RELEASE	= 7,
	SIM_COMMAND_HIDE	= 8,	/* argument: 0 or 1 */
	SIM_COMMAND_SET_ID	= 9,	/* argument: device << 16 | vendor */
	SIM_COMMAND_MCFG	= 10,	/* counter: enum sim_mcfg, argument */
	SIM_COMMAND_DESCRIBE	= 11,	/* reply[]: see below */
	SIM_COMMAND_FIND	= 12,	/* name, counter: number; reply[0..1] */
	SIM_COMMAND_BASE	= 13,	/* argument: enum sim_base */
	SIM_COMMAND_POWER	= 14,	/* argument: enum sim_power */
	SIM_COMMAND_DISCOVERY	= 15,	/* name: of the variant */
	SIM_COMMAND_TABLE	= 16,	/* counter: field << 16 | entry, argument */
	SIM_COMMAND_PEEK	= 17,	/* argument: address; reply[0]: value */
	SIM_COMMAND_POKE	= 18,	/* argument: address, counter: value */
};

enum sim_describe_reply {
	SIM_REPLY_GENERAL,
	SIM_REPLY_FIXED,
	SIM_REPLY_WIDTH,
	SIM_REPLY_FIXED_WIDTH,
	SIM_REPLY_HIDDEN,
	SIM_REPLY_ID,		/* device << 16 | vendor */
	SIM_REPLY_FREE_RUNNING,
	SIM_REPLY_ADDRESS,
	SIM_REPLY_UNITS,
	SIM_REPLY_WORDS,
};

/* SIM_COMMAND_FIND: the function in configuration space, and the unit */
#define SIM_FOUND_FUNCTION(segment, bus, device, function) \
	((uint64_t)(segment) << 16 | (bus) << 8 | (device) << 3 | (function))
enum sim_find_reply {
	SIM_FOUND_ADDRESS,
	SIM_FOUND_UNIT,
};

#define SIM_NAME_MAX	32

struct sim_page {
	uint32_t magic;
	uint32_t posted;
	uint32_t done;
	int32_t result;		/* 0 or -errno */
	uint32_t command;
	uint32_t segment;
	uint8_t bus;
	uint8_t device;
	uint8_t function;
	uint8_t reserved;
	uint16_t unit;
	uint16_t reserved2;
	uint32_t counter;
	uint64_t argument;
	char name[SIM_NAME_MAX];
	uint64_t reply[SIM_REPLY_WORDS];
};

_Static_assert(sizeof(struct sim_page) <= SIM_PAGE_SIZE,
	       "the control page is one page");

#endif /* PROTOCOL_H */
