// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which PMU counts events of a core: the kernel has one, "cpu", or on a
 * processor with several kinds of cores one for each, "cpu_core" and "cpu_atom",
 * with a list of its CPUs. Beside these there are the PMUs of AMD whose counters
 * RDPMC reaches as well.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core.h"

int uncore_core_pmu_text(const struct uncore_core_place *place,
			 const char *pmu, const char *file, char *text,
			 size_t size)
{
	char path[512];
	ssize_t length;
	int fd, n;

	n = snprintf(path, sizeof(path), "%s/%s/%s", place->devices, pmu, file);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	length = read(fd, text, size);
	close(fd);
	/* What fills the buffer may have been cut off. */
	if (length <= 0 || (size_t)length >= size)
		return -EPROTO;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

bool uncore_core_is_failure(int error)
{
	switch (error) {
	case -EMFILE:
	case -ENFILE:
	case -ENOMEM:
	case -EACCES:
	case -EPERM:
		return true;
	default:
		return false;
	}
}

int uncore_core_say_failure(const char *what, int error,
			    struct uncore_event_error *text)
{
	/* Others are of perf there, and speak of what it does not permit. */
	const char *reason = error == -EMFILE
				     ? uncore_strerror(UNCORE_CALL_CORE, error)
				     : strerrordesc_np(-error);

	uncore_say(text, "%s cannot be read: %s", what, reason);
	return error;
}

bool uncore_core_cpus_have(const char *list, int cpu)
{
	unsigned long first, last;
	char *end;

	while (cpu >= 0 && uncore_is_digit(*list)) {
		first = strtoul(list, &end, 10);
		last = first;
		if (*end == '-' && uncore_is_digit(end[1]))
			last = strtoul(end + 1, &end, 10);
		if ((unsigned long)cpu >= first && (unsigned long)cpu <= last)
			return true;
		if (*end != ',')
			break;
		list = end + 1;
	}
	return false;
}

/* "cpu", or "cpu_" and a word. A PMU of another kind may be named so too. */
static bool is_core_name(const char *name)
{
	return !strcmp(name, "cpu") || !strncmp(name, "cpu_", 4);
}

static bool is_shared_name(const char *name)
{
	return !strcmp(name, "amd_df") || !strcmp(name, "amd_l3");
}

static int describe(const struct uncore_core_place *place, const char *name,
		    struct uncore_core_pmu *pmu)
{
	char number[32], *end;
	unsigned long type;
	int ret;

	memset(pmu, 0, sizeof(*pmu));
	if (strlen(name) >= sizeof(pmu->name))
		return -ENOENT;
	strcpy(pmu->name, name);
	ret = uncore_core_pmu_text(place, name, "type", number, sizeof(number));
	if (ret)
		return ret;
	type = strtoul(number, &end, 10);
	if (end == number || *end || type > INT32_MAX)
		return -EPROTO;
	pmu->type = (uint32_t)type;

	pmu->shared = is_shared_name(name);
	pmu->hybrid = !pmu->shared && strcmp(name, "cpu") != 0;
	if (!pmu->hybrid)
		return 0;
	return uncore_core_pmu_text(place, name, "cpus", pmu->cpus,
				    sizeof(pmu->cpus));
}

/* What cannot be described is no PMU, unless nobody could look. */
static int unless_failure(int ret)
{
	return ret && !uncore_core_is_failure(ret) ? -ENODEV : ret;
}

int uncore_core_pmu_find(const struct uncore_core_place *place,
			 const char *name, struct uncore_core_pmu *pmu)
{
	struct uncore_core_pmu found;
	struct dirent *entry;
	bool any = false;
	int ret = -ENODEV, error;
	DIR *dir;

	if (name && is_shared_name(name))
		return unless_failure(describe(place, name, pmu));
	dir = opendir(place->devices);
	if (!dir)
		return unless_failure(-errno);
	while (ret == -ENODEV && (entry = readdir(dir))) {
		if (!is_core_name(entry->d_name))
			continue;
		error = describe(place, entry->d_name, &found);
		if (uncore_core_is_failure(error))
			ret = error;
		if (error)
			continue;
		any = true;
		if (name ? strcmp(name, found.name) != 0
			 : found.hybrid && !uncore_core_cpus_have(found.cpus,
								  place->cpu))
			continue;
		*pmu = found;
		ret = 0;
	}
	closedir(dir);
	return ret == -ENODEV && any ? -ENOENT : ret;
}
