// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=full-sandybridge-ep,full-ivybridge-ep,full-haswell-ep,full-broadwell-ep,knl,full-skylake-sp,snowridge,full-icelake-sp user=root kernels=all timeout=300 */
/*
 * Events by name, perf being the referee: what the library makes of a name and
 * a claim programs is what libpfm4 makes of it for perf and perf programs, bit
 * by bit in the control register, and both count the same. That the library
 * parses a name as it lists it is lib_encodings' to show.
 */
#include <fcntl.h>
#include <sched.h>

#include <perfmon/pfmlib_perf_event.h>

#include <uncore.h>

#include "claims.h"
#include "harness.h"
#include "perf.h"

#define MAX_EVENTS	1024
#define AT_LEAST	4

/* All events are for one kernel; the other has so many of each type. */
#define ALL_ON		"6.12"
#define SPREAD		8

/* Types that libpfm4 4.13 has fewer events for; all others have these. */
static const struct {
	const char *platform;
	const char *type;
	unsigned int events;
} fewer[] = {
	{ "knl", "imc_uclk", 1 },
	{ "knl", "edc_eclk", 3 },
	{ "knl", "irp", 0 },
	{ "skylake-sp", "m2pcie", 0 },
	{ "snowridge", "imc", 0 }, { "snowridge", "m2m", 0 },
	{ "snowridge", "pcie3", 0 },
	{ "icelake-sp", "imc", 0 }, { "icelake-sp", "m2m", 0 },
	{ "icelake-sp", "upi", 0 },
	{ "icelake-sp", "m3upi", 0 },
};

struct named {
	char name[UNCORE_EVENT_NAME_LEN];
	uint32_t kind;
	uint64_t config;
};

FIXTURE(events)
{
	struct rig rig;
	struct uncore *uncore;
	struct named *event;
	unsigned int count;
	char platform[32];
	bool all;
};

FIXTURE_SETUP(events)
{
	const char *kernel = getenv("UNCORE_KERNEL");

	ASSERT_NE(NULL, kernel);
	self->all = !strcmp(kernel, ALL_ON);
	ASSERT_TRUE(module_loaded("intel_uncore"));
	ASSERT_EQ(0, rig_open(&self->rig));
	ASSERT_EQ(0, uncore_open(NULL, &self->uncore));
	snprintf(self->platform, sizeof(self->platform), "%s",
		 uncore_info(self->uncore)->platform);
	self->event = calloc(MAX_EVENTS, sizeof(*self->event));
	ASSERT_NE(NULL, self->event);
	/* Also those PMUs that libpfm4 does not find in the kernel. */
	ASSERT_EQ(0, setenv("LIBPFM_ENCODE_INACTIVE", "1", 1));
	ASSERT_EQ(PFM_SUCCESS, pfm_initialize());
}

FIXTURE_TEARDOWN(events)
{
	free(self->event);
	uncore_close(self->uncore);
	rig_close(&self->rig);
}

static int collect(const struct uncore_event *event, const char *description,
		   void *data)
{
	FIXTURE_DATA(events) *self = data;
	struct named *named = &self->event[self->count];

	(void)description;
	if (event->source != UNCORE_EVENT_LIBPFM)
		return 0;
	if (self->count == MAX_EVENTS)
		return -ENOSPC;
	snprintf(named->name, sizeof(named->name), "%s", event->name);
	named->kind = event->kind;
	named->config = event->config;
	self->count++;
	return 0;
}

static unsigned int fewest(const char *platform, const char *type)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fewer); i++)
		if (!strcmp(fewer[i].platform, platform) &&
		    !strcmp(fewer[i].type, type))
			return fewer[i].events;
	return AT_LEAST;
}

/*
 * The config that libpfm4 gives perf, or where it does not find perf's PMU
 * under the name that it expects, the one for the control register.
 */
static int perf_config(const char *pmu, const char *name, uint64_t *config)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .size = sizeof(arg), .attr = &attr };
	pfm_pmu_encode_arg_t raw = { .size = sizeof(raw) };
	char text[256];
	int err;

	snprintf(text, sizeof(text), "%s::%s", pmu, name);
	err = pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3,
					PFM_OS_PERF_EVENT, &arg);
	*config = attr.config;
	if (err == PFM_SUCCESS)
		return err;
	err = pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE,
					&raw);
	if (err == PFM_SUCCESS) {
		*config = raw.codes[0];
		free(raw.codes);
	}
	return err;
}

/* The unit that is looked at, and where perf has it. */
struct place {
	const struct uncore_pmu_unit *unit;
	const char *page;
	const char *pmu;
	int type;
	int cpu;
};

