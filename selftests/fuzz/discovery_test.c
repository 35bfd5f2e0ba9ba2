// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * The parser of discovery tables: what it reads from a good table, and what it
 * says of each way in which one can be bad.
 */
#include <errno.h>
#include <stdlib.h>

#include "parse.h"
#include "tap.h"

/* The reason that a unit gets which has good ones before and behind it. */
static enum uncore_discovery_reason bad_unit(const struct entry *second)
{
	enum uncore_discovery_reason reason = UNCORE_DISCOVERY_REASONS;
	struct table table;
	struct parsed parsed;
	struct entry entry;
	unsigned int i;

	table_make(&table, 8, 3);
	for (i = 0; i < 3; i++) {
		entry = table_unit(i);
		table_put(&table, i, i == 1 ? second : &entry);
	}
	parse(&parsed, &table, NULL);
	if (EXPECT_EQ(parsed.n, 3)) {
		EXPECT_EQ(parsed.unit[0].reason, UNCORE_DISCOVERY_OK);
		EXPECT_EQ(parsed.unit[2].reason, UNCORE_DISCOVERY_OK);
		reason = parsed.unit[1].reason;
	}
	parsed_free(&parsed);
	table_free(&table);
	return reason;
}

static void test_global(void)
{
	struct uncore_discovery_table global;
	struct table table;

	table_make(&table, 8, 300);
	EXPECT_EQ(uncore_pmu_discovery_table(table.data, 24, &global),
		  UNCORE_DISCOVERY_OK);
	EXPECT_EQ(global.control, TABLE_CONTROL);
	EXPECT_EQ(global.type, 1);
	EXPECT_EQ(global.access, 1);
	EXPECT_EQ(global.stride, 64);
	EXPECT_EQ(global.num_units, 300);
	EXPECT_EQ(global.length, 300 * 64 + 24);
	EXPECT_EQ(global.length, table.length);
	table_free(&table);
}

static enum uncore_discovery_reason global_reason(u64 zero, u64 one, u64 two,
						  u32 *length)
{
	struct uncore_discovery_table global;
	enum uncore_discovery_reason reason;
	u64 word[3] = { zero, one, two };

	reason = uncore_pmu_discovery_table(word, sizeof(word), &global);
	*length = global.length;
	return reason;
}

static void test_global_bad(void)
{
	const u64 good = table_word(8, 100), max = UNCORE_DISCOVERY_MAX_UNITS;
	const struct {
		u64 word[3];
		enum uncore_discovery_reason reason;
		u32 length;
	} row[] = {
		{ { good, 1, 0 }, UNCORE_DISCOVERY_OK, 100 * 64 + 24 },
		{ { 0, 1, 1 }, UNCORE_DISCOVERY_ZEROS, 0 },
		{ { good, 0, 1 }, UNCORE_DISCOVERY_ZEROS, 0 },
		{ { 0, 0, 0 }, UNCORE_DISCOVERY_ZEROS, 0 },
		{ { ~0ULL, ~0ULL, ~0ULL }, UNCORE_DISCOVERY_ONES, 0 },
		{ { ~0ULL, 1, 1 }, UNCORE_DISCOVERY_ONES, 0 },
		{ { good, ~0ULL, 1 }, UNCORE_DISCOVERY_ONES, 0 },
		{ { good, 1, ~0ULL }, UNCORE_DISCOVERY_ONES, 0 },
		{ { table_word(0, 100), 1, 0 }, UNCORE_DISCOVERY_STRIDE, 0 },
		{ { table_word(1, 100), 1, 0 }, UNCORE_DISCOVERY_STRIDE, 0 },
		{ { table_word(2, 100), 1, 0 }, UNCORE_DISCOVERY_STRIDE, 0 },
		{ { table_word(3, 100), 1, 0 }, UNCORE_DISCOVERY_OK, 2424 },
		{ { table_word(255, max), 1, 0 }, UNCORE_DISCOVERY_OK,
		  UNCORE_DISCOVERY_MAX_LENGTH },
		{ { table_word(8, 0), 1, 0 }, UNCORE_DISCOVERY_COUNT, 0 },
		{ { table_word(8, 1), 1, 0 }, UNCORE_DISCOVERY_OK, 88 },
		{ { table_word(8, max), 1, 0 }, UNCORE_DISCOVERY_OK,
		  1023 * 64 + 24 },
		{ { table_word(8, max + 1), 1, 0 }, UNCORE_DISCOVERY_COUNT, 0 },
		{ { table_word(8, 65535), 1, 0 }, UNCORE_DISCOVERY_COUNT, 0 },
		{ { table_word(0, 65535), 1, 0 }, UNCORE_DISCOVERY_STRIDE, 0 },
		/* bits that are reserved, and mean nothing here */
		{ { good | 0x3fffffffULL << 32, 1, 0 }, UNCORE_DISCOVERY_OK,
		  100 * 64 + 24 },
		{ { good, 1, ~1ULL }, UNCORE_DISCOVERY_OK, 100 * 64 + 24 },
	};
	u32 length;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		if (!EXPECT_EQ(global_reason(row[i].word[0], row[i].word[1],
					     row[i].word[2], &length),
			       row[i].reason) ||
		    !EXPECT_EQ(length, row[i].length))
			printf("# row %zu\n", i);
	}
}

