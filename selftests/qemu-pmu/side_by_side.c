// SPDX-License-Identifier: GPL-2.0-only
/* Run by scripts/vm --pmu intel --icount. */
/*
 * What it costs to read counters, by the library and by others, side by side:
 * in instructions, those of the kernel and of other processes included.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>

#include <uncore.h>

#include "../../lib/cli/ticks.h"
#include "opmu_check.h"

#define REPEATS		1000
#define COUNTERS	4

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

#define CORE	"cycles,branches,branch-misses,cache-misses"
#define UNCORE	"imc0@0/UNC_M_CAS_COUNT:RD/,imc0@0/UNC_M_CAS_COUNT:WR/,"	\
		"imc0@0/UNC_M_ACT_COUNT:RD/,imc0@0/UNC_M_ACT_COUNT:WR/"

/* The same for PAPI, which reads a group of one PMU with one system call. */
#define PAPI_CORE	"ix86arch::UNHALTED_CORE_CYCLES,"		\
			"ix86arch::BRANCH_INSTRUCTIONS_RETIRED,"	\
			"ix86arch::MISPREDICTED_BRANCH_RETIRED,"	\
			"ix86arch::LLC_MISSES"
#define PAPI_UNCORE	"hswep_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0,"	\
			"hswep_unc_imc0::UNC_M_CAS_COUNT:WR:cpu=0,"	\
			"hswep_unc_imc0::UNC_M_ACT_COUNT:RD:cpu=0,"	\
			"hswep_unc_imc0::UNC_M_ACT_COUNT:WR:cpu=0"

/*
 * LIKWID's daemon takes PCI devices to be in segment 0, where the simulator has
 * none: for the uncore it reads C-boxes here, by MSR, one access a counter.
 */
#define LIKWID_EVENTS							\
	"INSTR_RETIRED_ANY:FIXC0,BR_INST_RETIRED_ALL_BRANCHES:PMC0,"	\
	"BR_MISP_RETIRED_ALL_BRANCHES:PMC1,L2_RQSTS_MISS:PMC2,"		\
	"LLC_LOOKUP_DATA_READ:CBOX0C0,LLC_LOOKUP_DATA_READ:CBOX0C1,"	\
	"LLC_LOOKUP_DATA_READ:CBOX1C0,LLC_LOOKUP_DATA_READ:CBOX1C1"

#define LIKWID_DAEMON	"/usr/sbin/likwid-accessD"

typedef uint64_t (*reader)(const struct uncore_counter *counter);

#define READER(name, value)						\
	static __attribute__((noinline)) uint64_t			\
	name(const struct uncore_counter *counter)			\
	{								\
		return value;						\
	}

READER(read_core, uncore_core_read(counter))
READER(read_any, uncore_read(counter))
READER(read_bare, uncore_rdpmc(counter->index))

/* Returns what happens to be in the register: no instruction. */
static __attribute__((noinline)) uint64_t
read_nothing(const struct uncore_counter *counter)
{
	uint64_t nothing;

	(void)counter;
	__asm__ volatile("" : "=r"(nothing));
	return nothing;
}

/* In the order of the table. */
enum line {
	RDPMC,
	PERF_PAGE,
	READ,
	PERF_READ,
	MAPPED,
	REGION_CORE,
	PAPI_READ_CORE,
	REGION,
	PAPI_READ,
	PAPI_START,
	PAPI_REGION,
	LIKWID,
	NUM_LINES,
};

static const struct {
	const char *name;
	enum line compared;
} table[NUM_LINES] = {
	[RDPMC] = { "bare RDPMC", RDPMC },
	[PERF_PAGE] = { "uncore_core_read(), a perf page", PERF_PAGE },
	[READ] = { "uncore_read() of the same", PERF_PAGE },
	[PERF_READ] = { "read(2) of the same", PERF_PAGE },
	[MAPPED] = { "uncore_read() of a memory controller", MAPPED },
	[REGION_CORE] = { "region, 4 of the core", REGION_CORE },
	[PAPI_READ_CORE] = { "PAPI_read() twice, 4 of the core", REGION_CORE },
	[REGION] = { "region, 4 of the core and 4 of the uncore", REGION },
	[PAPI_READ] = { "PAPI_read() twice, 4 + 4", REGION },
	[PAPI_START] = { "PAPI_start() and PAPI_stop(), 4 + 4", REGION },
	[PAPI_REGION] = { "PAPI_hl_region_begin() and end, 4 + 4", REGION },
	[LIKWID] = { "LIKWID_MARKER_START and STOP, 4 + 4", REGION },
};

