/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_SLAB_H
#define FUZZ_LINUX_SLAB_H

#include <stdlib.h>
#include <string.h>

#define kzalloc(size, flags)	calloc(1, (size))
#define kvzalloc(size, flags)	calloc(1, (size))
#define kvmalloc(size, flags)	malloc(size)
#define kvcalloc(n, size, flags)	calloc((n), (size))
#define kvfree(what)		free(what)
#define kfree(what)		free(what)

static inline void *kmemdup(const void *from, size_t size, int flags)
{
	void *to = malloc(size);

	(void)flags;
	return to ? memcpy(to, from, size) : NULL;
}

#define GFP_KERNEL		0

#endif /* FUZZ_LINUX_SLAB_H */
