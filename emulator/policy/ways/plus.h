/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Ways in a Dragonfly+ by coordinates, for policies: from leaves up to spines, between groups by
 * the global cables of spines, and down to leaves.
 */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_PLUS_H
#define ODONATA_EMULATOR_POLICY_WAYS_PLUS_H

#include "base/arena.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** A Dragonfly+ in arrays. It is whole if in each group every leaf has a cable to every spine, and
 * every two groups have a cable. Groups may differ in size. If it is damaged, any two leaves have
 * a minimal way, or two minimal ways by another leaf (checked when made). */
typedef struct odo_plus_ways {
	const odo_fabric *fabric;
	odo_arena memory; /**< of the arrays */
	uint32_t n_groups, n_leaves;
	uint32_t n_keys;     /**< groups, plus the largest number of leaves in a group */
	uint32_t *home;      /**< [n_hosts] switch of each host */
	uint8_t *host_port;  /**< [n_hosts] port of that switch to the host */
	uint32_t *group;     /**< [n_switches] */
	uint32_t *leaf;      /**< [n_switches] number of a leaf in its group; ODO_NONE for spines */
	uint32_t *leaves;    /**< [n_leaves] all leaves, group by group */
	uint32_t *in_groups; /**< [n_groups + 1] first leaf of each group in `leaves` */
	/** [n_switches * n_keys + 1] into `port`: ports of switch s for key k at s * n_keys + k.
	 * Key g is a group, key n_groups + i is leaf i of the switch's own group. */
	uint32_t *first;
	uint8_t *port;
	/** NULL for a whole one; else [n_switches * n_leaves + 1], into `exact_port`: ports by
	 * which a complete minimal way leads to leaf i of `leaves`. */
	uint32_t *exact_first;
	uint8_t *exact_port;
} odo_plus_ways;

/** @param out for odo_plus_ways_free().
 * Errors: ODO_ENOMEM; ODO_EDECLINE for other kinds, if sending hosts are on spines, and if damage
 * separates two leaves. */
int odo_plus_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_plus_ways **out,
			 odo_error *err);
void odo_plus_ways_free(odo_plus_ways *ways);

static inline bool odo_plus_is_spine(const odo_plus_ways *ways, uint32_t node)
{
	return ways->leaf[node] == ODO_NONE;
}

/**
 * Return the ports by which a shortest way goes to a group. From a leaf they lead to spines with a
 * cable to that group, or to all spines of the leaf's own group. From a spine they are its own
 * cables.
 * @param n out: number of ports; 0 for a spine that has none
 */
static inline const uint8_t *odo_plus_towards(const odo_plus_ways *ways, uint32_t node,
					      uint32_t group, unsigned *n)
{
	const uint32_t *first = ways->first + (size_t)node * ways->n_keys + group;
	*n = first[1] - first[0];
	return ways->port + first[0];
}

/** Return the ports of a spine down to a leaf of its group.
 * @param n out: number of parallel cables */
static inline const uint8_t *odo_plus_down(const odo_plus_ways *ways, uint32_t spine, uint32_t leaf,
					   unsigned *n)
{
	return odo_plus_towards(ways, spine, ways->n_groups + ways->leaf[leaf], n);
}

/** Return the ports by which a minimal way leads to a leaf.
 * @param n out: number of ports; 0 if damage leaves none */
static inline const uint8_t *odo_plus_to_leaf(const odo_plus_ways *ways, uint32_t node,
					      uint32_t leaf, unsigned *n)
{
	if (ways->exact_first) {
		const uint32_t *first = ways->exact_first + (size_t)node * ways->n_leaves +
					ways->in_groups[ways->group[leaf]] + ways->leaf[leaf];
		*n = first[1] - first[0];
		return ways->exact_port + first[0];
	}
	if (ways->group[node] == ways->group[leaf] && odo_plus_is_spine(ways, node))
		return odo_plus_down(ways, node, leaf, n);
	return odo_plus_towards(ways, node, ways->group[leaf], n);
}

static inline bool odo_plus_leads(const odo_plus_ways *ways, uint32_t node, uint32_t leaf)
{
	unsigned n;
	odo_plus_to_leaf(ways, node, leaf, &n);
	return n > 0;
}

/** May a packet go minimally to a leaf, and minimally on to another? */
static inline bool odo_plus_is_detour(const odo_plus_ways *ways, uint32_t node, uint32_t via,
				      uint32_t leaf)
{
	return node != via && via != leaf && odo_plus_leads(ways, node, via) &&
	       odo_plus_leads(ways, via, leaf);
}

/** Return the first leaf, from place `start` on, by which a packet may go to a leaf; or ODO_NONE.
 */
uint32_t odo_plus_detour(const odo_plus_ways *ways, uint32_t from, uint32_t to, uint32_t start);

/** Return all global ports of a spine.
 * @param n out: above 0 if the spine leads to another group */
static inline const uint8_t *odo_plus_globals(const odo_plus_ways *ways, uint32_t spine,
					      unsigned *n)
{
	const uint32_t *first = ways->first + (size_t)spine * ways->n_keys;
	*n = first[ways->n_groups] - first[0];
	return ways->port + first[0];
}

#endif
