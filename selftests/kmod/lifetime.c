// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 */
/* Mappings over fork, exec, exit, threads, and the module's own life. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>

#include "harness.h"

#define CYCLES	10000

FIXTURE(life)
{
	int fd;
	int references;
	struct units units;
	struct uncore_pmu_unit unit;
};

FIXTURE_SETUP(life)
{
	const struct uncore_pmu_unit *unit;

	if (!module_loaded(MODULE_NAME)) {
		ASSERT_EQ(0, module_load());
	}
	/* Only this descriptor holds the module. */
	EXPECT_EQ(0, module_references());
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->references = module_references();
	EXPECT_EQ(1, self->references);
	self->units = units_get(self->fd);
	unit = units_first(&self->units, UNCORE_PMU_STATE_OK);
	ASSERT_NE(NULL, unit);
	self->unit = *unit;
}

FIXTURE_TEARDOWN(life)
{
	/* Every test leaves as many references and rights as it found. */
	EXPECT_EQ(self->references, module_references());
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	units_free(&self->units);
	close(self->fd);
	if (!module_loaded(MODULE_NAME)) {
		EXPECT_EQ(0, module_load());
	}
}

struct inherited {
	char *page;
	uint32_t first;
	bool unmap_first;
};

/* Reads, and unmaps when told; then holds nothing. */
static int inherits(int sock, void *arg)
{
	struct inherited *in = arg;

	if (page_load(in->page, 0) != in->first)
		return 1;
	if (trap_rdpmc() != rdpmc_granted())
		return 2;
	say(sock, 0);
	heard(sock);
	/* Here the parent has unmapped its own, or not. */
	if (page_load(in->page, 0) != in->first)
		return 3;
	if (trap_rdpmc() != rdpmc_granted())
		return 4;
	if (munmap(in->page, PAGE))
		return 5;
	if (trap_load(in->page) != SIGSEGV)
		return 6;
	if (rdpmc_await(RDPMC_DENIED) != RDPMC_DENIED)
		return 7;
	say(sock, 0);
	heard(sock);
	return 0;
}

TEST_F(life, fork_parent_unmaps_first)
{
	struct inherited in = { .first = unit_id(&self->unit) };
	struct child child;

	in.page = unit_map(self->fd, &self->unit);
	ASSERT_NE(MAP_FAILED, in.page);
	ASSERT_EQ(0, child_start(&child, inherits, &in));
	EXPECT_EQ(0, heard(child.sock));
	EXPECT_EQ(0, munmap(in.page, PAGE));
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	say(child.sock, 0);
	EXPECT_EQ(0, heard(child.sock));
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
}

TEST_F(life, fork_child_unmaps_first)
{
	struct inherited in = { .first = unit_id(&self->unit) };
	struct child child;

	in.page = unit_map(self->fd, &self->unit);
	ASSERT_NE(MAP_FAILED, in.page);
	ASSERT_EQ(0, child_start(&child, inherits, &in));
	EXPECT_EQ(0, heard(child.sock));
	say(child.sock, 0);
	EXPECT_EQ(0, heard(child.sock));
	EXPECT_EQ(in.first, page_load(in.page, 0));
	EXPECT_EQ(rdpmc_granted(), trap_rdpmc());
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
	EXPECT_EQ(in.first, page_load(in.page, 0));
	EXPECT_EQ(rdpmc_granted(), trap_rdpmc());
	EXPECT_EQ(0, munmap(in.page, PAGE));
}

static int maps_and_exits(int sock, void *arg)
{
	const struct units *units = arg;
	int fd = node_open(O_RDONLY);
	unsigned int i;

	(void)sock;
	for (i = 0; i < units->count; i++)
		if (units->unit[i].state == UNCORE_PMU_STATE_OK &&
		    unit_map(fd, &units->unit[i]) == MAP_FAILED)
			return 1;
	return trap_rdpmc() == rdpmc_granted() ? 0 : 2;
}

