// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=30 */
/*
 * The parser of listings: what it takes from good ones, and what it says of
 * each kind of bad one, to the letter.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "discovery.h"
#include "listing.h"
#include "tap.h"

#define HINT \
	"; expected 'DDDD:BB:dd.f CCCC VVVV:DDDD', as 'lspci -Dn' prints it"

static struct listing listing;
static struct report report;

static int parse_bytes(const char *bytes, size_t length)
{
	FILE *stream = fmemopen((void *)bytes, length, "r");
	int ret;

	report.text[0] = '\0';
	if (!stream)
		return -1;
	ret = listing_parse(stream, "m", &listing, &report);
	fclose(stream);
	return ret;
}

static int parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void expect_refused(const char *input, const char *message, int line)
{
	tap_expect_eq(parse(input), -1, "parse()", __FILE__, line);
	tap_expect_str(report.text, message, "the report", __FILE__, line);
	tap_expect(!listing.function && !listing.count, "nothing is kept",
		   __FILE__, line);
}

#define EXPECT_REFUSED(input, message) \
	expect_refused(input, message, __LINE__)

static void test_own_form(void)
{
	const struct listing_function *f;

	if (!EXPECT_EQ(parse("# a comment\n\n"
			     "0000:ff:14.0 0880 8086:2fb0 rev 02\n"
			     "0000:00:1f.7 1101 8086:6f39\n"), 0))
		return;
	EXPECT_EQ(listing.count, 2);
	f = listing.function;
	EXPECT_EQ(f[0].domain, 0);
	EXPECT_EQ(f[0].bus, 0);
	EXPECT_EQ(f[0].device, 0x1f);
	EXPECT_EQ(f[0].function, 7);
	EXPECT_EQ(f[0].class, 0x1101);
	EXPECT_EQ(f[0].vendor_id, 0x8086);
	EXPECT_EQ(f[0].device_id, 0x6f39);
	EXPECT_EQ(f[0].revision, 0);
	EXPECT_EQ(f[0].line, 4);
	EXPECT_EQ(f[1].bus, 0xff);
	EXPECT_EQ(f[1].device, 0x14);
	EXPECT_EQ(f[1].class, 0x0880);
	EXPECT_EQ(f[1].device_id, 0x2fb0);
	EXPECT_EQ(f[1].revision, 2);
	EXPECT_EQ(f[1].line, 3);
	listing_free(&listing);
}

static void test_lspci_form(void)
{
	const struct listing_function *f;

	if (!EXPECT_EQ(parse("0000:00:1f.2 0106: 8086:8d02 (rev 05) (prog-if 01 [AHCI 1.0])\n"
			     "0000:7F:14.0 0880: 8086:2FB0\r\n"
			     "0000:7f:1e.3 ffff: 8086:2fc0 (rev ff)\n"
			     "  0000:80:00.0\t0604:  8086:2f01 (prog-if 00 [Normal decode])  \n"
			     "0000:81:00.0 0200: 8086:1521 (rev 01)"), 0))
		return;
	EXPECT_EQ(listing.count, 5);
	f = listing.function;
	EXPECT_EQ(f[0].class, 0x0106);
	EXPECT_EQ(f[0].device_id, 0x8d02);
	EXPECT_EQ(f[0].revision, 5);
	EXPECT_EQ(f[1].bus, 0x7f);
	EXPECT_EQ(f[1].device_id, 0x2fb0);
	EXPECT_EQ(f[1].revision, 0);
	EXPECT_EQ(f[2].class, 0xffff);
	EXPECT_EQ(f[2].revision, 0xff);
	EXPECT_EQ(f[3].class, 0x0604);
	EXPECT_EQ(f[3].device_id, 0x2f01);
	EXPECT_EQ(f[4].device_id, 0x1521);
	EXPECT_EQ(f[4].revision, 1);
	listing_free(&listing);
}

static void test_domains(void)
{
	if (!EXPECT_EQ(parse("10000:00:00.0 0604 8086:2030\n"
			     "ffffffff:00:00.0 0604 8086:2030\n"
			     "0001:00:00.0 0600 8086:2020\n"), 0))
		return;
	EXPECT_EQ(listing.function[0].domain, 1);
	EXPECT_EQ(listing.function[1].domain, 0x10000);
	EXPECT_EQ(listing.function[2].domain, 0xffffffff);
	listing_free(&listing);
	EXPECT_REFUSED("123456789:00:00.0 0604 8086:2030\n",
		       "m:1: no PCI address" HINT);
	EXPECT_REFUSED("000:00:00.0 0604 8086:2030\n",
		       "m:1: no PCI address" HINT);
}

static void test_headers(void)
{
	if (!EXPECT_EQ(parse("# generation: Broadwell-DE\n"
			     "# sockets: 2 (from the model, not shown)\n"
			     "# cpus: 4\n"
			     "# dies: 1 0\n"
			     "#nodes:  5   2\n"
			     "# nodes-per-socket: 2\n"
			     "# no-pxm: 7f Ff\n"
			     "# ubox-buses: 7f ff\n"
			     "# cpu: 2 x something, no key of ours\n"
			     "0000:00:00.0 0600 8086:2f00\n"), 0))
		return;
	EXPECT_STR(listing.generation, "Broadwell-DE");
	EXPECT_EQ(listing.sockets, 2);
	EXPECT_EQ(listing.cpus, 4);
	EXPECT_EQ(listing.nodes_per_socket, 2);
	EXPECT_EQ(listing.no_pxm.count, 2);
	EXPECT_EQ(listing.no_pxm.value[0], 0x7f);
	EXPECT_EQ(listing.no_pxm.value[1], 0xff);
	EXPECT_EQ(listing.dies.count, 2);
	EXPECT_EQ(listing.dies.value[0], 1);
	EXPECT_EQ(listing.dies.value[1], 0);
	EXPECT_EQ(listing.nodes.count, 2);
	EXPECT_EQ(listing.nodes.value[0], 5);
	EXPECT_EQ(listing.nodes.value[1], 2);
	EXPECT_EQ(listing.ubox_buses.count, 2);
	EXPECT_EQ(listing.ubox_buses.value[0], 0x7f);
	EXPECT_EQ(listing.ubox_buses.value[1], 0xff);
	listing_free(&listing);

	EXPECT_REFUSED("# cpus: 0\n", "m:1: 'cpus:' takes numbers from 1 to 64");
	EXPECT_REFUSED("# cpus: 65\n", "m:1: 'cpus:' takes numbers from 1 to 64");
	EXPECT_REFUSED("# cpus: two\n", "m:1: 'cpus:' takes numbers from 1 to 64");
	EXPECT_REFUSED("# cpus: 1 2\n", "m:1: 'cpus:' takes one number");
	EXPECT_REFUSED("# cpus:\n", "m:1: 'cpus:' takes one number");
	EXPECT_REFUSED("# nodes-per-socket: 3\n",
		       "m:1: 'nodes-per-socket:' takes numbers from 1 to 2");
	EXPECT_REFUSED("# no-pxm: 100\n",
		       "m:1: 'no-pxm:' takes hexadecimal numbers from 0 to ff");
	EXPECT_REFUSED("# dies: 0 16\n", "m:1: 'dies:' takes numbers from 0 to 15");
	EXPECT_REFUSED("# dies: -1\n", "m:1: 'dies:' takes numbers from 0 to 15");
	EXPECT_REFUSED("\n# nodes: 1,2\n", "m:2: 'nodes:' takes numbers from 0 to 7");
	EXPECT_REFUSED("# ubox-buses: 100\n",
		       "m:1: 'ubox-buses:' takes hexadecimal numbers from 0 to ff");
}

static void test_bad_lines(void)
{
	EXPECT_REFUSED("7f:14.0 0880 8086:2fb0\n",
		       "m:1: the address has no domain; use 'lspci -Dn'");
	EXPECT_REFUSED("hello\n", "m:1: no PCI address" HINT);
	EXPECT_REFUSED("0000:7f:14.0\n", "m:1: no PCI address" HINT);
	EXPECT_REFUSED("0000:7f14.0 0880 8086:2fb0\n",
		       "m:1: no PCI address" HINT);
	EXPECT_REFUSED("0000:7f:14.00 0880 8086:2fb0\n",
		       "m:1: no PCI address" HINT);
	EXPECT_REFUSED("0000:17f:14.0 0880 8086:2fb0\n",
		       "m:1: no PCI address" HINT);
	EXPECT_REFUSED("0000:7f:20.0 0880 8086:2fb0\n",
		       "m:1: device 20 is above 1f; correct the address");
	EXPECT_REFUSED("0000:7f:14.8 0880 8086:2fb0\n",
		       "m:1: function 8 is above 7; correct the address");
	EXPECT_REFUSED("0000:7f:14.0 880 8086:2fb0\n",
		       "m:1: no class of four digits" HINT);
	EXPECT_REFUSED("0000:7f:14.0 088000 8086:2fb0\n",
		       "m:1: no class of four digits" HINT);
	EXPECT_REFUSED("0000:7f:14.0 System peripheral: Intel\n",
		       "m:1: no class of four digits" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880:8086:2fb0\n",
		       "m:1: no vendor:device" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880 8086-2fb0\n",
		       "m:1: no vendor:device" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880 8086:2fb\n",
		       "m:1: no vendor:device" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880 8086:2fb00\n",
		       "m:1: no vendor:device" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880 8086:2fb0 and more\n",
		       "m:1: unexpected 'and more'" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880 8086:2fb0x\n",
		       "m:1: unexpected 'x'" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880 8086:2fb0 (prog-if 00\n",
		       "m:1: unexpected '(prog-if 00'" HINT);
	EXPECT_REFUSED("0000:7f:14.0 0880 8086:2fb0 rev 2\n",
		       "m:1: no revision of two digits in 'rev 2'; write 'rev 02'");
	EXPECT_REFUSED("0000:7f:14.0 0880 8086:2fb0 (rev 02\n",
		       "m:1: no revision of two digits in '(rev 02'; write 'rev 02'");
	EXPECT_REFUSED("0000:00:00.0 0600 8086:2f00\n\n# x\nbroken\n",
		       "m:4: no PCI address" HINT);
}

static void test_duplicates(void)
{
	EXPECT_REFUSED("0000:ff:14.0 0880 8086:2fb0\n"
		       "0000:00:00.0 0600 8086:2f00\n"
		       "0000:ff:14.0 0880 8086:2fb1\n",
		       "m:3: 0000:ff:14.0 is on line 1 already; remove one of the two");
	EXPECT_EQ(parse("0000:ff:14.0 0880 8086:2fb0\n"
			"0001:ff:14.0 0880 8086:2fb0\n"), 0);
	EXPECT_EQ(listing.count, 2);
	listing_free(&listing);
}

static void test_empty(void)
{
	const char *message =
		"m: no PCI function in it; make it with 'lspci -Dn'";

	EXPECT_REFUSED("\n", message);
	EXPECT_REFUSED("# only: comments\n \t\n", message);
}

static void test_binary(void)
{
	static const char elf[] = "\177ELF\2\1\1\0\0\0";
	static const char nul[] = "0000:00:00.0 0600 8086:2f00\n\0\n";

	EXPECT_EQ(parse_bytes(elf, sizeof(elf)), -1);
	EXPECT_STR(report.text, "m:1: byte 0x02 is not text" HINT);
	EXPECT_EQ(parse_bytes(nul, sizeof(nul) - 1), -1);
	EXPECT_STR(report.text, "m:2: byte 0x00 is not text" HINT);
	/* Names with letters of other languages are text. */
	EXPECT_EQ(parse("# cpu: \xe2\x84\xa2\n0000:00:00.0 0600 8086:2f00\n"),
		  0);
	listing_free(&listing);
}

