// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory controllers of servers that registers of a PCI function lead to.
 *
 * Facts are from arch/x86/events/intel/uncore_snbep.c of Linux 6.1, compared
 * with 6.12, named beside each; AUDIT.md says what else is in the pages.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "find.h"

#define CACHE_LINE	64

/* SNR_IMC_MMIO_PMON_BOX_CTL, of the first channel of a controller */
#define BLOCK		0x22800
/* The page of a controller with its free-running counters */
#define FREE_RUNNING	0x2000

/*
 * snr_uncore_imc, icx_uncore_imc: SNR_IMC_MMIO_PMON_*, from the unit control
 * register on
 */
static const struct uncore_layout snr_imc = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
	.num_counters = 4, .width = 48,
	.counter = 0x08, .control = 0x40, .control_stride = 4,
	.enable = BIT(22),
	.fixed = 0x38, .fixed_control = 0x54, .fixed_enable = BIT(22),
	.unit_control = 0, .freeze = UNCORE_PMU_UNIT_FREEZE,
};

#define DCLK	{ "dclk", 0x2b0, 48, UNCORE_PMU_QUANTITY_CYCLES, 1 }
#define BYTES(_name, _offset) \
	{ _name, _offset, 48, UNCORE_PMU_QUANTITY_BYTES, CACHE_LINE }

/* snr_imc_freerunning, from FREE_RUNNING on */
static const struct uncore_free_running snr_imc_counters[] = {
	DCLK, BYTES("read", 0x290), BYTES("write", 0x298),
};

/* icx_imc_freerunning; DDRT is persistent memory */
static const struct uncore_free_running icx_imc_counters[] = {
	DCLK, BYTES("read", 0x290), BYTES("write", 0x298),
	BYTES("ddrt_read", 0x2a0), BYTES("ddrt_write", 0x2a8),
};

/* spr_imc_freerunning: cycles in which the read or write queue is not empty */
static const struct uncore_free_running spr_imc_counters[] = {
	DCLK,
	{ "rpq_cycles", 0x318, 48, UNCORE_PMU_QUANTITY_CYCLES, 1 },
	{ "wpq_cycles", 0x320, 48, UNCORE_PMU_QUANTITY_CYCLES, 1 },
};

static const struct uncore_layout snr_imc_free = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
	.num_free = ARRAY_SIZE(snr_imc_counters), .free = snr_imc_counters,
};

static const struct uncore_layout icx_imc_free = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
	.num_free = ARRAY_SIZE(icx_imc_counters), .free = icx_imc_counters,
};

static const struct uncore_layout spr_imc_free = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
	.num_free = ARRAY_SIZE(spr_imc_counters), .free = spr_imc_counters,
};

static const struct uncore_type snr_imc_type = {
	"imc", &snr_imc, .perf_unbound = true,
};

static const struct uncore_type snr_imc_free_type = {
	"imc_free_running", &snr_imc_free,
};

static const struct uncore_type icx_imc_free_type = {
	"imc_free_running", &icx_imc_free,
};

static const struct uncore_type spr_imc_free_type = {
	"imc_free_running", &spr_imc_free,
};

/* snr_uncore_mmio_init(): both channels are those of the only controller */
const struct uncore_imc uncore_pmu_snr_imc = {
	.device = 0x3451, .controllers = 1, .channels = 2, .block = BLOCK,
	.free_running = FREE_RUNNING,
	.channel = &snr_imc_type, .controller = &snr_imc_free_type,
};

/* icx_uncore_mmio_init(), ICX_NUMBER_IMC_CHN */
const struct uncore_imc uncore_pmu_icx_imc = {
	.device = 0x3451, .controllers = 4, .channels = 3, .block = BLOCK,
	.free_running = FREE_RUNNING,
	.channel = &snr_imc_type, .controller = &icx_imc_free_type,
};

/* spr_uncore_mmio_init(): the discovery tables have the blocks */
const struct uncore_imc uncore_pmu_spr_imc = {
	.device = 0x3251, .controllers = 4, .free_running = FREE_RUNNING,
	.controller = &spr_imc_free_type,
};
