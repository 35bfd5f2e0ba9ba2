// SPDX-License-Identifier: GPL-2.0-only
/*
 * Client processors: host bridges and what is behind MCHBAR.
 *
 * Source: Linux 6.1, uncore_snb.c, for ids, offsets and widths; Intel's
 * datasheets of the processors, volume 2, MCHBAR at 0x48 of 00:00.0.
 */
#include <stddef.h>

#include "machine.h"

/* Sandy Bridge to Rocket Lake: 32 bits each, one beside the other */
static const struct unit_kind client_imc = {
	"imc", UNIT_FREE_RUNNING, .general = 5, .width = 32,
	.counter = { 0x50, 0x54, 0x40, 0x44, 0x48 },
	.role = { ROLE_READ, ROLE_WRITE },
};

/* Tiger Lake and later */
static const struct unit_kind client_imc_free_running = {
	"imc_free_running", UNIT_FREE_RUNNING, .general = 3, .width = 64,
	.counter = { 0x40, 0x58, 0xa0 },
	.role = { ROLE_TOTAL, ROLE_READ, ROLE_WRITE },
};

/* Alder Lake and later */
static const struct unit_kind alderlake_imc = {
	"imc", UNIT_OTHER, .general = 5, .width = 64,
	.freeze = 1u << 0, .reset_controls = 1u << 1, .reset_counters = 1u << 2,
	.unit_bits = 0x7, .unit_control = 0xc4,
	.control = { 0xd0, 0xd4, 0xd8, 0xdc, 0xe0 },
	.counter = { 0xe8, 0xf0, 0xf8, 0x100, 0x108 },
};

const struct base_scheme scheme_client = {
	1, 0, 0, { { &client_imc, 1, 0x5000, 0 } }
};

const struct base_scheme scheme_tigerlake_u = {
	2, 0x10000, 0, { { &client_imc_free_running, 1, 0x5000, 0 } }
};

const struct base_scheme scheme_tigerlake_h = {
	2, 0x10000, 0, { { &client_imc_free_running, 1, 0xd800, 0 } }
};

/* ADL_UNCORE_IMC_GLOBAL_CTL: that of the second controller is for both. */
const struct base_scheme scheme_alderlake = {
	2, 0x10000, 0x1d9c0, { { &alderlake_imc, 1, 0xd900, 0 },
			       { &client_imc_free_running, 1, 0xd800, 0 } }
};

#define CLIENT(name, model, stepping, scheme) \
	{ name, PLATFORM_CLIENT, NULL, model, stepping, 0, 0, 0, true, \
	  false, 0, &(scheme) }

/* By the processor's model, which decides what the kernel's driver does */
static const struct client {
	struct platform platform;
	uint16_t bridge[32];
} clients[] = {
	{ CLIENT("sandybridge", 42, 7, scheme_client),
	  { 0x0100, 0x0104 } },
	{ CLIENT("ivybridge", 58, 9, scheme_client),
	  { 0x0150, 0x0154 } },
	{ CLIENT("haswell", 60, 3, scheme_client),
	  { 0x0c00, 0x0c04 } },
	{ CLIENT("haswell-u", 69, 1, scheme_client),
	  { 0x0a04 } },
	{ CLIENT("broadwell", 61, 4, scheme_client),
	  { 0x1604 } },
	{ CLIENT("skylake-u", 78, 3, scheme_client),
	  { 0x1904, 0x190c } },
	{ CLIENT("skylake", 94, 3, scheme_client),
	  { 0x1900, 0x1910, 0x190f, 0x191f, 0x1918 } },
	{ CLIENT("kabylake-u", 142, 9, scheme_client),
	  { 0x5904, 0x590c, 0x590d, 0x5914, 0x3ed0, 0x3e34, 0x3e35, 0x3ecc } },
	{ CLIENT("kabylake", 158, 9, scheme_client),
	  { 0x590f, 0x591f, 0x5910, 0x5918, 0x3e10, 0x3ec4, 0x3e0f, 0x3e1f,
	    0x3ec2, 0x3e30, 0x3e18, 0x3ec6, 0x3e31, 0x3e33, 0x3eca, 0x3e32 } },
	{ CLIENT("cometlake", 165, 3, scheme_client),
	  { 0x9b33, 0x9b43, 0x9b44, 0x9b53, 0x9b54, 0x9b63, 0x9b64, 0x9b73 } },
	{ CLIENT("cometlake-u", 166, 0, scheme_client),
	  { 0x9b51, 0x9b61, 0x9b71 } },
	{ CLIENT("icelake", 126, 5, scheme_client),
	  { 0x8a02, 0x8a12 } },
	{ CLIENT("rocketlake", 167, 1, scheme_client),
	  { 0x4c43, 0x4c53 } },
	{ CLIENT("tigerlake", 140, 1, scheme_tigerlake_u),
	  { 0x9a02, 0x9a04, 0x9a12, 0x9a14 } },
	{ CLIENT("tigerlake-h", 141, 1, scheme_tigerlake_h),
	  { 0x9a36 } },
	{ CLIENT("alderlake", 151, 2, scheme_alderlake),
	  { 0x4660, 0x4641, 0x4601, 0x4602, 0x4609, 0x460a, 0x4621, 0x4623,
	    0x4629, 0x4637, 0x463b, 0x4648, 0x4649, 0x4650, 0x4668, 0x4670,
	    0x4614, 0x4617, 0x4618, 0x461b, 0x461c } },
	{ CLIENT("raptorlake", 183, 1, scheme_alderlake),
	  { 0xa700, 0xa701, 0xa702, 0xa703, 0xa704, 0xa705, 0xa706, 0xa707,
	    0xa708, 0xa709, 0xa70a, 0xa70b, 0xa715, 0xa716, 0xa717, 0xa718,
	    0xa719, 0xa71a, 0xa71b, 0xa71c, 0xa728, 0xa729, 0xa72a } },
	{ CLIENT("meteorlake", 170, 4, scheme_alderlake),
	  { 0x7d00, 0x7d01, 0x7d02, 0x7d05, 0x7d10, 0x7d14, 0x7d15, 0x7d16,
	    0x7d21, 0x7d22, 0x7d23, 0x7d24, 0x7d28 } },
};

const struct platform *client_platform(uint16_t device)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		for (j = 0; j < ARRAY_SIZE(clients[i].bridge); j++)
			if (device && clients[i].bridge[j] == device)
				return &clients[i].platform;
	return NULL;
}
