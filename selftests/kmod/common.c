// SPDX-License-Identifier: GPL-2.0-only
/* The node, its units, and other processes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

int node_open(int flags)
{
	int fd = open(NODE, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int unit_describe(int fd, uint32_t index, struct uncore_pmu_unit *unit)
{
	memset(unit, 0, sizeof(*unit));
	unit->size = sizeof(*unit);
	unit->index = index;
	return ioctl(fd, UNCORE_PMU_UNIT, unit) ? -errno : 0;
}

struct units units_get(int fd)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct units units = { 0 };
	int err;

	if (ioctl(fd, UNCORE_PMU_INFO, &info))
		return units;
	units.unit = calloc(info.num_units + 1, sizeof(*units.unit));
	if (!units.unit)
		return units;
	for (; units.count < info.num_units; units.count++) {
		err = unit_describe(fd, units.count, &units.unit[units.count]);
		if (err && err != -ENODEV) {
			units_free(&units);
			return units;
		}
	}
	return units;
}

void units_free(struct units *units)
{
	free(units->unit);
	units->unit = NULL;
	units->count = 0;
}

const struct uncore_pmu_unit *units_first(const struct units *units,
					  uint32_t state)
{
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (units->unit[i].state == state)
			return &units->unit[i];
	return NULL;
}

const struct uncore_pmu_unit *units_find(const struct units *units,
					 const char *type, uint32_t instance,
					 int32_t die)
{
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (units->unit[i].instance == instance &&
		    units->unit[i].die == die &&
		    !strcmp(units->unit[i].type, type))
			return &units->unit[i];
	return NULL;
}

const char *unit_name(const struct uncore_pmu_unit *unit)
{
	static __thread char name[64];

	if (unit->die < 0)
		snprintf(name, sizeof(name), "%s%u@?", unit->type,
			 unit->instance);
	else
		snprintf(name, sizeof(name), "%s%u@%d", unit->type,
			 unit->instance, unit->die);
	return name;
}

struct sim_addr unit_addr(const struct uncore_pmu_unit *unit)
{
	struct sim_addr addr = {
		.segment = unit->segment,
		.bus = unit->bus,
		.device = unit->device,
		.function = unit->function,
	};

	return addr;
}

uint32_t unit_id(const struct uncore_pmu_unit *unit)
{
	return unit->pci_vendor | (uint32_t)unit->pci_device << 16;
}

void *unit_map(int fd, const struct uncore_pmu_unit *unit)
{
	return mmap(NULL, unit->mmap_length, PROT_READ, MAP_SHARED, fd,
		    unit->mmap_offset);
}

void *rdpmc_map(int fd)
{
	return mmap(NULL, UNCORE_PMU_RDPMC_LENGTH, PROT_READ, MAP_SHARED, fd,
		    UNCORE_PMU_RDPMC_OFFSET);
}

int unmap_all(void)
{
	unsigned long start[64], end[64];
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	int count = 0;
	int i;

	if (!maps)
		return -errno;
	while (fgets(line, sizeof(line), maps) && count < 64)
		if (strstr(line, NODE) &&
		    sscanf(line, "%lx-%lx ", &start[count], &end[count]) == 2)
			count++;
	fclose(maps);
	for (i = 0; i < count; i++)
		if (munmap((void *)start[i], end[i] - start[i]))
			return -errno;
	return count;
}

uint32_t page_load(const void *page, uint32_t offset)
{
	return *(const volatile uint32_t *)((const char *)page + offset);
}

uint64_t counter_mask(const struct uncore_pmu_counter *counter)
{
	return counter->width < 64 ? (1ULL << counter->width) - 1 : ~0ULL;
}

uint64_t counter_load(const void *page,
		      const struct uncore_pmu_counter *counter)
{
	uint32_t high, low, again;

	if (counter->width <= 32)
		return page_load(page, counter->offset) & counter_mask(counter);
	again = page_load(page, counter->offset + 4);
	do {
		high = again;
		low = page_load(page, counter->offset);
		again = page_load(page, counter->offset + 4);
	} while (high != again);
	return ((uint64_t)high << 32 | low) & counter_mask(counter);
}

static void child_body(struct child *child, int sock, pid_t parent,
		       int (*fn)(int sock, void *arg), void *arg)
{
	close(child->sock);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	_exit(fn(sock, arg));
}

int child_start(struct child *child, int (*fn)(int sock, void *arg), void *arg)
{
	pid_t parent = getpid();
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	child->sock = pair[0];
	fflush(NULL);
	child->pid = fork();
	if (!child->pid)
		child_body(child, pair[1], parent, fn, arg);
	close(pair[1]);
	if (child->pid < 0) {
		close(pair[0]);
		return -errno;
	}
	return 0;
}

static int wait_status(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status);
}

int child_wait(struct child *child)
{
	int status = wait_status(child->pid);

	close(child->sock);
	return status;
}

int child_run(int (*fn)(int sock, void *arg), void *arg)
{
	struct child child;
	int err = child_start(&child, fn, arg);

	return err ? err : child_wait(&child);
}

bool say(int sock, int value)
{
	return send(sock, &value, sizeof(value), MSG_NOSIGNAL) == sizeof(value);
}

bool hear(int sock, int *value)
{
	return recv(sock, value, sizeof(*value), 0) == sizeof(*value);
}

int heard(int sock)
{
	int value;

	return hear(sock, &value) ? value : -1;
}

int send_fd(int sock, int fd)
{
	char space[CMSG_SPACE(sizeof(int))] = { 0 };
	char byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = sizeof(space),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(int));
	return sendmsg(sock, &msg, 0) == 1 ? 0 : -errno;
}

int receive_fd(int sock)
{
	char space[CMSG_SPACE(sizeof(int))];
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = sizeof(space),
	};
	struct cmsghdr *cmsg;
	int fd;

	if (recvmsg(sock, &msg, MSG_CMSG_CLOEXEC) != 1)
		return -errno;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_type != SCM_RIGHTS)
		return -EBADMSG;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof(fd));
	return fd;
}

int run(const char *const argv[])
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	return wait_status(pid);
}
