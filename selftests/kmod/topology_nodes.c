// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/topology-10s.lspci user=root kernels=all timeout=120 */
/*
 * More than eight NUMA nodes: a UBOX has no room for so many, and the node of
 * its bus tells the die. What belongs where is written down here, bus by bus;
 * TOPOLOGY in the environment names another machine than that of this test.
 */
#include <fcntl.h>

#include "harness.h"
#include "topo.h"

#define CPUS	10

struct place {
	uint32_t segment;
	uint8_t bus;
	int die;
	int node;
	unsigned int units;	/* that are there */
};

static const struct place ten_sockets[] = {
	/* Buses without a UBOX belong to the next one above. */
	{ 1, 0x10, 7, 7, 1 }, { 1, 0x1d, 0, 0, 1 }, { 2, 0x30, 3, 3, 1 },
	{ 1, 0x13, 7, 7, 4 }, { 1, 0x17, 2, 2, 4 }, { 1, 0x1b, 9, 9, 4 },
	{ 1, 0x1f, 0, 0, 4 }, { 1, 0x23, 5, 5, 4 }, { 2, 0x33, 3, 3, 4 },
	{ 2, 0x37, 8, 8, 4 }, { 2, 0x3b, 1, 1, 4 }, { 2, 0x3f, 6, 6, 4 },
	{ 2, 0x43, 4, 4, 4 }, { 0 },
};

/* Nothing tells the die of 1f and 33, which is that of 1d and 30 too. */
static const struct place no_pxm[] = {
	{ 1, 0x10, 7, 7, 1 }, { 1, 0x1d, -1, 0, 1 }, { 2, 0x30, -1, 3, 1 },
	{ 1, 0x13, 7, 7, 4 }, { 1, 0x17, 2, 2, 4 }, { 1, 0x1b, 9, 9, 4 },
	{ 1, 0x1f, -1, -1, 4 }, { 1, 0x23, 5, 5, 4 }, { 2, 0x33, -1, -1, 4 },
	{ 2, 0x37, 8, 8, 4 }, { 2, 0x3b, 1, 1, 4 }, { 2, 0x3f, 6, 6, 4 },
	{ 2, 0x43, 4, 4, 4 }, { 0 },
};

/* Dies of two nodes: here the UBOX is on the first one, there on the second. */
static const struct place two_nodes[] = {
	{ 1, 0x11, 3, 7, 1 }, { 1, 0x12, 3, 6, 1 },
	{ 1, 0x22, 0, 0, 1 }, { 1, 0x23, 0, 1, 1 },
	{ 1, 0x31, 4, 9, 1 }, { 1, 0x32, 4, 8, 1 },
	{ 1, 0x42, 1, 2, 1 }, { 1, 0x43, 1, 3, 1 },
	{ 1, 0x51, 2, 5, 1 }, { 1, 0x52, 2, 4, 1 }, { 0 },
};

static const struct machine {
	const char *name;
	const struct place *places;
	int nodes_per_die;
	unsigned int present;
	unsigned int units;	/* absent ones included, of the known dies */
} machines[] = {
	{ "10s", ten_sockets, 1, 43, 10 * 18 },
	{ "no-pxm", no_pxm, 1, 43, 8 * 18 + 10 },
	{ "snc", two_nodes, 2, 10, 5 * 18 },
};

FIXTURE(nodes)
{
	const struct machine *machine;
	struct topo topo;
	struct units units;
};

FIXTURE_SETUP(nodes)
{
	const char *name = getenv("TOPOLOGY");
	unsigned int i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (!strcmp(machines[i].name, name ? name : "10s"))
			self->machine = &machines[i];
	ASSERT_NE(NULL, self->machine);
	ASSERT_EQ(0, topo_read(&self->topo));
	fd = node_open(O_RDONLY);
	ASSERT_LE(0, fd);
	self->units = units_get(fd);
	close(fd);
}

FIXTURE_TEARDOWN(nodes)
{
	units_free(&self->units);
}

/* The machine is what the tables say, as far as the kernel itself tells. */
TEST_F(nodes, cpus)
{
	char path[64], text[64], wanted[16];
	int cpu, die;

	EXPECT_EQ(10, self->topo.nodes);
	EXPECT_EQ(CPUS / self->machine->nodes_per_die, self->topo.dies);
	ASSERT_EQ(CPUS, self->topo.cpus);
	for (cpu = 0; cpu < CPUS; cpu++) {
		die = cpu / self->machine->nodes_per_die;
		EXPECT_EQ(die, self->topo.cpu[cpu].die);
		EXPECT_EQ(die, self->topo.cpu[cpu].socket);
		EXPECT_EQ(cpu, self->topo.cpu[cpu].node);
		snprintf(path, sizeof(path),
			 "/sys/devices/system/node/node%d/cpulist", cpu);
		snprintf(wanted, sizeof(wanted), "%d\n", cpu);
		ASSERT_EQ(0, file_read(path, text, sizeof(text)));
		EXPECT_STREQ(wanted, text);
	}
}

static const struct place *find_place(const struct machine *machine,
				      const struct uncore_pmu_unit *unit)
{
	const struct place *place;

	for (place = machine->places; place->segment; place++)
		if (place->segment == unit->segment && place->bus == unit->bus)
			return place;
	return NULL;
}

TEST_F(nodes, present)
{
	unsigned int seen[ARRAY_SIZE(ten_sockets)] = { 0 };
	const struct place *place;
	unsigned int i, n, present = 0;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (u->state == UNCORE_PMU_STATE_ABSENT)
			continue;
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u->state) ABOUT(u);
		place = find_place(self->machine, u);
		ASSERT_NE(NULL, place) ABOUT(u);
		EXPECT_EQ(place->die, u->die) ABOUT(u);
		EXPECT_EQ(place->die, u->socket) ABOUT(u);
		EXPECT_EQ(place->node, u->numa_node) ABOUT(u);
		seen[place - self->machine->places]++;
		present++;
	}
	EXPECT_EQ(self->machine->present, present);
	EXPECT_EQ(self->machine->units, self->units.count);
	for (n = 0; self->machine->places[n].segment; n++) {
		EXPECT_EQ(self->machine->places[n].units, seen[n]) {
			TH_LOG("bus %02x", self->machine->places[n].bus);
		}
	}
}

/* A unit that is not there has no bus; its die may have more than one node. */
TEST_F(nodes, absent)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (u->state != UNCORE_PMU_STATE_ABSENT)
			continue;
		EXPECT_LE(0, u->die) ABOUT(u);
		EXPECT_EQ(u->die, u->socket) ABOUT(u);
		EXPECT_EQ(self->machine->nodes_per_die == 1 ? u->die : -1,
			  u->numa_node) ABOUT(u);
	}
}

TEST_HARNESS_MAIN
