// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=120 */
/*
 * Discovery tables: their description, what the guest reads, and every fault.
 * The walk through capabilities and table is written here once more, from Linux
 * 6.12, uncore_discovery.c.
 */
#include <errno.h>

#include "bench.h"
#include "discovery.h"
#include "tap.h"
#include "variants.h"

#define SPR		"machines/spr-2s-constructed.lspci"
#define TABLE0		"0001:6a:03.1"
#define TABLE1		"0001:e7:03.1"
#define UNITS		(60 + 12 * 3 + 1 + 50 + 8 + 4 * 3 + 4 + 32)
#define FIRST_MMIO	(60 + 12 * 3 + 1 + 50)

static struct bench bench;
static uint8_t *page;
static struct sim_addr table0;

static bool start(void)
{
	if (!EXPECT(bench_start(&bench, SPR)))
		return false;
	table0 = address(TABLE0);
	page = bench_page(&bench, table0);
	return true;
}

/* Offset of the DVSEC of a discovery table, 0 if the chain has none. */
static unsigned int find_dvsec(const uint8_t *config)
{
	unsigned int offset = 0x100, steps = 0;

	while (offset && steps++ < 64) {
		uint32_t header = get32(config, offset);

		if ((header & 0xffff) == 0x23 &&
		    (get32(config, offset + 4) & 0xffff) == 0x8086 &&
		    (get32(config, offset + 8) & 0xffff) == 1)
			return offset;
		offset = header >> 20;
	}
	return 0;
}

static const uint8_t *find_table(const uint8_t *config)
{
	unsigned int dvsec = find_dvsec(config);
	unsigned int bar = 0x10 + 4 * (get32(config, dvsec + 12) & 7);
	uint64_t value = get32(config, bar);

	if ((value & 7) == 4)
		value |= (uint64_t)get32(config, bar + 4) << 32;
	return bench.memory[0] + (value & ~0xfull);
}

static uint64_t word(const uint8_t *entry, unsigned int index)
{
	return get64(entry, 8 * index);
}

static const uint8_t *unit_entry(const uint8_t *table, unsigned int index)
{
	return table + (1 + index) * 24;
}

static void test_walk(void)
{
	const uint8_t *table, *other;

	if (start()) {
		EXPECT_EQ(get32(page, 0), 0x09a78086);
		/* Express and power management, as on a real machine */
		EXPECT_EQ(page[0x34], 0x90);
		EXPECT_EQ(page[0x90], 0x10);
		EXPECT_EQ(page[0x91], 0xe0);
		EXPECT_EQ(page[0xe0], 0x01);
		EXPECT_EQ(find_dvsec(page), 0x100);
		EXPECT_EQ(get32(page, 0x100), 0x11010023);
		EXPECT_EQ(get32(page, 0x104), 0x01018086);
		EXPECT_EQ(get32(page, 0x190), 0x0001000b);
		table = find_table(page);
		other = find_table(bench_page(&bench, address(TABLE1)));
		EXPECT(table != other);
		EXPECT_EQ(word(table, 0), 3 << 8 | UNITS << 16);
		EXPECT_EQ(word(table, 1), 0x2ff0);
		EXPECT_EQ(word(table, 2), 2 | 16 << 8);
		/* The last unit, and nothing after it */
		EXPECT_EQ(word(unit_entry(table, UNITS - 1), 2), 14 | 31 << 16);
		EXPECT_EQ(word(unit_entry(table, UNITS), 0), 0);
		EXPECT_EQ(word(unit_entry(other, UNITS - 1), 2), 14 | 31 << 16);
	}
	bench_stop(&bench);
}

