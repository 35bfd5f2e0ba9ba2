// SPDX-License-Identifier: LGPL-2.1-or-later
/* What an error says: a message, and the names that could have been meant. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

/* Further away, a name is a guess rather than a correction. */
#define FURTHEST	UNCORE_SPEC_LEN

void uncore_say(struct uncore_event_error *error, const char *format, ...)
{
	va_list args;
	char *c;

	va_start(args, format);
	vsnprintf(error->message, sizeof(error->message), format, args);
	va_end(args);

	for (c = error->message; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
			*c = '?';
}

/* Both separators mean the same. */
static char plain(char c)
{
	return c == '.' ? ':' : uncore_lower(c);
}

static bool contains(const char *name, const char *typed)
{
	size_t i, length = strlen(typed);

	for (; *name; name++) {
		for (i = 0; i < length && plain(name[i]) == plain(typed[i]); i++)
			if (!name[i])
				break;
		if (i == length)
			return true;
	}
	return false;
}

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Letters to insert, leave out or replace, or neighbours to swap. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int rows[3][UNCORE_SPEC_LEN + 1];
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2], *spare;
	size_t i, j, length = strlen(b);

	for (j = 0; j <= length; j++)
		last[j] = (unsigned int)j;
	for (i = 0; a[i]; i++) {
		row[0] = (unsigned int)i + 1;
		for (j = 1; j <= length; j++) {
			bool same = plain(a[i]) == plain(b[j - 1]);

			row[j] = least(last[j] + 1, row[j - 1] + 1,
				       last[j - 1] + !same);
			if (i && j > 1 && !same &&
			    plain(a[i]) == plain(b[j - 2]) &&
			    plain(a[i - 1]) == plain(b[j - 1]))
				row[j] = least(row[j], row[j],
					       before[j - 2] + 1);
		}
		spare = before;
		before = last;
		last = row;
		row = spare;
	}
	return last[length];
}

void uncore_nearest_begin(struct uncore_nearest *nearest,
			  struct uncore_event_error *error, const char *typed)
{
	nearest->error = error;
	nearest->typed = typed;
	error->num_nearest = 0;
}

/*
 * A name that contains what was typed comes first, the shortest before others:
 * who types CAS_COUNT means UNC_M_CAS_COUNT.
 */
static unsigned int distance_of(const char *typed, const char *name)
{
	size_t length = strlen(typed);
	unsigned int distance;

	if (strlen(name) > UNCORE_SPEC_LEN || length > UNCORE_SPEC_LEN)
		return FURTHEST;
	if (length > 2 && contains(name, typed))
		return 0;
	distance = edit_distance(typed, name);
	return distance <= 2 + length / 4 ? distance : FURTHEST;
}

void uncore_nearest_offer(const char *name, void *data)
{
	struct uncore_nearest *nearest = data;
	struct uncore_event_error *error = nearest->error;
	unsigned int distance, i, place;

	if (strlen(name) >= sizeof(error->nearest[0]))
		return;
	distance = distance_of(nearest->typed, name);
	if (distance == FURTHEST)
		return;

	for (i = 0; i < error->num_nearest; i++)
		if (!strcmp(error->nearest[i], name))
			return;
	for (place = 0; place < error->num_nearest; place++)
		if (distance < nearest->distance[place] ||
		    (distance == nearest->distance[place] &&
		     strlen(name) < strlen(error->nearest[place])))
			break;
	if (place == UNCORE_NEAREST_MAX)
		return;

	if (error->num_nearest < UNCORE_NEAREST_MAX)
		error->num_nearest++;
	for (i = error->num_nearest - 1; i > place; i--) {
		memcpy(error->nearest[i], error->nearest[i - 1],
		       sizeof(error->nearest[i]));
		nearest->distance[i] = nearest->distance[i - 1];
	}
	snprintf(error->nearest[place], sizeof(error->nearest[place]), "%s",
		 name);
	nearest->distance[place] = distance;
}
