/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Deals destinations out among equal ways: evenly, and so that losing one moves few. */
#ifndef ODONATA_ROUTING_GRAPH_DEAL_H
#define ODONATA_ROUTING_GRAPH_DEAL_H

#include <stdint.h>

/** Phases that can be dealt: trees per destination switch at most. */
#define ODO_MAX_PHASES 16u

static inline uint32_t odo_mix(uint32_t x)
{
	x = (x ^ (x >> 16)) * 0x7FEB352Du;
	x = (x ^ (x >> 15)) * 0x846CA68Bu;
	return x ^ (x >> 16);
}

/**
 * Give each phase one of `n` ways: no way has more than one phase above another, and where
 * that leaves a choice the highest hash of (way, phase) wins, so that most phases keep their
 * way when another goes.
 * @param id   [n] what names each way for life
 * @param pick [n_phases] index of the way; untouched for n = 0
 */
void odo_deal(const uint32_t *id, uint32_t n, unsigned n_phases, uint32_t *pick);

/** Least common multiple, or `limit` where that is less. */
unsigned odo_lcm(unsigned a, unsigned b, unsigned limit);

#endif
