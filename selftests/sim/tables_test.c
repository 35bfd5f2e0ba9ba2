// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=30 */
/* Domains, segments, and the ACPI tables that describe them. */
#include <dirent.h>
#include <limits.h>

#include "acpi.h"
#include "bench.h"
#include "tap.h"

static struct machine machine;
static struct report report;

#define build_text(text)	machine_from_text(text, &machine, &report)
#define build_file(name)	machine_from_file(name, &machine, &report)

static void test_domains(void)
{
	static const uint8_t entries[] = {
		0, 0, 0, 0x20, 0, 0, 0, 0, 1, 0, 0x00, 0x7f, 0, 0, 0, 0,
		0, 0, 0, 0x28, 0, 0, 0, 0, 2, 0, 0x00, 0x7f, 0, 0, 0, 0,
	};
	uint8_t table[MCFG_SIZE_MAX];

	if (!EXPECT_EQ(build_file("machines/hsx-2s-two-domains.lspci"), 0))
		return;
	EXPECT_EQ(machine.segments, 2);
	EXPECT_EQ(machine.segment[1].domain, 1);
	EXPECT_EQ(machine.segment[1].number, 2);
	EXPECT_EQ(machine.segment[1].address, LOW_MEMORY + (128ull << 20));
	EXPECT_EQ(machine_find(&machine, 2, 0x7f, 0x14, 0)->socket, 1);
	EXPECT_EQ(acpi_mcfg(&machine, MCFG_RIGHT, table), 76);
	EXPECT(!memcmp(table + MCFG_HEADER_SIZE, entries, sizeof(entries)));
	machine_free(&machine);

	if (!EXPECT_EQ(build_file("machines/vm-pcidomain-10000.lspci"), 0))
		return;
	EXPECT_EQ(machine.segments, 2);
	EXPECT_EQ(machine.segment[1].domain, 0x10000);
	EXPECT_EQ(machine.segment[1].number, 2);
	machine_free(&machine);
}

static void test_mcfg(void)
{
	uint8_t table[MCFG_SIZE_MAX];

	if (!EXPECT_EQ(build_text("0000:7f:14.0 0880 8086:2fb0\n"
				  "0000:ff:14.0 0880 8086:2fb0\n"), 0))
		return;
	EXPECT_EQ(acpi_mcfg(&machine, MCFG_RIGHT, table), 60);
	EXPECT(!memcmp(table, "MCFG\x3c\0\0\0\1", 9));
	EXPECT(acpi_checksum_right(table, 60));
	/* Bus 7f is at 512 MiB, so bus 0 would be 127 MiB below. */
	EXPECT(!memcmp(table + 44, "\0\0\x10\x18\0\0\0\0\1\0\x7f\xff", 12));
	acpi_mcfg(&machine, MCFG_BASE, table);
	EXPECT(!memcmp(table + 44, "\0\0\x10\0\0\0\0\0\1\0\x7f\xff", 12));
	EXPECT(acpi_checksum_right(table, 60));
	acpi_mcfg(&machine, MCFG_BUSES, table);
	EXPECT(!memcmp(table + 44, "\0\0\x10\x18\0\0\0\0\1\0\0\0", 12));
	EXPECT(acpi_checksum_right(table, 60));
	machine_free(&machine);
}

/* Tables of real machines have the form that ours has. */
static void test_real_mcfg(void)
{
	DIR *dir = opendir(SIM_DIR "/machines");
	struct dirent *entry;
	unsigned int count = 0;

	while (dir && (entry = readdir(dir))) {
		uint8_t table[256];
		unsigned int size = 0;
		char path[PATH_MAX], line[256];
		FILE *file;

		if (!strstr(entry->d_name, ".mcfg.hex"))
			continue;
		snprintf(path, sizeof(path), SIM_DIR "/machines/%s",
			 entry->d_name);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file)) {
			int at = 5, n;

			while (line[0] != '#' && size < sizeof(table) &&
			       sscanf(line + at, "%2hhx %n", &table[size],
				      &n) == 1) {
				size++;
				at += n;
			}
		}
		if (file)
			fclose(file);
		EXPECT_EQ(size, 60);
		EXPECT(!memcmp(table, "MCFG\x3c\0\0\0\1", 9));
		EXPECT(acpi_checksum_right(table, size));
		count++;
	}
	if (dir)
		closedir(dir);
	EXPECT_EQ(count, 4);
}

static void test_ssdt(void)
{
	const char *first, *last;
	struct text text = { 0 };

	if (!EXPECT_EQ(build_file("machines/hsx-2s-permuted.lspci"), 0))
		return;
	acpi_ssdt(&machine, MCFG_RIGHT, &text);
	EXPECT(!strstr(text.data, "_CBA"));
	EXPECT(strstr(text.data, "Memory32Fixed (ReadWrite, 0x20000000, 0x10000000)"));
	EXPECT(strstr(text.data, "Name (_BBN, 0x7f)\n      Name (_PXM, 1)\n"));
	EXPECT(strstr(text.data, "Name (_BBN, 0xff)\n      Name (_PXM, 0)\n"));
	text_free(&text);
	acpi_ssdt(&machine, MCFG_MISSING, &text);
	EXPECT(strstr(text.data, "Name (_CBA, 0x20000000)"));
	text_free(&text);
	machine_free(&machine);

	/* The kernel meets bus 00 last on Knights Landing. */
	if (!EXPECT_EQ(build_file("machines/knl-1s-asrock-2u4n-xeonphi-7210.lspci"), 0))
		return;
	acpi_ssdt(&machine, MCFG_RIGHT, &text);
	first = strstr(text.data, "_BBN, 0xff");
	last = strstr(text.data, "_BBN, 0x00");
	EXPECT(first && last && first < last);
	text_free(&text);
	machine_free(&machine);

	/* The nodes of a socket take turns; firmware may leave a bus out. */
	if (!EXPECT_EQ(build_file("../kmod/topology-snc.lspci"), 0))
		return;
	acpi_ssdt(&machine, MCFG_RIGHT, &text);
	EXPECT(strstr(text.data, "Name (_BBN, 0x11)\n      Name (_PXM, 7)\n"));
	EXPECT(strstr(text.data, "Name (_BBN, 0x12)\n      Name (_PXM, 6)\n"));
	text_free(&text);
	machine_free(&machine);
	if (!EXPECT_EQ(build_file("../kmod/topology-no-pxm.lspci"), 0))
		return;
	acpi_ssdt(&machine, MCFG_RIGHT, &text);
	EXPECT(strstr(text.data, "Name (_BBN, 0x1d)\n      Name (_PXM, 0)\n"));
	EXPECT(strstr(text.data, "Name (_BBN, 0x1f)\n      Name (_CRS"));
	text_free(&text);
	machine_free(&machine);

	/* Dies without processors have no NUMA node. */
	if (!EXPECT_EQ(build_file("machines/big-648.lspci"), 0))
		return;
	acpi_ssdt(&machine, MCFG_RIGHT, &text);
	EXPECT(strstr(text.data, "_PXM, 1)"));
	EXPECT(!strstr(text.data, "_PXM, 2)"));
	text_free(&text);
	machine_free(&machine);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{ "domains become segments", test_domains },
		{ "MCFG", test_mcfg },
		{ "MCFG of real machines", test_real_mcfg },
		{ "SSDT", test_ssdt },
	};

	return tap_run(tests, ARRAY_SIZE(tests));
}
