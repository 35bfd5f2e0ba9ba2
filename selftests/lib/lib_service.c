// SPDX-License-Identifier: GPL-2.0-only
/*
 * Standing events: uncorectl program --file, as uncore-pmu.service runs it.
 *
 * Test: where=guest platform=haswell-ep timeout=240 kernels=6.1
 */
#include "harness.h"

#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <uncore.h>

#include "common.h"
#include "tool.h"

#define READS	"UNC_M_CAS_COUNT:RD"
#define WRITES	"UNC_M_CAS_COUNT:WR"
#define CONF	"/tmp/events.conf"
#define MANAGER	"/tmp/notify"
#define UNIT	"imc0@0"

/*
 * @manager: the socket that a service manager would listen at
 * @heard: the last message
 * @unit: index of UNIT
 */
FIXTURE(service)
{
	struct uncore *uncore;
	struct tool *service;
	int manager;
	char heard[512];
	unsigned int unit;
};

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				       strlen(path));
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	unlink(path);
	memcpy(address.sun_path, path, strlen(path));
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	if (bind(fd, (struct sockaddr *)&address, length))
		return -errno;
	return fd;
}

/* Does the next message begin with this? */
static bool hear_from(int manager, char *heard, size_t size, const char *part)
{
	struct pollfd fd = { .fd = manager, .events = POLLIN };
	ssize_t got = 0;

	if (poll(&fd, 1, PATIENCE_MS) == 1)
		got = recv(manager, heard, size - 1, 0);
	heard[got > 0 ? got : 0] = '\0';
	if (!strncmp(heard, part, strlen(part)))
		return true;
	fprintf(stderr, "# not heard: %s; but: %s\n", part, heard);
	return false;
}

#define HEAR(message) \
	hear_from(self->manager, self->heard, sizeof(self->heard), message)

FIXTURE_SETUP(service)
{
	self->service = calloc(1, sizeof(*self->service));
	ASSERT_NE(NULL, self->service);
	ASSERT_EQ(0, uncore_open(NULL, &self->uncore));
	ASSERT_EQ(1, uncore_find(self->uncore, UNIT, &self->unit, 1));
	self->manager = listen_at(MANAGER);
	ASSERT_LE(0, self->manager);
}

FIXTURE_TEARDOWN(service)
{
	close(self->manager);
	uncore_close(self->uncore);
	free(self->service);
}

static bool write_conf(const char *text, size_t size)
{
	FILE *file = fopen(CONF, "we");
	bool done = file && fwrite(text, 1, size, file) == size;

	return file && !fclose(file) && done;
}

#define WRITE_CONF(text)	write_conf(text, sizeof(text) - 1)
#define SERVICE	"exec env NOTIFY_SOCKET=" MANAGER " uncorectl program --file " CONF
#define START(text) \
	(WRITE_CONF(text) && !tool_start(self->service, 0, SERVICE))

/* The claim on the unit's counter for an event; claim 0 if there is none. */
static struct uncore_pmu_status claim_of(struct uncore *uncore,
					 unsigned int unit, const char *name)
{
	struct uncore_pmu_status status, none = { .claim = 0 };
	struct uncore_pmu_unit info;
	struct uncore_event event;
	unsigned int i;

	if (uncore_unit_info(uncore, unit, &info) ||
	    uncore_event_parse(uncore, &info, name, &event, NULL))
		return none;
	for (i = 0; i < info.num_counters; i++)
		if (!uncore_status(uncore, unit, i, &status) &&
		    status.state == UNCORE_PMU_COUNTER_CLAIMED &&
		    info.counter[i].kind == event.kind &&
		    status.config == event.config)
			return status;
	return none;
}

static unsigned int count_claims(struct uncore *uncore)
{
	struct uncore_pmu_status status;
	unsigned int i, c, count = 0;

	for (i = 0; i < uncore_num_units(uncore); i++)
		for (c = 0; !uncore_status(uncore, i, c, &status); c++)
			count += status.state == UNCORE_PMU_COUNTER_CLAIMED;
	return count;
}

#define CLAIM(name)	claim_of(self->uncore, self->unit, name)

