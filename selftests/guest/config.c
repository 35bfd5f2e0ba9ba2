// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's orders: a file of NUL-terminated strings.
 *
 *	module				is loaded before the next job
 *	without:MODULE			one of modules.late that stays out
 *	env:NAME=VALUE
 *	job:USER:TIMEOUT:NUMBER_OF_ARGUMENTS	followed by the arguments
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "guest.h"

#define ORDERS	"/etc/orders"

static const struct user users[] = {
	{ "root", 0, 0, 0, "/root" },
	{ "member", 1000, 1000, 900, "/home/member" },
	{ "outsider", 1001, 1001, 0, "/home/outsider" },
};

static const struct user *user_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(users) / sizeof(users[0]); i++)
		if (strcmp(users[i].name, name) == 0)
			return &users[i];
	broken("orders: no user %s", name);
}

static char *orders_load(size_t *size)
{
	struct stat st;
	char *data;
	size_t have = 0;
	ssize_t n;
	int fd = open(ORDERS, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st))
		broken(ORDERS ": %s", strerror(errno));
	*size = (size_t)st.st_size;
	data = malloc(*size + 1);
	if (!data)
		broken("out of memory");
	while (have < *size) {
		n = read(fd, data + have, *size - have);
		if (n <= 0)
			broken(ORDERS ": cannot read");
		have += (size_t)n;
	}
	data[*size] = '\0';
	close(fd);
	return data;
}

/* Returns the string at *@next, and steps over it; NULL at the end. */
static char *take(char **next, const char *end)
{
	char *string = *next;

	if (string >= end)
		return NULL;
	*next = string + strlen(string) + 1;
	return string;
}

static void add_job(struct config *config, const char *order, char **next,
		    const char *end)
{
	unsigned int timeout, argc, i;
	char user[32];
	struct job *job;

	if (sscanf(order, "job:%31[^:]:%u:%u", user, &timeout, &argc) != 3 ||
	    !argc)
		broken("orders: bad job \"%s\"", order);
	config->jobs = realloc(config->jobs, (config->num_jobs + 1) *
					     sizeof(*config->jobs));
	if (!config->jobs)
		broken("out of memory");
	job = &config->jobs[config->num_jobs++];
	job->load_module = config->load_module;
	config->load_module = 0;
	job->user = user_find(user);
	job->timeout = timeout;
	job->argv = calloc(argc + 1, sizeof(*job->argv));
	if (!job->argv)
		broken("out of memory");
	for (i = 0; i < argc; i++) {
		job->argv[i] = take(next, end);
		if (!job->argv[i])
			broken("orders: too few arguments");
	}
}

void config_read(struct config *config)
{
	const size_t max_env = sizeof(config->env) / sizeof(config->env[0]);
	char *next, *end, *order;
	size_t size;

	memset(config, 0, sizeof(*config));
	next = orders_load(&size);
	end = next + size;
	while ((order = take(&next, end))) {
		if (strcmp(order, "module") == 0)
			config->load_module = 1;
		else if (strncmp(order, "without:", 8) == 0)
			config->without = order + 8;
		else if (strncmp(order, "env:", 4) == 0 &&
			 config->num_env < max_env)
			config->env[config->num_env++] = order + 4;
		else if (strncmp(order, "job:", 4) == 0)
			add_job(config, order, &next, end);
		else
			broken("orders: unknown \"%s\"", order);
	}
}
