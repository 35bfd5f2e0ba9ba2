// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=60 */
/*
 * From listing to machine: sockets, configuration pages, rates. SIM_DIR is this
 * folder.
 */
#include <dirent.h>
#include <limits.h>

#include "bench.h"
#include "model.h"
#include "tap.h"

static struct machine machine;
static struct report report;

#define build_text(text)	machine_from_text(text, &machine, &report)
#define build_file(name)	machine_from_file(name, &machine, &report)

static uint32_t page_dword(const struct function *f, unsigned int offset)
{
	uint8_t page[CONFIG_PAGE_SIZE];
	uint32_t value;

	machine_page(&machine, f, page);
	memcpy(&value, page + offset, sizeof(value));
	return value;
}

static unsigned int count_units(const char *type)
{
	unsigned int i, count = 0;

	for (i = 0; i < machine.functions; i++) {
		const struct unit_kind *kind = machine.function[i].kind;

		if (kind && (!type || !strcmp(kind->type, type)))
			count++;
	}
	return count;
}

static void test_platforms(void)
{
	char line[256], name[64], file[128];
	unsigned int model, lines = 0;
	FILE *platforms = fopen(SIM_DIR "/platforms", "r");

	if (!EXPECT(platforms))
		return;
	while (fgets(line, sizeof(line), platforms)) {
		const char *base = name;

		if (line[0] == '#')
			continue;
		if (!EXPECT_EQ(sscanf(line, "%63s %127s %u", name, file,
				      &model), 3) ||
		    !EXPECT_EQ(build_file(file), 0))
			continue;
		if (!strncmp(name, "full-", 5))
			base += 5;
		if (strstr(name, "-4s"))
			*strstr(name, "-4s") = '\0';
		EXPECT_STR(machine.platform->name, base);
		EXPECT_EQ(machine.platform->cpu_model, model);
		machine_free(&machine);
		lines++;
	}
	fclose(platforms);
	EXPECT_EQ(lines, 23);
}

/* What holds for every machine. */
static void check_machine(const struct listing *listing)
{
	uint64_t end = LOW_MEMORY + machine.config_size;
	unsigned int i, extras = 0;

	for (i = 0; i < machine.functions; i++) {
		const struct function *f = &machine.function[i];

		EXPECT(f->address >= LOW_MEMORY && f->address < end);
		if (i)
			EXPECT(f->address > f[-1].address);
		EXPECT_EQ(page_dword(f, 0),
			  (uint32_t)f->device_id << 16 | f->vendor_id);
		if (f->vendor_id == EXTRA_VENDOR_ID &&
		    f->device_id == EXTRA_DEVICE_ID) {
			EXPECT(!f->function && f->multifunction && !f->kind);
			extras++;
		}
	}
	EXPECT_EQ(machine.functions, listing->count + extras);
	EXPECT(machine_memory(&machine) <= MEMORY_LIMIT);
	EXPECT(machine.cpus >= 2);
	EXPECT_EQ(machine.cpus % machine.sockets_with_cpus, 0);
}

static void test_all_listings(void)
{
	DIR *dir = opendir(SIM_DIR "/machines");
	unsigned int count = 0;
	struct dirent *entry;

	if (!EXPECT(dir))
		return;
	while ((entry = readdir(dir))) {
		struct listing listing;
		char path[PATH_MAX];

		if (!strstr(entry->d_name, ".lspci"))
			continue;
		snprintf(path, sizeof(path), SIM_DIR "/machines/%s",
			 entry->d_name);
		if (!EXPECT_EQ(listing_read(path, &listing, &report), 0))
			continue;
		if (EXPECT_EQ(machine_build(&listing, &machine, &report), 0)) {
			check_machine(&listing);
			if (tap_failed)
				printf("# that was %s\n", entry->d_name);
			machine_free(&machine);
		}
		listing_free(&listing);
		count++;
	}
	closedir(dir);
	EXPECT(count >= 50);
}

