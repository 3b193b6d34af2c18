/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Setup of a run, from its options to the first cycle; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_SETUP_SETUP_H
#define ODONATA_EMULATOR_KERNEL_SETUP_SETUP_H

#include "emulator/kernel/state/part.h"

/* ---- world.c ---- */

/** Check whether the emulation is possible. Errors: ODO_EINPUT */
int odo_emulation_check(const odo_emulation *e, odo_error *err);

/**
 * Compute the constants of a run; w->e and the ranks are already set.
 * Errors: those of odo_emulate()
 */
int odo_world_make(odo_world *w, odo_error *err);

/** Free the world, and everything that the functions below have made. */
void odo_world_free(odo_world *w);

/* ---- deal.c ---- */

/** Maximum cycles of a window. A run may end early only after a multiple of this many cycles, so
 * that it ends in the same cycle for every length of windows. */
#define ODO_LONGEST_WINDOW 1000u

/** Assign switches to parts, and parts to workers. Errors: ODO_ENOMEM */
int odo_world_deal(odo_world *w, odo_error *err);

/* ---- layout.c ---- */

/** Return the latency in cycles of the link by which packets come in at a slot. */
uint32_t odo_latency_into(const odo_world *w, uint32_t slot);

/** Build the state of all parts of this rank, and the lists of its workers. Errors: ODO_ENOMEM */
int odo_parts_build(odo_world *w, odo_error *err);
void odo_part_free(odo_part *part);

/* ---- worker.c ---- */

/** Allocate the lists of a cycle. Errors: ODO_ENOMEM */
int odo_worker_lists(const odo_world *w, odo_worker *worker, odo_error *err);
void odo_worker_free(odo_worker *worker);

#endif
