// SPDX-License-Identifier: GPL-2.0-only
/* The machine that the tests run in: users, files, modules, kernel log. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

/* Not getgrnam(): it needs the name service modules of the C library. */
int uncore_group(void)
{
	char text[8192];
	char *line;
	int gid;

	if (file_read("/etc/group", text, sizeof(text)))
		return -ENOENT;
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (sscanf(line, "uncore:%*[^:]:%d", &gid) == 1)
			return gid;
	return -ESRCH;
}

int become(uid_t uid)
{
	gid_t gid = uid;
	int count = 0;

	if (uid == MEMBER_UID) {
		int group = uncore_group();

		if (group < 0)
			return group;
		gid = group;
		count = 1;
	}
	if (setgroups(count, &gid) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid))
		return -errno;
	return 0;
}

int cpu_count(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

int pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

int now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int file_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	do {
		n = read(fd, text + used, size - 1 - used);
		if (n < 0) {
			n = -errno;
			close(fd);
			return n;
		}
		used += n;
	} while (n);
	text[used] = 0;
	close(fd);
	return 0;
}

int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err = -errno;
	close(fd);
	return err;
}

int file_read_int(const char *path, int *value)
{
	char text[64];
	int err = file_read(path, text, sizeof(text));

	if (!err)
		*value = strtol(text, NULL, 0);
	return err;
}

int config_open(const struct uncore_pmu_unit *unit, int flags)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path),
		 "/sys/bus/pci/devices/%04x:%02x:%02x.%x/config",
		 unit->segment, unit->bus, unit->device, unit->function);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int config_load(const struct uncore_pmu_unit *unit, uint32_t offset,
		uint32_t *value)
{
	int fd = config_open(unit, O_RDONLY);
	int err = 0;

	if (fd < 0)
		return fd;
	if (pread(fd, value, 4, offset) != 4)
		err = -EIO;
	close(fd);
	return err;
}

int config_store(const struct uncore_pmu_unit *unit, uint32_t offset,
		 uint32_t value)
{
	int fd = config_open(unit, O_WRONLY);
	int err = 0;

	if (fd < 0)
		return fd;
	if (pwrite(fd, &value, 4, offset) != 4)
		err = -EIO;
	close(fd);
	return err;
}

int counter_start(const struct uncore_pmu_unit *unit, unsigned int counter,
		  uint32_t event)
{
	const struct uncore_pmu_counter *c = &unit->counter[counter];
	uint32_t control;
	int err;

	err = config_load(unit, unit->unit_control, &control);
	if (!err && control & unit->unit_freeze)
		err = config_store(unit, unit->unit_control,
				   control & ~unit->unit_freeze);
	if (err)
		return err;
	if (c->kind == UNCORE_PMU_KIND_FIXED)
		event = 0;
	return config_store(unit, c->control, c->enable | event);
}

int counter_stop(const struct uncore_pmu_unit *unit, unsigned int counter)
{
	return config_store(unit, unit->counter[counter].control, 0);
}

int module_load(void)
{
	static const char *const settle[] = { "udevadm", "settle", NULL };
	int fd = open(MODULE_FILE, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, "", 0))
		err = -errno;
	close(fd);
	if (!err)
		run(settle);
	return err;
}

int module_remove(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

int module_unload(void)
{
	return module_remove(MODULE_NAME);
}

int module_references(void)
{
	int count;
	int err = file_read_int("/sys/module/" MODULE_NAME "/refcnt", &count);

	return err ? err : count;
}

bool module_loaded(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	return !access(path, F_OK);
}

int klog_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

int klog_read(int klog, char *text, size_t size)
{
	char record[8192];
	size_t used = 0;
	ssize_t n;
	char *line;

	text[0] = 0;
	while ((n = read(klog, record, sizeof(record) - 1)) > 0) {
		record[n] = 0;
		line = strchr(record, ';');
		line = line ? line + 1 : record;
		n = strcspn(line, "\n");
		if (used + n + 2 > size)
			return -ENOSPC;
		used += sprintf(text + used, "%.*s\n", (int)n, line);
	}
	return errno == EAGAIN ? 0 : -errno;
}

int klog_module_lines(const char *text)
{
	int count = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		size_t length = strcspn(text, "\n");

		if (!strncmp(text, MODULE_NAME ": ", strlen(MODULE_NAME) + 2) &&
		    !memmem(text, length, "taint", 5))
			count++;
	}
	return count;
}
