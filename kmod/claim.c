// SPDX-License-Identifier: GPL-2.0-only
/*
 * Claims: counters that open files have programmed.
 *
 * This file knows who holds what; claim_perf.c and claim_direct.c know how a
 * counter is programmed, and watch.c notices what happens to it later.
 */
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/pci.h>
#include <linux/pid.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/uidgid.h>

#include "uncore_pmu.h"

static LIST_HEAD(claims);
static DEFINE_MUTEX(claims_lock);
/* Cyclic, so that a number does not soon mean another claim. */
static DEFINE_IDR(claim_ids);

/*
 * CPUs stay with it, for the sake of perf's events: with the last one of a die
 * they must go, and uncore_pmu_lose_claims_of_cpu() takes no other lock.
 */
static void lock_claims(void)
{
	mutex_lock(&claims_lock);
	cpus_read_lock();
}

static void unlock_claims(void)
{
	cpus_read_unlock();
	mutex_unlock(&claims_lock);
}

static bool is_lost(const struct uncore_claim *claim)
{
	return claim->state == UNCORE_PMU_COUNTER_LOST;
}

/* The claim of a counter; one that is lost only if there is no other. */
static struct uncore_claim *claim_of(const struct uncore_unit *unit,
				     u32 counter)
{
	struct uncore_claim *claim, *lost = NULL;

	list_for_each_entry(claim, &claims, list) {
		if (claim->unit != unit || claim->counter != counter)
			continue;
		if (!is_lost(claim))
			return claim;
		lost = claim;
	}
	return lost;
}

/**
 * uncore_pmu_is_claimed() - is there a claim of a counter, not lost
 * @unit: the unit
 * @counter: index of the counter
 *
 * Return: true if there is.
 */
bool uncore_pmu_is_claimed(const struct uncore_unit *unit, u32 counter)
{
	const struct uncore_claim *claim = claim_of(unit, counter);

	return claim && !is_lost(claim);
}

/**
 * uncore_pmu_claim_counts() - say whether a claimed counter counts its event
 * @claim: the claim, not lost
 * @counts: it does, from now on, or again after an interruption
 */
void uncore_pmu_claim_counts(struct uncore_claim *claim, bool counts)
{
	claim->state = counts ? UNCORE_PMU_COUNTER_CLAIMED
			      : UNCORE_PMU_COUNTER_REPROGRAMMED;
	uncore_pmu_generation_next(claim->index, claim->counter, counts);
}

/**
 * uncore_pmu_claim_seen() - a claimed counter was looked at
 * @claim: the claim, not lost
 * @counts: it counts its event
 */
void uncore_pmu_claim_seen(struct uncore_claim *claim, bool counts)
{
	bool before = claim->state == UNCORE_PMU_COUNTER_CLAIMED;

	if (counts != before)
		uncore_pmu_claim_counts(claim, counts);
}

/**
 * uncore_pmu_claim_moved() - the claimed event counts in another counter now
 * @claim: the claim
 * @counter: index of the counter
 */
void uncore_pmu_claim_moved(struct uncore_claim *claim, u32 counter)
{
	/* Another claim of ours may have come to where this one was. */
	u32 from = claim->counter;

	claim->counter = counter;
	uncore_pmu_describe_counter(claim->unit, counter, &claim->desc);
	if (!claim_of(claim->unit, from))
		uncore_pmu_generation_next(claim->index, from, false);
	uncore_pmu_claim_counts(claim, true);
}

/*
 * perf may have moved events since we last looked: before anything is done to a
 * counter for the sake of a claim, it must still be that claim's.
 */
static void check_unit(const struct uncore_unit *unit)
{
	struct uncore_claim *claim;

	list_for_each_entry(claim, &claims, list)
		if (claim->unit == unit && !is_lost(claim))
			uncore_pmu_check_claim(claim);
}

