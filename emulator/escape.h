/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Escape subnetworks (paper 000, section 3.3): one or several rings with bubble flow control, or
 * a tree with up/down routing, each on one more VL of the links it uses; or a ring on VL 0 of
 * cables of its own, which nothing else uses.
 */
#ifndef ODONATA_EMULATOR_ESCAPE_H
#define ODONATA_EMULATOR_ESCAPE_H

#include "emulator/policy.h"
#include "emulator/ring.h"
#include "emulator/tree.h"

#define ODO_MAX_ESCAPES 4

typedef struct odo_escape {
	const odo_ways *ways;
	uint32_t packet; /**< phits of the longest packet */
	unsigned n;      /**< subnetworks; each has VL `vls[class] + its index`, but an own one 0 */
	unsigned vls[2]; /**< VLs of the canonical network on local and global links */
	bool is_tree;    /**< then n is 1 */
	bool is_own;     /**< likewise */
	odo_ring ring[ODO_MAX_ESCAPES];
	odo_tree tree;
} odo_escape;

/** @param name rings by letter, "abc"; "tree" with its root at switch `root`; "own" */
int odo_escape_create(const odo_ways *w, const char *name, uint32_t root, uint32_t packet,
		      const unsigned vls[2], odo_escape *out, odo_error *err);
void odo_escape_clear(odo_escape *e);

/** VLs that the links need beside the canonical ones. */
static inline unsigned odo_escape_vls(const odo_escape *e)
{
	return e->is_own ? 0 : e->n;
}

/** The subnetwork of a way that is an escape. */
static inline unsigned odo_escape_of(const odo_escape *e, odo_link_class class, const odo_way *way)
{
	return e->n == 1 ? 0 : way->vl - e->vls[class];
}

/**
 * The way towards `target` by the escape subnetwork `which`. Entering a ring takes room for two
 * packets, so that a bubble remains (section 3.3.2); going on along it takes room for one.
 * A ring whose cable here has failed is left for the next one, if there is one.
 * @param inside the packet is in this subnetwork now
 * @param which  in: subnetwork of the packet; out: that of the way
 */
void odo_escape_way(const odo_escape *e, const odo_view *v, const odo_packet *p, uint32_t target,
		    bool inside, unsigned *which, odo_way *way);

/** True if all escape buffers behind this switch are more than `percent` full (section 3.4.1). */
bool odo_escape_congested(const odo_escape *e, const odo_view *v, unsigned percent);

#endif
