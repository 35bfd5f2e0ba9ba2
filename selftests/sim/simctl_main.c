// SPDX-License-Identifier: GPL-2.0-only
/* simctl: steers the simulated machine from the guest's command line. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simctl.h"

#define USAGE \
	"usage: simctl [--file CONTROL] COMMAND\n" \
	"\n" \
	"  start | stop                 let all counters count, or stop them\n" \
	"  sync                         return when earlier register writes are obeyed\n" \
	"  add ADDRESS COUNTER N        count N events\n" \
	"  set ADDRESS COUNTER VALUE\n" \
	"  get ADDRESS COUNTER          print the model's value\n" \
	"  hold ADDRESS COUNTER NEXT    show a half-done update to NEXT\n" \
	"  release ADDRESS COUNTER      complete it\n" \
	"  hide ADDRESS                 all ones in place of the function\n" \
	"  show ADDRESS\n" \
	"  id ADDRESS VVVV:DDDD         other ids in the configuration page\n" \
	"  mcfg WHAT [NUMBER]           ok, no-entry, wrong-base, ram-base, wrong-buses,\n" \
	"                               wrong-segment, checksum, signature, truncated,\n" \
	"                               reversed\n" \
	"  describe ADDRESS             what the model knows about the function\n" \
	"  find ADDRESS TYPE NUMBER     print the address of a unit in memory\n" \
	"  base ADDRESS WHAT            base registers: ok, zero, ones, unaligned, high,\n" \
	"                               ram, config, twin, disabled\n" \
	"  power ADDRESS WHAT           on, no-decode, d3\n" \
	"  discovery ADDRESS WHAT       another discovery table; '-' lists what there is\n" \
	"  table ADDRESS ENTRY FIELD N  one field of it, by the number in simctl.h\n" \
	"\n" \
	"ADDRESS is SSSS:BB:dd.f, with #N for a unit in memory, COUNTER counts from 0,\n" \
	"the fixed one is the last.\n"

static const char * const mcfg_names[] = {
	[SIM_MCFG_OK] = "ok",
	[SIM_MCFG_NO_ENTRY] = "no-entry",
	[SIM_MCFG_WRONG_BASE] = "wrong-base",
	[SIM_MCFG_RAM_BASE] = "ram-base",
	[SIM_MCFG_WRONG_BUSES] = "wrong-buses",
	[SIM_MCFG_WRONG_SEGMENT] = "wrong-segment",
	[SIM_MCFG_CHECKSUM] = "checksum",
	[SIM_MCFG_SIGNATURE] = "signature",
	[SIM_MCFG_TRUNCATED] = "truncated",
	[SIM_MCFG_REVERSED] = "reversed",
};

static const char * const base_names[] = {
	[SIM_BASE_OK] = "ok",
	[SIM_BASE_ZERO] = "zero",
	[SIM_BASE_ONES] = "ones",
	[SIM_BASE_UNALIGNED] = "unaligned",
	[SIM_BASE_HIGH] = "high",
	[SIM_BASE_RAM] = "ram",
	[SIM_BASE_CONFIG] = "config",
	[SIM_BASE_TWIN] = "twin",
	[SIM_BASE_DISABLED] = "disabled",
};

static const char * const power_names[] = {
	[SIM_POWER_ON] = "on",
	[SIM_POWER_NO_DECODE] = "no-decode",
	[SIM_POWER_D3] = "d3",
};

#define COUNT(names)	(sizeof(names) / sizeof((names)[0]))

/* The index of the name, or -1. */
static int find_name(const char * const *names, unsigned int count,
		     const char *name)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static int usage(const char *problem, const char *what)
{
	fprintf(stderr, "simctl: %s%s\n" USAGE, problem, what);
	return 2;
}

static bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	return !errno && *text >= '0' && *text <= '9' && !*end;
}

