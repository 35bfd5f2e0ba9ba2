// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding the units of this machine.
 *
 * The list is made once, when the module is loaded: a function that appears
 * later is not in it before the module is loaded again.
 */
#include <linux/err.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "uncore_pmu.h"

static const struct uncore_platform *platform;

/* Does a function belong to a platform, and what is it there? */
static bool match_function(const struct uncore_platform *on,
			   const struct pci_dev *pdev,
			   u8 *rank, u8 *instance)
{
	const struct uncore_function *fn;
	unsigned int i, j;

	if (pdev->vendor != PCI_VENDOR_ID_INTEL)
		return false;

	for (i = 0; on->types[i]; i++) {
		for (j = 0; j < UNCORE_MAX_INSTANCES; j++) {
			fn = &on->types[i]->at[j];
			if (!fn->device)
				break;
			if (pdev->device != on->id_base + fn->device)
				continue;
			if (fn->devfn != UNCORE_ANY_DEVFN &&
			    fn->devfn != pdev->devfn)
				continue;
			*rank = i;
			*instance = j;
			return true;
		}
	}
	return false;
}

/* How many functions of a platform there are, and whether there is its UBOX. */
static unsigned int count_functions(const struct uncore_platform *on,
				    bool *ubox)
{
	struct pci_dev *pdev = NULL;
	unsigned int n = 0;
	u8 rank, instance;

	*ubox = false;
	for_each_pci_dev(pdev) {
		if (match_function(on, pdev, &rank, &instance))
			n++;
		else if (on->ubox && pdev->vendor == PCI_VENDOR_ID_INTEL &&
			 pdev->device == on->ubox)
			*ubox = true;
	}
	return n;
}

/*
 * The UBOX decides. Firmware may hide it; then the platform with most units
 * does, since Snow Ridge and Ice Lake have one in common.
 */
static const struct uncore_platform *find_platform(unsigned int *functions)
{
	const struct uncore_platform *best = NULL;
	bool best_ubox = false, ubox;
	unsigned int i, n;

	*functions = 0;
	for (i = 0; i < uncore_pmu_num_platforms; i++) {
		n = count_functions(&uncore_pmu_platforms[i], &ubox);
		if (!n || ubox < best_ubox)
			continue;
		if (ubox > best_ubox || n > *functions) {
			best = &uncore_pmu_platforms[i];
			best_ubox = ubox;
			*functions = n;
		}
	}
	return best;
}

static void set_place(struct uncore_unit *unit, int die)
{
	unit->die = die;
	unit->socket = uncore_pmu_die_socket(die);
	unit->numa_node = unit->pdev ? dev_to_node(&unit->pdev->dev)
				     : NUMA_NO_NODE;
	if (unit->numa_node == NUMA_NO_NODE)
		unit->numa_node = uncore_pmu_die_node(die);
}

static void set_present(struct uncore_unit *unit, struct pci_dev *pdev,
			const struct list_head *buses,
			const struct uncore_ecam *ecam)
{
	unit->pdev = pci_dev_get(pdev);
	unit->type = platform->types[unit->rank];
	unit->segment = pci_domain_nr(pdev->bus);
	unit->bus = pdev->bus->number;
	unit->devfn = pdev->devfn;
	unit->device = pdev->device;
	set_place(unit, platform->ubox ? uncore_pmu_bus_die(buses, pdev->bus)
				       : 0);

	unit->reason = uncore_pmu_ecam_page(ecam, pdev, &unit->page);
	unit->state = unit->reason ? UNCORE_PMU_STATE_INVALID
				   : UNCORE_PMU_STATE_OK;
}

static void set_absent(struct uncore_unit *unit, int die, u8 rank, u8 instance)
{
	unit->type = platform->types[rank];
	unit->device = platform->id_base + unit->type->at[instance].device;
	unit->rank = rank;
	unit->instance = instance;
	set_place(unit, die);

	unit->state = UNCORE_PMU_STATE_ABSENT;
	unit->reason = UNCORE_PMU_REASON_NOT_FOUND;
}

/* By die, unknown ones last, then by the table; by address if all is equal. */
static int compare_units(const void *left, const void *right)
{
	const struct uncore_unit *a = left, *b = right;

	if (a->die != b->die)
		return (u32)a->die < (u32)b->die ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	if (a->instance != b->instance)
		return a->instance - b->instance;
	if (a->segment != b->segment)
		return a->segment < b->segment ? -1 : 1;
	if (a->bus != b->bus)
		return a->bus - b->bus;
	return a->devfn - b->devfn;
}

