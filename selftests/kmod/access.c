// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 */
/* Who may open the node, and what a descriptor is worth in other hands. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "harness.h"

TEST(node)
{
	struct stat node;

	ASSERT_EQ(0, stat(NODE, &node));
	EXPECT_TRUE(S_ISCHR(node.st_mode));
	EXPECT_EQ(0640U, node.st_mode & 07777);
	EXPECT_EQ(0U, node.st_uid);
	ASSERT_LT(0, uncore_group());
	EXPECT_EQ((gid_t)uncore_group(), node.st_gid);
}

struct attempt {
	uid_t uid;
	int mode;
};

static int opens(int sock, void *arg)
{
	struct attempt *attempt = arg;
	int fd;

	(void)sock;
	if (become(attempt->uid))
		return 250;
	fd = node_open(attempt->mode);
	return fd < 0 ? -fd : 0;
}

TEST(who_opens)
{
	static const struct {
		struct attempt attempt;
		int result;
	} table[] = {
		{ { 0, O_RDONLY }, 0 },
		{ { 0, O_RDWR }, 0 },
		{ { MEMBER_UID, O_RDONLY }, 0 },
		{ { MEMBER_UID, O_WRONLY }, EACCES },
		{ { MEMBER_UID, O_RDWR }, EACCES },
		{ { OUTSIDER_UID, O_RDONLY }, EACCES },
		{ { OUTSIDER_UID, O_WRONLY }, EACCES },
		{ { OUTSIDER_UID, O_RDWR }, EACCES },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct attempt attempt = table[i].attempt;

		EXPECT_EQ(table[i].result, child_run(opens, &attempt))
			TH_LOG("user %d", attempt.uid);
	}
}

static int reads_everything(int sock, void *arg)
{
	struct units units;
	unsigned int i;
	void *page;
	int fd;

	(void)sock;
	(void)arg;
	if (become(MEMBER_UID))
		return 250;
	fd = node_open(O_RDONLY);
	units = units_get(fd);
	if (!units.count)
		return 1;
	for (i = 0; i < units.count; i++) {
		const struct uncore_pmu_unit *u = &units.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		page = unit_map(fd, u);
		if (page == MAP_FAILED || page_load(page, 0) != unit_id(u))
			return 2;
	}
	return trap_rdpmc() == rdpmc_granted() ? 0 : 3;
}

TEST(member_reads_everything)
{
	EXPECT_EQ(0, child_run(reads_everything, NULL));
}

/* Gets a descriptor that it could not have opened, and uses it. */
static int receives(int sock, void *arg)
{
	const struct uncore_pmu_unit *unit = arg;
	struct uncore_pmu_unit same;
	void *page;
	int fd;

	if (become(OUTSIDER_UID) || node_open(O_RDONLY) != -EACCES)
		return 250;
	fd = receive_fd(sock);
	if (fd < 0)
		return 1;
	if (unit_describe(fd, unit->index, &same) ||
	    memcmp(unit, &same, sizeof(same)))
		return 2;
	page = unit_map(fd, unit);
	if (page == MAP_FAILED)
		return 3;
	if (page_load(page, 0) != unit_id(unit))
		return 4;
	if (trap_rdpmc() != rdpmc_granted())
		return 5;
	/* The right of the descriptor, not more. */
	if (mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 unit->mmap_offset) != MAP_FAILED || errno != EACCES)
		return 6;
	say(sock, 0);
	heard(sock);
	return page_load(page, 0) == unit_id(unit) ? 0 : 7;
}

TEST(descriptor_is_passed)
{
	const struct uncore_pmu_unit *unit;
	struct child child;
	struct units units;
	int fd;

	/* Not inherited: the child is there before the descriptor is. */
	fd = node_open(O_RDONLY);
	units = units_get(fd);
	unit = units_first(&units, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	close(fd);
	ASSERT_EQ(0, child_start(&child, receives, (void *)unit));
	fd = node_open(O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, send_fd(child.sock, fd));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(0, heard(child.sock));
	/* The receiver's copy and mapping hold the module now. */
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
	EXPECT_EQ(0, module_references());
	units_free(&units);
}

TEST(node_is_missing)
{
	ASSERT_EQ(0, module_unload());
	EXPECT_EQ(-ENOENT, node_open(O_RDONLY));
	ASSERT_EQ(0, module_load());
	EXPECT_EQ(0, child_run(reads_everything, NULL));
}

/* Something else at the node's place answers, but not with this contract. */
TEST(another_device)
{
	struct uncore_pmu_unit unit;
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, fd);
	EXPECT_EQ(-ENOTTY, unit_describe(fd, 0, &unit));
	EXPECT_ERRNO(ENODEV, rdpmc_map(fd));
	close(fd);
}

TEST_HARNESS_MAIN
