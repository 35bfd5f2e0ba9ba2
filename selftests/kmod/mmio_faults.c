// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=icelake-sp,snowridge,alderlake user=root kernels=6.12 timeout=600 module=no */
/*
 * Base registers that lie, and functions that do not answer: the units say so,
 * nothing of them is mapped, the log has one line, and no other unit suffers.
 */
#include <fcntl.h>

#include "claims.h"
#include "harness.h"
#include "mmio_units.h"

FIXTURE(mmio_fault)
{
	struct sim *sim;
	struct units healthy;
	struct units units;
	struct sim_addr victim;
	bool client;
	int fd;
	int klog;
	char log[16384];
};

static const struct uncore_pmu_unit *first_mmio(const struct units *units)
{
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (unit_is_mmio(&units->unit[i]))
			return &units->unit[i];
	return NULL;
}

FIXTURE_SETUP(mmio_fault)
{
	const struct uncore_pmu_unit *first;
	int fd;

	ASSERT_EQ(0, sim_open(&self->sim));
	fd = mmio_load_units("", &self->healthy);
	ASSERT_LE(0, fd);
	close(fd);
	ASSERT_EQ(0, module_unload());
	first = first_mmio(&self->healthy);
	ASSERT_NE(NULL, first);
	ASSERT_EQ((uint32_t)UNCORE_PMU_STATE_OK, first->state);
	self->victim = unit_addr(first);
	self->client = first->bus == 0;
	self->fd = -1;
	self->klog = klog_open();
	ASSERT_LE(0, self->klog);
}

static void repair(FIXTURE_DATA(mmio_fault) *self)
{
	sim_base(self->sim, self->victim, SIM_BASE_OK);
	sim_power(self->sim, self->victim, SIM_POWER_ON);
}

FIXTURE_TEARDOWN(mmio_fault)
{
	struct units again;
	unsigned int i;

	repair(self);
	unmap_all();
	if (self->fd >= 0) {
		close(self->fd);
		ASSERT_EQ(0, module_unload());
	}
	self->fd = mmio_load_units("", &again);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(self->healthy.count, again.count);
	for (i = 0; i < again.count; i++)
		EXPECT_EQ(0, memcmp(&again.unit[i], &self->healthy.unit[i],
				    sizeof(again.unit[i])))
			ABOUT(&again.unit[i]);
	units_free(&again);
	units_free(&self->units);
	units_free(&self->healthy);
	close(self->fd);
	close(self->klog);
	sim_close(self->sim);
	EXPECT_EQ(0, module_unload());
}

static int load(FIXTURE_DATA(mmio_fault) *self)
{
	self->fd = mmio_load_units("", &self->units);
	return klog_read(self->klog, self->log, sizeof(self->log));
}

static bool is_victim(const FIXTURE_DATA(mmio_fault) *self,
		      const struct uncore_pmu_unit *u)
{
	return unit_is_mmio(u) && u->segment == self->victim.segment &&
	       u->bus == self->victim.bus && u->device == self->victim.device &&
	       u->function == self->victim.function;
}

static void expect_unusable(struct __test_metadata *_metadata, int fd,
			    const struct uncore_pmu_unit *healthy,
			    const struct uncore_pmu_unit *u, uint32_t reason)
{
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state) ABOUT(u);
	EXPECT_EQ(reason, u->reason) ABOUT(u);
	EXPECT_EQ(0ULL, u->mmap_length) ABOUT(u);
	EXPECT_TRUE(unit_is(u, healthy->type)) ABOUT(u);
	EXPECT_EQ(healthy->instance, u->instance) ABOUT(u);
	EXPECT_EQ(healthy->die, u->die) ABOUT(u);
	EXPECT_EQ(healthy->num_counters, u->num_counters) ABOUT(u);
	EXPECT_ERRNO(EIO, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd,
			       u->mmap_offset));
}

/* All units that the victim leads to and @only has, and no others. */
static void expect_reason_of(struct __test_metadata *_metadata,
			     FIXTURE_DATA(mmio_fault) *self, uint32_t reason,
			     bool (*only)(const struct uncore_pmu_unit *u))
{
	unsigned int i, victims = 0;

	ASSERT_EQ(self->healthy.count, self->units.count);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (is_victim(self, u) && (!only || only(u))) {
			victims++;
			expect_unusable(_metadata, self->fd,
					&self->healthy.unit[i], u, reason);
			continue;
		}
		EXPECT_EQ(0, memcmp(&self->healthy.unit[i], u, sizeof(*u)))
			ABOUT(u);
	}
	EXPECT_LT(0U, victims);
	EXPECT_EQ(1, klog_module_lines(self->log)) TH_LOG("%s", self->log);
}

