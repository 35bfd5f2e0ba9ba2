/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The description of a machine: a list of its PCI functions.
 *
 * One function a line, everything in hexadecimal, in any order:
 *
 *	DDDD:BB:dd.f CCCC VVVV:DDDD[ rev RR]
 *
 * with a domain of 4 to 8 digits; CCCC is base class and subclass. What
 * "lspci -Dn" prints is understood as well. Empty lines and lines that begin
 * with # are comments, but for these, in decimal unless said otherwise:
 *
 *	# generation: TEXT	tells processors apart that share all ids
 *	# sockets: N		how many there must be, as a cross-check
 *	# cpus: N		CPUs of the virtual machine
 *	# ubox-buses: BB...	one bus of each socket, in hexadecimal, where
 *				firmware hides the UBOX
 *	# dies: N...		the die of each socket, in the order of the buses
 *	# nodes: N...		the node id in each socket's UBOX, ditto
 *	# nodes-per-socket: N	NUMA nodes of each socket: 1 or 2
 *	# no-pxm: BB...		buses whose NUMA node firmware does not tell, in
 *				hexadecimal
 *	# discovery: FILE	what discovery tables tell, see discovery.h; the
 *				first 8086:09a7 of each socket has one. FILE is
 *				beside the listing, its name ends in .units
 */
#ifndef LISTING_H
#define LISTING_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "util.h"

#define LISTING_LINE_MAX	4095
#define LISTING_FUNCTIONS_MAX	32768
#define LISTING_NUMBERS_MAX	64
#define LISTING_CPUS_MAX	64
#define LISTING_DIE_MAX		15

struct listing_function {
	uint32_t domain;
	uint8_t bus;
	uint8_t device;
	uint8_t function;
	uint8_t revision;
	uint16_t class;
	uint16_t vendor_id;
	uint16_t device_id;
	unsigned int line;
};

struct listing_numbers {
	unsigned int count;
	uint8_t value[LISTING_NUMBERS_MAX];
};

struct listing {
	struct listing_function *function;	/* sorted by address */
	size_t count;
	char generation[64];
	unsigned int sockets;			/* 0: not said */
	unsigned int cpus;			/* 0: not said */
	struct listing_numbers ubox_buses;
	struct listing_numbers dies;
	struct listing_numbers nodes;
	unsigned int nodes_per_socket;		/* 0: not said */
	struct listing_numbers no_pxm;
	char discovery_file[PATH_MAX];	/* its path, "": none */
	struct discovery *discovery;		/* NULL: none */
};

int listing_read(const char *path, struct listing *listing,
		 struct report *report);
int listing_parse(FILE *stream, const char *name, struct listing *listing,
		  struct report *report);
void listing_free(struct listing *listing);

#endif /* LISTING_H */
