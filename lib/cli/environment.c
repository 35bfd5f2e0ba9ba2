// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The environment that libpfm4 finds. When it starts in root's process it reads
 * the numbers of all tracepoints, some thousand files, unless it is told to do
 * without them.
 */
#include <stdlib.h>

#include "cli.h"

#define VARIABLE	"LIBPFM_DISABLED_PMUS"

static bool added;

void environment_prepare(void)
{
	added = !getenv(VARIABLE) && !setenv(VARIABLE, "perf", 0);
}

void environment_restore(void)
{
	if (added)
		unsetenv(VARIABLE);
	added = false;
}
