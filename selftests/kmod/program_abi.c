// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 */
/*
 * What programming, releasing and asking refuse, and with which errno; that the
 * table of generations is mapped by the rules. Sizes and pointers are in abi.c.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "claims.h"
#include "harness.h"

FIXTURE(program_abi)
{
	struct rig rig;
	int ro;
	const struct uncore_pmu_unit *imc;
	const struct uncore_pmu_unit *ha;
	const struct uncore_pmu_unit *absent;
	uint32_t *registers;
};

FIXTURE_SETUP(program_abi)
{
	ASSERT_EQ(0, rig_open(&self->rig));
	self->ro = node_open(O_RDONLY);
	ASSERT_LE(0, self->ro);
	self->imc = rig_unit(&self->rig, "imc", 0, 0);
	self->ha = rig_unit(&self->rig, "ha", 0, 0);
	self->absent = units_first(&self->rig.units, UNCORE_PMU_STATE_ABSENT);
	ASSERT_NE(NULL, self->imc);
	ASSERT_NE(NULL, self->ha);
	ASSERT_NE(NULL, self->absent);
	self->registers = registers_save(&self->rig);
	ASSERT_NE(NULL, self->registers);
}

FIXTURE_TEARDOWN(program_abi)
{
	free(self->registers);
	close(self->ro);
	rig_close(&self->rig);
}

/* In all cases of refusal nothing is claimed, and nothing written. */
static void expect_untouched(struct __test_metadata *_metadata,
			     FIXTURE_DATA(program_abi) *self)
{
	unsigned int i, n;

	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
	for (i = 0; i < self->rig.units.count; i++) {
		const struct uncore_pmu_unit *u = &self->rig.units.unit[i];

		for (n = 0; self->rig.page[i] && n < u->num_counters; n++) {
			EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
				  counter_state(self->ro, i, n)) ABOUT(u);
		}
	}
}

TEST_F(program_abi, needs_a_descriptor_for_writing)
{
	uint32_t imc = self->imc->index;

	EXPECT_EQ(-EBADF, claim(self->ro, imc, 0x304, NULL));
	EXPECT_EQ(-EBADF, claim_fixed(self->ro, imc, NULL));
	EXPECT_EQ(-EBADF, claim_release(self->ro, 1));
	/* That comes before anything about the unit or the event. */
	EXPECT_EQ(-EBADF, claim(self->ro, UINT32_MAX, 0x304, NULL));
	EXPECT_EQ(-EBADF, claim(self->ro, self->absent->index, 0x304, NULL));
	EXPECT_EQ(-EBADF, claim(self->ro, imc, ~0ULL, NULL));
	expect_untouched(_metadata, self);
}

TEST_F(program_abi, a_descriptor_for_writing_alone_is_enough)
{
	struct uncore_pmu_status status;
	struct uncore_pmu_program p;
	int fd = node_open(O_WRONLY);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, claim(fd, self->imc->index, 0x304, &p));
	ASSERT_EQ(0, counter_status(fd, p.unit, p.counter, &status));
	EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_CLAIMED, status.state);
	EXPECT_EQ(1U, status.own);
	EXPECT_EQ(0, claim_release(fd, p.claim));
	close(fd);
}

TEST_F(program_abi, no_such_unit)
{
	uint64_t index;

	for (index = self->rig.units.count; index <= UINT32_MAX;
	     index = index * 2 + 1) {
		EXPECT_EQ(-ENXIO, claim(self->rig.fd, index, 0x304, NULL));
		EXPECT_EQ(-ENXIO, claim_fixed(self->rig.fd, index, NULL));
		EXPECT_EQ(-ENXIO, counter_state(self->ro, index, 0));
	}
	EXPECT_EQ(-ENXIO, claim(self->rig.fd, UINT32_MAX, 0x304, NULL));
	EXPECT_EQ(-ENXIO, counter_state(self->ro, UINT32_MAX, 0));
}

TEST_F(program_abi, no_such_counter)
{
	uint64_t n;

	for (n = self->imc->num_counters; n <= UINT32_MAX; n = n * 2 + 1)
		EXPECT_EQ(-ENXIO,
			  counter_state(self->ro, self->imc->index, n));
	EXPECT_EQ(-ENXIO,
		  counter_state(self->ro, self->imc->index, UINT32_MAX));
}

