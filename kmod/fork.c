// SPDX-License-Identifier: GPL-2.0-only
/*
 * The right to RDPMC across fork.
 *
 * A child's count of mappings begins with what a memcpy of the parent's mm
 * brought, whatever the child then really inherits: nothing at all if the
 * parent has excepted a mapping by MADV_DONTFORK, or if another of its threads
 * unmapped it just then, and no close would ever take the right away again. So
 * the count is set to what the child has, before it enters user mode for the
 * first time: the kernel's tracepoint for fork, which is not exported but can
 * be looked up, gives it work to do on its way there. (In the tracepoint itself
 * the new mm cannot be waited for, and uprobes, khugepaged or a write to
 * clear_refs may have it locked.)
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/tracepoint.h>
#include <linux/wait_bit.h>

#include "uncore_pmu.h"

static struct tracepoint *fork_tracepoint;

/* Children that have yet to correct their count. */
static atomic_t fork_pending = ATOMIC_INIT(0);

static void fork_correct(struct callback_head *work)
{
	struct mm_struct *mm = current->mm;

	kfree(work);
	/* Killed before it ever ran, it has none any more. */
	if (mm) {
		mmap_read_lock(mm);
		uncore_pmu_rdpmc_set_count(mm, uncore_pmu_count_mappings(mm));
		mmap_read_unlock(mm);
	}
	if (atomic_dec_and_test(&fork_pending))
		wake_up_var(&fork_pending);
}

/* A child whose count cannot be corrected must not run. */
static void fork_probe(void *data, struct task_struct *parent,
		       struct task_struct *child)
{
	struct mm_struct *mm = child->mm;
	struct callback_head *work;

	if (!mm || mm == parent->mm || !uncore_pmu_rdpmc_count(mm))
		return;

	work = kmalloc(sizeof(*work), GFP_ATOMIC);
	if (!work) {
		send_sig(SIGKILL, child, 1);
		return;
	}
	init_task_work(work, fork_correct);
	atomic_inc(&fork_pending);
	/* Refused only by a child that is exiting already. */
	if (task_work_add(child, work, TWA_RESUME)) {
		kfree(work);
		atomic_dec(&fork_pending);
	}
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
	wait_var_event(&fork_pending, !atomic_read(&fork_pending));
	/* The last one may still be in fork_correct(). */
	synchronize_rcu_tasks();
}
