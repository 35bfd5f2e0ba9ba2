// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=host timeout=120 */
/* The control page, the host process and its command line, and simctl. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acpi.h"
#include "bench.h"
#include "protocol.h"
#include "tap.h"

#define LISTING		"machines/hsx-2s-dell-r530.lspci"
#define ENABLE		(1u << 22)
#define COUNTER0	0xa0
#define CONTROL0	0xd8

static struct bench bench;
static struct sim_addr imc;
static uint8_t *page;

static bool start(void)
{
	if (!EXPECT(bench_start(&bench, LISTING)))
		return false;
	imc = address("0001:ff:14.0");
	page = bench_page(&bench, imc);
	put32(page, CONTROL0, ENABLE);
	return EXPECT_EQ(sim_sync(bench.sim), 0);
}

static void test_hold(void)
{
	uint64_t value = 0;

	if (start()) {
		EXPECT_EQ(sim_set(bench.sim, imc, 0, 0x1fffffff0), 0);
		EXPECT_EQ(sim_hold(bench.sim, imc, 0, 0x200000005), 0);
		EXPECT_EQ(get64(page, COUNTER0), 0x100000005);
		EXPECT_EQ(sim_get(bench.sim, imc, 0, &value), 0);
		EXPECT_EQ(value, 0x200000005);
		EXPECT_EQ(sim_hold(bench.sim, imc, 0, 0), -EBUSY);
		/* It counts on behind what is visible, which nobody can write. */
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 2), 0);
		put32(page, COUNTER0, 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get64(page, COUNTER0), 0x100000005);
		EXPECT_EQ(sim_release(bench.sim, imc, 0), 0);
		EXPECT_EQ(get64(page, COUNTER0), 0x200000007);
		EXPECT_EQ(sim_release(bench.sim, imc, 0), 0);
		EXPECT_EQ(sim_hold(bench.sim, imc, 0, 1ull << 48), -EINVAL);
	}
	bench_stop(&bench);
}

static bool all_ones(const uint8_t *at)
{
	unsigned int i;

	for (i = 0; i < CONFIG_PAGE_SIZE; i += 4)
		if (get32(at, i) != 0xffffffff)
			return false;
	return true;
}

static void test_hide(void)
{
	struct sim_addr inert = address("0001:00:00.0");
	struct sim_unit unit;
	uint64_t value = 0;

	if (start()) {
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 77), 0);
		EXPECT_EQ(sim_hide(bench.sim, imc, true), 0);
		EXPECT(all_ones(page));
		EXPECT_EQ(sim_describe(bench.sim, imc, &unit), 0);
		EXPECT(unit.hidden);
		EXPECT_EQ(unit.vendor, 0x8086);
		EXPECT_EQ(unit.device, 0x2fb0);
		/* Nothing is there that could be written, or count. */
		put32(page, CONTROL0, 0);
		put32(page, 0x800, 0);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT(all_ones(page));
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), -EAGAIN);
		EXPECT_EQ(sim_set(bench.sim, imc, 0, 78), 0);
		EXPECT(all_ones(page));
		EXPECT_EQ(sim_hide(bench.sim, imc, true), 0);
		EXPECT_EQ(sim_hide(bench.sim, imc, false), 0);
		EXPECT_EQ(get32(page, 0), 0x2fb08086);
		EXPECT_EQ(get32(page, CONTROL0), ENABLE);
		EXPECT_EQ(get64(page, COUNTER0), 78);
		EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
		EXPECT_EQ(sim_get(bench.sim, imc, 0, &value), 0);
		EXPECT_EQ(value, 79);

		EXPECT_EQ(sim_hide(bench.sim, inert, true), 0);
		EXPECT(all_ones(bench_page(&bench, inert)));
		EXPECT_EQ(sim_hide(bench.sim, inert, false), 0);
		EXPECT_EQ(get32(bench_page(&bench, inert), 0), 0x2f008086);
	}
	bench_stop(&bench);
}

