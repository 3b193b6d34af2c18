/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

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
