/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_SLAB_H
#define FUZZ_LINUX_SLAB_H

#include <stdlib.h>

#define kzalloc(size, flags)	calloc(1, (size))
#define kvzalloc(size, flags)	calloc(1, (size))
#define kfree(what)		free(what)

#endif /* FUZZ_LINUX_SLAB_H */
