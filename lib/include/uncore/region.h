/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sections of a program, and what they cost; included by <uncore.h> only. */
#ifndef UNCORE_REGION_H
#define UNCORE_REGION_H

#ifndef UNCORE_H
#error "include <uncore.h>"
#endif

/* How many counters a plan can have. */
#define UNCORE_PLAN_CORE_MAX	8
#define UNCORE_PLAN_UNCORE_MAX	256

/** struct uncore_plan - what to count in regions; opaque */
struct uncore_plan;

/**
 * enum uncore_plan_flags - for uncore_plan_open()
 * @UNCORE_PLAN_FENCE: let no instruction be executed on the other side of a
 *	begin or end than where it stands; costs some ten nanoseconds
 */
enum uncore_plan_flags {
	UNCORE_PLAN_FENCE	= 1,
};

/**
 * struct uncore_region - a region as one thread sees it
 * @depth: how often it was begun and not ended, less one
 * @unpaired: 1 once it was ended without having been begun
 * @begin: reads all counters of the plan
 * @end: likewise
 *
 * The fields are for reading only.
 */
struct uncore_region {
	int32_t depth;
	uint32_t unpaired;
	void (*begin)(struct uncore_region *region);
	void (*end)(struct uncore_region *region);
};

#define UNCORE_DIE_NONE		(-1)
#define UNCORE_DIE_UNKNOWN	(-2)

/**
 * struct uncore_result - one count of a region
 * @region: name of the region
 * @event: the event or counter as the plan names it
 * @thread: number of the thread, from 0, in the order in which they came; of an
 *	uncore count, the thread that read the counters
 * @tid: the kernel's number of that thread
 * @die: the socket or die of an uncore count; UNCORE_DIE_NONE for a count of a
 *	thread; UNCORE_DIE_UNKNOWN for those on dies that the kernel does not know,
 *	all together
 * @state: enum uncore_validity; any but UNCORE_VALID says that @value means
 *	nothing, except that UNCORE_UNCLAIMED leaves it to the caller
 * @times: how often the region was begun and ended
 * @seconds: how long that took; 0 for UNCORE_UNPAIRED
 * @value: the count of all these times together
 * @scale: one count is @scale of @unit; 0 if not known
 * @unit: "bytes" and so on, or ""
 */
struct uncore_result {
	const char *region;
	const char *event;
	uint32_t thread;
	int32_t tid;
	int32_t die;
	int32_t state;
	uint64_t times;
	double seconds;
	uint64_t value;
	double scale;
	const char *unit;
};

/**
 * enum uncore_result_flags - for the functions that give results
 * @UNCORE_RESULT_NET: less what begin and end count of themselves, as measured
 *	when the thread began its first region
 */
enum uncore_result_flags {
	UNCORE_RESULT_NET	= 1,
};

/** enum uncore_format - for uncore_plan_text() */
enum uncore_format {
	UNCORE_FORMAT_TABLE	= 0,
	UNCORE_FORMAT_CSV	= 1,
	UNCORE_FORMAT_JSON	= 2,
};

/** typedef uncore_result_fn - called for each result; not 0 ends it */
typedef int (*uncore_result_fn)(const struct uncore_result *result, void *data);

/**
 * uncore_plan_open - say what to count in regions
 * @uncore: from uncore_open(), and not closed before the plan; NULL if all
 *	events are for uncore_core_open()
 * @events: separated by commas, or NULL for those that UNCORE_EVENTS in the
 *	environment names, see uncore_plan_report():
 *	"branch-misses", "cpu/event=0xc5,umask=0/" events of the core, as for
 *	uncore_core_open();
 *	"amd_df/event=7/" likewise, for the die of the caller, and read by the one
 *	thread of a region that reads the uncore, which must run there;
 *	"imc/cas_count_read/" events of the uncore, as for uncore_spec_parse(), on
 *	the counters that count them already; if none does and @uncore is open
 *	for programming, one is programmed on each unit;
 *	"imc0@0/ctr0/" a counter of the uncore, whatever it counts
 * @flags: enum uncore_plan_flags
 * @plan: where to put the result
 * @error: filled; may be NULL
 *
 * With NULL, @uncore may be NULL, too: the plan opens /dev/uncore_pmu if it needs
 * to. If the environment names no events, the plan has none, and regions measure
 * nothing but time.
 *
 * In a child made by fork the regions of its parent do nothing; the child opens a
 * plan of its own.
 *
 * Return: 0, or an error as from uncore_core_open(), uncore_spec_parse(),
 * uncore_counter_open_name() or uncore_program(); -ENODATA no counter counts the
 * event; -E2BIG too many counters; -EAGAIN about a thousand plans are open, as
 * many as there are keys of pthread_key_create(); -EINVAL; -ENOMEM. With NULL also
 * as from uncore_open(), and as from open(2) and write(2) if "uncorectl stat -m"
 * cannot be told.
 */
int uncore_plan_open(struct uncore *uncore, const char *events,
		     unsigned int flags, struct uncore_plan **plan,
		     struct uncore_event_error *error);

/**
 * uncore_plan_close - forget a plan, its regions and their results
 * @plan: from uncore_plan_open(), or NULL
 *
 * None of its regions may be in use by any thread.
 */
void uncore_plan_close(struct uncore_plan *plan);

