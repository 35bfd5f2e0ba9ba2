// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=120 */
/*
 * Units in memory, seen from the guest's place: found through the base
 * registers that the guest reads, their registers at the offsets written here,
 * taken once more from Linux 6.1, uncore_snb.c and uncore_snbep.c.
 */
#include <errno.h>

#include "bench.h"
#include "model.h"
#include "tap.h"

#define ENABLE		(1u << 22)
#define PAGE		4096ull

static struct bench bench;

static bool start(const char *listing)
{
	return EXPECT(bench_start(&bench, listing));
}

static uint8_t *at(uint64_t address)
{
	return bench.memory[0] + address;
}

static uint64_t quad(const uint8_t *registers, unsigned int offset)
{
	return *(const volatile uint64_t *)(registers + offset);
}

static void write_quad(uint8_t *registers, unsigned int offset, uint64_t value)
{
	*(volatile uint64_t *)(registers + offset) = value;
}

/* As the driver finds it; 0 if the register says that it is off. */
static uint64_t mchbar(const char *bridge)
{
	const uint8_t *page = bench_page(&bench, address(bridge));
	uint64_t value = get64(page, 0x48);

	return value & 1 ? value & ~1ull : 0;
}

static uint64_t controller(const char *function, unsigned int number)
{
	const uint8_t *page = bench_page(&bench, address(function));

	return ((uint64_t)get32(page, 0xd0) & 0x1fffffff) << 23 |
	       (get32(page, 0xd8 + 4 * number) & 0x7ff) << 12;
}

static struct sim_addr find(const char *function, const char *type,
			    unsigned int number)
{
	struct sim_addr unit = { 0 };

	EXPECT_EQ(sim_find(bench.sim, address(function), type, number, &unit),
		  0);
	return unit;
}

/* Every one of @count counters of a free-running unit of @width bits. */
static void expect_free_running(struct sim_addr unit, uint64_t base,
				const unsigned int *offset, unsigned int count,
				unsigned int width)
{
	uint64_t last = UINT64_MAX >> (64 - width), value = 0;
	struct sim_unit what = { 0 };
	unsigned int i;

	EXPECT_EQ(sim_describe(bench.sim, unit, &what), 0);
	EXPECT_EQ(what.general, count);
	EXPECT_EQ(what.fixed, 0);
	EXPECT_EQ(what.width, width);
	EXPECT_EQ(what.free_running, true);
	for (i = 0; i < count; i++) {
		EXPECT_EQ(sim_set(bench.sim, unit, i, last), 0);
		EXPECT_EQ(width == 32 ? get32(at(base), offset[i]) :
					quad(at(base), offset[i]), last);
		EXPECT_EQ(sim_add(bench.sim, unit, i, i + 2), 0);
		EXPECT_EQ(width == 32 ? get32(at(base), offset[i]) :
					quad(at(base), offset[i]), i + 1);
		EXPECT_EQ(sim_get(bench.sim, unit, i, &value), 0);
		EXPECT_EQ(value, i + 1);
	}
	EXPECT_EQ(sim_add(bench.sim, unit, count, 1), -EINVAL);
}

static void test_client(void)
{
	static const unsigned int offset[] = {
		0x5050, 0x5054, 0x5040, 0x5044, 0x5048
	};
	struct sim_addr imc;
	unsigned int i;
	uint64_t base;

	if (start("machines/client-0154-sony-svl2412m1rb.lspci")) {
		base = mchbar("0001:00:00.0");
		EXPECT_EQ(base, 0x20000000 + (16 << 20));
		imc = find("0001:00:00.0", "imc", 0);
		EXPECT_EQ(imc.unit, 1);
		expect_free_running(imc, base, offset, 5, 32);
		/* Each next to the other, and none has touched its neighbour. */
		for (i = 0; i < 5; i++)
			EXPECT_EQ(get32(at(base), offset[i]), i + 1);
		EXPECT_EQ(sim_set(bench.sim, imc, 0, 1ull << 32), -EINVAL);
		/* Nobody can write them. */
		put32(at(base), 0x5050, 7);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(at(base), 0x5050), 1);
		EXPECT_EQ(sim_find(bench.sim, address("0001:00:00.0"), "imc", 1,
				   &imc), -ENXIO);
		EXPECT_EQ(sim_find(bench.sim, address("0001:00:00.0"), "ha", 0,
				   &imc), -ENXIO);
		EXPECT_EQ(sim_find(bench.sim, address("0001:00:01.0"), "imc", 0,
				   &imc), -ENXIO);
	}
	bench_stop(&bench);
}

