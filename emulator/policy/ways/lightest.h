/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Choose among equally short ways by the state of a switch's own outputs: the queue behind each, as
 * far as credits tell. Behind two open outputs, the longer queue means the longer wait. An output
 * that is closed for now, because a packet crosses to it, is taken only if all are closed.
 */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_LIGHTEST_H
#define ODONATA_EMULATOR_POLICY_WAYS_LIGHTEST_H

#include "emulator/policy.h"

/** Phits taken behind an output, of all VLs. */
static inline unsigned odo_queue_behind(const odo_view *v, unsigned port)
{
	unsigned sum = 0;
	for (unsigned vl = 0; vl < v->n_vls; vl++)
		sum += odo_view_taken(v, port, vl);
	return sum;
}

/** Return the output with the shortest queue, among open outputs if any is open; ties are broken at
 * random. A cable that has failed is the last choice. @param n above 0 */
static inline uint8_t odo_lightest(const odo_view *v, const uint8_t *port, unsigned n)
{
	uint64_t least = UINT64_MAX;
	unsigned ties = 0;
	uint8_t best = port[0];
	for (unsigned i = 0; i < n; i++) {
		uint64_t weight = odo_queue_behind(v, port[i]);
		weight |= (uint64_t)(odo_view_closed(v, port[i]) > 0) << 40;
		weight |= (uint64_t)odo_view_dead(v, port[i]) << 41;
		if (weight < least) {
			least = weight;
			best = port[i];
			ties = 1;
		} else if (weight == least && odo_view_below(v, ++ties) == 0) {
			best = port[i];
		}
	}
	return best;
}

#endif
