/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_OVERFLOW_H
#define FUZZ_LINUX_OVERFLOW_H

#define check_add_overflow(a, b, sum)	__builtin_add_overflow(a, b, sum)
#define struct_size(p, member, n) \
	(sizeof(*(p)) + (n) * sizeof((p)->member[0]))

#endif /* FUZZ_LINUX_OVERFLOW_H */
