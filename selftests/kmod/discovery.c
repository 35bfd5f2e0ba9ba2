// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=sapphire-rapids,granite-rapids user=root kernels=6.12 timeout=900 module=no */
/*
 * Units that discovery tables describe, and tables that lie: what is wrong is
 * not used and says why, and all the rest works.
 */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "harness.h"
#include "mmio_units.h"

#define TABLE_DEVICE	0x09a7

FIXTURE(discovery)
{
	struct sim *sim;
	struct units healthy;
	struct units units;
	struct sim_addr table;
	struct uncore_pmu_info info;
	int fd;
	int klog;
	char log[65536];
};

/* A unit of the first die whose function tells where the table is. */
static const struct uncore_pmu_unit *table_user(FIXTURE_DATA(discovery) *self)
{
	unsigned int i;

	for (i = 0; i < self->healthy.count; i++)
		if (self->healthy.unit[i].pci_device == TABLE_DEVICE &&
		    self->healthy.unit[i].die == 0)
			return &self->healthy.unit[i];
	return NULL;
}

FIXTURE_SETUP(discovery)
{
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	self->fd = mmio_load_units("", &self->healthy);
	ASSERT_LE(0, self->fd);
	ASSERT_LT(0U, self->healthy.count);
	self->info.size = sizeof(self->info);
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &self->info));
	ASSERT_NE(NULL, table_user(self));
	self->table = unit_addr(table_user(self));
	self->klog = klog_open();
	ASSERT_LE(0, self->klog);
}

static int load(FIXTURE_DATA(discovery) *self)
{
	mmio_unload_units(&self->fd, &self->units);
	klog_read(self->klog, self->log, sizeof(self->log));
	self->fd = mmio_load_units("", &self->units);
	return klog_read(self->klog, self->log, sizeof(self->log));
}

FIXTURE_TEARDOWN(discovery)
{
	unsigned int i;

	EXPECT_EQ(0, sim_power(self->sim, self->table, SIM_POWER_ON));
	EXPECT_EQ(0, sim_base(self->sim, self->table, SIM_BASE_OK));
	EXPECT_EQ(0, sim_discovery(self->sim, self->table, "ok"));
	ASSERT_EQ(0, load(self));
	EXPECT_EQ(self->healthy.count, self->units.count);
	for (i = 0; i < self->units.count; i++)
		EXPECT_EQ(0, memcmp(&self->units.unit[i],
				    &self->healthy.unit[i],
				    sizeof(self->units.unit[i])))
			ABOUT(&self->units.unit[i]);
	mmio_unload_units(&self->fd, &self->units);
	units_free(&self->healthy);
	close(self->klog);
	EXPECT_EQ(0, sim_clock(self->sim, true));
	sim_close(self->sim);
}

static int expected_errno(const struct uncore_pmu_unit *u)
{
	switch (u->state) {
	case UNCORE_PMU_STATE_ABSENT:
		return ENOENT;
	case UNCORE_PMU_STATE_INVALID:
		return EIO;
	case UNCORE_PMU_STATE_WINDOW:
		return EADDRNOTAVAIL;
	default:
		return 0;
	}
}

/* What a unit says of itself is what mmap does. */
static void check_map(struct __test_metadata *_metadata,
		      FIXTURE_DATA(discovery) *self,
		      const struct uncore_pmu_unit *u)
{
	int error = expected_errno(u);
	void *page;

	if (error) {
		EXPECT_NE(0U, u->reason) ABOUT(u);
		EXPECT_EQ(0ULL, u->mmap_length) ABOUT(u);
		EXPECT_ERRNO(error, mmap(NULL, PAGE, PROT_READ, MAP_SHARED,
					 self->fd, u->mmap_offset));
		return;
	}
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_OK, u->state) ABOUT(u);
	EXPECT_EQ(0U, u->reason) ABOUT(u);
	page = unit_map(self->fd, u);
	ASSERT_NE(MAP_FAILED, page) ABOUT(u);
	page_load(page, u->counter[0].offset & ~3U);
	munmap(page, u->mmap_length);
}

