/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Long runs: how far they are and how long they will still take, and Ctrl-C in the midst. */
#ifndef ODONATA_CLI_PROGRESS_H
#define ODONATA_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Seconds before which nothing is said. */
#define CLI_SOON 5.0

typedef struct cli_progress_clock {
	double began, said; /**< seconds, of a clock that never goes back */
	bool counts;
	size_t first; /**< what was done before, as far as cli_progress_of() was told */
} cli_progress_clock;

cli_progress_clock cli_clock_start(void);

/**
 * Say on a terminal "<what>, 12 s left", at most five times a second, once CLI_SOON is over.
 * @param share done, 0 .. 1; below 0: not known, and no time is told
 */
void cli_progress_left(cli_progress_clock *clock, double share, const char *what);

/** Say "12 of 96 <what>, 40 s left" so. What is done at the first call is taken for an earlier
 * run's. */
void cli_progress_of(cli_progress_clock *clock, size_t done, size_t n, const char *what);

/** Something that a thread of its own tells of, whatever the program is at. */
typedef struct cli_step {
	char what[256];
	cli_progress_clock clock;
	double total; /**< seconds that all will take; 0: nobody knows */
	pthread_t teller;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool tells, is_over;
} cli_step;

/** On a terminal, "<what>, 12 s so far" is said once CLI_SOON is over, until cli_step_end().
 * No step begins within another.
 * @param step must stay where it is until then */
void cli_step_begin(cli_step *step, const char *what);
/** What is told from now on: "<what>, 3 of 12, 40 s left", as the `done` of `n` that are alike took. */
void cli_step_next(cli_step *step, size_t done, size_t n, const char *what);
/** @return `status` */
int cli_step_end(cli_step *step, int status);

/** From now on Ctrl-C (SIGINT) only makes cli_interrupted() true, for threads that start later,
 * too. */
void cli_interrupt_catch(void);
/** Ctrl-C ends the program again, and one that was held ends it now. */
void cli_interrupt_release(void);
bool cli_interrupted(void);

#endif
