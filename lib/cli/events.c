// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl events: what the units can count. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"
#include "cli.h"
#include "hold.h"

/*
 * @pattern: NULL for all
 * @colons: the same with ":" between the parts of a name, as in the list
 * @array: where JSON goes, NULL for text
 * @nameless: types of units that have no names, for JSON
 */
struct listing {
	const char *pattern;
	char *colons;
	char type[UNCORE_PMU_TYPE_LEN + 1];
	json_t *array;
	json_t *nameless;
	size_t found;
};

/* A pattern without wildcards may stand anywhere. */
static bool wanted(const struct listing *listing, const char *name,
		   const char *description)
{
	const char *colons = listing->colons;
	char whole[UNCORE_PMU_TYPE_LEN + UNCORE_EVENT_NAME_LEN + 2];

	if (!listing->pattern)
		return true;
	snprintf(whole, sizeof(whole), "%s/%s", listing->type, name);
	if (strpbrk(colons, "*?["))
		return !fnmatch(colons, name, FNM_CASEFOLD) ||
		       !fnmatch(colons, whole, FNM_CASEFOLD);
	return strcasestr(whole, colons) ||
	       strcasestr(description, listing->pattern);
}

static const char *source_name(uint32_t source)
{
	static const char *const names[] = {
		[UNCORE_EVENT_RAW] = "raw",
		[UNCORE_EVENT_LIBPFM] = "libpfm4",
		[UNCORE_EVENT_ALIAS] = "perf",
		[UNCORE_EVENT_FIXED] = "fixed",
		[UNCORE_EVENT_FREE_RUNNING] = "free-running",
	};

	return source < ARRAY_SIZE(names) ? names[source] : "unknown";
}

static json_t *event_object(const struct listing *listing,
			    const struct uncore_event *event,
			    const char *description)
{
	return json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:o}",
			 "type", listing->type, "name", event->name,
			 "description", json_string_or_null(description),
			 "source", source_name(event->source),
			 "config", json_uint64(event->config),
			 "scale", event->scale > 0 ? json_real(event->scale)
						   : json_null(),
			 "quantity", json_string_or_null(event->unit));
}

static void print_line(struct listing *listing, const char *name,
		       const char *count, const char *description)
{
	if (!listing->found++)
		printf("%-16s %-48s %-12s %s\n", "TYPE", "EVENT",
		       "ONE COUNT IS", "DESCRIPTION");
	printf("%-16s ", listing->type);
	print_visible(stdout, name, 49);
	print_visible(stdout, count, 13);
	print_visible(stdout, description[0] ? description : "-", 0);
	putchar('\n');
}

static int show(const struct uncore_event *event, const char *description,
		void *data)
{
	struct listing *listing = data;
	char count[UNCORE_EVENT_UNIT_LEN + 32] = "-";

	if (!wanted(listing, event->name, description))
		return 0;
	if (listing->array) {
		listing->found++;
		return json_array_append_new(listing->array,
					     event_object(listing, event,
							  description))
		       ? -ENOMEM : 0;
	}
	if (event->scale > 0)
		snprintf(count, sizeof(count), "%g %s", event->scale,
			 event->unit);
	print_line(listing, event->name, count, description);
	return 0;
}

/*
 * Stands for what units without names can count: "event=N,umask=N", with all
 * fields that they have.
 */
static int fields_of(struct uncore *uncore, const struct uncore_pmu_unit *info,
		     char *fields, size_t size)
{
	struct uncore_event event;
	const char *from = event.name;
	size_t used = 0;
	int ret;

	ret = uncore_event_name(uncore, info, UNCORE_PMU_KIND_GENERAL,
				info->config_mask, &event);
	if (ret)
		return ret;
	while (*from && used + 2 < size) {
		fields[used++] = *from;
		if (*from++ != '=')
			continue;
		fields[used++] = 'N';
		from += strcspn(from, ",");
	}
	fields[used] = '\0';
	return 0;
}

