// SPDX-License-Identifier: LGPL-2.1-or-later
/* The options of all commands. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define DAY	86400.0

static const char usage[] =
"Usage: uncorectl [--device PATH] COMMAND [OPTION...] [ARGUMENT...]\n"
"\n"
"Commands:\n"
"  list [--json] [UNIT...]\n"
"        all units of this machine, or those named\n"
"  events [--json] [PATTERN]\n"
"        what the units can count: all, or those with PATTERN in their name,\n"
"        description or type of unit\n"
"  stat -e SPEC[,SPEC...]... [-I MS] [-n N] [--json|--csv] [-o FILE]\n"
"       [[--] COMMAND [ARGUMENT...]]\n"
"        what was counted while COMMAND ran, or until interrupted\n"
"  stat -m -e EVENT[,EVENT...]... [--json|--csv] [-o FILE]\n"
"       [--] COMMAND [ARGUMENT...]\n"
"        what COMMAND counted in the regions that are marked in its source\n"
"  status [--json] [UNIT...]\n"
"        which counter counts what, since when, and who holds it\n"
"  program [--for S] [--file FILE] [SPEC...]\n"
"        claims counters and holds them until interrupted, or S seconds\n"
"  read [--json] [--interval S] [--count N] UNIT[/COUNTER]...\n"
"        values of counters; with --interval what they counted in S seconds,\n"
"        N times or until interrupted\n"
"  bench [--json]\n"
"        what a read costs, by each way of reading\n"
"  doctor\n"
"        what is in the way, and what helps\n"
"\n"
"A UNIT is imc3@1, imc3 (on any die), imc@1 (all on die 1) or imc (all); a\n"
"COUNTER is ctr0, fixed, ...; a SPEC is UNIT/EVENT/: imc/UNC_M_CAS_COUNT:RD/,\n"
"imc@0/cas_count_read/, imc0@0/event=0x04,umask=0x03/. An EVENT is a SPEC or an\n"
"event of the core: branch-misses, cpu/event=0xc5,umask=0/\n"
"\n"
"Options:\n"
"  -d, --device PATH   the node, if it is not /dev/uncore_pmu\n"
"  -j, --json          JSON instead of text\n"
"      --csv           comma-separated values instead of text\n"
"  -i, --interval S    seconds between samples, 0.001 to 86400\n"
"  -I, --interval-print MS\n"
"                      milliseconds between results of stat, from 1\n"
"  -n, --count N       number of differences\n"
"  -e, --event LIST    what stat counts\n"
"  -m, --marked        stat measures marked regions\n"
"  -o, --output FILE   where stat writes its results: by default standard\n"
"                      output, or with a COMMAND standard error\n"
"      --for S         seconds that program holds, 0.001 to 31536000\n"
"      --file FILE     specs for program, one a line; SIGHUP reads it again\n"
"  -h, --help\n"
"  -V, --version\n"
"\n"
"Exit status: 0 done, 1 failed, 2 wrong usage, 3 a part could not be done,\n"
"4 the events are not programmed and may not be; stat: that of COMMAND, 128+N\n"
"if signal N killed it, 127 not found, 126 not executable, 125 not started or\n"
"its results lost.\n";

enum long_option {
	LONG_CSV = 256,
	LONG_FOR,
	LONG_FILE,
};

static bool parse_real(const char *text, double min, double max, double *number)
{
	char *end;

	errno = 0;
	*number = strtod(text, &end);
	return !errno && end != text && !*end && isfinite(*number) &&
	       *number >= min && *number <= max;
}

static bool parse_count(const char *text, long *count)
{
	char *end;

	errno = 0;
	*count = strtol(text, &end, 10);
	return !errno && end != text && !*end && *count >= 1;
}

static int add_events(struct options *options, const char *list)
{
	const char **events;

	events = reallocarray(options->events, options->num_events + 1,
			      sizeof(*events));
	if (!events) {
		complain_errno("--event", ENOMEM);
		return EXIT_FAILED;
	}
	events[options->num_events++] = list;
	options->events = events;
	return EXIT_OK;
}

/* The options that take a number; an exit code. */
static int take_number(struct options *options, int c, const char *text)
{
	double ms;

	switch (c) {
	case 'i':
		options->given |= OPTION_INTERVAL;
		if (!parse_real(text, 0.001, DAY, &options->interval))
			return wrong_usage(text, "not a number of seconds, "
					   "0.001 to 86400");
		return EXIT_OK;
	case 'I':
		options->given |= OPTION_INTERVAL_MS;
		if (!parse_real(text, 1, DAY * 1000, &ms))
			return wrong_usage(text, "not a number of "
					   "milliseconds, 1 to 86400000");
		options->interval = ms / 1000;
		return EXIT_OK;
	case 'n':
		options->given |= OPTION_COUNT;
		if (!parse_count(text, &options->count))
			return wrong_usage(text, "not a count of 1 or more");
		return EXIT_OK;
	default:
		options->given |= OPTION_FOR;
		if (!parse_real(text, 0.001, 365 * DAY, &options->hold))
			return wrong_usage(text, "not a number of seconds, "
					   "0.001 to 31536000");
		return EXIT_OK;
	}
}

