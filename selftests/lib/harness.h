/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's test harness, fitted to these programs. */
#ifndef LIB_HARNESS_H
#define LIB_HARNESS_H

#include <errno.h>
#include <signal.h>

#include <kselftest_harness.h>

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	60

#define ARRAY_LENGTH(array)	(sizeof(array) / sizeof((array)[0]))

/* A name that says what a value belongs to, printed on failure only. */
#define ABOUT(unit)	TH_LOG("unit %s", unit_name(unit))

#endif /* LIB_HARNESS_H */
