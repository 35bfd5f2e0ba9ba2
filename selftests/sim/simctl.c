// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"
#include "simctl.h"
#include "variants.h"

#define PCI_DEVICES	"/sys/bus/pci/devices"
#define POLL_US		50
/*
 * With -icount the guest's clock may run ahead of the host's, so time alone
 * does not prove that the host process had its chance.
 */
#define POLLS_AT_LEAST	5000

struct sim {
	int fd;
	struct sim_page *page;
};

/* Reads a number from a sysfs attribute, -1 if there is none. */
static long read_attribute(const char *device, const char *name)
{
	char path[PATH_MAX], text[32];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), PCI_DEVICES "/%s/%s", device, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return -1;
	text[length] = '\0';
	return strtol(text, NULL, 0);
}

/* Memory decoding is on after the firmware, unless somebody turned it off. */
static void enable_device(const char *device)
{
	char path[PATH_MAX];
	int fd;

	if (read_attribute(device, "enable") > 0)
		return;
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/enable", device);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, "1", 1) != 1)
		fprintf(stderr, "simctl: cannot enable %s\n", device);
	close(fd);
}

/* The bench's own devices are on segment 0; a listing may name the same ids. */
static int find_control(char *path, size_t size)
{
	struct dirent *entry;
	int ret = -ENODEV;
	DIR *dir;

	dir = opendir(PCI_DEVICES);
	if (!dir)
		return -ENODEV;
	while (ret && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "0000:", 5) ||
		    read_attribute(entry->d_name, "vendor") != SIM_PCI_VENDOR ||
		    read_attribute(entry->d_name, "device") != SIM_PCI_DEVICE)
			continue;
		enable_device(entry->d_name);
		snprintf(path, size, PCI_DEVICES "/%s/resource2",
			 entry->d_name);
		ret = 0;
	}
	closedir(dir);
	return ret;
}

int sim_open_file(struct sim **out, const char *path)
{
	struct sim *sim;
	int ret;

	sim = calloc(1, sizeof(*sim));
	if (!sim)
		return -ENOMEM;
	sim->fd = open(path, O_RDWR | O_CLOEXEC);
	if (sim->fd < 0) {
		ret = -errno;
		goto err_free;
	}
	sim->page = mmap(NULL, SIM_PAGE_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED, sim->fd, 0);
	if (sim->page == MAP_FAILED) {
		ret = -errno;
		goto err_close;
	}
	if (sim->page->magic != SIM_PAGE_MAGIC) {
		ret = -ENODEV;
		goto err_unmap;
	}
	*out = sim;
	return 0;

err_unmap:
	munmap(sim->page, SIM_PAGE_SIZE);
err_close:
	close(sim->fd);
err_free:
	free(sim);
	return ret;
}

int sim_open(struct sim **out)
{
	char path[PATH_MAX];
	int ret;

	ret = find_control(path, sizeof(path));
	if (ret)
		return ret;
	return sim_open_file(out, path);
}

void sim_close(struct sim *sim)
{
	if (!sim)
		return;
	munmap(sim->page, SIM_PAGE_SIZE);
	close(sim->fd);
	free(sim);
}

static long elapsed_ms(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000 +
	       (now.tv_nsec - since->tv_nsec) / 1000000;
}

static int wait_done(struct sim_page *page, uint32_t sequence)
{
	const struct timespec pause = { .tv_nsec = POLL_US * 1000 };
	struct timespec start;
	long polls;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (polls = 0;; polls++) {
		if (__atomic_load_n(&page->done, __ATOMIC_ACQUIRE) == sequence)
			return page->result;
		if (polls > POLLS_AT_LEAST &&
		    elapsed_ms(&start) > SIM_TIMEOUT_MS)
			return -ETIMEDOUT;
		nanosleep(&pause, NULL);
	}
}

