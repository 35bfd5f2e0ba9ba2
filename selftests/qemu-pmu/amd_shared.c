// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu amd, which has two sockets with two CPUs each. */
/* The library's counters of the data fabric and the L3 cache. */
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "opened.h"

#define DF		"amd_df/event=0x07,umask=0x38/"
#define L3		"amd_l3/event=0x04,umask=0xff/"
/* CPUs 0 and 1 share counters. */
#define NEIGHBOUR	1
#define OTHER		2

static int open_pinned(const char *pmu, uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .config = config, .pinned = 1,
	};
	char path[64];
	int type;

	snprintf(path, sizeof(path), PMU_DIR "%s/type", pmu);
	if (file_read_int(path, &type))
		return -1;
	attr.type = type;
	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
}

FIXTURE(shared)
{
	struct uncore_counter counter;
	struct uncore_event_error error;
};

FIXTURE_VARIANT(shared)
{
	const char *event;
	const char *pmu;
	uint32_t first, count;
};

FIXTURE_VARIANT_ADD(shared, df)
{
	.event = DF, .pmu = "amd_df", .first = INDEX_DF, .count = 4,
};

FIXTURE_VARIANT_ADD(shared, l3)
{
	.event = L3, .pmu = "amd_l3", .first = INDEX_L3, .count = 6,
};

FIXTURE_SETUP(shared)
{
	OPENED_SETUP(&self->counter, variant->event);
}

FIXTURE_TEARDOWN(shared)
{
	OPENED_TEARDOWN(&self->counter);
}

TEST_F(shared, agrees_with_the_kernel_and_the_register)
{
	uint64_t last = 0, value;
	int i;

	EXPECT_EQ(48, self->counter.width);
	EXPECT_EQ((1ULL << 48) - 1, self->counter.mask);
	for (i = 0; i < 3000; i++) {
		value = i % 3 == 0 ? uncore_read(&self->counter) :
			i % 3 == 1 ? kernel_read(&self->counter) :
				     rdpmc(variant->first);
		ASSERT_NE(UINT64_MAX, value);
		ASSERT_LT(last, value) TH_LOG("read %d", i);
		last = value;
		spin(100);
	}
	EXPECT_EQ(0, facts_of(&self->counter).system_calls);
}

TEST_F(shared, tells_about_itself)
{
	struct uncore_core_facts facts = facts_of(&self->counter);

	EXPECT_STREQ(variant->event, facts.event);
	EXPECT_STREQ(variant->pmu, facts.pmu);
	EXPECT_EQ(UNCORE_COUNTER_COUNTING, facts.state);
	EXPECT_EQ(UNCORE_COUNTER_COUNTING,
		  uncore_counter_state(&self->counter));
	EXPECT_EQ(facts.enabled, facts.running);
	EXPECT_EQ(0, facts.error);
	EXPECT_EQ(0, facts.other_core);
}

TEST_F(shared, refused_on_another_die)
{
	struct uncore_core_facts facts;
	struct uncore_watch watch;
	uint64_t before, delta = 7;

	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&self->counter, NULL,
						   &watch));
	before = uncore_read(&self->counter);
	ASSERT_EQ(0, uncore_delta_checked(&self->counter, &watch, before,
					  uncore_read(&self->counter), &delta));
	EXPECT_LT(0, delta);

	ASSERT_EQ(0, pin_to(OTHER));
	EXPECT_EQ(UINT64_MAX, uncore_read(&self->counter));
	facts = facts_of(&self->counter);
	EXPECT_EQ(-EXDEV, facts.error);
	EXPECT_EQ(1, facts.other_core);
	EXPECT_EQ(0, facts.system_calls);
	EXPECT_EQ(UNCORE_OTHER_CPU,
		  uncore_counter_status(&self->counter, &watch));
	EXPECT_EQ(UNCORE_OTHER_CPU,
		  uncore_watch_begin(&self->counter, NULL, &watch));

	/* Nor is it forgotten after the way back. */
	ASSERT_EQ(0, pin_to(0));
	EXPECT_LT(before, uncore_read(&self->counter));
	EXPECT_EQ(UNCORE_OTHER_CPU,
		  uncore_counter_status(&self->counter, &watch));
	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&self->counter, NULL,
						   &watch));
	before = uncore_read(&self->counter);
	EXPECT_EQ(0, uncore_delta_checked(&self->counter, &watch, before,
					  uncore_read(&self->counter), &delta));
}

