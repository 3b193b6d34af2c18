/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Escape subnetworks (paper 000, section 3.3): one or several rings with bubble flow control, or
 * trees with up/down routing. Each uses one more VL of the links it takes, or VL 0 of cables of its
 * own, which no other traffic uses.
 */
#ifndef ODONATA_EMULATOR_POLICY_ESCAPE_H
#define ODONATA_EMULATOR_POLICY_ESCAPE_H

#include "emulator/policy.h"
#include "emulator/policy/ring.h"
#include "emulator/policy/tree.h"

#define ODO_MAX_ESCAPES 4

typedef struct odo_escape {
	const odo_ways *ways;
	uint32_t packet; /**< phits of the longest packet */
	unsigned n;      /**< subnetworks; each has VL `vls[class] + its index`; on cables of their
			  * own, VL 0 */
	unsigned vls[2]; /**< VLs of the canonical network on local and global links */
	bool is_tree;    /**< trees, else rings */
	bool is_own;     /**< on cables of their own */
	odo_ring ring[ODO_MAX_ESCAPES];
	odo_tree tree[ODO_MAX_ESCAPES];
} odo_escape;

/** Names of all escapes, ending with NULL: rings by letter; "tree", or "trees" for two; and escapes
 * on cables of their own. */
extern const char *const odo_escape_names[];

/**
 * Prepare an escape, and the ways of the canonical network without the escape's own cables.
 * @param name one of odo_escape_names
 * @param root switch at the root of an embedded tree; the root of a second tree is half the fabric
 * away
 * @param ways for odo_ways_free(), also after a failure: then NULL
 * @param out  for odo_escape_clear(), also after a failure. Borrows `ways`.
 */
int odo_escape_create(const odo_fabric *f, const odo_coordinates *c, const char *name,
		      uint32_t root, uint32_t packet, const unsigned vls[2], odo_ways **ways,
		      odo_escape *out, odo_error *err);
void odo_escape_clear(odo_escape *escape);

/** Mark the slots at both ends of the cables that an escape uses. @param cables [n_slots], added
 * to */
void odo_escape_cables(const odo_escape *escape, const odo_fabric *f, uint8_t *cables);

/** VLs that the links need besides the canonical ones. */
static inline unsigned odo_escape_vls(const odo_escape *escape)
{
	return escape->is_own ? 0 : escape->n;
}

/** Return the subnetwork of a way that is an escape. */
unsigned odo_escape_of(const odo_escape *escape, uint32_t node, const odo_way *way);

/**
 * Find the way towards `target` by the escape subnetwork `which`. Entering a ring needs room for
 * two packets, so that a bubble remains (section 3.3.2); continuing along it needs room for one. If
 * the subnetwork's cable has failed here, the packet changes to the next subnetwork, if there is
 * one.
 * @param inside the packet is in this subnetwork now
 * @param which  in: subnetwork of the packet; out: that of the way
 */
void odo_escape_way(const odo_escape *escape, const odo_view *v, const odo_packet *p,
		    uint32_t target, bool inside, unsigned *which, odo_way *way);

/** True if all escape buffers behind this switch are more than `percent` full (section 3.4.1). */
bool odo_escape_congested(const odo_escape *escape, const odo_view *v, unsigned percent);

#endif
