// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=60 */
/* What the registers do, seen from the guest's place. */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "bench.h"
#include "tap.h"

#define ENABLE		(1u << 22)
#define FREEZE		(1u << 8)
#define MASK48		((1ull << 48) - 1)
#define MASK44		((1ull << 44) - 1)

/* Haswell-EP */
#define UNIT_CONTROL	0xf4
#define CONTROL(n)	(0xd8 + 4 * (n))
#define COUNTER(n)	(0xa0 + 8 * (n))
#define FIXED_CONTROL	0xf0
#define FIXED_COUNTER	0xd0
#define FIXED		4

static struct bench bench;
static struct sim_addr imc;
static uint8_t *page;

/* A fresh Haswell-EP with counter 0 of a memory channel enabled. */
static bool start(void)
{
	if (!EXPECT(bench_start(&bench, "machines/hsx-2s-dell-r530.lspci")))
		return false;
	imc = address("0001:ff:14.0");
	page = bench_page(&bench, imc);
	put32(page, CONTROL(0), ENABLE | 0x0304);
	return EXPECT_EQ(sim_sync(bench.sim), 0);
}

static void expect_value(unsigned int counter, unsigned int offset,
			 uint64_t want)
{
	uint64_t value = 0;

	EXPECT_EQ(sim_get(bench.sim, imc, counter, &value), 0);
	EXPECT_EQ(value, want);
	EXPECT_EQ(get64(page, offset), want);
}

static void test_after_reset(void)
{
	unsigned int i;

	if (EXPECT(bench_start(&bench, "machines/hsx-2s-dell-r530.lspci"))) {
		imc = address("0001:ff:14.0");
		page = bench_page(&bench, imc);
		EXPECT_EQ(get32(page, UNIT_CONTROL), 0);
		for (i = 0; i < 4; i++) {
			EXPECT_EQ(get32(page, CONTROL(i)), 0);
			expect_value(i, COUNTER(i), 0);
			EXPECT_EQ(sim_add(bench.sim, imc, i, 1), -EAGAIN);
		}
		EXPECT_EQ(sim_add(bench.sim, imc, FIXED, 1), -EAGAIN);
		expect_value(FIXED, FIXED_COUNTER, 0);
	}
	bench_stop(&bench);
}

static void test_enable(void)
{
	if (start()) {
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1000), 0);
		expect_value(0, COUNTER(0), 1000);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
		expect_value(0, COUNTER(0), 1001);
		/* The others are disabled, and so is this one now. */
		EXPECT_EQ(sim_add(bench.sim, imc, 1, 1), -EAGAIN);
		put32(page, CONTROL(0), 0x0304);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
		expect_value(0, COUNTER(0), 1001);
		EXPECT_EQ(get32(page, CONTROL(0)), 0x0304);
		put32(page, CONTROL(3), ENABLE);
		EXPECT_EQ(sim_add(bench.sim, imc, 3, 7), 0);
		expect_value(3, COUNTER(3), 7);
	}
	bench_stop(&bench);
}

static void test_freeze(void)
{
	if (start()) {
		put32(page, UNIT_CONTROL, FREEZE);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
		EXPECT_EQ(get32(page, UNIT_CONTROL), FREEZE);
		put32(page, UNIT_CONTROL, 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 5), 0);
		expect_value(0, COUNTER(0), 5);
		/* Bits that do not exist read as zero. */
		put32(page, UNIT_CONTROL, 0xfffffefc);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(page, UNIT_CONTROL), 1u << 16);
	}
	bench_stop(&bench);
}