static int take_option(struct options *options, int c, const char *text)
{
	switch (c) {
	case 'd':
		options->device = text;
		return EXIT_OK;
	case 'j':
		options->given |= OPTION_JSON;
		options->json = true;
		return EXIT_OK;
	case LONG_CSV:
		options->given |= OPTION_CSV;
		options->csv = true;
		return EXIT_OK;
	case 'e':
		options->given |= OPTION_EVENTS;
		return add_events(options, text);
	case 'm':
		options->given |= OPTION_MARKED;
		options->marked = true;
		return EXIT_OK;
	case 'o':
		options->given |= OPTION_OUTPUT;
		options->output = text;
		return EXIT_OK;
	case LONG_FILE:
		options->given |= OPTION_FILE;
		options->file = text;
		return EXIT_OK;
	default:
		return take_number(options, c, text);
	}
}

/* getopt would print the word as it is. */
static int wrong_option(int c, const char *word, const char *letters)
{
	char letter[] = { '-', (char)optopt, '\0' };

	if (c == ':')
		return wrong_usage(word, "requires an argument");
	if (!optopt)
		return wrong_usage(word, "no such option");
	if (optopt >= LONG_CSV || strchr(letters, optopt))
		return wrong_usage(word, "takes no argument");
	return wrong_usage(letter, "no such option");
}

int parse_options(struct options *options, int argc, char **argv, bool permute)
{
	static const struct option long_options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "json", no_argument, NULL, 'j' },
		{ "csv", no_argument, NULL, LONG_CSV },
		{ "interval", required_argument, NULL, 'i' },
		{ "interval-print", required_argument, NULL, 'I' },
		{ "count", required_argument, NULL, 'n' },
		{ "event", required_argument, NULL, 'e' },
		{ "marked", no_argument, NULL, 'm' },
		{ "output", required_argument, NULL, 'o' },
		{ "for", required_argument, NULL, LONG_FOR },
		{ "file", required_argument, NULL, LONG_FILE },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	const char *letters = permute ? ":d:ji:I:n:e:mo:hV"
				      : "+:d:ji:I:n:e:mo:hV";
	static char name[] = PROGRAM;
	int c, ret;

	argv[0] = name;
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, long_options, NULL)) !=
	       -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return -written(EXIT_OK);
		}
		if (c == 'V') {
			puts(PROGRAM " " UNCORE_VERSION);
			return -written(EXIT_OK);
		}
		ret = c == '?' || c == ':'
		      ? wrong_option(c, argv[optind - 1], letters)
		      : take_option(options, c, optarg);
		if (ret != EXIT_OK)
			return -ret;
	}
	return optind;
}

const char *option_names(unsigned int bits)
{
	static const char *const names[] = {
		"--json", "--csv", "--interval", "-I", "--count", "--event",
		"--for", "--file", "--output", "--marked",
	};

	return bits ? names[__builtin_ctz(bits)] : NULL;
}