TEST_F(program_abi, absent_unit)
{
	uint32_t absent = self->absent->index;

	EXPECT_EQ(-ENOENT, claim(self->rig.fd, absent, 0x304, NULL));
	EXPECT_EQ(-ENOENT, counter_state(self->ro, absent, 0));
}

/* A function that does not answer cannot be trusted, until it does again. */
TEST_F(program_abi, invalid_unit)
{
	struct sim_addr addr = unit_addr(self->ha);
	uint32_t ha = self->ha->index;
	struct uncore_pmu_program p;

	ASSERT_EQ(0, sim_hide(self->rig.sim, addr, true));
	EXPECT_EQ(-EIO, claim(self->rig.fd, ha, 0x304, NULL));
	EXPECT_EQ(-EIO, counter_state(self->ro, ha, 0));
	ASSERT_EQ(0, sim_hide(self->rig.sim, addr, false));
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE, counter_state(self->ro, ha, 0));
	ASSERT_EQ(0, claim(self->rig.fd, ha, 0x304, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

TEST_F(program_abi, each_bit_outside_of_the_mask)
{
	unsigned int i, bit;

	for (i = 0; i < self->rig.units.count; i++) {
		const struct uncore_pmu_unit *u = &self->rig.units.unit[i];

		for (bit = 0; self->rig.page[i] && bit < 64; bit++) {
			if (u->config_mask >> bit & 1)
				continue;
			EXPECT_EQ(-EINVAL, claim(self->rig.fd, i, 1ULL << bit,
						 NULL)) {
				TH_LOG("%s bit %u", unit_name(u), bit);
			}
			EXPECT_EQ(-EINVAL, claim(self->rig.fd, i,
						 0x304 | 1ULL << bit, NULL)) {
				TH_LOG("%s bit %u", unit_name(u), bit);
			}
		}
	}
	expect_untouched(_metadata, self);
}

/* Event, umask, edge, event extension, invert, threshold; nothing else. */
TEST_F(program_abi, mask)
{
	unsigned int i;

	for (i = 0; i < self->rig.units.count; i++) {
		const struct uncore_pmu_unit *u = &self->rig.units.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		EXPECT_EQ(0xff84ffffULL, u->config_mask & ~(1ULL << 21))
			ABOUT(u);
		/* perf knows the extension for this type alone. */
		EXPECT_EQ(!strcmp(u->type, "qpi"), u->config_mask >> 21 & 1)
			ABOUT(u);
	}
}

static int program_kind(int fd, uint32_t unit, uint32_t kind, uint64_t config)
{
	struct uncore_pmu_program arg = {
		.size = sizeof(arg), .unit = unit, .kind = kind,
		.config = config,
	};

	return ioctl(fd, UNCORE_PMU_PROGRAM, &arg) ? -errno : 0;
}

TEST_F(program_abi, kinds)
{
	uint32_t imc = self->imc->index;
	uint32_t ha = self->ha->index;
	int bit;

	EXPECT_EQ(-EINVAL, program_kind(self->rig.fd, imc, 0, 0x304));
	for (bit = 0; bit < 32; bit++)
		if (bit > 1)
			EXPECT_EQ(-EINVAL, program_kind(self->rig.fd, imc,
							1U << bit, 0));
	EXPECT_EQ(-EINVAL, program_kind(self->rig.fd, imc,
					UNCORE_PMU_KIND_FREE_RUNNING, 0));
	EXPECT_EQ(-EINVAL, program_kind(self->rig.fd, imc, UINT32_MAX, 0));
	for (bit = 0; bit < 64; bit++) {
		EXPECT_EQ(-EINVAL, program_kind(self->rig.fd, imc,
						UNCORE_PMU_KIND_FIXED,
						1ULL << bit));
	}
	EXPECT_EQ(-EOPNOTSUPP, claim_fixed(self->rig.fd, ha, NULL));
	EXPECT_EQ(-EINVAL, program_kind(self->rig.fd, ha, UNCORE_PMU_KIND_FIXED,
					1));
	expect_untouched(_metadata, self);
}

/* perf takes this for the fixed counter, or for a free-running one. */
TEST_F(program_abi, what_perf_takes_for_something_else)
{
	uint32_t imc = self->imc->index;
	uint32_t ha = self->ha->index;

	ASSERT_TRUE(module_loaded("intel_uncore"));
	EXPECT_EQ(-EPROTO, claim(self->rig.fd, imc, 0xff, NULL));
	EXPECT_EQ(-EINVAL, claim(self->rig.fd, imc, 0x10ff, NULL));
	EXPECT_EQ(-EINVAL, claim(self->rig.fd, ha, 0xff, NULL));
	expect_untouched(_metadata, self);
}

TEST_F(program_abi, no_counter_left)
{
	struct uncore_pmu_program p[8];
	unsigned int n = 0, general = 0;
	uint32_t imc = self->imc->index;

	for (n = 0; n < self->imc->num_counters; n++)
		general += self->imc->counter[n].kind ==
			   UNCORE_PMU_KIND_GENERAL;
	ASSERT_GT(8U, general);
	for (n = 0; n < general; n++) {
		ASSERT_EQ(0, claim(self->rig.fd, imc, plain_event(n), &p[n]));
	}
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, imc, plain_event(n), NULL));
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, imc, plain_event(0), NULL));
	/* The fixed one is another matter. */
	ASSERT_EQ(0, claim_fixed(self->rig.fd, imc, &p[n]));
	EXPECT_EQ(-EBUSY, claim_fixed(self->rig.fd, imc, NULL));
	/* All are as they were; and one that is released can be had. */
	for (n = 0; n <= general; n++) {
		EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
			  counter_state(self->ro, imc, p[n].counter));
		EXPECT_EQ(p[n].generation,
			  generation_of(self->rig.generations, imc,
					p[n].counter));
	}
	EXPECT_EQ(0, claim_release(self->rig.fd, p[1].claim));
	ASSERT_EQ(0, claim(self->rig.fd, imc, 0x304, &p[1]));
	for (n = 0; n <= general; n++) {
		EXPECT_EQ(0, claim_release(self->rig.fd, p[n].claim));
	}
	expect_untouched(_metadata, self);
}

