// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 */
/* A claimed counter counts its event, is described truly, leaves no trace. */
#include <fcntl.h>
#include <time.h>

#include "claims.h"
#include "harness.h"

#define EVENT	0x304
#define MANY	64

FIXTURE(program)
{
	struct rig rig;
	uint32_t unit;
	uint32_t *registers;
	int references;
};

/* Whether the kernel's own driver is there. */
FIXTURE_VARIANT(program)
{
	uint32_t via;
};

FIXTURE_VARIANT_ADD(program, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

FIXTURE_VARIANT_ADD(program, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

FIXTURE_SETUP(program)
{
	struct uncore_pmu_program p[MANY];
	const struct uncore_pmu_unit *unit;

	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, perf_driver_unload());
	}
	ASSERT_EQ(0, rig_open(&self->rig));
	unit = rig_unit(&self->rig, "imc", 1, 1);
	ASSERT_NE(NULL, unit);
	self->unit = unit->index;
	/* perf unfreezes a unit with its first event, and leaves it so. */
	ASSERT_EQ(5, claim_all(&self->rig, p, 5));
	ASSERT_EQ(0, release_all(&self->rig, p, 5));
	self->registers = registers_save(&self->rig);
	ASSERT_NE(NULL, self->registers);
	self->references = module_references();
}

FIXTURE_TEARDOWN(program)
{
	/* After every test all is as it was. */
	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
	EXPECT_EQ(self->references, module_references());
	free(self->registers);
	rig_close(&self->rig);
	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		EXPECT_EQ(0, perf_driver_load());
	}
}

TEST_F(program, counts_exactly_what_happens)
{
	static const uint64_t adds[] = { 1, 2, 0xffffffff, 0x123456789a, 7 };
	const struct uncore_pmu_counter *c;
	struct uncore_pmu_program p;
	uint64_t before, sum = 0;
	unsigned int i;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	EXPECT_EQ(variant->via, p.via);
	c = &self->rig.units.unit[self->unit].counter[p.counter];
	EXPECT_EQ(UNCORE_PMU_KIND_GENERAL, c->kind);
	EXPECT_EQ((uint64_t)(EVENT | c->enable), claim_control(&self->rig, &p));
	before = claim_count(&self->rig, &p);
	EXPECT_EQ(before, claim_count(&self->rig, &p));
	for (i = 0; i < ARRAY_SIZE(adds); i++) {
		ASSERT_EQ(0, claim_add(&self->rig, &p, adds[i]));
		sum += adds[i];
		EXPECT_EQ(sum, (claim_count(&self->rig, &p) - before) &
			       counter_mask(c));
	}
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	/* It does not go on. */
	EXPECT_EQ(-EAGAIN, claim_add(&self->rig, &p, 1));
}

TEST_F(program, counts_by_itself)
{
	int end = now_ms() + PATIENCE_MS;
	struct uncore_pmu_program p;
	uint64_t before, now;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	before = claim_count(&self->rig, &p);
	ASSERT_EQ(0, sim_clock(self->rig.sim, true));
	do {
		now = claim_count(&self->rig, &p);
	} while (now == before && now_ms() < end);
	EXPECT_NE(before, now);
	ASSERT_EQ(0, sim_clock(self->rig.sim, false));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

TEST_F(program, fixed_counter)
{
	const struct uncore_pmu_counter *c;
	struct uncore_pmu_status status;
	struct uncore_pmu_program p;
	uint64_t before;

	ASSERT_EQ(0, claim_fixed(self->rig.fd, self->unit, &p));
	EXPECT_EQ(variant->via, p.via);
	c = &self->rig.units.unit[self->unit].counter[p.counter];
	EXPECT_EQ(UNCORE_PMU_KIND_FIXED, c->kind);
	EXPECT_EQ((uint64_t)c->enable, claim_control(&self->rig, &p));
	before = claim_count(&self->rig, &p);
	ASSERT_EQ(0, claim_add(&self->rig, &p, 12345));
	EXPECT_EQ(12345ULL, (claim_count(&self->rig, &p) - before) &
			    counter_mask(c));
	ASSERT_EQ(0, counter_status(self->rig.fd, p.unit, p.counter, &status));
	EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_CLAIMED, status.state);
	EXPECT_EQ(0ULL, status.config);
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* All counters of all units at once, each with its own amount. */
TEST_F(program, all_counters_of_the_machine)
{
	static struct uncore_pmu_program p[1024];
	static uint64_t before[1024];
	unsigned int i, total = 0;
	int n, count;

	count = claim_all(&self->rig, p, 1024);
	ASSERT_LT(0, count);
	for (i = 0; i < self->rig.units.count; i++)
		if (self->rig.page[i])
			total += self->rig.units.unit[i].num_counters;
	EXPECT_EQ((int)total, count);
	for (n = 0; n < count; n++)
		before[n] = claim_count(&self->rig, &p[n]);
	for (n = 0; n < count; n++) {
		ASSERT_EQ(0, claim_add(&self->rig, &p[n], 1000 + n));
	}
	for (n = 0; n < count; n++) {
		const struct uncore_pmu_unit *u =
			&self->rig.units.unit[p[n].unit];

		EXPECT_EQ(1000ULL + n,
			  (claim_count(&self->rig, &p[n]) - before[n]) &
			  counter_mask(&u->counter[p[n].counter])) ABOUT(u);
		EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
			  counter_state(self->rig.fd, p[n].unit, p[n].counter))
			ABOUT(u);
	}
	EXPECT_EQ(0, release_all(&self->rig, p, count));
}