/* Sandy Bridge-EP freezes only where freezing is enabled, bit 16. */
static void test_freeze_enable(void)
{
	if (EXPECT(bench_start(&bench,
			       "machines/snb-ep-2s-hwloc-e5-2680.lspci"))) {
		imc = address("0001:ff:10.0");
		page = bench_page(&bench, imc);
		put32(page, CONTROL(0), ENABLE);
		put32(page, UNIT_CONTROL, FREEZE);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 3), 0);
		put32(page, UNIT_CONTROL, FREEZE | 1u << 16);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 3), -EAGAIN);
		expect_value(0, COUNTER(0), 3);
	}
	bench_stop(&bench);
	/* Ivy Bridge-EP has no such bit. */
	if (EXPECT(bench_start(&bench,
			       "machines/ivb-ep-2s-ibm-x3550-m4.lspci"))) {
		imc = address("0001:ff:10.0");
		page = bench_page(&bench, imc);
		put32(page, CONTROL(0), ENABLE);
		put32(page, UNIT_CONTROL, FREEZE | 1u << 16);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 3), -EAGAIN);
		EXPECT_EQ(get32(page, UNIT_CONTROL), FREEZE);
	}
	bench_stop(&bench);
}

static void test_counter_reset(void)
{
	if (start()) {
		put32(page, CONTROL(1), ENABLE);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 11), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 1, 22), 0);
		put32(page, CONTROL(0), ENABLE | 1u << 17 | 0x0304);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(page, CONTROL(0)), ENABLE | 0x0304);
		expect_value(0, COUNTER(0), 0);
		expect_value(1, COUNTER(1), 22);
	}
	bench_stop(&bench);
}

static void test_unit_reset(void)
{
	if (start()) {
		put32(page, FIXED_CONTROL, ENABLE);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 11), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, FIXED, 22), 0);
		put32(page, UNIT_CONTROL, FREEZE | 2);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(page, UNIT_CONTROL), FREEZE);
		expect_value(0, COUNTER(0), 0);
		expect_value(FIXED, FIXED_COUNTER, 0);
		EXPECT_EQ(get32(page, CONTROL(0)), ENABLE | 0x0304);

		put32(page, UNIT_CONTROL, 1);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(page, UNIT_CONTROL), 0);
		EXPECT_EQ(get32(page, CONTROL(0)), 0);
		EXPECT_EQ(get32(page, FIXED_CONTROL), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
	}
	bench_stop(&bench);
}

/*
 * As a driver does it, without waiting: reset, then program. The host process
 * is stopped meanwhile, so that it sees both at once.
 */
static void test_reset_then_program(void)
{
	if (start()) {
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 11), 0);
		kill(bench.pid, SIGSTOP);
		put32(page, UNIT_CONTROL, 3);
		put32(page, CONTROL(1), ENABLE | 0x0c04);
		put32(page, COUNTER(2), 99);
		kill(bench.pid, SIGCONT);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(page, UNIT_CONTROL), 0);
		EXPECT_EQ(get32(page, CONTROL(0)), 0);
		EXPECT_EQ(get32(page, CONTROL(1)), ENABLE | 0x0c04);
		expect_value(0, COUNTER(0), 0);
		expect_value(2, COUNTER(2), 99);
	}
	bench_stop(&bench);
}

static void test_wrap(void)
{
	struct sim_addr r3qpi = address("0001:ff:0b.1");
	uint8_t *r3qpi_page;
	uint64_t value;

	if (start()) {
		EXPECT_EQ(sim_set(bench.sim, imc, 0, MASK48), 0);
		expect_value(0, COUNTER(0), MASK48);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
		expect_value(0, COUNTER(0), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, UINT64_MAX), 0);
		expect_value(0, COUNTER(0), MASK48);
		EXPECT_EQ(sim_set(bench.sim, imc, 0, 0xfffffffe), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 3), 0);
		expect_value(0, COUNTER(0), 0x100000001);
		EXPECT_EQ(sim_set(bench.sim, imc, 0, MASK48 + 1), -EINVAL);

		/* R3QPI has three counters of 44 bits. */
		r3qpi_page = bench_page(&bench, r3qpi);
		put32(r3qpi_page, CONTROL(2), ENABLE);
		EXPECT_EQ(sim_set(bench.sim, r3qpi, 2, MASK44 + 1), -EINVAL);
		EXPECT_EQ(sim_set(bench.sim, r3qpi, 2, MASK44), 0);
		EXPECT_EQ(sim_add(bench.sim, r3qpi, 2, 6), 0);
		EXPECT_EQ(sim_get(bench.sim, r3qpi, 2, &value), 0);
		EXPECT_EQ(value, 5);
		EXPECT_EQ(get64(r3qpi_page, COUNTER(2)), 5);
		EXPECT_EQ(sim_set(bench.sim, r3qpi, 3, 0), -EINVAL);
	}
	bench_stop(&bench);
}

