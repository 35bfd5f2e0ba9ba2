// SPDX-License-Identifier: LGPL-2.1-or-later
/* RDPMC of counters that others have programmed. */
#include <cpuid.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core.h"

#define DF_FIRST	6
#define L3_FIRST	10
#define MORE_DF_FIRST	16
#define AMD_END		28

/*
 * Intel SDM volume 2, CPUID: leaf 7, subleaf 1, says whether there is leaf 23H,
 * and EBX of that whether a counter can be kept from user level, which then
 * reads 0. Who programs the counter decides it, with bit 37 of the event select
 * register or bit 33 of a fixed counter's control field, and no one can see from
 * user level what was decided.
 */
#define EXT_LEAF		(1U << 8)
#define RDPMC_USER_DISABLE	(1U << 2)

/* AMD APM volume 3, CPUID: leaves 8000_0001H and 8000_0022H. */
#define PERFCTR_CORE		(1U << 23)
#define PERFCTR_DF		(1U << 24)
#define PERFCTR_L3		(1U << 28)
#define PERFMON_V2		(1U << 0)
#define AMD_WIDTH		48

void uncore_cpuid_read(struct uncore_cpuid *cpuid)
{
	uint32_t a = 0, b = 0, c = 0, d = 0;

	memset(cpuid, 0, sizeof(*cpuid));
	if (!__get_cpuid(0, &a, &b, &c, &d))
		return;
	cpuid->max_leaf = a;
	cpuid->amd = b == signature_AMD_ebx || b == 0x6f677948;	/* "Hygo" */
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && a >= 1 &&
	    __get_cpuid_count(7, 1, &a, &b, &c, &d))
		cpuid->leaf_7_1_eax = a;
	if (__get_cpuid_count(0xa, 0, &a, &b, &c, &d)) {
		cpuid->leaf_a_eax = a;
		cpuid->leaf_a_ecx = c;
		cpuid->leaf_a_edx = d;
	}
	if (__get_cpuid_count(0x23, 0, &a, &b, &c, &d))
		cpuid->leaf_23_ebx = b;
	if (__get_cpuid(0x80000001, &a, &b, &c, &d))
		cpuid->leaf_80000001_ecx = c;
	if (__get_cpuid(0x80000022, &a, &b, &c, &d)) {
		cpuid->leaf_80000022_eax = a;
		cpuid->leaf_80000022_ebx = b;
	}
}

bool uncore_cpuid_hides(const struct uncore_cpuid *cpuid)
{
	return !cpuid->amd && cpuid->max_leaf >= 0x23 &&
	       (cpuid->leaf_7_1_eax & EXT_LEAF) &&
	       (cpuid->leaf_23_ebx & RDPMC_USER_DISABLE);
}

static int amd_width(const struct uncore_cpuid *cpuid, uint32_t index)
{
	uint32_t have = cpuid->leaf_80000001_ecx;
	uint32_t core = have & PERFCTR_CORE ? 6 : 4;
	uint32_t df = L3_FIRST - DF_FIRST;
	bool there;

	if (cpuid->leaf_80000022_eax & PERFMON_V2 &&
	    (cpuid->leaf_80000022_ebx & 0xf) < core)
		core = cpuid->leaf_80000022_ebx & 0xf;
	if (cpuid->leaf_80000022_eax & PERFMON_V2)
		df = cpuid->leaf_80000022_ebx >> 10 & 0x3f;
	if (index < DF_FIRST)
		there = index < core;
	else if (index < L3_FIRST)
		there = have & PERFCTR_DF && index - DF_FIRST < df;
	else if (index < MORE_DF_FIRST)
		there = have & PERFCTR_L3;
	else
		there = index < AMD_END && have & PERFCTR_DF &&
			index - MORE_DF_FIRST + L3_FIRST - DF_FIRST < df;
	return there ? AMD_WIDTH : -ENXIO;
}

static int intel_width(const struct uncore_cpuid *cpuid, uint32_t index)
{
	uint32_t general = cpuid->leaf_a_eax >> 8 & 0xff;
	uint32_t fixed = cpuid->leaf_a_edx & 0x1f;
	uint32_t width = cpuid->leaf_a_eax >> 16 & 0xff;
	bool there = index < general;

	if (!(cpuid->leaf_a_eax & 0xff))
		return -ENXIO;
	if (index >= UNCORE_CORE_FIXED) {
		index -= UNCORE_CORE_FIXED;
		width = cpuid->leaf_a_edx >> 5 & 0xff;
		there = index < fixed ||
			(index < 32 && (cpuid->leaf_a_ecx >> index & 1));
	}
	return there && width && width <= 64 ? (int)width : -ENXIO;
}

int uncore_cpuid_width(const struct uncore_cpuid *cpuid, uint32_t index)
{
	return cpuid->amd ? amd_width(cpuid, index) : intel_width(cpuid, index);
}

int uncore_rdpmc_width(uint32_t index)
{
	struct uncore_cpuid cpuid;

	uncore_cpuid_read(&cpuid);
	return uncore_cpuid_width(&cpuid, index);
}

/* Is there a PMU, and does the administrator let its RDPMC be used? */
static int check_policy(void)
{
	struct uncore_core_place place = {
		.devices = UNCORE_DEVICES_PATH,
		.cpu = sched_getcpu(),
	};
	const struct uncore_perf_page *page;
	struct uncore_event_error unwanted;
	struct uncore_core_pmu pmu;
	char text[16];
	int ret;

	ret = uncore_core_pmu_find(&place, NULL, &pmu);
	if (ret)
		return uncore_core_is_failure(ret) ? ret : -ENODEV;
	if (!uncore_core_pmu_text(&place, pmu.name, "rdpmc", text,
				  sizeof(text)))
		return strcmp(text, "0") ? 0 : -EPERM;
	/* The kernel may show it to root alone; perf's pages follow it. */
	ret = uncore_core_perf_right(&place, &page, &unwanted);
	if (page)
		munmap((void *)(uintptr_t)page, UNCORE_PERF_PAGE);
	return ret == -EPERM ? ret : 0;
}

int uncore_rdpmc_begin(struct uncore *uncore)
{
	struct uncore_cpuid cpuid;
	void *page;
	int ret;

	uncore_cpuid_read(&cpuid);
	if (uncore_cpuid_hides(&cpuid))
		return -EOPNOTSUPP;
	ret = check_policy();
	if (ret)
		return ret;

	pthread_mutex_lock(&uncore->lock);
	if (!uncore->rdpmc_users) {
		page = mmap(NULL, UNCORE_PMU_RDPMC_LENGTH, PROT_READ,
			    MAP_SHARED, uncore->fd, UNCORE_PMU_RDPMC_OFFSET);
		if (page == MAP_FAILED)
			ret = -errno;
		else
			uncore->rdpmc_page = page;
	}
	if (!ret)
		uncore->rdpmc_users++;
	pthread_mutex_unlock(&uncore->lock);
	return ret;
}

void uncore_rdpmc_end(struct uncore *uncore)
{
	pthread_mutex_lock(&uncore->lock);
	if (uncore->rdpmc_users && !--uncore->rdpmc_users) {
		munmap(uncore->rdpmc_page, UNCORE_PMU_RDPMC_LENGTH);
		uncore->rdpmc_page = NULL;
	}
	pthread_mutex_unlock(&uncore->lock);
}
