// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "discovery.h"
#include "prepare.h"
#include "protocol.h"
#include "tsc.h"

/*
 * A processor of which QEMU emulates all features without KVM, with another
 * model number. The hypervisor bit would make the kernel's uncore driver refuse
 * to load.
 */
#define CPU_BASE \
	"SandyBridge,vendor=GenuineIntel,family=6,-hypervisor,-x2apic,-tsc-deadline,-avx,-xsave,-xsaveopt"

void memory_name(char name[16], unsigned int node)
{
	if (node)
		snprintf(name, 16, "ram%u", node);
	else
		snprintf(name, 16, "ram");
}

/* A new sparse file of zeros: the old one may still be mapped by somebody. */
static int create_file(const char *dir, const char *name, uint64_t size,
		       struct report *report)
{
	char path[PATH_MAX];
	int fd;

	if (path_in(path, dir, name, report))
		return -1;
	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail(report, "%s: %s", path, strerror(errno));
	if (ftruncate(fd, size)) {
		close(fd);
		return fail(report, "%s: cannot make it %llu bytes long: %s",
			    path, (unsigned long long)size, strerror(errno));
	}
	close(fd);
	return 0;
}

static int write_pages(const struct machine *machine, const char *discovery,
		       uint8_t *memory, struct report *report)
{
	unsigned int i;

	for (i = 0; i < machine->functions; i++)
		machine_page(machine, &machine->function[i],
			     memory + machine->function[i].address);
	for (i = 0; i < machine->bases; i++) {
		const struct base *b = &machine->base[i];

		if (b->class == BASE_TABLE &&
		    discovery_write(machine, i, discovery,
				    memory + base_table(b), memory +
				    machine->function[b->function].address))
			return fail(report, "--discovery does not know '%.40s'",
				    discovery);
	}
	return 0;
}

static int write_memory(const struct machine *machine, const char *dir,
			const char *discovery, struct report *report)
{
	char path[PATH_MAX], name[16];
	unsigned int i;
	uint8_t *memory;
	int ret;

	/* An earlier machine in this directory may have had more nodes. */
	for (i = 0; i < NODES_MAX; i++) {
		memory_name(name, i);
		if (path_in(path, dir, name, report))
			return -1;
		unlink(path);
	}
	for (i = 0; i < machine->nodes; i++) {
		memory_name(name, i);
		if (create_file(dir, name, machine->memory[i], report))
			return -1;
	}
	memory = map_file(dir, "ram", machine->memory[0], report);
	if (!memory)
		return -1;
	ret = write_pages(machine, discovery, memory, report);
	munmap(memory, machine->memory[0]);
	return ret;
}

static int write_control(const char *dir, struct report *report)
{
	struct sim_page *page;

	if (create_file(dir, "control", SIM_PAGE_SIZE, report))
		return -1;
	page = map_file(dir, "control", SIM_PAGE_SIZE, report);
	if (!page)
		return -1;
	page->magic = SIM_PAGE_MAGIC;
	munmap(page, SIM_PAGE_SIZE);
	return 0;
}

