// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events by the names of libpfm4.
 *
 * pfm_get_os_event_encoding() works only for PMUs that libpfm4 has found in use
 * on this machine, which it has not where the kernel's driver is not loaded, or
 * for all with LIBPFM_ENCODE_INACTIVE in the environment, which a library cannot
 * change under its program. So the tables are read, which works always, and put
 * together here; a test compares the result with libpfm4's own for each event
 * and unit mask.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfm_table.h"

/* More than any event has. */
#define MAX_PARTS	16

const char *uncore_pfm_source(const struct uncore_place *place)
{
	struct pfm_table *table;
	const char *name;

	if (uncore_pfm_get(place, &table))
		return NULL;
	name = table->pmu;
	uncore_pfm_put(place, table);
	return name;
}

static const pfm_event_info_t *find_event(const struct pfm_table *table,
					  const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (uncore_same_text(name, length, table->events[i].name))
			return &table->events[i];
	return NULL;
}

static bool get_attr(const pfm_event_info_t *event, int index,
		     pfm_event_attr_info_t *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	return pfm_get_event_attr_info(event->idx, index, PFM_OS_NONE, attr) ==
	       PFM_SUCCESS;
}

static bool is_modifier(const char *name, size_t length)
{
	return length == 1 && strchr("eit", uncore_lower(name[0])) && name[0];
}

/*
 * Events that match packets have modifiers of their own, or unit masks that stand
 * for bits of other registers.
 */
static bool needs_filter(const pfm_event_info_t *event)
{
	pfm_event_attr_info_t attr;
	int i;

	if (uncore_is_match(event->name, strlen(event->name)))
		return true;
	for (i = 0; i < event->nattrs; i++) {
		if (!get_attr(event, i, &attr))
			continue;
		if (attr.type == PFM_ATTR_UMASK
		    ? !strncmp(attr.name, "FILT_", 5)
		    : !is_modifier(attr.name, strlen(attr.name)))
			return true;
	}
	return false;
}

/* What is being put together. */
struct encoding {
	const struct uncore_place *place;
	struct uncore_event_error *error;
	const char *text;
	pfm_event_info_t info;
	uint64_t masks;
	unsigned int num_masks;
	uint64_t modifiers;
	char name[UNCORE_EVENT_NAME_LEN];
};

static void add_name(struct encoding *encoding, const char *part)
{
	size_t used = strlen(encoding->name);

	snprintf(encoding->name + used, sizeof(encoding->name) - used, "%s%s",
		 used ? ":" : "", part);
}

/* Unit masks are bits that select; a code of 0 shows that these are numbers. */
static bool are_bits(const struct encoding *encoding)
{
	pfm_event_attr_info_t attr;
	int i;

	for (i = 0; i < encoding->info.nattrs; i++)
		if (get_attr(&encoding->info, i, &attr) &&
		    attr.type == PFM_ATTR_UMASK && !attr.code)
			return false;
	return true;
}

static int add_mask(struct encoding *encoding,
		    const pfm_event_attr_info_t *attr)
{
	if (encoding->num_masks &&
	    (encoding->masks & attr->code || !are_bits(encoding))) {
		uncore_say(encoding->error, "%s: unit mask %s cannot be "
			   "combined with the one before", encoding->text,
			   attr->name);
		return -EINVAL;
	}
	encoding->masks |= attr->code;
	encoding->num_masks++;
	add_name(encoding, attr->name);
	return 0;
}

static int add_modifier(struct encoding *encoding, const char *part,
			size_t length)
{
	unsigned long limit = UNCORE_CONFIG_THRESH_MAX, value = 1;
	char letter = uncore_lower(part[0]), *end;
	unsigned int shift = UNCORE_CONFIG_THRESH_SHIFT;
	char canonical[32];

	if (letter != 't') {
		limit = 1;
		shift = letter == 'e' ? 18 : 23;
	}
	if (length > 1) {
		if (!uncore_is_digit(part[2]))
			goto invalid;
		value = strtoul(part + 2, &end, 0);
		if (end != part + length)
			goto invalid;
	} else if (letter == 't') {
		goto invalid;
	}
	if (value > limit) {
		uncore_say(encoding->error, "%s: %.*s is too large, the limit "
			   "is %lu", encoding->text, (int)length, part, limit);
		return -ERANGE;
	}
	if (encoding->modifiers & (uint64_t)limit << shift)
		goto invalid;
	encoding->modifiers |= (uint64_t)value << shift;
	if (value) {
		snprintf(canonical, sizeof(canonical), "%c=%lu", letter, value);
		add_name(encoding, canonical);
	}
	return 0;

invalid:
	uncore_say(encoding->error, "%s: %.*s is not a modifier, as e=1, i=1 "
		   "and t=5 are", encoding->text, (int)length, part);
	return -EINVAL;
}

