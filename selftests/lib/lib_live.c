// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library on the simulated machine.
 *
 * Test: where=guest timeout=120 kernels=6.1
 */
#include "harness.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <uncore.h>

#include "common.h"

#define EVENT	0x0304

FIXTURE(live)
{
	struct uncore *uncore;
	struct sim *sim;
	struct uncore_pmu_unit imc;
	struct sim_addr addr;
};

/* A clock that stands, and a memory channel that counts nothing. */
FIXTURE_SETUP(live)
{
	unsigned int unit;

	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	ASSERT_EQ(0, uncore_open(NULL, &self->uncore));
	ASSERT_EQ(1, uncore_find(self->uncore, "imc0@1", &unit, 1));
	ASSERT_EQ(0, uncore_unit_info(self->uncore, unit, &self->imc));
	self->addr = unit_addr(&self->imc);
	ASSERT_EQ(0, counter_stop(&self->imc, 0));
	ASSERT_EQ(0, counter_stop(&self->imc, 1));
	ASSERT_EQ(0, sim_sync(self->sim));
}

FIXTURE_TEARDOWN(live)
{
	counter_stop(&self->imc, 0);
	counter_stop(&self->imc, 1);
	uncore_close(self->uncore);
	sim_clock(self->sim, true);
	sim_close(self->sim);
}

/* Mappings of the node in this process; one has the generations. */
static int mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	int count = 0;

	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, "/dev/uncore_pmu") != NULL;
	if (maps)
		fclose(maps);
	return count;
}

TEST_F(live, what_the_module_says)
{
	const struct uncore_pmu_info *info = uncore_info(self->uncore);

	EXPECT_EQ(UNCORE_PMU_ABI_VERSION, info->abi_version);
	EXPECT_STREQ("haswell-ep", info->platform);
	EXPECT_LT(0, uncore_num_units(self->uncore));
	EXPECT_EQ(info->num_units, uncore_num_units(self->uncore));
	EXPECT_EQ(FD_CLOEXEC, fcntl(uncore_fd(self->uncore), F_GETFD));
}

TEST_F(live, finding_units)
{
	unsigned int i, count = 0, units[64] = { 0 }, all;
	struct uncore_pmu_unit info;
	char name[UNCORE_NAME_LEN];

	for (i = 0; i < uncore_num_units(self->uncore); i++) {
		ASSERT_EQ(0, uncore_unit_info(self->uncore, i, &info));
		ASSERT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
		/* The full name is the name of one unit. */
		EXPECT_EQ(1, uncore_find(self->uncore, name, units, 64));
		EXPECT_EQ(i, units[0]);
		count += !strcmp(info.type, "imc");
	}
	EXPECT_EQ(-ENXIO, uncore_unit_info(self->uncore, i, &info));
	EXPECT_EQ(-ENXIO, uncore_unit_info(self->uncore, UINT32_MAX, &info));

	all = (unsigned int)uncore_find(self->uncore, "imc", units, 64);
	EXPECT_EQ(count, all);
	for (i = 1; i < all; i++)
		EXPECT_LT(units[i - 1], units[i]);
	EXPECT_EQ((int)all, uncore_find(self->uncore, "IMC", NULL, 0));
	EXPECT_EQ((int)all / 2, uncore_find(self->uncore, "imc@1", units, 1));
	EXPECT_EQ(2, uncore_find(self->uncore, "imc0", units, 64));
	EXPECT_EQ(0, uncore_find(self->uncore, "nonsense", units, 64));
	EXPECT_EQ(-EINVAL, uncore_find(self->uncore, "imc@", units, 64));
}

TEST_F(live, difference_over_a_wrap)
{
	struct uncore_counter counter;
	uint32_t before_low;
	uint64_t before;

	ASSERT_EQ(0, uncore_counter_open_name(self->uncore, "imc0@1/ctr0",
					      &counter));
	ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT));
	ASSERT_EQ(0, sim_set(self->sim, self->addr, 0, counter.mask - 10));
	before = uncore_read(&counter);
	before_low = uncore_read_low(&counter);
	ASSERT_EQ(0, sim_add(self->sim, self->addr, 0, 1000));
	EXPECT_EQ(1000, uncore_delta(&counter, before, uncore_read(&counter)));
	EXPECT_EQ(1000, uncore_delta_low(&counter, before_low,
					 uncore_read_low(&counter)));
	EXPECT_GT(before, uncore_read(&counter));
}