/* @first: of the counters in each controller's 64 KiB */
static void check_client64(const char *listing, unsigned int first)
{
	const unsigned int offset[] = { first, first + 0x18, first + 0x60 };
	unsigned int i;

	if (start(listing)) {
		for (i = 0; i < 2; i++)
			expect_free_running(find("0001:00:00.0",
						 "imc_free_running", i),
					    mchbar("0001:00:00.0") +
					    i * 0x10000, offset, 3, 64);
	}
	bench_stop(&bench);
}

static void test_client64(void)
{
	check_client64("machines/client-9a14-nuc11tnbi5.lspci", 0x5040);
	check_client64("machines/client-4668-asrock-adl.lspci", 0xd840);
}

#define GLOBAL	0x1d9c0		/* of both controllers, in the second */

/* Alder Lake's programmable counters: freeze is bit 0, resets are 1 and 2. */
static void test_alderlake(void)
{
	struct sim_addr imc;
	unsigned int i;
	uint8_t *unit;

	if (start("machines/client-4668-asrock-adl.lspci")) {
		imc = find("0001:00:00.0", "imc", 1);
		unit = at(mchbar("0001:00:00.0") + 0x1d900);
		EXPECT(unit == bench_unit(&bench, imc));
		put32(at(mchbar("0001:00:00.0")), GLOBAL, 0);
		for (i = 0; i < 5; i++) {
			EXPECT_EQ(sim_add(bench.sim, imc, i, 1), -EAGAIN);
			put32(unit, 0xd0 + 4 * i, 0x10 + i);
			EXPECT_EQ(sim_set(bench.sim, imc, i, UINT64_MAX), 0);
			EXPECT_EQ(sim_add(bench.sim, imc, i, i + 1), 0);
			EXPECT_EQ(quad(unit, 0xe8 + 8 * i), i);
		}
		EXPECT_EQ(sim_add(bench.sim, imc, 5, 1), -EINVAL);
		put32(unit, 0xc4, 1);
		EXPECT_EQ(sim_add(bench.sim, imc, 2, 1), -EAGAIN);
		EXPECT_EQ(get32(unit, 0xc4), 1);
		put32(unit, 0xc4, 1 << 2);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(unit, 0xc4), 0);
		EXPECT_EQ(quad(unit, 0x100), 0);
		EXPECT_EQ(get32(unit, 0xdc), 0x13);
		put32(unit, 0xc4, 1 << 1);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(unit, 0xdc), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 2, 1), -EAGAIN);
	}
	bench_stop(&bench);
}

static void test_alderlake_global(void)
{
	struct sim_addr imc, free_running;
	uint64_t base, address;
	uint32_t value;
	unsigned int i;
	uint8_t *unit;

	if (start("machines/client-4668-asrock-adl.lspci")) {
		base = mchbar("0001:00:00.0");
		address = base + GLOBAL;
		free_running = find("0001:00:00.0", "imc_free_running", 0);
		EXPECT_EQ(sim_peek(bench.sim, address, &value), 0);
		EXPECT_EQ(value, 1);
		for (i = 0; i < 2; i++) {
			imc = find("0001:00:00.0", "imc", i);
			unit = at(base + 0xd900 + 0x10000 * i);
			put32(unit, 0xd0, 0x10);
			EXPECT_EQ(sim_sync(bench.sim), 0);
			EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
			EXPECT_EQ(sim_add(bench.sim, free_running, 0, 1), 0);
			EXPECT_EQ(sim_poke(bench.sim, address, 0), 0);
			EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
			EXPECT_EQ(sim_poke(bench.sim, address, 1), 0);
			EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
			/* Resets of all, and unfrozen, as mainline begins. */
			EXPECT_EQ(sim_poke(bench.sim, address, 6), 0);
			EXPECT_EQ(sim_peek(bench.sim, address, &value), 0);
			EXPECT_EQ(value, 0);
			EXPECT_EQ(get32(unit, 0xd0), 0);
			EXPECT_EQ(quad(unit, 0xe8), 0);
			EXPECT_EQ(sim_poke(bench.sim, address, 1), 0);
		}
		EXPECT_EQ(sim_peek(bench.sim, address + 2, &value), -EINVAL);
		EXPECT_EQ(sim_poke(bench.sim, 0x1000, 0), -EINVAL);
	}
	bench_stop(&bench);
}

