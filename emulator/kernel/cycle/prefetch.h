/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * While a part runs, the next one is brought into the cache: line by line, a share of it in every
 * cycle. At once, when it is its turn, the processor would wait for what is far away.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_PREFETCH_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_PREFETCH_H

#include "emulator/kernel/state/part.h"

#define ODO_LINE 64u
/* Bytes: a part that is larger would drive out the one that runs. */
#define ODO_PREFETCH_MOST (2u << 20)

/** Plan for a part's memory, in so many cycles. What others send it lies in order, and needs no
 * help. */
void odo_prefetch_plan(odo_prefetch *prefetch, const odo_part *part, uint32_t cycles);
void odo_prefetch_free(odo_prefetch *prefetch);

/** A cycle's share: into the second level of caches, since in the first it would drive out what the
 * part that runs works with. */
static inline void odo_prefetch_step(odo_prefetch *prefetch)
{
	uint32_t share = prefetch->share;
	while (share && prefetch->next < prefetch->n) {
		odo_span *span = &prefetch->spans[prefetch->next];
		uint32_t lines = span->lines < share ? span->lines : share;
		for (uint32_t i = 0; i < lines; i++)
			__builtin_prefetch(span->at + (size_t)i * ODO_LINE, 0, 2);
		span->at += (size_t)lines * ODO_LINE;
		span->lines -= lines;
		share -= lines;
		prefetch->next += span->lines == 0;
	}
}

#endif