#define EXPECT_SAME_CLAIM(before, after) \
	do { \
		EXPECT_EQ((before).claim, (after).claim); \
		EXPECT_EQ((before).counter, (after).counter); \
		EXPECT_EQ((before).generation, (after).generation); \
		EXPECT_EQ((before).since, (after).since); \
		EXPECT_NE(0, (after).claim); \
	} while (0)

TEST_F(service, holds_and_releases)
{
	ASSERT_TRUE(START("# standing\n" UNIT "/" READS "/\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held\n"));
	EXPECT_NE(0, CLAIM(READS).claim);
	EXPECT_EQ(1, count_claims(self->uncore));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
	EXPECT_TRUE(HEAR("STOPPING=1\n"));
	EXPECT_EQ(0, count_claims(self->uncore));
}

TEST_F(service, a_bad_line_has_its_number)
{
	ASSERT_TRUE(START("# standing\n"
			  UNIT "/" READS "/\n"
			  "\n"
			  "imc/nosuch/\n"
			  "imc0@0/a/ imc0@0/b/\n"
			  "imc0@0/\0/\n"
			  UNIT "/" WRITES));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=2 counters held, 3 lines refused\n"));
	EXPECT_NE(0, CLAIM(READS).claim);
	EXPECT_NE(0, CLAIM(WRITES).claim);
	EXPECT_EQ(3, tool_end(self->service, SIGTERM));
	EXPECT_NE(NULL, strstr(self->service->text,
			       "uncorectl: " CONF ":4: imc/nosuch/: "));
	EXPECT_NE(NULL, strstr(self->service->text,
			       "uncorectl: " CONF ":5: more than one event"));
	EXPECT_NE(NULL, strstr(self->service->text,
			       "uncorectl: " CONF ":6: has a NUL character"));
}

TEST_F(service, a_line_without_a_counter_is_refused)
{
	ASSERT_TRUE(START(UNIT "/event=1/\n" UNIT "/event=2/\n" UNIT "/event=3/"
			  "\n" UNIT "/event=4/\nimc@0/event=5/\nha0@0/event=1"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=5 counters held, 1 lines refused\n"));
	EXPECT_EQ(5, count_claims(self->uncore));
	EXPECT_EQ(3, tool_end(self->service, SIGTERM));
	EXPECT_NE(NULL, strstr(self->service->text,
			       CONF ":5: imc@0/event=5/: " UNIT ": all "
			       "counters"));
}

/* Event 0x13 only ctr0 can count: perf makes room for it. */
TEST_F(service, an_event_for_one_counter_comes_second)
{
	ASSERT_TRUE(START("r2pcie@0/event=0x20/\nr2pcie@0/event=0x13/\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS="));
	if (count_claims(self->uncore) == 2) {
		EXPECT_NE(NULL, strstr(self->heard, "2 counters held\n"));
		EXPECT_EQ(0, tool_end(self->service, SIGTERM));
	} else {
		EXPECT_EQ(3, tool_end(self->service, SIGTERM));
		EXPECT_NE(NULL, strstr(self->service->text,
				       "ctr1: free, ctr2: free, ctr3: free; "
				       "those that are free cannot count this: "
				       "give what few counters can count "
				       "first\n"));
	}
}

TEST_F(service, a_reload_leaves_alone_what_stays)
{
	struct uncore_pmu_status reads, writes;

	ASSERT_TRUE(START(UNIT "/" READS "/\n" UNIT "/event=1/\n"
			  UNIT "/" WRITES "/\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=3 counters held\n"));
	reads = CLAIM(READS);
	writes = CLAIM(WRITES);
	EXPECT_NE(0, CLAIM("event=1").claim);

	ASSERT_TRUE(WRITE_CONF("# other order, other words, one more\n"
			       UNIT "/event=2/\n" UNIT "/event=4,umask=12/\n"
			       "imc0/" READS "/\n"));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\nMONOTONIC_USEC="));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS="));
	EXPECT_SAME_CLAIM(reads, CLAIM(READS));
	EXPECT_SAME_CLAIM(writes, CLAIM(WRITES));
	EXPECT_EQ(0, CLAIM("event=1").claim);
	EXPECT_NE(0, CLAIM("event=2").claim);
	EXPECT_EQ(0, tool_end(self->service, SIGINT));
	EXPECT_NE(NULL, strstr(self->service->text, "released\n"));
	EXPECT_EQ(0, count_claims(self->uncore));
}

