// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory bandwidth, live: a table a second, for each channel and each socket,
 * in MB/s with the raw counts beside.
 *
 *	membw [--seconds N] [NODE]
 *
 * It programs nothing: it looks for the counters that count reads and writes
 * already, by the events in their control registers, and reads them. Until
 * something programs them (perf, or hold_events beside this file) it says so.
 * Client chips have counters that count nothing else. What is not counted, or not
 * for certain, has no number, and the reason below.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <uncore.h>

/* One CAS command moves one cache line. */
#define LINE_BYTES	64
/* Twice what any channel moves in a second; one of 32 bits takes 2 s to wrap. */
#define MOST_LINES	4e9
/* Seconds; the clocks are not read at the same time. */
#define SHORTEST_SLEEP	0.2

/* A control register: the event in bits 0 to 7, the umask in bits 8 to 15. */
#define EVENT_MASK	0xffffU
#define EVENT(event, umask)	((event) | (umask) << 8)

enum direction { READS, WRITES, NUM_DIRECTIONS };

/* Reads and writes in turn: some channels have a counter for each half of them. */
#define MAX_WAYS	4

/* CAS_COUNT in Intel's uncore guides, by generation. */
static const struct cas_events {
	const char *platform;
	unsigned int count;
	uint32_t event[MAX_WAYS];
} cas_events[] = {
	{ "knl", 2, { EVENT(0x03U, 0x01U), EVENT(0x03U, 0x02U) } },
	{ "snowridge", 2, { EVENT(0x04U, 0x0fU), EVENT(0x04U, 0x30U) } },
	{ "icelake-sp", 2, { EVENT(0x04U, 0x0fU), EVENT(0x04U, 0x30U) } },
	{ "sapphire-rapids", 2, { EVENT(0x05U, 0xcfU), EVENT(0x05U, 0xf0U) } },
	{ "emerald-rapids", 2, { EVENT(0x05U, 0xcfU), EVENT(0x05U, 0xf0U) } },
	{ "granite-rapids", 4, { EVENT(0x05U, 0xcfU), EVENT(0x05U, 0xf0U),
				 EVENT(0x06U, 0xcfU), EVENT(0x06U, 0xf0U) } },
	{ "", 2, { EVENT(0x04U, 0x03U), EVENT(0x04U, 0x0cU) } },
};

/* Free-running counters of client chips, as the kernel's perf names them. */
static const char *const free_running[NUM_DIRECTIONS][2] = {
	{ "data_reads", "data_read" }, { "data_writes", "data_write" },
};

struct way {
	struct uncore_counter counter;
	uint32_t control;
	uint64_t before;
	uint64_t count;
	bool open;
};

struct channel {
	char name[UNCORE_NAME_LEN];
	int socket;
	unsigned int num_ways;
	struct way way[MAX_WAYS];
};

/* @passed: seconds between the last two samples, of which @asleep were slept */
struct table {
	struct channel *channel;
	size_t count;
	const struct cas_events *events;
	double passed;
	double asleep;
};

static double seconds_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const struct cas_events *choose_events(const struct uncore *uncore)
{
	const char *platform = uncore_info(uncore)->platform;
	const struct cas_events *events = cas_events;

	while (events->platform[0] && strcmp(events->platform, platform))
		events++;
	return events;
}

static void close_channel(struct channel *channel)
{
	unsigned int i;

	for (i = 0; i < channel->num_ways; i++)
		if (channel->way[i].open)
			uncore_counter_close(&channel->way[i].counter);
}

/* Does the counter count what that way of the channel is for? */
static bool is_for(const struct uncore_pmu_counter *info, uint32_t control,
		   const struct cas_events *events, unsigned int way)
{
	unsigned int i;

	if (info->kind == UNCORE_PMU_KIND_GENERAL)
		return (control & info->enable) == info->enable &&
		       (control & EVENT_MASK) == events->event[way];
	for (i = 0; way < NUM_DIRECTIONS && i < 2; i++)
		if (!strcmp(info->name, free_running[way][i]))
			return true;
	return false;
}

/* Keeps the counter if it counts reads or writes now. */
static bool take_counter(struct channel *channel,
			 const struct uncore_pmu_counter *info,
			 const struct uncore_counter *counter,
			 const struct cas_events *events)
{
	uint32_t control = uncore_control(counter);
	unsigned int i;

	for (i = 0; i < channel->num_ways; i++) {
		struct way *way = &channel->way[i];

		if (way->open || !is_for(info, control, events, i))
			continue;
		way->counter = *counter;
		way->control = control;
		way->before = uncore_read(counter);
		way->open = true;
		return true;
	}
	return false;
}

