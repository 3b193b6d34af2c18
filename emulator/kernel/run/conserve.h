/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Conservation of packets, phits and credits, checked after every cycle if a run
 * (odo_run_options.conserve) or the build (-DODONATA_CONSERVE=ON) asks for it. Windows are then one
 * cycle long. This changes only the time a run takes: it at least doubles.
 *
 * The checks, with whole packets:
 *
 * - For each VL of a cable, four numbers add up to the buffer behind it: free credits, credits on
 *   their way back, phits on the cable, and phits in the buffer.
 * - Queues of a host hold as many phits as they count.
 * - Packets of a pool are free, in a lane, on their way, or wait for a queue; each in one place.
 * - The network holds as many packets as have come in and not been received.
 *
 * With flits (flits.h) only the last one is checked. The checks need one thread and one rank.
 */
#ifndef ODONATA_EMULATOR_KERNEL_RUN_CONSERVE_H
#define ODONATA_EMULATOR_KERNEL_RUN_CONSERVE_H

#include "emulator/kernel/state/part.h"

static inline bool odo_conserves(const odo_world *w)
{
#ifdef ODONATA_CONSERVE
	return w->n_workers == 1 && w->n_ranks == 1;
#else
	return w->e->run.conserve && w->n_workers == 1 && w->n_ranks == 1;
#endif
}

/** Check all parts, between two cycles. @return false: a part now has a fault, or there was no
 * memory */
bool odo_conserve_check(const odo_world *w);

/** Report a part's fault if one of these checks found it. @return 0 or ODO_EIO */
int odo_conserve_tell(const odo_part *part, odo_error *err);

#endif