/* Fills a listing with a comment line of @length characters. */
static int parse_long(size_t length)
{
	const char *end = "\n0000:00:00.0 0600 8086:2f00\n";
	char *text = malloc(length + strlen(end) + 1);
	int ret;

	if (!text)
		return -2;
	memset(text, '#', length);
	strcpy(text + length, end);
	ret = parse(text);
	free(text);
	return ret;
}

static void test_long_lines(void)
{
	EXPECT_EQ(parse_long(LISTING_LINE_MAX), 0);
	EXPECT_EQ(listing.count, 1);
	listing_free(&listing);
	EXPECT_EQ(parse_long(LISTING_LINE_MAX + 1), -1);
	EXPECT_STR(report.text,
		   "m:1: longer than 4095 characters; shorten the line");
	EXPECT_EQ(parse_long(1000000), -1);
	EXPECT_STR(report.text,
		   "m:1: longer than 4095 characters; shorten the line");
}

static void test_too_many(void)
{
	struct text text = { 0 };
	unsigned int i;

	for (i = 0; i <= LISTING_FUNCTIONS_MAX; i++)
		text_add(&text, "%04x:%02x:%02x.%x 0880 8086:2fb0\n", i >> 16,
			 i >> 8 & 0xff, i >> 3 & 0x1f, i & 7);
	EXPECT_EQ(parse(text.data), -1);
	EXPECT_STR(report.text,
		   "m:32769: more than 32768 functions; split the listing");
	text_free(&text);
}

