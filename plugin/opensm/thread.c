/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/thread.h"

#include <signal.h>
#include <time.h>

int odo_thread_start(pthread_t *thread, void *(*run)(void *), void *data)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failed = pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

void odo_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t by_clock;
	pthread_condattr_init(&by_clock);
	pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &by_clock);
	pthread_condattr_destroy(&by_clock);
}