static void test_set_id(void)
{
	if (start()) {
		EXPECT_EQ(sim_set_id(bench.sim, imc, 0x8086, 0x1234), 0);
		EXPECT_EQ(get32(page, 0), 0x12348086);
		put32(page, 0, 0x2fb08086);
		EXPECT_EQ(sim_sync(bench.sim), 0);
		EXPECT_EQ(get32(page, 0), 0x12348086);
		/* While hidden it shows later. */
		EXPECT_EQ(sim_hide(bench.sim, imc, true), 0);
		EXPECT_EQ(sim_set_id(bench.sim, imc, 0x8086, 0x2fb0), 0);
		EXPECT(all_ones(page));
		EXPECT_EQ(sim_hide(bench.sim, imc, false), 0);
		EXPECT_EQ(get32(page, 0), 0x2fb08086);
	}
	bench_stop(&bench);
}

/* As the guest has it; NULL on failure. */
static struct sim_page *map_control(void)
{
	struct report report;

	return map_file(bench.dir, "control", SIM_PAGE_SIZE, &report);
}

static void test_bad_commands(void)
{
	struct sim_addr inert = address("0001:00:00.0");
	struct sim_addr none = address("0001:ff:14.0");
	struct sim_page *raw;
	uint64_t value;

	if (!start()) {
		bench_stop(&bench);
		return;
	}
	none.segment = 0;
	EXPECT_EQ(sim_get(bench.sim, none, 0, &value), -ENXIO);
	none.segment = 0x10001;
	EXPECT_EQ(sim_get(bench.sim, none, 0, &value), -ENXIO);
	EXPECT_EQ(sim_get(bench.sim, address("0001:fe:14.0"), 0, &value),
		  -ENXIO);
	none = imc;
	none.device = 0xff;
	none.function = 0xff;
	EXPECT_EQ(sim_get(bench.sim, none, 0, &value), -ENXIO);
	EXPECT_EQ(sim_get(bench.sim, imc, 5, &value), -EINVAL);
	EXPECT_EQ(sim_get(bench.sim, imc, UINT32_MAX, &value), -EINVAL);
	EXPECT_EQ(sim_get(bench.sim, inert, 0, &value), -EINVAL);
	EXPECT_EQ(sim_mcfg(bench.sim, SIM_MCFG_REVERSED + 1, 0), -EINVAL);

	/* Straight into the page: a command that nobody has heard of. */
	raw = map_control();
	if (EXPECT(raw)) {
		raw->command = 0xdeadbeef;
		raw->segment = 1;
		raw->bus = 0xff;
		raw->device = 0x14;
		raw->function = 0;
		__atomic_add_fetch(&raw->posted, 1, __ATOMIC_SEQ_CST);
		while (__atomic_load_n(&raw->done, __ATOMIC_SEQ_CST) !=
		       raw->posted)
			usleep(100);
		EXPECT_EQ(raw->result, -EOPNOTSUPP);
		munmap(raw, SIM_PAGE_SIZE);
	}
	EXPECT_EQ(sim_add(bench.sim, imc, 0, 1), 0);
	bench_stop(&bench);
}

/*
 * Who posted a command and was killed: the next one must not change what the
 * host process is just reading.
 */
static void test_killed_user(void)
{
	struct sim_page *raw;
	unsigned int i;

	if (start() && EXPECT((raw = map_control()))) {
		for (i = 0; i < 200; i++) {
			raw->command = SIM_COMMAND_ADD;
			raw->segment = 1;
			raw->bus = 0xff;
			raw->device = 0x14;
			raw->function = 0;
			raw->counter = 0;
			raw->argument = 1;
			__atomic_add_fetch(&raw->posted, 1, __ATOMIC_SEQ_CST);
			EXPECT_EQ(sim_set(bench.sim, imc, 1, i), 0);
			EXPECT_EQ(get64(page, COUNTER0), i + 1);
			EXPECT_EQ(get64(page, COUNTER0 + 8), i);
		}
		munmap(raw, SIM_PAGE_SIZE);
	}
	bench_stop(&bench);
}

#define ADDERS		4
#define ADDITIONS	200

/* Each with a control page of its own, as programs in the guest have. */
static int add_many(void)
{
	char path[PATH_MAX];
	struct sim *sim;
	unsigned int i;

	snprintf(path, sizeof(path), "%s/control", bench.dir);
	if (sim_open_file(&sim, path))
		return 1;
	for (i = 0; i < ADDITIONS; i++)
		if (sim_add(sim, imc, 0, 1))
			return 1;
	sim_close(sim);
	return 0;
}

