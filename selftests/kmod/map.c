// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 */
/* What may be mapped, what is refused, and with which errno. */
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "harness.h"

#ifndef MAP_SYNC
#define MAP_SYNC	0x80000
#endif

FIXTURE(map)
{
	int ro;
	int rw;
	struct units units;
	struct uncore_pmu_unit unit;
	uint64_t offset;
};

/* The RDPMC page obeys the same rules as the pages of the units. */
FIXTURE_VARIANT(map)
{
	bool rdpmc;
};

FIXTURE_VARIANT_ADD(map, unit)
{
	.rdpmc = false,
};

FIXTURE_VARIANT_ADD(map, rdpmc)
{
	.rdpmc = true,
};

FIXTURE_SETUP(map)
{
	const struct uncore_pmu_unit *unit;

	self->ro = node_open(O_RDONLY);
	self->rw = node_open(O_RDWR);
	ASSERT_LE(0, self->ro);
	ASSERT_LE(0, self->rw);
	self->units = units_get(self->ro);
	unit = units_first(&self->units, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	self->unit = *unit;
	self->offset = variant->rdpmc ? UNCORE_PMU_RDPMC_OFFSET :
					unit->mmap_offset;
}

FIXTURE_TEARDOWN(map)
{
	units_free(&self->units);
	close(self->ro);
	close(self->rw);
}

static void *map(int fd, uint64_t offset, size_t length, int prot, int flags)
{
	return mmap(NULL, length, prot, flags, fd, offset);
}

TEST_F(map, readable)
{
	int modes[] = { self->ro, self->rw };
	unsigned int i, n;
	char *page;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		page = map(modes[i], self->offset, PAGE, PROT_READ, MAP_SHARED);
		ASSERT_NE(MAP_FAILED, page);
		if (variant->rdpmc) {
			for (n = 0; n < PAGE; n += 4) {
				EXPECT_EQ(0U, page_load(page, n));
			}
		} else {
			EXPECT_EQ(unit_id(&self->unit), page_load(page, 0));
		}
		EXPECT_EQ(SIGSEGV, trap_store(page));
		EXPECT_EQ(0, munmap(page, PAGE));
		EXPECT_EQ(SIGSEGV, trap_load(page));
	}
}

