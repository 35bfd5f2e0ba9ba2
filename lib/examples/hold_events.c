// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lets the memory controllers count, for others to read: programs events
 * through the kernel's perf and holds them.
 *
 *	hold_events [-u TYPE] [-e EVENT]... [COMMAND...]
 *
 * TYPE is the type of the units, "imc" by default. EVENT is a name that the
 * kernel has for them, or terms as perf takes them, "event=0x04,umask=0x03"; by
 * default the events of memory reads and writes. They are held until COMMAND
 * ends, or, without one, until a signal comes. This needs root, or a low
 * perf_event_paranoid.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICES	"/sys/bus/event_source/devices"
#define MAX_EVENTS	16

static const char *const default_events[] = {
	"cas_count_read", "cas_count_write"
};

/*
 * The kernel has no names for those of Knights Landing: Xeon Phi Processor
 * Performance Monitoring Reference Manual, volume 2, CAS_COUNT of the MC DCLK.
 */
static const char *const unnamed_events[] = {
	"event=0x03,umask=0x01", "event=0x03,umask=0x02"
};

/* Reads the first line of a file of a PMU; -errno if there is none. */
static int pmu_file(const char *pmu, const char *name, char *line, int size)
{
	char path[512];
	FILE *file;
	int err = 0;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, name);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (!fgets(line, size, file))
		err = -ENODATA;
	fclose(file);
	if (!err)
		line[strcspn(line, "\n")] = '\0';
	return err;
}

/* Puts a value where the PMU's format says, "config:8-15". */
static int put_term(const char *pmu, const char *term, uint64_t value,
		    uint64_t *config)
{
	char name[128], format[128];
	unsigned int first;
	int err;

	snprintf(name, sizeof(name), "format/%s", term);
	err = pmu_file(pmu, name, format, sizeof(format));
	if (err)
		return err;
	if (sscanf(format, "config:%u", &first) != 1 || first > 63)
		return -ENOTSUP;
	*config |= value << first;
	return 0;
}

/* The terms of an event: it may consist of them or be the kernel's name. */
static int event_terms(const char *pmu, const char *event, char *terms,
		       int size)
{
	char name[128];

	if (strchr(event, '=')) {
		snprintf(terms, (size_t)size, "%s", event);
		return 0;
	}
	snprintf(name, sizeof(name), "events/%s", event);
	return pmu_file(pmu, name, terms, size);
}

static int event_config(const char *pmu, const char *event, uint64_t *config)
{
	char terms[256], *term, *value, *rest;
	int err;

	err = event_terms(pmu, event, terms, sizeof(terms));
	*config = 0;
	for (term = strtok_r(terms, ",", &rest); !err && term;
	     term = strtok_r(NULL, ",", &rest)) {
		value = strchr(term, '=');
		if (value)
			*value++ = '\0';
		err = put_term(pmu, term, value ? strtoull(value, NULL, 0) : 1,
			       config);
	}
	return err;
}

static int open_event(uint32_t type, uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* Opens an event on the CPUs from first to last; returns how many. */
static int open_range(uint32_t type, uint64_t config, int first, int last)
{
	int cpu, fd;

	for (cpu = first; cpu <= last; cpu++) {
		fd = open_event(type, config, cpu);
		if (fd < 0)
			return fd;
	}
	return last - first + 1;
}

/* Opens an event once for each CPU that answers for a socket: "0-1,8". */
static int hold_on_sockets(const char *pmu, const char *event)
{
	char type[32], cpus[256], *range, *rest;
	uint64_t config;
	int held = 0;
	int first, last, err;

	err = event_config(pmu, event, &config);
	if (!err)
		err = pmu_file(pmu, "type", type, sizeof(type));
	if (!err)
		err = pmu_file(pmu, "cpumask", cpus, sizeof(cpus));
	for (range = err ? NULL : strtok_r(cpus, ",", &rest); range;
	     range = strtok_r(NULL, ",", &rest)) {
		if (sscanf(range, "%d-%d", &first, &last) < 2)
			last = first = atoi(range);
		err = open_range((uint32_t)atoi(type), config, first, last);
		if (err < 0)
			break;
		held += err;
	}
	if (err < 0) {
		fprintf(stderr, "hold_events: %s/%s/: %s\n", pmu, event,
			strerror(-err));
		return err;
	}
	return held;
}

/* "uncore_TYPE", if there is one on a die, or "uncore_TYPE_NUMBER". */
static bool is_of_type(const char *pmu, const char *type)
{
	size_t length = strlen(type);

	if (strncmp(pmu, "uncore_", 7) || strncmp(pmu + 7, type, length))
		return false;
	pmu += 7 + length;
	return !*pmu || (*pmu == '_' && pmu[1] &&
			 pmu[1 + strspn(pmu + 1, "0123456789")] == '\0');
}

static bool names_events(const char *pmu)
{
	char path[512];

	snprintf(path, sizeof(path), DEVICES "/%s/events", pmu);
	return access(path, F_OK) == 0;
}

static int hold_all(const char *type, const char *const *events, int num_events)
{
	struct dirent *entry;
	DIR *dir = opendir(DEVICES);
	int held = 0, pmus = 0;
	int i, n;

	if (!dir) {
		perror("hold_events: " DEVICES);
		return -1;
	}
	while ((entry = readdir(dir))) {
		if (!is_of_type(entry->d_name, type))
			continue;
		pmus++;
		if (events == default_events && !names_events(entry->d_name))
			events = unnamed_events;
		for (i = 0; i < num_events; i++) {
			n = hold_on_sockets(entry->d_name, events[i]);
			if (n < 0)
				break;
			held += n;
		}
	}
	closedir(dir);
	if (!held) {
		fprintf(stderr, pmus ? "hold_events: no event of uncore_%s_* could be programmed\n" :
			"hold_events: the kernel has no PMU named uncore_%s_*\n",
			type);
		return -1;
	}
	printf("hold_events: %d events on %d PMUs\n", held, pmus);
	fflush(stdout);
	return 0;
}

static int run(char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], argv);
		fprintf(stderr, "hold_events: %s: %s\n", argv[0],
			strerror(errno));
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		perror("hold_events");
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	const char *chosen[MAX_EVENTS];
	const char *const *events = default_events;
	const char *type = "imc";
	int num_events = 2, num_chosen = 0;
	int c;

	while ((c = getopt(argc, argv, "+u:e:")) != -1) {
		if (c == 'u') {
			type = optarg;
		} else if (c == 'e' && num_chosen < MAX_EVENTS) {
			chosen[num_chosen++] = optarg;
		} else {
			fprintf(stderr,
				"Usage: hold_events [-u TYPE] [-e EVENT]... [COMMAND...]\n");
			return 2;
		}
	}
	if (num_chosen) {
		events = chosen;
		num_events = num_chosen;
	}
	if (hold_all(type, events, num_events))
		return 1;
	if (optind < argc)
		return run(argv + optind);
	pause();
	return 0;
}
