/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Run over several MPI ranks; private to the emulator. Every rank calls odo_emulate() with the same
 * arguments, runs its share of the parts, and returns the same measures. There is one rank if the
 * build has no MPI or the program has not initialised it.
 */
#ifndef ODONATA_EMULATOR_KERNEL_RUN_RANKS_H
#define ODONATA_EMULATOR_KERNEL_RUN_RANKS_H

#include "emulator/kernel/state/part.h"

uint32_t odo_ranks_number(void);
uint32_t odo_ranks_count(void);

/**
 * End a window: exchange messages between parts of different ranks, and add up the progress of all
 * ranks.
 * @param odd      parity of the window
 * @param progress in: this rank's; out: that of all ranks
 */
void odo_ranks_exchange(odo_world *w, unsigned odd, odo_progress *progress);

void odo_ranks_free(odo_world *w);

/** Replace this rank's measures by the sums over all ranks. */
void odo_ranks_sum(odo_measures *m, odo_batch *batches, const odo_fabric *f);

/**
 * Replace this rank's elements of `size` bytes by those of all ranks, in the order of ranks. If any
 * rank has failed, all ranks fail, and `n` is 0. Returns the status.
 * @param array from malloc(), also on return; NULL if empty
 */
int odo_ranks_collect(int status, void **array, size_t *n, size_t size);

/** Give all ranks the text of the rank whose `order` is least; of several such ranks, the first. */
void odo_ranks_tell(uint32_t order, char *text, size_t size);

/** Make the ranks agree: if any rank has failed, all ranks fail with the same error. Returns the
 * status. */
int odo_ranks_agree(int status, odo_error *err);

#endif
