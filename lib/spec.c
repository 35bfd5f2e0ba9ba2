// SPDX-License-Identifier: LGPL-2.1-or-later
/* What to count, and where: "UNIT/EVENT/". */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

#define BLANKS	" \t\n"

/* "EVENT/,UNIT/EVENT/", or without the first slash. */
static bool are_several(const char *text)
{
	const char *comma = strchr(text, ',');

	return comma && strchr(comma, '/') && comma[strcspn(comma, "/") + 1];
}

int uncore_spec_split(const char *text, char *unit, char *event,
		      struct uncore_event_error *error)
{
	const char *slash = strchr(text, '/');
	size_t length = slash ? strlen(slash + 1) : 0;

	if (length && slash[length] == '/')
		length--;
	if (slash && slash != text && are_several(slash + 1)) {
		uncore_say(error, "%.100s is more than one event: give each by "
			   "itself, and no comma between them", text);
		return -EINVAL;
	}
	if (!slash || slash == text || !length ||
	    memchr(slash + 1, '/', length)) {
		uncore_say(error, "%.100s is not of the form UNIT/EVENT/, as "
			   "imc/UNC_M_CAS_COUNT:RD/ is", text);
		return -EINVAL;
	}
	if (slash - text >= UNCORE_NAME_LEN || length >= UNCORE_SPEC_LEN) {
		uncore_say(error, "%.100s... is too long", text);
		return -EINVAL;
	}
	memcpy(unit, text, (size_t)(slash - text));
	unit[slash - text] = '\0';
	memcpy(event, slash + 1, length);
	event[length] = '\0';
	return 0;
}

int uncore_spec_next(const char **list, char *spec, size_t size)
{
	const char *text = *list + strspn(*list, BLANKS), *end;
	bool inside = false;
	size_t length;

	if (!*text)
		return 0;
	for (end = text; *end && (*end != ',' || inside); end++)
		if (*end == '/')
			inside = !inside;
	length = (size_t)(end - text);
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	/* A comma at the end promises one more. */
	if (!length || (*end && !end[1 + strspn(end + 1, BLANKS)]))
		return -EINVAL;
	if (length >= size)
		return -ENAMETOOLONG;

	memcpy(spec, text, length);
	spec[length] = '\0';
	*list = *end ? end + 1 : end;
	return 1;
}

int uncore_spec_is_core(const char *spec)
{
	return !strchr(spec, '/') || uncore_same_text(spec, 4, "cpu/") ||
	       uncore_same_text(spec, 4, "cpu_") || uncore_spec_is_amd(spec);
}

bool uncore_spec_is_amd(const char *spec)
{
	return strchr(spec, '/') && uncore_same_text(spec, 4, "amd_");
}

struct search {
	struct uncore_pmu_unit info;
	unsigned int *units;
	unsigned int max;
	unsigned int present;
	unsigned int absent;
	uint32_t reason;
};

static int look_for_units(struct uncore *uncore, const char *name,
			  struct search *search)
{
	struct uncore_pmu_unit info;
	unsigned int i;
	int ret;

	for (i = 0; i < uncore_num_units(uncore); i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (ret)
			return ret;
		if (uncore_unit_match(&info, name) != 1)
			continue;
		if (info.state == UNCORE_PMU_STATE_ABSENT) {
			search->absent++;
			search->reason = info.reason;
			continue;
		}
		if (!search->present || info.state == UNCORE_PMU_STATE_OK)
			search->info = info;
		if (search->present < search->max)
			search->units[search->present] = i;
		search->present++;
	}
	return 0;
}

static int find_units(struct uncore *uncore, const char *name,
		      struct search *search, struct uncore_event_error *error)
{
	struct uncore_pmu_unit none = { .die = -1 };
	int ret;

	ret = uncore_unit_match(&none, name);
	if (ret < 0) {
		uncore_say(error, "%.100s is not the name of a unit, as imc, "
			   "imc3, imc@1 and imc3@1 are", name);
		return ret;
	}
	ret = look_for_units(uncore, name, search);
	if (ret) {
		uncore_say(error, "the units cannot be listed: %s",
			   uncore_strerror(UNCORE_CALL_FIND, ret));
		return ret;
	}
	if (search->present)
		return 0;
	if (search->absent)
		uncore_say(error, "%s is absent: %s; some BIOSes have an option "
			   "that shows the performance-monitoring devices",
			   name, uncore_reason_text(search->reason));
	else
		uncore_explain_unit(uncore, name, error);
	return -ENODEV;
}

int uncore_spec_parse(struct uncore *uncore, const char *text,
		      struct uncore_event *event, unsigned int *units,
		      unsigned int max, struct uncore_event_error *error)
{
	struct search search = { .units = units, .max = max };
	char unit[UNCORE_NAME_LEN], name[UNCORE_SPEC_LEN];
	struct uncore_event_error unwanted;
	int ret;

	if (!error)
		error = &unwanted;
	memset(error, 0, sizeof(*error));

	ret = uncore_spec_split(text, unit, name, error);
	if (!ret)
		ret = find_units(uncore, unit, &search, error);
	if (!ret)
		ret = uncore_event_parse(uncore, &search.info, name, event,
					 error);
	return ret ? ret : (int)search.present;
}
