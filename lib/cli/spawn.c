// SPDX-License-Identifier: LGPL-2.1-or-later
/* The COMMAND of "stat". */
#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stat.h"

int spawn(char **argv, const sigset_t *mask, pid_t *pid)
{
	posix_spawnattr_t attributes;
	int ret;

	environment_restore();
	ret = posix_spawnattr_init(&attributes);
	if (ret)
		return -ret;
	ret = posix_spawnattr_setsigmask(&attributes, mask);
	if (!ret)
		ret = posix_spawnattr_setflags(&attributes,
					       POSIX_SPAWN_SETSIGMASK);
	if (!ret)
		ret = posix_spawnp(pid, argv[0], NULL, &attributes, argv,
				   environ);
	posix_spawnattr_destroy(&attributes);
	return -ret;
}

int spawn_exit_code(int error)
{
	switch (error) {
	case -ENOENT:
		return EXIT_NOT_FOUND;
	case -EAGAIN:
	case -ENOMEM:
		return EXIT_OWN;
	default:
		return EXIT_NOT_EXECUTABLE;
	}
}

int reap(pid_t pid)
{
	int status;
	pid_t ended = waitpid(pid, &status, WNOHANG);

	if (!ended || (ended < 0 && errno == EINTR))
		return -1;
	if (ended < 0)
		return EXIT_OWN;
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
