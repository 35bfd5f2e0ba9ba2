/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's test harness, fitted to these programs. */
#ifndef HARNESS_H
#define HARNESS_H

#include <errno.h>
#include <signal.h>

#include <kselftest_harness.h>

#include "common.h"

/* An emulated machine on a busy host is slow; the runner has its own limit. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	120

/* The call gives -1, or MAP_FAILED, with this errno. */
#define EXPECT_ERRNO(error, call) do { \
	errno = 0; \
	EXPECT_EQ(-1L, (long)(call)); \
	EXPECT_EQ(error, errno) \
		TH_LOG("%s: expected %s, got %s", #call, \
		       strerrorname_np(error), \
		       errno ? strerrorname_np(errno) : "no error"); \
} while (0)

/*
 * A test after all others of a program. It has a fixture of its own, and comes
 * last in the file: those without a fixture are the first to run.
 */
#define TEST_LAST(name) \
	FIXTURE(afterwards) { }; \
	FIXTURE_SETUP(afterwards) { } \
	FIXTURE_TEARDOWN(afterwards) { } \
	TEST_F(afterwards, name)

/* A name that says what a value belongs to, printed on failure only. */
#define ABOUT(unit)	TH_LOG("unit %s", unit_name(unit))

#endif /* HARNESS_H */
