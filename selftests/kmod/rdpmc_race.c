// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=400 */
/* The right to RDPMC while many things happen at once, or nothing does. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>

#include "harness.h"

#define ROUNDS		300

FIXTURE(race)
{
	int fd;
	struct units units;
	struct uncore_pmu_unit unit;
	int granted;
};

FIXTURE_SETUP(race)
{
	const struct uncore_pmu_unit *unit;

	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	unit = units_first(&self->units, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	self->unit = *unit;
	self->granted = rdpmc_granted();
	ASSERT_EQ(RDPMC_DENIED, trap_rdpmc());
	ASSERT_LT(1, cpu_count());
}

FIXTURE_TEARDOWN(race)
{
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
	units_free(&self->units);
	close(self->fd);
	EXPECT_EQ(0, module_references());
}

/* What an innocent process sees while others map and unmap around it. */
struct innocent {
	int cpu;
	int answer;	/* the only one allowed */
};

static int stays_as_it_is(int sock, void *arg)
{
	const struct innocent *innocent = arg;
	unsigned long rounds = 0;
	int fd = sock;
	fd_set set;
	struct timeval none = { 0 };

	pin_to(innocent->cpu);
	say(sock, 0);
	for (;;) {
		if (trap_rdpmc() != innocent->answer)
			return 1;
		if (++rounds % 16)
			continue;
		sched_yield();
		FD_ZERO(&set);
		FD_SET(fd, &set);
		if (select(fd + 1, &set, NULL, NULL, &none) > 0)
			return 0;
	}
}

TEST_F(race, another_process_never_gains_it)
{
	struct innocent innocent[64];
	struct child child[64];
	int cpus = cpu_count();
	void *page;
	int i;

	ASSERT_GE(64, cpus);
	for (i = 0; i < cpus; i++) {
		innocent[i].cpu = i;
		innocent[i].answer = RDPMC_DENIED;
		ASSERT_EQ(0, child_start(&child[i], stays_as_it_is,
					 &innocent[i]));
		ASSERT_EQ(0, heard(child[i].sock));
	}
	for (i = 0; i < ROUNDS; i++) {
		pin_to(i % cpus);
		page = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, page);
		EXPECT_EQ(self->granted, trap_rdpmc());
		sched_yield();
		EXPECT_EQ(self->granted, trap_rdpmc());
		ASSERT_EQ(0, munmap(page, PAGE));
	}
	for (i = 0; i < cpus; i++) {
		say(child[i].sock, 0);
		EXPECT_EQ(0, child_wait(&child[i]));
	}
}

/* A process that has the right keeps it while others come and go. */
static int holds_it(int sock, void *arg)
{
	struct innocent *innocent = arg;
	int fd = node_open(O_RDONLY);

	if (rdpmc_map(fd) == MAP_FAILED)
		return 250;
	innocent->answer = rdpmc_granted();
	return stays_as_it_is(sock, innocent);
}

TEST_F(race, a_holder_never_loses_it)
{
	struct innocent innocent[64];
	struct child child[64];
	int cpus = cpu_count();
	void *page;
	int i;

	ASSERT_GE(64, cpus);
	for (i = 0; i < cpus; i++) {
		innocent[i].cpu = i;
		ASSERT_EQ(0, child_start(&child[i], holds_it, &innocent[i]));
		ASSERT_EQ(0, heard(child[i].sock));
	}
	for (i = 0; i < ROUNDS; i++) {
		pin_to(i % cpus);
		page = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, page);
		ASSERT_EQ(0, munmap(page, PAGE));
		sched_yield();
	}
	for (i = 0; i < cpus; i++) {
		say(child[i].sock, 0);
		EXPECT_EQ(0, child_wait(&child[i]));
	}
}

/* Threads of one process that map and unmap against each other. */
struct worker {
	pthread_t thread;
	int fd;
	const struct uncore_pmu_unit *unit;
	int granted;
	int cpu;
	int wrong;
};

static void *maps_and_probes(void *arg)
{
	struct worker *worker = arg;
	void *page;
	int i;

	pin_to(worker->cpu);
	for (i = 0; i < ROUNDS; i++) {
		page = unit_map(worker->fd, worker->unit);
		if (page == MAP_FAILED) {
			worker->wrong++;
			continue;
		}
		/* Whatever the others do, this thread holds a mapping here. */
		if (trap_rdpmc() != worker->granted)
			worker->wrong++;
		munmap(page, PAGE);
	}
	return NULL;
}

TEST_F(race, threads_map_and_unmap)
{
	struct worker worker[8];
	int cpus = cpu_count();
	int i;

	for (i = 0; i < 8; i++) {
		worker[i] = (struct worker){
			.fd = self->fd,
			.unit = &self->unit,
			.granted = self->granted,
			.cpu = i % cpus,
		};
		ASSERT_EQ(0, pthread_create(&worker[i].thread, NULL,
					    maps_and_probes, &worker[i]));
	}
	for (i = 0; i < 8; i++) {
		pthread_join(worker[i].thread, NULL);
		EXPECT_EQ(0, worker[i].wrong);
	}
	for (i = 0; i < cpus; i++) {
		pin_to(i);
		EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
	}
}

