// SPDX-License-Identifier: GPL-2.0-only
/*
 * What uncorectl stat, program, status and events say, to whom, and their exit
 * statuses.
 *
 * Test: where=guest platform=haswell-ep timeout=240 kernels=6.12
 */
#include "harness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "tool.h"

#define READS	"UNC_M_CAS_COUNT:RD"
#define HOLD	"exec uncorectl program imc0@0/" READS "/"
#define RIGHT \
	"programming needs a descriptor opened for writing: root, or whoever " \
	"the administrator's udev rule lets"

FIXTURE(tool)
{
	struct tool *tool;
	struct tool *holder;
};

FIXTURE_SETUP(tool)
{
	self->tool = calloc(2, sizeof(*self->tool));
	ASSERT_NE(NULL, self->tool);
	self->holder = self->tool + 1;
}

FIXTURE_TEARDOWN(tool)
{
	free(self->tool);
}

TEST_F(tool, a_member_cannot_program)
{
	RUN(1, MEMBER_UID, "uncorectl program imc/" READS "/");
	EXPECT_STREQ("uncorectl: /dev/uncore_pmu: " RIGHT "; what is standing "
		     "can be measured: \"uncorectl status\"\n",
		     self->tool->text);
}

/* What is wrong with the event comes first, for who lets an administrator run it. */
TEST_F(tool, a_member_mistypes)
{
	RUN(1, MEMBER_UID, "uncorectl program imc/UNC_M_CAS_CONT:RD/");
	EXPECT_STREQ("uncorectl: imc/UNC_M_CAS_CONT:RD/: units of type imc have "
		     "no event UNC_M_CAS_CONT:RD; did you mean "
		     "UNC_M_CAS_COUNT:RD, UNC_M_ACT_COUNT:RD or "
		     "UNC_M_CAS_COUNT:WR?\n"
		     "uncorectl: /dev/uncore_pmu: " RIGHT "; what is standing "
		     "can be measured: \"uncorectl status\"\n",
		     self->tool->text);
}

TEST_F(tool, an_outsider_cannot_open)
{
	static const char *const commands[] = {
		"list", "events", "status", "program imc/" READS "/",
		"stat -e imc/" READS "/",
	};
	char line[128];
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(commands); i++) {
		snprintf(line, sizeof(line), "uncorectl %s", commands[i]);
		RUN(1, OUTSIDER_UID, line);
		SAID("not permitted to open the node: reading it is for "
		     "the group uncore");
	}
	RUN(125, OUTSIDER_UID, "uncorectl stat -e imc/" READS "/ -- true");
}

TEST_F(tool, nothing_stands)
{
	RUN(4, MEMBER_UID, "uncorectl stat -e imc0@0/" READS "/");
	EXPECT_STREQ("uncorectl: imc0@0/" READS "/: not programmed on imc0@0\n"
		     "uncorectl: " RIGHT "\n"
		     "uncorectl: no events are standing\n"
		     "uncorectl: ask the administrator to run: "
		     "uncorectl program 'imc0@0/" READS "/'\n"
		     "uncorectl: or to add to /etc/uncore-pmu/events.conf for "
		     "the service uncore-pmu:\n"
		     "imc0@0/" READS "/\n", self->tool->text);
}

/* It is the holder who has to mend it, not the administrator. */
TEST_F(tool, what_stands_was_overwritten)
{
	int fd = node_open(O_RDONLY);
	struct units units = units_get(fd);
	const struct uncore_pmu_unit *unit = units_find(&units, "imc", 0, 0);
	uint32_t control;

	ASSERT_NE(NULL, unit);
	ASSERT_EQ(0, tool_start(self->holder, 0, HOLD));
	ASSERT_TRUE(tool_expect(self->holder, "imc0@0/ctr0"));
	ASSERT_EQ(0, config_load(unit, unit->counter[0].control, &control));
	ASSERT_EQ(0, config_store(unit, unit->counter[0].control,
				  control ^ 0x100));
	RUN(4, MEMBER_UID, "uncorectl stat -n 1 -e imc0@0/" READS "/");
	EXPECT_STREQ("uncorectl: imc0@0/" READS "/: imc0@0/ctr0 is held for "
		     "this by another process, but other software has changed "
		     "its control register or stopped the unit; \"uncorectl "
		     "program\" and uncore-pmu.service program it anew within "
		     "ten seconds if they can\n", self->tool->text);
	RUN(4, MEMBER_UID, "uncorectl stat -n 1 -e imc0@0/" READS
	    "/,imc0@0/event=4,umask=12/");
	SAID("imc0@0/ctr0 is held for this by another process");
	SAID("uncorectl program 'imc0@0/event=4,umask=12/'\n");
	EXPECT_EQ(0, tool_end(self->holder, SIGTERM));
	units_free(&units);
	close(fd);
}

