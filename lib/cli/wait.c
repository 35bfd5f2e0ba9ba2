// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "wait.h"

void want_signal(sigset_t *signals, int number)
{
	signal(number, SIG_DFL);
	sigaddset(signals, number);
}

int waiter_open(struct waiter *waiter, const sigset_t *signals)
{
	int ret;

	waiter->signals = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (waiter->signals < 0)
		return -errno;
	waiter->timer = timerfd_create(CLOCK_MONOTONIC,
				       TFD_CLOEXEC | TFD_NONBLOCK);
	if (waiter->timer < 0) {
		ret = -errno;
		close(waiter->signals);
		return ret;
	}
	sigprocmask(SIG_BLOCK, signals, &waiter->before);
	return 0;
}

bool signalled_to_end(void)
{
	sigset_t pending;

	return !sigpending(&pending) && (sigismember(&pending, SIGINT) == 1 ||
					 sigismember(&pending, SIGTERM) == 1);
}

void waiter_close(struct waiter *waiter)
{
	sigprocmask(SIG_SETMASK, &waiter->before, NULL);
	close(waiter->timer);
	close(waiter->signals);
}

static int set_timer(struct waiter *waiter, double deadline)
{
	struct itimerspec when = { 0 };
	time_t seconds = 0;

	/* A time of 0 would disarm the timer. */
	if (!isinf(deadline)) {
		seconds = (time_t)deadline;
		when.it_value.tv_sec = seconds;
		when.it_value.tv_nsec =
			(long)((deadline - (double)seconds) * 1e9) + 1;
		if (when.it_value.tv_nsec > 999999999)
			when.it_value.tv_nsec = 999999999;
	}
	return timerfd_settime(waiter->timer, TFD_TIMER_ABSTIME, &when, NULL)
	       ? -errno : 0;
}

int waiter_wait(struct waiter *waiter, double deadline,
		struct signalfd_siginfo *info)
{
	struct pollfd fds[] = {
		{ .fd = waiter->signals, .events = POLLIN },
		{ .fd = waiter->timer, .events = POLLIN },
	};
	int ret;

	ret = set_timer(waiter, deadline);
	while (!ret) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -errno;
		if (read(waiter->signals, info, sizeof(*info)) ==
		    (ssize_t)sizeof(*info))
			return (int)info->ssi_signo;
		if (fds[1].revents & POLLIN)
			return 0;
	}
	return ret;
}
