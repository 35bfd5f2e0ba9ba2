/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* "stat --marked": what a program counts in its own regions. */
#ifndef UNCORECTL_MARKED_H
#define UNCORECTL_MARKED_H

#include "stat.h"

/**
 * struct marked - what the processes of COMMAND say
 * @uncore: the node, or NULL without events of the uncore
 * @fd: a file in memory, which COMMAND inherits
 * @several: groups are counted, and each row is of one of them
 * @processes: those that have said something
 * @count: how many
 */
struct marked {
	struct uncore *uncore;
	int fd;
	bool several;
	struct process *processes;
	size_t count;
};

/* Does every event belong to the core, so that no node is needed? */
bool marked_core_only(const struct options *options);
/*
 * When the uncore's events are claimed: checks that regions can count all of the
 * lists, and puts into the environment what COMMAND needs. An exit code.
 */
int marked_open(struct marked *marked, struct uncore *uncore,
		const struct options *options);
void marked_close(struct marked *marked);

/* When COMMAND has ended: reads what was said, complains; false if a part is lost. */
bool marked_collect(struct marked *marked, const char *command);
/* False: it could not be written. */
bool marked_print(FILE *out, enum stat_format format,
		  const struct marked *marked);

#endif /* UNCORECTL_MARKED_H */
