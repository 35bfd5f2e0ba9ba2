// SPDX-License-Identifier: GPL-2.0-only
/*
 * uncore_pmu: lets a process read uncore performance counters by plain loads
 * from pages that it maps from /dev/uncore_pmu.
 *
 * This file loads and unloads the module; <linux/uncore_pmu.h> is the contract
 * with user space, uncore_pmu.h describes the inside.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/miscdevice.h>
#include <linux/module.h>

#include "uncore_pmu.h"

/* Nobody but root may open the node until udev gives it to a group. */
static struct miscdevice uncore_pmu_misc = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "uncore_pmu",
	.fops	= &uncore_pmu_fops,
	.mode	= 0600,
};

static int __init uncore_pmu_init(void)
{
	int ret;

	ret = uncore_pmu_rdpmc_init();
	if (ret)
		return ret;

	ret = uncore_pmu_fork_init();
	if (ret)
		goto exit_rdpmc;

	ret = uncore_pmu_units_init();
	if (ret)
		goto exit_fork;

	ret = uncore_pmu_generation_init();
	if (ret)
		goto exit_units;

	ret = uncore_pmu_perf_init();
	if (ret)
		goto exit_generation;

	ret = uncore_pmu_watch_init();
	if (ret)
		goto exit_perf;

	ret = misc_register(&uncore_pmu_misc);
	if (ret)
		goto exit_watch;

	return 0;

exit_watch:
	uncore_pmu_watch_exit();
exit_perf:
	uncore_pmu_perf_exit();
exit_generation:
	uncore_pmu_generation_exit();
exit_units:
	uncore_pmu_units_exit();
exit_fork:
	uncore_pmu_fork_exit();
exit_rdpmc:
	uncore_pmu_rdpmc_exit();
	return ret;
}

/* No file is open and nothing is mapped: each holds the module. */
static void __exit uncore_pmu_exit(void)
{
	misc_deregister(&uncore_pmu_misc);
	uncore_pmu_watch_exit();
	uncore_pmu_perf_exit();
	uncore_pmu_generation_exit();
	uncore_pmu_units_exit();
	uncore_pmu_fork_exit();
	uncore_pmu_rdpmc_exit();
}

module_init(uncore_pmu_init);
module_exit(uncore_pmu_exit);

MODULE_DESCRIPTION("Uncore performance counters read through a pointer");
MODULE_LICENSE("GPL");