static void test_files(void)
{
	char dir[] = "/tmp/listing_test.XXXXXX";
	char want[256];

	if (!EXPECT(mkdtemp(dir)))
		return;
	EXPECT_EQ(listing_read(dir, &listing, &report), -1);
	snprintf(want, sizeof(want),
		 "%s: is no ordinary file; give a listing made with 'lspci -Dn'",
		 dir);
	EXPECT_STR(report.text, want);
	rmdir(dir);
	EXPECT_EQ(listing_read(dir, &listing, &report), -1);
	snprintf(want, sizeof(want),
		 "%s: No such file or directory; give a listing made with 'lspci -Dn'",
		 dir);
	EXPECT_STR(report.text, want);
}

static void expect_no_table(const char *text, const char *why)
{
	FILE *stream = fmemopen((void *)text, strlen(text), "r");
	struct discovery *d;

	report.text[0] = '\0';
	if (!EXPECT(stream))
		return;
	d = discovery_parse(stream, "d", &report);
	fclose(stream);
	EXPECT(!d);
	free(d);
	EXPECT_STR(report.text, why);
}

#define TYPE	"type 6 imc mmio counters 4 width 48 control 0x40 counter 8\n"
#define PCI	"type 7 m2m pci counters 4 width 48 control 8 counter 8\n"
#define FORM	"; see discovery.h for the form"

