/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Coordinates: what a fabric was built as. Mapping finds them in an unknown fabric; a
 * generator knows them from the start, which is how mapping is tested.
 *
 * Most kinds are products of factors, one coordinate each:
 *   FlatFly, hypercube   complete graphs, K_2 for a hypercube
 *   torus                cycles
 *   Slim Fly             one factor of 2q^2 vertices: coordinate t*q^2 + x*q + y
 *   Slim Fly x FlatFly   the Slim Fly, then complete graphs
 *   dragonfly            coordinate 0 is the group and its ports are the global ones;
 *                        coordinates 1.. are the FlatFly within the group
 * Two are not, and their coordinates are numbers only:
 *   fat tree             level (0: leaves), pod, plane and index: a pod is what stays connected
 *                        without the top, a plane what does without the leaves. Cables between
 *                        levels l and l + 1 are of class l, and width[l] is theirs
 *   Dragonfly+           group, level (0: leaf, 1: spine) and index. Global cables are of class 0,
 *                        those within groups of class 1
 */
#ifndef ODONATA_FABRIC_COORDINATES_H
#define ODONATA_FABRIC_COORDINATES_H

#include "fabric/fabric.h"
#include "fabric/kinds.h"

#define ODO_MAX_DIMS 16

/** Coordinates of a fat tree. */
enum { ODO_TREE_LEVEL, ODO_TREE_POD, ODO_TREE_PLANE, ODO_TREE_INDEX, ODO_TREE_DIMS };

/** Class of a port: the index of the dimension its cable runs in, or one of these. */
enum {
	ODO_PORT_GLOBAL = 0,   /**< dragonfly: dimension 0 */
	ODO_PORT_HOST = 0xFE,  /**< cabled to a channel adapter or router */
	ODO_PORT_WRONG = 0xFD, /**< cabled to a switch, and contradicting the finding */
	ODO_PORT_FREE = 0xFF,  /**< no cable */
};

/** How a fabric contradicts what it was found to be. */
typedef enum odo_fault_type {
	ODO_FAULT_MISSING_SWITCH, /**< no switch at these coordinates */
	ODO_FAULT_MISSING_LINK,   /**< fewer cables between `a` and `b` than their width */
	ODO_FAULT_WRONG_LINK,     /**< a cable that belongs elsewhere, or nowhere */
	ODO_FAULT_SLOW_LINK,      /**< a cable that carries less than is usual in its class */
} odo_fault_type;

typedef struct odo_fault {
	odo_fault_type type;
	/** The switches between which a link is missing. A wrong or slow cable: the owners of
	 * `slot`. A missing switch: ODO_NONE. */
	uint32_t node[2];
	/** Wrong or slow cable: its two slots. Else ODO_NONE. */
	uint32_t slot[2];
	/** Wrong cable: the slot each end should be cabled to; ODO_NONE if not known. */
	uint32_t belongs[2];
	uint32_t usual;            /**< slow cable: a slot whose cable is as is usual */
	uint32_t count;            /**< how many cables are missing; 1 otherwise */
	uint32_t at[ODO_MAX_DIMS]; /**< missing switch: its coordinates */
} odo_fault;

/** How sure it is that a fabric was built as its kind. */
typedef enum odo_certainty {
	ODO_CERTAIN, /**< next to nothing contradicts the kind, or damage that is often seen */
	ODO_LIKELY,  /**< much contradicts the kind, and less than would make it a guess */
	ODO_NEAREST, /**< the nearest of the known kinds: what contradicts it accuses nobody */
} odo_certainty;

/** Read-only once made. Arrays belong to it. */
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
	odo_certainty certainty; /**< of the kind, where it is known */
	/** First those that the cables bear out, then suspects: contradictions that are no better
	 * than a guess. Routing takes both; nobody is accused of the second. */
	odo_fault *faults;
	uint32_t n_faults, n_suspects;
	char reason[240]; /**< unknown kind, or the nearest: why, in one line; else empty, or that
			       mapping did not look at all there is */
} odo_coordinates;

/** "certain", "likely", "nearest". */
const char *odo_certainty_name(odo_certainty certainty);

/** Faults and suspects: how many contradictions there are. */
static inline uint32_t odo_contradictions(const odo_coordinates *c)
{
	return c->n_faults + c->n_suspects;
}

static inline const uint32_t *odo_at(const odo_coordinates *c, uint32_t s)
{
	return c->at + (size_t)s * c->n_dims;
}

/** Coordinates of unknown kind for `f`, ports classed as host or free, the rest wrong. */
int odo_coordinates_create(const odo_fabric *f, unsigned n_dims, odo_coordinates **out,
			   odo_error *err);
void odo_coordinates_free(odo_coordinates *c);

/** Coordinate 0 of the switches is their group. */
static inline bool odo_grouped(const odo_coordinates *c)
{
	return c && odo_kind_of(c->kind)->grouped;
}

#endif
