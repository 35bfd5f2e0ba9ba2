/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_SIZES_H
#define FUZZ_LINUX_SIZES_H

#define SZ_1M			0x00100000
#define SZ_4G			0x100000000ULL

#endif /* FUZZ_LINUX_SIZES_H */