/* One memory channel by its control block at @base. */
static void check_channel(struct sim_addr imc, uint64_t base)
{
	uint8_t *unit = at(base);
	unsigned int i;

	EXPECT(unit == bench_unit(&bench, imc));
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(sim_add(bench.sim, imc, i, 1), -EAGAIN);
		put32(unit, 0x40 + 4 * i, ENABLE | 0x0304);
		EXPECT_EQ(sim_set(bench.sim, imc, i, (1ull << 48) - 1), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, i, 10 + i), 0);
		EXPECT_EQ(quad(unit, 8 + 8 * i), 9 + i);
	}
	put32(unit, 0x54, ENABLE);
	EXPECT_EQ(sim_add(bench.sim, imc, 4, 3), 0);
	EXPECT_EQ(quad(unit, 0x38), 3);
	write_quad(unit, 0x38, 0x123456789abc);
	EXPECT_EQ(sim_add(bench.sim, imc, 4, 1), 0);
	EXPECT_EQ(quad(unit, 0x38), 0x123456789abd);
	put32(unit, 0, 1 << 8);
	EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
	EXPECT_EQ(get32(unit, 0), 1 << 8);
	put32(unit, 0, 1 << 1);
	EXPECT_EQ(sim_sync(bench.sim), 0);
	EXPECT_EQ(get32(unit, 0), 0);
	EXPECT_EQ(quad(unit, 0x20), 0);
	EXPECT_EQ(get32(unit, 0x4c), ENABLE | 0x0304);
	put32(unit, 0, 1 << 0);
	EXPECT_EQ(sim_sync(bench.sim), 0);
	EXPECT_EQ(get32(unit, 0x4c), 0);
}

static void test_snowridge(void)
{
	static const unsigned int offset[] = { 0x22b0, 0x2290, 0x2298 };
	struct sim_unit what = { 0 };
	uint64_t base;
	unsigned int i;

	if (start("machines/snr-1s-constructed.lspci")) {
		base = controller("0001:fe:00.1", 0);
		for (i = 0; i < 2; i++)
			check_channel(find("0001:fe:00.1", "imc", i),
				      base + 0x22800 + i * 0x4000);
		expect_free_running(find("0001:fe:00.1", "imc_free_running",
					 0), base, offset, 3, 48);
		EXPECT_EQ(sim_describe(bench.sim, address("0001:fe:00.1"),
				       &what), 0);
		EXPECT_EQ(what.units, 3);
		EXPECT_EQ(what.general, 0);
		EXPECT_EQ(what.device, 0x3451);
	}
	bench_stop(&bench);
}

static void test_icelake(void)
{
	static const unsigned int offset[] = {
		0x22b0, 0x2290, 0x2298, 0x22a0, 0x22a8
	};
	static const char * const function[] = {
		"0001:7e:00.1", "0001:fe:00.1"
	};
	unsigned int s, i;

	if (start("machines/icx-2s-constructed.lspci")) {
		EXPECT_EQ(bench.machine.sockets, 2);
		EXPECT(controller(function[0], 0) != controller(function[1], 0));
		for (s = 0; s < 2; s++) {
			for (i = 0; i < 12; i++)
				check_channel(find(function[s], "imc", i),
					      controller(function[s], i / 3) +
					      0x22800 + i % 3 * 0x4000);
			for (i = 0; i < 4; i++)
				expect_free_running(find(function[s],
							 "imc_free_running",
							 i),
						    controller(function[s], i),
						    offset, 5, 48);
		}
	}
	bench_stop(&bench);
}

static void test_sapphire_rapids(void)
{
	static const unsigned int offset[] = { 0x22b0, 0x2318, 0x2320 };
	unsigned int i;

	if (start("machines/spr-2s-constructed.lspci")) {
		for (i = 0; i < 4; i++)
			expect_free_running(find("0001:fe:00.1",
						 "imc_free_running", i),
					    controller("0001:fe:00.1", i),
					    offset, 3, 48);
	}
	bench_stop(&bench);
}

static uint64_t rate(const struct block *block, unsigned int counter,
		     uint32_t control)
{
	const struct unit_place place = { block->socket, block->number };

	return counter_rate(block->kind, &place, counter, control);
}

