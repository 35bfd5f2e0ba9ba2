// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events as fields of the control register, by the names that the kernel's perf
 * PMUs give them in their "format" folders.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

enum { EVENT, UMASK, EDGE, INV, THRESH, QOR, CH_MASK, FC_MASK, FIELDS };

/* The second one is what clients call it; of the threshold, both are taken. */
static const struct {
	const char *name;
	const char *client;
} names[FIELDS] = {
	[EVENT] = { "event" },
	[UMASK] = { "umask", "chmask" },
	[EDGE] = { "edge" },
	[INV] = { "inv" },
	[THRESH] = { "thresh", "threshold" },
	[QOR] = { "qor" },
	[CH_MASK] = { "ch_mask" },
	[FC_MASK] = { "fc_mask" },
};

/* The memory controllers of clients: a mask of channels, no other unit mask. */
#define CHANNELS	(0xfULL << UNCORE_CONFIG_UMASK_SHIFT)

static bool has_channels(const struct uncore_place *place)
{
	return (place->info->config_mask & 0xff << UNCORE_CONFIG_UMASK_SHIFT) ==
	       CHANNELS;
}

static const char *name_of(const struct uncore_place *place, int field)
{
	return field == UMASK && has_channels(place) ? names[field].client
						     : names[field].name;
}

static bool is_type(const struct uncore_place *place, const char *type)
{
	return !strncmp(place->info->type, type, sizeof(place->info->type));
}

/*
 * More of the unit mask, but for Snow Ridge's PCIe root port, where it is more
 * of the threshold, and IIO, which has masks of ports and of kinds of requests.
 */
static void add_upper_half(const struct uncore_place *place, uint64_t *bits)
{
	bool skylake = !strcmp(place->platform, "skylake-sp");

	if (is_type(place, "iio")) {
		bits[THRESH] |= 0xfULL << 32;
		bits[CH_MASK] = (skylake ? 0xffULL : 0xfffULL) << 36;
		bits[FC_MASK] = 7ULL << (skylake ? 44 : 48);
	} else {
		bits[is_type(place, "pcie3") ? THRESH : UMASK] |=
			UINT64_MAX << 32;
	}
}

/* The bits of a field that these units let be set. */
static uint64_t bits_of(const struct uncore_place *place, int field)
{
	uint64_t bits[FIELDS] = {
		[EVENT] = UNCORE_CONFIG_EVENT | UNCORE_CONFIG_EVENT_HIGH,
		[UMASK] = 0xff << UNCORE_CONFIG_UMASK_SHIFT,
		[EDGE] = UNCORE_CONFIG_EDGE,
		[INV] = UNCORE_CONFIG_INVERT,
		[THRESH] = (uint64_t)UNCORE_CONFIG_THRESH_MAX
			   << UNCORE_CONFIG_THRESH_SHIFT,
		[QOR] = 1 << 16,
	};

	add_upper_half(place, bits);
	return bits[field] & place->info->config_mask;
}

/* The bits of value go to those of mask, the lowest to the lowest. */
static bool deposit(uint64_t value, uint64_t mask, uint64_t *result)
{
	uint64_t bit;

	for (*result = 0; mask; mask &= mask - 1, value >>= 1) {
		bit = mask & -mask;
		if (value & 1)
			*result |= bit;
	}
	return !value;
}

static uint64_t extract(uint64_t config, uint64_t mask)
{
	uint64_t value = 0, bit;
	unsigned int i;

	for (i = 0; mask; mask &= mask - 1, i++) {
		bit = mask & -mask;
		if (config & bit)
			value |= 1ULL << i;
	}
	return value;
}

/* As in C: 0x.., 0.., decimal; no value at all means 1, as for perf. */
static int parse_value(const char *text, size_t length, uint64_t *value)
{
	char number[24], *end;

	if (!length) {
		*value = 1;
		return 0;
	}
	text++;
	length--;
	if (!length || length >= sizeof(number) || !uncore_is_digit(text[0]))
		return -EINVAL;
	memcpy(number, text, length);
	number[length] = '\0';

	errno = 0;
	*value = strtoull(number, &end, 0);
	if (*end)
		return -EINVAL;
	return errno ? -ERANGE : 0;
}

static int find_field(const struct uncore_place *place, const char *name,
		      size_t length)
{
	int i;

	for (i = 0; i < FIELDS; i++)
		if (uncore_same_text(name, length, name_of(place, i)))
			return i;
	if (uncore_same_text(name, length, names[THRESH].client))
		return THRESH;
	return -1;
}

struct terms {
	const struct uncore_place *place;
	struct uncore_event_error *error;
	uint64_t config;
	unsigned int seen;
};

#define SEEN_CONFIG	(1U << FIELDS)

