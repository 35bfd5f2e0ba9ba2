// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=sapphire-rapids,granite-rapids user=root kernels=6.12 timeout=900 module=no */
/*
 * Discovery tables at their limits: longer than their memory, with more units
 * than there is room for, and with units that are close to each other or that
 * only MSRs reach.
 */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "claims.h"
#include "harness.h"
#include "mmio_units.h"

#define TABLE_DEVICE	0x09a7
#define ENTRY		24U
#define DVSEC_BIR	0x10c

FIXTURE(bounds)
{
	struct sim *sim;
	struct units units;
	struct uncore_pmu_unit user[2];	/* whose function has the table, by die */
	struct sim_addr table[2];
	uint64_t address[2];		/* of the table */
	uint32_t entries;		/* of the first */
	uint32_t bar;
	bool granite_rapids;
	int fd;
};

static int load(FIXTURE_DATA(bounds) *self)
{
	mmio_unload_units(&self->fd, &self->units);
	self->fd = mmio_load_units("", &self->units);
	return self->fd < 0 ? self->fd : 0;
}

static const struct uncore_pmu_unit *user_of(FIXTURE_DATA(bounds) *self, int die)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++)
		if (self->units.unit[i].pci_device == TABLE_DEVICE &&
		    self->units.unit[i].die == die)
			return &self->units.unit[i];
	return NULL;
}

FIXTURE_SETUP(bounds)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	uint32_t low, word;
	int die;

	self->fd = -1;
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	ASSERT_EQ(0, perf_driver_unload());
	ASSERT_EQ(0, load(self));
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &info));
	self->granite_rapids = !strcmp(info.platform, "granite-rapids");
	for (die = 0; die < 2; die++) {
		ASSERT_NE(NULL, user_of(self, die));
		self->user[die] = *user_of(self, die);
		self->table[die] = unit_addr(&self->user[die]);
		ASSERT_EQ(0, config_load(&self->user[die], DVSEC_BIR,
					 &self->bar));
		ASSERT_EQ(0, config_load(&self->user[die], 0x10 + 4 * self->bar,
					 &low));
		self->address[die] = low & ~0xfU;
	}
	ASSERT_EQ(0, sim_peek(self->sim, self->address[0], &word));
	self->entries = word >> 16;
}

FIXTURE_TEARDOWN(bounds)
{
	int die;

	mmio_unload_units(&self->fd, &self->units);
	for (die = 0; die < 2; die++)
		EXPECT_EQ(0, sim_discovery(self->sim, self->table[die], "ok"));
	EXPECT_EQ(0, sim_clock(self->sim, true));
	sim_close(self->sim);
}

/* The last entry of a Granite Rapids, a unit with a page of its own. */
static int edit(FIXTURE_DATA(bounds) *self, int die, enum sim_field field,
		uint64_t value)
{
	return sim_table(self->sim, self->table[die], self->entries - 1, field,
			 value);
}

/* Its registers are 4 bytes further than those of others. */
TEST_F(bounds, at_a_dword)
{
	const struct uncore_pmu_unit *u;
	struct uncore_pmu_program p;
	struct rig rig;
	uint64_t at;

	if (!self->granite_rapids)
		return;
	u = units_find(&self->units, "type_40", 0, 0);
	ASSERT_NE(NULL, u);
	at = mmio_address(self->sim, u);
	ASSERT_NE(0ULL, at);
	ASSERT_EQ(0, edit(self, 0, SIM_UNIT_ADDRESS, at + 4));
	ASSERT_EQ(0, edit(self, 0, SIM_UNIT_CONTROL_OFFSET, 0x10 - 4));
	ASSERT_EQ(0, edit(self, 0, SIM_UNIT_COUNTER_OFFSET, 0x40 - 4));
	ASSERT_EQ(0, load(self));
	ASSERT_EQ(0, rig_open(&rig));
	u = rig_unit(&rig, "type_40", 0, 0);
	ASSERT_NE(NULL, u);
	EXPECT_EQ(4U, u->unit_control);
	EXPECT_EQ(0x10U, u->counter[0].control);
	EXPECT_EQ(0x40U, u->counter[0].offset);
	EXPECT_EQ(PAGE, u->mmap_length);
	ASSERT_EQ(0, claim(rig.fd, u->index, 0x304, &p));
	EXPECT_TRUE(claim_counts(&rig, &p, 4711));
	EXPECT_EQ(0, claim_release(rig.fd, p.claim));
	rig_close(&rig);

	/* A counter may not. */
	ASSERT_EQ(0, edit(self, 0, SIM_UNIT_COUNTER_OFFSET, 0x40));
	ASSERT_EQ(0, load(self));
	u = units_find(&self->units, "type_40", 0, 0);
	ASSERT_NE(NULL, u);
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_UNALIGNED, u->reason);
}

