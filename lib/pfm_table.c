// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libpfm4 puts together what it says of an event each time that it is asked,
 * which for all events of a PMU takes longer than anything else here. It has them
 * for good, so they are asked for once and kept with the open node.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfm_table.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* pfm_initialize() is not for several threads at once. */
static pthread_once_t pfm_once = PTHREAD_ONCE_INIT;

static void initialize(void)
{
	/* If it fails, no PMU is found below. */
	pfm_initialize();
}

void uncore_pfm_begin(void)
{
	pthread_once(&pfm_once, initialize);
}

/* libpfm4's names of PMUs are <prefix>_unc_<type>, or the same with a 0. */
static const char *prefix_of(const char *platform)
{
	static const struct {
		const char *platform;
		const char *prefix;
	} names[] = {
		{ "sandybridge-ep", "snbep" }, { "ivybridge-ep", "ivbep" },
		{ "haswell-ep", "hswep" }, { "broadwell-ep", "bdx" },
		{ "knl", "knl" }, { "skylake-sp", "skx" },
		{ "icelake-sp", "icx" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(platform, names[i].platform))
			return names[i].prefix;
	return NULL;
}

static bool find_pmu(const char *name, pfm_pmu_info_t *pmu)
{
	size_t length = strlen(name);
	int i;

	for (i = 0; i < PFM_PMU_MAX; i++) {
		memset(pmu, 0, sizeof(*pmu));
		pmu->size = sizeof(*pmu);
		if (pfm_get_pmu_info((pfm_pmu_t)i, pmu) != PFM_SUCCESS)
			continue;
		if (uncore_same_text(name, length, pmu->name) ||
		    uncore_same_text(name, length - 1, pmu->name))
			return true;
	}
	return false;
}

static bool get_event(int index, pfm_event_info_t *event)
{
	memset(event, 0, sizeof(*event));
	event->size = sizeof(*event);
	return pfm_get_event_info(index, PFM_OS_NONE, event) == PFM_SUCCESS;
}

/* A few names are there twice, by mistake: the first counts. */
static bool is_new(const struct pfm_table *table, const char *name)
{
	size_t i, length = strlen(name);

	for (i = 0; i < table->count; i++)
		if (uncore_same_text(name, length, table->events[i].name))
			return false;
	return true;
}

static struct pfm_table *make_table(const char *name)
{
	struct pfm_table *table;
	pfm_pmu_info_t pmu;
	size_t room = 0;
	bool found;
	int i;

	uncore_pfm_begin();
	found = find_pmu(name, &pmu);
	if (found && pmu.nevents > 0)
		room = (size_t)pmu.nevents;
	table = calloc(1, sizeof(*table) + room * sizeof(table->events[0]));
	if (!table)
		return NULL;

	snprintf(table->wanted, sizeof(table->wanted), "%s", name);
	if (!found)
		return table;
	table->pmu = pmu.name;
	for (i = pmu.first_event; i >= 0 && table->count < room;
	     i = pfm_get_event_next(i)) {
		pfm_event_info_t *event = &table->events[table->count];

		if (get_event(i, event) && is_new(table, event->name))
			table->count++;
	}
	return table;
}

static struct pfm_table *kept_table(struct uncore *uncore, const char *name)
{
	struct pfm_table *table;

	pthread_mutex_lock(&uncore->lock);
	for (table = uncore->tables; table; table = table->next)
		if (!strcmp(table->wanted, name))
			break;
	if (!table) {
		table = make_table(name);
		if (table) {
			table->next = uncore->tables;
			uncore->tables = table;
		}
	}
	pthread_mutex_unlock(&uncore->lock);
	return table;
}

int uncore_pfm_get(const struct uncore_place *place, struct pfm_table **table)
{
	const char *prefix = prefix_of(place->platform);
	char name[64];

	if (!prefix)
		return -ENOENT;
	snprintf(name, sizeof(name), "%s_unc_%.*s0", prefix,
		 UNCORE_PMU_TYPE_LEN, place->info->type);
	*table = place->uncore ? kept_table(place->uncore, name)
			       : make_table(name);
	if (!*table)
		return -ENOMEM;
	if ((*table)->pmu)
		return 0;
	uncore_pfm_put(place, *table);
	return -ENOENT;
}

void uncore_pfm_put(const struct uncore_place *place, struct pfm_table *table)
{
	if (!place->uncore)
		free(table);
}

static size_t without_number(const char *name, size_t length)
{
	while (length && uncore_is_digit(name[length - 1]))
		length--;
	return length;
}

int uncore_pfm_skip_pmu(const struct pfm_table *table, const char **text,
			struct uncore_event_error *error)
{
	const char *colon = strchr(*text, ':');
	size_t length = colon ? (size_t)(colon - *text) : 0;
	char pmu[sizeof(table->wanted)];

	if (!length || colon[1] != ':')
		return 0;
	snprintf(pmu, sizeof(pmu), "%.*s",
		 (int)without_number(table->pmu, strlen(table->pmu)),
		 table->pmu);
	if (uncore_same_text(*text, without_number(*text, length), pmu)) {
		*text = colon + 2;
		return 0;
	}
	uncore_say(error, "%.*s is neither an event nor libpfm4's name for "
		   "these units, which is %s: leave it and the \"::\" out",
		   (int)length, *text, table->pmu);
	return -ENOENT;
}

void uncore_pfm_free(struct pfm_table *tables)
{
	struct pfm_table *next;

	for (; tables; tables = next) {
		next = tables->next;
		free(tables);
	}
}
