// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls of the node: a table of handlers, and what is common to all.
 */
#include <linux/build_bug.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "uncore_pmu.h"

/* The ABI, seen from this side. */
static_assert(sizeof(struct uncore_pmu_info) == 56);
static_assert(offsetof(struct uncore_pmu_info, features) == 16);
static_assert(sizeof(struct uncore_pmu_counter) == 40);
static_assert(offsetof(struct uncore_pmu_counter, name) == 24);
static_assert(sizeof(struct uncore_pmu_unit) == 1376);
static_assert(offsetof(struct uncore_pmu_unit, instance) == 40);
static_assert(offsetof(struct uncore_pmu_unit, mmap_offset) == 80);
static_assert(offsetof(struct uncore_pmu_unit, counter) == 96);

/**
 * struct ioctl_op - one ioctl
 * @cmd: its number
 * @size: size of its structure here
 * @min_size: size of the first version of the structure
 * @handle: the structure is in @arg, zeroed beyond what the caller passed, and
 *	is copied back if the result is 0 or -ENODEV
 */
struct ioctl_op {
	unsigned int cmd;
	u32 size;
	u32 min_size;
	int (*handle)(void *arg);
};

static int ioctl_info(void *arg)
{
	struct uncore_pmu_info *info = arg;

	if (info->flags)
		return -EINVAL;

	info->abi_version = UNCORE_PMU_ABI_VERSION;
	info->num_units = uncore_pmu_num_units();
	info->features = 0;
	strscpy_pad(info->platform, uncore_pmu_platform_name(),
		    sizeof(info->platform));
	return 0;
}

static int ioctl_unit(void *arg)
{
	struct uncore_pmu_unit *desc = arg;
	const struct uncore_unit *unit;

	if (desc->flags)
		return -EINVAL;

	unit = uncore_pmu_unit(desc->index);
	if (!unit)
		return -ENXIO;

	uncore_pmu_describe(unit, desc->index, desc);
	return desc->state == UNCORE_PMU_STATE_GONE ? -ENODEV : 0;
}

static const struct ioctl_op ioctl_ops[] = {
	{
		.cmd = UNCORE_PMU_INFO,
		.size = sizeof(struct uncore_pmu_info),
		.min_size = offsetofend(struct uncore_pmu_info, platform),
		.handle = ioctl_info,
	},
	{
		.cmd = UNCORE_PMU_UNIT,
		.size = sizeof(struct uncore_pmu_unit),
		.min_size = offsetofend(struct uncore_pmu_unit, counter),
		.handle = ioctl_unit,
	},
};

static const struct ioctl_op *find_op(unsigned int cmd)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ioctl_ops); i++)
		if (ioctl_ops[i].cmd == cmd)
			return &ioctl_ops[i];
	return NULL;
}

/**
 * uncore_pmu_ioctl() - the node's ioctl
 * @file: open file
 * @cmd: number
 * @arg: user address of the structure, whose first member is its size
 *
 * Return: 0 or a negative errno, see the table in <linux/uncore_pmu.h>.
 */
long uncore_pmu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	u32 __user *user = (u32 __user *)arg;
	const struct ioctl_op *op = find_op(cmd);
	u32 *buf, size;
	int ret;

	if (!op)
		return -ENOTTY;

	if (get_user(size, user))
		return -EFAULT;
	if (size < op->min_size)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;

	buf = kzalloc(op->size, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;

	ret = copy_struct_from_user(buf, op->size, user, size);
	if (ret)
		goto out;
	*buf = size;

	ret = op->handle(buf);
	if (ret && ret != -ENODEV)
		goto out;

	if (copy_to_user(user, buf, min(size, op->size)))
		ret = -EFAULT;
out:
	kfree(buf);
	return ret;
}
