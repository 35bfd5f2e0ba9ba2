// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 */
/*
 * The administrator's word on RDPMC, which is the attribute "rdpmc" of the
 * core PMU: 0 for nobody, 1 for who has a mapping, 2 for everybody. It exists
 * only where there is a core PMU, which stock QEMU does not emulate.
 */
#include <fcntl.h>

#include "harness.h"

FIXTURE(sysfs)
{
	int fd;
	const char *attribute;
};

FIXTURE_SETUP(sysfs)
{
	static const char *const attributes[] = {
		"/sys/bus/event_source/devices/cpu/rdpmc",
		"/sys/bus/event_source/devices/cpu_core/rdpmc",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attributes); i++)
		if (!access(attributes[i], W_OK))
			self->attribute = attributes[i];
	if (!self->attribute)
		SKIP(return, "no core PMU; needs a QEMU that emulates one");
	ASSERT_EQ(0, file_write(self->attribute, "1"));
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(sysfs)
{
	if (!self->attribute)
		return;
	EXPECT_EQ(0, file_write(self->attribute, "1"));
	close(self->fd);
}

TEST_F(sysfs, zero_after_mapping)
{
	void *page;
	int i;

	if (!self->attribute)
		return;
	page = rdpmc_map(self->fd);
	ASSERT_NE(MAP_FAILED, page);
	for (i = 0; i < 10; i++) {
		EXPECT_EQ(rdpmc_granted(), rdpmc_await(rdpmc_granted()));
		ASSERT_EQ(0, file_write(self->attribute, "0"));
		EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
		ASSERT_EQ(0, file_write(self->attribute, "1"));
	}
	EXPECT_EQ(0, munmap(page, UNCORE_PMU_RDPMC_LENGTH));
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

TEST_F(sysfs, zero_before_mapping)
{
	int cpus = cpu_count();
	void *page;
	int i;

	if (!self->attribute)
		return;
	ASSERT_EQ(0, file_write(self->attribute, "0"));
	page = rdpmc_map(self->fd);
	/* The mapping is not refused: pages of units are worth it alone. */
	ASSERT_NE(MAP_FAILED, page);
	for (i = 0; i < 4 * cpus; i++) {
		pin_to(i % cpus);
		EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	}
	ASSERT_EQ(0, file_write(self->attribute, "1"));
	EXPECT_EQ(rdpmc_granted(), rdpmc_await(rdpmc_granted()));
	EXPECT_EQ(0, munmap(page, UNCORE_PMU_RDPMC_LENGTH));
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

TEST_F(sysfs, two_is_for_everybody)
{
	void *page;

	if (!self->attribute)
		return;
	ASSERT_EQ(0, file_write(self->attribute, "2"));
	EXPECT_EQ(rdpmc_granted(), rdpmc_await(rdpmc_granted()));
	page = rdpmc_map(self->fd);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(0, munmap(page, UNCORE_PMU_RDPMC_LENGTH));
	/* What the administrator gave, the module does not take. */
	EXPECT_EQ(rdpmc_granted(), trap_rdpmc());
	ASSERT_EQ(0, file_write(self->attribute, "1"));
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

TEST_HARNESS_MAIN
