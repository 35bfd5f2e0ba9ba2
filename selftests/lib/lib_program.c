// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choosing events by name through the library, and being sure of what was
 * counted, with the kernel's perf PMUs and without.
 *
 * Test: where=guest platform=haswell-ep timeout=240
 */
#include "harness.h"

#include <fcntl.h>
#include <unistd.h>

#include <uncore.h>

#include "common.h"

#define MAX_UNITS	64

FIXTURE(program)
{
	struct uncore *uncore;
	struct uncore_event read;
	struct uncore_event write;
	struct uncore_pmu_unit info;
	struct uncore_event_error error;
	struct sim *sim;
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

static int driver(bool load)
{
	static const char *const argv[] = {
		"modprobe", "intel-uncore", NULL,
	};

	return load ? run(argv) : module_remove("intel_uncore");
}

FIXTURE_SETUP(program)
{
	unsigned int unit;

	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, driver(false));
	}
	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	ASSERT_EQ(0, uncore_open_flags(NULL, UNCORE_OPEN_PROGRAM,
				       &self->uncore));
	ASSERT_EQ(1, uncore_spec_parse(self->uncore,
				       "imc1@0/unc_m_cas_count.rd/",
				       &self->read, &unit, 1, &self->error));
	ASSERT_EQ(0, uncore_unit_info(self->uncore, unit, &self->info));
	ASSERT_EQ(0, uncore_event_parse(self->uncore, &self->info,
					"event=0x04,umask=0x0c", &self->write,
					&self->error));
}

FIXTURE_TEARDOWN(program)
{
	uncore_close(self->uncore);
	sim_clock(self->sim, true);
	sim_close(self->sim);
	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		EXPECT_EQ(0, driver(true));
	}
}

static int claim(FIXTURE_DATA(program) *self, const struct uncore_event *event,
		 struct uncore_pmu_program *claim)
{
	return uncore_program(self->uncore, self->info.index, event, claim);
}

static int open_claimed(FIXTURE_DATA(program) *self,
			const struct uncore_pmu_program *claim,
			struct uncore_counter *counter)
{
	return uncore_counter_open(self->uncore, claim->unit, claim->counter,
				   counter);
}

TEST_F(program, by_name)
{
	struct uncore_pmu_status status;
	struct uncore_pmu_program p;
	struct uncore_counter counter;
	struct uncore_watch watch;
	uint64_t before, delta = 0;

	EXPECT_EQ(1, uncore_can_program(self->uncore));
	EXPECT_STREQ("UNC_M_CAS_COUNT:RD", self->read.name);
	EXPECT_EQ(0x304, self->read.config);
	ASSERT_EQ(0, claim(self, &self->read, &p));
	EXPECT_EQ(variant->via, p.via);
	ASSERT_EQ(0, open_claimed(self, &p, &counter));

	ASSERT_EQ(0, uncore_status(self->uncore, p.unit, p.counter, &status));
	EXPECT_EQ(UNCORE_PMU_COUNTER_CLAIMED, status.state);
	EXPECT_EQ(0x304, status.config);
	EXPECT_EQ(getpid(), status.pid);
	EXPECT_EQ(1, status.own);
	EXPECT_EQ(p.claim, status.claim);
	EXPECT_EQ(p.generation, status.generation);
	EXPECT_EQ(p.generation, uncore_generation(&counter));

	ASSERT_EQ(UNCORE_VALID,
		  uncore_watch_begin(&counter, &self->read, &watch));
	before = uncore_read(&counter);
	ASSERT_EQ(0, sim_add(self->sim, unit_addr(&self->info), p.counter,
			     0x123456789));
	EXPECT_EQ(0, uncore_delta_checked(&counter, &watch, before,
					  uncore_read(&counter), &delta));
	EXPECT_EQ(0x123456789, delta);

	ASSERT_EQ(0, uncore_release(self->uncore, p.claim));
	EXPECT_EQ(UNCORE_RELEASED, uncore_counter_status(&counter, &watch));
	EXPECT_EQ(-ENOENT, uncore_release(self->uncore, p.claim));
	EXPECT_EQ(UNCORE_UNCLAIMED,
		  uncore_watch_begin(&counter, &self->read, &watch));
	ASSERT_EQ(0, uncore_status(self->uncore, p.unit, p.counter, &status));
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE, status.state);
	uncore_counter_close(&counter);
}

