/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From the first cycle to the measures; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_RUN_RUN_H
#define ODONATA_EMULATOR_KERNEL_RUN_RUN_H

#include "emulator/kernel/state/part.h"

/* ---- windows.c ---- */

/** Run all windows. Errors: ODO_ENOMEM if a thread cannot be started; then no thread has run. */
int odo_world_run(odo_world *w, odo_outcome *outcome, odo_error *err);

/* ---- emulate.c ---- */

/**
 * Compute the measures of a run that ended with `outcome`; all ranks call this function together.
 * @param out for odo_measures_free()
 * Errors: the fault of a part; ODO_ENOMEM
 */
int odo_world_conclude(odo_world *w, odo_outcome outcome, odo_measures **out, odo_error *err);

/* ---- gather.c ---- */

/** Sum up what the parts counted, over all ranks. Errors: ODO_ENOMEM */
int odo_measures_gather(odo_world *w, odo_measures **out, odo_error *err);

/* ---- watch.c: all ranks call these together, and have the same text ---- */

/**
 * Find packets that wait for each other in a circle, each queue full.
 * @param text one line for each queue, or none
 * Errors: ODO_ENOMEM
 */
int odo_watch_circle(const odo_world *w, bool *found, char *text, size_t size);

/** Describe the packet that waits longest, if there is no circle. */
void odo_watch_waiting(const odo_world *w, char *text, size_t size);

/** Describe the packet that has taken too many hops. */
void odo_watch_lost(const odo_world *w, char *text, size_t size);

#endif
