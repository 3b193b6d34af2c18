/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Conservation of packets, phits and credits, looked at after every cycle where a run asks for it
 * (odo_run_options.conserve) or the build does (-DODONATA_CONSERVE=ON). Windows are a cycle long
 * then, which changes nothing but the time a run takes: twice as long and more.
 *
 * Held true, with whole packets:
 *
 * - Credits: of each VL of a cable, those that are free, those on their way back, the phits on the
 * cable and the phits in the buffer behind it add up to that buffer.
 * - Queues of a host hold as many phits as they say.
 * - Packets of a pool are free, in a lane, on their way, or wait for a queue; each in one place.
 * - The network holds as many packets as have come in and not been received.
 *
 * With flits (flits.h) only the last one is looked at. One thread and one rank.
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

/** Between two cycles, of all parts. @return false: a part has a fault now, or there was no memory
 */
bool odo_conserve_check(const odo_world *w);

/** If a part's fault is one of these, its error. @return 0 or ODO_EIO */
int odo_conserve_tell(const odo_part *part, odo_error *err);

#endif