/* One entry of each access, and the counters that it leads to. */
static void test_entries(void)
{
	const uint8_t *table, *entry;
	struct sim_addr unit;
	uint8_t *registers;
	uint64_t m2m;

	if (start()) {
		table = find_table(page);
		entry = unit_entry(table, 3);
		EXPECT_EQ(word(entry, 0), 4 | 2 << 8 | 48 << 16 | 8 << 24);
		EXPECT_EQ(word(entry, 1), 0x2030);
		EXPECT_EQ(word(entry, 2), 0 | 3 << 16);

		entry = unit_entry(table, FIRST_MMIO + 3);
		EXPECT_EQ(word(entry, 0), 1ull << 62 | 4 | 0x40 << 8 |
			  48 << 16 | 8 << 24);
		EXPECT_EQ(word(entry, 2), 6 | 3 << 16);
		registers = bench.memory[0] + word(entry, 1);
		EXPECT_EQ(sim_find(bench.sim, table0, "imc", 3, &unit), 0);
		EXPECT(registers == bench_unit(&bench, unit));
		/* Any event but 0 counts; freeze is bit 0, resets are 8 and 9. */
		EXPECT_EQ(sim_add(bench.sim, unit, 1, 1), -EAGAIN);
		put32(registers, 0x44, 0x0f05);
		EXPECT_EQ(sim_add(bench.sim, unit, 1, 5), 0);
		EXPECT_EQ(get64(registers, 0x10), 5);
		put32(registers, 0, 1);
		EXPECT_EQ(sim_add(bench.sim, unit, 1, 1), -EAGAIN);
		put32(registers, 0, 0x300);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(registers, 0), 0);
		EXPECT_EQ(get32(registers, 0x44), 0);
		EXPECT_EQ(get64(registers, 0x10), 0);
		put32(registers, 0x54, 1 << 22);
		EXPECT_EQ(sim_add(bench.sim, unit, 4, 8), 0);
		EXPECT_EQ(get64(registers, 0x38), 8);

		entry = unit_entry(table, FIRST_MMIO + 8 + 2);
		EXPECT_EQ(word(entry, 0), 2ull << 62 | 4 | 0x30 << 8 |
			  48 << 16 | 8 << 24);
		EXPECT_EQ(word(entry, 2), 7 | 2 << 16);
		m2m = word(entry, 1);
		EXPECT_EQ(m2m, 1ull << 28 | 0x7e << 20 | 0x0e << 15 | 0x438);
		EXPECT_EQ(sim_find(bench.sim, table0, "m2m", 2, &unit), 0);
		EXPECT_EQ(unit.bus, 0x7e);
		EXPECT_EQ(unit.device, 0x0e);
		EXPECT_EQ(unit.unit, 0);
		registers = bench_page(&bench, unit);
		put32(registers, 0x480, 0x7);
		EXPECT_EQ(sim_add(bench.sim, unit, 3, 6), 0);
		EXPECT_EQ(get64(registers, 0x458), 6);
	}
	bench_stop(&bench);
}

/* CXL units have eight counters, and controls that are 8 bytes apart. */
static void test_wide_controls(void)
{
	struct sim_addr unit;
	uint8_t *registers;
	unsigned int i;

	if (start()) {
		EXPECT_EQ(sim_find(bench.sim, address(TABLE1), "cxlcm", 4,
				   &unit), 0);
		EXPECT_EQ(sim_find(bench.sim, address(TABLE1), "cxlcm", 3,
				   &unit), -ENXIO);
		registers = bench_unit(&bench, unit);
		for (i = 0; i < 8; i++) {
			put32(registers, 0x10 + 8 * i, 0x40 + i);
			EXPECT_EQ(sim_add(bench.sim, unit, i, 100 + i), 0);
			EXPECT_EQ(get64(registers, 0x50 + 8 * i), 100 + i);
		}
		EXPECT_EQ(sim_add(bench.sim, unit, 8, 1), -EINVAL);
	}
	bench_stop(&bench);
}

