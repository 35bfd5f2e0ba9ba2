// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/claims-616.lspci user=root kernels=all timeout=300 intel_uncore=no */
/* Very many claims at once leave no trace, and how long they take. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>

#include "claims.h"
#include "harness.h"
#include "mmio_units.h"
#include "perf.h"

#define ROUND	200
#define ALL	600
#define SAMPLE	10	/* every so many is counted with */

FIXTURE(many)
{
	struct rig rig;
	struct uncore_pmu_program *p;
	int all;	/* counters there are */
	int round;	/* ROUND of them, or all */
	uint32_t *registers;
	bool is_knl;
};

FIXTURE_VARIANT(many)
{
	uint32_t via;
};

/* The first is without the kernel's driver, and the second loads it. */
FIXTURE_VARIANT_ADD(many, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

FIXTURE_VARIANT_ADD(many, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

static int write_at(int fd, uint32_t offset, uint32_t value)
{
	return pwrite(fd, &value, 4, offset) == 4 ? 0 : -EIO;
}

/*
 * Every register that a user could have left something in; a second unit of a
 * type is left frozen, which is what perf undoes for its first event.
 */
static int leave_in_unit(const struct rig *rig, unsigned int i)
{
	const struct uncore_pmu_unit *u = &rig->units.unit[i];
	uint32_t control = page_load(rig->page[i], u->unit_control);
	int fd = config_open(u, O_WRONLY);
	unsigned int n;
	int err;

	if (fd < 0)
		return fd;
	err = write_at(fd, u->unit_control,
		       i % 2 ? control | u->unit_freeze : control);
	for (n = 0; n < u->num_counters && !err; n++) {
		const struct uncore_pmu_counter *c = &u->counter[n];

		/* Without an enable bit, one that has an event is in use. */
		if (c->kind == UNCORE_PMU_KIND_GENERAL && c->enable)
			err = write_at(fd, c->control,
				       (i * 7 + n) << 24 | 0x1234);
		if (!err)
			err = write_at(fd, c->offset, i * 1000003U + n);
		if (!err)
			err = write_at(fd, c->offset + 4, i + n);
	}
	close(fd);
	return err;
}

/* Of registers in memory the simulator writes counters alone. */
static int leave_in_memory(const struct rig *rig, unsigned int i)
{
	const struct uncore_pmu_unit *u = &rig->units.unit[i];
	struct sim_addr addr;
	unsigned int n;
	int err = mmio_find(rig->sim, u, &addr);

	for (n = 0; n < u->num_counters && !err; n++)
		err = sim_set(rig->sim, addr, n, i * 1000003ULL + n);
	return err;
}

static int leave_something(const struct rig *rig)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < rig->units.count && !err; i++) {
		if (!rig->page[i])
			continue;
		err = unit_is_mmio(&rig->units.unit[i])
			? leave_in_memory(rig, i) : leave_in_unit(rig, i);
	}
	return err;
}

FIXTURE_SETUP(many)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	unsigned int i;

	/* Loaded anew, perf has had no event yet. */
	ASSERT_EQ(0, perf_driver_unload());
	if (variant->via == UNCORE_PMU_VIA_PERF) {
		ASSERT_EQ(0, perf_driver_load());
	}
	ASSERT_EQ(0, rig_open(&self->rig));
	for (i = 0; i < self->rig.units.count; i++)
		if (self->rig.page[i])
			self->all += self->rig.units.unit[i].num_counters;
	ASSERT_EQ(0, ioctl(self->rig.fd, UNCORE_PMU_INFO, &info));
	self->is_knl = !strcmp(info.platform, "knl");
	self->round = self->all < ROUND ? self->all : ROUND;
	if (!getenv("ANY_MACHINE")) {
		ASSERT_LE(ALL, self->all);
	}
	self->p = calloc(self->all + 1, sizeof(*self->p));
	ASSERT_NE(NULL, self->p);
	ASSERT_EQ(0, leave_something(&self->rig));
	self->registers = registers_save(&self->rig);
	ASSERT_NE(NULL, self->registers);
}

FIXTURE_TEARDOWN(many)
{
	free(self->registers);
	free(self->p);
	rig_close(&self->rig);
}

/* What perf writes into a unit control register with an event; see its source. */
static uint32_t after_perf(const struct uncore_pmu_unit *u, bool is_knl,
			   uint32_t control)
{
	static const char *const zeroed[] = {
		"imc", "imc_uclk", "edc_uclk", "edc_eclk",
	};
	unsigned int i;

	for (i = 0; is_knl && i < ARRAY_SIZE(zeroed); i++)
		if (!strcmp(u->type, zeroed[i]))
			return 0;
	return control & ~u->unit_freeze;
}

/*
 * All is as it was, bit by bit; but for what perf, whose register it is, has
 * made of the unit control of @count claims' units, and nobody undoes.
 */
