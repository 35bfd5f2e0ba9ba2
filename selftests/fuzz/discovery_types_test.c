// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * Names of unit types, and what the tables of a platform are wrong about.
 */
#include <stdlib.h>

#include <linux/uncore_pmu.h>

#include "parse.h"
#include "tap.h"

#define SPR	(&uncore_pmu_discovery_spr)
#define GNR	(&uncore_pmu_discovery_gnr)
#define DMR	(&uncore_pmu_discovery_dmr)
#define PTL	(&uncore_pmu_discovery_ptl)

static void test_names(void)
{
	static const struct {
		const struct uncore_discovery_platform *platform;
		const char *names;	/* of the types from 0 on */
	} row[] = {
		{ SPR, "cha iio irp m2pcie pcu type_5 imc m2m upi m3upi type_10 mdf "
		  "cxlcm cxldp hbm type_15" },
		{ GNR, "cha iio irp type_3 pcu ubox imc type_7 upi type_9 type_10 "
		  "type_11 cxlcm cxldp type_14 b2hot b2cmi b2cxl b2upi type_19 "
		  "mdf_sbo pciex16 pciex8 type_23" },
		{ DMR, "type_0 type_1 type_2 type_3 pcu ubox imc type_7 type_8 "
		  "type_9 type_10 type_11 type_12 type_13 type_14 type_15 type_16 "
		  "type_17 type_18 type_19 type_20 type_21 type_22 sca cxlcm type_25 "
		  "type_26 type_27 type_28 type_29 hamvf cbo santa cncu sncu ula "
		  "dda type_37 sbo type_39 type_40 type_41 type_42 ubr type_44 pcie4 "
		  "crs cpc itc otc cms pcie6 type_52" },
		{ NULL, "type_0 type_1" },
	};
	char buffer[UNCORE_PMU_TYPE_LEN], *names, *name, *rest;
	unsigned int i, type;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		names = rest = strdup(row[i].names);
		for (type = 0; (name = strtok_r(rest, " ", &rest)); type++)
			EXPECT_STR(uncore_pmu_discovery_name(row[i].platform,
							     type, buffer,
							     sizeof(buffer)),
				   name);
		if (row[i].platform)
			EXPECT_EQ(row[i].platform->num_types, type - 1);
		free(names);
	}
	EXPECT_STR(uncore_pmu_discovery_name(SPR, 65535, buffer,
					     sizeof(buffer)), "type_65535");
	EXPECT_STR(uncore_pmu_discovery_name(PTL, 6, buffer, sizeof(buffer)),
		   "imc");
	EXPECT_STR(uncore_pmu_discovery_name(PTL, 34, buffer, sizeof(buffer)),
		   "sncu");
	EXPECT_STR(uncore_pmu_discovery_name(PTL, 41, buffer, sizeof(buffer)),
		   "hbo");
}

static void test_fits(void)
{
	static const struct uncore_discovery_platform *const platform[] = {
		SPR, GNR, DMR, PTL,
	};
	const struct uncore_discovery_type *type, *other;
	unsigned int i, k, m;

	for (i = 0; i < ARRAY_SIZE(platform); i++) {
		for (k = 0; k < platform[i]->num_types; k++) {
			type = uncore_pmu_discovery_type(platform[i], k);
			if (!type)
				continue;
			EXPECT(strlen(type->name) < UNCORE_PMU_TYPE_LEN);
			for (m = 0; m < k; m++) {
				other = uncore_pmu_discovery_type(platform[i],
								  m);
				EXPECT(!other || strcmp(type->name,
							other->name));
			}
		}
	}
}

static void test_places(void)
{
	EXPECT_EQ(SPR->device, 0x09a7);
	EXPECT_EQ(SPR->msr, 0);
	EXPECT_EQ(GNR->device, 0x09a7);
	EXPECT_EQ(GNR->msr, 0);
	EXPECT_EQ(DMR->device, 0x09a1);
	EXPECT_EQ(DMR->msr, 0x710);
	EXPECT_EQ(PTL->device, 0);
	EXPECT_EQ(PTL->msr, 0x201e);
}

/* The control registers and the fixed counter of a unit of that type. */
static void expect_unit(const struct uncore_discovery_platform *platform,
			u16 type, unsigned int control_offset,
			unsigned int control_stride, unsigned int fixed,
			unsigned int fixed_control, unsigned int extent)
{
	struct entry entry = table_unit(1);
	struct parsed parsed;
	struct table table;

	entry.type = type;
	entry.control_offset = control_offset;
	table_make(&table, 8, 1);
	table_put(&table, 0, &entry);
	parse(&parsed, &table, platform);
	EXPECT_EQ(parsed.n, 1);
	EXPECT_EQ(parsed.unit[0].reason, UNCORE_DISCOVERY_OK);
	EXPECT_EQ(parsed.unit[0].control_stride, control_stride);
	EXPECT_EQ(parsed.unit[0].counter_stride, 8);
	EXPECT_EQ(parsed.unit[0].fixed, fixed);
	EXPECT_EQ(parsed.unit[0].fixed_control, fixed_control);
	EXPECT_EQ(parsed.unit[0].extent, extent);
	parsed_free(&parsed);
	table_free(&table);
}

