/* SPDX-License-Identifier: GPL-2.0-only */
/* The processors of the machine, as sysfs shows them. */
#ifndef TOPO_H
#define TOPO_H

#define TOPO_MAX_CPUS	256

struct topo_cpu {
	int package;	/* physical */
	int die_id;	/* physical */
	int die;	/* logical: dies are numbered as their CPUs come */
	int socket;	/* logical */
	int node;
};

struct topo {
	int cpus;
	int dies;
	int sockets;
	int nodes;	/* possible NUMA nodes */
	struct topo_cpu cpu[TOPO_MAX_CPUS];
};

int topo_read(struct topo *topo);

/* The logical die of a physical package with one die; -1 if there is none. */
int topo_die_of_package(const struct topo *topo, int package);
/* The logical die of the first CPU on a NUMA node; -1 if there is none. */
int topo_die_of_node(const struct topo *topo, int node);
/* The NUMA node of all CPUs of a die; -1 if they are on several. */
int topo_node_of_die(const struct topo *topo, int die);
int topo_socket_of_die(const struct topo *topo, int die);
int topo_first_cpu(const struct topo *topo, int die);

#endif /* TOPO_H */