/* First 64 bytes as read on the real machine; see the file's head. */
static void test_real_config(void)
{
	FILE *file = fopen(SIM_DIR "/machines/snb-ep-2s-hwloc-e5-2680.config.hex",
			   "r");
	unsigned int d, b, s, n, count = 0, i;
	char line[256], hex[129];

	if (!EXPECT(file) ||
	    !EXPECT_EQ(build_file("machines/snb-ep-2s-hwloc-e5-2680.lspci"), 0))
		return;
	while (fgets(line, sizeof(line), file)) {
		struct function *f;
		uint8_t real[64], page[CONFIG_PAGE_SIZE];

		if (sscanf(line, "%4x:%2x:%2x.%1x %128s", &d, &b, &s, &n,
			   hex) != 5)
			continue;
		for (i = 0; i < 64; i++)
			sscanf(hex + 2 * i, "%2hhx", &real[i]);
		f = machine_find(&machine, 1, b, s, n);
		if (!EXPECT(f))
			continue;
		machine_page(&machine, f, page);
		EXPECT(!memcmp(page, real, 4));
		EXPECT_EQ(page[8], real[8]);
		/* Bridges are inert functions here, with a class of their own. */
		if (f->class != 0x0604)
			EXPECT(!memcmp(page + 10, real + 10, 2));
		if (!f->function)
			/* Real devices have hidden functions besides. */
			EXPECT(!(page[14] & 0x80) || real[14] & 0x80);
		count++;
	}
	fclose(file);
	EXPECT_EQ(count, machine.functions);
	machine_free(&machine);
}

static void test_inert_functions(void)
{
	struct function *f;

	if (!EXPECT_EQ(build_text("0000:00:02.0 0604 8086:2f04 rev 02\n"
				  "0000:00:0e.0 ffff 8086:6ff2 rev 01\n"
				  "0000:7f:08.2 1101 8086:2f32 rev 02\n"
				  "0000:7f:08.3 0880 8086:2f83 rev 02\n"), 0))
		return;
	EXPECT_EQ(machine.functions, 5);
	f = machine_find(&machine, 1, 0x00, 0x02, 0);
	EXPECT_EQ(page_dword(f, 0x08), 0x06800002);
	EXPECT_EQ(page_dword(f, 0x0c), 0);
	f = machine_find(&machine, 1, 0x00, 0x0e, 0);
	EXPECT_EQ(page_dword(f, 0x08), 0xffffff01);
	/* Function 0 that the listing lacks */
	f = machine_find(&machine, 1, 0x7f, 0x08, 0);
	if (EXPECT(f)) {
		EXPECT_EQ(page_dword(f, 0x00), 0xffff1b36);
		EXPECT_EQ(page_dword(f, 0x08), 0xff000000);
		EXPECT_EQ(page_dword(f, 0x0c), 0x00800000);
		EXPECT(!f->kind);
	}
	EXPECT(!machine_find(&machine, 1, 0x7f, 0x08, 1));
	EXPECT(!machine_find(&machine, 0, 0x7f, 0x08, 2));
	machine_free(&machine);
}

static void test_express(void)
{
	const struct function *f;

	if (!EXPECT_EQ(build_file("machines/full-skylake-sp.lspci"), 0))
		return;
	f = machine_find(&machine, 1, 0x5d, 0x0e, 0);
	EXPECT_EQ(page_dword(f, 0x04), 0x00100000);
	EXPECT_EQ(page_dword(f, 0x34), 0x40);
	EXPECT_EQ(page_dword(f, 0x40), 0x00920010);
	EXPECT(machine_read_only(&machine, f, 0x78));
	EXPECT(!machine_read_only(&machine, f, 0x7c));
	f = machine_find(&machine, 1, 0x3a, 0x0a, 2);
	EXPECT_EQ(page_dword(f, 0x04), 0);
	EXPECT_EQ(page_dword(f, 0x34), 0);
	EXPECT(machine_read_only(&machine, f, 0x3c));
	EXPECT(!machine_read_only(&machine, f, 0x40));
	machine_free(&machine);
}

static int socket_of(unsigned int segment, uint8_t bus)
{
	unsigned int i;

	for (i = 0; i < machine.buses; i++)
		if (machine.bus[i].number == bus &&
		    machine.segment[machine.bus[i].segment].number == segment)
			return machine.bus[i].socket;
	return -2;
}