static void expect_reason(struct __test_metadata *_metadata,
			  FIXTURE_DATA(mmio_fault) *self, uint32_t reason)
{
	expect_reason_of(_metadata, self, reason, NULL);
}

/* Only a client's base register can say this; others have no such bits. */
#define CLIENT_ONLY	true
#define ALL		false

#define BASE_TEST(name, what, only_client, wanted) \
	TEST_F(mmio_fault, name) \
	{ \
		if (only_client && !self->client) \
			return; \
		ASSERT_EQ(0, sim_base(self->sim, self->victim, what)); \
		ASSERT_EQ(0, load(self)); \
		ASSERT_LE(0, self->fd); \
		expect_reason(_metadata, self, wanted); \
	}

BASE_TEST(base_zero, SIM_BASE_ZERO, ALL, UNCORE_PMU_REASON_BASE_ZERO)
BASE_TEST(base_ones, SIM_BASE_ONES, ALL, UNCORE_PMU_REASON_BASE_ONES)
BASE_TEST(unaligned, SIM_BASE_UNALIGNED, CLIENT_ONLY,
	  UNCORE_PMU_REASON_UNALIGNED)
BASE_TEST(too_high, SIM_BASE_HIGH, ALL, UNCORE_PMU_REASON_ADDRESS)
BASE_TEST(ram, SIM_BASE_RAM, ALL, UNCORE_PMU_REASON_RAM)
BASE_TEST(other_device, SIM_BASE_CONFIG, ALL, UNCORE_PMU_REASON_OVERLAP)
BASE_TEST(disabled, SIM_BASE_DISABLED, CLIENT_ONLY, UNCORE_PMU_REASON_DECODE)

/* The memory controller of a unit of Ice Lake. */
static unsigned int controller_of(const struct uncore_pmu_unit *u)
{
	return unit_is(u, "imc") ? u->instance / 3 : u->instance;
}

static bool is_second(const struct uncore_pmu_unit *u)
{
	return controller_of(u) == 1;
}

static bool is_second_or_third(const struct uncore_pmu_unit *u)
{
	return controller_of(u) == 1 || controller_of(u) == 2;
}

/* Registers with the distances of the controllers. */
#define SECOND	0xdc
#define THIRD	0xe0

static bool has_controllers(const FIXTURE_DATA(mmio_fault) *self)
{
	return units_find(&self->healthy, "imc_free_running", 3, 0) &&
	       !self->client;
}

/* A second controller where the third is: nothing tells which of them lies. */
TEST_F(mmio_fault, twins)
{
	const struct uncore_pmu_unit *first = first_mmio(&self->healthy);
	uint32_t value;

	if (!has_controllers(self))
		return;
	ASSERT_EQ(0, config_load(first, THIRD, &value));
	ASSERT_EQ(0, config_store(first, SECOND, value));
	ASSERT_EQ(0, load(self));
	ASSERT_LE(0, self->fd);
	expect_reason_of(_metadata, self, UNCORE_PMU_REASON_OVERLAP,
			 is_second_or_third);
}

static void break_second(struct __test_metadata *_metadata,
			 FIXTURE_DATA(mmio_fault) *self, uint32_t value,
			 uint32_t reason)
{
	if (!has_controllers(self))
		return;
	ASSERT_EQ(0, config_store(first_mmio(&self->healthy), SECOND, value));
	ASSERT_EQ(0, load(self));
	ASSERT_LE(0, self->fd);
	expect_reason_of(_metadata, self, reason, is_second);
}

TEST_F(mmio_fault, second_zero)
{
	break_second(_metadata, self, 0, UNCORE_PMU_REASON_BASE_ZERO);
}

TEST_F(mmio_fault, second_ones)
{
	break_second(_metadata, self, ~0U, UNCORE_PMU_REASON_BASE_ONES);
}

