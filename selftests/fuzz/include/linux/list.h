/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_LIST_H
#define FUZZ_LINUX_LIST_H

struct list_head {
	struct list_head *next, *prev;
};

#endif /* FUZZ_LINUX_LIST_H */
