// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening what is not the node: each mistake has an errno of its own.
 *
 * Test: where=host
 */
#include "harness.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

FIXTURE(open)
{
	char folder[32];
	char path[64];
};

FIXTURE_SETUP(open)
{
	strcpy(self->folder, "/tmp/lib_open.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->folder));
	snprintf(self->path, sizeof(self->path), "%s/node", self->folder);
}

FIXTURE_TEARDOWN(open)
{
	unlink(self->path);
	rmdir(self->folder);
}

static int open_path(const char *path)
{
	struct uncore *uncore = NULL;
	int ret = uncore_open(path, &uncore);

	uncore_close(uncore);
	return ret;
}

static int count_descriptors(void)
{
	int fd, count = 0;

	for (fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

TEST_F(open, missing)
{
	EXPECT_EQ(-ENOENT, open_path(self->path));
}

TEST_F(open, regular_file)
{
	int fd = open(self->path, O_CREAT | O_WRONLY, 0600);

	ASSERT_LE(0, fd);
	close(fd);
	EXPECT_EQ(-ENOTTY, open_path(self->path));
}

TEST_F(open, directory)
{
	EXPECT_EQ(-ENOTTY, open_path(self->folder));
}

TEST_F(open, fifo_does_not_block)
{
	ASSERT_EQ(0, mkfifo(self->path, 0600));
	EXPECT_EQ(-ENOTTY, open_path(self->path));
}

TEST_F(open, other_drivers)
{
	EXPECT_EQ(-ENODEV, open_path("/dev/null"));
	EXPECT_EQ(-ENODEV, open_path("/dev/zero"));
}

TEST_F(open, not_permitted)
{
	int status, fd = open(self->path, O_CREAT | O_WRONLY, 0600);
	pid_t child;

	ASSERT_LE(0, fd);
	close(fd);
	if (geteuid())
		SKIP(return, "needs root, to be somebody else");
	ASSERT_EQ(0, chmod(self->folder, 0755));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		if (setgid(65534) || setuid(65534))
			_exit(1);
		_exit(open_path(self->path) == -EACCES ? 0 : 2);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(open, symbolic_link)
{
	ASSERT_EQ(0, symlink("/dev/null", self->path));
	EXPECT_EQ(-ENODEV, open_path(self->path));
}

TEST_F(open, bad_descriptor)
{
	struct uncore *uncore;

	EXPECT_EQ(-EBADF, uncore_open_fd(-1, &uncore));
	EXPECT_EQ(-EBADF, uncore_open_fd(250, &uncore));
}

TEST_F(open, descriptor_of_another_driver)
{
	int fd = open("/dev/null", O_RDONLY);
	struct uncore *uncore;

	EXPECT_EQ(-ENODEV, uncore_open_fd(fd, &uncore));
	EXPECT_EQ(0, close(fd)) TH_LOG("the caller's descriptor was closed");
}

TEST_F(open, nothing_is_left_open)
{
	struct uncore *uncore;
	int before = count_descriptors();

	open_path(self->path);
	open_path(self->folder);
	open_path("/dev/null");
	uncore_open_fd(0, &uncore);
	EXPECT_EQ(before, count_descriptors());
}

TEST(close_of_nothing)
{
	uncore_close(NULL);
}

TEST(whose_device_sysfs_says)
{
	EXPECT_EQ(0, uncore_check_sysfs_target("../../devices/virtual/misc/uncore_pmu"));
	EXPECT_EQ(0, uncore_check_sysfs_target("uncore_pmu"));
	EXPECT_EQ(-ENODEV, uncore_check_sysfs_target("../../devices/virtual/mem/null"));
	EXPECT_EQ(-ENODEV, uncore_check_sysfs_target("../uncore_pmu/other"));
	EXPECT_EQ(-ENODEV, uncore_check_sysfs_target("../my_uncore_pmu"));
	EXPECT_EQ(-ENODEV, uncore_check_sysfs_target("../uncore_pmu/"));
	EXPECT_EQ(-ENODEV, uncore_check_sysfs_target(""));
}

TEST(version_of_the_module)
{
	struct uncore_pmu_info info = { .num_units = 3 };

	info.abi_version = UNCORE_PMU_ABI_VERSION;
	EXPECT_EQ(0, uncore_check_info(&info));
	info.abi_version = UNCORE_PMU_ABI_VERSION + 1;
	EXPECT_EQ(-EPROTONOSUPPORT, uncore_check_info(&info));
	info.abi_version = 0;
	EXPECT_EQ(-EPROTONOSUPPORT, uncore_check_info(&info));
	info.abi_version = UINT32_MAX;
	EXPECT_EQ(-EPROTONOSUPPORT, uncore_check_info(&info));
}

TEST(absurd_number_of_units)
{
	struct uncore_pmu_info info = {
		.abi_version = UNCORE_PMU_ABI_VERSION,
		.num_units = UINT32_MAX,
	};

	EXPECT_EQ(-EPROTO, uncore_check_info(&info));
}

TEST_HARNESS_MAIN
