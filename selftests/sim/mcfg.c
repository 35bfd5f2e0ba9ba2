// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breaks the MCFG table in the memory of the running guest. It is found as an
 * operating system finds it: RSDP, then RSDT or XSDT. Guest memory is not
 * trusted: all addresses and lengths are checked.
 */
#include <errno.h>
#include <string.h>

#include "model.h"
#include "simctl.h"

#define RSDP_AREA	0xe0000u
#define RSDP_AREA_END	0x100000u
#define RSDP_SIZE	20u
#define ROOT_SIZE_MAX	0x10000u

/* NULL unless all of the range is in the memory of one node. */
static uint8_t *guest_memory(const struct model *model, uint64_t address,
			     uint64_t size)
{
	unsigned int i;

	for (i = 0; i < model->machine.nodes; i++) {
		uint64_t length = model->machine.memory[i];

		if (address < length)
			return size <= length - address ?
				model->memory[i] + address : NULL;
		address -= length;
	}
	return NULL;
}

/*
 * A whole table with this signature and a right checksum, or NULL. The length in
 * it may change afterwards; @size is the one that was checked.
 */
static uint8_t *guest_table(const struct model *model, uint64_t address,
			    const char *signature, uint32_t size_max,
			    uint32_t *size)
{
	uint8_t *table = guest_memory(model, address, ACPI_HEADER_SIZE);

	if (!table || memcmp(table, signature, 4))
		return NULL;
	memcpy(size, table + 4, sizeof(*size));
	if (*size < ACPI_HEADER_SIZE || *size > size_max ||
	    !guest_memory(model, address, *size) ||
	    !acpi_checksum_right(table, *size))
		return NULL;
	return table;
}

/* Looks for MCFG among the tables that RSDT or XSDT names. */
static uint8_t *find_in_root(const struct model *model, uint64_t address,
			     const char *signature, unsigned int entry_size,
			     uint32_t *size)
{
	uint32_t root_size, offset;
	uint8_t *root = guest_table(model, address, signature, ROOT_SIZE_MAX,
				    &root_size);

	if (!root)
		return NULL;
	for (offset = ACPI_HEADER_SIZE; offset + entry_size <= root_size;
	     offset += entry_size) {
		uint64_t entry = 0;
		uint8_t *table;

		memcpy(&entry, root + offset, entry_size);
		table = guest_table(model, entry, "MCFG", MCFG_SIZE_MAX, size);
		if (table)
			return table;
	}
	return NULL;
}

static uint8_t *find_mcfg(const struct model *model, uint32_t *size)
{
	uint32_t address;

	for (address = RSDP_AREA; address < RSDP_AREA_END; address += 16) {
		const uint8_t *rsdp = guest_memory(model, address, 36);
		uint8_t *table = NULL;
		uint32_t rsdt;
		uint64_t xsdt;

		if (!rsdp || memcmp(rsdp, "RSD PTR ", 8) ||
		    !acpi_checksum_right(rsdp, RSDP_SIZE))
			continue;
		memcpy(&rsdt, rsdp + 16, sizeof(rsdt));
		memcpy(&xsdt, rsdp + 24, sizeof(xsdt));
		if (rsdp[15] >= 2)
			table = find_in_root(model, xsdt, "XSDT", 8, size);
		if (!table)
			table = find_in_root(model, rsdt, "RSDT", 4, size);
		if (table)
			return table;
	}
	return NULL;
}

static void patch_entry(const struct model *model, unsigned int index,
			uint8_t *entry, uint32_t what, uint64_t argument)
{
	uint64_t base;
	uint16_t segment;

	memcpy(&base, entry, sizeof(base));
	memcpy(&segment, entry + 8, sizeof(segment));
	switch (what) {
	case SIM_MCFG_WRONG_BASE:
		base += argument;
		break;
	case SIM_MCFG_RAM_BASE:
		/* Every bus from here on is below the configuration spaces. */
		base = BUS_SIZE;
		break;
	case SIM_MCFG_WRONG_BUSES:
		entry[10] = machine_quiet_bus(&model->machine, index);
		entry[11] = entry[10];
		break;
	case SIM_MCFG_WRONG_SEGMENT:
		segment += argument;
		break;
	case SIM_MCFG_REVERSED:
		/* One bus too few is not the same as an empty range. */
		entry[11] = entry[10] ? entry[10] - 1 : 0;
		entry[10] = entry[11] + 1;
		break;
	}
	memcpy(entry, &base, sizeof(base));
	memcpy(entry + 8, &segment, sizeof(segment));
}

int mcfg_patch(struct model *model, uint32_t what, uint64_t argument)
{
	uint8_t table[MCFG_SIZE_MAX];
	uint32_t size = model->mcfg_size, offset, i;

	if (what > SIM_MCFG_REVERSED)
		return -EINVAL;
	if (!model->mcfg) {
		model->mcfg = find_mcfg(model, &size);
		if (!model->mcfg)
			return -ENOENT;
		memcpy(model->mcfg_original, model->mcfg, size);
		model->mcfg_size = size;
	}

	memcpy(table, model->mcfg_original, size);
	for (i = 0; i < model->machine.segments; i++) {
		offset = MCFG_HEADER_SIZE + i * MCFG_ENTRY_SIZE;
		if (offset + MCFG_ENTRY_SIZE <= size)
			patch_entry(model, i, table + offset, what, argument);
	}
	if (what == SIM_MCFG_SIGNATURE)
		memcpy(table, "FGCM", 4);
	if (what == SIM_MCFG_NO_ENTRY)
		size = MCFG_HEADER_SIZE;
	if (what == SIM_MCFG_TRUNCATED)
		size -= MCFG_ENTRY_SIZE / 2;
	memcpy(table + 4, &size, sizeof(size));
	acpi_set_checksum(table, size);
	if (what == SIM_MCFG_CHECKSUM)
		table[9]++;
	memcpy(model->mcfg, table, model->mcfg_size);
	return 0;
}
