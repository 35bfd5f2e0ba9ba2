// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts of regions as a table, as CSV and as JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"

/* @group: that of the row; rows of a table or CSV have it if there are @several */
struct text {
	char *start;
	size_t used, size;
	enum uncore_format format;
	unsigned int rows, group;
	bool several;
};

static int reserve(struct text *text, size_t more)
{
	size_t size = text->size ? text->size : 1024;
	char *start;

	while (size - text->used <= more)
		size *= 2;
	if (size == text->size)
		return 0;
	start = realloc(text->start, size);
	if (!start)
		return -ENOMEM;
	text->start = start;
	text->size = size;
	return 0;
}

__attribute__((format(printf, 2, 3)))
static int add(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length, ret;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	ret = length < 0 ? -EINVAL : reserve(text, (size_t)length);
	if (ret)
		return ret;
	va_start(arguments, format);
	vsnprintf(text->start + text->used, (size_t)length + 1, format,
		  arguments);
	va_end(arguments);
	text->used += (size_t)length;
	return 0;
}

/* The locale has no say in what a decimal point is. */
static int add_decimal(struct text *text, double value)
{
	char number[400], *comma;

	snprintf(number, sizeof(number), "%.9f", value);
	comma = strpbrk(number, ",");
	if (comma)
		*comma = '.';
	return add(text, "%s", number);
}

/* Padded to so many characters, without what a terminal could take for a command. */
static int add_visible(struct text *text, const char *string, int width)
{
	int length, ret = 0;

	for (; *string && !ret; width--) {
		length = uncore_visible_length(string);
		ret = add(text, "%.*s", length ? length : 1,
			  length ? string : "?");
		string += length ? length : 1;
	}
	return ret ? ret : add(text, "%*s", width > 0 ? width : 0, "");
}

/* JSON is UTF-8: bytes that are not (@length 0) are taken for Latin-1. */
static int add_json(struct text *text, const char *string, int length)
{
	unsigned char c = (unsigned char)*string;

	if (length > 1)
		return add(text, "%.*s", length, string);
	if (!length || c < ' ')
		return add(text, "\\u%04x", c);
	return add(text, c == '"' || c == '\\' ? "\\%c" : "%c", c);
}

/* In double quotes: JSON escapes, CSV doubles the quote. */
static int add_quoted(struct text *text, const char *string)
{
	bool json = text->format == UNCORE_FORMAT_JSON;
	int length, ret = add(text, "\"");

	for (; *string && !ret; string += length ? length : 1) {
		length = json ? uncore_utf8_length(string) : 1;
		if (json)
			ret = add_json(text, string, length);
		else
			ret = add(text, *string == '"' ? "\"\"" : "%c",
				  *string);
	}
	return ret ? ret : add(text, "\"");
}

static int table_row(struct text *text, const struct uncore_result *result)
{
	char who[32], number[32];
	int ret = 0;

	if (!text->rows)
		ret = add(text, "%s%-20s %-10s %10s %14s  %-28s %20s\n",
			  text->several ? "group " : "", "region", "of",
			  "times", "seconds", "event", "count");
	if (!ret && text->several)
		ret = add(text, "%5u ", text->group);
	if (ret)
		return ret;
	if (result->die == UNCORE_DIE_NONE)
		snprintf(who, sizeof(who), "thread %" PRIu32, result->thread);
	else if (result->die == UNCORE_DIE_UNKNOWN)
		snprintf(who, sizeof(who), "die ?");
	else
		snprintf(who, sizeof(who), "die %" PRId32, result->die);
	snprintf(number, sizeof(number), "%" PRIu64, result->value);
	ret = add_visible(text, result->region, 20);
	if (!ret)
		ret = add(text, " %-10s %10" PRIu64 "    ", who, result->times);
	if (!ret)
		ret = add_decimal(text, result->seconds);
	if (!ret)
		ret = add(text, "  ");
	if (!ret)
		ret = add_visible(text, result->event, 28);
	if (ret)
		return ret;
	return add(text, " %20s\n",
		   result->state == UNCORE_VALID
			   ? number : uncore_validity_text(result->state));
}

