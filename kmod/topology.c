// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which die, socket and NUMA node a unit belongs to, the way perf's driver
 * sees it (snbep_pci2phy_map_init() in arch/x86/events/intel/uncore_snbep.c),
 * so that a unit has the same number here and there.
 *
 * Each die has a UBOX function on one of its buses, with the node id of the
 * die in one register, and the node ids of all dies, three bits each, in
 * another one. That is enough for eight nodes. With more, the firmware's NUMA
 * information for the bus takes its place.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/numa.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "compat.h"
#include "find.h"

#define UBOX_NODES		8
#define UBOX_NODE_BITS		3
#define UBOX_NODE_MASK		GENMASK(UBOX_NODE_BITS - 1, 0)

#define NUM_BUSES		256

/* Nothing is known of the bus: its neighbours decide. */
#define DIE_NONE		-1
/* The bus has a UBOX, but nothing tells which die of Linux that is on. */
#define DIE_UNKNOWN		-2

struct segment_map {
	struct list_head list;
	int segment;
	int die[NUM_BUSES];
};

static int die_of_ubox(struct pci_dev *ubox,
		       const struct uncore_platform *platform)
{
	u32 node, map;
	int i, die;

	if (pci_read_config_dword(ubox, platform->node_id, &node) ||
	    pci_read_config_dword(ubox, platform->node_map, &map) ||
	    PCI_POSSIBLE_ERROR(node))
		return DIE_NONE;

	node &= UBOX_NODE_MASK;
	for (i = 0; i < UBOX_NODES; i++)
		if ((map >> (UBOX_NODE_BITS * i) & UBOX_NODE_MASK) == node)
			break;
	if (i == UBOX_NODES)
		return DIE_NONE;

	if (compat_max_dies_per_package() > 1)
		return i;

	die = topology_phys_to_logical_pkg(i);
	return die < 0 ? DIE_UNKNOWN : die;
}

static int die_of_numa_node(struct pci_bus *bus)
{
	int node = pcibus_to_node(bus);
	int cpu;

	for_each_cpu_and(cpu, cpumask_of_pcibus(bus), cpu_online_mask)
		if (cpu_to_node(cpu) == node)
			return topology_logical_die_id(cpu);
	/* The neighbours have a UBOX of their own: not to be taken for one. */
	return DIE_UNKNOWN;
}

static struct segment_map *find_segment(const struct list_head *map,
					int segment)
{
	struct segment_map *sm;

	list_for_each_entry(sm, map, list)
		if (sm->segment == segment)
			return sm;
	return NULL;
}

static struct segment_map *get_segment(struct list_head *map, int segment)
{
	struct segment_map *sm = find_segment(map, segment);
	int bus;

	if (sm)
		return sm;

	sm = kmalloc(sizeof(*sm), GFP_KERNEL);
	if (!sm)
		return NULL;

	sm->segment = segment;
	for (bus = 0; bus < NUM_BUSES; bus++)
		sm->die[bus] = DIE_NONE;
	list_add(&sm->list, map);
	return sm;
}

static void fill_segment(struct segment_map *sm, bool up)
{
	int die = DIE_NONE;
	int i, bus;

	for (i = 0; i < NUM_BUSES; i++) {
		bus = up ? i : NUM_BUSES - 1 - i;
		if (sm->die[bus] == DIE_NONE)
			sm->die[bus] = die;
		else
			die = sm->die[bus];
	}
}

/**
 * uncore_pmu_map_buses() - find the die of each bus
 * @map: an empty list, receives one element per segment with a UBOX
 * @platform: tells how
 *
 * Return: 0 or -ENOMEM, with @map to be freed in any case.
 */
int uncore_pmu_map_buses(struct list_head *map,
			 const struct uncore_platform *platform)
{
	struct pci_dev *ubox = NULL;
	struct segment_map *sm;

	if (!platform->ubox)
		return 0;

	while ((ubox = pci_get_device(PCI_VENDOR_ID_INTEL, platform->ubox,
				      ubox))) {
		sm = get_segment(map, pci_domain_nr(ubox->bus));
		if (!sm) {
			pci_dev_put(ubox);
			return -ENOMEM;
		}
		sm->die[ubox->bus->number] = nr_node_ids <= UBOX_NODES ?
			die_of_ubox(ubox, platform) :
			die_of_numa_node(ubox->bus);
	}

	list_for_each_entry(sm, map, list)
		fill_segment(sm, platform->fill_up);
	return 0;
}

/**
 * uncore_pmu_unmap_buses() - free what uncore_pmu_map_buses() has allocated
 * @map: the list
 */
void uncore_pmu_unmap_buses(struct list_head *map)
{
	struct segment_map *sm, *next;

	list_for_each_entry_safe(sm, next, map, list)
		kfree(sm);
	INIT_LIST_HEAD(map);
}

/**
 * uncore_pmu_bus_die() - the die that a bus belongs to
 * @map: made by uncore_pmu_map_buses()
 * @bus: the bus
 *
 * Return: logical die number, -1 if unknown.
 */
int uncore_pmu_bus_die(const struct list_head *map, struct pci_bus *bus)
{
	struct segment_map *sm = find_segment(map, pci_domain_nr(bus));

	return sm ? max(sm->die[bus->number], -1) : -1;
}

/**
 * uncore_pmu_node_die() - the die that a bus belongs to, by its NUMA node
 * @bus: the bus
 *
 * Return: logical die number, -1 if unknown.
 */
int uncore_pmu_node_die(struct pci_bus *bus)
{
	return max(die_of_numa_node(bus), -1);
}

/**
 * uncore_pmu_die_cpu() - a CPU of a die
 * @die: logical die number or -1
 *
 * Return: the first one that is online, -EHOSTDOWN if there is none.
 */
int uncore_pmu_die_cpu(int die)
{
	int cpu;

	if (die >= 0)
		for_each_online_cpu(cpu)
			if (topology_logical_die_id(cpu) == die)
				return cpu;
	return -EHOSTDOWN;
}

/**
 * uncore_pmu_is_last_of_die() - is no other CPU of a die online
 * @cpu: the CPU
 *
 * Return: true if so.
 */
bool uncore_pmu_is_last_of_die(unsigned int cpu)
{
	int die = topology_logical_die_id(cpu);
	unsigned int other;

	for_each_online_cpu(other)
		if (other != cpu && topology_logical_die_id(other) == die)
			return false;
	return true;
}

/**
 * uncore_pmu_die_socket() - the socket that a die is in
 * @die: logical die number or -1
 *
 * Return: logical package number, -1 if unknown.
 */
int uncore_pmu_die_socket(int die)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (topology_logical_die_id(cpu) == die)
			return topology_logical_package_id(cpu);
	return -1;
}

/**
 * uncore_pmu_die_node() - the NUMA node of a die
 * @die: logical die number or -1
 *
 * Return: the node that all its CPUs belong to, NUMA_NO_NODE if there is none.
 */
int uncore_pmu_die_node(int die)
{
	int node = NUMA_NO_NODE;
	int cpu;

	for_each_online_cpu(cpu) {
		if (topology_logical_die_id(cpu) != die)
			continue;
		if (node != NUMA_NO_NODE && node != cpu_to_node(cpu))
			return NUMA_NO_NODE;
		node = cpu_to_node(cpu);
	}
	return node;
}