static void test_layouts(void)
{
	expect_unit(SPR, 6, 0x40, 4, 0x38, 0x54, 0x58);
	expect_unit(GNR, 6, 0x40, 4, 0x38, 0x54, 0x58);
	expect_unit(NULL, 6, 0x40, 4, 0, 0, 0x50);
	expect_unit(PTL, 6, 0x40, 4, 0, 0, 0x50);
	expect_unit(SPR, 14, 0x40, 4, 0, 0, 0x50);
	expect_unit(SPR, 12, 0x40, 8, 0, 0, 0x60);
	expect_unit(SPR, 13, 0x40, 8, 0, 0, 0x60);
	expect_unit(GNR, 12, 0x40, 8, 0, 0, 0x60);
	expect_unit(GNR, 13, 0x40, 8, 0, 0, 0x60);
	expect_unit(GNR, 17, 0x40, 8, 0, 0, 0x60);
	expect_unit(SPR, 17, 0x40, 4, 0, 0, 0x50);
	expect_unit(DMR, 24, 0x40, 4, 0, 0, 0x50);
}

/* Counters that would lie on the fixed one, which the table does not mention. */
static void test_fixed_overlap(void)
{
	static const struct {
		u8 counters, control, counter;
		u16 type;
		enum uncore_discovery_reason reason;
	} row[] = {
		{ 4, 0x40, 0x08, 6, UNCORE_DISCOVERY_OK },
		{ 6, 0x60, 0x08, 6, UNCORE_DISCOVERY_OK },
		{ 7, 0x60, 0x08, 6, UNCORE_DISCOVERY_LAYOUT },
		{ 7, 0x60, 0x08, 7, UNCORE_DISCOVERY_OK },
		{ 5, 0x40, 0x08, 6, UNCORE_DISCOVERY_OK },
		{ 6, 0x40, 0x08, 6, UNCORE_DISCOVERY_LAYOUT },
		{ 1, 0x54, 0x08, 6, UNCORE_DISCOVERY_LAYOUT },
		{ 1, 0x3c, 0x08, 6, UNCORE_DISCOVERY_LAYOUT },
	};
	struct parsed parsed;
	struct table table;
	struct entry entry;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		entry = table_unit(1);
		entry.counters = row[i].counters;
		entry.control_offset = row[i].control;
		entry.counter_offset = row[i].counter;
		entry.type = row[i].type;
		table_make(&table, 8, 1);
		table_put(&table, 0, &entry);
		parse(&parsed, &table, SPR);
		if (!EXPECT_EQ(parsed.unit[0].reason, row[i].reason))
			printf("# row %u\n", i);
		parsed_free(&parsed);
		table_free(&table);
	}
}

static void test_quirks(void)
{
	const struct uncore_discovery_quirk *quirk;

	quirk = uncore_pmu_discovery_quirk(SPR, 8);
	if (EXPECT(quirk)) {
		EXPECT_EQ(quirk->ignore, true);
		EXPECT_EQ(quirk->device, 0x3241);
		EXPECT_EQ(quirk->first, 1);
		EXPECT_EQ(quirk->function, 1);
		EXPECT_EQ(quirk->control, 0x318);
		EXPECT_EQ(quirk->control + quirk->control_offset, 0x350);
		EXPECT_EQ(quirk->control + quirk->counter_offset, 0x320);
		EXPECT_EQ(quirk->num_counters, 4);
		EXPECT_EQ(quirk->width, 48);
	}
	quirk = uncore_pmu_discovery_quirk(SPR, 9);
	if (EXPECT(quirk)) {
		EXPECT_EQ(quirk->ignore, true);
		EXPECT_EQ(quirk->device, 0x3246);
		EXPECT_EQ(quirk->first, 5);
		EXPECT_EQ(quirk->function, 1);
		EXPECT_EQ(quirk->control, 0xa0);
		EXPECT_EQ(quirk->control + quirk->control_offset, 0xd8);
		EXPECT_EQ(quirk->control + quirk->counter_offset, 0xa8);
		EXPECT_EQ(quirk->num_counters, 4);
		EXPECT_EQ(quirk->width, 48);
	}
	quirk = uncore_pmu_discovery_quirk(SPR, 0);
	if (EXPECT(quirk)) {
		EXPECT_EQ(quirk->ignore, false);
		EXPECT_EQ(quirk->device, 0);
		EXPECT_EQ(quirk->count_msr, 0x2ffe);
	}
	EXPECT(!uncore_pmu_discovery_quirk(SPR, 6));
	EXPECT(!uncore_pmu_discovery_quirk(GNR, 8));
	EXPECT(!uncore_pmu_discovery_quirk(NULL, 8));
	quirk = uncore_pmu_discovery_quirk(DMR, 0x13);
	EXPECT(quirk && quirk->ignore && !quirk->device);
	quirk = uncore_pmu_discovery_quirk(DMR, 0x25);
	EXPECT(quirk && quirk->ignore && !quirk->device);
}