static void test_granite_rapids(void)
{
	const uint8_t *table;
	struct sim_addr unit;

	if (EXPECT(bench_start(&bench,
			       "machines/gnr-ap-2s-birchstream-6980p.lspci"))) {
		page = bench_page(&bench, address("0001:00:03.1"));
		EXPECT_EQ(get32(page, 0x10c), 1);
		EXPECT_EQ(get32(page, 0x10), 0);
		table = find_table(page);
		EXPECT_EQ(word(table, 0) >> 8 & 0xff, 3);
		EXPECT_EQ(sim_find(bench.sim, address("0001:00:03.1"), "b2cmi",
				   7, &unit), 0);
		EXPECT_EQ(unit.bus, 0x7e);
		EXPECT_EQ(unit.device, 0x06);
		EXPECT_EQ(unit.function, 1);
		/* Bus 7f is of the same socket as 7e. */
		EXPECT_EQ(sim_find(bench.sim, address("0001:00:03.1"), "upi", 5,
				   &unit), 0);
		EXPECT_EQ(unit.bus, 0x7f);
		EXPECT_EQ(sim_find(bench.sim, address("0001:80:03.1"), "imc",
				   11, &unit), 0);
	}
	bench_stop(&bench);
}

/* 1,000 units, found through a base register of 64 bits. */
static void test_thousand(void)
{
	const uint8_t *table;
	struct sim_addr unit;

	if (EXPECT(bench_start(&bench, "machines/spr-1s-1000-units.lspci"))) {
		page = bench_page(&bench, address(TABLE0));
		EXPECT_EQ(get32(page, 0x10) & 0xf, 4);
		table = find_table(page);
		EXPECT_EQ(word(table, 0) >> 16 & 0x3ff, 1000);
		EXPECT_EQ(word(unit_entry(table, 999), 2), 40 | 499 << 16);
		EXPECT_EQ(sim_find(bench.sim, address(TABLE0), "type_40", 499,
				   &unit), 0);
		EXPECT_EQ(unit.unit, 1000);
		put32(bench_unit(&bench, unit), 0x10, 1);
		EXPECT_EQ(sim_add(bench.sim, unit, 0, 1), 0);
	}
	bench_stop(&bench);
}

struct fault {
	const char *name;
	int entry;		/* of a unit, or -1: the global one */
	unsigned int word;
	uint64_t value;
};

#define GLOBAL0		(3 << 8 | (uint64_t)UNITS << 16)
#define UNIT0		(1ull << 62 | 4 | 0x40 << 8 | 48 << 16 | 8 << 24)

static const struct fault faults[] = {
	{ "ones", -1, 0, UINT64_MAX },
	{ "ones", UNITS - 1, 2, UINT64_MAX },
	{ "zero", -1, 0, 0 },
	{ "truncated", UNITS / 2 - 1, 2, 0 | 0 },
	{ "truncated", UNITS / 2, 2, UINT64_MAX },
	{ "no-units", -1, 0, 3 << 8 },
	{ "65535-units", -1, 0, 3 << 8 | 0xffffull << 16 },
	{ "65535-units", 65534, 2, 6 | 65534ull << 16 },
	{ "zero-stride", -1, 0, GLOBAL0 & ~0xff00ull },
	{ "short-stride", -1, 0, (GLOBAL0 & ~0xff00ull) | 2 << 8 },
	{ "duplicate", FIRST_MMIO + 3, 2, 6 },
	{ "ram", FIRST_MMIO, 1, 0x1000000 + FIRST_MMIO * 0x1000 },
	{ "foreign", FIRST_MMIO, 1, 0xfee00000 },
	{ "high", FIRST_MMIO, 1, (1ull << 46) + FIRST_MMIO * 0x1000 },
	{ "wrap", FIRST_MMIO, 1, 0xfffffffffffffff0 },
	{ "global-type", -1, 0, GLOBAL0 | 0xff },
	{ "global-stride", -1, 0, GLOBAL0 | 0xff00 },
	{ "global-units", -1, 0, GLOBAL0 | 0x3ff0000 },
	{ "global-access", -1, 0, GLOBAL0 | 3ull << 62 },
	{ "global-control", -1, 1, 0 },
	{ "global-status", -1, 2, 255 | 16 << 8 },
	{ "global-statuses", -1, 2, 2 | 0xffff << 8 },
	{ "global-reserved", -1, 0, GLOBAL0 | 0x3ffffffffc000000 },
	{ "unit-counters", FIRST_MMIO, 0, UNIT0 | 0xff },
	{ "unit-no-counters", FIRST_MMIO, 0, UNIT0 & ~0xffull },
	{ "unit-control-offset", FIRST_MMIO, 0, UNIT0 & ~0xff00ull },
	{ "unit-width", FIRST_MMIO, 0, UNIT0 | 0xff0000 },
	{ "unit-no-width", FIRST_MMIO, 0, UNIT0 & ~0xff0000ull },
	{ "unit-counter-offset", FIRST_MMIO, 0, UNIT0 & ~0xff000000ull },
	{ "unit-status", FIRST_MMIO, 0, UNIT0 | 0xffull << 32 },
	{ "unit-access", FIRST_MMIO, 0, UNIT0 | 3ull << 62 },
	{ "unit-address", FIRST_MMIO, 1, 0 },
	{ "unit-type", FIRST_MMIO, 2, 0xffff },
	{ "unit-id", FIRST_MMIO, 2, 6 | 0xffffull << 16 },
	{ "unit-reserved", FIRST_MMIO, 0, UNIT0 | 0x3fffff0000000000 },
};