static int do_mcfg(struct sim *sim, int argc, char **argv)
{
	uint64_t number = 0;
	int what;

	if (argc < 2 || argc > 3)
		return -EBADR;
	if (argc == 3 && !parse_number(argv[2], &number))
		return -EBADR;
	what = find_name(mcfg_names, COUNT(mcfg_names), argv[1]);
	return what < 0 ? -EBADR : sim_mcfg(sim, what, number);
}

static int do_describe(struct sim *sim, struct sim_addr addr)
{
	struct sim_unit unit;
	int ret;

	ret = sim_describe(sim, addr, &unit);
	if (ret)
		return ret;
	printf("id %04x:%04x\n", unit.vendor, unit.device);
	printf("hidden %d\n", unit.hidden);
	printf("general %u of %u bits\n", unit.general, unit.width);
	printf("fixed %u of %u bits\n", unit.fixed, unit.fixed_width);
	if (unit.free_running)
		printf("free-running\n");
	if (addr.unit)
		printf("address 0x%" PRIx64 "\n", unit.address);
	if (unit.units)
		printf("units in memory %u\n", unit.units);
	return 0;
}

static int do_find(struct sim *sim, struct sim_addr addr, const char *type,
		   unsigned int number)
{
	int ret = sim_find(sim, addr, type, number, &addr);

	if (ret)
		return ret;
	printf("%04x:%02x:%02x.%x", addr.segment, addr.bus, addr.device,
	       addr.function);
	if (addr.unit)
		printf("#%u", addr.unit);
	printf("\n");
	return 0;
}

static int do_discovery(struct sim *sim, struct sim_addr addr,
			const char *what)
{
	const char *name;
	unsigned int i;

	if (strcmp(what, "-"))
		return sim_discovery(sim, addr, what);
	for (i = 0; (name = sim_discovery_name(i)); i++)
		printf("%s\n", name);
	return 0;
}

/* find, base, power, discovery, table */
static int do_unit(struct sim *sim, int argc, char **argv)
{
	uint64_t entry, field, number;
	struct sim_addr addr;
	int what;

	if (argc < 3 || sim_parse_addr(argv[1], &addr))
		return -EBADR;
	if (argc == 4 && !strcmp(argv[0], "find") &&
	    parse_number(argv[3], &number) && number <= UINT32_MAX)
		return do_find(sim, addr, argv[2], number);
	if (argc == 3 && !strcmp(argv[0], "base")) {
		what = find_name(base_names, COUNT(base_names), argv[2]);
		return what < 0 ? -EBADR : sim_base(sim, addr, what);
	}
	if (argc == 3 && !strcmp(argv[0], "power")) {
		what = find_name(power_names, COUNT(power_names), argv[2]);
		return what < 0 ? -EBADR : sim_power(sim, addr, what);
	}
	if (argc == 3 && !strcmp(argv[0], "discovery"))
		return do_discovery(sim, addr, argv[2]);
	if (argc == 5 && !strcmp(argv[0], "table") &&
	    parse_number(argv[2], &entry) && entry <= UINT32_MAX &&
	    parse_number(argv[3], &field) && field < SIM_FIELDS &&
	    parse_number(argv[4], &number))
		return sim_table(sim, addr, entry, field, number);
	return -EBADR;
}

static int do_get(struct sim *sim, struct sim_addr addr, unsigned int counter)
{
	uint64_t value;
	int ret;

	ret = sim_get(sim, addr, counter, &value);
	if (!ret)
		printf("%" PRIu64 "\n", value);
	return ret;
}

/* COMMAND ADDRESS [ID] */
static int do_function(struct sim *sim, int argc, char **argv)
{
	unsigned int vendor, device;
	struct sim_addr addr;
	int end = 0;

	if (argc < 2 || sim_parse_addr(argv[1], &addr))
		return -EBADR;
	if (argc == 2 && !strcmp(argv[0], "hide"))
		return sim_hide(sim, addr, true);
	if (argc == 2 && !strcmp(argv[0], "show"))
		return sim_hide(sim, addr, false);
	if (argc == 2 && !strcmp(argv[0], "describe"))
		return do_describe(sim, addr);
	if (argc == 3 && !strcmp(argv[0], "id") &&
	    sscanf(argv[2], "%4x:%4x%n", &vendor, &device, &end) == 2 &&
	    !argv[2][end])
		return sim_set_id(sim, addr, vendor, device);
	return -EBADR;
}

