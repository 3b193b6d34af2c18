/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Long runs: how far they are and how long they will still take, and Ctrl-C in the midst. */
#ifndef ODONATA_CLI_PROGRESS_H
#define ODONATA_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

#include "base/watch.h"

/** Seconds before which nothing is said. */
#define CLI_SOON 5.0

/** Something that takes long. On a terminal a thread of its own tells of it, whatever the program
 * is at. */
typedef struct cli_step {
	char what[256];
	double began, from; /**< seconds, of a clock that never goes back */
	double first;       /**< what was done at `from`, 0 .. 1 */
	double ends;        /**< seconds, as far as can be told; 0: nobody knows */
	bool at_most;       /**< it may end earlier than that */
	pthread_t teller;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool tells, said, is_over;
} cli_step;

/** On a terminal, "<what>, 12 s so far" is said once CLI_SOON is over, until cli_step_end().
 * No step begins within another.
 * @param step must stay where it is until then */
void cli_step_begin(cli_step *step, const char *what);
/**
 * What is told from now on, with the time left: "3 of 12 points, 40 s left".
 * @param share done, 0 .. 1; below 0: not known. What is done at the first call took no time of
 *              this step's; a share that is not above that one begins anew.
 */
void cli_step_at(cli_step *step, double share, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** For a library to tell of its work in this step: "proving updown, 40 s left", or "at most 40 s
 * left". */
odo_watch cli_step_watch(cli_step *step);
/** Parts of a step that take about as long each. */
typedef struct cli_parts {
	cli_step *step;
	const char *name; /**< of the one that is done now */
	size_t done, n;
} cli_parts;

/** "<name>, 3 of 12, 40 s left". @param share of the part, done */
void cli_parts_at(const cli_parts *parts, double share);
/** For a library to tell how far the part is. @param parts stays where it is */
odo_watch cli_parts_watch(cli_parts *parts);
/** Let others write to the terminal, until cli_step_go_on(). */
void cli_step_pause(cli_step *step);
void cli_step_go_on(cli_step *step);
/** @return `status` */
int cli_step_end(cli_step *step, int status);

/** From now on Ctrl-C (SIGINT) only makes cli_interrupted() true, for threads that start later,
 * too. */
void cli_interrupt_catch(void);
/** Ctrl-C ends the program again, and one that was held ends it now. */
void cli_interrupt_release(void);
bool cli_interrupted(void);

#endif
