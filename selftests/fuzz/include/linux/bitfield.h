/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_BITFIELD_H
#define FUZZ_LINUX_BITFIELD_H

#define FIELD_GET(mask, value)	(((value) & (mask)) / ((mask) & -(mask)))
#define FIELD_PREP(mask, value)	(((value) * ((mask) & -(mask))) & (mask))

#endif /* FUZZ_LINUX_BITFIELD_H */
