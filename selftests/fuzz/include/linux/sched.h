/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_SCHED_H
#define FUZZ_LINUX_SCHED_H

#define TASK_COMM_LEN	16

#define cond_resched()	do { } while (0)

#endif /* FUZZ_LINUX_SCHED_H */
