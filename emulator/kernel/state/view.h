/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a policy sees of a switch; private to the emulator. What policies call is in policy.h. */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_VIEW_H
#define ODONATA_EMULATOR_KERNEL_STATE_VIEW_H

#include "emulator/kernel/state/part.h"

/** @param s of the part */
void odo_part_view(odo_part *part, uint32_t s, odo_view *out);

#endif
