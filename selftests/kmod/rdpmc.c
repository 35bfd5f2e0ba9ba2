// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=member kernels=all timeout=300 */
/* Who may execute RDPMC: a process with a mapping, in all its threads. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>

#include "harness.h"

#define MAX_CPUS	64

FIXTURE(rdpmc)
{
	int fd;
	struct units units;
	struct uncore_pmu_unit unit;
	int granted;
};

/* A unit's page gives the right, and so does the page for nothing else. */
FIXTURE_VARIANT(rdpmc)
{
	bool alone;
};

FIXTURE_VARIANT_ADD(rdpmc, unit)
{
	.alone = false,
};

FIXTURE_VARIANT_ADD(rdpmc, alone)
{
	.alone = true,
};

FIXTURE_SETUP(rdpmc)
{
	const struct uncore_pmu_unit *unit;

	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	unit = units_first(&self->units, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	self->unit = *unit;
	if (variant->alone) {
		self->unit.mmap_offset = UNCORE_PMU_RDPMC_OFFSET;
		self->unit.mmap_length = UNCORE_PMU_RDPMC_LENGTH;
	}
	self->granted = rdpmc_granted();
	/* The two answers must differ, or the tests would prove nothing. */
	ASSERT_NE(RDPMC_DENIED, self->granted);
	ASSERT_EQ(RDPMC_DENIED, trap_rdpmc());
	ASSERT_LT(1, cpu_count());
}

FIXTURE_TEARDOWN(rdpmc)
{
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	units_free(&self->units);
	close(self->fd);
	EXPECT_EQ(0, module_references());
}

TEST_F(rdpmc, with_the_mapping)
{
	void *page;
	int i;

	for (i = 0; i < 100; i++) {
		page = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, page);
		ASSERT_EQ(self->granted, trap_rdpmc());
		ASSERT_EQ(0, munmap(page, PAGE));
		ASSERT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
	}
}

TEST_F(rdpmc, not_with_the_descriptor_alone)
{
	int fd = node_open(O_RDONLY);
	struct units units = units_get(fd);

	EXPECT_LT(0U, units.count);
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	units_free(&units);
	close(fd);
}

TEST_F(rdpmc, not_with_a_refused_mapping)
{
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE,
				   self->fd, self->unit.mmap_offset));
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED,
				   self->fd, self->unit.mmap_offset));
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				   MAP_SHARED, self->fd,
				   self->unit.mmap_offset));
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
}

TEST_F(rdpmc, on_every_cpu)
{
	int cpus = cpu_count();
	int from, to;
	void *page;

	/* Mapped on one, used on another, unmapped on the first. */
	for (from = 0; from < cpus; from++)
		for (to = 0; to < cpus; to++) {
			ASSERT_EQ(0, pin_to(from));
			page = unit_map(self->fd, &self->unit);
			ASSERT_NE(MAP_FAILED, page);
			ASSERT_EQ(self->granted, trap_rdpmc());
			ASSERT_EQ(0, pin_to(to));
			EXPECT_EQ(self->granted, rdpmc_await(self->granted));
			ASSERT_EQ(0, pin_to(from));
			ASSERT_EQ(0, munmap(page, PAGE));
			EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
			ASSERT_EQ(0, pin_to(to));
			EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
		}
}

/* A thread that does nothing but RDPMC, on a CPU of its own. */
struct spinner {
	pthread_t thread;
	int cpu;
	volatile bool stop;
	volatile int last;
	volatile unsigned long rounds;
};

static void *spin(void *arg)
{
	struct spinner *spinner = arg;

	pin_to(spinner->cpu);
	while (!spinner->stop) {
		spinner->last = trap_rdpmc();
		spinner->rounds++;
	}
	return NULL;
}

/* Two whole rounds later the last answer is of now. */
static int spinner_await(const struct spinner *spinner, int expected)
{
	int end = now_ms() + PATIENCE_MS;
	unsigned long rounds;

	do {
		rounds = spinner->rounds;
		while (spinner->rounds < rounds + 2 && now_ms() < end)
			sched_yield();
	} while (spinner->last != expected && now_ms() < end);
	return spinner->last;
}

TEST_F(rdpmc, in_threads_already_running)
{
	struct spinner spinner[MAX_CPUS] = { 0 };
	int cpus = cpu_count();
	int i, round;
	void *page;

	ASSERT_GE(MAX_CPUS, cpus);
	for (i = 0; i < cpus; i++) {
		spinner[i].cpu = i;
		ASSERT_EQ(0, pthread_create(&spinner[i].thread, NULL, spin,
					    &spinner[i]));
	}
	for (round = 0; round < 10; round++) {
		for (i = 0; i < cpus; i++) {
			EXPECT_EQ(RDPMC_DENIED,
				  spinner_await(&spinner[i], RDPMC_DENIED));
		}
		page = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, page);
		EXPECT_EQ(self->granted, trap_rdpmc());
		for (i = 0; i < cpus; i++) {
			EXPECT_EQ(self->granted,
				  spinner_await(&spinner[i], self->granted));
		}
		ASSERT_EQ(0, munmap(page, PAGE));
	}
	for (i = 0; i < cpus; i++) {
		EXPECT_EQ(RDPMC_DENIED,
			  spinner_await(&spinner[i], RDPMC_DENIED));
		spinner[i].stop = true;
		pthread_join(spinner[i].thread, NULL);
	}
}

static void *probe(void *arg)
{
	*(int *)arg = trap_rdpmc();
	return NULL;
}

