/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files about events share; not installed. */
#ifndef UNCORE_EVENTS_INTERNAL_H
#define UNCORE_EVENTS_INTERNAL_H

#include "internal.h"

#define UNCORE_DEVICES_PATH	"/sys/bus/event_source/devices"

/*
 * In perf, this event of a unit means its fixed counter. libpfm4 has the same
 * number for it.
 */
#define UNCORE_CONFIG_FIXED	0xff

/* What no field but the event is in, and two events share at most by chance. */
#define UNCORE_CONFIG_EVENT	0xff
/* On QPI, one more of the event. */
#define UNCORE_CONFIG_EVENT_HIGH	(1ULL << 21)
#define UNCORE_CONFIG_UMASK_SHIFT	8
#define UNCORE_CONFIG_EDGE		(1ULL << 18)
#define UNCORE_CONFIG_INVERT		(1ULL << 23)
#define UNCORE_CONFIG_THRESH_SHIFT	24
#define UNCORE_CONFIG_THRESH_MAX	0xffU
/* Those that make of any event's count one of something else. */
#define UNCORE_CONFIG_MODIFIERS						\
	(UNCORE_CONFIG_EDGE | UNCORE_CONFIG_INVERT |			\
	 (uint64_t)UNCORE_CONFIG_THRESH_MAX << UNCORE_CONFIG_THRESH_SHIFT)

/*
 * Which units, where. @devices is where the kernel's perf PMUs are described;
 * tests give a folder of theirs, and no @uncore, which keeps what was looked up.
 */
struct uncore_place {
	const char *platform;
	const struct uncore_pmu_unit *info;
	const char *devices;
	struct uncore *uncore;
};

/* The public functions without a node. @error is never NULL here. */
int uncore_place_parse(const struct uncore_place *place, const char *text,
		       struct uncore_event *event,
		       struct uncore_event_error *error);
int uncore_place_list(const struct uncore_place *place, uncore_event_fn each,
		      void *data);
int uncore_place_name(const struct uncore_place *place, uint32_t kind,
		      uint64_t config, struct uncore_event *event);

/* The fixed counter of a unit, or NULL. */
const struct uncore_pmu_counter *
uncore_fixed_counter(const struct uncore_pmu_unit *info);
int uncore_fixed_set(const struct uncore_place *place,
		     struct uncore_event *event,
		     struct uncore_event_error *error);

/* Free-running counters by their names, which are those of the kernel. */
int uncore_free_parse(const struct uncore_place *place, const char *text,
		      struct uncore_event *event);
int uncore_free_list(const struct uncore_place *place, uncore_event_fn each,
		     void *data);
/* False if the counter with this index is none. */
bool uncore_free_get(const struct uncore_pmu_unit *info, uint64_t index,
		     struct uncore_event *event);
/* For units that have no other counters, or none. */
int uncore_say_not_programmable(const struct uncore_place *place,
				struct uncore_event_error *error);

/*
 * Fills kind and config, from the number that perf and libpfm4 know. Says why
 * the unit does not let it be counted.
 */
int uncore_event_set(const struct uncore_place *place, uint64_t config,
		     struct uncore_event *event,
		     struct uncore_event_error *error);

/* "event=0x04,umask=0x03", see events_raw.c */
bool uncore_raw_looks_so(const char *text);
int uncore_raw_parse(const struct uncore_place *place, const char *text,
		     struct uncore_event *event,
		     struct uncore_event_error *error);
void uncore_raw_name(const struct uncore_place *place, uint64_t config,
		     char *name, size_t size);

/*
 * The kernel's names and those of libpfm4. Each parse function gives -ENOENT and
 * says nothing for a name that it does not know at all. What the units do not
 * let be counted is not listed. To put all together takes a while: of the
 * kernel's, only those that count the @same, of libpfm4's, only those with this
 * @number of the event, its lowest bits.
 */
#define UNCORE_ANY_EVENT	(-1)

int uncore_alias_parse(const struct uncore_place *place, const char *text,
		       struct uncore_event *event,
		       struct uncore_event_error *error);
int uncore_alias_list(const struct uncore_place *place,
		      const struct uncore_event *same, uncore_event_fn each,
		      void *data);
/* Has the kernel a perf PMU for the unit? */
bool uncore_alias_source(const struct uncore_place *place);
int uncore_pfm_parse(const struct uncore_place *place, const char *text,
		     struct uncore_event *event,
		     struct uncore_event_error *error);
int uncore_pfm_list(const struct uncore_place *place, int number,
		    uncore_event_fn each, void *data);
/*
 * All names, of unit masks too, or of events only; or those of the events whose
 * name @text begins with.
 */
int uncore_pfm_names(const struct uncore_place *place, bool masks,
		     const char *text,
		     void (*each)(const char *name, void *data), void *data);
/* Before any function of libpfm4. */
void uncore_pfm_begin(void);
/* The name of libpfm4's PMU for the unit, or NULL. */
const char *uncore_pfm_source(const struct uncore_place *place);

/* One count of an event is so much of what? */
void uncore_event_weigh(const struct uncore_place *place,
			struct uncore_event *event);
/* What the name of an event of libpfm4 tells about that. */
void uncore_meaning_of_name(const char *name, double *scale, char *unit);
/* A number as in the kernel's .scale files; the locale has no say. */
bool uncore_parse_decimal(const char *text, double *value);

/* What would need filters, and a message that says so; see filter.c. */
bool uncore_is_filter(const char *name, size_t length);
bool uncore_is_match(const char *name, size_t length);
int uncore_say_filter(struct uncore_event_error *error, const char *name,
		      size_t length);
int uncore_check_match(const struct uncore_place *place, uint64_t config,
		       struct uncore_event_error *error);
/* Refuses a number that only events with filters have. */
int uncore_pfm_check(const struct uncore_place *place, uint64_t config,
		     struct uncore_event_error *error);

/* Writes the message; what a terminal could take for a command becomes "?". */
__attribute__((format(printf, 2, 3)))
void uncore_say(struct uncore_event_error *error, const char *format, ...);

/* Collects the names nearest to what was typed, see nearest.c. */
struct uncore_nearest {
	struct uncore_event_error *error;
	const char *typed;
	unsigned int distance[UNCORE_NEAREST_MAX];
};

void uncore_nearest_begin(struct uncore_nearest *nearest,
			  struct uncore_event_error *error, const char *typed);
/* For uncore_pfm_names(); @nearest is a struct uncore_nearest. */
void uncore_nearest_offer(const char *name, void *nearest);

/* "amd_df/event=7/": counted by perf for all CPUs of a die or an L3 complex. */
bool uncore_spec_is_amd(const char *spec);

/* Splits "unit/event/" into buffers of UNCORE_NAME_LEN and UNCORE_SPEC_LEN. */
int uncore_spec_split(const char *text, char *unit, char *event,
		      struct uncore_event_error *error);

/* Says that no unit has the name, and which there are instead. */
void uncore_explain_unit(struct uncore *uncore, const char *name,
			 struct uncore_event_error *error);

#endif /* UNCORE_EVENTS_INTERNAL_H */
