// SPDX-License-Identifier: LGPL-2.1-or-later
/* What can be counted: all forms of an event, for units of one type. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

int uncore_event_set(const struct uncore_place *place, uint64_t config,
		     struct uncore_event *event,
		     struct uncore_event_error *error)
{
	uint64_t excess = config & ~place->info->config_mask;
	int ret;

	if (config == UNCORE_CONFIG_FIXED &&
	    !uncore_fixed_counter(place->info)) {
		uncore_say(error, "event=0xff means the fixed counter, which "
			   "units of type %.*s do not have",
			   UNCORE_PMU_TYPE_LEN, place->info->type);
		return -EOPNOTSUPP;
	}
	if (config == UNCORE_CONFIG_FIXED)
		return uncore_fixed_set(place, event, error);
	if (!place->info->config_mask)
		return uncore_say_not_programmable(place, error);
	if (excess) {
		uncore_say(error, "the bits 0x%llx of the control register "
			   "cannot be set for units of type %.*s: they do not "
			   "exist, or filter by packet, thread or core",
			   (unsigned long long)excess, UNCORE_PMU_TYPE_LEN,
			   place->info->type);
		return -EOPNOTSUPP;
	}
	ret = uncore_check_match(place, config, error);
	if (ret)
		return ret;
	memset(event, 0, sizeof(*event));
	event->kind = UNCORE_PMU_KIND_GENERAL;
	event->config = config;
	return 0;
}

static int offer_event(const struct uncore_event *event,
		       const char *description, void *nearest)
{
	(void)description;
	uncore_nearest_offer(event->name, nearest);
	return 0;
}

static bool same_but_separators(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (uncore_lower(*a) != uncore_lower(*b) &&
		    !(strchr("_:.", *a) && strchr("_:.", *b)))
			return false;
	return *a == *b;
}

/* UNC_M_CAS_COUNT_RD, where UNC_M_CAS_COUNT:RD is meant. */
static void offer_separated(const char *name, void *data)
{
	struct uncore_nearest *nearest = data;

	if (same_but_separators(nearest->typed, name))
		uncore_nearest_offer(name, nearest);
}

/* In the name of the event, or among its other parts. */
static bool has_filter(const char *text)
{
	size_t length;

	if (uncore_is_match(text, strlen(text)))
		return true;
	for (text += strcspn(text, ":."); *text; text += length) {
		text++;
		length = strcspn(text, ":.");
		if (uncore_is_filter(text, length))
			return true;
	}
	return false;
}

static void offer_end(const char *name, void *data)
{
	struct uncore_nearest *nearest = data;
	size_t end = strlen(nearest->typed), length = strlen(name);

	if (length > end && uncore_same_text(name + length - end, end,
					     nearest->typed))
		uncore_nearest_offer(name, nearest);
}

/* The kernel's names that most people know, and how libpfm4's end. */
static void offer_same(const struct uncore_place *place, const char *text,
		       struct uncore_nearest *nearest)
{
	static const char *const names[][2] = {
		{ "cas_count_read", "CAS_COUNT:RD" },
		{ "cas_count_write", "CAS_COUNT:WR" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!uncore_same_text(text, strlen(text), names[i][0]))
			continue;
		uncore_nearest_begin(nearest, nearest->error, names[i][1]);
		uncore_pfm_names(place, true, NULL, offer_end, nearest);
	}
}

static void say_no_event(const struct uncore_place *place, const char *text,
			 struct uncore_event_error *error)
{
	const char *type = place->info->type;

	if (error->num_nearest)
		uncore_say(error, "units of type %.*s have no event %s",
			   UNCORE_PMU_TYPE_LEN, type, text);
	else
		uncore_say(error, "units of type %.*s have no event %s: "
			   "\"uncorectl events %.*s\" shows the names there are",
			   UNCORE_PMU_TYPE_LEN, type, text,
			   UNCORE_PMU_TYPE_LEN, type);
}

