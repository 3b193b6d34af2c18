/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** When a warm-up has lasted long enough; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_STEADY_H
#define ODONATA_EMULATOR_KERNEL_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#define ODO_STEADY_BATCHES 4

/** Means of the last batches of cycles. */
typedef struct odo_steady {
	uint64_t batch;                   /**< cycles */
	uint64_t phits, packets, latency; /**< totals at the end of the last batch */
	double accepted[ODO_STEADY_BATCHES], mean[ODO_STEADY_BATCHES];
	uint32_t n; /**< batches seen */
} odo_steady;

/**
 * Another batch has ended, with these totals since the run began.
 * @return true once accepted load and mean latency have held still for four batches, give or take
 * what chance allows. Beyond saturation latency grows for ever: after 40 batches accepted load is
 * enough, after 100 nothing is asked any more.
 */
bool odo_steady_add(odo_steady *s, uint64_t phits, uint64_t packets, uint64_t latency);

#endif