/* COMMAND ADDRESS COUNTER [NUMBER] */
static int do_counter(struct sim *sim, int argc, char **argv)
{
	uint64_t counter, number = 0;
	struct sim_addr addr;

	if (argc < 3 || argc > 4 || sim_parse_addr(argv[1], &addr) ||
	    !parse_number(argv[2], &counter) || counter > UINT32_MAX ||
	    (argc == 4 && !parse_number(argv[3], &number)))
		return -EBADR;
	if (argc == 3 && !strcmp(argv[0], "get"))
		return do_get(sim, addr, counter);
	if (argc == 3 && !strcmp(argv[0], "release"))
		return sim_release(sim, addr, counter);
	if (argc == 4 && !strcmp(argv[0], "add"))
		return sim_add(sim, addr, counter, number);
	if (argc == 4 && !strcmp(argv[0], "set"))
		return sim_set(sim, addr, counter, number);
	if (argc == 4 && !strcmp(argv[0], "hold"))
		return sim_hold(sim, addr, counter, number);
	return -EBADR;
}

/* -EBADR: that is no command. */
static int do_command(struct sim *sim, int argc, char **argv)
{
	static const char * const of_function[] = {
		"hide", "show", "id", "describe"
	};
	static const char * const of_unit[] = {
		"find", "base", "power", "discovery", "table"
	};

	if (!strcmp(argv[0], "mcfg"))
		return do_mcfg(sim, argc, argv);
	if (argc == 1 && !strcmp(argv[0], "start"))
		return sim_clock(sim, true);
	if (argc == 1 && !strcmp(argv[0], "stop"))
		return sim_clock(sim, false);
	if (argc == 1 && !strcmp(argv[0], "sync"))
		return sim_sync(sim);
	if (find_name(of_function, COUNT(of_function), argv[0]) >= 0)
		return do_function(sim, argc, argv);
	if (find_name(of_unit, COUNT(of_unit), argv[0]) >= 0)
		return do_unit(sim, argc, argv);
	return do_counter(sim, argc, argv);
}

static const char *explain(int error)
{
	switch (error) {
	case -ENODEV:
		return "no control page; this works in the simulated machine only";
	case -EACCES:
	case -EPERM:
		return "the control page is for root";
	case -ETIMEDOUT:
		return "the host process does not answer; is 'uncore-sim run' alive?";
	case -ENXIO:
		return "the machine has no function at this address, or not with such a unit";
	case -EINVAL:
		return "no such counter, or the number or name is out of range";
	case -EAGAIN:
		return "the counter is not counting; enable it and its unit";
	case -EBUSY:
		return "the counter is held already; release it";
	case -ENOENT:
		return "there is no MCFG in the machine's memory";
	default:
		return strerror(-error);
	}
}

int main(int argc, char **argv)
{
	const char *file = NULL;
	struct sim *sim;
	int ret;

	argv++;
	argc--;
	if (argc >= 2 && !strcmp(argv[0], "--file")) {
		file = argv[1];
		argv += 2;
		argc -= 2;
	}
	if (argc && !strcmp(argv[0], "--help")) {
		printf(USAGE);
		return 0;
	}
	if (!argc)
		return usage("say what to do", "");

	ret = file ? sim_open_file(&sim, file) : sim_open(&sim);
	if (!ret) {
		ret = do_command(sim, argc, argv);
		sim_close(sim);
	}
	if (ret == -EBADR)
		return usage("cannot understand ", argv[0]);
	if (ret)
		fprintf(stderr, "simctl: %s\n", explain(ret));
	return ret ? 1 : 0;
}
