// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory controller of client processors: which host bridges lead to it,
 * and what lies where.
 *
 * Facts are from arch/x86/events/intel/uncore_snb.c of Linux 6.12, named beside
 * each; what came after 6.12 from later versions. Host bridges are all those of
 * snb_uncore_pci_ids and so on up to tgl_uncore_pci_ids; those that are not in
 * there, since Linux takes device 00:00.0 of such processors whatever its id is,
 * are from drivers/edac/igen6_edac.c and listings of real machines. AUDIT.md
 * says what else is in the pages.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "find.h"

#define CACHE_LINE	64

/* SNB_UNCORE_PCI_IMC_BAR_OFFSET: the base address of MCHBAR */
#define MCHBAR		0x48
/* LNL_UNCORE_PCI_SAFBAR_OFFSET */
#define SAFBAR		0x68
/* TGL_UNCORE_MMIO_IMC_MEM_OFFSET: from one controller to the next */
#define CONTROLLER_STEP	0x10000

#define BYTES(_name, _offset, _width) \
	{ _name, _offset, _width, UNCORE_PMU_QUANTITY_BYTES, CACHE_LINE }

/* snb_uncore_imc_freerunning, from 0x5000 on */
static const struct uncore_free_running snb_counters[] = {
	BYTES("data_reads", 0x50, 32), BYTES("data_writes", 0x54, 32),
	BYTES("gt_requests", 0x40, 32), BYTES("ia_requests", 0x44, 32),
	BYTES("io_requests", 0x48, 32),
};

static const struct uncore_layout snb_imc = {
	.access = UNCORE_PMU_ACCESS_MMIO32,
	.num_free = ARRAY_SIZE(snb_counters), .free = snb_counters,
};

/* tgl_l_uncore_imc_freerunning, from 0x5000 on; all others from 0xd800 on */
static const struct uncore_free_running tgl_counters[] = {
	BYTES("data_total", 0x40, 64), BYTES("data_read", 0x58, 64),
	BYTES("data_write", 0xa0, 64),
};

static const struct uncore_layout tgl_imc_free = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
	.num_free = ARRAY_SIZE(tgl_counters), .free = tgl_counters,
};

/* ADL_UNCORE_IMC_CTL_FRZ, of all units of clients */
#define CLIENT_UNIT(_control)						\
	.access = UNCORE_PMU_ACCESS_MMIO64,				\
	.unit_control = _control, .freeze = BIT(0)

/* adl_uncore_imc, from ADL_UNCORE_IMC_BASE on */
static const struct uncore_layout adl_imc = {
	CLIENT_UNIT(0xc4),
	.num_counters = 5, .width = 64,
	.counter = 0xe8, .control = 0xd0, .control_stride = 4,
};

/* lnl_uncore_hbo */
static const struct uncore_layout lnl_hbo = {
	CLIENT_UNIT(0x548),
	.num_counters = 4, .width = 64,
	.counter = 0x570, .control = 0x550, .control_stride = 4,
};

/* lnl_uncore_sncu; of its two counters the second lies on the first control */
static const struct uncore_layout lnl_sncu = {
	CLIENT_UNIT(0x380),
	.num_counters = 1, .width = 64,
	.counter = 0x390, .control = 0x398, .control_stride = 4,
};

/* ADL_UNC_IMC_EVENT_MASK: event, mask of channels, edge detect */
#define ADL_IMC_CONFIG	0x00040fff
/* LNL_UNC_RAW_EVENT_MASK: event, umask, edge detect, invert, threshold */
#define LNL_CONFIG	0xff84ffff

static const struct uncore_type snb_imc_type = { "imc", &snb_imc };

static const struct uncore_type tgl_imc_free_type = {
	"imc_free_running", &tgl_imc_free,
};

static const struct uncore_type adl_imc_type = {
	"imc", &adl_imc, .perf_unbound = true,
	.config = ADL_IMC_CONFIG,
};

static const struct uncore_type lnl_hbo_type = {
	"hbo", &lnl_hbo, .perf_unbound = true,
	.config = LNL_CONFIG,
};

static const struct uncore_type lnl_sncu_type = {
	"sncu", &lnl_sncu, .perf_unbound = true,
	.config = LNL_CONFIG,
};

/* Sandy Bridge to Rocket Lake */
static const struct uncore_block snb_blocks[] = {
	{ &snb_imc_type, MCHBAR, 1, 0x5000, .energy = true },
	{ }
};

/*
 * That the energy counters are in the page of the second controller too is not
 * known, and neither that they are not.
 */
static const struct uncore_block tgl_l_blocks[] = {
	{ &tgl_imc_free_type, MCHBAR, 2, 0x5000, CONTROLLER_STEP,
	  .energy = true },
	{ }
};

#define FREE_RUNNING \
	{ &tgl_imc_free_type, MCHBAR, 2, 0xd800, CONTROLLER_STEP }
/* ADL_UNCORE_IMC_GLOBAL_CTL of the second controller, which is for both */
#define ADL_IMC \
	{ &adl_imc_type, MCHBAR, 2, 0xd900, CONTROLLER_STEP, .global = 0x1d9c0 }
/* LNL_UNCORE_GLOBAL_CTL, in the page of sncu */
#define LNL_GLOBAL	.global = 0xe4b700

static const struct uncore_block tgl_blocks[] = {
	FREE_RUNNING, { }
};

static const struct uncore_block adl_blocks[] = {
	ADL_IMC, FREE_RUNNING, { }
};

