/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A forest: engines of profile ib fill it in before LIDs matter. It has a few trees for each
 * destination switch, and each LID follows one of them. Hosts of one switch share everything but
 * the last hop. An engine writes the ports of its structured paths. odo_forest_finish() finds
 * detours for paths that damage broke, assigns layers of VLs if cycles remain, and writes the
 * tables.
 *
 * The VL of a hop is layer * n_sub + sub[class of input][class of output]. The layer is the SL of
 * the path, so the SL depends on the destination LID alone, and the SL of a path record stays the
 * same.
 */
#ifndef ODONATA_ROUTING_FOREST_FOREST_H
#define ODONATA_ROUTING_FOREST_FOREST_H

#include "base/arena.h"
#include "fabric/coordinates.h"
#include "routing/engine.h"

/** Trees per destination switch. */
#define ODO_MAX_TREES 16u
/**
 * Trees per destination switch of an engine whose trees are complete and therefore need no ranks.
 */
#define ODO_MOST_TREES 64u
/** VLs of a layer. */
#define ODO_MAX_SUB 2u
/** Rank of channels that structured paths do not use. */
#define ODO_UNRANKED 0xFFu

/** Classes of ports: dimensions 0 .. 15, and the classes below. */
enum { ODO_CLASS_HOST = ODO_MAX_DIMS, ODO_CLASS_OTHER, ODO_N_CLASSES };
/** Port 0 of a switch, where its VLs are looked up. */
enum { ODO_CLASS_OWN = ODO_N_CLASSES };

typedef struct odo_forest {
	const odo_fabric *f;
	odo_arena memory;  /**< all arrays, and those of engines that live as long */
	uint32_t n;        /**< switches */
	unsigned n_trees;  /**< per destination switch */
	unsigned n_unlike; /**< number of different trees; tree k follows tree k % n_unlike except
			      for detours */
	uint8_t *port;     /**< [n_trees * n * n] output port of switch s in tree k towards
				switch d at (k * n + s) * n + d; 0 for s = d, ODO_NO_PORT for
				none */
	uint8_t *layer;    /**< [n_trees * n] layer of tree k to switch d at k * n + d */
	uint8_t *has_detours; /**< [n_trees * n] the tree has detours */
	uint32_t *lid_tree;   /**< [lid_count] tree k * n + d; ODO_NONE for unused LIDs */
	uint8_t *class_of;    /**< [slots of switches] */
	uint32_t *next;       /**< [slots of switches] switch at the far end, or ODO_NONE */
	/** [slots of switches] place of a channel among those of its class. Dependencies that
	 * ascend in ranks, and in places if ranks are equal, close no cycle. 0 at first; see
	 * odo_forest_order(). */
	uint32_t *place;
	/** NULL, or [n] numbers of destinations, lent. A switch that has no port to several
	 * destinations sends to them in turn over its other cables and over those of neighbours
	 * that led through it. Entries of other switches do not change. */
	uint32_t *turn;
	bool ordered; /**< `place` is filled in: detours that ascend are preferred, even if they are
			 longer */
	uint32_t *part; /**< [n] connected part of each switch */
	unsigned n_parts;
	const odo_route_options *options; /**< lent, or NULL */
	unsigned n_vls;                   /**< VLs that the fabric and the operator allow */
	unsigned n_layers;                /**< layers in use */
	unsigned max_layers;
	bool spilt; /**< layers ran out: the trees of the last layer are up*\/down*, by one root */
	unsigned n_closed; /**< number of the first layers, which are neither examined nor get
			      further trees */
	unsigned n_sub;    /**< VLs of a layer */
	uint8_t sub[ODO_N_CLASSES][ODO_N_CLASSES];
	/** Rank of the channels of a class and VL in tree k. Structured paths ascend in ranks, and
	 * detours that ascend are preferred. Each layer has its own scale. ODO_UNRANKED at
	 * first. */
	uint8_t rank[ODO_MAX_TREES][ODO_N_CLASSES][ODO_MAX_SUB];
} odo_forest;

/**
 * Return the number of VLs that every cable between switches has and the operator allows; at least
 * 1.
 */
unsigned odo_vl_budget(const odo_fabric *f, const odo_route_options *options);

/**
 * Create a forest without paths: every port is ODO_NO_PORT except those of the destinations
 * themselves.
 * @param c        NULL for an engine that needs no coordinates
 * @param n_trees  1 .. ODO_MAX_TREES, or ODO_MOST_TREES for trees that never get detours
 * @param n_layers layers that the whole fabric needs; tree k starts in layer k % n_layers
 * @param n_sub    VLs of a layer
 * @param out      free with odo_forest_free()
 * Errors: ODO_EDECLINE if there are too few VLs or SLs.
 */
int odo_forest_create(const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, unsigned n_trees, unsigned n_layers,
		      unsigned n_sub, odo_forest **out, odo_error *err);
void odo_forest_free(odo_forest *forest);

/** Find detours, assign layers, and write the tables. Errors: ODO_EDECLINE if layers run out. */
int odo_forest_finish(odo_forest *forest, odo_tables *t, odo_error *err);