static void test_rates(void)
{
	static struct machine machine;
	struct report report;
	const struct block *b;

	if (!EXPECT_EQ(machine_from_file("machines/icx-2s-constructed.lspci",
					 &machine, &report), 0))
		return;
	EXPECT_EQ(machine.blocks, 2 * (12 + 4));
	/* Controller 1 of socket 1: channels 3 to 5, then the free-running */
	b = &machine.block[16 + 4];
	EXPECT_STR(b->kind->type, "imc");
	EXPECT_EQ(b->number, 3);
	EXPECT_EQ(rate(b, 0, 0x0f04), 37500000 + 3 * 4100000 - 1300000);
	EXPECT_EQ(rate(b, 0, 0x3004), (37500000 + 3 * 4100000 - 1300000) * 2 / 5);
	EXPECT_EQ(rate(b, 0, 0x0000), 1066666667);
	EXPECT_EQ(rate(b, 4, 0), 1066666667);
	b += 3;
	EXPECT_STR(b->kind->type, "imc_free_running");
	EXPECT_EQ(b->number, 1);
	EXPECT_EQ(rate(b, 0, 0), 1066666667);
	EXPECT_EQ(rate(b, 1, 0), 37500000 + 4100000 - 1300000);
	EXPECT_EQ(rate(b, 2, 0), (37500000 + 4100000 - 1300000) * 2 / 5);
	EXPECT_EQ(rate(b, 3, 0), 4 * 1000003 + 101);
	machine_free(&machine);
}

static bool all_ones(const uint8_t *page)
{
	unsigned int i;

	for (i = 0; i < PAGE; i += 4)
		if (get32(page, i) != UINT32_MAX)
			return false;
	return true;
}

static void test_hide(void)
{
	struct sim_addr imc, other;
	struct sim_unit what = { 0 };
	uint64_t value = 0;
	uint8_t *unit;

	if (start("machines/icx-2s-constructed.lspci")) {
		imc = find("0001:7e:00.1", "imc", 4);
		other = find("0001:7e:00.1", "imc", 5);
		unit = bench_unit(&bench, imc);
		put32(unit, 0x40, ENABLE);
		put32(bench_unit(&bench, other), 0x40, ENABLE);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 5), 0);
		EXPECT_EQ(sim_hide(bench.sim, imc, true), 0);
		EXPECT(all_ones(unit - 0x800));
		EXPECT_EQ(sim_describe(bench.sim, imc, &what), 0);
		EXPECT_EQ(what.hidden, true);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
		EXPECT_EQ(sim_add(bench.sim, other, 0, 1), 0);
		put32(unit, 0x40, 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT(all_ones(unit - 0x800));
		EXPECT_EQ(sim_get(bench.sim, imc, 0, &value), 0);
		EXPECT_EQ(value, 5);
		EXPECT_EQ(sim_hide(bench.sim, imc, false), 0);
		EXPECT_EQ(get32(unit, 0x40), ENABLE);
		EXPECT_EQ(quad(unit, 8), 5);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 2), 0);
		EXPECT_EQ(quad(unit, 8), 7);
		EXPECT_EQ(sim_set_id(bench.sim, imc, 0, 0), -EINVAL);
		EXPECT_EQ(sim_hold(bench.sim, imc, 0, 0x100000001), 0);
		EXPECT_EQ(quad(unit, 8), 1);
		EXPECT_EQ(sim_release(bench.sim, imc, 0), 0);
		EXPECT_EQ(quad(unit, 8), 0x100000001);
		imc.unit = 17;
		EXPECT_EQ(sim_get(bench.sim, imc, 0, &value), -ENXIO);
	}
	bench_stop(&bench);
}

static void test_bases(void)
{
	const struct sim_addr mc = address("0001:7e:00.1");
	uint64_t right[2];
	uint8_t *page;

	if (start("machines/icx-2s-constructed.lspci")) {
		page = bench_page(&bench, mc);
		right[0] = controller("0001:7e:00.1", 0);
		right[1] = controller("0001:7e:00.1", 1);
		EXPECT_EQ(right[1] - right[0], 0x40000);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_ZERO), 0);
		EXPECT_EQ(get32(page, 0xd0), 0);
		EXPECT_EQ(get32(page, 0xdc), 0);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_ONES), 0);
		EXPECT_EQ(get32(page, 0xd0), UINT32_MAX);
		EXPECT_EQ(get32(page, 0xe4), UINT32_MAX);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_HIGH), 0);
		EXPECT_EQ(controller("0001:7e:00.1", 0), 1ull << 46);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_RAM), 0);
		EXPECT_EQ(controller("0001:7e:00.1", 0), 16 << 20);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_CONFIG), 0);
		EXPECT_EQ(controller("0001:7e:00.1", 0), 0x20000000);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_TWIN), 0);
		EXPECT_EQ(controller("0001:7e:00.1", 3), right[0]);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_UNALIGNED), -EINVAL);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_DISABLED), -EINVAL);
		EXPECT_EQ(sim_base(bench.sim, mc, 9), -EINVAL);
		EXPECT_EQ(sim_base(bench.sim, mc, SIM_BASE_OK), 0);
		EXPECT_EQ(controller("0001:7e:00.1", 1), right[1]);
		EXPECT_EQ(sim_base(bench.sim, address("0001:7e:00.0"),
				   SIM_BASE_OK), -ENXIO);
		EXPECT_EQ(sim_discovery(bench.sim, mc, "ok"), -ENXIO);
	}
	bench_stop(&bench);
}

