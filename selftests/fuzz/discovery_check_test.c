// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * Discovery tables whose units contradict each other, and how long it takes to
 * find out.
 */
#include <stdlib.h>
#include <time.h>

#include "parse.h"
#include "tap.h"

#define MAX	UNCORE_DISCOVERY_MAX_UNITS
#define OK	UNCORE_DISCOVERY_OK
#define DUP	UNCORE_DISCOVERY_DUPLICATE
#define OVER	UNCORE_DISCOVERY_OVERLAP
#define WIDTH	UNCORE_DISCOVERY_WIDTH

#define MAX_ROW	6

/* Units with 0x50 bytes, 0x58 bytes or 12 registers. */
#define MMIO(t, i, a)	{ UNCORE_DISCOVERY_MMIO, 4, 48, 0x40, 8, t, i, a }
#define PCI(t, i, a)	{ UNCORE_DISCOVERY_PCI, 4, 48, 0x38, 8, t, i, a }
#define MSR(t, i, a)	{ UNCORE_DISCOVERY_MSR, 4, 48, 2, 8, t, i, a }
/* 0x178 bytes. */
#define LONG(t, i, a)	{ UNCORE_DISCOVERY_MMIO, 31, 48, 4, 0x80, t, i, a }

struct row {
	struct entry entry;
	enum uncore_discovery_reason reason;
};

/* Makes a table of the rows, in this order or backwards, and reads it. */
static void read_rows(struct parsed *parsed, const struct row *row,
		      unsigned int n, bool backwards, unsigned int die)
{
	const struct uncore_discovery_source source = {
		.address = SOURCE_ADDRESS, .die = die, .phys_bits = SOURCE_BITS,
	};
	struct table table;
	unsigned int i;

	table_make(&table, 8, n);
	for (i = 0; i < n; i++)
		table_put(&table, i, &row[backwards ? n - 1 - i : i].entry);
	parse_from(parsed, &table, &source);
	table_free(&table);
}

static void expect_rows(const struct parsed *parsed, const struct row *row,
			unsigned int n, bool backwards)
{
	unsigned int i;

	EXPECT_EQ(parsed->n, n);
	for (i = 0; i < parsed->n; i++)
		if (!EXPECT_EQ(parsed->unit[i].reason,
			       row[backwards ? n - 1 - i : i].reason))
			printf("# unit %u%s, control %" PRIx64 "\n", i,
			       backwards ? " backwards" : "",
			       parsed->unit[i].control);
}

static void test_duplicates(void)
{
	static const struct row row[] = {
		{ MMIO(6, 0, 0x90000000), OK },
		{ MMIO(6, 1, 0x90001000), OK },
		{ MMIO(6, 0, 0x90002000), DUP },
		{ MMIO(7, 0, 0x90003000), OK },
		/* the same registers, but it does not count any more */
		{ MMIO(6, 0, 0x90000000), DUP },
		{ PCI(6, 1, 0x7d00400), DUP },
	};
	struct parsed parsed;

	read_rows(&parsed, row, ARRAY_SIZE(row), false, 0);
	check(&parsed, 1);
	expect_rows(&parsed, row, ARRAY_SIZE(row), false);
	parsed_free(&parsed);
}

/* A unit that is bad does not take the identity from one that is good. */
static void test_bad_first(void)
{
	static const struct row row[] = {
		{ { UNCORE_DISCOVERY_MMIO, 4, 65, 0x40, 8, 6, 0, 0x90000000 },
		  WIDTH },
		{ MMIO(6, 0, 0x90000000), OK },
	};
	struct parsed parsed;
	int backwards;

	for (backwards = 0; backwards < 2; backwards++) {
		read_rows(&parsed, row, ARRAY_SIZE(row), backwards, 0);
		check(&parsed, 1);
		expect_rows(&parsed, row, ARRAY_SIZE(row), backwards);
		parsed_free(&parsed);
	}
}

