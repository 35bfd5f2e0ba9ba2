// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 */
/* The layout of the contract, and what the ioctls refuse. */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "harness.h"

#define AT(type, member, place) \
	_Static_assert(offsetof(struct type, member) == (place), #member)

_Static_assert(sizeof(struct uncore_pmu_info) == 64, "info");
AT(uncore_pmu_info, size, 0);
AT(uncore_pmu_info, flags, 4);
AT(uncore_pmu_info, abi_version, 8);
AT(uncore_pmu_info, num_units, 12);
AT(uncore_pmu_info, features, 16);
AT(uncore_pmu_info, platform, 24);
AT(uncore_pmu_info, generation_length, 56);
AT(uncore_pmu_info, __reserved, 60);

_Static_assert(sizeof(struct uncore_pmu_counter) == 40, "counter");
AT(uncore_pmu_counter, offset, 0);
AT(uncore_pmu_counter, control, 4);
AT(uncore_pmu_counter, enable, 8);
AT(uncore_pmu_counter, scale, 12);
AT(uncore_pmu_counter, width, 16);
AT(uncore_pmu_counter, kind, 18);
AT(uncore_pmu_counter, quantity, 19);
AT(uncore_pmu_counter, __reserved, 20);
AT(uncore_pmu_counter, name, 24);

_Static_assert(sizeof(struct uncore_pmu_unit) == 1392, "unit");
AT(uncore_pmu_unit, size, 0);
AT(uncore_pmu_unit, flags, 4);
AT(uncore_pmu_unit, index, 8);
AT(uncore_pmu_unit, state, 12);
AT(uncore_pmu_unit, reason, 16);
AT(uncore_pmu_unit, access, 20);
AT(uncore_pmu_unit, type, 24);
AT(uncore_pmu_unit, instance, 48);
AT(uncore_pmu_unit, die, 52);
AT(uncore_pmu_unit, socket, 56);
AT(uncore_pmu_unit, numa_node, 60);
AT(uncore_pmu_unit, segment, 64);
AT(uncore_pmu_unit, bus, 68);
AT(uncore_pmu_unit, device, 69);
AT(uncore_pmu_unit, function, 70);
AT(uncore_pmu_unit, ask, 71);
AT(uncore_pmu_unit, pci_vendor, 72);
AT(uncore_pmu_unit, pci_device, 74);
AT(uncore_pmu_unit, unit_control, 76);
AT(uncore_pmu_unit, unit_freeze, 80);
AT(uncore_pmu_unit, num_counters, 84);
AT(uncore_pmu_unit, mmap_offset, 88);
AT(uncore_pmu_unit, mmap_length, 96);
AT(uncore_pmu_unit, counter, 104);
AT(uncore_pmu_unit, config_mask, 1384);

_Static_assert(sizeof(struct uncore_pmu_program) == 40, "program");
AT(uncore_pmu_program, size, 0);
AT(uncore_pmu_program, flags, 4);
AT(uncore_pmu_program, unit, 8);
AT(uncore_pmu_program, kind, 12);
AT(uncore_pmu_program, config, 16);
AT(uncore_pmu_program, counter, 24);
AT(uncore_pmu_program, claim, 28);
AT(uncore_pmu_program, generation, 32);
AT(uncore_pmu_program, via, 36);

_Static_assert(sizeof(struct uncore_pmu_release) == 16, "release");
AT(uncore_pmu_release, size, 0);
AT(uncore_pmu_release, flags, 4);
AT(uncore_pmu_release, claim, 8);
AT(uncore_pmu_release, __reserved, 12);

_Static_assert(sizeof(struct uncore_pmu_status) == 80, "status");
AT(uncore_pmu_status, size, 0);
AT(uncore_pmu_status, flags, 4);
AT(uncore_pmu_status, unit, 8);
AT(uncore_pmu_status, counter, 12);
AT(uncore_pmu_status, state, 16);
AT(uncore_pmu_status, via, 20);
AT(uncore_pmu_status, generation, 24);
AT(uncore_pmu_status, claim, 28);
AT(uncore_pmu_status, config, 32);
AT(uncore_pmu_status, control, 40);
AT(uncore_pmu_status, since, 48);
AT(uncore_pmu_status, pid, 56);
AT(uncore_pmu_status, own, 60);
AT(uncore_pmu_status, comm, 64);

_Static_assert(UNCORE_PMU_INFO == 0xb700, "INFO");
_Static_assert(UNCORE_PMU_UNIT == 0xb701, "UNIT");
_Static_assert(UNCORE_PMU_PROGRAM == 0xb702, "PROGRAM");
_Static_assert(UNCORE_PMU_RELEASE == 0xb703, "RELEASE");
_Static_assert(UNCORE_PMU_STATUS == 0xb704, "STATUS");

/* Every call is tried with all ioctls. */
FIXTURE(call)
{
	int fd;
	/* The structure at the end of a page that an unmapped one follows. */
	char *edge;
	char *at;
};

/*
 * @first: size of the first version of the structure
 * @in: where @word is, how much of the structure is read; the rest is written
 * @word: what is asked for
 * @error: of a call with nothing wrong but that there is no such thing
 */
FIXTURE_VARIANT(call)
{
	unsigned int request;
	uint32_t size;
	uint32_t first;
	uint32_t in;
	uint32_t word[2];
	int error;
};

FIXTURE_VARIANT_ADD(call, info)
{
	.request = UNCORE_PMU_INFO,
	.size = sizeof(struct uncore_pmu_info),
	.first = offsetof(struct uncore_pmu_info, generation_length),
	.in = 8,
};

FIXTURE_VARIANT_ADD(call, unit)
{
	.request = UNCORE_PMU_UNIT,
	.size = sizeof(struct uncore_pmu_unit),
	.first = offsetof(struct uncore_pmu_unit, config_mask),
	.in = 12,
};

FIXTURE_VARIANT_ADD(call, program)
{
	.request = UNCORE_PMU_PROGRAM,
	.size = sizeof(struct uncore_pmu_program),
	.first = sizeof(struct uncore_pmu_program),
	.in = 24,
	.word = { UINT32_MAX, UNCORE_PMU_KIND_GENERAL },
	.error = ENXIO,
};

FIXTURE_VARIANT_ADD(call, release)
{
	.request = UNCORE_PMU_RELEASE,
	.size = sizeof(struct uncore_pmu_release),
	.first = sizeof(struct uncore_pmu_release),
	.in = 16,
	.word = { UINT32_MAX, 0 },
	.error = ENOENT,
};

FIXTURE_VARIANT_ADD(call, status)
{
	.request = UNCORE_PMU_STATUS,
	.size = sizeof(struct uncore_pmu_status),
	.first = sizeof(struct uncore_pmu_status),
	.in = 16,
};

FIXTURE_SETUP(call)
{
	self->fd = node_open(O_RDWR);
	ASSERT_LE(0, self->fd);
	self->edge = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->edge);
	self->edge += 2 * PAGE;
	ASSERT_EQ(0, mprotect(self->edge, PAGE, PROT_NONE));
	self->at = self->edge - variant->size;
}

