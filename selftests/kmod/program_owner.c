// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 */
/* A claim lives exactly as long as the open file that made it. */
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "claims.h"
#include "harness.h"

#define EVENT		0x304
#define PROBE_VARIABLE	"UNCORE_PROBE_CLAIM"

FIXTURE(owner)
{
	struct rig rig;
	uint32_t unit;
	uint32_t *registers;
};

FIXTURE_SETUP(owner)
{
	const struct uncore_pmu_unit *unit;
	struct uncore_pmu_program p;

	ASSERT_EQ(0, rig_open(&self->rig));
	unit = rig_unit(&self->rig, "imc", 0, 0);
	ASSERT_NE(NULL, unit);
	self->unit = unit->index;
	/* perf unfreezes a unit with its first event, and leaves it so. */
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	ASSERT_EQ(0, claim_release(self->rig.fd, p.claim));
	self->registers = registers_save(&self->rig);
	ASSERT_NE(NULL, self->registers);
}

FIXTURE_TEARDOWN(owner)
{
	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
	free(self->registers);
	rig_close(&self->rig);
}

static int state_of(const struct rig *rig, const struct uncore_pmu_program *p)
{
	return counter_state(rig->fd, p->unit, p->counter);
}

static bool still_counts(const struct rig *rig,
			 const struct uncore_pmu_program *p)
{
	return claim_unchanged(rig, p) && claim_counts(rig, p, 777);
}

static bool has_ended(const struct rig *rig, const struct uncore_pmu_program *p)
{
	return state_of(rig, p) == UNCORE_PMU_COUNTER_FREE &&
	       !(generation_of(rig->generations, p->unit, p->counter) & 1) &&
	       claim_release(rig->fd, p->claim) == -ENOENT;
}

TEST_F(owner, one_of_two_descriptors_is_closed)
{
	struct uncore_pmu_program p;
	int fd = node_open(O_RDWR);
	int twin = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	ASSERT_LE(0, twin);
	ASSERT_EQ(0, claim(fd, self->unit, EVENT, &p));
	close(fd);
	EXPECT_TRUE(still_counts(&self->rig, &p));
	/* It is one open file: the twin may release as well. */
	EXPECT_EQ(0, claim_release(twin, p.claim));
	EXPECT_TRUE(has_ended(&self->rig, &p));
	ASSERT_EQ(0, claim(twin, self->unit, EVENT, &p));
	EXPECT_TRUE(still_counts(&self->rig, &p));
	close(twin);
	EXPECT_TRUE(has_ended(&self->rig, &p));
}

TEST_F(owner, a_mapping_holds_it)
{
	struct uncore_pmu_program p;
	int fd = node_open(O_RDWR);
	void *page;

	page = unit_map(fd, &self->rig.units.unit[self->unit]);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, claim(fd, self->unit, EVENT, &p));
	close(fd);
	EXPECT_TRUE(still_counts(&self->rig, &p));
	munmap(page, PAGE);
	EXPECT_TRUE(has_ended(&self->rig, &p));
}

struct heir {
	uint32_t unit;
	int fd;
	struct uncore_pmu_program p;
};

/* Claims, passes the descriptor on, and then does nothing. */
static int claims_and_waits(int sock, void *arg)
{
	struct heir *heir = arg;
	int fd = node_open(O_RDWR);

	if (claim(fd, heir->unit, EVENT, &heir->p) ||
	    send(sock, &heir->p, sizeof(heir->p), 0) != sizeof(heir->p))
		return 1;
	if (send_fd(sock, fd))
		return 2;
	heard(sock);
	return 0;
}

/* Starts a child that claims, and hears what. */
static int start_heir(struct child *child, struct heir *heir,
		      int (*fn)(int sock, void *arg))
{
	int err = child_start(child, fn, heir);

	if (err)
		return err;
	return recv(child->sock, &heir->p, sizeof(heir->p), 0) ==
	       sizeof(heir->p) ? 0 : -EPROTO;
}

static int start_claimer(struct child *child, struct heir *heir)
{
	int err = start_heir(child, heir, claims_and_waits);

	if (err)
		return err;
	heir->fd = receive_fd(child->sock);
	return heir->fd < 0 ? heir->fd : 0;
}

static int end_by(struct child *child, int sig)
{
	kill(child->pid, sig);
	return child_wait(child);
}

