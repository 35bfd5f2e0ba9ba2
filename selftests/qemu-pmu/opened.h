/* SPDX-License-Identifier: GPL-2.0-only */
/* A counter of the library that a test has open, and what the kernel says of it. */
#ifndef OPENED_H
#define OPENED_H

#include <stdint.h>

#include <uncore.h>

#include "opmu_check.h"

struct reading {
	uint64_t value, enabled, running;
};

/* UINT64_MAX on failure. */
static inline uint64_t kernel_read(const struct uncore_counter *counter)
{
	struct reading reading;

	return read(counter->index, &reading, sizeof(reading)) ==
			       sizeof(reading) ?
		       reading.value : UINT64_MAX;
}

/* With an error if there are none. */
static inline struct uncore_core_facts
facts_of(const struct uncore_counter *counter)
{
	struct uncore_core_facts facts = { .error = 1, .system_calls = -1 };

	uncore_core_info(counter, &facts);
	return facts;
}

/* For a fixture: on CPU 0, whose RDPMC faults before and afterwards. */
#define OPENED_SETUP(counter, event)					\
	do {								\
		struct uncore_event_error error;			\
									\
		ASSERT_EQ(0, pin_to(0));				\
		ASSERT_EQ(SIGSEGV, trap_rdpmc());			\
		ASSERT_EQ(0, uncore_core_open(event, counter, &error))	\
			TH_LOG("%s", error.message);			\
	} while (0)

#define OPENED_TEARDOWN(counter)					\
	do {								\
		if ((counter)->load)					\
			uncore_counter_close(counter);			\
		EXPECT_EQ(SIGSEGV, trap_rdpmc());			\
	} while (0)

#endif /* OPENED_H */