TEST_F(tool, something_else_stands)
{
	unlink("/tmp/ran");
	ASSERT_EQ(0, tool_start(self->holder, 0, HOLD));
	ASSERT_TRUE(tool_expect(self->holder, "via"));
	RUN(125, MEMBER_UID, "uncorectl stat -e imc0@0/" READS
	    "/,imc0@0/event=4,umask=12/ -- touch /tmp/ran");
	SAID("standing: imc/" READS "/ on 1 unit\n");
	SAID("uncorectl program 'imc0@0/event=4,umask=12/'\n");
	EXPECT_EQ(-1, access("/tmp/ran", F_OK));
	EXPECT_EQ(0, tool_end(self->holder, SIGTERM));
}

TEST_F(tool, by_whatever_name)
{
	ASSERT_EQ(0, tool_start(self->holder, 0, HOLD));
	ASSERT_TRUE(tool_expect(self->holder, "via"));
	RUN(0, MEMBER_UID, "uncorectl stat -n 1 -I 10 -e IMC0@0/event=4,umask=3/"
	    ",imc0@0/unc_m_cas_count.rd/ -e imc0@0/config=0x304");
	EXPECT_EQ(0, tool_end(self->holder, SIGINT));
}

TEST_F(tool, root_programs_for_itself)
{
	RUN(0, 0, "uncorectl stat --csv -o /tmp/csv -e imc0@0/" READS
	    "/ -- uncorectl status --json imc0@0");
	SAID("\"state\": \"claimed\"");
	SAID("\"command\": \"uncorectl\"");
	RUN(0, 0, "cat /tmp/csv");
	SAID(",unit,imc0@0,0,ctr");
	RUN(0, 0, "uncorectl status imc0@0");
	EXPECT_EQ(NULL, strstr(self->tool->text, "claimed"));
}

TEST_F(tool, the_status_of_the_command)
{
	const char *stat = "uncorectl stat -e imc0@0/" READS "/ -- ";
	char line[256];

	RUN(0, 0, "uncorectl stat -e imc0@0/" READS "/ true");
	/* It has the environment that the tool had. */
	RUN(0, 0, "env -u LIBPFM_DISABLED_PMUS uncorectl stat -e imc0@0/" READS
	    "/ -- sh -c 'test -z \"${LIBPFM_DISABLED_PMUS+x}\"'");
	RUN(0, 0, "env LIBPFM_DISABLED_PMUS=x uncorectl stat -e imc0@0/" READS
	    "/ -- sh -c 'test \"$LIBPFM_DISABLED_PMUS\" = x'");
	snprintf(line, sizeof(line), "%ssh -c 'exit 42'", stat);
	RUN(42, 0, line);
	snprintf(line, sizeof(line), "%ssh -c 'kill -9 $$'", stat);
	RUN(128 + SIGKILL, 0, line);
	SAID("counting");
	snprintf(line, sizeof(line), "%snosuch", stat);
	RUN(127, 0, line);
	snprintf(line, sizeof(line), "%s/etc/passwd", stat);
	RUN(126, 0, line);
	snprintf(line, sizeof(line), "%s/", stat);
	RUN(126, 0, line);
}

TEST_F(tool, signals_are_passed_on)
{
	ASSERT_EQ(0, tool_start(self->tool, 0, "exec uncorectl stat -e imc0@0/"
				READS "/ -- sh -c 'echo begun; exec sleep 999'"));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	EXPECT_EQ(128 + SIGTERM, tool_end(self->tool, SIGTERM));
	SAID("counting");
}