static void test_description(void)
{
	expect_no_table("glob\n", "d:1: unknown word 'glob'" FORM);
	expect_no_table("# x\nglobal stride 2\n",
		       "d:2: an entry has three quadwords, not 'stride'" FORM);
	expect_no_table("global stride 256\n",
		       "d:1: no number, or one out of range: '256'" FORM);
	expect_no_table("global bar\n",
		       "d:1: a number is missing after 'bar'" FORM);
	expect_no_table("type 6 imc io counters 4\n",
		       "d:1: unknown access 'io'" FORM);
	expect_no_table("type 6 imc mmio counters 4\n",
		       "d:1: counters, width, control and counter are not all said of 'imc'" FORM);
	expect_no_table("type 6 imc mmio counters 9 width 48\n",
		       "d:1: no number, or one out of range: '9'" FORM);
	expect_no_table(TYPE TYPE, "d:2: there is this type already: '6'" FORM);
	expect_no_table(TYPE "unit 7 0 0x1000\n",
		       "d:2: there is no type '7'" FORM);
	expect_no_table(TYPE "unit 6 3-1 0x1000\n",
		       "d:2: the last is before the first: '1'" FORM);
	expect_no_table(TYPE "unit 6 0 0xff0\n",
		       "d:2: outside of the region, not aligned, or across pages: '0xff0'" FORM);
	expect_no_table(TYPE "unit 6 0 0x800000\n",
		       "d:2: outside of the region, not aligned, or across pages: '0x800000'" FORM);
	expect_no_table(TYPE "unit 6 0-1023 0x1000 0x1000\n",
		       "d:2: too many units: '0'" FORM);
	expect_no_table(PCI "unit 7 0 324a\n",
			"d:2: no 8086:DDDD: '324a'" FORM);
	expect_no_table(PCI "unit 7 0 8086:32\n",
			"d:2: no 8086:DDDD: '8086:32'" FORM);
	expect_no_table(PCI "unit 7 0 8086:0x4a\n",
			"d:2: no 8086:DDDD: '8086:0x4a'" FORM);
	expect_no_table("type 6 imc mmio counters 4 width 48 control 6 counter 8\n",
			"d:1: offsets must be multiples of 4 in 'imc'" FORM);
	expect_no_table(TYPE "unit 6 0 0x1000\1\n",
			"d:2: byte 0x01 is not text" FORM);
}

