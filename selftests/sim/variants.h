/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of wrong discovery tables, for prepare, simctl and the model. The
 * first unit is the first one in memory that the table lists.
 */
#ifndef VARIANTS_H
#define VARIANTS_H

#include <stddef.h>

static const char * const sim_discovery_variants[] = {
	"ok",
	/* The whole table */
	"ones",			/* all ones: nobody answers */
	"zero",
	"truncated",		/* all ones from the middle entry on */
	"no-units",
	"65535-units",		/* so many entries, with 6 bits too many */
	"zero-stride",
	"short-stride",		/* 16 bytes: less than an entry */
	"duplicate",		/* all units of a type have number 0 */
	/* Addresses of all units in memory */
	"ram",			/* System RAM */
	"foreign",		/* pages of other devices */
	"self",			/* the table's own page */
	"overlap",		/* all at the first unit's */
	"high",			/* above the physical address width */
	"wrap",			/* so that the registers wrap around to 0 */
	"unaligned",
	/* One field of the global entry */
	"global-type",
	"global-stride",	/* 255 */
	"global-units",		/* 1023, more than there are */
	"global-access",	/* 3, which is none */
	"global-control",	/* 0 */
	"global-status",	/* 255 */
	"global-statuses",	/* 65535 */
	"global-reserved",	/* reserved bits set */
	/* One field of the first unit */
	"unit-counters",	/* 255 */
	"unit-no-counters",
	"unit-control-offset",	/* 0 */
	"unit-width",		/* 255 */
	"unit-no-width",
	"unit-counter-offset",	/* 0 */
	"unit-status",		/* 255 */
	"unit-access",		/* 3, which is none */
	"unit-address",		/* 0 */
	"unit-type",		/* 65535 */
	"unit-id",		/* 65535 */
	"unit-reserved",	/* reserved bits set */
	/* What leads to the table */
	"looping",		/* the last capability's next one is the first */
	"dvsec-vendor",
	"dvsec-id",		/* none is that of a discovery table */
	"dvsec-length",		/* 8 bytes: without its second half */
	"dvsec-bir",		/* base register 7 */
	"dvsec-reserved",	/* reserved bits set */
	"bar-io",		/* the base register is one for I/O ports */
	NULL,
};

#endif /* VARIANTS_H */
