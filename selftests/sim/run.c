// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model.h"
#include "prepare.h"
#include "protocol.h"

#define PASS_NS		1000000
/* Commands often come in a row: the next one is answered sooner. */
#define PASS_SOON_NS	50000
#define SOON_PASSES	200
/* Every so many passes: functions without counters, and whether to go on. */
#define PASSES_RARE	16

static volatile sig_atomic_t stop;

static void on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/*
 * Whoever started this process is gone: its pipe to our input is closed, or we
 * have another parent. An input that is no pipe, such as /dev/null, says
 * nothing.
 */
static bool abandoned(pid_t parent, bool pipe_input)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char byte;

	if (getppid() != parent)
		return true;
	if (!pipe_input || poll(&input, 1, 0) <= 0)
		return false;
	if (input.revents & (POLLERR | POLLNVAL))
		return true;
	return read(STDIN_FILENO, &byte, 1) == 0;
}

static void play(struct model *model, struct sim_page *page)
{
	const pid_t parent = getppid();
	unsigned int passes = 0, soon = 0;
	uint64_t last = now_ns();
	struct stat st;
	bool pipe_input;

	pipe_input = !fstat(STDIN_FILENO, &st) &&
		     (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));

	while (!stop) {
		uint32_t posted = __atomic_load_n(&page->posted,
						  __ATOMIC_ACQUIRE);
		bool command = posted != page->done;
		bool rare = !(passes++ % PASSES_RARE);
		struct timespec pause = { .tv_nsec = PASS_NS };
		uint64_t now = now_ns();

		model_pass(model, now - last, rare || command);
		last = now;
		if (command) {
			model_command(model, page);
			__atomic_store_n(&page->done, posted,
					 __ATOMIC_RELEASE);
			soon = SOON_PASSES;
		}
		if (rare && abandoned(parent, pipe_input))
			break;
		if (soon) {
			soon--;
			pause.tv_nsec = PASS_SOON_NS;
		}
		nanosleep(&pause, NULL);
	}
}

static int map_memory(struct model *model, const struct machine *machine,
		      const char *dir, struct report *report)
{
	unsigned int i;
	char name[16];

	for (i = 0; i < machine->nodes; i++) {
		memory_name(name, i);
		model->memory[i] = map_file(dir, name, machine->memory[i],
					    report);
		if (!model->memory[i])
			return -1;
	}
	return 0;
}

static int load_machine(const char *dir, struct machine *machine,
			struct report *report)
{
	struct listing listing;
	char path[PATH_MAX];
	int ret;

	if (path_in(path, dir, "listing", report) ||
	    listing_read(path, &listing, report))
		return -1;
	ret = machine_build(&listing, machine, report);
	listing_free(&listing);
	return ret;
}

int run(const char *dir, struct report *report)
{
	static struct model model;
	static const struct sched_param no_priority;
	struct machine machine;
	struct sim_page *page;
	int lock;

	if (load_machine(dir, &machine, report))
		return -1;
	lock = lock_directory(dir, report);
	if (lock < 0)
		goto err_machine;
	page = map_file(dir, "control", SIM_PAGE_SIZE, report);
	if (!page || map_memory(&model, &machine, dir, report))
		goto err_lock;

	catch_signals();
	/*
	 * The processors of the guest are busy threads of this host, which may
	 * take turns seldom; this process must not.
	 */
	sched_setscheduler(0, SCHED_OTHER, &no_priority);
	if (setpriority(PRIO_PROCESS, 0, -10) && errno != EACCES &&
	    errno != EPERM)
		perror("uncore-sim: setpriority");
	model_init(&model, &machine);
	printf("ready\n");
	fflush(stdout);
	play(&model, page);

	/* The process ends here: the mappings go with it. */
	model_free(&model);
	close(lock);
	return 0;

err_lock:
	close(lock);
err_machine:
	machine_free(&machine);
	return -1;
}
