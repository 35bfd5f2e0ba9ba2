// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=60 */
/*
 * The MCFG table in the guest's memory, put there by hand as firmware does:
 * found, broken in every way, restored; and hostile tables around it.
 */
#include <errno.h>

#include "acpi.h"
#include "bench.h"
#include "tap.h"

#define RSDP		0xf5980u
#define RSDT		(bench.machine.memory[0] + 0x1000)
#define TABLE		(bench.machine.memory[0] + 0x2345)
#define ENTRY		MCFG_HEADER_SIZE

static struct bench bench;
static uint8_t original[MCFG_SIZE_MAX];
static size_t size;

/* Guest memory of two NUMA nodes, one after the other */
static uint8_t *at(uint64_t guest_address)
{
	if (guest_address < bench.machine.memory[0])
		return bench.memory[0] + guest_address;
	return bench.memory[1] + guest_address - bench.machine.memory[0];
}

/* RSDP in the BIOS area, RSDT with two other tables, MCFG in the last node */
static void install(void)
{
	uint32_t pointer[4] = { 0, 0xfffffff0, 0x1000, TABLE };
	uint32_t rsdt = RSDT, length = ACPI_HEADER_SIZE + sizeof(pointer);
	uint8_t *p;

	size = acpi_mcfg(&bench.machine, MCFG_RIGHT, original);
	memcpy(at(TABLE), original, size);

	p = at(RSDT);
	memset(p, 0, length);
	memcpy(p, "RSDT", 4);
	memcpy(p + 4, &length, sizeof(length));
	memcpy(p + ACPI_HEADER_SIZE, pointer, sizeof(pointer));
	acpi_set_checksum(p, length);

	p = at(RSDP);
	memset(p, 0, 36);
	memcpy(p, "RSD PTR ", 8);
	memcpy(p + 16, &rsdt, sizeof(rsdt));
	/* Its checksum is at offset 8 and covers 20 bytes. */
	acpi_set_checksum(p, 20);
	p[8] = p[9];
	p[9] = 0;
}

static bool start(const char *listing)
{
	if (!EXPECT(bench_start(&bench, listing)))
		return false;
	install();
	return true;
}

/* After a patch: what is there, and whether its checksum is right. */
static void expect_table(uint32_t length, bool checksum)
{
	uint32_t there;

	memcpy(&there, at(TABLE) + 4, sizeof(there));
	EXPECT_EQ(there, length);
	EXPECT_EQ(acpi_checksum_right(at(TABLE), there), checksum);
}

static uint64_t entry_base(unsigned int index)
{
	uint64_t base;

	memcpy(&base, at(TABLE) + ENTRY + index * MCFG_ENTRY_SIZE,
	       sizeof(base));
	return base;
}

static void test_variants(void)
{
	if (start("machines/hsx-2s-dell-r530.lspci")) {
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_NO_ENTRY, 0), 0);
		expect_table(44, true);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_WRONG_BASE, 0x800), 0);
		expect_table(60, true);
		EXPECT_EQ(entry_base(0), 0x20000800);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_WRONG_BASE, 1ull << 52),
			  0);
		EXPECT_EQ(entry_base(0), 1ull << 52 | 0x20000000);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_RAM_BASE, 0), 0);
		expect_table(60, true);
		EXPECT_EQ(entry_base(0), 0x100000);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_WRONG_BUSES, 0), 0);
		expect_table(60, true);
		EXPECT_EQ(entry_base(0), 0x20000000);
		EXPECT_EQ(at(TABLE)[ENTRY + 10], 0);
		EXPECT_EQ(at(TABLE)[ENTRY + 11], 0);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_WRONG_SEGMENT, 6), 0);
		expect_table(60, true);
		EXPECT_EQ(at(TABLE)[ENTRY + 8], 7);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_REVERSED, 0), 0);
		expect_table(60, true);
		EXPECT_EQ(at(TABLE)[ENTRY + 10], 1);
		EXPECT_EQ(at(TABLE)[ENTRY + 11], 0);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_CHECKSUM, 0), 0);
		expect_table(60, false);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_SIGNATURE, 0), 0);
		expect_table(60, true);
		EXPECT(!memcmp(at(TABLE), "FGCM", 4));
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_TRUNCATED, 0), 0);
		expect_table(52, true);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_OK, 0), 0);
		EXPECT(!memcmp(at(TABLE), original, size));
	}
	bench_stop(&bench);
}

static void test_several_entries(void)
{
	if (start("machines/hsx-2s-two-domains.lspci")) {
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_WRONG_BASE, 0x1000), 0);
		expect_table(76, true);
		EXPECT_EQ(entry_base(0), 0x20001000);
		EXPECT_EQ(entry_base(1), 0x28001000);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_TRUNCATED, 0), 0);
		expect_table(68, true);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_OK, 0), 0);
		EXPECT(!memcmp(at(TABLE), original, size));
	}
	bench_stop(&bench);
}

/* A bus with counters is no quiet bus: IRP is on 00, so 01 it is. */
static void test_quiet_bus(void)
{
	if (start("machines/full-broadwell-ep.lspci")) {
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_WRONG_BUSES, 0), 0);
		EXPECT_EQ(at(TABLE)[ENTRY + 10], 1);
		EXPECT_EQ(at(TABLE)[ENTRY + 11], 1);
	}
	bench_stop(&bench);
}

static void expect_not_found(void)
{
	EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_NO_ENTRY, 0), -ENOENT);
	EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_OK, 0), -ENOENT);
}

static void test_hostile(void)
{
	uint32_t value;

	if (start("machines/hsx-2s-dell-r530.lspci")) {
		/* No RSDP */
		at(RSDP)[0] = 'X';
		expect_not_found();
		install();
		/* A wrong checksum of RSDP, of RSDT, of MCFG */
		at(RSDP)[8]++;
		expect_not_found();
		install();
		at(RSDT)[20]++;
		expect_not_found();
		install();
		at(TABLE)[44]++;
		expect_not_found();
		install();
		/* Tables longer than memory, or than any table */
		value = 0xffffffff;
		memcpy(at(RSDT) + 4, &value, sizeof(value));
		expect_not_found();
		install();
		memcpy(at(TABLE) + 4, &value, sizeof(value));
		expect_not_found();
		install();
		value = MCFG_SIZE_MAX + 1;
		memcpy(at(TABLE) + 4, &value, sizeof(value));
		expect_not_found();
		install();
		value = 3;
		memcpy(at(TABLE) + 4, &value, sizeof(value));
		expect_not_found();
		install();
		/* RSDT beyond memory, and over the border of the nodes */
		value = 0xf0000000;
		memcpy(at(RSDP) + 16, &value, sizeof(value));
		expect_not_found();
		value = bench.machine.memory[0] - 20;
		memcpy(at(RSDP) + 16, &value, sizeof(value));
		expect_not_found();

		install();
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_NO_ENTRY, 0), 0);
		EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_OK, 0), 0);
		EXPECT(!memcmp(at(TABLE), original, size));
	}
	bench_stop(&bench);
}

int main(int argc, char **argv)
{
	static const struct tap_test tests[] = {
		{ "every variant", test_variants },
		{ "several entries", test_several_entries },
		{ "a bus without counters", test_quiet_bus },
		{ "hostile tables", test_hostile },
	};

	(void)argc;
	bench_init(argv[0]);
	return tap_run(tests, ARRAY_SIZE(tests));
}
