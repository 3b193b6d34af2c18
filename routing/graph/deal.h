/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Assignment of destinations to equal ways: evenly, and so that the loss of a way moves few. */
#ifndef ODONATA_ROUTING_GRAPH_DEAL_H
#define ODONATA_ROUTING_GRAPH_DEAL_H

#include <stdint.h>

/** Maximum number of phases: trees per destination switch. */
#define ODO_MAX_PHASES 16u

static inline uint32_t odo_mix(uint32_t x)
{
	x = (x ^ (x >> 16)) * 0x7FEB352Du;
	x = (x ^ (x >> 15)) * 0x846CA68Bu;
	return x ^ (x >> 16);
}

/**
 * Give each phase one of `n` ways. The numbers of phases per way differ by at most one. Within this
 * limit the highest hash of (way, phase) wins, so that most phases keep their way if another way is
 * lost.
 * @param id   [n] permanent name of each way
 * @param pick [n_phases] gets the index of the way; unchanged for n = 0
 */
void odo_deal(const uint32_t *id, uint32_t n, unsigned n_phases, uint32_t *pick);

/** Return the least common multiple, or `limit` if that is less. */
unsigned odo_lcm(unsigned a, unsigned b, unsigned limit);

#endif