/**
 * Count the hops of packets that follow a tree, from every switch.
 * @param port [n] the tree
 * @param lost number to store for packets that do not arrive, above n
 * @param hops [n] filled
 * @param path [n] scratch
 */
void odo_forest_hops(const odo_forest *forest, const uint8_t *port, uint32_t d, uint32_t lost,
		     uint32_t *hops, uint32_t *path);

/**
 * Extract the columns of tree k to switches from `first` on (columns.h).
 * @return their number
 */
uint32_t odo_forest_cut(const odo_forest *forest, unsigned k, uint32_t first, uint8_t *columns,
			size_t stride);

/**
 * Count the hosts of each switch, and the LIDs of hosts that follow each tree.
 * @param hosts     [n] zeros at first
 * @param followers [n_trees * n] zeros at first
 */
void odo_forest_count_hosts(const odo_forest *forest, uint32_t *hosts, uint32_t *followers);

/** Report to the watch, if there is one, how much of some work on the forest is done. */
static inline void odo_forest_tell(const odo_forest *forest, const char *what, size_t done,
				   size_t n)
{
	odo_tell(forest->options ? forest->options->watch : NULL, what, done, n);
}

/** Return the row of tree k at switch s: its ports towards every destination switch. */
static inline uint8_t *odo_forest_row(const odo_forest *forest, unsigned k, uint32_t s)
{
	return forest->port + ((size_t)k * forest->n + s) * forest->n;
}

/**
 * Return the number by which a LID is assigned to trees, orders and cables: the rank of its host's
 * port among the ports of its switch that lead to no switch, plus the LID's offset in its LMC
 * block. It does not change when hosts join or leave. 0 for a switch's own LID.
 */
uint32_t odo_lid_key(const odo_fabric *f, uint32_t lid);

/** Return the largest number of LIDs with different keys behind one switch. */
uint32_t odo_max_keys(const odo_fabric *f);

/** Return the largest number of cables from one switch to another; at least 1. */
uint32_t odo_most_parallel(const odo_fabric *f);

/** Return a number that a node keeps for life: a hash of its GUID. */
uint32_t odo_node_hash(const odo_fabric *f, uint32_t node);

/**
 * Order the channels within each complete graph of a product, so that detours over a third vertex
 * need no search for cycles (order.c).
 */
int odo_forest_order(odo_forest *forest, const odo_coordinates *c, odo_error *err);

/** Return true if a packet of tree k ascends in ranks and places. It came by slot `from` on the VL
 * `sub` of its layer, and leaves by slot `to` on the VL `sub_to`. */
static inline bool odo_forest_ascends(const odo_forest *forest, unsigned k, uint32_t from,
				      unsigned sub, uint32_t to, unsigned sub_to)
{
	unsigned here = forest->rank[k][forest->class_of[from]][sub];
	unsigned then = forest->rank[k][forest->class_of[to]][sub_to];
	return here < then || (here == then && forest->place[from] < forest->place[to]);
}

/* The steps of odo_forest_finish(). */

/**
 * List trees, as k * n + d, that do not serve some switch of their part.
 * @param broken free with free()
 */
int odo_forest_broken(const odo_forest *forest, uint32_t **broken, uint32_t *n_broken,
		      odo_error *err);
/**
 * Give every switch that a broken tree does not serve the shortest path into the rest of the tree.
 * @param broken in order; trees with detours that do not ascend in ranks are moved to the front
 * @param n_wild number of trees that are moved to the front
 */
int odo_forest_detour(odo_forest *forest, uint32_t *broken, uint32_t n_broken, uint32_t *n_wild,
		      odo_error *err);
/**
 * Find layers for the given trees. The caller guarantees that the other trees are safe in their
 * layers.
 */
int odo_forest_layer(odo_forest *forest, const uint32_t *trees, uint32_t n_trees, odo_error *err);
/** Do the three steps above: find detours for what damage broke, and layers for them. */
int odo_forest_repair(odo_forest *forest, odo_error *err);
/**
 * Copy rows of planes, in the format of `port`, into rows indexed by LID.
 * @param tree_of [lid_count] tree that each LID follows, ODO_NONE for any
 * @param rows    [n * lid_count]
 */
int odo_forest_gather(const odo_forest *forest, const uint8_t *planes, const uint32_t *tree_of,
		      uint8_t *rows, odo_error *err);
/** Return the VL of packets of an SL, between classes of ports. `out` may also be ODO_CLASS_OWN. */
typedef unsigned odo_vl_of(const void *x, unsigned sl, unsigned in, unsigned out);
/** Write SL2VL maps. @param x for vl_of() */
int odo_forest_write_maps(const odo_forest *forest, odo_tables *t, odo_vl_of *vl_of, const void *x,
			  odo_error *err);
/** Write LFTs. */
int odo_forest_write_lfts(const odo_forest *forest, odo_tables *t, odo_error *err);
/** Write LFTs, SLs and SL2VL maps. */
int odo_forest_write(const odo_forest *forest, odo_tables *t, odo_error *err);

#endif
