// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The protocol of sd_notify(3): a datagram with lines NAME=VALUE. It is stable
 * and small, so that the tool does not need libsystemd for it.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "notify.h"

static int send_to(const char *path, const char *message)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(path), size = strlen(message);
	int fd, ret = 0;

	if ((path[0] != '/' && path[0] != '@') || !path[1])
		return -EAFNOSUPPORT;
	if (length >= sizeof(address.sun_path))
		return -E2BIG;
	memcpy(address.sun_path, path, length);
	/* An abstract address begins with a NUL. */
	if (path[0] == '@')
		address.sun_path[0] = '\0';

	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	length += offsetof(struct sockaddr_un, sun_path);
	if (sendto(fd, message, size, MSG_NOSIGNAL,
		   (struct sockaddr *)&address, (socklen_t)length) !=
	    (ssize_t)size)
		ret = -errno;
	close(fd);
	return ret;
}

int notify(const char *message)
{
	const char *path = getenv("NOTIFY_SOCKET");

	return path && *path ? send_to(path, message) : 0;
}

int notify_ready(const char *status)
{
	char message[256];

	snprintf(message, sizeof(message), "READY=1\nSTATUS=%s\n", status);
	return notify(message);
}

int notify_reloading(void)
{
	struct timespec time;
	char message[128];

	clock_gettime(CLOCK_MONOTONIC, &time);
	snprintf(message, sizeof(message), "RELOADING=1\nMONOTONIC_USEC=%lld\n",
		 (long long)time.tv_sec * 1000000 + time.tv_nsec / 1000);
	return notify(message);
}
