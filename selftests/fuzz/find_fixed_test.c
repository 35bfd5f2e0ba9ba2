// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * Units at fixed addresses, kmod/find_fixed.c and kmod/platforms_fixed.c as they
 * are: the simulated machine has no such addresses, which need 45 bits.
 */
#include <string.h>

#include "find_fixed.c"
#include "platforms_fixed.c"
#include "tap.h"

#define ITC	0x30
#define ROOM	32U

static struct uncore_unit units[ROOM];
static u64 place[ROOM];
static const struct uncore_platform diamond_rapids = {
	.name = "diamond-rapids", .fixed = &uncore_pmu_dmr_fixed,
};
static const struct uncore_layout memory = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
};
static const struct uncore_layout config = {
	.access = UNCORE_PMU_ACCESS_CONFIG,
};
static const struct uncore_type itc = { .name = "itc", .layout = &memory };
static const struct uncore_type itc_config = {
	.name = "itc", .layout = &config,
};
static struct uncore_finder finder;

bool uncore_pmu_is_mmio(const struct uncore_unit *unit)
{
	return unit->type->layout->access == UNCORE_PMU_ACCESS_MMIO64;
}

struct uncore_unit *uncore_pmu_add_unit(struct uncore_finder *to,
					const struct uncore_type *type,
					u32 rank, u16 instance)
{
	struct uncore_unit *unit = &to->unit[to->count];

	if (to->count == to->room)
		return ERR_PTR(-E2BIG);
	to->count++;
	*unit = (struct uncore_unit) {
		.type = type, .rank = rank, .instance = instance, .die = -1,
	};
	return unit;
}

void uncore_pmu_set_die(struct uncore_unit *unit, int die)
{
	unit->die = die;
}

void uncore_pmu_mmio_set(struct uncore_finder *to, struct uncore_unit *unit,
			 u64 base, s64 offset)
{
	EXPECT(to == &finder);
	EXPECT(!unit->pdev);
	place[unit - units] = base + offset;
}

static void reset(void)
{
	finder = (struct uncore_finder) {
		.platform = &diamond_rapids, .unit = units, .room = ROOM,
	};
}

static void add(const struct uncore_type *type, u32 rank, u16 instance, int die)
{
	struct uncore_unit *unit;

	unit = uncore_pmu_add_unit(&finder, type, UNCORE_RANK_DISCOVERY + rank,
				   instance);
	unit->die = die;
}

/* How many were found, which must be the last @n with numbers from 0 on. */
static unsigned int find(int die)
{
	unsigned int before = finder.count, i;

	EXPECT_EQ(uncore_pmu_find_fixed(&finder), 0);
	for (i = before; i < finder.count; i++) {
		EXPECT_STR(units[i].type->name, "iio_free_running");
		EXPECT_EQ(units[i].instance, i - before);
		EXPECT_EQ(units[i].rank, 0);
		EXPECT_EQ(units[i].die, die);
	}
	return finder.count - before;
}

/* Where mainline maps each box, and the offset of what is mapped here. */
static void test_places(void)
{
	static const u64 box[] = {
		0x1ffff6ae7000, 0x1ffff6aef000, 0x1ffff6aff000, 0x1ffff6b07000,
	};
	unsigned int i;

	reset();
	for (i = 0; i < 4; i++)
		add(&itc, ITC, i, 0);
	EXPECT_EQ(find(0), 4);
	for (i = 0; i < 4; i++)
		EXPECT_EQ(place[4 + i], box[i] + 0x4000);
}

/* As many as there are units of the other type, at most four. */
static void test_count(void)
{
	reset();
	EXPECT_EQ(find(-1), 0);

	reset();
	add(&itc, ITC + 1, 3, 0);
	add(&itc_config, ITC, 3, 0);
	EXPECT_EQ(find(-1), 0);

	reset();
	add(&itc, ITC, 2, 0);
	EXPECT_EQ(find(0), 3);

	/* Those of the second die of a package count from 8000 on. */
	reset();
	add(&itc, ITC, 0x7fff, 0);
	EXPECT_EQ(find(0), 4);
	reset();
	add(&itc, ITC, 0x8000, 0);
	EXPECT_EQ(find(-1), 0);
	add(&itc, ITC, 0, 0);
	EXPECT_EQ(find(0), 1);
}

static void test_die(void)
{
	reset();
	add(&itc, ITC, 0, 1);
	add(&itc, ITC, 1, 1);
	EXPECT_EQ(find(1), 2);

	reset();
	add(&itc, ITC, 0, 0);
	add(&itc, ITC, 1, 1);
	EXPECT_EQ(find(-1), 2);
	reset();
	add(&itc, ITC, 0, -1);
	add(&itc, ITC, 1, 1);
	EXPECT_EQ(find(-1), 2);
}

static void test_limits(void)
{
	static const struct uncore_platform none = { .name = "none" };

	reset();
	add(&itc, ITC, 3, 0);
	finder.room = 3;
	EXPECT_EQ(uncore_pmu_find_fixed(&finder), -E2BIG);
	EXPECT_EQ(finder.count, 3);
	reset();
	add(&itc, ITC, 3, 0);
	finder.platform = &none;
	EXPECT_EQ(uncore_pmu_find_fixed(&finder), 0);
	EXPECT_EQ(finder.count, 1);
}

/* Taken once more from mainline: first register, distance, number, bits. */
static void test_counters(void)
{
	static const struct {
		const char *name;
		u32 offset;
		unsigned int n;
		u8 scale;
		u8 quantity;
	} rows[] = {
		{ "inb_data_port", 0x4d40, 8, 4, UNCORE_PMU_QUANTITY_BYTES },
		{ "bw_in_port", 0x6b00, 8, 4, UNCORE_PMU_QUANTITY_BYTES },
		{ "bw_out_port", 0x6b60, 8, 4, UNCORE_PMU_QUANTITY_BYTES },
		{ "clockticks", 0x6bb0, 1, 1, UNCORE_PMU_QUANTITY_CYCLES },
	};
	const struct uncore_layout *layout = uncore_pmu_dmr_fixed.type->layout;
	const struct uncore_free_running *free = layout->free;
	char name[UNCORE_PMU_NAME_LEN];
	unsigned int row, i;

	EXPECT_EQ(layout->num_free, 25);
	EXPECT_EQ(layout->num_counters, 0);
	EXPECT_EQ(layout->access, UNCORE_PMU_ACCESS_MMIO64);
	for (row = 0; row < ARRAY_SIZE(rows); row++) {
		for (i = 0; i < rows[row].n; i++, free++) {
			EXPECT((unsigned int)
			       snprintf(name, sizeof(name),
					rows[row].n > 1 ? "%s%u" : "%s",
					rows[row].name, i) < sizeof(name));
			EXPECT_STR(free->name, name);
			EXPECT_EQ(0x4000 + free->offset,
				  rows[row].offset + 8 * i);
			EXPECT_EQ(free->width, 48);
			EXPECT_EQ(free->scale, rows[row].scale);
			EXPECT_EQ(free->quantity, rows[row].quantity);
		}
	}
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "places", test_places },
		{ "how many there are", test_count },
		{ "whose they are", test_die },
		{ "no room, and no such units", test_limits },
		{ "counters", test_counters },
	};

	return tap_run(test, sizeof(test) / sizeof(test[0]));
}
