/* SPDX-License-Identifier: GPL-2.0-only */
/* How many files a process can open. */
#ifndef LIB_FILES_H
#define LIB_FILES_H

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/* So many more from now on, until setrlimit() says what was before. */
static inline int leave_files(struct rlimit *old, int count)
{
	struct rlimit limit;
	int next = open("/", O_RDONLY | O_CLOEXEC);

	if (next < 0 || getrlimit(RLIMIT_NOFILE, old))
		return -1;
	close(next);
	limit = *old;
	limit.rlim_cur = (rlim_t)(next + count);
	return setrlimit(RLIMIT_NOFILE, &limit);
}

#endif /* LIB_FILES_H */