TEST_F(program_abi, release)
{
	int other = node_open(O_RDWR);
	struct uncore_pmu_release bad;
	struct uncore_pmu_program p;
	int bit;

	ASSERT_LE(0, other);
	EXPECT_EQ(-ENOENT, claim_release(self->rig.fd, 0));
	EXPECT_EQ(-ENOENT, claim_release(self->rig.fd, UINT32_MAX));
	EXPECT_EQ(-ENOENT, claim_release(self->rig.fd, 1U << 31));
	ASSERT_EQ(0, claim(self->rig.fd, self->imc->index, 0x304, &p));
	EXPECT_NE(0U, p.claim);
	EXPECT_EQ(-EACCES, claim_release(other, p.claim));
	EXPECT_EQ(-EBADF, claim_release(self->ro, p.claim));
	EXPECT_EQ(-ENOENT, claim_release(self->rig.fd, p.claim + 1));
	for (bit = 0; bit < 32; bit++) {
		bad = (struct uncore_pmu_release){
			.size = sizeof(bad), .claim = p.claim,
			.__reserved = 1U << bit,
		};
		EXPECT_ERRNO(EINVAL, ioctl(self->rig.fd, UNCORE_PMU_RELEASE,
					   &bad));
	}
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
		  counter_state(self->ro, p.unit, p.counter));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(-ENOENT, claim_release(self->rig.fd, p.claim));
	close(other);
	expect_untouched(_metadata, self);
}

/* Claimed, but the answer cannot be delivered: then it is not claimed. */
TEST_F(program_abi, answer_that_cannot_be_written)
{
	struct uncore_pmu_program *arg =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, arg);
	arg->size = sizeof(*arg);
	arg->unit = self->imc->index;
	arg->kind = UNCORE_PMU_KIND_GENERAL;
	arg->config = 0x304;
	ASSERT_EQ(0, mprotect(arg, PAGE, PROT_READ));
	EXPECT_ERRNO(EFAULT, ioctl(self->rig.fd, UNCORE_PMU_PROGRAM, arg));
	munmap(arg, PAGE);
	expect_untouched(_metadata, self);
}

