// SPDX-License-Identifier: GPL-2.0-only
#include "trace.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

void *trace_shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static bool stopped_by(pid_t child, int signal)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == signal;
}

static bool single_step(pid_t child)
{
	return !ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) &&
	       stopped_by(child, SIGTRAP);
}

static uint64_t instruction_pointer(pid_t child)
{
	struct user_regs_struct registers = { 0 };

	ptrace(PTRACE_GETREGS, child, NULL, &registers);
	return registers.rip;
}

static uint64_t stack_pointer(pid_t child)
{
	struct user_regs_struct registers = { 0 };

	ptrace(PTRACE_GETREGS, child, NULL, &registers);
	return registers.rsp;
}

static void run_child(trace_function function, void *argument,
		      volatile uint64_t *result)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);
	raise(SIGSTOP);
	*result = function(argument);
	raise(SIGSTOP);
	_exit(0);
}

int trace_start(struct trace *trace, trace_function function, void *argument)
{
	trace->result = trace_shared(sizeof(*trace->result));
	if (!trace->result)
		return -ENOMEM;

	trace->child = fork();
	if (trace->child < 0)
		return -errno;
	if (!trace->child)
		run_child(function, argument, trace->result);
	if (!stopped_by(trace->child, SIGSTOP))
		return -EPERM;

	do {
		if (!single_step(trace->child))
			return -EIO;
	} while (instruction_pointer(trace->child) != (uintptr_t)function);

	trace->stack = stack_pointer(trace->child);
	trace->return_address = (uint64_t)ptrace(PTRACE_PEEKDATA, trace->child,
						 trace->stack, NULL);
	return 0;
}

bool trace_step(struct trace *trace)
{
	return single_step(trace->child) &&
	       (instruction_pointer(trace->child) != trace->return_address ||
		stack_pointer(trace->child) <= trace->stack);
}

int trace_finish(struct trace *trace, uint64_t *result)
{
	int status, ret = 0;

	if (ptrace(PTRACE_CONT, trace->child, NULL, NULL) ||
	    !stopped_by(trace->child, SIGSTOP))
		ret = -EIO;
	*result = *trace->result;
	kill(trace->child, SIGKILL);
	waitpid(trace->child, &status, 0);
	munmap((void *)(uintptr_t)trace->result, sizeof(*trace->result));
	return ret;
}

long trace_count(trace_function function, void *argument)
{
	struct trace trace;
	uint64_t result;
	long count = 0;
	int ret;

	ret = trace_start(&trace, function, argument);
	if (ret)
		return ret;
	/* The last step is the return. */
	while (trace_step(&trace))
		count++;
	ret = trace_finish(&trace, &result);
	return ret ? ret : count;
}
