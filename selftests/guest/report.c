// SPDX-License-Identifier: GPL-2.0-only
/* The guest's way to the host, and the kernel's messages on it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "guest.h"

#define PORTS		"/sys/class/virtio-ports"
#define KLOG_RECORD	8192	/* the kernel's records are shorter */

static int port = -1;
static int klog = -1;
static unsigned long taint;

static bool port_is_ours(const char *device)
{
	char path[512], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), PORTS "/%s/name", device);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	fclose(file);
	name[strcspn(name, "\n")] = '\0';
	return strcmp(name, FRAME_PORT) == 0;
}

static int port_find(void)
{
	char path[512];
	struct dirent *entry;
	DIR *dir = opendir(PORTS);
	int fd = -1;

	if (!dir)
		return -1;
	while (fd < 0 && (entry = readdir(dir))) {
		if (!port_is_ours(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		fd = open(path, O_WRONLY | O_CLOEXEC);
	}
	closedir(dir);
	return fd;
}

void port_open(void)
{
	static const struct timespec pause = { .tv_nsec = 10000000 };
	int tries;

	/* The name arrives some time after the device. */
	for (tries = 0; tries < 3000; tries++) {
		port = port_find();
		if (port >= 0)
			return;
		nanosleep(&pause, NULL);
	}
	/* Silence is a failure on the host's side. */
	fprintf(stderr, "init: no virtio-serial port named " FRAME_PORT "\n");
	exit(1);
}

static void port_write(const void *data, size_t length)
{
	const char *bytes = data;
	ssize_t n;

	while (length) {
		n = write(port, bytes, length);
		if (n < 0) {
			if (errno == EINTR)
				continue;
			perror("init: virtio-serial port");
			exit(1);
		}
		bytes += n;
		length -= (size_t)n;
	}
}

void port_send(enum frame_type type, const void *data, size_t length)
{
	struct frame frame = { .type = type, .length = (uint32_t)length };

	port_write(&frame, sizeof(frame));
	port_write(data, length);
}

void klog_open(void)
{
	klog = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (klog < 0)
		broken("/dev/kmsg: %s", strerror(errno));
}

static void klog_line(const char *line, size_t length)
{
	char text[KLOG_RECORD + 1];

	memcpy(text, line, length);
	text[length] = '\n';
	port_send(FRAME_LOG, text, length + 1);
}

/* Oopses and warnings leave a mark even if their text got lost. */
static void klog_taint(void)
{
	static const unsigned long bad =
		1ul << 4 |	/* machine check */
		1ul << 5 |	/* bad page */
		1ul << 7 |	/* died: oops or BUG */
		1ul << 9 |	/* warning */
		1ul << 14;	/* soft lockup */
	unsigned long now = 0;
	char line[80];
	FILE *file = fopen("/proc/sys/kernel/tainted", "re");

	if (!file)
		return;
	if (fscanf(file, "%lu", &now) != 1)
		now = 0;
	fclose(file);
	if (now & ~taint & bad) {
		snprintf(line, sizeof(line),
			 "WARNING: kernel taint went from %lu to %lu",
			 taint, now);
		klog_line(line, strlen(line));
	}
	taint = now;
}

void klog_send(void)
{
	char record[KLOG_RECORD];
	const char *text;
	size_t length;
	ssize_t n;

	if (klog < 0)
		return;
	for (;;) {
		n = read(klog, record, sizeof(record) - 1);
		if (n < 0 && errno == EPIPE) {
			text = "kernel messages were lost";
			klog_line(text, strlen(text));
			continue;
		}
		if (n <= 0)
			break;
		/* "priority,number,time,flags;text\n KEY=value\n..." */
		record[n] = '\0';
		text = strchr(record, ';');
		text = text ? text + 1 : record;
		length = strcspn(text, "\n");
		klog_line(text, length);
	}
	klog_taint();
}
