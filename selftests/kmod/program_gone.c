// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 */
/* The unit's device, or its driver, goes away under a claim. */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "claims.h"
#include "harness.h"

FIXTURE(gone)
{
	struct rig rig;
	const struct uncore_pmu_unit *unit;
	const struct uncore_pmu_unit *other;	/* the same on the other die */
	struct uncore_pmu_program p[3];
};

FIXTURE_VARIANT(gone)
{
	uint32_t via;
};

FIXTURE_VARIANT_ADD(gone, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

FIXTURE_VARIANT_ADD(gone, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

FIXTURE_SETUP(gone)
{
	int i;

	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, perf_driver_unload());
	}
	ASSERT_EQ(0, rig_open(&self->rig));
	self->unit = rig_unit(&self->rig, "imc", 1, 0);
	self->other = rig_unit(&self->rig, "imc", 1, 1);
	ASSERT_NE(NULL, self->unit);
	ASSERT_NE(NULL, self->other);
	ASSERT_EQ(0, claim(self->rig.fd, self->unit->index, 0x304,
			   &self->p[0]));
	ASSERT_EQ(0, claim_fixed(self->rig.fd, self->unit->index,
				 &self->p[1]));
	ASSERT_EQ(0, claim(self->rig.fd, self->other->index, 0x304,
			   &self->p[2]));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(variant->via, self->p[i].via);
	}
}

FIXTURE_TEARDOWN(gone)
{
	rig_close(&self->rig);
	EXPECT_EQ(0, machine_restore());
}

/* Both claims of the unit have ended, and the third has not noticed. */
static void expect_lost(struct __test_metadata *_metadata,
			FIXTURE_DATA(gone) *self)
{
	int i;

	for (i = 0; i < 2; i++) {
		uint32_t now = generation_of(self->rig.generations,
					     self->p[i].unit,
					     self->p[i].counter);

		EXPECT_NE(self->p[i].generation, now);
		EXPECT_EQ(0U, now & 1);
	}
	EXPECT_TRUE(claim_unchanged(&self->rig, &self->p[2]));
	EXPECT_TRUE(claim_counts(&self->rig, &self->p[2], 1234567));
}

TEST_F(gone, device)
{
	uint32_t unit = self->unit->index;

	ASSERT_EQ(0, device_remove(self->unit));
	expect_lost(_metadata, self);
	EXPECT_EQ(-ENODEV, counter_state(self->rig.fd, unit, 0));
	EXPECT_EQ(-ENODEV, claim(self->rig.fd, unit, 0x304, NULL));
	EXPECT_EQ(-ENODEV, claim_fixed(self->rig.fd, unit, NULL));
	/* What is lost can be released, once. */
	EXPECT_EQ(0, claim_release(self->rig.fd, self->p[0].claim));
	EXPECT_EQ(-ENOENT, claim_release(self->rig.fd, self->p[0].claim));
	EXPECT_EQ(0, claim_release(self->rig.fd, self->p[2].claim));
}

TEST_F(gone, device_and_then_the_holder)
{
	ASSERT_EQ(0, device_remove(self->unit));
	expect_lost(_metadata, self);
	/* The rest is the fixture's. */
}

TEST_F(gone, all_devices)
{
	unsigned int i;
	int n;

	for (i = 0; i < self->rig.units.count; i++)
		if (self->rig.page[i]) {
			ASSERT_EQ(0, device_remove(&self->rig.units.unit[i]));
		}
	for (n = 0; n < 3; n++) {
		EXPECT_EQ(0U, generation_of(self->rig.generations,
					    self->p[n].unit,
					    self->p[n].counter) & 1);
		EXPECT_EQ(0, claim_release(self->rig.fd, self->p[n].claim));
	}
}

TEST_F(gone, driver)
{
	struct uncore_pmu_status status;
	int i;

	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		EXPECT_EQ(-ENOENT, device_unbind(self->unit));
		EXPECT_TRUE(claim_unchanged(&self->rig, &self->p[0]));
		EXPECT_TRUE(claim_counts(&self->rig, &self->p[0], 1234567));
		return;
	}
	ASSERT_EQ(0, device_unbind(self->unit));
	expect_lost(_metadata, self);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, counter_status(self->rig.fd, self->p[i].unit,
					    self->p[i].counter, &status));
		EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_LOST, status.state);
		EXPECT_EQ(self->p[i].claim, status.claim);
		EXPECT_EQ(0ULL, status.control &
				self->unit->counter[self->p[i].counter].enable);
	}
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, claim_release(self->rig.fd, self->p[i].claim));
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
		  counter_state(self->rig.fd, self->p[0].unit,
				self->p[0].counter));
	/* The PMU is there for the other die, and has nothing here. */
	ASSERT_EQ(0, claim(self->rig.fd, self->unit->index, 0x304,
			   &self->p[0]));
	EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_DIRECT, self->p[0].via);
	EXPECT_TRUE(claim_counts(&self->rig, &self->p[0], 1234567));
	EXPECT_EQ(0, claim_release(self->rig.fd, self->p[0].claim));
}

