// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of a core as fields, "event=0xc5,umask=0x01": the "format" folder of the
 * kernel's PMU says which bits of which number each is, "config:0-7,32-35".
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

static const char *const names[] = { "config", "config1", "config2" };

#define WORDS	(sizeof(names) / sizeof(names[0]))

/* Which of the three numbers does "config1:0-15" speak of? -1 for none. */
static int find_word(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		if (strlen(names[i]) == length &&
		    !strncmp(names[i], text, length))
			return (int)i;
	return -1;
}

/* Spreads value over the ranges of bits. -ERANGE if it has more than they. */
static int spread(const char *ranges, uint64_t value, uint64_t *bits)
{
	unsigned long bit, last;
	char *end;

	do {
		if (!uncore_is_digit(*ranges))
			return -EPROTO;
		bit = strtoul(ranges, &end, 10);
		last = bit;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (bit > last || last > 63)
			return -EPROTO;
		for (; bit <= last; bit++, value >>= 1)
			*bits |= (value & 1) << bit;
		ranges = end + 1;
	} while (*end == ',');
	if (*end)
		return -EPROTO;
	return value ? -ERANGE : 0;
}

static int parse_number(const char *text, uint64_t *value)
{
	char *end;

	if (!uncore_is_digit(text[0]))
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, 0);
	if (*end)
		return -EINVAL;
	return errno ? -ERANGE : 0;
}

static bool is_word(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (!uncore_is_digit(name[i]) && name[i] != '_' &&
		    (uncore_lower(name[i]) < 'a' || uncore_lower(name[i]) > 'z'))
			return false;
	return i > 0;
}

static int set_field(const struct uncore_core_place *place, const char *name,
		     uint64_t value, struct uncore_core_event *event)
{
	char file[160], format[96];
	const char *colon;
	uint64_t bits = 0;
	int word = find_word(name, strlen(name)), ret;

	if (word >= 0) {
		event->config[word] |= value;
		return 0;
	}
	if (!is_word(name) || strlen(name) > 64)
		return -EINVAL;
	snprintf(file, sizeof(file), "format/%s", name);
	ret = uncore_core_pmu_text(place, event->pmu.name, file, format,
				   sizeof(format));
	if (uncore_core_is_failure(ret))
		return ret;
	if (ret)
		return ret == -ENOENT ? -EINVAL : -EPROTO;
	colon = strchr(format, ':');
	word = colon ? find_word(format, (size_t)(colon - format)) : -1;
	if (word < 0)
		return -EPROTO;
	ret = spread(colon + 1, value, &bits);
	if (!ret)
		event->config[word] |= bits;
	return ret;
}

static int add_term(const struct uncore_core_place *place, const char *term,
		    struct uncore_core_event *event,
		    struct uncore_event_error *error)
{
	char name[128];
	const char *equals = strchr(term, '=');
	size_t length = equals ? (size_t)(equals - term) : strlen(term);
	uint64_t value = 1;
	int ret = 0;

	snprintf(name, sizeof(name), "%.*s", (int)length, term);
	uncore_lower_text(name);
	if (equals)
		ret = parse_number(equals + 1, &value);
	if (ret == -EINVAL) {
		uncore_say(error, "%s: a number is expected, as in 0x1f or 31",
			   term);
		return ret;
	}
	if (!ret)
		ret = set_field(place, name, value, event);
	if (ret == -ERANGE)
		uncore_say(error, "%s is too large for its field", term);
	else if (ret == -EPROTO)
		uncore_say(error, "%s: the kernel's description of this field "
			   "is not understood", term);
	else if (uncore_core_is_failure(ret))
		uncore_core_say_failure(name, ret, error);
	else if (ret)
		uncore_say(error, "%s has no field %s: see "
			   "/sys/bus/event_source/devices/%s/format",
			   event->pmu.name, name, event->pmu.name);
	return ret;
}

int uncore_core_fields_parse(const struct uncore_core_place *place,
			     const char *text, struct uncore_core_event *event,
			     struct uncore_event_error *error)
{
	char term[128];
	size_t length;
	int ret;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (length >= sizeof(term)) {
			uncore_say(error, "%.60s... is too long", text);
			return -EINVAL;
		}
		memcpy(term, text, length);
		term[length] = '\0';
		ret = add_term(place, term, event, error);
		if (ret || !text[length])
			break;
	}
	event->type = event->pmu.type;
	return ret;
}
