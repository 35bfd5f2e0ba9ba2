/* SPDX-License-Identifier: GPL-2.0-only */
/* What the guest programs that check the emulated PMU share. */
#ifndef OPMU_CHECK_H
#define OPMU_CHECK_H

#include <cpuid.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../kmod/harness.h"

#define PMU_DIR		"/sys/bus/event_source/devices/"
#define RDPMC_POLICY	PMU_DIR "cpu/rdpmc"
#define NMI_WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

/* RDPMC indices; "fixed" is Intel's, the other two are AMD's. */
#define INDEX_FIXED	0x40000000u
#define INDEX_DF	6
#define INDEX_L3	10

static inline uint64_t rdpmc(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc"
			 : "=a"(low), "=d"(high) : "c"(index) : "memory");
	return low | (uint64_t)high << 32;
}

/* 2 * n instructions and a few more. */
static inline void spin(uint64_t n)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n) : : "cc");
}

static inline bool is_amd(void)
{
	unsigned int level, b, c, d;

	__cpuid(0, level, b, c, d);
	return b == signature_AMD_ebx;
}

/* The registers of the unit, as CPUID describes them. */
struct pmu_shape {
	unsigned int general, fixed, width;
};

static inline struct pmu_shape pmu_shape(void)
{
	struct pmu_shape shape = { .general = 6, .fixed = 0, .width = 48 };
	unsigned int a, b, c, d;

	if (!is_amd() && __get_cpuid_count(0xa, 0, &a, &b, &c, &d)) {
		shape.general = a >> 8 & 0xff;
		shape.width = a >> 16 & 0xff;
		shape.fixed = d & 0x1f;
	}
	return shape;
}

static inline int perf_open(uint32_t type, uint64_t config, pid_t pid, int cpu,
			    bool user_only)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.exclude_kernel = user_only,
		.exclude_hv = user_only,
	};

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

/* UINT64_MAX on failure. */
static inline uint64_t perf_read(int fd)
{
	uint64_t value;

	return read(fd, &value, sizeof(value)) == sizeof(value) ?
		       value : UINT64_MAX;
}

/* The one counter of these that runs; first + n if none does. */
static inline uint32_t running_counter(uint32_t first, unsigned int n)
{
	uint64_t before[8];
	unsigned int i;

	for (i = 0; i < n; i++)
		before[i] = rdpmc(first + i);
	spin(10000);
	for (i = 0; i < n && rdpmc(first + i) == before[i]; i++)
		;
	return first + i;
}

/* For child_run(); it may die of SIGSEGV. */
static inline int rdpmc_of(int sock, void *arg)
{
	(void)sock;
	rdpmc(*(uint32_t *)arg);
	return 0;
}

#endif /* OPMU_CHECK_H */