static int unknown_part(struct encoding *encoding, const char *part,
			size_t length)
{
	struct uncore_nearest nearest;

	if (uncore_is_filter(part, length))
		return uncore_say_filter(encoding->error, part, length);
	if (!length) {
		uncore_say(encoding->error, "%s has an empty part: write one "
			   "\":\" between two parts and none at the end",
			   encoding->text);
		return -ENOENT;
	}
	uncore_say(encoding->error, "%s: %s has no unit mask or modifier %.*s",
		   encoding->text, encoding->info.name, (int)length, part);
	uncore_nearest_begin(&nearest, encoding->error, encoding->text);
	uncore_pfm_names(encoding->place, true, NULL, uncore_nearest_offer,
			 &nearest);
	return -ENOENT;
}

static int add_part(struct encoding *encoding, const char *part, size_t length)
{
	size_t name = strcspn(part, "=:.");
	bool has_value = name < length;
	pfm_event_attr_info_t attr;
	int i;

	for (i = 0; i < encoding->info.nattrs; i++) {
		if (!get_attr(&encoding->info, i, &attr) ||
		    !uncore_same_text(part, name, attr.name))
			continue;
		if (attr.type != PFM_ATTR_UMASK)
			return add_modifier(encoding, part, length);
		if (!has_value)
			return add_mask(encoding, &attr);
	}
	return unknown_part(encoding, part, length);
}

