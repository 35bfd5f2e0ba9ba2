// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* The registers of the emulated PMU: what WRMSR writes, RDPMC shows. */
#include <fcntl.h>
#include <stdio.h>

#include "opmu_check.h"

#define IA32_PMC0		0xc1
#define IA32_PERFEVTSEL0	0x186
#define IA32_FIXED_CTR0		0x309
#define IA32_FIXED_CTR_CTRL	0x38d
#define IA32_GLOBAL_STATUS	0x38e
#define IA32_GLOBAL_CTRL	0x38f
#define IA32_GLOBAL_OVF_CTRL	0x390

#define AMD_LEGACY_CTL0		0xc0010000
#define AMD_LEGACY_CTR0		0xc0010004
#define AMD_CTL0		0xc0010200
#define AMD_CTR0		0xc0010201
#define AMD_L3_CTR0		0xc0010231
#define AMD_DF_CTR0		0xc0010241

/* Event select: instructions, enabled, for one privilege level or both. */
#define COUNT_USER	0x4100c0
#define COUNT_OS	0x4200c0
#define COUNT_BOTH	0x4300c0

FIXTURE(registers)
{
	int msr;
	bool amd;
	struct pmu_shape shape;
	uint64_t mask;
	uint32_t select0, counter0;
};

FIXTURE_SETUP(registers)
{
	static const char *const modprobe[] = { "modprobe", "msr", NULL };

	self->amd = is_amd();
	self->shape = pmu_shape();
	self->mask = UINT64_MAX >> (64 - self->shape.width);
	self->select0 = self->amd ? AMD_CTL0 : IA32_PERFEVTSEL0;
	self->counter0 = self->amd ? AMD_CTR0 : IA32_PMC0;
	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, run(modprobe));
	self->msr = open("/dev/cpu/0/msr", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->msr);
	/* It would hold a counter. */
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "2"));
}

FIXTURE_TEARDOWN(registers)
{
	EXPECT_EQ(0, file_write(RDPMC_POLICY, "1"));
	close(self->msr);
}

static bool msr_write(int fd, uint32_t msr, uint64_t value)
{
	return pwrite(fd, &value, sizeof(value), msr) == sizeof(value);
}

/* UINT64_MAX, which no register here holds, on failure. */
static uint64_t msr_read(int fd, uint32_t msr)
{
	uint64_t value;

	return pread(fd, &value, sizeof(value), msr) == sizeof(value) ?
		       value : UINT64_MAX;
}

struct bank {
	uint32_t msr, step, index;
	unsigned int n;
	uint64_t written, expected;
};

/* Which counter of the bank does not keep what is written to it; -1 if none. */
static int bank_check(int fd, const struct bank *bank)
{
	unsigned int i;

	for (i = 0; i < bank->n; i++)
		if (!msr_write(fd, bank->msr + i * bank->step,
			       bank->written + i))
			return i;
	for (i = 0; i < bank->n; i++)
		if (rdpmc(bank->index + i) != bank->expected + i ||
		    msr_read(fd, bank->msr + i * bank->step) !=
			    bank->expected + i)
			return i;
	return -1;
}

TEST_F(registers, rdpmc_shows_what_was_written)
{
	const struct pmu_shape *shape = &self->shape;
	const uint64_t wide = 0xa5b6c7d8e900, narrow = 0x12345600;
	const uint64_t negative = 0x80000000;
	const struct bank intel[] = {
		{ IA32_PMC0, 1, 0, shape->general, narrow, narrow },
		{ IA32_PMC0, 1, 0, shape->general, negative,
		  -negative & self->mask },
		{ IA32_FIXED_CTR0, 1, INDEX_FIXED, shape->fixed, wide,
		  wide & self->mask },
	};
	const struct bank amd[] = {
		{ AMD_CTR0, 2, 0, 6, wide, wide },
		{ AMD_LEGACY_CTR0, 1, 0, 4, narrow, narrow },
		{ AMD_DF_CTR0, 2, INDEX_DF, 4, wide + 0x10, wide + 0x10 },
		{ AMD_L3_CTR0, 2, INDEX_L3, 6, wide + 0x20, wide + 0x20 },
	};
	unsigned int i;

	for (i = 0; i < (self->amd ? ARRAY_SIZE(amd) : ARRAY_SIZE(intel)); i++)
		EXPECT_EQ(-1, bank_check(self->msr,
					 self->amd ? &amd[i] : &intel[i]))
			TH_LOG("bank %u", i);
}

TEST_F(registers, no_rdpmc_without_a_counter)
{
	const uint32_t intel[] = {
		self->shape.general, INDEX_FIXED + self->shape.fixed,
		0x20000000, 0x80000000, 0xc0000000, 0xffffffff,
	};
	const uint32_t amd[] = {
		16, 17, INDEX_FIXED, 0x80000000, 0xffffffff,
	};
	uint32_t index;
	unsigned int i;

	for (i = 0; i < (self->amd ? ARRAY_SIZE(amd) : ARRAY_SIZE(intel));
	     i++) {
		index = self->amd ? amd[i] : intel[i];
		EXPECT_EQ(128 + SIGSEGV, child_run(rdpmc_of, &index))
			TH_LOG("index %#x", index);
	}
}

/*
 * A loop at user level, counted at one level. The least of some runs, for the
 * counter runs on when the kernel lets others have the CPU meanwhile.
 */
static uint64_t least_count(int msr, uint32_t select, uint32_t counter,
			    uint64_t event)
{
	uint64_t least = UINT64_MAX, count;
	int i;

	for (i = 0; i < 10; i++) {
		if (!msr_write(msr, counter, 0) ||
		    !msr_write(msr, select, event))
			return UINT64_MAX;
		spin(1000000);
		msr_write(msr, select, 0);
		count = rdpmc(0);
		if (count < least)
			least = count;
	}
	return least;
}

