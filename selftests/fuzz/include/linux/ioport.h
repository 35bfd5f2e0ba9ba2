/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions are in the test that needs them. */
#ifndef FUZZ_LINUX_IOPORT_H
#define FUZZ_LINUX_IOPORT_H

#include <linux/types.h>

#define IORESOURCE_MEM		0x00000200UL
#define IORESOURCE_SYSTEM_RAM	0x01000200UL
#define IORESOURCE_UNSET	0x20000000UL
#define IORESOURCE_BUSY		0x80000000UL
#define IORES_DESC_NONE		0

enum { REGION_INTERSECTS, REGION_DISJOINT, REGION_MIXED };

struct resource {
	u64 start;
	u64 end;
	unsigned long flags;
};

static inline u64 resource_size(const struct resource *res)
{
	return res->end - res->start + 1;
}

int region_intersects(u64 start, size_t size, unsigned long flags,
		      unsigned long desc);
int walk_iomem_res_desc(unsigned long desc, unsigned long flags, u64 start,
			u64 end, void *arg,
			int (*visit)(struct resource *res, void *arg));

#endif /* FUZZ_LINUX_IOPORT_H */
