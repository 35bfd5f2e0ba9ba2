// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counters of AMD's data fabric and L3 cache: pinned events of perf, which all
 * CPUs of a die or complex share and each of these CPUs can read by RDPMC.
 *
 * perf does not say which hardware counter an event has, but what the event has
 * counted, and that is what the counter holds: perf starts it at 0 and takes the
 * value along to another one. So the counter is among those that hold, before
 * and after perf is asked, what perf says. Where only one does, and did when the
 * event had another count, that is the one; until then perf is asked for each
 * value. Each start of the event changes the lock of its page: from then on it
 * may be in another counter.
 */
#include <cpuid.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "region.h"

#define WIDTH		48
#define VALUE_MASK	(UINT64_MAX >> (64 - WIDTH))

#define DF_INDICES	0x0fff03c0U
#define L3_INDICES	0x0000fc00U
#define NUM_INDICES	28
/* In what is known: it was the only one, for two counts. */
#define CERTAIN		0x80000000U
/* More than one is unlikely to be needed after the second. */
#define TRIALS		8

/*
 * perf's clock may move by ticks, of which none is shorter than this. Events that
 * take turns do so each few ticks, and have done within some more; the last is
 * for a clock that stands.
 */
#define TICK_NS		500000
#define TURNS_NS	64000000
#define STANDS_NS	250000000

static uint32_t page_lock(const struct uncore_core_record *record)
{
	return *(const volatile uint32_t *)&record->core.page->lock;
}

/* Not moved by the processor, in either direction. */
static void fence(void)
{
	__asm__ volatile("lfence" : : : "memory");
}

bool uncore_amd_is_here(const struct uncore_core_record *record)
{
	return uncore_amd_cpus_have(&record->amd.cpus, sched_getcpu());
}

/* Nothing is what a pinned event without a counter gives. */
static int read_perf(const struct uncore_counter *counter,
		     struct uncore_core_reading *reading)
{
	int ret = uncore_core_perf_read(counter, reading);

	return ret == -EPROTO ? -EBUSY : ret;
}

/* Which counter? */

uint32_t uncore_amd_between(uint32_t candidates, const uint64_t *before,
			    uint64_t value, const uint64_t *after)
{
	uint32_t left = candidates, i;

	for (i = 0; i < NUM_INDICES; i++)
		if ((left >> i & 1) && ((value - before[i]) & VALUE_MASK) >
				       ((after[i] - before[i]) & VALUE_MASK))
			left &= ~(1U << i);
	return left;
}

static void look(uint32_t candidates, uint64_t *values)
{
	uint32_t i;

	fence();
	for (i = 0; i < NUM_INDICES; i++)
		if (candidates >> i & 1)
			values[i] = uncore_rdpmc(i);
	fence();
}

static bool is_single(uint32_t candidates)
{
	return candidates && !(candidates & (candidates - 1));
}

/* perf may have moved the event to a CPU of another die, as that CPU went. */
static uint32_t first_candidates(const struct uncore_core_record *record)
{
	struct uncore_core_place place = { .devices = UNCORE_DEVICES_PATH };

	return uncore_amd_cpus_hold(&place, record->pmu.name,
				    &record->amd.cpus) ? record->amd.indices
						       : 0;
}

/* Asks perf, and sees which counter holds that. */
static int ask(const struct uncore_counter *counter, uint64_t *value)
{
	struct uncore_core_record *record = uncore_core_record_of(counter);
	struct uncore_amd *amd = &record->amd;
	uint64_t before[NUM_INDICES], after[NUM_INDICES], known, last;
	uint32_t lock = page_lock(record), left = 0, certain = 0;
	struct uncore_core_reading reading;
	bool here;
	int ret;

	known = __atomic_load_n(&amd->known, __ATOMIC_ACQUIRE);
	here = !(lock & 1) && uncore_amd_is_here(record);
	if (here)
		left = known >> 32 == lock ? (uint32_t)known & ~CERTAIN
					   : first_candidates(record);
	look(left, before);
	here = here && uncore_amd_is_here(record);
	ret = read_perf(counter, &reading);
	if (ret)
		return ret;
	*value = reading.value & VALUE_MASK;
	here = here && uncore_amd_is_here(record);
	look(left, after);
	if (!here || !uncore_amd_is_here(record) || page_lock(record) != lock)
		return 0;

	last = __atomic_exchange_n(&amd->last, *value, __ATOMIC_RELAXED);
	left = uncore_amd_between(left, before, *value, after);
	if (known >> 32 == lock && is_single(left))
		certain = last != *value || known & CERTAIN ? CERTAIN : 0;
	__atomic_store_n(&amd->known, (uint64_t)lock << 32 | certain | left,
			 __ATOMIC_RELEASE);
	return 0;
}

