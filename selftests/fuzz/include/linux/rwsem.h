/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_RWSEM_H
#define FUZZ_LINUX_RWSEM_H

struct rw_semaphore {
	int unused;
};

#endif /* FUZZ_LINUX_RWSEM_H */
