// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <string.h>

#include "model.h"
#include "prepare.h"
#include "variants.h"

#define USAGE \
	"usage: uncore-sim prepare --machine LISTING --dir DIR [--mcfg ok|missing|base|buses]\n" \
	"                          [--discovery VARIANT]\n" \
	"       uncore-sim run --dir DIR\n" \
	"\n" \
	"prepare writes into DIR all that QEMU needs to boot the machine of LISTING, the\n" \
	"output of 'lspci -Dn': qemu.args (one argument a line), cmdline (kernel\n" \
	"parameters) and the files that these name. DIR is best on a tmpfs.\n" \
	"VARIANT is a fault of the discovery tables, by its name in variants.h.\n" \
	"run plays the hardware until SIGTERM, or until its parent is gone or its standard\n" \
	"input, if a pipe, is closed; it prints 'ready' when it plays.\n"

static const char * const variants[] = {
	[MCFG_RIGHT] = "ok",
	[MCFG_MISSING] = "missing",
	[MCFG_BASE] = "base",
	[MCFG_BUSES] = "buses",
};

struct options {
	const char *machine;
	const char *dir;
	const char *mcfg;
	const char *discovery;
};

static int usage(const char *problem, const char *what)
{
	fprintf(stderr, "uncore-sim: %s%s\n" USAGE, problem, what);
	return 2;
}

static int parse_options(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "machine", required_argument, NULL, 'm' },
		{ "dir", required_argument, NULL, 'd' },
		{ "mcfg", required_argument, NULL, 'c' },
		{ "discovery", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 'm':
			options->machine = optarg;
			break;
		case 'd':
			options->dir = optarg;
			break;
		case 'c':
			options->mcfg = optarg;
			break;
		case 't':
			options->discovery = optarg;
			break;
		default:
			return usage("wrong option ", argv[optind - 1]);
		}
	}
	if (optind < argc)
		return usage("unexpected argument ", argv[optind]);
	if (!options->dir)
		return usage("--dir is missing", "");
	return 0;
}

static int finish(int ret, const struct report *report)
{
	if (ret < 0)
		fprintf(stderr, "uncore-sim: %s\n", report->text);
	return ret < 0;
}

static bool is_discovery_variant(const char *name)
{
	size_t i;

	for (i = 0; sim_discovery_variants[i]; i++)
		if (!strcmp(sim_discovery_variants[i], name))
			return true;
	return false;
}

static int main_prepare(const struct options *options)
{
	struct report report;
	size_t variant;

	if (!is_discovery_variant(options->discovery))
		return usage("--discovery does not know ", options->discovery);
	if (!options->machine)
		return usage("--machine is missing", "");
	for (variant = 0; variant < ARRAY_SIZE(variants); variant++)
		if (!strcmp(variants[variant], options->mcfg))
			return finish(prepare(options->machine, options->dir,
					      variant, options->discovery,
					      &report), &report);
	return usage("--mcfg does not know ", options->mcfg);
}

int main(int argc, char **argv)
{
	struct options options = { .mcfg = "ok", .discovery = "ok" };
	struct report report;
	int ret;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		printf(USAGE);
		return 0;
	}
	if (argc < 2)
		return usage("say what to do", "");
	ret = parse_options(argc - 1, argv + 1, &options);
	if (ret)
		return ret;
	if (!strcmp(argv[1], "prepare"))
		return main_prepare(&options);
	if (!strcmp(argv[1], "run"))
		return finish(run(options.dir, &report), &report);
	return usage("unknown command ", argv[1]);
}
