// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* Who may count with the library, and use RDPMC. */
#include <stdlib.h>

#include <uncore.h>

#include "../lib/tool.h"
#include "opmu_check.h"

#define L3		"amd_l3/event=0x04,umask=0xff/"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

FIXTURE(policy)
{
	struct uncore_counter counter;
	struct uncore_event_error error;
	struct tool *tool;
};

FIXTURE_SETUP(policy)
{
	self->tool = calloc(1, sizeof(*self->tool));
	ASSERT_NE(NULL, self->tool);
}

FIXTURE_TEARDOWN(policy)
{
	EXPECT_EQ(0, file_write(RDPMC_POLICY, "1"));
	EXPECT_EQ(0, file_write(PARANOID, "3"));
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
	free(self->tool);
}

TEST_F(policy, rdpmc_0_is_refused_and_2_is_not)
{
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "0"));
	EXPECT_EQ(-EPERM, uncore_core_open("cycles", &self->counter,
					   &self->error));
	EXPECT_STREQ(RDPMC_POLICY " is 0, which forbids RDPMC to users: have 1 "
		     "written to it", self->error.message);
	if (is_amd()) {
		memset(&self->error, 0, sizeof(self->error));
		EXPECT_EQ(-EPERM, uncore_core_open(L3, &self->counter,
						   &self->error));
		EXPECT_NE(NULL, strstr(self->error.message,
				       RDPMC_POLICY " is 0"));
	}
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "2"));
	ASSERT_EQ(0, uncore_core_open("cycles", &self->counter, &self->error));
	EXPECT_LT(0, uncore_read(&self->counter));
	uncore_counter_close(&self->counter);
}

struct attempt {
	const char *event;
	const char *said;
};

/* As an ordinary user, who is not even in the group. */
static int try_open(int sock, void *arg)
{
	struct attempt *attempt = arg;
	struct uncore_event_error error;
	struct uncore_counter counter;
	int ret;

	(void)sock;
	if (pin_to(0) || become(OUTSIDER_UID))
		return 99;
	ret = uncore_core_open(attempt->event, &counter, &error);
	if (ret)
		return strstr(error.message, attempt->said) ? -ret : 98;
	return uncore_read(&counter) + 1 > 1 ? 0 : 97;
}

/* The attribute is shown to root alone. */
TEST_F(policy, rdpmc_0_is_refused_to_others)
{
	struct attempt attempt = {
		"cycles", "the kernel lets nobody read this event with RDPMC: "
		"have root look whether " RDPMC_POLICY " is 0, and write 1 to "
		"it; if it is not, this kernel or virtual machine cannot do it",
	};

	ASSERT_EQ(0, file_write(PARANOID, "2"));
	EXPECT_EQ(0, child_run(try_open, &attempt));
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "0"));
	EXPECT_EQ(EPERM, child_run(try_open, &attempt));
}

/* What passes between two looks of one is never more than the other sees. */
TEST_F(policy, rdpmc_of_a_counter_of_others)
{
	struct uncore *uncore;
	uint64_t outer, inner;
	uint32_t index;
	int fd;

	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	ASSERT_EQ(0, uncore_rdpmc_begin(uncore));
	ASSERT_EQ(0, uncore_rdpmc_begin(uncore));
	EXPECT_EQ((int)pmu_shape().width, uncore_rdpmc_width(0));
	/* It would be taken for what is looked for. */
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	fd = perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, -1, 0,
		       false);
	ASSERT_LE(0, fd);
	index = running_counter(0, pmu_shape().general);
	ASSERT_LT(index, pmu_shape().general);
	outer = perf_read(fd);
	inner = uncore_rdpmc(index);
	spin(100000);
	inner = uncore_rdpmc(index) - inner;
	outer = perf_read(fd) - outer;
	EXPECT_LT(0, inner);
	EXPECT_LE(inner, outer);

	uncore_rdpmc_end(uncore);
	EXPECT_EQ(0, trap_rdpmc());
	uncore_rdpmc_end(uncore);
	EXPECT_EQ(SIGSEGV, trap_rdpmc());
	uncore_rdpmc_end(uncore);
	ASSERT_EQ(0, uncore_rdpmc_begin(uncore));
	uncore_close(uncore);
	close(fd);
}

/* CPUID tells all those apart that would raise SIGSEGV. */
TEST_F(policy, rdpmc_widths)
{
	static const uint32_t indices[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 15, 16, 17, INDEX_FIXED,
		INDEX_FIXED + 1, INDEX_FIXED + 2, INDEX_FIXED + 3,
		INDEX_FIXED + 31, INDEX_FIXED + 32, 0x20000000, 0xffffffff,
	};
	struct uncore *uncore;
	unsigned int i;
	bool there;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	ASSERT_EQ(0, uncore_rdpmc_begin(uncore));
	for (i = 0; i < ARRAY_SIZE(indices); i++) {
		there = uncore_rdpmc_width(indices[i]) > 0;
		EXPECT_EQ(there ? 0 : 128 + SIGSEGV,
			  child_run(rdpmc_of, (void *)&indices[i]))
			TH_LOG("index %#x", indices[i]);
		if (!there)
			EXPECT_EQ(-ENXIO, uncore_rdpmc_width(indices[i]));
	}
	uncore_close(uncore);
}

