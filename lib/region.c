// SPDX-License-Identifier: LGPL-2.1-or-later
/* Plans, their threads, and the regions of these. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "region.h"

/* The least of so many is what begin and end cost. */
#define TRIALS	32

uint64_t uncore_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Threads. */

static void close_core(struct uncore_thread *thread)
{
	unsigned int i;

	for (i = 0; i < UNCORE_PLAN_CORE_MAX; i++)
		if (thread->core[i].load)
			uncore_counter_close(&thread->core[i]);
	/* In a child there are holes, and others may have filled them. */
	if (thread->pages && uncore_plan_is_mine(thread->plan))
		munmap(thread->pages,
		       UNCORE_PLAN_CORE_MAX * UNCORE_PERF_PAGE);
	thread->pages = NULL;
}

/* Called in the thread when it ends: what it has counted stays. */
static void end_thread(void *data)
{
	struct uncore_thread *thread = data;
	struct uncore_plan *plan = thread->plan;
	struct uncore_region_name *name;
	unsigned int i;

	pthread_mutex_lock(&plan->lock);
	for (i = 0; i < plan->num_core; i++)
		thread->state[i] = uncore_thread_state(thread, i);
	thread->ended = true;
	for (name = plan->names; name; name = name->next)
		if (name->reader == thread)
			name->reader = NULL;
	uncore_thread_disown(thread);
	close_core(thread);
	pthread_mutex_unlock(&plan->lock);
}