static void test_global_truncated(void)
{
	struct uncore_discovery_table global;
	const u64 word[3] = { table_word(8, 100), 1, 1 };
	size_t length;
	u8 *data;

	for (length = 0; length < sizeof(word); length++) {
		data = malloc(length + 1);
		memcpy(data + 1, word, length);
		EXPECT_EQ(uncore_pmu_discovery_table(data + 1, length, &global),
			  UNCORE_DISCOVERY_TRUNCATED);
		EXPECT_EQ(global.num_units, 0);
		free(data);
	}
}

static void test_units(void)
{
	const struct uncore_discovery_unit want[] = {
		{ .control = 0x2000, .extent = 12, .type = 100,
		  .access = UNCORE_DISCOVERY_MSR, .num_counters = 4, .width = 48,
		  .control_offset = 2, .control_stride = 1,
		  .counter_offset = 8, .counter_stride = 1 },
		{ .control = 0xc8800800, .extent = 0x50, .type = 101,
		  .access = UNCORE_DISCOVERY_MMIO, .num_counters = 4, .width = 48,
		  .control_offset = 0x40, .control_stride = 4,
		  .counter_offset = 8, .counter_stride = 8 },
		{ .control = 0x7e00438, .extent = 0x58, .type = 102,
		  .access = UNCORE_DISCOVERY_PCI, .num_counters = 4, .width = 48,
		  .control_offset = 0x38, .control_stride = 8,
		  .counter_offset = 8, .counter_stride = 8 },
	};
	const struct uncore_discovery_unit *got;
	struct parsed parsed;
	struct table table;
	unsigned int i;

	good_table(&table, 8, 6);
	parse(&parsed, &table, NULL);
	EXPECT_EQ(parsed.reason, UNCORE_DISCOVERY_OK);
	EXPECT_EQ(parsed.n, 6);
	for (i = 0; i < 3; i++) {
		got = &parsed.unit[i];
		EXPECT_EQ(got->control, want[i].control);
		EXPECT_EQ(got->die, 5);
		EXPECT_EQ(got->extent, want[i].extent);
		EXPECT_EQ(got->entry, i);
		EXPECT_EQ(got->type, want[i].type);
		EXPECT_EQ(got->id, 0);
		EXPECT_EQ(got->access, want[i].access);
		EXPECT_EQ(got->num_counters, want[i].num_counters);
		EXPECT_EQ(got->width, want[i].width);
		EXPECT_EQ(got->control_offset, want[i].control_offset);
		EXPECT_EQ(got->control_stride, want[i].control_stride);
		EXPECT_EQ(got->counter_offset, want[i].counter_offset);
		EXPECT_EQ(got->counter_stride, want[i].counter_stride);
		EXPECT_EQ(got->fixed, 0);
		EXPECT_EQ(got->fixed_control, 0);
		EXPECT_EQ(got->reason, UNCORE_DISCOVERY_OK);
		EXPECT_EQ(parsed.unit[i + 3].id, 1);
		EXPECT_EQ(parsed.unit[i + 3].reason, UNCORE_DISCOVERY_OK);
	}
	parsed_free(&parsed);
	table_free(&table);
}