static void say_unknown(const struct uncore_place *place, const char *text,
			struct uncore_nearest *nearest)
{
	const char *type = place->info->type;
	struct uncore_event_error *error = nearest->error;
	bool ours = strlen(text) > 4 && uncore_same_text(text, 4, "unc_");

	if (!place->info->config_mask) {
		say_no_event(place, text, error);
	} else if (!uncore_pfm_source(place)) {
		uncore_say(error, "units of type %.*s have no event %s: libpfm4 "
			   "has no names for them on %s; names of the kernel's "
			   "perf PMU and event=...,umask=... can be used",
			   UNCORE_PMU_TYPE_LEN, type, text,
			   place->platform[0] ? place->platform
					      : "this machine");
	} else if (!ours && !uncore_alias_source(place)) {
		offer_same(place, text, nearest);
		uncore_say(error, "units of type %.*s have no event %s: such "
			   "names come from the kernel's driver intel_uncore, "
			   "which has no PMU for them now; \"uncorectl events "
			   "%.*s\" shows the names there are",
			   UNCORE_PMU_TYPE_LEN, type, text,
			   UNCORE_PMU_TYPE_LEN, type);
	} else {
		say_no_event(place, text, error);
	}
}

static int unknown(const struct uncore_place *place, const char *text,
		   struct uncore_event_error *error)
{
	struct uncore_nearest nearest;

	if (has_filter(text))
		return uncore_say_filter(error, text, strlen(text));

	uncore_nearest_begin(&nearest, error, text);
	uncore_pfm_names(place, true, text, offer_separated, &nearest);
	if (error->num_nearest) {
		uncore_say(error, "units of type %.*s have no event %s: \":\" "
			   "is between the parts of a name",
			   UNCORE_PMU_TYPE_LEN, place->info->type, text);
		return -ENOENT;
	}
	if (uncore_fixed_counter(place->info))
		uncore_nearest_offer("fixed", &nearest);
	uncore_free_list(place, offer_event, &nearest);
	uncore_alias_list(place, NULL, offer_event, &nearest);
	uncore_pfm_names(place, strpbrk(text, ":.") != NULL, NULL,
			 uncore_nearest_offer, &nearest);

	say_unknown(place, text, &nearest);
	return -ENOENT;
}

static int parse(const struct uncore_place *place, const char *text,
		 struct uncore_event *event, struct uncore_event_error *error)
{
	size_t length = strlen(text);
	int ret;

	if (uncore_raw_looks_so(text))
		return uncore_raw_parse(place, text, event, error);
	/* The same counter whether the kernel's perf PMU is there or not. */
	if (uncore_same_text(text, length, "fixed") ||
	    (uncore_same_text(text, length, "clockticks") &&
	     uncore_fixed_counter(place->info)))
		return uncore_fixed_set(place, event, error);

	ret = uncore_free_parse(place, text, event);
	if (ret == -ENOENT)
		ret = uncore_alias_parse(place, text, event, error);
	if (ret == -ENOENT)
		ret = uncore_pfm_parse(place, text, event, error);
	if (ret == -ENOENT && !error->message[0])
		ret = unknown(place, text, error);
	return ret;
}

int uncore_place_parse(const struct uncore_place *place, const char *text,
		       struct uncore_event *event,
		       struct uncore_event_error *error)
{
	struct uncore_event result;
	int ret;

	memset(error, 0, sizeof(*error));
	if (!text[0] || strlen(text) >= UNCORE_SPEC_LEN) {
		uncore_say(error, text[0] ? "%.60s... is too long for an event"
					  : "an event is missing%s", text);
		return -EINVAL;
	}
	ret = parse(place, text, &result, error);
	if (ret)
		return ret;
	uncore_event_weigh(place, &result);
	*event = result;
	return 0;
}

int uncore_place_list(const struct uncore_place *place, uncore_event_fn each,
		      void *data)
{
	struct uncore_event_error unwanted;
	struct uncore_event event;
	int ret = 0;

	if (uncore_fixed_counter(place->info) &&
	    !uncore_fixed_set(place, &event, &unwanted))
		ret = each(&event, "The fixed counter", data);
	if (!ret)
		ret = uncore_free_list(place, each, data);
	if (!ret)
		ret = uncore_alias_list(place, NULL, each, data);
	if (!ret)
		ret = uncore_pfm_list(place, UNCORE_ANY_EVENT, each, data);
	return ret;
}