/* Units of different functions: pages may be the same, registers may not. */
TEST_F(bounds, one_page)
{
	const struct uncore_pmu_unit *first, *second;
	const char *page;
	uint64_t at;

	if (!self->granite_rapids)
		return;
	first = units_find(&self->units, "type_40", 0, 0);
	ASSERT_NE(NULL, first);
	at = mmio_address(self->sim, first);
	ASSERT_EQ(0, edit(self, 1, SIM_UNIT_ADDRESS, at + 0x200));
	ASSERT_EQ(0, load(self));
	first = units_find(&self->units, "type_40", 0, 0);
	second = units_find(&self->units, "type_40", 0, 1);
	ASSERT_NE(NULL, first);
	ASSERT_NE(NULL, second);
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, first->state);
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, second->state);
	EXPECT_EQ(0x40U, first->counter[0].offset);
	EXPECT_EQ(0x240U, second->counter[0].offset);
	EXPECT_NE(MAP_FAILED, unit_map(self->fd, first));
	page = unit_map(self->fd, second);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, sim_poke(self->sim, at + 0x240, 0x12345678));
	EXPECT_EQ(0x12345678ULL, mmio_load(page, second, 0));

	/* Where the last counter of the first ends, and one dword before. */
	ASSERT_EQ(0, edit(self, 1, SIM_UNIT_ADDRESS, at + 0x60));
	ASSERT_EQ(0, load(self));
	EXPECT_EQ(0U, mmio_count(&self->units, NULL, UNCORE_PMU_STATE_INVALID));
	ASSERT_EQ(0, edit(self, 1, SIM_UNIT_ADDRESS, at + 0x58));
	ASSERT_EQ(0, load(self));
	EXPECT_EQ(2U, mmio_count(&self->units, "type_40",
				 UNCORE_PMU_STATE_INVALID));
	first = units_find(&self->units, "type_40", 0, 0);
	ASSERT_NE(NULL, first);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_OVERLAP, first->reason);
}

/* A capability that has no room for what says where the table is. */
TEST_F(bounds, short_capability)
{
	const struct uncore_pmu_unit *u;
	uint32_t header, length;

	ASSERT_EQ(0, config_load(&self->user[0], 0x104, &header));
	EXPECT_EQ(16U, header >> 20);
	for (length = 8; length <= 16; length += 4) {
		ASSERT_EQ(0, config_store(&self->user[0], 0x104,
					  (header & 0xfffff) | length << 20));
		ASSERT_EQ(0, load(self));
		u = units_find(&self->units, "discovery", 0, 0);
		EXPECT_EQ(length < 16, !!u) TH_LOG("%u bytes", length);
		if (!u)
			continue;
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state);
		EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_TABLE, u->reason);
		EXPECT_EQ(NULL, units_find(&self->units, "cha", 0, 0));
	}
}

/* Only the kernel could read them, and it does not yet. */
TEST_F(bounds, msr_units)
{
	struct uncore_pmu_status status;
	unsigned int i, seen = 0;
	int fd = node_open(O_RDWR);

	ASSERT_LE(0, fd);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (u->access != UNCORE_PMU_ACCESS_WINDOW)
			continue;
		seen++;
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_WINDOW, u->state) ABOUT(u);
		EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_MSR, u->reason) ABOUT(u);
		EXPECT_EQ(-EADDRNOTAVAIL, claim(fd, i, 0x304, NULL)) ABOUT(u);
		EXPECT_EQ(-EOPNOTSUPP, claim_fixed(fd, i, NULL)) ABOUT(u);
		EXPECT_EQ(-EADDRNOTAVAIL, counter_status(fd, i, 0, &status))
			ABOUT(u);
		EXPECT_ERRNO(EADDRNOTAVAIL,
			     mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd,
				  u->mmap_offset));
	}
	EXPECT_LT(0U, seen);
	close(fd);
}

