// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units in memory at the same place on all machines of a platform.
 *
 * Facts are from arch/x86/events/intel/uncore_snbep.c of Linux 7, commit
 * d8987048f665, named beside each; AUDIT.md says what else is in the pages.
 */
#include <linux/kernel.h>

#include "find.h"

/* DMR_IMH1_HIOP_MMIO_BASE */
#define HIOP		0x1ffff6ae7000
/* What comes before the first counter is not mapped. */
#define BEGIN		0x4000

/* 3.814697266e-6 MiB for each count */
#define BYTES(_name, _offset) \
	{ _name, (_offset) - BEGIN, 48, UNCORE_PMU_QUANTITY_BYTES, 4 }

/* dmr_iio_freerunning, dmr_uncore_iio_freerunning_events */
static const struct uncore_free_running dmr_iio_counters[] = {
	BYTES("inb_data_port0", 0x4d40),
	BYTES("inb_data_port1", 0x4d48),
	BYTES("inb_data_port2", 0x4d50),
	BYTES("inb_data_port3", 0x4d58),
	BYTES("inb_data_port4", 0x4d60),
	BYTES("inb_data_port5", 0x4d68),
	BYTES("inb_data_port6", 0x4d70),
	BYTES("inb_data_port7", 0x4d78),
	BYTES("bw_in_port0", 0x6b00),
	BYTES("bw_in_port1", 0x6b08),
	BYTES("bw_in_port2", 0x6b10),
	BYTES("bw_in_port3", 0x6b18),
	BYTES("bw_in_port4", 0x6b20),
	BYTES("bw_in_port5", 0x6b28),
	BYTES("bw_in_port6", 0x6b30),
	BYTES("bw_in_port7", 0x6b38),
	BYTES("bw_out_port0", 0x6b60),
	BYTES("bw_out_port1", 0x6b68),
	BYTES("bw_out_port2", 0x6b70),
	BYTES("bw_out_port3", 0x6b78),
	BYTES("bw_out_port4", 0x6b80),
	BYTES("bw_out_port5", 0x6b88),
	BYTES("bw_out_port6", 0x6b90),
	BYTES("bw_out_port7", 0x6b98),
	{ "clockticks", 0x6bb0 - BEGIN, 48, UNCORE_PMU_QUANTITY_CYCLES, 1 },
};

static const struct uncore_layout dmr_iio_free = {
	.access = UNCORE_PMU_ACCESS_MMIO64,
	.num_free = ARRAY_SIZE(dmr_iio_counters), .free = dmr_iio_counters,
};

static const struct uncore_type dmr_iio_free_type = {
	.name = "iio_free_running", .layout = &dmr_iio_free,
};

/* dmr_iio_freerunning_box_offsets, UNCORE_DMR_ITC, uncore_type_max_boxes() */
const struct uncore_fixed uncore_pmu_dmr_fixed = {
	.type = &dmr_iio_free_type,
	.at = {
		HIOP + BEGIN, HIOP + BEGIN + 0x8000,
		HIOP + BEGIN + 0x18000, HIOP + BEGIN + 0x20000,
	},
	.as_many_as = 0x30, .below = 0x8000,
};