int uncore_amd_settle(const struct uncore_counter *counter)
{
	const struct uncore_core_record *record = uncore_core_record_of(counter);
	uint64_t value, known;
	int i, ret = 0;

	for (i = 0; i < TRIALS && !ret; i++) {
		known = __atomic_load_n(&record->amd.known, __ATOMIC_ACQUIRE);
		if (known >> 32 == page_lock(record) && known & CERTAIN)
			break;
		ret = ask(counter, &value);
	}
	return ret;
}

/* Reading. */

/* Without the kernel; false if it must be asked. */
static bool read_here(const struct uncore_core_record *record, uint64_t *value)
{
	uint64_t known = __atomic_load_n(&record->amd.known, __ATOMIC_ACQUIRE);
	uint32_t lock = page_lock(record), index;

	if (known >> 32 != lock || !(known & CERTAIN))
		return false;
	index = (uint32_t)__builtin_ctz((uint32_t)known);
	if (index >= NUM_INDICES)
		return false;
	*value = uncore_rdpmc(index) & VALUE_MASK;
	__asm__ volatile("" : : : "memory");
	return page_lock(record) == lock && uncore_amd_is_here(record);
}

static uint64_t fail(struct uncore_core_record *record, int error)
{
	__atomic_store_n(&record->error, error, __ATOMIC_RELAXED);
	return UINT64_MAX;
}

uint64_t uncore_amd_read(const struct uncore_counter *counter)
{
	struct uncore_core_record *record = uncore_core_record_of(counter);
	uint64_t value;
	int ret;

	if (!uncore_amd_is_here(record)) {
		__atomic_fetch_add(&record->amd.refused, 1, __ATOMIC_RELAXED);
		return fail(record, -EXDEV);
	}
	if (read_here(record, &value))
		return value;
	__atomic_fetch_add(&record->system_calls, 1, __ATOMIC_RELAXED);
	ret = ask(counter, &value);
	return ret ? fail(record, ret) : value;
}

void uncore_amd_watch_begin(const struct uncore_counter *counter,
			    struct uncore_watch *watch)
{
	const struct uncore_core_record *record = uncore_core_record_of(counter);

	do {
		watch->generation = page_lock(record);
	} while (watch->generation & 1);
	watch->control = __atomic_load_n(&record->amd.refused,
					 __ATOMIC_RELAXED);
	watch->begun = uncore_amd_is_here(record) ? UNCORE_VALID
						  : UNCORE_OTHER_CPU;
}

/*
 * While perf stops an event and starts it again its counter may be another's,
 * for a moment in which the page's lock does not change yet. perf does not
 * answer in that moment.
 */
int uncore_amd_watch_status(const struct uncore_counter *counter,
			    const struct uncore_watch *watch)
{
	const struct uncore_core_record *record = uncore_core_record_of(counter);
	uint64_t value;
	int ret;

	if (__atomic_load_n(&record->amd.refused, __ATOMIC_RELAXED) !=
	    watch->control)
		return UNCORE_OTHER_CPU;
	ret = ask(counter, &value);
	if (ret)
		return ret == -EBUSY ? UNCORE_NOT_RUNNING : UNCORE_RELEASED;
	if (page_lock(record) != watch->generation)
		return UNCORE_REPROGRAMMED;
	/* What was read does not fit what perf says. */
	if (__atomic_load_n(&record->amd.known, __ATOMIC_ACQUIRE) ==
	    (uint64_t)watch->generation << 32)
		return UNCORE_REPROGRAMMED;
	return UNCORE_VALID;
}

int uncore_amd_state(const struct uncore_counter *counter)
{
	struct uncore_core_reading reading;
	int ret = read_perf(counter, &reading);

	if (ret == -EBUSY)
		return UNCORE_COUNTER_NOT_RUNNING;
	return ret ? ret : UNCORE_COUNTER_COUNTING;
}

/* Opening. */

/* How many data fabrics a package has; 0 if it does not say. */
static unsigned int nodes_per_package(void)
{
	uint32_t a, b, c, d;

	return __get_cpuid(0x8000001e, &a, &b, &c, &d) ? (c >> 8 & 7) + 1 : 0;
}

