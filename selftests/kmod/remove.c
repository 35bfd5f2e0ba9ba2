// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep user=root kernels=all timeout=300 */
/* A unit's device goes away while it is in use. */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "claims.h"
#include "harness.h"

FIXTURE(removal)
{
	int fd;
	struct units units;
	struct uncore_pmu_unit unit;
};

/* The kernel's own driver holds the device, or nobody does. */
FIXTURE_VARIANT(removal)
{
	bool perf;
};

FIXTURE_VARIANT_ADD(removal, with_perf)
{
	.perf = true,
};

FIXTURE_VARIANT_ADD(removal, without_perf)
{
	.perf = false,
};

FIXTURE_SETUP(removal)
{
	const struct uncore_pmu_unit *unit;

	if (!variant->perf && module_loaded("intel_uncore")) {
		ASSERT_EQ(0, module_remove("intel_uncore"));
	}
	ASSERT_EQ(variant->perf, module_loaded("intel_uncore"));
	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	/* In the middle of the list, so that both sides can be looked at. */
	unit = units_find(&self->units, "imc", 1, 0);
	ASSERT_NE(NULL, unit);
	ASSERT_EQ((uint32_t)UNCORE_PMU_STATE_OK, unit->state);
	self->unit = *unit;
}

FIXTURE_TEARDOWN(removal)
{
	const struct uncore_pmu_unit *unit;
	struct units again;
	unsigned int i;
	void *page;

	unmap_all();
	close(self->fd);
	ASSERT_EQ(0, machine_restore());
	/* The device is back, and so is the unit, at the place it had. */
	self->fd = node_open(O_RDONLY);
	again = units_get(self->fd);
	EXPECT_EQ(self->units.count, again.count);
	for (i = 0; i < again.count; i++) {
		EXPECT_EQ(0, memcmp(&again.unit[i], &self->units.unit[i],
				    sizeof(again.unit[i])))
			ABOUT(&again.unit[i]);
	}
	unit = &again.unit[self->unit.index];
	page = unit_map(self->fd, unit);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(unit_id(unit), page_load(page, 0));
	munmap(page, PAGE);
	units_free(&again);
	units_free(&self->units);
	close(self->fd);
}

static int reads_until_the_end(int sock, void *arg)
{
	const struct uncore_pmu_unit *unit = arg;
	int fd = node_open(O_RDONLY);
	const char *page = unit_map(fd, unit);
	int end = now_ms() + PATIENCE_MS;
	int sig;

	if (page == MAP_FAILED || page_load(page, 0) != unit_id(unit))
		return 250;
	say(sock, 0);
	do {
		sig = trap_load(page);
	} while (!sig && now_ms() < end);
	/* It stays so, at every register. */
	return trap_load(page + 0xa0) == sig ? sig : 252;
}

/* Never a value but the right one, and the signal ends it. */
static int reads_at_full_speed(int sock, void *arg)
{
	const struct uncore_pmu_unit *unit = arg;
	const char *page = unit_map(node_open(O_RDONLY), unit);

	say(sock, page == MAP_FAILED);
	for (;;)
		if (page_load(page, 0) != unit_id(unit))
			return 251;
}

TEST_F(removal, while_another_process_reads)
{
	struct child child[2];

	ASSERT_EQ(0, child_start(&child[0], reads_until_the_end, &self->unit));
	ASSERT_EQ(0, heard(child[0].sock));
	ASSERT_EQ(0, child_start(&child[1], reads_at_full_speed, &self->unit));
	ASSERT_EQ(0, heard(child[1].sock));
	ASSERT_EQ(0, device_remove(&self->unit));
	EXPECT_EQ(SIGBUS, child_wait(&child[0]));
	EXPECT_EQ(128 + SIGBUS, child_wait(&child[1]));
}