/* Adds the unit if it has counters that count; -errno if it cannot be read. */
static int add_channel(struct uncore *uncore, struct table *table,
		       const struct uncore_pmu_unit *info)
{
	struct channel channel = { .socket = info->socket }, *more;
	struct uncore_counter counter;
	bool any = false;
	unsigned int i;
	int ret;

	channel.num_ways = info->unit_control == UNCORE_PMU_NO_REGISTER
			   ? NUM_DIRECTIONS : table->events->count;
	uncore_unit_name(info, channel.name, sizeof(channel.name));
	for (i = 0; i < info->num_counters; i++) {
		if (info->counter[i].kind == UNCORE_PMU_KIND_FIXED)
			continue;
		ret = uncore_counter_open(uncore, info->index, i, &counter);
		if (ret)
			return ret;
		if (take_counter(&channel, &info->counter[i], &counter,
				 table->events))
			any = true;
		else
			uncore_counter_close(&counter);
	}
	if (!any)
		return 0;

	more = realloc(table->channel,
		       (table->count + 1) * sizeof(*table->channel));
	if (!more) {
		close_channel(&channel);
		return -ENOMEM;
	}
	table->channel = more;
	table->channel[table->count++] = channel;
	return 0;
}

/* How many memory channels can be read, and which of them count. */
static int find_channels(struct uncore *uncore, struct table *table,
			 const char *type)
{
	struct uncore_pmu_unit info;
	unsigned int i;
	int ret, found = 0;

	for (i = 0; i < uncore_num_units(uncore); i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (ret)
			return ret;
		if (uncore_unit_match(&info, type) != 1 ||
		    info.state != UNCORE_PMU_STATE_OK)
			continue;
		ret = add_channel(uncore, table, &info);
		if (ret) {
			fprintf(stderr, "membw: %s%u: %s\n", info.type,
				info.instance,
				uncore_strerror(UNCORE_CALL_MAP, ret));
			return ret;
		}
		found++;
	}
	return found;
}

static void sample(struct table *table)
{
	unsigned int way;
	size_t i;

	for (i = 0; i < table->count; i++) {
		for (way = 0; way < table->channel[i].num_ways; way++) {
			struct way *at = &table->channel[i].way[way];
			uint64_t value;

			if (!at->open)
				continue;
			value = uncore_read(&at->counter);
			at->count = uncore_delta(&at->counter, at->before,
						 value);
			at->before = value;
		}
	}
}

/* A difference may be wrong whatever the counter counts. */
static const char *doubt_of(const struct table *table, const struct way *way)
{
	if (table->asleep > SHORTEST_SLEEP)
		return "the machine slept: the counter may have been reset";
	if (table->passed * MOST_LINES / 2 > (double)way->counter.mask)
		return "not read in time: it may have wrapped unseen";
	if ((double)way->count > table->passed * MOST_LINES)
		return "more than can be: the counter was reset or written";
	return NULL;
}

/* Something else may be counted by now, or nothing any more. */
static const char *trouble_of(const struct table *table, const struct way *way,
			      unsigned int direction)
{
	int state;

	if (!way->open)
		return direction == READS ? "reads are not counted"
					  : "writes are not counted";
	state = uncore_counter_state(&way->counter);
	if (state)
		return uncore_counter_state_name(state);
	if (uncore_control(&way->counter) != way->control)
		return "reprogrammed";
	return doubt_of(table, way);
}

/* What was moved in the last interval, or why there is no number for it. */
struct traffic {
	uint64_t lines[NUM_DIRECTIONS];
	const char *trouble[NUM_DIRECTIONS];
};

static struct traffic traffic_of(const struct table *table,
				 const struct channel *channel)
{
	struct traffic traffic = { 0 };
	unsigned int i, direction;

	for (i = 0; i < channel->num_ways; i++) {
		direction = i % NUM_DIRECTIONS;
		traffic.lines[direction] += channel->way[i].count;
		if (!traffic.trouble[direction])
			traffic.trouble[direction] =
				trouble_of(table, &channel->way[i], direction);
	}
	return traffic;
}

static void print_bandwidth(bool known, uint64_t lines, double seconds)
{
	if (known)
		printf(" %12.1f", (double)lines * LINE_BYTES / seconds * 1e-6);
	else
		printf(" %12s", "-");
}

