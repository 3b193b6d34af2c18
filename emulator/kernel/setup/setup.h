/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From what is asked to the first cycle; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_SETUP_SETUP_H
#define ODONATA_EMULATOR_KERNEL_SETUP_SETUP_H

#include "emulator/kernel/state/part.h"

/* ---- world.c ---- */

/** Can it be emulated at all? Errors: ODO_EINPUT */
int odo_emulation_check(const odo_emulation *e, odo_error *err);

/**
 * What is constant in a run; w->e and ranks are there.
 * Errors: those of odo_emulate()
 */
int odo_world_make(odo_world *w, odo_error *err);

/** Also what the functions below have made. */
void odo_world_free(odo_world *w);

/* ---- deal.c ---- */

/** Cycles of a window where parts do not limit it; and of all windows together after which a run
 * may end before its time, so that it ends in the same cycle however long windows are. */
#define ODO_LONGEST_WINDOW 1000u

/** Deal switches to parts, and parts to workers. Errors: ODO_ENOMEM */
int odo_world_deal(odo_world *w, odo_error *err);

/* ---- layout.c ---- */

/** Cycles of the link that packets coming in by a slot take. */
uint32_t odo_latency_into(const odo_world *w, uint32_t slot);

/** The state of all parts of this rank, and the lists of its workers. Errors: ODO_ENOMEM */
int odo_parts_build(odo_world *w, odo_error *err);
void odo_part_free(odo_part *part);

/* ---- worker.c ---- */

/** Lists of a cycle. Errors: ODO_ENOMEM */
int odo_worker_lists(const odo_world *w, odo_worker *worker, odo_error *err);
void odo_worker_free(odo_worker *worker);

#endif