FIXTURE_TEARDOWN(call)
{
	munmap(self->edge - 2 * PAGE, 3 * PAGE);
	close(self->fd);
}

/* @word: behind size and flags, which all structures begin with */
static void prepare(char *at, uint32_t size, const uint32_t word[2])
{
	memset(at, 0, size);
	memcpy(at, &size, sizeof(size));
	memcpy(at + 8, word, 2 * sizeof(*word));
}

/* 0 or -errno */
static int call(int fd, unsigned int request, void *at)
{
	return ioctl(fd, request, at) ? -errno : 0;
}

TEST_F(call, exact_size)
{
	char *aside = self->edge - variant->size - 3;

	prepare(self->at, variant->size, variant->word);
	ASSERT_EQ(-variant->error, call(self->fd, variant->request, self->at));
	EXPECT_EQ(0, memcmp(self->at, &variant->size, 4));

	/* At an odd address too. */
	prepare(aside, variant->size, variant->word);
	EXPECT_EQ(-variant->error, call(self->fd, variant->request, aside));
}

TEST_F(call, too_short)
{
	uint32_t size;

	for (size = 0; size < variant->first; size++) {
		prepare(self->at, variant->size, variant->word);
		memcpy(self->at, &size, sizeof(size));
		EXPECT_ERRNO(EINVAL, ioctl(self->fd, variant->request,
					   self->at));
	}
	/* Nothing was written back. */
	prepare(self->at, variant->size, variant->word);
	size = variant->first - 1;
	memcpy(self->at, &size, sizeof(size));
	EXPECT_ERRNO(EINVAL, ioctl(self->fd, variant->request, self->at));
	for (size = 16; size < variant->first; size++) {
		EXPECT_EQ(0, self->at[size]);
	}
}