FIXTURE(side_by_side)
{
	uint64_t unit, nothing;
	struct uncore *uncore;
	double cost[NUM_LINES];
	char paranoid[16];
};

FIXTURE_SETUP(side_by_side)
{
	if (!getenv("UNCORE_ICOUNT"))
		SKIP(return, "needs --icount");
	ASSERT_EQ(0, pin_to(0));
	/* With Debian's 3, PAPI does without perf's counters, even for root. */
	ASSERT_EQ(0, file_read(PARANOID, self->paranoid,
			       sizeof(self->paranoid)));
	ASSERT_EQ(0, file_write(PARANOID, "1"));
	self->unit = bench_calibrate(REPEATS);
	ASSERT_NE(0, self->unit);
	self->nothing = BENCH_LEAST(REPEATS, );
	ASSERT_EQ(0, uncore_open_flags(NULL, UNCORE_OPEN_PROGRAM,
				       &self->uncore));
}

FIXTURE_TEARDOWN(side_by_side)
{
	uncore_close(self->uncore);
	EXPECT_EQ(0, file_write(PARANOID, self->paranoid));
}

#define COST(statement)							\
	((double)(BENCH_LEAST(REPEATS, statement) - self->nothing) /	\
	 (double)self->unit)

static double read_cost(FIXTURE_DATA(side_by_side) *self, reader read,
			const struct uncore_counter *counter)
{
	/* Not to be compiled into its caller. */
	__asm__("" : "+r"(read));
	return COST(read(counter));
}

static void single_reads(struct __test_metadata *_metadata,
			 FIXTURE_DATA(side_by_side) *self)
{
	struct uncore_counter core, mapped, bare = { .width = 0 };
	const struct uncore_core *details;
	uint64_t reading[3];
	double call;

	ASSERT_EQ(0, uncore_core_open("instructions", &core, NULL));
	ASSERT_EQ(0, uncore_counter_open_name(self->uncore, "imc0@0/ctr0",
					      &mapped));
	details = (const struct uncore_core *)(const void *)core.details;
	bare.index = details->page->index - 1;
	call = read_cost(self, read_nothing, &core);
	self->cost[RDPMC] = read_cost(self, read_bare, &bare) - call;
	self->cost[PERF_PAGE] = read_cost(self, read_core, &core) - call;
	self->cost[READ] = read_cost(self, read_any, &core) - call;
	self->cost[MAPPED] = read_cost(self, read_any, &mapped) - call;
	self->cost[PERF_READ] = COST(read((int)core.index, reading,
					  sizeof(reading)));
	uncore_counter_close(&mapped);
	uncore_counter_close(&core);
}

static double region_cost(struct __test_metadata *_metadata,
			  FIXTURE_DATA(side_by_side) *self, const char *events)
{
	struct uncore_event_error error = { .message = "" };
	struct uncore_region *opened = NULL, *region;
	struct uncore_plan *plan = NULL;
	double cost = 0;

	EXPECT_EQ(0, uncore_plan_open(self->uncore, events, 0, &plan, &error))
		TH_LOG("%s", error.message);
	EXPECT_EQ(0, uncore_region_open(plan, "r", &opened));
	region = opened;
	if (region)
		cost = COST(__asm__ volatile("" : "+r"(region));
			    uncore_region_begin(region);
			    uncore_region_end(region));
	uncore_plan_close(plan);
	return cost;
}

static int papi_open(struct __test_metadata *_metadata, const char *events,
		     int *set)
{
	char *names = strdup(events), *rest = names, *name;
	int ret;

	*set = PAPI_NULL;
	ret = PAPI_create_eventset(set);
	while (!ret && (name = strsep(&rest, ","))) {
		ret = PAPI_add_named_event(*set, name);
		if (ret)
			TH_LOG("%s: %s", name, PAPI_strerror(ret));
	}
	free(names);
	return ret;
}

