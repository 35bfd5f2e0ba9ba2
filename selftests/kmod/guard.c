// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 */
/* A mapping stays what it is: no later call makes it writable or larger. */
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "harness.h"

FIXTURE(guard)
{
	int fd;
	char *page;
	uint32_t first;
};

FIXTURE_VARIANT(guard)
{
	int mode;
	bool rdpmc;
};

FIXTURE_VARIANT_ADD(guard, read_only)
{
	.mode = O_RDONLY,
};

FIXTURE_VARIANT_ADD(guard, read_write)
{
	.mode = O_RDWR,
};

FIXTURE_VARIANT_ADD(guard, rdpmc)
{
	.mode = O_RDWR,
	.rdpmc = true,
};

FIXTURE_SETUP(guard)
{
	const struct uncore_pmu_unit *unit;
	struct units units;

	self->fd = node_open(variant->mode);
	ASSERT_LE(0, self->fd);
	units = units_get(self->fd);
	unit = units_first(&units, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	self->page = variant->rdpmc ? rdpmc_map(self->fd) :
				      unit_map(self->fd, unit);
	ASSERT_NE(MAP_FAILED, self->page);
	self->first = variant->rdpmc ? 0 : unit_id(unit);
	units_free(&units);
}

FIXTURE_TEARDOWN(guard)
{
	/* Whatever was tried, the page is as it was. */
	EXPECT_EQ(self->first, page_load(self->page, 0));
	EXPECT_EQ(SIGSEGV, trap_store(self->page));
	EXPECT_EQ(0, munmap(self->page, PAGE));
	EXPECT_EQ(SIGSEGV, trap_load(self->page));
	close(self->fd);
}

TEST_F(guard, mprotect)
{
	static const int prots[] = {
		PROT_WRITE, PROT_EXEC, PROT_READ | PROT_WRITE,
		PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE | PROT_EXEC,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(prots); i++)
		EXPECT_ERRNO(EACCES, mprotect(self->page, PAGE, prots[i]));
	/* Less is allowed, and so is what was there before. */
	EXPECT_EQ(0, mprotect(self->page, PAGE, PROT_NONE));
	EXPECT_EQ(SIGSEGV, trap_load(self->page));
	for (i = 0; i < ARRAY_SIZE(prots); i++)
		EXPECT_ERRNO(EACCES, mprotect(self->page, PAGE, prots[i]));
	EXPECT_EQ(0, mprotect(self->page, PAGE, PROT_READ));
	EXPECT_EQ(0, trap_load(self->page));
}

TEST_F(guard, proc_mem)
{
	uint32_t value = ~self->first;
	int mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	uint32_t offset;

	ASSERT_LE(0, mem);
	for (offset = 0; offset < PAGE; offset += 4) {
		uint32_t before = page_load(self->page, offset);

		value = ~before;
		EXPECT_ERRNO(EIO, pwrite(mem, &value, 4,
					 (off_t)(self->page + offset)));
		EXPECT_EQ(before, page_load(self->page, offset));
	}
	close(mem);
}

TEST_F(guard, process_vm_writev)
{
	uint32_t value = ~self->first;
	struct iovec local = { .iov_base = &value, .iov_len = 4 };
	struct iovec remote = { .iov_base = self->page, .iov_len = 4 };

	EXPECT_ERRNO(EFAULT, process_vm_writev(getpid(), &local, 1, &remote, 1,
					       0));
}

static int traced(int sock, void *arg)
{
	uint32_t first = page_load(arg, 0);

	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		return 1;
	say(sock, 1);
	raise(SIGSTOP);
	return page_load(arg, 0) == first ? 0 : 2;
}

TEST_F(guard, ptrace)
{
	struct child child;
	int status;

	ASSERT_EQ(0, child_start(&child, traced, self->page));
	ASSERT_EQ(1, heard(child.sock));
	ASSERT_EQ(child.pid, waitpid(child.pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	EXPECT_ERRNO(EIO, ptrace(PTRACE_POKEDATA, child.pid, self->page,
				 0x5a5a5a5a5a5a5a5aUL));
	EXPECT_ERRNO(EIO, ptrace(PTRACE_POKETEXT, child.pid, self->page + 0xa0,
				 0x5a5a5a5a5a5a5a5aUL));
	ASSERT_EQ(0, ptrace(PTRACE_CONT, child.pid, 0, 0));
	EXPECT_EQ(0, child_wait(&child));
}

/* The kernel as the one who writes. */
TEST_F(guard, read_into_it)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	ASSERT_LE(0, zero);
	ASSERT_LE(0, file);
	EXPECT_ERRNO(EFAULT, read(zero, self->page, 4));
	EXPECT_ERRNO(EFAULT, read(file, self->page, PAGE));
	close(zero);
	close(file);
}

TEST_F(guard, mremap_grows_not)
{
	EXPECT_ERRNO(EFAULT, mremap(self->page, PAGE, 2 * PAGE, 0));
	EXPECT_ERRNO(EFAULT, mremap(self->page, PAGE, 2 * PAGE,
				    MREMAP_MAYMOVE));
	EXPECT_ERRNO(EFAULT, mremap(self->page, PAGE, 1UL << 30,
				    MREMAP_MAYMOVE));
	/* Old length 0 would be a second mapping. */
	EXPECT_ERRNO(EFAULT, mremap(self->page, 0, PAGE, MREMAP_MAYMOVE));
	EXPECT_ERRNO(EINVAL, mremap(self->page, PAGE, PAGE,
				    MREMAP_MAYMOVE | MREMAP_DONTUNMAP));
}

TEST_F(guard, mremap_moves)
{
	int before = module_references();
	char *place = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	int i;

	ASSERT_NE(MAP_FAILED, place);
	for (i = 0; i < 100; i++) {
		char *old = self->page;

		self->page = mremap(old, PAGE, PAGE,
				    MREMAP_MAYMOVE | MREMAP_FIXED, place);
		ASSERT_EQ(place, self->page);
		EXPECT_EQ(self->first, page_load(self->page, 0));
		EXPECT_EQ(SIGSEGV, trap_load(old));
		EXPECT_ERRNO(EACCES, mprotect(self->page, PAGE,
					      PROT_READ | PROT_WRITE));
		place = old;
	}
	EXPECT_EQ(before, module_references());
	EXPECT_EQ(rdpmc_granted(), trap_rdpmc());
}

TEST_F(guard, madvise)
{
	EXPECT_ERRNO(EINVAL, madvise(self->page, PAGE, MADV_DONTNEED));
	EXPECT_ERRNO(EINVAL, madvise(self->page, PAGE, MADV_FREE));
	EXPECT_ERRNO(EACCES, madvise(self->page, PAGE, MADV_REMOVE));
	EXPECT_ERRNO(EINVAL, madvise(self->page, PAGE, MADV_DODUMP));
	EXPECT_ERRNO(EINVAL, madvise(self->page, PAGE, MADV_WIPEONFORK));
}

static bool has_flag(const char *flags, const char *flag)
{
	char padded[8];

	snprintf(padded, sizeof(padded), " %s ", flag);
	return strstr(flags, padded);
}

/* The line VmFlags of the mapping at an address, with a space at both ends. */
static int vm_flags(const char *at, char *flags, size_t size)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");
	unsigned long start, end;
	bool ours = false;
	char line[512];

	if (!smaps)
		return -errno;
	flags[0] = 0;
	while (!flags[0] && fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			ours = start == (unsigned long)at;
		else if (ours && !strncmp(line, "VmFlags:", 8))
			snprintf(flags, size, "%.*s ",
				 (int)strcspn(line + 8, "\n"), line + 8);
	}
	fclose(smaps);
	return flags[0] ? 0 : -ENOENT;
}

TEST_F(guard, vm_flags)
{
	/* Not "sh": the kernel drops it where the descriptor is read-only. */
	static const char *const set[] = { "rd", "mr", "ms", "io", "pf", "de", "dd" };
	static const char *const clear[] = { "wr", "ex", "mw", "me" };
	char flags[512];
	unsigned int i;

	ASSERT_EQ(0, vm_flags(self->page, flags, sizeof(flags)));
	for (i = 0; i < ARRAY_SIZE(set); i++) {
		EXPECT_TRUE(has_flag(flags, set[i]))
			TH_LOG("%s is missing in%s", set[i], flags);
	}
	for (i = 0; i < ARRAY_SIZE(clear); i++) {
		EXPECT_FALSE(has_flag(flags, clear[i]))
			TH_LOG("%s is set in%s", clear[i], flags);
	}
}

TEST_HARNESS_MAIN