static int maps_and_is_killed(int sock, void *arg)
{
	if (!maps_and_exits(sock, arg))
		raise(SIGKILL);
	return 1;
}

static int maps_and_execs(int sock, void *arg)
{
	if (!maps_and_exits(sock, arg))
		return rdpmc_exec();
	return 1;
}

TEST_F(life, exit_with_mappings)
{
	int i;

	for (i = 0; i < 50; i++) {
		EXPECT_EQ(0, child_run(maps_and_exits, &self->units));
		EXPECT_EQ(self->references, module_references());
	}
}

TEST_F(life, killed_with_mappings)
{
	EXPECT_EQ(128 + SIGKILL, child_run(maps_and_is_killed, &self->units));
	EXPECT_EQ(self->references, module_references());
}

TEST_F(life, exec_with_mappings)
{
	EXPECT_EQ(RDPMC_DENIED, child_run(maps_and_execs, &self->units));
	EXPECT_EQ(self->references, module_references());
}

/* A descriptor without close-on-exec survives, the mapping and right do not. */
static int execs_with_descriptor(int sock, void *arg)
{
	struct uncore_pmu_unit *unit = arg;
	int fd = open(NODE, O_RDONLY);

	(void)sock;
	if (fd < 0 || unit_map(fd, unit) == MAP_FAILED)
		return 1;
	return rdpmc_exec();
}

TEST_F(life, exec_keeps_the_descriptor_only)
{
	EXPECT_EQ(RDPMC_DENIED, child_run(execs_with_descriptor, &self->unit));
}

struct stress {
	int fd;
	const struct uncore_pmu_unit *unit;
	volatile bool stop;
	volatile unsigned int cycles;
	volatile int error;
};

static void *map_and_unmap(void *arg)
{
	struct stress *stress = arg;
	void *page;

	while (!stress->stop) {
		page = unit_map(stress->fd, stress->unit);
		if (page == MAP_FAILED) {
			stress->error = errno;
			break;
		}
		if (page_load(page, 0) != unit_id(stress->unit))
			stress->error = EBADMSG;
		munmap(page, PAGE);
		stress->cycles++;
	}
	return NULL;
}

/* Came into being at any moment of the parent's mapping. */
static int leaves_at_once(int sock, void *arg)
{
	(void)sock;
	(void)arg;
	return trap_rdpmc() == rdpmc_granted() ||
	       trap_rdpmc() == RDPMC_DENIED ? 0 : 1;
}

TEST_F(life, thread_maps_while_another_forks)
{
	struct stress stress = { .fd = self->fd, .unit = &self->unit };
	pthread_t thread[2];
	int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, map_and_unmap,
					    &stress));
	}
	for (i = 0; i < 200 || stress.cycles < 200; i++) {
		EXPECT_EQ(0, child_run(leaves_at_once, NULL));
	}
	stress.stop = true;
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	EXPECT_EQ(0, stress.error);
	EXPECT_EQ(RDPMC_DENIED, rdpmc_await(RDPMC_DENIED));
}

/* Objects in use in every slab cache. */
struct slabs {
	unsigned int count;
	struct {
		char name[64];
		long active;
	} cache[512];
};

static int slabs_read(struct slabs *slabs)
{
	FILE *file = fopen("/proc/slabinfo", "re");
	char line[512];

	if (!file)
		return -errno;
	slabs->count = 0;
	while (fgets(line, sizeof(line), file))
		if (slabs->count < ARRAY_SIZE(slabs->cache) &&
		    sscanf(line, "%63s %ld",
			   slabs->cache[slabs->count].name,
			   &slabs->cache[slabs->count].active) == 2)
			slabs->count++;
	fclose(file);
	return slabs->count ? 0 : -ENOENT;
}

