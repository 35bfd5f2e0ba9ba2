/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What was asked to be counted, and the claims that are held for it. */
#ifndef UNCORECTL_HOLD_H
#define UNCORECTL_HOLD_H

#include <stdbool.h>
#include <stddef.h>

#include <uncore.h>

#define EVENTS_CONF	"/etc/uncore-pmu/events.conf"
#define RIGHT_TO_PROGRAM \
	"programming needs a descriptor opened for writing: root, or whoever " \
	"the administrator's udev rule lets"

/**
 * struct request - a spec that was understood
 * @spec: the text
 * @where: what messages begin with: the spec, or file and line too
 * @event: what to count
 * @units: indices of the units
 * @count: number of @units
 */
struct request {
	char *spec;
	char *where;
	struct uncore_event event;
	unsigned int *units;
	unsigned int count;
};

struct requests {
	struct request *list;
	size_t count;
};

/* Understands a spec, or says why not; an exit code. */
int request_add(struct requests *requests, struct uncore *uncore,
		const char *spec, const char *where);
void request_remove_last(struct requests *requests);
/* Says why no unit has this name. */
void complain_unit(struct uncore *uncore, const char *name);
void requests_free(struct requests *requests);

/**
 * struct holding - a claim
 * @name: unit and counter, "imc0@0/ctr0"
 * @unit: index of the unit
 * @event: what it counts
 * @claim: as the module gave it
 * @uses: how many requests need it
 * @kept: requests that were read anew need it
 * @announced: a line about where it is was printed
 * @waiting: the claim was lost and could not be made anew: the error; else 0
 * @stuck: it does not count, and programming it anew does not help
 */
struct holding {
	char name[UNCORE_NAME_LEN + UNCORE_PMU_NAME_LEN + 1];
	unsigned int unit;
	struct uncore_event event;
	struct uncore_pmu_program claim;
	unsigned int uses;
	bool kept;
	bool announced;
	int waiting;
	bool stuck;
};

struct hold {
	struct uncore *uncore;
	struct holding *list;
	size_t count;
	size_t room;
};

/* Is there a claim for that unit and event, be it one that was lost? */
bool hold_has(struct hold *hold, unsigned int unit,
	      const struct uncore_event *event);
/* The claim, 0 if there is none or it was lost. */
uint32_t hold_claim(struct hold *hold, unsigned int unit,
		    const struct uncore_event *event);
/*
 * One more use of the claim for that unit and event, which is made if need be;
 * 0 or an error.
 */
int hold_unit(struct hold *hold, unsigned int unit,
	      const struct uncore_event *event, struct holding **holding);
/*
 * A claim for each unit, or none and an error; then @unit is where it was. With
 * @lenient, units that are gone are left out as long as there are others.
 */
int hold_request(struct hold *hold, const struct request *request, bool lenient,
		 unsigned int *unit);
/*
 * When requests were read anew: those claims that one of them needs are kept
 * even while they have no use. What was lost or overwritten is released.
 */
void hold_mark(struct hold *hold, const struct requests *requests);
/* Releases what is neither in use nor kept. */
void hold_sweep(struct hold *hold);
/*
 * Claims anew what was lost, or overwritten by other software; says what cannot
 * be and what was overwritten, and gives how many were lost.
 */
size_t hold_renew(struct hold *hold);
/* How many of the list are lost, and are tried again each time. */
size_t hold_waiting(const struct hold *hold);
/* A line for each claim that had none yet where it is now. */
void hold_announce(struct hold *hold);
/* Releases all, silently. */
void hold_close(struct hold *hold);

/* Is a counter with this status claimed, and counts this event? */
bool status_counts(const struct uncore_pmu_status *status,
		   const struct uncore_pmu_counter *counter,
		   const struct uncore_event *event);
/* Is it claimed for this event, but overwritten or lost? */
bool status_counts_no_more(const struct uncore_pmu_status *status,
			   const struct uncore_pmu_counter *counter,
			   const struct uncore_event *event);
/* Who has the counters of the unit, for a message: "ctr0: ..., ctr1: ...". */
void describe_holders(struct uncore *uncore, unsigned int unit, char *text,
		      size_t size);
/* Says why an event could not be programmed on a unit. */
void complain_program(struct uncore *uncore, const char *where,
		      unsigned int unit, const struct uncore_event *event,
		      int error);
/* The name of a unit, or "?". */
void unit_name(struct uncore *uncore, unsigned int unit, char *name,
	       size_t size);

#endif /* UNCORECTL_HOLD_H */
