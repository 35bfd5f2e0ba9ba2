// SPDX-License-Identifier: GPL-2.0-only
/* Instructions that may fault, and what came of them. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

#define PROBE_VARIABLE	"UNCORE_PROBE_RDPMC"

static __thread sigjmp_buf landing;
static __thread volatile sig_atomic_t armed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void trap_handler(int sig)
{
	if (armed) {
		armed = 0;
		siglongjmp(landing, sig);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

/* No signal mask to restore: a probe that does not trap makes no system call. */
static void trap_install(void)
{
	struct sigaction action = {
		.sa_handler = trap_handler,
		.sa_flags = SA_NODEFER,
	};

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

static int trap_run(void (*fn)(void *arg), void *arg)
{
	int sig;

	pthread_once(&once, trap_install);
	sig = sigsetjmp(landing, 0);
	if (sig)
		return sig;
	armed = 1;
	fn(arg);
	armed = 0;
	return 0;
}

static void do_rdpmc(void *arg)
{
	unsigned int low, high;

	(void)arg;
	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(0));
}

static void do_load(void *arg)
{
	(void)*(volatile uint32_t *)arg;
}

static void do_store(void *arg)
{
	*(volatile uint32_t *)arg = 0x5a5a5a5a;
}

int trap_rdpmc(void)
{
	return trap_run(do_rdpmc, NULL);
}

int trap_load(const void *addr)
{
	return trap_run(do_load, (void *)addr);
}

int trap_store(void *addr)
{
	return trap_run(do_store, addr);
}

int rdpmc_granted(void)
{
	return access("/sys/bus/event_source/devices/cpu", F_OK) &&
	       access("/sys/bus/event_source/devices/cpu_core", F_OK) ?
		       SIGILL : 0;
}

int rdpmc_await(int expected)
{
	int end = now_ms() + PATIENCE_MS;
	int sig;

	do {
		sig = trap_rdpmc();
		if (sig == expected)
			return sig;
		sched_yield();
	} while (now_ms() < end);
	return sig;
}

int rdpmc_exec(void)
{
	setenv(PROBE_VARIABLE, "1", 1);
	execl("/proc/self/exe", "probe", (char *)NULL);
	return -1;
}

/* Before the harness: the same program, started again by rdpmc_exec(). */
static void __attribute__((constructor)) probe_start(void)
{
	if (getenv(PROBE_VARIABLE))
		_exit(trap_rdpmc());
}