static void expect_no_trace(struct __test_metadata *_metadata,
			    FIXTURE_DATA(many) *self, int count)
{
	uint32_t *control;
	int i;

	for (i = 0; i < count; i++) {
		const struct uncore_pmu_unit *u =
			&self->rig.units.unit[self->p[i].unit];

		if (self->p[i].via != UNCORE_PMU_VIA_PERF)
			continue;
		control = &self->registers[(u->index * PAGE +
					    u->unit_control) / 4];
		*control = after_perf(u, self->is_knl, *control);
	}
	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
}

static void released(struct __test_metadata *_metadata,
		     FIXTURE_DATA(many) *self, uint32_t via)
{
	int i;

	ASSERT_EQ(self->round,
		  claim_all(&self->rig, self->p, self->round));
	for (i = 0; i < self->round; i++) {
		EXPECT_EQ(via, self->p[i].via);
		EXPECT_TRUE(claim_counts(&self->rig, &self->p[i], 1 + i));
		EXPECT_TRUE(claim_unchanged(&self->rig, &self->p[i]));
	}
	EXPECT_EQ(0, release_all(&self->rig, self->p, self->round));
	expect_no_trace(_metadata, self, self->round);
}

static void released_in_reverse(struct __test_metadata *_metadata,
				FIXTURE_DATA(many) *self)
{
	int i;

	ASSERT_EQ(self->round,
		  claim_all(&self->rig, self->p, self->round));
	for (i = self->round; i-- > 0;) {
		if (i % SAMPLE == 0) {
			EXPECT_TRUE(claim_counts(&self->rig, &self->p[i],
						 1 + i));
		}
		EXPECT_EQ(0, claim_release(self->rig.fd, self->p[i].claim));
	}
	expect_no_trace(_metadata, self, self->round);
}

static int claims_and_is_killed(int sock, void *arg)
{
	FIXTURE_DATA(many) *self = arg;
	struct rig own = self->rig;
	int i;

	(void)sock;
	own.fd = node_open(O_RDWR);
	if (claim_all(&own, self->p, self->round) != self->round)
		return 1;
	for (i = 0; i < self->round; i += SAMPLE)
		if (!claim_counts(&own, &self->p[i], 1 + i))
			return 2;
	raise(SIGKILL);
	return 3;
}

static long elapsed_us(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000000 +
	       (now.tv_nsec - since->tv_nsec) / 1000;
}

/* The time is told, not judged: it is the host's as much as ours. */
static void six_hundred(struct __test_metadata *_metadata,
			FIXTURE_DATA(many) *self, uint32_t via)
{
	int count = self->all < ALL ? self->all : ALL;
	struct timespec start;
	long claimed, done;

	clock_gettime(CLOCK_MONOTONIC, &start);
	ASSERT_EQ(count, claim_all(&self->rig, self->p, count));
	claimed = elapsed_us(&start);
	clock_gettime(CLOCK_MONOTONIC, &start);
	EXPECT_EQ(0, release_all(&self->rig, self->p, count));
	done = elapsed_us(&start);
	TH_LOG("%d counters through %s: claimed in %ld us, released in %ld us",
	       count, via == UNCORE_PMU_VIA_PERF ? "perf" : "registers",
	       claimed, done);
	expect_no_trace(_metadata, self, count);
}

TEST_F(many, come_and_go)
{
	released(_metadata, self, variant->via);
	released_in_reverse(_metadata, self);
	EXPECT_EQ(128 + SIGKILL, child_run(claims_and_is_killed, self));
	expect_no_trace(_metadata, self, self->round);
	six_hundred(_metadata, self, variant->via);
}

/* perf counts what is added to a counter. */
static bool perf_counts(const struct rig *rig, int event,
			const struct uncore_pmu_program *at, uint64_t n)
{
	uint64_t before, after;

	return !perf_read(event, &before) && !claim_add(rig, at, n) &&
	       !perf_read(event, &after) && after - before == n;
}

/*
 * perf moves our event to a counter that has come free. The one that it was in
 * gets another event of the same kind, which is not ours to end. Then ours goes
 * back, and nothing counts where it was.
 */