static void test_sockets(void)
{
	const struct function *f;

	if (!EXPECT_EQ(build_file("machines/hsx-2s-dell-r530.lspci"), 0))
		return;
	EXPECT_EQ(machine.sockets, 2);
	EXPECT_EQ(machine.sockets_with_cpus, 2);
	EXPECT_EQ(machine.cpus, 2);
	EXPECT_EQ(socket_of(1, 0x00), 0);
	EXPECT_EQ(socket_of(1, 0x7f), 0);
	EXPECT_EQ(socket_of(1, 0x80), 1);
	EXPECT_EQ(socket_of(1, 0xff), 1);
	f = machine_find(&machine, 1, 0x7f, 0x10, 5);
	EXPECT_EQ(page_dword(f, 0x40), 0);
	f = machine_find(&machine, 1, 0xff, 0x10, 5);
	EXPECT_EQ(page_dword(f, 0x40), 1);
	/* Dies 0 and 1, then six times node 2, which no UBOX has */
	EXPECT_EQ(page_dword(f, 0x54), 0x492488);
	EXPECT(machine_read_only(&machine, f, 0x40));
	EXPECT(machine_read_only(&machine, f, 0x54));
	machine_free(&machine);

	/* Skylake-SP counts upwards from the UBOX. */
	if (!EXPECT_EQ(build_file("machines/skx-2s-aic-fb201-lx.lspci"), 0))
		return;
	EXPECT_EQ(machine.sockets, 2);
	EXPECT_EQ(socket_of(1, 0x00), 0);
	EXPECT_EQ(socket_of(1, 0x5d), 0);
	EXPECT_EQ(socket_of(1, 0x80), 1);
	EXPECT_EQ(socket_of(1, 0xd7), 1);
	f = machine_find(&machine, 1, 0x80, 0x08, 0);
	EXPECT_EQ(page_dword(f, 0xc0), 1);
	EXPECT_EQ(page_dword(f, 0xd4), 0x492488);
	machine_free(&machine);

	if (!EXPECT_EQ(build_file("machines/snb-ep-4s-dell-server.lspci"), 0))
		return;
	EXPECT_EQ(machine.sockets, 4);
	EXPECT_EQ(machine.cpus, 4);
	EXPECT_EQ(socket_of(1, 0xbf), 2);
	machine_free(&machine);
}

static void test_other_dies(void)
{
	const struct function *f;

	if (!EXPECT_EQ(build_file("machines/hsx-2s-permuted.lspci"), 0))
		return;
	f = machine_find(&machine, 1, 0x7f, 0x10, 5);
	EXPECT_EQ(page_dword(f, 0x40), 5);
	/* 0: node 2, 1: node 5, the rest: node 0, which no UBOX has */
	EXPECT_EQ(page_dword(f, 0x54), 0x2a);
	f = machine_find(&machine, 1, 0xff, 0x10, 5);
	EXPECT_EQ(page_dword(f, 0x40), 2);
	EXPECT_EQ(machine.die[0], 1);
	EXPECT_EQ(machine.die[1], 0);
	machine_free(&machine);

	if (!EXPECT_EQ(build_file("machines/hsx-2s-hidden-ubox.lspci"), 0))
		return;
	EXPECT_EQ(machine.sockets, 2);
	EXPECT_STR(machine.platform->name, "haswell-ep");
	EXPECT_EQ(socket_of(1, 0x7f), 0);
	EXPECT_EQ(socket_of(1, 0xff), 1);
	machine_free(&machine);

	EXPECT_EQ(build_text("# dies: 0\n# nodes: 0 1\n"
			     "0000:ff:10.5 0880 8086:2f1e\n"), -1);
	EXPECT_STR(report.text,
		   "'dies:' and 'nodes:' of the listing need 1 numbers, one for each UBOX");
	EXPECT_EQ(build_text("# dies: 0 1\n# nodes: 3 3\n"
			     "0000:7f:10.5 0880 8086:2f1e\n"
			     "0000:ff:10.5 0880 8086:2f1e\n"), -1);
	EXPECT_STR(report.text,
		   "'dies:' and 'nodes:' of the listing contradict each other on die 1; give each die a node id of its own");
}