TEST_F(program, across_a_reprogramming)
{
	struct uncore_pmu_program first, second;
	struct uncore_counter counter;
	struct uncore_watch watch;
	uint64_t before, delta = 0x5a5a;

	ASSERT_EQ(0, claim(self, &self->read, &first));
	ASSERT_EQ(0, open_claimed(self, &first, &counter));
	ASSERT_EQ(UNCORE_VALID,
		  uncore_watch_begin(&counter, &self->read, &watch));
	before = uncore_read(&counter);
	ASSERT_EQ(0, uncore_release(self->uncore, first.claim));
	ASSERT_EQ(0, claim(self, &self->write, &second));
	ASSERT_EQ(first.counter, second.counter);
	EXPECT_NE(first.generation, second.generation);
	EXPECT_EQ(-ESTALE, uncore_delta_checked(&counter, &watch, before,
						uncore_read(&counter), &delta));
	EXPECT_EQ(0x5a5a, delta);
	EXPECT_EQ(UNCORE_REPROGRAMMED, uncore_counter_status(&counter, &watch));
	EXPECT_EQ(UNCORE_OTHER_EVENT,
		  uncore_watch_begin(&counter, &self->read, &watch));
	EXPECT_EQ(UNCORE_VALID,
		  uncore_watch_begin(&counter, &self->write, &watch));

	/* The same event again is another interval all the same. */
	ASSERT_EQ(0, uncore_release(self->uncore, second.claim));
	ASSERT_EQ(0, claim(self, &self->write, &second));
	EXPECT_EQ(UNCORE_REPROGRAMMED, uncore_counter_status(&counter, &watch));
	ASSERT_EQ(0, uncore_release(self->uncore, second.claim));
	uncore_counter_close(&counter);
}

TEST_F(program, overwritten_by_someone)
{
	const struct uncore_pmu_counter *desc;
	struct uncore_pmu_program p;
	struct uncore_counter counter;
	struct uncore_watch watch;
	uint64_t delta = 0x5a5a;
	uint32_t control;

	ASSERT_EQ(0, claim(self, &self->read, &p));
	ASSERT_EQ(0, open_claimed(self, &p, &counter));
	ASSERT_EQ(UNCORE_VALID,
		  uncore_watch_begin(&counter, &self->read, &watch));
	desc = &self->info.counter[p.counter];
	ASSERT_EQ(0, config_load(&self->info, desc->control, &control));
	ASSERT_EQ(0, config_store(&self->info, desc->control, control ^ 0x100));
	EXPECT_EQ(UNCORE_OVERWRITTEN, uncore_counter_status(&counter, &watch));
	EXPECT_EQ(-ESTALE,
		  uncore_delta_checked(&counter, &watch, 0, 1, &delta));
	EXPECT_EQ(0x5a5a, delta);
	ASSERT_EQ(0, config_store(&self->info, desc->control, control));
	ASSERT_EQ(0, uncore_release(self->uncore, p.claim));
	uncore_counter_close(&counter);
}

TEST_F(program, fixed)
{
	struct uncore_pmu_program p;
	struct uncore_counter counter;
	struct uncore_event event;
	struct uncore_watch watch;

	ASSERT_EQ(0, uncore_event_parse(self->uncore, &self->info, "clockticks",
					&event, NULL));
	EXPECT_EQ(UNCORE_PMU_KIND_FIXED, event.kind);
	EXPECT_STREQ("cycles", event.unit);
	ASSERT_EQ(0, claim(self, &event, &p));
	EXPECT_STREQ("fixed", self->info.counter[p.counter].name);
	ASSERT_EQ(0, open_claimed(self, &p, &counter));
	EXPECT_EQ(UNCORE_VALID, uncore_watch_begin(&counter, &event, &watch));
	EXPECT_EQ(UNCORE_OTHER_EVENT,
		  uncore_watch_begin(&counter, &self->read, &watch));
	EXPECT_EQ(-EBUSY, claim(self, &event, &p));
	uncore_counter_close(&counter);
}

