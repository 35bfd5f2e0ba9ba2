// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 */
/* perf moves claimed events to other counters, and perhaps back. */
#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include <uncore.h>

#include "claims.h"
#include "harness.h"
#include "perf.h"

/* A unit whose first counter alone can count 0x13, and one without any rule. */
FIXTURE(moves)
{
	struct rig rig;
	const struct uncore_pmu_unit *ruled;
	const struct uncore_pmu_unit *free;
	int ruled_pmu;
	int free_pmu;
	int cpu;
};

FIXTURE_SETUP(moves)
{
	ASSERT_TRUE(module_loaded("intel_uncore"));
	ASSERT_EQ(0, rig_open(&self->rig));
	self->ruled = rig_unit(&self->rig, "r2pcie", 0, 0);
	self->free = rig_unit(&self->rig, "ha", 0, 0);
	ASSERT_NE(NULL, self->ruled);
	ASSERT_NE(NULL, self->free);
	self->ruled_pmu = perf_pmu_type("r2pcie", 0);
	self->free_pmu = perf_pmu_type("ha", 0);
	self->cpu = perf_pmu_cpu("r2pcie", 0, 0);
	ASSERT_LE(0, self->ruled_pmu);
	ASSERT_LE(0, self->free_pmu);
	ASSERT_LE(0, self->cpu);
	ASSERT_EQ(self->cpu, perf_pmu_cpu("ha", 0, 0));
}

FIXTURE_TEARDOWN(moves)
{
	rig_close(&self->rig);
}

/*
 * The counter that our claim has been moved to, which it counts in exactly;
 * -1 if there is none.
 */
static int moved_to(FIXTURE_DATA(moves) *self,
		    const struct uncore_pmu_program *p)
{
	struct uncore_pmu_program now = *p;
	struct uncore_pmu_status status;
	uint32_t n;

	for (n = 0; n < self->rig.units.unit[p->unit].num_counters; n++) {
		if (counter_status(self->rig.fd, p->unit, n, &status))
			return -1;
		if (status.claim != p->claim)
			continue;
		now.counter = n;
		if (status.state != UNCORE_PMU_COUNTER_CLAIMED ||
		    status.config != p->config || !status.own ||
		    !(status.generation & 1) ||
		    !claim_counts(&self->rig, &now, 99))
			return -1;
		return n;
	}
	return -1;
}

/* Only the first counter can count 0x13; ours must go elsewhere. */
TEST_F(moves, perf_moves_our_event)
{
	struct uncore_pmu_program p;
	uint64_t value;
	uint32_t old;
	int fd, now;

	ASSERT_EQ(0, claim(self->rig.fd, self->ruled->index, plain_event(0), &p));
	ASSERT_EQ(0U, p.counter);
	fd = perf_open(self->ruled_pmu, self->cpu, 0x113);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, perf_read(fd, &value));
	/* The reader at the old place is told without asking. */
	old = generation_await_change(self->rig.generations, p.unit, 0,
				      p.generation);
	EXPECT_NE(p.generation, old);
	EXPECT_EQ(0U, old & 1);
	now = moved_to(self, &p);
	EXPECT_LT(0, now);
	EXPECT_EQ(UNCORE_PMU_COUNTER_OTHER,
		  counter_state(self->rig.fd, p.unit, 0));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
		  counter_state(self->rig.fd, p.unit, now));
	EXPECT_EQ(0, perf_read(fd, &value));
	close(fd);
}

/* How a reader of the library sees the counter of a claim. */
struct reader {
	struct uncore *uncore;
	struct uncore_counter counter;
	struct uncore_watch watch;
	uint64_t before;
	uint64_t delta;
};

static int reader_open(struct reader *reader,
		       const struct uncore_pmu_program *p)
{
	int err = uncore_open(NULL, &reader->uncore);

	return err ? err : uncore_counter_open(reader->uncore, p->unit,
					       p->counter, &reader->counter);
}

static int reader_begin(struct reader *reader)
{
	int validity = uncore_watch_begin(&reader->counter, NULL,
					  &reader->watch);

	reader->before = uncore_read(&reader->counter);
	reader->delta = 0x5a5a;
	return validity;
}

static int reader_end(struct reader *reader)
{
	return uncore_delta_checked(&reader->counter, &reader->watch,
				    reader->before,
				    uncore_read(&reader->counter),
				    &reader->delta);
}

static void reader_close(struct reader *reader)
{
	uncore_counter_close(&reader->counter);
	uncore_close(reader->uncore);
}

/*
 * Our event was in another counter and is back where it was, where others have
 * counted meanwhile: no register says so. What comes after is as it should be.
 */
static void expect_break(struct __test_metadata *_metadata,
			 FIXTURE_DATA(moves) *self, struct reader *reader,
			 const struct uncore_pmu_program *p)
{
	struct uncore_pmu_status status;

	EXPECT_EQ(-ESTALE, reader_end(reader));
	EXPECT_EQ(0x5a5aULL, reader->delta);
	EXPECT_EQ(UNCORE_REPROGRAMMED,
		  uncore_counter_status(&reader->counter, &reader->watch));
	ASSERT_EQ(0, counter_status(self->rig.fd, p->unit, p->counter,
				    &status));
	EXPECT_EQ((uint32_t)UNCORE_PMU_COUNTER_CLAIMED, status.state);
	EXPECT_EQ(p->claim, status.claim);
	EXPECT_NE(p->generation, status.generation);
	EXPECT_EQ(1U, status.generation & 1);

	EXPECT_EQ(UNCORE_VALID, reader_begin(reader));
	ASSERT_EQ(0, claim_add(&self->rig, p, 4711));
	EXPECT_EQ(0, reader_end(reader));
	EXPECT_EQ(4711ULL, reader->delta);
}

