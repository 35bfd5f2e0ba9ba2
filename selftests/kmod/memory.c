// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/units-600.lspci user=root kernels=6.12 timeout=300 module=no */
/* A machine with very many units: all are there, and what each costs. */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "harness.h"

#define AT_LEAST_UNITS	600
#define BYTES_A_UNIT	1024

/* Kernel memory in kB: slab and vmalloc, where a module's data can be. */
static long kernel_memory(void)
{
	static char text[8192];
	const char *const names[] = { "Slab:", "VmallocUsed:", "Percpu:" };
	long sum = 0;
	unsigned int i;

	if (file_read("/proc/meminfo", text, sizeof(text)))
		return -1;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const char *at = strstr(text, names[i]);

		if (!at)
			return -1;
		sum += strtol(at + strlen(names[i]), NULL, 10);
	}
	return sum;
}

TEST(every_unit_is_there)
{
	struct units units;
	unsigned int i;
	unsigned int ok = 0;
	void *page;
	int fd;

	ASSERT_EQ(0, module_load());
	fd = node_open(O_RDONLY);
	ASSERT_LE(0, fd);
	units = units_get(fd);
	EXPECT_LE((unsigned int)AT_LEAST_UNITS, units.count);
	for (i = 0; i < units.count; i++) {
		const struct uncore_pmu_unit *u = &units.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		page = unit_map(fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		EXPECT_EQ(unit_id(u), page_load(page, 0)) ABOUT(u);
		ok++;
	}
	TH_LOG("%u units, %u of them mapped at once", units.count, ok);
	EXPECT_LE((unsigned int)AT_LEAST_UNITS, ok);
	units_free(&units);
	close(fd);
	/* The mappings go with this process, and the module after it. */
}

TEST(memory)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	long before, with, loads = 5, sum = 0;
	unsigned int count, bytes;
	char log[8192];
	int i, fd, klog;
	char *at;

	/* Loaded and unloaded once, so that caches and tables are there. */
	if (!module_loaded(MODULE_NAME)) {
		ASSERT_EQ(0, module_load());
	}
	for (i = 0; i < loads; i++) {
		ASSERT_EQ(0, module_unload());
		before = kernel_memory();
		ASSERT_LT(0, before);
		ASSERT_EQ(0, module_load());
		with = kernel_memory();
		sum += with - before;
	}
	fd = node_open(O_RDONLY);
	ASSERT_EQ(0, ioctl(fd, UNCORE_PMU_INFO, &info));
	close(fd);
	/* What the module says itself: "haswell-ep: 640 units ...; N bytes". */
	klog = klog_open();
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load());
	ASSERT_EQ(0, klog_read(klog, log, sizeof(log)));
	close(klog);
	at = strstr(log, " units on ");
	ASSERT_NE(NULL, at);
	while (at > log && at[-1] != ' ')
		at--;
	ASSERT_EQ(1, sscanf(at, "%u units", &count));
	EXPECT_EQ(info.num_units, count);
	at = strstr(at, "; ");
	ASSERT_NE(NULL, at);
	ASSERT_EQ(1, sscanf(at, "; %u bytes", &bytes));
	EXPECT_LT(0U, bytes);
	EXPECT_GT(count * BYTES_A_UNIT, bytes);
	TH_LOG("%u bytes a unit, as the module says", bytes / count);
	TH_LOG("%ld kB for %u units, code and node included", sum / loads,
	       info.num_units);
	EXPECT_LE((uint32_t)AT_LEAST_UNITS, info.num_units);
	EXPECT_GT((long)info.num_units * BYTES_A_UNIT, sum / loads * 1024);
	EXPECT_EQ(0, module_unload());
}

TEST_HARNESS_MAIN