/* The same index there is another counter, which has counted less. */
TEST_F(shared, each_die_has_its_own)
{
	struct uncore_counter other;
	uint64_t first, second;

	/* The values must not be near each other. */
	do {
		spin(100000);
	} while (uncore_read(&self->counter) < 100000);
	ASSERT_EQ(0, pin_to(OTHER));
	ASSERT_EQ(0, uncore_core_open(variant->event, &other, NULL));
	second = uncore_read(&other);
	EXPECT_LE(second, kernel_read(&other));
	EXPECT_LE(second, rdpmc(variant->first));
	EXPECT_EQ(UINT64_MAX, uncore_read(&self->counter));
	ASSERT_EQ(0, pin_to(0));
	first = uncore_read(&self->counter);
	EXPECT_LE(first, rdpmc(variant->first));
	EXPECT_LT(second, first);
	EXPECT_EQ(UINT64_MAX, uncore_read(&other));
	uncore_counter_close(&other);
}

TEST_F(shared, all_taken)
{
	struct uncore_counter more[6];
	int type, others[6];
	char path[64];
	uint32_t i;

	for (i = 1; i < variant->count; i++)
		ASSERT_EQ(0, uncore_core_open(variant->event, &more[i],
					      &self->error))
			TH_LOG("%s", self->error.message);
	EXPECT_EQ(-EBUSY, uncore_core_open(variant->event, &more[0],
					   &self->error));
	EXPECT_NE(NULL, strstr(self->error.message, "are taken"));
	/* Those of the others are as good as ever. */
	for (i = 1; i < variant->count; i++) {
		EXPECT_LT(0, uncore_read(&more[i]));
		EXPECT_LE(uncore_read(&more[i]), kernel_read(&more[i]));
		EXPECT_LE(uncore_read(&more[i]), rdpmc(variant->first + i));
	}
	/* Another die has counters of its own. */
	ASSERT_EQ(0, pin_to(OTHER));
	ASSERT_EQ(0, uncore_core_open(variant->event, &more[0], NULL));
	uncore_counter_close(&more[0]);
	ASSERT_EQ(0, pin_to(0));
	for (i = 1; i < variant->count; i++)
		uncore_counter_close(&more[i]);

	/* Nor are events of others pushed out that can do with less. */
	snprintf(path, sizeof(path), PMU_DIR "%s/type", variant->pmu);
	ASSERT_EQ(0, file_read_int(path, &type));
	for (i = 1; i < variant->count; i++) {
		others[i] = perf_open(type, 4, -1, 0, false);
		ASSERT_LE(0, others[i]);
	}
	EXPECT_EQ(-EBUSY, uncore_core_open(variant->event, &more[0], NULL));
	close(others[1]);
	EXPECT_EQ(0, uncore_core_open(variant->event, &more[0], NULL));
	uncore_counter_close(&more[0]);
	for (i = 2; i < variant->count; i++)
		close(others[i]);
}

/* perf packs pinned events anew when one more comes. */
TEST_F(shared, moved_to_another_counter)
{
	struct uncore_counter second;
	struct uncore_watch watch;
	uint64_t before, after, delta = 7;
	int fd;

	ASSERT_EQ(0, uncore_core_open(variant->event, &second, &self->error));
	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&second, NULL, &watch));
	before = uncore_read(&second);
	EXPECT_LE(before, rdpmc(variant->first + 1));
	uncore_counter_close(&self->counter);
	EXPECT_EQ(UNCORE_VALID, uncore_counter_status(&second, &watch));

	fd = open_pinned(variant->pmu, 4, 0);
	ASSERT_LE(0, fd);
	after = uncore_read(&second);
	EXPECT_LT(before, after);
	EXPECT_LE(after, kernel_read(&second));
	after = kernel_read(&second);
	EXPECT_LT(after, uncore_read(&second));
	after = uncore_read(&second);
	EXPECT_LE(after, rdpmc(variant->first));
	EXPECT_EQ(-ESTALE, uncore_delta_checked(&second, &watch, before, after,
						&delta));
	EXPECT_EQ(7, delta);
	EXPECT_EQ(UNCORE_REPROGRAMMED, uncore_counter_status(&second, &watch));

	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&second, NULL, &watch));
	EXPECT_LT(after, uncore_read(&second));
	EXPECT_EQ(UNCORE_VALID, uncore_counter_status(&second, &watch));
	close(fd);
	uncore_counter_close(&second);
}

static volatile bool stop;

static void *move_events(void *arg)
{
	int i, fd, older = open_pinned(arg, 4, 0);

	for (i = 0; !stop; i++) {
		fd = open_pinned(arg, 5 + i % 3, 0);
		close(older);
		older = fd;
	}
	close(older);
	return NULL;
}