TEST_F(tool, a_signal_ends_stat_without_a_command)
{
	ASSERT_EQ(0, tool_start(self->tool, 0, "exec uncorectl stat --csv -e "
				"imc0@0/" READS "/"));
	ASSERT_TRUE(tool_expect(self->tool, "state\n"));
	EXPECT_EQ(0, tool_end(self->tool, SIGINT));
	SAID(",total,imc0@0,,,");
}

TEST_F(tool, what_cannot_be_written)
{
	RUN(1, 0, "uncorectl stat -I 1 -n 1 -e imc0@0/" READS "/ -o /dev/full");
	SAID("uncorectl: /dev/full: No space left on device");
	RUN(1, 0, "uncorectl stat -e imc0@0/" READS "/ -o /nonexistent/x");
	SAID("uncorectl: /nonexistent/x: no such directory: make it first\n");
	RUN(125, 0, "uncorectl stat -e imc0@0/" READS "/ -o / -- true");
	SAID("uncorectl: /: a directory: give -o a file\n");
	RUN(1, 0, "uncorectl program --for 1 imc0@0/" READS "/ >/dev/full");
	EXPECT_STREQ("uncorectl: standard output: No space left on device\n",
		     self->tool->text);
	RUN(1, 0, "uncorectl status --json >&-");
	EXPECT_STREQ("uncorectl: standard output: Bad file descriptor\n",
		     self->tool->text);
	RUN(1, 0, "uncorectl stat -I 1 -n 1 -e imc0@0/" READS "/ >&-");
	EXPECT_STREQ("uncorectl: standard output: Bad file descriptor\n",
		     self->tool->text);
}

/* COMMAND runs, and that its results are lost is no success. */
TEST_F(tool, results_that_are_lost)
{
	static const char *const formats[] = { "", "--csv", "--json" };
	char line[256];
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(formats); i++) {
		snprintf(line, sizeof(line), "uncorectl stat %s -e imc0@0/"
			 READS "/ -o /dev/full -- sh -c 'echo ran; exit 5'",
			 formats[i]);
		RUN(5, 0, line);
		SAID("ran\n");
		SAID("uncorectl: /dev/full: No space left on device\n");
		snprintf(line, sizeof(line), "uncorectl stat %s -e imc0@0/"
			 READS "/ -o /dev/full -- echo ran", formats[i]);
		RUN(125, 0, line);
		SAID("ran\n");
	}
}

/* perf moves the first when it is given the second, which only ctr0 can count. */
TEST_F(tool, events_that_perf_moves)
{
	RUN(0, 0, "uncorectl stat --csv -e r2pcie@0/event=0x20/,"
	    "r2pcie@0/event=0x13/ -- true");
	EXPECT_EQ(NULL, strstr(self->tool->text, "uncertain"));
	SAID(",\"event=0x20,umask=0x00\",unit,r2pcie0@0,0,ctr1,");
	SAID(",\"event=0x13,umask=0x00\",unit,r2pcie0@0,0,ctr0,");
	RUN(0, 0, "uncorectl program --for 0.01 r2pcie@0/event=0x20/ "
	    "r2pcie@0/event=0x13/");
	SAID("r2pcie0@0/ctr1           event=0x20,umask=0x00  via perf\n");
	SAID("r2pcie0@0/ctr0           event=0x13,umask=0x00  via perf\n");
}

/* The same while it is measured, for which it was not released. */
TEST_F(tool, what_became_of_a_counter)
{
	ASSERT_EQ(0, tool_start(self->holder, 0, "exec uncorectl program "
				"r2pcie0@0/event=0x20/"));
	ASSERT_TRUE(tool_expect(self->holder, "via perf"));
	RUN(0, 0, "uncorectl stat -e r2pcie0@0/event=0x20/ -- "
	    "uncorectl program --for 0.01 r2pcie0@0/event=0x13/");
	SAID("uncertain: perf has moved the event to another counter\n");
	ASSERT_EQ(0, tool_start(self->tool, MEMBER_UID, "exec uncorectl stat -e "
				"r2pcie0@0/event=0x20/ -- sh -c 'echo begun; "
				"read x'"));
	ASSERT_TRUE(tool_expect(self->tool, "begun"));
	EXPECT_EQ(0, tool_end(self->holder, SIGTERM));
	tool_say(self->tool, "");
	tool_wait(self->tool);
	SAID("uncertain: released in between\n");
}

