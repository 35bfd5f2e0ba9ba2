// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit types that are not in a table of ours, but were made from what discovery
 * tables say.
 */
#include <linux/bits.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "discovery.h"
#include "find.h"

/* GENERIC_PMON_RAW_EVENT_MASK in uncore_discovery.h of Linux */
#define GENERIC_CONFIG	0xff84ffff
/*
 * SPR_RAW_EVENT_MASK_EXT in uncore_snbep.c; perf writes it to PCI units only. It
 * is more of the umask, but in UPI it matches packets.
 */
#define SPR_PCI_UMASK	GENMASK_ULL(55, 32)

/**
 * struct discovered - a type
 * @list: all of them
 * @number: in the tables
 * @layout: registers of its units
 * @type: the type
 * @name: its name, if it is not constant
 * @alias: what perf calls it where it does not know the name
 */
struct discovered {
	struct list_head list;
	u16 number;
	struct uncore_layout layout;
	struct uncore_type type;
	char name[UNCORE_PMU_TYPE_LEN];
	char alias[UNCORE_PMU_TYPE_LEN];
};

static LIST_HEAD(all_discovered);

/* Constraints of types by their names in mainline, in constraints.c. */
static const struct {
	const char *name;
	const struct uncore_constraint *constraints;
} constraints[] = {
	{ "m3upi", uncore_pmu_icx_m3upi },
	{ "cxlcm", uncore_pmu_spr_cxlcm },
};

static const struct uncore_constraint *find_constraints(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(constraints); i++)
		if (!strcmp(name, constraints[i].name))
			return constraints[i].constraints;
	return NULL;
}

static u8 access_of(const struct uncore_discovery_unit *unit)
{
	switch (unit->access) {
	case UNCORE_DISCOVERY_MSR:
		return UNCORE_PMU_ACCESS_WINDOW;
	case UNCORE_DISCOVERY_PCI:
		return UNCORE_PMU_ACCESS_CONFIG;
	default:
		return unit->width > 32 ? UNCORE_PMU_ACCESS_MMIO64
					: UNCORE_PMU_ACCESS_MMIO32;
	}
}

/* A unit that cannot be used has no counters: its numbers mean nothing. */
static void make_layout(const struct uncore_discovery_unit *unit,
			struct uncore_layout *layout)
{
	memset(layout, 0, sizeof(*layout));
	layout->access = access_of(unit);
	if (unit->reason)
		return;

	layout->num_counters = unit->num_counters;
	layout->width = unit->width;
	layout->counter = unit->counter_offset;
	layout->control = unit->control_offset;
	layout->control_stride = unit->control_stride;
	layout->freeze = UNCORE_DISCOVERY_FREEZE;
	if (!unit->fixed)
		return;
	layout->fixed = unit->fixed;
	layout->fixed_control = unit->fixed_control;
	layout->fixed_enable = BIT(22);
}

static void set_config(struct uncore_type *type,
		       const struct uncore_discovery_platform *platform,
		       const struct uncore_discovery_unit *unit)
{
	type->config = GENERIC_CONFIG;
	if (unit->access != UNCORE_DISCOVERY_PCI ||
	    !uncore_pmu_discovery_type(platform, unit->type))
		return;
	if (strcmp(type->name, "upi"))
		type->config |= SPR_PCI_UMASK;
	else
		type->filter = SPR_PCI_UMASK;
}

/**
 * uncore_pmu_discovered_type() - the type of a unit from a discovery table
 * @platform: knows names, may be NULL
 * @unit: what the table says
 *
 * Return: the type, until uncore_pmu_forget_discovery(); NULL without memory.
 */
const struct uncore_type *
uncore_pmu_discovered_type(const struct uncore_discovery_platform *platform,
			   const struct uncore_discovery_unit *unit)
{
	struct discovered *new;
	struct uncore_layout layout;

	make_layout(unit, &layout);
	list_for_each_entry(new, &all_discovered, list)
		if (new->number == unit->type &&
		    !memcmp(&new->layout, &layout, sizeof(layout)))
			return &new->type;

	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return NULL;
	new->number = unit->type;
	memcpy(&new->layout, &layout, sizeof(layout));
	new->type.layout = &new->layout;
	new->type.name = uncore_pmu_discovery_name(platform, unit->type,
						   new->name,
						   sizeof(new->name));
	/* The name of a type that is not known is its number. */
	uncore_pmu_discovery_name(NULL, unit->type, new->alias,
				  sizeof(new->alias));
	new->type.alias = new->alias;
	new->type.perf_unbound = true;
	set_config(&new->type, platform, unit);
	new->type.constraints = find_constraints(new->type.name);
	list_add_tail(&new->list, &all_discovered);
	return &new->type;
}

/**
 * uncore_pmu_forget_discovery() - free all types made from discovery tables
 *
 * No unit has one any more.
 */
void uncore_pmu_forget_discovery(void)
{
	struct discovered *discovered, *next;

	list_for_each_entry_safe(discovered, next, &all_discovered, list)
		kfree(discovered);
	INIT_LIST_HEAD(&all_discovered);
}
