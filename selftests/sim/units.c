// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sources: Linux 6.1, arch/x86/events/intel/uncore_snbep.c, for ids, offsets
 * and widths; Intel 327043-001 (uncore guide of the Xeon E5-2600), tables 2-34,
 * 2-60, 2-62 and 2-85, for unit control, its dependence on "freeze enable" and
 * the fixed counter's control; Intel 329468-002 (the same for E5 v2), table
 * 2-72, for freezing without that dependence. The first guide reserves the
 * reset bits of home agent and memory controller; the kernel's driver writes
 * them there all the same, and the model obeys them in every unit.
 */
#include <stddef.h>

#include "units.h"
#include "util.h"

#define INTEL		0x8086

#define RESETS		(UNIT_RESET_CONTROLS | UNIT_RESET_COUNTERS)
#define BITS_OF_XEON \
	.enable = CONTROL_ENABLE, .freeze = UNIT_FREEZE, \
	.reset_controls = UNIT_RESET_CONTROLS, \
	.reset_counters = UNIT_RESET_COUNTERS
#define PLAIN		BITS_OF_XEON, .unit_bits = RESETS | UNIT_FREEZE
#define WITH_ENABLE	BITS_OF_XEON, \
			.unit_bits = RESETS | UNIT_FREEZE | UNIT_FREEZE_ENABLE
#define NEEDS_ENABLE	WITH_ENABLE, .freeze_needs_enable = true

#define REGS4(first, step) \
	{ (first), (first) + (step), (first) + 2 * (step), (first) + 3 * (step) }

/* Where the registers have been since Sandy Bridge-EP */
#define CLASSIC \
	.unit_control = 0xf4, .control = REGS4(0xd8, 4), \
	.counter = REGS4(0xa0, 8)
#define CLASSIC_FIXED \
	.fixed_width = 48, .fixed_enable = FIXED_ENABLE, \
	.fixed_control = 0xf0, .fixed_counter = 0xd0

#define BITS(n, w)	.general = (n), .width = (w)

/* Sandy Bridge-EP */
static const struct unit_kind snb_ha = {
	"ha", UNIT_OTHER, BITS(4, 48), NEEDS_ENABLE, CLASSIC };
static const struct unit_kind snb_imc = {
	"imc", UNIT_MEMORY, BITS(4, 48), NEEDS_ENABLE, CLASSIC, CLASSIC_FIXED };
static const struct unit_kind snb_qpi = {
	"qpi", UNIT_OTHER, BITS(4, 48), NEEDS_ENABLE, CLASSIC };
static const struct unit_kind snb_r2pcie = {
	"r2pcie", UNIT_OTHER, BITS(4, 44), NEEDS_ENABLE, CLASSIC };
static const struct unit_kind snb_r3qpi = {
	"r3qpi", UNIT_OTHER, BITS(3, 44), NEEDS_ENABLE, CLASSIC };

/* Ivy Bridge-EP */
static const struct unit_kind ivb_ha = {
	"ha", UNIT_OTHER, BITS(4, 48), PLAIN, CLASSIC };
static const struct unit_kind ivb_imc = {
	"imc", UNIT_MEMORY, BITS(4, 48), PLAIN, CLASSIC, CLASSIC_FIXED };
static const struct unit_kind ivb_irp = {
	"irp", UNIT_OTHER, BITS(4, 48), PLAIN,
	.unit_control = 0xf4, .control = REGS4(0xd8, 4),
	.counter = { 0xa0, 0xb0, 0xb8, 0xc0 } };
static const struct unit_kind ivb_qpi = {
	"qpi", UNIT_OTHER, BITS(4, 48), PLAIN, CLASSIC };
static const struct unit_kind ivb_r2pcie = {
	"r2pcie", UNIT_OTHER, BITS(4, 44), PLAIN, CLASSIC };
static const struct unit_kind ivb_r3qpi = {
	"r3qpi", UNIT_OTHER, BITS(3, 44), PLAIN, CLASSIC };

