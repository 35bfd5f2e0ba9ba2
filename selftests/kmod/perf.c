// SPDX-License-Identifier: GPL-2.0-only
/* The uncore PMUs of the kernel's own driver. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common.h"
#include "mmio_units.h"
#include "perf.h"
#include "topo.h"

#define MAX_INSTANCES	32

static int pmu_file(const char *type, unsigned int instance, const char *file,
		    char *text, size_t size)
{
	char path[256];
	int err;

	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/uncore_%s_%u/%s", type,
		 instance, file);
	err = file_read(path, text, size);
	if (err != -ENOENT || instance)
		return err;
	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/uncore_%s/%s", type, file);
	return file_read(path, text, size);
}

int perf_pmu_type(const char *type, unsigned int instance)
{
	char text[64];
	int err = pmu_file(type, instance, "type", text, sizeof(text));

	return err ? err : atoi(text);
}

unsigned int perf_pmu_instances(const char *type)
{
	unsigned int count = 0;
	unsigned int i;

	for (i = 0; i < MAX_INSTANCES; i++)
		if (perf_pmu_type(type, i) >= 0)
			count = i + 1;
	return count;
}

int perf_pmu_cpu(const char *type, unsigned int instance, int die)
{
	static struct topo topo;
	char text[512];
	char *at;
	int err;

	if (!topo.cpus) {
		err = topo_read(&topo);
		if (err)
			return err;
	}
	err = pmu_file(type, instance, "cpumask", text, sizeof(text));
	if (err)
		return err;
	/* "0,8" or "0-3,8" */
	for (at = text; *at; at += strspn(at, ",\n")) {
		int first = strtol(at, &at, 10);
		int last = *at == '-' ? strtol(at + 1, &at, 10) : first;

		for (; first <= last; first++)
			if (first < topo.cpus && topo.cpu[first].die == die)
				return first;
	}
	return -ENOENT;
}

static int open_event(int pmu_type, int cpu, uint64_t config, bool pinned)
{
	struct perf_event_attr attr = {
		.type = pmu_type,
		.size = sizeof(attr),
		.config = config,
		.pinned = pinned,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			 PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int perf_open(int pmu_type, int cpu, uint64_t config)
{
	return open_event(pmu_type, cpu, config, true);
}

int perf_open_shared(int pmu_type, int cpu, uint64_t config)
{
	return open_event(pmu_type, cpu, config, false);
}

int perf_read_times(int fd, struct perf_times *times)
{
	ssize_t n = read(fd, times, sizeof(*times));

	if (n == sizeof(*times))
		return 0;
	/* A pinned event without a counter reads as end of file. */
	return n < 0 ? -errno : -EAGAIN;
}

int perf_read(int fd, uint64_t *value)
{
	struct perf_times times;
	int err = perf_read_times(fd, &times);

	if (!err)
		*value = times.value;
	return err;
}

static bool kernel_before(unsigned int major, unsigned int minor)
{
	unsigned int is_major, is_minor;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &is_major,
				   &is_minor) != 2)
		return false;
	return is_major < major || (is_major == major && is_minor < minor);
}

/*
 * Since 6.11 mainline gives all links of a UPI type the address of the first
 * (spr_update_device_location()).
 */
bool perf_is_misplaced(const struct uncore_pmu_unit *unit)
{
	if (unit->pci_device != 0x3246 && unit->pci_device != 0x3241)
		return false;
	return unit->instance && !kernel_before(6, 11) &&
	       (unit_is(unit, "upi") || unit_is(unit, "m3upi"));
}

/* Before 6.8 mainline had no names for these, and one distance of controls. */
bool perf_is_nameless(const char *type)
{
	return kernel_before(6, 8) &&
	       (!strcmp(type, "cxlcm") || !strcmp(type, "cxldp") ||
		!strcmp(type, "hbm"));
}
