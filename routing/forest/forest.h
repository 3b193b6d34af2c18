/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A forest: the shape every engine of profile ib fills in before LIDs matter. For each
 * destination switch it has a few trees, and a LID follows one of them; hosts of one switch
 * share everything but the last hop. An engine writes the ports of its structured paths;
 * odo_forest_finish() mends what damage broke, gives layers of VLs where cycles remain, and
 * writes the tables.
 *
 * The VL of a hop is layer * n_sub + sub[class of input][class of output]. The layer is the
 * SL of the path, so it depends on the destination LID alone and a path record's SL stays.
 */
#ifndef ODONATA_ROUTING_FOREST_FOREST_H
#define ODONATA_ROUTING_FOREST_FOREST_H

#include "fabric/coordinates.h"
#include "routing/engine.h"

/** Trees per destination switch. */
#define ODO_MAX_TREES 16u
/** The same for an engine whose trees are complete, so that they have no ranks. */
#define ODO_MOST_TREES 64u
/** VLs of a layer. */
#define ODO_MAX_SUB 2u
/** Rank of channels that structured paths do not use. */
#define ODO_UNRANKED 0xFFu

/** Classes of ports as routing sees them: 0 .. 15 dimensions, and these. */
enum { ODO_CLASS_HOST = ODO_MAX_DIMS, ODO_CLASS_OTHER, ODO_N_CLASSES };

typedef struct odo_forest {
	const odo_fabric *f;
	uint32_t n;         /**< switches */
	unsigned n_trees;   /**< per destination switch */
	unsigned n_unlike;  /**< of them; tree k leads as tree k % n_unlike but for detours */
	uint8_t *port;      /**< [n_trees * n * n] output port of switch s in tree k towards
				 switch d at (k * n + s) * n + d; 0 for s = d, ODO_NO_PORT for
				 none */
	uint8_t *layer;     /**< [n_trees * n] of tree k to switch d at k * n + d */
	uint8_t *mended;    /**< [n_trees * n] the tree has detours */
	uint32_t *lid_tree; /**< [lid_count] k * n + d; ODO_NONE for nobody's */
	uint8_t *class_of;  /**< [slots of switches] */
	uint32_t *next;     /**< [slots of switches] switch at the far end, or ODO_NONE */
	/** [slots of switches] place of a channel among those of its class: what ascends in ranks,
	 * and among equal ranks in places, closes no cycle. 0 at first, see odo_forest_order(). */
	uint32_t *place;
	/** NULL, or [n] numbers of destinations: a switch that has no port to some of them sends
	 * them by turns over its other cables and those of neighbours that led over it, so that no
	 * others change. */
	uint32_t *turn;
	bool ordered;   /**< there are places: detours that ascend come first, be they longer */
	uint32_t *part; /**< [n] connected part */
	unsigned n_parts;
	const odo_route_options *options; /**< lent, or NULL */
	unsigned n_vls;                   /**< VLs that the fabric and the operator allow */
	unsigned n_layers;                /**< in use */
	unsigned max_layers;
	bool spilt;        /**< layers ran out: trees of the last one are up*\/down*, by one root */
	unsigned n_closed; /**< the first layers, which are not to be looked into or moved to */
	unsigned n_sub;    /**< VLs of a layer */
	uint8_t sub[ODO_N_CLASSES][ODO_N_CLASSES];
	/** Rank of the channels of a class and VL in tree k: structured paths ascend in it, and
	 * detours that do are preferred. One scale per layer; ODO_UNRANKED at first. */
	uint8_t rank[ODO_MAX_TREES][ODO_N_CLASSES][ODO_MAX_SUB];
} odo_forest;

/** VLs that every cable between switches has and the operator allows; at least 1. */
unsigned odo_vl_budget(const odo_fabric *f, const odo_route_options *options);

/**
 * A forest without paths: every port ODO_NO_PORT but the destinations' own.
 * @param c        NULL for an engine that needs no coordinates
 * @param n_trees  1 .. ODO_MAX_TREES, or ODO_MOST_TREES for trees that are never mended
 * @param n_layers that the whole fabric needs; tree k starts in layer k % n_layers
 * @param n_sub    VLs of a layer
 * @param out      for odo_forest_free()
 * Errors: ODO_EDECLINE where VLs or SLs do not suffice.
 */
