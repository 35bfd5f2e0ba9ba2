// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDPMC for the processes that have something mapped, and for no other.
 *
 * The kernel keeps mm->context.perf_rdpmc_allowed, and sets CR4.PCE by it when
 * a CPU changes to another mm; nothing else makes it look (cr4_update_pce_mm()
 * and its callers in arch/x86/mm/tlb.c), except perf's own events and the
 * sysfs attribute "rdpmc", which stays in charge. perf counts its mappings
 * there, and so do we. What changes CR4 at once is not exported; so for a
 * change to be seen, each CPU that may hold the mm is made to run a kernel
 * thread which leaves the mm it finds loaded. The way back is a change of mm.
 *
 * leave_mm() wants the CPU to be in lazy mode, which the scheduler's change to
 * a kernel thread has put it in. High priority workers are used also because
 * nothing else there is known to load an mm of its own.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/gfp.h>
#include <linux/ktime.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <asm/processor-flags.h>
#include <asm/special_insns.h>

#include "compat.h"
#include "uncore_pmu.h"

/*
 * What a mapping of ours counts, where perf counts its own by ones: the two can
 * be told apart, unless a process maps thousands of perf events, and then the
 * sum is right all the same.
 */
#define MAPPING		BIT(12)

/*
 * Longer than the second in which the scheduler leaves other tasks some time
 * beside real-time ones, if it does.
 */
#define OWN_CPU_WAIT	(1250 * NSEC_PER_MSEC)
/* All others together; those that take longer follow by themselves. */
#define OTHER_CPUS_WAIT	(100 * NSEC_PER_MSEC)

/**
 * struct rdpmc_cpu - what makes one CPU look at its mm's count
 * @work: leaves the mm
 * @cpu: where @work belongs
 * @seen: value of @rdpmc_turn when the last finished run of @work began
 *
 * Static, so that whoever tires of waiting can go away.
 */
struct rdpmc_cpu {
	struct work_struct work;
	int cpu;
	atomic_long_t seen;
};

static DEFINE_PER_CPU(struct rdpmc_cpu, rdpmc_cpus);
static DECLARE_WAIT_QUEUE_HEAD(rdpmc_waiters);
static atomic_long_t rdpmc_turn;
static struct workqueue_struct *rdpmc_wq;
static struct page *rdpmc_page;

static void rdpmc_leave_mm(struct work_struct *work)
{
	struct rdpmc_cpu *rc = container_of(work, struct rdpmc_cpu, work);
	long turn = atomic_long_read(&rdpmc_turn);
	unsigned long flags;
	bool here;

	local_irq_save(flags);
	here = smp_processor_id() == rc->cpu;
	compat_leave_mm();
	local_irq_restore(flags);

	/* The work of a CPU on its way down may run on another one. */
	if (!here && cpu_online(rc->cpu))
		return;

	atomic_long_set(&rc->seen, turn);
	wake_up_all(&rdpmc_waiters);
}

static void rdpmc_kick(int cpu)
{
	queue_work_on(cpu, rdpmc_wq, &per_cpu(rdpmc_cpus, cpu).work);
}

static bool rdpmc_seen(int cpu, long turn)
{
	return atomic_long_read(&per_cpu(rdpmc_cpus, cpu).seen) - turn >= 0;
}

/*
 * False if it was not seen by then. Not a jiffies timeout: the timer softirq
 * waits for ksoftirqd, and that for the real-time task that we do not wait for.
 */
static bool rdpmc_wait(int cpu, long turn, ktime_t deadline)
{
	ktime_t left = ktime_sub(deadline, ktime_get());

	if (left <= 0)
		return rdpmc_seen(cpu, turn);
	return !wait_event_hrtimeout(rdpmc_waiters, rdpmc_seen(cpu, turn),
				     left);
}

/*
 * CPUs come and go in the mask meanwhile. One that joins has seen the count;
 * it is kicked all the same, which costs less than remembering who was in.
 */
static void rdpmc_wait_others(struct mm_struct *mm, int own, long turn)
{
	ktime_t deadline = ktime_add_ns(ktime_get(), OTHER_CPUS_WAIT);
	int cpu;

	for_each_cpu(cpu, mm_cpumask(mm)) {
		if (cpu == own || rdpmc_seen(cpu, turn))
			continue;
		rdpmc_kick(cpu);
		if (!rdpmc_wait(cpu, turn, deadline))
			return;
	}
}

/*
 * Makes CPUs see a changed count: our own if we run in this mm and its CR4 is
 * not yet as @wanted, and @others that may have the mm loaded. If the result is
 * true our own has seen it. (Where sysfs overrules the count, CR4 never gets as
 * wanted: then we wait for nothing, which is rare and does no harm.)
 *
 * Migration is disabled so that "our own" still is on return. The work takes no
 * lock, so any may be held here; mmap_lock is.
 */