static void test_many_users(void)
{
	unsigned int i;
	int status;

	if (start()) {
		for (i = 0; i < ADDERS; i++)
			if (!fork())
				_exit(add_many());
		for (i = 0; i < ADDERS; i++) {
			EXPECT(wait(&status) > 0);
			EXPECT_EQ(status, 0);
		}
		EXPECT_EQ(get64(page, COUNTER0), ADDERS * ADDITIONS);
	}
	bench_stop(&bench);
}

static bool torn, watching;

static void *watch(void *arg)
{
	const uint64_t *counter = arg;

	while (__atomic_load_n(&watching, __ATOMIC_RELAXED)) {
		uint64_t value = __atomic_load_n(counter, __ATOMIC_RELAXED);

		if (value != 0xffffffff && value != 0x100000000)
			torn = true;
	}
	return NULL;
}

static void test_never_torn(void)
{
	pthread_t thread;
	unsigned int i;

	if (start() &&
	    EXPECT_EQ(sim_set(bench.sim, imc, 0, 0xffffffff), 0)) {
		watching = true;
		torn = false;
		pthread_create(&thread, NULL, watch, page + COUNTER0);
		for (i = 0; i < 500; i++) {
			sim_set(bench.sim, imc, 0, 0x100000000);
			sim_set(bench.sim, imc, 0, 0xffffffff);
		}
		__atomic_store_n(&watching, false, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
		EXPECT(!torn);
	}
	bench_stop(&bench);
}

static void expect_shell(const char *command, int want_status,
			 const char *want_output)
{
	char output[8192];

	EXPECT_EQ(bench_shell(output, sizeof(output), "%s/%s 2>&1",
			      bench_programs(), command), want_status);
	if (want_output)
		EXPECT_STR(output, want_output);
}

static void test_prepare_errors(void)
{
	char command[2 * PATH_MAX], output[8192];

	expect_shell("uncore-sim --help | head -n 1", 0,
		     "usage: uncore-sim prepare --machine LISTING --dir DIR [--mcfg ok|missing|base|buses]\n");
	EXPECT_EQ(bench_shell(output, sizeof(output), "%s/uncore-sim 2>&1",
			      bench_programs()), 2);
	expect_shell("uncore-sim prepare --machine x 2>&1 | head -n 1", 0,
		     "uncore-sim: --dir is missing\n");
	expect_shell("uncore-sim prepare --dir x 2>&1 | head -n 1", 0,
		     "uncore-sim: --machine is missing\n");
	expect_shell("uncore-sim prepare --dir x --machine y --mcfg z 2>&1 | head -n 1",
		     0, "uncore-sim: --mcfg does not know z\n");
	expect_shell("uncore-sim play --dir x 2>&1 | head -n 1", 0,
		     "uncore-sim: unknown command play\n");
	expect_shell("uncore-sim prepare --dir x --oops 2>&1 | head -n 1", 0,
		     "uncore-sim: wrong option --oops\n");
	expect_shell("uncore-sim prepare --dir /tmp --machine /nowhere/x.lspci",
		     1, "uncore-sim: /nowhere/x.lspci: No such file or directory; give a listing made with 'lspci -Dn'\n");
	snprintf(command, sizeof(command),
		 "uncore-sim prepare --dir /nowhere/x --machine %s/" LISTING,
		 SIM_DIR);
	expect_shell(command, 1,
		     "uncore-sim: /nowhere/x: No such file or directory\n");
	expect_shell("uncore-sim run --dir /nowhere", 1,
		     "uncore-sim: /nowhere/listing: No such file or directory; give a listing made with 'lspci -Dn'\n");
}

static void test_life(void)
{
	char want[PATH_MAX], command[PATH_MAX];
	uint64_t value;

	if (start()) {
		snprintf(command, sizeof(command), "uncore-sim run --dir %s",
			 bench.dir);
		snprintf(want, sizeof(want),
			 "uncore-sim: %s: another uncore-sim plays this machine; stop it or use another directory\n",
			 bench.dir);
		expect_shell(command, 1, want);
		kill(bench.pid, SIGTERM);
		EXPECT_EQ(bench_wait(&bench), 0);
	}
	bench_stop(&bench);

	/* It ends with its standard input as well. */
	if (start()) {
		close(bench.input);
		bench.input = -1;
		EXPECT_EQ(bench_wait(&bench), 0);
		/* Nobody answers. */
		EXPECT_EQ(sim_get(bench.sim, imc, 0, &value), -ETIMEDOUT);
	}
	bench_stop(&bench);
}

static void test_files(void)
{
	char output[8192];

	if (start()) {
		EXPECT_EQ(bench_shell(output, sizeof(output),
				      "sed 's/ tsc_early_khz=[1-9][0-9]*$//' %s/cmdline",
				      bench.dir), 0);
		EXPECT_STR(output,
			   "memmap=0x10000000$0x20000000 pci=norom mitigations=off\n");
		EXPECT_EQ(bench_shell(output, sizeof(output),
				      "grep -A1 -e '^-smp' -e '^-m$' %s/qemu.args | tr '\\n' ' '",
				      bench.dir), 0);
		EXPECT_STR(output,
			   "-smp 2,sockets=2,cores=1,threads=1 -m 960M ");
		EXPECT_EQ(bench_shell(output, sizeof(output),
				      "grep -c acpitable %s/qemu.args",
				      bench.dir), 0);
		EXPECT_STR(output, "2\n");
	}
	bench_stop(&bench);
}

static void test_simctl(void)
{
	char command[PATH_MAX];
#define SIMCTL(arguments, status, output) do { \
	snprintf(command, sizeof(command), "simctl --file %s/control %s", \
		 bench.dir, arguments); \
	expect_shell(command, status, output); \
} while (0)

	if (start()) {
		SIMCTL("add 0001:ff:14.0 0 1000", 0, "");
		SIMCTL("get 0001:ff:14.0 0", 0, "1000\n");
		SIMCTL("get ff:14.0 0", 0, "1000\n");
		SIMCTL("set 0001:ff:14.0 4 0xffff", 0, "");
		SIMCTL("get 0001:ff:14.0 4", 0, "65535\n");
		SIMCTL("hold 0001:ff:14.0 0 0x100000001", 0, "");
		EXPECT_EQ(get64(page, COUNTER0), 1);
		SIMCTL("release 0001:ff:14.0 0", 0, "");
		EXPECT_EQ(get64(page, COUNTER0), 0x100000001);
		SIMCTL("id 0001:ff:14.0 8086:abcd", 0, "");
		EXPECT_EQ(get32(page, 0), 0xabcd8086);
		SIMCTL("hide 0001:ff:14.0", 0, "");
		EXPECT(all_ones(page));
		SIMCTL("describe 0001:ff:14.0", 0,
		       "id 8086:2fb0\nhidden 1\ngeneral 4 of 48 bits\nfixed 1 of 48 bits\n");
		SIMCTL("show 0001:ff:14.0", 0, "");
		SIMCTL("start", 0, "");
		SIMCTL("stop", 0, "");
		SIMCTL("sync", 0, "");
		SIMCTL("add 0001:ff:14.0 1 1", 1,
		       "simctl: the counter is not counting; enable it and its unit\n");
		SIMCTL("get 0001:ff:14.0 9", 1,
		       "simctl: no such counter, or the number or name is out of range\n");
		SIMCTL("get 0002:ff:14.0 0", 1,
		       "simctl: the machine has no function at this address, or not with such a unit\n");
		SIMCTL("mcfg ok", 1,
		       "simctl: there is no MCFG in the machine's memory\n");
		SIMCTL("get 0001:ff:14.0 2>&1 | head -n 1", 0,
		       "simctl: cannot understand get\n");
		SIMCTL("add 0001:ff:14.8 0 1 2>&1 | head -n 1", 0,
		       "simctl: cannot understand add\n");
		SIMCTL("add 0001:ff:14.0 0 -1 2>&1 | head -n 1", 0,
		       "simctl: cannot understand add\n");
	}
	bench_stop(&bench);
	expect_shell("simctl --file /dev/null get 0001:ff:14.0 0", 1,
		     "simctl: no control page; this works in the simulated machine only\n");
}

int main(int argc, char **argv)
{
	static const struct tap_test tests[] = {
		{ "hold and release", test_hold },
		{ "hide and show", test_hide },
		{ "break the ids", test_set_id },
		{ "bad commands", test_bad_commands },
		{ "several users of the control page", test_many_users },
		{ "a user that was killed", test_killed_user },
		{ "no torn values", test_never_torn },
		{ "errors of the command line", test_prepare_errors },
		{ "end of the host process", test_life },
		{ "files for QEMU", test_files },
		{ "simctl", test_simctl },
	};

	(void)argc;
	bench_init(argv[0]);
	return tap_run(tests, ARRAY_SIZE(tests));
}