static uint32_t find_indices(const char *pmu)
{
	uint32_t left = strcmp(pmu, "amd_l3") ? DF_INDICES : L3_INDICES;
	struct uncore_cpuid cpuid;
	uint32_t i;

	uncore_cpuid_read(&cpuid);
	for (i = 0; i < NUM_INDICES; i++)
		if (!cpuid.amd || uncore_cpuid_width(&cpuid, i) != WIDTH)
			left &= ~(1U << i);
	return left;
}

static int say_busy(const struct uncore_core_event *event,
		    struct uncore_event_error *error)
{
	uncore_say(error, "all counters of %s are taken, by perf or other "
		   "programs: open it when one of these has ended, or count "
		   "less at once", event->pmu.name);
	return -EBUSY;
}

/* Is it too early to say whether the event always has a counter? */
static bool is_open(const struct uncore_core_reading *reading)
{
	return !reading->enabled ||
	       (reading->enabled >= TICK_NS && reading->enabled < TURNS_NS &&
		reading->enabled - reading->running < TICK_NS);
}

/*
 * A pinned event would push others out of their counters. One that is not is
 * content with what is left; if it gets a counter, so will ours.
 */
static int check_room(const struct uncore_core_event *event,
		      struct uncore_event_error *error)
{
	struct uncore_core_reading reading = { 0 };
	struct uncore_counter probe = { 0 };
	uint64_t begun = uncore_now();
	int ret, fd;

	fd = uncore_core_perf_open(event, 0, error);
	if (fd < 0)
		return fd;
	probe.index = (uint32_t)fd;
	do {
		ret = read_perf(&probe, &reading);
	} while (!ret && is_open(&reading) && uncore_now() - begun < STANDS_NS);
	close(fd);
	if (ret)
		return ret;
	return reading.running && reading.enabled - reading.running < TICK_NS
		       ? 0 : say_busy(event, error);
}

static int open_event(const struct uncore_core_event *event,
		      struct uncore_counter *counter,
		      struct uncore_core_record *record,
		      struct uncore_event_error *error)
{
	int ret, fd;

	fd = uncore_core_perf_open(event, UNCORE_CORE_PINNED, error);
	if (fd < 0)
		return fd;
	ret = uncore_core_perf_map(fd, NULL, &record->core.page, error);
	if (ret) {
		record->core.page = NULL;
		close(fd);
		return ret;
	}

	counter->mask = VALUE_MASK;
	counter->high_mask = (uint32_t)(VALUE_MASK >> 32);
	counter->load = UNCORE_LOAD_PERF;
	counter->way = 2;
	counter->width = WIDTH;
	counter->quantity = UNCORE_PMU_QUANTITY_EVENT;
	counter->index = (uint32_t)fd;
	ret = uncore_amd_settle(counter);
	if (ret == -EBUSY)
		return say_busy(event, error);
	if (ret)
		uncore_say(error, "%s", uncore_strerror(UNCORE_CALL_CORE, ret));
	return ret;
}

int uncore_amd_open(const struct uncore_core_place *place, const char *text,
		    struct uncore_core_event *event,
		    struct uncore_counter *counter,
		    struct uncore_event_error *error)
{
	struct uncore_core_record *record = uncore_core_record_new(0);
	int ret;

	if (!record) {
		uncore_say(error, "out of memory");
		return -ENOMEM;
	}
	memset(counter, 0, sizeof(*counter));
	record->core.details.kind = UNCORE_PMU_KIND_GENERAL;
	record->amd.known = 1ULL << 32;		/* no lock that is stable */
	record->amd.indices = find_indices(event->pmu.name);
	uncore_core_record_name(record, text, event);
	counter->details = &record->core.details;

	ret = uncore_amd_cpus_find(place, event->pmu.name, nodes_per_package(),
				   &record->amd.cpus, error);
	event->cpu = record->amd.cpus.home;
	if (!ret && !record->amd.indices) {
		uncore_say(error, "this processor does not say that RDPMC "
			   "reaches counters of %s: use perf stat -a -e %s",
			   event->pmu.name, text);
		ret = -EOPNOTSUPP;
	}
	/* First, because it says more of the rights that are needed. */
	if (!ret)
		ret = check_room(event, error);
	if (!ret)
		ret = uncore_core_perf_right(place, &record->amd.right, error);
	if (!ret)
		ret = open_event(event, counter, record, error);
	if (ret)
		uncore_core_close(counter);
	return ret;
}
