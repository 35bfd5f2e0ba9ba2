// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=full-sandybridge-ep,full-ivybridge-ep,full-haswell-ep,full-broadwell-ep,knl,full-skylake-sp,snowridge,full-icelake-sp,icelake-sp,sapphire-rapids,sapphire-rapids-4s,ivybridge,skylake,tigerlake,alderlake user=root kernels=all timeout=600 */
/*
 * The kernel's own uncore driver is the referee: the same counters, read
 * through perf and through the mappings, agree exactly while the clock stands.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "claims.h"
#include "harness.h"
#include "mmio_units.h"
#include "perf.h"

#define MAX_SEATS	4096
#define MAX_INSTANCES	32
#define MAX_DIES	16

/*
 * Types whose counters mainline reads in configuration space or in memory, from
 * the *_pci_uncores[] and *_mmio_uncores[] tables of uncore_snbep.c and
 * uncore_snb.c in arch/x86/events/intel. A PMU of such a type must have its unit
 * here, and the other way round.
 */
static const struct {
	const char *platform;
	const char *types[12];
} platforms[] = {
	{ "sandybridge-ep", { "ha", "imc", "qpi", "r2pcie", "r3qpi" } },
	{ "ivybridge-ep", { "ha", "imc", "irp", "qpi", "r2pcie", "r3qpi" } },
	{ "haswell-ep", { "ha", "imc", "irp", "qpi", "r2pcie", "r3qpi" } },
	{ "broadwell-ep", { "ha", "imc", "irp", "qpi", "r2pcie", "r3qpi" } },
	{ "knl", { "imc_uclk", "imc", "edc_uclk", "edc_eclk", "m2pcie",
		   "irp" } },
	{ "skylake-sp", { "imc", "upi", "m2m", "m2pcie", "m3upi" } },
	{ "snowridge", { "m2m", "pcie3", "imc", "imc_free_running" } },
	{ "icelake-sp", { "m2m", "upi", "m3upi", "imc", "imc_free_running" } },
	{ "sapphire-rapids", { "imc", "imc_free_running", "m2m", "upi", "m3upi",
			       "cxlcm", "cxldp", "hbm" } },
	{ "granite-rapids", { "imc", "upi", "b2cmi", "b2upi", "b2cxl", "cxlcm",
			      "cxldp", "pciex16", "pciex8", "type_40" } },
	{ "ivybridge", { "imc" } },
	{ "skylake", { "imc" } },
	{ "tigerlake", { "imc_free_running" } },
	{ "alderlake", { "imc", "imc_free_running" } },
};

/* What perf calls free-running counters, from the tables of their events. */
static const struct {
	const char *name;
	uint32_t config;
} free_running[] = {
	{ "data_reads", 0x01 }, { "data_writes", 0x02 },
	{ "gt_requests", 0x03 }, { "ia_requests", 0x04 },
	{ "io_requests", 0x05 },
	{ "data_total", 0x10ff }, { "data_read", 0x20ff },
	{ "data_write", 0x30ff },
	{ "dclk", 0x10ff }, { "read", 0x20ff }, { "write", 0x21ff },
	{ "ddrt_read", 0x30ff }, { "ddrt_write", 0x31ff },
	{ "rpq_cycles", 0x20ff }, { "wpq_cycles", 0x21ff },
};

static uint32_t free_running_event(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(free_running); i++)
		if (!strcmp(free_running[i].name, name))
			return free_running[i].config;
	return 0;
}

/* An event that the unit's PMU takes. */
static uint32_t any_event(const struct uncore_pmu_unit *u)
{
	if (u && u->counter[0].kind == UNCORE_PMU_KIND_FREE_RUNNING)
		return free_running_event(u->counter[0].name);
	return plain_event(0);
}

/* One perf event and the counter that it sits on. */
struct seat {
	int fd;
	unsigned int unit;
	unsigned int counter;
	uint64_t perf;
	uint64_t mapped;
};

FIXTURE(referee)
{
	int fd;
	struct sim *sim;
	struct units units;
	char **page;
	const char *const *types;
	unsigned int seats;
	struct seat *seat;
	char platform[32];
};

