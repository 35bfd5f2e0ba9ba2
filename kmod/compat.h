/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels this module builds on. No other file looks
 * at a version.
 */
#ifndef _UNCORE_PMU_COMPAT_H
#define _UNCORE_PMU_COMPAT_H

#include <linux/mm.h>
#include <linux/mmu_context.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0) || \
	LINUX_VERSION_CODE >= KERNEL_VERSION(7, 4, 0)
#error "uncore_pmu builds on Linux 6.1 to 7.3"
#endif

/* A probe in fork allocates memory, and is not preempted meanwhile. */
#ifdef CONFIG_PREEMPT_RT
#error "uncore_pmu does not work with PREEMPT_RT: take a kernel without it"
#endif

/* 6.3 made vma->vm_flags constant, and brought the helpers to change it. */
static inline void compat_vm_flags_mod(struct vm_area_struct *vma,
				       vm_flags_t set, vm_flags_t clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/* 6.9 renamed it with the new topology code. */
static inline unsigned int compat_max_dies_per_package(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	return topology_max_dies_per_package();
#else
	return topology_max_die_per_package();
#endif
}

/* Bound to a CPU was the default until 6.17 gave it a name. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define COMPAT_WQ_PERCPU	WQ_PERCPU
#else
#define COMPAT_WQ_PERCPU	0
#endif

/*
 * leave_mm() lost its argument between 6.1 and 6.12: ask its type, so that
 * the answer is right in kernels with backports too.
 */
static inline void compat_leave_mm_of_cpu(void (*leave)(int cpu))
{
	leave(smp_processor_id());
}

static inline void compat_leave_mm_of_self(void (*leave)(void))
{
	leave();
}

#define compat_leave_mm()						\
	__builtin_choose_expr(						\
		__builtin_types_compatible_p(typeof(leave_mm), void (int)), \
		compat_leave_mm_of_cpu, compat_leave_mm_of_self)(leave_mm)

/*
 * 6.11 made a constant of the function in which perf looks for the registers of
 * the links of Sapphire Rapids and Emerald Rapids: that of the first, for each.
 * What changed there until March 2026 (a16d1ec4dd0c) left that as it was, and no
 * fix is known: look again before this file admits later kernels.
 */
#define COMPAT_PERF_FIRST_LINK						\
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) &&		\
	 LINUX_VERSION_CODE < KERNEL_VERSION(7, 4, 0))

#endif /* _UNCORE_PMU_COMPAT_H */
