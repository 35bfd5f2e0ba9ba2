// SPDX-License-Identifier: LGPL-2.1-or-later
/* The course of "stat": COMMAND, signals and intervals. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "marked.h"
#include "wait.h"

/**
 * struct run - a run of "stat"
 * @marked: what COMMAND counts by itself; else NULL
 * @pid: of COMMAND, 0 without
 * @interval: seconds between results, INFINITY for one at the end
 * @start: monotonic time
 * @last: when the results before began
 * @multiple: number of the interval, counted from @start
 * @printed: results so far
 * @partly: something could not be measured
 * @broken: the results cannot be written any more
 */
struct run {
	const struct options *options;
	struct measures *measures;
	struct marked *marked;
	struct waiter waiter;
	FILE *out;
	enum stat_format format;
	pid_t pid;
	double interval;
	double start;
	double last;
	long multiple;
	long printed;
	bool partly;
	bool broken;
};

/* Where the results go, for messages. */
static void cannot_write(struct run *run)
{
	const struct options *options = run->options;
	int error = errno;

	if (run->broken)
		return;
	run->broken = true;
	if (run->out == stdout)
		complain_output(error);
	else
		complain_errno(options->output ? options->output
					       : "standard error", error);
}

static void print(struct run *run, double time)
{
	struct span span = {
		.time = time - run->start, .interval = time - run->last,
	};

	if (!measures_all_valid(run->measures))
		run->partly = true;
	if (!run->broken &&
	    !print_stat(run->out, run->format, run->measures, &span))
		cannot_write(run);
	run->last = time;
	run->printed++;
}

static void print_marked(struct run *run)
{
	if (!marked_collect(run->marked, run->options->argv[0]))
		run->partly = true;
	if (!run->broken && !marked_print(run->out, run->format, run->marked))
		cannot_write(run);
}

/* Ctrl-C has reached COMMAND too, a signal to this process alone has not. */
static void pass_on(const struct run *run, const struct signalfd_siginfo *info)
{
	if (info->ssi_code <= 0)
		kill(run->pid, (int)info->ssi_signo);
}

/* An exit code if that is the end, else -1. */
static int on_signal(struct run *run, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo == SIGCHLD)
		return run->pid ? reap(run->pid) : -1;
	if (run->pid) {
		pass_on(run, info);
		return -1;
	}
	return EXIT_OK;
}

static double next_print(struct run *run)
{
	if (isinf(run->interval))
		return INFINITY;
	return run->start + (double)run->multiple * run->interval;
}

/* The samples between results see to it that no counter wraps unseen. */
static int loop(struct run *run)
{
	double period = run->marked ? INFINITY
				    : measures_period(run->measures);
	double due, check, sampled = run->start;
	struct signalfd_siginfo info;
	int signal, ret = -1;

	while (ret < 0) {
		due = next_print(run);
		check = sampled + period;
		signal = waiter_wait(&run->waiter, due < check ? due : check,
				     &info);
		if (signal < 0) {
			complain_errno("waiting", signal);
			return run->pid ? EXIT_OWN : EXIT_FAILED;
		}
		if (signal) {
			ret = on_signal(run, &info);
			continue;
		}
		sampled = now();
		measures_sample(run->measures);
		if (sampled < due)
			continue;
		print(run, sampled);
		run->multiple = next_multiple(run->start, run->interval,
					      run->multiple);
		if (run->printed == run->options->count ||
		    (run->broken && !run->pid))
			return EXIT_OK;
		measures_find_again(run->measures);
		measures_begin(run->measures);
	}
	if (run->marked) {
		print_marked(run);
		return ret;
	}
	sampled = now();
	measures_sample(run->measures);
	print(run, sampled);
	return ret;
}

static void signals_of(const struct options *options, sigset_t *signals)
{
	sigemptyset(signals);
	if (options->argc) {
		/* Ignored for both or for none. */
		sigaddset(signals, SIGINT);
		sigaddset(signals, SIGTERM);
		want_signal(signals, SIGCHLD);
	} else {
		want_signal(signals, SIGINT);
		want_signal(signals, SIGTERM);
	}
}

static int measure(struct run *run)
{
	char **argv = run->options->argv;
	int ret;

	if (!run->marked)
		measures_begin(run->measures);
	run->start = now();
	run->last = run->start;
	run->multiple = 1;
	if (run->options->argc) {
		ret = spawn(argv, &run->waiter.before, &run->pid);
		if (ret) {
			complain_errno(argv[0], ret);
			return spawn_exit_code(ret);
		}
	}
	ret = loop(run);
	if (run->marked && run->partly && ret == EXIT_OK)
		return EXIT_OWN;
	if (run->pid || ret != EXIT_OK)
		return ret;
	return run->partly ? EXIT_PARTLY : EXIT_OK;
}

/* Results go apart from what COMMAND prints. */
static FILE *open_output(const struct options *options)
{
	FILE *file;

	if (!options->output)
		return options->argc ? stderr : stdout;
	file = fopen(options->output, "we");
	if (!file && errno == EISDIR)
		complain(options->output, "a directory: give -o a file");
	else if (!file && errno == ENOENT)
		complain(options->output, "no such directory: make it first");
	else if (!file)
		complain_errno(options->output, errno);
	return file;
}