/* What is said to be valid lies between what perf says before and after. */
TEST_F(shared, valid_while_perf_moves_it)
{
	unsigned int valid = 0, stale = 0;
	struct uncore_counter second;
	struct uncore_watch watch;
	uint64_t outer, first, last, delta;
	pthread_t thread;

	ASSERT_EQ(0, uncore_core_open(variant->event, &second, &self->error));
	uncore_counter_close(&self->counter);
	stop = false;
	ASSERT_EQ(0, pthread_create(&thread, NULL, move_events,
				    (void *)variant->pmu));
	ASSERT_EQ(0, pin_to(NEIGHBOUR));
	while (valid < 1000 || stale < 3) {
		outer = kernel_read(&second);
		ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&second, NULL,
							   &watch));
		first = uncore_read(&second);
		spin(1 + valid % 8 * 200);
		last = uncore_read(&second);
		if (uncore_delta_checked(&second, &watch, first, last,
					 &delta)) {
			stale++;
			continue;
		}
		valid++;
		ASSERT_LE(outer, first);
		ASSERT_LE(first, last);
		ASSERT_LE(last, kernel_read(&second));
		ASSERT_EQ(last - first, delta);
	}
	stop = true;
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_LT(0, facts_of(&second).system_calls);
	uncore_counter_close(&second);
}

/* From then on it may be in another counter, so perf is asked again. */
TEST_F(shared, stopped_and_started)
{
	struct uncore_counter counter = self->counter;
	uint64_t stopped;

	ASSERT_EQ(0, ioctl(counter.index, PERF_EVENT_IOC_DISABLE, 0));
	stopped = kernel_read(&counter);
	EXPECT_EQ(stopped, uncore_read(&counter));
	EXPECT_EQ(stopped, uncore_read(&counter));
	ASSERT_EQ(0, ioctl(counter.index, PERF_EVENT_IOC_ENABLE, 0));
	spin(1000);
	EXPECT_LT(stopped, uncore_read(&counter));
	stopped = facts_of(&counter).system_calls;
	EXPECT_LT(0, stopped);
	do {
		stopped = facts_of(&counter).system_calls;
		uncore_read(&counter);
	} while (stopped != facts_of(&counter).system_calls);
}

/* perf counts on the first CPU of each die. */
TEST_F(shared, on_all_cpus_of_the_die)
{
	struct uncore_counter here;
	struct uncore_watch watch;
	uint64_t before, value, last, delta = 0;
	int i;

	ASSERT_EQ(0, pin_to(NEIGHBOUR));
	ASSERT_EQ(0, uncore_core_open(variant->event, &here, &self->error))
		TH_LOG("%s", self->error.message);
	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&here, NULL, &watch));
	before = uncore_read(&here);
	last = before;
	for (i = 0; i < 300; i++) {
		ASSERT_EQ(0, pin_to(i & 1 ? NEIGHBOUR : 0));
		value = i % 3 == 0 ? uncore_read(&here) :
			i % 3 == 1 ? kernel_read(&here) :
				     rdpmc(variant->first + 1);
		ASSERT_NE(UINT64_MAX, value);
		ASSERT_LT(last, value) TH_LOG("read %d", i);
		last = value;
	}
	EXPECT_EQ(0, facts_of(&here).system_calls);
	EXPECT_EQ(0, facts_of(&here).other_core);
	EXPECT_EQ(0, uncore_delta_checked(&here, &watch, before,
					  uncore_read(&here), &delta));
	EXPECT_LE(last - before, delta);
	ASSERT_EQ(0, pin_to(OTHER + 1));
	EXPECT_EQ(UINT64_MAX, uncore_read(&here));
	uncore_counter_close(&here);
}

/* Then it counts on the neighbour, with the value that it had. */
TEST_F(shared, follows_when_a_cpu_goes)
{
	struct uncore_counter far;
	struct uncore_watch watch;
	char path[64], home;
	uint64_t before;
	FILE *file;

	/* "0,2": those on which perf counts. */
	snprintf(path, sizeof(path), PMU_DIR "%s/cpumask", variant->pmu);
	file = fopen(path, "r");
	ASSERT_NE(NULL, file);
	ASSERT_EQ(1, fscanf(file, "0,%c", &home));
	fclose(file);
	ASSERT_TRUE(home == '2' || home == '3');
	ASSERT_EQ(0, pin_to(home == '2' ? 3 : 2));
	ASSERT_EQ(0, uncore_core_open(variant->event, &far, &self->error));
	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&far, NULL, &watch));
	before = uncore_read(&far);

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%c/online",
		 home);
	ASSERT_EQ(0, file_write(path, "0"));
	EXPECT_LT(before, uncore_read(&far));
	before = kernel_read(&far);
	EXPECT_LT(before, uncore_read(&far));
	before = uncore_read(&far);
	EXPECT_LE(before, kernel_read(&far));
	EXPECT_EQ(UNCORE_REPROGRAMMED, uncore_counter_status(&far, &watch));
	ASSERT_EQ(UNCORE_VALID, uncore_watch_begin(&far, NULL, &watch));
	EXPECT_LT(before, uncore_read(&far));
	EXPECT_EQ(UNCORE_VALID, uncore_counter_status(&far, &watch));
	EXPECT_EQ(0, file_write(path, "1"));
	uncore_counter_close(&far);
}