TEST_F(moves, perf_moves_our_event_and_back)
{
	struct uncore_pmu_program p;
	struct reader reader;
	uint64_t value, ours;
	int fd;

	ASSERT_EQ(0, claim(self->rig.fd, self->ruled->index, plain_event(0), &p));
	ASSERT_EQ(0U, p.counter);
	ours = claim_control(&self->rig, &p);
	ASSERT_EQ(0, reader_open(&reader, &p));
	ASSERT_EQ(UNCORE_VALID, reader_begin(&reader));

	fd = perf_open_shared(self->ruled_pmu, self->cpu, 0x113);
	ASSERT_LE(0, fd);
	EXPECT_NE(ours, claim_control(&self->rig, &p));
	ASSERT_EQ(0, claim_add(&self->rig, &p, 777777));
	EXPECT_EQ(0, perf_read(fd, &value));
	EXPECT_EQ(777777ULL, value);
	close(fd);
	fd = perf_open_shared(self->ruled_pmu, self->cpu, plain_event(1));
	ASSERT_LE(0, fd);
	close(fd);
	ASSERT_EQ(ours, claim_control(&self->rig, &p));

	expect_break(_metadata, self, &reader, &p);
	reader_close(&reader);
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* Without any rule, an older event that is pinned as ours is does it. */
TEST_F(moves, perf_switches_an_older_event)
{
	struct uncore_pmu_program p;
	struct reader reader;
	uint64_t ours;
	int older, fd;

	older = perf_open(self->free_pmu, self->cpu, plain_event(0));
	ASSERT_LE(0, older);
	ASSERT_EQ(0, ioctl(older, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, claim(self->rig.fd, self->free->index, plain_event(1),
			   &p));
	ASSERT_EQ(0U, p.counter);
	ours = claim_control(&self->rig, &p);
	ASSERT_EQ(0, reader_open(&reader, &p));
	ASSERT_EQ(UNCORE_VALID, reader_begin(&reader));

	ASSERT_EQ(0, ioctl(older, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_NE(ours, claim_control(&self->rig, &p));
	ASSERT_EQ(0, claim_add(&self->rig, &p, 777777));
	ASSERT_EQ(0, ioctl(older, PERF_EVENT_IOC_DISABLE, 0));
	fd = perf_open_shared(self->free_pmu, self->cpu, plain_event(2));
	ASSERT_LE(0, fd);
	close(fd);
	ASSERT_EQ(ours, claim_control(&self->rig, &p));

	EXPECT_EQ(0, uncore_counter_look(&reader.counter));
	expect_break(_metadata, self, &reader, &p);
	reader_close(&reader);
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	close(older);
}

/* perf puts what is pinned anew each time, ours in its old place: no break. */
TEST_F(moves, perf_puts_our_event_where_it_was)
{
	struct uncore_pmu_program p;
	struct reader reader;
	int fd;

	ASSERT_EQ(0, claim(self->rig.fd, self->ruled->index, plain_event(0), &p));
	ASSERT_EQ(0, reader_open(&reader, &p));
	ASSERT_EQ(UNCORE_VALID, reader_begin(&reader));
	ASSERT_EQ(0, claim_add(&self->rig, &p, 8));
	fd = perf_open(self->ruled_pmu, self->cpu, plain_event(1));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, claim_add(&self->rig, &p, 9));
	close(fd);
	EXPECT_EQ(0, reader_end(&reader));
	EXPECT_EQ(17ULL, reader.delta);
	EXPECT_TRUE(claim_unchanged(&self->rig, &p));
	reader_close(&reader);
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* Our own next claim does the same to the one before. */
TEST_F(moves, we_move_our_event)
{
	struct uncore_pmu_program first, second;

	ASSERT_EQ(0, claim(self->rig.fd, self->ruled->index, plain_event(0), &first));
	ASSERT_EQ(0U, first.counter);
	ASSERT_EQ(0, claim(self->rig.fd, self->ruled->index, 0x113, &second));
	EXPECT_EQ(0U, second.counter);
	EXPECT_NE(first.generation, second.generation);
	EXPECT_EQ(1U, second.generation & 1);
	EXPECT_EQ(second.generation,
		  generation_of(self->rig.generations, second.unit, 0));
	EXPECT_LT(0, moved_to(self, &first));
	/* Having been looked at, the second is what it was. */
	EXPECT_TRUE(claim_unchanged(&self->rig, &second));
	EXPECT_TRUE(claim_counts(&self->rig, &second, 4));
	/* Nobody else can go there. */
	EXPECT_EQ(-EBUSY, claim(self->rig.fd, self->ruled->index, 0x213, NULL));
	EXPECT_LT(0, moved_to(self, &first));
	EXPECT_EQ(0, claim_release(self->rig.fd, second.claim));
	EXPECT_LT(0, moved_to(self, &first));
	EXPECT_EQ(0, claim_release(self->rig.fd, first.claim));
}

/* Nobody has asked since perf moved it: what takes its place is unharmed. */
TEST_F(moves, a_moved_claim_is_released_unasked)
{
	struct uncore_pmu_program first, second;

	ASSERT_EQ(0, claim(self->rig.fd, self->ruled->index, plain_event(0), &first));
	ASSERT_EQ(0, claim(self->rig.fd, self->ruled->index, 0x113, &second));
	ASSERT_EQ(first.counter, second.counter);
	EXPECT_EQ(0, claim_release(self->rig.fd, first.claim));
	EXPECT_TRUE(claim_unchanged(&self->rig, &second));
	EXPECT_TRUE(claim_counts(&self->rig, &second, 5));
	EXPECT_EQ(0, claim_release(self->rig.fd, second.claim));
}

TEST_HARNESS_MAIN
