/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * One run over MPI ranks; private to the emulator. Every rank calls odo_emulate() with the same
 * arguments, runs its share of the parts, and comes out with the same measures. Built without MPI,
 * or where the program has not initialised it, there is one rank.
 */
#ifndef ODONATA_EMULATOR_KERNEL_RUN_RANKS_H
#define ODONATA_EMULATOR_KERNEL_RUN_RANKS_H

#include "emulator/kernel/state/part.h"

uint32_t odo_ranks_number(void);
uint32_t odo_ranks_count(void);

/**
 * A window is over: hand parts of other ranks what was sent to them, take in what they send, and
 * add up how far all have come.
 * @param odd      parity of the window
 * @param progress in: this rank's; out: of all
 */
void odo_ranks_exchange(odo_world *w, unsigned odd, odo_progress *progress);

void odo_ranks_free(odo_world *w);

/** The sums of all ranks, in place of this rank's. */
void odo_ranks_sum(odo_measures *m, odo_batch *batches, const odo_fabric *f);

/**
 * Every rank's elements of `size` bytes, in the order of ranks, in place of this rank's. Where any
 * rank has failed, all have, and `n` is 0. Returns the status.
 * @param array of malloc(), and so when done; NULL where empty
 */
int odo_ranks_collect(int status, void **array, size_t *n, size_t size);

/** The text of the rank whose `order` is least, of several such the first one's. */
void odo_ranks_tell(uint32_t order, char *text, size_t size);

/** Where any rank has failed, all have, with the same error. Returns the status. */
int odo_ranks_agree(int status, odo_error *err);

#endif
