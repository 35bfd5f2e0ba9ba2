// SPDX-License-Identifier: GPL-2.0-only
/*
 * A counter in two halves is never read torn, wherever between the loads it
 * changes: the reader runs in single steps, and the counter changes after each
 * instruction in turn. A reader that does it wrong shows that this would tell.
 *
 * Test: where=host timeout=120
 */
#include "harness.h"

#include <uncore.h>

#include "internal.h"
#include "trace.h"

#define GROUP	9
#define STEPS	4000

/* The library's symbol, which the inline function hides. */
uint64_t read_symbol(const struct uncore_counter *counter)
	__asm__("uncore_read");
void group_symbol(const struct uncore_group *group, uint64_t *values)
	__asm__("uncore_group_read");

struct scene {
	struct uncore_counter counter[GROUP];
	struct uncore_group group;
	uint64_t value[GROUP];
	uint32_t half[2 * GROUP];
};

static __attribute__((noinline)) uint64_t read_wrongly(void *argument)
{
	struct scene *scene = argument;
	const volatile uint32_t *half = scene->half;
	uint64_t high = half[1];

	return high << 32 | half[0];
}

static __attribute__((noinline)) uint64_t read_inline(void *argument)
{
	struct scene *scene = argument;

	return uncore_read(&scene->counter[0]);
}

static __attribute__((noinline)) uint64_t read_by_symbol(void *argument)
{
	struct scene *scene = argument;

	return read_symbol(&scene->counter[0]);
}

static __attribute__((noinline)) uint64_t read_group_inline(void *argument)
{
	struct scene *scene = argument;

	uncore_group_read(&scene->group, scene->value);
	return scene->value[0];
}

static __attribute__((noinline)) uint64_t read_group_by_symbol(void *argument)
{
	struct scene *scene = argument;

	group_symbol(&scene->group, scene->value);
	return scene->value[0];
}

/* The high half counts, and each has a low half that goes with no other. */
static uint64_t nth(uint32_t n)
{
	return (uint64_t)(n & 0xffff) << 32 | ~(n * 0x9e3779b1U);
}

static bool is_one_of_them(uint64_t value, uint32_t last)
{
	return value >> 32 <= last && value == nth((uint32_t)(value >> 32));
}

static void show(struct scene *scene, uint64_t value)
{
	int i;

	for (i = 0; i < GROUP; i++) {
		((volatile uint32_t *)scene->half)[2 * i] = (uint32_t)value;
		((volatile uint32_t *)scene->half)[2 * i + 1] =
			(uint32_t)(value >> 32);
	}
}

static struct scene *new_scene(void)
{
	struct scene *scene = trace_shared(sizeof(*scene));
	int i;

	if (!scene)
		return NULL;
	for (i = 0; i < GROUP; i++) {
		struct uncore_counter *counter = &scene->counter[i];

		counter->address = &scene->half[2 * i];
		counter->width = 48;
		counter->mask = UINT64_MAX >> 16;
		counter->high_mask = 0xffff;
		counter->load = UNCORE_LOAD_PAIR;
		counter->way = 1;
	}
	uncore_group_init(&scene->group, scene->counter, GROUP);
	show(scene, nth(0));
	return scene;
}

/* Values that never stood there, of all counters that the reader has read. */
static int torn(const struct scene *scene, uint64_t result, bool group,
		uint32_t last)
{
	int i, count = !is_one_of_them(result, last);

	for (i = 0; group && i < GROUP; i++)
		count += !is_one_of_them(scene->value[i], last);
	return count;
}

/* One change, after @when instructions; false if the reader was done before. */
static bool change_once(struct __test_metadata *_metadata, trace_function read,
			bool group, int when, int *torn_values)
{
	struct scene *scene = new_scene();
	struct trace trace;
	bool running = true;
	uint64_t result;
	int i;

	ASSERT_NE(NULL, scene);
	ASSERT_EQ(0, trace_start(&trace, read, scene));
	for (i = 0; i < when && running; i++)
		running = trace_step(&trace);
	if (running)
		show(scene, nth(1));
	ASSERT_EQ(0, trace_finish(&trace, &result));
	*torn_values += torn(scene, result, group, 1);
	munmap(scene, sizeof(*scene));
	return running;
}

static int change_everywhere(struct __test_metadata *_metadata,
			     trace_function read, bool group)
{
	int when = 0, torn_values = 0;

	while (change_once(_metadata, read, group, when, &torn_values))
		when++;
	TH_LOG("%d places", when);
	return torn_values;
}

/* A change after every instruction, so that the reader must try again. */
static void change_always(struct __test_metadata *_metadata,
			  trace_function read, bool group)
{
	struct scene *scene = new_scene();
	bool running = true;
	struct trace trace;
	uint32_t n = 0;
	uint64_t result;

	ASSERT_NE(NULL, scene);
	ASSERT_EQ(0, trace_start(&trace, read, scene));
	while (running && n < STEPS) {
		running = trace_step(&trace);
		if (running)
			show(scene, nth(++n));
	}
	EXPECT_EQ(STEPS, n) TH_LOG("the reader did not try again");
	ASSERT_EQ(0, trace_finish(&trace, &result));
	EXPECT_EQ(0, torn(scene, result, group, n));
	munmap(scene, sizeof(*scene));
}

TEST(a_wrong_reader_is_caught)
{
	EXPECT_LT(0, change_everywhere(_metadata, read_wrongly, false));
}

TEST(inline_read)
{
	EXPECT_EQ(0, change_everywhere(_metadata, read_inline, false));
	change_always(_metadata, read_inline, false);
}

TEST(symbol_read)
{
	EXPECT_EQ(0, change_everywhere(_metadata, read_by_symbol, false));
	change_always(_metadata, read_by_symbol, false);
}

TEST(inline_group_read)
{
	EXPECT_EQ(0, change_everywhere(_metadata, read_group_inline, true));
	change_always(_metadata, read_group_inline, true);
}

TEST(symbol_group_read)
{
	EXPECT_EQ(0, change_everywhere(_metadata, read_group_by_symbol, true));
	change_always(_metadata, read_group_by_symbol, true);
}

TEST_HARNESS_MAIN
