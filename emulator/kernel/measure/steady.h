/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** End of a warm-up; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_MEASURE_STEADY_H
#define ODONATA_EMULATOR_KERNEL_MEASURE_STEADY_H

#include "emulator/kernel/state/part.h"

/**
 * Add a batch that has ended, given the totals since the run began. @return true once accepted load
 * and mean latency have stayed constant for four batches, within what chance allows. Beyond
 * saturation, latency grows forever. Therefore only accepted load counts after 40 batches, and
 * after 100 batches the result is always true.
 */
bool odo_steady_add(odo_steady *s, uint64_t phits, uint64_t packets, uint64_t latency);

#endif
