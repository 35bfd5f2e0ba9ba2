// SPDX-License-Identifier: GPL-2.0-only
/* What base registers hold, right or wrong. */
#include <errno.h>
#include <string.h>

#include "discovery.h"
#include "machine.h"
#include "simctl.h"

/* Above what any processor of QEMU's addresses, inside what registers hold */
#define HIGH_ADDRESS	(1ull << 46)
/* System RAM, aligned for all registers */
#define RAM_ADDRESS	(16ull << 20)
#define MIDDLE_OF_PAGE	0x800u

#define BAR(n)		(0x10u + 4 * (n))
#define BAR_64		0x4u

static void put(uint8_t *page, unsigned int offset, uint32_t value)
{
	__atomic_store_n((uint32_t *)(page + offset), value, __ATOMIC_SEQ_CST);
}

static void put64(uint8_t *page, unsigned int offset, uint64_t value)
{
	put(page, offset, value);
	put(page, offset + 4, value >> 32);
}

/* The next base of the same class, or NULL. */
static const struct base *twin(const struct machine *machine,
			       const struct base *b)
{
	unsigned int i, self = b - machine->base;

	for (i = 1; i < machine->bases; i++) {
		const struct base *other =
			&machine->base[(self + i) % machine->bases];

		if (other->class == b->class)
			return other;
	}
	return NULL;
}

static int mchbar(const struct base *b, uint64_t what, uint8_t *page)
{
	uint64_t value = b->region | MCHBAR_ENABLE;

	switch (what) {
	case SIM_BASE_OK:
		break;
	case SIM_BASE_ZERO:
		value = 0;
		break;
	case SIM_BASE_ONES:
		value = UINT64_MAX;
		break;
	case SIM_BASE_UNALIGNED:
		value |= MIDDLE_OF_PAGE;
		break;
	case SIM_BASE_HIGH:
		value = HIGH_ADDRESS | MCHBAR_ENABLE;
		break;
	case SIM_BASE_RAM:
		value = RAM_ADDRESS | MCHBAR_ENABLE;
		break;
	case SIM_BASE_CONFIG:
		value = LOW_MEMORY | MCHBAR_ENABLE;
		break;
	case SIM_BASE_DISABLED:
		value &= ~(uint64_t)MCHBAR_ENABLE;
		break;
	default:
		return -EINVAL;
	}
	put64(page, MCHBAR, value);
	return 0;
}

static int memory_controller(const struct machine *machine,
			     const struct base *b, uint64_t what,
			     uint8_t *page)
{
	uint32_t mem = MC_MEM_SPACE >> MC_MEM_SHIFT;
	uint64_t address = b->region;
	unsigned int i;

	switch (what) {
	case SIM_BASE_OK:
		break;
	case SIM_BASE_ZERO:
		address = 0;
		mem = 0;
		break;
	case SIM_BASE_ONES:
		break;
	case SIM_BASE_HIGH:
		address = HIGH_ADDRESS;
		break;
	case SIM_BASE_RAM:
		address = RAM_ADDRESS;
		break;
	case SIM_BASE_CONFIG:
		address = LOW_MEMORY;
		break;
	case SIM_BASE_TWIN:
		if (b->scheme->controllers == 1) {
			if (!twin(machine, b))
				return -EINVAL;
			address = twin(machine, b)->region;
		}
		mem = 0;
		break;
	default:
		return -EINVAL;
	}
	put(page, MC_BASE, what == SIM_BASE_ONES ? UINT32_MAX :
						   address >> MC_BASE_SHIFT);
	for (i = 0; i < b->scheme->controllers; i++)
		put(page, MC_MEM + 4 * i, what == SIM_BASE_ONES ? UINT32_MAX :
								  i * mem);
	return 0;
}

static int table(const struct machine *machine, const struct base *b,
		 uint64_t what, uint8_t *page)
{
	const struct discovery *d = machine->discovery;
	uint64_t value = base_table(b), type = d->wide ? BAR_64 : 0;

	switch (what) {
	case SIM_BASE_OK:
		break;
	case SIM_BASE_ZERO:
		value = 0;
		type = 0;
		break;
	case SIM_BASE_ONES:
		value = UINT64_MAX;
		break;
	case SIM_BASE_UNALIGNED:
		value |= MIDDLE_OF_PAGE;
		break;
	case SIM_BASE_HIGH:
		value = HIGH_ADDRESS;
		type = BAR_64;
		break;
	case SIM_BASE_RAM:
		value = RAM_ADDRESS;
		break;
	case SIM_BASE_CONFIG:
		value = machine->function[b->function].address;
		break;
	case SIM_BASE_TWIN:
		if (!twin(machine, b))
			return -EINVAL;
		value = base_table(twin(machine, b));
		break;
	default:
		return -EINVAL;
	}
	put(page, BAR(d->bar), value | type);
	if (d->wide || value >> 32)
		put(page, BAR(d->bar + 1), value >> 32);
	else
		put(page, BAR(d->bar + 1), 0);
	return 0;
}

int base_registers(const struct machine *machine, unsigned int base,
		   uint64_t what, uint8_t *page)
{
	const struct base *b = &machine->base[base];

	switch (b->class) {
	case BASE_MCHBAR:
		return mchbar(b, what, page);
	case BASE_MC:
		return memory_controller(machine, b, what, page);
	default:
		return table(machine, b, what, page);
	}
}

unsigned int base_pm(const struct base *b)
{
	return b->class == BASE_TABLE ? 0xe0 : 0xf0;
}