static void test_faults(void)
{
	static uint8_t right[TABLE_SIZE];
	const uint8_t *table, *entry;
	unsigned int i;

	if (start()) {
		table = find_table(page);
		memcpy(right, table, sizeof(right));
		for (i = 0; i < ARRAY_SIZE(faults); i++) {
			const struct fault *f = &faults[i];

			EXPECT_EQ(sim_discovery(bench.sim, table0, f->name), 0);
			entry = f->entry < 0 ? table :
					       unit_entry(table, f->entry);
			if (strcmp(f->name, "truncated") || f->value)
				EXPECT_EQ(word(entry, f->word), f->value);
			else
				EXPECT_EQ(word(entry, f->word),
					  get64(right, (2 + f->entry - 1) * 24 + 16));
		}
		EXPECT_EQ(sim_discovery(bench.sim, table0, "ok"), 0);
		EXPECT(!memcmp(right, table, sizeof(right)));
		EXPECT_EQ(sim_discovery(bench.sim, table0, "nonsense"),
			  -EINVAL);
	}
	bench_stop(&bench);
}

/* Faults that concern the addresses of all units */
static void test_places(void)
{
	const uint8_t *table;
	uint64_t first, second;

	if (start()) {
		table = find_table(page);
		first = word(unit_entry(table, FIRST_MMIO), 1);
		second = word(unit_entry(table, FIRST_MMIO + 1), 1);
		EXPECT_EQ(second - first, 0x8000);
		EXPECT_EQ(sim_discovery(bench.sim, table0, "overlap"), 0);
		EXPECT_EQ(word(unit_entry(table, UNITS - 1), 1), first);
		EXPECT_EQ(sim_discovery(bench.sim, table0, "unaligned"), 0);
		EXPECT_EQ(word(unit_entry(table, FIRST_MMIO + 1), 1),
			  second + 2);
		EXPECT_EQ(sim_discovery(bench.sim, table0, "self"), 0);
		EXPECT(bench.memory[0] +
		       word(unit_entry(table, FIRST_MMIO), 1) == table);
		EXPECT_EQ(sim_discovery(bench.sim, table0, "foreign"), 0);
		EXPECT_EQ(word(unit_entry(table, FIRST_MMIO + 1), 1),
			  bench.machine.function[(FIRST_MMIO + 1) %
			  bench.machine.functions].address);
		/* MSRs and functions have the same addresses in all of them. */
		EXPECT_EQ(word(unit_entry(table, 3), 1), 0x2030);
	}
	bench_stop(&bench);
}

static void expect_chain(const char *variant, unsigned int offset,
			 uint32_t value)
{
	EXPECT_EQ(sim_discovery(bench.sim, table0, variant), 0);
	EXPECT_EQ(get32(page, offset), value);
}

