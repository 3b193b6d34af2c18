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

enum { STACK = 1 << 20, MOST_THREADS = 2 };

/* A run begins in 2001: no file is old by this clock. */
static const time_t start = 1000000000;
static uint64_t passed; /* ms */

/* Threads of the plugin: the heartbeat, and the disk's. */
static struct sim_thread {
	void *(*function)(void *);
	void *argument;
	char *stack; /* NULL: there is no thread */
	ucontext_t own, others;
	const pthread_cond_t *waits_for;
	uint64_t until;           /* ms of simulated time */
	bool waits, woken, ended; /* it waits for a time; its condition was signalled */
} threads[MOST_THREADS];
static struct sim_thread *running;    /* NULL: OpenSM's own */
static const pthread_cond_t *awaited; /* by OpenSM's own */
static bool answered;

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
	running->function(running->argument);
	running->ended = true;
}

static void run_thread(struct sim_thread *x)
{
	x->waits_for = NULL;
	running = x;
	swapcontext(&x->others, &x->own);
	running = NULL;
}

static bool is_ready(const struct sim_thread *x)
{
	return x->stack && !x->ended && (x->woken || !x->waits_for);
}

/* Return a thread that can go on before a time, the earliest one. */
static struct sim_thread *next_thread(uint64_t end)
{
	struct sim_thread *next = NULL;
	for (unsigned i = 0; i < MOST_THREADS; i++) {
		struct sim_thread *x = &threads[i];
		if (is_ready(x))
			return x;
		if (x->stack && !x->ended && x->waits && x->until <= end &&
		    (!next || x->until < next->until))
			next = x;
	}
	return next;
}

void sim_clock_pass(uint64_t ms)
{
	uint64_t end = passed + ms;
	for (struct sim_thread *x; (x = next_thread(end)); run_thread(x))
		if (!is_ready(x) && x->until > passed)
			passed = x->until;
	passed = passed > end ? passed : end;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *),
		   void *argument)
{
	(void)attributes;
	unsigned i = 0;
	while (i < MOST_THREADS && threads[i].stack)
		i++;
	if (i == MOST_THREADS) {
		fputs("sim: the plugin has too many threads\n", stderr);
		exit(2);
	}
	struct sim_thread *x = &threads[i];
	*id = i;
	*x = (struct sim_thread){
		.function = function, .argument = argument, .stack = sim_new(STACK, 1)};
	getcontext(&x->own);
	x->own.uc_stack.ss_sp = x->stack;
	x->own.uc_stack.ss_size = STACK;
	x->own.uc_link = &x->others;
	makecontext(&x->own, enter_thread, 0);
	return 0;
}

int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until)
{
	(void)result, (void)until;
	while (!threads[id].ended)
		run_thread(&threads[id]);
	free(threads[id].stack);
	threads[id] = (struct sim_thread){.stack = NULL};
	return 0;
}

int pthread_join(pthread_t id, void **result)
{
	return pthread_timedjoin_np(id, result, NULL);
}

/* Let the others run, and come back. */
static void wait_in_thread(const pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	running->waits_for = cond;
	running->woken = false;
	pthread_mutex_unlock(mutex);
	swapcontext(&running->own, &running->others);
	pthread_mutex_lock(mutex);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	if (running) {
		struct sim_thread *x = running;
		x->until = until->tv_sec < start ? 0
						 : (uint64_t)(until->tv_sec - start) * 1000 +
							   (uint64_t)until->tv_nsec / 1000000;
		x->waits = true;
		wait_in_thread(cond, mutex);
		return x->woken ? 0 : ETIMEDOUT;
	}
	awaited = cond;
	answered = false;
	pthread_mutex_unlock(mutex);
	for (struct sim_thread *x; (x = next_thread(passed));)
		run_thread(x);
	pthread_mutex_lock(mutex);
	awaited = NULL;
	return answered ? 0 : ETIMEDOUT;
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	answered |= cond == awaited;
	for (unsigned i = 0; i < MOST_THREADS; i++)
		threads[i].woken |= cond == threads[i].waits_for;
	return 0;
}

/* The simulated OpenSM answers at once, so that only the disk's thread waits for ever. */
int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	if (running) {
		running->waits = false;
		wait_in_thread(cond, mutex);
		return 0;
	}
	fputs("sim: the plugin waits for ever\n", stderr);
	exit(2);
}