/* Haswell-EP and Broadwell-EP; the latter's R3QPI is wider */
static const struct unit_kind hsx_ha = {
	"ha", UNIT_OTHER, BITS(4, 48), WITH_ENABLE, CLASSIC };
static const struct unit_kind hsx_imc = {
	"imc", UNIT_MEMORY, BITS(4, 48), WITH_ENABLE, CLASSIC, CLASSIC_FIXED };
static const struct unit_kind hsx_irp = {
	"irp", UNIT_OTHER, BITS(4, 48), WITH_ENABLE, CLASSIC };
static const struct unit_kind hsx_qpi = {
	"qpi", UNIT_OTHER, BITS(4, 48), WITH_ENABLE, CLASSIC };
static const struct unit_kind hsx_r2pcie = {
	"r2pcie", UNIT_OTHER, BITS(4, 48), WITH_ENABLE, CLASSIC };
static const struct unit_kind hsx_r3qpi = {
	"r3qpi", UNIT_OTHER, BITS(3, 44), WITH_ENABLE, CLASSIC };
static const struct unit_kind bdx_r3qpi = {
	"r3qpi", UNIT_OTHER, BITS(3, 48), WITH_ENABLE, CLASSIC };

/*
 * Knights Landing. Its driver clears the whole unit control register to let a
 * unit run and sets nothing but "freeze" to stop it, so freezing cannot depend
 * on "freeze enable".
 */
#define KNL_UCLK \
	.unit_control = 0x430, .control = REGS4(0x420, 4), \
	.counter = REGS4(0x400, 8), .fixed_width = 48, \
	.fixed_enable = FIXED_ENABLE_KNL, \
	.fixed_control = 0x454, .fixed_counter = 0x44c
static const struct unit_kind knl_imc_uclk = {
	"imc_uclk", UNIT_OTHER, BITS(4, 48), WITH_ENABLE, KNL_UCLK };
static const struct unit_kind knl_edc_uclk = {
	"edc_uclk", UNIT_OTHER, BITS(4, 48), WITH_ENABLE, KNL_UCLK };
static const struct unit_kind knl_edc_eclk = {
	"edc_eclk", UNIT_OTHER, BITS(4, 48), WITH_ENABLE,
	.unit_control = 0xa30, .control = REGS4(0xa20, 4),
	.counter = REGS4(0xa00, 8), .fixed_width = 48,
	.fixed_enable = FIXED_ENABLE_KNL,
	.fixed_control = 0xa44, .fixed_counter = 0xa3c };
static const struct unit_kind knl_imc = {
	"imc", UNIT_MEMORY_KNL, BITS(4, 48), WITH_ENABLE,
	.unit_control = 0xb30, .control = REGS4(0xb20, 4),
	.counter = REGS4(0xb00, 8), .fixed_width = 48,
	.fixed_enable = FIXED_ENABLE_KNL,
	.fixed_control = 0xb44, .fixed_counter = 0xb3c };
static const struct unit_kind knl_m2pcie = {
	"m2pcie", UNIT_OTHER, BITS(4, 48), WITH_ENABLE, CLASSIC };
static const struct unit_kind knl_irp = {
	"irp", UNIT_OTHER, BITS(2, 48), WITH_ENABLE,
	.unit_control = 0xf0, .control = { 0xd8, 0xdc },
	.counter = { 0xa0, 0xa8 } };

/* Skylake-SP and Cascade Lake-SP */
static const struct unit_kind skx_imc = {
	"imc", UNIT_MEMORY, BITS(4, 48), PLAIN, CLASSIC, CLASSIC_FIXED };
static const struct unit_kind skx_m2m = {
	"m2m", UNIT_OTHER, BITS(4, 48), PLAIN,
	.unit_control = 0x258, .control = REGS4(0x228, 8),
	.counter = REGS4(0x200, 8) };
