// SPDX-License-Identifier: GPL-2.0-only
/*
 * The right to RDPMC across fork.
 *
 * A child's count of mappings begins with what a memcpy of the parent's mm
 * brought, whatever the child then really inherits: nothing at all if the
 * parent has excepted a mapping by MADV_DONTFORK, or if another of its threads
 * unmapped it just then, and no close would ever take the right away again. So
 * the count is set to what the child has, before it runs for the first time:
 * that is where the kernel's tracepoint for fork is. It is not exported, but
 * can be looked up.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "uncore_pmu.h"

static struct tracepoint *fork_tracepoint;

/*
 * Nobody should have the new mm locked for writing. If somebody has, the count
 * stays too high, never too low: copies were added to what it began with.
 */
static void fork_probe(void *data, struct task_struct *parent,
		       struct task_struct *child)
{
	struct mm_struct *mm = child->mm;

	if (!mm || mm == parent->mm || !uncore_pmu_rdpmc_count(mm))
		return;
	if (!mmap_read_trylock(mm))
		return;
	uncore_pmu_rdpmc_set_count(mm, uncore_pmu_count_mappings(mm));
	mmap_read_unlock(mm);
}

static void find_tracepoint(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sched_process_fork"))
		fork_tracepoint = tp;
}

/**
 * uncore_pmu_fork_init() - watch the forks
 *
 * Return: 0 or a negative errno, -EOPNOTSUPP if the kernel has no tracepoints.
 */
int uncore_pmu_fork_init(void)
{
	for_each_kernel_tracepoint(find_tracepoint, NULL);
	if (!fork_tracepoint)
		return -EOPNOTSUPP;
	return tracepoint_probe_register(fork_tracepoint, fork_probe, NULL);
}

/**
 * uncore_pmu_fork_exit() - undo uncore_pmu_fork_init()
 */
void uncore_pmu_fork_exit(void)
{
	tracepoint_probe_unregister(fork_tracepoint, fork_probe, NULL);
	tracepoint_synchronize_unregister();
}