static void check_all(struct __test_metadata *_metadata,
		      FIXTURE_DATA(discovery) *self)
{
	const struct uncore_pmu_unit *first =
		units_first(&self->units, UNCORE_PMU_STATE_OK);
	void *held = MAP_FAILED;
	unsigned int i;

	/* Meanwhile no CPU is told with each page that RDPMC comes or goes. */
	if (first)
		held = unit_map(self->fd, first);
	for (i = 0; i < self->units.count; i++)
		check_map(_metadata, self, &self->units.unit[i]);
	if (held != MAP_FAILED)
		munmap(held, first->mmap_length);
}

static const struct uncore_pmu_unit *
same_unit(const struct units *units, const struct uncore_pmu_unit *like)
{
	return units_find(units, like->type, like->instance, like->die);
}

/* As in the healthy machine, but for its index. */
static bool is_healthy(FIXTURE_DATA(discovery) *self,
		       const struct uncore_pmu_unit *u)
{
	const struct uncore_pmu_unit *h = same_unit(&self->healthy, u);
	struct uncore_pmu_unit copy;

	if (!h)
		return false;
	copy = *h;
	copy.index = u->index;
	copy.mmap_offset = u->mmap_offset;
	return !memcmp(&copy, u, sizeof(copy));
}

TEST_F(discovery, units)
{
	unsigned int i, config = 0, memory = 0, window = 0;

	ASSERT_EQ(0, load(self));
	check_all(_metadata, self);
	EXPECT_EQ(1, klog_module_lines(self->log)) TH_LOG("%s", self->log);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		EXPECT_NE((uint32_t)UNCORE_PMU_STATE_INVALID, u->state)
			ABOUT(u);
		EXPECT_LE(0, u->die) ABOUT(u);
		/* Where it would match packets the umask has no more bits. */
		if (u->access == UNCORE_PMU_ACCESS_CONFIG) {
			config++;
			EXPECT_EQ(unit_is(u, "upi") ? 0U : 0xffffffU,
				  u->config_mask >> 32) ABOUT(u);
		}
		memory += unit_is_mmio(u);
		if (u->access != UNCORE_PMU_ACCESS_WINDOW)
			continue;
		window++;
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_WINDOW, u->state)
			ABOUT(u);
		EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_MSR, u->reason) ABOUT(u);
		EXPECT_EQ(UNCORE_PMU_NO_REGISTER, u->counter[0].offset)
			ABOUT(u);
		EXPECT_EQ(UNCORE_PMU_NO_REGISTER, u->counter[0].control)
			ABOUT(u);
		EXPECT_EQ(UNCORE_PMU_NO_REGISTER, u->unit_control) ABOUT(u);
	}
	TH_LOG("%s: %u in configuration space, %u in memory, %u by window only",
	       self->info.platform, config, memory, window);
	EXPECT_LT(0U, config);
	EXPECT_LT(0U, memory);
	EXPECT_LT(0U, window);
}

/* Each link has a function of its own. */
TEST_F(discovery, links)
{
	unsigned int i, n = 0;

	if (strcmp(self->info.platform, "sapphire-rapids"))
		return;
	for (i = 0; i < self->healthy.count; i++) {
		const struct uncore_pmu_unit *u = &self->healthy.unit[i];
		bool upi = unit_is(u, "upi");

		if (!upi && !unit_is(u, "m3upi"))
			continue;
		n++;
		EXPECT_EQ(u->instance + (upi ? 1 : 5), u->device) ABOUT(u);
		EXPECT_EQ(1, u->function) ABOUT(u);
		EXPECT_EQ(upi ? 0x3241 : 0x3246, u->pci_device) ABOUT(u);
		EXPECT_EQ(upi ? 0x318U : 0xa0U, u->unit_control) ABOUT(u);
		EXPECT_EQ(upi ? 0x320U : 0xa8U, u->counter[0].offset) ABOUT(u);
		EXPECT_EQ(upi ? 0x350U : 0xd8U, u->counter[0].control)
			ABOUT(u);
		EXPECT_EQ(4U, u->num_counters) ABOUT(u);
	}
	EXPECT_LT(0U, n);
}

