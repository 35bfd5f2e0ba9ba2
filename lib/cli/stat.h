/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What "stat" measures. */
#ifndef UNCORECTL_STAT_H
#define UNCORECTL_STAT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli.h"
#include "hold.h"

/**
 * struct meter - an event on one unit
 * @uncore: whose unit it is
 * @hold: the claims of this process
 * @unit: index of the unit
 * @socket: its socket, -1 if not known
 * @event: what it is to count
 * @unit_name: "imc0@0"
 * @counter_name: "ctr0", or "" if no counter counts it
 * @index: of the counter in its unit
 * @claim: that the counter was claimed by, 0 for a free-running one
 * @counter: the open counter, if @attached
 * @watch: since when it counts without a break
 * @attached: a counter that counts the event is open
 * @valid: so far in this interval nothing speaks against the number
 * @fresh: the interval begins with a new value
 * @late: which was read after the interval had begun
 * @frozen: at the last sample the unit was frozen
 * @before: value at the last sample
 * @after: value at this sample
 * @counted: in this interval
 * @doubt: why @counted may be wrong all the same, or NULL; the counter goes on
 * @refused: why it could not be programmed anew, as far as that was said; else 0
 * @state: a word for the results
 * @reason: a sentence, or ""
 */
struct meter {
	struct uncore *uncore;
	struct hold *hold;
	unsigned int unit;
	int socket;
	const struct uncore_event *event;
	char unit_name[UNCORE_NAME_LEN];
	char counter_name[UNCORE_PMU_NAME_LEN + 1];
	unsigned int index;
	uint32_t claim;
	struct uncore_counter counter;
	struct uncore_watch watch;
	bool attached;
	bool valid;
	bool fresh;
	bool late;
	bool frozen;
	uint64_t before;
	uint64_t after;
	uint64_t counted;
	const char *doubt;
	int refused;
	const char *state;
	const char *reason;
};

/* Meters are in the order of the request's units. */
struct measure {
	const struct request *request;
	struct meter *meters;
	unsigned int count;
};

/**
 * struct measures - all that is measured
 * @hold: the claims that were needed for it
 * @moment: when the last sample was taken
 * @begun: an interval was begun
 * @explained: it was said that something is missing, and whom to ask
 */
struct measures {
	struct uncore *uncore;
	struct measure *list;
	size_t count;
	struct hold *hold;
	struct moment moment;
	bool begun;
	bool explained;
};

/* A span of time: what is printed. */
struct span {
	double time;
	double interval;
};

/* An exit code. */
int measures_open(struct measures *measures, struct uncore *uncore,
		  struct hold *hold, const struct requests *requests);
/*
 * Programs the events if that is allowed and counters are free, and finds the
 * counters that count the others already. An exit code.
 */
int measures_attach(struct measures *measures);
void measures_close(struct measures *measures);
/*
 * After an interval, the same for what has no number: the event may be on another
 * counter now, or on none.
 */
void measures_find_again(struct measures *measures);

/*
 * Looks for a counter that counts the event, an own one above all; 0, -ENOENT if
 * there is none, -ENODEV if the unit is not to be read, or an error.
 */
int meter_find(struct meter *meter);
/* The same, and opens it. */
int meter_attach(struct meter *meter);
void meter_detach(struct meter *meter);

void meter_set_state(struct meter *meter, const char *state,
		     const char *reason);

/* Begins an interval. */
void measures_begin(struct measures *measures);
/* Adds up what was counted since the last sample. */
void measures_sample(struct measures *measures);
/* Is there a number for each unit? */
bool measures_all_valid(const struct measures *measures);
/* Seconds between samples that see every wrap, a day at most. */
double measures_period(const struct measures *measures);

bool meter_is_missing(const struct meter *meter);
/* Says what stands, and whom to ask. */
void explain_missing(const struct measures *measures);

enum stat_format { STAT_TEXT, STAT_JSON, STAT_CSV };

/* As RFC 4180 has it. */
void print_csv_field(FILE *out, const char *text);

/* False: it could not be written. */
bool print_stat_heading(FILE *out, enum stat_format format);
bool print_stat(FILE *out, enum stat_format format,
		const struct measures *measures, const struct span *span);

/*
 * Starts a command with the signal mask given; 0 or an error, for which
 * spawn_exit_code() gives the exit code.
 */
int spawn(char **argv, const sigset_t *mask, pid_t *pid);
int spawn_exit_code(int error);
/* Has it ended? Then its exit code, else -1. */
int reap(pid_t pid);

#endif /* UNCORECTL_STAT_H */
