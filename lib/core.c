// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counters of the core: perf events of a thread, which it reads by RDPMC as the
 * event's page says.
 *
 * The record of a counter is a page that the kernel clears in a child made by
 * fork. For the child has the parent's thread pointer, but neither the event's
 * page nor a right to RDPMC; with the record cleared it asks the kernel instead.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core.h"

#define RECORD_SIZE	UNCORE_CORE_RECORD_SIZE

_Static_assert(sizeof(struct uncore_core_record) <= RECORD_SIZE, "record");

#define SAME_PLACE(member)						\
	_Static_assert(offsetof(struct uncore_perf_page, member) ==	\
		       offsetof(struct perf_event_mmap_page, member), #member)

SAME_PLACE(lock);
SAME_PLACE(index);
SAME_PLACE(offset);
SAME_PLACE(time_enabled);
SAME_PLACE(time_running);

int uncore_core_perf_read(const struct uncore_counter *counter,
			  struct uncore_core_reading *reading)
{
	int kept = errno, ret = 0;
	ssize_t length;

	length = read((int)counter->index, reading, sizeof(*reading));
	if (length < 0)
		ret = -errno;
	else if ((size_t)length != sizeof(*reading))
		ret = -EPROTO;
	errno = kept;
	return ret;
}

/* Opening. */

struct uncore_core_record *uncore_core_record_new(size_t behind)
{
	void *record = mmap(NULL, RECORD_SIZE + behind, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (record == MAP_FAILED)
		return NULL;
	if (madvise(record, RECORD_SIZE, MADV_WIPEONFORK)) {
		munmap(record, RECORD_SIZE + behind);
		return NULL;
	}
	return record;
}

void uncore_core_record_name(struct uncore_core_record *record,
			     const char *text,
			     const struct uncore_core_event *event)
{
	snprintf(record->event, sizeof(record->event), "%s", text);
	record->pmu = event->pmu;
	record->type = event->type;
	record->config = event->config[0];
}

static void fill_record(struct uncore_core_record *record, const char *text,
			const struct uncore_core_event *event,
			const struct uncore_perf_page *page, int width)
{
	struct uncore_core *core = &record->core;

	core->details.kind = UNCORE_PMU_KIND_GENERAL;
	core->page = page;
	core->owner = uncore_core_self();
	core->sign = 1ULL << (width - 1);
	core->bias = core->sign;
	core->limit = event->pmu.hybrid ? UNCORE_CORE_HYBRID_GENERAL
					: UNCORE_CORE_INDICES;
	uncore_core_record_name(record, text, event);
}

static int open_parsed(const char *text, const struct uncore_core_event *event,
		       struct uncore_counter *counter,
		       struct uncore_event_error *error)
{
	const struct uncore_perf_page *page = NULL;
	struct uncore_core_record *record;
	int fd, ret;

	fd = uncore_core_perf_open(event, 0, error);
	if (fd < 0)
		return fd;
	record = uncore_core_record_new(UNCORE_PERF_PAGE);
	if (!record) {
		uncore_say(error, "out of memory");
		ret = -ENOMEM;
		goto err_close;
	}
	ret = uncore_core_perf_map_rdpmc(fd, &event->pmu,
					 (char *)record + RECORD_SIZE, &page,
					 error);
	if (ret < 0)
		goto err_record;

	fill_record(record, text, event, page, ret);
	memset(counter, 0, sizeof(*counter));
	counter->mask = UINT64_MAX;
	counter->high_mask = UINT32_MAX;
	counter->load = UNCORE_LOAD_PERF;
	counter->way = 2;
	counter->width = 64;
	counter->quantity = UNCORE_PMU_QUANTITY_EVENT;
	counter->index = (uint32_t)fd;
	counter->details = &record->core.details;
	return 0;

err_record:
	munmap(record, RECORD_SIZE);
err_close:
	close(fd);
	return ret;
}

int uncore_core_open(const char *text, struct uncore_counter *counter,
		     struct uncore_event_error *error)
{
	struct uncore_core_place place = {
		.devices = UNCORE_DEVICES_PATH,
		.cpus = UNCORE_CPUS_PATH,
		.cpu = sched_getcpu(),
	};
	struct uncore_event_error unwanted;
	struct uncore_core_event event;
	int ret;

	if (!error)
		error = &unwanted;
	ret = uncore_core_event_parse(&place, text, &event, error);
	if (ret)
		return ret;
	if (event.pmu.shared)
		return uncore_amd_open(&place, text, &event, counter, error);
	return open_parsed(text, &event, counter, error);
}

void uncore_core_close(struct uncore_counter *counter)
{
	struct uncore_core_record *record = uncore_core_record_of(counter);

	/* Not mapped in a child made by fork. */
	if (record->core.page)
		munmap((void *)(uintptr_t)record->core.page, UNCORE_PERF_PAGE);
	if (record->amd.right)
		munmap((void *)(uintptr_t)record->amd.right, UNCORE_PERF_PAGE);
	munmap(record, RECORD_SIZE);
	if (counter->load)
		close((int)counter->index);
	memset(counter, 0, sizeof(*counter));
}

/* Reading. */

/* Below what index is one safe on all kinds of cores that there are? */
static bool is_hybrid_fixed(const struct uncore_core *core, uint32_t index)
{
	return core->limit == UNCORE_CORE_HYBRID_GENERAL &&
	       index >= UNCORE_CORE_FIXED &&
	       index - UNCORE_CORE_FIXED < UNCORE_CORE_HYBRID_FIXED;
}

/* A fixed counter of a hybrid processor; false if it must be asked for. */
static bool read_hybrid(const struct uncore_core *core, uint64_t *value)
{
	const struct uncore_perf_page *page = core->page;
	uint32_t lock, index;

	if (core->owner != uncore_core_self())
		return false;
	do {
		lock = page->lock;
		__asm__ volatile("" : : : "memory");
		index = page->index - 1;
		if (!is_hybrid_fixed(core, index))
			return false;
		*value = uncore_rdpmc(index) ^ core->sign;
		*value += (uint64_t)page->offset - core->bias;
		__asm__ volatile("" : : : "memory");
	} while (uncore_lock_differs(page, lock));
	return true;
}

uint64_t uncore_core_read_slowly(const struct uncore_counter *counter)
{
	struct uncore_core_record *record = uncore_core_record_of(counter);
	struct uncore_core_reading reading;
	uint64_t value;
	int ret;

	if (uncore_amd_is(record))
		return uncore_amd_read(counter);
	if (record->core.page && read_hybrid(&record->core, &value))
		return value;
	__atomic_fetch_add(&record->system_calls, 1, __ATOMIC_RELAXED);
	ret = uncore_core_perf_read(counter, &reading);
	if (!ret)
		return reading.value;
	__atomic_store_n(&record->error, ret, __ATOMIC_RELAXED);
	return UINT64_MAX;
}

/*
 * The time for which the thread ran and the counter did not. False if it does
 * not count now, or that is not known.
 */
static bool time_missed(const struct uncore_counter *counter, uint64_t *missed)
{
	const struct uncore_core *core = &uncore_core_record_of(counter)->core;
	const struct uncore_perf_page *page = core->page;
	struct uncore_core_reading reading;
	uint32_t lock, index;

	if (!page || core->owner != uncore_core_self()) {
		if (uncore_core_perf_read(counter, &reading))
			return false;
		*missed = reading.enabled - reading.running;
		return true;
	}
	do {
		lock = page->lock;
		__asm__ volatile("" : : : "memory");
		index = page->index;
		*missed = page->time_enabled - page->time_running;
		__asm__ volatile("" : : : "memory");
	} while (uncore_lock_differs(page, lock));
	return index != 0;
}

int uncore_core_watch_begin(const struct uncore_counter *counter,
			    const struct uncore_event *event,
			    struct uncore_watch *watch)
{
	memset(watch, 0, sizeof(*watch));
	if (event)
		watch->begun = UNCORE_OTHER_EVENT;
	else if (uncore_amd_is(uncore_core_record_of(counter)))
		uncore_amd_watch_begin(counter, watch);
	else if (!time_missed(counter, &watch->control))
		watch->begun = UNCORE_NOT_RUNNING;
	return (int)watch->begun;
}

int uncore_core_watch_status(const struct uncore_counter *counter,
			     const struct uncore_watch *watch)
{
	uint64_t missed;

	if (watch->begun != UNCORE_VALID)
		return (int)watch->begun;
	if (uncore_amd_is(uncore_core_record_of(counter)))
		return uncore_amd_watch_status(counter, watch);
	return time_missed(counter, &missed) && missed == watch->control
		       ? UNCORE_VALID : UNCORE_NOT_RUNNING;
}

int uncore_core_state(const struct uncore_counter *counter)
{
	const struct uncore_core *core = &uncore_core_record_of(counter)->core;

	if (!core->page)
		return -ECHILD;
	if (uncore_amd_is(uncore_core_record_of(counter)))
		return uncore_amd_state(counter);
	return *(const volatile uint32_t *)&core->page->index
		       ? UNCORE_COUNTER_COUNTING : UNCORE_COUNTER_NOT_RUNNING;
}

int uncore_core_info(const struct uncore_counter *counter,
		     struct uncore_core_facts *facts)
{
	struct uncore_core_record *record;
	struct uncore_core_reading reading;
	int ret;

	if (counter->load != UNCORE_LOAD_PERF)
		return -EINVAL;
	ret = uncore_core_perf_read(counter, &reading);
	if (ret)
		return ret;

	record = uncore_core_record_of(counter);
	memset(facts, 0, sizeof(*facts));
	memcpy(facts->event, record->event, sizeof(facts->event));
	memcpy(facts->pmu, record->pmu.name, sizeof(facts->pmu));
	facts->type = record->type;
	facts->config = record->config;
	ret = uncore_core_state(counter);
	facts->state = ret < 0 ? UNCORE_COUNTER_NOT_RUNNING : ret;
	facts->enabled = reading.enabled;
	facts->running = reading.running;
	facts->system_calls = __atomic_load_n(&record->system_calls,
					      __ATOMIC_RELAXED);
	facts->error = __atomic_load_n(&record->error, __ATOMIC_RELAXED);
	if (uncore_amd_is(record))
		facts->other_core = !uncore_amd_is_here(record);
	else
		facts->other_core = record->pmu.hybrid &&
				    !uncore_core_cpus_have(record->pmu.cpus,
							   sched_getcpu());
	return 0;
}
