/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the subcommands of uncorectl share. */
#ifndef UNCORECTL_CLI_H
#define UNCORECTL_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <uncore.h>

#define PROGRAM		"uncorectl"
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

enum exit_code {
	EXIT_OK		= 0,
	EXIT_FAILED	= 1,
	EXIT_USAGE	= 2,
	EXIT_PARTLY	= 3,
};

struct options {
	const char *device;
	bool json;
	double interval;
	long count;
	int argc;
	char **argv;
};

/* Each takes an open node, and gives an exit code. */
int cmd_list(struct uncore *uncore, const struct options *options);
int cmd_read(struct uncore *uncore, const struct options *options);
int cmd_bench(struct uncore *uncore, const struct options *options);
/* Opens the node by itself: that it cannot be opened is a finding. */
int cmd_doctor(const struct options *options);

/* One line on stderr: "uncorectl: <what>: <message>". */
void complain(const char *what, const char *message);
void complain_errno(const char *what, int error);

/* Prints an object and a newline, and releases it; an exit code. */
int print_json(json_t *object, size_t flags);
json_t *json_number_or_null(bool exists, uint64_t number);
json_t *json_uint64(uint64_t value);

/* list */
int list_json(struct uncore *uncore, const struct options *options);
/* Is the unit among those the arguments name? */
bool list_wants(const struct uncore_pmu_unit *info,
		const struct options *options);
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
 * @delta: between the last two samples
 * @state: enum uncore_counter_state at the last sample
 * @stable: the control register has not changed between the samples
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
bool targets_all_read(const struct targets *targets);

int print_values(const struct targets *targets, bool json);
int print_deltas(const struct targets *targets, bool json, double time,
		 double interval);

/* Runs a function in which SIGBUS may strike; false if it did. */
bool guard_run(void (*function)(void *argument), void *argument);

#endif /* UNCORECTL_CLI_H */