/* Registers that are MSRs: perf has them. */
TEST_F(tool, units_of_perf_alone)
{
	RUN(1, 0, "uncorectl stat -e cbox0/event=0/");
	SAID("this machine has no unit cbox0 that can be mapped: only the "
	     "kernel reaches its registers; root measures it with \"perf stat "
	     "-a\"\n");
}

TEST_F(tool, lists_of_events)
{
	RUN(2, 0, "uncorectl stat -e ''");
	RUN(2, 0, "uncorectl stat -e imc/" READS "/,");
	RUN(2, 0, "uncorectl stat -e ,imc/" READS "/");
	RUN(1, 0, "uncorectl stat -e imc/" READS "/,nosuch/x/");
	RUN(2, 0, "uncorectl stat -n 1 -e imc/" READS "/ -- true");
	RUN(0, 0, "uncorectl stat -I 1 -n 1 -e "
	    "imc0@0/event=4,umask=3/,imc1@0/event=4,umask=12/");
}

TEST_F(tool, all_or_nothing)
{
	RUN(1, 0, "uncorectl program imc/" READS "/ imc/nosuch/");
	SAID("imc/nosuch/: ");
	RUN(1, 0, "uncorectl program imc0/event=1/ imc0/event=2/ imc0/event=3/ "
	    "imc0/event=4/ imc/event=5/");
	SAID("uncorectl: imc/event=5/: imc0@0: all counters of the unit that "
	     "could count this are in use");
	SAID("by this command");
	RUN(0, 0, "uncorectl status");
	EXPECT_EQ(NULL, strstr(self->tool->text, "claimed"));
}

TEST_F(tool, the_nearest_names)
{
	RUN(1, 0, "uncorectl program imc/UNC_M_CAS_CONT:RD/");
	SAID("did you mean UNC_M_CAS_COUNT");
	RUN(1, 0, "uncorectl program imx/" READS "/");
	SAID("this machine has no unit imx; did you mean imc or irp?\n");
	RUN(1, 0, "uncorectl program imc/nope/");
	EXPECT_STREQ("uncorectl: imc/nope/: units of type imc have no event "
		     "nope: \"uncorectl events imc\" shows the names there "
		     "are\n", self->tool->text);
	RUN(1, 0, "uncorectl program imc");
	RUN(1, 0, "uncorectl program imc9/" READS "/");
	SAID("uncorectl: imc9/" READS "/: this machine has no unit imc9, but "
	     "imc0, imc1, imc4 and imc5\n");
	RUN(1, 0, "uncorectl program imc0@7/" READS "/");
	SAID("this machine has no unit imc0@7, but imc0@0 and imc0@1\n");
	RUN(1, 0, "uncorectl program qpi2@1/event=1/");
	SAID("qpi2@1 is absent: hidden by the firmware, or not on this die; some "
	     "BIOSes have an option that shows the performance-monitoring "
	     "devices\n");
	RUN(1, 0, "uncorectl program imc/" READS "/,imc/fixed/");
	SAID(" is more than one event: give each by itself, and no comma between "
	     "them\n");
	RUN(1, 0, "uncorectl program imc/" READS ",imc/fixed");
	SAID(" is more than one event: ");
	RUN(1, 0, "uncorectl program ha/UNC_H_ADDR_OPC_MATCH:FILT/");
	SAID("filters are never programmed through uncore_pmu\n");
}

