/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** View of a switch for a policy; private to the emulator. The functions that policies call are in
 * policy.h. */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_VIEW_H
#define ODONATA_EMULATOR_KERNEL_STATE_VIEW_H

#include "emulator/kernel/state/part.h"

/** @param s number of the switch in the part */
void odo_part_view(odo_part *part, uint32_t s, odo_view *out);

#endif