static void move(struct __test_metadata *_metadata, FIXTURE_DATA(many) *self,
		 const struct uncore_pmu_unit *u)
{
	const struct uncore_pmu_counter *c = &u->counter[0];
	uint64_t high = c->enable ? 0 : u->config_mask & 1ULL << 32;
	uint64_t mask = u->config_mask | c->enable;
	int cpu = perf_pmu_cpu(u->type, u->instance, u->die);
	int pmu = perf_pmu_type(u->type, u->instance);
	struct uncore_pmu_program first, second;
	int older, same, fd = self->rig.fd;
	uint64_t count;

	ASSERT_LE(0, pmu) ABOUT(u);
	ASSERT_LE(0, cpu) ABOUT(u);
	older = perf_open(pmu, cpu, plain_event(0) | high);
	ASSERT_LE(0, older) ABOUT(u);
	ASSERT_EQ(0, claim(fd, u->index, plain_event(1) | high, &second))
		ABOUT(u);
	ASSERT_EQ(1U, second.counter) ABOUT(u);
	first = second;
	first.counter = 0;
	count = claim_count(&self->rig, &first);

	ASSERT_EQ(0, ioctl(older, PERF_EVENT_IOC_DISABLE, 0));
	same = perf_open_shared(pmu, cpu, second.config);
	ASSERT_LE(0, same) ABOUT(u);
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED, counter_state(fd, u->index, 0))
		ABOUT(u);
	EXPECT_TRUE(claim_counts(&self->rig, &first, 99)) ABOUT(u);
	EXPECT_EQ(UNCORE_PMU_COUNTER_OTHER, counter_state(fd, u->index, 1))
		ABOUT(u);
	EXPECT_EQ(second.config | c->enable,
		  claim_control(&self->rig, &second) & mask) ABOUT(u);
	EXPECT_TRUE(perf_counts(&self->rig, same, &second, 4711)) ABOUT(u);
	close(same);
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE, counter_state(fd, u->index, 1))
		ABOUT(u);

	ASSERT_EQ(0, ioctl(older, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, ioctl(older, PERF_EVENT_IOC_DISABLE, 0));
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED, counter_state(fd, u->index, 1))
		ABOUT(u);
	EXPECT_TRUE(claim_counts(&self->rig, &second, 815)) ABOUT(u);
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE, counter_state(fd, u->index, 0))
		ABOUT(u);
	/* With an enable bit it holds what perf has left, which tells of perf. */
	if (!c->enable)
		EXPECT_EQ(count, claim_count(&self->rig, &first)) ABOUT(u);
	close(older);
	EXPECT_EQ(0, claim_release(fd, second.claim)) ABOUT(u);
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE, counter_state(fd, u->index, 1))
		ABOUT(u);
}

TEST_F(many, moved_beside_their_like)
{
	const char *last = "";
	unsigned int i;

	if (variant->via != UNCORE_PMU_VIA_PERF)
		return;
	for (i = 0; i < self->rig.units.count; i++) {
		const struct uncore_pmu_unit *u = &self->rig.units.unit[i];

		if (!self->rig.page[i] || unit_is(u, last) ||
		    u->counter[1].kind != UNCORE_PMU_KIND_GENERAL)
			continue;
		last = u->type;
		move(_metadata, self, u);
	}
	EXPECT_STRNE("", last);
}

static int match_packets(const struct uncore_pmu_unit *u, uint32_t value)
{
	unsigned int n;
	int err = 0;

	for (n = 0; n < u->num_counters && !err; n++)
		err = config_store(u, u->counter[n].control + 4, value);
	return err;
}

/*
 * Somebody's filter in the upper half would have only some packets counted. It
 * is put aside, or the claim refused where perf does not write that half.
 */
TEST_F(many, packets_are_not_matched)
{
	const struct uncore_pmu_unit *u = rig_unit(&self->rig, "upi", 0, 0);
	struct uncore_pmu_program p;
	uint32_t high;

	if (!u)
		return;
	EXPECT_EQ(0ULL, u->config_mask >> 32);
	ASSERT_EQ(0, match_packets(u, 0x101));
	if (variant->via == UNCORE_PMU_VIA_PERF && u->counter[0].enable) {
		EXPECT_EQ(-EPROTO, claim(self->rig.fd, u->index,
					 plain_event(0), NULL));
		ASSERT_EQ(0, match_packets(u, 0));
	}
	ASSERT_EQ(0, claim(self->rig.fd, u->index, plain_event(0), &p));
	EXPECT_EQ(variant->via, p.via);
	high = u->counter[p.counter].control + 4;
	EXPECT_EQ(0U, page_load(self->rig.page[u->index], high));
	EXPECT_TRUE(claim_counts(&self->rig, &p, 4711));
	ASSERT_EQ(0, config_store(u, high, 0x101));
	EXPECT_EQ(UNCORE_PMU_COUNTER_REPROGRAMMED,
		  counter_state(self->rig.fd, u->index, p.counter));
	ASSERT_EQ(0, config_store(u, high, 0));
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
		  counter_state(self->rig.fd, u->index, p.counter));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(u->counter[0].enable && variant->via == UNCORE_PMU_VIA_PERF
			  ? 0U : 0x101U,
		  page_load(self->rig.page[u->index], high));
	ASSERT_EQ(0, match_packets(u, 0));
}

/* What would count nothing, and leave a counter that looks free. */
TEST_F(many, needs_an_event)
{
	const struct units *units = &self->rig.units;
	unsigned int i;

	for (i = 0; i < units->count; i++) {
		const struct uncore_pmu_unit *u = &units->unit[i];

		if (u->state != UNCORE_PMU_STATE_OK || !u->config_mask ||
		    u->counter[0].kind != UNCORE_PMU_KIND_GENERAL ||
		    u->counter[0].enable)
			continue;
		EXPECT_EQ(-EINVAL, claim(self->rig.fd, i, 0, NULL)) ABOUT(u);
	}
}

TEST_HARNESS_MAIN