/*
 * Counters that become free in a reload are there for what is new. perf may move
 * the others for that, but each stays the claim that it is.
 */
TEST_F(service, a_reload_with_all_counters_in_use)
{
	struct uncore_pmu_status before, after;

	ASSERT_TRUE(START(UNIT "/event=1/\n" UNIT "/event=2/\n" UNIT "/event=3/"
			  "\n" UNIT "/event=4/\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=4 counters held\n"));
	before = CLAIM("event=4");
	ASSERT_TRUE(WRITE_CONF(UNIT "/event=5/\n" UNIT "/event=6/\n" UNIT
			       "/event=7/\n" UNIT "/event=4/\n"));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=4 counters held\n"));
	after = CLAIM("event=4");
	EXPECT_EQ(before.claim, after.claim);
	if (after.via == UNCORE_PMU_VIA_DIRECT)
		EXPECT_SAME_CLAIM(before, after);
	EXPECT_NE(0, CLAIM("event=7").claim);
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
}

TEST_F(service, a_member_measures_over_a_reload)
{
	struct tool *stat = calloc(1, sizeof(*stat));
	struct uncore_pmu_unit info;
	struct sim *sim;

	ASSERT_NE(NULL, stat);
	ASSERT_EQ(0, sim_open(&sim));
	ASSERT_EQ(0, sim_clock(sim, false));
	ASSERT_EQ(0, uncore_unit_info(self->uncore, self->unit, &info));
	ASSERT_TRUE(START(UNIT "/event=1/\n" UNIT "/" READS "/\n"));
	ASSERT_TRUE(HEAR("READY=1\n"));
	ASSERT_EQ(0, tool_start(stat, MEMBER_UID, "exec uncorectl stat --csv "
				"-e " UNIT "/" READS " -- sh -c "
				"'echo begun; read x'"));
	ASSERT_TRUE(tool_expect(stat, "begun"));
	ASSERT_EQ(0, sim_add(sim, unit_addr(&info), CLAIM(READS).counter, 1000));
	ASSERT_TRUE(WRITE_CONF(UNIT "/" READS "/\n" UNIT "/event=2/\n"));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\n"));
	ASSERT_EQ(0, sim_add(sim, unit_addr(&info), CLAIM(READS).counter, 234));
	tool_say(stat, "");
	EXPECT_EQ(0, tool_wait(stat));
	EXPECT_NE(NULL, strstr(stat->text, ",total," UNIT ",,,1234,"))
		TH_LOG("%s", stat->text);
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
	sim_clock(sim, true);
	sim_close(sim);
	free(stat);
}

/* As other software does that knows of neither perf nor the module. */
static int overwrite(struct uncore *uncore, unsigned int unit, const char *name)
{
	struct uncore_pmu_status status = claim_of(uncore, unit, name);
	struct uncore_pmu_unit info;
	uint32_t control, offset;

	if (!status.claim || uncore_unit_info(uncore, unit, &info))
		return -ENOENT;
	offset = info.counter[status.counter].control;
	return config_load(&info, offset, &control) ||
	       config_store(&info, offset, control ^ 0x100) ? -EIO : 0;
}

#define OVERWRITTEN ": other software has changed its control register or " \
	"stopped the unit: it is programmed anew\n"

TEST_F(service, a_reload_mends_what_was_overwritten)
{
	struct uncore_pmu_status before, after;

	ASSERT_TRUE(START(UNIT "/" READS "/\n"));
	ASSERT_TRUE(HEAR("READY=1\n"));
	before = CLAIM(READS);
	ASSERT_EQ(0, overwrite(self->uncore, self->unit, READS));
	EXPECT_EQ(0, CLAIM(READS).claim);
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held\n"));
	after = CLAIM(READS);
	EXPECT_NE(0, after.claim);
	EXPECT_NE(before.claim, after.claim);
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
	EXPECT_NE(NULL, strstr(self->service->text, "uncorectl: " UNIT "/ctr0: "
			       READS OVERWRITTEN));
}