TEST_F(rdpmc, in_threads_made_later)
{
	int cpus = cpu_count();
	void *page = unit_map(self->fd, &self->unit);
	pthread_t thread;
	int i, seen;

	ASSERT_NE(MAP_FAILED, page);
	for (i = 0; i < 4 * cpus; i++) {
		pin_to(i % cpus);
		seen = -1;
		ASSERT_EQ(0, pthread_create(&thread, NULL, probe, &seen));
		pthread_join(thread, NULL);
		EXPECT_EQ(self->granted, seen);
	}
	ASSERT_EQ(0, munmap(page, PAGE));
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

TEST_F(rdpmc, until_the_last_of_several)
{
	void *page[8];
	int i;

	for (i = 0; i < 8; i++) {
		page[i] = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, page[i]);
	}
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(self->granted, trap_rdpmc());
		sched_yield();
		ASSERT_EQ(0, munmap(page[i], PAGE));
	}
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

static int probes_when_asked(int sock, void *arg)
{
	(void)arg;
	while (heard(sock) >= 0)
		say(sock, trap_rdpmc());
	return 0;
}

/* Unrelated, made before the mapping, on the same CPU as the one that maps. */
TEST_F(rdpmc, not_in_another_process)
{
	int cpus = cpu_count();
	struct child child;
	void *page;
	int i;

	for (i = 0; i < cpus; i++) {
		ASSERT_EQ(0, pin_to(i));
		ASSERT_EQ(0, child_start(&child, probes_when_asked, NULL));
		page = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, page);
		EXPECT_EQ(self->granted, trap_rdpmc());
		say(child.sock, 0);
		EXPECT_EQ(RDPMC_DENIED, heard(child.sock));
		EXPECT_EQ(self->granted, trap_rdpmc());
		ASSERT_EQ(0, munmap(page, PAGE));
		say(child.sock, 0);
		EXPECT_EQ(RDPMC_DENIED, heard(child.sock));
		shutdown(child.sock, SHUT_RDWR);
		EXPECT_EQ(0, child_wait(&child));
	}
}

struct inherited {
	void *page[2];
	int granted;
};

static int inherits(int sock, void *arg)
{
	struct inherited *in = arg;

	if (trap_rdpmc() != in->granted)
		return 1;
	say(sock, 0);
	heard(sock);
	/* The parent has given up everything. */
	if (trap_rdpmc() != in->granted)
		return 2;
	munmap(in->page[0], PAGE);
	sched_yield();
	if (trap_rdpmc() != in->granted)
		return 3;
	munmap(in->page[1], PAGE);
	return rdpmc_await(RDPMC_DENIED) == RDPMC_DENIED ? 0 : 4;
}

TEST_F(rdpmc, child_inherits)
{
	struct inherited in = { .granted = self->granted };
	struct child child;
	int i;

	for (i = 0; i < 2; i++) {
		in.page[i] = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, in.page[i]);
	}
	ASSERT_EQ(0, child_start(&child, inherits, &in));
	ASSERT_EQ(0, heard(child.sock));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, munmap(in.page[i], PAGE));
	}
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
}

static int gives_up(int sock, void *arg)
{
	struct inherited *in = arg;
	int i;

	(void)sock;
	for (i = 0; i < 2; i++)
		munmap(in->page[i], PAGE);
	return rdpmc_await(RDPMC_DENIED) == RDPMC_DENIED ? 0 : 1;
}

TEST_F(rdpmc, child_gives_up_and_parent_keeps)
{
	struct inherited in = { .granted = self->granted };
	int i;

	for (i = 0; i < 2; i++) {
		in.page[i] = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, in.page[i]);
	}
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, child_run(gives_up, &in));
		EXPECT_EQ(self->granted, trap_rdpmc());
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, munmap(in.page[i], PAGE));
	}
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

static int child_body_of_three(int sock, void *arg)
{
	(void)sock;
	return child_run(gives_up, arg) ||
	       trap_rdpmc() != ((struct inherited *)arg)->granted;
}

TEST_F(rdpmc, three_generations)
{
	struct inherited in = { .granted = self->granted };
	int i;

	for (i = 0; i < 2; i++) {
		in.page[i] = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, in.page[i]);
	}
	EXPECT_EQ(0, child_run(child_body_of_three, &in));
	EXPECT_EQ(self->granted, trap_rdpmc());
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, munmap(in.page[i], PAGE));
	}
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

static int execs(int sock, void *arg)
{
	(void)sock;
	(void)arg;
	return rdpmc_exec();
}

TEST_F(rdpmc, not_after_exec)
{
	void *page = unit_map(self->fd, &self->unit);
	int i;

	ASSERT_NE(MAP_FAILED, page);
	for (i = 0; i < 10; i++) {
		EXPECT_EQ(RDPMC_DENIED, child_run(execs, NULL));
	}
	EXPECT_EQ(self->granted, trap_rdpmc());
	ASSERT_EQ(0, munmap(page, PAGE));
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

/* Without the vma in the child, no vma close will ever take the right away. */
TEST_F(rdpmc, not_in_a_child_without_the_mapping)
{
	void *page = unit_map(self->fd, &self->unit);
	struct child child;

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, madvise(page, PAGE, MADV_DONTFORK));
	ASSERT_EQ(0, child_start(&child, probes_when_asked, NULL));
	say(child.sock, 0);
	EXPECT_EQ(RDPMC_DENIED, heard(child.sock));
	shutdown(child.sock, SHUT_RDWR);
	EXPECT_EQ(0, child_wait(&child));
	ASSERT_EQ(0, munmap(page, PAGE));
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

TEST_HARNESS_MAIN
