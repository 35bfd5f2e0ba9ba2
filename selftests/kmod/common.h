/* SPDX-License-Identifier: GPL-2.0-only */
/* What the test programs of the kernel module share. */
#ifndef COMMON_H
#define COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/uncore_pmu.h>

#include "simctl.h"

#define NODE		"/dev/uncore_pmu"
#define MODULE_NAME	"uncore_pmu"
#define MODULE_FILE	"/lib/modules/uncore_pmu.ko"
#define PAGE		4096UL

/* Users of the simulated machine: one in group uncore, the other not. */
#define MEMBER_UID	1000
#define OUTSIDER_UID	1001

/* How long a condition that must come true is waited for. */
#define PATIENCE_MS	20000

/*
 * The node and its units
 */

struct units {
	unsigned int count;
	struct uncore_pmu_unit *unit;
};

/* Opens the node, O_CLOEXEC; -errno on failure. */
int node_open(int flags);

/* 0 or -errno; -ENODEV comes with a description. */
int unit_describe(int fd, uint32_t index, struct uncore_pmu_unit *unit);

/* Describes all units; count is 0 and unit NULL if that fails. */
struct units units_get(int fd);
void units_free(struct units *units);
const struct uncore_pmu_unit *units_first(const struct units *units,
					  uint32_t state);
const struct uncore_pmu_unit *units_find(const struct units *units,
					 const char *type, uint32_t instance,
					 int32_t die);

/* "imc3@1", in a buffer of the calling thread. */
const char *unit_name(const struct uncore_pmu_unit *unit);
struct sim_addr unit_addr(const struct uncore_pmu_unit *unit);
uint32_t unit_id(const struct uncore_pmu_unit *unit);

/* PROT_READ, MAP_SHARED; MAP_FAILED and errno as mmap. */
void *unit_map(int fd, const struct uncore_pmu_unit *unit);
void *rdpmc_map(int fd);

/* Unmaps whatever of the node this process has mapped; how many mappings. */
int unmap_all(void);

uint32_t page_load(const void *page, uint32_t offset);
uint64_t counter_mask(const struct uncore_pmu_counter *counter);
uint64_t counter_load(const void *page,
		      const struct uncore_pmu_counter *counter);

/*
 * Instructions that may fault: 0, or the number of the signal
 */

int trap_rdpmc(void);
int trap_load(const void *addr);
int trap_store(void *addr);

/*
 * What trap_rdpmc() gives with the right to RDPMC: on a machine without a core
 * PMU the instruction is then unknown.
 */
int rdpmc_granted(void);
#define RDPMC_DENIED	SIGSEGV

/* trap_rdpmc() in a new program image that takes this process's place. */
int rdpmc_exec(void);

/* Waits until trap_rdpmc() gives this, at most PATIENCE_MS; what it gave. */
int rdpmc_await(int expected);

/*
 * Other processes
 */

struct child {
	pid_t pid;
	int sock;
};

/*
 * Runs fn(sock, arg) in a child, which ends with the return value as its exit
 * status, and dies with its parent.
 */
int child_start(struct child *child, int (*fn)(int sock, void *arg), void *arg);

/* Exit status, or 128 + signal, or -errno. */
int child_wait(struct child *child);

/* child_start() and child_wait() in one. */
int child_run(int (*fn)(int sock, void *arg), void *arg);

/* One int over the socket of a child; false if the other side is gone. */
bool say(int sock, int value);
bool hear(int sock, int *value);
/* hear(), and -1 if nothing can be heard. */
int heard(int sock);

int send_fd(int sock, int fd);
int receive_fd(int sock);

/* The number of the group that may open the node, or -errno. */
int uncore_group(void);

/* Becomes a user for good, with the groups of that user; 0 or -errno. */
int become(uid_t uid);

/*
 * The machine
 */

int cpu_count(void);
int pin_to(int cpu);
int now_ms(void);

/* Whole file as a string; 0 or -errno. */
int file_read(const char *path, char *text, size_t size);
int file_write(const char *path, const char *text);
int file_read_int(const char *path, int *value);

/* The unit's configuration space in sysfs; a descriptor or -errno. */
int config_open(const struct uncore_pmu_unit *unit, int flags);

/* A register of a unit by the PCI core's way; root only. 0 or -errno. */
int config_load(const struct uncore_pmu_unit *unit, uint32_t offset,
		uint32_t *value);
int config_store(const struct uncore_pmu_unit *unit, uint32_t offset,
		 uint32_t value);

/* Lets a counter count an event, its unit not being frozen; 0 or -errno. */
int counter_start(const struct uncore_pmu_unit *unit, unsigned int counter,
		  uint32_t event);
int counter_stop(const struct uncore_pmu_unit *unit, unsigned int counter);

/* The module; 0 or -errno. Loading ends when udev has done its part. */
int module_load(void);
int module_unload(void);
int module_references(void);
bool module_loaded(const char *name);
int module_remove(const char *name);

/* Runs a program to its end; exit status, or 128 + signal, or -errno. */
int run(const char *const argv[]);

/*
 * The kernel log: open it, let things happen, read the lines that were added
 * since the open or the last read, without their prefix.
 */
int klog_open(void);
int klog_read(int klog, char *text, size_t size);

/*
 * Lines of a log that the module wrote. The loader's lines about the missing
 * signature bear its name too, and do not count.
 */
int klog_module_lines(const char *text);

#endif /* COMMON_H */
