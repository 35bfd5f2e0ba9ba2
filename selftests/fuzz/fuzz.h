/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input of the fuzz target: this head, then a table; or with two tables the
 * same one twice, of two dies or of one.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <linux/types.h>

/**
 * struct fuzz_head - what is known of a table from elsewhere
 * @platform: 1 to 4, as in fuzz_platform(); others mean none
 * @phys_bits: width of physical addresses
 * @flags: FUZZ_*
 * @page: physical address of the table, in pages
 */
struct fuzz_head {
	u8 platform;
	u8 phys_bits;
	u8 flags;
	u8 __reserved;
	u32 page;
};

#define FUZZ_TWO_TABLES	0x1
#define FUZZ_SAME_DIE	0x2

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#endif /* FUZZ_H */
