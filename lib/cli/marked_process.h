/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A process that measures its regions. */
#ifndef UNCORECTL_MARKED_PROCESS_H
#define UNCORECTL_MARKED_PROCESS_H

#include "marked.h"

/**
 * struct process - what it has said
 * @opened: how many lists of events it counts
 * @reported: of how many it has given the results
 * @errors: why it counts nothing, or not everything
 * @rows: the counts, as uncore_plan_text() has them
 */
struct process {
	json_int_t pid;
	unsigned int opened;
	unsigned int reported;
	json_t *errors;
	json_t *rows;
};

/* Says what it lacks. */
bool process_is_complete(const struct process *process);
void process_free(struct process *process);

#endif /* UNCORECTL_MARKED_PROCESS_H */