static void test_mchbar_faults(void)
{
	const struct sim_addr bridge = address("0001:00:00.0");
	static const struct {
		enum sim_base what;
		uint64_t value;
	} faults[] = {
		{ SIM_BASE_ZERO, 0 },
		{ SIM_BASE_ONES, UINT64_MAX },
		{ SIM_BASE_UNALIGNED, 0x21000801 },
		{ SIM_BASE_HIGH, 1ull << 46 | 1 },
		{ SIM_BASE_RAM, 0x1000001 },
		{ SIM_BASE_CONFIG, 0x20000001 },
		{ SIM_BASE_DISABLED, 0x21000000 },
		{ SIM_BASE_OK, 0x21000001 },
	};
	unsigned int i;

	if (start("machines/client-0154-sony-svl2412m1rb.lspci")) {
		for (i = 0; i < ARRAY_SIZE(faults); i++) {
			EXPECT_EQ(sim_base(bench.sim, bridge, faults[i].what),
				  0);
			EXPECT_EQ(get64(bench_page(&bench, bridge), 0x48),
				  faults[i].value);
		}
		EXPECT_EQ(sim_base(bench.sim, bridge, SIM_BASE_TWIN), -EINVAL);
	}
	bench_stop(&bench);
}

static void test_power(void)
{
	const struct sim_addr mc = address("0001:7e:00.1");
	struct sim_addr imc;
	uint8_t *page, *unit;

	if (start("machines/icx-2s-constructed.lspci")) {
		page = bench_page(&bench, mc);
		imc = find("0001:7e:00.1", "imc", 0);
		unit = bench_unit(&bench, imc);
		put32(unit, 0x40, ENABLE);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 9), 0);
		/* A power management capability, in D0 */
		EXPECT_EQ(page[0x34], 0xf0);
		EXPECT_EQ(page[0xf0], 0x01);
		EXPECT_EQ(get32(page, 0xf4), 0);
		EXPECT_EQ(get32(page, 4), 0x100002);
		EXPECT_EQ(sim_power(bench.sim, mc, SIM_POWER_NO_DECODE), 0);
		EXPECT_EQ(get32(page, 4), 0x100000);
		EXPECT(all_ones(unit - 0x800));
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
		EXPECT_EQ(sim_power(bench.sim, mc, SIM_POWER_D3), 0);
		EXPECT_EQ(get32(page, 4), 0x100002);
		EXPECT_EQ(get32(page, 0xf4), 3);
		EXPECT(all_ones(unit - 0x800));
		/* The guest does it. */
		put32(page, 0xf4, 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(quad(unit, 8), 9);
		put32(page, 4, 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT(all_ones(unit - 0x800));
		EXPECT_EQ(sim_power(bench.sim, mc, SIM_POWER_ON), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
		EXPECT_EQ(quad(unit, 8), 10);
		EXPECT_EQ(sim_power(bench.sim, mc, 3), -EINVAL);
	}
	bench_stop(&bench);
}

int main(int argc, char **argv)
{
	static const struct tap_test tests[] = {
		{ "32-bit counters of a client", test_client },
		{ "64-bit counters of a client", test_client64 },
		{ "programmable counters of a client", test_alderlake },
		{ "what freezes all of a client", test_alderlake_global },
		{ "Snow Ridge", test_snowridge },
		{ "Ice Lake-SP with two sockets", test_icelake },
		{ "free-running counters of Sapphire Rapids",
		  test_sapphire_rapids },
		{ "rates", test_rates },
		{ "hide and hold", test_hide },
		{ "wrong base registers", test_bases },
		{ "wrong MCHBAR", test_mchbar_faults },
		{ "no decoding, and D3", test_power },
	};

	(void)argc;
	bench_init(argv[0]);
	return tap_run(tests, ARRAY_SIZE(tests));
}