static const struct unit_kind skx_upi = {
	"upi", UNIT_OTHER, BITS(4, 48), PLAIN,
	.unit_control = 0x378, .control = REGS4(0x350, 8),
	.counter = REGS4(0x318, 8) };
static const struct unit_kind skx_m2pcie = {
	"m2pcie", UNIT_OTHER, BITS(4, 48), PLAIN, CLASSIC };
static const struct unit_kind skx_m3upi = {
	"m3upi", UNIT_OTHER, BITS(3, 48), PLAIN, CLASSIC };

/* Snow Ridge and Ice Lake-SP */
static const struct unit_kind snr_m2m = {
	"m2m", UNIT_OTHER, BITS(4, 48), PLAIN,
	.unit_control = 0x438, .control = REGS4(0x468, 8),
	.counter = REGS4(0x440, 8) };
static const struct unit_kind snr_pcie3 = {
	"pcie3", UNIT_OTHER, BITS(4, 48), PLAIN,
	.unit_control = 0x4e0, .control = REGS4(0x508, 8),
	.counter = REGS4(0x4e8, 8) };
static const struct unit_kind icx_upi = {
	"upi", UNIT_OTHER, BITS(4, 48), PLAIN,
	.unit_control = 0x318, .control = REGS4(0x350, 8),
	.counter = REGS4(0x320, 8) };
static const struct unit_kind icx_m3upi = {
	"m3upi", UNIT_OTHER, BITS(4, 48), PLAIN,
	.unit_control = 0xa0, .control = REGS4(0xd8, 4),
	.counter = REGS4(0xa8, 8) };