#define POWER_TEST(name, what, wanted) \
	TEST_F(mmio_fault, name) \
	{ \
		ASSERT_EQ(0, sim_power(self->sim, self->victim, what)); \
		ASSERT_EQ(0, load(self)); \
		ASSERT_LE(0, self->fd); \
		expect_reason(_metadata, self, wanted); \
	}

POWER_TEST(no_decode, SIM_POWER_NO_DECODE, UNCORE_PMU_REASON_DECODE)
POWER_TEST(d3, SIM_POWER_D3, UNCORE_PMU_REASON_D3)

static void describe_all(struct __test_metadata *_metadata,
			 FIXTURE_DATA(mmio_fault) *self)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++)
		ASSERT_EQ(0, unit_describe(self->fd, i, &self->units.unit[i]));
}

/* What can change is looked at each time; nothing has to be loaded again. */
static void expect_for_now(struct __test_metadata *_metadata,
			   FIXTURE_DATA(mmio_fault) *self, enum sim_power what,
			   uint32_t reason)
{
	unsigned int i, victims = 0;
	char log[16384];
	int klog;

	ASSERT_EQ(0, load(self));
	ASSERT_LE(0, self->fd);
	for (i = 0; i < self->units.count; i++)
		victims += is_victim(self, &self->units.unit[i]);
	klog = klog_open();
	ASSERT_LE(0, klog);
	klog_read(klog, log, sizeof(log));
	ASSERT_EQ(0, sim_power(self->sim, self->victim, what));
	describe_all(_metadata, self);
	describe_all(_metadata, self);
	expect_reason(_metadata, self, reason);
	/* Each says it once; of many in a row the kernel leaves some out. */
	ASSERT_EQ(0, klog_read(klog, log, sizeof(log)));
	EXPECT_EQ(victims < 10 ? (int)victims : 10, klog_module_lines(log)) {
		TH_LOG("%s", log);
	}
	close(klog);
	repair(self);
	describe_all(_metadata, self);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		void *page;

		EXPECT_EQ(0, memcmp(&self->healthy.unit[i], u, sizeof(*u)))
			ABOUT(u);
		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		page = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		munmap(page, u->mmap_length);
	}
}

TEST_F(mmio_fault, no_decode_for_now)
{
	expect_for_now(_metadata, self, SIM_POWER_NO_DECODE,
		       UNCORE_PMU_REASON_DECODE);
}

TEST_F(mmio_fault, d3_for_now)
{
	expect_for_now(_metadata, self, SIM_POWER_D3, UNCORE_PMU_REASON_D3);
}

/* The function that leads to the units is gone, and they with it. */
TEST_F(mmio_fault, hidden)
{
	ASSERT_EQ(0, load(self));
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, sim_hide(self->sim, self->victim, true));
	describe_all(_metadata, self);
	expect_reason(_metadata, self, UNCORE_PMU_REASON_ID);
	EXPECT_EQ(0, sim_hide(self->sim, self->victim, false));
}

/* It is removed for good: so are all that it leads to. */
TEST_F(mmio_fault, removed)
{
	unsigned int i, victims = 0;
	const void *page = NULL;

	ASSERT_EQ(0, load(self));
	ASSERT_LE(0, self->fd);
	for (i = 0; i < self->units.count && !page; i++)
		if (is_victim(self, &self->units.unit[i]))
			page = unit_map(self->fd, &self->units.unit[i]);
	ASSERT_NE(NULL, page);
	ASSERT_EQ(0, trap_load(page));
	ASSERT_EQ(0, device_remove(first_mmio(&self->units)));
	EXPECT_EQ(SIGBUS, trap_load(page));
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		bool victim = is_victim(self, u);

		EXPECT_EQ(victim ? -ENODEV : 0,
			  unit_describe(self->fd, i, &self->units.unit[i]))
			ABOUT(u);
		if (!victim)
			continue;
		victims++;
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_GONE, u->state) ABOUT(u);
		EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_REMOVED, u->reason)
			ABOUT(u);
		EXPECT_ERRNO(ENODEV, mmap(NULL, PAGE, PROT_READ, MAP_SHARED,
					  self->fd, u->mmap_offset));
	}
	EXPECT_LT(1U, victims);
	EXPECT_EQ(0, devices_rescan());
	EXPECT_EQ(0, perf_driver_load());
}

TEST_HARNESS_MAIN