/* Units in configuration space show what the hardware has. */
TEST_F(discovery, values)
{
	uint64_t want, pattern = 0x1a3cf0e1d2b4ULL;
	unsigned int i, n, seen = 0;

	for (i = 0; i < self->healthy.count; i++) {
		const struct uncore_pmu_unit *u = &self->healthy.unit[i];
		const void *page;

		if (u->access != UNCORE_PMU_ACCESS_CONFIG ||
		    u->state != UNCORE_PMU_STATE_OK)
			continue;
		page = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		for (n = 0; n < u->num_counters; n++, seen++) {
			want = pattern++ & counter_mask(&u->counter[n]);
			ASSERT_EQ(0, sim_set(self->sim, unit_addr(u), n, want))
				ABOUT(u);
			EXPECT_EQ(want, mmio_load(page, u, n)) {
				TH_LOG("%s/%s", unit_name(u),
				       u->counter[n].name);
			}
		}
		pattern += 0x100000001000ULL;
	}
	EXPECT_LT(0U, seen);
}

/* Everything that the simulator knows to break. Other dies do not suffer. */
TEST_F(discovery, variants)
{
	const char *broken;
	unsigned int i, v;
	bool described, healthy;

	for (v = 0; (broken = sim_discovery_name(v)); v++) {
		described = false;
		ASSERT_EQ(0, sim_discovery(self->sim, self->table, broken));
		ASSERT_EQ(0, load(self)) TH_LOG("%s", broken);
		ASSERT_LE(0, self->fd) TH_LOG("%s", broken);
		check_all(_metadata, self);
		TH_LOG("%s: %u ok, %u invalid, %u window only", broken,
		       mmio_count(&self->units, NULL, UNCORE_PMU_STATE_OK),
		       mmio_count(&self->units, NULL,
				  UNCORE_PMU_STATE_INVALID),
		       mmio_count(&self->units, NULL,
				  UNCORE_PMU_STATE_WINDOW));
		for (i = 0; i < self->units.count; i++) {
			const struct uncore_pmu_unit *u = &self->units.unit[i];

			described |= !u->die && u->pci_device == TABLE_DEVICE;
			if (u->die > 0)
				EXPECT_TRUE(is_healthy(self, u)) {
					TH_LOG("%s: %s", broken, unit_name(u));
				}
		}
		/* One about all units, and one if something is wrong. */
		healthy = described && !mmio_count(&self->units, NULL,
						   UNCORE_PMU_STATE_INVALID);
		EXPECT_EQ(healthy ? 1 : 2, klog_module_lines(self->log)) {
			TH_LOG("%s: %s", broken, self->log);
		}
		EXPECT_EQ(NULL, strstr(self->log, ": good")) {
			TH_LOG("%s: %s", broken, self->log);
		}
	}
	EXPECT_LT(1U, v);
}

/* The one unit that is not as it was; NULL if it is not one. */
static const struct uncore_pmu_unit *
changed_unit(FIXTURE_DATA(discovery) *self)
{
	const struct uncore_pmu_unit *changed = NULL;
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		if (is_healthy(self, &self->units.unit[i]))
			continue;
		if (changed)
			return NULL;
		changed = &self->units.unit[i];
	}
	return changed;
}

/* The entry of the first unit in memory: "high" breaks all of them. */
static int find_entry(FIXTURE_DATA(discovery) *self)
{
	const char *at;
	int entry;

	if (sim_discovery(self->sim, self->table, "high") || load(self) ||
	    sim_discovery(self->sim, self->table, "ok"))
		return -EIO;
	at = strstr(self->log, "the first is entry ");
	if (!at || sscanf(at, "the first is entry %d", &entry) != 1)
		return -ENOENT;
	return entry;
}

/* One unit is not as it was, and says why; of a row of what is tried. */
static void expect_invalid(struct __test_metadata *_metadata,
			   FIXTURE_DATA(discovery) *self, unsigned int row,
			   uint32_t reason)
{
	const struct uncore_pmu_unit *u;

	ASSERT_EQ(0, load(self));
	check_all(_metadata, self);
	u = changed_unit(self);
	ASSERT_NE(NULL, u) TH_LOG("row %u: %s", row, self->log);
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state) {
		TH_LOG("row %u, %s", row, unit_name(u));
	}
	EXPECT_EQ(reason, u->reason) TH_LOG("row %u, %s", row, unit_name(u));
}

