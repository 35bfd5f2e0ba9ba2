// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events that are chosen, and results that are wanted, by who starts a program. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "region.h"

/* Of a program with more rights than who starts it, the environment says nothing. */
const char *uncore_wanted_events(void)
{
	return secure_getenv("UNCORE_EVENTS");
}

/* NULL if it is empty, too. */
static const char *get_setting(const char *name)
{
	const char *text = secure_getenv(name);

	return text && text[0] ? text : NULL;
}

/* enum uncore_format, or an error. */
static int wanted_format(void)
{
	static const char *const names[] = {
		[UNCORE_FORMAT_TABLE] = "table",
		[UNCORE_FORMAT_CSV] = "csv",
		[UNCORE_FORMAT_JSON] = "json",
	};
	const char *format = get_setting("UNCORE_FORMAT");
	int i;

	if (!format)
		return UNCORE_FORMAT_TABLE;
	for (i = UNCORE_FORMAT_TABLE; i <= UNCORE_FORMAT_JSON; i++)
		if (uncore_same_text(format, strlen(format), names[i]))
			return i;
	return -EINVAL;
}

/*
 * "/proc/PID/fd/N" is a file in memory of uncorectl. The descriptor N is as good,
 * and may be so when another user's /proc is not; but others may have closed it
 * and opened something else, which is not sealed against shrinking. It is used as
 * it is, as there may be no other left.
 */
static int open_stat(const char *path, bool *inherited)
{
	const char *slash = strrchr(path, '/');
	int fd = slash ? atoi(slash + 1) : -1;
	int seals = fd > STDERR_FILENO ? fcntl(fd, F_GET_SEALS) : -1;

	*inherited = seals > 0 && seals & F_SEAL_SHRINK;
	if (!*inherited)
		fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* One line at a time, so that those of several processes do not mix. */
static int tell(const char *what, const char *text)
{
	const char *path = secure_getenv("UNCORE_STAT");
	char start[64];
	struct iovec part[] = {
		{ .iov_base = start },
		{ .iov_base = (char *)text, .iov_len = strlen(text) },
		{ .iov_base = (char *)"}\n", .iov_len = 2 },
	};
	ssize_t length, written;
	bool inherited;
	int fd, ret = 0;

	if (!path)
		return 0;
	fd = open_stat(path, &inherited);
	if (fd < 0)
		return fd;
	snprintf(start, sizeof(start), "{\"pid\": %d, \"%s\": ", getpid(), what);
	part[0].iov_len = strlen(start);
	length = (ssize_t)(part[0].iov_len + part[1].iov_len + part[2].iov_len);
	do {
		written = writev(fd, part, 3);
	} while (written < 0 && errno == EINTR);
	if (written != length)
		ret = written < 0 ? -errno : -EIO;
	if (!inherited)
		close(fd);
	return ret;
}

int uncore_tell_open(struct uncore_event_error *error)
{
	int ret;

	if (!secure_getenv("UNCORE_STAT") && wanted_format() < 0) {
		uncore_say(error, "UNCORE_FORMAT is %.60s: make it table, csv or "
			   "json", secure_getenv("UNCORE_FORMAT"));
		return -EINVAL;
	}
	ret = tell("open", "true");
	if (ret)
		uncore_say(error, "uncorectl stat -m has ended, or its "
			   "descriptor was closed");
	return ret;
}

void uncore_tell_error(int error, const struct uncore_event_error *details)
{
	const char *message = details->message;
	char quoted[sizeof(details->message) + 2];
	size_t i, length;

	if (!message[0])
		message = uncore_strerror(UNCORE_CALL_CORE, error);
	length = (size_t)snprintf(quoted, sizeof(quoted), "\"%s", message);
	if (length > sizeof(quoted) - 2)
		length = sizeof(quoted) - 2;
	for (i = 1; i < length; i++)
		if ((unsigned char)quoted[i] < ' ' ||
		    (unsigned char)quoted[i] > '~' || quoted[i] == '\\' ||
		    quoted[i] == '"')
			quoted[i] = '\'';
	quoted[length] = '"';
	quoted[length + 1] = '\0';
	tell("error", quoted);
}

void uncore_report_loss(const struct uncore_event_error *details)
{
	if (secure_getenv("UNCORE_STAT"))
		uncore_tell_error(-EIO, details);
	else
		dprintf(STDERR_FILENO, "uncore: %s\n", details->message);
}

/* Where UNCORE_OUTPUT says, or on stderr. */
static int put_out(enum uncore_format format, const char *text)
{
	const char *name = get_setting("UNCORE_OUTPUT");

	return name ? uncore_output_write(name, format, text)
		    : uncore_write_all(STDERR_FILENO, text);
}

static int tell_results(struct uncore_plan *plan, unsigned int group)
{
	char *text;
	int ret;

	ret = uncore_plans_text(&plan, group, 1, UNCORE_FORMAT_JSON, 0, &text);
	if (ret)
		return ret;
	ret = tell("results", text);
	free(text);
	return ret;
}

int uncore_plans_report(struct uncore_plan *const *plans, unsigned int count)
{
	enum uncore_format format;
	int wanted, ret = 0;
	unsigned int i;
	char *text;

	for (i = 0; i < count; i++)
		if (!uncore_plan_is_mine(plans[i]))
			return -ECHILD;
	if (secure_getenv("UNCORE_STAT")) {
		for (i = 0; i < count && !ret; i++)
			ret = tell_results(plans[i], i + 1);
		return ret;
	}
	/* The program may have changed its environment. */
	wanted = wanted_format();
	format = wanted < 0 ? UNCORE_FORMAT_TABLE : (enum uncore_format)wanted;
	ret = uncore_plans_text(plans, 1, count, format, 0, &text);
	if (ret)
		return ret;
	ret = put_out(format, text);
	free(text);
	return ret;
}

int uncore_plan_report(struct uncore_plan *plan)
{
	return plan->num_entries ? uncore_plans_report(&plan, 1) : 0;
}