/* UBOX registers have room for eight dies: with ten they tell nothing true. */
static void test_ten_nodes(void)
{
	static const uint8_t dies[] = { 7, 2, 9, 0, 5, 3, 8, 1, 6, 4 };
	const struct function *f;
	unsigned int i;

	if (!EXPECT_EQ(build_file("../kmod/topology-10s.lspci"), 0))
		return;
	EXPECT_EQ(machine.sockets_with_cpus, 10);
	EXPECT_EQ(machine.nodes, 10);
	EXPECT_EQ(machine.cpus, 10);
	EXPECT(!memcmp(machine.die, dies, sizeof(dies)));
	for (i = 0; i < sizeof(dies); i++)
		EXPECT_EQ(machine.node_id[i], (dies[i] + 3) % 8);
	EXPECT_EQ(machine.group_map, 0xfac688);
	f = machine_find(&machine, 2, 0x37, 0x10, 5);
	EXPECT_EQ(page_dword(f, 0x40), 3);
	EXPECT_EQ(page_dword(f, 0x54), 0xfac688);
	machine_free(&machine);

	if (!EXPECT_EQ(build_file("../kmod/topology-snc.lspci"), 0))
		return;
	EXPECT_EQ(machine.sockets_with_cpus, 5);
	EXPECT_EQ(machine.nodes_per_socket, 2);
	EXPECT_EQ(machine.nodes, 10);
	EXPECT_EQ(machine.cpus, 10);
	EXPECT_EQ(machine_memory(&machine) >> 20, 512 + 67 + 9 * 192);
	machine_free(&machine);

	EXPECT_EQ(build_text("# dies: 0 8\n"
			     "0000:7f:10.5 0880 8086:2f1e\n"
			     "0000:ff:10.5 0880 8086:2f1e\n"), -1);
	EXPECT_STR(report.text,
		   "die 8 needs more than 8 NUMA nodes with CPUs; correct 'dies:' or 'cpus:' of the listing");
}

static void test_giant(void)
{
	if (!EXPECT_EQ(build_file("machines/big-648.lspci"), 0))
		return;
	EXPECT_EQ(count_units(NULL), 648);
	EXPECT_EQ(machine.segments, 4);
	EXPECT_EQ(machine.sockets, 36);
	EXPECT_EQ(machine.sockets_with_cpus, 2);
	EXPECT_EQ(machine.cpus, 2);
	EXPECT_EQ(machine.die[1], 1);
	EXPECT_EQ(machine.die[2], 2);
	EXPECT_EQ(machine.die[7], 7);
	EXPECT_EQ(machine.die[8], 2);
	EXPECT_EQ(machine.die[35], 5);
	EXPECT_EQ(machine.group_map, 0xfac688);
	EXPECT_EQ(socket_of(4, 0x90), 35);
	EXPECT_EQ(machine_memory(&machine) >> 20, 512 + 4 * 130 + 192);
	machine_free(&machine);
}

