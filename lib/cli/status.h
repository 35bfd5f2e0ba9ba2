/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a counter is doing, in words. */
#ifndef UNCORECTL_STATUS_H
#define UNCORECTL_STATUS_H

#include <stdint.h>
#include <time.h>

#include <uncore.h>

/**
 * struct counter_row - a counter
 * @name: of the counter
 * @status: what the module said
 * @event: what it counts, or ""
 * @holder: "412 (uncorectl)", "this command", "held" by somebody whom the
 *	caller may not see, or "" if nobody holds it
 * @comm: command of the holder, printable, or ""
 */
struct counter_row {
	char name[UNCORE_PMU_NAME_LEN + 1];
	struct uncore_pmu_status status;
	char event[UNCORE_EVENT_NAME_LEN];
	char holder[48];
	char comm[sizeof(((struct uncore_pmu_status *)0)->comm) + 1];
};

/* 0 or an error of uncore_status(). */
int counter_row_fill(struct uncore *uncore, const struct uncore_pmu_unit *info,
		     unsigned int index, struct counter_row *row);

#endif /* UNCORECTL_STATUS_H */