/* What the registers hold, of counters that nobody has claimed. */
static int save_registers(struct uncore_unit *unit)
{
	unsigned int n = uncore_pmu_num_counters(unit);
	struct uncore_saved *saved = unit->saved;
	struct uncore_pmu_counter desc;
	unsigned int i;

	if (!saved) {
		saved = kzalloc(struct_size(saved, counter, n), GFP_KERNEL);
		if (!saved)
			return -ENOMEM;
		unit->saved = saved;
	}

	for (i = 0; i < n; i++) {
		if (uncore_pmu_is_claimed(unit, i))
			continue;
		uncore_pmu_describe_counter(unit, i, &desc);
		if (desc.kind == UNCORE_PMU_KIND_FREE_RUNNING)
			continue;
		saved->counter[i].control = uncore_pmu_read_control(unit,
								    &desc);
		saved->counter[i].count = uncore_pmu_read_count(unit, &desc);
	}
	return 0;
}

static void put_saved(struct uncore_unit *unit)
{
	if (unit->saved->claims)
		return;
	kfree(unit->saved);
	unit->saved = NULL;
}

/* Ends what was programmed; the registers are restored. */
static void end_programming(struct uncore_claim *claim)
{
	struct uncore_unit *unit = claim->unit;

	uncore_pmu_generation_next(claim->index, claim->counter, false);
	if (claim->via == UNCORE_PMU_VIA_PERF)
		uncore_pmu_perf_end(claim);
	else
		uncore_pmu_direct_end(claim);

	unit->saved->claims--;
	put_saved(unit);
}

/**
 * uncore_pmu_lose_claim() - a claim comes to its end without its holder
 * @claim: the claim, not lost
 */
void uncore_pmu_lose_claim(struct uncore_claim *claim)
{
	end_programming(claim);
	claim->state = UNCORE_PMU_COUNTER_LOST;
}

static void end_claim(struct uncore_claim *claim)
{
	if (!is_lost(claim))
		check_unit(claim->unit);
	if (!is_lost(claim))
		end_programming(claim);
	list_del(&claim->list);
	idr_remove(&claim_ids, claim->id);
	put_pid(claim->pid);
	kfree(claim);
}

/**
 * uncore_pmu_lose_claims() - a unit's claims come to their end
 * @unit: the unit
 * @via: only those programmed in this way; 0 for all
 */
void uncore_pmu_lose_claims(struct uncore_unit *unit, enum uncore_pmu_via via)
{
	struct uncore_claim *claim;

	lock_claims();
	check_unit(unit);
	list_for_each_entry(claim, &claims, list)
		if (claim->unit == unit && !is_lost(claim) &&
		    (!via || claim->via == via))
			uncore_pmu_lose_claim(claim);
	unlock_claims();
}

/**
 * uncore_pmu_check_claims() - look at all claims that are not lost
 * @check: is called with each, and may lose it
 *
 * Return: true if there was any.
 */
bool uncore_pmu_check_claims(void (*check)(struct uncore_claim *claim))
{
	struct uncore_claim *claim;
	bool any = false;

	lock_claims();
	list_for_each_entry(claim, &claims, list) {
		if (is_lost(claim))
			continue;
		any = true;
		check(claim);
	}
	unlock_claims();
	return any;
}

static bool goes_with(const struct uncore_claim *claim, unsigned int cpu)
{
	return !is_lost(claim) && claim->via == UNCORE_PMU_VIA_PERF &&
	       claim->unit->die == topology_logical_die_id(cpu);
}

/**
 * uncore_pmu_lose_claims_of_cpu() - perf's claims of a die come to their end
 * @cpu: the last CPU of the die, about to go offline
 *
 * Called in CPU hotplug, which keeps all others out, wherever they are with
 * claims_lock held.
 */
void uncore_pmu_lose_claims_of_cpu(unsigned int cpu)
{
	struct uncore_claim *claim;

	list_for_each_entry(claim, &claims, list)
		if (goes_with(claim, cpu))
			uncore_pmu_perf_check(claim);
	list_for_each_entry(claim, &claims, list)
		if (goes_with(claim, cpu))
			uncore_pmu_lose_claim(claim);
}

