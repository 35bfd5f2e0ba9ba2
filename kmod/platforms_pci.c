// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units that are PCI functions: how to tell them, and where their registers lie.
 *
 * Facts are from arch/x86/events/intel/uncore_snbep.c and uncore_snb.c of
 * Linux 6.1, compared with 6.12: its tables of PCI ids, and the offsets, widths
 * and numbers of counters of its unit types, named beside each. A generation
 * that has a unit in common with an earlier one shares its row; ids are given
 * less the platform's id_base. uncore_snb.c is where Knights Landing gets its
 * buses from.
 *
 * AUDIT.md, beside this file, says row by row with what else they have been
 * compared: pages of Intel's uncore performance monitoring guides where those
 * could be read (parts of Sandy Bridge-EP and Ivy Bridge-EP), and for the rest
 * other programs that follow the guides. Where these differ, the rows are as in
 * Linux, so that perf and we agree.
 *
 * A page shows all registers of the function. Most are named by no document
 * that could be read; AUDIT.md lists what is known of them. Those known change
 * nothing when read and hold no secret; packet and address match registers show
 * what perf's users have set, and a root port shows addresses of its devices.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/pci.h>

#include "find.h"

/* SNBEP_PMON_CTL_EN; snbep_uncore_pci_enable_event(): of fixed counters too */
#define COUNTER_ENABLE		BIT(22)
#define FIXED_ENABLE		COUNTER_ENABLE
/* KNL_PMON_FIXED_CTL_EN */
#define KNL_FIXED_ENABLE	BIT(0)

/* SNBEP_PMON_CTL_EV_SEL_EXT: a ninth bit of the event select */
#define QPI_CONFIG		BIT(21)
/* SKX_UPI_CTL_UMASK_EXT, ICX_UPI_CTL_UMASK_EXT: which packets, in the upper half */
#define SKX_UPI_FILTER		(GENMASK_ULL(55, 45) | GENMASK_ULL(43, 32))
#define ICX_UPI_FILTER		GENMASK_ULL(55, 32)
/* SNR_M2M_PCI_PMON_UMASK_EXT: more of the umask, in the upper half */
#define SNR_M2M_CONFIG		GENMASK_ULL(39, 32)
/* SKX_PMON_CTL_TRESH_MASK_EXT: more of the threshold, in the upper half */
#define SNR_PCIE3_CONFIG	GENMASK_ULL(35, 32)

#define CONFIG_UNIT(_control)						\
	.access = UNCORE_PMU_ACCESS_CONFIG, .enable = COUNTER_ENABLE,	\
	.unit_control = _control, .freeze = UNCORE_PMU_UNIT_FREEZE

/* SNBEP_PCI_PMON_CTR0, _CTL0, _BOX_CTL */
#define SNBEP_REGISTERS							\
	.counter = 0xa0, .control = 0xd8, .control_stride = 4,		\
	CONFIG_UNIT(0xf4)

/* snbep_uncore_ha and many others */
static const struct uncore_layout snbep = {
	.num_counters = 4, .width = 48, SNBEP_REGISTERS,
};

/* snbep_uncore_r2pcie */
static const struct uncore_layout snbep_44 = {
	.num_counters = 4, .width = 44, SNBEP_REGISTERS,
};

/* bdx_uncore_r3qpi, skx_uncore_m3upi; sources differ, see AUDIT.md */
static const struct uncore_layout snbep_3 = {
	.num_counters = 3, .width = 48, SNBEP_REGISTERS,
};

/* snbep_uncore_r3qpi */
static const struct uncore_layout snbep_3_44 = {
	.num_counters = 3, .width = 44, SNBEP_REGISTERS,
};

/* snbep_uncore_imc, SNBEP_MC_CHy_PCI_PMON_FIXED_CTR and _CTL */
static const struct uncore_layout snbep_imc = {
	.num_counters = 4, .width = 48, SNBEP_REGISTERS,
	.fixed = 0xd0, .fixed_control = 0xf0, .fixed_enable = FIXED_ENABLE,
};

/* ivbep_uncore_irp_ctrs, _ctls; sources differ in the width, see AUDIT.md */
static const u16 ivbep_irp_counters[] = { 0xa0, 0xb0, 0xb8, 0xc0 };
static const struct uncore_layout ivbep_irp = {
	.num_counters = 4, .width = 48, SNBEP_REGISTERS,
	.counters = ivbep_irp_counters,
};

/* knl_uncore_irp, KNL_IRP_PCI_PMON_BOX_CTL */
static const struct uncore_layout knl_irp = {
	.num_counters = 2, .width = 48,
	.counter = 0xa0, .control = 0xd8, .control_stride = 4,
	CONFIG_UNIT(0xf0),
};