FIXTURE_SETUP(referee)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	struct rlimit files = { MAX_SEATS + 64, MAX_SEATS + 64 };
	unsigned int i;

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &files));
	ASSERT_TRUE(module_loaded("intel_uncore"));
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	if (mmio_count(&self->units, NULL, UNCORE_PMU_STATE_LOCKED)) {
		units_free(&self->units);
		close(self->fd);
		ASSERT_EQ(0, module_unload());
		self->fd = mmio_load_units("mchbar=1", &self->units);
		ASSERT_LE(0, self->fd);
	}
	ASSERT_EQ(0, ioctl(self->fd, UNCORE_PMU_INFO, &info));
	memcpy(self->platform, info.platform, sizeof(self->platform));
	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].platform, self->platform))
			self->types = platforms[i].types;
	ASSERT_NE(NULL, self->types) TH_LOG("platform %s", self->platform);
	ASSERT_LT(0U, self->units.count);
	self->page = calloc(self->units.count, sizeof(*self->page));
	self->seat = calloc(MAX_SEATS, sizeof(*self->seat));
	ASSERT_NE(NULL, self->page);
	ASSERT_NE(NULL, self->seat);
}

FIXTURE_TEARDOWN(referee)
{
	unsigned int i;

	for (i = 0; i < self->seats; i++)
		close(self->seat[i].fd);
	for (i = 0; i < self->units.count; i++)
		if (self->page[i])
			munmap(self->page[i], self->units.unit[i].mmap_length);
	units_free(&self->units);
	free(self->page);
	free(self->seat);
	close(self->fd);
	EXPECT_EQ(0, sim_clock(self->sim, true));
	sim_close(self->sim);
}

