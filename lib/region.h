/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files about regions share; not installed. */
#ifndef UNCORE_REGION_INTERNAL_H
#define UNCORE_REGION_INTERNAL_H

#include "core.h"

/* How the counters of a plan are read, and their order in it. */
enum uncore_slot_kind {
	UNCORE_SLOT_PAIR,
	UNCORE_SLOT_64,
	UNCORE_SLOT_32,
	UNCORE_SLOT_CALL,
	UNCORE_SLOT_KINDS,
};

/*
 * A counter of the uncore; @entry is the event that it is for, @claim that of the
 * plan if it is @claimed, @state as that of a thread's counter.
 */
struct uncore_slot {
	struct uncore_counter counter;
	struct uncore_watch watch;
	int state;
	unsigned int entry;
	int32_t die;
	bool claimed;
	uint32_t claim;
};

/* One event of the plan. */
struct uncore_entry {
	char name[UNCORE_SPEC_LEN];
	bool core;
	unsigned int index;	/* of the core */
	struct uncore_event event;
	bool expected;		/* @event is what its counters count */
};

struct uncore_thread;

/* x86 has the low half first. */
union uncore_halves {
	uint64_t whole;
	struct {
		uint32_t low, high;
	};
};

/*
 * A region of a thread. The sums are of what end read less what begin read. For
 * the core that is a difference of 64 bits, in which a bias cancels out. Of a
 * counter of the uncore each difference is cut off at its width, so that their sum
 * may be wider. @num is as the plan says, and 0 in a thread that does not read the
 * uncore.
 */
struct uncore_region_full {
	struct uncore_region region;
	uint64_t owner;
	const char *pages;
	uint64_t sign;
	uint32_t limit;
	uint32_t num[UNCORE_SLOT_KINDS];
	uint64_t core[UNCORE_PLAN_CORE_MAX];
	uint64_t time;
	uint64_t times;
	void (*next_begin)(struct uncore_region_full *region);
	void (*next_end)(struct uncore_region_full *region);
	void (*plain_begin)(struct uncore_region *region);
	void (*plain_end)(struct uncore_region *region);

	bool misused;
	uint32_t turn;		/* of the marker, when it was begun */
	struct uncore_thread *thread;
	const char *name;
	struct uncore_region_full *next;

	/* All slots, ordered by kind. */
	const volatile uint32_t *address[UNCORE_PLAN_UNCORE_MAX];
	uint64_t mask[UNCORE_PLAN_UNCORE_MAX];
	union uncore_halves before[UNCORE_PLAN_UNCORE_MAX];
	uint64_t sum[UNCORE_PLAN_UNCORE_MAX];
};

/*
 * @state: of each counter until it was paused or closed; once not valid it is not
 * valid again
 */
struct uncore_thread {
	struct uncore_plan *plan;
	struct uncore_thread *next;
	uint32_t number;
	int32_t tid;
	bool ended;
	char *pages;
	struct uncore_counter core[UNCORE_PLAN_CORE_MAX];
	struct uncore_watch watch[UNCORE_PLAN_CORE_MAX];
	int state[UNCORE_PLAN_CORE_MAX];
	uint64_t cost[UNCORE_PLAN_CORE_MAX];
	uint64_t time_cost;
	struct uncore_region_full *regions;
};

/* A name that some thread has opened; @reader reads the uncore for it. */
struct uncore_region_name {
	struct uncore_region_name *next;
	struct uncore_thread *reader;
	char name[];
};

struct uncore_plan {
	struct uncore_plan *next;	/* of the process */
	struct uncore *uncore;
	struct uncore *own;	/* @uncore, if the plan has opened it */
	unsigned int flags;
	int32_t pid;
	bool paused;
	pthread_key_t key;
	pthread_mutex_t lock;
	unsigned int num_entries, num_core, num_slots, max_entries;
	uint32_t num[UNCORE_SLOT_KINDS];
	struct uncore_entry *entries;
	struct uncore_slot *slots;
	struct uncore_thread *threads;
	struct uncore_region_name *names;
	unsigned int num_threads;
	uint64_t tsc_start;
	uint64_t ns_start;
};

/*
 * A child has a copy of its parent's plan, in which nothing changes any more. Its
 * lock may be held for ever there.
 */
bool uncore_plan_is_mine(const struct uncore_plan *plan);

/*
 * Opens the node if one of the events needs it and it is not open, with the right
 * to program if the caller has it.
 */
int uncore_plan_node(const char *events, struct uncore **uncore,
		     struct uncore_event_error *error);
/* Fills entries and slots. */
int uncore_plan_parse(struct uncore_plan *plan, const char *events,
		      struct uncore_event_error *error);
void uncore_plan_forget(struct uncore_plan *plan);

/*
 * Stops the counters that perf has, of all threads, so that those of another plan
 * have room. No thread may be in a region; one that is has it marked. A child does
 * nothing: it has its parent's counters.
 */
void uncore_plan_pause(struct uncore_plan *plan);
void uncore_plan_resume(struct uncore_plan *plan);
/* The same for a thread that is new in a plan. */
void uncore_thread_pause(struct uncore_thread *thread);

/* enum uncore_validity of a counter, from its first watch on. */
int uncore_thread_state(const struct uncore_thread *thread, unsigned int index);
int uncore_slot_state(const struct uncore_plan *plan,
		      const struct uncore_slot *slot);

/*
 * From here on its regions do nothing but note that they were misused: the pages of
 * the thread's counters are not there any more.
 */
void uncore_thread_disown(struct uncore_thread *thread);
/* From here on its regions do that in a child made by fork. */
int uncore_plan_enlist(struct uncore_plan *plan);
void uncore_plan_delist(struct uncore_plan *plan);

/* Chooses the functions that read what the region has. */
void uncore_region_wire(struct uncore_region_full *region,
			unsigned int num_core, bool fence);

/* The count of one event; those of the uncore on one die, or INT32_MIN for all. */
uint64_t uncore_region_count(const struct uncore_region_full *region,
			     unsigned int entry, int32_t die,
			     unsigned int flags, int *state);
double uncore_region_seconds(const struct uncore_region_full *region,
			     unsigned int flags);
/* What the environment says to count, or NULL. */
const char *uncore_wanted_events(void);
/* To uncorectl, if it has started the program; else is the format one of ours? */
int uncore_tell_open(struct uncore_event_error *error);
void uncore_tell_error(int error, const struct uncore_event_error *details);
/* To it, or else to people: what the results lack. */
void uncore_report_loss(const struct uncore_event_error *details);
/* The results of all plans, which are the groups from @first on. */
int uncore_plans_text(struct uncore_plan *const *plans, unsigned int first,
		      unsigned int count, enum uncore_format format,
		      unsigned int flags, char **result);
/* To uncorectl, or as a text to people. */
int uncore_plans_report(struct uncore_plan *const *plans, unsigned int count);
/*
 * Notes what the file for the results has in it before this process counts, if
 * that was not done. A fork may not be in the middle of it.
 */
void uncore_output_note(void);
void uncore_output_lock(void);
void uncore_output_unlock(void);
/* Instead of that, or behind what came in meanwhile. */
int uncore_output_write(const char *name, enum uncore_format format,
			const char *text);
int uncore_write_all(int fd, const char *text);

uint64_t uncore_tsc(void);
uint64_t uncore_now(void);

#endif /* UNCORE_REGION_INTERNAL_H */
