// SPDX-License-Identifier: GPL-2.0-only
/*
 * What discovery tables do not say: names of unit types, fixed counters, and
 * where a platform's tables are known to be wrong. From mainline,
 * arch/x86/events/intel/uncore_snbep.c and uncore_snb.c; kmod/AUDIT.md says
 * where the rows differ from it, and why.
 */
#include <linux/kernel.h>

#include "discovery.h"

/* SNR_IMC_MMIO_PMON_FIXED_CTR and _CTL, also used for spr and gnr */
#define IMC	{ .name = "imc", .fixed = 0x38, .fixed_control = 0x54 }

/* Of the table and of ADL_UNC_PERF_GLOBAL_CTL; bit 0 freezes, as in memory. */
#define GLOBAL_MSR	0x2ff0

/* spr_uncores[]; Emerald Rapids has the same */
static const struct uncore_discovery_type spr_types[] = {
	[0] = { .name = "cha" },
	[1] = { .name = "iio" },
	[2] = { .name = "irp" },
	[3] = { .name = "m2pcie" },
	[4] = { .name = "pcu" },
	[6] = IMC,
	[7] = { .name = "m2m" },
	[8] = { .name = "upi" },
	[9] = { .name = "m3upi" },
	[11] = { .name = "mdf" },
	[12] = { .name = "cxlcm", .control_stride = 8 },
	[13] = { .name = "cxldp", .control_stride = 8 },
	[14] = { .name = "hbm" },
};

static const struct uncore_discovery_quirk spr_quirks[] = {
	/*
	 * On some variants, as those of medium core count, the third UPI entry
	 * has the address of a function that does not exist, and M3UPI suffers
	 * as well. Each link has a function of its own, devices 1 to 4 and 5 to
	 * 8. Mainline finds them too, but since 6.11 gives all links of a bus
	 * the address of the first (spr_update_device_location()).
	 *
	 * Registers: ICX_UPI_PCI_PMON_*, ICX_M3UPI_PCI_PMON_*
	 */
	{
		.type = 8, .ignore = true,
		.device = 0x3241, .first = 1, .function = 1,
		.control = 0x318, .control_offset = 0x38, .counter_offset = 0x8,
		.num_counters = 4, .width = 48,
	}, {
		.type = 9, .ignore = true,
		.device = 0x3246, .first = 5, .function = 1,
		.control = 0xa0, .control_offset = 0x38, .counter_offset = 0x8,
		.num_counters = 4, .width = 48,
	},
	/*
	 * Firmware of some variants gives a wrong number of CHAs. The MSR reads
	 * as 0 on Emerald Rapids, whose tables are right (SPR_MSR_UNC_CBO_CONFIG).
	 */
	{ .type = 0, .count_msr = 0x2ffe },
};

const struct uncore_discovery_platform uncore_pmu_discovery_spr = {
	.device = 0x09a7,
	.global = GLOBAL_MSR,
	.types = spr_types,
	.num_types = ARRAY_SIZE(spr_types),
	.quirks = spr_quirks,
	.num_quirks = ARRAY_SIZE(spr_quirks),
};

/*
 * gnr_uncores[], for Granite Rapids, Sierra Forest, Clearwater Forest and their
 * relatives. Early hardware had broken tables of UPI, B2UPI, B2HOT and PCIE,
 * which mainline ignored at first; what was sold has not.
 */
static const struct uncore_discovery_type gnr_types[] = {
	[0] = { .name = "cha" },
	[1] = { .name = "iio" },
	[2] = { .name = "irp" },
	[4] = { .name = "pcu" },
	[5] = { .name = "ubox" },
	[6] = IMC,
	[8] = { .name = "upi" },
	[12] = { .name = "cxlcm", .control_stride = 8 },
	[13] = { .name = "cxldp", .control_stride = 8 },
	[15] = { .name = "b2hot" },
	[16] = { .name = "b2cmi" },
	[17] = { .name = "b2cxl", .control_stride = 8 },
	[18] = { .name = "b2upi" },
	[20] = { .name = "mdf_sbo" },
	[21] = { .name = "pciex16" },
	[22] = { .name = "pciex8" },
};