TEST_F(owner, killed_holder)
{
	struct heir heir = { .unit = self->unit };
	struct child child;

	ASSERT_EQ(0, start_claimer(&child, &heir));
	close(heir.fd);
	EXPECT_TRUE(still_counts(&self->rig, &heir.p));
	EXPECT_EQ(128 + SIGKILL, end_by(&child, SIGKILL));
	EXPECT_TRUE(has_ended(&self->rig, &heir.p));
}

TEST_F(owner, passed_on_and_claimer_killed)
{
	struct heir heir = { .unit = self->unit };
	struct child child;

	ASSERT_EQ(0, start_claimer(&child, &heir));
	EXPECT_EQ(128 + SIGKILL, end_by(&child, SIGKILL));
	EXPECT_TRUE(still_counts(&self->rig, &heir.p));
	close(heir.fd);
	EXPECT_TRUE(has_ended(&self->rig, &heir.p));
}

TEST_F(owner, passed_on_is_passed_on_whole)
{
	struct heir heir = { .unit = self->unit };
	struct uncore_pmu_status status;
	struct child child;

	ASSERT_EQ(0, start_claimer(&child, &heir));
	ASSERT_EQ(0, counter_status(heir.fd, heir.p.unit, heir.p.counter,
				    &status));
	EXPECT_EQ(1U, status.own);
	EXPECT_EQ(child.pid, status.pid);
	EXPECT_EQ(0, claim_release(heir.fd, heir.p.claim));
	EXPECT_TRUE(has_ended(&self->rig, &heir.p));
	EXPECT_EQ(128 + SIGKILL, end_by(&child, SIGKILL));
	close(heir.fd);
}

/* In flight only: nobody has it, and the last socket with it ends it. */
TEST_F(owner, in_a_socket)
{
	struct uncore_pmu_program p;
	int fd = node_open(O_RDWR);
	int pair[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				pair));
	ASSERT_EQ(0, claim(fd, self->unit, EVENT, &p));
	ASSERT_EQ(0, send_fd(pair[0], fd));
	close(fd);
	EXPECT_TRUE(still_counts(&self->rig, &p));
	close(pair[0]);
	close(pair[1]);
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
		  counter_await(self->rig.fd, p.unit, p.counter,
				UNCORE_PMU_COUNTER_FREE));
	EXPECT_TRUE(has_ended(&self->rig, &p));
}

static int only_waits(int sock, void *arg)
{
	(void)arg;
	say(sock, 0);
	heard(sock);
	return 0;
}

TEST_F(owner, fork)
{
	struct uncore_pmu_program p;
	int fd = node_open(O_RDWR);
	struct child child;

	ASSERT_EQ(0, claim(fd, self->unit, EVENT, &p));
	ASSERT_EQ(0, child_start(&child, only_waits, NULL));
	ASSERT_EQ(0, heard(child.sock));
	close(fd);
	/* The child has it still. */
	EXPECT_TRUE(still_counts(&self->rig, &p));
	EXPECT_EQ(128 + SIGKILL, end_by(&child, SIGKILL));
	EXPECT_TRUE(has_ended(&self->rig, &p));
}

static int forked_child_ends(int sock, void *arg)
{
	(void)sock;
	close(*(int *)arg);
	return 0;
}

TEST_F(owner, fork_and_the_child_ends)
{
	struct uncore_pmu_program p;
	int fd = node_open(O_RDWR);

	ASSERT_EQ(0, claim(fd, self->unit, EVENT, &p));
	EXPECT_EQ(0, child_run(forked_child_ends, &fd));
	EXPECT_TRUE(still_counts(&self->rig, &p));
	close(fd);
	EXPECT_TRUE(has_ended(&self->rig, &p));
}

/* A new image that waits on descriptor 0, having inherited the node or not. */
static void __attribute__((constructor)) probe_start(void)
{
	if (!getenv(PROBE_VARIABLE))
		return;
	say(0, 0);
	heard(0);
	_exit(0);
}