/* Names a cache that has grown by @limit objects or more; NULL if none has. */
static const char *slabs_grown(const struct slabs *before,
			       const struct slabs *after, long limit)
{
	unsigned int i, n;

	for (i = 0; i < after->count; i++)
		for (n = 0; n < before->count; n++)
			if (!strcmp(after->cache[i].name,
				    before->cache[n].name) &&
			    after->cache[i].active - before->cache[n].active >=
				    limit)
				return after->cache[i].name;
	return NULL;
}

/* What is freed may stay in use until all CPUs have passed a quiet moment. */
static const char *slabs_await(const struct slabs *before, long limit)
{
	static struct slabs now;
	int end = now_ms() + PATIENCE_MS;
	const char *grown;

	do {
		if (slabs_read(&now))
			return "/proc/slabinfo";
		grown = slabs_grown(before, &now, limit);
		sched_yield();
	} while (grown && now_ms() < end);
	return grown;
}

static int lines_of_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	int lines = 0;
	int c;

	while (maps && (c = getc(maps)) != EOF)
		lines += c == '\n';
	if (maps)
		fclose(maps);
	return lines;
}

static long free_pages(void)
{
	return sysconf(_SC_AVPHYS_PAGES);
}

TEST_F(life, many_cycles_leak_nothing)
{
	static struct slabs before;
	const char *grown;
	unsigned int i;
	long pages;
	int lines;

	lines_of_maps();
	lines = lines_of_maps();
	ASSERT_EQ(0, slabs_read(&before));
	pages = free_pages();
	for (i = 0; i < CYCLES; i++) {
		int fd = node_open(O_RDONLY);
		void *page = unit_map(fd, &self->unit);

		ASSERT_NE(MAP_FAILED, page);
		ASSERT_EQ(unit_id(&self->unit), page_load(page, 0));
		ASSERT_EQ(0, munmap(page, PAGE));
		ASSERT_EQ(0, close(fd));
	}
	EXPECT_EQ(lines, lines_of_maps());
	EXPECT_EQ(self->references, module_references());
	/* Caches breathe, but a leak is as large as the number of cycles. */
	EXPECT_GT(CYCLES / 2, pages - free_pages());
	grown = slabs_await(&before, CYCLES / 2);
	EXPECT_EQ(NULL, grown)
		TH_LOG("%s has grown", grown);
}

TEST_F(life, unload_while_open)
{
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(0, close(self->fd));
	EXPECT_EQ(0, module_unload());
	ASSERT_EQ(-ENOENT, node_open(O_RDONLY));
	ASSERT_EQ(0, module_load());
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
}

TEST_F(life, unload_while_mapped)
{
	void *page = unit_map(self->fd, &self->unit);
	void *right = rdpmc_map(self->fd);

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_NE(MAP_FAILED, right);
	EXPECT_EQ(0, close(self->fd));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(unit_id(&self->unit), page_load(page, 0));
	EXPECT_EQ(0, munmap(page, PAGE));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(0, munmap(right, UNCORE_PMU_RDPMC_LENGTH));
	EXPECT_EQ(0, module_unload());
	/* The right went before the module did. */
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
	ASSERT_EQ(0, module_load());
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
}

TEST_F(life, unload_while_a_child_maps)
{
	struct inherited in = { .first = unit_id(&self->unit) };
	struct child child;

	in.page = unit_map(self->fd, &self->unit);
	ASSERT_NE(MAP_FAILED, in.page);
	ASSERT_EQ(0, close(self->fd));
	ASSERT_EQ(0, child_start(&child, inherits, &in));
	EXPECT_EQ(0, heard(child.sock));
	EXPECT_EQ(0, munmap(in.page, PAGE));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	say(child.sock, 0);
	EXPECT_EQ(0, heard(child.sock));
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
	EXPECT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load());
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
}

TEST_F(life, load_and_unload_many_times)
{
	int i;

	EXPECT_EQ(0, close(self->fd));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, module_unload());
		ASSERT_EQ(0, module_load());
	}
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
}

TEST_HARNESS_MAIN
