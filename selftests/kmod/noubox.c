// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/no-ubox-2s.lspci user=root kernels=all timeout=120 */
/* Units whose die nothing tells can be read all the same. */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "claims.h"
#include "harness.h"

TEST(units_of_an_unknown_die)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct units units;
	unsigned int i, k;
	void *page;
	int fd;

	fd = node_open(O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(fd, UNCORE_PMU_INFO, &info));
	EXPECT_STREQ("haswell-ep", info.platform);
	units = units_get(fd);
	/* What is missing cannot be said without a die to miss it on. */
	EXPECT_EQ(12U, units.count);
	for (i = 0; i < units.count; i++) {
		const struct uncore_pmu_unit *u = &units.unit[i];

		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u->state) ABOUT(u);
		EXPECT_EQ(-1, u->die) ABOUT(u);
		EXPECT_EQ(-1, u->socket) ABOUT(u);
		/* The address tells two units of one name apart. */
		for (k = 0; k < i; k++) {
			EXPECT_FALSE(units.unit[k].bus == u->bus &&
				     units.unit[k].device == u->device &&
				     units.unit[k].function == u->function)
				ABOUT(u);
		}
		page = unit_map(fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		EXPECT_EQ(unit_id(u), page_load(page, 0)) ABOUT(u);
		munmap(page, PAGE);
	}
	units_free(&units);
	close(fd);
}

/* perf does not take such units, so that nobody is in the way. */
TEST(units_of_an_unknown_die_can_be_programmed)
{
	struct uncore_pmu_program p;
	uint32_t *registers;
	struct rig rig;
	unsigned int i;

	ASSERT_EQ(0, rig_open(&rig));
	registers = registers_save(&rig);
	ASSERT_NE(NULL, registers);
	for (i = 0; i < rig.units.count; i++) {
		ASSERT_EQ(0, claim(rig.fd, i, 0x106, &p));
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_DIRECT, p.via);
		EXPECT_TRUE(claim_counts(&rig, &p, 99));
		EXPECT_EQ(0, claim_release(rig.fd, p.claim));
	}
	EXPECT_EQ(0U, registers_changed(&rig, registers));
	free(registers);
	rig_close(&rig);
}

TEST_HARNESS_MAIN
