// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which CPUs share counters of AMD's data fabric or L3 cache. RDPMC reads those
 * of the die or complex that the caller runs on, so this must be certain: where
 * the kernel's description is not, fewer CPUs are said to share them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define LIST_SIZE	4096
#define LEVEL_3		"cache/index3/"

static int cpu_text(const struct uncore_core_place *place, int cpu,
		    const char *file, char *text)
{
	struct uncore_core_place cpus = { .devices = place->cpus };
	char folder[16];

	snprintf(folder, sizeof(folder), "cpu%d", cpu);
	return uncore_core_pmu_text(&cpus, folder, file, text, LIST_SIZE);
}

static unsigned int count(const char *list)
{
	unsigned int sum = 0;
	int cpu;

	for (cpu = 0; cpu < UNCORE_AMD_CPUS; cpu++)
		sum += uncore_core_cpus_have(list, cpu);
	return sum;
}

/* The CPUs that certainly share the counters with this one, if any do. */
static void find_sharing(const struct uncore_core_place *place, bool l3,
			 unsigned int nodes, int cpu, char *list)
{
	char level[LIST_SIZE], package[LIST_SIZE], die[LIST_SIZE];

	snprintf(list, LIST_SIZE, "%d", cpu);
	if (cpu_text(place, cpu, "topology/package_cpus_list", package))
		return;
	if (l3) {
		if (!cpu_text(place, cpu, LEVEL_3 "level", level) &&
		    !strcmp(level, "3") &&
		    !cpu_text(place, cpu, LEVEL_3 "shared_cpu_list", die))
			strcpy(list, die);
	} else if (nodes == 1) {
		strcpy(list, package);
	} else if (nodes &&
		   !cpu_text(place, cpu, "topology/die_cpus_list", die) &&
		   count(die) * nodes <= count(package)) {
		strcpy(list, die);
	}
}

static void fill(struct uncore_amd_cpus *cpus, const char *list,
		 const char *package)
{
	int cpu;

	memset(cpus->set, 0, sizeof(cpus->set));
	for (cpu = 0; cpu < UNCORE_AMD_CPUS; cpu++)
		if (cpu == cpus->home ||
		    (uncore_core_cpus_have(list, cpu) &&
		     uncore_core_cpus_have(package, cpu)))
			cpus->set[cpu / 64] |= 1ULL << cpu % 64;
}

static int read_package(const struct uncore_core_place *place, int cpu,
			struct uncore_amd_cpus *cpus, char *list)
{
	char number[LIST_SIZE];
	int ret = cpu_text(place, cpu, "topology/package_cpus_list", list);

	if (!ret)
		ret = cpu_text(place, cpu, "topology/physical_package_id",
			       number);
	if (!ret)
		cpus->package = atoi(number);
	return ret;
}

int uncore_amd_cpus_find(const struct uncore_core_place *place,
			 const char *pmu, unsigned int nodes,
			 struct uncore_amd_cpus *cpus,
			 struct uncore_event_error *error)
{
	char counting[LIST_SIZE], list[LIST_SIZE], package[LIST_SIZE];
	bool l3 = !strcmp(pmu, "amd_l3");
	int ret;

	ret = uncore_core_pmu_text(place, pmu, "cpumask", counting,
				   sizeof(counting));
	if (!ret)
		ret = read_package(place, place->cpu, cpus, package);
	if (uncore_core_is_failure(ret))
		return uncore_core_say_failure(pmu, ret, error);
	if (ret) {
		uncore_say(error, "the kernel does not say which CPUs %s is for",
			   pmu);
		return -EPROTO;
	}

	find_sharing(place, l3, nodes, place->cpu, list);
	cpus->home = place->cpu;
	fill(cpus, list, package);
	if (uncore_core_cpus_have(counting, place->cpu))
		return 0;
	for (cpus->home = 0; cpus->home < UNCORE_AMD_CPUS; cpus->home++)
		if (uncore_amd_cpus_have(cpus, cpus->home) &&
		    uncore_core_cpus_have(counting, cpus->home))
			return 0;
	uncore_say(error, "for CPU %d, %s is not known to count: run on CPU %s, "
		   "where perf counts, or on one of the same %s (taskset -c)",
		   place->cpu, pmu, counting, l3 ? "L3 cache" : "die");
	return -EXDEV;
}

bool uncore_amd_cpus_hold(const struct uncore_core_place *place,
			  const char *pmu, const struct uncore_amd_cpus *cpus)
{
	char counting[LIST_SIZE];
	int cpu;

	if (uncore_core_pmu_text(place, pmu, "cpumask", counting,
				 sizeof(counting)))
		return false;
	for (cpu = 0; cpu < UNCORE_AMD_CPUS; cpu++)
		if (uncore_amd_cpus_have(cpus, cpu) &&
		    uncore_core_cpus_have(counting, cpu))
			return true;
	return false;
}