static void test_chain(void)
{
	unsigned int bar;

	if (start()) {
		bar = get32(page, 0x10);
		expect_chain("looping", 0x190, 0x1001000b);
		expect_chain("dvsec-vendor", 0x104, 0x01011234);
		EXPECT_EQ(find_dvsec(page), 0);
		expect_chain("dvsec-id", 0x108, 5);
		EXPECT_EQ(find_dvsec(page), 0);
		expect_chain("dvsec-length", 0x104, 0x00818086);
		expect_chain("dvsec-bir", 0x10c, 7);
		expect_chain("dvsec-reserved", 0x10c, 8);
		expect_chain("bar-io", 0x10, 0xe001);
		expect_chain("ok", 0x10, bar);
		EXPECT_EQ(get32(page, 0x190), 0x0001000b);
		EXPECT_EQ(get32(page, 0x104), 0x01018086);
		EXPECT_EQ(get32(page, 0x10c), 0);
	}
	bench_stop(&bench);
}

static void test_field(void)
{
	const uint8_t *table;

	if (start()) {
		table = find_table(page);
		EXPECT_EQ(sim_table(bench.sim, table0, 5, SIM_UNIT_WIDTH, 65),
			  0);
		EXPECT_EQ(word(unit_entry(table, 5), 0),
			  4 | 2 << 8 | 65 << 16 | 8 << 24);
		EXPECT_EQ(sim_table(bench.sim, table0, 0, SIM_GLOBAL_UNITS, 5),
			  0);
		EXPECT_EQ(word(table, 0), 3 << 8 | 5 << 16);
		EXPECT_EQ(sim_table(bench.sim, table0, 0, SIM_UNIT_ADDRESS,
				    0x123456789abcdef0), 0);
		EXPECT_EQ(word(unit_entry(table, 0), 1), 0x123456789abcdef0);
		EXPECT_EQ(sim_table(bench.sim, table0, 0, SIM_UNIT_WIDTH, 256),
			  -EINVAL);
		EXPECT_EQ(sim_table(bench.sim, table0, UNITS, SIM_UNIT_WIDTH,
				    0), -EINVAL);
		EXPECT_EQ(sim_table(bench.sim, table0, 0, SIM_FIELDS, 0),
			  -EINVAL);
		EXPECT_EQ(sim_table(bench.sim, address("0001:7e:00.1"), 0,
				    SIM_UNIT_WIDTH, 0), -ENXIO);
	}
	bench_stop(&bench);
}

static void test_base(void)
{
	const uint8_t *table;
	struct sim_addr imc;

	if (start()) {
		table = find_table(page);
		EXPECT_EQ(sim_base(bench.sim, table0, SIM_BASE_ZERO), 0);
		EXPECT_EQ(get32(page, 0x10), 0);
		EXPECT_EQ(sim_base(bench.sim, table0, SIM_BASE_ONES), 0);
		EXPECT_EQ(get32(page, 0x10), UINT32_MAX);
		EXPECT_EQ(sim_base(bench.sim, table0, SIM_BASE_HIGH), 0);
		EXPECT_EQ(get64(page, 0x10), 1ull << 46 | 4);
		EXPECT_EQ(sim_base(bench.sim, table0, SIM_BASE_TWIN), 0);
		EXPECT_EQ(get32(page, 0x10),
			  get32(bench_page(&bench, address(TABLE1)), 0x10));
		EXPECT_EQ(sim_base(bench.sim, table0, SIM_BASE_UNALIGNED), 0);
		EXPECT_EQ(get32(page, 0x10) & 0xfff, 0x800);
		EXPECT_EQ(sim_base(bench.sim, table0, SIM_BASE_OK), 0);
		EXPECT(find_table(page) == table);
		/* Without decoding neither the table nor its units answer. */
		EXPECT_EQ(sim_find(bench.sim, table0, "imc", 0, &imc), 0);
		EXPECT_EQ(sim_power(bench.sim, table0, SIM_POWER_NO_DECODE), 0);
		EXPECT_EQ(word(table, 0), UINT64_MAX);
		EXPECT_EQ(get64(bench_unit(&bench, imc), 8), UINT64_MAX);
		EXPECT_EQ(sim_power(bench.sim, table0, SIM_POWER_ON), 0);
		EXPECT_EQ(word(table, 0), GLOBAL0);
		EXPECT_EQ(get64(bench_unit(&bench, imc), 8), 0);
	}
	bench_stop(&bench);
}