static int read_in_child(int sock, void *arg)
{
	struct uncore_counter *counter = arg;
	uint64_t value = uncore_read(counter);

	(void)sock;
	if (value == UINT64_MAX || value > kernel_read(counter))
		return 1;
	/* On the other die as well: the kernel knows where to read. */
	if (pin_to(OTHER) || uncore_read(counter) < value ||
	    uncore_read(counter) > kernel_read(counter))
		return 2;
	if (uncore_counter_state(counter) != -ECHILD)
		return 3;
	uncore_counter_close(counter);
	return 0;
}

TEST_F(shared, a_child_asks_the_kernel)
{
	EXPECT_EQ(0, child_run(read_in_child, &self->counter));
	EXPECT_LT(0, uncore_read(&self->counter));
	EXPECT_EQ(0, facts_of(&self->counter).system_calls);
}

static void *read_elsewhere(void *arg)
{
	static uint64_t values[2];

	if (!pin_to(0))
		values[0] = uncore_read(arg);
	if (!pin_to(OTHER))
		values[1] = uncore_read(arg);
	return values;
}

TEST_F(shared, threads_of_the_die_may_read)
{
	uint64_t before = uncore_read(&self->counter), *seen;
	pthread_t thread;
	void *result;

	ASSERT_EQ(0, pthread_create(&thread, NULL, read_elsewhere,
				    &self->counter));
	ASSERT_EQ(0, pthread_join(thread, &result));
	seen = result;
	EXPECT_LT(before, seen[0]);
	EXPECT_EQ(UINT64_MAX, seen[1]);
	EXPECT_LT(seen[0], uncore_read(&self->counter));
	EXPECT_EQ(0, facts_of(&self->counter).system_calls);
}

static int read_in_seccomp(int sock, void *arg)
{
	struct uncore_counter counter;
	uint64_t first, last;
	int i;

	(void)sock;
	if (uncore_core_open(arg, &counter, NULL))
		return 1;
	close(counter.index);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	first = uncore_read(&counter);
	for (i = 0; i < 1000; i++)
		last = uncore_read(&counter);
	syscall(SYS_exit, last <= first || last == UINT64_MAX ? 2 : 0);
	return 3;
}

TEST_F(shared, reads_without_a_system_call)
{
	EXPECT_EQ(0, child_run(read_in_seccomp, (void *)variant->event));
}

static const struct {
	const char *event;
	int ret;
	const char *said;
} errors[] = {
	{ "amd_df/event=7/:u", -EINVAL, "leave away what is behind the colon" },
	{ "amd_df//", -EINVAL, "an event is missing" },
	{ "amd_df/event=7,slicemask=1/", -EINVAL, "amd_df has no field slicemask" },
	{ "amd_df/event=0x10000/", -ERANGE, "too large" },
	{ "amd_df/cycles/", -ENOENT, "amd_df has no event cycles" },
	{ "amd_l3/RETIRED_INSTRUCTIONS/", -ENOENT, "amd_l3 has no event" },
	{ "amd_umc_0/event=0/", -EOPNOTSUPP, "RDPMC does not reach" },
};

TEST(errors_name_the_remedy)
{
	struct uncore_event_error error;
	struct uncore_counter counter;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		EXPECT_EQ(errors[i].ret, uncore_core_open(errors[i].event,
							  &counter, &error))
			TH_LOG("%s", errors[i].event);
		EXPECT_NE(NULL, strstr(error.message, errors[i].said))
			TH_LOG("%s: %s", errors[i].event, error.message);
	}
}

TEST(names_of_libpfm4)
{
	struct uncore_event_error error;
	struct uncore_counter counter;

	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, uncore_core_open("amd_l3/UNC_L3_REQUESTS:ALL/", &counter,
				      &error)) TH_LOG("%s", error.message);
	EXPECT_EQ(0xff04, facts_of(&counter).config & 0xffff);
	EXPECT_LT(0, uncore_read(&counter));
	uncore_counter_close(&counter);
}

TEST_HARNESS_MAIN