static struct place place_of(FIXTURE_DATA(events) *self,
			     const struct uncore_pmu_unit *u)
{
	struct place place = {
		.unit = u,
		.page = self->rig.page[u->index],
		.pmu = uncore_events_source(self->uncore, u),
		.type = perf_pmu_type(u->type, u->instance),
		.cpu = perf_pmu_cpu(u->type, u->instance, u->die),
	};

	return place;
}

/* A counter with its event, and how it is read. */
struct count {
	struct uncore_pmu_program p;
	int fd;
	uint64_t control;
	uint64_t before;
};

static int take_claim(FIXTURE_DATA(events) *self, const struct place *place,
		      const struct named *event, struct count *count)
{
	uint32_t unit = place->unit->index;
	int err = event->kind == UNCORE_PMU_KIND_FIXED ?
			  claim_fixed(self->rig.fd, unit, &count->p) :
			  claim(self->rig.fd, unit, event->config, &count->p);

	if (!err)
		count->control = claim_control(&self->rig, &count->p);
	return err;
}

static uint32_t enabled_counters(const struct place *place)
{
	const struct uncore_pmu_unit *u = place->unit;
	uint32_t n, enabled = 0;

	for (n = 0; n < u->num_counters; n++)
		if (page_load(place->page, u->counter[n].control) &
		    u->counter[n].enable)
			enabled |= 1U << n;
	return enabled;
}

/* The counter is the one that is enabled and was not before. */
static int take_perf(FIXTURE_DATA(events) *self, const struct place *place,
		     uint64_t config, struct count *count)
{
	uint32_t enabled = enabled_counters(place);
	uint64_t value;
	int err;

	count->fd = perf_open(place->type, place->cpu, config);
	if (count->fd < 0)
		return count->fd;
	err = perf_read(count->fd, &value);
	enabled = enabled_counters(place) & ~enabled;
	if (!err && (!enabled || enabled & (enabled - 1)))
		err = -ENOTUNIQ;
	if (err) {
		close(count->fd);
		return err;
	}
	count->p.unit = place->unit->index;
	count->p.counter = __builtin_ctz(enabled);
	count->p.kind = place->unit->counter[count->p.counter].kind;
	count->control = claim_control(&self->rig, &count->p);
	return 0;
}

/* One after the other on the same unit: the same word. */
static void compare_words(struct __test_metadata *_metadata,
			  FIXTURE_DATA(events) *self,
			  const struct place *place, const struct named *event)
{
	struct count ours, perfs;
	uint64_t config;

	ASSERT_EQ(PFM_SUCCESS, perf_config(place->pmu, event->name, &config))
		TH_LOG("%s::%s", place->pmu, event->name);
	ASSERT_EQ(0, take_claim(self, place, event, &ours))
		TH_LOG("%s/%s/", place->unit->type, event->name);
	ASSERT_EQ(0, claim_release(self->rig.fd, ours.p.claim));
	ASSERT_EQ(0, take_perf(self, place, config, &perfs))
		TH_LOG("%s/%s/", place->unit->type, event->name);
	close(perfs.fd);
	EXPECT_EQ(perfs.control, ours.control)
		TH_LOG("%s/%s/", place->unit->type, event->name);
}

/* Until both have moved. */
static bool both_move(FIXTURE_DATA(events) *self, const struct count *ours,
		      const struct count *perfs, uint64_t before)
{
	int end = now_ms() + PATIENCE_MS;
	uint64_t value;

	while (now_ms() < end) {
		if (!perf_read(perfs->fd, &value) && value != before &&
		    claim_count(&self->rig, &ours->p) != ours->before)
			return true;
		sched_yield();
	}
	return false;
}

