/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be counted, by name; included by <uncore.h> only. */
#ifndef UNCORE_EVENTS_H
#define UNCORE_EVENTS_H

#ifndef UNCORE_H
#error "include <uncore.h>"
#endif

/* Room for the canonical name of an event and its NUL. */
#define UNCORE_EVENT_NAME_LEN	128
/* Room for the unit of a count, for example "bytes", and its NUL. */
#define UNCORE_EVENT_UNIT_LEN	16
/* Room for UNIT/EVENT/ and its NUL. */
#define UNCORE_SPEC_LEN		256
/* How many names an error suggests at most. */
#define UNCORE_NEAREST_MAX	3

/**
 * enum uncore_event_source - where the meaning of an event's name is from
 * @UNCORE_EVENT_RAW: the text itself, "event=0x04,umask=0x03"
 * @UNCORE_EVENT_LIBPFM: libpfm4, "UNC_M_CAS_COUNT:RD"
 * @UNCORE_EVENT_ALIAS: the kernel's perf PMU, "cas_count_read"
 * @UNCORE_EVENT_FIXED: the unit's fixed counter, "fixed" or "clockticks"
 * @UNCORE_EVENT_FREE_RUNNING: a free-running counter of the unit, "data_read"
 */
enum uncore_event_source {
	UNCORE_EVENT_RAW	= 0,
	UNCORE_EVENT_LIBPFM	= 1,
	UNCORE_EVENT_ALIAS	= 2,
	UNCORE_EVENT_FIXED	= 3,
	UNCORE_EVENT_FREE_RUNNING = 4,
};

/**
 * struct uncore_event - what to count
 * @config: for the control register, see struct uncore_pmu_program; 0 for the
 *	fixed counter; for a free-running one its index in the unit
 * @kind: enum uncore_pmu_kind; UNCORE_PMU_KIND_FREE_RUNNING needs no programming
 * @source: enum uncore_event_source
 * @scale: one count is @scale of @unit; 0 if not known
 * @unit: "bytes" or "cycles" (of the unit's clock), or what the kernel's perf
 *	PMU says where that is neither; "" if not known
 * @name: canonical name: as libpfm4, perf or uncore_event_parse() spell it
 *
 * Valid for all units of one type. May be copied; there is nothing to free.
 */
struct uncore_event {
	uint64_t config;
	uint32_t kind;
	uint32_t source;
	double scale;
	char unit[UNCORE_EVENT_UNIT_LEN];
	char name[UNCORE_EVENT_NAME_LEN];
};

/**
 * struct uncore_event_error - why a text does not say what to count
 * @message: a sentence without a full stop or newline, "" on success; names the
 *	part of the text that is wrong
 * @num_nearest: number of names in @nearest
 * @nearest: names that could have been meant, the nearest first: of events, or
 *	of types of units if there is no such unit
 */
struct uncore_event_error {
	char message[256];
	unsigned int num_nearest;
	char nearest[UNCORE_NEAREST_MAX][UNCORE_EVENT_NAME_LEN];
};

/**
 * uncore_event_parse - find out what a text says to count
 * @uncore: from uncore_open()
 * @info: a unit of the type that is to count
 * @text: the event, in one of these forms; upper and lower case are the same:
 *	"UNC_M_CAS_COUNT:RD" a name of libpfm4, with "." or ":" between its
 *	parts, which are unit masks and modifiers ("e=1", "i=1", "t=N");
 *	"cas_count_read" a name of the kernel's perf PMU for the unit;
 *	"event=0x04,umask=0x03,edge=1,inv=1,thresh=7" fields of the control
 *	register with numbers as in C, of which only event is needed, or all of
 *	them in "config=0x304"; and what the kernel's perf PMU has besides, as
 *	chmask, where the unit lets it be set;
 *	"fixed" the fixed counter; "clockticks" too, where the unit has one;
 *	"data_read" a free-running counter, by its name in the unit, which is
 *	that of the kernel's perf PMU
 * @event: filled on success
 * @error: filled; may be NULL
 *
 * Return: 0, or -EINVAL the text has no such form, names a field that there is
 * not, or unit masks that do not go together; -ENOENT no event or unit mask of
 * this name, or libpfm4 has none for this type on this platform; -ERANGE a
 * number is too large for its field; -EOPNOTSUPP the unit does not let this be
 * counted: it would need a filter by address, opcode, thread or core, or the
 * unit has no counter for it.
 */
