/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** When a warm-up has lasted long enough; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_MEASURE_STEADY_H
#define ODONATA_EMULATOR_KERNEL_MEASURE_STEADY_H

#include "emulator/kernel/state/part.h"

/**
 * Another batch has ended, with these totals since the run began.
 * @return true once accepted load and mean latency have held still for four batches, give or take
 * what chance allows. Beyond saturation latency grows for ever: after 40 batches accepted load is
 * enough, after 100 nothing is asked any more.
 */
bool odo_steady_add(odo_steady *s, uint64_t phits, uint64_t packets, uint64_t latency);

#endif
