// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding the units of this machine: which platform it is, and the list of what
 * each way of finding units (find_*.c) has found.
 *
 * The list is made once, when the module is loaded: a function that appears
 * later is not in it before the module is loaded again.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "find.h"

/**
 * uncore_pmu_is_model() - is this machine's processor one of a platform's
 * @on: the platform
 *
 * Return: true if the platform names it.
 */
bool uncore_pmu_is_model(const struct uncore_platform *on)
{
	const u16 *model = on->models;

	if (!model || boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return false;
	for (; *model; model++)
		if (*model == (boot_cpu_data.x86 << 8 |
			       boot_cpu_data.x86_model))
			return true;
	return false;
}

static bool has_ubox(const struct uncore_platform *on)
{
	struct pci_dev *ubox;

	if (!on->ubox)
		return false;
	ubox = pci_get_device(PCI_VENDOR_ID_INTEL, on->ubox, NULL);
	pci_dev_put(ubox);
	return ubox;
}

static unsigned int count_functions(const struct uncore_platform *on)
{
	/* Generations with tables have functions in common. */
	if (on->discovery && on->models && !uncore_pmu_is_model(on))
		return 0;
	return uncore_pmu_count_pci(on) + uncore_pmu_count_imc(on) +
	       uncore_pmu_count_client(on) + uncore_pmu_count_discovery(on);
}

static bool knows_model(void)
{
	unsigned int i;

	for (i = 0; i < uncore_pmu_num_platforms; i++)
		if (uncore_pmu_is_model(&uncore_pmu_platforms[i]))
			return true;
	return false;
}

/* The one of which nothing is known but that it has tables. */
static bool is_last_resort(const struct uncore_platform *on)
{
	return on->discovery && !on->models;
}

/*
 * The UBOX decides. Firmware may hide it; then the platform with most units
 * does, since Snow Ridge and Ice Lake have one in common. Any function may have
 * something like a table: that makes no unknown platform of one that is known.
 */
static const struct uncore_platform *find_platform(void)
{
	const struct uncore_platform *best = NULL;
	bool best_ubox = false, ubox;
	unsigned int i, n, most = 0;

	for (i = 0; i < uncore_pmu_num_platforms; i++) {
		if (is_last_resort(&uncore_pmu_platforms[i]) &&
		    (best || knows_model()))
			continue;
		n = count_functions(&uncore_pmu_platforms[i]);
		if (!n)
			continue;
		ubox = has_ubox(&uncore_pmu_platforms[i]);
		if (ubox < best_ubox)
			continue;
		if (ubox > best_ubox || n > most) {
			best = &uncore_pmu_platforms[i];
			best_ubox = ubox;
			most = n;
		}
	}
	return best;
}

/**
 * uncore_pmu_device_die() - the die of a function, by its bus
 * @finder: knows the buses
 * @pdev: the function
 *
 * Return: logical die, -1 if unknown.
 */
int uncore_pmu_device_die(const struct uncore_finder *finder,
			  const struct pci_dev *pdev)
{
	return finder->platform->ubox
		? uncore_pmu_bus_die(&finder->buses, pdev->bus) : 0;
}

/**
 * uncore_pmu_set_die() - say where a unit is
 * @unit: the unit
 * @die: logical die, -1 if unknown
 */
void uncore_pmu_set_die(struct uncore_unit *unit, int die)
{
	unit->die = die;
	unit->socket = uncore_pmu_die_socket(die);
	unit->numa_node = unit->pdev ? dev_to_node(&unit->pdev->dev)
				     : NUMA_NO_NODE;
	if (unit->numa_node == NUMA_NO_NODE)
		unit->numa_node = uncore_pmu_die_node(die);
}

/**
 * uncore_pmu_set_device() - say which function a unit is, or which leads to it
 * @unit: the unit
 * @pdev: the function
 */
void uncore_pmu_set_device(struct uncore_unit *unit, struct pci_dev *pdev)
{
	unit->pdev = pci_dev_get(pdev);
	unit->segment = pci_domain_nr(pdev->bus);
	unit->bus = pdev->bus->number;
	unit->devfn = pdev->devfn;
	unit->device = pdev->device;
}

/**
 * uncore_pmu_set_state() - say whether a unit that is there can be used
 * @unit: the unit
 * @reason: why not, or UNCORE_PMU_REASON_NONE
 */
void uncore_pmu_set_state(struct uncore_unit *unit,
			  enum uncore_pmu_reason reason)
{
	unit->reason = reason;
	unit->state = reason ? UNCORE_PMU_STATE_INVALID : UNCORE_PMU_STATE_OK;
}

/**
 * uncore_pmu_set_absent() - say that a unit is not there
 * @unit: the unit
 * @device: PCI device id that was looked for
 * @die: where
 */
void uncore_pmu_set_absent(struct uncore_unit *unit, u16 device, int die)
{
	unit->device = device;
	uncore_pmu_set_die(unit, die);
	unit->state = UNCORE_PMU_STATE_ABSENT;
	unit->reason = UNCORE_PMU_REASON_NOT_FOUND;
}

static int make_room(struct uncore_finder *finder)
{
	unsigned int room = finder->room ? 2 * finder->room : 64;
	struct uncore_unit *unit;

	if (finder->count >= UNCORE_MAX_UNITS)
		return -E2BIG;
	if (finder->count < finder->room)
		return 0;

	unit = kvcalloc(room, sizeof(*unit), GFP_KERNEL);
	if (!unit)
		return -ENOMEM;
	if (finder->count)
		memcpy(unit, finder->unit, finder->count * sizeof(*unit));
	kvfree(finder->unit);
	finder->unit = unit;
	finder->room = room;
	return 0;
}

/**
 * uncore_pmu_add_unit() - a unit was found
 * @finder: where to note it
 * @type: what it is
 * @rank: position of @type in the list
 * @instance: its number
 *
 * Return: the unit, to be completed before the next is added, or -ENOMEM or
 * -E2BIG.
 */
struct uncore_unit *uncore_pmu_add_unit(struct uncore_finder *finder,
					const struct uncore_type *type,
					u32 rank, u16 instance)
{
	struct uncore_unit *unit;
	int ret;

	ret = make_room(finder);
	if (ret)
		return ERR_PTR(ret);

	unit = &finder->unit[finder->count++];
	unit->type = type;
	unit->rank = rank;
	unit->instance = instance;
	unit->die = -1;
	unit->socket = -1;
	unit->numa_node = NUMA_NO_NODE;
	return unit;
}

/**
 * uncore_pmu_has_unit() - was a unit found already
 * @finder: where it would be noted
 * @die: its die
 * @rank: its type
 * @instance: its number
 *
 * Return: true if it was.
 */
bool uncore_pmu_has_unit(const struct uncore_finder *finder, int die, u32 rank,
			 u16 instance)
{
	unsigned int i;

	for (i = 0; i < finder->count; i++)
		if (finder->unit[i].die == die &&
		    finder->unit[i].rank == rank &&
		    finder->unit[i].instance == instance)
			return true;
	return false;
}

/* By die, unknown ones last, then by the table; by address if all is equal. */
static int compare_units(const void *left, const void *right)
{
	const struct uncore_unit *a = left, *b = right;

	if (a->die != b->die)
		return (u32)a->die < (u32)b->die ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->instance != b->instance)
		return a->instance - b->instance;
	if (a->segment != b->segment)
		return a->segment < b->segment ? -1 : 1;
	if (a->bus != b->bus)
		return a->bus - b->bus;
	if (a->devfn != b->devfn)
		return a->devfn - b->devfn;
	return a->page < b->page ? -1 : a->page > b->page;
}