/* At the same time, where the event can be on two counters of the unit. */
static bool compare_counts(struct __test_metadata *_metadata,
			   FIXTURE_DATA(events) *self,
			   const struct place *place, const struct named *event)
{
	struct sim_addr addr = unit_addr(place->unit);
	uint64_t config, first, last, value;
	struct uncore_event parsed = { 0 };
	struct count ours, perfs;
	bool done = false;

	EXPECT_EQ(0, uncore_event_parse(self->uncore, place->unit, event->name,
					&parsed, NULL));
	EXPECT_EQ(event->config, parsed.config);
	if (perf_config(place->pmu, event->name, &config) ||
	    take_claim(self, place, event, &ours))
		return false;
	if (take_perf(self, place, config, &perfs))
		goto release;
	/* perf may have moved ours: then it is another case. */
	if (counter_state(self->rig.fd, ours.p.unit, ours.p.counter) !=
	    UNCORE_PMU_COUNTER_CLAIMED)
		goto close;
	/* Both begin with nothing of a count done. */
	if (sim_set(self->rig.sim, addr, ours.p.counter, 1000) ||
	    sim_set(self->rig.sim, addr, perfs.p.counter, 1000))
		goto close;
	ours.before = claim_count(&self->rig, &ours.p);
	EXPECT_EQ(0, perf_read(perfs.fd, &first));
	EXPECT_EQ(0, claim_add(&self->rig, &ours.p, 1234));
	EXPECT_EQ(1234ULL, claim_count(&self->rig, &ours.p) - ours.before);
	EXPECT_EQ(0, claim_add(&self->rig, &perfs.p, 1234));
	EXPECT_EQ(0, perf_read(perfs.fd, &value));
	EXPECT_EQ(1234ULL, value - first);
	EXPECT_EQ(0, sim_clock(self->rig.sim, true));
	EXPECT_TRUE(both_move(self, &ours, &perfs, value));
	EXPECT_EQ(0, sim_clock(self->rig.sim, false));
	EXPECT_EQ(0, perf_read(perfs.fd, &last));
	EXPECT_NE(first, last);
	EXPECT_EQ(last - first, claim_count(&self->rig, &ours.p) - ours.before)
		TH_LOG("%s/%s/", place->unit->type, event->name);
	done = true;
close:
	close(perfs.fd);
release:
	EXPECT_EQ(0, claim_release(self->rig.fd, ours.p.claim));
	return done;
}

static void compare_type(struct __test_metadata *_metadata,
			 FIXTURE_DATA(events) *self,
			 const struct uncore_pmu_unit *u)
{
	unsigned int least = fewest(self->platform, u->type);
	struct place place = place_of(self, u);
	unsigned int i, step, compared = 0, counted = 0;

	self->count = 0;
	ASSERT_EQ(0, uncore_events_list(self->uncore, u, collect, self));
	EXPECT_LE(least, self->count) ABOUT(u);
	step = self->all ? 1 : (self->count + SPREAD - 1) / SPREAD;
	for (i = 0; i < self->count; i += step, compared++)
		compare_words(_metadata, self, &place, &self->event[i]);
	for (i = 0; i < self->count && counted < AT_LEAST; i++)
		counted += compare_counts(_metadata, self, &place,
					  &self->event[i]);
	/* A single one may be the fixed counter's. */
	EXPECT_LE(least, counted + (least < AT_LEAST)) ABOUT(u);
	TH_LOG("%s (%s): %u of %u events, %u of them at once with perf",
	       u->type, place.pmu ? place.pmu : "not in libpfm4", compared,
	       self->count, counted);
}

/* The first unit of each type. */
TEST_F(events, named)
{
	const struct units *units = &self->rig.units;
	unsigned int i, n, types = 0;

	for (i = 0; i < units->count; i++) {
		if (!self->rig.page[i])
			continue;
		for (n = 0; n < i; n++)
			if (self->rig.page[n] &&
			    !strcmp(units->unit[n].type, units->unit[i].type))
				break;
		if (n < i)
			continue;
		types++;
		compare_type(_metadata, self, &units->unit[i]);
	}
	EXPECT_LT(0U, types);
}

/* perf's own names, which sysfs has, and numbers, for every type. */
TEST_F(events, numbers)
{
	static const uint32_t configs[] = {
		0x304, 0x106, 0x10406, 0xa5840006,
	};
	const struct units *units = &self->rig.units;
	struct count ours, perfs;
	unsigned int i, n;

	for (i = 0; i < units->count; i++) {
		const struct uncore_pmu_unit *u = &units->unit[i];
		struct place place;

		if (!self->rig.page[i])
			continue;
		place = place_of(self, u);
		for (n = 0; n < ARRAY_SIZE(configs); n++) {
			struct named event = {
				.kind = UNCORE_PMU_KIND_GENERAL,
				.config = configs[n] & u->config_mask,
			};

			ASSERT_EQ(0, take_claim(self, &place, &event, &ours))
				ABOUT(u);
			ASSERT_EQ(0, claim_release(self->rig.fd,
						   ours.p.claim));
			ASSERT_EQ(0, take_perf(self, &place, event.config,
					       &perfs)) ABOUT(u);
			close(perfs.fd);
			EXPECT_EQ(perfs.control, ours.control) ABOUT(u);
		}
	}
}

TEST_HARNESS_MAIN
