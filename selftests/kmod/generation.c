// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=120 */
/*
 * An unprivileged reader knows, without a system call, whether a difference is
 * one of the event that it expects.
 */
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "claims.h"
#include "harness.h"

#define EVENT	0x304

/* What the child shares with its parent; no system call is needed to talk. */
struct board {
	volatile uint32_t step;		/* the parent's */
	volatile uint32_t done;		/* the child's */
	volatile uint32_t generation[2];
	volatile uint32_t control[2];
	volatile uint64_t count[2];
	uint32_t unit;
	uint32_t counter;
};

FIXTURE(generation)
{
	struct rig rig;
	uint32_t unit;
	struct board *board;
	struct child child;
};

static void note(struct board *board, int n, const uint32_t *generations,
		 const char *page, const struct uncore_pmu_counter *c)
{
	board->generation[n] = generation_of(generations, board->unit,
					     board->counter);
	board->control[n] = page_load(page, c->control);
	board->count[n] = counter_load(page, c);
}

/*
 * A member of the group. From the first note on, any system call but those of
 * seccomp's strict mode kills it.
 */
static int reads(int sock, void *arg)
{
	FIXTURE_DATA(generation) *self = arg;
	struct board *board = self->board;
	struct uncore_pmu_unit unit;
	uint32_t *generations;
	uint32_t length;
	void *page;
	int fd;

	if (become(MEMBER_UID) || node_open(O_RDWR) != -EACCES)
		return 1;
	fd = node_open(O_RDONLY);
	if (fd < 0 || unit_describe(fd, board->unit, &unit))
		return 2;
	generations = generations_map(fd, &length);
	page = unit_map(fd, &unit);
	if (!generations || page == MAP_FAILED)
		return 3;
	say(sock, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 4;
	while (board->done < 100) {
		uint32_t next = board->done + 1;

		if (board->step < next)
			continue;
		note(board, next % 2, generations, page,
		     &unit.counter[board->counter]);
		__sync_synchronize();
		board->done = next;
	}
	syscall(SYS_exit, 0);
	return 5;
}

FIXTURE_SETUP(generation)
{
	const struct uncore_pmu_unit *unit;

	ASSERT_EQ(0, rig_open(&self->rig));
	unit = rig_unit(&self->rig, "imc", 0, 0);
	ASSERT_NE(NULL, unit);
	self->unit = unit->index;
	self->board = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->board);
	self->board->unit = unit->index;
	self->board->counter = 0;
	ASSERT_EQ(0, child_start(&self->child, reads, self));
	ASSERT_EQ(0, heard(self->child.sock));
}

FIXTURE_TEARDOWN(generation)
{
	int end = now_ms() + PATIENCE_MS;

	/* It ends by itself: no system call has killed it. */
	while (self->board->done < 100 && now_ms() < end)
		self->board->step = self->board->done + 1;
	EXPECT_EQ(100U, self->board->done);
	EXPECT_EQ(0, child_wait(&self->child));
	rig_close(&self->rig);
}

/* The reader takes its next note. */
static bool let_it_read(FIXTURE_DATA(generation) *self)
{
	int end = now_ms() + PATIENCE_MS;
	uint32_t next = self->board->done + 1;

	__sync_synchronize();
	self->board->step = next;
	while (self->board->done < next && now_ms() < end)
		sched_yield();
	return self->board->done == next;
}

/* Between its last two notes, the rule of the header. */
static bool difference_is_valid(FIXTURE_DATA(generation) *self, uint32_t event)
{
	const struct board *b = self->board;
	uint32_t enable = self->rig.units.unit[b->unit]
				  .counter[b->counter].enable;

	return b->generation[0] == b->generation[1] && b->generation[0] & 1 &&
	       b->control[0] == b->control[1] &&
	       b->control[0] == (event | enable);
}

static uint64_t difference(FIXTURE_DATA(generation) *self)
{
	const struct board *b = self->board;
	int last = b->done % 2;

	return b->count[last] - b->count[!last];
}

TEST_F(generation, nothing_happens)
{
	struct uncore_pmu_program p;
	int i;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	ASSERT_EQ(self->board->counter, p.counter);
	ASSERT_TRUE(let_it_read(self));
	for (i = 1; i < 20; i++) {
		ASSERT_EQ(0, claim_add(&self->rig, &p, i));
		ASSERT_TRUE(let_it_read(self));
		EXPECT_TRUE(difference_is_valid(self, EVENT));
		EXPECT_EQ((uint64_t)i, difference(self));
	}
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

TEST_F(generation, not_programmed)
{
	ASSERT_TRUE(let_it_read(self));
	ASSERT_TRUE(let_it_read(self));
	EXPECT_FALSE(difference_is_valid(self, EVENT));
}

TEST_F(generation, released)
{
	struct uncore_pmu_program p;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	ASSERT_TRUE(let_it_read(self));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	ASSERT_TRUE(let_it_read(self));
	EXPECT_FALSE(difference_is_valid(self, EVENT));
}

/* Between two looks released and claimed again, with the same event. */
TEST_F(generation, programmed_anew)
{
	struct uncore_pmu_program p;
	int i;

	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
		ASSERT_TRUE(let_it_read(self));
		ASSERT_EQ(0, claim_release(self->rig.fd, p.claim));
		ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
		ASSERT_EQ(self->board->counter, p.counter);
		ASSERT_TRUE(let_it_read(self));
		EXPECT_FALSE(difference_is_valid(self, EVENT));
		EXPECT_EQ(self->board->control[0], self->board->control[1]);
		ASSERT_EQ(0, claim_release(self->rig.fd, p.claim));
	}
}

/* By who writes registers: the control register tells. */
TEST_F(generation, written_by_someone_else)
{
	const struct uncore_pmu_unit *u = &self->rig.units.unit[self->unit];
	const struct uncore_pmu_counter *c;
	struct uncore_pmu_program p;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	c = &u->counter[p.counter];
	ASSERT_TRUE(let_it_read(self));
	ASSERT_EQ(0, config_store(u, c->control, c->enable | 0xc04));
	ASSERT_TRUE(let_it_read(self));
	EXPECT_FALSE(difference_is_valid(self, EVENT));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* Every counter of every unit has a word of its own. */
TEST_F(generation, one_for_every_counter)
{
	static struct uncore_pmu_program p[1024];
	int i, k, count = claim_all(&self->rig, p, 1024);
	uint32_t *all = self->rig.generations;
	uint32_t words = self->rig.units.count * UNCORE_PMU_MAX_COUNTERS;
	uint32_t *before = calloc(words, sizeof(*before));
	uint32_t n, changed;

	ASSERT_LT(0, count);
	ASSERT_NE(NULL, before);
	for (n = 0; n < words; n++)
		before[n] = page_load(all, 4 * n);
	for (i = 0; i < count; i++) {
		EXPECT_EQ(p[i].generation,
			  generation_of(all, p[i].unit, p[i].counter));
		EXPECT_EQ(1U, p[i].generation & 1);
	}
	for (i = 0; i < count; i++) {
		EXPECT_EQ(0, claim_release(self->rig.fd, p[i].claim));
		for (n = 0, changed = 0; n < words; n++)
			changed += page_load(all, 4 * n) != before[n];
		EXPECT_EQ((uint32_t)i + 1, changed);
		k = p[i].unit * UNCORE_PMU_MAX_COUNTERS + p[i].counter;
		EXPECT_NE(before[k], page_load(all, 4 * k));
		EXPECT_EQ(0U, page_load(all, 4 * k) & 1);
	}
	free(before);
}

TEST_HARNESS_MAIN
