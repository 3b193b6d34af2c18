/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * While a part runs, the next part is brought into the cache, a share of its lines in every cycle.
 * Fetched all at once when the next part starts, the lines would make the processor wait for
 * distant memory.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_PREFETCH_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_PREFETCH_H

#include "emulator/kernel/state/part.h"

#define ODO_LINE 64u
/* Maximum bytes to prefetch; a larger part would displace the part that runs. */
#define ODO_PREFETCH_MOST (2u << 20)

/** Plan the prefetch of a part's memory within `cycles` cycles. Messages from other parts lie in
 * order and need no prefetch. */
void odo_prefetch_plan(odo_prefetch *prefetch, const odo_part *part, uint32_t cycles);
void odo_prefetch_free(odo_prefetch *prefetch);

/** Prefetch one cycle's share into the second-level cache. In the first level it would displace the
 * data that the running part works with. */
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