/*
 * COMMAND runs whether its results can be written or not, as far as can be told
 * before it has run. That they are lost is no success.
 */
static int print_results(struct run *run)
{
	bool command = run->options->argc;
	int ret = EXIT_OK;

	if (!run->marked && !print_stat_heading(run->out, run->format))
		cannot_write(run);
	if (command || !run->broken)
		ret = measure(run);
	if (run->options->output && fclose(run->out))
		cannot_write(run);
	if (run->broken && (ret == EXIT_OK || (ret == EXIT_PARTLY && !command)))
		ret = command ? EXIT_OWN : EXIT_FAILED;
	return ret;
}

/*
 * No signal is lost from the first line of results on; before, one ends what a
 * FIFO without a reader would have wait.
 */
static int run_with_signals(struct run *run)
{
	int ret, failed = run->options->argc ? EXIT_OWN : EXIT_FAILED;
	sigset_t signals;

	run->out = open_output(run->options);
	if (!run->out)
		return failed;
	signals_of(run->options, &signals);
	ret = waiter_open(&run->waiter, &signals);
	if (ret) {
		complain_errno("signals", ret);
		return failed;
	}
	ret = print_results(run);
	waiter_close(&run->waiter);
	return ret;
}

/* @list, which may be one group of all that was given. */
static int parse_list(struct uncore *uncore, const char *given,
		      const char *list, bool marked, struct requests *requests)
{
	char spec[UNCORE_SPEC_LEN], what[UNCORE_SPEC_LEN];
	const char *rest = list;
	int more, ret;

	snprintf(what, sizeof(what), "-e '%s'", given);
	if (!list[strspn(list, " \t\n")])
		return wrong_usage(what, strchr(given, ';') && marked
				   ? "a group without an event: write "
				     "EVENT,EVENT;EVENT"
				   : "names no event");
	while ((more = uncore_spec_next(&rest, spec, sizeof(spec))) > 0) {
		if (marked && uncore_spec_is_core(spec))
			continue;
		ret = request_add(requests, uncore, spec, spec);
		if (ret != EXIT_OK)
			return ret;
	}
	if (more < 0)
		return wrong_usage(what, more == -ENAMETOOLONG
				   ? "an event's name is too long"
				   : marked
				   ? "an empty event: write EVENT,EVENT"
				   : "an empty event: write "
				     "UNIT/EVENT/,UNIT/EVENT/");
	return EXIT_OK;
}

/* All lists of the command line; an exit code. */
static int parse_events(struct uncore *uncore, const struct options *options,
			struct requests *requests)
{
	char *copy, *rest, *list;
	int ret = EXIT_OK;
	size_t i;

	for (i = 0; i < options->num_events && ret == EXIT_OK; i++) {
		copy = strdup(options->events[i]);
		if (!copy) {
			complain_errno("stat", ENOMEM);
			return EXIT_FAILED;
		}
		rest = copy;
		while (ret == EXIT_OK &&
		       (list = strsep(&rest, options->marked ? ";" : "")))
			ret = parse_list(uncore, options->events[i], list,
					 options->marked, requests);
		free(copy);
	}
	return ret;
}

static int stat_requests(struct uncore *uncore, const struct options *options,
			 const struct requests *requests)
{
	struct measures measures = { .count = 0 };
	struct marked marked = { .count = 0 };
	struct hold hold = { .uncore = uncore };
	struct run run = {
		.options = options, .measures = &measures,
		.format = options->json ? STAT_JSON :
			  options->csv ? STAT_CSV : STAT_TEXT,
		.interval = options->interval,
	};
	int ret;

	if (!(run.interval > 0))
		run.interval = options->count ? 1 : INFINITY;
	ret = measures_open(&measures, uncore, &hold, requests);
	if (ret == EXIT_OK && requests->count)
		ret = measures_attach(&measures);
	if (ret == EXIT_OK && options->marked) {
		run.marked = &marked;
		ret = marked_open(&marked, uncore, options);
	}
	if (ret != EXIT_OK)
		ret = options->argc ? EXIT_OWN : ret;
	else
		ret = run_with_signals(&run);
	measures_close(&measures);
	hold_close(&hold);
	marked_close(&marked);
	return ret;
}

bool stat_needs_node(const struct options *options)
{
	return !options->marked || !marked_core_only(options);
}

int cmd_stat(struct uncore *uncore, const struct options *options)
{
	struct requests requests = { .count = 0 };
	int ret;

	if (options->argc && options->count)
		return wrong_usage("stat", "a COMMAND and --count exclude each "
				   "other");
	ret = parse_events(uncore, options, &requests);
	if (ret == EXIT_OK)
		ret = stat_requests(uncore, options, &requests);
	else if (ret == EXIT_FAILED && options->argc)
		ret = EXIT_OWN;
	requests_free(&requests);
	return ret;
}