/* knl_uncore_imc_uclk, knl_uncore_edc_uclk, KNL_UCLK_MSR_PMON_* */
static const struct uncore_layout knl_uclk = {
	.num_counters = 4, .width = 48,
	.counter = 0x400, .control = 0x420, .control_stride = 4,
	CONFIG_UNIT(0x430),
	.fixed = 0x44c, .fixed_control = 0x454,
	.fixed_enable = KNL_FIXED_ENABLE,
};

/* knl_uncore_edc_eclk, KNL_EDC0_ECLK_MSR_PMON_* */
static const struct uncore_layout knl_edc_eclk = {
	.num_counters = 4, .width = 48,
	.counter = 0xa00, .control = 0xa20, .control_stride = 4,
	CONFIG_UNIT(0xa30),
	.fixed = 0xa3c, .fixed_control = 0xa44,
	.fixed_enable = KNL_FIXED_ENABLE,
};

/* knl_uncore_imc_dclk, KNL_MC0_CH0_MSR_PMON_* */
static const struct uncore_layout knl_imc = {
	.num_counters = 4, .width = 48,
	.counter = 0xb00, .control = 0xb20, .control_stride = 4,
	CONFIG_UNIT(0xb30),
	.fixed = 0xb3c, .fixed_control = 0xb44,
	.fixed_enable = KNL_FIXED_ENABLE,
};

/* skx_uncore_upi, SKX_UPI_PCI_PMON_*, UNCORE_BOX_FLAG_CTL_OFFS8 */
static const struct uncore_layout skx_upi = {
	.num_counters = 4, .width = 48,
	.counter = 0x318, .control = 0x350, .control_stride = 8,
	CONFIG_UNIT(0x378),
};

/* skx_uncore_m2m, SKX_M2M_PCI_PMON_*, UNCORE_BOX_FLAG_CTL_OFFS8 */
static const struct uncore_layout skx_m2m = {
	.num_counters = 4, .width = 48,
	.counter = 0x200, .control = 0x228, .control_stride = 8,
	CONFIG_UNIT(0x258),
};

/* snr_uncore_m2m, icx_uncore_m2m, SNR_M2M_PCI_PMON_* */
static const struct uncore_layout snr_m2m = {
	.num_counters = 4, .width = 48,
	.counter = 0x440, .control = 0x468, .control_stride = 8,
	CONFIG_UNIT(0x438),
};

/* snr_uncore_pcie3, SNR_PCIE3_PCI_PMON_* */
static const struct uncore_layout snr_pcie3 = {
	.num_counters = 4, .width = 48,
	.counter = 0x4e8, .control = 0x508, .control_stride = 8,
	CONFIG_UNIT(0x4e0),
};

/* icx_uncore_upi, ICX_UPI_PCI_PMON_*, UNCORE_BOX_FLAG_CTL_OFFS8 */
static const struct uncore_layout icx_upi = {
	.num_counters = 4, .width = 48,
	.counter = 0x320, .control = 0x350, .control_stride = 8,
	CONFIG_UNIT(0x318),
};

/* icx_uncore_m3upi, ICX_M3UPI_PCI_PMON_* */
static const struct uncore_layout icx_m3upi = {
	.num_counters = 4, .width = 48,
	.counter = 0xa8, .control = 0xd8, .control_stride = 4,
	CONFIG_UNIT(0xa0),
};

#define FN(_device) \
	{ .device = _device, .devfn = UNCORE_ANY_DEVFN }
#define FN_AT(_device, _slot, _func) \
	{ .device = _device, .devfn = PCI_DEVFN(_slot, _func) }

/* Sandy Bridge-EP: snbep_uncore_pci_ids */
static const struct uncore_type snbep_ha_type = {
	"ha", &snbep, { FN(0x46) },
};

static const struct uncore_type snbep_imc_type = {
	"imc", &snbep_imc, { FN(0xb0), FN(0xb1), FN(0xb4), FN(0xb5) },
};

static const struct uncore_type snbep_qpi_type = {
	"qpi", &snbep, { FN(0x41), FN(0x42) }, QPI_CONFIG,
};

static const struct uncore_type snbep_r2pcie_type = {
	"r2pcie", &snbep_44, { FN(0x43) },
	.constraints = uncore_pmu_snbep_r2pcie,
};

static const struct uncore_type snbep_r3qpi_type = {
	"r3qpi", &snbep_3_44, { FN(0x44), FN(0x45) },
	.constraints = uncore_pmu_snbep_r3qpi,
};

const struct uncore_type *const uncore_pmu_snbep_types[] = {
	&snbep_ha_type, &snbep_imc_type, &snbep_qpi_type, &snbep_r2pcie_type,
	&snbep_r3qpi_type, NULL
};

