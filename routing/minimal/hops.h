/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Hops along the dimensions of a product, from the view of one switch. */
#ifndef ODONATA_ROUTING_MINIMAL_HOPS_H
#define ODONATA_ROUTING_MINIMAL_HOPS_H

#include "routing/forest/forest.h"

/** Most phases for cables that are used in turn. */
#define ODO_HOPS_PHASES 240u

/** Coordinates, sorted for loops over destinations, and the cables of the current switch. */
typedef struct odo_hops {
	const odo_fabric *f;
	const odo_coordinates *c;
	odo_arena memory; /**< all arrays */
	uint32_t n;
	unsigned n_trees;  /**< trees that use the phases */
	unsigned n_phases; /**< number of ways to use parallel cables */
	bool in_turn;      /**< more phases than trees: use cables in turn, not at random */
	uint32_t *value;   /**< [n_dims * n] coordinate of switch d in dimension i at i * n + d */
	uint8_t *known;    /**< [n] all coordinates of the switch are known and within bounds */
	uint32_t *base;    /**< [n_dims + 1] first hop of each dimension */
	uint8_t *port; /**< [(base[n_dims] + 1) * n_phases] port towards value v of dimension i at
			  (base[i] + v) * n_phases + phase, or ODO_NO_PORT; the last n_phases are
			  always ODO_NO_PORT */
	/* For factors that take more than one hop: */
	uint64_t *adjacent; /**< Slim Fly: [n] bit mask over the values with a cable, or NULL */
	uint32_t *ring;     /**< cycles, paths: [n * n_dims * 2] next switch up and down, or NULL */
	uint8_t *turn;      /**< if `ring` and in_turn: [base[n_dims]] phase shift of a dimension's
			       cables, by number of steps to the destination's value */
	uint32_t *count, *slot; /**< scratch: cables per hop, in the order of `base` */
} odo_hops;

/**
 * @param n_trees  trees that use the phases
 * @param n_phases at most ODO_MAX_PHASES; if more than n_trees, at most ODO_HOPS_PHASES
 * @param hops     free with odo_hops_clear(), also on ODO_ENOMEM
 */
int odo_hops_init(odo_hops *hops, const odo_fabric *f, const odo_coordinates *c, unsigned n_trees,
		  unsigned n_phases, odo_error *err);
void odo_hops_clear(odo_hops *hops);

/**
 * Return the least common multiple of the widths of dimensions `first` and above, at most `limit`.
 */
unsigned odo_hops_phases(const odo_coordinates *c, unsigned first, unsigned limit);

/**
 * Fill hops->port with the cables of switch s in dimensions `first` and above. Cables that do not
 * lead where their class says are left out.
 */
void odo_hops_look(odo_hops *hops, uint32_t s, unsigned first);

/** Return true if s and t are known and differ in dimension `dim` alone. */
bool odo_hops_is_sound(const odo_hops *hops, uint32_t s, uint32_t t, unsigned dim);

/** Prepare odo_hops_extend(). */
int odo_hops_look_far(odo_hops *hops, odo_error *err);

/** Fill in ports towards farther values of cycles and Slim Flies. Call odo_hops_look() first. */
void odo_hops_extend(odo_hops *hops, uint32_t s);

/** Return an index of `port` that is always ODO_NO_PORT. */
static inline uint32_t odo_hops_nowhere(const odo_hops *hops)
{
	return hops->base[hops->c->n_dims] * hops->n_phases;
}

/** Return the phase of destination d in tree k. It starts at a random phase, and its LIDs take
 * turns. If there are fewer LIDs (`at_once`) than phases, it starts after those of the `place`
 * switches before it. */
static inline unsigned odo_hops_turn(const odo_fabric *f, unsigned at_once, uint32_t place,
				     unsigned n_phases, unsigned k, uint32_t d)
{
	return (k + (at_once < n_phases ? at_once * place : odo_node_hash(f, d))) % n_phases;
}

/**
 * Return the phase of destination d in tree k of n_trees. A switch starts at a random phase, and
 * its LIDs take turns. With fewer trees than phases, the next switch continues where this one ends:
 * in the last dimension, only the few switches of one line share cables, and chance would not
 * spread them.
 */
static inline unsigned odo_hops_phase(const odo_fabric *f, const odo_coordinates *c,
				      unsigned n_trees, unsigned n_phases, unsigned k, uint32_t d)
{
	uint32_t sum = 0;
	for (unsigned i = 0; i < c->n_dims; i++)
		sum += odo_at(c, d)[i];
	return odo_hops_turn(f, n_trees, sum, n_phases, k, d);
}

#endif
