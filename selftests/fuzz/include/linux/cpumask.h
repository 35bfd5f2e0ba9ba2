/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_CPUMASK_H
#define FUZZ_LINUX_CPUMASK_H

/* In the test that needs it. */
extern const int online_cpus;

#define for_each_online_cpu(cpu) \
	for ((cpu) = 0; (cpu) < online_cpus; (cpu)++)

#endif /* FUZZ_LINUX_CPUMASK_H */
