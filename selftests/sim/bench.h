/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine without QEMU for the tests: prepared, played by "uncore-sim run",
 * and with the test in the guest's place.
 */
#ifndef BENCH_H
#define BENCH_H

#include <sys/types.h>

#include "machine.h"
#include "simctl.h"

struct bench {
	char dir[64];
	struct machine machine;
	uint8_t *memory[NODES_MAX];
	struct sim *sim;
	pid_t pid;		/* of "uncore-sim run" */
	int input;		/* its standard input, -1 if closed */
	int output;
};

/* Finds the programs beside this one. */
void bench_init(const char *argv0);

/* Runs a shell command line; its output, and its exit status or -signal. */
int bench_shell(char *output, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
const char *bench_programs(void);

/* A machine alone, of a listing as text or of a file beside the sources */
int machine_from_text(const char *text, struct machine *machine,
		      struct report *report);
int machine_from_file(const char *name, struct machine *machine,
		      struct report *report);

/* @listing: a file beside the sources. The clock is stopped. */
bool bench_start(struct bench *bench, const char *listing);
void bench_stop(struct bench *bench);

/* Waits for the end of "uncore-sim run"; its exit status, or -signal. */
int bench_wait(struct bench *bench);

/* The page of SSSS:BB:dd.f; aborts if there is none. */
uint8_t *bench_page(struct bench *bench, struct sim_addr addr);
/* The registers of a unit, also one in memory. */
uint8_t *bench_unit(struct bench *bench, struct sim_addr addr);
struct sim_addr address(const char *text);

/* Loads and stores of the guest */
uint32_t get32(const uint8_t *page, unsigned int offset);
void put32(uint8_t *page, unsigned int offset, uint32_t value);
uint64_t get64(const uint8_t *page, unsigned int offset);

#endif /* BENCH_H */