/* Those of an unknown die may belong to different ones. */
static bool same_place(const struct uncore_unit *a, const struct uncore_unit *b)
{
	return a->die >= 0 && a->die == b->die && a->rank == b->rank &&
	       a->instance == b->instance;
}

/**
 * uncore_pmu_put_units() - free a list of units
 * @list: from uncore_pmu_find_units()
 * @n: its length
 */
void uncore_pmu_put_units(struct uncore_unit *list, unsigned int n)
{
	while (n--)
		pci_dev_put(list[n].pdev);
	kvfree(list);
}

/* All functions that are there, in the order of the final list. */
static struct uncore_unit *find_present(unsigned int max, unsigned int *n)
{
	struct pci_dev *pdev = NULL;
	struct uncore_unit *found;
	struct uncore_ecam ecam;
	LIST_HEAD(buses);
	unsigned int i;
	int ret;

	*n = 0;
	ret = uncore_pmu_ecam_read(&ecam);
	if (ret)
		return ERR_PTR(ret);

	ret = uncore_pmu_map_buses(&buses, platform);
	if (ret)
		goto out;

	found = kvcalloc(max, sizeof(*found), GFP_KERNEL);
	if (!found) {
		ret = -ENOMEM;
		goto out;
	}

	for_each_pci_dev(pdev) {
		struct uncore_unit *unit = &found[*n];

		if (!match_function(platform, pdev, &unit->rank,
				    &unit->instance))
			continue;
		set_present(unit, pdev, &buses, &ecam);
		if (++*n < max)
			continue;
		pci_dev_put(pdev);
		break;
	}

	sort(found, *n, sizeof(*found), compare_units, NULL);
	for (i = 1; i < *n; i++) {
		if (!same_place(&found[i], &found[i - 1]))
			continue;
		found[i].state = UNCORE_PMU_STATE_INVALID;
		found[i].reason = UNCORE_PMU_REASON_DUPLICATE;
	}
out:
	uncore_pmu_unmap_buses(&buses);
	uncore_pmu_ecam_free(&ecam);
	return ret ? ERR_PTR(ret) : found;
}

static bool has_unit(const struct uncore_unit *list, unsigned int n, int die,
		     u8 rank, u8 instance)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (list[i].die == die && list[i].rank == rank &&
		    list[i].instance == instance)
			return true;
	return false;
}

/*
 * The units that a die should have and has not: into @out, or only counted if
 * that is NULL.
 */
static unsigned int find_absent(const struct uncore_unit *present,
				unsigned int n, int die,
				struct uncore_unit *out)
{
	unsigned int i, j, absent = 0;

	for (i = 0; platform->types[i]; i++) {
		for (j = 0; j < UNCORE_MAX_INSTANCES; j++) {
			if (!platform->types[i]->at[j].device)
				break;
			if (has_unit(present, n, die, i, j))
				continue;
			if (out)
				set_absent(&out[absent], die, i, j);
			absent++;
		}
	}
	return absent;
}

/* find_absent() for all dies; @present is in order. */
static unsigned int find_all_absent(const struct uncore_unit *present,
				    unsigned int n, struct uncore_unit *out)
{
	unsigned int i, absent = 0;

	for (i = 0; i < n; i++) {
		if (present[i].die < 0 ||
		    (i && present[i].die == present[i - 1].die))
			continue;
		absent += find_absent(present, n, present[i].die,
				      out ? out + absent : NULL);
	}
	return absent;
}

/**
 * uncore_pmu_find_units() - make the list of all units, present and absent
 * @found: receives the platform they belong to, NULL if there is none
 * @n: receives the length of the list
 *
 * The caller keeps devices from going away.
 *
 * Return: the list, NULL if there are none, or an error.
 */
struct uncore_unit *
uncore_pmu_find_units(const struct uncore_platform **found, unsigned int *n)
{
	struct uncore_unit *present, *list;
	unsigned int max, num_present, absent;

	*n = 0;
	platform = find_platform(&max);
	*found = platform;
	if (!platform)
		return NULL;

	present = find_present(max, &num_present);
	if (IS_ERR(present))
		return present;

	absent = find_all_absent(present, num_present, NULL);
	list = kvcalloc(num_present + absent, sizeof(*list), GFP_KERNEL);
	if (!list) {
		uncore_pmu_put_units(present, num_present);
		return ERR_PTR(-ENOMEM);
	}

	memcpy(list, present, num_present * sizeof(*list));
	*n = num_present + find_all_absent(present, num_present,
					   list + num_present);
	sort(list, *n, sizeof(*list), compare_units, NULL);
	kvfree(present);
	return list;
}
