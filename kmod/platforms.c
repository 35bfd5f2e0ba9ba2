// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generations of processors, from arch/x86/events/intel/uncore.c,
 * uncore_snbep.c and uncore_snb.c of Linux 6.1, compared with 6.12.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "discovery.h"
#include "find.h"

/*
 * Event select, umask, edge detect, threshold: IVBEP_PMON_RAW_EVENT_MASK. With
 * invert: SNBEP_PMON_RAW_EVENT_MASK, of all others.
 */
#define IVBEP_CONFIG		0xff04ffff
#define SNBEP_CONFIG		(IVBEP_CONFIG | BIT(23))

/* Processors as intel_uncore_match[] of uncore.c has them, family 6 */
#define MODEL(_model)	(6 << 8 | (_model))

static const u16 tgl_l_models[] = { MODEL(0x8c), 0 };
static const u16 tgl_models[] = { MODEL(0x8d), 0 };
/* with Raptor Lake and Alder Lake-N */
static const u16 adl_models[] = {
	MODEL(0x97), MODEL(0x9a), MODEL(0xb7), MODEL(0xba), MODEL(0xbf),
	MODEL(0xbe), 0
};

static const u16 mtl_models[] = { MODEL(0xac), MODEL(0xaa), 0 };
static const u16 arl_models[] = { MODEL(0xc5), MODEL(0xc6), MODEL(0xb5), 0 };
static const u16 lnl_models[] = { MODEL(0xbd), 0 };
/* with Wildcat Lake */
static const u16 ptl_models[] = { MODEL(0xcc), MODEL(0xd5), 0 };

/* family 18 */
static const u16 nvl_models[] = { 18 << 8 | 0x01, 18 << 8 | 0x03, 0 };

static const u16 spr_models[] = { MODEL(0x8f), 0 };
static const u16 emr_models[] = { MODEL(0xcf), 0 };
static const u16 gnr_models[] = { MODEL(0xad), MODEL(0xae), 0 };
/* with Grand Ridge */
static const u16 srf_models[] = { MODEL(0xaf), MODEL(0xb6), 0 };
static const u16 cwf_models[] = { MODEL(0xdd), 0 };
/* family 19 */
static const u16 dmr_models[] = { 19 << 8 | 0x01, 0 };

/* Nothing is known of them but that they have tables. */
static const struct uncore_discovery_platform unknown_discovery = { };

/* SNBEP_CPUNODEID, SNBEP_GIDNIDMAP */
#define SNBEP_NODE_REGISTERS	.node_id = 0x40, .node_map = 0x54
/* SKX_CPUNODEID, SKX_GIDNIDMAP */
#define SKX_NODE_REGISTERS	.node_id = 0xc0, .node_map = 0xd4

/*
 * Directions of filling and ids of the UBOX are those in the calls of
 * snbep_pci2phy_map_init().
 */
