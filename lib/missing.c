// SPDX-License-Identifier: LGPL-2.1-or-later
/* For a name that no unit has: what there is instead. */
#include <stdio.h>
#include <string.h>

#include "core.h"

/* More than these make no message any more. */
#define MAX_NAMES	6

struct names {
	char name[MAX_NAMES][UNCORE_NAME_LEN];
	unsigned int count;
	bool more;
};

static void add(struct names *names, const char *name)
{
	unsigned int i;

	for (i = 0; i < names->count; i++)
		if (!strcmp(names->name[i], name))
			return;
	if (names->count == MAX_NAMES)
		names->more = true;
	else
		snprintf(names->name[names->count++], UNCORE_NAME_LEN, "%s",
			 name);
}

/* Is it the type, with another number perhaps, and "_" before that? */
static bool is_of_type(const char *base, const char *type)
{
	size_t length = strlen(type);

	if (!length || strlen(base) < length ||
	    !uncore_same_text(base, length, type))
		return false;
	base += length;
	if (*base == '_')
		base++;
	for (; *base; base++)
		if (!uncore_is_digit(*base))
			return false;
	return true;
}

/**
 * struct alternatives - what the name could have been
 * @base: the name that was given, without a place
 * @elsewhere: units with this name in other places
 * @others: of the type, but with other numbers
 */
struct alternatives {
	char base[UNCORE_NAME_LEN];
	struct names elsewhere;
	struct names others;
	struct uncore_nearest nearest;
};

static void consider(struct alternatives *alternatives,
		     const struct uncore_pmu_unit *info)
{
	char type[UNCORE_PMU_TYPE_LEN + 1], name[UNCORE_NAME_LEN];

	snprintf(type, sizeof(type), "%.*s", UNCORE_PMU_TYPE_LEN, info->type);
	uncore_nearest_offer(type, &alternatives->nearest);
	if (info->state == UNCORE_PMU_STATE_ABSENT ||
	    !is_of_type(alternatives->base, type))
		return;
	if (uncore_unit_name(info, name, sizeof(name)))
		return;
	if (uncore_unit_match(info, alternatives->base) == 1) {
		add(&alternatives->elsewhere, name);
		return;
	}
	name[strcspn(name, "@")] = '\0';
	add(&alternatives->others, name);
}

static void say_names(const char *name, const struct names *names,
		      struct uncore_event_error *error)
{
	char text[MAX_NAMES * (UNCORE_NAME_LEN + 2)] = "";
	size_t length = 0;
	unsigned int i;

	for (i = 0; i < names->count; i++) {
		snprintf(text + length, sizeof(text) - length, "%s%s",
			 !i ? "" : i + 1 < names->count || names->more
			 ? ", " : " and ", names->name[i]);
		length = strlen(text);
	}
	error->num_nearest = 0;
	uncore_say(error, "this machine has no unit %s, but %s%s", name, text,
		   names->more ? " and more" : "");
}

/* Of the core, or AMD's: uncore_core_open() takes their events. */
static bool is_for_core_open(const char *base)
{
	struct uncore_core_place place = { .devices = UNCORE_DEVICES_PATH };
	struct uncore_core_pmu pmu;
	char name[UNCORE_NAME_LEN];

	snprintf(name, sizeof(name), "%s", base);
	uncore_lower_text(name);
	return !uncore_core_pmu_find(&place, name, &pmu);
}

static void say_pmu(const char *base, struct uncore_event_error *error)
{
	error->num_nearest = 0;
	uncore_say(error, "%.60s is no unit but a PMU of perf: \"perf list\" "
		   "has its events; \"perf stat -a\" counts them, and "
		   "\"uncorectl stat -m\" in the regions of a program", base);
}

/* Registers that are MSRs are in no page, and perf reaches them. */
static bool only_perf_has(const char *base)
{
	struct uncore_pmu_unit info = { .instance = 0 };
	struct uncore_place place = {
		.info = &info, .devices = UNCORE_DEVICES_PATH,
	};
	struct uncore_core_place pmus = { .devices = UNCORE_DEVICES_PATH };
	size_t length = strlen(base);
	char type[32];

	if (!uncore_core_pmu_text(&pmus, base, "type", type, sizeof(type)))
		return true;
	while (length && uncore_is_digit(base[length - 1]))
		length--;
	if (!length || length >= sizeof(info.type))
		return false;
	memcpy(info.type, base, length);
	return uncore_alias_source(&place);
}

static void say_perf_has(const char *name, struct uncore_event_error *error)
{
	error->num_nearest = 0;
	uncore_say(error, "this machine has no unit %s that can be mapped: only "
		   "the kernel reaches its registers; root measures it with "
		   "\"perf stat -a\"", name);
}

void uncore_explain_unit(struct uncore *uncore, const char *name,
			 struct uncore_event_error *error)
{
	struct alternatives alternatives = { .elsewhere.count = 0 };
	struct uncore_pmu_unit info;
	unsigned int i;

	snprintf(alternatives.base, sizeof(alternatives.base), "%.*s",
		 (int)strcspn(name, "@"), name);
	uncore_nearest_begin(&alternatives.nearest, error, alternatives.base);
	for (i = 0; i < uncore_num_units(uncore); i++)
		if (!uncore_unit_info(uncore, i, &info))
			consider(&alternatives, &info);
	if (alternatives.elsewhere.count)
		say_names(name, &alternatives.elsewhere, error);
	else if (alternatives.others.count)
		say_names(name, &alternatives.others, error);
	else if (is_for_core_open(alternatives.base))
		say_pmu(alternatives.base, error);
	else if (only_perf_has(alternatives.base))
		say_perf_has(name, error);
	else
		uncore_say(error, "this machine has no unit %s", name);
}