TEST_F(live, states)
{
	struct uncore_counter counter;

	ASSERT_EQ(0, uncore_counter_open_name(self->uncore, "IMC0@1/CTR0",
					      &counter));
	EXPECT_EQ(UNCORE_COUNTER_NOT_PROGRAMMED,
		  uncore_counter_state(&counter));
	ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT));
	EXPECT_EQ(UNCORE_COUNTER_COUNTING, uncore_counter_state(&counter));
	EXPECT_EQ(EVENT, uncore_control(&counter) & 0xffff);

	ASSERT_EQ(0, config_store(&self->imc, self->imc.unit_control,
				  self->imc.unit_freeze));
	EXPECT_EQ(UNCORE_COUNTER_FROZEN, uncore_counter_state(&counter));
	ASSERT_EQ(0, config_store(&self->imc, self->imc.unit_control, 0));
	EXPECT_EQ(UNCORE_COUNTER_COUNTING, uncore_counter_state(&counter));

	/* Not a silent all-ones value, either. */
	ASSERT_EQ(0, sim_hide(self->sim, self->addr, true));
	EXPECT_EQ(UNCORE_COUNTER_GONE, uncore_counter_state(&counter));
	ASSERT_EQ(0, sim_hide(self->sim, self->addr, false));
	EXPECT_EQ(UNCORE_COUNTER_COUNTING, uncore_counter_state(&counter));
}

TEST_F(live, group)
{
	static const char *const names[] = {
		"imc0@0/ctr0", "imc1@0/ctr1", "imc4@0/ctr2", "imc5@0/ctr3",
		"imc0@1/ctr0", "imc1@1/fixed", "ha0@1/ctr1", "qpi0@0/ctr3",
		"r2pcie0@1/ctr0",
	};
	struct uncore_counter counters[ARRAY_LENGTH(names)];
	uint64_t values[ARRAY_LENGTH(names)];
	struct uncore_group group;
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(names); i++)
		ASSERT_EQ(0, uncore_counter_open_name(self->uncore, names[i],
						      &counters[i]))
			TH_LOG("name %zu", i);
	ASSERT_EQ(0, uncore_group_init(&group, counters, ARRAY_LENGTH(names)));
	uncore_group_read(&group, values);
	for (i = 0; i < ARRAY_LENGTH(names); i++)
		EXPECT_EQ(uncore_read(&counters[i]), values[i]);
}

TEST_F(live, one_mapping_a_unit)
{
	struct uncore_counter first, second;
	const volatile void *page, *again;

	ASSERT_EQ(0, uncore_counter_open(self->uncore, self->imc.index, 0,
					 &first));
	ASSERT_EQ(0, uncore_counter_open(self->uncore, self->imc.index, 1,
					 &second));
	ASSERT_EQ(0, uncore_map(self->uncore, self->imc.index, &page));
	ASSERT_EQ(0, uncore_map(self->uncore, self->imc.index, &again));
	EXPECT_EQ(page, again);
	EXPECT_EQ(2, mapped());
	uncore_counter_close(&first);
	uncore_counter_close(&first);
	EXPECT_EQ(0, uncore_unmap(self->uncore, self->imc.index));
	uncore_counter_close(&second);
	EXPECT_EQ(1, mapped());
	EXPECT_EQ(0, uncore_unmap(self->uncore, self->imc.index));
	EXPECT_EQ(0, mapped());
	EXPECT_EQ(-EINVAL, uncore_unmap(self->uncore, self->imc.index));
	EXPECT_EQ(-ENXIO, uncore_unmap(self->uncore, UINT32_MAX));
}

TEST_F(live, close_unmaps_all)
{
	const volatile void *page;
	unsigned int i, ok = 0;

	for (i = 0; i < uncore_num_units(self->uncore); i++)
		ok += !uncore_map(self->uncore, i, &page);
	EXPECT_LT(10, ok);
	EXPECT_LT(0, mapped());
	uncore_close(self->uncore);
	EXPECT_EQ(0, mapped());
	ASSERT_EQ(0, uncore_open(NULL, &self->uncore));
}