static void test_overlaps(void)
{
	static const struct row sets[][MAX_ROW] = {
		/* the same, the next that is free, one too near */
		{ { MMIO(6, 0, 0x90000000), OVER },
		  { MMIO(7, 0, 0x90000000), OVER },
		  { MMIO(8, 0, 0x90000050), OK },
		  { MMIO(9, 0, 0x900000a0), OVER },
		  { MMIO(10, 0, 0x900000e8), OVER },
		  { MMIO(11, 0, 0x8fffffb0), OK } },
		/* a long one over two that are free of each other, and after */
		{ { LONG(6, 0, 0x90000000), OVER },
		  { MMIO(6, 1, 0x90000010), OVER },
		  { MMIO(6, 2, 0x90000060), OVER },
		  { MMIO(6, 3, 0x90000170), OVER },
		  { MMIO(6, 4, 0x900001c0), OK },
		  { MMIO(6, 5, 0x90000210), OK } },
		/* each on the next, the ends without anything in common */
		{ { MMIO(6, 0, 0x90000000), OVER },
		  { MMIO(6, 1, 0x90000048), OVER },
		  { MMIO(6, 2, 0x90000090), OVER },
		  { MMIO(6, 3, 0x900000d8), OVER },
		  { MMIO(6, 4, 0x90000128), OK },
		  { MMIO(6, 5, 0x90000178), OK } },
		/* configuration spaces do not touch, nor do kinds of address */
		{ { PCI(6, 0, 0x7d00fa8), OK },
		  { PCI(6, 1, 0x7d01100), OK },
		  { PCI(6, 2, 0x7d02400), OVER },
		  { PCI(6, 3, 0x7d02454), OVER },
		  { MMIO(6, 4, 0x7d02400), OK },
		  { MSR(6, 5, 0x7d02400), OK } },
		{ { MSR(6, 0, 0x2000), OK },
		  { MSR(6, 1, 0x200c), OVER },
		  { MSR(6, 2, 0x2017), OVER },
		  { MSR(6, 3, 0x2023), OK },
		  { MSR(6, 4, 0x1ff4), OK },
		  { MSR(6, 5, 0x10), OK } },
	};
	struct parsed parsed;
	unsigned int i;
	int backwards;

	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		for (backwards = 0; backwards < 2; backwards++) {
			read_rows(&parsed, sets[i], MAX_ROW, backwards, 0);
			check(&parsed, 1);
			expect_rows(&parsed, sets[i], MAX_ROW,
				    backwards);
			parsed_free(&parsed);
		}
	}
}

/* Two tables: of two dies, and of one. */
static void test_tables(void)
{
	static const struct row row[] = {
		{ MSR(0, 0, 0x2000), OK },
		{ MMIO(6, 0, 0x90000000), OVER },
		{ PCI(8, 0, 0x7d01400), OVER },
	};
	static const struct row other[] = {
		{ MSR(0, 0, 0x2004), OK },
		{ MMIO(6, 0, 0x90000008), OVER },
		{ PCI(8, 0, 0x7d01408), OVER },
	};
	static const struct row same_die[] = {
		{ MSR(0, 0, 0x2004), DUP },
		{ MMIO(6, 0, 0x90000008), DUP },
		{ PCI(8, 0, 0x7d01408), DUP },
	};
	static const struct row first[] = {
		{ MSR(0, 0, 0x2000), OK },
		{ MMIO(6, 0, 0x90000000), OK },
		{ PCI(8, 0, 0x7d01400), OK },
	};
	struct parsed parsed[2];

	read_rows(&parsed[0], row, 3, false, 0);
	read_rows(&parsed[1], other, 3, false, 1);
	check(parsed, 2);
	expect_rows(&parsed[0], row, 3, false);
	expect_rows(&parsed[1], other, 3, false);
	parsed_free(&parsed[1]);
	parsed_free(&parsed[0]);

	read_rows(&parsed[0], first, 3, false, 1);
	read_rows(&parsed[1], same_die, 3, false, 1);
	check(parsed, 2);
	expect_rows(&parsed[0], first, 3, false);
	expect_rows(&parsed[1], same_die, 3, false);
	parsed_free(&parsed[1]);
	parsed_free(&parsed[0]);
}

