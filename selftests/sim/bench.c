// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static char programs[PATH_MAX];

void bench_init(const char *argv0)
{
	char *slash;

	if (!realpath(argv0, programs)) {
		perror(argv0);
		exit(1);
	}
	slash = strrchr(programs, '/');
	*slash = '\0';
}

const char *bench_programs(void)
{
	return programs;
}

int bench_shell(char *output, size_t size, const char *format, ...)
{
	char command[2 * PATH_MAX];
	size_t length;
	va_list args;
	FILE *pipe;
	int status;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	pipe = popen(command, "re");
	if (!pipe)
		return -1;
	length = fread(output, 1, size - 1, pipe);
	output[length] = '\0';
	status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int machine_from_text(const char *text, struct machine *machine,
		      struct report *report)
{
	FILE *stream = fmemopen((void *)text, strlen(text), "r");
	struct listing listing;
	int ret;

	report->text[0] = '\0';
	if (!stream)
		return -1;
	ret = listing_parse(stream, "m", &listing, report);
	fclose(stream);
	if (ret)
		return ret;
	ret = machine_build(&listing, machine, report);
	listing_free(&listing);
	return ret;
}

int machine_from_file(const char *name, struct machine *machine,
		      struct report *report)
{
	struct listing listing;
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), SIM_DIR "/%s", name);
	ret = listing_read(path, &listing, report);
	if (!ret) {
		ret = machine_build(&listing, machine, report);
		listing_free(&listing);
	}
	if (ret)
		printf("# %s\n", report->text);
	return ret;
}

/* Starts "uncore-sim run" and waits for its "ready". */
static bool start_run(struct bench *bench)
{
	char path[PATH_MAX + 16], line[8] = "";
	int input[2], output[2];
	size_t length = 0;

	if (pipe2(input, O_CLOEXEC) || pipe2(output, O_CLOEXEC))
		return false;
	snprintf(path, sizeof(path), "%s/uncore-sim", programs);
	bench->pid = fork();
	if (!bench->pid) {
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		execl(path, "uncore-sim", "run", "--dir", bench->dir, NULL);
		_exit(127);
	}
	close(input[0]);
	close(output[1]);
	bench->input = input[1];
	bench->output = output[0];
	while (length < 6) {
		ssize_t n = read(bench->output, line + length, 6 - length);

		if (n <= 0)
			return false;
		length += n;
	}
	return !strcmp(line, "ready\n");
}

static bool map_machine(struct bench *bench)
{
	struct listing listing;
	struct report report;
	char path[PATH_MAX];
	unsigned int i;
	int ret;

	snprintf(path, sizeof(path), "%s/listing", bench->dir);
	if (listing_read(path, &listing, &report))
		return false;
	ret = machine_build(&listing, &bench->machine, &report);
	listing_free(&listing);
	for (i = 0; !ret && i < bench->machine.nodes; i++) {
		char name[16];

		snprintf(name, sizeof(name), i ? "ram%u" : "ram", i);
		bench->memory[i] = map_file(bench->dir, name,
					    bench->machine.memory[i],
					    &report);
		if (!bench->memory[i])
			ret = -1;
	}
	return !ret;
}

bool bench_start(struct bench *bench, const char *listing)
{
	char output[4096], path[PATH_MAX];

	memset(bench, 0, sizeof(*bench));
	bench->input = -1;
	bench->output = -1;
	strcpy(bench->dir, access("/dev/shm", W_OK) ?
	       "/tmp/sim_test.XXXXXX" : "/dev/shm/sim_test.XXXXXX");
	if (!mkdtemp(bench->dir))
		return false;
	if (bench_shell(output, sizeof(output),
			"%s/uncore-sim prepare --machine %s/%s --dir %s 2>&1",
			programs, SIM_DIR, listing, bench->dir)) {
		printf("# %s", output);
		return false;
	}
	if (!map_machine(bench) || !start_run(bench)) {
		printf("# cannot play %s\n", listing);
		return false;
	}
	snprintf(path, sizeof(path), "%s/control", bench->dir);
	return !sim_open_file(&bench->sim, path) &&
	       !sim_clock(bench->sim, false);
}

int bench_wait(struct bench *bench)
{
	int status;

	if (bench->pid <= 0 || waitpid(bench->pid, &status, 0) < 0)
		return -1;
	bench->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void bench_stop(struct bench *bench)
{
	char output[256];
	unsigned int i;

	sim_close(bench->sim);
	if (bench->input >= 0)
		close(bench->input);
	if (bench->output >= 0)
		close(bench->output);
	bench_wait(bench);
	for (i = 0; i < NODES_MAX; i++)
		if (bench->memory[i])
			munmap(bench->memory[i], bench->machine.memory[i]);
	machine_free(&bench->machine);
	if (bench->dir[0])
		bench_shell(output, sizeof(output), "rm -rf %s", bench->dir);
}

struct sim_addr address(const char *text)
{
	struct sim_addr addr;

	if (sim_parse_addr(text, &addr))
		abort();
	return addr;
}

uint8_t *bench_page(struct bench *bench, struct sim_addr addr)
{
	const struct function *f = machine_find(&bench->machine, addr.segment,
						addr.bus, addr.device,
						addr.function);

	if (!f)
		abort();
	return bench->memory[0] + f->address;
}

uint8_t *bench_unit(struct bench *bench, struct sim_addr addr)
{
	struct sim_unit unit;

	if (sim_describe(bench->sim, addr, &unit))
		abort();
	return bench->memory[0] + unit.address;
}

uint32_t get32(const uint8_t *page, unsigned int offset)
{
	return *(const volatile uint32_t *)(page + offset);
}

void put32(uint8_t *page, unsigned int offset, uint32_t value)
{
	*(volatile uint32_t *)(page + offset) = value;
}

/* By halves, as configuration space is read. */
uint64_t get64(const uint8_t *page, unsigned int offset)
{
	return (uint64_t)get32(page, offset + 4) << 32 | get32(page, offset);
}
