// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What "bench" measures: one function a way of reading, none of them inlined.
 * The bare ones are what a program does by hand that follows the uapi header.
 */
#include <unistd.h>

#include "bench.h"

#define BARE_HIGH_MASK	0xffffU		/* 48-bit counters */

uint64_t bench_nothing(struct bench *bench)
{
	uint64_t nothing;

	/* Returns what happens to be in the register: no instruction. */
	(void)bench;
	__asm__ volatile("" : "=r"(nothing));
	return nothing;
}

static inline __attribute__((always_inline)) uint64_t
bare_pair(const volatile uint32_t *low)
{
	uint32_t high_half, low_half;

	do {
		high_half = low[1];
		low_half = low[0];
	} while (high_half != low[1]);

	return (uint64_t)(high_half & BARE_HIGH_MASK) << 32 | low_half;
}

uint64_t bench_bare(struct bench *bench)
{
	return bare_pair(bench->address[0]);
}

uint64_t bench_bare_low(struct bench *bench)
{
	return *bench->address[0];
}

uint64_t bench_bare_loop(struct bench *bench)
{
	int i;

	for (i = 0; i < BENCH_GROUP; i++)
		bench->value[i] = bare_pair(bench->address[i]);
	return 0;
}

uint64_t bench_bare_group(struct bench *bench)
{
	bench->value[0] = bare_pair(bench->address[0]);
	bench->value[1] = bare_pair(bench->address[1]);
	bench->value[2] = bare_pair(bench->address[2]);
	bench->value[3] = bare_pair(bench->address[3]);
	bench->value[4] = bare_pair(bench->address[4]);
	bench->value[5] = bare_pair(bench->address[5]);
	bench->value[6] = bare_pair(bench->address[6]);
	bench->value[7] = bare_pair(bench->address[7]);
	return 0;
}

uint64_t bench_bare_group_low(struct bench *bench)
{
	int i;

	for (i = 0; i < BENCH_GROUP; i++)
		bench->low[i] = *bench->address[i];
	return 0;
}

uint64_t bench_read(struct bench *bench)
{
	return uncore_read(&bench->counter[0]);
}

uint64_t bench_read_low(struct bench *bench)
{
	return uncore_read_low(&bench->counter[0]);
}

uint64_t bench_group(struct bench *bench)
{
	uncore_group_read(&bench->group, bench->value);
	return 0;
}

uint64_t bench_group_low(struct bench *bench)
{
	uncore_group_read_low(&bench->group, bench->low);
	return 0;
}

/* Both halves with one call, which is the least it can cost. */
uint64_t bench_sysfs(struct bench *bench)
{
	uint64_t value = 0;

	return pread(bench->sysfs_fd, &value, sizeof(value), bench->offset) ==
	       sizeof(value) ? value : 0;
}

uint64_t bench_proc(struct bench *bench)
{
	uint64_t value = 0;

	return pread(bench->proc_fd, &value, sizeof(value), bench->offset) ==
	       sizeof(value) ? value : 0;
}

uint64_t bench_perf(struct bench *bench)
{
	uint64_t value = 0;

	return read(bench->perf_fd, &value, sizeof(value)) == sizeof(value)
	       ? value : 0;
}
