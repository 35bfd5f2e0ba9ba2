// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl doctor: what the kernel's perf has and allows. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../core.h"
#include "doctor.h"

#define DEVICES		UNCORE_DEVICES_PATH
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

bool doctor_on_amd(void)
{
	struct uncore_cpuid cpuid;

	uncore_cpuid_read(&cpuid);
	return cpuid.amd;
}

bool doctor_amd_driver(void)
{
	return !access(DEVICES "/amd_df", F_OK) ||
	       !access(DEVICES "/amd_l3", F_OK);
}

/* Whether the page of an event lets users read its counter: 1 or 0; or an error. */
static int ask_page(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const struct perf_event_mmap_page *page;
	int fd, ret;

	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	page = mmap(NULL, UNCORE_PERF_PAGE, PROT_READ, MAP_SHARED, fd, 0);
	ret = page == MAP_FAILED ? -errno : (int)page->cap_user_rdpmc;
	if (page != MAP_FAILED)
		munmap((void *)(uintptr_t)page, UNCORE_PERF_PAGE);
	close(fd);
	return ret;
}

static void say_forbidden(struct finding *finding, const char *text)
{
	SAY(finding, "%s", text);
	bad(finding, NOTE, "RDPMC faults for everybody: write 1 to "
	    DEVICES "/cpu/rdpmc as root");
}

/* The kernel shows its setting to root alone. */
void check_rdpmc(const struct patient *patient, struct finding *finding)
{
	char line[16];
	int ret;

	(void)patient;
	ret = read_line(DEVICES "/cpu/rdpmc", line, sizeof(line));
	if (ret == -ENOENT)
		ret = read_line(DEVICES "/cpu_core/rdpmc", line, sizeof(line));
	if (ret == -ENOENT) {
		SAY(finding, "the kernel drives no core PMU here");
		return;
	}
	if (!ret) {
		if (strcmp(line, "0"))
			SAY(finding, "%s", line);
		else
			say_forbidden(finding, line);
		return;
	}
	ret = ask_page();
	if (!ret)
		say_forbidden(finding, "forbidden to users");
	else if (ret > 0)
		SAY(finding, "allowed to users who count with perf");
	else
		SAY(finding, "a core PMU is here, but only root can see whether "
		    "users may use RDPMC");
}

void check_paranoid(const struct patient *patient, struct finding *finding)
{
	char line[16];
	long level;

	(void)patient;
	if (read_line(PARANOID, line, sizeof(line))) {
		SAY(finding, "the kernel has no perf events");
		bad(finding, NOTE, "events of the core need them; counters of "
		    "the uncore do not");
		return;
	}
	level = strtol(line, NULL, 10);
	if (level > 2) {
		SAY(finding, "%ld: users may not count events of the core, nor "
		    "\"stat -m\" theirs", level);
		bad(finding, NOTE, doctor_amd_driver()
		    ? "sysctl -w kernel.perf_event_paranoid=2, for amd_df and "
		      "amd_l3 0, or CAP_PERFMON for the program"
		    : "sysctl -w kernel.perf_event_paranoid=2, or CAP_PERFMON "
		      "for the program; the uncore needs neither");
	} else if (level == 2) {
		SAY(finding, "2: users may count their programs, at user level "
		    "(not :k)");
	} else {
		SAY(finding, "%ld: users may count %s", level,
		    level < 1 ? "whole CPUs, and the kernel"
			      : "their programs, and the kernel for them");
	}
	if (level > 0 && level <= 2 && doctor_amd_driver())
		bad(finding, NOTE, "amd_df and amd_l3 count what others do, "
		    "too: sysctl -w kernel.perf_event_paranoid=0, or "
		    "CAP_PERFMON for the program");
}

static void check_perf_on_amd(struct finding *finding)
{
	if (doctor_amd_driver()) {
		SAY(finding, "the kernel's amd_uncore is there: count with "
		    "amd_df/.../ and amd_l3/.../");
		return;
	}
	SAY(finding, "the kernel has neither amd_df nor amd_l3");
	bad(finding, NOTE, "modprobe amd-uncore; to a virtual machine these "
	    "counters are hidden");
}

void check_perf(const struct patient *patient, struct finding *finding)
{
	(void)patient;
	if (doctor_on_amd()) {
		check_perf_on_amd(finding);
		return;
	}
	if (!access("/sys/module/intel_uncore", F_OK)) {
		SAY(finding, "the kernel's intel_uncore is there");
		return;
	}
	SAY(finding, "the kernel's intel_uncore is not loaded");
	bad(finding, NOTE, "the module programs the counters by itself; perf "
	    "cannot use them: modprobe intel-uncore");
}
