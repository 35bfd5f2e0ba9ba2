// SPDX-License-Identifier: LGPL-2.1-or-later
/* Regions by name, in groups of events of which one is counted at a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"

/*
 * @current: changes with the @lock held
 * @turn: odd while it does, and another number afterwards
 * @failures: starts of regions that failed
 * @failure: the error of the first
 */
struct uncore_marker {
	struct uncore *uncore;
	pthread_mutex_t lock;
	unsigned int num_plans, current, failures;
	uint32_t turn;
	int failure;
	struct uncore_plan *plans[];
};

/* likwid.f90 has it so, with room to spare. */
_Static_assert(!offsetof(struct uncore_event_error, message) &&
	       sizeof(((struct uncore_event_error *)0)->message) == 256 &&
	       sizeof(struct uncore_event_error) <= 256 + 4096,
	       "change event_error in likwid.f90, too");

static struct uncore_plan *current_plan(struct uncore_marker *marker)
{
	return marker->plans[__atomic_load_n(&marker->current,
					     __ATOMIC_RELAXED)];
}

static int open_plan(struct uncore_marker *marker, const char *events,
		     struct uncore_event_error *error)
{
	struct uncore_plan **plan = &marker->plans[marker->num_plans];
	int ret;

	memset(error, 0, sizeof(*error));
	if (marker->num_plans)
		uncore_plan_pause(plan[-1]);
	ret = uncore_plan_node(events, &marker->uncore, error);
	if (!ret)
		ret = uncore_plan_open(marker->uncore, events, 0, plan, error);
	if (!ret)
		marker->num_plans++;
	return ret;
}

static int open_marker(const char *groups, struct uncore_marker **result,
		       struct uncore_event_error *error)
{
	struct uncore_marker *marker;
	char *copy = strdup(groups), *rest = copy, *group;
	size_t i, num = 1;
	int ret = 0;

	if (!copy)
		return -ENOMEM;
	for (i = 0; groups[i]; i++)
		num += groups[i] == ';';
	marker = calloc(1, sizeof(*marker) + num * sizeof(marker->plans[0]));
	if (!marker) {
		free(copy);
		return -ENOMEM;
	}
	pthread_mutex_init(&marker->lock, NULL);
	while (!ret && (group = strsep(&rest, ";")))
		ret = open_plan(marker, group, error);
	free(copy);
	if (!ret && marker->num_plans > 1) {
		uncore_plan_pause(marker->plans[marker->num_plans - 1]);
		uncore_plan_resume(marker->plans[0]);
	}
	if (ret)
		uncore_marker_close(marker);
	else
		*result = marker;
	return ret;
}

static int open_wanted(struct uncore_marker **result,
		       struct uncore_event_error *error)
{
	const char *groups = uncore_wanted_events();
	struct uncore_marker *marker;
	unsigned int i;
	int ret;

	if (!groups) {
		uncore_say(error, "say what to count, with uncorectl stat -m or "
			   "in UNCORE_EVENTS");
		return -ENODATA;
	}
	ret = open_marker(groups, &marker, error);
	if (ret) {
		uncore_tell_error(ret, error);
		return ret;
	}
	for (i = 0; i < marker->num_plans && !ret; i++)
		ret = uncore_tell_open(error);
	if (ret)
		uncore_marker_close(marker);
	else
		*result = marker;
	return ret;
}

int uncore_marker_open(const char *groups, struct uncore_marker **result,
		       struct uncore_event_error *error)
{
	struct uncore_event_error unwanted;

	if (!error)
		error = &unwanted;
	memset(error, 0, sizeof(*error));
	return groups ? open_marker(groups, result, error)
		      : open_wanted(result, error);
}

void uncore_marker_close(struct uncore_marker *marker)
{
	unsigned int i;

	if (!marker)
		return;
	for (i = 0; i < marker->num_plans; i++)
		uncore_plan_close(marker->plans[i]);
	uncore_close(marker->uncore);
	pthread_mutex_destroy(&marker->lock);
	free(marker);
}

static unsigned int next_of(const struct uncore_marker *marker)
{
	return (marker->current + 1) % marker->num_plans;
}

static void set_current(struct uncore_marker *marker, unsigned int group)
{
	__atomic_store_n(&marker->current, group, __ATOMIC_RELAXED);
}

void uncore_marker_next(struct uncore_marker *marker)
{
	unsigned int next;

	if (!marker || marker->num_plans == 1)
		return;
	/* In a child the lock may be held for ever, and nothing is to be stopped. */
	if (!uncore_plan_is_mine(marker->plans[0])) {
		set_current(marker, next_of(marker));
		return;
	}
	pthread_mutex_lock(&marker->lock);
	next = next_of(marker);
	__atomic_add_fetch(&marker->turn, 1, __ATOMIC_SEQ_CST);
	uncore_plan_pause(current_plan(marker));
	uncore_plan_resume(marker->plans[next]);
	set_current(marker, next);
	__atomic_add_fetch(&marker->turn, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&marker->lock);
}

