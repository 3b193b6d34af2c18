/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Cycles of a part; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_CYCLE_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_CYCLE_H

#include "emulator/kernel/state/part.h"

/** Run a part until cycle `until`; of other parts, only their inboxes are written. */
void odo_part_run(odo_part *part, uint32_t until);

/** The same as odo_part_run(), with the same outcome, by instructions that only some processors
 * have (avx512.h). */
void odo_part_run_wide(odo_part *part, uint32_t until);

/** Does this processor have these instructions, and is the fabric small enough for their indices?
 */
bool odo_can_run_wide(const odo_world *w);

#endif
