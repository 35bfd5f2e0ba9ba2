// SPDX-License-Identifier: GPL-2.0-only
/* Runs one job: a program as a user, its output relayed to the host. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "guest.h"

#define MAX_DAEMONS	64
#define PF_KTHREAD	0x00200000u	/* the kernel's linux/sched.h */

struct run {
	pid_t pid;
	int out[2], err[2];	/* pipes; [0] is -1 once it is at its end */
	int children;		/* a signalfd that tells of SIGCHLD */
	bool ended;
	int status;
};

static pid_t daemons[MAX_DAEMONS];
static unsigned int num_daemons;

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/*
 * By its flags: a process that is just exiting has no memory any more, but may
 * still have files open.
 */
static bool is_kernel_thread(const char *pid)
{
	char path[64], text[512] = "", *name_end;
	unsigned int flags = PF_KTHREAD;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.16s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return true;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	name_end = strrchr(text, ')');
	if (name_end)
		sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %u", &flags);
	return flags & PF_KTHREAD;
}

static bool is_daemon(pid_t pid)
{
	unsigned int i;

	for (i = 0; i < num_daemons; i++)
		if (daemons[i] == pid)
			return true;
	return false;
}

/* Calls @visit for every process but this one and the kernel's. */
static unsigned int for_each_process(void (*visit)(pid_t pid))
{
	struct dirent *entry;
	unsigned int count = 0;
	DIR *dir = opendir("/proc");
	pid_t pid;

	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		pid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (pid == 1 || is_daemon(pid) ||
		    is_kernel_thread(entry->d_name))
			continue;
		visit(pid);
		count++;
	}
	closedir(dir);
	return count;
}

static void adopt(pid_t pid)
{
	if (num_daemons < MAX_DAEMONS)
		daemons[num_daemons++] = pid;
}

void job_adopt_daemons(void)
{
	for_each_process(adopt);
}

static void kill_one(pid_t pid)
{
	kill(pid, SIGKILL);
}

static void reap(struct run *run)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == run->pid) {
			run->ended = true;
			run->status = status;
		}
	}
}

static void job_child(const struct config *config, const struct job *job,
		      const struct run *run)
{
	static const struct rlimit no_core = { 0, RLIM_INFINITY };
	const struct user *user = job->user;
	gid_t group = user->group;
	sigset_t none;
	unsigned int i;
	int null = open("/dev/null", O_RDONLY);

	dup2(null, 0);
	dup2(run->out[1], 1);
	dup2(run->err[1], 2);
	if (null > 2)
		close(null);
	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);

	clearenv();
	setenv("PATH", "/usr/bin:/bin:/usr/sbin:/sbin:/selftests", 1);
	setenv("HOME", user->home, 1);
	setenv("USER", user->name, 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("UNCORE_VM", "1", 1);
	/* Without, libpfm4 reads all tracepoints first, for half a second. */
	setenv("LIBPFM_DISABLED_PMUS", "perf", 1);
	for (i = 0; i < config->num_env; i++)
		putenv(config->env[i]);

	if (setgroups(group ? 1 : 0, &group) || setgid(user->gid) ||
	    setuid(user->uid) || chdir("/tmp"))
		perror("init");
	else
		execvp(job->argv[0], job->argv);
	fprintf(stderr, "%s: %s\n", job->argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Relays what is in the pipe, and not for ever; waits for nothing. */
static void relay(int *fd, enum frame_type type)
{
	static char buffer[FRAME_MAX];
	unsigned int reads;
	ssize_t n;

	/* The largest pipe there may be has a megabyte. */
	for (reads = 0; *fd >= 0 && reads < 32; reads++) {
		n = read(*fd, buffer, sizeof(buffer));
		if (n > 0) {
			port_send(type, buffer, (size_t)n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		close(*fd);
		*fd = -1;
	}
}

static void wait_a_little(struct run *run, int64_t ms)
{
	struct signalfd_siginfo info[8];
	struct pollfd fds[] = {
		{ .fd = run->out[0], .events = POLLIN },
		{ .fd = run->err[0], .events = POLLIN },
		{ .fd = run->children, .events = POLLIN },
	};

	poll(fds, 3, ms > 60000 ? 60000 : (int)ms);
	while (read(run->children, info, sizeof(info)) > 0)
		;
	reap(run);
	relay(&run->out[0], FRAME_STDOUT);
	relay(&run->err[0], FRAME_STDERR);
}

static void run_start(struct run *run)
{
	sigset_t child;

	memset(run, 0, sizeof(*run));
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	run->children = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
	if (run->children < 0 || pipe2(run->out, O_CLOEXEC) ||
	    pipe2(run->err, O_CLOEXEC))
		broken("pipe: %s", strerror(errno));
	/* Only our ends: the job's own must block as usual. */
	fcntl(run->out[0], F_SETFL, O_NONBLOCK);
	fcntl(run->err[0], F_SETFL, O_NONBLOCK);
}

/* Nothing that a job leaves behind may disturb the next one. */
static void run_clean_up(struct run *run)
{
	int64_t deadline = now_ms() + 10000;

	while (for_each_process(kill_one) && now_ms() < deadline)
		wait_a_little(run, 10);
	while (!run->ended && now_ms() < deadline)
		wait_a_little(run, 10);
	wait_a_little(run, 0);
	if (run->out[0] >= 0)
		close(run->out[0]);
	if (run->err[0] >= 0)
		close(run->err[0]);
	close(run->children);
	if (!run->ended)
		broken("a process does not end when killed");
}

void job_run(const struct config *config, unsigned int number)
{
	const struct job *job = &config->jobs[number];
	struct frame_begin begin = { .job = number, .timeout = job->timeout };
	struct frame_end end = { .job = number };
	int64_t deadline, left;
	struct run run;

	klog_send();
	port_send(FRAME_BEGIN, &begin, sizeof(begin));
	run_start(&run);
	run.pid = fork();
	if (run.pid == 0)
		job_child(config, job, &run);
	close(run.out[1]);
	close(run.err[1]);
	if (run.pid < 0)
		broken("fork: %s", strerror(errno));

	deadline = now_ms() + job->timeout * 1000ll;
	while (!run.ended && !end.timed_out) {
		left = deadline - now_ms();
		if (left > 0)
			wait_a_little(&run, left);
		else
			end.timed_out = 1;
	}
	run_clean_up(&run);
	end.status = (uint32_t)run.status;
	klog_send();
	port_send(FRAME_END, &end, sizeof(end));
}
