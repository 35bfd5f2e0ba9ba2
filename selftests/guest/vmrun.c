// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host side of the simulated machine: runs QEMU, reads what the guest's init
 * reports, and makes of it the output and the exit status of the job.
 *
 *	vmrun --log FILE --boot-timeout S --timeout S [--jobs DIR] -- QEMU ARG...
 *
 * QEMU gets "-chardev socket,id=port,fd=3" for the guest's port; what it says
 * itself is shown only if it fails. With --jobs
 * there may be several jobs: DIR gets N.out (what the job wrote), N.log (the
 * kernel's messages), N.status ("exit N", "signal N" or "timeout") for each,
 * and boot.log and end.log for the messages before and after.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "frames.h"

#define EXIT_BROKEN	125	/* it was the machine, not the job */
#define PORT_FD		3
#define GRACE_S		20	/* for the guest to end a job itself */

struct vm {
	const char *log, *jobs;
	long boot_timeout, timeout;
	pid_t qemu;
	int port, signals;
	int64_t deadline;
	bool up, running, done;
	uint32_t job;
	int exit_status;
	FILE *out, *klog;	/* files of the running job, with --jobs */
};

static struct vm vm;

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* Nobody may be reading; a message is not worth waiting for ever. */
static bool stderr_blocks(void)
{
	struct pollfd fd = { .fd = 2, .events = POLLOUT };

	return poll(&fd, 1, 1000) == 0;
}

static void message(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static void message(const char *format, ...)
{
	va_list args;

	if (stderr_blocks())
		return;
	fputs("vm: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* QEMU's own messages: mostly about what its CPU models lack. */
static FILE *qemu_log;

static void qemu_log_show(void)
{
	char line[512];

	rewind(qemu_log);
	while (!stderr_blocks() && fgets(line, sizeof(line), qemu_log))
		fputs(line, stderr);
}

/* It is about to end; not for ever. Returns its wait status. */
static int qemu_wait(int64_t ms)
{
	int64_t deadline = now_ms() + ms;
	int status = 0;

	while (vm.qemu > 0 && waitpid(vm.qemu, &status, WNOHANG) == 0) {
		if (now_ms() > deadline)
			kill(vm.qemu, SIGKILL);
		poll(NULL, 0, 10);
	}
	vm.qemu = 0;
	return status;
}

static void qemu_end(int signal_number)
{
	if (vm.qemu > 0)
		kill(vm.qemu, signal_number);
	qemu_wait(3000);
}

static void quit(int status)
{
	qemu_end(SIGTERM);
	exit(status);
}

/* Why the guest ended, in the words of its kernel. */
static const char *panic_line(void)
{
	static char line[512];
	FILE *file = fopen(vm.log, "re");
	bool found = false;

	if (!file)
		return NULL;
	while (!found && fgets(line, sizeof(line), file))
		found = strstr(line, "Kernel panic") != NULL;
	fclose(file);
	line[strcspn(line, "\r\n")] = '\0';
	return found ? line : NULL;
}

static void qemu_failed(int status)
{
	qemu_log_show();
	if (WIFSIGNALED(status))
		message("QEMU died of signal %d", WTERMSIG(status));
	else
		message("QEMU ended with status %d", WEXITSTATUS(status));
}

static void guest_is_gone(void)
{
	int status = qemu_wait(20000);
	const char *panic = panic_line();

	if (panic)
		message("the guest's kernel panicked: %s", panic);
	else if (status)
		qemu_failed(status);
	else if (!vm.up)
		message("the guest powered off before it was up");
	else if (vm.running)
		message("the guest powered off before the command had ended");
	else
		message("the guest powered off before it had reported its end");
	exit(EXIT_BROKEN);
}

static void deadline_passed(void)
{
	if (vm.up)
		message("the guest has said nothing for %ld s: it hangs",
			vm.timeout);
	else
		message("the guest was not up after %ld s", vm.boot_timeout);
	quit(EXIT_BROKEN);
}

static void handle_signal(void)
{
	struct signalfd_siginfo info;

	if (read(vm.signals, &info, sizeof(info)) == sizeof(info))
		quit(128 + (int)info.ssi_signo);
}

/*
 * Until fd takes PIPE_BUF bytes without blocking: who does not read the output
 * must not keep us from ending. O_NONBLOCK would be for others' fd, too.
 */
static void wait_writable(int fd)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLOUT },
		{ .fd = vm.signals, .events = POLLIN },
	};
	int64_t left;

	for (;;) {
		left = vm.deadline - GRACE_S * 1000 - now_ms();
		left = left < 0 ? 0 : left > 1000 ? 1000 : left;
		if (poll(fds, 2, (int)left) > 0) {
			if (fds[1].revents)
				handle_signal();
			if (fds[0].revents)
				return;
		}
		if (left == 0) {
			message("nobody has read the command's output for %ld s",
				vm.timeout - GRACE_S);
			quit(EXIT_BROKEN);
		}
	}
}

/* Where the job's output goes is gone: as if the job itself had written. */
static void write_all(int fd, const char *data, size_t length)
{
	ssize_t n;

	while (length) {
		wait_writable(fd);
		n = write(fd, data, length < PIPE_BUF ? length : PIPE_BUF);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (errno != EPIPE)
				message("cannot write: %s", strerror(errno));
			quit(errno == EPIPE ? 128 + SIGPIPE : EXIT_BROKEN);
		}
		data += n;
		length -= (size_t)n;
		vm.deadline = now_ms() + vm.timeout * 1000;
	}
}