static void test_fixed(void)
{
	if (start()) {
		put32(page, FIXED_CONTROL, ENABLE);
		EXPECT_EQ(sim_add(bench.sim, imc, FIXED, 12), 0);
		expect_value(FIXED, FIXED_COUNTER, 12);
		EXPECT_EQ(sim_set(bench.sim, imc, FIXED, MASK48), 0);
		EXPECT_EQ(sim_add(bench.sim, imc, FIXED, 13), 0);
		expect_value(FIXED, FIXED_COUNTER, 12);
		put32(page, FIXED_CONTROL, ENABLE | 1u << 19 | 0xff);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(page, FIXED_CONTROL), ENABLE);
		expect_value(FIXED, FIXED_COUNTER, 0);
		put32(page, FIXED_CONTROL, 1);
		EXPECT_EQ(sim_add(bench.sim, imc, FIXED, 1), -EAGAIN);
		EXPECT_EQ(get32(page, FIXED_CONTROL), 0);
	}
	bench_stop(&bench);
	/* On Knights Landing bit 0 enables it. */
	if (EXPECT(bench_start(&bench,
			       "machines/knl-1s-asrock-2u4n-xeonphi-7210.lspci"))) {
		imc = address("0001:ff:08.2");
		page = bench_page(&bench, imc);
		put32(page, 0xb44, ENABLE);
		EXPECT_EQ(sim_add(bench.sim, imc, FIXED, 1), -EAGAIN);
		EXPECT_EQ(get32(page, 0xb44), 0);
		put32(page, 0xb44, 1);
		EXPECT_EQ(sim_add(bench.sim, imc, FIXED, 0x123456789), 0);
		expect_value(FIXED, 0xb3c, 0x123456789);
	}
	bench_stop(&bench);
}

static void test_guest_writes(void)
{
	if (start()) {
		put32(page, COUNTER(0), 0x89abcdef);
		put32(page, COUNTER(0) + 4, 0xfedc4567);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		/* There are no bits above 47. */
		expect_value(0, COUNTER(0), 0x456789abcdef);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
		expect_value(0, COUNTER(0), 0x456789abcdf0);
		/* A disabled counter can be written as well. */
		put32(page, COUNTER(1), 5);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		expect_value(1, COUNTER(1), 5);
	}
	bench_stop(&bench);
}

static void test_read_only(void)
{
	struct sim_addr ubox = address("0001:ff:10.5");
	uint8_t *ubox_page, before[64];
	unsigned int i;

	if (start()) {
		memcpy(before, page, sizeof(before));
		for (i = 0; i < 64; i += 4)
			put32(page, i, 0xffffffff);
		ubox_page = bench_page(&bench, ubox);
		put32(ubox_page, 0x40, 7);
		put32(ubox_page, 0x54, 0);
		put32(ubox_page, 0x60, 0x1234);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT(!memcmp(page, before, sizeof(before)));
		EXPECT_EQ(get32(page, 0x00), 0x2fb08086);
		EXPECT_EQ(get32(page, 0x04), 0);
		EXPECT_EQ(get32(page, 0x08), 0x08800002);
		EXPECT_EQ(get32(page, 0x10), 0);
		EXPECT_EQ(get32(ubox_page, 0x40), 1);
		EXPECT_EQ(get32(ubox_page, 0x54), 0x492488);
		EXPECT_EQ(get32(ubox_page, 0x60), 0x1234);
	}
	bench_stop(&bench);
}

