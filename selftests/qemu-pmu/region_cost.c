// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* What begin and end of a region cost. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include <uncore.h>

#include "opmu_check.h"

#define FOUR_CORE	"cycles,branches,branch-misses,r0124"
#define FOUR_UNCORE	"imc0@0/ctr0/,imc0@0/ctr1/,imc1@0/ctr0/,imc1@0/ctr1/"
#define ALL		FOUR_CORE "," FOUR_UNCORE

/* Any system call kills, but for the one that ends the process. */
static int forbid_system_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = ARRAY_SIZE(filter),
		.filter = filter,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int in_seccomp(int sock, void *arg)
{
	struct uncore_region *region;
	struct uncore_plan *plan;
	struct uncore *uncore;
	int i;

	(void)sock;
	if (uncore_open(NULL, &uncore) ||
	    uncore_plan_open(uncore, arg, 0, &plan, NULL) ||
	    uncore_region_open(plan, "r", &region))
		return 1;
	if (forbid_system_calls())
		return 2;
	for (i = 0; i < 1000; i++) {
		uncore_region_begin(region);
		uncore_region_end(region);
	}
	syscall(SYS_exit_group, 0);
	return 3;
}

TEST(no_system_call)
{
	EXPECT_EQ(0, child_run(in_seccomp, (void *)(is_amd() ? FOUR_CORE : ALL)));
}

/* What 1000 pairs cost, less the loop around them. */
static int64_t cost_of_pairs(const struct uncore_counter *instructions,
			     struct uncore_region *region)
{
	uint64_t empty = uncore_read(instructions), full;
	int i;

	for (i = 0; i < 1000; i++)
		__asm__ volatile("" : "+r"(region));
	empty = uncore_read(instructions) - empty;
	full = uncore_read(instructions);
	for (i = 0; i < 1000; i++) {
		__asm__ volatile("" : "+r"(region));
		uncore_region_begin(region);
		uncore_region_end(region);
	}
	full = uncore_read(instructions) - full;
	return (int64_t)(full - empty);
}

TEST(instructions_of_a_pair)
{
	struct uncore_counter instructions;
	struct uncore_region *region;
	struct uncore_plan *plan;
	struct uncore *uncore;
	int64_t cost;

	if (!getenv("UNCORE_ICOUNT"))
		SKIP(return, "needs --icount");
	ASSERT_EQ(0, uncore_core_open("instructions", &instructions, NULL));
	ASSERT_EQ(0, uncore_open(NULL, &uncore));
	ASSERT_EQ(0, uncore_plan_open(uncore, ALL, 0, &plan, NULL));
	ASSERT_EQ(0, uncore_region_open(plan, "r", &region));
	cost = cost_of_pairs(&instructions, region);
	TH_LOG("4 + 4 counters, begin and end: %lld instructions",
	       (long long)(cost + 500) / 1000);
	EXPECT_GE(200500, cost);
	EXPECT_LT(150000, cost);
	uncore_counter_close(&instructions);
	uncore_plan_close(plan);
	uncore_close(uncore);
}

TEST_HARNESS_MAIN