static int take(const struct uncore_event *event, const char *description,
		void *data)
{
	struct uncore_event *found = data;

	(void)description;
	if (event->kind != found->kind || event->config != found->config)
		return 0;
	*found = *event;
	return 1;
}

/* Finds the event without modifiers, and adds them to its name. */
static bool name_by_libpfm(const struct uncore_place *place, uint64_t config,
			   struct uncore_event *event)
{
	uint64_t modifiers = config & UNCORE_CONFIG_MODIFIERS;
	unsigned int thresh = (unsigned int)(config >> UNCORE_CONFIG_THRESH_SHIFT) &
			      UNCORE_CONFIG_THRESH_MAX;
	char t[16] = "";
	size_t used;

	event->config = config & ~modifiers;
	if (uncore_pfm_list(place, (int)(config & UNCORE_CONFIG_EVENT), take,
			    event) != 1)
		return false;
	if (!modifiers)
		return true;

	event->config = config;
	event->scale = 0;
	event->unit[0] = '\0';
	used = strlen(event->name);
	if (thresh)
		snprintf(t, sizeof(t), ":t=%u", thresh);
	snprintf(event->name + used, sizeof(event->name) - used, "%s%s%s",
		 config & UNCORE_CONFIG_EDGE ? ":e=1" : "",
		 config & UNCORE_CONFIG_INVERT ? ":i=1" : "", t);
	return true;
}

int uncore_place_name(const struct uncore_place *place, uint32_t kind,
		      uint64_t config, struct uncore_event *event)
{
	struct uncore_event same = { .kind = kind, .config = config };
	struct uncore_event_error unwanted;
	bool found;

	if (kind == UNCORE_PMU_KIND_FIXED)
		return uncore_fixed_set(place, event, &unwanted) ? -EINVAL : 0;
	if (kind == UNCORE_PMU_KIND_FREE_RUNNING)
		return uncore_free_get(place->info, config, event) ? 0
								   : -EINVAL;
	if (kind != UNCORE_PMU_KIND_GENERAL)
		return -EINVAL;

	*event = same;
	found = name_by_libpfm(place, config, event);
	if (!found) {
		*event = same;
		found = uncore_alias_list(place, &same, take, event) == 1;
	}
	if (found)
		uncore_event_weigh(place, event);
	else
		uncore_raw_name(place, config, event->name,
				sizeof(event->name));
	return 0;
}

/* The public functions. */

static struct uncore_place place_of(struct uncore *uncore,
				    const struct uncore_pmu_unit *info)
{
	return (struct uncore_place){
		.platform = uncore->info.platform,
		.info = info,
		.devices = UNCORE_DEVICES_PATH,
		.uncore = uncore,
	};
}

int uncore_event_parse(struct uncore *uncore,
		       const struct uncore_pmu_unit *info, const char *text,
		       struct uncore_event *event,
		       struct uncore_event_error *error)
{
	struct uncore_place place = place_of(uncore, info);
	struct uncore_event_error unwanted;

	return uncore_place_parse(&place, text, event,
				  error ? error : &unwanted);
}

int uncore_events_list(struct uncore *uncore,
		       const struct uncore_pmu_unit *info, uncore_event_fn each,
		       void *data)
{
	struct uncore_place place = place_of(uncore, info);

	return uncore_place_list(&place, each, data);
}

const char *uncore_events_source(struct uncore *uncore,
				 const struct uncore_pmu_unit *info)
{
	struct uncore_place place = place_of(uncore, info);

	return uncore_pfm_source(&place);
}

int uncore_event_name(struct uncore *uncore, const struct uncore_pmu_unit *info,
		      uint32_t kind, uint64_t config,
		      struct uncore_event *event)
{
	struct uncore_place place = place_of(uncore, info);

	return uncore_place_name(&place, kind, config, event);
}