static int claims_and_execs(int sock, void *arg)
{
	struct heir *heir = arg;

	/* heir->fd: the flags of the descriptor, for once */
	int fd = open(NODE, O_RDWR | heir->fd);

	if (fd < 0 || claim(fd, heir->unit, EVENT, &heir->p) ||
	    send(sock, &heir->p, sizeof(heir->p), 0) != sizeof(heir->p))
		return 1;
	dup2(sock, 0);
	setenv(PROBE_VARIABLE, "1", 1);
	execl("/proc/self/exe", "probe", (char *)NULL);
	return 2;
}

static int start_exec(struct child *child, struct heir *heir)
{
	int err = start_heir(child, heir, claims_and_execs);

	return err ? err : heard(child->sock);
}

TEST_F(owner, exec_keeps_it)
{
	struct heir heir = { .unit = self->unit, .fd = 0 };
	struct child child;

	ASSERT_EQ(0, start_exec(&child, &heir));
	EXPECT_TRUE(still_counts(&self->rig, &heir.p));
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
	EXPECT_TRUE(has_ended(&self->rig, &heir.p));
}

TEST_F(owner, exec_with_cloexec_ends_it)
{
	struct heir heir = { .unit = self->unit, .fd = O_CLOEXEC };
	struct child child;

	ASSERT_EQ(0, start_exec(&child, &heir));
	EXPECT_TRUE(has_ended(&self->rig, &heir.p));
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
}

/* Two users on the same unit; one is killed in the middle. */
TEST_F(owner, the_other_users_numbers_are_exact)
{
	struct heir heir = { .unit = self->unit };
	struct uncore_pmu_program mine;
	struct child child;
	uint64_t before;
	uint32_t i;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0xc04, &mine));
	before = claim_count(&self->rig, &mine);
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, start_claimer(&child, &heir));
		close(heir.fd);
		EXPECT_NE(mine.counter, heir.p.counter);
		ASSERT_EQ(0, claim_add(&self->rig, &mine, 1000));
		ASSERT_EQ(0, claim_add(&self->rig, &heir.p, 5));
		EXPECT_EQ(128 + SIGKILL, end_by(&child, SIGKILL));
		EXPECT_TRUE(has_ended(&self->rig, &heir.p));
		ASSERT_EQ(0, claim_add(&self->rig, &mine, 1));
		EXPECT_EQ(1001ULL * (i + 1),
			  claim_count(&self->rig, &mine) - before);
	}
	/* No generation changed: the difference is one of this event. */
	EXPECT_TRUE(claim_unchanged(&self->rig, &mine));
	EXPECT_EQ(0, claim_release(self->rig.fd, mine.claim));
}

/* With the clock running: what one sees is what the simulator has counted. */
TEST_F(owner, the_other_users_numbers_are_exact_while_all_runs)
{
	struct heir heir = { .unit = self->unit };
	const struct uncore_pmu_unit *u = &self->rig.units.unit[self->unit];
	struct uncore_pmu_program mine;
	uint64_t before, model, first;
	struct child child;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0xc04, &mine));
	ASSERT_EQ(0, start_claimer(&child, &heir));
	close(heir.fd);
	ASSERT_EQ(0, sim_get(self->rig.sim, unit_addr(u), mine.counter,
			     &first));
	before = claim_count(&self->rig, &mine);
	EXPECT_EQ(first, before);
	ASSERT_EQ(0, sim_clock(self->rig.sim, true));
	while (claim_count(&self->rig, &mine) == before)
		sched_yield();
	EXPECT_EQ(128 + SIGKILL, end_by(&child, SIGKILL));
	model = claim_count(&self->rig, &mine);
	while (claim_count(&self->rig, &mine) == model)
		sched_yield();
	ASSERT_EQ(0, sim_clock(self->rig.sim, false));
	ASSERT_EQ(0, sim_get(self->rig.sim, unit_addr(u), mine.counter,
			     &model));
	EXPECT_EQ(model - first, claim_count(&self->rig, &mine) - before);
	EXPECT_TRUE(claim_unchanged(&self->rig, &mine));
	EXPECT_TRUE(has_ended(&self->rig, &heir.p));
	EXPECT_EQ(0, claim_release(self->rig.fd, mine.claim));
}

/* The module stays as long as a claim does. */
TEST_F(owner, module_is_held)
{
	struct uncore_pmu_program p;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, EVENT, &p));
	EXPECT_EQ(-EAGAIN, module_unload());
	EXPECT_TRUE(still_counts(&self->rig, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

TEST_HARNESS_MAIN
