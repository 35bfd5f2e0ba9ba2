// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The traffic of a loop, counted beside what the loop must move: STREAM's triad,
 * a[i] = b[i] + s * c[i], reads 16 bytes of each element and writes 8.
 *
 *	triad [-n ELEMENTS] [COMMAND...]
 *
 * One region counts on all memory channels, and in the core if it has a PMU.
 * Events that nobody counts yet are programmed, which needs the right to. COMMAND
 * runs in the region too, behind the loop.
 *
 * Processors move more than the loop asks for: most read a line of a before they
 * write it, and memory belongs to all programs. They move less if the arrays fit
 * into the caches.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <uncore.h>

#define CORE	"instructions,cache-misses"

/* Reads and writes, by libpfm4 and by perf; clients count nothing else. */
static const char *const traffic[][2] = {
	{ "imc/UNC_M_CAS_COUNT:RD/", "imc/UNC_M_CAS_COUNT:WR/" },
	{ "imc/cas_count_read/", "imc/cas_count_write/" },
	{ "imc/cas_count_read_sch0/,imc/cas_count_read_sch1/",
	  "imc/cas_count_write_sch0/,imc/cas_count_write_sch1/" },
	{ "imc_free_running/data_read/", "imc_free_running/data_write/" },
	{ "imc/data_reads/", "imc/data_writes/" },
};

#define NUM_TRAFFIC	(sizeof(traffic) / sizeof(traffic[0]))

struct arrays {
	size_t count;
	double *a, *b, *c;
};

struct sums {
	const char *const *events;
	double bytes[2];
	bool failed;
};

static int make_arrays(struct arrays *arrays, size_t count)
{
	size_t i;

	arrays->count = count;
	arrays->a = calloc(count, sizeof(double));
	arrays->b = calloc(count, sizeof(double));
	arrays->c = calloc(count, sizeof(double));
	if (!arrays->a || !arrays->b || !arrays->c)
		return -ENOMEM;
	/* The kernel gives memory when it is first written. */
	for (i = 0; i < count; i++) {
		arrays->a[i] = 0;
		arrays->b[i] = (double)i;
		arrays->c[i] = 1;
	}
	return 0;
}

static void free_arrays(struct arrays *arrays)
{
	free(arrays->a);
	free(arrays->b);
	free(arrays->c);
}

static void triad(const struct arrays *arrays, double s)
{
	double *restrict a = arrays->a;
	const double *b = arrays->b, *c = arrays->c;
	size_t i;

	for (i = 0; i < arrays->count; i++)
		a[i] = b[i] + s * c[i];
}

static int run_command(char **command)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return status ? -ECHILD : 0;
}

/* Those that this processor has, or the first ones, so that the error says why. */
static const char *const *choose_traffic(struct uncore *uncore)
{
	char spec[UNCORE_SPEC_LEN];
	struct uncore_event event;
	const char *list;
	size_t i;

	for (i = 0; i < NUM_TRAFFIC; i++) {
		list = traffic[i][0];
		if (uncore_spec_next(&list, spec, sizeof(spec)) == 1 &&
		    uncore_spec_parse(uncore, spec, &event, NULL, 0, NULL) > 0)
			return traffic[i];
	}
	return traffic[0];
}

static int open_plan(struct uncore *uncore, const char *const *events,
		     struct uncore_plan **plan)
{
	struct uncore_event_error error;
	struct uncore_counter counter;
	bool core = !uncore_core_open("instructions", &counter, &error);
	char list[256];
	int ret;

	if (core)
		uncore_counter_close(&counter);
	else
		printf("without the core: %s\n", error.message);
	snprintf(list, sizeof(list), "%s%s,%s", core ? CORE "," : "",
		 events[0], events[1]);
	ret = uncore_plan_open(uncore, list, 0, plan, &error);
	if (ret)
		fprintf(stderr, "triad: %s\n", error.message);
	return ret;
}