/* A program that was compiled with the first version. */
TEST_F(call, first_version)
{
	uint32_t n;

	prepare(self->at, variant->size, variant->word);
	memcpy(self->at, &variant->first, sizeof(variant->first));
	memset(self->at + variant->first, 0x55, variant->size - variant->first);
	EXPECT_EQ(-variant->error, call(self->fd, variant->request, self->at));
	for (n = variant->first; n < variant->size; n++) {
		EXPECT_EQ(0x55, self->at[n]);
	}
}

TEST_F(call, longer)
{
	static const uint32_t excess[] = { 1, 4, 8, 512, 2048 };
	uint32_t size;
	unsigned int i;
	char *at;

	for (i = 0; i < ARRAY_SIZE(excess); i++) {
		size = variant->size + excess[i];
		at = self->edge - size;
		prepare(at, size, variant->word);
		EXPECT_EQ(-variant->error,
			  call(self->fd, variant->request, at));
		/* What the kernel does not know it leaves alone. */
		for (uint32_t n = variant->size; n < size; n++) {
			EXPECT_EQ(0, at[n]);
		}

		prepare(at, size, variant->word);
		at[size - 1] = 1;
		EXPECT_ERRNO(E2BIG, ioctl(self->fd, variant->request, at));
		prepare(at, size, variant->word);
		at[variant->size] = 0x80;
		EXPECT_ERRNO(E2BIG, ioctl(self->fd, variant->request, at));
	}
}

/* No structure will ever be longer than a page. */
TEST_F(call, larger_than_a_page)
{
	static const uint32_t sizes[] = { PAGE + 1, 2 * PAGE, UINT32_MAX };
	char *at = self->edge - 2 * PAGE;
	unsigned int i;

	prepare(at, PAGE, variant->word);
	EXPECT_EQ(-variant->error, call(self->fd, variant->request, at));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		prepare(at, 2 * PAGE, variant->word);
		memcpy(at, &sizes[i], sizeof(sizes[i]));
		EXPECT_ERRNO(E2BIG, ioctl(self->fd, variant->request, at));
	}
}

TEST_F(call, unknown_flags)
{
	uint32_t flags;
	int bit;

	for (bit = 0; bit < 32; bit++) {
		flags = 1U << bit;
		prepare(self->at, variant->size, variant->word);
		memcpy(self->at + 4, &flags, sizeof(flags));
		EXPECT_ERRNO(EINVAL, ioctl(self->fd, variant->request,
					   self->at));
	}
}

TEST_F(call, bad_pointers)
{
	uint32_t left;

	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->request, NULL));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->request, (void *)-8L));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->request,
				   (void *)0xffff888000000000UL));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->request,
				   (void *)0x7ffffffff000UL));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->request, self->edge));

	/* The page ends inside the structure. */
	prepare(self->at, variant->size, variant->word);
	for (left = 1; left < variant->size; left++) {
		char *at = self->edge - left;

		memmove(at, self->at, left);
		EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->request, at));
		prepare(self->at, variant->size, variant->word);
	}
}

TEST_F(call, read_only_memory)
{
	prepare(self->at, variant->size, variant->word);
	ASSERT_EQ(0, mprotect(self->edge - PAGE, PAGE, PROT_READ));
	EXPECT_ERRNO(variant->error ?: EFAULT,
		     ioctl(self->fd, variant->request, self->at));
}

TEST_F(call, old_content_does_not_matter)
{
	char *other = self->edge - 2 * PAGE;

	prepare(self->at, variant->size, variant->word);
	prepare(other, variant->size, variant->word);
	memset(other + variant->in, 0xff, variant->size - variant->in);
	ASSERT_EQ(-variant->error, call(self->fd, variant->request, self->at));
	ASSERT_EQ(-variant->error, call(self->fd, variant->request, other));
	if (!variant->error) {
		EXPECT_EQ(0, memcmp(self->at, other, variant->size));
	}
}

