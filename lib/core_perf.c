// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opening perf events, and their pages. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core.h"

static int read_number(const char *path, int *value)
{
	struct uncore_core_place root = { .devices = "" };
	char text[32];
	int ret;

	ret = uncore_core_pmu_text(&root, "", path, text, sizeof(text));
	if (!ret)
		*value = atoi(text);
	return ret;
}

int uncore_core_perf_open(const struct uncore_core_event *event,
			  unsigned int how, struct uncore_event_error *error)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config[0],
		.config1 = event->config[1],
		.config2 = event->config[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_user = !event->user,
		.exclude_kernel = !event->kernel,
		.exclude_hv = !event->kernel,
		.disabled = how & UNCORE_CORE_STOPPED ? 1 : 0,
		.pinned = how & UNCORE_CORE_PINNED ? 1 : 0,
	};
	int fd, failed, paranoid = 0;

	fd = (int)syscall(SYS_perf_event_open, &attr, event->pmu.shared ? -1 : 0,
			  event->pmu.shared ? event->cpu : -1, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		return fd;
	failed = errno;
	if (read_number("proc/sys/kernel/perf_event_paranoid", &paranoid))
		paranoid = UNCORE_CORE_PARANOID_UNKNOWN;
	return uncore_core_explain(event, failed, paranoid, error);
}

int uncore_core_explain(const struct uncore_core_event *event, int failed,
			int paranoid, struct uncore_event_error *error)
{
	int ret = -failed;

	switch (failed) {
	case EACCES:
		if (paranoid == UNCORE_CORE_PARANOID_UNKNOWN)
			break;
		if (paranoid > 2 && !event->pmu.shared)
			uncore_say(error, "kernel.perf_event_paranoid is %d, "
				   "which forbids counting to ordinary users: "
				   "have it set to 2 (sysctl -w "
				   "kernel.perf_event_paranoid=2), or give the "
				   "program CAP_PERFMON (setcap "
				   "cap_perfmon+ep PROGRAM)", paranoid);
		else if (event->pmu.shared && paranoid > 0)
			uncore_say(error, "kernel.perf_event_paranoid is %d, "
				   "which forbids ordinary users to count what "
				   "others do too: have it set to 0 (sysctl -w "
				   "kernel.perf_event_paranoid=0), or give the "
				   "program CAP_PERFMON (setcap "
				   "cap_perfmon+ep PROGRAM)", paranoid);
		else if (event->kernel && paranoid > 1)
			uncore_say(error, "kernel.perf_event_paranoid is %d, "
				   "which forbids ordinary users to count the "
				   "kernel: count user level alone, with :u, "
				   "or have it set to 1", paranoid);
		else
			uncore_say(error, "a security module forbids "
				   "perf_event_open");
		return -EACCES;
	case EPERM:
		uncore_say(error, "perf_event_open is forbidden here: in a "
			   "container, allow it (a seccomp profile with "
			   "perf_event_open, --cap-add PERFMON)");
		return -EACCES;
	case ENOSYS:
		ret = -ENODEV;
		break;
	case ENOENT:
	case EINVAL:
	case ENODEV:
	case ENXIO:
		ret = -EOPNOTSUPP;
		break;
	}
	uncore_say(error, "%s", uncore_strerror(UNCORE_CALL_CORE, ret));
	return ret;
}

/*
 * The page does not let RDPMC be used. That the administrator forbids it is what
 * kernels show to root only, and the likely reason.
 */
static int explain_page(const struct uncore_core_pmu *pmu,
			struct uncore_event_error *error)
{
	char file[UNCORE_CORE_PMU_LEN + 64];
	int policy = 1, ret;

	snprintf(file, sizeof(file), "%s/%s/rdpmc", UNCORE_DEVICES_PATH,
		 pmu->name);
	ret = read_number(&file[1], &policy);
	if (!ret && !policy) {
		uncore_say(error, "%s is 0, which forbids RDPMC to users: have "
			   "1 written to it", file);
		return -EPERM;
	}
	if (ret == -EACCES) {
		uncore_say(error, "the kernel lets nobody read this event with "
			   "RDPMC: have root look whether %s is 0, and write 1 "
			   "to it; if it is not, this kernel or virtual machine "
			   "cannot do it", file);
		return -EPERM;
	}
	if (uncore_core_is_failure(ret))
		return uncore_core_say_failure(file, ret, error);
	uncore_say(error, "%s", uncore_strerror(UNCORE_CALL_CORE, -EOPNOTSUPP));
	return -EOPNOTSUPP;
}

/* The width of the counter, if the page lets it be read with RDPMC. */
static int check_page(const struct perf_event_mmap_page *page,
		      const struct uncore_core_pmu *pmu,
		      struct uncore_event_error *error)
{
	int width = *(const volatile uint16_t *)&page->pmc_width;

	if (page->cap_bit0_is_deprecated && !page->cap_user_rdpmc)
		return explain_page(pmu, error);
	if (page->cap_bit0_is_deprecated && width >= 1 && width <= 64)
		return width;
	uncore_say(error, "%s", uncore_strerror(UNCORE_CALL_CORE, -EPROTO));
	return -EPROTO;
}

int uncore_core_perf_map(int fd, void *place,
			 const struct uncore_perf_page **page,
			 struct uncore_event_error *error)
{
	void *address = mmap(place, UNCORE_PERF_PAGE, PROT_READ,
			     MAP_SHARED | (place ? MAP_FIXED : 0), fd, 0);
	int ret;

	if (address == MAP_FAILED) {
		ret = errno == EPERM ? -ENOBUFS : -errno;
		uncore_say(error, "%s", uncore_strerror(UNCORE_CALL_CORE, ret));
		return ret;
	}
	*page = address;
	return 0;
}

int uncore_core_perf_map_rdpmc(int fd, const struct uncore_core_pmu *pmu,
			       void *place,
			       const struct uncore_perf_page **page,
			       struct uncore_event_error *error)
{
	int ret = uncore_core_perf_map(fd, place, page, error);

	if (ret)
		return ret;
	ret = check_page((const void *)*page, pmu, error);
	if (ret < 0)
		munmap((void *)(uintptr_t)*page, UNCORE_PERF_PAGE);
	return ret;
}

int uncore_core_perf_right(const struct uncore_core_place *place,
			   const struct uncore_perf_page **page,
			   struct uncore_event_error *error)
{
	struct uncore_core_event event = {
		.type = PERF_TYPE_HARDWARE,
		.config = { PERF_COUNT_HW_INSTRUCTIONS },
		.user = true,
	};
	int ret, fd;

	*page = NULL;
	ret = uncore_core_pmu_find(place, NULL, &event.pmu);
	if (uncore_core_is_failure(ret))
		return uncore_core_say_failure(place->devices, ret, error);
	if (ret) {
		uncore_say(error, "%s",
			   uncore_strerror(UNCORE_CALL_CORE, -ENODEV));
		return -ENODEV;
	}
	fd = uncore_core_perf_open(&event, UNCORE_CORE_STOPPED, error);
	if (fd < 0)
		return fd;
	ret = uncore_core_perf_map_rdpmc(fd, &event.pmu, NULL, page, error);
	if (ret < 0)
		*page = NULL;
	close(fd);
	return ret < 0 ? ret : 0;
}