static const struct {
	enum sim_field field;
	uint64_t value;
	uint32_t reason;
} fields[] = {
	{ SIM_UNIT_WIDTH, 0, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_WIDTH, 65, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_COUNTERS, 0, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_COUNTERS, 255, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_ACCESS, 3, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_CONTROL_OFFSET, 0, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_COUNTER_OFFSET, 0, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_ADDRESS, 0, UNCORE_PMU_REASON_TABLE },
	{ SIM_UNIT_ADDRESS, 0x100002, UNCORE_PMU_REASON_UNALIGNED },
	{ SIM_UNIT_ADDRESS, 0x100000, UNCORE_PMU_REASON_RAM },
	{ SIM_UNIT_ADDRESS, 0xfec00000, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 0xfed00000, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 0xfed40000, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 0xfed90000, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 0xfee00000, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 0xfffff000, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 0xf0000, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 0x800, UNCORE_PMU_REASON_OVERLAP },
	{ SIM_UNIT_ADDRESS, 1ULL << 52, UNCORE_PMU_REASON_ADDRESS },
	{ SIM_UNIT_ADDRESS, 1ULL << 63, UNCORE_PMU_REASON_ADDRESS },
};

TEST_F(discovery, fields)
{
	int entry = find_entry(self);
	unsigned int i;

	ASSERT_LE(0, entry);
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		ASSERT_EQ(0, sim_table(self->sim, self->table, entry,
				       fields[i].field, fields[i].value));
		expect_invalid(_metadata, self, i, fields[i].reason);
		ASSERT_EQ(0, sim_discovery(self->sim, self->table, "ok"));
	}
}

/* Puts a unit into configuration space; 0 or -errno. */
static int move_unit(FIXTURE_DATA(discovery) *self, int entry, uint64_t to)
{
	return sim_table(self->sim, self->table, entry, SIM_UNIT_ACCESS, 2) ?:
	       sim_table(self->sim, self->table, entry, SIM_UNIT_ADDRESS, to);
}

/* A unit in the configuration space of a function that is not there. */
TEST_F(discovery, no_such_function)
{
	const struct uncore_pmu_unit *u;
	int entry = find_entry(self);

	ASSERT_LE(0, entry);
	ASSERT_EQ(0, move_unit(self, entry, 0x7ULL << 28 | 0xffff400));
	ASSERT_EQ(0, load(self));
	check_all(_metadata, self);
	u = changed_unit(self);
	ASSERT_NE(NULL, u);
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_ABSENT, u->state);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_NOT_FOUND, u->reason);
}

/* The table itself: one unit says what is wrong with it, the rest is there. */
static void expect_no_table(struct __test_metadata *_metadata,
			    FIXTURE_DATA(discovery) *self, uint32_t reason)
{
	const struct uncore_pmu_unit *u = NULL;
	unsigned int i, bad = 0;

	ASSERT_EQ(0, load(self));
	ASSERT_LE(0, self->fd);
	check_all(_metadata, self);
	for (i = 0; i < self->units.count; i++) {
		if (is_healthy(self, &self->units.unit[i]))
			continue;
		u = &self->units.unit[i];
		bad++;
	}
	EXPECT_EQ(1U, bad);
	ASSERT_NE(NULL, u);
	EXPECT_TRUE(unit_is(u, "discovery")) ABOUT(u);
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state);
	EXPECT_EQ(reason, u->reason);
	EXPECT_EQ(0U, u->num_counters);
	EXPECT_EQ(TABLE_DEVICE, u->pci_device);
}

static uint32_t function_address(const struct uncore_pmu_unit *u)
{
	return u->segment << 28 | u->bus << 20 | u->device << 15 |
	       u->function << 12;
}

/* Each capability after the first leads to the same table. */
TEST_F(discovery, repeated)
{
	const struct uncore_pmu_unit *u = table_user(self);
	uint32_t i, at, bar, n = 41;

	ASSERT_EQ(0, config_load(u, 0x10c, &bar));
	for (i = 0; i < n; i++) {
		at = 0x200 + 16 * i;
		ASSERT_EQ(0, config_store(u, at, 0x00010023 |
					  (i + 1 < n ? at + 16 : 0) << 20));
		ASSERT_EQ(0, config_store(u, at + 4, 0x01018086));
		ASSERT_EQ(0, config_store(u, at + 8, 1));
		ASSERT_EQ(0, config_store(u, at + 12, bar));
	}
	ASSERT_EQ(0, config_store(u, 0x100, 0x20010023));
	ASSERT_EQ(0, load(self));
	EXPECT_EQ(self->healthy.count, self->units.count);
	for (i = 0; i < self->units.count; i++)
		EXPECT_TRUE(is_healthy(self, &self->units.unit[i]))
			ABOUT(&self->units.unit[i]);
	EXPECT_EQ(2, klog_module_lines(self->log)) TH_LOG("%s", self->log);
	EXPECT_NE(NULL, strstr(self->log, "41 discovery tables left out")) {
		TH_LOG("%s", self->log);
	}
}

