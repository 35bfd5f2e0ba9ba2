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
static_assert(sizeof(struct uncore_pmu_info) == 64);
static_assert(offsetof(struct uncore_pmu_info, features) == 16);
static_assert(sizeof(struct uncore_pmu_counter) == 40);
static_assert(offsetof(struct uncore_pmu_counter, name) == 24);
static_assert(sizeof(struct uncore_pmu_unit) == 1392);
static_assert(offsetof(struct uncore_pmu_unit, instance) == 48);
static_assert(offsetof(struct uncore_pmu_unit, mmap_offset) == 88);
static_assert(offsetof(struct uncore_pmu_unit, counter) == 104);
static_assert(sizeof(struct uncore_pmu_program) == 40);
static_assert(sizeof(struct uncore_pmu_release) == 16);
static_assert(sizeof(struct uncore_pmu_status) == 80);
static_assert(offsetof(struct uncore_pmu_status, comm) == 64);

/**
 * struct ioctl_op - one ioctl
 * @cmd: its number
 * @size: size of its structure here
 * @min_size: size of the first version of the structure
 * @describes_gone: what it answers with -ENODEV is copied back too
 * @handle: the structure is in @arg, zeroed beyond what the caller passed, and
 *	is copied back if the result is 0
 * @undo: the answer could not be copied back; may be NULL
 */
struct ioctl_op {
	unsigned int cmd;
	u32 size;
	u32 min_size;
	bool describes_gone;
	int (*handle)(struct file *file, void *arg);
	void (*undo)(struct file *file, void *arg);
};

static int ioctl_info(struct file *file, void *arg)
{
	struct uncore_pmu_info *info = arg;

	if (info->flags)
		return -EINVAL;

	info->abi_version = UNCORE_PMU_ABI_VERSION;
	info->num_units = uncore_pmu_num_units();
	info->features = UNCORE_PMU_FEATURE_PROGRAM;
	info->generation_length = uncore_pmu_generation_length();
	info->__reserved = 0;
	strscpy_pad(info->platform, uncore_pmu_platform_name(),
		    sizeof(info->platform));
	return 0;
}

static int ioctl_unit(struct file *file, void *arg)
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

static int ioctl_program(struct file *file, void *arg)
{
	return uncore_pmu_program(file, arg);
}

/* A claim that its owner never heard of would be held for nothing. */
static void undo_program(struct file *file, void *arg)
{
	const struct uncore_pmu_program *program = arg;
	struct uncore_pmu_release release = { .claim = program->claim };

	uncore_pmu_release(file, &release);
}

static int ioctl_release(struct file *file, void *arg)
{
	return uncore_pmu_release(file, arg);
}

static int ioctl_status(struct file *file, void *arg)
{
	return uncore_pmu_status(file, arg);
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
		.describes_gone = true,
		.handle = ioctl_unit,
	},
	{
		.cmd = UNCORE_PMU_PROGRAM,
		.size = sizeof(struct uncore_pmu_program),
		.min_size = offsetofend(struct uncore_pmu_program, via),
		.handle = ioctl_program,
		.undo = undo_program,
	},
	{
		.cmd = UNCORE_PMU_RELEASE,
		.size = sizeof(struct uncore_pmu_release),
		.min_size = offsetofend(struct uncore_pmu_release, __reserved),
		.handle = ioctl_release,
	},
	{
		.cmd = UNCORE_PMU_STATUS,
		.size = sizeof(struct uncore_pmu_status),
		.min_size = offsetofend(struct uncore_pmu_status, comm),
		.handle = ioctl_status,
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

	ret = op->handle(file, buf);
	if (ret && !(ret == -ENODEV && op->describes_gone))
		goto out;

	if (copy_to_user(user, buf, min(size, op->size))) {
		ret = -EFAULT;
		if (op->undo)
			op->undo(file, buf);
	}
out:
	kfree(buf);
	return ret;
}