TEST_F(program, names_of_the_kernel)
{
	struct uncore_event event;
	int ret;

	ret = uncore_event_parse(self->uncore, &self->info, "CAS_count_read",
				 &event, &self->error);
	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		EXPECT_EQ(-ENOENT, ret);
		return;
	}
	ASSERT_EQ(0, ret) TH_LOG("%s", self->error.message);
	EXPECT_EQ(UNCORE_EVENT_ALIAS, event.source);
	EXPECT_EQ(self->read.config, event.config);
	EXPECT_STREQ("cas_count_read", event.name);
	EXPECT_EQ(64.0, event.scale);
	EXPECT_STREQ("bytes", event.unit);
}

TEST_F(program, all_units_of_a_spec)
{
	unsigned int units[MAX_UNITS], i, count;
	struct uncore_pmu_program p[MAX_UNITS];
	struct uncore_pmu_unit info;
	struct uncore_counter counter;
	struct uncore_event event;
	struct uncore_watch watch;
	int ret;

	ret = uncore_spec_parse(self->uncore, "imc/UNC_M_CAS_COUNT:WR/", &event,
				units, MAX_UNITS, NULL);
	ASSERT_LT(2, ret);
	ASSERT_GE(MAX_UNITS, ret);
	count = (unsigned int)ret;
	EXPECT_EQ(ret, uncore_spec_parse(self->uncore, "imc/fixed", &event,
					 units, 1, NULL));
	for (i = 0; i < count; i++)
		ASSERT_EQ(0, uncore_program(self->uncore, units[i],
					    &self->read, &p[i]));
	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, uncore_unit_info(self->uncore, units[i], &info));
		EXPECT_STREQ("imc", info.type);
		ASSERT_EQ(0, open_claimed(self, &p[i], &counter));
		EXPECT_EQ(UNCORE_VALID,
			  uncore_watch_begin(&counter, &self->read, &watch));
		uncore_counter_close(&counter);
		EXPECT_EQ(0, uncore_release(self->uncore, p[i].claim));
	}
}

TEST_F(program, errors)
{
	struct uncore_pmu_program p = { .claim = 77 };
	struct uncore_pmu_status status;
	struct uncore_event event = self->read;
	unsigned int unit, i;

	EXPECT_EQ(-ENXIO, uncore_program(self->uncore, 100000, &event, &p));
	event.config = 1ULL << 20;
	EXPECT_EQ(-EINVAL, claim(self, &event, &p));
	event.kind = UNCORE_PMU_KIND_FREE_RUNNING;
	EXPECT_EQ(-EINVAL, claim(self, &event, &p));
	ASSERT_LE(1, uncore_find(self->uncore, "ha", &unit, 1));
	event = (struct uncore_event){ .kind = UNCORE_PMU_KIND_FIXED };
	EXPECT_EQ(-EOPNOTSUPP, uncore_program(self->uncore, unit, &event, &p));
	EXPECT_EQ(77, p.claim);

	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, claim(self, &self->read, &p));
	EXPECT_EQ(-EBUSY, claim(self, &self->read, &p));
	EXPECT_EQ(-ENOENT, uncore_release(self->uncore, 0));
	EXPECT_EQ(-ENXIO, uncore_status(self->uncore, 100000, 0, &status));
	EXPECT_EQ(-ENXIO, uncore_status(self->uncore, self->info.index, 99,
					&status));

	EXPECT_EQ(-ENODEV, uncore_spec_parse(self->uncore, "imx/fixed/", &event,
					     &unit, 1, &self->error));
	EXPECT_STREQ("this machine has no unit imx", self->error.message);
	EXPECT_STREQ("imc", self->error.nearest[0]);
	EXPECT_EQ(-EINVAL, uncore_spec_parse(self->uncore, "imc@/fixed/",
					     &event, &unit, 1, &self->error));
	EXPECT_EQ(-EINVAL, uncore_open_flags(NULL, 2, &self->uncore));
}

/* Rights: of the descriptor, not of the user. */