#define ACROSS	"d:2: outside of the region, not aligned, or across pages: "

/* Controls must not reach beyond the page either. */
static void test_pages(void)
{
	static const char fixed[] =
		"type 7 m2m pci counters 2 width 48 control 0x40 counter 8 fixed 0x50 0xf8 unit 0xf00\n"
		"unit 7 0 8086:324a\n";
	FILE *stream = fmemopen((void *)fixed, strlen(fixed), "r");
	struct discovery *d;

	expect_no_table("type 6 imc mmio counters 2 width 48 control 0x40 counter 8\nunit 6 0 0xfc0\n",
			ACROSS "'0xfc0'" FORM);
	expect_no_table("type 6 imc mmio counters 2 width 48 control 0x20 counter 8 fixed 0x50 0x18\nunit 6 0 0xfb0\n",
			ACROSS "'0xfb0'" FORM);
	expect_no_table("type 7 m2m pci counters 2 width 48 control 0xf8 counter 8 step 8 unit 0xf00\nunit 7 0 8086:324a\n",
			ACROSS "'8086:324a'" FORM);

	/* All offsets are from the unit on, those of the fixed counter, too. */
	d = discovery_parse(stream, "d", &report);
	if (EXPECT(d)) {
		EXPECT_EQ(d->type[0].kind.control[1], 0xf44);
		EXPECT_EQ(d->type[0].kind.fixed_control, 0xf50);
		EXPECT_EQ(d->type[0].kind.fixed_counter, 0xff8);
	}
	free(d);
	fclose(stream);
}

static void test_discovery_key(void)
{
	static const char why[] =
		"m:1: 'discovery:' takes the name of one file beside the listing, NAME.units";

	EXPECT_REFUSED("# discovery: a/b.units\n", why);
	EXPECT_REFUSED("# discovery: ram\n", why);
	EXPECT_REFUSED("# discovery:\n", why);
	EXPECT_EQ(parse("# discovery: missing.units\n"), -1);
	EXPECT_STR(report.text,
		   "missing.units: No such file or directory; the listing names it for its discovery tables");
}

int main(void)
{
	static const struct tap_test tests[] = {
		{ "the project's own form", test_own_form },
		{ "the output of lspci -Dn", test_lspci_form },
		{ "domains of up to 32 bits", test_domains },
		{ "keys in comments", test_headers },
		{ "bad lines", test_bad_lines },
		{ "duplicates", test_duplicates },
		{ "no function at all", test_empty },
		{ "binary garbage", test_binary },
		{ "too long lines", test_long_lines },
		{ "too many functions", test_too_many },
		{ "missing file and directory", test_files },
		{ "errors in a description of tables", test_description },
		{ "registers of a unit and the page", test_pages },
		{ "the key that names a description", test_discovery_key },
	};

	return tap_run(tests, ARRAY_SIZE(tests));
}