/* What the caller left in the answer's place does not matter. */
TEST_F(program_abi, numbers)
{
	struct uncore_pmu_program arg;
	uint32_t last = 0;
	int i;

	for (i = 0; i < 10; i++) {
		memset(&arg, 0xff, sizeof(arg));
		arg.size = sizeof(arg);
		arg.flags = 0;
		arg.unit = self->ha->index;
		arg.kind = UNCORE_PMU_KIND_GENERAL;
		arg.config = 0x106;
		ASSERT_EQ(0, ioctl(self->rig.fd, UNCORE_PMU_PROGRAM, &arg));
		EXPECT_GT(self->ha->num_counters, arg.counter);
		EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_PERF, arg.via);
		/* Not used again for a long time. */
		EXPECT_LT(last, arg.claim);
		last = arg.claim;
		EXPECT_EQ(0, claim_release(self->rig.fd, arg.claim));
	}
}

TEST_F(program_abi, generations_are_for_reading)
{
	uint64_t at = UNCORE_PMU_GENERATION_OFFSET;
	size_t length = self->rig.generation_length;
	int fds[] = { self->ro, self->rig.fd };
	unsigned int i;
	char *map;

	EXPECT_EQ(0UL, length % PAGE);
	EXPECT_LE(self->rig.units.count * UNCORE_PMU_MAX_COUNTERS * 4UL,
		  length);
	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		EXPECT_ERRNO(EACCES, mmap(NULL, length, PROT_WRITE, MAP_SHARED,
					  fds[i], at));
		EXPECT_ERRNO(EACCES, mmap(NULL, length, PROT_READ | PROT_WRITE,
					  MAP_SHARED, fds[i], at));
		EXPECT_ERRNO(EACCES, mmap(NULL, length, PROT_NONE, MAP_SHARED,
					  fds[i], at));
		EXPECT_ERRNO(EOPNOTSUPP, mmap(NULL, length, PROT_READ,
					      MAP_PRIVATE, fds[i], at));
		map = mmap(NULL, length, PROT_READ, MAP_SHARED, fds[i], at);
		ASSERT_NE(MAP_FAILED, map);
		EXPECT_EQ(0, trap_load(map));
		EXPECT_EQ(0, trap_load(map + length - 4));
		EXPECT_EQ(SIGSEGV, trap_store(map));
		EXPECT_ERRNO(EACCES, mprotect(map, length,
					      PROT_READ | PROT_WRITE));
		EXPECT_ERRNO(EACCES, mprotect(map, length,
					      PROT_READ | PROT_EXEC));
		EXPECT_ERRNO(EFAULT, mremap(map, length, 2 * length,
					    MREMAP_MAYMOVE));
		/* It gives the right to RDPMC, as every mapping does. */
		EXPECT_EQ(rdpmc_granted(), trap_rdpmc());
		EXPECT_EQ(0, munmap(map, length));
	}
}

TEST_F(program_abi, generations_have_one_place)
{
	uint64_t at = UNCORE_PMU_GENERATION_OFFSET;
	size_t length = self->rig.generation_length;
	uint64_t offset;

	EXPECT_ERRNO(EINVAL, mmap(NULL, length + PAGE, PROT_READ, MAP_SHARED,
				  self->ro, at));
	EXPECT_ERRNO(EINVAL, mmap(NULL, length + 1, PROT_READ, MAP_SHARED,
				  self->ro, at));
	EXPECT_ERRNO(EINVAL, mmap(NULL, 0, PROT_READ, MAP_SHARED, self->ro,
				  at));
	if (length > PAGE) {
		EXPECT_ERRNO(EINVAL, mmap(NULL, length - PAGE, PROT_READ,
					  MAP_SHARED, self->ro, at));
	}
	for (offset = PAGE; offset < 0x100000; offset += PAGE)
		if (offset != at) {
			EXPECT_ERRNO(ENXIO, mmap(NULL, length, PROT_READ,
						 MAP_SHARED, self->ro, offset));
		}
}

TEST_HARNESS_MAIN
