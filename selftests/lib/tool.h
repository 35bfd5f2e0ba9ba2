/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs that run beside a test, uncorectl above all. */
#ifndef LIB_TOOL_H
#define LIB_TOOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define TOOL_TEXT	65536

/**
 * struct tool - a program that was started
 * @pid: its process
 * @out: what it writes to standard output and error, in one
 * @in: its standard input
 * @text: what was read from @out so far
 * @length: of @text
 * @seen: up to where tool_expect() has looked
 */
struct tool {
	pid_t pid;
	int out;
	int in;
	char text[TOOL_TEXT];
	size_t length;
	size_t seen;
};

/* Runs a command of the shell as a user; it dies with the test. */
int tool_start(struct tool *tool, uid_t user, const char *command);
/*
 * Waits until the program has written this behind what was waited for before;
 * false if it ended without, or did not in time.
 */
bool tool_expect(struct tool *tool, const char *part);
/* A line for its standard input; an empty one ends what waits there. */
void tool_say(struct tool *tool, const char *line);
/* Waits for the end: exit status, or 128 + signal, or -errno. */
int tool_wait(struct tool *tool);
/* Sends a signal and waits. */
int tool_end(struct tool *tool, int signal);
/* Starts, and waits for the end. */
int tool_run(struct tool *tool, uid_t user, const char *command);

/* The elements of an object's array in which @key is @value, or NULL. */
json_t *json_find(json_t *array, const char *key, const char *value);
/* In what "stat -m" says: @where is "thread" or "socket". */
json_t *json_region(json_t *json, const char *region, const char *event,
		    const char *where, int number);
const char *json_text(json_t *object, const char *key);
json_int_t json_int(json_t *object, const char *key);

/* In a test whose fixture has the tool: its exit status, and what it said. */
#define RUN(status, user, command) \
	EXPECT_EQ(status, tool_run(self->tool, user, command)) \
		TH_LOG("%s: %s", command, self->tool->text)

#define SAID(part) \
	EXPECT_NE(NULL, strstr(self->tool->text, part)) \
		TH_LOG("not said: %s; but: %s", part, self->tool->text)

#endif /* LIB_TOOL_H */