/* The same for names of units alone. */
TEST_F(tool, the_nearest_units)
{
	RUN(3, MEMBER_UID, "uncorectl list imc9");
	SAID("uncorectl: imc9: this machine has no unit imc9, but imc0, imc1, "
	     "imc4 and imc5\n");
	RUN(3, MEMBER_UID, "uncorectl status imd");
	SAID("uncorectl: imd: this machine has no unit imd; did you mean imc or "
	     "irp?\n");
	RUN(1, MEMBER_UID, "uncorectl read imc9/ctr0");
	SAID("uncorectl: imc9: this machine has no unit imc9, but imc0, ");
	RUN(1, MEMBER_UID, "uncorectl read imc0@0/ctr9");
	EXPECT_STREQ("uncorectl: imc0@0/ctr9: no such counter, but ctr0, ctr1, "
		     "ctr2, ctr3, fixed\n", self->tool->text);
	RUN(2, MEMBER_UID, "uncorectl list imc/ctr0");
	EXPECT_STREQ("uncorectl: imc/ctr0: not a name: a unit is imc3@1, imc3, "
		     "imc@1 or imc, a counter imc3@1/ctr0\n",
		     self->tool->text);
}

TEST_F(tool, program_for_a_while)
{
	RUN(0, 0, "uncorectl program --for 0.1 imc0@0/" READS "/ imc0@0/" READS);
	EXPECT_EQ(NULL, strstr(strstr(self->tool->text, "via") + 1, "via"));
}

TEST_F(tool, who_holds_it)
{
	ASSERT_EQ(0, tool_start(self->holder, 0, HOLD));
	ASSERT_TRUE(tool_expect(self->holder, "via"));
	RUN(0, MEMBER_UID, "uncorectl status imc0@0");
	SAID("  held\n");
	EXPECT_EQ(NULL, strstr(self->tool->text, "(uncorectl)"));
	RUN(0, 0, "uncorectl status imc0@0");
	SAID(" (uncorectl)\n");
	SAID("claimed");
	SAID("free");
	RUN(0, MEMBER_UID, "uncorectl status --json imc0@0");
	SAID("\"held\": true");
	SAID("\"pid\": null");
	EXPECT_EQ(128 + SIGKILL, tool_end(self->holder, SIGKILL));
	RUN(0, MEMBER_UID, "uncorectl status imc0@0");
	EXPECT_EQ(NULL, strstr(self->tool->text, "claimed"));
	EXPECT_EQ(NULL, strstr(self->tool->text, "held"));
	RUN(3, MEMBER_UID, "uncorectl status imc99");
}

TEST_F(tool, a_name_of_a_process_is_not_for_the_terminal)
{
	ASSERT_EQ(0, tool_start(self->holder, 0, "cp /usr/bin/uncorectl "
				"\"/tmp/$(printf 'a\\033[1mb')\"; exec "
				"\"/tmp/$(printf 'a\\033[1mb')\" program "
				"imc0@0/" READS));
	ASSERT_TRUE(tool_expect(self->holder, "via"));
	RUN(0, 0, "uncorectl status imc0@0");
	SAID(" (a?[1mb)\n");
	RUN(0, 0, "uncorectl status --json imc0@0");
	SAID("\"a?[1mb\"");
	EXPECT_EQ(0, tool_end(self->holder, SIGTERM));
}

TEST_F(tool, patterns_of_events)
{
	RUN(0, MEMBER_UID, "uncorectl events 'imc/unc_m_cas_count:rd'");
	SAID(READS);
	SAID("64 bytes");
	RUN(0, MEMBER_UID, "uncorectl events 'unc_h_*'");
	EXPECT_EQ(NULL, strstr(self->tool->text, "UNC_M_"));
	SAID("UNC_H_");
	/* as names are written elsewhere, "." between the parts */
	RUN(0, MEMBER_UID, "uncorectl events UNC_M_CAS_COUNT.RD");
	SAID(READS);
	RUN(0, MEMBER_UID, "uncorectl events 'unc_m_cas_count.r?'");
	SAID(READS);
	RUN(1, MEMBER_UID, "uncorectl events nosuchevent");
	SAID("nosuchevent: no event of this machine's units matches");
	RUN(0, MEMBER_UID, "uncorectl events --json cas_count_read");
	SAID("\"name\": \"cas_count_read\"");
	SAID("\"scale\": 64.0");
}

TEST_HARNESS_MAIN