static void print_row(const char *name, const struct traffic *traffic,
		      double seconds)
{
	const uint64_t *lines = traffic->lines;
	const char *reads = traffic->trouble[READS];
	const char *writes = traffic->trouble[WRITES];
	int i;

	printf("%-19s", name);
	print_bandwidth(!reads, lines[READS], seconds);
	print_bandwidth(!writes, lines[WRITES], seconds);
	print_bandwidth(!reads && !writes, lines[READS] + lines[WRITES],
			seconds);
	for (i = 0; i < NUM_DIRECTIONS; i++)
		if (traffic->trouble[i])
			printf(" %16s", "-");
		else
			printf(" %16" PRIu64, lines[i]);
	putchar('\n');
	if (reads || writes)
		printf("%-19s ^ %s\n", "", reads ? reads : writes);
}

static void print_channels(const struct table *table, double seconds)
{
	struct traffic traffic;
	size_t i;

	for (i = 0; i < table->count; i++) {
		traffic = traffic_of(table, &table->channel[i]);
		print_row(table->channel[i].name, &traffic, seconds);
	}
}

/* False if no channel is on that socket. */
static bool add_up(const struct table *table, int socket, struct traffic *sum)
{
	struct traffic traffic;
	bool any = false;
	size_t i;
	int d;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < table->count; i++) {
		if (table->channel[i].socket != socket)
			continue;
		any = true;
		traffic = traffic_of(table, &table->channel[i]);
		for (d = 0; d < NUM_DIRECTIONS; d++) {
			sum->lines[d] += traffic.lines[d];
			if (traffic.trouble[d])
				sum->trouble[d] = "as a channel above";
		}
	}
	return any;
}

static void print_sockets(const struct table *table, double seconds)
{
	int socket, last = -1;
	struct traffic sum;
	char name[32];
	size_t i;

	for (i = 0; i < table->count; i++)
		if (table->channel[i].socket > last)
			last = table->channel[i].socket;

	for (socket = -1; socket <= last; socket++) {
		if (!add_up(table, socket, &sum))
			continue;
		if (socket < 0)
			snprintf(name, sizeof(name), "socket ?");
		else
			snprintf(name, sizeof(name), "socket %d", socket);
		print_row(name, &sum, seconds);
	}
}

/* 0, or -1 if the table cannot be written. */
static int watch(struct table *table, long seconds)
{
	double start = seconds_of(CLOCK_MONOTONIC), before = start, after;
	double boot_before = seconds_of(CLOCK_BOOTTIME), boot_after;
	struct timespec second = { .tv_sec = 1 };
	long i;

	sample(table);
	for (i = 1; i <= seconds; i++) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
		sample(table);
		after = seconds_of(CLOCK_MONOTONIC);
		boot_after = seconds_of(CLOCK_BOOTTIME);
		table->passed = boot_after - boot_before;
		table->asleep = table->passed - (after - before);
		printf("%-19s %12s %12s %12s %16s %16s\n", "CHANNEL",
		       "READ MB/s", "WRITE MB/s", "SUM MB/s", "READS", "WRITES");
		print_channels(table, after - before);
		print_sockets(table, after - before);
		printf("%12.3f s\n\n", after - start);
		if (fflush(stdout)) {
			perror("membw: standard output");
			return -1;
		}
		before = after;
		boot_before = boot_after;
	}
	return 0;
}

static int run(const char *path, long seconds)
{
	struct table table = { 0 };
	struct uncore *uncore;
	size_t i;
	int ret;

	ret = uncore_open(path, &uncore);
	if (ret) {
		fprintf(stderr, "membw: %s: %s\n",
			path ? path : "/dev/uncore_pmu",
			uncore_strerror(UNCORE_CALL_OPEN, ret));
		return EXIT_FAILURE;
	}

	table.events = choose_events(uncore);
	ret = find_channels(uncore, &table, "imc");
	if (ret >= 0 && !table.count) {
		int more = find_channels(uncore, &table, "imc_free_running");

		ret = more < 0 ? more : ret + more;
	}
	if (ret < 0)
		goto out_close;
	if (!ret) {
		fputs("membw: no memory channel can be read here: see "
		      "\"uncorectl list\"\n", stderr);
	} else if (!table.count) {
		fprintf(stderr, "membw: %d memory channels, but nothing counts "
			"reads or writes: program them, for example with "
			"hold_events as root\n", ret);
	} else if (watch(&table, seconds)) {
		ret = -1;
	}

out_close:
	for (i = 0; i < table.count; i++)
		close_channel(&table.channel[i]);
	free(table.channel);
	uncore_close(uncore);
	return ret > 0 && table.count ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	long seconds = 5;
	int c;

	while ((c = getopt_long(argc, argv, "s:", options, NULL)) != -1) {
		if (c == 's')
			seconds = strtol(optarg, NULL, 10);
		if (c != 's' || seconds < 1) {
			fputs("Usage: membw [--seconds N] [NODE]\n", stderr);
			return 2;
		}
	}
	return run(argv[optind], seconds);
}