/* Someone else's driver has it, whatever perf has on the other die. */
TEST_F(gone, another_driver)
{
	struct uncore_pmu_program p;
	uint32_t unit = self->unit->index;
	int i;

	if (variant->via == UNCORE_PMU_VIA_PERF) {
		ASSERT_EQ(0, device_unbind(self->unit));
	}
	ASSERT_EQ(0, device_bind_stranger(self->unit));
	expect_lost(_metadata, self);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0ULL, claim_control(&self->rig, &self->p[i]) &
				self->unit->counter[self->p[i].counter].enable);
		EXPECT_EQ(UNCORE_PMU_COUNTER_LOST,
			  counter_state(self->rig.fd, unit,
					self->p[i].counter));
	}
	EXPECT_EQ(-EADDRINUSE, claim(self->rig.fd, unit, 0x304, NULL));
	EXPECT_EQ(-EADDRINUSE, claim_fixed(self->rig.fd, unit, NULL));
	EXPECT_TRUE(claim_unchanged(&self->rig, &self->p[2]));
	ASSERT_EQ(0, device_unbind(self->unit));
	ASSERT_EQ(0, claim(self->rig.fd, unit, 0x304, &p));
	EXPECT_EQ((uint32_t)UNCORE_PMU_VIA_DIRECT, p.via);
	EXPECT_TRUE(claim_counts(&self->rig, &p, 1234567));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* The modules go in either order afterwards. */
TEST_F(gone, driver_and_then_both_modules)
{
	if (variant->via == UNCORE_PMU_VIA_PERF) {
		ASSERT_EQ(0, device_unbind(self->unit));
		EXPECT_EQ(-EAGAIN, module_remove("intel_uncore"));
	}
	EXPECT_EQ(-EAGAIN, module_unload());
	EXPECT_EQ(0, claim_release(self->rig.fd, self->p[2].claim));
	EXPECT_EQ(0, perf_driver_unload());
	EXPECT_EQ(-EAGAIN, module_unload());
}

/* Closes the node while the device goes. */
static int holds_until_told(int sock, void *arg)
{
	uint32_t unit = *(uint32_t *)arg;
	int fd = node_open(O_RDWR);
	int i;

	for (i = 0; i < 3; i++)
		if (claim(fd, unit, plain_event(i), NULL))
			return 1;
	say(sock, 0);
	heard(sock);
	close(fd);
	return 0;
}

TEST_F(gone, device_while_the_holder_closes)
{
	uint32_t unit = self->unit->index;
	struct child child;

	ASSERT_EQ(0, child_start(&child, holds_until_told, &unit));
	ASSERT_EQ(0, heard(child.sock));
	say(child.sock, 0);
	ASSERT_EQ(0, device_remove(self->unit));
	EXPECT_EQ(0, child_wait(&child));
	expect_lost(_metadata, self);
}

/* Programs as fast as it can, until the unit is gone. */
static int programs_until_refused(int sock, void *arg)
{
	uint32_t unit = *(uint32_t *)arg;
	int end = now_ms() + PATIENCE_MS;
	int fd = node_open(O_RDWR);
	struct uncore_pmu_program p;
	bool told = false;
	int err;

	while (now_ms() < end) {
		err = claim(fd, unit, 0x106, &p);
		/* On its way out perf has dropped it, and we not yet. */
		if (err == -EINVAL)
			continue;
		if (err)
			return err == -ENODEV ? 0 : -err;
		err = claim_release(fd, p.claim);
		if (err)
			return -err;
		if (!told)
			say(sock, 0);
		told = true;
	}
	return 250;
}

TEST_F(gone, device_while_others_program)
{
	uint32_t unit = self->unit->index;
	struct child child[2];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(child); i++) {
		ASSERT_EQ(0, child_start(&child[i], programs_until_refused,
					 &unit));
		ASSERT_EQ(0, heard(child[i].sock));
	}
	ASSERT_EQ(0, device_remove(self->unit));
	for (i = 0; i < ARRAY_SIZE(child); i++) {
		EXPECT_EQ(0, child_wait(&child[i]));
	}
	expect_lost(_metadata, self);
}

TEST_HARNESS_MAIN