static int print_result(const struct uncore_result *result, void *data)
{
	struct sums *sums = data;
	double bytes = (double)result->value * result->scale;
	char of[32];
	int i;

	if (result->die == UNCORE_DIE_UNKNOWN)
		snprintf(of, sizeof(of), "die ?");
	else if (result->die == UNCORE_DIE_NONE)
		snprintf(of, sizeof(of), "thread %u", result->thread);
	else
		snprintf(of, sizeof(of), "die %d", result->die);
	printf("%-26s %-9s ", result->event, of);
	if (result->state != UNCORE_VALID) {
		printf("%s\n", uncore_validity_text(result->state));
		sums->failed = true;
		return 0;
	}
	printf("%16" PRIu64, result->value);
	for (i = 0; i < 2; i++) {
		if (!strstr(sums->events[i], result->event))
			continue;
		sums->bytes[i] += bytes;
		printf(" %12.3f MB %10.1f MB/s", bytes / 1e6,
		       result->seconds > 0 ? bytes / result->seconds / 1e6 : 0);
	}
	putchar('\n');
	return 0;
}

static void compare(const char *what, double counted, double moved)
{
	printf("%-8s %16.0f bytes counted, %16.0f by the loop: %+.0f bytes, "
	       "%+.1f %%\n", what, counted, moved, counted - moved,
	       100 * (counted - moved) / moved);
}

static int measure(struct uncore *uncore, const struct arrays *arrays,
		   char **command)
{
	struct sums sums = { .events = choose_traffic(uncore) };
	struct uncore_region *region;
	struct uncore_plan *plan;
	int ret, ran = 0;

	ret = open_plan(uncore, sums.events, &plan);
	if (ret)
		return ret;
	ret = uncore_region_open(plan, "triad", &region);
	if (ret) {
		fprintf(stderr, "triad: %s\n",
			uncore_strerror(UNCORE_CALL_CORE, ret));
		goto out_close;
	}

	uncore_region_begin(region);
	triad(arrays, 3);
	if (command[0])
		ran = run_command(command);
	uncore_region_end(region);

	if (ran)
		fprintf(stderr, "triad: %s has failed\n", command[0]);
	uncore_plan_results(plan, UNCORE_RESULT_NET, print_result, &sums);
	if (!sums.failed) {
		compare("read", sums.bytes[0], 16 * (double)arrays->count);
		compare("written", sums.bytes[1], 8 * (double)arrays->count);
	}
	ret = sums.failed ? -ESTALE : ran;

out_close:
	uncore_plan_close(plan);
	return ret;
}

static int run(size_t count, char **command)
{
	struct arrays arrays = { 0 };
	struct uncore *uncore;
	int ret;

	ret = uncore_open_flags(NULL, UNCORE_OPEN_PROGRAM, &uncore);
	if (ret)
		ret = uncore_open(NULL, &uncore);
	if (ret) {
		fprintf(stderr, "triad: %s\n",
			uncore_strerror(UNCORE_CALL_OPEN, ret));
		return EXIT_FAILURE;
	}
	ret = make_arrays(&arrays, count);
	if (ret)
		fputs("triad: not enough memory: give a smaller -n\n", stderr);
	else
		ret = measure(uncore, &arrays, command);
	if (!ret && arrays.a[count - 1] != (double)(count - 1) + 3) {
		fputs("triad: a wrong result\n", stderr);
		ret = -EIO;
	}
	free_arrays(&arrays);
	uncore_close(uncore);
	return ret || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	unsigned long count = 10000000;
	int c;

	while ((c = getopt(argc, argv, "+n:")) != -1) {
		if (c == 'n')
			count = strtoul(optarg, NULL, 10);
		if (c != 'n' || !count) {
			fputs("Usage: triad [-n ELEMENTS] [COMMAND...]\n",
			      stderr);
			return 2;
		}
	}
	return run(count, argv + optind);
}
