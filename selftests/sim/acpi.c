// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "acpi.h"

/* Below any listed bus, so that all of the wrong region is System RAM. */
#define WRONG_BASE	BUS_SIZE

void acpi_set_checksum(uint8_t *table, size_t size)
{
	uint8_t sum = 0;
	size_t i;

	table[9] = 0;
	for (i = 0; i < size; i++)
		sum += table[i];
	table[9] = -sum;
}

bool acpi_checksum_right(const uint8_t *table, size_t size)
{
	uint8_t sum = 0;
	size_t i;

	for (i = 0; i < size; i++)
		sum += table[i];
	return !sum;
}

size_t acpi_mcfg(const struct machine *machine, enum mcfg_variant variant,
		 uint8_t table[MCFG_SIZE_MAX])
{
	uint32_t size = MCFG_HEADER_SIZE + machine->segments * MCFG_ENTRY_SIZE;
	uint8_t *entry = table + MCFG_HEADER_SIZE;
	const uint32_t revision = 1;
	unsigned int i;

	memset(table, 0, MCFG_SIZE_MAX);
	memcpy(table, "MCFG", 4);
	memcpy(table + 4, &size, sizeof(size));
	table[8] = 1;
	memcpy(table + 10, "UNCORE", 6);
	memcpy(table + 16, "UNCRESIM", 8);
	memcpy(table + 24, &revision, sizeof(revision));
	memcpy(table + 28, "SIM ", 4);
	memcpy(table + 32, &revision, sizeof(revision));

	for (i = 0; i < machine->segments; i++, entry += MCFG_ENTRY_SIZE) {
		const struct segment *s = &machine->segment[i];
		uint64_t base = segment_base(s);

		if (variant == MCFG_BASE)
			base = WRONG_BASE;
		memcpy(entry, &base, sizeof(base));
		memcpy(entry + 8, &s->number, sizeof(s->number));
		entry[10] = s->first_bus;
		entry[11] = s->last_bus;
		if (variant == MCFG_BUSES) {
			entry[10] = machine_quiet_bus(machine, i);
			entry[11] = entry[10];
		}
	}
	acpi_set_checksum(table, size);
	return size;
}

static void add_resources(const struct machine *machine, struct text *text)
{
	unsigned int i;

	/* Linux wants ECAM reserved by a motherboard device. */
	text_add(text,
		 "    Device (UNCR)\n"
		 "    {\n"
		 "      Name (_HID, EisaId (\"PNP0C02\"))\n"
		 "      Name (_UID, \"uncore-sim\")\n"
		 "      Name (_CRS, ResourceTemplate ()\n"
		 "      {\n");
	for (i = 0; i < machine->segments; i++) {
		const struct segment *s = &machine->segment[i];

		text_add(text, "        Memory32Fixed (ReadWrite, 0x%08llx, 0x%08x)\n",
			 (unsigned long long)s->address,
			 (s->last_bus - s->first_bus + 1u) * BUS_SIZE);
	}
	text_add(text,
		 "      })\n"
		 "    }\n");
}

static void add_root_bridge(const struct machine *machine, unsigned int index,
			    enum mcfg_variant variant, struct text *text)
{
	const struct bus *bus = &machine->bus[index];
	const struct segment *s = &machine->segment[bus->segment];

	text_add(text,
		 "    Device (U%03X)\n"
		 "    {\n"
		 "      Name (_HID, EisaId (\"PNP0A08\"))\n"
		 "      Name (_CID, EisaId (\"PNP0A03\"))\n"
		 "      Name (_UID, 0x%x)\n"
		 "      Name (_SEG, 0x%x)\n"
		 "      Name (_BBN, 0x%02x)\n",
		 index, 0x1000 + index, s->number, bus->number);
	if (bus->pxm)
		text_add(text, "      Name (_PXM, %u)\n",
			 machine_bus_node(machine, bus));
	/* Lets Linux find the functions though MCFG does not. */
	if (variant != MCFG_RIGHT)
		text_add(text, "      Name (_CBA, 0x%llx)\n",
			 (unsigned long long)segment_base(s));
	text_add(text,
		 "      Name (_CRS, ResourceTemplate ()\n"
		 "      {\n"
		 "        WordBusNumber (ResourceProducer, MinFixed, MaxFixed, PosDecode,\n"
		 "                       0, 0x%02x, 0x%02x, 0, 1)\n"
		 "      })\n"
		 "    }\n",
		 bus->number, bus->number);
}

void acpi_ssdt(const struct machine *machine, enum mcfg_variant variant,
	       struct text *text)
{
	bool uncore_first = machine->platform->id == PLATFORM_KNL;
	unsigned int i;

	text_add(text,
		 "DefinitionBlock (\"\", \"SSDT\", 2, \"UNCORE\", \"UNCRESIM\", 1)\n"
		 "{\n"
		 "  Scope (\\_SB)\n"
		 "  {\n");
	add_resources(machine, text);
	/*
	 * The bridge of bus 00 is the last one on Knights Landing: there the
	 * kernel meets the uncore's buses fe and ff before bus 00.
	 */
	for (i = uncore_first ? 1 : 0; i < machine->buses; i++)
		add_root_bridge(machine, i, variant, text);
	if (uncore_first)
		add_root_bridge(machine, 0, variant, text);
	text_add(text,
		 "  }\n"
		 "}\n");
}
