// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to claimed counters behind our back: perf moves an event to
 * another counter or CPU, someone writes the registers, the machine sleeps.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>

#include "uncore_pmu.h"

/* perf tells nobody when it moves an event, so we look. */
#define WATCH_INTERVAL	(HZ / 2)

static void watch(struct work_struct *work);
static DECLARE_DELAYED_WORK(watch_work, watch);
static enum cpuhp_state watch_cpuhp_goes, watch_cpuhp_dead;

/**
 * uncore_pmu_check_claim() - see what has become of a claim
 * @claim: the claim, not lost, which may be lost by this
 */
void uncore_pmu_check_claim(struct uncore_claim *claim)
{
	if (claim->via == UNCORE_PMU_VIA_PERF)
		uncore_pmu_perf_check(claim);
	else
		uncore_pmu_direct_check(claim);
}

static void resume(struct uncore_claim *claim)
{
	if (claim->via == UNCORE_PMU_VIA_PERF)
		uncore_pmu_perf_resume(claim);
	else
		uncore_pmu_direct_resume(claim);
}

static void watch(struct work_struct *work)
{
	if (uncore_pmu_check_claims(uncore_pmu_check_claim))
		uncore_pmu_watch_start();
}

/**
 * uncore_pmu_watch_start() - there is something to watch
 */
void uncore_pmu_watch_start(void)
{
	queue_delayed_work(system_unbound_wq, &watch_work, WATCH_INTERVAL);
}

/*
 * Before perf's driver knows of it: that unmaps a die's units together with the
 * last CPU, and what events perf then finds there it stops all the same.
 */
static int watch_cpu_goes(unsigned int cpu)
{
	if (uncore_pmu_is_last_of_die(cpu))
		uncore_pmu_lose_claims_of_cpu(cpu);
	return 0;
}

/* The last step on a CPU's way down, all events have left it. */
static int watch_cpu_dead(unsigned int cpu)
{
	mod_delayed_work(system_unbound_wq, &watch_work, 0);
	return 0;
}

static int watch_pm(struct notifier_block *nb, unsigned long action,
		    void *data)
{
	switch (action) {
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		uncore_pmu_check_claims(resume);
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

static struct notifier_block watch_pm_notifier = {
	.notifier_call = watch_pm,
};

/*
 * perf's driver comes. Most functions tell us when it binds to them; those that
 * it uses without being their driver do not, and it resets their registers.
 */
static int watch_module(struct notifier_block *nb, unsigned long action,
			void *data)
{
	const struct module *module = data;
	struct uncore_unit *unit;
	u64 i;

	if (action != MODULE_STATE_COMING ||
	    strcmp(module->name, "intel_uncore"))
		return NOTIFY_DONE;

	for (i = 0; (unit = uncore_pmu_unit(i)); i++)
		if (unit->type->perf_unbound)
			uncore_pmu_lose_claims(unit, UNCORE_PMU_VIA_DIRECT);
	return NOTIFY_OK;
}

static struct notifier_block watch_module_notifier = {
	.notifier_call = watch_module,
};

/**
 * uncore_pmu_watch_init() - watch CPUs, sleep, and the coming of perf's driver
 *
 * Return: 0 or a negative errno.
 */
int uncore_pmu_watch_init(void)
{
	int ret;

	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "uncore_pmu:goes",
					NULL, watch_cpu_goes);
	if (ret < 0)
		return ret;
	watch_cpuhp_goes = ret;

	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "uncore_pmu:dead",
					NULL, watch_cpu_dead);
	if (ret < 0)
		goto remove_goes;
	watch_cpuhp_dead = ret;

	ret = register_pm_notifier(&watch_pm_notifier);
	if (ret)
		goto remove_dead;
	ret = register_module_notifier(&watch_module_notifier);
	if (ret)
		goto unregister_pm;
	return 0;

unregister_pm:
	unregister_pm_notifier(&watch_pm_notifier);
remove_dead:
	cpuhp_remove_state_nocalls(watch_cpuhp_dead);
	cancel_delayed_work_sync(&watch_work);
remove_goes:
	cpuhp_remove_state_nocalls(watch_cpuhp_goes);
	return ret;
}

/**
 * uncore_pmu_watch_exit() - undo uncore_pmu_watch_init()
 */
void uncore_pmu_watch_exit(void)
{
	unregister_module_notifier(&watch_module_notifier);
	unregister_pm_notifier(&watch_pm_notifier);
	cpuhp_remove_state_nocalls(watch_cpuhp_dead);
	cpuhp_remove_state_nocalls(watch_cpuhp_goes);
	cancel_delayed_work_sync(&watch_work);
}
