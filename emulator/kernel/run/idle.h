/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * If no packet is in the network and hosts send again only later, the cycles between are skipped;
 * private to the emulator. Workers and ranks all reach the same conclusion, from the progress they
 * exchange after every window.
 */
#ifndef ODONATA_EMULATOR_KERNEL_RUN_IDLE_H
#define ODONATA_EMULATOR_KERNEL_RUN_IDLE_H

#include "emulator/kernel/state/part.h"

/** Initial value of a sum of progress. */
#define ODO_NO_PROGRESS ((odo_progress){.due = UINT32_MAX})

void odo_progress_add(odo_progress *to, const odo_progress *of);

/** The last cycle in which a packet moved or is received in full; may be in the future. */
static inline uint32_t odo_progress_last(const odo_progress *progress)
{
	return progress->last_move > progress->last_received ? progress->last_move
							     : progress->last_received;
}

/** Is it worth computing, in the window from `now`, until when nothing happens? */
bool odo_may_idle(const odo_world *w, uint64_t now, const odo_progress *progress);

/** At the end of a window, return the cycle before which nothing happens in a part. It is the
 * present cycle if any packet or credit is on its way. */
uint32_t odo_part_due(const odo_part *part);

#endif