/* They can be programmed all the same. */
static int show_nameless(struct listing *listing, struct uncore *uncore,
			 const struct uncore_pmu_unit *info)
{
	char fields[UNCORE_EVENT_NAME_LEN];
	int ret = fields_of(uncore, info, fields, sizeof(fields));

	if (ret || !wanted(listing, fields, ""))
		return ret;
	if (!listing->array) {
		print_line(listing, fields, "-", "libpfm4 knows no names for "
			   "these units: write the fields of the control "
			   "register");
		return 0;
	}
	listing->found++;
	return json_array_append_new(listing->nameless,
				     json_string(listing->type)) ? -ENOMEM : 0;
}

static bool can_count(const struct uncore_pmu_unit *info)
{
	return info->state == UNCORE_PMU_STATE_OK ||
	       info->state == UNCORE_PMU_STATE_LOCKED;
}

/* The types that have been shown. */
struct types {
	char (*name)[UNCORE_PMU_TYPE_LEN];
	unsigned int count;
};

/* Units of one type are alike: the first that is there speaks for them. */
static bool is_first(struct types *types, const struct uncore_pmu_unit *info)
{
	unsigned int i;

	if (!can_count(info))
		return false;
	for (i = 0; i < types->count; i++)
		if (!strncmp(types->name[i], info->type, sizeof(info->type)))
			return false;
	memcpy(types->name[types->count++], info->type, sizeof(info->type));
	return true;
}

static int show_type(struct uncore *uncore, const struct uncore_pmu_unit *info,
		     struct listing *listing)
{
	int ret;

	snprintf(listing->type, sizeof(listing->type), "%.*s",
		 UNCORE_PMU_TYPE_LEN, info->type);
	ret = uncore_events_list(uncore, info, show, listing);
	if (!ret && info->config_mask && !uncore_events_source(uncore, info))
		ret = show_nameless(listing, uncore, info);
	return ret;
}

/* What "amd_df" and "amd_df/..." can count is perf's to say. */
static void complain_pmu(struct uncore *uncore, const char *pattern)
{
	char name[UNCORE_NAME_LEN];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(pattern, "/"),
		 pattern);
	complain_unit(uncore, name);
}

static int show_all(struct uncore *uncore, struct listing *listing)
{
	unsigned int i, num_units = uncore_num_units(uncore);
	struct uncore_pmu_unit info;
	struct types types = {
		.name = calloc(num_units + 1, sizeof(*types.name)),
	};
	int ret = types.name ? 0 : -ENOMEM;

	for (i = 0; !ret && i < num_units; i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (!ret && is_first(&types, &info))
			ret = show_type(uncore, &info, listing);
	}
	free(types.name);
	if (ret) {
		complain("events", uncore_strerror(UNCORE_CALL_EVENT, ret));
		return EXIT_FAILED;
	}
	if (listing->found)
		return EXIT_OK;
	if (listing->pattern && uncore_same_text(listing->pattern, 4, "amd_"))
		complain_pmu(uncore, listing->pattern);
	else if (listing->pattern)
		complain(listing->pattern, "no event of this machine's units "
			 "matches: \"uncorectl events\" shows them all");
	else
		complain("events", "this machine shows no unit that counts "
			 "events: see \"uncorectl list\"");
	return EXIT_FAILED;
}

static char *with_colons(const char *pattern)
{
	char *copy = strdup(pattern), *c;

	for (c = copy; c && *c; c++)
		if (*c == '.')
			*c = ':';
	return copy;
}

int cmd_events(struct uncore *uncore, const struct options *options)
{
	struct listing listing = {
		.pattern = options->argc ? options->argv[0] : NULL,
		.array = options->json ? json_array() : NULL,
		.nameless = options->json ? json_array() : NULL,
	};
	int ret, printed = EXIT_OK;

	listing.colons = with_colons(listing.pattern ? listing.pattern : "");
	if (!listing.colons) {
		complain_errno("events", ENOMEM);
		return EXIT_FAILED;
	}
	ret = show_all(uncore, &listing);
	if (listing.array)
		printed = print_json(json_pack("{s:o, s:o}", "events",
					       listing.array, "nameless",
					       listing.nameless),
				     JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	free(listing.colons);
	return ret == EXIT_OK ? printed : ret;
}
