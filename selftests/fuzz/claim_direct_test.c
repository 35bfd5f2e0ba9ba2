// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * Programming without perf, kmod/claim_direct.c as it is, with registers that do
 * not take what is written: the simulated machine has none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "claim_direct.c"
#include "tap.h"

#define GENERAL		4
#define COUNTERS	(GENERAL + 1)
#define ENABLE		(1U << 22)
#define CONFIG_MASK	0xff84ffffU
#define EVENT		0x304U

/* The unit's registers, and what was done to them. */
static struct {
	u64 control[COUNTERS];
	u64 count[COUNTERS];
	u32 unit_control;
	u64 stuck;		/* bits of all controls that stay 0 */
	unsigned int writes;
	bool global;		/* frozen with all other units */
	bool global_stuck;	/* and stays so */
	unsigned int global_claims;
	bool memory;		/* the unit is in memory */
	bool perf;		/* has come */
} hw;

static const struct uncore_layout layout = {
	.num_counters = GENERAL, .enable = ENABLE,
	.freeze = UNCORE_PMU_UNIT_FREEZE,
};
static struct uncore_type type = { .name = "imc", .layout = &layout };
static struct pci_dev device;
static struct uncore_saved *saved;
static struct uncore_unit unit = { .pdev = &device, .type = &type };

u64 uncore_pmu_read_control(const struct uncore_unit *u,
			    const struct uncore_pmu_counter *counter)
{
	(void)u;
	return hw.control[counter->control];
}

bool uncore_pmu_is_enabled(const struct uncore_unit *u,
			   const struct uncore_pmu_counter *counter,
			   u64 control)
{
	(void)u;
	return control & counter->enable;
}

void uncore_pmu_write_control(const struct uncore_unit *u,
			      const struct uncore_pmu_counter *counter,
			      u64 value)
{
	(void)u;
	hw.writes++;
	hw.control[counter->control] = value & ~hw.stuck;
}

void uncore_pmu_write_count(const struct uncore_unit *u,
			    const struct uncore_pmu_counter *counter, u64 value)
{
	(void)u;
	hw.writes++;
	hw.count[counter->control] = value;
}

u32 uncore_pmu_read_unit_control(const struct uncore_unit *u)
{
	(void)u;
	return hw.unit_control;
}

void uncore_pmu_write_unit_control(const struct uncore_unit *u, u32 value)
{
	(void)u;
	hw.writes++;
	hw.unit_control = value;
}

bool uncore_pmu_is_frozen(const struct uncore_unit *u)
{
	return uncore_pmu_read_unit_control(u) & UNCORE_PMU_UNIT_FREEZE;
}

bool uncore_pmu_global_is_frozen(const struct uncore_unit *u)
{
	(void)u;
	return hw.global;
}

int uncore_pmu_global_lift(const struct uncore_unit *u)
{
	(void)u;
	hw.global = hw.global_stuck;
	return hw.global ? -EPROTO : 0;
}

int uncore_pmu_global_get(const struct uncore_unit *u)
{
	int ret = uncore_pmu_global_lift(u);

	hw.global_claims += !ret;
	return ret;
}

void uncore_pmu_global_put(const struct uncore_unit *u)
{
	(void)u;
	hw.global_claims--;
}

bool uncore_pmu_is_mmio(const struct uncore_unit *u)
{
	(void)u;
	return hw.memory;
}

unsigned int uncore_pmu_num_counters(const struct uncore_unit *u)
{
	(void)u;
	return COUNTERS;
}

u64 uncore_pmu_meaning(const struct uncore_unit *u,
		       const struct uncore_pmu_counter *counter, u64 control)
{
	(void)u;
	return control & (counter->enable |
			  (counter->kind == UNCORE_PMU_KIND_GENERAL
				? CONFIG_MASK : 0));
}

void uncore_pmu_describe_counter(const struct uncore_unit *u, u32 n,
				 struct uncore_pmu_counter *out)
{
	(void)u;
	memset(out, 0, sizeof(*out));
	out->control = n;
	out->enable = ENABLE;
	out->kind = n < GENERAL ? UNCORE_PMU_KIND_GENERAL :
				  UNCORE_PMU_KIND_FIXED;
}

bool uncore_pmu_perf_has(const struct uncore_unit *u)
{
	(void)u;
	return hw.perf;
}

