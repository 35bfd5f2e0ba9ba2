/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_STRING_H
#define FUZZ_LINUX_STRING_H

#include <string.h>

#endif /* FUZZ_LINUX_STRING_H */