const struct uncore_discovery_platform uncore_pmu_discovery_gnr = {
	.device = 0x09a7,
	.global = GLOBAL_MSR,
	.types = gnr_types,
	.num_types = ARRAY_SIZE(gnr_types),
};

/* dmr_uncores[], DMR_IMC_PMON_FIXED_CTR and _CTL */
static const struct uncore_discovery_type dmr_types[] = {
	[4] = { .name = "pcu" },
	[5] = { .name = "ubox" },
	[6] = { .name = "imc", .fixed = 0x18, .fixed_control = 0x10 },
	[23] = { .name = "sca" },
	[24] = { .name = "cxlcm" },
	[30] = { .name = "hamvf" },
	[31] = { .name = "cbo" },
	[32] = { .name = "santa" },
	[33] = { .name = "cncu" },
	[34] = { .name = "sncu" },
	[35] = { .name = "ula" },
	[36] = { .name = "dda" },
	[38] = { .name = "sbo" },
	[43] = { .name = "ubr" },
	[45] = { .name = "pcie4" },
	[46] = { .name = "crs" },
	[47] = { .name = "cpc" },
	[48] = { .name = "itc" },
	[49] = { .name = "otc" },
	[50] = { .name = "cms" },
	[51] = { .name = "pcie6" },
};

static const struct uncore_discovery_quirk dmr_quirks[] = {
	/* MSE and SB2UCIE, which mainline ignores as broken. */
	{ .type = 0x13, .ignore = true },
	{ .type = 0x25, .ignore = true },
};

/* The function has the tables of the IMH dies, the MSR those of the CBB dies. */
const struct uncore_discovery_platform uncore_pmu_discovery_dmr = {
	.device = 0x09a1,
	.msr = 0x710,
	.types = dmr_types,
	.num_types = ARRAY_SIZE(dmr_types),
	.quirks = dmr_quirks,
	.num_quirks = ARRAY_SIZE(dmr_quirks),
};

/* ptl_uncores[] */
static const struct uncore_discovery_type ptl_types[] = {
	[6] = { .name = "imc" },
	[34] = { .name = "sncu" },
	[41] = { .name = "hbo" },
};

const struct uncore_discovery_platform uncore_pmu_discovery_ptl = {
	.msr = 0x201e,
	.types = ptl_types,
	.num_types = ARRAY_SIZE(ptl_types),
};

/* nvl_uncore_init: as Panther Lake, but for the MSR */
const struct uncore_discovery_platform uncore_pmu_discovery_nvl = {
	.msr = 0x711,
	.types = ptl_types,
	.num_types = ARRAY_SIZE(ptl_types),
};

/**
 * uncore_pmu_discovery_type - what is known of a unit type
 * @platform: the generation, or NULL
 * @type: number of the unit type
 *
 * Returns NULL for a type that is not known.
 */
const struct uncore_discovery_type *
uncore_pmu_discovery_type(const struct uncore_discovery_platform *platform,
			  u16 type)
{
	if (!platform || type >= platform->num_types ||
	    !platform->types[type].name)
		return NULL;
	return &platform->types[type];
}

/**
 * uncore_pmu_discovery_quirk - what tables are wrong about in a unit type
 * @platform: the generation, or NULL
 * @type: number of the unit type
 *
 * Returns NULL if they are right.
 */
const struct uncore_discovery_quirk *
uncore_pmu_discovery_quirk(const struct uncore_discovery_platform *platform,
			   u16 type)
{
	unsigned int i;

	for (i = 0; platform && i < platform->num_quirks; i++)
		if (platform->quirks[i].type == type)
			return &platform->quirks[i];
	return NULL;
}

/**
 * uncore_pmu_discovery_name - name of a unit type
 * @platform: the generation, or NULL
 * @type: number of the unit type
 * @buffer: for a name that has to be made, "type_" and the number
 * @size: of @buffer; UNCORE_PMU_TYPE_LEN is enough
 */
const char *
uncore_pmu_discovery_name(const struct uncore_discovery_platform *platform,
			  u16 type, char *buffer, size_t size)
{
	const struct uncore_discovery_type *known;

	known = uncore_pmu_discovery_type(platform, type);
	if (known)
		return known->name;
	snprintf(buffer, size, "type_%u", type);
	return buffer;
}
