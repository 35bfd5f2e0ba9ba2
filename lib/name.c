// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of units and counters. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

/* Names are ASCII whatever the locale says. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_type_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_';
}

static bool same_letter(char a, char b)
{
	if (a >= 'A' && a <= 'Z')
		a += 'a' - 'A';
	if (b >= 'A' && b <= 'Z')
		b += 'a' - 'A';
	return a == b;
}

/* The module's strings are bounded even if it forgot the NUL. */
static bool same_name(const char *name, const char *known, size_t size)
{
	size_t i, length = strnlen(known, size);

	if (strlen(name) != length)
		return false;
	for (i = 0; i < length; i++)
		if (!same_letter(name[i], known[i]))
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
		if (!is_digit(text[i]))
			return false;
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	*number = (uint32_t)value;
	return value <= UINT32_MAX;
}

int uncore_unit_name(const struct uncore_pmu_unit *info, char *name,
		     size_t size)
{
	int type = (int)strnlen(info->type, sizeof(info->type));
	int length;

	if (info->die < 0)
		length = snprintf(name, size, "%.*s%u@?", type, info->type,
				  info->instance);
	else
		length = snprintf(name, size, "%.*s%u@%d", type, info->type,
				  info->instance, info->die);

	return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

/* Checks the form of a name, and takes the die off its end. */
static int parse_unit_name(const char *name, size_t *base, bool *any_die,
			   int64_t *die)
{
	const char *at = strchr(name, '@');
	size_t i, length = at ? (size_t)(at - name) : strlen(name);
	uint32_t number;

	if (!length || strlen(name) >= UNCORE_NAME_LEN)
		return -EINVAL;
	for (i = 0; i < length; i++)
		if (!is_type_char(name[i]))
			return -EINVAL;

	*base = length;
	*any_die = !at;
	*die = -1;
	if (!at || !strcmp(at, "@?"))
		return 0;
	if (!parse_number(at + 1, strlen(at + 1), &number))
		return -EINVAL;
	*die = number;
	return 0;
}

int uncore_unit_match(const struct uncore_pmu_unit *info, const char *name)
{
	size_t type = strnlen(info->type, sizeof(info->type));
	size_t i, base;
	uint32_t instance;
	bool any_die;
	int64_t die;
	int ret;

	ret = parse_unit_name(name, &base, &any_die, &die);
	if (ret)
		return ret;

	if (!any_die && (info->die < 0 ? -1 : (int64_t)info->die) != die)
		return 0;
	if (!type || base < type)
		return 0;
	for (i = 0; i < type; i++)
		if (!same_letter(name[i], info->type[i]))
			return 0;
	if (base == type)
		return 1;
	return parse_number(name + type, base - type, &instance) &&
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
