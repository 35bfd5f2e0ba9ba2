// SPDX-License-Identifier: LGPL-2.1-or-later
/* The inline functions of <uncore.h> as symbols. */
#define UNCORE_INLINE

#include <uncore.h>