TEST_F(program, generation)
{
	struct uncore_pmu_program p, again;
	struct uncore_pmu_status status;
	uint32_t free, now;
	int i;

	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
		EXPECT_EQ(1U, p.generation & 1);
		now = generation_of(self->rig.generations, p.unit, p.counter);
		EXPECT_EQ(p.generation, now);
		ASSERT_EQ(0, counter_status(self->rig.fd, p.unit, p.counter,
					    &status));
		EXPECT_EQ(p.generation, status.generation);
		/* Counting and asking change nothing. */
		EXPECT_EQ(0, claim_add(&self->rig, &p, 1));
		EXPECT_EQ(now, generation_of(self->rig.generations, p.unit,
					     p.counter));
		EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
		free = generation_of(self->rig.generations, p.unit, p.counter);
		EXPECT_EQ(0U, free & 1);
		EXPECT_NE(p.generation, free);
		/* The same event again is another generation. */
		ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &again));
		EXPECT_EQ(p.counter, again.counter);
		EXPECT_NE(p.generation, again.generation);
		EXPECT_NE(p.claim, again.claim);
		EXPECT_EQ(0, claim_release(self->rig.fd, again.claim));
	}
}

static uint64_t boottime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

TEST_F(program, status_of_a_claim)
{
	struct uncore_pmu_status status;
	struct uncore_pmu_program p;
	uint64_t since = boottime_ns();
	int other = node_open(O_RDWR);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	ASSERT_EQ(0, counter_status(self->rig.fd, p.unit, p.counter, &status));
	EXPECT_EQ((uint32_t)sizeof(status), status.size);
	EXPECT_EQ(0U, status.flags);
	EXPECT_EQ(p.unit, status.unit);
	EXPECT_EQ(p.counter, status.counter);
	EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_CLAIMED, status.state);
	EXPECT_EQ(variant->via, status.via);
	EXPECT_EQ(p.generation, status.generation);
	EXPECT_EQ(p.claim, status.claim);
	EXPECT_EQ((uint64_t)EVENT, status.config);
	EXPECT_EQ(claim_control(&self->rig, &p), status.control);
	EXPECT_LE(since, status.since);
	EXPECT_GE(boottime_ns(), status.since);
	EXPECT_EQ(getpid(), status.pid);
	EXPECT_EQ(1U, status.own);
	EXPECT_STREQ("program", status.comm);
	/* Another open file sees the same, and that it is not its own. */
	ASSERT_EQ(0, counter_status(other, p.unit, p.counter, &status));
	EXPECT_EQ(0U, status.own);
	EXPECT_EQ(getpid(), status.pid);
	EXPECT_EQ(p.claim, status.claim);
	close(other);
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

TEST_F(program, status_of_what_nobody_claims)
{
	const struct uncore_pmu_unit *u = &self->rig.units.unit[self->unit];
	struct uncore_pmu_status status;
	uint32_t n;

	for (n = 0; n < u->num_counters; n++) {
		ASSERT_EQ(0, counter_status(self->rig.fd, u->index, n,
					    &status));
		EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_FREE, status.state);
		EXPECT_EQ(0U, status.generation & 1);
		EXPECT_EQ(page_load(self->rig.page[u->index],
				    u->counter[n].control), status.control);
		EXPECT_EQ(0U, status.via);
		EXPECT_EQ(0U, status.claim);
		EXPECT_EQ(0ULL, status.config);
		EXPECT_EQ(0ULL, status.since);
		EXPECT_EQ(0, status.pid);
		EXPECT_EQ(0U, status.own);
		EXPECT_EQ(0, status.comm[0]);
		/* Someone else writes the registers. */
		ASSERT_EQ(0, counter_start(u, n, 0x106));
		EXPECT_EQ(UNCORE_PMU_COUNTER_OTHER,
			  counter_state(self->rig.fd, u->index, n));
		ASSERT_EQ(0, counter_stop(u, n));
	}
}

