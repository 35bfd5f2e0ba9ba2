// SPDX-License-Identifier: GPL-2.0-only
/*
 * Open files of the node. The list of them leads to every mapping: a vma keeps
 * its file open, and a file knows the address space its vmas are in.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "uncore_pmu.h"

struct uncore_file {
	struct list_head list;
	struct file *file;
};

static LIST_HEAD(files);
static DEFINE_MUTEX(files_lock);

static int node_open(struct inode *inode, struct file *file)
{
	struct uncore_file *uf;

	uf = kzalloc(sizeof(*uf), GFP_KERNEL);
	if (!uf)
		return -ENOMEM;

	uf->file = file;
	file->private_data = uf;

	mutex_lock(&files_lock);
	list_add(&uf->list, &files);
	mutex_unlock(&files_lock);
	return 0;
}

static int node_release(struct inode *inode, struct file *file)
{
	struct uncore_file *uf = file->private_data;

	mutex_lock(&files_lock);
	list_del(&uf->list);
	mutex_unlock(&files_lock);

	uncore_pmu_release_all(uf);
	kfree(uf);
	return 0;
}

/**
 * uncore_pmu_zap() - take a page out of every process that has it mapped
 * @offset: mmap offset of the page
 * @length: its length
 *
 * The next access faults. Files of the same inode share an address space, in
 * which the second call then finds nothing; nodes made elsewhere by mknod have
 * one of their own.
 */
void uncore_pmu_zap(u64 offset, u64 length)
{
	struct uncore_file *uf;

	mutex_lock(&files_lock);
	list_for_each_entry(uf, &files, list)
		unmap_mapping_range(uf->file->f_mapping, offset, length, 1);
	mutex_unlock(&files_lock);
}

const struct file_operations uncore_pmu_fops = {
	.owner		= THIS_MODULE,
	.open		= node_open,
	.release	= node_release,
	.unlocked_ioctl	= uncore_pmu_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.mmap		= uncore_pmu_mmap,
	.llseek		= noop_llseek,
};