/* Runs the ACPI compiler; its words go to DIR/iasl.log. */
static int compile_ssdt(const char *dir, struct report *report)
{
	char prefix[PATH_MAX], source[PATH_MAX], log[PATH_MAX];
	int status, fd;
	pid_t pid;

	if (path_in(prefix, dir, "ssdt", report) ||
	    path_in(source, dir, "ssdt.asl", report) ||
	    path_in(log, dir, "iasl.log", report))
		return -1;
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail(report, "%s: %s", log, strerror(errno));
	pid = fork();
	if (pid < 0) {
		close(fd);
		return fail(report, "cannot start iasl: %s", strerror(errno));
	}
	if (!pid) {
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		execlp("iasl", "iasl", "-p", prefix, source, NULL);
		_exit(127);
	}
	close(fd);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(report, "iasl: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return fail(report, "cannot run iasl; install acpica-tools");
	if (status)
		return fail(report, "iasl failed; see %s", log);
	return 0;
}

static int write_tables(const struct machine *machine, const char *dir,
			enum mcfg_variant variant, struct report *report)
{
	uint8_t mcfg[MCFG_SIZE_MAX];
	struct text ssdt = { 0 };
	size_t size;
	int ret;

	size = acpi_mcfg(machine, variant, mcfg);
	if (write_file(dir, "mcfg.bin", mcfg, size, report))
		return -1;
	acpi_ssdt(machine, variant, &ssdt);
	ret = write_file(dir, "ssdt.asl", ssdt.data, ssdt.length, report);
	text_free(&ssdt);
	return ret ? ret : compile_ssdt(dir, report);
}

/* In QEMU's option syntax a comma in a value is written twice. */
static void add_path(struct text *text, const char *dir, const char *name)
{
	const char *p;

	for (p = dir; *p; p++)
		text_add(text, *p == ',' ? ",," : "%c", *p);
	text_add(text, "/%s", name);
}

static void add_memory(const struct machine *machine, const char *dir,
		       struct text *text)
{
	unsigned int sockets = machine->sockets_with_cpus;
	unsigned int cores = machine->cpus / sockets, i;
	char name[16];

	text_add(text, "-m\n%lluM\n",
		 (unsigned long long)machine_memory(machine) >> 20);
	for (i = 0; i < machine->nodes; i++) {
		memory_name(name, i);
		text_add(text, "-object\nmemory-backend-file,id=ram%u,share=on,size=%lluM,mem-path=",
			 i, (unsigned long long)machine->memory[i] >> 20);
		add_path(text, dir, name);
		text_add(text, "\n-numa\nnode,nodeid=%u,memdev=ram%u\n", i, i);
	}
	for (i = 0; i < machine->cpus; i++)
		text_add(text, "-numa\ncpu,node-id=%u,socket-id=%u,core-id=%u\n",
			 i * machine->nodes / machine->cpus, i / cores,
			 i % cores);
}

static int write_arguments(const struct machine *machine, const char *dir,
			   enum mcfg_variant variant, struct report *report)
{
	const struct platform *platform = machine->platform;
	unsigned int sockets = machine->sockets_with_cpus;
	unsigned int khz = tsc_khz();
	struct text text = { 0 };
	int ret;

	/* The machine type matters: "pc" has no MCFG of its own. */
	text_add(&text, "-machine\npc\n");
	text_add(&text, "-cpu\n" CPU_BASE ",model=%u,stepping=%u,model-id=Intel(R) simulated uncore (%s)\n",
		 platform->cpu_model, platform->cpu_stepping, platform->name);
	text_add(&text, "-smp\n%u,sockets=%u,cores=%u,threads=1\n",
		 machine->cpus, sockets, machine->cpus / sockets);
	add_memory(machine, dir, &text);
	if (variant != MCFG_MISSING) {
		text_add(&text, "-acpitable\nfile=");
		add_path(&text, dir, "mcfg.bin\n");
	}
	text_add(&text, "-acpitable\nfile=");
	add_path(&text, dir, "ssdt.aml\n");
	text_add(&text, "-object\nmemory-backend-file,id=simctl,share=on,size=%u,mem-path=",
		 SIM_PAGE_SIZE);
	add_path(&text, dir, "control\n");
	text_add(&text, "-device\nivshmem-plain,memdev=simctl\n");
	ret = write_file(dir, "qemu.args", text.data, text.length, report);
	text_free(&text);
	if (ret)
		return ret;

	/*
	 * memmap: what plays the hardware is no System RAM. norom: Linux
	 * finds out whether a function has a ROM by writing ones and reading
	 * back, which it does before the host process has put back the zeros.
	 * mitigations: otherwise the kernel warns of what it cannot mitigate on
	 * some of these processor models, and the emulation gets slow.
	 */
	text_add(&text, "memmap=0x%llx$0x%llx pci=norom mitigations=off",
		 (unsigned long long)machine->reserved_size, LOW_MEMORY);
	if (khz)
		text_add(&text, " tsc_early_khz=%u", khz);
	text_add(&text, "\n");
	ret = write_file(dir, "cmdline", text.data, text.length, report);
	text_free(&text);
	return ret;
}

/* "run" makes the same machine of the copies. */
static int copy_file(const char *from, const char *dir, const char *name,
		     struct report *report)
{
	struct text text = { 0 };
	char buffer[4096];
	FILE *file;
	size_t n;
	int ret;

	file = fopen(from, "re");
	if (!file)
		return fail(report, "%s: %s", from, strerror(errno));
	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		text_add(&text, "%.*s", (int)n, buffer);
	if (ferror(file))
		ret = fail(report, "%s: cannot read: %s", from, strerror(errno));
	else
		ret = write_file(dir, name, text.data, text.length, report);
	fclose(file);
	text_free(&text);
	return ret;
}

static int copy_listing(const struct listing *listing, const char *path,
			const char *dir, struct report *report)
{
	const char *file = listing->discovery_file;
	const char *slash = strrchr(file, '/');

	if (*file && copy_file(file, dir, slash ? slash + 1 : file, report))
		return -1;
	return copy_file(path, dir, "listing", report);
}

static int write_all(const struct machine *machine, const char *dir,
		     enum mcfg_variant variant, const char *discovery,
		     struct report *report)
{
	if (write_memory(machine, dir, discovery, report) ||
	    write_control(dir, report) ||
	    write_tables(machine, dir, variant, report))
		return -1;
	return write_arguments(machine, dir, variant, report);
}

int prepare(const char *listing_path, const char *dir,
	    enum mcfg_variant variant, const char *discovery,
	    struct report *report)
{
	struct listing listing;
	struct machine machine;
	char path[PATH_MAX];
	int ret, lock;

	if (listing_read(listing_path, &listing, report))
		return -1;
	ret = machine_build(&listing, &machine, report);
	if (ret) {
		char text[sizeof(report->text)];

		memcpy(text, report->text, sizeof(text));
		fail(report, "%s: %.900s", listing_path, text);
		goto out_listing;
	}
	if (machine.platform->ubox && listing.sockets &&
	    listing.sockets != machine.sockets)
		fprintf(stderr, "uncore-sim: %s: says %u sockets but shows %u; using %u\n",
			listing_path, listing.sockets, machine.sockets,
			machine.sockets);

	if (mkdir(dir, 0777) && errno != EEXIST) {
		ret = fail(report, "%s: %s", dir, strerror(errno));
		goto out_machine;
	}
	if (!realpath(dir, path)) {
		ret = fail(report, "%s: %s", dir, strerror(errno));
		goto out_machine;
	}
	lock = lock_directory(path, report);
	ret = lock;
	if (lock < 0)
		goto out_machine;
	ret = write_all(&machine, path, variant, discovery, report);
	if (!ret)
		ret = copy_listing(&listing, listing_path, path, report);
	close(lock);

out_machine:
	machine_free(&machine);
out_listing:
	listing_free(&listing);
	return ret;
}