/* Rows of {access, counters, width, control, counter, type, id, address}. */
#define MSR(n, w, e, c, a)	{ UNCORE_DISCOVERY_MSR, n, w, e, c, 7, 1, a }
#define MMIO(n, w, e, c, a)	{ UNCORE_DISCOVERY_MMIO, n, w, e, c, 7, 1, a }
#define PCI(n, w, e, c, a)	{ UNCORE_DISCOVERY_PCI, n, w, e, c, 7, 1, a }

#define TOP	(1ULL << SOURCE_BITS)
#define PAGE	0x90000000

static const struct {
	struct entry entry;
	enum uncore_discovery_reason reason;
} field_row[] = {
	{ MMIO(4, 48, 0x40, 8, PAGE), UNCORE_DISCOVERY_OK },
	{ { 3, 4, 48, 0x40, 8, 7, 1, PAGE }, UNCORE_DISCOVERY_ACCESS },
	{ MMIO(0, 48, 0x40, 8, PAGE), UNCORE_DISCOVERY_COUNTERS },
	{ MMIO(1, 48, 0x40, 8, PAGE), UNCORE_DISCOVERY_OK },
	{ MMIO(31, 48, 4, 0x80, PAGE), UNCORE_DISCOVERY_OK },
	{ MMIO(32, 48, 4, 0x88, PAGE), UNCORE_DISCOVERY_COUNTERS },
	{ MMIO(255, 48, 4, 8, PAGE), UNCORE_DISCOVERY_COUNTERS },
	{ MMIO(4, 0, 0x40, 8, PAGE), UNCORE_DISCOVERY_WIDTH },
	{ MMIO(4, 1, 0x40, 8, PAGE), UNCORE_DISCOVERY_OK },
	{ MMIO(4, 64, 0x40, 8, PAGE), UNCORE_DISCOVERY_OK },
	{ MMIO(4, 65, 0x40, 8, PAGE), UNCORE_DISCOVERY_WIDTH },
	{ MMIO(4, 255, 0x40, 8, PAGE), UNCORE_DISCOVERY_WIDTH },
	/* control registers on unit control, counters on either */
	{ MMIO(4, 48, 0, 8, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(4, 48, 3, 8, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(4, 48, 0x40, 0, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(4, 48, 0x40, 3, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(4, 48, 0x40, 0x40, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(4, 48, 0x40, 0x28, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(4, 48, 0x40, 0x20, PAGE), UNCORE_DISCOVERY_OK },
	{ MMIO(4, 48, 0x40, 0x48, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(4, 48, 0x40, 0x50, PAGE), UNCORE_DISCOVERY_OK },
	{ MMIO(4, 48, 0xfc, 0xf8, PAGE), UNCORE_DISCOVERY_LAYOUT },
	{ MMIO(1, 48, 0xfc, 0xf0, PAGE), UNCORE_DISCOVERY_OK },
	{ MSR(4, 48, 0, 8, 0x3000), UNCORE_DISCOVERY_LAYOUT },
	{ MSR(4, 48, 1, 5, 0x3000), UNCORE_DISCOVERY_OK },
	{ MSR(4, 48, 1, 4, 0x3000), UNCORE_DISCOVERY_LAYOUT },
	{ PCI(4, 48, 0x28, 8, 0x7d00400), UNCORE_DISCOVERY_OK },
	{ PCI(4, 48, 0x24, 8, 0x7d00400), UNCORE_DISCOVERY_LAYOUT },
	/* alignment */
	{ MMIO(4, 48, 0x40, 8, PAGE + 1), UNCORE_DISCOVERY_ALIGNMENT },
	{ MMIO(4, 48, 0x40, 8, PAGE + 2), UNCORE_DISCOVERY_ALIGNMENT },
	{ MMIO(4, 48, 0x40, 8, PAGE + 4), UNCORE_DISCOVERY_ALIGNMENT },
	{ MMIO(4, 33, 0x40, 8, PAGE + 4), UNCORE_DISCOVERY_ALIGNMENT },
	{ MMIO(4, 32, 0x40, 8, PAGE + 4), UNCORE_DISCOVERY_OK },
	{ MMIO(4, 48, 0x40, 12, PAGE + 4), UNCORE_DISCOVERY_OK },
	{ MMIO(4, 48, 0x40, 12, PAGE), UNCORE_DISCOVERY_ALIGNMENT },
	{ MMIO(4, 32, 0x40, 10, PAGE + 2), UNCORE_DISCOVERY_ALIGNMENT },
	{ MMIO(4, 48, 0x42, 8, PAGE), UNCORE_DISCOVERY_ALIGNMENT },
	{ MMIO(4, 32, 0x40, 9, PAGE), UNCORE_DISCOVERY_ALIGNMENT },
	{ PCI(4, 48, 0x38, 8, 0x7d00404), UNCORE_DISCOVERY_OK },
	{ PCI(4, 48, 0x38, 8, 0x7d00402), UNCORE_DISCOVERY_ALIGNMENT },
	{ PCI(4, 48, 0x38, 9, 0x7d00400), UNCORE_DISCOVERY_ALIGNMENT },
	{ MSR(4, 48, 3, 9, 0x3001), UNCORE_DISCOVERY_OK },
	/* addresses: the last byte or register that there is */
	{ MMIO(4, 48, 0x40, 8, TOP - 0x50), UNCORE_DISCOVERY_OK },
	{ MMIO(4, 48, 0x40, 8, TOP - 0x48), UNCORE_DISCOVERY_ADDRESS },
	{ MMIO(4, 48, 0x40, 8, TOP), UNCORE_DISCOVERY_ADDRESS },
	{ MMIO(4, 48, 0x40, 8, ~7ULL), UNCORE_DISCOVERY_ADDRESS },
	{ MMIO(4, 48, 0x40, 8, 8), UNCORE_DISCOVERY_OK },
	{ MSR(4, 48, 2, 8, 0xfffffff3), UNCORE_DISCOVERY_OK },
	{ MSR(4, 48, 2, 8, 0xfffffff4), UNCORE_DISCOVERY_ADDRESS },
	{ MSR(4, 48, 2, 8, 0x100000000), UNCORE_DISCOVERY_ADDRESS },
	{ PCI(4, 48, 0x38, 8, 0x7ffff100), UNCORE_DISCOVERY_OK },
	{ PCI(4, 48, 0x38, 8, 0x80000100), UNCORE_DISCOVERY_ADDRESS },
	{ PCI(4, 48, 0x38, 8, 1ULL << 63 | 64), UNCORE_DISCOVERY_ADDRESS },
	{ PCI(4, 48, 0x38, 8, 0x7d000fc), UNCORE_DISCOVERY_HEADER },
	{ PCI(4, 48, 0x38, 8, 0x7d0003c), UNCORE_DISCOVERY_HEADER },
	{ PCI(4, 48, 0x38, 8, 0x7d00004), UNCORE_DISCOVERY_HEADER },
	{ PCI(4, 48, 0x38, 8, 0x7d00fa8), UNCORE_DISCOVERY_OK },
	{ PCI(4, 48, 0x38, 8, 0x7d00fac), UNCORE_DISCOVERY_RANGE },
	/* the table itself */
	{ MMIO(4, 48, 0x40, 8, SOURCE_ADDRESS), UNCORE_DISCOVERY_TABLE },
	{ MMIO(4, 48, 0x40, 8, SOURCE_ADDRESS - 0x50),
	  UNCORE_DISCOVERY_OK },
	{ MMIO(4, 48, 0x40, 8, SOURCE_ADDRESS - 0x48),
	  UNCORE_DISCOVERY_TABLE },
	{ MMIO(4, 48, 0x40, 8, SOURCE_ADDRESS + 3 * 64 + 16),
	  UNCORE_DISCOVERY_TABLE },
	{ MMIO(4, 48, 0x40, 8, SOURCE_ADDRESS + 3 * 64 + 24),
	  UNCORE_DISCOVERY_OK },
};

static void test_fields(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(field_row); i++)
		if (!EXPECT_EQ(bad_unit(&field_row[i].entry),
			       field_row[i].reason))
			printf("# row %zu, address %" PRIx64 "\n", i,
			       field_row[i].entry.control);
}

/* What becomes of a unit of which words read as zeros or as ones. */
static void test_words(void)
{
	const struct {
		unsigned int words;	/* bit mask */
		u64 value;
		unsigned int n;
		enum uncore_discovery_reason reason;
		u16 type;
	} row[] = {
		{ 7, 0, 2, 0, 0 },
		{ 3, 0, 2, 0, 0 },
		{ 1, 0, 3, UNCORE_DISCOVERY_ZEROS, 101 },
		{ 2, 0, 3, UNCORE_DISCOVERY_ZEROS, 101 },
		{ 4, 0, 3, UNCORE_DISCOVERY_OK, 0 },
		{ 7, ~0ULL, 3, UNCORE_DISCOVERY_ONES, 0xffff },
		{ 1, ~0ULL, 3, UNCORE_DISCOVERY_ONES, 101 },
		{ 2, ~0ULL, 3, UNCORE_DISCOVERY_ONES, 101 },
		{ 4, ~0ULL, 3, UNCORE_DISCOVERY_ONES, 0xffff },
	};
	struct parsed parsed;
	struct table table;
	unsigned int word;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		good_table(&table, 8, 3);
		for (word = 0; word < 3; word++)
			if (row[i].words & 1 << word)
				table_set(&table, 1, word, row[i].value);
		parse(&parsed, &table, NULL);
		if (!EXPECT_EQ(parsed.n, row[i].n))
			printf("# row %zu\n", i);
		EXPECT_EQ(parsed.unit[0].reason, UNCORE_DISCOVERY_OK);
		EXPECT_EQ(parsed.unit[parsed.n - 1].reason, UNCORE_DISCOVERY_OK);
		EXPECT_EQ(parsed.unit[parsed.n - 1].entry, 2);
		if (row[i].n == 3) {
			EXPECT_EQ(parsed.unit[1].entry, 1);
			EXPECT_EQ(parsed.unit[1].reason, row[i].reason);
			EXPECT_EQ(parsed.unit[1].type, row[i].type);
		}
		parsed_free(&parsed);
		table_free(&table);
	}
}

/* A table of which the hardware has less than the table says. */
static void test_truncated(void)
{
	struct parsed parsed;
	struct table table;
	unsigned int i, whole;
	size_t length, full;

	good_table(&table, 8, 5);
	full = table.length;
	for (length = 24; length <= full; length++) {
		table.length = length;
		parse(&parsed, &table, NULL);
		whole = (length - 24) / 64;
		EXPECT_EQ(parsed.n, 5);
		for (i = 0; i < 5; i++) {
			EXPECT_EQ(parsed.unit[i].reason,
				  i < whole ? UNCORE_DISCOVERY_OK :
					      UNCORE_DISCOVERY_TRUNCATED);
			EXPECT_EQ(parsed.unit[i].entry, i);
			EXPECT_EQ(parsed.unit[i].type,
				  i < whole ? 100 + i % 3 : 0xffff);
		}
		parsed_free(&parsed);
	}
	table_free(&table);
}

/* Each byte of an entry with each value: the neighbours are not disturbed. */
static void test_bytes(void)
{
	unsigned int byte, value, reasons[UNCORE_DISCOVERY_REASONS] = { 0 };
	struct parsed parsed;
	struct table table;

	for (byte = 0; byte < 24; byte++) {
		for (value = 0; value < 256; value++) {
			good_table(&table, 3, 3);
			table.data[2 * 24 + byte] = value;
			parse(&parsed, &table, NULL);
			if (!EXPECT_EQ(parsed.n, 3))
				break;
			reasons[parsed.unit[1].reason]++;
			EXPECT_EQ(parsed.unit[0].reason, UNCORE_DISCOVERY_OK);
			EXPECT_EQ(parsed.unit[2].reason, UNCORE_DISCOVERY_OK);
			parsed_free(&parsed);
			table_free(&table);
		}
	}
	EXPECT(reasons[UNCORE_DISCOVERY_OK] > 2000);
	EXPECT_EQ(reasons[UNCORE_DISCOVERY_ACCESS], 64);
	/* 0, and 32 to 255; more than 15 first lie on the control registers */
	EXPECT_EQ(reasons[UNCORE_DISCOVERY_COUNTERS], 1 + 224);
	EXPECT_EQ(reasons[UNCORE_DISCOVERY_WIDTH], 1 + 191);
	EXPECT_EQ(reasons[UNCORE_DISCOVERY_LAYOUT] > 0, 1);
	EXPECT_EQ(reasons[UNCORE_DISCOVERY_ALIGNMENT] > 0, 1);
	EXPECT_EQ(reasons[UNCORE_DISCOVERY_ADDRESS] > 0, 1);
	EXPECT_EQ(reasons[UNCORE_DISCOVERY_DUPLICATE], 0);
}

static void test_bar(void)
{
	u32 bar;

	for (bar = 0; bar < 6; bar++)
		EXPECT_EQ(uncore_pmu_discovery_bar(0x00010001, bar), bar);
	EXPECT_EQ(uncore_pmu_discovery_bar(1, 6), -EINVAL);
	EXPECT_EQ(uncore_pmu_discovery_bar(1, 7), -EINVAL);
	EXPECT_EQ(uncore_pmu_discovery_bar(1, 8), -EINVAL);
	EXPECT_EQ(uncore_pmu_discovery_bar(1, ~0U), -EINVAL);
	EXPECT_EQ(uncore_pmu_discovery_bar(0, 0), -ENOENT);
	EXPECT_EQ(uncore_pmu_discovery_bar(2, 0), -ENOENT);
	EXPECT_EQ(uncore_pmu_discovery_bar(~0U, ~0U), -ENOENT);
}

static void test_reasons(void)
{
	const char *text;
	int i, k;

	for (i = 0; i < UNCORE_DISCOVERY_REASONS; i++) {
		text = uncore_pmu_discovery_reason(i);
		EXPECT(text && *text);
		for (k = 0; text && k < i; k++)
			EXPECT(strcmp(text, uncore_pmu_discovery_reason(k)));
	}
	EXPECT_STR(uncore_pmu_discovery_reason(UNCORE_DISCOVERY_REASONS),
		   "unknown");
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "global state is read", test_global },
		{ "global state out of range", test_global_bad },
		{ "global state truncated", test_global_truncated },
		{ "units of each access are read", test_units },
		{ "each field out of range in turn", test_fields },
		{ "words that read as zeros or ones", test_words },
		{ "truncated after each byte", test_truncated },
		{ "each value of each byte of an entry", test_bytes },
		{ "base register from DVSEC", test_bar },
		{ "reasons in words", test_reasons },
	};

	return tap_run(test, ARRAY_SIZE(test));
}