static void test_unit_numbers(void)
{
	static const struct {
		const char *file;
		unsigned int units;
	} want[] = {
		/* By socket: what Linux 6.1 has in its tables of ids */
		{ "machines/full-sandybridge-ep.lspci", 2 * 10 },
		{ "machines/full-ivybridge-ep.lspci", 2 * 17 },
		{ "machines/full-haswell-ep.lspci", 2 * 18 },
		{ "machines/full-broadwell-ep.lspci", 2 * 18 },
		{ "machines/knl-1s-asrock-2u4n-xeonphi-7210.lspci", 26 },
		{ "machines/full-skylake-sp.lspci", 2 * 18 },
		{ "machines/snr-1s-constructed.lspci", 2 },
		{ "machines/full-icelake-sp.lspci", 2 * 10 },
		{ "machines/wsm-ep-2s-xeon-l5640.lspci", 0 },
		{ "machines/client-3ec2-asustek-prime-z370-a.lspci", 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		if (!EXPECT_EQ(build_file(want[i].file), 0))
			continue;
		if (!EXPECT_EQ(count_units(NULL), want[i].units))
			printf("# that was %s\n", want[i].file);
		machine_free(&machine);
	}
}

static void test_too_big(void)
{
	struct text text = { 0 };
	unsigned int i;

	for (i = 0; i < 12; i++)
		text_add(&text, "%04x:00:00.0 0600 8086:2f00\n%04x:ff:00.0 0880 8086:2f80\n",
			 i, i);
	EXPECT_EQ(build_text(text.data), -1);
	EXPECT_STR(report.text,
		   "the buses need 3072 MiB of configuration space, more than fits below 3.5 GiB; use fewer domains or a smaller range of buses");
	text_free(&text);
	for (i = 0; i < 17; i++)
		text_add(&text, "%04x:00:00.0 0600 8086:2f00\n", i);
	EXPECT_EQ(build_text(text.data), -1);
	EXPECT_STR(report.text,
		   "more than 16 domains; shorten the listing");
	text_free(&text);
}

static uint64_t rate(const struct function *f, unsigned int counter,
		     uint32_t control)
{
	const struct unit_place place = { f->socket, f->instance };

	return counter_rate(f->kind, &place, counter, control);
}

static void test_rates(void)
{
	const struct function *imc, *second, *ha;

	if (!EXPECT_EQ(build_file("machines/hsx-2s-dell-r530.lspci"), 0))
		return;
	imc = machine_find(&machine, 1, 0x7f, 0x14, 0);
	second = machine_find(&machine, 1, 0xff, 0x14, 1);
	ha = machine_find(&machine, 1, 0x7f, 0x12, 1);
	EXPECT_EQ(rate(imc, 4, 0), 1066666667);
	EXPECT_EQ(rate(imc, 0, 0x000000), 1066666667);
	EXPECT_EQ(rate(imc, 0, 0x000304), 37500000);
	EXPECT_EQ(rate(imc, 1, 0x000c04), 15000000);
	EXPECT_EQ(rate(imc, 1, 0x000f04), 52500000);
	EXPECT_EQ(rate(second, 0, 0x000304), 37500000 + 4100000 - 1300000);
	EXPECT_EQ(rate(ha, 0, 0x000000), 1000003);
	EXPECT_EQ(rate(ha, 0, 0x000201), 2 * 1000003 + 2 * 10007);
	/* Event extension, threshold, inversion, edge */
	EXPECT_EQ(rate(ha, 0, 0x200000), 257 * 1000003);
	EXPECT_EQ(rate(ha, 0, 0x03000000), 250000);
	EXPECT_EQ(rate(ha, 0, 0x03800000), 1000003 - 250000);
	EXPECT_EQ(rate(ha, 0, 0x00040000), 62500);
	machine_free(&machine);

	if (!EXPECT_EQ(build_file("machines/knl-1s-asrock-2u4n-xeonphi-7210.lspci"), 0))
		return;
	imc = machine_find(&machine, 1, 0xff, 0x09, 3);
	EXPECT_EQ(imc->instance, 4);
	EXPECT_EQ(rate(imc, 0, 0x000103), 37500000 + 4 * 4100000);
	EXPECT_EQ(rate(imc, 0, 0x000203), (37500000 + 4 * 4100000) * 2 / 5);
	machine_free(&machine);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{ "the platforms file", test_platforms },
		{ "every listing", test_all_listings },
		{ "pages agree with a real machine's", test_real_config },
		{ "bridges, class ffff, missing function 0", test_inert_functions },
		{ "PCI Express capability", test_express },
		{ "sockets and UBOX registers", test_sockets },
		{ "other dies and node ids", test_other_dies },
		{ "more than eight NUMA nodes", test_ten_nodes },
		{ "36 sockets", test_giant },
		{ "numbers of units", test_unit_numbers },
		{ "too big machines", test_too_big },
		{ "rates", test_rates },
	};

	return tap_run(tests, ARRAY_SIZE(tests));
}