/* Lets the clock run until counter 0 of the memory channel has @least. */
static void run_until(uint64_t least)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	unsigned int i;

	EXPECT_EQ(sim_clock(bench.sim, true), 0);
	for (i = 0; i < 2000 && get64(page, COUNTER(0)) < least; i++)
		nanosleep(&pause, NULL);
	EXPECT_EQ(sim_clock(bench.sim, false), 0);
	EXPECT(get64(page, COUNTER(0)) >= least);
}

/* Of two counters that ran for the same time, whatever that was. */
static void expect_ratio(uint64_t a, uint64_t b, uint64_t rate_a,
			 uint64_t rate_b)
{
	double got = (double)a / b, want = (double)rate_a / rate_b;

	if (!EXPECT(got > want * 0.9999 && got < want * 1.0001))
		printf("# the ratio is %f, not %f\n", got, want);
}

static void test_rates(void)
{
	struct sim_addr ha = address("0001:ff:12.1");
	uint64_t reads, writes, clocks;
	uint8_t *ha_page;

	if (start()) {
		ha_page = bench_page(&bench, ha);
		put32(page, CONTROL(1), ENABLE | 0x0c04);
		put32(page, FIXED_CONTROL, ENABLE);
		put32(ha_page, CONTROL(0), ENABLE | 0x01);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		run_until(1000000);
		reads = get64(page, COUNTER(0));
		writes = get64(page, COUNTER(1));
		clocks = get64(page, FIXED_COUNTER);
		/* First memory channel of socket 1 */
		expect_ratio(reads, writes, 36200000, 14480000);
		expect_ratio(reads, clocks, 36200000, 1066666667);
		expect_ratio(reads, get64(ha_page, COUNTER(0)), 36200000,
			     2 * 1000003);

		/* Another event from here on; the time stopped is not counted. */
		put32(page, CONTROL(1), ENABLE | 0x0304);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get64(page, COUNTER(0)), reads);
		EXPECT_EQ(get64(page, COUNTER(1)), writes);
		/* From the same value on, the same rate gives the same count. */
		EXPECT_EQ(sim_set(bench.sim, imc, 0, 0), 0);
		EXPECT_EQ(sim_set(bench.sim, imc, 1, 0), 0);
		EXPECT_EQ(sim_set(bench.sim, imc, FIXED, 0), 0);
		run_until(1000000);
		EXPECT_EQ(get64(page, COUNTER(0)), get64(page, COUNTER(1)));
		expect_ratio(get64(page, COUNTER(0)),
			     get64(page, FIXED_COUNTER), 36200000, 1066666667);
	}
	bench_stop(&bench);
}

static void test_frozen_clock(void)
{
	if (start()) {
		put32(page, UNIT_CONTROL, FREEZE);
		put32(page, CONTROL(1), ENABLE);
		EXPECT_EQ(sim_clock(bench.sim, true), 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(sim_clock(bench.sim, false), 0);
		expect_value(0, COUNTER(0), 0);
		expect_value(1, COUNTER(1), 0);
	}
	bench_stop(&bench);
}

int main(int argc, char **argv)
{
	static const struct tap_test tests[] = {
		{ "registers after reset", test_after_reset },
		{ "enable", test_enable },
		{ "freeze", test_freeze },
		{ "freeze enable", test_freeze_enable },
		{ "counter reset", test_counter_reset },
		{ "unit reset", test_unit_reset },
		{ "reset, then program at once", test_reset_then_program },
		{ "wrap at 48 and 44 bits", test_wrap },
		{ "fixed counters", test_fixed },
		{ "the guest writes counters", test_guest_writes },
		{ "read-only registers", test_read_only },
		{ "event-dependent rates", test_rates },
		{ "frozen while the clock runs", test_frozen_clock },
	};

	(void)argc;
	bench_init(argv[0]);
	return tap_run(tests, ARRAY_SIZE(tests));
}
