// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test: where=host
 *
 * What freezes many units, kmod/global.c as it is, with registers that the
 * simulated machine does not have: MSRs, and such as do not do what they should.
 */
#include <stdbool.h>
#include <string.h>

#define KBUILD_MODNAME	"uncore_pmu"
#include "global.c"
#include "tap.h"

#define MSR		0x2ff0
#define ADDRESS		0x12345678ULL
#define OTHERS		0x0ab0	/* bits that are not the freeze bit */

/* The registers, and what was done to them. */
static struct {
	u32 memory;
	u64 msr;
	bool stuck;		/* the freeze bit cannot be cleared */
	bool fault;		/* the MSR is not there */
	unsigned int reads;
	unsigned int writes;
	int mapped;
	int online;		/* a CPU of die 0, or -1 */
	enum uncore_pmu_reason reason;
	const struct pci_dev *taken_by;
	unsigned int perf;	/* unit that perf has a PMU for, or UNITS */
} hw;

#define UNITS	3U
static const struct uncore_type type = { .name = "imc", .perf_unbound = true };
static struct uncore_unit unit[UNITS];
static struct pci_dev own, other;
static char page[4096];

void *ioremap(phys_addr_t address, size_t size)
{
	EXPECT_EQ(address, ADDRESS & PAGE_MASK);
	EXPECT_EQ(size, PAGE_SIZE);
	hw.mapped++;
	return page;
}

void iounmap(void *at)
{
	EXPECT(at == page);
	hw.mapped--;
}

u32 readl(const void *at)
{
	EXPECT(at == page + (ADDRESS & ~PAGE_MASK));
	hw.reads++;
	return hw.memory;
}

void writel(u32 value, void *at)
{
	EXPECT(at == page + (ADDRESS & ~PAGE_MASK));
	hw.writes++;
	hw.memory = value | hw.stuck;
}

int rdmsr_safe_on_cpu(unsigned int cpu, u32 msr, u32 *low, u32 *high)
{
	EXPECT_EQ(cpu, hw.online);
	EXPECT_EQ(msr, MSR);
	hw.reads++;
	*low = hw.msr;
	*high = hw.msr >> 32;
	return hw.fault ? -EIO : 0;
}

int wrmsr_safe_on_cpu(unsigned int cpu, u32 msr, u32 low, u32 high)
{
	EXPECT_EQ(cpu, hw.online);
	EXPECT_EQ(msr, MSR);
	hw.writes++;
	hw.msr = (u64)high << 32 | low | hw.stuck;
	return 0;
}

int uncore_pmu_die_cpu(int die)
{
	return die ? -EHOSTDOWN : hw.online;
}

enum uncore_pmu_reason uncore_pmu_mmio_check(struct uncore_finder *finder,
					     u64 address, u32 length,
					     const struct pci_dev *pdev)
{
	(void)finder;
	EXPECT_EQ(address, ADDRESS);
	EXPECT_EQ(length, 4);
	EXPECT(pdev == &own);
	return hw.reason;
}

bool uncore_pmu_mmio_covers(const struct uncore_unit *u, u64 address, u32 length)
{
	(void)u;
	(void)address;
	(void)length;
	return false;
}

bool uncore_pmu_is_taken(u64 start, u64 end, const struct pci_dev *pdev)
{
	EXPECT_EQ(start, ADDRESS & PAGE_MASK);
	EXPECT_EQ(end, (ADDRESS & PAGE_MASK) + PAGE_SIZE);
	return hw.taken_by && hw.taken_by != pdev;
}

const char *uncore_pmu_reason_text(enum uncore_pmu_reason reason)
{
	(void)reason;
	return "a reason";
}

struct uncore_unit *uncore_pmu_unit(u64 index)
{
	return index < UNITS ? &unit[index] : NULL;
}

bool uncore_pmu_perf_has(const struct uncore_unit *u)
{
	return u == uncore_pmu_unit(hw.perf);
}

/* All but the last unit have the register. */
static void reset(bool msr)
{
	unsigned int i;

	memset(&hw, 0, sizeof(hw));
	memset(unit, 0, sizeof(unit));
	hw.online = 7;
	hw.perf = UNITS;
	hw.memory = OTHERS | GLOBAL_FREEZE;
	hw.msr = 0xabcdULL << 32 | OTHERS | GLOBAL_FREEZE;
	for (i = 0; i < UNITS; i++) {
		unit[i].type = &type;
		if (i + 1 < UNITS)
			unit[i].global = msr ?
				uncore_pmu_add_global_msr(MSR, 0) :
				uncore_pmu_add_global(NULL, ADDRESS, &own);
	}
	EXPECT(unit[0].global && unit[0].global == unit[1].global);
}

static void forget(void)
{
	uncore_pmu_forget_globals();
	EXPECT_EQ(hw.mapped, 0);
	EXPECT_EQ(own.references, 0);
}

/* Two claims of one, as in claim_direct.c. */
static void lift_and_give_back(const void *at, u64 frozen)
{
	u64 now = 0;

	EXPECT_EQ(uncore_pmu_global_get(&unit[0]), 0);
	EXPECT_EQ(uncore_pmu_global_get(&unit[1]), 0);
	EXPECT_EQ(uncore_pmu_global_is_frozen(&unit[0]), false);
	uncore_pmu_global_put(&unit[0]);
	EXPECT_EQ(uncore_pmu_global_is_frozen(&unit[1]), false);
	uncore_pmu_global_put(&unit[1]);
	memcpy(&now, at, frozen >> 32 ? 8 : 4);
	EXPECT_EQ(now, frozen);
}

