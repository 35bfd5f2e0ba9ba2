// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <uncore.h>

#include "conf.h"

/* A comment may be long; what never ends is no file of events. */
#define MAX_FILE	(16 << 20)

/* What is known of the line so far. */
struct scan {
	char text[UNCORE_SPEC_LEN];
	size_t length;
	bool comment;
	bool gap;
	const char *trouble;
};

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Text is ASCII whatever the locale says. */
static bool is_text(int c)
{
	return c > ' ' && c <= '~';
}

static void scan_char(struct scan *scan, int c)
{
	if (scan->comment || scan->trouble)
		return;
	if (c == '#') {
		scan->comment = true;
	} else if (is_blank(c)) {
		scan->gap = scan->length > 0;
	} else if (!is_text(c)) {
		scan->trouble = c ? "has a character that is not plain text"
				  : "has a NUL character";
	} else if (scan->gap) {
		scan->trouble = "more than one event: write each on a line of "
				"its own";
	} else if (scan->length == sizeof(scan->text) - 1) {
		scan->trouble = "too long for an event";
	} else {
		scan->text[scan->length++] = (char)c;
	}
}

static int end_line(struct scan *scan, size_t number, struct conf *conf)
{
	struct conf_line *lines = conf->lines, *line;
	char *spec;

	if (!scan->length && !scan->trouble)
		return 0;
	/* Room for twice as many, each time that a power of two is reached. */
	if (!(conf->count & (conf->count - 1))) {
		lines = reallocarray(lines, conf->count ? conf->count * 2 : 1,
				     sizeof(*lines));
		if (!lines)
			return -ENOMEM;
		conf->lines = lines;
	}
	spec = strndup(scan->text, scan->trouble ? 0 : scan->length);
	if (!spec)
		return -ENOMEM;

	line = &lines[conf->count++];
	line->number = number;
	line->spec = spec;
	line->trouble = scan->trouble;
	return 0;
}

int conf_read(FILE *file, struct conf *conf)
{
	struct scan scan = { .length = 0 };
	size_t read = 0, number = 1;
	int c, ret = 0;

	memset(conf, 0, sizeof(*conf));
	do {
		c = getc_unlocked(file);
		if (c != '\n' && c != EOF) {
			scan_char(&scan, c);
		} else {
			ret = end_line(&scan, number++, conf);
			memset(&scan, 0, sizeof(scan));
		}
		if (!ret && ++read > MAX_FILE)
			ret = -EFBIG;
	} while (!ret && c != EOF);

	if (!ret && ferror(file))
		ret = errno ? -errno : -EIO;
	if (ret)
		conf_free(conf);
	return ret;
}

int conf_load(const char *path, struct conf *conf)
{
	FILE *file = fopen(path, "re");
	int ret;

	if (!file)
		return -errno;
	ret = conf_read(file, conf);
	fclose(file);
	return ret;
}

void conf_free(struct conf *conf)
{
	size_t i;

	for (i = 0; i < conf->count; i++)
		free(conf->lines[i].spec);
	free(conf->lines);
	memset(conf, 0, sizeof(*conf));
}
