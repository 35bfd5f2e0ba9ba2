// SPDX-License-Identifier: LGPL-2.1-or-later
/* A device may be removed while it is read: SIGBUS must not end the tool. */
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "cli.h"

static sigjmp_buf way_out;

static void on_sigbus(int signal)
{
	siglongjmp(way_out, signal);
}

bool guard_run(void (*function)(void *argument), void *argument)
{
	struct sigaction action, before;
	bool done = false;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_sigbus;
	sigemptyset(&action.sa_mask);

	sigaction(SIGBUS, &action, &before);
	if (!sigsetjmp(way_out, 1)) {
		function(argument);
		done = true;
	}
	sigaction(SIGBUS, &before, NULL);
	return done;
}
