/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Where nothing is in the network and hosts have something to send later only, the cycles between
 * are passed over; private to the emulator. All workers and ranks come to the same conclusion,
 * from what they tell each other after every window.
 */
#ifndef ODONATA_EMULATOR_KERNEL_RUN_IDLE_H
#define ODONATA_EMULATOR_KERNEL_RUN_IDLE_H

#include "emulator/kernel/state/part.h"

/** What sums of progress begin with. */
#define ODO_NO_PROGRESS ((odo_progress){.due = UINT32_MAX})

void odo_progress_add(odo_progress *to, const odo_progress *of);

/** The last cycle in which something moved or was received in full; perhaps to come. */
static inline uint32_t odo_progress_last(const odo_progress *progress)
{
	return progress->last_move > progress->last_received ? progress->last_move
							     : progress->last_received;
}

/** Is it worth asking, in the window from `now`, until when nothing happens? */
bool odo_may_idle(const odo_world *w, uint64_t now, const odo_progress *progress);

/** Asked at the end of a window: the cycle before which nothing happens in a part; its present one
 * where something is under way, be it a credit. */
uint32_t odo_part_due(const odo_part *part);

#endif
