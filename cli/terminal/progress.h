/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Long work: progress, time left, and Ctrl-C. */
#ifndef ODONATA_CLI_PROGRESS_H
#define ODONATA_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

#include "base/watch.h"

/** Seconds before progress is shown. */
#define CLI_SOON 5.0

/** A step of work that may take long. On a terminal a separate thread shows its progress. */
typedef struct cli_step {
	char what[256];
	double began, from; /**< seconds, of a monotonic clock */
	double first;       /**< share done at `from`, 0 .. 1 */
	double ends;        /**< estimated end in seconds; 0: unknown */
	bool at_most;       /**< the step may end earlier than estimated */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool is_shown, is_printed, is_over;
} cli_step;

/** Begin a step. On a terminal "<what>, 12 s so far" is shown after CLI_SOON, until cli_step_end().
 * Steps are not nested.
 * @param step must not move until then */
void cli_step_begin(cli_step *step, const char *what);
/**
 * Set the text to show, with the time left: "3 of 12 points, 40 s left".
 * @param share share that is done, 0 .. 1; below 0: unknown. Time is estimated from the first call
 *   on. A share that does not exceed the first one restarts the estimate
 */
void cli_step_at(cli_step *step, double share, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** Make a watch with which a library reports progress of this step: "proving updown, 40 s left", or
 * "at most 40 s left". */
odo_watch cli_step_watch(cli_step *step);
/** Parts of a step that take about equally long. */
typedef struct cli_parts {
	cli_step *step;
	const char *name; /**< name of the current part */
	size_t done, n;
} cli_parts;

/** Show "<name>, 3 of 12, 40 s left".
 * @param share share of the part that is done */
void cli_parts_at(const cli_parts *parts, double share);
/** Make a watch with which a library reports progress of the part.
 * @param parts must not move */
odo_watch cli_parts_watch(cli_parts *parts);
/** Stop showing progress until cli_step_go_on(), so that others can write to the terminal. */
void cli_step_pause(cli_step *step);
void cli_step_go_on(cli_step *step);
/** End a step.
 * @return `status` */
int cli_step_end(cli_step *step, int status);

/** Catch Ctrl-C (SIGINT): from now on it only makes cli_interrupted() true, also in threads that
 * start later. */
void cli_interrupt_catch(void);
/** Let Ctrl-C end the program again. A Ctrl-C that was caught ends it now. */
void cli_interrupt_release(void);
bool cli_interrupted(void);

#endif
