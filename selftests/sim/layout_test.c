// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=60 */
/*
 * Where the registers of each kind of unit are: every counter is enabled and
 * moved through the offsets written here, taken once more from Linux 6.1,
 * arch/x86/events/intel/uncore_snbep.c.
 */
#include <errno.h>

#include "bench.h"
#include "tap.h"

struct layout {
	const char *address;
	unsigned int general;
	unsigned int width;
	unsigned int unit_control;
	unsigned int control;		/* of counter 0 */
	unsigned int control_step;
	unsigned int counter[4];
	unsigned int fixed_control;	/* 0: none */
	unsigned int fixed_counter;
	unsigned int fixed_enable;
};

#define AT(base, step) \
	{ (base), (base) + (step), (base) + 2 * (step), (base) + 3 * (step) }

static const struct layout sandybridge_ep[] = {
	{ "0001:ff:0e.1", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:10.0", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0xf0, 0xd0, 22 },
	{ "0001:7f:10.5", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0xf0, 0xd0, 22 },
	{ "0001:ff:08.2", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:13.1", 4, 44, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:13.6", 3, 44, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ 0 },
};

static const struct layout ivybridge_ep[] = {
	{ "0001:ff:1c.1", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:1e.4", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0xf0, 0xd0, 22 },
	{ "0001:00:05.6", 4, 48, 0xf4, 0xd8, 4, { 0xa0, 0xb0, 0xb8, 0xc0 },
	  0, 0, 0 },
	{ "0001:ff:09.2", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:13.1", 4, 44, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:13.5", 3, 44, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ 0 },
};

static const struct layout haswell_ep[] = {
	{ "0001:ff:12.5", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:18.1", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0xf0, 0xd0, 22 },
	{ "0001:80:05.6", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:0a.2", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:10.1", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:ff:0b.5", 3, 44, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ 0 },
};

static const struct layout broadwell_ep[] = {
	{ "0001:7f:12.1", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:7f:15.0", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0xf0, 0xd0, 22 },
	{ "0001:00:05.6", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:7f:08.2", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:7f:10.1", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:7f:0b.1", 3, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ 0 },
};

static const struct layout knl[] = {
	{ "0001:ff:0a.0", 4, 48, 0x430, 0x420, 4, AT(0x400, 8),
	  0x454, 0x44c, 0 },
	{ "0001:ff:09.4", 4, 48, 0xb30, 0xb20, 4, AT(0xb00, 8),
	  0xb44, 0xb3c, 0 },
	{ "0001:ff:16.0", 4, 48, 0x430, 0x420, 4, AT(0x400, 8),
	  0x454, 0x44c, 0 },
	{ "0001:ff:1f.2", 4, 48, 0xa30, 0xa20, 4, AT(0xa00, 8),
	  0xa44, 0xa3c, 0 },
	{ "0001:ff:0c.1", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:00:05.6", 2, 48, 0xf0, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ 0 },
};

static const struct layout skylake_sp[] = {
	{ "0001:3a:0b.2", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0xf0, 0xd0, 22 },
	{ "0001:ae:09.0", 4, 48, 0x258, 0x228, 8, AT(0x200, 8), 0, 0, 0 },
	{ "0001:5d:10.0", 4, 48, 0x378, 0x350, 8, AT(0x318, 8), 0, 0, 0 },
	{ "0001:d7:15.5", 4, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ "0001:5d:12.2", 3, 48, 0xf4, 0xd8, 4, AT(0xa0, 8), 0, 0, 0 },
	{ 0 },
};

static const struct layout snowridge[] = {
	{ "0001:fe:0c.0", 4, 48, 0x438, 0x468, 8, AT(0x440, 8), 0, 0, 0 },
	{ "0001:00:04.0", 4, 48, 0x4e0, 0x508, 8, AT(0x4e8, 8), 0, 0, 0 },
	{ 0 },
};

static const struct layout icelake_sp[] = {
	{ "0001:7e:0f.0", 4, 48, 0x438, 0x468, 8, AT(0x440, 8), 0, 0, 0 },
	{ "0001:fe:03.1", 4, 48, 0x318, 0x350, 8, AT(0x320, 8), 0, 0, 0 },
	{ "0001:fe:07.1", 4, 48, 0xa0, 0xd8, 4, AT(0xa8, 8), 0, 0, 0 },
	{ 0 },
};

static void check_counter(struct bench *bench, const struct layout *l,
			  unsigned int index, unsigned int control,
			  unsigned int counter, unsigned int enable)
{
	struct sim_addr addr = address(l->address);
	uint64_t start = (1ull << l->width) - 2, value = 0;
	uint8_t *page = bench_page(bench, addr);

	EXPECT_EQ(sim_set(bench->sim, addr, index, start), 0);
	EXPECT_EQ(get64(page, counter), start);
	EXPECT_EQ(sim_add(bench->sim, addr, index, 1), -EAGAIN);
	put32(page, control, 1u << enable);
	EXPECT_EQ(sim_add(bench->sim, addr, index, 0x123456789), 0);
	EXPECT_EQ(get64(page, counter), 0x123456787);
	/* The unit's control register freezes and resets it. */
	put32(page, l->unit_control, 1u << 8 | 1u << 16);
	EXPECT_EQ(sim_add(bench->sim, addr, index, 1), -EAGAIN);
	put32(page, l->unit_control, 2);
	EXPECT_EQ(sim_get(bench->sim, addr, index, &value), 0);
	EXPECT_EQ(value, 0);
	EXPECT_EQ(get64(page, counter), 0);
	put32(page, l->unit_control, 1);
	EXPECT_EQ(sim_sync(bench->sim), 0);
	EXPECT_EQ(get32(page, control), 0);
}

static void check_layouts(const char *listing, const struct layout *l)
{
	struct bench bench;
	unsigned int i;

	if (!EXPECT(bench_start(&bench, listing))) {
		bench_stop(&bench);
		return;
	}
	for (; l->address; l++) {
		struct sim_unit unit;

		if (EXPECT_EQ(sim_describe(bench.sim, address(l->address),
					   &unit), 0)) {
			EXPECT_EQ(unit.general, l->general);
			EXPECT_EQ(unit.width, l->width);
			EXPECT_EQ(unit.fixed, l->fixed_control != 0);
			EXPECT(!unit.hidden);
		}
		for (i = 0; i < l->general; i++)
			check_counter(&bench, l, i,
				      l->control + i * l->control_step,
				      l->counter[i], 22);
		if (l->fixed_control)
			check_counter(&bench, l, l->general, l->fixed_control,
				      l->fixed_counter, l->fixed_enable);
		if (tap_failed) {
			printf("# that was %s\n", l->address);
			break;
		}
	}
	bench_stop(&bench);
}

#define LAYOUT_TEST(name, listing) \
	static void test_##name(void) { check_layouts(listing, name); }

LAYOUT_TEST(sandybridge_ep, "machines/full-sandybridge-ep.lspci")
LAYOUT_TEST(ivybridge_ep, "machines/full-ivybridge-ep.lspci")
LAYOUT_TEST(haswell_ep, "machines/full-haswell-ep.lspci")
LAYOUT_TEST(broadwell_ep, "machines/full-broadwell-ep.lspci")
LAYOUT_TEST(knl, "machines/knl-1s-asrock-2u4n-xeonphi-7210.lspci")
LAYOUT_TEST(skylake_sp, "machines/full-skylake-sp.lspci")
LAYOUT_TEST(snowridge, "machines/snr-1s-constructed.lspci")
LAYOUT_TEST(icelake_sp, "machines/full-icelake-sp.lspci")

int main(int argc, char **argv)
{
	static const struct tap_test tests[] = {
		{ "sandybridge-ep", test_sandybridge_ep },
		{ "ivybridge-ep", test_ivybridge_ep },
		{ "haswell-ep", test_haswell_ep },
		{ "broadwell-ep", test_broadwell_ep },
		{ "knl", test_knl },
		{ "skylake-sp", test_skylake_sp },
		{ "snowridge", test_snowridge },
		{ "icelake-sp", test_icelake_sp },
	};

	(void)argc;
	bench_init(argv[0]);
	return tap_run(tests, ARRAY_SIZE(tests));
}
