/* SPDX-License-Identifier: GPL-2.0-only */
/* The two ACPI tables that make Linux find the configuration spaces. */
#ifndef ACPI_H
#define ACPI_H

#include "machine.h"

#define ACPI_HEADER_SIZE	36u
#define MCFG_HEADER_SIZE	44u
#define MCFG_ENTRY_SIZE		16u
#define MCFG_SIZE_MAX		(MCFG_HEADER_SIZE + SEGMENTS_MAX * MCFG_ENTRY_SIZE)

/* What the firmware says about the configuration spaces */
enum mcfg_variant {
	MCFG_RIGHT,
	MCFG_MISSING,		/* there is no such table */
	MCFG_BASE,		/* the base addresses point into System RAM */
	MCFG_BUSES,		/* the bus ranges miss the buses with counters */
};

/* Makes the bytes of @size sum up to zero. */
void acpi_set_checksum(uint8_t *table, size_t size);
bool acpi_checksum_right(const uint8_t *table, size_t size);

/* Returns the size of the table. */
size_t acpi_mcfg(const struct machine *machine, enum mcfg_variant variant,
		 uint8_t table[MCFG_SIZE_MAX]);

/* The source of the SSDT with a root bridge for every listed bus. */
void acpi_ssdt(const struct machine *machine, enum mcfg_variant variant,
	       struct text *text);

#endif /* ACPI_H */