/**
 * uncore_plan_count - how many values a region has
 * @plan: from uncore_plan_open()
 *
 * Return: the number of events in the plan.
 */
unsigned int uncore_plan_count(const struct uncore_plan *plan);

/** uncore_plan_event - the name of an event of a plan, or NULL */
const char *uncore_plan_event(const struct uncore_plan *plan,
			      unsigned int index);

/**
 * uncore_region_open - get a region for the calling thread
 * @plan: from uncore_plan_open()
 * @name: any text; the same name in another thread is the same region
 * @region: where to put the result; belongs to the plan
 *
 * The first region of a thread opens the thread's counters. The thread that
 * opens a name first reads the uncore's counters for all; when it has ended, the
 * next one that opens it.
 *
 * Return: 0; -ECHILD the plan is that of the parent process; -ENOMEM; or an error
 * as from uncore_core_open().
 */
int uncore_region_open(struct uncore_plan *plan, const char *name,
		       struct uncore_region **region);

/**
 * uncore_region_reset - forget what was counted so far, and that it was misused
 * @region: of the calling thread, not begun
 *
 * Return: 0, or -EBUSY: it is begun, and nothing is forgotten.
 */
int uncore_region_reset(struct uncore_region *region);

/**
 * uncore_region_values - what was counted so far
 * @region: of the calling thread, not begun
 * @flags: enum uncore_result_flags
 * @values: room for uncore_plan_count() values, in the plan's order; uncore
 *	counts of all dies together, 0 in a thread that does not read them
 * @times: how often it was begun and ended
 * @seconds: how long that took; 0 if it was not begun and ended in pairs
 *
 * Return: 0, or -ESTALE: some value means nothing, uncore_plan_results() says
 * which and why.
 */
int uncore_region_values(const struct uncore_region *region, unsigned int flags,
			 uint64_t *values, uint64_t *times, double *seconds);

/**
 * uncore_plan_results - go through all counts of all regions and threads
 * @plan: from uncore_plan_open()
 * @flags: enum uncore_result_flags
 * @each: called for each, region by region
 * @data: for @each
 *
 * Counts of the core are those of one thread each, counts of the uncore those of
 * one die each.
 *
 * Return: 0, or what @each returned to end.
 */
int uncore_plan_results(struct uncore_plan *plan, unsigned int flags,
			uncore_result_fn each, void *data);

/**
 * uncore_plan_text - all counts as a text
 * @plan: from uncore_plan_open()
 * @format: enum uncore_format
 * @flags: enum uncore_result_flags
 * @text: where to put the text, to be given to free()
 *
 * A count that means nothing is not in it; the reason is. JSON is an array of
 * objects; "group" in these is 1 here, see uncore_marker_text().
 *
 * Return: 0, or -ENOMEM, -EINVAL.
 */
int uncore_plan_text(struct uncore_plan *plan, enum uncore_format format,
		     unsigned int flags, char **text);

/**
 * uncore_plan_report - give all counts to who has started the program
 * @plan: from uncore_plan_open(); nothing is done if it has no events
 *
 * That is "uncorectl stat -m", which says so in UNCORE_STAT. Without it they are
 * written as a text to the file UNCORE_OUTPUT, or else to stderr, in the format
 * UNCORE_FORMAT: "table" (default), "csv" or "json". No thread may be in a region.
 * In the name of the file "%p" stands for the process id. What the file held when
 * the process opened its first plan is replaced; more results, of the process or
 * of others that run at the same time, are put behind.
 *
 * Return: 0; -ECHILD the plan is that of the parent process; -ENOMEM; -EIO only a
 * part was written for "uncorectl stat -m"; or an error as from open(2), write(2).
 */
int uncore_plan_report(struct uncore_plan *plan);

/* Is it the outermost begin, or end? Compilers take more instructions for it. */
UNCORE_ALWAYS_INLINE int uncore_region_enter(struct uncore_region *region)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	int outermost;

	__asm__ volatile("addl $1, %[depth]"
			 : "=@ccz"(outermost), [depth] "+m"(region->depth));
	return outermost;
#else
	return ++region->depth == 0;
#endif
}

UNCORE_ALWAYS_INLINE int uncore_region_leave(struct uncore_region *region)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	int outermost;

	__asm__ volatile("subl $1, %[depth]"
			 : "=@ccc"(outermost), [depth] "+m"(region->depth));
	return outermost;
#else
	return region->depth-- == 0;
#endif
}

/**
 * uncore_region_begin - begin a section
 * @region: from uncore_region_open() in the same thread
 *
 * Makes no system call while the plan's events have hardware counters. Regions
 * may lie within each other. Of a region that is begun within itself, only the
 * outermost begin and end count.
 */
UNCORE_INLINE void uncore_region_begin(struct uncore_region *region)
{
	if (__builtin_expect(uncore_region_enter(region), 1))
		region->begin(region);
}

/**
 * uncore_region_end - end the section begun last
 * @region: begun by the same thread
 *
 * Without a begin before nothing is read, and the region counts UNCORE_UNPAIRED.
 */
UNCORE_INLINE void uncore_region_end(struct uncore_region *region)
{
	if (__builtin_expect(uncore_region_leave(region), 1))
		region->end(region);
	else if (__builtin_expect(region->depth < -1, 0))
		region->unpaired = 1;
}

#endif /* UNCORE_REGION_H */
