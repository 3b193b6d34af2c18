/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Coordinates: the kind that a fabric was built as, and the place of each switch in it. Mapping
 * finds them in an unknown fabric. A generator knows them, which is used to test mapping.
 *
 * Most kinds are products of factors, one coordinate each:
 *   FlatFly, hypercube   complete graphs, K_2 for a hypercube
 *   torus                cycles
 *   Slim Fly             one factor of 2q^2 vertices: coordinate t*q^2 + x*q + y
 *   Slim Fly x FlatFly   the Slim Fly, then complete graphs
 *   dragonfly            coordinate 0 is the group and its ports are the global ones;
 *                        coordinates 1.. are the FlatFly within the group
 * Two kinds are no products, and their coordinates are numbers only:
 *   fat tree             level (0: leaves), pod, plane and index. A pod is a part connected
 *                        without the top level, a plane a part connected without the leaves.
 *                        Cables between levels l and l + 1 have class l and the width width[l]
 *   Dragonfly+           group, level (0: leaf, 1: spine) and index. Global cables are of class 0,
 *                        cables within groups of class 1
 */
#ifndef ODONATA_FABRIC_COORDINATES_H
#define ODONATA_FABRIC_COORDINATES_H

#include "fabric/fabric.h"
#include "fabric/kinds.h"

#define ODO_MAX_DIMS 16

/** Coordinates of a fat tree. */
enum { ODO_TREE_LEVEL, ODO_TREE_POD, ODO_TREE_PLANE, ODO_TREE_INDEX, ODO_TREE_DIMS };

/** Class of a port: the index of its cable's dimension, or one of these values. */
enum {
	ODO_PORT_GLOBAL = 0,   /**< dragonfly: dimension 0 */
	ODO_PORT_HOST = 0xFE,  /**< cabled to a channel adapter or router */
	ODO_PORT_WRONG = 0xFD, /**< cabled to a switch, and contradicts the kind */
	ODO_PORT_FREE = 0xFF,  /**< no cable */
};

/** Types of contradictions between a fabric and its kind. */
typedef enum odo_fault_type {
	ODO_FAULT_MISSING_SWITCH, /**< no switch at these coordinates */
	ODO_FAULT_MISSING_LINK,   /**< fewer cables between `a` and `b` than their width */
	ODO_FAULT_WRONG_LINK,     /**< a cable that belongs elsewhere, or nowhere */
	ODO_FAULT_SLOW_LINK,      /**< a cable that carries less than is usual in its class */
} odo_fault_type;

typedef struct odo_fault {
	odo_fault_type type;
	/** Missing link: the two switches. Wrong or slow cable: the owners of `slot`. Missing
	 * switch: ODO_NONE. */
	uint32_t node[2];
	/** Wrong or slow cable: its two slots. Else ODO_NONE. */
	uint32_t slot[2];
	/** Wrong or slow cable: its two slots. Otherwise ODO_NONE. */
	uint32_t belongs[2];
	uint32_t usual;            /**< slow cable: a slot whose cable has the usual rate */
	uint32_t count;            /**< number of missing cables; otherwise 1 */
	uint32_t at[ODO_MAX_DIMS]; /**< missing switch: its coordinates */
} odo_fault;

/** Certainty of the kind that mapping found. */
typedef enum odo_certainty {
	ODO_CERTAIN, /**< almost nothing contradicts the kind, or only common damage */
	ODO_LIKELY,  /**< much contradicts the kind, but less than for a guess */
	ODO_NEAREST, /**< the nearest of the known kinds; its contradictions accuse nothing */
} odo_certainty;

/** Coordinates of a fabric, read-only once made. They own their arrays. */
typedef struct odo_coordinates {
	odo_kind kind;
	unsigned n_dims;
	odo_factor factor[ODO_MAX_DIMS];
	uint32_t size[ODO_MAX_DIMS];  /**< vertices of each factor (K_n; dragonfly: groups) */
	uint32_t width[ODO_MAX_DIMS]; /**< parallel cables of a link (L_n); dragonfly,
					   dimension 0: most cables between two groups */
	uint32_t q;                   /**< Slim Fly: order of its field, else 0 */
	uint32_t n_switches;
	uint32_t *at;            /**< [n_switches * n_dims] coordinates; ODO_NONE where unknown */
	uint8_t *port_class;     /**< [n_slots]; adapters' slots: ODO_PORT_HOST or ODO_PORT_FREE */
	odo_certainty certainty; /**< of the kind, if it is known */
	/** Faults that the cables confirm come first, then suspects: contradictions that are only
	 * guesses. Routing considers both; messages report only the first as faults. */
	odo_fault *faults;
	uint32_t n_faults, n_suspects;
	/** Switches without coordinates that hang on a core of the kind, and hosts on switches that
	 * have few (mapping/peel.h). They contradict nothing. */
	uint32_t n_more_switches, n_more_hosts;
	/** Unknown or nearest kind: the reason in one line; otherwise empty, or a note that mapping
	 * spent its budget. */
	char reason[240];
} odo_coordinates;

/** Return "certain", "likely" or "nearest". */
const char *odo_certainty_name(odo_certainty certainty);

/** Return the number of contradictions: faults and suspects. */
static inline uint32_t odo_contradictions(const odo_coordinates *c)
{
	return c->n_faults + c->n_suspects;
}

/** Return true if nothing distinguishes the fabric from its kind: engines may count on evenness. */
static inline bool odo_is_pure(const odo_coordinates *c)
{
	return !odo_contradictions(c) && !c->n_more_switches && !c->n_more_hosts;
}

static inline const uint32_t *odo_at(const odo_coordinates *c, uint32_t s)
{
	return c->at + (size_t)s * c->n_dims;
}

/** Make coordinates of unknown kind for `f`. Ports have the class host, free or wrong. */
int odo_coordinates_create(const odo_fabric *f, unsigned n_dims, odo_coordinates **out,
			   odo_error *err);
void odo_coordinates_free(odo_coordinates *c);

/** Return true if coordinate 0 of the switches is their group. */
static inline bool odo_grouped(const odo_coordinates *c)
{
	return c && odo_kind_of(c->kind)->grouped;
}

#endif
