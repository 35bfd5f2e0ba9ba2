/* SPDX-License-Identifier: GPL-2.0-only */
/* What a program says. */
#ifndef LIB_SAID_H
#define LIB_SAID_H

#include <jansson.h>

/* Runs a shell command; exit status, or -errno. The output is cut to fit. */
int said(const char *command, char *text, size_t size);

/* The output as JSON, or NULL; the exit status. */
json_t *said_json(const char *command, int *status);

/* How often one text is in another. */
int said_count(const char *text, const char *part);

#endif /* LIB_SAID_H */