/* Does perf have a box of this PMU on this die? Opening an event tells. */
static bool perf_has(const char *type, unsigned int instance, int die,
		     uint32_t event)
{
	int pmu = perf_pmu_type(type, instance);
	int cpu = perf_pmu_cpu(type, instance, die);
	int fd;

	if (pmu < 0 || cpu < 0)
		return false;
	fd = perf_open(pmu, cpu, event);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static const struct uncore_pmu_unit *unit_of_type(const struct units *units,
						  const char *type)
{
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (unit_is(&units->unit[i], type))
			return &units->unit[i];
	return NULL;
}

TEST_F(referee, same_units)
{
	unsigned int both = 0;
	const char *const *type;
	unsigned int i;
	int die;

	for (type = self->types; *type; type++) {
		const struct uncore_pmu_unit *of_type =
			unit_of_type(&self->units, *type);

		if (perf_is_nameless(*type))
			continue;
		for (i = 0; i < MAX_INSTANCES; i++)
			for (die = 0; die < MAX_DIES; die++) {
				const struct uncore_pmu_unit *u =
					units_find(&self->units, *type, i, die);
				bool ours = u && u->state ==
						 UNCORE_PMU_STATE_OK;
				bool perfs = perf_has(*type, i, die,
						      any_event(of_type));

				both += ours && perfs;
				EXPECT_EQ(perfs, ours) {
					TH_LOG("%s%u@%d: perf %d, mapped %d",
					       *type, i, die, perfs, ours);
				}
			}
	}
	EXPECT_LT(0U, both);
	TH_LOG("%s: %u units of both", self->platform, both);
}

TEST_F(referee, no_other_types)
{
	const char *const *type;
	unsigned int i;

	for (i = 0; i < self->units.count; i++) {
		if (self->units.unit[i].state == UNCORE_PMU_STATE_WINDOW)
			continue;
		for (type = self->types; *type; type++)
			if (unit_is(&self->units.unit[i], *type))
				break;
		EXPECT_NE(NULL, *type) ABOUT(&self->units.unit[i]);
	}
}

static int take_seat(FIXTURE_DATA(referee) *self, unsigned int unit,
		     uint64_t config)
{
	const struct uncore_pmu_unit *u = &self->units.unit[unit];
	struct seat *seat = &self->seat[self->seats];
	int fd;

	if (self->seats >= MAX_SEATS)
		return -E2BIG;
	fd = perf_open(perf_pmu_type(u->type, u->instance),
		       perf_pmu_cpu(u->type, u->instance, u->die), config);
	if (fd < 0)
		return fd;
	seat->fd = fd;
	seat->unit = unit;
	seat->counter = UNCORE_PMU_MAX_COUNTERS;
	self->seats++;
	return 0;
}

static uint64_t event_for(FIXTURE_DATA(referee) *self,
			  const struct uncore_pmu_counter *c)
{
	switch (c->kind) {
	case UNCORE_PMU_KIND_FIXED:
		return PERF_FIXED_EVENT;
	case UNCORE_PMU_KIND_FREE_RUNNING:
		return free_running_event(c->name);
	default:
		return plain_event(self->seats);
	}
}

/* Which counter each has got is in the control registers. */
static int find_seats(FIXTURE_DATA(referee) *self, unsigned int unit,
		      unsigned int first)
{
	const struct uncore_pmu_unit *u = &self->units.unit[unit];
	const struct uncore_pmu_counter *c;
	unsigned int n, seat;
	uint32_t control;

	for (n = 0; n < u->num_counters; n++) {
		c = &u->counter[n];
		if (c->kind == UNCORE_PMU_KIND_FREE_RUNNING) {
			self->seat[first + n].counter = n;
			continue;
		}
		control = page_load(self->page[unit], c->control);
		if (!(control & (c->enable ? c->enable : 0xffff)))
			return -ENOTCONN;
		for (seat = first; seat < self->seats; seat++)
			if (c->kind == UNCORE_PMU_KIND_FIXED ?
				    seat == self->seats - 1 :
				    plain_event(seat) == (control & 0xffff))
				self->seat[seat].counter = n;
	}
	return 0;
}

/* As many events as the unit has counters: perf must use every one of them. */
static int fill_unit(FIXTURE_DATA(referee) *self, unsigned int unit)
{
	const struct uncore_pmu_unit *u = &self->units.unit[unit];
	unsigned int first = self->seats;
	unsigned int n, seat;
	int err;

	self->page[unit] = unit_map(self->fd, u);
	if (self->page[unit] == MAP_FAILED) {
		self->page[unit] = NULL;
		return -errno;
	}
	for (n = 0; n < u->num_counters; n++) {
		err = take_seat(self, unit, event_for(self, &u->counter[n]));
		if (err)
			return err;
	}
	err = find_seats(self, unit, first);
	if (err)
		return err;
	for (seat = first; seat < self->seats; seat++)
		if (self->seat[seat].counter == UNCORE_PMU_MAX_COUNTERS)
			return -ENOTUNIQ;
	return 0;
}

static const struct uncore_pmu_counter *
seat_counter(FIXTURE_DATA(referee) *self, const struct seat *seat)
{
	return &self->units.unit[seat->unit].counter[seat->counter];
}

static uint64_t seat_mapped(FIXTURE_DATA(referee) *self,
			    const struct seat *seat)
{
	return mmio_load(self->page[seat->unit], &self->units.unit[seat->unit],
			 seat->counter);
}

static bool can_compare(const struct uncore_pmu_unit *u)
{
	return u->state == UNCORE_PMU_STATE_OK && !perf_is_misplaced(u) &&
	       !perf_is_nameless(u->type);
}

static void fill_all(struct __test_metadata *_metadata,
		     FIXTURE_DATA(referee) *self)
{
	unsigned int i;

	for (i = 0; i < self->units.count; i++)
		if (can_compare(&self->units.unit[i])) {
			ASSERT_EQ(0, fill_unit(self, i))
				ABOUT(&self->units.unit[i]);
		}
	ASSERT_EQ(0, sim_sync(self->sim));
}

/* Both readings of all counters; the clock stands. */
static void read_both(struct __test_metadata *_metadata,
		      FIXTURE_DATA(referee) *self)
{
	unsigned int i;

	for (i = 0; i < self->seats; i++) {
		struct seat *seat = &self->seat[i];

		ASSERT_EQ(0, perf_read(seat->fd, &seat->perf))
			ABOUT(&self->units.unit[seat->unit]);
		seat->mapped = seat_mapped(self, seat);
	}
}

static bool all_moved(FIXTURE_DATA(referee) *self)
{
	int end = now_ms() + PATIENCE_MS;
	unsigned int i;
	bool all;

	do {
		all = true;
		for (i = 0; i < self->seats; i++)
			if (seat_mapped(self, &self->seat[i]) ==
			    self->seat[i].mapped)
				all = false;
	} while (!all && now_ms() < end);
	return all;
}

static void compare(struct __test_metadata *_metadata,
		    FIXTURE_DATA(referee) *self)
{
	unsigned int i;

	for (i = 0; i < self->seats; i++) {
		const struct seat *seat = &self->seat[i];
		const struct uncore_pmu_counter *c = seat_counter(self, seat);
		uint64_t mapped = seat_mapped(self, seat);
		uint64_t perf;

		ASSERT_EQ(0, perf_read(seat->fd, &perf))
			ABOUT(&self->units.unit[seat->unit]);
		EXPECT_NE(seat->perf, perf)
			ABOUT(&self->units.unit[seat->unit]);
		EXPECT_EQ(perf - seat->perf,
			  (mapped - seat->mapped) & counter_mask(c)) {
			TH_LOG("%s/%s",
			       unit_name(&self->units.unit[seat->unit]),
			       c->name);
		}
	}
}

TEST_F(referee, same_values)
{
	int round;

	fill_all(_metadata, self);
	TH_LOG("%u counters", self->seats);
	for (round = 0; round < 3; round++) {
		read_both(_metadata, self);
		ASSERT_EQ(0, sim_clock(self->sim, true));
		EXPECT_TRUE(all_moved(self));
		ASSERT_EQ(0, sim_clock(self->sim, false));
		compare(_metadata, self);
	}
}

/* Both see the same number of bits: the values go through their end. */
TEST_F(referee, same_wrap)
{
	struct sim_addr addr;
	unsigned int i;

	fill_all(_metadata, self);
	for (i = 0; i < self->seats; i++) {
		const struct seat *seat = &self->seat[i];
		const struct uncore_pmu_unit *u = &self->units.unit[seat->unit];

		ASSERT_EQ(0, mmio_find(self->sim, u, &addr)) ABOUT(u);
		ASSERT_EQ(0, sim_set(self->sim, addr, seat->counter,
				     counter_mask(seat_counter(self, seat))))
			ABOUT(u);
	}
	read_both(_metadata, self);
	for (i = 0; i < self->seats; i++) {
		const struct seat *seat = &self->seat[i];
		const struct uncore_pmu_unit *u = &self->units.unit[seat->unit];

		ASSERT_EQ(0, mmio_find(self->sim, u, &addr)) ABOUT(u);
		ASSERT_EQ(0, sim_add(self->sim, addr, seat->counter,
				     1000 + i)) ABOUT(u);
		EXPECT_EQ(999ULL + i, seat_mapped(self, seat)) ABOUT(u);
	}
	compare(_metadata, self);
}

/* Reading through the mapping does not disturb what perf counts. */
TEST_F(referee, perf_goes_on)
{
	uint64_t before, after;
	unsigned int i;

	fill_all(_metadata, self);
	read_both(_metadata, self);
	ASSERT_EQ(0, sim_clock(self->sim, true));
	EXPECT_TRUE(all_moved(self));
	for (i = 0; i < self->units.count; i++)
		if (self->page[i]) {
			EXPECT_EQ(0, munmap(self->page[i],
					    self->units.unit[i].mmap_length));
			self->page[i] = unit_map(self->fd,
						 &self->units.unit[i]);
			ASSERT_NE(MAP_FAILED, self->page[i]);
		}
	ASSERT_EQ(0, sim_clock(self->sim, false));
	compare(_metadata, self);
	for (i = 0; i < self->seats; i++) {
		EXPECT_EQ(0, perf_read(self->seat[i].fd, &before));
		EXPECT_EQ(0, perf_read(self->seat[i].fd, &after));
		EXPECT_EQ(before, after);
	}
}

/* perf since 6.11 would use the registers of the first link for all. */
static bool perf_has_one_link(void)
{
	unsigned int major, minor;
	struct utsname name;

	return uname(&name) ||
	       sscanf(name.release, "%u.%u", &major, &minor) != 2 ||
	       major > 6 || (major == 6 && minor >= 11);
}

TEST_F(referee, links)
{
	bool one = perf_has_one_link();
	unsigned int i, seen = 0;
	int rw;

	if (strcmp(self->platform, "sapphire-rapids"))
		return;
	rw = node_open(O_RDWR);
	ASSERT_LE(0, rw);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i], *first;
		struct uncore_pmu_program program;
		uint32_t before, after;

		if (!unit_is(u, "upi") && !unit_is(u, "m3upi"))
			continue;
		first = units_find(&self->units, u->type, 0, u->die);
		ASSERT_NE(NULL, first) ABOUT(u);
		ASSERT_EQ(0, config_load(first, first->counter[0].control,
					 &before));
		EXPECT_EQ(one && u->instance ? -EOPNOTSUPP : 0,
			  claim(rw, i, 1, &program)) ABOUT(u);
		if (u != first) {
			ASSERT_EQ(0, config_load(first,
						 first->counter[0].control,
						 &after));
			EXPECT_EQ(before, after) ABOUT(u);
		}
		if (!one || u == first)
			EXPECT_EQ(0, claim_release(rw, program.claim))
				ABOUT(u);
		seen++;
	}
	EXPECT_LT(2U, seen);
	close(rw);
}

TEST_HARNESS_MAIN