static int as_member(int sock, void *arg)
{
	struct uncore_pmu_program p;
	struct uncore_pmu_status status;
	struct uncore *uncore;
	const struct uncore_event *event = arg;
	int unit = heard(sock), counter = heard(sock), fd, ret = 0;

	if (become(MEMBER_UID))
		return 1;
	if (uncore_open_flags(NULL, UNCORE_OPEN_PROGRAM, &uncore) != -EACCES)
		return 2;
	if (uncore_open(NULL, &uncore))
		return 3;
	if (uncore_can_program(uncore) != 0 ||
	    uncore_program(uncore, (unsigned int)unit, event, &p) != -EBADF ||
	    uncore_release(uncore, 1) != -EBADF)
		ret = 4;
	/* everyone sees what is counted, not everyone by whom */
	else if (uncore_status(uncore, (unsigned int)unit,
			       (unsigned int)counter, &status) ||
		 status.state != UNCORE_PMU_COUNTER_CLAIMED ||
		 status.config != event->config || status.pid ||
		 status.comm[0] || status.own)
		ret = 5;
	uncore_close(uncore);
	if (ret)
		return ret;

	fd = receive_fd(sock);
	if (uncore_open_fd(fd, &uncore))
		return 6;
	ret = uncore_can_program(uncore) == 1 ? 0 : 7;
	say(sock, uncore_program(uncore, (unsigned int)unit, event, &p));
	say(sock, uncore_release(uncore, p.claim));
	uncore_close(uncore);
	return ret;
}

TEST_F(program, rights)
{
	struct uncore_pmu_program p;
	struct child child;

	ASSERT_EQ(0, claim(self, &self->read, &p));
	ASSERT_EQ(0, child_start(&child, as_member, &self->read));
	ASSERT_TRUE(say(child.sock, (int)p.unit));
	ASSERT_TRUE(say(child.sock, (int)p.counter));
	ASSERT_EQ(0, send_fd(child.sock, uncore_fd(self->uncore)));
	EXPECT_EQ(0, heard(child.sock));
	EXPECT_EQ(0, heard(child.sock));
	EXPECT_EQ(0, child_wait(&child));
	EXPECT_EQ(0, uncore_release(self->uncore, p.claim));
}

/* A reader that cannot program measures while root changes the event. */

static int measure(int sock, void *arg)
{
	const struct uncore_event *event = arg;
	struct uncore_counter counter;
	struct uncore_watch watch;
	struct uncore *uncore;
	int unit = heard(sock), index = heard(sock), round;
	uint64_t before, delta = 0;

	if (become(MEMBER_UID) || uncore_open(NULL, &uncore) ||
	    uncore_counter_open(uncore, (unsigned int)unit,
				(unsigned int)index, &counter))
		return 1;
	for (round = 0; round < 2; round++) {
		if (uncore_watch_begin(&counter, event, &watch))
			return 2;
		before = uncore_read(&counter);
		say(sock, round);
		heard(sock);
		say(sock, uncore_delta_checked(&counter, &watch, before,
					       uncore_read(&counter), &delta));
		say(sock, (int)delta);
	}
	say(sock, uncore_counter_status(&counter, &watch));
	uncore_close(uncore);
	return 0;
}

TEST_F(program, for_a_reader)
{
	struct uncore_pmu_program p, other;
	struct child child;

	ASSERT_EQ(0, claim(self, &self->read, &p));
	ASSERT_EQ(0, child_start(&child, measure, &self->read));
	ASSERT_TRUE(say(child.sock, (int)p.unit));
	ASSERT_TRUE(say(child.sock, (int)p.counter));

	ASSERT_EQ(0, heard(child.sock));
	ASSERT_EQ(0, sim_add(self->sim, unit_addr(&self->info), p.counter,
			     1000));
	ASSERT_TRUE(say(child.sock, 0));
	EXPECT_EQ(0, heard(child.sock));
	EXPECT_EQ(1000, heard(child.sock));

	ASSERT_EQ(1, heard(child.sock));
	ASSERT_EQ(0, sim_add(self->sim, unit_addr(&self->info), p.counter,
			     1000));
	ASSERT_EQ(0, uncore_release(self->uncore, p.claim));
	ASSERT_EQ(0, claim(self, &self->write, &other));
	ASSERT_EQ(p.counter, other.counter);
	ASSERT_TRUE(say(child.sock, 0));
	EXPECT_EQ(-ESTALE, heard(child.sock));
	EXPECT_EQ(1000, heard(child.sock));
	EXPECT_EQ(UNCORE_REPROGRAMMED, heard(child.sock));
	EXPECT_EQ(0, child_wait(&child));
	EXPECT_EQ(0, uncore_release(self->uncore, other.claim));
}

TEST_HARNESS_MAIN
