// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util.h"

int fail(struct report *report, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(report->text, sizeof(report->text), format, args);
	va_end(args);
	return -1;
}

int path_in(char *path, const char *dir, const char *name,
	    struct report *report)
{
	if (snprintf(path, PATH_MAX, "%s/%s", dir, name) >= PATH_MAX)
		return fail(report, "%s: the name is too long", dir);
	return 0;
}

int write_file(const char *dir, const char *name, const void *data,
	       size_t length, struct report *report)
{
	char path[PATH_MAX];
	FILE *file;
	int bad;

	if (path_in(path, dir, name, report))
		return -1;
	file = fopen(path, "we");
	if (!file)
		return fail(report, "%s: %s", path, strerror(errno));
	bad = fwrite(data, 1, length, file) != length;
	if (fclose(file) || bad)
		return fail(report, "%s: %s", path, strerror(errno));
	return 0;
}

void *map_file(const char *dir, const char *name, size_t size,
	       struct report *report)
{
	char path[PATH_MAX];
	struct stat st;
	void *map;
	int fd;

	if (path_in(path, dir, name, report))
		return NULL;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		fail(report, "%s: %s; run 'uncore-sim prepare' first", path,
		     strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	if ((size_t)st.st_size != size) {
		fail(report, "%s: has %lld bytes, not %zu; run 'uncore-sim prepare' again",
		     path, (long long)st.st_size, size);
		close(fd);
		return NULL;
	}
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED) {
		fail(report, "%s: cannot map: %s", path, strerror(errno));
		return NULL;
	}
	return map;
}

int lock_directory(const char *dir, struct report *report)
{
	char path[PATH_MAX];
	int fd;

	if (path_in(path, dir, "lock", report))
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail(report, "%s: %s", path, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return fail(report, "%s: another uncore-sim plays this machine; stop it or use another directory",
			    dir);
	}
	return fd;
}

int read_line(FILE *stream, const char *name, unsigned int number, char *line,
	      size_t most, const char *hint, struct report *report)
{
	size_t length = 0;
	int c;

	while ((c = getc_unlocked(stream)) != EOF && c != '\n') {
		if (c < ' ' && c != '\t' && c != '\r')
			return fail(report, "%s:%u: byte 0x%02x is not text; %s",
				    name, number, c, hint);
		if (length == most)
			return fail(report, "%s:%u: longer than %zu characters; shorten the line",
				    name, number, most);
		line[length++] = c;
	}
	if (ferror(stream))
		return fail(report, "%s: cannot read: %s", name, strerror(errno));
	if (c == EOF && !length)
		return 0;
	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	line[length] = '\0';
	return 1;
}

void text_add(struct text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (text->length + length + 1 > text->size) {
		text->size = (text->length + length + 1) * 2;
		text->data = realloc(text->data, text->size);
		if (!text->data)
			abort();
	}
	va_start(args, format);
	vsnprintf(text->data + text->length, length + 1, format, args);
	va_end(args);
	text->length += length;
}

void text_free(struct text *text)
{
	free(text->data);
	text->data = NULL;
	text->length = 0;
	text->size = 0;
}