/* Ivy Bridge-EP/EX: ivbep_uncore_pci_ids; later ones share what they can */
static const struct uncore_type ivbep_ha_type = {
	"ha", &snbep, { FN(0x30), FN(0x38) },
};

static const struct uncore_type ivbep_imc_type = {
	"imc", &snbep_imc, {
		FN(0xb4), FN(0xb5), FN(0xb0), FN(0xb1),
		FN(0xf4), FN(0xf5), FN(0xf0), FN(0xf1),
	},
};

static const struct uncore_type ivbep_irp_type = {
	"irp", &ivbep_irp, { FN(0x39) }, .perf_by_index = true,
};

static const struct uncore_type ivbep_qpi_type = {
	"qpi", &snbep, { FN(0x32), FN(0x33), FN(0x3a) }, QPI_CONFIG,
};

static const struct uncore_type ivbep_r2pcie_type = {
	"r2pcie", &snbep_44, { FN(0x34) },
	.constraints = uncore_pmu_snbep_r2pcie,
};

static const struct uncore_type ivbep_r3qpi_type = {
	"r3qpi", &snbep_3_44, { FN(0x36), FN(0x37), FN(0x3e) },
	.constraints = uncore_pmu_snbep_r3qpi,
};

const struct uncore_type *const uncore_pmu_ivbep_types[] = {
	&ivbep_ha_type, &ivbep_imc_type, &ivbep_irp_type, &ivbep_qpi_type,
	&ivbep_r2pcie_type, &ivbep_r3qpi_type, NULL
};

/* Haswell-EP/EX: hswep_uncore_pci_ids */
static const struct uncore_type hswep_imc_type = {
	"imc", &snbep_imc, {
		FN(0xb0), FN(0xb1), FN(0xb4), FN(0xb5),
		FN(0xd0), FN(0xd1), FN(0xd4), FN(0xd5),
	},
};

/* hswep_uncore_irp_ctrs, regular again; sources differ, see AUDIT.md */
static const struct uncore_type hswep_irp_type = {
	"irp", &snbep, { FN(0x39) }, .perf_by_index = true,
};

static const struct uncore_type hswep_r2pcie_type = {
	"r2pcie", &snbep, { FN(0x34) },
	.constraints = uncore_pmu_hswep_r2pcie,
};

static const struct uncore_type hswep_r3qpi_type = {
	"r3qpi", &snbep_3_44, { FN(0x36), FN(0x37), FN(0x3e) },
	.constraints = uncore_pmu_hswep_r3qpi,
};

const struct uncore_type *const uncore_pmu_hswep_types[] = {
	&ivbep_ha_type, &hswep_imc_type, &hswep_irp_type, &ivbep_qpi_type,
	&hswep_r2pcie_type, &hswep_r3qpi_type, NULL
};

/* Broadwell-EP/EX/DE: bdx_uncore_pci_ids */
static const struct uncore_type bdx_r2pcie_type = {
	"r2pcie", &snbep, { FN(0x34) },
	.constraints = uncore_pmu_bdx_r2pcie,
};

static const struct uncore_type bdx_r3qpi_type = {
	"r3qpi", &snbep_3, { FN(0x36), FN(0x37), FN(0x3e) },
	.constraints = uncore_pmu_bdx_r3qpi,
};

const struct uncore_type *const uncore_pmu_bdx_types[] = {
	&ivbep_ha_type, &hswep_imc_type, &hswep_irp_type, &ivbep_qpi_type,
	&bdx_r2pcie_type, &bdx_r3qpi_type, NULL
};

/* Knights Landing, Knights Mill: knl_uncore_pci_ids */
static const struct uncore_type knl_imc_uclk_type = {
	"imc_uclk", &knl_uclk, {
		FN_AT(0x7841, 10, 0), FN_AT(0x7841, 11, 0),
	},
};

static const struct uncore_type knl_imc_type = {
	"imc", &knl_imc, {
		FN_AT(0x7843, 8, 2), FN_AT(0x7843, 8, 3), FN_AT(0x7843, 8, 4),
		FN_AT(0x7843, 9, 2), FN_AT(0x7843, 9, 3), FN_AT(0x7843, 9, 4),
	},
};

static const struct uncore_type knl_edc_uclk_type = {
	"edc_uclk", &knl_uclk, {
		FN_AT(0x7833, 15, 0), FN_AT(0x7833, 16, 0),
		FN_AT(0x7833, 17, 0), FN_AT(0x7833, 18, 0),
		FN_AT(0x7833, 19, 0), FN_AT(0x7833, 20, 0),
		FN_AT(0x7833, 21, 0), FN_AT(0x7833, 22, 0),
	},
};