/* What of the holder others may see. */
static int asks_as_member(int sock, void *arg)
{
	const struct uncore_pmu_program *p = arg;
	struct uncore_pmu_status status;
	int fd;

	(void)sock;
	if (become(MEMBER_UID))
		return 1;
	if (node_open(O_RDWR) != -EACCES)
		return 2;
	fd = node_open(O_RDONLY);
	if (fd < 0 || counter_status(fd, p->unit, p->counter, &status))
		return 3;
	if (status.state != UNCORE_PMU_COUNTER_CLAIMED ||
	    status.claim != p->claim || status.config != p->config ||
	    status.generation != p->generation || !status.since ||
	    status.via != p->via || status.own)
		return 4;
	for (unsigned int i = 0; i < sizeof(status.comm); i++)
		if (status.comm[i])
			return 5;
	return status.pid ? 6 : 0;
}

/* A descriptor for writing shows it, however it came. */
static int asks_by_passed_descriptor(int sock, void *arg)
{
	const struct uncore_pmu_program *p = arg;
	struct uncore_pmu_status status;
	int fd = receive_fd(sock);

	if (become(MEMBER_UID))
		return 1;
	if (counter_status(fd, p->unit, p->counter, &status))
		return 2;
	return status.pid == getppid() && !strcmp(status.comm, "program") ?
		       0 : 3;
}

/* The same user sees it through any descriptor. */
static int claims_as_member(int sock, void *arg)
{
	struct uncore_pmu_program *p = arg;
	struct uncore_pmu_status status;
	int rw = receive_fd(sock);
	int fd;

	if (become(MEMBER_UID))
		return 1;
	fd = node_open(O_RDONLY);
	if (claim(rw, p->unit, EVENT + 0x100, p))
		return 2;
	if (counter_status(fd, p->unit, p->counter, &status))
		return 3;
	if (claim_release(rw, p->claim))
		return 4;
	return status.pid == getpid() && !strcmp(status.comm, "program") ?
		       0 : 5;
}

TEST_F(program, who_sees_the_holder)
{
	struct uncore_pmu_program p;
	struct child child;
	int other = node_open(O_RDWR);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	EXPECT_EQ(0, child_run(asks_as_member, &p));
	ASSERT_EQ(0, child_start(&child, asks_by_passed_descriptor, &p));
	ASSERT_EQ(0, send_fd(child.sock, other));
	EXPECT_EQ(0, child_wait(&child));
	ASSERT_EQ(0, child_start(&child, claims_as_member, &p));
	ASSERT_EQ(0, send_fd(child.sock, other));
	EXPECT_EQ(0, child_wait(&child));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	close(other);
}

/* Written by someone else: it says so, and counts again when put right. */
TEST_F(program, reprogrammed_behind_its_back)
{
	const struct uncore_pmu_unit *u = &self->rig.units.unit[self->unit];
	struct uncore_pmu_program p;
	uint32_t control, now;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	control = u->counter[p.counter].control;
	ASSERT_EQ(0, config_store(u, control,
				  u->counter[p.counter].enable | 0xc04));
	EXPECT_EQ(UNCORE_PMU_COUNTER_REPROGRAMMED,
		  counter_state(self->rig.fd, p.unit, p.counter));
	now = generation_of(self->rig.generations, p.unit, p.counter);
	EXPECT_NE(p.generation, now);
	EXPECT_EQ(0U, now & 1);
	ASSERT_EQ(0, config_store(u, control,
				  u->counter[p.counter].enable | EVENT));
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED,
		  counter_state(self->rig.fd, p.unit, p.counter));
	now = generation_of(self->rig.generations, p.unit, p.counter);
	EXPECT_NE(p.generation, now);
	EXPECT_EQ(1U, now & 1);
	/* Without a question it is noticed too. */
	ASSERT_EQ(0, config_store(u, control, 0));
	EXPECT_NE(now, generation_await_change(self->rig.generations, p.unit,
					       p.counter, now));
	EXPECT_EQ(UNCORE_PMU_COUNTER_REPROGRAMMED,
		  counter_state(self->rig.fd, p.unit, p.counter));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

TEST_HARNESS_MAIN