/*
 * Memory of the machine cannot answer the question for a base register's size,
 * but the capability for fixed addresses (Enhanced Allocation) tells it.
 */
static int set_length(const struct uncore_pmu_unit *u, uint32_t bar,
		      uint64_t address, uint32_t length)
{
	uint32_t pm = 0xe0, at = 0x50, first;
	int err = config_load(u, pm, &first);

	if (err)
		return err;
	first = (first & ~0xff00U) | (length ? at << 8 : 0);
	return config_store(u, at, 0x00010014) ?:
	       config_store(u, at + 4, 1U << 31 | 0xffU << 16 | bar << 4 | 2) ?:
	       config_store(u, at + 8, address) ?:
	       config_store(u, at + 12, (length - 1) & ~3U) ?:
	       config_store(u, pm, first) ?:
	       device_remove(u) ?: devices_rescan();
}

/* Entries that its memory does not have are not read. */
TEST_F(bounds, longer_than_its_memory)
{
	const uint32_t length = 4096, fit = length / ENTRY - 1;
	const struct uncore_pmu_unit *u = &self->user[0];
	unsigned int i, cut = 0;

	ASSERT_LT(fit, self->entries);
	mmio_unload_units(&self->fd, &self->units);
	ASSERT_EQ(0, set_length(u, self->bar, self->address[0], length));
	ASSERT_EQ(0, load(self));
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *v = &self->units.unit[i];

		if (v->state != UNCORE_PMU_STATE_INVALID)
			continue;
		cut++;
		EXPECT_EQ(0, v->die) ABOUT(v);
		EXPECT_TRUE(unit_is(v, "type_65535")) ABOUT(v);
		EXPECT_LE(fit, v->instance) ABOUT(v);
		EXPECT_GT(self->entries, v->instance) ABOUT(v);
		EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_TABLE, v->reason)
			ABOUT(v);
	}
	EXPECT_EQ(self->entries - fit, cut);
	mmio_unload_units(&self->fd, &self->units);
	EXPECT_EQ(0, set_length(u, self->bar, self->address[0], 0));
}

static int set_global(FIXTURE_DATA(bounds) *self, int die, uint64_t address)
{
	return sim_table(self->sim, self->table[die], 0, SIM_GLOBAL_ACCESS,
			 1) ?:
	       sim_table(self->sim, self->table[die], 0, SIM_GLOBAL_CONTROL,
			 address);
}

static int claim_unit(FIXTURE_DATA(bounds) *self, int fd, const char *type,
		      int die, struct uncore_pmu_program *p)
{
	const struct uncore_pmu_unit *u = units_find(&self->units, type, 0, die);

	return u ? claim(fd, u->index, 0x304, p) : -ENXIO;
}

/*
 * What freezes the units of die 1 becomes memory of a device that comes: they
 * can be read still, but not programmed. That of die 0 is in the memory of the
 * function with the table, as it may be.
 */
TEST_F(bounds, global_taken)
{
	const uint32_t length = 1 << 20;
	const char *const type[] = { "imc", "b2cmi" };
	struct uncore_pmu_program kept[2], lost[2];
	struct uncore_pmu_unit u;
	uint64_t start;
	unsigned int i;
	int fd;

	if (!self->granite_rapids)
		return;
	mmio_unload_units(&self->fd, &self->units);
	ASSERT_EQ(0, set_length(&self->user[0], self->bar, self->address[0],
				length));
	sim_close(self->sim);
	ASSERT_EQ(0, plugged_remove());
	start = plugged_find();
	ASSERT_NE(0ULL, start);
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, set_global(self, 0, self->address[0] + length - PAGE));
	ASSERT_EQ(0, set_global(self, 1, start + 8));
	sim_close(self->sim);
	ASSERT_EQ(0, plugged_remove());
	ASSERT_EQ(0, load(self));
	fd = node_open(O_RDWR);
	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, claim_unit(self, fd, type[i], 0, &kept[i]));
		ASSERT_EQ(0, claim_unit(self, fd, type[i], 1, &lost[i]));
	}

	EXPECT_EQ(start, plugged_find());
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(UNCORE_PMU_COUNTER_LOST,
			  counter_await(fd, lost[i].unit, lost[i].counter,
					UNCORE_PMU_COUNTER_LOST));
		EXPECT_EQ(-EPROTO, claim(fd, lost[i].unit, 0x304, NULL));
		EXPECT_EQ(0, unit_describe(fd, lost[i].unit, &u));
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u.state) ABOUT(&u);
		EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
			  counter_state(fd, kept[i].unit, kept[i].counter));
		EXPECT_EQ(0, unit_describe(fd, kept[i].unit, &u));
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u.state) ABOUT(&u);
	}
	close(fd);
	mmio_unload_units(&self->fd, &self->units);
	EXPECT_EQ(0, sim_open(&self->sim));
	EXPECT_EQ(0, set_length(&self->user[0], self->bar, self->address[0],
				0));
}

