// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel|amd. */
/* Begin and end of a region make no system call; side_by_side.c counts instructions. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
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

TEST_HARNESS_MAIN