/* One identity on two dies, and on the first of them again. */
static void test_dies(void)
{
	static const struct row row[] = {
		{ MMIO(6, 3, 0x90000000), OK },
		{ MMIO(6, 3, 0x90001000), OK },
		{ MMIO(6, 3, 0x90002000), DUP },
	};
	struct parsed parsed[ARRAY_SIZE(row)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++)
		read_rows(&parsed[i], &row[i], 1, false, i % 2);
	check(parsed, ARRAY_SIZE(row));
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		expect_rows(&parsed[i], &row[i], 1, false);
		parsed_free(&parsed[i]);
	}
}

static void test_order(void)
{
	struct parsed parsed;
	struct table table;
	unsigned int i;

	uncore_pmu_discovery_check(NULL, 0);
	good_table(&table, 8, 50);
	parse(&parsed, &table, NULL);
	check(&parsed, 1);
	for (i = 0; i < parsed.n; i++) {
		EXPECT_EQ(parsed.unit[i].order, i);
		EXPECT_EQ(parsed.unit[i].reason, OK);
	}
	parsed_free(&parsed);
	table_free(&table);
}

/* Of this process, whatever else the machine does. */
static double milliseconds(const struct timespec *from)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (now.tv_sec - from->tv_sec) * 1e3 +
	       (now.tv_nsec - from->tv_nsec) / 1e6;
}

/* Reads and checks so many tables, and says how long it took. */
static double time_tables(const struct table *table, unsigned int tables,
			  enum uncore_discovery_reason last, const char *what)
{
	struct uncore_discovery_source source = {
		.address = SOURCE_ADDRESS, .phys_bits = SOURCE_BITS,
	};
	struct parsed *parsed = calloc(tables, sizeof(*parsed));
	struct timespec from;
	unsigned int i, n = 0;
	double took;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (i = 0; i < tables; i++) {
		source.die = i;
		parse_from(&parsed[i], table, &source);
		n += parsed[i].n;
	}
	check(parsed, tables);
	took = milliseconds(&from);
	EXPECT_EQ(parsed[tables - 1].unit[parsed[0].n - 1].reason, last);
	for (i = 0; i < tables; i++)
		parsed_free(&parsed[i]);
	free(parsed);
	printf("# %u units, %s: %.3f ms\n", n, what, took);
	return took;
}

/* The limit is that of the project; sanitizers make it harder, not easier. */
static void test_time(void)
{
	const struct entry one = MSR(6, 0, 0x2000);
	struct entry entry;
	struct table table;
	unsigned int i;

	good_table(&table, 8, 1000);
	EXPECT(time_tables(&table, 1, OK, "all good") < 10);
	for (i = 0; i < 1000; i++)
		table_put(&table, i, &one);
	EXPECT(time_tables(&table, 1, DUP, "all the same") < 10);
	for (i = 0; i < 1000; i++) {
		entry = one;
		entry.id = i;
		table_put(&table, i, &entry);
	}
	EXPECT(time_tables(&table, 1, OVER, "all in one place") < 10);
	for (i = 0; i < 1000; i++) {
		entry = one;
		entry.id = 1000 - i;
		entry.control += 5000 - 5 * i;
		table_put(&table, i, &entry);
	}
	EXPECT(time_tables(&table, 1, OVER, "each on the next") < 10);
	table_free(&table);
}

/* As many units as the tables of 64 dies can have. */
static void test_many(void)
{
	struct table table;
	struct entry entry;
	unsigned int i;

	table_make(&table, 3, MAX);
	for (i = 0; i < MAX; i++) {
		entry = (struct entry)MSR(6, i, 0x2000 + 0x10 * i);
		table_put(&table, i, &entry);
	}
	EXPECT(time_tables(&table, 64, OK, "of 64 dies") < 10 * 66);
	table_free(&table);
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "of duplicates the first stays", test_duplicates },
		{ "a bad unit makes no duplicate", test_bad_first },
		{ "no unit stays that overlaps", test_overlaps },
		{ "tables of several dies and of one", test_tables },
		{ "an identity is one of a die", test_dies },
		{ "units keep their order", test_order },
		{ "1,000 units in 10 ms", test_time },
		{ "65,472 units", test_many },
	};

	return tap_run(test, ARRAY_SIZE(test));
}
