/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.conf: one spec a line. */
#ifndef UNCORECTL_CONF_H
#define UNCORECTL_CONF_H

#include <stddef.h>
#include <stdio.h>

/**
 * struct conf_line - a line that is neither empty nor a comment
 * @number: counted from 1
 * @spec: without the blanks around it; empty if there is trouble
 * @trouble: why it cannot be a spec, or NULL
 */
struct conf_line {
	size_t number;
	char *spec;
	const char *trouble;
};

struct conf {
	struct conf_line *lines;
	size_t count;
};

/*
 * 0, or an error, and nothing is left; -EFBIG: more than any file needs,
 * -ENOTSUP: not a regular file.
 */
int conf_read(FILE *file, struct conf *conf);
int conf_load(const char *path, struct conf *conf);
/* What is wrong, and what helps; NULL for an error that there is not. */
const char *conf_error_text(int error);
void conf_free(struct conf *conf);

#endif /* UNCORECTL_CONF_H */