/* Every fault can be asked for at the boot, and there is a name for each. */
static void test_prepare(void)
{
	char output[4096];
	unsigned int i;

	for (i = 0; sim_discovery_variants[i]; i++) {
		EXPECT_STR(sim_discovery_name(i), sim_discovery_variants[i]);
		EXPECT_EQ(bench_shell(output, sizeof(output),
				      "d=$(mktemp -d /dev/shm/sim_test.XXXXXX); %s/uncore-sim prepare --machine %s/" SPR " --dir $d --discovery %s 2>&1; s=$?; rm -rf $d; exit $s",
				      bench_programs(), SIM_DIR,
				      sim_discovery_variants[i]), 0);
		EXPECT_STR(output, "");
	}
	EXPECT_EQ(i, 43);
	EXPECT(!sim_discovery_name(i));
	EXPECT_EQ(bench_shell(output, sizeof(output),
			      "%s/uncore-sim prepare --machine %s/" SPR " --dir /dev/shm --discovery bad 2>&1 | head -n 1",
			      bench_programs(), SIM_DIR), 0);
	EXPECT_STR(output, "uncore-sim: --discovery does not know bad\n");
}

/* A global control in memory freezes all units of its table. */
static void test_global(void)
{
	struct sim_addr imc, m2m, other;
	struct sim_unit what;
	uint64_t global;

	if (start()) {
		EXPECT_EQ(sim_find(bench.sim, table0, "imc", 0, &imc), 0);
		EXPECT_EQ(sim_find(bench.sim, table0, "m2m", 0, &m2m), 0);
		EXPECT_EQ(sim_find(bench.sim, address(TABLE1), "imc", 0,
				   &other), 0);
		EXPECT_EQ(sim_describe(bench.sim, imc, &what), 0);
		global = what.address + 0x400;
		put32(bench_unit(&bench, imc), 0x40, 0x304);
		put32(bench_unit(&bench, other), 0x40, 0x304);
		put32(bench_unit(&bench, m2m), 0x468, 0x304);
		EXPECT_EQ(sim_table(bench.sim, table0, 0, SIM_GLOBAL_CONTROL,
				    global), 0);
		EXPECT_EQ(sim_poke(bench.sim, global, 1), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
		EXPECT_EQ(sim_table(bench.sim, table0, 0, SIM_GLOBAL_ACCESS,
				    ACCESS_MMIO), 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
		EXPECT_EQ(sim_add(bench.sim, m2m, 0, 1), -EAGAIN);
		EXPECT_EQ(sim_add(bench.sim, other, 0, 1), 0);
		EXPECT_EQ(sim_poke(bench.sim, global, 0), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
		EXPECT_EQ(sim_add(bench.sim, m2m, 0, 1), 0);
	}
	bench_stop(&bench);
}

int main(int argc, char **argv)
{
	static const struct tap_test tests[] = {
		{ "capabilities and global entry", test_walk },
		{ "entries and their units", test_entries },
		{ "controls 8 bytes apart", test_wide_controls },
		{ "Granite Rapids", test_granite_rapids },
		{ "1,000 units", test_thousand },
		{ "faults of fields", test_faults },
		{ "faults of addresses", test_places },
		{ "faults of the capabilities", test_chain },
		{ "single fields", test_field },
		{ "what freezes all units of a table", test_global },
		{ "base register, and no decoding", test_base },
		{ "faults from the boot on", test_prepare },
	};

	(void)argc;
	bench_init(argv[0]);
	return tap_run(tests, ARRAY_SIZE(tests));
}