TEST_F(registers, privilege_levels)
{
	uint64_t user, os, both;

	if (!self->amd)
		ASSERT_TRUE(msr_write(self->msr, IA32_GLOBAL_CTRL, 1));
	user = least_count(self->msr, self->select0, self->counter0, COUNT_USER);
	os = least_count(self->msr, self->select0, self->counter0, COUNT_OS);
	both = least_count(self->msr, self->select0, self->counter0, COUNT_BOTH);
	/* The calls that start and stop the counter are all that OS sees. */
	EXPECT_LT(0, os);
	EXPECT_LT(4 * os, user);
	EXPECT_LT(4 * os, both);
}

TEST_F(registers, wraps_at_its_width)
{
	const uint64_t start = -256ULL & self->mask;

	/* Intel's general counters take 32 bits and extend their sign. */
	ASSERT_TRUE(msr_write(self->msr, self->counter0,
			      self->amd ? start : (uint32_t)start));
	ASSERT_EQ(start, rdpmc(0));
	if (!self->amd) {
		ASSERT_TRUE(msr_write(self->msr, IA32_GLOBAL_CTRL, 1));
		ASSERT_TRUE(msr_write(self->msr, IA32_GLOBAL_OVF_CTRL, 1));
		ASSERT_EQ(0, msr_read(self->msr, IA32_GLOBAL_STATUS) & 1);
	}
	ASSERT_TRUE(msr_write(self->msr, self->select0, COUNT_BOTH));
	spin(1000);
	ASSERT_TRUE(msr_write(self->msr, self->select0, 0));
	EXPECT_LT(0, rdpmc(0));
	EXPECT_GT(self->mask / 2, rdpmc(0));
	if (self->amd)
		return;
	EXPECT_EQ(1, msr_read(self->msr, IA32_GLOBAL_STATUS) & 1);
	EXPECT_TRUE(msr_write(self->msr, IA32_GLOBAL_OVF_CTRL, 1));
	EXPECT_EQ(0, msr_read(self->msr, IA32_GLOBAL_STATUS) & 1);
}

TEST_F(registers, reserved_bits_are_refused)
{
	uint64_t general = (1ULL << self->shape.general) - 1;

	if (self->amd)
		SKIP(return, "Intel only");
	EXPECT_FALSE(msr_write(self->msr, IA32_GLOBAL_STATUS, 0));
	EXPECT_FALSE(msr_write(self->msr, IA32_PERFEVTSEL0, 1ULL << 21));
	EXPECT_FALSE(msr_write(self->msr, IA32_PERFEVTSEL0, 1ULL << 32));
	EXPECT_FALSE(msr_write(self->msr, IA32_FIXED_CTR_CTRL, 4));
	EXPECT_FALSE(msr_write(self->msr, IA32_GLOBAL_CTRL, general + 1));
	EXPECT_TRUE(msr_write(self->msr, IA32_GLOBAL_CTRL, general));
}

static int package_of(int cpu)
{
	char path[96];
	int package = -1;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
		 cpu);
	file_read_int(path, &package);
	return package;
}

/* A die's vCPUs share its data fabric and L3 counters, and only those. */
TEST_F(registers, shared_by_the_package)
{
	bool same;

	if (!self->amd)
		SKIP(return, "AMD only");
	if (cpu_count() < 2)
		SKIP(return, "one CPU");
	same = package_of(0) == package_of(1);
	ASSERT_TRUE(msr_write(self->msr, AMD_CTR0, 0x111100));
	ASSERT_TRUE(msr_write(self->msr, AMD_DF_CTR0, 0x222200));
	ASSERT_TRUE(msr_write(self->msr, AMD_L3_CTR0, 0x333300));
	ASSERT_EQ(0, pin_to(1));
	EXPECT_NE(0x111100, rdpmc(0));
	EXPECT_EQ(same, rdpmc(INDEX_DF) == 0x222200);
	EXPECT_EQ(same, rdpmc(INDEX_L3) == 0x333300);
}

/*
 * The kernel's uncore driver and RDPMC see the same counter: what one sees
 * pass between two looks of the other is never more than the other sees.
 */
static int driver_agrees(const char *pmu, uint64_t config, uint32_t first,
			 unsigned int n)
{
	uint64_t outer[2], inner[2];
	uint32_t index;
	char path[96];
	int fd, type;

	snprintf(path, sizeof(path), PMU_DIR "%s/type", pmu);
	if (file_read_int(path, &type))
		return -ENOENT;
	fd = perf_open(type, config, -1, 0, false);
	if (fd < 0)
		return -errno;
	index = running_counter(first, n);
	if (index == first + n) {
		close(fd);
		return -ESRCH;
	}
	outer[0] = perf_read(fd);
	inner[0] = rdpmc(index);
	spin(100000);
	inner[0] = rdpmc(index) - inner[0];
	outer[0] = perf_read(fd) - outer[0];

	outer[1] = rdpmc(index);
	inner[1] = perf_read(fd);
	spin(100000);
	inner[1] = perf_read(fd) - inner[1];
	outer[1] = rdpmc(index) - outer[1];
	close(fd);
	return inner[0] && inner[0] <= outer[0] &&
	       inner[1] && inner[1] <= outer[1] ? 0 : -ERANGE;
}

TEST_F(registers, uncore_drivers_agree)
{
	if (!self->amd)
		SKIP(return, "AMD only");
	EXPECT_EQ(0, driver_agrees("amd_df", 0x0338, INDEX_DF, 4));
	EXPECT_EQ(0, driver_agrees("amd_l3", 0xff04, INDEX_L3, 6));
}

TEST_HARNESS_MAIN