/* Names the choice; libpfm4's tables have at most one default for an event. */
static int add_default_mask(struct encoding *encoding)
{
	char choice[128] = "";
	pfm_event_attr_info_t attr;
	size_t used = 0;
	int i;

	for (i = 0; i < encoding->info.nattrs; i++) {
		if (!get_attr(&encoding->info, i, &attr) ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		if (attr.is_dfl)
			return add_mask(encoding, &attr);
		if (used + strlen(attr.name) + 8 < sizeof(choice))
			snprintf(choice + used, sizeof(choice) - used, "%s%s",
				 used ? ", " : "", attr.name);
		else if (!strstr(choice, "..."))
			snprintf(choice + used, sizeof(choice) - used, ", ...");
		used = strlen(choice);
	}
	if (!used)
		return 0;
	uncore_say(encoding->error, "%s needs a unit mask: %s",
		   encoding->info.name, choice);
	return -EINVAL;
}

static int finish(struct encoding *encoding, struct uncore_event *event)
{
	uint64_t config = encoding->info.code |
			  encoding->masks << UNCORE_CONFIG_UMASK_SHIFT |
			  encoding->modifiers;
	int ret;

	ret = uncore_event_set(encoding->place, config, event, encoding->error);
	if (ret)
		return ret;
	event->source = UNCORE_EVENT_LIBPFM;
	snprintf(event->name, sizeof(event->name), "%s", encoding->name);
	uncore_meaning_of_name(encoding->info.name, &event->scale, event->unit);
	if (config & UNCORE_CONFIG_MODIFIERS) {
		event->scale = 0;
		event->unit[0] = '\0';
	}
	return 0;
}

static int encode(struct encoding *encoding, const char *parts,
		  struct uncore_event *event)
{
	size_t length;
	int ret;

	if (needs_filter(&encoding->info))
		return uncore_say_filter(encoding->error, encoding->info.name,
					 strlen(encoding->info.name));
	add_name(encoding, encoding->info.name);
	for (; *parts; parts += length) {
		length = strcspn(++parts, ":.");
		ret = add_part(encoding, parts, length);
		if (ret)
			return ret;
	}
	if (!encoding->num_masks) {
		ret = add_default_mask(encoding);
		if (ret)
			return ret;
	}
	return finish(encoding, event);
}

int uncore_pfm_parse(const struct uncore_place *place, const char *text,
		     struct uncore_event *event,
		     struct uncore_event_error *error)
{
	struct encoding encoding = {
		.place = place, .error = error, .text = text,
	};
	const pfm_event_info_t *info;
	struct pfm_table *table;
	size_t name;
	int ret;

	ret = uncore_pfm_get(place, &table);
	if (ret)
		return ret;
	name = strcspn(text, ":.");
	info = find_event(table, text, name);
	if (!info) {
		ret = uncore_pfm_skip_pmu(table, &text, error);
		name = strcspn(text, ":.");
		info = ret ? NULL : find_event(table, text, name);
	}
	if (info)
		encoding.info = *info;
	uncore_pfm_put(place, table);
	if (!info)
		return ret ? ret : -ENOENT;
	return encode(&encoding, text + name, event);
}

/* An event with this number that needs a filter, if none does not. */
static const pfm_event_info_t *only_filtered(const struct pfm_table *table,
					     uint64_t config)
{
	uint64_t number = UNCORE_CONFIG_EVENT | UNCORE_CONFIG_EVENT_HIGH;
	const pfm_event_info_t *info, *found = NULL;
	size_t i;

	for (i = 0; i < table->count; i++) {
		info = &table->events[i];
		if ((info->code ^ config) & number)
			continue;
		if (!needs_filter(info))
			return NULL;
		found = info;
	}
	return found;
}

int uncore_pfm_check(const struct uncore_place *place, uint64_t config,
		     struct uncore_event_error *error)
{
	const pfm_event_info_t *info;
	struct pfm_table *table;
	int ret;

	ret = uncore_pfm_get(place, &table);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	info = only_filtered(table, config);
	if (info)
		ret = uncore_say_filter(error, info->name, strlen(info->name));
	uncore_pfm_put(place, table);
	return ret;
}

/* Calls for each unit mask by itself, or for an event that has none. */
typedef int (*mask_fn)(const struct uncore_place *place,
		       const pfm_event_info_t *info,
		       const pfm_event_attr_info_t *attr, void *data);

static int for_each_mask(const struct uncore_place *place,
			 const pfm_event_info_t *info, mask_fn call, void *data)
{
	pfm_event_attr_info_t attr;
	bool any = false;
	int i, ret = 0;

	for (i = 0; i < info->nattrs && !ret; i++) {
		if (!get_attr(info, i, &attr) || attr.type != PFM_ATTR_UMASK)
			continue;
		any = true;
		ret = call(place, info, &attr, data);
	}
	return any ? ret : call(place, info, NULL, data);
}

static bool has_number(const pfm_event_info_t *info, int number)
{
	return number == UNCORE_ANY_EVENT ||
	       (info->code & UNCORE_CONFIG_EVENT) == (uint64_t)number;
}

static bool begins_with(const char *text, const char *name)
{
	size_t length = strlen(name);

	return strlen(text) >= length && uncore_same_text(text, length, name);
}

/* Those with this number, and with a name that @text begins with, if given. */
static int for_each_event(const struct uncore_place *place, int number,
			  const char *text, mask_fn call, void *data)
{
	struct pfm_table *table;
	size_t i;
	int ret;

	ret = uncore_pfm_get(place, &table);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (i = 0; i < table->count && !ret; i++) {
		const pfm_event_info_t *info = &table->events[i];

		if (has_number(info, number) &&
		    (!text || begins_with(text, info->name)) &&
		    !needs_filter(info))
			ret = for_each_mask(place, info, call, data);
	}
	uncore_pfm_put(place, table);
	return ret;
}

struct listing {
	uncore_event_fn each;
	void *data;
};

static int list_one(const struct uncore_place *place,
		    const pfm_event_info_t *info,
		    const pfm_event_attr_info_t *attr, void *data)
{
	struct uncore_event_error unwanted;
	struct listing *listing = data;
	struct encoding encoding = {
		.place = place, .error = &unwanted, .info = *info,
	};
	struct uncore_event event;
	char description[512];
	int length;

	add_name(&encoding, info->name);
	if (attr)
		add_mask(&encoding, attr);
	if (finish(&encoding, &event))
		return 0;
	length = (int)strlen(info->desc);
	if (length && info->desc[length - 1] == '.')
		length--;
	snprintf(description, sizeof(description), "%.*s%s%s", length,
		 info->desc, attr ? ": " : "", attr ? attr->desc : "");
	return listing->each(&event, description, listing->data);
}

int uncore_pfm_list(const struct uncore_place *place, int number,
		    uncore_event_fn each, void *data)
{
	struct listing listing = { .each = each, .data = data };

	return for_each_event(place, number, NULL, list_one, &listing);
}

struct naming {
	bool masks;
	void (*each)(const char *name, void *data);
	void *data;
};

static int name_one(const struct uncore_place *place,
		    const pfm_event_info_t *info,
		    const pfm_event_attr_info_t *attr, void *data)
{
	char name[UNCORE_EVENT_NAME_LEN];
	struct naming *naming = data;

	(void)place;
	if (attr && naming->masks) {
		snprintf(name, sizeof(name), "%s:%s", info->name, attr->name);
		naming->each(name, naming->data);
	} else {
		naming->each(info->name, naming->data);
	}
	return 0;
}

int uncore_pfm_names(const struct uncore_place *place, bool masks,
		     const char *text,
		     void (*each)(const char *name, void *data), void *data)
{
	struct naming naming = { .masks = masks, .each = each, .data = data };

	return for_each_event(place, UNCORE_ANY_EVENT, text, name_one, &naming);
}
