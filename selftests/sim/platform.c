// SPDX-License-Identifier: GPL-2.0-only
/* Which platform a listing shows. */
#include <string.h>

#include "machine.h"

/*
 * UBOX ids and their registers: Linux 6.1, uncore_snbep.c, the callers of
 * snbep_pci2phy_map_init(). Rows with a generation come first: the others would
 * match as well. The plain processor is one that the kernel's uncore driver
 * does not know.
 */
static const struct platform platforms[] = {
	{ "broadwell-de", PLATFORM_BROADWELL_EP, "Broadwell-DE", 86, 3,
	  0x6f1e, 0x40, 0x54, true, false, 0, NULL },
	{ "icelake-d", PLATFORM_ICELAKE_SP, "Ice Lake-D", 108, 1,
	  0x3450, 0xc0, 0xd4, true, false, 0x3451, &scheme_icelake_sp },
	{ "emerald-rapids", PLATFORM_SAPPHIRE_RAPIDS, "Emerald Rapids", 207, 2,
	  0x3250, 0xc0, 0xd4, true, true, 0x3251, &scheme_sapphire_rapids },
	{ "granite-rapids", PLATFORM_GRANITE_RAPIDS, "Granite Rapids", 173, 1,
	  0x3250, 0xc0, 0xd4, true, true, 0, NULL },
	{ "sierra-forest", PLATFORM_GRANITE_RAPIDS, "Sierra Forest", 175, 3,
	  0x3250, 0xc0, 0xd4, true, true, 0, NULL },
	{ "clearwater-forest", PLATFORM_GRANITE_RAPIDS, "Clearwater Forest",
	  221, 0, 0x3250, 0xc0, 0xd4, true, true, 0, NULL },
	{ "sandybridge-ep", PLATFORM_SANDYBRIDGE_EP, NULL, 45, 7,
	  0x3ce0, 0x40, 0x54, true, false, 0, NULL },
	{ "ivybridge-ep", PLATFORM_IVYBRIDGE_EP, NULL, 62, 4,
	  0x0e1e, 0x40, 0x54, true, false, 0, NULL },
	{ "haswell-ep", PLATFORM_HASWELL_EP, NULL, 63, 2,
	  0x2f1e, 0x40, 0x54, true, false, 0, NULL },
	{ "broadwell-ep", PLATFORM_BROADWELL_EP, NULL, 79, 1,
	  0x6f1e, 0x40, 0x54, true, false, 0, NULL },
	{ "skylake-sp", PLATFORM_SKYLAKE_SP, NULL, 85, 4,
	  0x2014, 0xc0, 0xd4, false, false, 0, NULL },
	{ "snowridge", PLATFORM_SNOWRIDGE, NULL, 134, 5,
	  0x3460, 0xc0, 0xd4, true, false, 0x3451, &scheme_snowridge },
	{ "icelake-sp", PLATFORM_ICELAKE_SP, NULL, 106, 6,
	  0x3450, 0xc0, 0xd4, true, false, 0x3451, &scheme_icelake_sp },
	{ "sapphire-rapids", PLATFORM_SAPPHIRE_RAPIDS, NULL, 143, 8,
	  0x3250, 0xc0, 0xd4, true, true, 0x3251, &scheme_sapphire_rapids },
	{ "knl", PLATFORM_KNL, NULL, 87, 1, 0, 0, 0, true, false, 0, NULL },
};

static const struct platform plain = {
	"plain", PLATFORM_NONE, NULL, 55, 8, 0, 0, 0, true, false, 0, NULL
};

static const struct platform *platform_by_ubox(const struct listing *listing,
					       uint16_t device)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (platforms[i].ubox && platforms[i].ubox == device &&
		    (!platforms[i].generation ||
		     strstr(listing->generation, platforms[i].generation)))
			return &platforms[i];
	return NULL;
}

/*
 * By the UBOX, or where firmware hides it, by the first unit, or by a client's
 * host bridge.
 */
const struct platform *platform_of(const struct listing *listing)
{
	const struct listing_function *f = listing->function;
	const struct unit_id *id;
	size_t i, j;

	for (i = 0; i < listing->count; i++) {
		const struct platform *platform;

		if (f[i].vendor_id != 0x8086)
			continue;
		platform = platform_by_ubox(listing, f[i].device_id);
		if (platform)
			return platform;
	}
	for (i = 0; i < listing->count; i++) {
		id = unit_find(f[i].vendor_id, f[i].device_id);
		if (!id)
			continue;
		for (j = 0; j < ARRAY_SIZE(platforms); j++)
			if (platforms[j].id == id->platform &&
			    !platforms[j].generation)
				return &platforms[j];
	}
	for (i = 0; i < listing->count; i++) {
		const struct platform *platform =
			client_platform(f[i].device_id);

		if (f[i].vendor_id == 0x8086 && platform)
			return platform;
	}
	return &plain;
}
