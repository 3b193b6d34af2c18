/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Hops along the dimensions of a product, as one switch sees them. */
#ifndef ODONATA_ROUTING_MINIMAL_HOPS_H
#define ODONATA_ROUTING_MINIMAL_HOPS_H

#include "routing/forest/forest.h"

/** Phases in which cables take turns. */
#define ODO_HOPS_PHASES 240u

/** Coordinates turned for loops over destinations, and the cables of the switch at hand. */
typedef struct odo_hops {
	const odo_fabric *f;
	const odo_coordinates *c;
	uint32_t n;
	unsigned n_trees;  /**< that use the phases */
	unsigned n_phases; /**< ways that parallel cables are dealt out in */
	bool in_turn;      /**< more than the trees that use them: cables go by turns, not by lot */
	uint32_t *value;   /**< [n_dims * n] coordinate of switch d in dimension i at i * n + d */
	uint8_t *known;    /**< [n] all its coordinates are known and within bounds */
	uint32_t *base;    /**< [n_dims + 1] first hop of each dimension */
	uint8_t *port;     /**< [(base[n_dims] + 1) * n_phases] port towards value v of dimension
				i at (base[i] + v) * n_phases + phase, or ODO_NO_PORT; the last
				ones are always ODO_NO_PORT */
	/* Of factors that take more than one hop. */
	uint64_t *adjacent; /**< Slim Fly: [n] bit mask over the values with a cable, or NULL */
	uint32_t *ring;     /**< cycles, paths: [(n * n_dims) * 2] switch one up and one down, or NULL */
	uint8_t *turn;      /**< with these and in_turn: [base[n_dims]] by how many phases the
				cables of a dimension are turned for values so many steps off */
	uint32_t *count, *slot; /**< scratch: cables per hop, in the order of `base` */
} odo_hops;

/** @param n_trees  that use the phases
 * @param n_phases up to ODO_MAX_PHASES, or to ODO_HOPS_PHASES where that is more than n_trees
 * @param hops     for odo_hops_clear(), also on ODO_ENOMEM */
int odo_hops_init(odo_hops *hops, const odo_fabric *f, const odo_coordinates *c, unsigned n_trees,
		  unsigned n_phases, odo_error *err);
void odo_hops_clear(odo_hops *hops);

/** Least common multiple of the widths of dimensions `first` .., at most `limit`. */
unsigned odo_hops_phases(const odo_coordinates *c, unsigned first, unsigned limit);

/**
 * Fill g->port with the cables of switch s in dimensions `first` ... Only cables that lead
 * where their class says count.
 */
void odo_hops_look(odo_hops *hops, uint32_t s, unsigned first);

/** True if s and t are known and differ in dimension `dim` alone. */
bool odo_hops_is_sound(const odo_hops *hops, uint32_t s, uint32_t t, unsigned dim);

/** Prepare odo_hops_extend(). */
int odo_hops_look_far(odo_hops *hops, odo_error *err);

/** After odo_hops_look(): ports towards values of cycles and Slim Flies further off. */
void odo_hops_extend(odo_hops *hops, uint32_t s);

/** Where in `port` there is never one. */
static inline uint32_t odo_hops_nowhere(const odo_hops *hops)
{
	return hops->base[hops->c->n_dims] * hops->n_phases;
}

/** Phase of destination d in tree k: it starts anywhere, and its LIDs take turns; or, where
 * `at_once` of them are fewer than phases, behind those of the `place` switches before it. */
static inline unsigned odo_hops_turn(const odo_fabric *f, unsigned at_once, uint32_t place,
				     unsigned n_phases, unsigned k, uint32_t d)
{
	return (k + (at_once < n_phases ? at_once * place : odo_node_hash(f, d))) % n_phases;
}

/**
 * Phase of destination d in tree k of n_trees: a switch starts anywhere, its LIDs take turns. With
 * fewer trees than phases, the next switch goes on where this one ends: in the last dimension only
 * the few of one line are dealt out, and chance would not spread them.
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
