// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=full-sandybridge-ep,full-ivybridge-ep,full-haswell-ep,full-broadwell-ep,knl,full-skylake-sp,snowridge,full-icelake-sp user=root kernels=all timeout=300 */
/*
 * Events by name, perf being the referee: what the library makes of a name and
 * a claim programs is what libpfm4 makes of it for perf and perf programs, bit
 * by bit in the control register, and both count the same.
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
	{ "snowridge", "m2m", 0 },
	{ "snowridge", "pcie3", 0 },
	{ "icelake-sp", "m2m", 0 },
	{ "icelake-sp", "upi", 0 },
	{ "icelake-sp", "m3upi", 0 },
};

struct named {
	char name[UNCORE_EVENT_NAME_LEN];
	uint32_t source;
};

FIXTURE(events)
{
	struct rig rig;
	struct uncore *uncore;
	struct named *event;
	unsigned int count;
	char platform[32];
};

FIXTURE_SETUP(events)
{
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

/* A counter with its event, and how it is read. */
struct count {
	struct uncore_pmu_program p;
	int fd;
	uint64_t control;
	uint64_t before;
};

static int take_claim(FIXTURE_DATA(events) *self,
		      const struct uncore_pmu_unit *u,
		      const struct uncore_event *event, struct count *count)
{
	int err = event->kind == UNCORE_PMU_KIND_FIXED ?
			  claim_fixed(self->rig.fd, u->index, &count->p) :
			  claim(self->rig.fd, u->index, event->config,
				&count->p);

	if (!err)
		count->control = claim_control(&self->rig, &count->p);
	return err;
}

/* The counter is the one that is enabled and was not before. */
static int take_perf(FIXTURE_DATA(events) *self,
		     const struct uncore_pmu_unit *u, uint64_t config,
		     struct count *count)
{
	uint32_t n, enabled = 0;
	uint64_t value;
	int err;

	for (n = 0; n < u->num_counters; n++)
		if (counter_state(self->rig.fd, u->index, n) !=
		    UNCORE_PMU_COUNTER_FREE)
			enabled |= 1U << n;
	count->fd = perf_open(perf_pmu_type(u->type, u->instance),
			      perf_pmu_cpu(u->type, u->instance, u->die),
			      config);
	if (count->fd < 0)
		return count->fd;
	err = perf_read(count->fd, &value);
	if (err) {
		close(count->fd);
		return err;
	}
	count->p.unit = u->index;
	for (n = 0; n < u->num_counters; n++) {
		if (enabled & 1U << n ||
		    counter_state(self->rig.fd, u->index, n) !=
			    UNCORE_PMU_COUNTER_OTHER)
			continue;
		count->p.counter = n;
		count->p.kind = u->counter[n].kind;
		count->control = claim_control(&self->rig, &count->p);
		return 0;
	}
	close(count->fd);
	return -ENOTUNIQ;
}

/* One after the other on the same unit: same word, same count. */
static void compare_words(struct __test_metadata *_metadata,
			  FIXTURE_DATA(events) *self,
			  const struct uncore_pmu_unit *u, const char *pmu,
			  const char *name)
{
	struct uncore_event event = { 0 };
	struct count ours, perfs;
	uint64_t config, value;

	ASSERT_EQ(0, uncore_event_parse(self->uncore, u, name, &event, NULL))
		TH_LOG("%s/%s/", u->type, name);
	ASSERT_EQ(PFM_SUCCESS, perf_config(pmu, name, &config))
		TH_LOG("%s::%s", pmu, name);
	ASSERT_EQ(0, take_claim(self, u, &event, &ours))
		TH_LOG("%s/%s/", u->type, name);
	ours.before = claim_count(&self->rig, &ours.p);
	ASSERT_EQ(0, claim_add(&self->rig, &ours.p, 1234));
	EXPECT_EQ(1234ULL, claim_count(&self->rig, &ours.p) - ours.before);
	ASSERT_EQ(0, claim_release(self->rig.fd, ours.p.claim));

	ASSERT_EQ(0, take_perf(self, u, config, &perfs))
		TH_LOG("%s/%s/", u->type, name);
	ASSERT_EQ(0, claim_add(&self->rig, &perfs.p, 1234));
	ASSERT_EQ(0, perf_read(perfs.fd, &value));
	EXPECT_EQ(1234ULL, value);
	close(perfs.fd);
	EXPECT_EQ(perfs.control, ours.control) TH_LOG("%s/%s/", u->type, name);
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
			   const struct uncore_pmu_unit *u, const char *pmu,
			   const char *name)
{
	struct sim_addr addr = unit_addr(u);
	struct uncore_event event;
	struct count ours, perfs;
	uint64_t config, first, last;
	bool done = false;

	if (uncore_event_parse(self->uncore, u, name, &event, NULL) ||
	    perf_config(pmu, name, &config) ||
	    take_claim(self, u, &event, &ours))
		return false;
	if (take_perf(self, u, config, &perfs))
		goto release;
	/* perf may have moved ours: then it is another case. */
	if (counter_state(self->rig.fd, u->index, ours.p.counter) !=
	    UNCORE_PMU_COUNTER_CLAIMED)
		goto close;
	/* Both begin with nothing of a count done. */
	if (sim_set(self->rig.sim, addr, ours.p.counter, 1000) ||
	    sim_set(self->rig.sim, addr, perfs.p.counter, 1000))
		goto close;
	ours.before = claim_count(&self->rig, &ours.p);
	EXPECT_EQ(0, perf_read(perfs.fd, &first));
	EXPECT_EQ(0, sim_clock(self->rig.sim, true));
	EXPECT_TRUE(both_move(self, &ours, &perfs, first));
	EXPECT_EQ(0, sim_clock(self->rig.sim, false));
	EXPECT_EQ(0, perf_read(perfs.fd, &last));
	EXPECT_NE(first, last);
	EXPECT_EQ(last - first, claim_count(&self->rig, &ours.p) - ours.before)
		TH_LOG("%s/%s/", u->type, name);
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
	const char *pmu = uncore_events_source(self->uncore, u);
	unsigned int least = fewest(self->platform, u->type);
	unsigned int i, counted = 0;

	self->count = 0;
	ASSERT_EQ(0, uncore_events_list(self->uncore, u, collect, self));
	EXPECT_LE(least, self->count) ABOUT(u);
	for (i = 0; i < self->count; i++) {
		compare_words(_metadata, self, u, pmu, self->event[i].name);
		if (counted < AT_LEAST)
			counted += compare_counts(_metadata, self, u, pmu,
						  self->event[i].name);
	}
	/* A single one may be the fixed counter's. */
	EXPECT_LE(least, counted + (least < AT_LEAST)) ABOUT(u);
	TH_LOG("%s (%s): %u events, %u of them at once with perf", u->type,
	       pmu ? pmu : "not in libpfm4", self->count, counted);
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

		for (n = 0; self->rig.page[i] && n < ARRAY_SIZE(configs); n++) {
			struct uncore_event event = {
				.kind = UNCORE_PMU_KIND_GENERAL,
				.config = configs[n] & u->config_mask,
			};

			ASSERT_EQ(0, take_claim(self, u, &event, &ours))
				ABOUT(u);
			ASSERT_EQ(0, claim_release(self->rig.fd,
						   ours.p.claim));
			ASSERT_EQ(0, take_perf(self, u, event.config, &perfs))
				ABOUT(u);
			close(perfs.fd);
			EXPECT_EQ(perfs.control, ours.control) ABOUT(u);
		}
	}
}

TEST_HARNESS_MAIN