/* All pages side by side, so that a region needs one address. */
static int map_pages(struct uncore_thread *thread, unsigned int num_core)
{
	void *pages, *page;
	unsigned int i;

	pages = mmap(NULL, UNCORE_PLAN_CORE_MAX * UNCORE_PERF_PAGE, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return -errno;
	thread->pages = pages;
	for (i = 0; i < num_core; i++) {
		page = mmap(thread->pages + i * UNCORE_PERF_PAGE,
			    UNCORE_PERF_PAGE, PROT_READ, MAP_SHARED | MAP_FIXED,
			    (int)thread->core[i].index, 0);
		if (page == MAP_FAILED)
			return -errno;
	}
	return 0;
}

static int open_core(struct uncore_thread *thread)
{
	const struct uncore_plan *plan = thread->plan;
	unsigned int i;
	int ret;

	for (i = 0; i < plan->num_entries; i++) {
		const struct uncore_entry *entry = &plan->entries[i];

		if (!entry->core)
			continue;
		ret = uncore_core_open(entry->name, &thread->core[entry->index],
				       NULL);
		if (ret)
			return ret;
	}
	for (i = 0; i < plan->num_core; i++)
		uncore_watch_begin(&thread->core[i], NULL, &thread->watch[i]);
	return plan->num_core ? map_pages(thread, plan->num_core) : 0;
}

/* What was opened after the plan may have had perf start these anew. */
static void watch_shared(struct uncore_plan *plan)
{
	struct uncore_slot *slot;
	unsigned int i;

	for (i = 0; i < plan->num_slots; i++) {
		slot = &plan->slots[i];
		if (slot->counter.load == UNCORE_LOAD_PERF)
			uncore_watch_begin(&slot->counter, NULL, &slot->watch);
	}
}

static struct uncore_region_full *new_region(struct uncore_thread *thread,
					     const char *name, bool reads)
{
	struct uncore_plan *plan = thread->plan;
	struct uncore_region_full *region = calloc(1, sizeof(*region));
	const struct uncore_core *core;
	unsigned int i;

	if (!region)
		return NULL;
	region->thread = thread;
	region->name = name;
	region->pages = thread->pages;
	if (plan->num_core) {
		core = (const void *)thread->core[0].details;
		region->sign = core->sign;
		region->limit = core->limit;
	}
	if (reads) {
		memcpy(region->num, plan->num, sizeof(region->num));
		for (i = 0; i < plan->num_slots; i++) {
			region->address[i] = plan->slots[i].counter.address;
			region->mask[i] = plan->slots[i].counter.mask;
		}
	}
	uncore_region_wire(region, plan->num_core,
			   plan->flags & UNCORE_PLAN_FENCE);
	return region;
}

/* What a region with nothing in it counts. */
static int measure_cost(struct uncore_thread *thread)
{
	struct uncore_region_full *region = new_region(thread, "", false);
	unsigned int i, trial;

	if (!region)
		return -ENOMEM;
	memset(thread->cost, 0xff, sizeof(thread->cost));
	thread->time_cost = UINT64_MAX;
	for (trial = 0; trial < TRIALS; trial++) {
		memset(region->core, 0, sizeof(region->core));
		region->time = 0;
		uncore_region_begin(&region->region);
		uncore_region_end(&region->region);
		for (i = 0; i < thread->plan->num_core; i++)
			if (region->core[i] < thread->cost[i])
				thread->cost[i] = region->core[i];
		if (region->time < thread->time_cost)
			thread->time_cost = region->time;
	}
	free(region);
	return 0;
}

/* With the lock held. */
static int new_thread(struct uncore_plan *plan, struct uncore_thread **result)
{
	struct uncore_thread *thread = calloc(1, sizeof(*thread)), **last;
	int ret;

	if (!thread)
		return -ENOMEM;
	thread->plan = plan;
	thread->tid = gettid();
	thread->number = plan->num_threads;
	if (!thread->number)
		watch_shared(plan);
	ret = open_core(thread);
	if (!ret)
		ret = measure_cost(thread);
	if (!ret)
		ret = -pthread_setspecific(plan->key, thread);
	if (ret) {
		close_core(thread);
		free(thread);
		return ret;
	}
	if (plan->paused)
		uncore_thread_pause(thread);
	plan->num_threads++;
	for (last = &plan->threads; *last; last = &(*last)->next)
		;
	*last = thread;
	*result = thread;
	return 0;
}

/* Regions. */

/* With the lock held. */
static struct uncore_region_name *get_name(struct uncore_plan *plan,
					   const char *text)
{
	struct uncore_region_name **name = &plan->names;

	while (*name && strcmp((*name)->name, text))
		name = &(*name)->next;
	if (!*name) {
		*name = calloc(1, sizeof(**name) + strlen(text) + 1);
		if (*name)
			strcpy((*name)->name, text);
	}
	return *name;
}

static int open_region(struct uncore_plan *plan, struct uncore_thread *thread,
		       const char *text, struct uncore_region **result)
{
	struct uncore_region_name *name = get_name(plan, text);
	struct uncore_region_full **region = &thread->regions;

	if (!name)
		return -ENOMEM;
	while (*region && (*region)->name != name->name)
		region = &(*region)->next;
	if (!*region) {
		*region = new_region(thread, name->name, !name->reader);
		if (!*region)
			return -ENOMEM;
		if (!name->reader)
			name->reader = thread;
	}
	*result = &(*region)->region;
	return 0;
}

int uncore_region_open(struct uncore_plan *plan, const char *name,
		       struct uncore_region **region)
{
	struct uncore_thread *thread = pthread_getspecific(plan->key);
	int ret = 0;

	if (!uncore_plan_is_mine(plan))
		return -ECHILD;
	pthread_mutex_lock(&plan->lock);
	if (!thread)
		ret = new_thread(plan, &thread);
	if (!ret)
		ret = open_region(plan, thread, name, region);
	pthread_mutex_unlock(&plan->lock);
	return ret;
}

int uncore_region_reset(struct uncore_region *known)
{
	struct uncore_region_full *region = (struct uncore_region_full *)known;

	if (known->depth >= 0)
		return -EBUSY;
	known->depth = -1;
	known->unpaired = 0;
	region->misused = false;
	memset(region->core, 0, sizeof(region->core));
	memset(region->sum, 0, sizeof(region->sum));
	region->time = 0;
	region->times = 0;
	return 0;
}

/* Plans. */

/* Events that are @wanted by the environment may be none. */
static int open_plan(struct uncore *uncore, const char *events, bool wanted,
		     unsigned int flags, struct uncore_plan **result,
		     struct uncore_event_error *error)
{
	struct uncore_plan *plan;
	int ret;

	plan = calloc(1, sizeof(*plan));
	if (!plan)
		return -ENOMEM;
	plan->uncore = uncore;
	plan->flags = flags;
	plan->pid = getpid();
	if (wanted && !uncore) {
		ret = uncore_plan_node(events, &plan->own, error);
		plan->uncore = plan->own;
		if (ret)
			goto err_free;
	}
	ret = events ? uncore_plan_parse(plan, events, error) : 0;
	if (ret)
		goto err_forget;
	ret = -pthread_key_create(&plan->key, end_thread);
	if (ret == -EAGAIN)
		uncore_say(error, "too many plans: each takes one of the %d "
			   "keys that a process has (pthread_key_create), so "
			   "close some", PTHREAD_KEYS_MAX);
	if (ret)
		goto err_forget;
	ret = -pthread_mutex_init(&plan->lock, NULL);
	if (ret)
		goto err_key;
	ret = uncore_plan_enlist(plan);
	if (ret)
		goto err_lock;
	uncore_output_note();
	plan->ns_start = uncore_now();
	plan->tsc_start = uncore_tsc();
	*result = plan;
	return 0;

err_lock:
	pthread_mutex_destroy(&plan->lock);
err_key:
	pthread_key_delete(plan->key);
err_forget:
	uncore_plan_forget(plan);
err_free:
	uncore_close(plan->own);
	free(plan);
	return ret;
}

int uncore_plan_open(struct uncore *uncore, const char *events,
		     unsigned int flags, struct uncore_plan **result,
		     struct uncore_event_error *error)
{
	struct uncore_event_error unwanted;
	struct uncore_plan *plan;
	bool wanted = !events;
	int ret;

	if (!error)
		error = &unwanted;
	memset(error, 0, sizeof(*error));
	if (flags & ~(unsigned int)UNCORE_PLAN_FENCE)
		return -EINVAL;
	if (wanted)
		events = uncore_wanted_events();
	if (wanted && events && strchr(events, ';')) {
		uncore_say(error, "a plan counts one group of events, with no "
			   "semicolon in it; markers count several");
		ret = -EINVAL;
	} else {
		ret = open_plan(uncore, events, wanted, flags, &plan, error);
	}
	if (!ret && wanted && events) {
		ret = uncore_tell_open(error);
		if (ret)
			uncore_plan_close(plan);
	} else if (ret && wanted) {
		uncore_tell_error(ret, error);
	}
	if (!ret)
		*result = plan;
	return ret;
}

static void free_thread(struct uncore_thread *thread)
{
	struct uncore_region_full *region;

	while ((region = thread->regions)) {
		thread->regions = region->next;
		free(region);
	}
	close_core(thread);
	free(thread);
}

void uncore_plan_close(struct uncore_plan *plan)
{
	struct uncore_region_name *name;
	struct uncore_thread *thread;

	if (!plan)
		return;
	uncore_plan_delist(plan);
	pthread_key_delete(plan->key);
	while ((thread = plan->threads)) {
		plan->threads = thread->next;
		free_thread(thread);
	}
	while ((name = plan->names)) {
		plan->names = name->next;
		free(name);
	}
	pthread_mutex_destroy(&plan->lock);
	uncore_plan_forget(plan);
	uncore_close(plan->own);
	free(plan);
}

unsigned int uncore_plan_count(const struct uncore_plan *plan)
{
	return plan->num_entries;
}

const char *uncore_plan_event(const struct uncore_plan *plan,
			      unsigned int index)
{
	return index < plan->num_entries ? plan->entries[index].name : NULL;
}
