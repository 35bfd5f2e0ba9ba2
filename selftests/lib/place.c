// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "place.h"

int place_make(char *dir)
{
	strcpy(dir, "/tmp/uncore-place.XXXXXX");
	return mkdtemp(dir) ? 0 : -errno;
}

void place_put(const char *dir, const char *file, const char *text)
{
	char path[256], *slash;
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	for (slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	stream = fopen(path, "w");
	if (!stream)
		return;
	fputs(text, stream);
	fclose(stream);
}

static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

int place_remove(const char *dir)
{
	return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