static struct uncore_region_full *full(struct uncore_region *region)
{
	return (struct uncore_region_full *)region;
}

/* Without a lock: the list is that of the calling thread. */
static struct uncore_region *find(struct uncore_plan *plan, const char *name)
{
	const struct uncore_thread *thread = pthread_getspecific(plan->key);
	struct uncore_region_full *region = thread ? thread->regions : NULL;

	while (region && strcmp(region->name, name))
		region = region->next;
	return region ? &region->region : NULL;
}

int uncore_marker_register(struct uncore_marker *marker, const char *name)
{
	struct uncore_region *region;

	return marker ? uncore_region_open(current_plan(marker), name, &region)
		      : 0;
}

/* Programs do not look at what the macros return. */
static void note_failure(struct uncore_marker *marker, int error)
{
	int none = 0;

	__atomic_compare_exchange_n(&marker->failure, &none, error, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	__atomic_fetch_add(&marker->failures, 1, __ATOMIC_RELAXED);
}

int uncore_marker_start(struct uncore_marker *marker, const char *name)
{
	struct uncore_region *region;
	struct uncore_plan *plan;
	uint32_t turn;
	int ret;

	if (!marker)
		return 0;
	turn = __atomic_load_n(&marker->turn, __ATOMIC_ACQUIRE);
	plan = current_plan(marker);
	region = find(plan, name);
	if (!region) {
		ret = uncore_region_open(plan, name, &region);
		if (ret) {
			note_failure(marker, ret);
			return ret;
		}
	}
	if (region->depth < 0)
		full(region)->turn = turn;
	uncore_region_begin(region);
	return 0;
}

/*
 * Whatever another thread has stopped meanwhile: it was not this turn any more
 * then, or was not yet when the region was begun.
 */
int uncore_marker_stop(struct uncore_marker *marker, const char *name)
{
	struct uncore_region *region;
	uint32_t turn;

	if (!marker)
		return 0;
	region = find(current_plan(marker), name);
	if (!region)
		return -ENOENT;
	uncore_region_end(region);
	turn = __atomic_load_n(&marker->turn, __ATOMIC_ACQUIRE);
	if (full(region)->turn != turn || turn & 1)
		full(region)->misused = true;
	return 0;
}

int uncore_marker_reset(struct uncore_marker *marker, const char *name)
{
	struct uncore_region *region;

	if (!marker)
		return 0;
	region = find(current_plan(marker), name);
	return region ? uncore_region_reset(region) : -ENOENT;
}

int uncore_marker_get(struct uncore_marker *marker, const char *name,
		      unsigned int *num, double *values, uint64_t *times,
		      double *seconds)
{
	unsigned int room = *num, i;
	struct uncore_region *region;
	struct uncore_plan *plan;
	uint64_t *counts;
	int ret;

	*num = 0;
	*times = 0;
	*seconds = 0;
	if (!marker)
		return 0;
	plan = current_plan(marker);
	region = find(plan, name);
	if (!region)
		return -ENOENT;
	counts = calloc(uncore_plan_count(plan), sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	ret = uncore_region_values(region, 0, counts, times, seconds);
	for (i = 0; !ret && i < uncore_plan_count(plan) && i < room; i++)
		values[i] = (double)counts[i];
	*num = i;
	free(counts);
	return ret;
}

int uncore_marker_text(struct uncore_marker *marker, enum uncore_format format,
		       char **result)
{
	if (marker)
		return uncore_plans_text(marker->plans, 1, marker->num_plans,
					 format, 0, result);
	*result = strdup("");
	return *result ? 0 : -ENOMEM;
}

static void report_failures(const struct uncore_marker *marker)
{
	unsigned int failures = __atomic_load_n(&marker->failures,
						__ATOMIC_RELAXED);
	struct uncore_event_error error = { .message = "" };

	if (!failures)
		return;
	uncore_say(&error, "regions are missing: %u start%s of them failed: %s",
		   failures, failures > 1 ? "s" : "",
		   uncore_strerror(UNCORE_CALL_CORE, marker->failure));
	uncore_report_loss(&error);
}

int uncore_marker_report(struct uncore_marker *marker)
{
	int ret;

	if (!marker)
		return 0;
	ret = uncore_plans_report(marker->plans, marker->num_plans);
	/* A child has the failures of its parent, too. */
	if (ret != -ECHILD)
		report_failures(marker);
	return ret;
}
