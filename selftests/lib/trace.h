/* SPDX-License-Identifier: GPL-2.0-only */
/* A function that runs in a child, one instruction at a time. */
#ifndef LIB_TRACE_H
#define LIB_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint64_t (*trace_function)(void *argument);

/* @result: shared with the child; valid after trace_finish(). */
struct trace {
	pid_t child;
	uint64_t return_address;
	uint64_t stack;
	volatile uint64_t *result;
};

/* Stops the child before the first instruction of the function. */
int trace_start(struct trace *trace, trace_function function, void *argument);
/* Runs one instruction; false once the function has returned. */
bool trace_step(struct trace *trace);
/* Lets it run to its end. */
int trace_finish(struct trace *trace, uint64_t *result);
/* Instructions of the function without its return; negative on error. */
long trace_count(trace_function function, void *argument);
/* Zeroed memory that a child shares. */
void *trace_shared(size_t size);

#endif /* LIB_TRACE_H */
