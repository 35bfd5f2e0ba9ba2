/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of "uncorectl bench" share. */
#ifndef UNCORECTL_BENCH_H
#define UNCORECTL_BENCH_H

#include <sys/types.h>

#include "cli.h"
#include "ticks.h"

#define BENCH_GROUP	8

/* @address is what a program without the library would keep. */
struct bench {
	struct uncore_counter counter[BENCH_GROUP];
	const volatile uint32_t *address[BENCH_GROUP];
	struct uncore_group group;
	uint64_t value[BENCH_GROUP];
	uint32_t low[BENCH_GROUP];
	int sysfs_fd;
	int proc_fd;
	int perf_fd;
	off_t offset;
	char unit[UNCORE_NAME_LEN];
};

typedef uint64_t (*bench_op)(struct bench *bench);

uint64_t bench_nothing(struct bench *bench);
uint64_t bench_bare(struct bench *bench);
uint64_t bench_bare_low(struct bench *bench);
uint64_t bench_bare_loop(struct bench *bench);
uint64_t bench_bare_group(struct bench *bench);
uint64_t bench_bare_group_low(struct bench *bench);
uint64_t bench_read(struct bench *bench);
uint64_t bench_read_low(struct bench *bench);
uint64_t bench_group(struct bench *bench);
uint64_t bench_group_low(struct bench *bench);
uint64_t bench_sysfs(struct bench *bench);
uint64_t bench_proc(struct bench *bench);
uint64_t bench_perf(struct bench *bench);

/* Each opens one way round the mapping; a reason if that does not work. */
const char *bench_open_sysfs(struct bench *bench,
			     const struct uncore_pmu_unit *info);
const char *bench_open_proc(struct bench *bench,
			    const struct uncore_pmu_unit *info);
const char *bench_open_perf(struct bench *bench);

#endif /* UNCORECTL_BENCH_H */
