// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mapping a unit's page, read-only, and with it the right to RDPMC; and pages
 * of the module's own.
 *
 * mmap decides, the fault handler inserts the page: a unit whose device goes
 * away is zapped by uncore_pmu_zap(), which finds a vma only once mmap has
 * returned. A later fault looks at the unit's state again.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/pgtable.h>

#include "compat.h"
#include "uncore_pmu.h"

/* The module's own memory, below the units. */
static struct page *page_at(u64 offset)
{
	if (offset == UNCORE_PMU_RDPMC_OFFSET)
		return uncore_pmu_rdpmc_page();
	return uncore_pmu_generation_page(offset - UNCORE_PMU_GENERATION_OFFSET);
}

/* A page of a unit's; @pgoff counts from the begin of the node. */
static unsigned long unit_pfn(const struct uncore_unit *unit, pgoff_t pgoff)
{
	pgoff_t pages = BIT(UNCORE_PMU_UNIT_SHIFT - PAGE_SHIFT);

	return PHYS_PFN(unit->page) + pgoff % pages;
}

static vm_fault_t uncore_pmu_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct uncore_unit *unit = vma->vm_private_data;
	vm_fault_t ret = VM_FAULT_SIGBUS;
	struct page *page;

	if (!unit) {
		page = page_at((u64)vmf->pgoff << PAGE_SHIFT);
		return page ? vmf_insert_pfn(vma, vmf->address,
					     page_to_pfn(page)) : ret;
	}

	down_read(&uncore_pmu_units_lock);
	if (unit->state == UNCORE_PMU_STATE_OK)
		ret = vmf_insert_pfn(vma, vmf->address,
				     unit_pfn(unit, vmf->pgoff));
	up_read(&uncore_pmu_units_lock);
	return ret;
}

static void uncore_pmu_vma_open(struct vm_area_struct *vma)
{
	uncore_pmu_rdpmc_copy(vma->vm_mm);
}

static void uncore_pmu_vma_close(struct vm_area_struct *vma)
{
	uncore_pmu_rdpmc_put(vma->vm_mm);
}

/* No access method: ptrace and /proc/PID/mem get nothing. */
static const struct vm_operations_struct uncore_pmu_vm_ops = {
	.open	= uncore_pmu_vma_open,
	.close	= uncore_pmu_vma_close,
	.fault	= uncore_pmu_fault,
};

/**
 * uncore_pmu_count_mappings() - how many of our mappings an address space has
 * @mm: address space, locked at least for reading
 *
 * Return: the number.
 */
unsigned int uncore_pmu_count_mappings(struct mm_struct *mm)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;
	unsigned int n = 0;

	for_each_vma(vmi, vma)
		if (vma->vm_ops == &uncore_pmu_vm_ops)
			n++;
	return n;
}

/*
 * A shared mapping through a read-only descriptor has lost VM_SHARED by now;
 * VM_MAYSHARE is what tells it from a private one.
 */
static int check_protection(const struct vm_area_struct *vma)
{
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EOPNOTSUPP;
	if (vma->vm_flags & VM_WRITE)
		return -EACCES;
	if (vma->vm_flags & VM_EXEC)
		return -ENOEXEC;
	if (!(vma->vm_flags & VM_READ))
		return -EACCES;
	return 0;
}

/* The length of the module's own memory at an offset, 0 if there is none. */
static u32 own_length(u64 offset)
{
	switch (offset) {
	case UNCORE_PMU_RDPMC_OFFSET:
		return UNCORE_PMU_RDPMC_LENGTH;
	case UNCORE_PMU_GENERATION_OFFSET:
		return uncore_pmu_generation_length();
	default:
		return 0;
	}
}

/* The unit at an offset, NULL for what belongs to none, or an error. */
static struct uncore_unit *unit_at(u64 offset)
{
	u64 step = uncore_pmu_mmap_offset(0);
	struct uncore_unit *unit;
	int ret;

	if (own_length(offset))
		return NULL;
	if (offset % step)
		return ERR_PTR(-ENXIO);

	unit = uncore_pmu_unit(offset / step - 1);
	if (!unit)
		return ERR_PTR(-ENXIO);

	ret = uncore_pmu_unit_usable(unit);
	return ret ? ERR_PTR(ret) : unit;
}

/**
 * uncore_pmu_mmap() - the node's mmap
 * @file: open file
 * @vma: what is to be mapped
 *
 * Return: 0 or a negative errno, see the table in <linux/uncore_pmu.h>.
 */
int uncore_pmu_mmap(struct file *file, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	struct uncore_unit *unit;
	int ret;

	BUILD_BUG_ON(UNCORE_PMU_RDPMC_LENGTH != PAGE_SIZE);

	ret = check_protection(vma);
	if (ret)
		return ret;

	unit = unit_at(offset);
	if (IS_ERR(unit))
		return PTR_ERR(unit);
	if (vma->vm_end - vma->vm_start !=
	    (unit ? unit->length : own_length(offset)))
		return -EINVAL;
	if (uncore_pmu_locked_down())
		return -EPERM;

	ret = uncore_pmu_rdpmc_get(vma->vm_mm);
	if (ret)
		return ret;

	compat_vm_flags_mod(vma,
			    VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP,
			    VM_MAYWRITE | VM_MAYEXEC);
	if (unit)
		vma->vm_page_prot =
			pgprot_decrypted(pgprot_noncached(vma->vm_page_prot));
	vma->vm_private_data = unit;
	vma->vm_ops = &uncore_pmu_vm_ops;
	return 0;
}