/* Where perf closes a gap: the service sees it and leaves the claim alone. */
TEST_F(service, a_claim_that_moves_is_no_lost_one)
{
	struct tool *first = calloc(2, sizeof(*first)), *next = first + 1;
	struct uncore_pmu_status before, after;
	unsigned int other;

	ASSERT_NE(NULL, first);
	ASSERT_EQ(1, uncore_find(self->uncore, "imc1@0", &other, 1));
	ASSERT_EQ(0, tool_start(first, 0, "exec uncorectl program " UNIT
				"/event=1/"));
	ASSERT_TRUE(tool_expect(first, "via"));
	ASSERT_TRUE(START(UNIT "/" READS "/\nimc1@0/" WRITES "/\n"));
	ASSERT_TRUE(HEAR("READY=1\n"));
	before = CLAIM(READS);
	EXPECT_EQ(0, tool_end(first, SIGTERM));
	ASSERT_EQ(0, tool_start(next, 0, "exec uncorectl program " UNIT
				"/event=2/"));
	ASSERT_TRUE(tool_expect(next, "via"));
	after = CLAIM(READS);
	EXPECT_EQ(before.claim, after.claim);
	/* At the same look, one that was overwritten is mended. */
	ASSERT_EQ(0, overwrite(self->uncore, other, WRITES));
	EXPECT_EQ(0, claim_of(self->uncore, other, WRITES).claim);
	EXPECT_TRUE(tool_expect(self->service, "uncorectl: imc1@0/ctr0: " WRITES
				OVERWRITTEN));
	if (before.counter != after.counter) {
		EXPECT_NE(before.generation, after.generation);
		EXPECT_TRUE(tool_expect(self->service, UNIT "/ctr0 "));
		EXPECT_EQ(NULL, strstr(self->service->text, "lost"));
		after = CLAIM(READS);
		EXPECT_EQ(before.claim, after.claim);
	}
	EXPECT_TRUE(tool_expect(self->service, "imc1@0/ctr0 "));
	EXPECT_NE(0, claim_of(self->uncore, other, WRITES).claim);
	EXPECT_EQ(0, tool_end(next, SIGTERM));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
	free(first);
}

TEST_F(service, a_reload_without_the_file)
{
	struct uncore_pmu_status before;

	ASSERT_TRUE(START(UNIT "/" READS "/\n"));
	ASSERT_TRUE(HEAR("READY=1\n"));
	before = CLAIM(READS);
	ASSERT_EQ(0, unlink(CONF));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held\n"));
	EXPECT_SAME_CLAIM(before, CLAIM(READS));

	/* What would have it wait for ever. */
	ASSERT_EQ(0, mkfifo(CONF, 0600));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held\n"));
	EXPECT_SAME_CLAIM(before, CLAIM(READS));
	EXPECT_EQ(0, unlink(CONF));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
	EXPECT_NE(NULL, strstr(self->service->text,
			       "uncorectl: " CONF ": no such file: write one"));
	EXPECT_NE(NULL, strstr(self->service->text,
			       "uncorectl: " CONF ": not a regular file"));
}

/* A wider line that cannot be held takes the narrow one with it. */
TEST_F(service, a_reload_with_a_line_that_cannot_be_held)
{
	ASSERT_TRUE(START("imc1@0/event=1/\nimc1@0/event=2/\nimc1@0/event=3/\n"
			  "imc1@0/event=4/\n" UNIT "/event=5/\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=5 counters held\n"));
	ASSERT_TRUE(WRITE_CONF("imc1@0/event=1/\nimc1@0/event=2/\n"
			       "imc1@0/event=3/\nimc1@0/event=4/\n"
			       "imc@0/event=5/\n"));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=4 counters held, 1 lines refused\n"));
	EXPECT_EQ(4, count_claims(self->uncore));
	EXPECT_EQ(3, tool_end(self->service, SIGTERM));
}

