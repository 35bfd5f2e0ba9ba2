// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The names that the kernel's perf PMU of a unit has for events: files "NAME" in
 * its folder "events" with the fields, "NAME.scale" and "NAME.unit" with what
 * one count is.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "events.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* Longer text than UNCORE_SPEC_LEN is no event that could be understood. */
static bool read_file(int dir, const char *name, char *text, size_t size)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t length;

	if (fd < 0)
		return false;
	length = read(fd, text, size - 1);
	close(fd);
	if (length <= 0 || (size_t)length == size - 1)
		return false;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

/* uncore_imc_3, or uncore_r2pcie where there is only one; or a folder of it. */
static DIR *open_pmu(const struct uncore_place *place, const char *folder)
{
	const struct uncore_pmu_unit *info = place->info;
	char path[512];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/uncore_%.*s_%u%s", place->devices,
		 UNCORE_PMU_TYPE_LEN, info->type, info->instance, folder);
	dir = opendir(path);
	if (dir)
		return dir;
	snprintf(path, sizeof(path), "%s/uncore_%.*s%s", place->devices,
		 UNCORE_PMU_TYPE_LEN, info->type, folder);
	return opendir(path);
}

static DIR *open_events(const struct uncore_place *place)
{
	return open_pmu(place, "/events");
}

bool uncore_alias_source(const struct uncore_place *place)
{
	DIR *dir = open_pmu(place, "");

	return dir && !closedir(dir);
}

/* What is shown to people, who may sit at a terminal. */
static bool is_visible(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/* The kernel says MiB where we say bytes. */
static void set_unit(struct uncore_event *event, double scale, const char *unit)
{
	static const struct {
		const char *name;
		double bytes;
	} names[] = {
		{ "Bytes", 1 }, { "B", 1 }, { "KiB", 1 << 10 },
		{ "MiB", 1 << 20 }, { "GiB", 1 << 30 },
	};
	size_t i;

	if (strlen(unit) >= sizeof(event->unit) || !is_visible(unit))
		return;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!uncore_same_text(unit, strlen(unit), names[i].name))
			continue;
		scale *= names[i].bytes;
		unit = "bytes";
	}
	event->scale = scale;
	memcpy(event->unit, unit, strlen(unit) + 1);
}

static void read_scale(int dir, const char *name, struct uncore_event *event)
{
	char file[UNCORE_EVENT_NAME_LEN + 8], scale_text[64];
	char unit[UNCORE_SPEC_LEN];
	double scale;

	snprintf(file, sizeof(file), "%s.scale", name);
	if (!read_file(dir, file, scale_text, sizeof(scale_text)) ||
	    !uncore_parse_decimal(scale_text, &scale))
		return;
	snprintf(file, sizeof(file), "%s.unit", name);
	if (read_file(dir, file, unit, sizeof(unit)))
		set_unit(event, scale, unit);
}

/* Without what one count stands for. */
static int read_alias(const struct uncore_place *place, int dir,
		      const char *name, struct uncore_event *event,
		      struct uncore_event_error *error)
{
	char text[UNCORE_SPEC_LEN];
	int ret;

	if (!read_file(dir, name, text, sizeof(text))) {
		uncore_say(error, "%s: the kernel's description cannot be read",
			   name);
		return -EOPNOTSUPP;
	}
	ret = uncore_raw_parse(place, text, event, error);
	if (ret) {
		/* It is not the caller who wrote that. */
		return ret == -EINVAL ? -EOPNOTSUPP : ret;
	}
	event->source = UNCORE_EVENT_ALIAS;
	snprintf(event->name, sizeof(event->name), "%s", name);
	return 0;
}

static bool is_alias(const char *name)
{
	return !strchr(name, '.') && strlen(name) < UNCORE_EVENT_NAME_LEN &&
	       is_visible(name);
}

int uncore_alias_parse(const struct uncore_place *place, const char *text,
		       struct uncore_event *event,
		       struct uncore_event_error *error)
{
	DIR *dir = open_events(place);
	struct dirent *entry;
	int ret = -ENOENT;

	if (!dir)
		return -ENOENT;
	while (ret == -ENOENT && (entry = readdir(dir)))
		if (is_alias(entry->d_name) &&
		    uncore_same_text(text, strlen(text), entry->d_name))
			ret = read_alias(place, dirfd(dir), entry->d_name,
					 event, error);
	if (!ret)
		read_scale(dirfd(dir), event->name, event);
	closedir(dir);
	return ret;
}

int uncore_alias_list(const struct uncore_place *place,
		      const struct uncore_event *same, uncore_event_fn each,
		      void *data)
{
	struct uncore_event_error unwanted;
	struct uncore_event event;
	DIR *dir = open_events(place);
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return 0;
	while (!ret && (entry = readdir(dir))) {
		if (!is_alias(entry->d_name) ||
		    read_alias(place, dirfd(dir), entry->d_name, &event,
			       &unwanted))
			continue;
		if (same && (event.kind != same->kind ||
			     event.config != same->config))
			continue;
		read_scale(dirfd(dir), event.name, &event);
		ret = each(&event, "", data);
	}
	closedir(dir);
	return ret;
}
