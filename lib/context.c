// SPDX-License-Identifier: LGPL-2.1-or-later
/* The open node. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "internal.h"

/* No machine has so many; keeps a broken module from exhausting memory. */
#define MAX_UNITS	(1U << 20)

int uncore_check_sysfs_target(const char *target)
{
	const char *name = strrchr(target, '/');

	return strcmp(name ? name + 1 : target, UNCORE_MISC_NAME) ? -ENODEV : 0;
}

int uncore_check_info(const struct uncore_pmu_info *info)
{
	if (info->abi_version != UNCORE_PMU_ABI_VERSION)
		return -EPROTONOSUPPORT;
	if (info->num_units > MAX_UNITS)
		return -EPROTO;
	return 0;
}

/* An ioctl could do anything to another driver's device: ask sysfs first. */
static int check_node(int fd)
{
	char link[64], target[256];
	struct stat st;
	ssize_t length;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISCHR(st.st_mode))
		return -ENOTTY;

	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u",
		 major(st.st_rdev), minor(st.st_rdev));
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return 0;	/* no sysfs, as in some containers */
	target[length] = '\0';
	return uncore_check_sysfs_target(target);
}

/* Takes over fd, also on failure. */
static int adopt(int fd, struct uncore **result)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct uncore *uncore;
	unsigned int i;
	int ret;

	ret = check_node(fd);
	if (ret)
		goto err_close;

	if (ioctl(fd, UNCORE_PMU_INFO, &info)) {
		ret = errno == ENOTTY ? -ENODEV : -errno;
		goto err_close;
	}
	ret = uncore_check_info(&info);
	if (ret)
		goto err_close;

	uncore = calloc(1, sizeof(*uncore) +
			   info.num_units * sizeof(uncore->mappings[0]));
	if (!uncore) {
		ret = -ENOMEM;
		goto err_close;
	}
	ret = -pthread_mutex_init(&uncore->lock, NULL);
	if (ret)
		goto err_free;

	uncore->fd = fd;
	uncore->info = info;
	for (i = 0; i < info.num_units; i++) {
		uncore->mappings[i].uncore = uncore;
		uncore->mappings[i].unit = i;
	}
	*result = uncore;
	return 0;

err_free:
	free(uncore);
err_close:
	close(fd);
	return ret;
}

int uncore_open_flags(const char *path, unsigned int flags,
		      struct uncore **uncore)
{
	/* O_NONBLOCK: a FIFO in place of the node must not block. */
	int how = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	int fd;

	if (flags & ~UNCORE_OPEN_PROGRAM)
		return -EINVAL;
	how |= flags & UNCORE_OPEN_PROGRAM ? O_RDWR : O_RDONLY;
	fd = open(path ? path : UNCORE_DEFAULT_PATH, how);
	return fd < 0 ? -errno : adopt(fd, uncore);
}

int uncore_open(const char *path, struct uncore **uncore)
{
	return uncore_open_flags(path, 0, uncore);
}

int uncore_open_fd(int fd, struct uncore **uncore)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return copy < 0 ? -errno : adopt(copy, uncore);
}

void uncore_close(struct uncore *uncore)
{
	unsigned int i;

	if (!uncore)
		return;

	for (i = 0; i < uncore->info.num_units; i++) {
		struct uncore_mapping *mapping = &uncore->mappings[i];

		if (mapping->users)
			munmap((void *)(uintptr_t)mapping->page,
			       mapping->length);
		free(mapping->details);
	}
	if (uncore->rdpmc_page)
		munmap(uncore->rdpmc_page, UNCORE_PMU_RDPMC_LENGTH);
	if (uncore->generations)
		munmap((void *)(uintptr_t)uncore->generations,
		       uncore->info.generation_length);
	uncore_pfm_free(uncore->tables);
	pthread_mutex_destroy(&uncore->lock);
	close(uncore->fd);
	free(uncore);
}

int uncore_fd(const struct uncore *uncore)
{
	return uncore->fd;
}

const struct uncore_pmu_info *uncore_info(const struct uncore *uncore)
{
	return &uncore->info;
}

unsigned int uncore_num_units(const struct uncore *uncore)
{
	return uncore->info.num_units;
}

const char *uncore_version(void)
{
	return UNCORE_VERSION;
}
