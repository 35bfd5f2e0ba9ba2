// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * Gives the fuzz target its corpus, or the files that are named: what was found
 * once is not lost again, and needs no libFuzzer.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define LARGEST	(4 << 20)

static int replay(const char *path)
{
	u8 *data = malloc(LARGEST);
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file || !data) {
		printf("# %s: %s\n", path, strerror(errno));
		free(data);
		return 1;
	}
	size = fread(data, 1, LARGEST, file);
	fclose(file);
	/* The sanitizers are to see the end of it. */
	data = realloc(data, size ? size : 1);
	if (!data)
		abort();
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_folder(const char *folder)
{
	struct dirent **entry;
	char path[4096];
	int i, n, failed = 0;

	n = scandir(folder, &entry, visible, by_name);
	if (n <= 0) {
		printf("TAP version 13\n1..1\nnot ok 1 %s has no files\n", folder);
		return 1;
	}
	printf("TAP version 13\n1..%d\n", n);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		/* What aborts has its name in the output. */
		printf("# %s\n", entry[i]->d_name);
		fflush(stdout);
		if (replay(path)) {
			failed = 1;
			printf("not ");
		}
		printf("ok %d %s\n", i + 1, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return failed;
}

int main(int argc, char **argv)
{
	int i, failed = 0;

	if (argc < 2)
		return replay_folder(CORPUS);
	for (i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	return failed;
}
