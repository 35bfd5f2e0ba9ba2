// SPDX-License-Identifier: GPL-2.0-only
/* The processors of the machine, as sysfs shows them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "topo.h"

static int cpu_node(int cpu)
{
	char path[128];
	int node;

	for (node = 0; node < 1024; node++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
		if (!access(path, F_OK))
			return node;
	}
	return -1;
}

static int cpu_value(int cpu, const char *name, int *value)
{
	char path[128];

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
	return file_read_int(path, value);
}

static void number(struct topo *topo, int cpu)
{
	struct topo_cpu *own = &topo->cpu[cpu];
	int i;

	own->die = -1;
	own->socket = -1;
	for (i = 0; i < cpu; i++) {
		const struct topo_cpu *other = &topo->cpu[i];

		if (other->package != own->package)
			continue;
		own->socket = other->socket;
		if (other->die_id == own->die_id)
			own->die = other->die;
	}
	if (own->socket < 0)
		own->socket = topo->sockets++;
	if (own->die < 0)
		own->die = topo->dies++;
}

/* "0-15" or "0": the number that a list ends with, plus one. */
static int count_of_list(const char *path)
{
	char text[256];
	char *last;

	if (file_read(path, text, sizeof(text)))
		return 1;
	last = text + strcspn(text, "\n");
	while (last > text && last[-1] >= '0' && last[-1] <= '9')
		last--;
	return strtol(last, NULL, 10) + 1;
}

int topo_read(struct topo *topo)
{
	int cpu, err;

	memset(topo, 0, sizeof(*topo));
	topo->nodes = count_of_list("/sys/devices/system/node/possible");
	for (cpu = 0; cpu < cpu_count(); cpu++) {
		struct topo_cpu *own = &topo->cpu[cpu];

		if (cpu >= TOPO_MAX_CPUS)
			return -E2BIG;
		err = cpu_value(cpu, "physical_package_id", &own->package);
		if (!err)
			err = cpu_value(cpu, "die_id", &own->die_id);
		if (err)
			return err;
		own->node = cpu_node(cpu);
		number(topo, cpu);
		topo->cpus++;
	}
	return 0;
}

int topo_die_of_package(const struct topo *topo, int package)
{
	int cpu;

	for (cpu = 0; cpu < topo->cpus; cpu++)
		if (topo->cpu[cpu].package == package)
			return topo->cpu[cpu].die;
	return -1;
}

int topo_die_of_node(const struct topo *topo, int node)
{
	int cpu;

	for (cpu = 0; cpu < topo->cpus; cpu++)
		if (topo->cpu[cpu].node == node)
			return topo->cpu[cpu].die;
	return -1;
}

int topo_node_of_die(const struct topo *topo, int die)
{
	int node = -1;
	int cpu;

	for (cpu = 0; cpu < topo->cpus; cpu++) {
		if (topo->cpu[cpu].die != die)
			continue;
		if (node >= 0 && topo->cpu[cpu].node != node)
			return -1;
		node = topo->cpu[cpu].node;
	}
	return node;
}

int topo_first_cpu(const struct topo *topo, int die)
{
	int cpu;

	for (cpu = 0; cpu < topo->cpus; cpu++)
		if (topo->cpu[cpu].die == die)
			return cpu;
	return -1;
}

int topo_socket_of_die(const struct topo *topo, int die)
{
	int cpu = topo_first_cpu(topo, die);

	return cpu < 0 ? -1 : topo->cpu[cpu].socket;
}
