/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/output.h"

#define BETWEEN 0.2

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

cli_progress_clock cli_clock_start(void)
{
	return (cli_progress_clock){.began = seconds()};
}

void cli_progress_left(cli_progress_clock *clock, double share, const char *what)
{
	double now = seconds(), took = now - clock->began;
	if (took < CLI_SOON || now - clock->said < BETWEEN)
		return;
	clock->said = now;
	double left = share > 0 ? took / share - took : 0;
	if (!(share > 0))
		cli_progress("%s, %.0f s so far", what, took);
	else if (left < 120)
		cli_progress("%s, %.0f s left", what, left);
	else if (left < 7200)
		cli_progress("%s, %.0f min left", what, left / 60);
	else
		cli_progress("%s, %.0f h left", what, left / 3600);
}

void cli_progress_of(cli_progress_clock *clock, size_t done, size_t n, const char *what)
{
	char text[320];
	if (!clock->counts)
		clock->first = done;
	clock->counts = true;
	snprintf(text, sizeof text, "%zu of %zu %s", done, n, what);
	cli_progress_left(clock, (double)(done - clock->first) / (double)(n - clock->first), text);
}

static void *tell_step(void *context)
{
	cli_step *step = context;
	struct timespec next;
	clock_gettime(CLOCK_REALTIME, &next);
	pthread_mutex_lock(&step->lock);
	while (!step->is_over) {
		next.tv_sec++;
		pthread_cond_timedwait(&step->over, &step->lock, &next);
		double took = seconds() - step->clock.began;
		if (!step->is_over)
			cli_progress_left(&step->clock,
					  took < step->total ? took / step->total : -1, step->what);
	}
	pthread_mutex_unlock(&step->lock);
	return NULL;
}

void cli_step_begin(cli_step *step, const char *what)
{
	sigset_t all, before;
	*step = (cli_step){.clock = cli_clock_start(),
			   .lock = PTHREAD_MUTEX_INITIALIZER,
			   .over = PTHREAD_COND_INITIALIZER};
	snprintf(step->what, sizeof step->what, "%s", what);
	if (!isatty(STDERR_FILENO))
		return;
	/* Signals are for the thread that works. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	step->tells = !pthread_create(&step->teller, NULL, tell_step, step);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_step_next(cli_step *step, size_t done, size_t n, const char *what)
{
	pthread_mutex_lock(&step->lock);
	step->total = done ? (seconds() - step->clock.began) * (double)n / (double)done : 0;
	snprintf(step->what, sizeof step->what, "%.200s, %zu of %zu", what, done + 1, n);
	pthread_mutex_unlock(&step->lock);
}

int cli_step_end(cli_step *step, int status)
{
	if (!step->tells)
		return status;
	pthread_mutex_lock(&step->lock);
	step->is_over = true;
	pthread_cond_signal(&step->over);
	pthread_mutex_unlock(&step->lock);
	pthread_join(step->teller, NULL);
	cli_progress_end();
	return status;
}

static void mask(int how)
{
	sigset_t interrupt;
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	pthread_sigmask(how, &interrupt, NULL);
}

void cli_interrupt_catch(void)
{
	mask(SIG_BLOCK);
}

void cli_interrupt_release(void)
{
	mask(SIG_UNBLOCK);
}

bool cli_interrupted(void)
{
	sigset_t waiting;
	return !sigpending(&waiting) && sigismember(&waiting, SIGINT) == 1;
}