/* A 32-bit program enters through another door, with the same layout. */
static long ioctl_compat(int fd, unsigned int request, void *arg)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(54L), "b"((long)fd), "c"((long)request),
			   "d"(arg)
			 : "r8", "r9", "r10", "r11", "memory");
	return result;
}

TEST_F(call, compat)
{
	char *low = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	ASSERT_NE(MAP_FAILED, low);
	prepare(self->at, variant->size, variant->word);
	prepare(low, variant->size, variant->word);
	ASSERT_EQ(-variant->error, call(self->fd, variant->request, self->at));
	ASSERT_EQ((long)-variant->error,
		  ioctl_compat(self->fd, variant->request, low));
	EXPECT_EQ(0, memcmp(self->at, low, variant->size));
	EXPECT_EQ((long)-ENOTTY, ioctl_compat(self->fd, 0xb705, low));
}

TEST(unknown_ioctl)
{
	char space[2 * PAGE] = { 0 };
	int fd = node_open(O_RDWR);
	unsigned int nr;

	ASSERT_LE(0, fd);
	for (nr = 5; nr < 256; nr++)
		EXPECT_ERRNO(ENOTTY, ioctl(fd, _IO(UNCORE_PMU_IOCTL_TYPE, nr),
					   space));
	for (nr = 0; nr < 256; nr++) {
		if (nr == UNCORE_PMU_IOCTL_TYPE)
			continue;
		/* 'f' 0 and so on are answered before the module is asked. */
		EXPECT_ERRNO(ENOTTY, ioctl(fd, _IO(nr, 0xf0), space));
	}
	EXPECT_ERRNO(ENOTTY, ioctl(fd, _IOWR(UNCORE_PMU_IOCTL_TYPE, 0, int),
				   space));
	EXPECT_ERRNO(ENOTTY, ioctl(fd, _IOR(UNCORE_PMU_IOCTL_TYPE, 1, char),
				   space));
	close(fd);
}

TEST(index_out_of_range)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct uncore_pmu_unit unit;
	int fd = node_open(O_RDONLY);
	uint64_t index;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(fd, UNCORE_PMU_INFO, &info));
	ASSERT_LT(0U, info.num_units);
	EXPECT_EQ(0, unit_describe(fd, info.num_units - 1, &unit));
	EXPECT_EQ(-ENXIO, unit_describe(fd, info.num_units, &unit));
	for (index = 1; index <= UINT32_MAX; index <<= 1)
		if (index > info.num_units) {
			EXPECT_EQ(-ENXIO, unit_describe(fd, index, &unit));
		}
	EXPECT_EQ(-ENXIO, unit_describe(fd, UINT32_MAX, &unit));
	close(fd);
}

TEST(info)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	int fd = node_open(O_RDONLY);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(fd, UNCORE_PMU_INFO, &info));
	EXPECT_EQ((uint32_t)UNCORE_PMU_ABI_VERSION, info.abi_version);
	EXPECT_EQ(0U, info.flags);
	EXPECT_EQ((uint64_t)UNCORE_PMU_FEATURE_PROGRAM, info.features);
	EXPECT_EQ(0U, info.__reserved);
	EXPECT_LT(0U, info.num_units);
	EXPECT_STREQ("haswell-ep", info.platform);
	close(fd);
}

TEST(descriptor_modes)
{
	static const int modes[] = { O_RDONLY, O_WRONLY, O_RDWR };
	struct uncore_pmu_unit unit;
	unsigned int i;
	void *page;
	int fd;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		fd = node_open(modes[i]);
		ASSERT_LE(0, fd);
		EXPECT_EQ(0, unit_describe(fd, 0, &unit));
		page = rdpmc_map(fd);
		if (modes[i] == O_WRONLY) {
			EXPECT_EQ(MAP_FAILED, page);
			EXPECT_EQ(EACCES, errno);
		} else {
			EXPECT_NE(MAP_FAILED, page);
		}
		close(fd);
	}

	/* A path descriptor is no open file. */
	fd = node_open(O_PATH);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBADF, unit_describe(fd, 0, &unit));
	close(fd);
}

TEST(no_stream)
{
	char byte = 0;
	int fd = node_open(O_RDWR);

	ASSERT_LE(0, fd);
	EXPECT_ERRNO(EINVAL, read(fd, &byte, 1));
	EXPECT_ERRNO(EINVAL, write(fd, &byte, 1));
	close(fd);
}

TEST_HARNESS_MAIN
