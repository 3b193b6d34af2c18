/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include "tests/sim/hardware.h"

enum { STACK = 1 << 18 };

/* A run begins in 2001: no file is old by this clock. */
static const time_t start = 1000000000;
static uint64_t passed; /* ms */

/* The only thread that the plugin has. */
static struct sim_thread {
	void *(*function)(void *);
	void *argument;
	char *stack; /* NULL: there is no thread */
	ucontext_t own, others;
	const pthread_cond_t *waits_for;
	uint64_t until; /* ms of simulated time */
	bool woken, ended;
} thread;

void sim_clock_reset(void)
{
	passed = 0;
}

/* ---- Clocks ---- */

int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec){.tv_sec = start + (time_t)(passed / 1000),
				 .tv_nsec = (long)(passed % 1000) * 1000000};
	return 0;
}

time_t time(time_t *now)
{
	time_t seconds = start + (time_t)(passed / 1000);
	if (now)
		*now = seconds;
	return seconds;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	passed += (uint64_t)time->tv_sec * 1000 + (uint64_t)time->tv_nsec / 1000000;
	return 0;
}

/* ---- The thread ---- */

static void enter_thread(void)
{
	thread.function(thread.argument);
	thread.ended = true;
}

static void run_thread(void)
{
	thread.waits_for = NULL;
	swapcontext(&thread.others, &thread.own);
}

void sim_clock_pass(uint64_t ms)
{
	uint64_t end = passed + ms;
	while (thread.stack && !thread.ended && (thread.woken || thread.until <= end)) {
		if (!thread.woken && thread.until > passed)
			passed = thread.until;
		run_thread();
	}
	passed = passed > end ? passed : end;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *),
		   void *argument)
{
	(void)attributes;
	if (thread.stack) {
		fputs("sim: the plugin has more than one thread\n", stderr);
		exit(2);
	}
	*id = pthread_self();
	thread = (struct sim_thread){
		.function = function, .argument = argument, .stack = sim_new(STACK, 1)};
	getcontext(&thread.own);
	thread.own.uc_stack.ss_sp = thread.stack;
	thread.own.uc_stack.ss_size = STACK;
	thread.own.uc_link = &thread.others;
	makecontext(&thread.own, enter_thread, 0);
	return 0;
}

int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until)
{
	(void)id, (void)result, (void)until;
	while (!thread.ended)
		run_thread();
	free(thread.stack);
	thread = (struct sim_thread){.stack = NULL};
	return 0;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	thread.waits_for = cond;
	thread.until = until->tv_sec < start ? 0
					     : (uint64_t)(until->tv_sec - start) * 1000 +
						       (uint64_t)until->tv_nsec / 1000000;
	thread.woken = false;
	pthread_mutex_unlock(mutex);
	swapcontext(&thread.own, &thread.others);
	pthread_mutex_lock(mutex);
	return thread.woken ? 0 : ETIMEDOUT;
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	thread.woken |= cond == thread.waits_for;
	return 0;
}

/* The simulated OpenSM answers at once, so that nobody ever waits for an answer. */
int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	(void)cond, (void)mutex;
	fputs("sim: the plugin waits for ever\n", stderr);
	exit(2);
}