static struct uncore_claim *new_claim(struct file *file,
				      struct uncore_unit *unit,
				      const struct uncore_pmu_program *arg)
{
	struct uncore_claim *claim;

	claim = kzalloc(sizeof(*claim), GFP_KERNEL);
	if (!claim)
		return NULL;

	claim->owner = file->private_data;
	claim->unit = unit;
	claim->index = arg->unit;
	claim->config = arg->config;
	claim->desc.kind = arg->kind;
	claim->state = UNCORE_PMU_COUNTER_CLAIMED;
	claim->uid = current_euid();
	get_task_comm(claim->comm, current);
	return claim;
}

/* A claim that was lost gives way to the next one of its counter. */
static void forget_lost(const struct uncore_claim *by)
{
	struct uncore_claim *claim, *next;

	list_for_each_entry_safe(claim, next, &claims, list)
		if (claim->unit == by->unit && claim->counter == by->counter &&
		    is_lost(claim))
			end_claim(claim);
}

/* With the unit's device locked, so that no driver comes or goes. */
static int program_locked(struct uncore_claim *claim)
{
	struct uncore_unit *unit = claim->unit;
	bool by_perf;
	int ret;

	ret = uncore_pmu_unit_usable(unit);
	if (ret)
		return ret;

	by_perf = uncore_pmu_perf_has(unit);
	if (by_perf && unit->perf_elsewhere)
		return -EOPNOTSUPP;

	check_unit(unit);
	ret = save_registers(unit);
	if (ret)
		return ret;

	/* What is saved stays, even if all other claims are lost meanwhile. */
	unit->saved->claims++;
	if (by_perf) {
		claim->via = UNCORE_PMU_VIA_PERF;
		ret = uncore_pmu_perf_program(claim);
	} else {
		claim->via = UNCORE_PMU_VIA_DIRECT;
		ret = uncore_pmu_direct_program(claim);
	}
	if (ret)
		goto put_saved;

	ret = idr_alloc_cyclic(&claim_ids, claim, 1, 0, GFP_KERNEL);
	if (ret < 0)
		goto end_programming;

	claim->id = ret;
	claim->since = ktime_get_boottime_ns();
	claim->pid = get_pid(task_tgid(current));
	check_unit(unit);
	forget_lost(claim);
	list_add_tail(&claim->list, &claims);
	uncore_pmu_claim_counts(claim, true);
	return 0;

end_programming:
	if (claim->via == UNCORE_PMU_VIA_PERF)
		uncore_pmu_perf_end(claim);
	else
		uncore_pmu_direct_end(claim);
put_saved:
	unit->saved->claims--;
	put_saved(unit);
	return ret;
}

/**
 * uncore_pmu_program() - claim a counter and program it
 * @file: open file
 * @arg: what is wanted, receives what it became
 *
 * Return: 0 or a negative errno, see the table in <linux/uncore_pmu.h>.
 */
int uncore_pmu_program(struct file *file, struct uncore_pmu_program *arg)
{
	struct uncore_claim *claim;
	struct uncore_unit *unit;
	struct pci_dev *pdev;
	int ret;

	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (arg->flags)
		return -EINVAL;
	if (security_locked_down(LOCKDOWN_PCI_ACCESS))
		return -EPERM;

	unit = uncore_pmu_unit(arg->unit);
	if (!unit)
		return -ENXIO;
	ret = uncore_pmu_check_config(unit, arg);
	if (ret)
		return ret;
	ret = uncore_pmu_unit_usable(unit);
	if (ret)
		return ret;

	/* What no function leads to cannot be kept from perf meanwhile. */
	pdev = uncore_pmu_unit_device(unit);
	if (!pdev)
		return uncore_pmu_unit_usable(unit) ?: -EOPNOTSUPP;

	claim = new_claim(file, unit, arg);
	if (!claim) {
		ret = -ENOMEM;
		goto put_device;
	}

	device_lock(&pdev->dev);
	lock_claims();
	ret = program_locked(claim);
	if (!ret) {
		arg->counter = claim->counter;
		arg->claim = claim->id;
		arg->generation = uncore_pmu_generation(claim->index,
							claim->counter);
		arg->via = claim->via;
		uncore_pmu_watch_start();
	}
	unlock_claims();
	device_unlock(&pdev->dev);

	if (ret)
		kfree(claim);
put_device:
	pci_dev_put(pdev);
	return ret;
}

