/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State that the files of engine `layered` share. */
#ifndef ODONATA_ROUTING_LAYERED_LAYERED_H
#define ODONATA_ROUTING_LAYERED_LAYERED_H

#include "routing/graph/acyclic.h"
#include "routing/graph/deal.h"
#include "routing/forest/forest.h"

/**
 * Most trees per destination switch; the second limit is for fabrics with trunks of several cables.
 */
#define ODO_SPREAD 4u
#define ODO_MOST_SPREAD ODO_MOST_TREES

/** A dependency added to a layer. */
typedef struct odo_layered_entry {
	odo_edge edge;
	unsigned layer;
} odo_layered_entry;

typedef struct odo_grower {
	odo_forest *forest;
	odo_arena memory;
	odo_acyclic layer[ODO_N_SLS];
	unsigned n_layers;
	uint8_t *sl;        /**< [n_trees * n * n] layer of each path, in the format of the ports */
	bool out_of_memory; /**< memory ran out, so results are incomplete: the routing fails */
	bool by_pair;       /**< paths of some tree are in different layers */
	uint32_t *depth;    /**< [n] distance to d */
	uint32_t *queue;    /**< [n] switches by distance */
	uint32_t n_queue;
	/* The current tree: */
	uint8_t *port;  /**< [n] */
	uint8_t *own;   /**< [n] layer of each switch's own path */
	uint32_t *hops; /**< [n] links to d, or ODO_NONE */
	uint32_t *path; /**< [n] scratch */
	uint32_t *lost; /**< [n] switches without a shortest way that fits */
	uint32_t n_lost, patience;
	odo_layered_entry *journal; /**< dependencies that the current tree added */
	size_t journal_room;
	uint32_t n_journal;
	uint32_t *hash;      /**< [n] */
	uint32_t *price;     /**< [slots of switches] weights of random numbers */
	uint64_t *load;      /**< [slots of switches] paths between hosts in the last trial */
	uint16_t *up;        /**< [slots of switches] layers in which the channel leads up */
	uint32_t *hosts;     /**< [n] hosts of each switch */
	uint32_t *followers; /**< [n_trees * n] LIDs of hosts that follow a tree */
	/* Used by squeeze.c: */
	uint32_t *latest; /**< [n] slot that leaves for d as late as possible, or ODO_NONE */
	uint8_t *best;    /**< [n] ports of the best tree so far */
} odo_grower;

/** Return the number of trees per destination switch. It is two, since more trees take more time.
 * It is larger if several LIDs of a host (LMC) need different paths, and on small fabrics with
 * trunks of more than two cables. */
unsigned odo_layered_trees(const odo_fabric *f);

/**
 * Order every layer up*\/down*, each from another root, and add the dependencies of a spanning
 * tree. The order then always allows a path up this tree and down.
 * @return 0 or ODO_ENOMEM
 */
int odo_layered_seed(odo_grower *growth, odo_error *err);

/**
 * Make a tree for the destination at queue[0] that ascends in the existing order of a layer. Choose
 * the layer in which its paths are shortest. There is always such a tree. Leave it in port, own and
 * hops, and add its dependencies.
 */
void odo_layered_squeeze(odo_grower *growth, uint32_t lot);

/** Results of odo_layered_climb(). */
typedef struct odo_climbed {
	uint8_t *lost;     /**< [n_trees * n] trees in which some switch has no way; its port is
			      ODO_NO_PORT */
	uint32_t n_lost;   /**< number of such trees */
	uint64_t n_longer; /**< switches without a shortest way, summed over all trees */
} odo_climbed;

/**
 * Grow all trees by shortest ways that go up and then down in some layer (climb.c).
 * @param longer take a longer way if there is no such shortest way
 * @param trial  0; or leave the forest unchanged, and count in g->load the paths between hosts over
 *               each cable, in the trees of about one destination in `trial`
 * @return 0 or ODO_ENOMEM
 */
int odo_layered_climb(odo_grower *growth, bool longer, uint32_t trial, odo_climbed *to,
		      odo_error *err);

/**
 * Add the dependencies of a tree's paths to their layers, without a check. `hops` must be known.
 * @param port [n] the tree
 * @param sl   [n] layers
 * @return true if some switch of the destination's part has no way
 */
bool odo_layered_mark(odo_grower *growth, const uint8_t *port, const uint8_t *sl, uint32_t d);

/** Store in `hops` the number of links to d for switches whose packets arrive by these ports, and
 * ODO_NONE for other switches. */
static inline void odo_layered_measure(odo_grower *growth, const uint8_t *port, uint32_t d)
{
	odo_forest_hops(growth->forest, port, d, ODO_NONE, growth->hops, growth->path);
}

/** Return the random number of a tree. It decides which of several equal ways the tree takes. */
static inline uint32_t odo_layered_lot(const odo_grower *growth, unsigned k, uint32_t d)
{
	return odo_mix(growth->hash[d] + k * 0x9E3779B1u);
}

/** A neutral price, the least price and the highest price. */
#define ODO_FAIR_PRICE 1024u
#define ODO_LEAST_PRICE 64u
#define ODO_MOST_PRICE 16384u

/**
 * Return the cost of a way: its random number, weighted with its price. The way of least cost is
 * taken. Among ways of different prices, a way is taken about as often as its price is low. A small
 * change of a price moves few paths.
 */
static inline uint64_t odo_layered_cost(uint32_t lot, uint32_t price)
{
	/* The logarithm of a random number, times 4096. With its negative as a rate, each of
	 * several ways has the least cost as often as its share of the rates. */
	unsigned zeros = (unsigned)__builtin_clz(lot | 1);
	uint32_t log = ((zeros + 1) << 12) - ((lot | 1) << zeros >> 19 & 0xFFF);
	return (uint64_t)log * price;
}

/**
 * Compute prices from the loads of a climb that used the prices before (price.c).
 * @param fully go all the way to the fair price, not half of it
 */
void odo_layered_reprice(odo_grower *growth, bool fully);

/** Return the cost of the current forest: links of all paths, summed, times the paths between hosts
 * on the fullest cable. */
uint64_t odo_layered_rate(odo_grower *growth);

/** Return the load of the fullest cable in g->load. */
uint64_t odo_layered_most_load(const odo_grower *growth);

/**
 * Take over paths of the tables before that still reach their destination, and connect the other
 * switches (keep.c).
 * @return false if that is impossible; the layers must then be emptied
 */
bool odo_layered_keep(odo_grower *growth, const odo_tables *before);

/** Load tree k to switch d from the forest: port, own and hops. */
void odo_layered_fetch(odo_grower *growth, unsigned k, uint32_t d);

/**
 * Connect switches that have no way in tree k to switch d, by any method (grow.c).
 * @param growing keep existing paths: the layers include them
 */
void odo_layered_connect(odo_grower *growth, unsigned k, uint32_t d, bool growing);

/**
 * Grow tree k to switch d into the forest (grow.c).
 * @param whole false: port, own and hops contain existing paths; hops is ODO_NONE for other
 *              switches
 * @return false if there is no room; the layers are then unchanged
 */
bool odo_layered_grow(odo_grower *growth, unsigned k, uint32_t d, bool whole);

#endif
