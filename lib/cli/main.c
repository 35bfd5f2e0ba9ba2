// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl: look at uncore counters from the command line. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char usage[] =
"Usage: uncorectl [--device PATH] COMMAND [OPTION...] [ARGUMENT...]\n"
"\n"
"Commands:\n"
"  list [--json] [UNIT...]\n"
"        all units of this machine, or those named\n"
"  read [--json] [--interval S] [--count N] UNIT[/COUNTER]...\n"
"        values of counters; with --interval what they counted in S seconds,\n"
"        N times or until interrupted\n"
"  bench [--json]\n"
"        what a read costs, by each way of reading\n"
"  doctor\n"
"        what is in the way, and what helps\n"
"\n"
"A UNIT is imc3@1, imc3 (on any die), imc@1 (all on die 1) or imc (all); a\n"
"COUNTER is ctr0, fixed, ...\n"
"\n"
"Options:\n"
"  -d, --device PATH   the node, if it is not /dev/uncore_pmu\n"
"  -j, --json          JSON instead of text\n"
"  -i, --interval S    seconds between samples, 0.001 to 86400\n"
"  -n, --count N       number of differences\n"
"  -h, --help\n"
"  -V, --version\n"
"\n"
"Exit status: 0 done, 1 failed, 2 wrong usage, 3 a part could not be read.\n";

enum command_flags {
	TAKES_JSON	= 1,
	TAKES_INTERVAL	= 2,
	TAKES_ARGUMENTS	= 4,
	NEEDS_ARGUMENTS	= 8,
};

static const struct command {
	const char *name;
	int (*run)(struct uncore *uncore, const struct options *options);
	unsigned int flags;
} commands[] = {
	{ "list", cmd_list, TAKES_JSON | TAKES_ARGUMENTS },
	{ "read", cmd_read, TAKES_JSON | TAKES_INTERVAL | TAKES_ARGUMENTS |
			    NEEDS_ARGUMENTS },
	{ "bench", cmd_bench, TAKES_JSON },
	{ "doctor", NULL, 0 },
};

void complain(const char *what, const char *message)
{
	fflush(stdout);
	fprintf(stderr, PROGRAM ": %s: %s\n", what, message);
}

void complain_errno(const char *what, int error)
{
	const char *text = strerrordesc_np(error < 0 ? -error : error);

	complain(what, text ? text : "unknown error");
}

static int wrong_usage(const char *what, const char *message)
{
	complain(what, message);
	fputs("Try \"uncorectl --help\".\n", stderr);
	return EXIT_USAGE;
}

static bool parse_interval(const char *text, double *interval)
{
	char *end;

	errno = 0;
	*interval = strtod(text, &end);
	return !errno && end != text && !*end && isfinite(*interval) &&
	       *interval >= 0.001 && *interval <= 86400;
}

static bool parse_count(const char *text, long *count)
{
	char *end;

	errno = 0;
	*count = strtol(text, &end, 10);
	return !errno && end != text && !*end && *count >= 1;
}

/* The exit code @ret, unless what was printed could not be written. */
static int written(int ret)
{
	if (fflush(stdout) || ferror(stdout)) {
		complain_errno("standard output", errno);
		return EXIT_FAILED;
	}
	return ret;
}

static int run(const struct command *command, const struct options *options)
{
	struct uncore *uncore;
	int ret;

	if (!command->run)
		return cmd_doctor(options);

	ret = uncore_open(options->device, &uncore);
	if (ret) {
		complain(options->device ? options->device : "/dev/uncore_pmu",
			 uncore_strerror(UNCORE_CALL_OPEN, ret));
		return EXIT_FAILED;
	}
	ret = command->run(uncore, options);
	uncore_close(uncore);
	return written(ret);
}

/* Which of the options that were given does the command not know? */
static const char *unknown_option(const struct command *command,
				  const struct options *options)
{
	if (options->json && !(command->flags & TAKES_JSON))
		return "--json";
	if (options->interval > 0 && !(command->flags & TAKES_INTERVAL))
		return "--interval";
	if (options->count && !(command->flags & TAKES_INTERVAL))
		return "--count";
	return NULL;
}

static int dispatch(struct options *options)
{
	const char *option, *name;
	size_t i;

	if (!options->argc)
		return wrong_usage("no command", "list, read, bench or doctor");

	name = options->argv[0];
	options->argc--;
	options->argv++;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			break;
	if (i == ARRAY_SIZE(commands))
		return wrong_usage(name, "no such command");

	option = unknown_option(&commands[i], options);
	if (option)
		return wrong_usage(name, option[2] == 'j'
				   ? "does not take --json"
				   : "does not take --interval or --count");
	if (options->argc && !(commands[i].flags & TAKES_ARGUMENTS))
		return wrong_usage(name, "takes no arguments");
	if (!options->argc && (commands[i].flags & NEEDS_ARGUMENTS))
		return wrong_usage(name, "say which units: UNIT[/COUNTER]...");
	return run(&commands[i], options);
}

int main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "json", no_argument, NULL, 'j' },
		{ "interval", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	struct options options = { 0 };
	int c;

	while ((c = getopt_long(argc, argv, "d:ji:n:hV", long_options,
				NULL)) != -1) {
		switch (c) {
		case 'd':
			options.device = optarg;
			break;
		case 'j':
			options.json = true;
			break;
		case 'i':
			if (!parse_interval(optarg, &options.interval))
				return wrong_usage(optarg, "not a number of "
						   "seconds, 0.001 to 86400");
			break;
		case 'n':
			if (!parse_count(optarg, &options.count))
				return wrong_usage(optarg,
						   "not a count of 1 or more");
			break;
		case 'h':
			fputs(usage, stdout);
			return written(EXIT_OK);
		case 'V':
			puts(PROGRAM " " UNCORE_VERSION);
			return written(EXIT_OK);
		default:
			return EXIT_USAGE;
		}
	}
	options.argc = argc - optind;
	options.argv = argv + optind;
	return dispatch(&options);
}
