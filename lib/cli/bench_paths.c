// SPDX-License-Identifier: LGPL-2.1-or-later
/* The ways to a counter that go through the kernel. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

#define PMU_FOLDER	"/sys/bus/event_source/devices"

/* Beyond the first 64 bytes the kernel answers root only. */
static const char *open_config(const char *path, off_t offset, int *fd)
{
	uint64_t value;

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return errno == EACCES ? "not permitted: needs root"
				       : "the file cannot be opened";
	if (pread(*fd, &value, sizeof(value), offset) == sizeof(value))
		return NULL;
	close(*fd);
	*fd = -1;
	return "the file ends before the counter: needs root";
}

const char *bench_open_sysfs(struct bench *bench,
			     const struct uncore_pmu_unit *info)
{
	char path[64];

	snprintf(path, sizeof(path),
		 "/sys/bus/pci/devices/%04x:%02x:%02x.%x/config",
		 info->segment, info->bus, info->device, info->function);
	return open_config(path, bench->offset, &bench->sysfs_fd);
}

/* /proc/bus/pci names the segment unless it is 0. */
const char *bench_open_proc(struct bench *bench,
			    const struct uncore_pmu_unit *info)
{
	char path[64];

	if (info->segment)
		snprintf(path, sizeof(path), "/proc/bus/pci/%04x:%02x/%02x.%x",
			 info->segment, info->bus, info->device,
			 info->function);
	else
		snprintf(path, sizeof(path), "/proc/bus/pci/%02x/%02x.%x",
			 info->bus, info->device, info->function);
	return open_config(path, bench->offset, &bench->proc_fd);
}

/* The first number in a file of a PMU, or -1. */
static int read_number(const char *pmu, const char *name)
{
	char path[300];
	int number;
	FILE *file;

	snprintf(path, sizeof(path), PMU_FOLDER "/%s/%s", pmu, name);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

static int open_event(const char *pmu)
{
	int type = read_number(pmu, "type");
	struct perf_event_attr attr = {
		.type = (uint32_t)type,
		.size = sizeof(attr),
		.config = 0x0304,	/* reads of memory, on most of them */
	};

	long fd;

	if (type < 0)
		return -ENODEV;
	fd = syscall(SYS_perf_event_open, &attr, -1,
		     read_number(pmu, "cpumask"), -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

const char *bench_open_perf(struct bench *bench)
{
	const char *trouble = "the kernel has no perf PMU of the uncore";
	struct dirent *entry;
	DIR *folder;
	int fd;

	folder = opendir(PMU_FOLDER);
	if (!folder)
		return trouble;
	while ((entry = readdir(folder))) {
		if (strncmp(entry->d_name, "uncore_imc", 10))
			continue;
		fd = open_event(entry->d_name);
		if (fd >= 0) {
			bench->perf_fd = fd;
			trouble = NULL;
			break;
		}
		trouble = fd == -EACCES || fd == -EPERM
			? "not permitted: needs root or CAP_PERFMON"
			: "perf_event_open failed";
	}
	closedir(folder);
	return trouble;
}