struct person {
	uid_t uid;
	int open, rdpmc;
};

/* One who may open the node needs no right of perf's. */
static int use_rdpmc(int sock, void *arg)
{
	struct person *person = arg;
	struct uncore *uncore;

	(void)sock;
	if (become(person->uid))
		return 99;
	if (uncore_open(NULL, &uncore) != person->open)
		return 98;
	if (!person->open) {
		if (uncore_rdpmc_begin(uncore))
			return 97;
		uncore_rdpmc(0);
	}
	return trap_rdpmc() == person->rdpmc ? 0 : 96;
}

TEST_F(policy, rdpmc_for_the_group)
{
	struct person member = { MEMBER_UID, 0, 0 };
	struct person outsider = { OUTSIDER_UID, -EACCES, SIGSEGV };

	EXPECT_EQ(0, child_run(use_rdpmc, &member));
	EXPECT_EQ(0, child_run(use_rdpmc, &outsider));
}

static int begin_rdpmc(int sock, void *arg)
{
	struct uncore *uncore;

	(void)sock;
	(void)arg;
	if (become(MEMBER_UID) || uncore_open(NULL, &uncore))
		return 99;
	return -uncore_rdpmc_begin(uncore);
}

TEST_F(policy, rdpmc_0_is_refused)
{
	struct uncore *uncore;

	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "0"));
	EXPECT_EQ(-EPERM, uncore_rdpmc_begin(uncore));
	uncore_close(uncore);
	/* Others are told by perf. */
	ASSERT_EQ(0, file_write(PARANOID, "2"));
	EXPECT_EQ(EPERM, child_run(begin_rdpmc, NULL));
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "1"));
	EXPECT_EQ(0, child_run(begin_rdpmc, NULL));
}

TEST_F(policy, perf_event_paranoid)
{
	struct attempt user = { "cycles", "have it set to 2 (sysctl" };
	struct attempt both = { "cycles:uk", "count user level alone" };
	struct attempt all = { L3, "have it set to 0 (sysctl" };
	static const char *const levels[] = { "-1", "0", "1", "2", "3", "4" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(levels); i++) {
		ASSERT_EQ(0, file_write(PARANOID, levels[i]));
		EXPECT_EQ(i > 3 ? EACCES : 0, child_run(try_open, &user))
			TH_LOG("level %s", levels[i]);
		if (i > 3)
			both.said = user.said;
		EXPECT_EQ(i > 2 ? EACCES : 0, child_run(try_open, &both))
			TH_LOG("level %s", levels[i]);
		if (is_amd())
			EXPECT_EQ(i > 1 ? EACCES : 0, child_run(try_open, &all))
				TH_LOG("level %s", levels[i]);
	}
}

#define DOCTOR	"exec uncorectl doctor"

/* The kernel shows the policy of RDPMC to root alone. */
TEST_F(policy, doctor_knows_what_users_may)
{
	RUN(0, 0, DOCTOR);
	SAID("\nok       rdpmc     1\n");
	RUN(0, MEMBER_UID, DOCTOR);
	SAID("\nok       rdpmc     a core PMU is here, but only root can see "
	     "whether users may use RDPMC\n");
	SAID("\nnote     paranoid  3: users may not count events of the core, "
	     "nor \"stat -m\" theirs\n                   sysctl -w "
	     "kernel.perf_event_paranoid=2, ");
	ASSERT_EQ(0, file_write(PARANOID, "2"));
	RUN(0, MEMBER_UID, DOCTOR);
	SAID("\nok       rdpmc     allowed to users who count with perf\n");
	SAID(is_amd() ? "\nnote     paranoid  2: " : "\nok       paranoid  2: ");
	ASSERT_EQ(0, file_write(RDPMC_POLICY, "0"));
	RUN(0, MEMBER_UID, DOCTOR);
	SAID("\nnote     rdpmc     forbidden to users\n                   RDPMC "
	     "faults for everybody: write 1 to " RDPMC_POLICY " as root\n");
}

TEST_F(policy, doctor_knows_amd)
{
	if (!is_amd())
		SKIP(return, "not AMD's");
	ASSERT_EQ(0, file_write(PARANOID, "0"));
	RUN(0, MEMBER_UID, DOCTOR);
	SAID("\nok       units     0: AMD's processors have none to map, perf "
	     "has their counters\n");
	SAID("\nok       paranoid  0: users may count whole CPUs, and the "
	     "kernel\n");
	SAID("\nok       perf      the kernel's amd_uncore is there: count with "
	     "amd_df/.../ and amd_l3/.../\n");
	SAID("\nok       program   there is nothing to program: perf does it by "
	     "itself\n");
	EXPECT_EQ(NULL, strstr(self->tool->text, "intel"));
}

TEST_HARNESS_MAIN