bool uncore_pmu_is_claimed(const struct uncore_unit *u, u32 counter)
{
	(void)u;
	(void)counter;
	return false;
}

void uncore_pmu_lose_claim(struct uncore_claim *claim)
{
	uncore_pmu_direct_end(claim);
	claim->state = UNCORE_PMU_COUNTER_LOST;
}

void uncore_pmu_claim_seen(struct uncore_claim *claim, bool counts)
{
	claim->state = counts ? UNCORE_PMU_COUNTER_CLAIMED :
				UNCORE_PMU_COUNTER_REPROGRAMMED;
}

void uncore_pmu_claim_counts(struct uncore_claim *claim, bool counts)
{
	uncore_pmu_claim_seen(claim, counts);
}

/* Leftovers everywhere, and the unit frozen, as claim.c has saved it. */
static void reset(u64 stuck)
{
	unsigned int i;

	memset(&hw, 0, sizeof(hw));
	hw.unit_control = 1 << 16 | UNCORE_PMU_UNIT_FREEZE;
	memset(saved, 0, sizeof(*saved));
	for (i = 0; i < COUNTERS; i++) {
		hw.control[i] = i < GENERAL ? 0x1234U + i : 0;
		hw.count[i] = 0x123456789abc + i;
		saved->counter[i].control = hw.control[i];
		saved->counter[i].count = hw.count[i];
	}
	hw.stuck = stuck;
	device.driver = NULL;
	device.is_bridge = false;
}

static int program(u8 kind, u64 config, struct uncore_claim *claim)
{
	memset(claim, 0, sizeof(*claim));
	claim->unit = &unit;
	claim->config = config;
	claim->desc.kind = kind;
	claim->state = UNCORE_PMU_COUNTER_CLAIMED;
	return uncore_pmu_direct_program(claim);
}

static void expect_restored(void)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		/* What is stuck may be lost where it was written back. */
		EXPECT_EQ(hw.control[i] | hw.stuck,
			  saved->counter[i].control | hw.stuck);
		EXPECT_EQ(hw.control[i] & ENABLE, 0);
		EXPECT_EQ(hw.count[i], saved->counter[i].count);
	}
	EXPECT_EQ(hw.unit_control, 1 << 16 | UNCORE_PMU_UNIT_FREEZE);
	EXPECT_EQ(saved->direct, 0);
	EXPECT_EQ(hw.global_claims, 0);
}

static void test_holds(void)
{
	struct uncore_claim claim;

	reset(0);
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);
	EXPECT_EQ(hw.control[claim.counter], EVENT | ENABLE);
	EXPECT_EQ(hw.unit_control, 1 << 16);
	uncore_pmu_direct_end(&claim);
	expect_restored();
	EXPECT_EQ(program(UNCORE_PMU_KIND_FIXED, 0, &claim), 0);
	EXPECT_EQ(claim.counter, GENERAL);
	EXPECT_EQ(hw.control[GENERAL], ENABLE);
	uncore_pmu_direct_end(&claim);
	expect_restored();
}

static void test_stuck(void)
{
	struct uncore_claim claim;
	unsigned int bit;
	u64 config;

	for (bit = 0; bit < 32; bit++) {
		config = CONFIG_MASK & 1ULL << bit;
		if (!config && 1U << bit != ENABLE)
			continue;
		reset(1ULL << bit);
		EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, config, &claim),
			  -EPROTO);
		expect_restored();
	}
	reset(ENABLE);
	EXPECT_EQ(program(UNCORE_PMU_KIND_FIXED, 0, &claim), -EPROTO);
	expect_restored();
	/* A bit that the event does not have is nothing to complain of. */
	reset(1);
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);
}

/* After sleep: then the claim is lost, and does not seem to count. */
static void test_stuck_on_resume(void)
{
	struct uncore_claim claim;

	reset(0);
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);
	hw.stuck = 1 << 8;
	uncore_pmu_direct_resume(&claim);
	EXPECT_EQ(claim.state, UNCORE_PMU_COUNTER_LOST);
}