/**
 * uncore_pmu_release() - end a claim
 * @file: open file
 * @arg: which
 *
 * Return: 0 or a negative errno, see the table in <linux/uncore_pmu.h>.
 */
int uncore_pmu_release(struct file *file, struct uncore_pmu_release *arg)
{
	struct uncore_claim *claim;
	int ret = 0;

	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (arg->flags || arg->__reserved)
		return -EINVAL;

	lock_claims();
	claim = idr_find(&claim_ids, arg->claim);
	if (!claim)
		ret = -ENOENT;
	else if (claim->owner != file->private_data)
		ret = -EACCES;
	else
		end_claim(claim);
	unlock_claims();
	return ret;
}

/**
 * uncore_pmu_release_all() - end all claims of an open file
 * @owner: the open file
 */
void uncore_pmu_release_all(struct uncore_file *owner)
{
	struct uncore_claim *claim, *next;

	lock_claims();
	list_for_each_entry_safe_reverse(claim, next, &claims, list)
		if (claim->owner == owner)
			end_claim(claim);
	unlock_claims();
}

static void describe_claim(struct file *file, const struct uncore_claim *claim,
			   struct uncore_pmu_status *arg)
{
	arg->state = claim->state;
	arg->via = claim->via;
	arg->claim = claim->id;
	arg->config = claim->config;
	arg->since = claim->since;
	arg->own = claim->owner == file->private_data;

	if ((file->f_mode & FMODE_WRITE) || perfmon_capable() ||
	    uid_eq(claim->uid, current_euid())) {
		arg->pid = pid_vnr(claim->pid);
		if (arg->pid)
			strscpy_pad(arg->comm, claim->comm, sizeof(arg->comm));
	}
}

static void status_locked(struct file *file, struct uncore_unit *unit,
			  struct uncore_pmu_status *arg)
{
	struct uncore_claim *claim;
	struct uncore_pmu_counter desc;

	/* What we learn may be that it is another counter's claim now. */
	check_unit(unit);

	uncore_pmu_describe_counter(unit, arg->counter, &desc);
	arg->generation = uncore_pmu_generation(arg->unit, arg->counter);
	if (desc.kind == UNCORE_PMU_KIND_FREE_RUNNING) {
		arg->state = UNCORE_PMU_COUNTER_FREE_RUNNING;
		return;
	}

	arg->control = uncore_pmu_read_control(unit, &desc);
	if (!upper_32_bits(uncore_pmu_config_mask(unit)))
		arg->control = lower_32_bits(arg->control);
	claim = claim_of(unit, arg->counter);
	if (claim)
		describe_claim(file, claim, arg);
	else
		arg->state = uncore_pmu_is_enabled(unit, &desc, arg->control)
			? UNCORE_PMU_COUNTER_OTHER : UNCORE_PMU_COUNTER_FREE;
}

/**
 * uncore_pmu_status() - ask what a counter is doing
 * @file: open file
 * @arg: which, receives the answer
 *
 * Return: 0 or a negative errno, see the table in <linux/uncore_pmu.h>.
 */
int uncore_pmu_status(struct file *file, struct uncore_pmu_status *arg)
{
	u32 size = arg->size, index = arg->unit, counter = arg->counter;
	struct uncore_unit *unit;
	int ret;

	if (arg->flags)
		return -EINVAL;

	unit = uncore_pmu_unit(index);
	if (!unit || counter >= uncore_pmu_num_counters(unit))
		return -ENXIO;
	counter = array_index_nospec(counter, uncore_pmu_num_counters(unit));

	memset(arg, 0, sizeof(*arg));
	arg->size = size;
	arg->unit = index;
	arg->counter = counter;

	lock_claims();
	ret = uncore_pmu_unit_usable(unit);
	if (!ret)
		status_locked(file, unit, arg);
	unlock_claims();
	return ret;
}