static FILE *job_file(const char *name, const char *mode)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", vm.jobs, name);
	file = fopen(path, mode);
	if (!file) {
		message("%s: %s", path, strerror(errno));
		quit(EXIT_BROKEN);
	}
	return file;
}

static FILE *numbered_file(uint32_t job, const char *suffix)
{
	char name[64];

	snprintf(name, sizeof(name), "%u.%s", job, suffix);
	return job_file(name, "we");
}

/* Half a result is none: without a status it counts as a failure. */
static void results_lost(void)
{
	message("cannot write the results; is the disk full?");
	quit(EXIT_BROKEN);
}

static void job_file_close(FILE *file)
{
	bool bad = ferror(file);

	if (fclose(file) || bad)
		results_lost();
}

static void job_begins(const struct frame_begin *begin)
{
	vm.up = true;
	vm.running = true;
	vm.job = begin->job;
	/* The guest ends the job itself; this is for a guest that hangs. */
	vm.timeout = (long)begin->timeout + GRACE_S;
	if (!vm.jobs)
		return;
	job_file_close(vm.klog);
	vm.klog = numbered_file(begin->job, "log");
	vm.out = numbered_file(begin->job, "out");
}

static void job_ends_in_files(const struct frame_end *end)
{
	int status = (int)end->status;
	FILE *file;

	job_file_close(vm.out);
	vm.out = NULL;
	job_file_close(vm.klog);
	vm.klog = job_file("end.log", "ae");
	file = numbered_file(end->job, "status");
	if (end->timed_out)
		fputs("timeout\n", file);
	else if (WIFSIGNALED(status))
		fprintf(file, "signal %d\n", WTERMSIG(status));
	else
		fprintf(file, "exit %d\n", WEXITSTATUS(status));
	job_file_close(file);
}

static void job_ends(const struct frame_end *end)
{
	int status = (int)end->status;

	vm.running = false;
	if (vm.jobs) {
		job_ends_in_files(end);
	} else if (end->timed_out) {
		message("the command had not ended after %ld s",
			vm.timeout - GRACE_S);
		vm.exit_status = EXIT_BROKEN;
	} else if (WIFSIGNALED(status)) {
		vm.exit_status = 128 + WTERMSIG(status);
	} else {
		vm.exit_status = WEXITSTATUS(status);
	}
}

static void output(uint32_t type, const char *data, size_t length)
{
	if (vm.out)
		fwrite(data, 1, length, vm.out);	/* see job_file_close() */
	else if (!vm.jobs)
		write_all(type == FRAME_STDOUT ? 1 : 2, data, length);
}

static void handle_frame(const struct frame *frame, const char *data)
{
	vm.deadline = now_ms() + vm.timeout * 1000;
	switch (frame->type) {
	case FRAME_BEGIN:
		job_begins((const struct frame_begin *)(const void *)data);
		vm.deadline = now_ms() + vm.timeout * 1000;
		break;
	case FRAME_STDOUT:
	case FRAME_STDERR:
		output(frame->type, data, frame->length);
		break;
	case FRAME_LOG:
		if (vm.klog &&
		    (fwrite(data, 1, frame->length, vm.klog) != frame->length ||
		     fflush(vm.klog)))
			results_lost();
		break;
	case FRAME_END:
		job_ends((const struct frame_end *)(const void *)data);
		break;
	case FRAME_BROKEN:
		message("%.*s", (int)frame->length, data);
		quit(EXIT_BROKEN);
		break;
	case FRAME_DONE:
		if (!vm.up) {
			message("the guest was given nothing to run");
			quit(EXIT_BROKEN);
		}
		vm.done = !vm.running;
		break;
	}
}