int odo_forest_create(const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, unsigned n_trees, unsigned n_layers,
		      unsigned n_sub, odo_forest **out, odo_error *err);
void odo_forest_free(odo_forest *forest);

/** Mend, layer, and write the tables. Errors: ODO_EDECLINE where layers run out. */
int odo_forest_finish(odo_forest *forest, odo_tables *t, odo_error *err);

/** Tell who waits, if anybody, how much of some work on the forest is done. */
static inline void odo_forest_tell(const odo_forest *forest, const char *what, size_t done,
				   size_t n)
{
	odo_tell(forest->options ? forest->options->watch : NULL, what, done, n);
}

/** Row of tree k at switch s: ports towards every destination switch. */
static inline uint8_t *odo_forest_row(const odo_forest *forest, unsigned k, uint32_t s)
{
	return forest->port + ((size_t)k * forest->n + s) * forest->n;
}

/**
 * Number by which a LID is dealt out among trees, orders and cables: the rank of its host's
 * port among the ports of its switch that lead to no switch, plus the LID's offset in its
 * LMC block. Hosts that come and go do not change it. 0 for a switch's own LID.
 */
uint32_t odo_lid_key(const odo_fabric *f, uint32_t lid);

/** Most LIDs with different keys behind one switch. */
uint32_t odo_max_keys(const odo_fabric *f);

/** The most cables that lead from one switch to another; at least 1. */
uint32_t odo_most_parallel(const odo_fabric *f);

/** A number that belongs to a node for life: a hash of its GUID. */
uint32_t odo_node_hash(const odo_fabric *f, uint32_t node);

/**
 * Order the channels within each complete graph of a product, so that detours over a third vertex
 * need no search for cycles (order.c).
 */
int odo_forest_order(odo_forest *forest, const odo_coordinates *c, odo_error *err);

/** True if a packet of tree k that came by slot `from`, on the VL `sub` of its layer, and goes on
 * by slot `to`, on the VL `sub_to`, ascends in ranks and places. */
static inline bool odo_forest_ascends(const odo_forest *forest, unsigned k, uint32_t from,
				      unsigned sub, uint32_t to, unsigned sub_to)
{
	unsigned here = forest->rank[k][forest->class_of[from]][sub];
	unsigned then = forest->rank[k][forest->class_of[to]][sub_to];
	return here < then || (here == then && forest->place[from] < forest->place[to]);
}

/* The steps of odo_forest_finish(). */

/** Trees, as k * n + d, some switch of whose part they do not serve. @param broken for free() */
int odo_forest_broken(const odo_forest *forest, uint32_t **broken, uint32_t *n_broken,
		      odo_error *err);
/**
 * Give every switch that a broken tree does not serve the shortest way into what is left.
 * @param broken in order; those with detours that do not ascend in ranks are moved to its front
 * @param n_wild how many they are
 */
int odo_forest_mend(odo_forest *forest, uint32_t *broken, uint32_t n_broken, uint32_t *n_wild,
		    odo_error *err);
/** Find layers for the trees given, all others being known to be safe where they are. */
int odo_forest_layer(odo_forest *forest, const uint32_t *trees, uint32_t n_trees, odo_error *err);
/** All of these: mend what damage broke, and find layers for it. */
int odo_forest_repair(odo_forest *forest, odo_error *err);
/**
 * Gather rows of planes laid out as `port` into rows over LIDs.
 * @param tree_of [lid_count] tree that each LID follows there, ODO_NONE for any
 * @param rows    [n * lid_count]
 */
int odo_forest_gather(const odo_forest *forest, const uint8_t *planes, const uint32_t *tree_of,
		      uint8_t *rows, odo_error *err);
/** Write LFTs. */
int odo_forest_write_lfts(const odo_forest *forest, odo_tables *t, odo_error *err);
/** Write LFTs, SLs and SL2VL maps. */
int odo_forest_write(const odo_forest *forest, odo_tables *t, odo_error *err);

#endif