static bool rdpmc_settle(struct mm_struct *mm, bool wanted, bool others)
{
	bool certain = true;
	long turn;
	int own, cpu;

	migrate_disable();
	own = smp_processor_id();
	turn = atomic_long_inc_return(&rdpmc_turn);

	if (others)
		for_each_cpu(cpu, mm_cpumask(mm))
			if (cpu != own)
				rdpmc_kick(cpu);

	if (current->mm == mm &&
	    !!(native_read_cr4() & X86_CR4_PCE) != wanted) {
		rdpmc_kick(own);
		certain = rdpmc_wait(own, turn,
				     ktime_add_ns(ktime_get(), OWN_CPU_WAIT));
	}

	if (others && certain)
		rdpmc_wait_others(mm, own, turn);
	migrate_enable();
	return certain;
}

/**
 * uncore_pmu_rdpmc_get() - a mapping was made
 * @mm: address space it was made in
 *
 * On return RDPMC works on the calling CPU. It does on the others that run the
 * process too, unless one was not to be had in short time; that one follows.
 *
 * Return: 0, or -EAGAIN if the calling CPU was not to be had.
 */
int uncore_pmu_rdpmc_get(struct mm_struct *mm)
{
	atomic_t *allowed = &mm->context.perf_rdpmc_allowed;
	bool first = atomic_add_return(MAPPING, allowed) == MAPPING;

	if (rdpmc_settle(mm, true, first))
		return 0;

	uncore_pmu_rdpmc_put(mm);
	return -EAGAIN;
}

/**
 * uncore_pmu_rdpmc_copy() - a mapping was split, moved or inherited
 * @mm: address space that the copy is in
 *
 * In a child, fork.c has the last word.
 */
void uncore_pmu_rdpmc_copy(struct mm_struct *mm)
{
	atomic_add(MAPPING, &mm->context.perf_rdpmc_allowed);
}

/**
 * uncore_pmu_rdpmc_put() - a mapping was closed
 * @mm: address space it was in
 *
 * After the last one RDPMC faults again, as soon as it worked in
 * uncore_pmu_rdpmc_get(). An address space that nobody uses any more needs no
 * such care.
 */
void uncore_pmu_rdpmc_put(struct mm_struct *mm)
{
	if (atomic_sub_return(MAPPING, &mm->context.perf_rdpmc_allowed))
		return;
	if (atomic_read(&mm->mm_users))
		rdpmc_settle(mm, false, true);
}

/**
 * uncore_pmu_rdpmc_count() - how many mappings count in an address space
 * @mm: address space
 *
 * Return: the number.
 */
unsigned int uncore_pmu_rdpmc_count(struct mm_struct *mm)
{
	return (u32)atomic_read(&mm->context.perf_rdpmc_allowed) / MAPPING;
}

/**
 * uncore_pmu_rdpmc_set_count() - set how many mappings count
 * @mm: address space of the caller, locked at least for reading, which has not
 *	been in user mode yet
 * @count: the number
 */
void uncore_pmu_rdpmc_set_count(struct mm_struct *mm, unsigned int count)
{
	atomic_t *allowed = &mm->context.perf_rdpmc_allowed;
	u32 others = (u32)atomic_read(allowed) % MAPPING;

	atomic_set(allowed, others + count * MAPPING);
	if (!(others + count))
		rdpmc_settle(mm, false, false);
}

/**
 * uncore_pmu_rdpmc_page() - the page that stands for nothing but the right
 *
 * Return: a page full of zeros.
 */
struct page *uncore_pmu_rdpmc_page(void)
{
	return rdpmc_page;
}

/**
 * uncore_pmu_rdpmc_init() - prepare for mappings
 *
 * Return: 0 or -ENOMEM.
 */
int uncore_pmu_rdpmc_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct rdpmc_cpu *rc = &per_cpu(rdpmc_cpus, cpu);

		INIT_WORK(&rc->work, rdpmc_leave_mm);
		rc->cpu = cpu;
	}

	rdpmc_page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!rdpmc_page)
		return -ENOMEM;

	rdpmc_wq = alloc_workqueue("uncore_pmu", WQ_HIGHPRI | COMPAT_WQ_PERCPU,
				   0);
	if (!rdpmc_wq)
		goto free_page;
	return 0;

free_page:
	__free_page(rdpmc_page);
	return -ENOMEM;
}

/**
 * uncore_pmu_rdpmc_exit() - undo uncore_pmu_rdpmc_init()
 *
 * There are no mappings left. Work that nobody waits for may be: it is
 * finished first.
 */
void uncore_pmu_rdpmc_exit(void)
{
	destroy_workqueue(rdpmc_wq);
	__free_page(rdpmc_page);
}