/* Registers in the header or capabilities, or of what is no unit. */
TEST_F(discovery, functions)
{
	static const struct {
		uint32_t offset;
		uint32_t reason;
	} rows[] = {
		{ 0x3c, UNCORE_PMU_REASON_TABLE },
		{ 0x40, UNCORE_PMU_REASON_TABLE },
		{ 0xfc, UNCORE_PMU_REASON_TABLE },
		{ 0x400, UNCORE_PMU_REASON_FUNCTION },
	};
	uint32_t function = function_address(table_user(self));
	int entry = find_entry(self);
	unsigned int i;

	ASSERT_LE(0, entry);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		ASSERT_EQ(0, move_unit(self, entry,
				       function | rows[i].offset));
		expect_invalid(_metadata, self, i, rows[i].reason);
	}
}

/* A unit on the registers of a link, which is found without the table. */
TEST_F(discovery, link_too)
{
	const struct uncore_pmu_unit *link =
		units_find(&self->healthy, "upi", 0, 0);
	int entry = find_entry(self);
	unsigned int i, bad = 0;

	if (strcmp(self->info.platform, "sapphire-rapids"))
		return;
	ASSERT_NE(NULL, link);
	ASSERT_LE(0, entry);
	ASSERT_EQ(0, move_unit(self, entry, function_address(link) | 0x318));
	ASSERT_EQ(0, load(self));
	check_all(_metadata, self);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (is_healthy(self, u))
			continue;
		bad++;
		EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_INVALID, u->state)
			ABOUT(u);
		EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_OVERLAP, u->reason)
			ABOUT(u);
	}
	EXPECT_EQ(2U, bad);
}

#define TABLE_TEST(name, call, wanted) \
	TEST_F(discovery, name) \
	{ \
		ASSERT_EQ(0, call); \
		expect_no_table(_metadata, self, wanted); \
	}

TABLE_TEST(table_base_zero, sim_base(self->sim, self->table, SIM_BASE_ZERO),
	   UNCORE_PMU_REASON_BASE_ZERO)
TABLE_TEST(table_base_ones, sim_base(self->sim, self->table, SIM_BASE_ONES),
	   UNCORE_PMU_REASON_BASE_ONES)
TABLE_TEST(table_unaligned,
	   sim_base(self->sim, self->table, SIM_BASE_UNALIGNED),
	   UNCORE_PMU_REASON_UNALIGNED)
TABLE_TEST(table_too_high, sim_base(self->sim, self->table, SIM_BASE_HIGH),
	   UNCORE_PMU_REASON_ADDRESS)
TABLE_TEST(table_in_ram, sim_base(self->sim, self->table, SIM_BASE_RAM),
	   UNCORE_PMU_REASON_RAM)
TABLE_TEST(table_elsewhere, sim_base(self->sim, self->table, SIM_BASE_CONFIG),
	   UNCORE_PMU_REASON_OVERLAP)
TABLE_TEST(table_no_decode,
	   sim_power(self->sim, self->table, SIM_POWER_NO_DECODE),
	   UNCORE_PMU_REASON_DECODE)
TABLE_TEST(table_d3, sim_power(self->sim, self->table, SIM_POWER_D3),
	   UNCORE_PMU_REASON_D3)
TABLE_TEST(zero_stride, sim_table(self->sim, self->table, 0,
				  SIM_GLOBAL_STRIDE, 0),
	   UNCORE_PMU_REASON_TABLE)
TABLE_TEST(no_units, sim_table(self->sim, self->table, 0,
			       SIM_GLOBAL_UNITS, 0),
	   UNCORE_PMU_REASON_TABLE)

TEST_HARNESS_MAIN
