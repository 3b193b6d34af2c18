/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A part's cycles; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_CYCLE_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_CYCLE_H

#include "emulator/kernel/state/part.h"

/** Run until cycle `until`, touching nothing of other parts but their inboxes. */
void odo_part_run(odo_part *part, uint32_t until);

/** The same, with the same outcome, by instructions that only some processors have (avx512.h). */
void odo_part_run_wide(odo_part *part, uint32_t until);

/** Has this processor them, and is the fabric small enough for their indices? */
bool odo_can_run_wide(const odo_world *w);

#endif