/* Posts one command and waits; @name and @reply may be NULL. */
static int command_name(struct sim *sim, uint32_t code,
			const struct sim_addr *addr, const char *name,
			uint32_t counter, uint64_t argument, uint64_t *reply)
{
	struct sim_page *page = sim->page;
	uint32_t sequence;
	int ret;

	while (flock(sim->fd, LOCK_EX))
		if (errno != EINTR)
			return -errno;

	/* Who posted the last one may have been killed meanwhile. */
	if (wait_done(page, page->posted) == -ETIMEDOUT) {
		flock(sim->fd, LOCK_UN);
		return -ETIMEDOUT;
	}
	page->command = code;
	page->segment = addr ? addr->segment : 0;
	page->bus = addr ? addr->bus : 0;
	page->device = addr ? addr->device : 0;
	page->function = addr ? addr->function : 0;
	page->unit = addr ? addr->unit : 0;
	strncpy(page->name, name ? name : "", sizeof(page->name));
	page->counter = counter;
	page->argument = argument;
	sequence = page->posted + 1;
	__atomic_store_n(&page->posted, sequence, __ATOMIC_RELEASE);

	ret = wait_done(page, sequence);
	if (!ret && reply)
		memcpy(reply, page->reply, sizeof(page->reply));

	flock(sim->fd, LOCK_UN);
	return ret;
}

static int command(struct sim *sim, uint32_t code, const struct sim_addr *addr,
		   uint32_t counter, uint64_t argument, uint64_t *reply)
{
	return command_name(sim, code, addr, NULL, counter, argument, reply);
}

int sim_clock(struct sim *sim, bool run)
{
	return command(sim, SIM_COMMAND_CLOCK, NULL, 0, run, NULL);
}

int sim_sync(struct sim *sim)
{
	return command(sim, SIM_COMMAND_SYNC, NULL, 0, 0, NULL);
}

int sim_add(struct sim *sim, struct sim_addr addr, unsigned int counter,
	    uint64_t n)
{
	return command(sim, SIM_COMMAND_ADD, &addr, counter, n, NULL);
}

int sim_set(struct sim *sim, struct sim_addr addr, unsigned int counter,
	    uint64_t value)
{
	return command(sim, SIM_COMMAND_SET, &addr, counter, value, NULL);
}

int sim_get(struct sim *sim, struct sim_addr addr, unsigned int counter,
	    uint64_t *value)
{
	uint64_t reply[SIM_REPLY_WORDS];
	int ret;

	ret = command(sim, SIM_COMMAND_GET, &addr, counter, 0, reply);
	if (!ret)
		*value = reply[0];
	return ret;
}

int sim_hold(struct sim *sim, struct sim_addr addr, unsigned int counter,
	     uint64_t next)
{
	return command(sim, SIM_COMMAND_HOLD, &addr, counter, next, NULL);
}

int sim_release(struct sim *sim, struct sim_addr addr, unsigned int counter)
{
	return command(sim, SIM_COMMAND_RELEASE, &addr, counter, 0, NULL);
}

int sim_hide(struct sim *sim, struct sim_addr addr, bool hidden)
{
	return command(sim, SIM_COMMAND_HIDE, &addr, 0, hidden, NULL);
}

int sim_set_id(struct sim *sim, struct sim_addr addr, uint16_t vendor,
	       uint16_t device)
{
	return command(sim, SIM_COMMAND_SET_ID, &addr, 0,
		       (uint32_t)device << 16 | vendor, NULL);
}

int sim_mcfg(struct sim *sim, enum sim_mcfg what, uint64_t arg)
{
	return command(sim, SIM_COMMAND_MCFG, NULL, what, arg, NULL);
}