static void test_memory(void)
{
	reset(false);
	EXPECT_EQ(hw.mapped, 1);
	lift_and_give_back(&hw.memory, OTHERS | GLOBAL_FREEZE);
	/* What was not frozen is not frozen afterwards. */
	hw.memory = OTHERS;
	lift_and_give_back(&hw.memory, OTHERS);
	forget();
}

/* Its upper half stays, too. */
static void test_msr(void)
{
	reset(true);
	lift_and_give_back(&hw.msr, 0xabcdULL << 32 | OTHERS | GLOBAL_FREEZE);
	/* It is written only if that is needed. */
	hw.msr = 0xabcdULL << 32 | OTHERS;
	hw.writes = 0;
	lift_and_give_back(&hw.msr, 0xabcdULL << 32 | OTHERS);
	EXPECT_EQ(hw.writes, 0);
	forget();
}

/* Where nothing answers nothing can freeze, and nothing is written. */
static void test_no_answer(void)
{
	reset(false);
	hw.memory = ~0U;
	lift_and_give_back(&hw.memory, ~0U);
	EXPECT_EQ(hw.writes, 0);
	forget();
	reset(true);
	hw.fault = true;
	lift_and_give_back(&hw.msr, hw.msr);
	hw.fault = false;
	hw.online = -EHOSTDOWN;
	lift_and_give_back(&hw.msr, hw.msr);
	EXPECT_EQ(hw.writes, 0);
	forget();
}

static void test_stuck(void)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		reset(i);
		hw.stuck = true;
		EXPECT_EQ(uncore_pmu_global_get(&unit[0]), -EPROTO);
		EXPECT_EQ(uncore_pmu_global_get(&unit[2]), 0);
		uncore_pmu_global_put(&unit[2]);
		EXPECT_EQ(uncore_pmu_global_is_frozen(&unit[0]), true);
		hw.stuck = false;
		EXPECT_EQ(uncore_pmu_global_get(&unit[0]), 0);
		uncore_pmu_global_put(&unit[0]);
		EXPECT_EQ(uncore_pmu_global_is_frozen(&unit[0]), true);
		forget();
	}
}

/* perf has come to the other unit, and it has a use for the counters. */
static void test_perf(void)
{
	reset(false);
	EXPECT_EQ(uncore_pmu_global_get(&unit[1]), 0);
	hw.perf = 0;
	uncore_pmu_global_put(&unit[1]);
	EXPECT_EQ(hw.memory, OTHERS);

	/* A unit that is not frozen by it does not matter. */
	hw.memory |= GLOBAL_FREEZE;
	hw.perf = 2;
	lift_and_give_back(&hw.memory, OTHERS | GLOBAL_FREEZE);
	forget();
}

static void test_out_of_reach(void)
{
	reset(false);
	forget();
	hw.reason = UNCORE_PMU_REASON_RAM;
	unit[0].global = uncore_pmu_add_global(NULL, ADDRESS, &own);
	EXPECT_EQ(hw.mapped, 0);
	EXPECT_EQ(uncore_pmu_global_is_lost(&unit[0]), true);
	EXPECT_EQ(uncore_pmu_global_is_frozen(&unit[0]), false);
	EXPECT_EQ(uncore_pmu_global_get(&unit[0]), -EPROTO);
	EXPECT_EQ(hw.reads + hw.writes, 0);
	forget();
}

/* Not touched any more, even to give back what was there. */
static void test_taken(void)
{
	reset(false);
	EXPECT_EQ(own.references, 1);
	EXPECT_EQ(uncore_pmu_global_get(&unit[0]), 0);
	hw.taken_by = &own;
	uncore_pmu_check_globals_taken();
	EXPECT_EQ(uncore_pmu_global_is_lost(&unit[0]), false);
	hw.taken_by = &other;
	uncore_pmu_check_globals_taken();
	EXPECT_EQ(uncore_pmu_global_is_lost(&unit[0]), true);
	EXPECT_EQ(uncore_pmu_global_is_lost(&unit[2]), false);
	hw.reads = 0;
	hw.writes = 0;
	uncore_pmu_global_put(&unit[0]);
	EXPECT_EQ(uncore_pmu_global_get(&unit[1]), -EPROTO);
	EXPECT_EQ(uncore_pmu_global_is_frozen(&unit[1]), false);
	uncore_pmu_check_globals_taken();
	EXPECT_EQ(hw.reads + hw.writes, 0);
	forget();
}

int main(void)
{
	static const struct tap_test test[] = {
		{ "in memory", test_memory },
		{ "an MSR", test_msr },
		{ "registers that do not answer", test_no_answer },
		{ "registers that do not take what is written", test_stuck },
		{ "perf has come to another unit", test_perf },
		{ "one that cannot be reached", test_out_of_reach },
		{ "memory that is given to a device", test_taken },
	};

	return tap_run(test, sizeof(test) / sizeof(test[0]));
}
