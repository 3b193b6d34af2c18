/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Long runs: how far they are and how long they will still take, and Ctrl-C in the midst. */
#ifndef ODONATA_CLI_PROGRESS_H
#define ODONATA_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** Seconds before which nothing is said. */
#define CLI_SOON 5.0

typedef struct cli_progress_clock {
	double began, said; /**< seconds, of a clock that never goes back */
} cli_progress_clock;

cli_progress_clock cli_clock_start(void);

/**
 * Say on a terminal "<what>, 12 s left", at most five times a second, once CLI_SOON is over.
 * @param share done, 0 .. 1; below 0: not known, and no time is told
 */
void cli_progress_left(cli_progress_clock *clock, double share, const char *what);

/** From now on Ctrl-C (SIGINT) only makes cli_interrupted() true, for threads that start later,
 * too. */
void cli_interrupt_catch(void);
/** Ctrl-C ends the program again, and one that was held ends it now. */
void cli_interrupt_release(void);
bool cli_interrupted(void);

#endif
