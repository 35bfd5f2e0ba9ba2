/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_TOPOLOGY_H
#define FUZZ_LINUX_TOPOLOGY_H

/* In the test that needs it. */
int topology_logical_die_id(int cpu);

#define NUMA_NO_NODE		(-1)

#endif /* FUZZ_LINUX_TOPOLOGY_H */