/* Reads what is there and handles all frames that are complete. */
static void port_read(void)
{
	static union {
		char bytes[2 * (FRAME_MAX + sizeof(struct frame))];
		uint64_t align;
	} buffer;
	static size_t have;
	struct frame frame;
	size_t pos = 0;
	ssize_t n;

	n = read(vm.port, buffer.bytes + have, sizeof(buffer.bytes) - have);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0)
		guest_is_gone();
	have += (size_t)n;
	while (!vm.done && have - pos >= sizeof(frame)) {
		memcpy(&frame, buffer.bytes + pos, sizeof(frame));
		if (frame.length > FRAME_MAX) {
			message("the guest's report is garbled");
			quit(EXIT_BROKEN);
		}
		if (have - pos - sizeof(frame) < frame.length)
			break;
		/* The payload of small frames is copied to be aligned. */
		if (frame.length <= sizeof(struct frame_end)) {
			uint32_t copy[sizeof(struct frame_end) / 4] = { 0 };

			memcpy(copy, buffer.bytes + pos + sizeof(frame),
			       frame.length);
			handle_frame(&frame, (const char *)copy);
		} else {
			handle_frame(&frame,
				     buffer.bytes + pos + sizeof(frame));
		}
		pos += sizeof(frame) + frame.length;
	}
	have -= pos;
	memmove(buffer.bytes, buffer.bytes + pos, have);
}

static void watch(void)
{
	struct pollfd fds[] = {
		{ .fd = vm.port, .events = POLLIN },
		{ .fd = vm.signals, .events = POLLIN },
	};
	int64_t left;

	vm.deadline = now_ms() + vm.boot_timeout * 1000;
	while (!vm.done) {
		left = vm.deadline - now_ms();
		if (left <= 0)
			deadline_passed();
		poll(fds, 2, left > 1000 ? 1000 : (int)left);
		if (fds[1].revents)
			handle_signal();
		if (fds[0].revents)
			port_read();
	}
}

static void qemu_start(char **argv)
{
	pid_t parent = getpid();
	sigset_t none;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		message("socketpair: %s", strerror(errno));
		exit(EXIT_BROKEN);
	}
	qemu_log = tmpfile();
	if (!qemu_log) {
		message("temporary file: %s", strerror(errno));
		exit(EXIT_BROKEN);
	}
	vm.qemu = fork();
	if (vm.qemu == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		/* Ctrl-C is for us alone: QEMU must not end before we do. */
		setsid();
		if (pair[1] != PORT_FD)
			dup2(pair[1], PORT_FD);
		else
			fcntl(PORT_FD, F_SETFD, 0);
		dup2(fileno(qemu_log), 1);
		dup2(fileno(qemu_log), 2);
		execvp(argv[0], argv);
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(pair[1]);
	vm.port = pair[0];
	if (vm.qemu < 0) {
		message("fork: %s", strerror(errno));
		exit(EXIT_BROKEN);
	}
}

static void usage(void)
{
	fputs("Usage: vmrun --log FILE --boot-timeout S --timeout S [--jobs DIR] -- QEMU ARG...\n",
	      stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "log", required_argument, NULL, 'l' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "boot-timeout", required_argument, NULL, 'b' },
		{ "timeout", required_argument, NULL, 't' },
		{ 0 }
	};
	sigset_t set;
	int c;

	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (c) {
		case 'l': vm.log = optarg; break;
		case 'j': vm.jobs = optarg; break;
		case 'b': vm.boot_timeout = strtol(optarg, NULL, 10); break;
		case 't': vm.timeout = strtol(optarg, NULL, 10); break;
		default: usage();
		}
	}
	if (optind >= argc || !vm.log || vm.boot_timeout <= 0 ||
	    vm.timeout <= 0)
		usage();

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	vm.signals = signalfd(-1, &set, SFD_CLOEXEC);
	signal(SIGPIPE, SIG_IGN);
	/* The script that started us may die without a word. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);

	if (vm.jobs)
		vm.klog = job_file("boot.log", "we");
	qemu_start(argv + optind);
	watch();
	qemu_end(SIGTERM);
	return vm.exit_status;
}
