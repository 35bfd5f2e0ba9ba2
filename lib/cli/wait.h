/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for signals and points in time, without a handler or a poll loop. */
#ifndef UNCORECTL_WAIT_H
#define UNCORECTL_WAIT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

struct waiter {
	int signals;
	int timer;
	sigset_t before;
};

/* Adds a signal that comes even if it was ignored so far. */
void want_signal(sigset_t *signals, int number);
/* Takes over the signals of the set; an error, of which nothing is left. */
int waiter_open(struct waiter *waiter, const sigset_t *signals);
/* Has SIGINT or SIGTERM come since, and is not taken yet? */
bool signalled_to_end(void);
/* Gives the signals back. */
void waiter_close(struct waiter *waiter);
/*
 * Waits for a signal or until the monotonic time @deadline, which may be
 * INFINITY. Gives the signal's number, 0 at the deadline, or an error.
 */
int waiter_wait(struct waiter *waiter, double deadline,
		struct signalfd_siginfo *info);

#endif /* UNCORECTL_WAIT_H */
