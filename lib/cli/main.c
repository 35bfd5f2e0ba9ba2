// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl: look at uncore counters from the command line. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum command_flags {
	TAKES_ARGUMENTS	= 1 << 0,
	NEEDS_ARGUMENTS	= 1 << 1,
	/* Its arguments may have options of their own. */
	TAKES_COMMAND	= 1 << 2,
	/* Opens the node for writing, if that is allowed. */
	MAY_PROGRAM	= 1 << 3,
};

static const struct command {
	const char *name;
	int (*run)(struct uncore *uncore, const struct options *options);
	unsigned int flags;
	unsigned int options;
} commands[] = {
	{ "list", cmd_list, TAKES_ARGUMENTS, OPTION_JSON },
	{ "events", cmd_events, TAKES_ARGUMENTS, OPTION_JSON },
	{ "stat", cmd_stat, TAKES_ARGUMENTS | TAKES_COMMAND | MAY_PROGRAM,
	  OPTION_JSON | OPTION_CSV | OPTION_INTERVAL_MS | OPTION_COUNT |
	  OPTION_EVENTS | OPTION_OUTPUT | OPTION_MARKED },
	{ "status", cmd_status, TAKES_ARGUMENTS | MAY_PROGRAM, OPTION_JSON },
	{ "program", cmd_program, TAKES_ARGUMENTS | MAY_PROGRAM,
	  OPTION_FOR | OPTION_FILE },
	{ "read", cmd_read, TAKES_ARGUMENTS | NEEDS_ARGUMENTS,
	  OPTION_JSON | OPTION_INTERVAL | OPTION_COUNT },
	{ "bench", cmd_bench, 0, OPTION_JSON },
	{ "doctor", NULL, 0, 0 },
};

static char *printable(const char *text)
{
	char *copy = strdup(text), *c;

	for (c = copy; c && *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return copy;
}

void complain(const char *what, const char *message)
{
	char *name = printable(what), *text = printable(message);

	fflush(stdout);
	fprintf(stderr, PROGRAM ": %s: %s\n", name ? name : "?",
		text ? text : "out of memory");
	free(name);
	free(text);
}

void complain_errno(const char *what, int error)
{
	const char *text = strerrordesc_np(error < 0 ? -error : error);

	complain(what, text ? text : "unknown error");
}

int wrong_usage(const char *what, const char *message)
{
	complain(what, message);
	fputs("Try \"uncorectl --help\".\n", stderr);
	return EXIT_USAGE;
}

void complain_output(int error)
{
	static bool said;

	if (!said)
		complain_errno("standard output", error ? error : EIO);
	said = true;
}

int written(int ret)
{
	errno = 0;
	if (fflush(stdout) || ferror(stdout)) {
		complain_output(errno);
		return ret == EXIT_OK || ret == EXIT_PARTLY ? EXIT_FAILED : ret;
	}
	return ret;
}

double clock_seconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double now(void)
{
	return clock_seconds(CLOCK_MONOTONIC);
}

/*
 * Who may not write may measure, and is told by "program" what is wrong with the
 * events before that they cannot be programmed.
 */
static int open_node(const struct command *command, const char *device,
		     struct uncore **uncore)
{
	int ret;

	if (!(command->flags & MAY_PROGRAM))
		return uncore_open(device, uncore);
	ret = uncore_open_flags(device, UNCORE_OPEN_PROGRAM, uncore);
	if (ret == -EACCES || ret == -EPERM || ret == -EROFS)
		ret = uncore_open(device, uncore);
	return ret;
}

static int run(const struct command *command, const struct options *options)
{
	struct uncore *uncore;
	int ret;

	if (!command->run)
		return cmd_doctor(options);
	if (command->run == cmd_stat && !stat_needs_node(options))
		return written(cmd_stat(NULL, options));

	if (command->run == cmd_program)
		program_signals(options);
	ret = open_node(command, options->device, &uncore);
	if (ret) {
		complain(options->device ? options->device : NODE,
			 uncore_strerror(UNCORE_CALL_OPEN, ret));
		return command->run == cmd_stat && options->argc ? EXIT_OWN
								 : EXIT_FAILED;
	}
	ret = command->run(uncore, options);
	uncore_close(uncore);
	return written(ret);
}

/* An exit code. */
static int check_usage(const struct command *command,
		       const struct options *options)
{
	unsigned int unknown = options->given & ~command->options;
	char message[64];

	if (unknown) {
		snprintf(message, sizeof(message), "does not take %s",
			 option_names(unknown));
		return wrong_usage(command->name, message);
	}
	if (options->argc && !(command->flags & TAKES_ARGUMENTS))
		return wrong_usage(command->name, "takes no arguments");
	if (!options->argc && (command->flags & NEEDS_ARGUMENTS))
		return wrong_usage(command->name,
				   "say which units: UNIT[/COUNTER]...");
	if (command->run == cmd_program && !options->argc && !options->file)
		return wrong_usage(command->name,
				   "say what to count: UNIT/EVENT/...");
	if (command->run == cmd_stat && !options->num_events)
		return wrong_usage(command->name, options->marked
				   ? "say what to count: -e EVENT,..."
				   : "say what to count: -e UNIT/EVENT/,...");
	if (options->marked && !options->argc)
		return wrong_usage("--marked", "say which program has regions: "
				   "stat -m -e EVENT,... -- COMMAND");
	if (options->marked && options->given & OPTION_INTERVAL_MS)
		return wrong_usage("--marked", "has one result, at the end: "
				   "it does not take -I");
	if (command->run == cmd_events && options->argc > 1)
		return wrong_usage(command->name, "takes one PATTERN");
	if (options->json && options->csv)
		return wrong_usage(command->name, "--json or --csv, not both");
	return EXIT_OK;
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static int dispatch(struct options *options, int argc, char **argv)
{
	const struct command *command;
	int taken, ret;

	taken = parse_options(options, argc, argv, false);
	if (taken <= 0)
		return -taken;
	argc -= taken;
	argv += taken;
	if (!argc)
		return wrong_usage("no command", "list, events, stat, status, "
				   "program, read, bench or doctor");
	command = find_command(argv[0]);
	if (!command)
		return wrong_usage(argv[0], "no such command");

	taken = parse_options(options, argc, argv,
			      !(command->flags & TAKES_COMMAND));
	if (taken <= 0)
		return -taken;
	options->argc = argc - taken;
	options->argv = argv + taken;
	ret = check_usage(command, options);
	return ret == EXIT_OK ? run(command, options) : ret;
}

/*
 * What is opened next would become the standard output that is missing. In its
 * place comes what cannot be written either.
 */
static bool fill_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
		if (fd < 0)
			fd = open("/", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	return fd >= 0 && !close(fd);
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	int ret;

	if (!fill_descriptors()) {
		complain_errno("/dev/null", errno);
		return EXIT_FAILED;
	}
	environment_prepare();
	json_prepare();
	ret = dispatch(&options, argc, argv);
	free(options.events);
	return ret;
}