static const struct uncore_type knl_edc_eclk_type = {
	"edc_eclk", &knl_edc_eclk, {
		FN_AT(0x7835, 24, 2), FN_AT(0x7835, 25, 2),
		FN_AT(0x7835, 26, 2), FN_AT(0x7835, 27, 2),
		FN_AT(0x7835, 28, 2), FN_AT(0x7835, 29, 2),
		FN_AT(0x7835, 30, 2), FN_AT(0x7835, 31, 2),
	},
};

static const struct uncore_type knl_m2pcie_type = {
	"m2pcie", &snbep, { FN(0x7817) },
	.constraints = uncore_pmu_knl_m2pcie,
};

static const struct uncore_type knl_irp_type = {
	"irp", &knl_irp, { FN(0x7814) },
};

const struct uncore_type *const uncore_pmu_knl_types[] = {
	&knl_imc_uclk_type, &knl_imc_type, &knl_edc_uclk_type,
	&knl_edc_eclk_type, &knl_m2pcie_type, &knl_irp_type, NULL
};

/* Skylake-SP, Cascade Lake-SP: skx_uncore_pci_ids */
static const struct uncore_type skx_imc_type = {
	"imc", &snbep_imc, {
		FN_AT(0x2042, 10, 2), FN_AT(0x2046, 10, 6),
		FN_AT(0x204a, 11, 2), FN_AT(0x2042, 12, 2),
		FN_AT(0x2046, 12, 6), FN_AT(0x204a, 13, 2),
	},
};

static const struct uncore_type skx_m2m_type = {
	"m2m", &skx_m2m, { FN_AT(0x2066, 8, 0), FN_AT(0x2066, 9, 0) },
};

static const struct uncore_type skx_upi_type = {
	"upi", &skx_upi, {
		FN_AT(0x2058, 14, 0), FN_AT(0x2058, 15, 0),
		FN_AT(0x2058, 16, 0),
	},
	.filter = SKX_UPI_FILTER,
};

static const struct uncore_type skx_m2pcie_type = {
	"m2pcie", &snbep, {
		FN_AT(0x2088, 21, 1), FN_AT(0x2088, 22, 1),
		FN_AT(0x2088, 23, 1), FN_AT(0x2088, 21, 5),
	},
	.constraints = uncore_pmu_skx_m2pcie,
};

/* Sources differ in ids and functions, see AUDIT.md */
static const struct uncore_type skx_m3upi_type = {
	"m3upi", &snbep_3, {
		FN_AT(0x204d, 18, 1), FN_AT(0x204e, 18, 2),
		FN_AT(0x204d, 18, 5),
	},
	.constraints = uncore_pmu_skx_m3upi,
};

const struct uncore_type *const uncore_pmu_skx_types[] = {
	&skx_imc_type, &skx_m2m_type, &skx_upi_type, &skx_m2pcie_type,
	&skx_m3upi_type, NULL
};

/* Ice Lake-SP: icx_uncore_pci_ids */
static const struct uncore_type icx_m2m_type = {
	"m2m", &snr_m2m, {
		FN_AT(0x344a, 12, 0), FN_AT(0x344a, 13, 0),
		FN_AT(0x344a, 14, 0), FN_AT(0x344a, 15, 0),
	},
	.config = SNR_M2M_CONFIG,
};

static const struct uncore_type icx_upi_type = {
	"upi", &icx_upi, {
		FN_AT(0x3441, 2, 1), FN_AT(0x3441, 3, 1), FN_AT(0x3441, 4, 1),
	},
	.filter = ICX_UPI_FILTER,
};

static const struct uncore_type icx_m3upi_type = {
	"m3upi", &icx_m3upi, {
		FN_AT(0x3446, 5, 1), FN_AT(0x3446, 6, 1), FN_AT(0x3446, 7, 1),
	},
	.constraints = uncore_pmu_icx_m3upi,
};

const struct uncore_type *const uncore_pmu_icx_types[] = {
	&icx_m2m_type, &icx_upi_type, &icx_m3upi_type, NULL
};

/* Snow Ridge: snr_uncore_pci_ids, snr_uncore_pci_sub_ids (a root port) */
static const struct uncore_type snr_m2m_type = {
	"m2m", &snr_m2m, { FN_AT(0x344a, 12, 0) }, SNR_M2M_CONFIG,
};

static const struct uncore_type snr_pcie3_type = {
	"pcie3", &snr_pcie3, { FN_AT(0x334a, 4, 0) }, SNR_PCIE3_CONFIG,
	.perf_unbound = true,
};

const struct uncore_type *const uncore_pmu_snr_types[] = {
	&snr_m2m_type, &snr_pcie3_type, NULL
};
