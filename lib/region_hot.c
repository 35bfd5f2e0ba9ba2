// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What begin and end of a region do. Each number of counters has functions of its
 * own, written out, which go on to the next by a jump that was chosen when the
 * region was opened: nothing is decided, and nothing but the counters is read.
 *
 * The core's counters come last in begin and first in end, so that they see the
 * least of it.
 */
#include <errno.h>

#include "region.h"

#define ALWAYS_INLINE	inline __attribute__((always_inline))

static struct uncore_region_full *full(struct uncore_region *region)
{
	return (struct uncore_region_full *)region;
}

uint64_t uncore_tsc(void)
{
#ifdef __x86_64__
	uint64_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return high << 32 | low;
#else
	return 0;
#endif
}

static void fence(void)
{
#ifdef __x86_64__
	__asm__ volatile("lfence" : : : "memory");
#endif
}

/* The core. */

/*
 * From one counter on, by any way there is; not part of the others, so that they
 * need no stack.
 */
static __attribute__((noinline)) void
read_core_slowly(struct uncore_region_full *region, unsigned int first, bool end)
{
	const struct uncore_thread *thread = region->thread;
	unsigned int i;
	uint64_t value;

	if (uncore_core_self() != region->owner) {
		region->misused = true;
		return;
	}
	for (i = first; i < thread->plan->num_core; i++) {
		value = uncore_core_read(&thread->core[i]) + region->sign;
		region->core[i] += end ? value : -value;
	}
}

static __attribute__((noinline)) void
begin_core_slowly(struct uncore_region_full *region, unsigned int first)
{
	read_core_slowly(region, first, false);
	region->time -= uncore_tsc();
}

static __attribute__((noinline)) void
end_core_slowly(struct uncore_region_full *region, unsigned int first)
{
	read_core_slowly(region, first, true);
	region->next_end(region);
}

/*
 * Did the page change since? Asked after the value is made up, which the asm seems
 * to change so that compilers leave it where RDPMC has put it. They would also
 * keep the address of each page in a register, if not led to think that it may be
 * another one now.
 */
static ALWAYS_INLINE bool page_changed(const char **pages, unsigned int i,
				       uint32_t lock, uint64_t *value)
{
	const struct uncore_perf_page *page;

	__asm__("" : "+r"(*pages));
	page = (const void *)(*pages + (size_t)i * UNCORE_PERF_PAGE);
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	int changed;

	__asm__ volatile("cmpl %[now], %[then]"
			 : "=@ccne"(changed), "+d"(*value)
			 : [now] "m"(page->lock), [then] "r"(lock)
			 : "memory");
	return changed;
#else
	__asm__ volatile("" : "+r"(*value) : : "memory");
	return uncore_lock_differs(page, lock);
#endif
}

/* As uncore_core_read(), with the bias left in; false if it needs that. */
static ALWAYS_INLINE bool load_core(const struct uncore_region_full *region,
				    const char **pages, unsigned int i,
				    uint64_t *result)
{
	const struct uncore_perf_page *page;
	uint32_t lock, index;
	uint64_t value;

	do {
		page = (const void *)(*pages + (size_t)i * UNCORE_PERF_PAGE);
		lock = page->lock;
		__asm__ volatile("" : : : "memory");
		index = page->index - 1;
		if (__builtin_expect(index >= region->limit, 0))
			return false;
		value = uncore_rdpmc(index) ^ region->sign;
		value += (uint64_t)page->offset;
	} while (__builtin_expect(page_changed(pages, i, lock, &value), 0));
	*result = value;
	return true;
}

static ALWAYS_INLINE void begin_core(struct uncore_region_full *region,
				     unsigned int n)
{
	const char *pages = region->pages;
	unsigned int i;
	uint64_t value;

	if (__builtin_expect(uncore_core_self() != region->owner, 0)) {
		begin_core_slowly(region, 0);
		return;
	}
#pragma GCC unroll 8
	for (i = 0; i < n; i++) {
		if (__builtin_expect(!load_core(region, &pages, i, &value),
				     0)) {
			begin_core_slowly(region, i);
			return;
		}
		region->core[i] -= value;
	}
	region->time -= uncore_tsc();
}

static ALWAYS_INLINE void end_core(struct uncore_region *begun, unsigned int n)
{
	struct uncore_region_full *region = full(begun);
	const char *pages = region->pages;
	unsigned int i;
	uint64_t value;

	region->time += uncore_tsc();
#pragma GCC unroll 8
	for (i = 0; i < n; i++) {
		if (__builtin_expect(!load_core(region, &pages, i, &value),
				     0)) {
			end_core_slowly(region, i);
			return;
		}
		region->core[i] += value;
	}
	region->next_end(region);
}

/* The uncore. */

/* Keeps what begin has read, and adds up what was counted until end. */
static ALWAYS_INLINE void note(struct uncore_region_full *region, uint32_t i,
			       uint64_t value, bool end)
{
	if (end)
		region->sum[i] += (value - region->before[i].whole) &
				  region->mask[i];
	else
		region->before[i].whole = value;
}