int uncore_event_parse(struct uncore *uncore,
		       const struct uncore_pmu_unit *info, const char *text,
		       struct uncore_event *event,
		       struct uncore_event_error *error);

/**
 * uncore_spec_parse - find out what to count, and where
 * @uncore: from uncore_open()
 * @text: "UNIT/EVENT/", the second slash may be left out; UNIT as for
 *	uncore_unit_match(), EVENT as for uncore_event_parse()
 * @event: filled on success
 * @units: where to put the indices of the units, in increasing order; those that
 *	are absent are left out, those in another state are not
 * @max: room in @units
 * @error: filled; may be NULL
 *
 * Return: how many units, at least 1, perhaps more than @max; or -ENODEV no unit
 * has the name, or all that have it are absent; -EINVAL the text has no such
 * form; or an error as from uncore_event_parse() or uncore_unit_info().
 */
int uncore_spec_parse(struct uncore *uncore, const char *text,
		      struct uncore_event *event, unsigned int *units,
		      unsigned int max, struct uncore_event_error *error);

/**
 * uncore_spec_next - take the first off a list of specs
 * @list: "imc/event=4,umask=3/,ha/clockticks/", separated by commas that are not
 *	between slashes, and blanks around them; moved behind what was taken
 * @spec: buffer, UNCORE_SPEC_LEN bytes are enough for all that is valid
 * @size: size of the buffer
 *
 * Return: 1 taken, 0 there is no more, -EINVAL an empty spec, -ENAMETOOLONG.
 */
int uncore_spec_next(const char **list, char *spec, size_t size);

/**
 * uncore_spec_is_core - is that an event of the core, or else one of perf's?
 * @spec: "branch-misses", "cpu/event=0xc5/", "amd_df/event=7/", "imc/clockticks/"
 *
 * Only from the form: UNIT/EVENT/ is one of the uncore, unless UNIT is that of a
 * core PMU, or of AMD's, which begin with "amd_". The event need not exist.
 *
 * Return: 1, for uncore_core_open(); or 0, for uncore_spec_parse().
 */
int uncore_spec_is_core(const char *spec);

/**
 * typedef uncore_event_fn - called for each event by uncore_events_list()
 * @event: the event; it is valid during the call only
 * @description: a sentence, perhaps ""; valid during the call only
 * @data: as given to uncore_events_list()
 *
 * Return: 0 to go on, anything else to end.
 */
typedef int (*uncore_event_fn)(const struct uncore_event *event,
			       const char *description, void *data);

/**
 * uncore_events_list - list what the units of a type can count
 * @uncore: from uncore_open()
 * @info: a unit of the type
 * @each: called for each event: the fixed counter, then the free-running ones,
 *	then the names of the kernel's perf PMU, then those of libpfm4, each unit
 *	mask by itself
 * @data: for @each
 *
 * What would need a filter is left out. A unit that cannot be programmed counts
 * nothing but what its free-running counters do.
 *
 * Return: 0, or what @each returned to end.
 */
int uncore_events_list(struct uncore *uncore,
		       const struct uncore_pmu_unit *info, uncore_event_fn each,
		       void *data);

/**
 * uncore_events_source - where names for a type of unit come from
 * @uncore: from uncore_open()
 * @info: a unit of the type
 *
 * Return: the name of libpfm4's PMU, for example "hswep_unc_imc0"; or NULL, as
 * it has none for this type on this platform.
 */
const char *uncore_events_source(struct uncore *uncore,
				 const struct uncore_pmu_unit *info);

/**
 * uncore_event_name - name what a counter was programmed with
 * @uncore: from uncore_open()
 * @info: the unit
 * @kind: kind of the counter
 * @config: as in struct uncore_pmu_status; for a free-running counter its index
 * @event: filled; the name is that of libpfm4, else that of perf, else
 *	"event=0x04,umask=0x03"
 *
 * Return: 0, or -EINVAL the unit has no such counter.
 */
int uncore_event_name(struct uncore *uncore, const struct uncore_pmu_unit *info,
		      uint32_t kind, uint64_t config,
		      struct uncore_event *event);

#endif /* UNCORE_EVENTS_H */
