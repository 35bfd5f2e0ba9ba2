// SPDX-License-Identifier: LGPL-2.1-or-later
/* "stat --marked": the events for COMMAND, and the reports of its processes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "marked_process.h"

/* Above those that shells and their scripts use by number. */
#define FIRST_FD	100

bool marked_core_only(const struct options *options)
{
	char spec[UNCORE_SPEC_LEN], *copy, *rest, *group;
	bool core = true;
	const char *list;
	size_t i;

	for (i = 0; i < options->num_events && core; i++) {
		copy = strdup(options->events[i]);
		if (!copy)
			return false;
		rest = copy;
		while ((group = strsep(&rest, ";"))) {
			list = group;
			while (uncore_spec_next(&list, spec, sizeof(spec)) > 0)
				core = core && uncore_spec_is_core(spec);
		}
		free(copy);
	}
	return core;
}

/* All lists in one; NULL without memory. */
static char *join(const struct options *options)
{
	size_t i, length = 1;
	char *all;

	for (i = 0; i < options->num_events; i++)
		length += strlen(options->events[i]) + 1;
	all = calloc(1, length);
	for (i = 0; all && i < options->num_events; i++) {
		if (i)
			strcat(all, ",");
		strcat(all, options->events[i]);
	}
	return all;
}

/* What the program will do with a group of events, so that it need not fail. */
static int check_plan(struct uncore *uncore, const char *events)
{
	struct uncore_event_error error = { .message = "" };
	struct uncore_plan *plan;
	int ret;

	ret = uncore_plan_open(uncore, events, 0, &plan, &error);
	if (ret) {
		complain(events, error.message[0]
			 ? error.message
			 : uncore_strerror(UNCORE_CALL_CORE, ret));
		return EXIT_FAILED;
	}
	uncore_plan_close(plan);
	return EXIT_OK;
}

static int check_plans(struct uncore *uncore, const char *events)
{
	char *copy = strdup(events), *rest = copy, *group;
	int ret = EXIT_OK;

	if (!copy) {
		complain_errno("stat", ENOMEM);
		return EXIT_FAILED;
	}
	while (ret == EXIT_OK && (group = strsep(&rest, ";")))
		ret = check_plan(uncore, group);
	free(copy);
	return ret;
}

/* Each report goes to the end, and what is there stays: the library asks for that. */
static int open_file(void)
{
	int fd, inherited = -1;

	fd = memfd_create(PROGRAM, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	if (!fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) &&
	    !fcntl(fd, F_SETFL, O_APPEND)) {
		inherited = fcntl(fd, F_DUPFD, FIRST_FD);
		/* ulimit -n is not above that. */
		if (inherited < 0 && errno == EINVAL)
			inherited = fcntl(fd, F_DUPFD, STDERR_FILENO + 1);
	}
	if (inherited < 0)
		inherited = -errno;
	close(fd);
	return inherited;
}

int marked_open(struct marked *marked, struct uncore *uncore,
		const struct options *options)
{
	char path[64], *events = join(options);
	int ret;

	if (!events) {
		complain_errno("stat", ENOMEM);
		return EXIT_FAILED;
	}
	marked->uncore = uncore;
	marked->several = strchr(events, ';');
	ret = check_plans(uncore, events);
	if (ret == EXIT_OK) {
		marked->fd = open_file();
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(),
			 marked->fd);
		if (marked->fd < 0 || setenv("UNCORE_EVENTS", events, 1) ||
		    setenv("UNCORE_STAT", path, 1)) {
			complain_errno("--marked", marked->fd < 0 ? marked->fd
								  : ENOMEM);
			ret = EXIT_FAILED;
		}
	}
	free(events);
	return ret;
}

void marked_close(struct marked *marked)
{
	size_t i;

	for (i = 0; i < marked->count; i++)
		process_free(&marked->processes[i]);
	free(marked->processes);
	if (marked->fd > STDERR_FILENO)
		close(marked->fd);
}

static struct process *get_process(struct marked *marked, json_int_t pid)
{
	struct process *list = marked->processes;
	size_t i;

	for (i = 0; i < marked->count; i++)
		if (list[i].pid == pid)
			return &list[i];
	list = reallocarray(list, marked->count + 1, sizeof(*list));
	if (!list)
		return NULL;
	marked->processes = list;
	list += marked->count++;
	memset(list, 0, sizeof(*list));
	list->pid = pid;
	list->rows = json_array();
	list->errors = json_array();
	return list;
}

/* Does this make sense? */
static bool take(struct marked *marked, const json_t *line)
{
	const json_t *pid = json_object_get(line, "pid");
	json_t *results = json_object_get(line, "results");
	json_t *error = json_object_get(line, "error");
	struct process *process;

	if (!json_is_integer(pid))
		return false;
	process = get_process(marked, json_integer_value(pid));
	if (!process)
		return false;
	if (json_is_true(json_object_get(line, "open"))) {
		process->opened++;
		return true;
	}
	if (json_is_string(error))
		return !json_array_append(process->errors, error);
	process->reported++;
	return json_is_array(results) && !json_array_extend(process->rows, results);
}

/* False: what was said is not understood. */
static bool take_all(struct marked *marked, const char *text, size_t size)
{
	json_error_t error;
	size_t at = 0;
	json_t *line;
	bool good;

	while (at < size) {
		line = json_loadb(text + at, size - at, JSON_DISABLE_EOF_CHECK,
				  &error);
		good = line && take(marked, line);
		json_decref(line);
		if (!good)
			return false;
		at += (size_t)error.position;
		while (at < size && text[at] == '\n')
			at++;
	}
	return true;
}

static bool read_reports(struct marked *marked)
{
	struct stat status;
	char *text;
	bool good;

	if (fstat(marked->fd, &status))
		return false;
	if (!status.st_size)
		return true;
	text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED,
		    marked->fd, 0);
	if (text == MAP_FAILED)
		return false;
	good = take_all(marked, text, (size_t)status.st_size);
	munmap(text, (size_t)status.st_size);
	return good;
}

bool marked_collect(struct marked *marked, const char *command)
{
	bool good = read_reports(marked);
	size_t i;

	if (!good)
		complain(command, "what it reports is not understood: it must "
			 "be built with the same version of libuncore");
	else if (!marked->count)
		complain(command, "measures no regions: it must call "
			 "LIKWID_MARKER_INIT, built with -DLIKWID_PERFMON and "
			 "-luncore, or open a plan without events; what starts "
			 "it must leave the environment to it, as sudo does "
			 "not, and a program that is set-user-ID or has "
			 "capabilities (setcap) ignores that: run it without");
	for (i = 0; i < marked->count; i++)
		if (!process_is_complete(&marked->processes[i]))
			good = false;
	return good && marked->count;
}