TEST_F(removal, while_mapped_here)
{
	struct uncore_pmu_unit gone, other;
	void *page = unit_map(self->fd, &self->unit);
	void *twice = unit_map(self->fd, &self->unit);
	void *unread = unit_map(self->fd, &self->unit);
	unsigned int i;
	void *fresh;
	int fd;

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_NE(MAP_FAILED, twice);
	ASSERT_NE(MAP_FAILED, unread);
	EXPECT_EQ(0, trap_load(page));
	EXPECT_EQ(0, trap_load(twice));
	ASSERT_EQ(0, device_remove(&self->unit));
	EXPECT_EQ(SIGBUS, trap_load(page));
	EXPECT_EQ(SIGBUS, trap_load(twice));
	EXPECT_EQ(SIGBUS, trap_load(unread));
	EXPECT_EQ(SIGSEGV, trap_store(page));
	/* The mapping is there still, and with it the right. */
	EXPECT_EQ(rdpmc_granted(), trap_rdpmc());

	EXPECT_EQ(-ENODEV, unit_describe(self->fd, self->unit.index, &gone));
	EXPECT_EQ((uint32_t)UNCORE_PMU_STATE_GONE, gone.state);
	EXPECT_EQ((uint32_t)UNCORE_PMU_REASON_REMOVED, gone.reason);
	EXPECT_STREQ(self->unit.type, gone.type);
	EXPECT_EQ(self->unit.instance, gone.instance);
	EXPECT_EQ(self->unit.die, gone.die);
	EXPECT_EQ(self->unit.mmap_offset, gone.mmap_offset);
	EXPECT_ERRNO(ENODEV, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd,
				  self->unit.mmap_offset));

	/* A new descriptor sees it too, and all others as before. */
	fd = node_open(O_RDONLY);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-ENODEV, unit_describe(fd, self->unit.index, &other));
	EXPECT_EQ(0, memcmp(&gone, &other, sizeof(gone)));
	EXPECT_ERRNO(ENODEV, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd,
				  self->unit.mmap_offset));
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (i == self->unit.index)
			continue;
		EXPECT_EQ(0, unit_describe(fd, i, &other)) ABOUT(u);
		EXPECT_EQ(0, memcmp(u, &other, sizeof(other))) ABOUT(u);
		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		fresh = unit_map(fd, u);
		ASSERT_NE(MAP_FAILED, fresh) ABOUT(u);
		EXPECT_EQ(unit_id(u), page_load(fresh, 0)) ABOUT(u);
		munmap(fresh, PAGE);
	}
	close(fd);

	EXPECT_EQ(0, munmap(page, PAGE));
	EXPECT_EQ(0, munmap(twice, PAGE));
	EXPECT_EQ(0, munmap(unread, PAGE));
	EXPECT_EQ(RDPMC_DENIED, trap_rdpmc());
}

TEST_F(removal, device_comes_back_but_the_unit_does_not)
{
	struct uncore_pmu_unit gone;
	void *page = unit_map(self->fd, &self->unit);

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, device_remove(&self->unit));
	ASSERT_EQ(0, devices_rescan());
	EXPECT_EQ(SIGBUS, trap_load(page));
	EXPECT_EQ(-ENODEV, unit_describe(self->fd, self->unit.index, &gone));
	munmap(page, PAGE);
}

/* Opened, mapped and read over and over while the device goes away. */
static int maps_until_refused(int sock, void *arg)
{
	const struct uncore_pmu_unit *unit = arg;
	int fd = node_open(O_RDONLY);
	int end = now_ms() + PATIENCE_MS;
	bool told = false;
	void *page;
	int sig;

	while (now_ms() < end) {
		page = unit_map(fd, unit);
		if (page == MAP_FAILED)
			return errno;
		sig = trap_load(page);
		if (sig && sig != SIGBUS)
			return 250;
		munmap(page, PAGE);
		if (!told)
			say(sock, 0);
		told = true;
	}
	return 251;
}

TEST_F(removal, while_others_map_and_unmap)
{
	struct child child[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(child); i++) {
		ASSERT_EQ(0, child_start(&child[i], maps_until_refused,
					 &self->unit));
		ASSERT_EQ(0, heard(child[i].sock));
	}
	ASSERT_EQ(0, device_remove(&self->unit));
	for (i = 0; i < ARRAY_SIZE(child); i++) {
		EXPECT_EQ(ENODEV, child_wait(&child[i]));
	}
}

static int forks_and_reads(int sock, void *arg)
{
	char *page = arg;

	say(sock, 0);
	heard(sock);
	return trap_load(page);
}

TEST_F(removal, while_inherited)
{
	void *page = unit_map(self->fd, &self->unit);
	struct child child;

	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(0, trap_load(page));
	ASSERT_EQ(0, child_start(&child, forks_and_reads, page));
	ASSERT_EQ(0, heard(child.sock));
	ASSERT_EQ(0, device_remove(&self->unit));
	say(child.sock, 0);
	EXPECT_EQ(SIGBUS, child_wait(&child));
	EXPECT_EQ(SIGBUS, trap_load(page));
}

TEST_F(removal, of_all_units)
{
	void **page = calloc(self->units.count, sizeof(*page));
	unsigned int i;

	ASSERT_NE(NULL, page);
	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		page[i] = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page[i]) ABOUT(u);
	}
	for (i = 0; i < self->units.count; i++)
		if (page[i]) {
			EXPECT_EQ(0, device_remove(&self->units.unit[i]))
				ABOUT(&self->units.unit[i]);
		}
	for (i = 0; i < self->units.count; i++)
		if (page[i]) {
			EXPECT_EQ(SIGBUS, trap_load(page[i]))
				ABOUT(&self->units.unit[i]);
			munmap(page[i], PAGE);
		}
	free(page);
}

TEST_HARNESS_MAIN
