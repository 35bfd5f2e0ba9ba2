// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 boot=own */
/*
 * Kernel lockdown. It can only be raised until the next boot, so one test does
 * everything, on a machine that no other program gets.
 */
#include <fcntl.h>
#include <sys/mount.h>

#include "claims.h"
#include "harness.h"

#define SECURITYFS	"/sys/kernel/security"
#define LOCKDOWN	SECURITYFS "/lockdown"

/* What is claimed already can be asked for and released all the same. */
static void expect_no_programming(struct __test_metadata *_metadata, int fd,
				  const struct uncore_pmu_program *held)
{
	EXPECT_EQ(-EPERM, claim(fd, held->unit, 0x304, NULL));
	EXPECT_EQ(-EPERM, claim_fixed(fd, held->unit, NULL));
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
		  counter_state(fd, held->unit, held->counter));
	EXPECT_EQ(0, claim_release(fd, held->claim));
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
		  counter_state(fd, held->unit, held->counter));
}

static void expect_open(struct __test_metadata *_metadata, int fd)
{
	const struct uncore_pmu_unit *unit;
	struct units units = units_get(fd);
	void *page;

	unit = units_first(&units, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	page = unit_map(fd, unit);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(unit_id(unit), page_load(page, 0));
	EXPECT_EQ(rdpmc_granted(), trap_rdpmc());
	EXPECT_EQ(0, munmap(page, PAGE));
	units_free(&units);
}

/* Every unit that could be mapped is locked, and says so; nothing is lost. */
static void expect_locked(struct __test_metadata *_metadata, int fd,
			  const struct units *before)
{
	struct units units = units_get(fd);
	uint32_t length;
	unsigned int i;

	ASSERT_EQ(before->count, units.count);
	for (i = 0; i < units.count; i++) {
		struct uncore_pmu_unit was = before->unit[i];
		const struct uncore_pmu_unit *u = &units.unit[i];

		if (was.state != UNCORE_PMU_STATE_OK) {
			EXPECT_EQ(0, memcmp(&was, u, sizeof(was))) ABOUT(u);
			EXPECT_ERRNO(ENOENT, mmap(NULL, PAGE, PROT_READ,
						  MAP_SHARED, fd,
						  u->mmap_offset));
			continue;
		}
		was.state = UNCORE_PMU_STATE_LOCKED;
		was.reason = UNCORE_PMU_REASON_LOCKDOWN;
		was.mmap_length = 0;
		EXPECT_EQ(0, memcmp(&was, u, sizeof(was))) ABOUT(u);
		EXPECT_ERRNO(EPERM, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd,
					 u->mmap_offset));
	}
	EXPECT_ERRNO(EPERM, rdpmc_map(fd));
	EXPECT_EQ(NULL, generations_map(fd, &length));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
	units_free(&units);
}

static void expect_doctor(struct __test_metadata *_metadata, const char *first,
			  const char *second)
{
	FILE *doctor = popen("uncorectl doctor", "re");
	char text[8192];

	ASSERT_NE(NULL, doctor);
	text[fread(text, 1, sizeof(text) - 1, doctor)] = '\0';
	pclose(doctor);
	EXPECT_NE(NULL, strstr(text, first)) TH_LOG("%s", text);
	EXPECT_NE(NULL, strstr(text, second)) TH_LOG("%s", text);
}

TEST(lockdown)
{
	const struct uncore_pmu_unit *unit;
	struct uncore_pmu_program held[2];
	int fd = node_open(O_RDWR);
	struct units before;
	char levels[128];

	ASSERT_LE(0, fd);
	if (access(LOCKDOWN, F_OK)) {
		ASSERT_EQ(0, mount("securityfs", SECURITYFS, "securityfs", 0,
				   NULL));
	}
	ASSERT_EQ(0, file_read(LOCKDOWN, levels, sizeof(levels)));
	ASSERT_NE(NULL, strstr(levels, "[none]"));
	before = units_get(fd);
	expect_open(_metadata, fd);
	unit = units_first(&before, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	ASSERT_EQ(0, claim(fd, unit->index, 0x304, &held[0]));
	ASSERT_EQ(0, claim(fd, unit->index, 0xc04, &held[1]));
	expect_doctor(_metadata, "\nok       lockdown  [none] ",
		      " 2 counters are programmed; this user may program others\n");

	/*
	 * This level protects the kernel: reading counters is allowed, writing
	 * PCI registers is not.
	 */
	ASSERT_EQ(0, file_write(LOCKDOWN, "integrity"));
	expect_open(_metadata, fd);
	expect_no_programming(_metadata, fd, &held[0]);
	expect_doctor(_metadata, " it forbids programming counters, not reading",
		      " 1 counter is programmed; kernel lockdown forbids to "
		      "program others\n");

	ASSERT_EQ(0, file_write(LOCKDOWN, "confidentiality"));
	expect_locked(_metadata, fd, &before);
	expect_no_programming(_metadata, fd, &held[1]);
	units_free(&before);
	close(fd);
}

TEST_HARNESS_MAIN
