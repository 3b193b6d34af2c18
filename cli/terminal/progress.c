/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/terminal/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double clock_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void clear_line(cli_step *step)
{
	if (step->is_printed)
		fputs("\r\033[K", stderr);
	fflush(stderr);
	step->is_printed = false;
}

static void print_progress(cli_step *step)
{
	double now = clock_seconds(), left = step->ends - now;
	if (now - step->began < CLI_SOON)
		return;
	step->is_printed = true;
	fprintf(stderr, "\r%s, ", step->what);
	if (left > 0 && step->at_most)
		fputs("at most ", stderr);
	if (!(left > 0))
		fprintf(stderr, "%.0f s so far", now - step->began);
	else if (left < 120)
		fprintf(stderr, "%.0f s left", left);
	else if (left < 7200)
		fprintf(stderr, "%.0f min left", left / 60);
	else
		fprintf(stderr, "%.0f h left", left / 3600);
	fputs("\033[K", stderr);
	fflush(stderr);
}

static void *show_steps(void *context)
{
	cli_step *step = context;
	struct timespec next;
	clock_gettime(CLOCK_REALTIME, &next);
	pthread_mutex_lock(&step->lock);
	while (!step->is_over) {
		next.tv_sec++;
		pthread_cond_timedwait(&step->over, &step->lock, &next);
		if (!step->is_over)
			print_progress(step);
	}
	pthread_mutex_unlock(&step->lock);
	return NULL;
}

void cli_step_begin(cli_step *step, const char *what)
{
	sigset_t all, before;
	*step = (cli_step){.began = clock_seconds(),
			   .first = 1,
			   .lock = PTHREAD_MUTEX_INITIALIZER,
			   .over = PTHREAD_COND_INITIALIZER};
	snprintf(step->what, sizeof step->what, "%s", what);
	if (!isatty(STDERR_FILENO))
		return;
	/* the main thread handles signals */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	step->is_shown = !pthread_create(&step->thread, NULL, show_steps, step);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void estimate(cli_step *step, double share)
{
	double now = clock_seconds();
	step->ends = 0;
	if (share > step->first) {
		step->ends = now + (1 - share) * (now - step->from) / (share - step->first);
	} else if (share >= 0) {
		step->first = share;
		step->from = now;
	}
}

void cli_step_at(cli_step *step, double share, const char *format, ...)
{
	va_list args;
	if (!step->is_shown)
		return;
	pthread_mutex_lock(&step->lock);
	step->at_most = false;
	estimate(step, share);
	va_start(args, format);
	vsnprintf(step->what, sizeof step->what, format, args);
	va_end(args);
	pthread_mutex_unlock(&step->lock);
}

static void show_watch(void *context, const char *what, double share, bool at_most)
{
	cli_step *step = context;
	if (!step->is_shown)
		return;
	pthread_mutex_lock(&step->lock);
	snprintf(step->what, sizeof step->what, "%s", what);
	step->at_most = at_most;
	estimate(step, share);
	pthread_mutex_unlock(&step->lock);
}

odo_watch cli_step_watch(cli_step *step)
{
	return (odo_watch){show_watch, step};
}

void cli_parts_at(const cli_parts *parts, double share)
{
	cli_step_at(parts->step, ((double)parts->done + share) / (double)parts->n,
		    "%.200s, %zu of %zu", parts->name, parts->done + 1, parts->n);
}

static void show_part(void *context, const char *what, double share, bool at_most)
{
	(void)what;
	(void)at_most;
	if (share >= 0)
		cli_parts_at(context, share);
}

odo_watch cli_parts_watch(cli_parts *parts)
{
	return (odo_watch){show_part, parts};
}

void cli_step_pause(cli_step *step)
{
	if (!step->is_shown)
		return;
	pthread_mutex_lock(&step->lock);
	clear_line(step);
}

void cli_step_go_on(cli_step *step)
{
	if (step->is_shown)
		pthread_mutex_unlock(&step->lock);
}

int cli_step_end(cli_step *step, int status)
{
	if (!step->is_shown)
		return status;
	pthread_mutex_lock(&step->lock);
	step->is_over = true;
	pthread_cond_signal(&step->over);
	pthread_mutex_unlock(&step->lock);
	pthread_join(step->thread, NULL);
	clear_line(step);
	return status;
}

static void mask_interrupt(int how)
{
	sigset_t interrupt;
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	pthread_sigmask(how, &interrupt, NULL);
}

void cli_interrupt_catch(void)
{
	mask_interrupt(SIG_BLOCK);
}

void cli_interrupt_release(void)
{
	mask_interrupt(SIG_UNBLOCK);
}

bool cli_interrupted(void)
{
	sigset_t waiting;
	return !sigpending(&waiting) && sigismember(&waiting, SIGINT) == 1;
}