/* Firmware counts them wrongly, but what is there is not ignored. */
static void test_cha(void)
{
	struct entry entry = table_unit(0);
	struct parsed parsed;
	struct table table;

	entry.type = 0;
	table_make(&table, 8, 1);
	table_put(&table, 0, &entry);
	parse(&parsed, &table, SPR);
	EXPECT_EQ(parsed.n, 1);
	EXPECT_EQ(parsed.unit[0].reason, UNCORE_DISCOVERY_OK);
	parsed_free(&parsed);
	table_free(&table);
}

/*
 * The table of a Sapphire Rapids with three links: the third has the address of
 * a function that does not exist, in this case in no bus at all, and all M3UPI
 * that of the first.
 */
static void test_broken_upi(void)
{
	struct uncore_discovery_unit *unit;
	struct entry entry;
	struct parsed parsed;
	struct table table;
	unsigned int i, k;
	static const struct {
		const struct uncore_discovery_platform *platform;
		enum uncore_discovery_reason upi, third, m3upi;
	} row[] = {
		{ SPR, UNCORE_DISCOVERY_REPLACED, UNCORE_DISCOVERY_REPLACED,
		  UNCORE_DISCOVERY_REPLACED },
		{ GNR, UNCORE_DISCOVERY_OK, UNCORE_DISCOVERY_ADDRESS,
		  UNCORE_DISCOVERY_OVERLAP },
	};

	table_make(&table, 8, 7);
	for (i = 0; i < 3; i++) {
		entry = table_unit(2);
		entry.type = 8;
		entry.id = i;
		entry.control = i < 2 ? 0x7e09318 + 0x8000 * i : 0xfffe09318;
		table_put(&table, i, &entry);
		entry.type = 9;
		entry.control = 0x7e291a0;
		table_put(&table, 3 + i, &entry);
	}
	entry = table_unit(1);
	entry.type = 6;
	table_put(&table, 6, &entry);

	for (k = 0; k < ARRAY_SIZE(row); k++) {
		parse(&parsed, &table, row[k].platform);
		check(&parsed, 1);
		if (EXPECT_EQ(parsed.n, 7)) {
			unit = parsed.unit;
			EXPECT_EQ(unit[0].reason, row[k].upi);
			EXPECT_EQ(unit[1].reason, row[k].upi);
			EXPECT_EQ(unit[2].reason, row[k].third);
			for (i = 3; i < 6; i++)
				EXPECT_EQ(unit[i].reason, row[k].m3upi);
			EXPECT_EQ(unit[6].reason, UNCORE_DISCOVERY_OK);
		}
		parsed_free(&parsed);
	}
	table_free(&table);
}

/* A type that is ignored is so even if its entry makes no sense. */
static void test_ignored(void)
{
	struct parsed parsed;
	struct table table;

	good_table(&table, 8, 3);
	table_set(&table, 0, 0, ~0ULL);
	table_set(&table, 0, 2, 0x13);
	table_set(&table, 1, 1, 0);
	table_set(&table, 1, 2, 0x70000 | 0x25);
	parse(&parsed, &table, DMR);
	EXPECT_EQ(parsed.n, 3);
	EXPECT_EQ(parsed.unit[0].reason, UNCORE_DISCOVERY_REPLACED);
	EXPECT_EQ(parsed.unit[0].type, 0x13);
	EXPECT_EQ(parsed.unit[1].reason, UNCORE_DISCOVERY_REPLACED);
	EXPECT_EQ(parsed.unit[1].type, 0x25);
	EXPECT_EQ(parsed.unit[1].id, 7);
	EXPECT_EQ(parsed.unit[2].reason, UNCORE_DISCOVERY_OK);
	parsed_free(&parsed);
	table_free(&table);
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "names of unit types", test_names },
		{ "names are unique and fit", test_fits },
		{ "where the tables are", test_places },
		{ "layouts that tables do not tell", test_layouts },
		{ "counters on a fixed counter", test_fixed_overlap },
		{ "quirks", test_quirks },
		{ "CHAs are not ignored", test_cha },
		{ "broken UPI and M3UPI", test_broken_upi },
		{ "ignored types", test_ignored },
	};

	return tap_run(test, ARRAY_SIZE(test));
}
