// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a read costs, in instructions, counted by single steps. The same bounds
 * as those that "uncorectl bench" shows in the simulated machine.
 *
 * Test: where=host
 */
#include "harness.h"

#include <uncore.h>

#include "trace.h"

#define GROUP	8

struct scene {
	struct uncore_counter counter[GROUP];
	const volatile uint32_t *address[GROUP];
	struct uncore_group group;
	uint64_t value[GROUP];
	uint32_t low[GROUP];
	uint64_t reg[GROUP];
};

#define READER(name)	static __attribute__((noinline)) uint64_t name(void *p)

static inline __attribute__((always_inline)) uint64_t
bare_pair(const volatile uint32_t *half)
{
	uint32_t high, low;

	do {
		high = half[1];
		low = half[0];
	} while (high != half[1]);
	return (uint64_t)(high & 0xffff) << 32 | low;
}

READER(nothing)
{
	uint64_t nothing;

	(void)p;
	__asm__ volatile("" : "=r"(nothing));
	return nothing;
}

READER(library_read)
{
	return uncore_read(&((struct scene *)p)->counter[0]);
}

READER(library_pair)
{
	return uncore_load_counter(&((struct scene *)p)->counter[0],
				   UNCORE_LOAD_PAIR);
}

READER(library_64)
{
	return uncore_load_counter(&((struct scene *)p)->counter[0],
				   UNCORE_LOAD_64);
}

READER(library_low)
{
	return uncore_read_low(&((struct scene *)p)->counter[0]);
}

READER(library_group)
{
	struct scene *scene = p;

	uncore_group_read(&scene->group, scene->value);
	return 0;
}

READER(library_group_low)
{
	struct scene *scene = p;

	uncore_group_read_low(&scene->group, scene->low);
	return 0;
}

READER(bare_group)
{
	struct scene *scene = p;
	int i;

	for (i = 0; i < GROUP; i++)
		scene->value[i] = bare_pair(scene->address[i]);
	return 0;
}

READER(bare_unrolled)
{
	struct scene *scene = p;

	scene->value[0] = bare_pair(scene->address[0]);
	scene->value[1] = bare_pair(scene->address[1]);
	scene->value[2] = bare_pair(scene->address[2]);
	scene->value[3] = bare_pair(scene->address[3]);
	scene->value[4] = bare_pair(scene->address[4]);
	scene->value[5] = bare_pair(scene->address[5]);
	scene->value[6] = bare_pair(scene->address[6]);
	scene->value[7] = bare_pair(scene->address[7]);
	return 0;
}

FIXTURE(cost)
{
	struct scene scene;
};

FIXTURE_SETUP(cost)
{
	int i;

	for (i = 0; i < GROUP; i++) {
		struct uncore_counter *counter = &self->scene.counter[i];

		counter->address = (const uint32_t *)&self->scene.reg[i];
		counter->width = 48;
		counter->mask = UINT64_MAX >> 16;
		counter->high_mask = 0xffff;
		counter->load = UNCORE_LOAD_PAIR;
		counter->way = 1;
		self->scene.address[i] = counter->address;
	}
	ASSERT_EQ(0, uncore_group_init(&self->scene.group, self->scene.counter,
				       GROUP));
	ASSERT_EQ(0, trace_count(nothing, &self->scene));
}

FIXTURE_TEARDOWN(cost)
{
}

TEST_F(cost, pair)
{
	long read = trace_count(library_read, &self->scene);
	long known = trace_count(library_pair, &self->scene);

	TH_LOG("read %ld, with known loads %ld", read, known);
	EXPECT_LE(read, 10);
	EXPECT_LE(known, 8);
	EXPECT_LT(6, known);
}

TEST_F(cost, mmio)
{
	long count = trace_count(library_64, &self->scene);

	struct uncore_counter *counter = &self->scene.counter[0];
	long read, half;

	counter->way = 0;
	counter->load = UNCORE_LOAD_64;
	read = trace_count(library_read, &self->scene);
	counter->load = UNCORE_LOAD_32;
	half = trace_count(library_read, &self->scene);
	TH_LOG("64-bit load %ld, read %ld, of 32 bits %ld", count, read, half);
	EXPECT_LE(count, 4);
	EXPECT_LT(1, count);
	EXPECT_LE(read, 8);
	EXPECT_LE(half, 10);
}

TEST_F(cost, low_half)
{
	long count = trace_count(library_low, &self->scene);

	TH_LOG("low half %ld", count);
	EXPECT_LE(count, 5);
}

TEST_F(cost, group)
{
	long group = trace_count(library_group, &self->scene);
	long low = trace_count(library_group_low, &self->scene);
	long bare = trace_count(bare_group, &self->scene);
	long unrolled = trace_count(bare_unrolled, &self->scene);

	TH_LOG("group of 8: %ld, low %ld; bare in a loop %ld, written out %ld",
	       group, low, bare, unrolled);
	/* Some compilers write the loop out, with constants all over. */
	EXPECT_TRUE(group * 100 <= bare * 105 || group <= 11 * GROUP);
	EXPECT_LE(low, 6 * GROUP);
}

TEST_HARNESS_MAIN