/* Those of an unknown die may belong to different ones. */
static bool same_place(const struct uncore_unit *a, const struct uncore_unit *b)
{
	return a->die >= 0 && a->die == b->die && a->rank == b->rank &&
	       a->instance == b->instance;
}

static void check_duplicates(struct uncore_finder *finder)
{
	struct uncore_unit *unit = finder->unit;
	unsigned int i;

	/* Of discovered units all is known already. */
	for (i = 1; i < finder->count; i++)
		if (unit[i].rank < UNCORE_RANK_DISCOVERY &&
		    same_place(&unit[i], &unit[i - 1]))
			uncore_pmu_set_state(&unit[i],
					     UNCORE_PMU_REASON_DUPLICATE);
}

/**
 * uncore_pmu_put_units() - free a list of units
 * @list: from uncore_pmu_find_units()
 * @n: its length
 */
void uncore_pmu_put_units(struct uncore_unit *list, unsigned int n)
{
	while (n--) {
		if (list[n].regs)
			iounmap(list[n].regs);
		pci_dev_put(list[n].pdev);
	}
	kvfree(list);
	uncore_pmu_forget_discovery();
	uncore_pmu_forget_globals();
}

static int find_present(struct uncore_finder *finder)
{
	int ret;

	ret = uncore_pmu_find_pci(finder);
	if (!ret)
		ret = uncore_pmu_find_imc(finder);
	if (!ret)
		ret = uncore_pmu_find_client(finder);
	if (!ret)
		ret = uncore_pmu_find_discovery(finder);
	if (!ret)
		ret = uncore_pmu_find_fixed(finder);
	return ret;
}

/* What the dies that have any unit should have and have not. */
static int find_absent(struct uncore_finder *finder)
{
	unsigned int i, n = finder->count;
	int die, ret = 0;

	for (i = 0; i < n && !ret; i++) {
		die = finder->unit[i].die;
		if (die < 0 || (i && die == finder->unit[i - 1].die))
			continue;
		ret = uncore_pmu_find_absent_pci(finder, die);
		if (!ret)
			ret = uncore_pmu_find_absent_imc(finder, die);
	}
	return ret;
}

static void sort_units(struct uncore_finder *finder)
{
	if (finder->count)
		sort(finder->unit, finder->count, sizeof(*finder->unit),
		     compare_units, NULL);
}

static int find_all(struct uncore_finder *finder)
{
	int ret;

	ret = find_present(finder);
	sort_units(finder);
	if (!ret)
		ret = find_absent(finder);
	if (ret == -E2BIG) {
		pr_warn("more than %zu units, the rest is left out\n",
			UNCORE_MAX_UNITS);
		ret = 0;
	}
	if (ret)
		return ret;

	sort_units(finder);
	check_duplicates(finder);
	uncore_pmu_mmio_check_overlaps(finder);
	uncore_pmu_check_globals(finder);
	uncore_pmu_mmio_map(finder);
	return 0;
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
	struct uncore_finder finder = {};
	int ret;

	*n = 0;
	finder.platform = find_platform();
	*found = finder.platform;
	if (!finder.platform)
		return NULL;

	INIT_LIST_HEAD(&finder.buses);
	ret = uncore_pmu_ecam_read(&finder.ecam);
	if (ret)
		return ERR_PTR(ret);

	ret = uncore_pmu_map_buses(&finder.buses, finder.platform);
	if (!ret)
		ret = find_all(&finder);
	kvfree(finder.bars);
	if (ret)
		uncore_pmu_put_units(finder.unit, finder.count);
	uncore_pmu_unmap_buses(&finder.buses);
	uncore_pmu_ecam_free(&finder.ecam);
	if (ret)
		return ERR_PTR(ret);

	*n = finder.count;
	return finder.unit;
}
