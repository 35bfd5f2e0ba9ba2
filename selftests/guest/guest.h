/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GUEST_H
#define GUEST_H

#include <stddef.h>
#include <stdint.h>
#include "frames.h"

struct user {
	const char *name;
	unsigned int uid, gid, group;	/* group: supplementary, 0 if none */
	const char *home;
};

struct job {
	int load_module;	/* before it runs */
	const struct user *user;
	uint32_t timeout;
	char **argv;
};

/* Configuration that the host put into the image, see config.c. */
struct config {
	int load_module;	/* while reading: before the next job */
	const char *without;	/* a late module that is not loaded, or NULL */
	char *env[32];
	unsigned int num_env;
	struct job *jobs;
	unsigned int num_jobs;
};

void config_read(struct config *config);

void port_open(void);
void port_send(enum frame_type type, const void *data, size_t length);
void klog_open(void);
void klog_send(void);

/* Tells the host what is wrong and ends the guest. */
void broken(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Runs a program of the image to its end; returns its wait status. */
int run_helper(const char *const argv[]);

void job_run(const struct config *config, unsigned int number);
/* The processes that exist now belong to the guest and survive the jobs. */
void job_adopt_daemons(void);

#endif
