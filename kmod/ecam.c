// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the configuration space of a PCI function lies in memory (ECAM).
 *
 * The firmware's MCFG tables say it (PCI Firmware Specification 3.0, 4.1.2).
 * They are input from outside: nothing in them is believed without a check,
 * and a page found through them must prove that it is the function's.
 */
#include <linux/acpi.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "find.h"

#define BUS_SHIFT	20
#define DEVFN_SHIFT	12

/* Room for an entry for each of 65536 segments. */
#define MCFG_MAX_LENGTH	(SZ_1M + sizeof(struct acpi_table_mcfg))

static bool checksum_ok(const u8 *bytes, u32 length)
{
	u8 sum = 0;

	while (length--)
		sum += *bytes++;
	return !sum;
}

/*
 * A private copy. ACPI mapped the table by the length that it had at boot:
 * should it claim another one today, reading it must not fault.
 */
static struct acpi_table_mcfg *mcfg_copy(const struct acpi_table_header *table)
{
	struct acpi_table_mcfg *mcfg;
	u32 length;

	if (copy_from_kernel_nofault(&length, &table->length, sizeof(length)))
		return ERR_PTR(-EFAULT);
	if (length < sizeof(*mcfg) || length > MCFG_MAX_LENGTH)
		return ERR_PTR(-EINVAL);

	mcfg = kvmalloc(length, GFP_KERNEL);
	if (!mcfg)
		return ERR_PTR(-ENOMEM);

	if (copy_from_kernel_nofault(mcfg, table, length) ||
	    !ACPI_COMPARE_NAMESEG(mcfg->header.signature, ACPI_SIG_MCFG) ||
	    mcfg->header.length != length ||
	    !checksum_ok((u8 *)mcfg, length)) {
		kvfree(mcfg);
		return ERR_PTR(-EINVAL);
	}
	return mcfg;
}

static int mcfg_append(struct uncore_ecam *ecam,
		       const struct acpi_table_mcfg *mcfg)
{
	const struct acpi_mcfg_allocation *from = (const void *)(mcfg + 1);
	unsigned int n = (mcfg->header.length - sizeof(*mcfg)) / sizeof(*from);
	struct acpi_mcfg_allocation *entry;

	ecam->usable = true;
	if (!n)
		return 0;

	entry = krealloc_array(ecam->entry, ecam->count + n, sizeof(*entry),
			       GFP_KERNEL);
	if (!entry)
		return -ENOMEM;

	memcpy(entry + ecam->count, from, n * sizeof(*entry));
	ecam->entry = entry;
	ecam->count += n;
	return 0;
}

/**
 * uncore_pmu_ecam_read() - read all MCFG tables
 * @ecam: receives their entries
 *
 * A machine without a table, or with a broken one, is not an error.
 *
 * Return: 0 or -ENOMEM.
 */
int uncore_pmu_ecam_read(struct uncore_ecam *ecam)
{
	struct acpi_table_header *table;
	struct acpi_table_mcfg *mcfg;
	u32 instance;
	int ret;

	*ecam = (struct uncore_ecam){};
	if (acpi_disabled)
		return 0;

	for (instance = 1; ; instance++) {
		if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_MCFG, instance,
						&table)))
			return 0;
		mcfg = mcfg_copy(table);
		acpi_put_table(table);

		if (IS_ERR(mcfg)) {
			ret = PTR_ERR(mcfg);
		} else {
			ret = mcfg_append(ecam, mcfg);
			kvfree(mcfg);
		}
		if (ret == -ENOMEM)
			break;
	}

	uncore_pmu_ecam_free(ecam);
	return ret;
}

/**
 * uncore_pmu_ecam_free() - free what uncore_pmu_ecam_read() has allocated
 * @ecam: the entries
 */
void uncore_pmu_ecam_free(struct uncore_ecam *ecam)
{
	kfree(ecam->entry);
	*ecam = (struct uncore_ecam){};
}

/* An entry whose first bus is above its last covers nothing. */
static const struct acpi_mcfg_allocation *
ecam_find(const struct uncore_ecam *ecam, const struct pci_bus *bus)
{
	unsigned int i;

	for (i = 0; i < ecam->count; i++) {
		const struct acpi_mcfg_allocation *entry = &ecam->entry[i];

		if (entry->pci_segment == pci_domain_nr((struct pci_bus *)bus) &&
		    bus->number >= entry->start_bus_number &&
		    bus->number <= entry->end_bus_number)
			return entry;
	}
	return NULL;
}

/* Does a page begin with the id of the function that it should be of? */
static enum uncore_pmu_reason check_id(phys_addr_t page, u16 device)
{
	void __iomem *base = ioremap(page, PAGE_SIZE);
	u32 id;

	if (!base)
		return UNCORE_PMU_REASON_MAP;
	id = readl(base + PCI_VENDOR_ID);
	iounmap(base);

	return id == ((u32)device << 16 | PCI_VENDOR_ID_INTEL) ?
	       UNCORE_PMU_REASON_NONE : UNCORE_PMU_REASON_ID;
}

static enum uncore_pmu_reason ecam_page(const struct uncore_ecam *ecam,
					struct pci_dev *pdev, phys_addr_t *page)
{
	const struct acpi_mcfg_allocation *entry;
	u64 start, last;

	if (!ecam->usable)
		return UNCORE_PMU_REASON_NO_MCFG;

	/* The address of an entry is that of bus 0, covered or not. */
	entry = ecam_find(ecam, pdev->bus);
	if (!entry)
		return UNCORE_PMU_REASON_NO_ECAM;

	if (!PAGE_ALIGNED(entry->address))
		return UNCORE_PMU_REASON_UNALIGNED;

	if (check_add_overflow(entry->address,
			       (u64)pdev->bus->number << BUS_SHIFT |
			       (u64)pdev->devfn << DEVFN_SHIFT, &start) ||
	    check_add_overflow(start, (u64)PAGE_SIZE - 1, &last) ||
	    last >> boot_cpu_data.x86_phys_bits)
		return UNCORE_PMU_REASON_ADDRESS;

	if (region_intersects(start, PAGE_SIZE, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT)
		return UNCORE_PMU_REASON_RAM;

	*page = start;
	return check_id(start, pdev->device);
}

/**
 * uncore_pmu_ecam_set() - say that a unit is in the page of its PCI function
 * @ecam: entries of the MCFG tables
 * @unit: the unit, whose device is set; receives its state
 * @offset: begin of the unit in the page
 */
void uncore_pmu_ecam_set(const struct uncore_ecam *ecam,
			 struct uncore_unit *unit, u32 offset)
{
	uncore_pmu_set_state(unit, ecam_page(ecam, unit->pdev, &unit->page));
	unit->offset = offset;
	unit->length = PAGE_SIZE;
}

/**
 * uncore_pmu_ecam_overlaps() - is there configuration space in a range of memory
 * @ecam: entries of the MCFG tables
 * @start: begin of the range
 * @length: its length, not 0, not beyond the end of memory
 *
 * Return: true if there is any.
 */
bool uncore_pmu_ecam_overlaps(const struct uncore_ecam *ecam, u64 start,
			      u64 length)
{
	unsigned int i;

	for (i = 0; i < ecam->count; i++) {
		const struct acpi_mcfg_allocation *entry = &ecam->entry[i];
		u64 first = entry->address +
			    ((u64)entry->start_bus_number << BUS_SHIFT);
		u64 end = entry->address +
			  ((u64)(entry->end_bus_number + 1) << BUS_SHIFT);

		if (start < end && first < start + length)
			return true;
	}
	return false;
}
