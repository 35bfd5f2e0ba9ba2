// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A child made by fork has copies of its parent's plans, but not the pages of
 * events of the core: to read them would kill it. So in the child their regions
 * do nothing, and begin and end need not ask whose they are.
 */
#include <pthread.h>
#include <unistd.h>

#include "region.h"

static pthread_mutex_t fork_lock = PTHREAD_MUTEX_INITIALIZER;
static struct uncore_plan *fork_plans;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static int fork_error;

bool uncore_plan_is_mine(const struct uncore_plan *plan)
{
	return plan->pid == getpid();
}

static void do_nothing(struct uncore_region *region)
{
	((struct uncore_region_full *)region)->misused = true;
}

void uncore_thread_disown(struct uncore_thread *thread)
{
	struct uncore_region_full *region;

	for (region = thread->regions; region; region = region->next) {
		region->region.begin = do_nothing;
		region->region.end = do_nothing;
	}
}

static void disown(struct uncore_plan *plan)
{
	struct uncore_thread *thread;

	for (thread = plan->threads; thread; thread = thread->next)
		uncore_thread_disown(thread);
	/* Whoever looks for a region by its name finds none. */
	pthread_setspecific(plan->key, NULL);
}

static void before_fork(void)
{
	pthread_mutex_lock(&fork_lock);
	uncore_output_lock();
}

static void in_parent(void)
{
	uncore_output_unlock();
	pthread_mutex_unlock(&fork_lock);
}

static void in_child(void)
{
	struct uncore_plan *plan;

	for (plan = fork_plans; plan; plan = plan->next)
		disown(plan);
	uncore_output_unlock();
	pthread_mutex_unlock(&fork_lock);
}

static void watch_forks(void)
{
	fork_error = -pthread_atfork(before_fork, in_parent, in_child);
}

int uncore_plan_enlist(struct uncore_plan *plan)
{
	/* Not with the lock, which a fork may wait for. */
	pthread_once(&fork_once, watch_forks);
	if (fork_error)
		return fork_error;
	pthread_mutex_lock(&fork_lock);
	plan->next = fork_plans;
	fork_plans = plan;
	pthread_mutex_unlock(&fork_lock);
	return 0;
}

void uncore_plan_delist(struct uncore_plan *plan)
{
	struct uncore_plan **link = &fork_plans;

	pthread_mutex_lock(&fork_lock);
	while (*link && *link != plan)
		link = &(*link)->next;
	if (*link)
		*link = plan->next;
	pthread_mutex_unlock(&fork_lock);
}
