/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of "uncorectl doctor" share. */
#ifndef UNCORECTL_DOCTOR_H
#define UNCORECTL_DOCTOR_H

#include "cli.h"

enum verdict { FINE, NOTE, TROUBLE };

/* @remedy: NULL if there is nothing to do. */
struct finding {
	enum verdict verdict;
	char text[160];
	const char *remedy;
};

struct patient {
	const char *node;
	struct uncore *uncore;
	int error;
};

#define SAY(finding, ...) \
	snprintf((finding)->text, sizeof((finding)->text), __VA_ARGS__)

static inline void bad(struct finding *finding, enum verdict verdict,
		       const char *remedy)
{
	finding->verdict = verdict;
	finding->remedy = remedy;
}

/* The first line of a file, or an error. */
int read_line(const char *path, char *line, size_t size);

/* AMD's processors have no units for the module: perf has their counters. */
bool doctor_on_amd(void);
bool doctor_amd_driver(void);

/* What belongs to the kernel's perf. */
void check_rdpmc(const struct patient *patient, struct finding *finding);
void check_paranoid(const struct patient *patient, struct finding *finding);
void check_perf(const struct patient *patient, struct finding *finding);

#endif /* UNCORECTL_DOCTOR_H */
