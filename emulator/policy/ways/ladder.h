/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Deadlock avoidance by distance (Günther; paper 000, section 1): a policy states the longest
 * sequence of link classes its packets take, such as local, global, local. Each rung has a VL of
 * its own among the links of its class. A hop takes the next rung of its class above the packet's
 * last one. So rungs only grow along a path, and no cycle of waiting packets can close.
 */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_LADDER_H
#define ODONATA_EMULATOR_POLICY_WAYS_LADDER_H

#include <assert.h>
#include <stdint.h>

#include "emulator/model.h"

#define ODO_MAX_RUNGS 16

typedef struct odo_ladder {
	uint8_t n_rungs;
	uint8_t n_vls[2]; /**< VLs that local and global links need */
	uint8_t vl[ODO_MAX_RUNGS];
	/** [class][rung + 1]: the next rung of the class above `rung`, where -1 stands for the
	 * source; n_rungs if there is none */
	uint8_t next[2][ODO_MAX_RUNGS + 1];
} odo_ladder;

/** @param sequence of 'l' and 'g', one letter per hop; at most ODO_MAX_RUNGS */
static inline odo_ladder odo_ladder_make(const char *sequence)
{
	odo_ladder l = {0};
	for (; sequence[l.n_rungs]; l.n_rungs++)
		l.vl[l.n_rungs] = l.n_vls[sequence[l.n_rungs] == 'g']++;
	for (int class = 0; class < 2; class ++) {
		l.next[class][l.n_rungs] = l.n_rungs;
		for (int rung = l.n_rungs - 1; rung >= 0; rung--)
			l.next[class][rung] = sequence[rung] == "lg"[class]
						      ? (uint8_t)rung
						      : l.next[class][rung + 1];
	}
	return l;
}

/**
 * Return the rung of a packet's next hop.
 * @param taken rungs used up so far: 0 at the source, else the last rung + 1
 */
static inline unsigned odo_ladder_next(const odo_ladder *l, odo_link_class class, unsigned taken)
{
	unsigned rung = l->next[class][taken];
	assert(rung < l->n_rungs);
	return rung;
}

/** Add a hop to a packet's count of used rungs. Links to hosts have no rung. */
static inline void odo_ladder_climb(const odo_ladder *l, odo_link_class class, uint8_t *taken)
{
	if (class != ODO_LINK_HOST)
		*taken = (uint8_t)(odo_ladder_next(l, class, *taken) + 1);
}

#endif
