/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UTIL_H
#define UTIL_H

#include <stddef.h>
#include <stdio.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Why something failed, with the remedy, for a person to read. */
struct report {
	char text[1024];
};

/* Writes the report and returns -1. */
int fail(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "DIR/NAME" into a buffer of PATH_MAX bytes. */
int path_in(char *path, const char *dir, const char *name,
	    struct report *report);

/* Creates or replaces DIR/NAME. */
int write_file(const char *dir, const char *name, const void *data,
	       size_t length, struct report *report);

/* Maps @size bytes of DIR/NAME, shared and writable; NULL on failure. */
void *map_file(const char *dir, const char *name, size_t size,
	       struct report *report);

/*
 * Keeps other uncore-sim processes out of DIR. Returns a descriptor that holds
 * the lock as long as it is open, or -1.
 */
int lock_directory(const char *dir, struct report *report);

/*
 * Reads a line of text, without its end and what is blank before that, into
 * @line, which has room for @most characters and a NUL. 1: there is a line, 0:
 * end of file, -1: failed; @hint is how to make the file right.
 */
int read_line(FILE *stream, const char *name, unsigned int number, char *line,
	      size_t most, const char *hint, struct report *report);

/* A text that grows; out of memory is fatal. */
struct text {
	char *data;
	size_t length;
	size_t size;
};

void text_add(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_free(struct text *text);

#endif /* UTIL_H */