/* Gives up all it has, also what a thread of its parent had mapped. */
static int gives_up_everything(int sock, void *arg)
{
	(void)sock;
	(void)arg;
	pin_to(cpu_count() - 1);
	if (trap_rdpmc() != rdpmc_granted())
		return 1;
	if (unmap_all() < 1)
		return 2;
	return rdpmc_await(RDPMC_DENIED) == RDPMC_DENIED ? 0 : 3;
}

static void *maps_endlessly(void *arg)
{
	struct worker *worker = arg;
	void *page;

	while (!__atomic_load_n(&worker->wrong, __ATOMIC_RELAXED)) {
		page = unit_map(worker->fd, worker->unit);
		if (page != MAP_FAILED)
			munmap(page, PAGE);
	}
	return NULL;
}

/* The count that a child starts with is taken while it changes. */
TEST_F(race, fork_while_a_thread_maps)
{
	struct worker worker = { .fd = self->fd, .unit = &self->unit };
	void *page = unit_map(self->fd, &self->unit);
	int i;

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, pthread_create(&worker.thread, NULL, maps_endlessly,
				    &worker));
	for (i = 0; i < ROUNDS / 3; i++) {
		ASSERT_EQ(0, child_run(gives_up_everything, NULL));
	}
	__atomic_store_n(&worker.wrong, 1, __ATOMIC_RELAXED);
	pthread_join(worker.thread, NULL);
	EXPECT_EQ(self->granted, trap_rdpmc());
	ASSERT_EQ(0, munmap(page, PAGE));
}

/* Real-time threads: nothing else runs on their CPU until they say so. */
static int make_realtime(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	return sched_setscheduler(0, SCHED_FIFO, &param) ? -errno : 0;
}

struct hog {
	pthread_t thread;
	int cpu;
	int priority;
	volatile bool running;
	volatile bool stop;
	volatile int seen;
};

static void *hog(void *arg)
{
	struct hog *hog = arg;

	pin_to(hog->cpu);
	if (make_realtime(hog->priority))
		return NULL;
	hog->running = true;
	while (!hog->stop)
		hog->seen = trap_rdpmc();
	return NULL;
}

static int hog_start(struct hog *hogs)
{
	int end = now_ms() + PATIENCE_MS;

	/* No rest for others: what needs the CPU has to wait for the end. */
	file_write("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	if (pthread_create(&hogs->thread, NULL, hog, hogs))
		return -EAGAIN;
	while (!hogs->running && now_ms() < end)
		sched_yield();
	return hogs->running ? 0 : -ETIMEDOUT;
}

static void hog_stop(struct hog *hogs)
{
	hogs->stop = true;
	pthread_join(hogs->thread, NULL);
	file_write("/proc/sys/kernel/sched_rt_runtime_us", "950000");
}

TEST_F(race, a_hog_on_another_cpu_blocks_nobody)
{
	struct hog hogs = { .cpu = 1, .priority = 50 };
	void *page;
	int i;

	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, hog_start(&hogs));
	/* The hog runs until these have returned: that is the condition. */
	for (i = 0; i < 20; i++) {
		page = unit_map(self->fd, &self->unit);
		EXPECT_NE(MAP_FAILED, page);
		EXPECT_EQ(self->granted, trap_rdpmc());
		EXPECT_EQ(0, munmap(page, PAGE));
	}
	page = unit_map(self->fd, &self->unit);
	EXPECT_FALSE(hogs.stop);
	hog_stop(&hogs);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, pin_to(1));
	EXPECT_EQ(self->granted, rdpmc_await(self->granted));
	EXPECT_EQ(0, munmap(page, PAGE));
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

/* What maps is a real-time process itself. */
TEST_F(race, a_realtime_process_maps)
{
	void *page;
	int i;

	file_write("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	ASSERT_EQ(0, pin_to(1));
	ASSERT_EQ(0, make_realtime(60));
	for (i = 0; i < 20; i++) {
		page = unit_map(self->fd, &self->unit);
		ASSERT_NE(MAP_FAILED, page);
		EXPECT_EQ(self->granted, trap_rdpmc());
		ASSERT_EQ(0, munmap(page, PAGE));
	}
	file_write("/proc/sys/kernel/sched_rt_runtime_us", "950000");
}

/* Above a hog on the same CPU: success or a refusal, but an answer. */
TEST_F(race, a_realtime_process_maps_above_a_hog)
{
	struct hog hogs = { .cpu = 1, .priority = 50 };
	void *page;
	int error;

	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, hog_start(&hogs));
	ASSERT_EQ(0, make_realtime(60));
	ASSERT_EQ(0, pin_to(1));
	page = unit_map(self->fd, &self->unit);
	error = errno;
	if (page == MAP_FAILED) {
		EXPECT_EQ(EAGAIN, error);
	} else {
		EXPECT_EQ(self->granted, trap_rdpmc());
		EXPECT_EQ(0, munmap(page, PAGE));
	}
	EXPECT_FALSE(hogs.stop);
	hog_stop(&hogs);
	/* Afterwards it works. */
	page = unit_map(self->fd, &self->unit);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(self->granted, trap_rdpmc());
	EXPECT_EQ(0, munmap(page, PAGE));
}

TEST_HARNESS_MAIN