/* LNL_UNCORE_HBO_BASE, _OFFSET, LNL_UNCORE_SNCU_BASE */
static const struct uncore_block lnl_blocks[] = {
	ADL_IMC,
	{ &lnl_hbo_type, SAFBAR, 2, 0xe54000, -0x1000, LNL_GLOBAL },
	{ &lnl_sncu_type, SAFBAR, 1, 0xe4b000, LNL_GLOBAL },
	FREE_RUNNING, { }
};

static const u16 snb_bridges[] = {
	0x0100, 0
};

static const u16 ivb_bridges[] = {
	0x0154, 0x0150, 0
};

static const u16 hsw_bridges[] = {
	0x0c00, 0x0a04, 0
};

static const u16 bdw_bridges[] = {
	0x1604, 0
};

static const u16 skl_bridges[] = {
	0x190c, 0x1904, 0x1900, 0x1910, 0x190f, 0x191f, 0x1918, 0x590c,
	0x5904, 0x5914, 0x590f, 0x591f, 0x5910, 0x5918, 0x3ecc, 0x3ed0,
	0x3e10, 0x3ec4, 0x3e0f, 0x3e1f, 0x3ec2, 0x3e30, 0x3e18, 0x3ec6,
	0x3e31, 0x3e33, 0x3eca, 0x3e32, 0x590d, 0x3e34, 0x3e35, 0x9b44,
	0x9b54, 0x9b64, 0x9b51, 0x9b61, 0x9b71, 0x9b33, 0x9b43, 0x9b53,
	0x9b63, 0x9b73, 0
};

static const u16 icl_bridges[] = {
	0x8a02, 0x8a12, 0
};

static const u16 rkl_bridges[] = {
	0x4c43, 0x4c53, 0
};

static const u16 tgl_l_bridges[] = {
	0x9a02, 0x9a04, 0x9a12, 0x9a14, 0
};

static const u16 tgl_bridges[] = {
	0x9a36, 0
};

static const u16 adl_bridges[] = {
	0x4660, 0x4641, 0x4601, 0x4602, 0x4609, 0x460a, 0x4621, 0x4623,
	0x4629, 0x4637, 0x463b, 0x4648, 0x4649, 0x4650, 0x4668, 0x4670,
	0x4614, 0x4617, 0x4618, 0x461b, 0x461c, 0xa700, 0xa702, 0xa706,
	0xa709, 0xa701, 0xa703, 0xa704, 0xa705, 0xa707, 0xa708, 0xa70a,
	0xa70b, 0xa715, 0xa716, 0xa717, 0xa718, 0xa719, 0xa71a, 0xa71b,
	0xa71c, 0xa728, 0xa729, 0xa72a, 0
};

static const u16 mtl_bridges[] = {
	0x7d00, 0x7d01, 0x7d02, 0x7d05, 0x7d10, 0x7d14, 0x7d15, 0x7d16,
	0x7d21, 0x7d22, 0x7d23, 0x7d24, 0x7d28, 0
};

/* igen6_edac.c */
static const u16 arl_bridges[] = {
	0x7d06, 0x7d20, 0x7d30, 0
};

/* a listing of a laptop */
static const u16 lnl_bridges[] = {
	0x6400, 0
};

/* igen6_edac.c */
static const u16 ptl_bridges[] = {
	0xb000, 0xb001, 0xb002, 0
};

/* None is known: device 00:00.0 is taken. */
static const u16 nvl_bridges[] = {
	0
};

const struct uncore_client uncore_pmu_snb_client = {
	.bridges = snb_bridges, .blocks = snb_blocks,
};

const struct uncore_client uncore_pmu_ivb_client = {
	.bridges = ivb_bridges, .blocks = snb_blocks,
};

const struct uncore_client uncore_pmu_hsw_client = {
	.bridges = hsw_bridges, .blocks = snb_blocks,
};

const struct uncore_client uncore_pmu_bdw_client = {
	.bridges = bdw_bridges, .blocks = snb_blocks,
};

const struct uncore_client uncore_pmu_skl_client = {
	.bridges = skl_bridges, .blocks = snb_blocks,
};

const struct uncore_client uncore_pmu_icl_client = {
	.bridges = icl_bridges, .blocks = snb_blocks,
};

const struct uncore_client uncore_pmu_rkl_client = {
	.bridges = rkl_bridges, .blocks = snb_blocks,
};

const struct uncore_client uncore_pmu_tgl_l_client = {
	.bridges = tgl_l_bridges, .blocks = tgl_l_blocks,
};

const struct uncore_client uncore_pmu_tgl_client = {
	.bridges = tgl_bridges, .blocks = tgl_blocks,
};

const struct uncore_client uncore_pmu_adl_client = {
	.bridges = adl_bridges, .blocks = adl_blocks,
};

const struct uncore_client uncore_pmu_mtl_client = {
	.bridges = mtl_bridges, .blocks = adl_blocks,
};

const struct uncore_client uncore_pmu_arl_client = {
	.bridges = arl_bridges, .blocks = adl_blocks,
};

const struct uncore_client uncore_pmu_lnl_client = {
	.bridges = lnl_bridges, .blocks = lnl_blocks,
};

const struct uncore_client uncore_pmu_ptl_client = {
	.bridges = ptl_bridges, .blocks = tgl_blocks,
};

const struct uncore_client uncore_pmu_nvl_client = {
	.bridges = nvl_bridges, .blocks = tgl_blocks,
};
