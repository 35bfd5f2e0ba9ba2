/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the subcommands of uncorectl share. */
#ifndef UNCORECTL_CLI_H
#define UNCORECTL_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <jansson.h>
#include <uncore.h>

#include "moment.h"

#define PROGRAM		"uncorectl"
#define NODE		"/dev/uncore_pmu"
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

enum exit_code {
	EXIT_OK			= 0,
	EXIT_FAILED		= 1,
	EXIT_USAGE		= 2,
	EXIT_PARTLY		= 3,
	EXIT_NOT_STANDING	= 4,
	/* "stat" with a COMMAND has these in common with timeout(1). */
	EXIT_OWN		= 125,
	EXIT_NOT_EXECUTABLE	= 126,
	EXIT_NOT_FOUND		= 127,
};

/* Bits of struct options.given, and what each command takes. */
enum option_bit {
	OPTION_JSON		= 1 << 0,
	OPTION_CSV		= 1 << 1,
	OPTION_INTERVAL		= 1 << 2,
	OPTION_INTERVAL_MS	= 1 << 3,
	OPTION_COUNT		= 1 << 4,
	OPTION_EVENTS		= 1 << 5,
	OPTION_FOR		= 1 << 6,
	OPTION_FILE		= 1 << 7,
	OPTION_OUTPUT		= 1 << 8,
	OPTION_MARKED		= 1 << 9,
};

/**
 * struct options - the command line
 * @device: the node, NULL for the usual one
 * @given: enum option_bit of the options that were given
 * @interval: seconds, 0 if not given
 * @hold: seconds, 0 if not given
 * @count: 0 if not given
 * @file: of "program"
 * @output: file for the results of "stat"
 * @marked: "stat" measures COMMAND's own regions
 * @events: lists of specs, as they were given
 * @num_events: number of @events
 * @argc: number of @argv
 * @argv: what follows the command
 */
struct options {
	const char *device;
	unsigned int given;
	bool json;
	bool csv;
	double interval;
	double hold;
	long count;
	const char *file;
	const char *output;
	bool marked;
	const char **events;
	size_t num_events;
	int argc;
	char **argv;
};

/* Each takes an open node, and gives an exit code. */
int cmd_list(struct uncore *uncore, const struct options *options);
int cmd_read(struct uncore *uncore, const struct options *options);
int cmd_bench(struct uncore *uncore, const struct options *options);
int cmd_events(struct uncore *uncore, const struct options *options);
int cmd_program(struct uncore *uncore, const struct options *options);
int cmd_status(struct uncore *uncore, const struct options *options);
int cmd_stat(struct uncore *uncore, const struct options *options);
/* "stat" without a node, if it needs none. */
bool stat_needs_node(const struct options *options);
/* Before the node is opened for "program": has signals wait until they are taken. */
void program_signals(const struct options *options);
/* Opens the node by itself: that it cannot be opened is a finding. */
int cmd_doctor(const struct options *options);

/*
 * Takes options off argv up to the first argument, or all of them if @permute.
 * Gives the number of words taken, or minus an exit code: minus EXIT_OK after
 * --help and --version, which is why success is never 0.
 */
int parse_options(struct options *options, int argc, char **argv, bool permute);
const char *option_names(unsigned int bits);

/*
 * One line on stderr: "uncorectl: <what>: <message>", without what a terminal
 * could take for a command.
 */
void complain(const char *what, const char *message);
void complain_errno(const char *what, int error);
int wrong_usage(const char *what, const char *message);
/* That standard output cannot be written is said once. */
void complain_output(int error);
/* The exit code @ret, unless what was printed could not be written. */
int written(int ret);

/* Names that others chose, for people: padded to so many characters. */
void print_visible(FILE *out, const char *text, int width);
/* The same in plain ASCII; so many bytes at most. */
void copy_printable(char *to, size_t size, const char *from, size_t length);

/* Prints an object and a newline, and releases it; an exit code. */
void json_prepare(void);
int print_json(json_t *object, size_t flags);
json_t *json_number_or_null(bool exists, uint64_t number);
json_t *json_uint64(uint64_t value);
json_t *json_string_or_null(const char *text);
/* The numbers of the module that are -1 if they are not known. */
json_t *json_signed_or_null(int number);

double clock_seconds(clockid_t clock);
/* Monotonic time, seconds. */
double now(void);
/*
 * The next multiple of the interval: those missed, after a stop or behind a
 * slow pipe, are skipped.
 */
long next_multiple(double start, double interval, long last);

/* list */
int list_json(struct uncore *uncore, const struct options *options);
/* Is the unit among those the arguments name? */
bool list_wants(const struct uncore_pmu_unit *info,
		const struct options *options);
/* Says which arguments name no unit; an exit code. */
int check_unit_names(struct uncore *uncore, const struct options *options);
void unit_pci_address(const struct uncore_pmu_unit *info, char *text,
		      size_t size);
void cpu_model_name(char *text, size_t size);

/**
 * struct target - a counter that "read" was asked for
 * @unit: name of its unit
 * @name: its own name, empty if the unit cannot be mapped
 * @trouble: why it cannot be read, or NULL
 * @unit_state: "ok", "absent", ... of the unit when it was opened
 * @counter: the open counter, if there is no trouble
 * @value: from the last sample
 * @delta: counted since targets_begin()
 * @state: enum uncore_counter_state at the last sample
 * @stable: the control register was the same at all samples since then
 * @doubt: why @delta may be wrong all the same, or NULL
 * @moment: when the last sample was taken
 */
struct target {
	char unit[UNCORE_NAME_LEN];
	char name[UNCORE_PMU_NAME_LEN + 1];
	const char *trouble;
	const char *unit_state;
	struct uncore_counter counter;
	uint64_t value;
	uint64_t delta;
	uint32_t control;
	int state;
	bool stable;
	const char *doubt;
	struct moment moment;
};

struct targets {
	struct target *target;
	size_t count;
};

int targets_open(struct uncore *uncore, const struct options *options,
		 struct targets *targets);
void targets_close(struct targets *targets);
/* Reads all that can be read. */
void targets_sample(struct targets *targets);
/* From here on it is counted: from the last sample. */
void targets_begin(struct targets *targets);
/* Seconds between samples that see every wrap, a day at most. */
double targets_period(const struct targets *targets);
/* Is its difference a number to rely upon? */
bool target_counted(const struct target *target);
bool targets_all_counted(const struct targets *targets);
bool targets_all_read(const struct targets *targets);

int print_values(const struct targets *targets, bool json);
int print_deltas(const struct targets *targets, bool json, double time,
		 double interval);

/* Before libpfm4 is first used; and as it was, for other programs. */
void environment_prepare(void);
void environment_restore(void);

/* Runs a function in which SIGBUS may strike; false if it did. */
bool guard_run(void (*function)(void *argument), void *argument);

#endif /* UNCORECTL_CLI_H */
