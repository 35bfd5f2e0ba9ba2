/* SPDX-License-Identifier: GPL-2.0-only */
/* TAP output of the simulated machine's own tests: plan first, then results. */
#ifndef TAP_H
#define TAP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct tap_test {
	const char *name;
	void (*run)(void);
};

static bool tap_failed;

#define EXPECT(condition) \
	tap_expect((condition), #condition, __FILE__, __LINE__)
#define EXPECT_EQ(got, want) \
	tap_expect_eq((uint64_t)(got), (uint64_t)(want), #got, __FILE__, \
		      __LINE__)
#define EXPECT_STR(got, want) \
	tap_expect_str((got), (want), #got, __FILE__, __LINE__)

static inline bool tap_expect(bool good, const char *what, const char *file,
			      int line)
{
	if (good)
		return true;
	printf("# %s:%d: not true: %s\n", file, line, what);
	tap_failed = true;
	return false;
}

static inline bool tap_expect_eq(uint64_t got, uint64_t want, const char *what,
				 const char *file, int line)
{
	if (got == want)
		return true;
	printf("# %s:%d: %s is %" PRId64 " (0x%" PRIx64 "), not %" PRId64 " (0x%" PRIx64 ")\n",
	       file, line, what, got, got, want, want);
	tap_failed = true;
	return false;
}

static inline bool tap_expect_str(const char *got, const char *want,
				  const char *what, const char *file, int line)
{
	if (!strcmp(got, want))
		return true;
	printf("# %s:%d: %s is\n#   '%s', not\n#   '%s'\n", file, line, what,
	       got, want);
	tap_failed = true;
	return false;
}

static inline int tap_run(const struct tap_test *test, size_t count)
{
	size_t i, failures = 0;

	printf("TAP version 13\n1..%zu\n", count);
	for (i = 0; i < count; i++) {
		tap_failed = false;
		test[i].run();
		printf("%sok %zu %s\n", tap_failed ? "not " : "", i + 1,
		       test[i].name);
		fflush(stdout);
		failures += tap_failed;
	}
	return failures ? 1 : 0;
}

#endif /* TAP_H */