static int csv_row(struct text *text, const struct uncore_result *result)
{
	int ret = 0;

	if (!text->rows)
		ret = add(text, "%sregion,event,thread,tid,die,times,seconds,"
			  "count,state\n", text->several ? "group," : "");
	if (!ret && text->several)
		ret = add(text, "%u,", text->group);
	if (!ret)
		ret = add_quoted(text, result->region);
	if (!ret)
		ret = add(text, ",");
	if (!ret)
		ret = add_quoted(text, result->event);
	if (!ret)
		ret = add(text, ",%" PRIu32 ",%" PRId32 ",", result->thread,
			  result->tid);
	if (!ret && result->die == UNCORE_DIE_UNKNOWN)
		ret = add(text, "?");
	else if (!ret && result->die != UNCORE_DIE_NONE)
		ret = add(text, "%" PRId32, result->die);
	if (!ret)
		ret = add(text, ",%" PRIu64 ",", result->times);
	if (!ret)
		ret = add_decimal(text, result->seconds);
	if (!ret)
		ret = add(text, ",");
	if (!ret && result->state == UNCORE_VALID)
		ret = add(text, "%" PRIu64, result->value);
	if (!ret)
		ret = add(text, ",");
	if (!ret)
		ret = add_quoted(text, uncore_validity_text(result->state));
	return ret ? ret : add(text, "\n");
}

static int json_row(struct text *text, const struct uncore_result *result)
{
	int ret = add(text, "%s\n{\"group\": %u, \"region\": ",
		      text->rows ? "," : "[", text->group);

	if (!ret)
		ret = add_quoted(text, result->region);
	if (!ret)
		ret = add(text, ", \"event\": ");
	if (!ret)
		ret = add_quoted(text, result->event);
	if (!ret)
		ret = add(text, ", \"thread\": %" PRIu32 ", \"tid\": %" PRId32,
			  result->thread, result->tid);
	if (!ret && result->die == UNCORE_DIE_UNKNOWN)
		ret = add(text, ", \"die\": null");
	else if (!ret && result->die != UNCORE_DIE_NONE)
		ret = add(text, ", \"die\": %" PRId32, result->die);
	if (!ret)
		ret = add(text, ", \"times\": %" PRIu64 ", \"seconds\": ",
			  result->times);
	if (!ret)
		ret = add_decimal(text, result->seconds);
	if (!ret && result->state == UNCORE_VALID)
		ret = add(text, ", \"count\": %" PRIu64, result->value);
	else if (!ret)
		ret = add(text, ", \"count\": null");
	if (!ret)
		ret = add(text, ", \"state\": ");
	if (!ret)
		ret = add_quoted(text, uncore_validity_text(result->state));
	if (!ret && result->scale > 0)
		ret = add(text, ", \"scale\": ");
	if (!ret && result->scale > 0)
		ret = add_decimal(text, result->scale);
	if (!ret && result->scale > 0)
		ret = add(text, ", \"unit\": ");
	if (!ret && result->scale > 0)
		ret = add_quoted(text, result->unit);
	return ret ? ret : add(text, "}");
}

static int add_row(const struct uncore_result *result, void *data)
{
	struct text *text = data;
	int ret;

	switch (text->format) {
	case UNCORE_FORMAT_TABLE:
		ret = table_row(text, result);
		break;
	case UNCORE_FORMAT_CSV:
		ret = csv_row(text, result);
		break;
	case UNCORE_FORMAT_JSON:
		ret = json_row(text, result);
		break;
	default:
		ret = -EINVAL;
	}
	text->rows++;
	return ret;
}

int uncore_plans_text(struct uncore_plan *const *plans, unsigned int first,
		      unsigned int count, enum uncore_format format,
		      unsigned int flags, char **result)
{
	struct text text = { .format = format, .several = count > 1 };
	unsigned int i;
	int ret;

	if ((unsigned int)format > UNCORE_FORMAT_JSON)
		return -EINVAL;
	ret = reserve(&text, 0);
	if (ret)
		return ret;
	text.start[0] = '\0';
	for (i = 0; i < count && !ret; i++) {
		text.group = first + i;
		ret = uncore_plan_results(plans[i], flags, add_row, &text);
	}
	if (!ret && format == UNCORE_FORMAT_JSON)
		ret = add(&text, text.rows ? "\n]\n" : "[]\n");
	if (ret)
		free(text.start);
	else
		*result = text.start;
	return ret;
}

int uncore_plan_text(struct uncore_plan *plan, enum uncore_format format,
		     unsigned int flags, char **result)
{
	return uncore_plans_text(&plan, 1, 1, format, flags, result);
}
