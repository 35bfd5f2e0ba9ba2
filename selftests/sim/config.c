// SPDX-License-Identifier: GPL-2.0-only
/* The configuration page of a function, as it is after reset. */
#include <string.h>

#include "discovery.h"
#include "machine.h"
#include "simctl.h"

#define PCI_STATUS_CAPABILITIES	0x0010
#define PCI_HEADER_MULTI	0x80
#define PCI_CLASS_BRIDGE_PCI	0x0604
#define PCI_CLASS_BRIDGE_OTHER	0x0680
#define PCI_CAP_ID_EXPRESS	0x10
#define PCI_EXPRESS_LENGTH	0x3c

#define HEADER_END		0x40
/*
 * A free place: no unit that has the capability uses registers below 0x200, and
 * the kernel's driver reads 0x94 of the UPI function for its topology.
 */
#define EXPRESS_OFFSET		0x40

#define PCI_COMMAND		0x04
#define PCI_COMMAND_MEMORY	0x0002
#define PCI_CAP_ID_PM		0x01
#define PCI_PM_VERSION		3
/* As on a real 8086:09a7 of Granite Rapids, bases.c has the other one. */
#define TABLE_EXPRESS_OFFSET	0x90
#define BARS			0x10
#define BARS_END		0x28

static void put16(uint8_t *page, unsigned int offset, uint16_t value)
{
	page[offset] = value;
	page[offset + 1] = value >> 8;
}

static void put32(uint8_t *page, unsigned int offset, uint32_t value)
{
	put16(page, offset, value);
	put16(page, offset + 2, value >> 16);
}

/*
 * Without a PCI Express capability Linux shows 256 bytes of the function in
 * sysfs. Units that have registers above are root complex integrated endpoints,
 * as in reality.
 */
static bool has_express(const struct function *f)
{
	return f->kind && f->kind->unit_control >= 0x100;
}

static bool has_table(const struct machine *machine, const struct function *f)
{
	return f->base >= 0 && machine->base[f->base].class == BASE_TABLE;
}

static void put_express(uint8_t *page, unsigned int offset)
{
	page[offset] = PCI_CAP_ID_EXPRESS;
	/* Version 2, root complex integrated endpoint */
	put16(page, offset + 2, 0x92);
}

/* Base registers, and the capabilities of the functions that have them. */
static void put_base(const struct machine *machine, const struct function *f,
		     uint8_t *page)
{
	unsigned int pm = base_pm(&machine->base[f->base]);

	put16(page, PCI_COMMAND, PCI_COMMAND_MEMORY);
	put16(page, 0x06, PCI_STATUS_CAPABILITIES);
	page[0x34] = pm;
	page[pm] = PCI_CAP_ID_PM;
	put16(page, pm + 2, PCI_PM_VERSION);
	if (has_table(machine, f)) {
		page[0x34] = TABLE_EXPRESS_OFFSET;
		page[TABLE_EXPRESS_OFFSET + 1] = pm;
		put_express(page, TABLE_EXPRESS_OFFSET);
		discovery_capabilities(machine, page);
	}
	base_registers(machine, f->base, SIM_BASE_OK, page);
}

void machine_page(const struct machine *machine, const struct function *f,
		  uint8_t *page)
{
	const struct platform *platform = machine->platform;
	uint16_t class = f->class;

	memset(page, 0, CONFIG_PAGE_SIZE);
	/*
	 * Linux ignores a PCI bridge that has not a bridge's header. What is
	 * behind bridges has root buses of its own here, so they are inert
	 * functions; "other bridge" keeps the kernel and all drivers quiet.
	 */
	if (class == PCI_CLASS_BRIDGE_PCI)
		class = PCI_CLASS_BRIDGE_OTHER;

	put16(page, 0x00, f->vendor_id);
	put16(page, 0x02, f->device_id);
	page[0x08] = f->revision;
	/* Where the class is all ones, real hardware has it so to the end. */
	page[0x09] = class == 0xffff ? 0xff : 0x00;
	put16(page, 0x0a, class);
	page[0x0e] = f->multifunction ? PCI_HEADER_MULTI : 0;
	put16(page, 0x2c, f->vendor_id);
	put16(page, 0x2e, f->device_id);

	if (has_express(f)) {
		put16(page, 0x06, PCI_STATUS_CAPABILITIES);
		page[0x34] = EXPRESS_OFFSET;
		put_express(page, EXPRESS_OFFSET);
	}
	if (f->base >= 0)
		put_base(machine, f, page);
	if (f->ubox) {
		put32(page, platform->node_id_register,
		      machine->node_id[f->socket]);
		put32(page, platform->group_register, machine->group_map);
	}
}

/*
 * That includes the command register and the base addresses of all functions
 * that decode nothing but their configuration space.
 */
bool machine_read_only(const struct machine *machine, const struct function *f,
		       unsigned int offset)
{
	const struct platform *platform = machine->platform;

	if (f->base >= 0 && offset == PCI_COMMAND)
		return false;
	/* To Linux, which asks for their size, they seem not to be there. */
	if (has_table(machine, f) && offset >= BARS && offset < BARS_END)
		return false;
	if (offset < HEADER_END)
		return true;
	if (has_table(machine, f) && offset >= TABLE_EXPRESS_OFFSET &&
	    offset < TABLE_EXPRESS_OFFSET + PCI_EXPRESS_LENGTH)
		return true;
	if (has_express(f) && offset >= EXPRESS_OFFSET &&
	    offset < EXPRESS_OFFSET + PCI_EXPRESS_LENGTH)
		return true;
	return f->ubox && (offset == platform->node_id_register ||
			   offset == platform->group_register);
}
