/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PREPARE_H
#define PREPARE_H

#include "acpi.h"

/*
 * Files of a prepared directory: "listing" and the description of discovery
 * tables that it names (copies), "ram" and for NUMA node N
 * above 0 "ramN" (the guest's memory), "control", "mcfg.bin", "ssdt.asl",
 * "ssdt.aml", "qemu.args", "cmdline", "lock". Guest memory is written to all
 * the time: the directory is best on a tmpfs. @discovery: a fault of variants.h
 */
int prepare(const char *listing_path, const char *dir,
	    enum mcfg_variant variant, const char *discovery,
	    struct report *report);

/* The name of the memory file of a node. */
void memory_name(char name[16], unsigned int node);

#endif /* PREPARE_H */
