// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Plans that take turns, and what is known of their counters. The kernel would
 * share the hardware between all events that are enabled, so those of the plans
 * whose turn it is not are disabled.
 */
#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include "region.h"

int uncore_thread_state(const struct uncore_thread *thread, unsigned int index)
{
	int state = thread->state[index];

	if (thread->ended || thread->plan->paused || state != UNCORE_VALID)
		return state;
	return uncore_counter_status(&thread->core[index],
				     &thread->watch[index]);
}

/* Of counters that perf has not, no plan ever stops any. */
static bool is_stopped(const struct uncore_plan *plan,
		       const struct uncore_slot *slot)
{
	return plan->paused && slot->counter.load == UNCORE_LOAD_PERF;
}

int uncore_slot_state(const struct uncore_plan *plan,
		      const struct uncore_slot *slot)
{
	if (slot->state != UNCORE_VALID || is_stopped(plan, slot))
		return slot->state;
	return uncore_counter_status(&slot->counter, &slot->watch);
}

/* If it fails, the state of the counter says so. */
static void enable(const struct uncore_counter *counter, bool yes)
{
	ioctl((int)counter->index,
	      yes ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* What was counted in a region now will lack something. */
static void mark_begun(const struct uncore_thread *thread)
{
	struct uncore_region_full *region;

	for (region = thread->regions; region; region = region->next)
		if (__atomic_load_n(&region->region.depth, __ATOMIC_RELAXED) !=
		    -1)
			region->misused = true;
}

void uncore_thread_pause(struct uncore_thread *thread)
{
	unsigned int i;

	for (i = 0; i < thread->plan->num_core; i++)
		enable(&thread->core[i], false);
}

static void pause_thread(struct uncore_thread *thread)
{
	unsigned int i;

	mark_begun(thread);
	for (i = 0; i < thread->plan->num_core; i++)
		thread->state[i] = uncore_thread_state(thread, i);
	uncore_thread_pause(thread);
}

/* One may have been begun when the plan was paused already. */
static void resume_thread(struct uncore_thread *thread)
{
	unsigned int i;

	mark_begun(thread);
	for (i = 0; i < thread->plan->num_core; i++)
		enable(&thread->core[i], true);
	for (i = 0; i < thread->plan->num_core; i++)
		uncore_watch_begin(&thread->core[i], NULL, &thread->watch[i]);
}

static void pause_slot(struct uncore_plan *plan, struct uncore_slot *slot)
{
	if (slot->counter.load != UNCORE_LOAD_PERF)
		return;
	/* Before the first region, others may start it anew. */
	if (plan->num_threads)
		slot->state = uncore_slot_state(plan, slot);
	enable(&slot->counter, false);
}

static void enable_slot(struct uncore_slot *slot)
{
	if (slot->counter.load == UNCORE_LOAD_PERF)
		enable(&slot->counter, true);
}

static void watch_slot(struct uncore_slot *slot)
{
	if (slot->counter.load != UNCORE_LOAD_PERF)
		return;
	uncore_amd_settle(&slot->counter);
	uncore_watch_begin(&slot->counter, NULL, &slot->watch);
	/* The caller is not who reads it: each read looks for itself. */
	if (slot->watch.begun == UNCORE_OTHER_CPU)
		slot->watch.begun = UNCORE_VALID;
}

void uncore_plan_pause(struct uncore_plan *plan)
{
	struct uncore_thread *thread;
	unsigned int i;

	if (!uncore_plan_is_mine(plan))
		return;
	pthread_mutex_lock(&plan->lock);
	if (!plan->paused) {
		for (thread = plan->threads; thread; thread = thread->next)
			if (!thread->ended)
				pause_thread(thread);
		for (i = 0; i < plan->num_slots; i++)
			pause_slot(plan, &plan->slots[i]);
		plan->paused = true;
	}
	pthread_mutex_unlock(&plan->lock);
}

void uncore_plan_resume(struct uncore_plan *plan)
{
	struct uncore_thread *thread;
	unsigned int i;

	if (!uncore_plan_is_mine(plan))
		return;
	pthread_mutex_lock(&plan->lock);
	if (plan->paused) {
		plan->paused = false;
		for (thread = plan->threads; thread; thread = thread->next)
			if (!thread->ended)
				resume_thread(thread);
		for (i = 0; i < plan->num_slots; i++)
			enable_slot(&plan->slots[i]);
		/* Each that is enabled starts the others anew. */
		for (i = 0; i < plan->num_slots; i++)
			watch_slot(&plan->slots[i]);
	}
	pthread_mutex_unlock(&plan->lock);
}