TEST_F(live, what_cannot_be_opened)
{
	struct uncore_counter counter;
	const volatile void *page;
	unsigned int absent;

	ASSERT_EQ(1, uncore_find(self->uncore, "qpi2@0", &absent, 1));
	EXPECT_EQ(-ENOENT, uncore_map(self->uncore, absent, &page));
	EXPECT_EQ(-ENXIO, uncore_map(self->uncore, UINT32_MAX, &page));
	EXPECT_EQ(-ENOENT, uncore_counter_open(self->uncore, absent, 0,
					       &counter));
	EXPECT_EQ(-ENOENT, uncore_counter_open(self->uncore, self->imc.index,
					       99, &counter));
	EXPECT_EQ(-ENOTUNIQ, uncore_counter_open_name(self->uncore, "imc/ctr0",
						      &counter));
	EXPECT_EQ(-ENOENT, uncore_counter_open_name(self->uncore,
						    "imc99@1/ctr0", &counter));
	EXPECT_EQ(-ENOENT, uncore_counter_open_name(self->uncore, "imc0@1/ctr9",
						    &counter));
	EXPECT_EQ(-EINVAL, uncore_counter_open_name(self->uncore, "imc0@1",
						    &counter));
	EXPECT_EQ(0, mapped());
}

static int open_as(int sock, void *uid)
{
	struct uncore *uncore = NULL;
	int ret;

	(void)sock;
	ret = become(*(uid_t *)uid);
	if (ret)
		return 99;
	ret = uncore_open(NULL, &uncore);
	uncore_close(uncore);
	return -ret;
}

TEST(who_may_open)
{
	uid_t member = MEMBER_UID, outsider = OUTSIDER_UID;

	EXPECT_EQ(0, child_run(open_as, &member));
	EXPECT_EQ(EACCES, child_run(open_as, &outsider));
}

/* Cannot open the node, but reads with what it was given. */
static int read_with_passed_descriptor(int sock, void *argument)
{
	struct uncore_counter counter;
	struct uncore *uncore;
	int fd, ret;

	(void)argument;
	if (become(OUTSIDER_UID))
		return 1;
	if (uncore_open(NULL, &uncore) != -EACCES)
		return 2;
	fd = receive_fd(sock);
	if (fd < 0)
		return 3;
	ret = uncore_open_fd(fd, &uncore);
	if (ret)
		return 4;
	/* The library has a descriptor of its own. */
	close(fd);
	if (fcntl(uncore_fd(uncore), F_GETFD) != FD_CLOEXEC)
		return 5;
	if (uncore_counter_open_name(uncore, "imc0@1/ctr1", &counter))
		return 6;
	if (uncore_read(&counter) != 4711)
		return 7;
	uncore_close(uncore);
	return 0;
}

TEST_F(live, passed_descriptor)
{
	struct child child;

	ASSERT_EQ(0, sim_set(self->sim, self->addr, 1, 4711));
	ASSERT_EQ(0, child_start(&child, read_with_passed_descriptor, NULL));
	ASSERT_EQ(0, send_fd(child.sock, uncore_fd(self->uncore)));
	EXPECT_EQ(0, child_wait(&child));
}

static int read_after_fork(int sock, void *argument)
{
	struct uncore_counter *counter = argument;

	(void)sock;
	if (uncore_read(counter) != 4711)
		return 1;
	uncore_counter_close(counter);
	return 0;
}

TEST_F(live, child_reads_on_and_closes_for_itself)
{
	struct uncore_counter counter;

	ASSERT_EQ(0, sim_set(self->sim, self->addr, 1, 4711));
	ASSERT_EQ(0, uncore_counter_open(self->uncore, self->imc.index, 1,
					 &counter));
	EXPECT_EQ(0, child_run(read_after_fork, &counter));
	EXPECT_EQ(4711, uncore_read(&counter));
	EXPECT_EQ(2, mapped());
}

static void *open_and_close(void *argument)
{
	struct uncore *uncore = argument;
	struct uncore_counter counter;
	uintptr_t wrong = 0;
	int i;

	for (i = 0; i < 500; i++) {
		if (uncore_counter_open_name(uncore, "imc0@1/ctr1", &counter)) {
			wrong++;
			continue;
		}
		wrong += uncore_read(&counter) != 4711;
		uncore_counter_close(&counter);
	}
	return (void *)wrong;
}

TEST_F(live, threads)
{
	pthread_t threads[4];
	void *wrong;
	size_t i;

	ASSERT_EQ(0, sim_set(self->sim, self->addr, 1, 4711));
	for (i = 0; i < ARRAY_LENGTH(threads); i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, open_and_close,
					    self->uncore));
	for (i = 0; i < ARRAY_LENGTH(threads); i++) {
		ASSERT_EQ(0, pthread_join(threads[i], &wrong));
		EXPECT_EQ(NULL, wrong);
	}
	EXPECT_EQ(0, mapped());
}

TEST_HARNESS_MAIN
