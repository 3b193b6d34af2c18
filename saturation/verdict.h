/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Is a load sustained? The packets that arrive decide. */
#ifndef ODONATA_SATURATION_VERDICT_H
#define ODONATA_SATURATION_VERDICT_H

#include <stdbool.h>

#include "emulator/emulator.h"

typedef struct odo_load_verdict {
	bool sustained;
	bool guessed;             /**< by a window shorter than chance requires */
	double accepted;          /**< in the first window, which has the requested length */
	double latency;           /**< mean in the last window, cycles */
	uint64_t cycles;          /**< cycles until its end */
	uint32_t runs, deadlocks; /**< number of windows, and of windows in which nothing moved any
				   * more */
} odo_load_verdict;

/**
 * Emulate at run.load, longer and longer, until the packets in the network and at its sources have
 * stopped growing. Then compare the packets that each host offered with its packets that arrived.
 * The windows follow each other in one run; each is twice as long as the one before.
 * docs/design/emulator.md defines the comparison.
 * @param e         run.warmup and run.measured are those of the first window
 * @param tolerance load, in phits per host and cycle, by which arrivals may fall short
 * @param glance    how many times shorter than chance requires a window may be and still be
 *                  trusted, if it shows no problem; 1 for a verdict, more for a guess. "Not
 *                  sustained" is always a verdict
 * Errors: those of odo_emulate(). A deadlock is not an error; the load is not sustained.
 */
int odo_load_verdict_find(const odo_emulation *e, double tolerance, double glance,
			  odo_load_verdict *out, odo_error *err);

#endif