/* The same for a pair. The halves need not be put together to be kept. */
static ALWAYS_INLINE void note_pair(struct uncore_region_full *region,
				    uint32_t i, bool end)
{
	const volatile uint32_t *low = region->address[i];
	union uncore_halves value;

	do {
		value.high = low[1];
		value.low = low[0];
	} while (__builtin_expect(uncore_high_differs(low, value.high), 0));
	if (end) {
		note(region, i, value.whole, true);
	} else {
		region->before[i].low = value.low;
		region->before[i].high = value.high;
	}
}

static ALWAYS_INLINE void pairs(struct uncore_region_full *region,
				unsigned int n, bool end)
{
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < n; i++)
		note_pair(region, i, end);
}

static ALWAYS_INLINE void begin_pairs(struct uncore_region *begun,
				      unsigned int n)
{
	pairs(full(begun), n, false);
	full(begun)->next_begin(full(begun));
}

static ALWAYS_INLINE void end_pairs(struct uncore_region_full *region,
				    unsigned int n)
{
#ifdef __x86_64__
	/* Compilers would take it to another register than the one it came in. */
	__asm__("" : "+D"(region));
#endif
	pairs(region, n, true);
	region->times++;
}

/* Any number, of any kind: a loop for each. */
static ALWAYS_INLINE void mixed(struct uncore_region_full *region, bool end)
{
	uint32_t stop = region->num[UNCORE_SLOT_PAIR], i = 0;

	for (; i < stop; i++)
		note_pair(region, i, end);
	for (stop += region->num[UNCORE_SLOT_64]; i < stop; i++)
		note(region, i, *(const volatile uint64_t *)region->address[i],
		     end);
	for (stop += region->num[UNCORE_SLOT_32]; i < stop; i++)
		note(region, i, *region->address[i], end);
	for (stop += region->num[UNCORE_SLOT_CALL]; i < stop; i++)
		note(region, i,
		     uncore_core_read(&region->thread->plan->slots[i].counter),
		     end);
}

static void begin_mixed(struct uncore_region *begun)
{
	mixed(full(begun), false);
	full(begun)->next_begin(full(begun));
}

static void end_mixed(struct uncore_region_full *region)
{
	mixed(region, true);
	region->times++;
}

static void begin_fenced(struct uncore_region *begun)
{
	fence();
	full(begun)->plain_begin(begun);
	fence();
}

static void end_fenced(struct uncore_region *begun)
{
	fence();
	full(begun)->plain_end(begun);
}

#define READERS(n)							\
	static void begin_core_##n(struct uncore_region_full *region)	\
	{								\
		begin_core(region, n);					\
	}								\
									\
	static void end_core_##n(struct uncore_region *region)		\
	{								\
		end_core(region, n);					\
	}								\
									\
	static void begin_pairs_##n(struct uncore_region *region)	\
	{								\
		begin_pairs(region, n);					\
	}								\
									\
	static void end_pairs_##n(struct uncore_region_full *region)	\
	{								\
		end_pairs(region, n);					\
	}

READERS(0)
READERS(1)
READERS(2)
READERS(3)
READERS(4)
READERS(5)
READERS(6)
READERS(7)
READERS(8)

#define EACH(name)							\
	{								\
		name##_0, name##_1, name##_2, name##_3, name##_4,	\
		name##_5, name##_6, name##_7, name##_8,			\
	}

#define WRITTEN_OUT	8

static void wire_core(struct uncore_region_full *region, unsigned int num_core)
{
	static void (*const names[])(struct uncore_region_full *) =
		EACH(begin_core);
	static void (*const texts[])(struct uncore_region *) = EACH(end_core);

	region->next_begin = names[num_core];
	region->plain_end = texts[num_core];
}

static void wire_pairs(struct uncore_region_full *region)
{
	static void (*const names[])(struct uncore_region *) = EACH(begin_pairs);
	static void (*const texts[])(struct uncore_region_full *) =
		EACH(end_pairs);
	uint32_t num = region->num[UNCORE_SLOT_PAIR];

	if (num > WRITTEN_OUT || region->num[UNCORE_SLOT_64] ||
	    region->num[UNCORE_SLOT_32] || region->num[UNCORE_SLOT_CALL]) {
		region->plain_begin = begin_mixed;
		region->next_end = end_mixed;
	} else {
		region->plain_begin = names[num];
		region->next_end = texts[num];
	}
}

void uncore_region_wire(struct uncore_region_full *region,
			unsigned int num_core, bool fenced)
{
	wire_core(region, num_core);
	wire_pairs(region);
	region->owner = uncore_core_self();
	region->region.depth = -1;
	region->region.unpaired = 0;
	region->region.begin = fenced ? begin_fenced : region->plain_begin;
	region->region.end = fenced ? end_fenced : region->plain_end;
}