/* The fields that these units have. */
static int unknown_term(struct terms *terms, const char *term, size_t name)
{
	char *message = terms->error->message;
	size_t used;
	int i;

	if (uncore_is_filter(term, name))
		return uncore_say_filter(terms->error, term, name);
	uncore_say(terms->error, "there is no field %.*s: the fields are ",
		   (int)name, term);
	for (i = 0; i < FIELDS; i++) {
		if (!bits_of(terms->place, i))
			continue;
		used = strlen(message);
		snprintf(message + used, sizeof(terms->error->message) - used,
			 "%s, ", name_of(terms->place, i));
	}
	used = strlen(message);
	snprintf(message + used, sizeof(terms->error->message) - used,
		 "or config for all of them");
	return -EINVAL;
}

static int add_field(struct terms *terms, int field, uint64_t value)
{
	uint64_t mask = bits_of(terms->place, field), bits;

	if (!mask) {
		uncore_say(terms->error, "units of type %.*s do not let %s be "
			   "set", UNCORE_PMU_TYPE_LEN,
			   terms->place->info->type,
			   name_of(terms->place, field));
		return -EOPNOTSUPP;
	}
	if (!deposit(value, mask, &bits)) {
		uncore_say(terms->error, "%s=0x%" PRIx64 " is too large: the "
			   "field ends at 0x%" PRIx64, name_of(terms->place, field),
			   value, extract(mask, mask));
		return -ERANGE;
	}
	terms->config |= bits;
	return 0;
}

static int empty_term(struct terms *terms)
{
	uncore_say(terms->error, "an empty field: write one comma between two "
		   "fields and none at the ends, as in event=0x04,umask=0x03");
	return -EINVAL;
}

static int add_term(struct terms *terms, const char *term, size_t length)
{
	const char *equals = memchr(term, '=', length);
	size_t name = equals ? (size_t)(equals - term) : length;
	bool whole = uncore_same_text(term, name, "config");
	int field = find_field(terms->place, term, name);
	unsigned int bit;
	uint64_t value;
	int ret;

	if (!length)
		return empty_term(terms);
	if (field < 0 && !whole)
		return unknown_term(terms, term, name);

	ret = parse_value(term + name, length - name, &value);
	if (ret) {
		uncore_say(terms->error, "%.*s: a number is expected, as in "
			   "0x1f or 31", (int)length, term);
		return ret;
	}
	bit = whole ? SEEN_CONFIG : 1U << field;
	if (terms->seen & bit || (terms->seen && whole) ||
	    terms->seen & SEEN_CONFIG) {
		uncore_say(terms->error, "%.*s: this field was given before",
			   (int)name, term);
		return -EINVAL;
	}
	terms->seen |= bit;
	if (!whole)
		return add_field(terms, field, value);
	terms->config = value;
	return 0;
}

bool uncore_raw_looks_so(const char *text)
{
	char end = text[strcspn(text, "=,:.")];

	return end == '=' || end == ',';
}

int uncore_raw_parse(const struct uncore_place *place, const char *text,
		     struct uncore_event *event,
		     struct uncore_event_error *error)
{
	struct terms terms = { .place = place, .error = error };
	size_t length;
	int ret;

	if (!place->info->config_mask)
		return uncore_say_not_programmable(place, error);
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		ret = add_term(&terms, text, length);
		if (ret)
			return ret;
		if (!text[length])
			break;
	}
	if (!(terms.seen & (1U << EVENT | SEEN_CONFIG))) {
		uncore_say(error, "the field event is missing, as in "
			   "event=0x04,%s=0x03", name_of(place, UMASK));
		return -EINVAL;
	}

	ret = uncore_event_set(place, terms.config, event, error);
	if (!ret)
		ret = uncore_pfm_check(place, terms.config, error);
	if (ret)
		return ret;
	event->source = UNCORE_EVENT_RAW;
	if (event->kind == UNCORE_PMU_KIND_GENERAL)
		uncore_raw_name(place, event->config, event->name,
				sizeof(event->name));
	return 0;
}

/* The two fields that every event has, then those that are not 0. */
void uncore_raw_name(const struct uncore_place *place, uint64_t config,
		     char *name, size_t size)
{
	size_t used = 0;
	uint64_t value;
	int i;

	if (config & ~place->info->config_mask) {
		snprintf(name, size, "config=0x%" PRIx64, config);
		return;
	}
	for (i = 0; i < FIELDS; i++) {
		value = extract(config, bits_of(place, i));
		if (!value && i > UMASK)
			continue;
		if (i <= UMASK)
			snprintf(name + used, size - used,
				 "%s%s=0x%02" PRIx64, i ? "," : "",
				 name_of(place, i), value);
		else
			snprintf(name + used, size - used, ",%s=%" PRIu64,
				 name_of(place, i), value);
		used = strlen(name);
	}
}
