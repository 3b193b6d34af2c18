/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Cycles of a part; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_CYCLE_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_CYCLE_H

#include "emulator/kernel/cycle/loops.h"

/** Return the function that runs parts by a row of odo_loops. */
odo_run_part *odo_run_of(const odo_loop *loop);

/** The same, with the same outcome, by instructions that only some processors have (avx512.h). */
odo_run_part *odo_run_of_wide(const odo_loop *loop);

/** Does this processor have these instructions, and is the fabric small enough for their indices?
 */
bool odo_can_run_wide(const odo_world *w);

#endif
