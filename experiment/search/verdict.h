/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Is a load sustained? Judged by what arrives. */
#ifndef ODONATA_EXPERIMENT_SEARCH_VERDICT_H
#define ODONATA_EXPERIMENT_SEARCH_VERDICT_H

#include <stdbool.h>

#include "emulator/emulator.h"

typedef struct odo_verdict {
	bool sustained;
	bool guessed;             /**< by a window shorter than chance asks for */
	double accepted;          /**< in the first window, which is as long as asked */
	double latency;           /**< mean in the last one, cycles */
	uint64_t cycles;          /**< until its end */
	uint32_t runs, deadlocks; /**< windows, and those in which nothing moved any more */
} odo_verdict;

/**
 * Emulate at run.load, longer and longer, until what is in the network and waits at its sources
 * has stopped growing, and then compare what each host offered with what arrived of it. Each window
 * is twice as long as the one before, from where that ended, of one run. docs/design/emulator.md
 * says what is compared with what.
 * @param e         run.warmup and run.measured are those of the first run
 * @param tolerance load, in phits per host and cycle, by which arrivals may fall short
 * @param glance    how many times shorter than chance asks for a window may be that shows nothing
 *                  wrong and is believed; 1 for a verdict, more for a guess. That a load is not
 *                  sustained is a verdict in either case
 * Errors: those of odo_emulate(). A deadlock is none: it sustains nothing.
 */
int odo_verdict_find(const odo_emulation *e, double tolerance, double glance, odo_verdict *out,
		     odo_error *err);

#endif
