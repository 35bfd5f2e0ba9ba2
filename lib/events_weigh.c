// SPDX-License-Identifier: LGPL-2.1-or-later
/* What one count of an event stands for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * By the beginning and end of libpfm4's names. A CAS command moves a cache line
 * of 64 bytes.
 */
static const struct {
	const char *begin;
	const char *end;
	double scale;
	const char *unit;
} names[] = {
	{ "UNC_M_CAS_COUNT", "", 64, "bytes" },
	{ "UNC_", "CLOCKTICKS", 1, "cycles" },
};

void uncore_meaning_of_name(const char *name, double *scale, char *unit)
{
	size_t i, begin, end, length = strlen(name);

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		begin = strlen(names[i].begin);
		end = strlen(names[i].end);
		if (length < begin + end ||
		    strncmp(name, names[i].begin, begin) ||
		    strcmp(name + length - end, names[i].end))
			continue;
		*scale = names[i].scale;
		snprintf(unit, UNCORE_EVENT_UNIT_LEN, "%s", names[i].unit);
		return;
	}
}

static int copy_weight(const struct uncore_event *known,
		       const char *description, void *data)
{
	struct uncore_event *event = data;

	(void)description;
	if (known->kind != event->kind || known->config != event->config ||
	    known->scale == 0)
		return 0;
	event->scale = known->scale;
	memcpy(event->unit, known->unit, sizeof(event->unit));
	return 1;
}

/* The kernel knows best, then libpfm4's name of the same event. */
void uncore_event_weigh(const struct uncore_place *place,
			struct uncore_event *event)
{
	if (event->scale != 0 || event->kind != UNCORE_PMU_KIND_GENERAL)
		return;
	if (!uncore_alias_list(place, event, copy_weight, event) &&
	    event->source != UNCORE_EVENT_LIBPFM)
		uncore_pfm_list(place,
				(int)(event->config & UNCORE_CONFIG_EVENT),
				copy_weight, event);
}

static bool parse_exponent(const char *text, int *exponent)
{
	int value = 0, sign = 1;

	if (!*text)
		return true;
	if (uncore_lower(*text++) != 'e')
		return false;
	if (*text == '-' || *text == '+')
		sign = *text++ == '-' ? -1 : 1;
	if (!*text)
		return false;
	while (uncore_is_digit(*text) && value < 1000)
		value = value * 10 + *text++ - '0';
	*exponent += sign * value;
	return !*text;
}

/*
 * One multiplication or division of numbers that a double holds exactly, so
 * that the result is the nearest there is.
 */
bool uncore_parse_decimal(const char *text, double *value)
{
	uint64_t digits = 0;
	int exponent = 0, i;
	double power = 1;
	bool point = false, any = false;

	for (; uncore_is_digit(*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		any = true;
		if (digits >= (1ULL << 53) / 10)
			return false;
		digits = digits * 10 + (uint64_t)(*text - '0');
		exponent -= point;
	}
	if (!any || !parse_exponent(text, &exponent) || exponent > 22 ||
	    exponent < -22)
		return false;

	for (i = 0; i < abs(exponent); i++)
		power *= 10;
	*value = exponent < 0 ? (double)digits / power : (double)digits * power;
	return true;
}