/* While the machine slept, or at any other time: the registers are perf's. */
static void test_perf_comes(void)
{
	void (*const look[])(struct uncore_claim *) = {
		uncore_pmu_direct_check, uncore_pmu_direct_resume,
	};
	struct uncore_claim claim;
	unsigned int i, writes;

	type.perf_unbound = true;
	for (i = 0; i < sizeof(look) / sizeof(look[0]); i++) {
		reset(0);
		EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);
		EXPECT_EQ(hw.global_claims, 1);
		writes = hw.writes;
		hw.perf = true;
		hw.global = true;
		look[i](&claim);
		EXPECT_EQ(claim.state, UNCORE_PMU_COUNTER_LOST);
		EXPECT_EQ(hw.writes, writes);
		EXPECT_EQ(hw.global, true);
		EXPECT_EQ(hw.global_claims, 0);
		EXPECT_EQ(saved->direct, 0);
	}
	type.perf_unbound = false;
}

static void test_refused(void)
{
	static struct pci_driver driver;
	struct uncore_claim claim;
	unsigned int i;

	reset(0);
	device.driver = &driver;
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), -EADDRINUSE);
	EXPECT_EQ(hw.writes, 0);
	device.is_bridge = true;
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);

	/* What only leads to a unit in memory. */
	reset(0);
	device.driver = &driver;
	hw.memory = true;
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);

	reset(0);
	for (i = 0; i < GENERAL; i++)
		hw.control[i] |= ENABLE;
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), -EBUSY);
	EXPECT_EQ(hw.writes, 0);
}

/* What freezes all units is lifted, or nothing is claimed. */
static void test_global(void)
{
	struct uncore_claim claim;

	reset(0);
	hw.global = true;
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);
	EXPECT_EQ(hw.global, false);
	EXPECT_EQ(hw.global_claims, 1);
	uncore_pmu_direct_check(&claim);
	EXPECT_EQ(claim.state, UNCORE_PMU_COUNTER_CLAIMED);
	hw.global = true;
	uncore_pmu_direct_check(&claim);
	EXPECT_EQ(claim.state, UNCORE_PMU_COUNTER_REPROGRAMMED);
	uncore_pmu_direct_resume(&claim);
	EXPECT_EQ(hw.global, false);
	EXPECT_EQ(claim.state, UNCORE_PMU_COUNTER_CLAIMED);
	hw.global_stuck = true;
	uncore_pmu_direct_resume(&claim);
	EXPECT_EQ(claim.state, UNCORE_PMU_COUNTER_LOST);
	expect_restored();

	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), -EPROTO);
	expect_restored();
}

/* Events that any counter can count leave those to others that they need. */
static void test_constraints(void)
{
	static const struct uncore_constraint rules[] = {
		{ 0x13, 0x1 }, { 0x10, 0x3 }, { 0x08, 0x7 }, { }
	};
	static const struct {
		u64 config;
		u32 counter;
	} order[] = {
		{ 0x120, 3 }, { 0x108, 2 }, { 0x110, 1 }, { 0x113, 0 },
	};
	static const u32 plain[GENERAL] = { 3, 2, 1, 0 };
	struct uncore_claim claim;
	unsigned int i;

	type.constraints = rules;
	reset(0);
	for (i = 0; i < GENERAL; i++) {
		EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, order[i].config,
				  &claim), 0);
		EXPECT_EQ(claim.counter, order[i].counter);
	}
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, 0x120, &claim), -EBUSY);

	reset(0);
	for (i = 0; i < GENERAL; i++) {
		EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, EVENT, &claim), 0);
		EXPECT_EQ(claim.counter, plain[i]);
	}
	reset(0);
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, 0x113, &claim), 0);
	EXPECT_EQ(program(UNCORE_PMU_KIND_GENERAL, 0x213, &claim), -EBUSY);
	type.constraints = NULL;
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "a register that holds what is written", test_holds },
		{ "registers with a bit that stays 0", test_stuck },
		{ "the same after sleep", test_stuck_on_resume },
		{ "perf that comes meanwhile", test_perf_comes },
		{ "a unit that is frozen with others", test_global },
		{ "counters that other events need", test_constraints },
		{ "what is refused before anything is written", test_refused },
	};
	int ret;

	saved = calloc(1, sizeof(*saved) + COUNTERS * sizeof(saved->counter[0]));
	if (!saved)
		return 1;
	unit.saved = saved;
	ret = tap_run(test, sizeof(test) / sizeof(test[0]));
	free(saved);
	return ret;
}
