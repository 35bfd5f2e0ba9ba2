// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl events: what the units can count. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* @array: where JSON goes, NULL for text. */
struct listing {
	const char *pattern;
	char type[UNCORE_PMU_TYPE_LEN + 1];
	json_t *array;
	size_t found;
};

/* A pattern without wildcards may stand anywhere. */
static bool wanted(const struct listing *listing, const char *name,
		   const char *description)
{
	const char *pattern = listing->pattern;
	char whole[UNCORE_PMU_TYPE_LEN + UNCORE_EVENT_NAME_LEN + 2];

	if (!pattern)
		return true;
	snprintf(whole, sizeof(whole), "%s/%s", listing->type, name);
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, name, FNM_CASEFOLD) ||
		       !fnmatch(pattern, whole, FNM_CASEFOLD);
	return strcasestr(whole, pattern) || strcasestr(description, pattern);
}

static const char *source_name(uint32_t source)
{
	static const char *const names[] = {
		[UNCORE_EVENT_RAW] = "raw",
		[UNCORE_EVENT_LIBPFM] = "libpfm4",
		[UNCORE_EVENT_ALIAS] = "perf",
		[UNCORE_EVENT_FIXED] = "fixed",
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

static int show(const struct uncore_event *event, const char *description,
		void *data)
{
	struct listing *listing = data;
	char count[UNCORE_EVENT_UNIT_LEN + 32] = "-";

	if (!wanted(listing, event->name, description))
		return 0;
	listing->found++;
	if (listing->array)
		return json_array_append_new(listing->array,
					     event_object(listing, event,
							  description))
		       ? -ENOMEM : 0;
	if (event->scale > 0)
		snprintf(count, sizeof(count), "%g %s", event->scale,
			 event->unit);
	if (listing->found == 1)
		printf("%-9s %-48s %-12s %s\n", "TYPE", "EVENT",
		       "ONE COUNT IS", "DESCRIPTION");
	printf("%-9s %-48s %-12s %s\n", listing->type, event->name, count,
	       description[0] ? description : "-");
	return 0;
}

static bool can_count(const struct uncore_pmu_unit *info)
{
	return info->state == UNCORE_PMU_STATE_OK ||
	       info->state == UNCORE_PMU_STATE_LOCKED;
}

/* Units of one type are alike: the first that is there speaks for them. */
static bool is_first(struct uncore *uncore, const struct uncore_pmu_unit *info)
{
	struct uncore_pmu_unit other;
	unsigned int i;

	for (i = 0; i < info->index; i++)
		if (!uncore_unit_info(uncore, i, &other) && can_count(&other) &&
		    !strncmp(other.type, info->type, sizeof(info->type)))
			return false;
	return can_count(info);
}

static int show_type(struct uncore *uncore, const struct uncore_pmu_unit *info,
		     struct listing *listing)
{
	snprintf(listing->type, sizeof(listing->type), "%.*s",
		 UNCORE_PMU_TYPE_LEN, info->type);
	if (!listing->pattern && !uncore_events_source(uncore, info)) {
		fflush(stdout);
		fprintf(stderr, PROGRAM ": %s: libpfm4 has no names for these "
			"units here; write the fields of the control register: "
			"event=N,umask=N\n", listing->type);
	}
	return uncore_events_list(uncore, info, show, listing);
}

static int show_all(struct uncore *uncore, struct listing *listing)
{
	struct uncore_pmu_unit info;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < uncore_num_units(uncore); i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (!ret && is_first(uncore, &info))
			ret = show_type(uncore, &info, listing);
	}
	if (ret) {
		complain("events", uncore_strerror(UNCORE_CALL_EVENT, ret));
		return EXIT_FAILED;
	}
	if (listing->found)
		return EXIT_OK;
	if (listing->pattern)
		complain(listing->pattern, "no event of this machine's units "
			 "matches: \"uncorectl events\" shows them all");
	else
		complain("events", "this machine shows no unit that can be "
			 "programmed: see \"uncorectl list\"");
	return EXIT_FAILED;
}

int cmd_events(struct uncore *uncore, const struct options *options)
{
	struct listing listing = {
		.pattern = options->argc ? options->argv[0] : NULL,
		.array = options->json ? json_array() : NULL,
	};
	int ret, printed = EXIT_OK;

	ret = show_all(uncore, &listing);
	if (listing.array)
		printed = print_json(json_pack("{s:o}", "events",
					       listing.array),
				     JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	return ret == EXIT_OK ? printed : ret;
}
