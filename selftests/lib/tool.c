// SPDX-License-Identifier: GPL-2.0-only
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

static void run_child(const int *in, const int *out, uid_t user,
		      const char *command)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	dup2(out[1], STDERR_FILENO);
	if (!user || !become(user))
		execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(126);
}

int tool_start(struct tool *tool, uid_t user, const char *command)
{
	int in[2], out[2];

	memset(tool, 0, sizeof(*tool));
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -errno;
	tool->pid = fork();
	if (tool->pid < 0)
		return -errno;
	if (!tool->pid)
		run_child(in, out, user, command);
	close(in[0]);
	close(out[1]);
	tool->in = in[1];
	tool->out = out[0];
	return 0;
}

/* False at the end, or if nothing comes in time. */
static bool read_more(struct tool *tool)
{
	struct pollfd fd = { .fd = tool->out, .events = POLLIN };
	ssize_t got;

	if (tool->length == sizeof(tool->text) - 1 ||
	    poll(&fd, 1, PATIENCE_MS) != 1)
		return false;
	got = read(tool->out, tool->text + tool->length,
		   sizeof(tool->text) - 1 - tool->length);
	if (got <= 0)
		return false;
	tool->length += (size_t)got;
	tool->text[tool->length] = '\0';
	return true;
}

bool tool_expect(struct tool *tool, const char *part)
{
	const char *found;

	while (!(found = strstr(tool->text + tool->seen, part)))
		if (!read_more(tool)) {
			fprintf(stderr, "# not said: %s; but: %s\n", part,
				tool->text);
			return false;
		}
	tool->seen = (size_t)(found - tool->text) + strlen(part);
	return true;
}

void tool_say(struct tool *tool, const char *line)
{
	dprintf(tool->in, "%s\n", line);
}

int tool_wait(struct tool *tool)
{
	int status;

	close(tool->in);
	while (read_more(tool))
		;
	close(tool->out);
	if (waitpid(tool->pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 128 + WTERMSIG(status);
}

int tool_end(struct tool *tool, int signal)
{
	kill(tool->pid, signal);
	return tool_wait(tool);
}

int tool_run(struct tool *tool, uid_t user, const char *command)
{
	int ret = tool_start(tool, user, command);

	return ret ? ret : tool_wait(tool);
}

json_t *json_find(json_t *array, const char *key, const char *value)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element)
		if (!strcmp(json_text(element, key), value))
			return element;
	return NULL;
}

json_t *json_region(json_t *json, const char *region, const char *event,
		    const char *where, int number)
{
	bool thread = !strcmp(where, "thread");
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(json, "regions"), i, row)
		if (!strcmp(json_text(row, "region"), region) &&
		    !strcmp(json_text(row, "event"), event) &&
		    json_is_null(json_object_get(row, "socket")) == thread &&
		    json_int(row, where) == number)
			return row;
	return NULL;
}

const char *json_text(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "(null)";
}

json_int_t json_int(json_t *object, const char *key)
{
	json_t *number = json_object_get(object, key);

	return json_is_integer(number) ? json_integer_value(number) : -1;
}
