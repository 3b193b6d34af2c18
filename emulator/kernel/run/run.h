/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From the first cycle to the answer; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_RUN_RUN_H
#define ODONATA_EMULATOR_KERNEL_RUN_RUN_H

#include "emulator/kernel/state/part.h"

/* ---- windows.c ---- */

/** All windows. Errors: ODO_ENOMEM where a thread cannot be made; then none has run. */
int odo_world_run(odo_world *w, odo_outcome *outcome, odo_error *err);

/* ---- emulate.c ---- */

/**
 * What a run has found, where it ended as in `outcome`; all ranks call it together.
 * @param out for odo_measures_free()
 * Errors: what went wrong in a part; ODO_ENOMEM
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

/** Whoever waits longest, where there is no circle. */
void odo_watch_waiting(const odo_world *w, char *text, size_t size);

/** The packet that has gone too far. */
void odo_watch_lost(const odo_world *w, char *text, size_t size);

#endif