const struct uncore_platform uncore_pmu_platforms[] = {
	{
		.name = "sandybridge-ep", .types = uncore_pmu_snbep_types,
		.config = SNBEP_CONFIG,
		.id_base = 0x3c00, .ubox = 0x3ce0, SNBEP_NODE_REGISTERS,
	},
	{
		.name = "ivybridge-ep", .types = uncore_pmu_ivbep_types,
		.config = IVBEP_CONFIG,
		.id_base = 0x0e00, .ubox = 0x0e1e, SNBEP_NODE_REGISTERS,
	},
	{
		.name = "haswell-ep", .types = uncore_pmu_hswep_types,
		.config = SNBEP_CONFIG,
		.id_base = 0x2f00, .ubox = 0x2f1e, SNBEP_NODE_REGISTERS,
	},
	{
		.name = "broadwell-ep", .types = uncore_pmu_bdx_types,
		.config = SNBEP_CONFIG,
		.id_base = 0x6f00, .ubox = 0x6f1e, SNBEP_NODE_REGISTERS,
	},
	{
		.name = "knl", .types = uncore_pmu_knl_types,
		.config = SNBEP_CONFIG,
	},
	{
		.name = "skylake-sp", .types = uncore_pmu_skx_types,
		.config = SNBEP_CONFIG,
		.ubox = 0x2014, SKX_NODE_REGISTERS, .fill_up = true,
	},
	{
		.name = "icelake-sp", .types = uncore_pmu_icx_types,
		.imc = &uncore_pmu_icx_imc,
		.config = SNBEP_CONFIG,
		.ubox = 0x3450, SKX_NODE_REGISTERS,
	},
	{
		.name = "snowridge", .types = uncore_pmu_snr_types,
		.imc = &uncore_pmu_snr_imc,
		.config = SNBEP_CONFIG,
		.ubox = 0x3460, SKX_NODE_REGISTERS,
	},
	{
		.name = "sapphire-rapids", .models = spr_models,
		.discovery = &uncore_pmu_discovery_spr,
		.imc = &uncore_pmu_spr_imc, .config = SNBEP_CONFIG,
		.ubox = 0x3250, SKX_NODE_REGISTERS,
	},
	{
		.name = "emerald-rapids", .models = emr_models,
		.discovery = &uncore_pmu_discovery_spr,
		.imc = &uncore_pmu_spr_imc, .config = SNBEP_CONFIG,
		.ubox = 0x3250, SKX_NODE_REGISTERS,
	},
	{
		.name = "granite-rapids", .models = gnr_models,
		.discovery = &uncore_pmu_discovery_gnr,
		.ubox = 0x3250, SKX_NODE_REGISTERS,
	},
	{
		.name = "sierra-forest", .models = srf_models,
		.discovery = &uncore_pmu_discovery_gnr,
		.ubox = 0x3250, SKX_NODE_REGISTERS,
	},
	{
		.name = "clearwater-forest", .models = cwf_models,
		.discovery = &uncore_pmu_discovery_gnr,
		.ubox = 0x3250, SKX_NODE_REGISTERS,
	},
	{
		.name = "diamond-rapids", .models = dmr_models,
		.discovery = &uncore_pmu_discovery_dmr,
		.fixed = &uncore_pmu_dmr_fixed,
	},
	{
		.name = "sandybridge", .client = &uncore_pmu_snb_client,
	},
	{
		.name = "ivybridge", .client = &uncore_pmu_ivb_client,
	},
	{
		.name = "haswell", .client = &uncore_pmu_hsw_client,
	},
	{
		.name = "broadwell", .client = &uncore_pmu_bdw_client,
	},
	{
		.name = "skylake", .client = &uncore_pmu_skl_client,
	},
	{
		.name = "icelake", .client = &uncore_pmu_icl_client,
	},
	{
		.name = "rocketlake", .client = &uncore_pmu_rkl_client,
	},
	{
		.name = "tigerlake", .client = &uncore_pmu_tgl_l_client,
		.models = tgl_l_models,
	},
	{
		.name = "tigerlake-h", .client = &uncore_pmu_tgl_client,
		.models = tgl_models,
	},
	{
		.name = "alderlake", .client = &uncore_pmu_adl_client,
		.models = adl_models,
	},
	{
		.name = "meteorlake", .client = &uncore_pmu_mtl_client,
		.models = mtl_models,
	},
	{
		.name = "arrowlake", .client = &uncore_pmu_arl_client,
		.models = arl_models,
	},
	{
		.name = "lunarlake", .client = &uncore_pmu_lnl_client,
		.models = lnl_models,
	},
	{
		.name = "pantherlake", .client = &uncore_pmu_ptl_client,
		.models = ptl_models, .discovery = &uncore_pmu_discovery_ptl,
	},
	{
		.name = "novalake", .client = &uncore_pmu_nvl_client,
		.models = nvl_models, .discovery = &uncore_pmu_discovery_nvl,
	},
	/* The last, for it is taken where no other is. */
	{
		.name = "unknown", .discovery = &unknown_discovery,
	},
};

const unsigned int uncore_pmu_num_platforms = ARRAY_SIZE(uncore_pmu_platforms);