static const struct unit_id ids[] = {
	{ 0x3c46, PLATFORM_SANDYBRIDGE_EP, &snb_ha },
	{ 0x3cb0, PLATFORM_SANDYBRIDGE_EP, &snb_imc },
	{ 0x3cb1, PLATFORM_SANDYBRIDGE_EP, &snb_imc },
	{ 0x3cb4, PLATFORM_SANDYBRIDGE_EP, &snb_imc },
	{ 0x3cb5, PLATFORM_SANDYBRIDGE_EP, &snb_imc },
	{ 0x3c41, PLATFORM_SANDYBRIDGE_EP, &snb_qpi },
	{ 0x3c42, PLATFORM_SANDYBRIDGE_EP, &snb_qpi },
	{ 0x3c43, PLATFORM_SANDYBRIDGE_EP, &snb_r2pcie },
	{ 0x3c44, PLATFORM_SANDYBRIDGE_EP, &snb_r3qpi },
	{ 0x3c45, PLATFORM_SANDYBRIDGE_EP, &snb_r3qpi },

	{ 0x0e30, PLATFORM_IVYBRIDGE_EP, &ivb_ha },
	{ 0x0e38, PLATFORM_IVYBRIDGE_EP, &ivb_ha },
	{ 0x0eb4, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0eb5, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0eb0, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0eb1, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0ef4, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0ef5, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0ef0, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0ef1, PLATFORM_IVYBRIDGE_EP, &ivb_imc },
	{ 0x0e39, PLATFORM_IVYBRIDGE_EP, &ivb_irp },
	{ 0x0e32, PLATFORM_IVYBRIDGE_EP, &ivb_qpi },
	{ 0x0e33, PLATFORM_IVYBRIDGE_EP, &ivb_qpi },
	{ 0x0e3a, PLATFORM_IVYBRIDGE_EP, &ivb_qpi },
	{ 0x0e34, PLATFORM_IVYBRIDGE_EP, &ivb_r2pcie },
	{ 0x0e36, PLATFORM_IVYBRIDGE_EP, &ivb_r3qpi },
	{ 0x0e37, PLATFORM_IVYBRIDGE_EP, &ivb_r3qpi },
	{ 0x0e3e, PLATFORM_IVYBRIDGE_EP, &ivb_r3qpi },

	{ 0x2f30, PLATFORM_HASWELL_EP, &hsx_ha },
	{ 0x2f38, PLATFORM_HASWELL_EP, &hsx_ha },
	{ 0x2fb0, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2fb1, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2fb4, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2fb5, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2fd0, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2fd1, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2fd4, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2fd5, PLATFORM_HASWELL_EP, &hsx_imc },
	{ 0x2f39, PLATFORM_HASWELL_EP, &hsx_irp },
	{ 0x2f32, PLATFORM_HASWELL_EP, &hsx_qpi },
	{ 0x2f33, PLATFORM_HASWELL_EP, &hsx_qpi },
	{ 0x2f3a, PLATFORM_HASWELL_EP, &hsx_qpi },
	{ 0x2f34, PLATFORM_HASWELL_EP, &hsx_r2pcie },
	{ 0x2f36, PLATFORM_HASWELL_EP, &hsx_r3qpi },
	{ 0x2f37, PLATFORM_HASWELL_EP, &hsx_r3qpi },
	{ 0x2f3e, PLATFORM_HASWELL_EP, &hsx_r3qpi },

	{ 0x6f30, PLATFORM_BROADWELL_EP, &hsx_ha },
	{ 0x6f38, PLATFORM_BROADWELL_EP, &hsx_ha },
	{ 0x6fb0, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6fb1, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6fb4, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6fb5, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6fd0, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6fd1, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6fd4, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6fd5, PLATFORM_BROADWELL_EP, &hsx_imc },
	{ 0x6f39, PLATFORM_BROADWELL_EP, &hsx_irp },
	{ 0x6f32, PLATFORM_BROADWELL_EP, &hsx_qpi },
	{ 0x6f33, PLATFORM_BROADWELL_EP, &hsx_qpi },
	{ 0x6f3a, PLATFORM_BROADWELL_EP, &hsx_qpi },
	{ 0x6f34, PLATFORM_BROADWELL_EP, &hsx_r2pcie },
	{ 0x6f36, PLATFORM_BROADWELL_EP, &bdx_r3qpi },
	{ 0x6f37, PLATFORM_BROADWELL_EP, &bdx_r3qpi },
	{ 0x6f3e, PLATFORM_BROADWELL_EP, &bdx_r3qpi },

	{ 0x7841, PLATFORM_KNL, &knl_imc_uclk },
	{ 0x7843, PLATFORM_KNL, &knl_imc },
	{ 0x7833, PLATFORM_KNL, &knl_edc_uclk },
	{ 0x7835, PLATFORM_KNL, &knl_edc_eclk },
	{ 0x7817, PLATFORM_KNL, &knl_m2pcie },
	{ 0x7814, PLATFORM_KNL, &knl_irp },

	{ 0x2042, PLATFORM_SKYLAKE_SP, &skx_imc },
	{ 0x2046, PLATFORM_SKYLAKE_SP, &skx_imc },
	{ 0x204a, PLATFORM_SKYLAKE_SP, &skx_imc },
	{ 0x2066, PLATFORM_SKYLAKE_SP, &skx_m2m },
	{ 0x2058, PLATFORM_SKYLAKE_SP, &skx_upi },
	{ 0x2088, PLATFORM_SKYLAKE_SP, &skx_m2pcie },
	{ 0x204d, PLATFORM_SKYLAKE_SP, &skx_m3upi },
	{ 0x204e, PLATFORM_SKYLAKE_SP, &skx_m3upi },

	{ 0x334a, PLATFORM_SNOWRIDGE, &snr_pcie3 },
	/* Snow Ridge and Ice Lake-SP alike, down to the registers */
	{ 0x344a, PLATFORM_ICELAKE_SP, &snr_m2m },
	{ 0x3441, PLATFORM_ICELAKE_SP, &icx_upi },
	{ 0x3446, PLATFORM_ICELAKE_SP, &icx_m3upi },
};

const struct unit_id *unit_find(uint16_t vendor, uint16_t device)
{
	size_t i;

	if (vendor != INTEL)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(ids); i++)
		if (ids[i].device == device)
			return &ids[i];
	return NULL;
}
