// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of the simulated machine: mounts, loads modules, starts
 * udevd, runs the jobs that the host asked for, and reports to the host.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define MODULE	"/lib/modules/uncore_pmu.ko"
#define UDEVD	"/lib/systemd/systemd-udevd"
#define SETTLE_TRIES	5

static const struct mount_point {
	const char *type, *where, *options;
	unsigned long flags;
} mounts[] = {
	{ "proc", "/proc", NULL, MS_NOSUID | MS_NODEV | MS_NOEXEC },
	{ "sysfs", "/sys", NULL, MS_NOSUID | MS_NODEV | MS_NOEXEC },
	{ "devtmpfs", "/dev", "mode=0755", MS_NOSUID },
	{ "devpts", "/dev/pts", "mode=0620,gid=5", MS_NOSUID | MS_NOEXEC },
	{ "tmpfs", "/dev/shm", "mode=1777", MS_NOSUID | MS_NODEV },
	{ "tmpfs", "/run", "mode=0755", MS_NOSUID | MS_NODEV },
	{ "tmpfs", "/tmp", "mode=1777", MS_NOSUID | MS_NODEV },
	{ "debugfs", "/sys/kernel/debug", NULL, MS_NOSUID | MS_NOEXEC },
};

static void prepare_files(void)
{
	size_t i;

	for (i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		const struct mount_point *m = &mounts[i];

		mkdir(m->where, 0755);
		if (mount(m->type, m->where, m->type, m->flags, m->options))
			fprintf(stderr, "init: mount %s: %s\n", m->where,
				strerror(errno));
	}
	chown("/home/member", 1000, 1000);
	chown("/home/outsider", 1001, 1001);
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

static int load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)
		err = -errno;
	close(fd);
	return err;
}

/* Is it the file of this module? */
static bool is_module(const char *path, const char *name)
{
	const char *file = strrchr(path, '/');
	size_t length = strlen(name);

	return file && strncmp(file + 1, name, length) == 0 &&
	       strcmp(file + 1 + length, ".ko") == 0;
}

/* Loads the modules that a file lists, dependencies first, but for one. */
static void load_listed(const char *list, const char *without)
{
	char path[256];
	FILE *file = fopen(list, "re");
	int err;

	if (!file)
		return;
	while (fgets(path, sizeof(path), file)) {
		path[strcspn(path, "\n")] = '\0';
		if (without && is_module(path, without))
			continue;
		err = load_module(path);
		/* intel-uncore knows nothing of some processor models. */
		if (err && err != -ENODEV)
			fprintf(stderr, "init: %s: %s\n", path, strerror(-err));
	}
	fclose(file);
}

int run_helper(const char *const argv[])
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static void start_udevd(void)
{
	static const char *const udevd[] = { UDEVD, "--daemon", NULL };

	if (run_helper(udevd))
		broken("udevd does not start");
}

/* On a busy host a young udevd may hang up on who asks. */
static void settle(void)
{
	static const char *const settle[] = {
		"/bin/udevadm", "settle", "--timeout=20", NULL
	};
	int i;

	for (i = 0; i < SETTLE_TRIES; i++) {
		if (!run_helper(settle))
			return;
	}
	broken("udev does not settle");
}

static void run_jobs(const struct config *config)
{
	unsigned int i;
	int err;

	for (i = 0; i < config->num_jobs; i++) {
		if (config->jobs[i].load_module) {
			err = load_module(MODULE);
			if (err)
				broken("loading uncore_pmu.ko: %s",
				       strerror(-err));
			settle();
		}
		job_run(config, i);
	}
}

static void power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

void broken(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	klog_send();
	port_send(FRAME_BROKEN, text, strlen(text));
	/* The host ends the machine when it has read the frame. */
	sleep(10);
	power_off();
	abort();
}

int main(void)
{
	struct config config;

	signal(SIGPIPE, SIG_IGN);
	umask(022);
	prepare_files();
	load_listed("/etc/modules.boot", NULL);
	port_open();
	klog_open();
	config_read(&config);

	start_udevd();
	load_listed("/etc/modules.late", config.without);
	settle();
	job_adopt_daemons();

	run_jobs(&config);
	klog_send();
	port_send(FRAME_DONE, NULL, 0);
	sleep(10);
	power_off();
}
