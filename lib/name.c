// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of units and counters. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

bool uncore_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

char uncore_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

void uncore_lower_text(char *text)
{
	for (; *text; text++)
		*text = uncore_lower(*text);
}

bool uncore_same_text(const char *text, size_t length, const char *known)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!known[i] || uncore_lower(text[i]) != uncore_lower(known[i]))
			return false;
	return !known[length];
}

static bool is_type_char(char c)
{
	return uncore_is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_';
}

/* The module's strings are bounded even if it forgot the NUL. */
static bool same_name(const char *name, const char *known, size_t size)
{
	size_t i, length = strnlen(known, size);

	if (strlen(name) != length)
		return false;
	for (i = 0; i < length; i++)
		if (uncore_lower(name[i]) != uncore_lower(known[i]))
			return false;
	return length > 0;
}

/* Is it the whole of a decimal number that fits, without a leading zero? */
static bool parse_number(const char *text, size_t length, uint32_t *number)
{
	uint64_t value = 0;
	size_t i;

	if (!length || length > 10 || (text[0] == '0' && length > 1))
		return false;
	for (i = 0; i < length; i++) {
		if (!uncore_is_digit(text[i]))
			return false;
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	*number = (uint32_t)value;
	return value <= UINT32_MAX;
}

/* What keeps the number of a unit apart from a type that ends in one. */
static const char *separator(const struct uncore_pmu_unit *info, size_t type)
{
	return type && uncore_is_digit(info->type[type - 1]) ? "_" : "";
}

int uncore_unit_name(const struct uncore_pmu_unit *info, char *name,
		     size_t size)
{
	int type = (int)strnlen(info->type, sizeof(info->type));
	const char *between = separator(info, (size_t)type);
	int length;

	/* Units of unknown dies may share type and instance. */
	if (info->die < 0)
		length = snprintf(name, size, "%.*s%s%u@%04x:%02x:%02x.%x",
				  type, info->type, between, info->instance,
				  info->segment, info->bus, info->device,
				  info->function);
	else
		length = snprintf(name, size, "%.*s%s%u@%d", type, info->type,
				  between, info->instance, info->die);

	return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

/* What is behind the "@" of a name */
struct place {
	enum { ANYWHERE, ON_DIE, AT_ADDRESS } kind;
	int64_t die;		/* -1: unknown */
	uint32_t segment;
	uint32_t bus;
	uint32_t device;
	uint32_t function;
};

/* Takes hexadecimal digits off the text, and the character that follows. */
static bool take_hex(const char **text, size_t least, size_t most, char end,
		     uint32_t *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *digit;
	size_t length = 0;

	*number = 0;
	for (; **text && length < most; (*text)++, length++) {
		for (digit = digits; *digit; digit++)
			if (uncore_lower(**text) == *digit)
				break;
		if (!*digit)
			break;
		*number = *number << 4 | (uint32_t)(digit - digits);
	}
	return length >= least && *(*text)++ == end;
}

/* "0001:ff:14.0", as the kernel writes it */
static bool parse_address(const char *text, struct place *place)
{
	place->kind = AT_ADDRESS;
	return (text[0] != '0' || strcspn(text, ":") == 4) &&
	       take_hex(&text, 4, 8, ':', &place->segment) &&
	       take_hex(&text, 2, 2, ':', &place->bus) &&
	       take_hex(&text, 2, 2, '.', &place->device) &&
	       take_hex(&text, 1, 1, '\0', &place->function) &&
	       place->device < 32 && place->function < 8;
}

static bool parse_place(const char *text, struct place *place)
{
	uint32_t die;

	if (strchr(text, ':'))
		return parse_address(text, place);

	place->kind = ON_DIE;
	place->die = -1;
	if (!strcmp(text, "?"))
		return true;
	if (!parse_number(text, strlen(text), &die))
		return false;
	place->die = die;
	return true;
}

/* Checks the form of a name, and takes the place off its end. */
static int parse_unit_name(const char *name, size_t *base, struct place *place)
{
	const char *at = strchr(name, '@');
	size_t i, length = at ? (size_t)(at - name) : strlen(name);

	if (!length || strlen(name) >= UNCORE_NAME_LEN)
		return -EINVAL;
	for (i = 0; i < length; i++)
		if (!is_type_char(name[i]))
			return -EINVAL;

	*base = length;
	place->kind = ANYWHERE;
	return !at || parse_place(at + 1, place) ? 0 : -EINVAL;
}

static bool is_at(const struct uncore_pmu_unit *info, const struct place *place)
{
	switch (place->kind) {
	case ON_DIE:
		return (info->die < 0 ? -1 : (int64_t)info->die) == place->die;
	case AT_ADDRESS:
		return info->state != UNCORE_PMU_STATE_ABSENT &&
		       info->segment == place->segment &&
		       info->bus == place->bus &&
		       info->device == place->device &&
		       info->function == place->function;
	default:
		return true;
	}
}

int uncore_unit_match(const struct uncore_pmu_unit *info, const char *name)
{
	size_t type = strnlen(info->type, sizeof(info->type));
	const char *between = separator(info, type);
	struct place place;
	uint32_t instance;
	size_t i, base;
	int ret;

	ret = parse_unit_name(name, &base, &place);
	if (ret)
		return ret;

	if (!is_at(info, &place))
		return 0;
	if (!type || base < type)
		return 0;
	for (i = 0; i < type; i++)
		if (uncore_lower(name[i]) != uncore_lower(info->type[i]))
			return 0;
	if (base == type)
		return 1;
	type += strlen(between);
	return base > type && !strncmp(name + type - strlen(between), between,
				       strlen(between)) &&
	       parse_number(name + type, base - type, &instance) &&
	       instance == info->instance;
}

int uncore_counter_find(const struct uncore_pmu_unit *info, const char *name)
{
	unsigned int i;

	for (i = 0; i < info->num_counters && i < UNCORE_PMU_MAX_COUNTERS; i++)
		if (same_name(name, info->counter[i].name,
			      sizeof(info->counter[i].name)))
			return (int)i;
	return -ENOENT;
}

int uncore_split_name(const char *name, char *unit, size_t size,
		      const char **counter)
{
	const char *slash = strchr(name, '/');

	if (!slash || slash == name || !slash[1] || strchr(slash + 1, '/') ||
	    (size_t)(slash - name) >= size)
		return -EINVAL;

	memcpy(unit, name, (size_t)(slash - name));
	unit[slash - name] = '\0';
	*counter = slash + 1;
	return 0;
}
