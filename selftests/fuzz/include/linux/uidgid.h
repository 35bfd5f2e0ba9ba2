/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_UIDGID_H
#define FUZZ_LINUX_UIDGID_H

typedef struct {
	unsigned int val;
} kuid_t;

#endif /* FUZZ_LINUX_UIDGID_H */
