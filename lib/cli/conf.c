// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uncore.h>

#include "conf.h"

/* What some editors put in front of UTF-8, the byte order mark. */
static const unsigned char mark[] = { 0xef, 0xbb, 0xbf };

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

/* False if it belongs to the mark in front of the file. */
static bool is_content(size_t at, int c, size_t *marked, struct scan *scan)
{
	if (at < sizeof(mark) && *marked == at && c == mark[at]) {
		(*marked)++;
		return false;
	}
	/* A part of it is none. */
	if (at == *marked && at && at < sizeof(mark))
		scan->trouble = "has a character that is not plain text";
	return true;
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
	size_t read = 0, number = 1, marked = 0;
	int c, ret = 0;

	memset(conf, 0, sizeof(*conf));
	do {
		c = getc_unlocked(file);
		if (is_content(read, c, &marked, &scan) && c != '\n' &&
		    c != EOF) {
			scan_char(&scan, c);
		} else if (c == '\n' || c == EOF) {
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

/*
 * A FIFO would have its reader wait, for a writer or for the end. The null
 * device is an empty file.
 */
static int check_file(int fd)
{
	struct stat null, st;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISREG(st.st_mode))
		return 0;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return S_ISCHR(st.st_mode) && !stat("/dev/null", &null) &&
	       st.st_rdev == null.st_rdev ? 0 : -ENOTSUP;
}

int conf_load(const char *path, struct conf *conf)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret;
	FILE *file;

	if (fd < 0)
		return -errno;
	ret = check_file(fd);
	file = ret ? NULL : fdopen(fd, "r");
	if (!file) {
		ret = ret ? ret : -errno;
		close(fd);
		return ret;
	}
	ret = conf_read(file, conf);
	fclose(file);
	return ret;
}

const char *conf_error_text(int error)
{
	switch (error) {
	case -ENOENT:
		return "no such file: write one, an event on each line, as "
		       "events.conf(5) explains";
	case -EACCES:
	case -EPERM:
		return "not permitted to read the file: see its owner and mode";
	case -EISDIR:
		return "a directory: name a file of events in it";
	case -ENXIO:
	case -ENOTSUP:
		return "not a regular file: name one with an event on each "
		       "line, as events.conf(5) explains";
	case -EFBIG:
		return "larger than 16 MiB: no file of events, see "
		       "events.conf(5)";
	default:
		return strerrordesc_np(-error);
	}
}

void conf_free(struct conf *conf)
{
	size_t i;

	for (i = 0; i < conf->count; i++)
		free(conf->lines[i].spec);
	free(conf->lines);
	memset(conf, 0, sizeof(*conf));
}