TEST_F(map, outlives_the_descriptor)
{
	int fd = node_open(O_RDONLY);
	char *page;

	ASSERT_LE(0, fd);
	page = map(fd, self->offset, PAGE, PROT_READ, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(variant->rdpmc ? 0 : unit_id(&self->unit),
		  page_load(page, 0));
}

TEST_F(map, many_times)
{
	char *page[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(page); i++) {
		page[i] = map(i & 1 ? self->ro : self->rw, self->offset, PAGE,
			      PROT_READ, MAP_SHARED);
		ASSERT_NE(MAP_FAILED, page[i]);
	}
	for (i = 0; i < ARRAY_SIZE(page); i++) {
		EXPECT_EQ(page_load(page[31], 0), page_load(page[i], 0));
		if (i < 31) {
			EXPECT_EQ(0, munmap(page[i], PAGE));
		}
	}
	EXPECT_EQ(0, trap_load(page[31]));
}

TEST_F(map, not_writable)
{
	int prots[] = {
		PROT_WRITE, PROT_READ | PROT_WRITE,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(prots); i++) {
		EXPECT_ERRNO(EACCES, map(self->ro, self->offset, PAGE,
					 prots[i], MAP_SHARED));
		EXPECT_ERRNO(EACCES, map(self->rw, self->offset, PAGE,
					 prots[i], MAP_SHARED));
	}
}

TEST_F(map, not_unreadable)
{
	EXPECT_ERRNO(EACCES, map(self->ro, self->offset, PAGE, PROT_NONE,
				 MAP_SHARED));
	EXPECT_ERRNO(EACCES, map(self->rw, self->offset, PAGE, PROT_NONE,
				 MAP_SHARED));
}

/* The node under another mount, with and without noexec. */
static int open_on_mount(const char *dir, unsigned long flags)
{
	char path[64];
	int fd;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return -errno;
	if (mount("devtmpfs", dir, "devtmpfs", flags, NULL))
		return -errno;
	snprintf(path, sizeof(path), "%s/uncore_pmu", dir);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

TEST_F(map, not_executable)
{
	unsigned int i;
	int fd;

	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	for (i = 0; i < 2; i++) {
		int error = i ? EPERM : ENOEXEC;

		fd = open_on_mount("/tmp/dev", i ? MS_NOEXEC : 0);
		ASSERT_LE(0, fd);
		EXPECT_ERRNO(error, map(fd, self->offset, PAGE,
					PROT_READ | PROT_EXEC, MAP_SHARED));
		EXPECT_ERRNO(error, map(fd, self->offset, PAGE, PROT_EXEC,
					MAP_SHARED));
		close(fd);
		ASSERT_EQ(0, umount("/tmp/dev"));
	}
}

/* An old program whose every readable page is executable gets no such page. */
TEST_F(map, not_executable_by_personality)
{
	int fd;

	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	fd = open_on_mount("/tmp/dev", 0);
	ASSERT_LE(0, fd);
	ASSERT_LE(0, personality(READ_IMPLIES_EXEC));
	EXPECT_ERRNO(ENOEXEC, map(fd, self->offset, PAGE, PROT_READ,
				  MAP_SHARED));
	personality(0);
	close(fd);
	umount("/tmp/dev");
}

TEST_F(map, not_private)
{
	EXPECT_ERRNO(EOPNOTSUPP, map(self->ro, self->offset, PAGE, PROT_READ,
				     MAP_PRIVATE));
	EXPECT_ERRNO(EOPNOTSUPP, map(self->rw, self->offset, PAGE, PROT_READ,
				     MAP_PRIVATE));
	/* Copy on write would not ask the descriptor for more than reading. */
	EXPECT_ERRNO(EOPNOTSUPP, map(self->ro, self->offset, PAGE,
				     PROT_READ | PROT_WRITE, MAP_PRIVATE));
	EXPECT_ERRNO(EOPNOTSUPP, map(self->ro, self->offset, PAGE, PROT_READ,
				     MAP_SHARED_VALIDATE | MAP_SYNC));
	EXPECT_NE(MAP_FAILED, map(self->ro, self->offset, PAGE, PROT_READ,
				  MAP_SHARED_VALIDATE));
}

TEST_F(map, length)
{
	static const size_t longer[] = {
		PAGE + 1, 2 * PAGE, 1UL << 20, 1UL << 30,
	};
	unsigned int i;
	char *page;

	for (i = 0; i < ARRAY_SIZE(longer); i++)
		EXPECT_ERRNO(EINVAL, map(self->ro, self->offset, longer[i],
					 PROT_READ, MAP_SHARED));
	EXPECT_ERRNO(EINVAL, map(self->ro, self->offset, 0, PROT_READ,
				 MAP_SHARED));
	/* The kernel rounds up to a page before the module sees it. */
	page = map(self->ro, self->offset, 1, PROT_READ, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(0, trap_load(page + PAGE - 4));
	EXPECT_NE(MAP_FAILED, map(self->ro, self->offset, PAGE - 1, PROT_READ,
				  MAP_SHARED));
}

TEST_F(map, offset)
{
	const struct uncore_pmu_unit *last =
		&self->units.unit[self->units.count - 1];
	uint64_t wrong[] = {
		self->offset + PAGE, self->offset + 0xff000,
		last->mmap_offset + PAGE, last->mmap_offset + (1 << 20),
		1ULL << 40, 1ULL << 62, 1ULL << 63, -2 * PAGE,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_ERRNO(ENXIO, map(self->ro, wrong[i], PAGE, PROT_READ,
					MAP_SHARED));
	/* Not of a page: refused by the kernel or the C library. */
	EXPECT_ERRNO(EINVAL, map(self->ro, self->offset + 4, PAGE, PROT_READ,
				 MAP_SHARED));
}

TEST_F(map, absent_unit)
{
	const struct uncore_pmu_unit *unit =
		units_first(&self->units, UNCORE_PMU_STATE_ABSENT);

	ASSERT_NE(NULL, unit);
	EXPECT_ERRNO(ENOENT, map(self->ro, unit->mmap_offset, PAGE, PROT_READ,
				 MAP_SHARED));
	EXPECT_ERRNO(EINVAL, map(self->ro, unit->mmap_offset, 0, PROT_READ,
				 MAP_SHARED));
}

TEST_F(map, at_a_fixed_address)
{
	char *place = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *page;

	ASSERT_NE(MAP_FAILED, place);
	memset(place, 0x11, 3 * PAGE);
	EXPECT_ERRNO(EEXIST, mmap(place + PAGE, PAGE, PROT_READ,
				  MAP_SHARED | MAP_FIXED_NOREPLACE, self->ro,
				  self->offset));
	page = mmap(place + PAGE, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED,
		    self->ro, self->offset);
	ASSERT_EQ(place + PAGE, page);
	EXPECT_EQ(variant->rdpmc ? 0 : unit_id(&self->unit),
		  page_load(page, 0));
	EXPECT_EQ(0x11, place[PAGE - 1]);
	EXPECT_EQ(0x11, place[2 * PAGE]);

	/* Refused on top of itself too. */
	EXPECT_ERRNO(EINVAL, mmap(place, 2 * PAGE, PROT_READ,
				  MAP_SHARED | MAP_FIXED, self->ro,
				  self->offset));

	/* And away again under another mapping. */
	page = mmap(place, 3 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
		    MAP_FIXED, -1, 0);
	ASSERT_EQ(place, page);
	EXPECT_EQ(0U, page_load(place, PAGE));
}

TEST_F(map, partial_unmap)
{
	char *place = mmap(NULL, 3 * PAGE, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int before = module_references();
	char *page;

	ASSERT_NE(MAP_FAILED, place);
	page = mmap(place + PAGE, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED,
		    self->ro, self->offset);
	ASSERT_EQ(place + PAGE, page);
	EXPECT_ERRNO(EINVAL, munmap(page + 2048, 2048));
	/* Neighbours go, the page stays. */
	EXPECT_EQ(0, munmap(place, PAGE));
	EXPECT_EQ(0, munmap(place + 2 * PAGE, PAGE));
	EXPECT_EQ(0, trap_load(page));
	/* A page is the least that can go. */
	EXPECT_EQ(0, munmap(page, 1));
	EXPECT_EQ(SIGSEGV, trap_load(page));
	EXPECT_EQ(before, module_references());
}

TEST_F(map, wrong_descriptor_kinds)
{
	int fd = open(NODE, O_WRONLY | O_CLOEXEC);

	ASSERT_LE(0, fd);
	EXPECT_ERRNO(EACCES, map(fd, self->offset, PAGE, PROT_READ,
				 MAP_SHARED));
	EXPECT_ERRNO(EACCES, map(fd, self->offset, PAGE, PROT_WRITE,
				 MAP_SHARED));
	close(fd);
}

/* Every unit, whatever its kind, refuses the same things. */
TEST_F(map, every_unit_refuses)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_ERRNO(EACCES, map(self->rw, u->mmap_offset, PAGE,
					 PROT_READ | PROT_WRITE, MAP_SHARED));
		EXPECT_ERRNO(EOPNOTSUPP, map(self->rw, u->mmap_offset, PAGE,
					     PROT_READ, MAP_PRIVATE));
		EXPECT_ERRNO(ENXIO, map(self->rw, u->mmap_offset + PAGE, PAGE,
					PROT_READ, MAP_SHARED));
		if (u->state == UNCORE_PMU_STATE_OK) {
			EXPECT_ERRNO(EINVAL, map(self->rw, u->mmap_offset,
						 2 * PAGE, PROT_READ,
						 MAP_SHARED));
		} else {
			EXPECT_ERRNO(ENOENT, map(self->rw, u->mmap_offset,
						 PAGE, PROT_READ, MAP_SHARED));
		}
	}
}

TEST_HARNESS_MAIN
