// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/sim/machines/wsm-ep-2s-xeon-l5640.lspci user=root kernels=all timeout=120 module=no */
/* A machine without any unit: the module loads and says so, RDPMC works. */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "harness.h"

FIXTURE(nounit)
{
	int fd;
	char log[8192];
};

FIXTURE_SETUP(nounit)
{
	int klog = klog_open();

	ASSERT_LE(0, klog);
	ASSERT_FALSE(module_loaded(MODULE_NAME));
	ASSERT_EQ(0, module_load());
	ASSERT_EQ(0, klog_read(klog, self->log, sizeof(self->log)));
	close(klog);
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(nounit)
{
	close(self->fd);
	EXPECT_EQ(0, module_unload());
}

TEST_F(nounit, says_so_in_one_line)
{
	EXPECT_EQ(1, klog_module_lines(self->log))
		TH_LOG("%s", self->log);
	EXPECT_NE(NULL, strstr(self->log, "uncore_pmu: no uncore unit found"))
		TH_LOG("%s", self->log);
}

TEST_F(nounit, lists_nothing)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct uncore_pmu_unit unit;
	uint32_t i;

	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &info));
	EXPECT_EQ((uint32_t)UNCORE_PMU_ABI_VERSION, info.abi_version);
	EXPECT_EQ(0U, info.num_units);
	EXPECT_STREQ("", info.platform);
	for (i = 0; i < 64; i++) {
		EXPECT_EQ(-ENXIO, unit_describe(self->fd, i, &unit));
		EXPECT_ERRNO(ENXIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED,
					 self->fd, (uint64_t)(i + 1) << 20));
	}
	EXPECT_EQ(-ENXIO, unit_describe(self->fd, UINT32_MAX, &unit));
}

TEST_F(nounit, rdpmc_works)
{
	int granted = rdpmc_granted();
	int cpu, i;
	void *page;

	ASSERT_EQ(RDPMC_DENIED, trap_rdpmc());
	for (i = 0; i < 20; i++) {
		page = rdpmc_map(self->fd);
		ASSERT_NE(MAP_FAILED, page);
		EXPECT_EQ(granted, trap_rdpmc());
		for (cpu = 0; cpu < cpu_count(); cpu++) {
			pin_to(cpu);
			EXPECT_EQ(granted, rdpmc_await(granted));
		}
		ASSERT_EQ(0, munmap(page, UNCORE_PMU_RDPMC_LENGTH));
		for (cpu = 0; cpu < cpu_count(); cpu++) {
			pin_to(cpu);
			EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
		}
	}
}

TEST_HARNESS_MAIN