int sim_describe(struct sim *sim, struct sim_addr addr, struct sim_unit *unit)
{
	uint64_t reply[SIM_REPLY_WORDS];
	int ret;

	ret = command(sim, SIM_COMMAND_DESCRIBE, &addr, 0, 0, reply);
	if (ret)
		return ret;
	unit->general = reply[SIM_REPLY_GENERAL];
	unit->fixed = reply[SIM_REPLY_FIXED];
	unit->width = reply[SIM_REPLY_WIDTH];
	unit->fixed_width = reply[SIM_REPLY_FIXED_WIDTH];
	unit->hidden = reply[SIM_REPLY_HIDDEN];
	unit->vendor = reply[SIM_REPLY_ID];
	unit->device = reply[SIM_REPLY_ID] >> 16;
	unit->free_running = reply[SIM_REPLY_FREE_RUNNING];
	unit->address = reply[SIM_REPLY_ADDRESS];
	unit->units = reply[SIM_REPLY_UNITS];
	return 0;
}

int sim_find(struct sim *sim, struct sim_addr addr, const char *type,
	     unsigned int number, struct sim_addr *unit)
{
	uint64_t reply[SIM_REPLY_WORDS], where;
	int ret;

	if (strlen(type) >= SIM_NAME_MAX)
		return -ENXIO;
	addr.unit = 0;
	ret = command_name(sim, SIM_COMMAND_FIND, &addr, type, number, 0,
			   reply);
	if (ret)
		return ret;
	where = reply[SIM_FOUND_ADDRESS];
	*unit = (struct sim_addr) {
		.segment = where >> 16,
		.bus = where >> 8,
		.device = where >> 3 & 0x1f,
		.function = where & 7,
		.unit = reply[SIM_FOUND_UNIT],
	};
	return 0;
}

int sim_base(struct sim *sim, struct sim_addr addr, enum sim_base what)
{
	return command(sim, SIM_COMMAND_BASE, &addr, 0, what, NULL);
}

int sim_power(struct sim *sim, struct sim_addr addr, enum sim_power what)
{
	return command(sim, SIM_COMMAND_POWER, &addr, 0, what, NULL);
}

int sim_discovery(struct sim *sim, struct sim_addr addr, const char *variant)
{
	if (strlen(variant) >= SIM_NAME_MAX)
		return -EINVAL;
	return command_name(sim, SIM_COMMAND_DISCOVERY, &addr, variant, 0, 0,
			    NULL);
}

const char *sim_discovery_name(unsigned int index)
{
	const unsigned int count = sizeof(sim_discovery_variants) /
				   sizeof(sim_discovery_variants[0]);

	return index < count ? sim_discovery_variants[index] : NULL;
}

int sim_table(struct sim *sim, struct sim_addr addr, unsigned int entry,
	      enum sim_field field, uint64_t value)
{
	if (entry > UINT16_MAX)
		return -EINVAL;
	return command(sim, SIM_COMMAND_TABLE, &addr,
		       (uint32_t)field << 16 | entry, value, NULL);
}

int sim_peek(struct sim *sim, uint64_t address, uint32_t *value)
{
	uint64_t reply[SIM_REPLY_WORDS];
	int ret;

	ret = command(sim, SIM_COMMAND_PEEK, NULL, 0, address, reply);
	if (!ret)
		*value = reply[0];
	return ret;
}

int sim_poke(struct sim *sim, uint64_t address, uint32_t value)
{
	int ret = command(sim, SIM_COMMAND_POKE, NULL, value, address, NULL);

	return ret ? ret : sim_sync(sim);
}

int sim_parse_addr(const char *text, struct sim_addr *addr)
{
	unsigned int segment = 1, bus, device, function, unit = 0;
	int end = 0, more = 0;

	if (sscanf(text, "%8x:%2x:%2x.%1x%n", &segment, &bus, &device,
		   &function, &end) != 4) {
		segment = 1;
		end = 0;
		if (sscanf(text, "%2x:%2x.%1x%n", &bus, &device, &function,
			   &end) != 3)
			return -EINVAL;
	}
	if (text[end] == '#' &&
	    sscanf(text + end, "#%5u%n", &unit, &more) != 1)
		return -EINVAL;
	if (text[end + more] || device > 0x1f || function > 7 ||
	    unit > UINT16_MAX)
		return -EINVAL;
	addr->segment = segment;
	addr->bus = bus;
	addr->device = device;
	addr->function = function;
	addr->unit = unit;
	return 0;
}
