// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The file for the results, UNCORE_OUTPUT. What it held when the program began to
 * count is old and goes; what others have written since stays: other markers and
 * plans of the process, and other processes that were started together with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "region.h"

/* As uncore_plans_text() has it. */
#define EMPTY_JSON	"[]\n"
#define END_OF_JSON	"\n]\n"

/* @old: what stat(2) said of @name; of no file if there was none */
static struct {
	pthread_mutex_t lock;
	char name[PATH_MAX];
	struct stat old;
} noted = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* With each "%p" replaced by the process id. */
static int expand(const char *name, char *path, size_t size)
{
	size_t used = 0;
	int length;

	for (; *name; name++) {
		if (name[0] == '%' && name[1] == 'p') {
			length = snprintf(path + used, size - used, "%d",
					  (int)getpid());
			name++;
		} else {
			length = snprintf(path + used, size - used, "%c",
					  *name);
		}
		used += (size_t)length;
		if (used >= size)
			return -ENAMETOOLONG;
	}
	path[used] = '\0';
	return 0;
}

static void note(const char *path)
{
	if (!strcmp(noted.name, path))
		return;
	strcpy(noted.name, path);
	if (stat(path, &noted.old))
		memset(&noted.old, 0, sizeof(noted.old));
}

void uncore_output_note(void)
{
	const char *name = secure_getenv("UNCORE_OUTPUT");
	char path[PATH_MAX];

	if (!name || !name[0] || expand(name, path, sizeof(path)))
		return;
	pthread_mutex_lock(&noted.lock);
	note(path);
	pthread_mutex_unlock(&noted.lock);
}

void uncore_output_lock(void)
{
	pthread_mutex_lock(&noted.lock);
}

void uncore_output_unlock(void)
{
	pthread_mutex_unlock(&noted.lock);
}

static bool is_old(const struct stat *now)
{
	const struct stat *old = &noted.old;

	return old->st_dev == now->st_dev && old->st_ino == now->st_ino &&
	       old->st_size == now->st_size &&
	       old->st_mtim.tv_sec == now->st_mtim.tv_sec &&
	       old->st_mtim.tv_nsec == now->st_mtim.tv_nsec;
}

int uncore_write_all(int fd, const char *text)
{
	size_t left = strlen(text);
	ssize_t written;

	while (left) {
		written = write(fd, text, left);
		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			text += written;
			left -= (size_t)written;
		}
	}
	return 0;
}

/* Is this there? Not known if the file cannot be read. */
static bool has(const char *path, off_t at, const char *text)
{
	size_t length = strlen(text);
	char *there = malloc(length);
	bool same = false;
	int fd = -1;

	if (there && at >= 0)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		same = pread(fd, there, length, at) == (ssize_t)length &&
		       !memcmp(there, text, length);
		close(fd);
	}
	free(there);
	return same;
}

/* So that all is one array. */
static int add_json(int fd, const char *path, off_t size, const char *text)
{
	const off_t empty = (off_t)strlen(EMPTY_JSON);
	const off_t end = size - (off_t)strlen(END_OF_JSON);
	int ret = 0;

	if (!strcmp(text, EMPTY_JSON))
		return 0;
	if (size == empty && has(path, 0, EMPTY_JSON)) {
		if (ftruncate(fd, 0))
			return -errno;
	} else if (has(path, end, END_OF_JSON)) {
		if (ftruncate(fd, end))
			return -errno;
		ret = uncore_write_all(fd, ",");
		text++;
	}
	return ret ? ret : uncore_write_all(fd, text);
}

/* A heading comes once. */
static int add_csv(int fd, const char *path, const char *text)
{
	size_t length = strcspn(text, "\n");
	char *heading = strndup(text, length);

	if (!heading)
		return -ENOMEM;
	if (text[length] && has(path, 0, heading))
		text += length + 1;
	free(heading);
	return uncore_write_all(fd, text);
}

static int write_file(int fd, const char *path, enum uncore_format format,
		      const char *text)
{
	struct stat now;

	if (fstat(fd, &now))
		return -errno;
	if (!S_ISREG(now.st_mode))
		return uncore_write_all(fd, text);
	/* Some file systems have no locks. */
	flock(fd, LOCK_EX);
	if (fstat(fd, &now))
		return -errno;
	if (is_old(&now)) {
		if (ftruncate(fd, 0))
			return -errno;
		now.st_size = 0;
	}
	memset(&noted.old, 0, sizeof(noted.old));
	if (now.st_size && format == UNCORE_FORMAT_JSON)
		return add_json(fd, path, now.st_size, text);
	if (now.st_size && format == UNCORE_FORMAT_CSV)
		return add_csv(fd, path, text);
	return uncore_write_all(fd, text);
}

int uncore_output_write(const char *name, enum uncore_format format,
			const char *text)
{
	char path[PATH_MAX];
	int fd, ret;

	ret = expand(name, path, sizeof(path));
	if (ret)
		return ret;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	pthread_mutex_lock(&noted.lock);
	note(path);
	ret = write_file(fd, path, format, text);
	pthread_mutex_unlock(&noted.lock);
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}
