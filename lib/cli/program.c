// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl program: hold what others measure. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "conf.h"
#include "hold.h"
#include "notify.h"
#include "wait.h"

/* Seconds until it is seen that a claim was lost. */
#define LOOK_EVERY	10.0

/**
 * struct job - what is to be held
 * @specs: number of requests that are from the command line, the first ones
 * @wrong: lines of the file that are no events
 * @refused: events that could not be programmed
 */
struct job {
	const struct options *options;
	struct requests requests;
	size_t specs;
	size_t wrong;
	size_t refused;
	struct hold hold;
};

static void say(const char *what, int error)
{
	if (error)
		complain_errno(what, error);
}

static void complain_file(const char *path, int error)
{
	const char *text = conf_error_text(error);

	complain(path, text ? text : "unknown error");
}

/* What counts always is not held; an exit code. */
static int add_request(struct job *job, const char *spec, const char *where)
{
	struct requests *requests = &job->requests;
	char message[UNCORE_SPEC_LEN + 64];
	int ret;

	ret = request_add(requests, job->hold.uncore, spec, where);
	if (ret != EXIT_OK || requests->list[requests->count - 1].event.kind !=
			      UNCORE_PMU_KIND_FREE_RUNNING)
		return ret;
	snprintf(message, sizeof(message), "a free-running counter needs no "
		 "programming: \"uncorectl stat -e %s\" measures it", spec);
	complain(where, message);
	request_remove_last(requests);
	return EXIT_FAILED;
}

static int parse_specs(struct job *job)
{
	const struct options *options = job->options;
	int i, ret = EXIT_OK;

	for (i = 0; i < options->argc && ret == EXIT_OK &&
	     !signalled_to_end(); i++)
		ret = add_request(job, options->argv[i], options->argv[i]);
	job->specs = job->requests.count;
	return ret;
}

/* What messages about a line begin with; NULL without memory. */
static char *line_name(const struct job *job, const struct conf_line *line)
{
	char *where;

	if (line->spec[0])
		return asprintf(&where, "%s:%zu: %s", job->options->file,
				line->number, line->spec) < 0 ? NULL : where;
	return asprintf(&where, "%s:%zu", job->options->file, line->number) < 0
	       ? NULL : where;
}

static void parse_line(struct job *job, const struct conf_line *line)
{
	char *where;

	where = line_name(job, line);
	if (!where || line->trouble)
		complain(where ? where : job->options->file,
			 where ? line->trouble : "out of memory");
	if (!where || line->trouble ||
	    add_request(job, line->spec, where))
		job->wrong++;
	free(where);
}

static void parse_lines(struct job *job, const struct conf *conf)
{
	size_t i;

	job->wrong = 0;
	for (i = 0; i < conf->count && !signalled_to_end(); i++)
		parse_line(job, &conf->lines[i]);
}

static int hold_one(struct job *job, const struct request *request,
		    bool lenient)
{
	unsigned int unit;
	int ret = hold_request(&job->hold, request, lenient, &unit);

	if (!ret)
		return EXIT_OK;
	complain_program(job->hold.uncore, request->where, unit,
			 &request->event, ret);
	return EXIT_FAILED;
}

static int hold_specs(struct job *job)
{
	size_t i;
	int ret = EXIT_OK;

	for (i = 0; i < job->specs && ret == EXIT_OK && !signalled_to_end(); i++)
		ret = hold_one(job, &job->requests.list[i], false);
	return ret;
}

/* A line that cannot be held does not keep the others from it. */
static void hold_lines(struct job *job)
{
	size_t i;

	for (i = job->specs; i < job->requests.count && !signalled_to_end(); i++)
		if (hold_one(job, &job->requests.list[i], true))
			job->refused++;
}

/* Prints what is new; gives an exit code. */
static int announce(struct job *job)
{
	size_t refused = job->wrong + job->refused;
	size_t waiting = hold_waiting(&job->hold);
	char lost[48] = "", lines[48] = "", status[160];

	if (waiting)
		snprintf(lost, sizeof(lost), ", %zu lost", waiting);
	if (refused)
		snprintf(lines, sizeof(lines), ", %zu lines refused", refused);
	snprintf(status, sizeof(status), "%zu counters held%s%s",
		 job->hold.count - waiting, lost, lines);
	hold_announce(&job->hold);
	if (job->options->file && !job->hold.count)
		puts("nothing is held; SIGHUP reads the file again");
	if (written(EXIT_OK) != EXIT_OK)
		return EXIT_FAILED;
	say("NOTIFY_SOCKET", notify_ready(status));
	return EXIT_OK;
}

/*
 * What is new comes first and what is not needed any more goes afterwards: once
 * there is a gap between counters that perf has given, perf closes it when the
 * next event comes, and so moves those behind it. Only where the counters do
 * not suffice for both, the other way round.
 */
