// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a core is to count, by name: all forms of an event. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "core.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* With several PMUs, the upper half of a generic event says which is meant. */
#define PMU_SHIFT	32

struct generic {
	const char *name;
	uint64_t config;
};

static bool look_up(const struct generic *table, size_t count, const char *name,
		    size_t length, uint64_t *config)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (uncore_same_text(name, length, table[i].name)) {
			*config |= table[i].config;
			return true;
		}
	return false;
}

/* As in perf; two names for one event where it has two. */
static bool find_hardware(const char *text, uint64_t *config)
{
	static const struct generic names[] = {
		{ "cycles", PERF_COUNT_HW_CPU_CYCLES },
		{ "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES },
		{ "instructions", PERF_COUNT_HW_INSTRUCTIONS },
		{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES },
		{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES },
		{ "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
		{ "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
		{ "branch-misses", PERF_COUNT_HW_BRANCH_MISSES },
		{ "bus-cycles", PERF_COUNT_HW_BUS_CYCLES },
		{ "stalled-cycles-frontend",
		  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
		{ "stalled-cycles-backend",
		  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
		{ "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES },
	};

	return look_up(names, ARRAY_SIZE(names), text, strlen(text), config);
}

static bool find_cache(const char *text, size_t length, uint64_t *config)
{
	static const struct generic names[] = {
		{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D },
		{ "L1-icache", PERF_COUNT_HW_CACHE_L1I },
		{ "LLC", PERF_COUNT_HW_CACHE_LL },
		{ "dTLB", PERF_COUNT_HW_CACHE_DTLB },
		{ "iTLB", PERF_COUNT_HW_CACHE_ITLB },
		{ "branch", PERF_COUNT_HW_CACHE_BPU },
		{ "node", PERF_COUNT_HW_CACHE_NODE },
	};

	return look_up(names, ARRAY_SIZE(names), text, length, config);
}

#define OPERATION(op, result)					\
	(PERF_COUNT_HW_CACHE_OP_ ## op << 8 |			\
	 PERF_COUNT_HW_CACHE_RESULT_ ## result << 16)

static bool find_operation(const char *text, uint64_t *config)
{
	static const struct generic names[] = {
		{ "loads", OPERATION(READ, ACCESS) },
		{ "load-misses", OPERATION(READ, MISS) },
		{ "stores", OPERATION(WRITE, ACCESS) },
		{ "store-misses", OPERATION(WRITE, MISS) },
		{ "prefetches", OPERATION(PREFETCH, ACCESS) },
		{ "prefetch-misses", OPERATION(PREFETCH, MISS) },
	};

	return look_up(names, ARRAY_SIZE(names), text, strlen(text), config);
}

static void set_generic(struct uncore_core_event *event, uint32_t type,
			uint64_t config)
{
	event->type = type;
	event->config[0] = config;
	if (event->pmu.hybrid)
		event->config[0] |= (uint64_t)event->pmu.type << PMU_SHIFT;
}

static bool parse_generic(const char *text, struct uncore_core_event *event)
{
	const char *dash = text;
	uint64_t config = 0;

	if (find_hardware(text, &config)) {
		set_generic(event, PERF_TYPE_HARDWARE, config);
		return true;
	}
	/* "L1-dcache-load-misses": try each dash. */
	while ((dash = strchr(dash, '-'))) {
		config = 0;
		if (!find_cache(text, (size_t)(dash++ - text), &config) ||
		    !find_operation(dash, &config))
			continue;
		set_generic(event, PERF_TYPE_HW_CACHE, config);
		return true;
	}
	return false;
}

/* "r01c5" */
static int parse_hex(const char *text, struct uncore_core_event *event)
{
	size_t length = strlen(text);

	if (uncore_lower(text[0]) != 'r' || length < 2 || length > 17 ||
	    strspn(text + 1, "0123456789abcdefABCDEF") != length - 1)
		return -ENOENT;
	event->type = event->pmu.type;
	event->config[0] = strtoull(text + 1, NULL, 16);
	return 0;
}

/* A file of that name in the PMU's folder "events" holds the fields. */
static int parse_alias(const struct uncore_core_place *place, const char *text,
		       struct uncore_core_event *event,
		       struct uncore_event_error *error)
{
	char file[UNCORE_SPEC_LEN + 8], fields[UNCORE_SPEC_LEN];
	int ret;

	if (strchr(text, '/') || strchr(text, '.') || strlen(text) > 100)
		return -ENOENT;
	/* The kernel has no such name with a capital letter. */
	snprintf(file, sizeof(file), "events/%s", text);
	uncore_lower_text(file);
	ret = uncore_core_pmu_text(place, event->pmu.name, file, fields,
				   sizeof(fields));
	if (uncore_core_is_failure(ret))
		return uncore_core_say_failure(text, ret, error);
	if (ret)
		return -ENOENT;
	ret = uncore_core_fields_parse(place, fields, event, error);
	/* It is not the caller who wrote that. */
	return ret && !uncore_core_is_failure(ret) ? -EOPNOTSUPP : ret;
}

static int pfm_error(int ret)
{
	switch (ret) {
	case PFM_ERR_NOTFOUND:
	case PFM_ERR_NOTSUPP:
		return -ENOENT;
	case PFM_ERR_NOMEM:
		return -ENOMEM;
	case PFM_ERR_TOOSMALL:
	case PFM_ERR_ATTR_VAL:
		return -ERANGE;
	default:
		return -EINVAL;
	}
}

static int parse_pfm(const char *text, struct uncore_core_event *event,
		     struct uncore_event_error *error)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .size = sizeof(arg), .attr = &attr };
	int ret;

	uncore_pfm_begin();
	ret = pfm_get_os_event_encoding(text, PFM_PLM3, PFM_OS_PERF_EVENT,
					&arg);
	if (ret != PFM_SUCCESS) {
		ret = pfm_error(ret);
		if (ret == -ENOENT)
			uncore_say(error, "%s has no event %s: it is neither "
				   "perf's, nor in "
				   "/sys/bus/event_source/devices/%s/events, "
				   "nor libpfm4's for this processor",
				   event->pmu.name, text, event->pmu.name);
		else
			uncore_say(error, "%s is not an event with unit masks "
				   "and modifiers that libpfm4 knows", text);
		return ret;
	}
	if (event->pmu.shared && attr.type != event->pmu.type) {
		uncore_say(error, "%s has no event %s: it is not libpfm4's for "
			   "this processor, so give fields as event=0x07,"
			   "umask=0x38 (format in /sys/bus/event_source/devices/"
			   "%s)", event->pmu.name, text, event->pmu.name);
		return -ENOENT;
	}
	if (attr.type != PERF_TYPE_RAW && attr.type != PERF_TYPE_HARDWARE &&
	    attr.type != PERF_TYPE_HW_CACHE && attr.type != event->pmu.type) {
		uncore_say(error, "%s is not counted by a core, and cannot be "
			   "read with RDPMC", text);
		return -EOPNOTSUPP;
	}
	if (attr.precise_ip || attr.freq || attr.sample_period) {
		uncore_say(error, "%s asks for samples: it can only be counted",
			   text);
		return -EINVAL;
	}
	if (attr.type == PERF_TYPE_RAW)
		event->type = event->pmu.type;
	else if (attr.type == event->pmu.type)
		event->type = attr.type;
	else
		set_generic(event, attr.type, attr.config);
	if (event->type == event->pmu.type)
		event->config[0] = attr.config;
	event->config[1] = attr.config1;
	event->config[2] = attr.config2;
	if (event->pmu.shared)
		return 0;
	event->user = !attr.exclude_user;
	event->kernel = !attr.exclude_kernel;
	return 0;
}

/* Takes ":u", ":k" or ":uk" off; what else is behind colons is libpfm4's. */
static bool take_levels(char *text, struct uncore_core_event *event)
{
	char *colon = strrchr(text, ':');
	const char *letter;
	bool user = false, kernel = false;

	if (!colon || !colon[1])
		return false;
	for (letter = colon + 1; *letter; letter++) {
		if (uncore_lower(*letter) == 'u' && !user)
			user = true;
		else if (uncore_lower(*letter) == 'k' && !kernel)
			kernel = true;
		else
			return false;
	}
	*colon = '\0';
	event->user = user;
	event->kernel = kernel;
	return true;
}

static void say_no_pmu(const char *name, struct uncore_event_error *error)
{
	struct uncore_cpuid cpuid;

	if (strncmp(name, "amd_", 4)) {
		uncore_say(error, "%s",
			   uncore_strerror(UNCORE_CALL_CORE, -ENODEV));
		return;
	}
	uncore_cpuid_read(&cpuid);
	if (cpuid.amd)
		uncore_say(error, "the kernel has no PMU %s: load its driver "
			   "(modprobe amd-uncore); to a virtual machine these "
			   "counters are hidden, so count on the host", name);
	else
		uncore_say(error, "%s is of AMD's processors: what this one "
			   "has, \"uncorectl list\" shows", name);
}

/* "cpu_atom/branch-misses/": the PMU, which may be left out, and the event. */
static int find_pmu(const struct uncore_core_place *place, char **text,
		    struct uncore_core_pmu *pmu,
		    struct uncore_event_error *error)
{
	char *slash = strchr(*text, '/'), *end;
	const char *name = NULL;
	int ret;

	if (slash) {
		name = *text;
		*slash = '\0';
		uncore_lower_text(*text);
		*text = slash + 1;
		end = strchr(*text, '/');
		if (end)
			memmove(end, end + 1, strlen(end + 1) + 1);
	}
	if (name && !strncmp(name, "amd_umc", 7)) {
		uncore_say(error, "%s: RDPMC does not reach the counters of "
			   "AMD's memory controllers: use perf stat -a -e "
			   "%s/.../, or count memory traffic in amd_df", name,
			   name);
		return -EOPNOTSUPP;
	}
	ret = uncore_core_pmu_find(place, name, pmu);
	if (ret == -ENODEV)
		say_no_pmu(name ? name : "cpu", error);
	else if (ret == -ENOENT)
		uncore_say(error, name ? "there is no PMU %s for cores"
				       : "no PMU is for this CPU%s",
			   name ? name : "");
	else if (ret)
		uncore_core_say_failure(place->devices, ret, error);
	return ret == -ENOENT && !name ? -ENODEV : ret;
}

/* The names in order: what this library, the kernel, and libpfm4 know. */
static int parse(const struct uncore_core_place *place, const char *text,
		 struct uncore_core_event *event,
		 struct uncore_event_error *error)
{
	char bare[UNCORE_SPEC_LEN];
	struct uncore_core_event plain = *event;
	int ret;

	strcpy(bare, text);
	if (take_levels(bare, &plain) && event->pmu.shared) {
		uncore_say(error, "%s: counters of %s count all levels, so "
			   "leave away what is behind the colon", text,
			   event->pmu.name);
		return -EINVAL;
	}
	if (strchr(bare, '='))
		ret = uncore_core_fields_parse(place, bare, &plain, error);
	else if (!event->pmu.shared && parse_generic(bare, &plain))
		ret = 0;
	else
		ret = parse_hex(bare, &plain);
	/* Modifiers of libpfm4 have an equals sign too. */
	if (ret == -EINVAL && strchr(bare, ':'))
		ret = -ENOENT;
	if (ret == -ENOENT)
		ret = parse_alias(place, bare, &plain, error);
	if (ret == -ENOENT)
		return parse_pfm(text, event, error);
	if (!ret)
		*event = plain;
	return ret;
}

int uncore_core_event_parse(const struct uncore_core_place *place,
			    const char *text, struct uncore_core_event *event,
			    struct uncore_event_error *error)
{
	struct uncore_core_event result = { .user = true };
	char copy[UNCORE_SPEC_LEN];
	char *rest = copy;
	int ret;

	memset(error, 0, sizeof(*error));
	if (!text[0] || strlen(text) >= sizeof(copy)) {
		uncore_say(error, text[0] ? "%.60s... is too long for an event"
					  : "an event is missing%s", text);
		return -EINVAL;
	}
	strcpy(copy, text);
	ret = find_pmu(place, &rest, &result.pmu, error);
	if (ret)
		return ret;
	result.kernel = result.pmu.shared;
	if (!rest[0]) {
		uncore_say(error, "an event is missing");
		return -EINVAL;
	}
	ret = parse(place, rest, &result, error);
	if (ret)
		return ret;
	memset(error, 0, sizeof(*error));
	*event = result;
	return 0;
}