TEST_F(service, the_command_line_stays)
{
	struct uncore_pmu_status before;

	ASSERT_TRUE(WRITE_CONF(UNIT "/" WRITES "/\n"));
	ASSERT_EQ(0, tool_start(self->service, 0, SERVICE " " UNIT "/" READS "/"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=2 counters held\n"));
	before = CLAIM(READS);
	ASSERT_TRUE(WRITE_CONF("#" UNIT "/" WRITES "/\n"));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held\n"));
	EXPECT_SAME_CLAIM(before, CLAIM(READS));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
}

TEST_F(service, nothing_to_hold)
{
	ASSERT_TRUE(START("# nothing\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=0 counters held\n"));
	ASSERT_TRUE(WRITE_CONF(UNIT "/" WRITES "/\n"));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held\n"));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
}

TEST_F(service, killed)
{
	ASSERT_TRUE(START("imc/" READS "/\n"));
	ASSERT_TRUE(HEAR("READY=1\n"));
	EXPECT_LT(1, count_claims(self->uncore));
	EXPECT_EQ(128 + SIGKILL, tool_end(self->service, SIGKILL));
	EXPECT_EQ(0, count_claims(self->uncore));
}

TEST_F(service, no_file_at_the_start)
{
	unlink(CONF);
	EXPECT_EQ(1, tool_run(self->service, 0, SERVICE));
	EXPECT_STREQ("uncorectl: " CONF ": no such file: write one, an event on "
		     "each line, as events.conf(5) explains\n",
		     self->service->text);
	EXPECT_EQ(0, count_claims(self->uncore));
}

TEST_F(service, ten_thousand_lines)
{
	FILE *file = fopen(CONF, "we");
	int i;

	ASSERT_NE(NULL, file);
	for (i = 0; i < 10000; i++)
		fprintf(file, "imc0@0/event=0x%02x/\n", i % 4 + 1);
	ASSERT_EQ(0, fclose(file));
	ASSERT_EQ(0, tool_start(self->service, 0, SERVICE));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=4 counters held\n"));
	EXPECT_EQ(4, count_claims(self->uncore));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
}

/* Lines that take their time, each with a message. */
static bool write_wrong_lines(void)
{
	FILE *file = fopen(CONF, "we");
	int i;

	for (i = 1; file && i <= 200; i++)
		fprintf(file, UNIT "/x%03d/\n", i);
	return file && fprintf(file, UNIT "/" READS "/\n") > 0 && !fclose(file);
}

TEST_F(service, a_signal_to_read_again_before_it_is_ready)
{
	ASSERT_TRUE(write_wrong_lines());
	ASSERT_EQ(0, tool_start(self->service, 0, SERVICE));
	ASSERT_TRUE(tool_expect(self->service, CONF ":1: "));
	ASSERT_TRUE(WRITE_CONF(UNIT "/" READS "/\n"));
	kill(self->service->pid, SIGHUP);
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held, 200 lines"));
	ASSERT_TRUE(HEAR("RELOADING=1\n"));
	ASSERT_TRUE(HEAR("READY=1\nSTATUS=1 counters held\n"));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
}

TEST_F(service, a_signal_to_end_before_it_is_ready)
{
	ASSERT_TRUE(write_wrong_lines());
	ASSERT_EQ(0, tool_start(self->service, 0, SERVICE));
	ASSERT_TRUE(tool_expect(self->service, CONF ":1: "));
	EXPECT_EQ(3, tool_end(self->service, SIGTERM));
	EXPECT_EQ(NULL, strstr(self->service->text, CONF ":200: "));
	EXPECT_EQ(NULL, strstr(self->service->text, "via"));
	EXPECT_EQ(0, count_claims(self->uncore));
	EXPECT_TRUE(HEAR("STOPPING=1\n"));
}

TEST_F(service, an_abstract_socket)
{
	int manager = listen_at("@uncore-test");

	ASSERT_LE(0, manager);
	ASSERT_TRUE(WRITE_CONF(UNIT "/" READS "/\n"));
	ASSERT_EQ(0, tool_start(self->service, 0, "exec env NOTIFY_SOCKET="
				"@uncore-test uncorectl program --file " CONF));
	EXPECT_TRUE(hear_from(manager, self->heard, sizeof(self->heard),
			      "READY=1\nSTATUS=1 counters held\n"));
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
	close(manager);
}

TEST_F(service, a_socket_that_nobody_listens_at)
{
	ASSERT_TRUE(WRITE_CONF(UNIT "/" READS "/\n"));
	ASSERT_EQ(0, tool_start(self->service, 0, "exec env NOTIFY_SOCKET="
				"/tmp/nobody uncorectl program --file " CONF));
	ASSERT_TRUE(tool_expect(self->service, "NOTIFY_SOCKET: "));
	EXPECT_NE(0, CLAIM(READS).claim);
	EXPECT_EQ(0, tool_end(self->service, SIGTERM));
}

TEST_HARNESS_MAIN