static void hold_anew(struct job *job)
{
	struct requests *requests = &job->requests;
	bool *waiting = calloc(requests->count + 1, sizeof(*waiting));
	unsigned int unit;
	size_t i;

	job->refused = 0;
	hold_mark(&job->hold, requests);
	for (i = 0; waiting && i < requests->count; i++)
		waiting[i] = hold_request(&job->hold, &requests->list[i], true,
					  &unit);
	hold_sweep(&job->hold);
	for (i = 0; i < requests->count; i++)
		if ((!waiting || waiting[i]) &&
		    hold_one(job, &requests->list[i], true))
			job->refused++;
	for (i = 0; i < job->hold.count; i++)
		job->hold.list[i].kept = false;
	hold_sweep(&job->hold);
	free(waiting);
}

/*
 * The requests of the command line stay. If the file cannot be read, so does
 * all that is held.
 */
static int reload(struct job *job)
{
	struct conf conf;
	int ret;

	say("NOTIFY_SOCKET", notify_reloading());
	ret = conf_load(job->options->file, &conf);
	if (ret) {
		complain_file(job->options->file, ret);
		return announce(job);
	}
	requests_free(&job->requests);
	/* They were right once; lines are added behind them. */
	parse_specs(job);
	parse_lines(job, &conf);
	conf_free(&conf);
	/* What was not read for a signal is not to be released yet. */
	if (signalled_to_end())
		return EXIT_OK;
	hold_anew(job);
	return announce(job);
}

/* Programs anew what was lost, says what has moved; an exit code. */
static int look_after(struct job *job)
{
	size_t before = hold_waiting(&job->hold);
	size_t lost = hold_renew(&job->hold);
	char message[64];

	if (!lost && before != hold_waiting(&job->hold))
		return announce(job);
	if (!lost) {
		hold_announce(&job->hold);
		return written(EXIT_OK);
	}
	snprintf(message, sizeof(message), "%zu claims were lost", lost);
	complain("program", message);
	return announce(job);
}

/* Until the time is over or a signal ends it; an exit code. */
static int hold_on(struct job *job, struct waiter *waiter)
{
	double hold = job->options->hold;
	double deadline = hold > 0 ? now() + hold : INFINITY;
	double look = now() + LOOK_EVERY;
	struct signalfd_siginfo info;
	int signal, ret = EXIT_OK;

	while (ret == EXIT_OK) {
		signal = waiter_wait(waiter, deadline < look ? deadline : look,
				     &info);
		if (signal < 0) {
			complain_errno("waiting", signal);
			return EXIT_FAILED;
		}
		if (signal == SIGHUP) {
			ret = reload(job);
		} else if (signal || now() >= deadline) {
			return job->wrong + job->refused ? EXIT_PARTLY
							 : EXIT_OK;
		} else {
			ret = look_after(job);
			look = now() + LOOK_EVERY;
		}
	}
	return ret;
}

static int run(struct job *job, struct waiter *waiter)
{
	int ret;

	ret = hold_specs(job);
	if (ret != EXIT_OK)
		return ret;
	hold_lines(job);
	ret = signalled_to_end() ? EXIT_OK : announce(job);
	if (ret == EXIT_OK)
		ret = hold_on(job, waiter);
	say("NOTIFY_SOCKET", notify("STOPPING=1\n"));
	return ret;
}

/* All specs are understood before anything is claimed. */
static int prepare(struct job *job)
{
	struct conf conf;
	int ret;

	ret = parse_specs(job);
	if (ret != EXIT_OK || !job->options->file)
		return ret;
	ret = conf_load(job->options->file, &conf);
	if (ret) {
		complain_file(job->options->file, ret);
		return EXIT_FAILED;
	}
	parse_lines(job, &conf);
	conf_free(&conf);
	return EXIT_OK;
}

static void signals_of(const struct options *options, sigset_t *signals)
{
	sigemptyset(signals);
	want_signal(signals, SIGINT);
	want_signal(signals, SIGTERM);
	if (options->file)
		want_signal(signals, SIGHUP);
}

static bool may_program(const struct job *job)
{
	const char *device = job->options->device;
	int ret = uncore_can_program(job->hold.uncore);

	if (ret < 1)
		complain(device ? device : NODE,
			 ret ? uncore_strerror(UNCORE_CALL_PROGRAM, ret) :
			 RIGHT_TO_PROGRAM "; what is standing can be measured: "
			 "\"uncorectl status\"");
	return ret == 1;
}

static int hold(struct job *job, struct waiter *waiter)
{
	int ret = prepare(job);

	if (!may_program(job))
		ret = EXIT_FAILED;
	if (ret == EXIT_OK)
		ret = run(job, waiter);
	hold_close(&job->hold);
	requests_free(&job->requests);
	return ret;
}

/*
 * A signal may come while the units are looked up or a long file is read: one to
 * read it again waits until all is held, one to end is seen to between the lines.
 */
void program_signals(const struct options *options)
{
	sigset_t signals;

	signals_of(options, &signals);
	sigprocmask(SIG_BLOCK, &signals, NULL);
}

int cmd_program(struct uncore *uncore, const struct options *options)
{
	struct job job = { .options = options, .hold.uncore = uncore };
	struct waiter waiter;
	sigset_t signals;
	int ret;

	signals_of(options, &signals);
	ret = waiter_open(&waiter, &signals);
	if (ret) {
		complain_errno("signals", ret);
		return EXIT_FAILED;
	}
	ret = hold(&job, &waiter);
	waiter_close(&waiter);
	return ret;
}
