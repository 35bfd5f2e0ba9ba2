// SPDX-License-Identifier: GPL-2.0-only
#include "said.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define MAX_JSON	(1 << 20)

int said(const char *command, char *text, size_t size)
{
	FILE *pipe = popen(command, "re");
	size_t length = 0, got;
	char rest[256];
	int status;

	if (!pipe)
		return -errno;
	while (length < size - 1 &&
	       (got = fread(text + length, 1, size - 1 - length, pipe)))
		length += got;
	text[length] = '\0';
	while (fread(rest, 1, sizeof(rest), pipe))
		;
	status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 128 + WTERMSIG(status);
}

json_t *said_json(const char *command, int *status)
{
	char *text = malloc(MAX_JSON);
	json_t *json = NULL;

	*status = -ENOMEM;
	if (text) {
		*status = said(command, text, MAX_JSON);
		json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	}
	free(text);
	return json;
}

int said_count(const char *text, const char *part)
{
	int count = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part))
		count++;
	return count;
}
