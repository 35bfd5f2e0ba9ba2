/* SPDX-License-Identifier: GPL-2.0-only */
/* The test that needs them has them. */
#ifndef FUZZ_LINUX_IO_H
#define FUZZ_LINUX_IO_H

#include <linux/types.h>

void *ioremap(phys_addr_t address, size_t size);
void iounmap(void *page);
void memcpy_fromio(void *to, const void *from, size_t length);
u32 readl(const void *at);
void writel(u32 value, void *at);

#endif /* FUZZ_LINUX_IO_H */
