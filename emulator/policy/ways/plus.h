/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Ways in a Dragonfly+ by coordinates, for policies: from leaves up to spines, between groups by
 * the global cables of spines, and down to leaves.
 */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_PLUS_H
#define ODONATA_EMULATOR_POLICY_WAYS_PLUS_H

#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** A Dragonfly+ in arrays. Whole: in each group every leaf has a cable to every spine, and every
 * two groups have a cable. Groups may differ in size. Else any two leaves have a minimal way, or
 * one leaf between them to which and from which there is one (checked when made). */
typedef struct odo_plus_ways {
	const odo_fabric *fabric;
	uint32_t n_groups, n_leaves;
	uint32_t n_keys;     /**< groups, and most leaves in one */
	uint32_t *home;      /**< [n_hosts] switch of each host */
	uint8_t *host_port;  /**< [n_hosts] port of that switch to the host */
	uint32_t *group;     /**< [n_switches] */
	uint32_t *leaf;      /**< [n_switches] number among its group's; ODO_NONE for spines */
	uint32_t *leaves;    /**< [n_leaves] all, group by group */
	uint32_t *in_groups; /**< [n_groups + 1] first of each in `leaves` */
	/** [n_switches * n_keys + 1] into `port`: those of switch s for key k at s * n_keys + k.
	 * Key g is a group, key n_groups + i leaf i of the own group. */
	uint32_t *first;
	uint8_t *port;
	/** NULL for a whole one; else [n_switches * n_leaves + 1], into `exact_port`: those by
	 * which a minimal way to leaf i of `leaves` is whole down to it. */
	uint32_t *exact_first;
	uint8_t *exact_port;
} odo_plus_ways;

/** @param out for odo_plus_ways_free(). Errors: ODO_ENOMEM; ODO_EDECLINE for other kinds, where
 * hosts that send are on spines, and where damage parts two leaves. */
int odo_plus_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_plus_ways **out,
			 odo_error *err);
void odo_plus_ways_free(odo_plus_ways *ways);

static inline bool odo_plus_is_spine(const odo_plus_ways *ways, uint32_t node)
{
	return ways->leaf[node] == ODO_NONE;
}

/**
 * Ports by which a shortest way goes to a group: from a leaf to spines with a cable there, or to
 * all of its own group; from a spine, its own cables.
 * @param n out: how many; 0 from a spine that has none
 */
static inline const uint8_t *odo_plus_towards(const odo_plus_ways *ways, uint32_t node,
					      uint32_t group, unsigned *n)
{
	const uint32_t *first = ways->first + (size_t)node * ways->n_keys + group;
	*n = first[1] - first[0];
	return ways->port + first[0];
}

/** Ports of a spine down to a leaf of its group. @param n out: how many cables side by side */
static inline const uint8_t *odo_plus_down(const odo_plus_ways *ways, uint32_t spine, uint32_t leaf,
					   unsigned *n)
{
	return odo_plus_towards(ways, spine, ways->n_groups + ways->leaf[leaf], n);
}

/** Ports by which a minimal way leads to a leaf. @param n out: 0 where damage leaves none */
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

/** The first leaf from place `start` of all by which a packet may go on to a leaf, or ODO_NONE. */
uint32_t odo_plus_detour(const odo_plus_ways *ways, uint32_t from, uint32_t to, uint32_t start);

/** All global ports of a spine. @param n out: above 0 where the spine leads to another group */
static inline const uint8_t *odo_plus_globals(const odo_plus_ways *ways, uint32_t spine,
					      unsigned *n)
{
	const uint32_t *first = ways->first + (size_t)spine * ways->n_keys;
	*n = first[ways->n_groups] - first[0];
	return ways->port + first[0];
}

#endif