static void papi(struct __test_metadata *_metadata,
		 FIXTURE_DATA(side_by_side) *self)
{
	const PAPI_component_info_t *component;
	long long begun[2 * COUNTERS], ended[2 * COUNTERS];
	int core, uncore, failed = 0;

	ASSERT_EQ(PAPI_VER_CURRENT, PAPI_library_init(PAPI_VER_CURRENT));
	component = PAPI_get_component_info(
		PAPI_get_component_index("perf_event"));
	ASSERT_NE(NULL, component);
	/* Its best: RDPMC for the core. */
	EXPECT_EQ(1, component->fast_counter_read + 0);
	ASSERT_EQ(0, papi_open(_metadata, PAPI_CORE, &core));
	ASSERT_EQ(0, papi_open(_metadata, PAPI_UNCORE, &uncore));
	self->cost[PAPI_START] = COST(
		failed |= PAPI_start(uncore) | PAPI_start(core);
		failed |= PAPI_stop(core, ended);
		failed |= PAPI_stop(uncore, ended + COUNTERS));

	ASSERT_EQ(0, PAPI_start(uncore));
	ASSERT_EQ(0, PAPI_start(core));
	self->cost[PAPI_READ_CORE] = COST(
		failed |= PAPI_read(core, begun) | PAPI_read(core, ended));
	self->cost[PAPI_READ] = COST(
		failed |= PAPI_read(uncore, begun + COUNTERS);
		failed |= PAPI_read(core, begun) | PAPI_read(core, ended);
		failed |= PAPI_read(uncore, ended + COUNTERS));
	EXPECT_EQ(0, failed);
	EXPECT_LT(begun[0], ended[0]);
	EXPECT_LT(0, begun[COUNTERS]);
	EXPECT_EQ(0, PAPI_stop(core, ended));
	EXPECT_EQ(0, PAPI_stop(uncore, ended));

	setenv("PAPI_OUTPUT_DIRECTORY", "/tmp", 1);
	setenv("PAPI_EVENTS", PAPI_CORE "," PAPI_UNCORE, 1);
	self->cost[PAPI_REGION] = COST(
		failed |= PAPI_hl_region_begin("r") | PAPI_hl_region_end("r"));
	EXPECT_EQ(0, failed);
}

static void likwid(struct __test_metadata *_metadata,
		   FIXTURE_DATA(side_by_side) *self)
{
	static const char *const modprobe[] = { "modprobe", "msr", NULL };
	int events = 0;
	double first = 0;
	FILE *pipe;

	/* As likwid-perfctr sets them. */
	setenv("LIKWID_MODE", "1", 1);
	setenv("LIKWID_FORCE", "1", 1);
	setenv("LIKWID_THREADS", "0", 1);
	setenv("LIKWID_FILEPATH", "/tmp/likwid_cost", 1);
	setenv("LIKWID_EVENTS", LIKWID_EVENTS, 1);
	ASSERT_EQ(0, run(modprobe));
	ASSERT_EQ(0, access("/host/likwid-accessD", X_OK))
		TH_LOG("%s", "run it as README.md says, with --add");
	/* Where the library looks for it if there is no bash to ask. */
	ASSERT_EQ(0, symlink("/host/likwid-accessD", LIKWID_DAEMON));
	pipe = popen("/host/likwid_cost", "r");
	ASSERT_NE(NULL, pipe);
	EXPECT_EQ(3, fscanf(pipe, "%lf %d %lf", &self->cost[LIKWID], &events,
			    &first));
	EXPECT_EQ(0, pclose(pipe));
	EXPECT_EQ(0, unlink(LIKWID_DAEMON));
	/* It always counts the fixed ones, too. */
	EXPECT_LE(8, events);
	EXPECT_LT(0, first);
}

static void print(const double *cost)
{
	unsigned int i;

	printf("# cost: %-42s %12s\n", "WAY OF READING", "INSTRUCTIONS");
	for (i = 0; i < NUM_LINES; i++) {
		printf("# cost: %-42s %12.0f", table[i].name, cost[i]);
		if (table[i].compared != i)
			printf("  %.1f x %s", cost[i] / cost[table[i].compared],
			       table[table[i].compared].name);
		printf("\n");
	}
	fflush(stdout);
}

TEST_F(side_by_side, instructions)
{
	double *cost = self->cost;

	single_reads(_metadata, self);
	cost[REGION_CORE] = region_cost(_metadata, self, CORE);
	cost[REGION] = region_cost(_metadata, self, CORE "," UNCORE);
	papi(_metadata, self);
	likwid(_metadata, self);
	print(cost);
	EXPECT_GE(8, cost[RDPMC]);
	EXPECT_LT(2, cost[RDPMC]);
	EXPECT_GE(20, cost[PERF_PAGE]);
	EXPECT_LT(12, cost[PERF_PAGE]);
	EXPECT_GE(20, cost[READ]);
	EXPECT_GE(200, cost[REGION]);
	EXPECT_LT(150, cost[REGION]);
	EXPECT_LE(20 * cost[REGION], cost[PAPI_READ]);
	EXPECT_LE(20 * cost[REGION], cost[PAPI_START]);
	EXPECT_LE(20 * cost[REGION], cost[PAPI_REGION]);
	EXPECT_LE(500 * cost[REGION], cost[LIKWID]);
}

TEST_HARNESS_MAIN
