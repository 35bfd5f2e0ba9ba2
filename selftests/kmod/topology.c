// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=all user=root kernels=all timeout=120 */
/*
 * Die, socket and NUMA node of every unit, worked out once more from the node
 * id registers of the UBOX devices and from sysfs.
 */
#include <dirent.h>
#include <fcntl.h>

#include "harness.h"
#include "topo.h"

#define BUSES		256
#define SEGMENTS	4

/*
 * Which device holds the node ids, and where. Facts from the calls of
 * snbep_pci2phy_map_init() in mainline's arch/x86/events/intel/uncore_snbep.c;
 * a bus without such a device belongs to the die of the next one above
 * (downwards) or below.
 */
static const struct ubox {
	uint16_t device;
	uint32_t node_id;
	uint32_t node_map;
	bool next_above;
} uboxes[] = {
	{ 0x3ce0, 0x40, 0x54, true },	/* Sandy Bridge-EP */
	{ 0x0e1e, 0x40, 0x54, true },	/* Ivy Bridge-EP */
	{ 0x2f1e, 0x40, 0x54, true },	/* Haswell-EP */
	{ 0x6f1e, 0x40, 0x54, true },	/* Broadwell-EP */
	{ 0x2014, 0xc0, 0xd4, false },	/* Skylake-SP */
	{ 0x3460, 0xc0, 0xd4, true },	/* Snow Ridge */
	{ 0x3450, 0xc0, 0xd4, true },	/* Ice Lake-SP */
};

/* From Sapphire Rapids on a table tells the die, and its function's node that. */
#define UBOX_WITH_TABLES	0x3250

struct map {
	bool known;
	bool by_node;
	int die[SEGMENTS][BUSES];
};

static const struct ubox *ubox_of(int vendor, int device)
{
	unsigned int i;

	for (i = 0; vendor == 0x8086 && i < ARRAY_SIZE(uboxes); i++)
		if (uboxes[i].device == device)
			return &uboxes[i];
	return NULL;
}

static int device_number(const char *name, const char *file)
{
	char path[512];
	int value = -1;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", name, file);
	file_read_int(path, &value);
	return value;
}

static int device_register(const char *name, uint32_t offset, uint32_t *value)
{
	char path[512];
	int fd, n;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = pread(fd, value, 4, offset);
	close(fd);
	return n == 4 ? 0 : -EIO;
}

static int die_by_registers(const struct topo *topo, const struct ubox *ubox,
			    const char *name)
{
	uint32_t id, map;
	int i;

	if (device_register(name, ubox->node_id, &id) ||
	    device_register(name, ubox->node_map, &map))
		return -1;
	for (i = 0; i < 8; i++)
		if ((map >> (3 * i) & 7) == (id & 7))
			return topo->dies > topo->sockets ?
				       i : topo_die_of_package(topo, i);
	return -1;
}

static void fill_gaps(int *die, bool next_above)
{
	int last = -1;
	int i;

	for (i = 0; i < BUSES; i++) {
		int *at = &die[next_above ? BUSES - 1 - i : i];

		if (*at < 0)
			*at = last;
		else
			last = *at;
	}
}

static void map_read(const struct topo *topo, struct map *map)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	const struct ubox *ubox, *seen = NULL;
	unsigned int segment, bus;
	struct dirent *entry;
	int i;

	memset(map->die, 0xff, sizeof(map->die));
	while (dir && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, "%x:%x:", &segment, &bus) != 2 ||
		    segment >= SEGMENTS)
			continue;
		if (device_number(entry->d_name, "device") == UBOX_WITH_TABLES)
			map->by_node = true;
		ubox = ubox_of(device_number(entry->d_name, "vendor"),
			       device_number(entry->d_name, "device"));
		if (!ubox)
			continue;
		seen = ubox;
		if (topo->nodes <= 8)
			map->die[segment][bus] =
				die_by_registers(topo, ubox, entry->d_name);
		else
			map->die[segment][bus] = topo_die_of_node(topo,
				device_number(entry->d_name, "numa_node"));
	}
	if (dir)
		closedir(dir);
	map->known = seen;
	for (i = 0; seen && i < SEGMENTS; i++)
		fill_gaps(map->die[i], seen->next_above);
}

static int expected_die(const struct topo *topo, const struct map *map,
			const struct uncore_pmu_unit *u)
{
	char name[32];

	/* A machine without UBOX has one die. */
	if (!map->by_node)
		return map->known ? map->die[u->segment][u->bus] : 0;
	snprintf(name, sizeof(name), "%04x:%02x:%02x.%x", u->segment, u->bus,
		 u->device, u->function);
	return topo_die_of_node(topo, device_number(name, "numa_node"));
}

FIXTURE(topology)
{
	int fd;
	struct units units;
	struct topo topo;
	struct map map;
};

FIXTURE_SETUP(topology)
{
	ASSERT_EQ(0, topo_read(&self->topo));
	map_read(&self->topo, &self->map);
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	ASSERT_LT(0U, self->units.count);
	TH_LOG("%d CPUs, %d dies, %d sockets, %d nodes", self->topo.cpus,
	       self->topo.dies, self->topo.sockets, self->topo.nodes);
}

FIXTURE_TEARDOWN(topology)
{
	units_free(&self->units);
	close(self->fd);
}

TEST_F(topology, die)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		ASSERT_GT((uint32_t)SEGMENTS, u->segment) ABOUT(u);
		EXPECT_EQ(expected_die(&self->topo, &self->map, u), u->die)
			ABOUT(u);
	}
}

TEST_F(topology, socket)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_GT(self->topo.dies, u->die) ABOUT(u);
		EXPECT_EQ(topo_socket_of_die(&self->topo, u->die), u->socket)
			ABOUT(u);
	}
}

TEST_F(topology, numa_node)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_EQ(topo_node_of_die(&self->topo, u->die), u->numa_node)
			ABOUT(u);
	}
}

static bool die_has_units(const struct units *units, int die)
{
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (units->unit[i].die == die)
			return true;
	return false;
}

/* Every die with a unit has the same list of kinds, present or absent. */
TEST_F(topology, every_die)
{
	unsigned int i;
	int die;

	for (die = 0; die < self->topo.dies; die++)
		for (i = 0; i < self->units.count &&
			    die_has_units(&self->units, die); i++) {
			const struct uncore_pmu_unit *u = &self->units.unit[i];

			EXPECT_NE(NULL, units_find(&self->units, u->type,
						   u->instance, die)) {
				TH_LOG("%s%u is not on die %d", u->type,
				       u->instance, die);
			}
		}
}

TEST_HARNESS_MAIN