#define TABLES		4U		/* of each of two functions */
#define TABLE_UNITS	1023U
#define MOST_UNITS	7680U
#define DVSEC(n)	((n) ? 0x200 + 16 * (n) : 0x100)

/* A base register other than that of the table. */
static uint32_t nth_bar(FIXTURE_DATA(bounds) *self, uint32_t n)
{
	return n ? (self->bar + n) % 6 : self->bar;
}

/* One after the other, each entry with an id of its own. */
static int fill_tables(FIXTURE_DATA(bounds) *self, int die)
{
	const struct uncore_pmu_unit *u = &self->user[die];
	uint32_t n, at, next;
	uint64_t table;
	int err = sim_discovery(self->sim, self->table[die], "65535-units");

	for (n = 0; n < TABLES && !err; n++) {
		table = self->address[die] + n * (TABLE_UNITS + 1) * ENTRY;
		at = DVSEC(n);
		next = n + 1 < TABLES ? DVSEC(n + 1) : 0;
		err = sim_poke(self->sim, table, 3 << 8 | TABLE_UNITS << 16) ?:
		      sim_poke(self->sim, table + 4, 0) ?:
		      sim_poke(self->sim, table + 8, 0x2ff0) ?:
		      sim_poke(self->sim, table + 12, 0) ?:
		      config_store(u, 0x10 + 4 * nth_bar(self, n), table) ?:
		      config_store(u, at, 0x00010023 | next << 20) ?:
		      config_store(u, at + 4, 0x01018086) ?:
		      config_store(u, at + 8, 1) ?:
		      config_store(u, at + 12, nth_bar(self, n));
	}
	return err;
}

/* The last that there is room for is like any other, and there is no next. */
TEST_F(bounds, too_many_units)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct uncore_pmu_unit u;
	int klog = klog_open();
	uint32_t *generations;
	uint32_t length, n;
	char log[65536];
	int die;

	if (!self->granite_rapids)
		return;
	ASSERT_LE(0, klog);
	mmio_unload_units(&self->fd, &self->units);
	for (die = 0; die < 2; die++)
		ASSERT_EQ(0, fill_tables(self, die));
	klog_read(klog, log, sizeof(log));
	ASSERT_EQ(0, mmio_module_load(""));
	EXPECT_EQ(0, klog_read(klog, log, sizeof(log)));
	EXPECT_NE(NULL, strstr(log, "more than 7680 units, the rest is left out"))
		TH_LOG("%s", log);
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &info));
	EXPECT_EQ(MOST_UNITS, info.num_units);
	EXPECT_EQ(MOST_UNITS * UNCORE_PMU_MAX_COUNTERS * 4,
		  info.generation_length);
	EXPECT_EQ(0, unit_describe(self->fd, MOST_UNITS - 1, &u));
	EXPECT_EQ(-ENXIO, unit_describe(self->fd, MOST_UNITS, &u));
	generations = generations_map(self->fd, &length);
	ASSERT_NE(NULL, generations);
	EXPECT_EQ(0U, generation_of(generations, MOST_UNITS - 1,
				    UNCORE_PMU_MAX_COUNTERS - 1) & 1);
	munmap(generations, length);
	for (die = 0; die < 2; die++)
		for (n = 1; n < TABLES; n++)
			EXPECT_EQ(0, config_store(&self->user[die], 0x10 + 4 *
						  nth_bar(self, n), 0));
	close(klog);
}

/* Once, for it makes a PMU of every unit. */
TEST_LAST(perf_driver_comes_back)
{
	EXPECT_EQ(0, perf_driver_load());
}

TEST_HARNESS_MAIN
