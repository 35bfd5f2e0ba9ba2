/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_ERR_H
#define FUZZ_LINUX_ERR_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static inline bool IS_ERR(const void *pointer)
{
	return (uintptr_t)pointer >= (uintptr_t)-4095;
}

static inline long PTR_ERR(const void *pointer)
{
	return (long)pointer;
}

#endif /* FUZZ_LINUX_ERR_H */
