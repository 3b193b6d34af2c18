/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the files of engine `layered` share. */
#ifndef ODONATA_ROUTING_LAYERED_LAYERED_H
#define ODONATA_ROUTING_LAYERED_LAYERED_H

#include "routing/graph/acyclic.h"
#include "routing/graph/deal.h"
#include "routing/forest/forest.h"

/** Most trees per destination switch; and where there are trunks of several cables. */
#define ODO_SPREAD 4u
#define ODO_MOST_SPREAD ODO_MOST_TREES

/** A dependency added to a layer. */
typedef struct odo_layered_entry {
	odo_edge edge;
	unsigned layer;
} odo_layered_entry;

typedef struct odo_grower {
	odo_forest *forest;
	odo_acyclic layer[ODO_N_SLS];
	unsigned n_layers;
	uint8_t *sl;        /**< [n_trees * n * n] layer of each path, laid out as the ports */
	bool out_of_memory; /**< what would have been found is not: the routing fails */
	bool by_pair;       /**< paths of some tree are in different layers */
	uint32_t *depth;    /**< [n] distance to d */
	uint32_t *queue;    /**< [n] switches by distance */
	uint32_t n_queue;
	/* The tree at hand: */
	uint8_t *port;  /**< [n] */
	uint8_t *own;   /**< [n] layer of the switch's own path */
	uint32_t *hops; /**< [n] links to d, or ODO_NONE */
	uint32_t *path; /**< [n] scratch */
	uint32_t *lost; /**< [n] switches that no shortest way fits */
	uint32_t n_lost, patience;
	odo_layered_entry *journal; /**< what it added */
	size_t journal_room;
	uint32_t n_journal;
	uint32_t *hash;  /**< [n] */
	uint32_t *price; /**< [slots of switches] by which lots are weighed */
	uint64_t *load;  /**< [slots of switches] paths between hosts, of the last trial */
	uint16_t *up;    /**< [slots of switches] layers in which the channel leads up */
	/* Of squeeze.c: */
	uint32_t *latest; /**< [n] slot by which d is left for last, or ODO_NONE */
	uint8_t *best;    /**< [n] ports of the best tree so far */
} odo_grower;

/** Trees per destination switch: two, as more take more time; more where the LIDs of a host (LMC)
 * are to lead different ways, and on small fabrics with trunks of more than two cables. */
unsigned odo_layered_trees(const odo_fabric *f);

/**
 * Order every layer up*\/down*, each from another root, and give it the dependencies of a spanning
 * tree, so that its order always leaves a way up that tree and down.
 * @return 0 or ODO_ENOMEM
 */
int odo_layered_seed(odo_grower *growth, odo_error *err);

/**
 * A tree for the destination at queue[0] that ascends in the order that a layer has already, in
 * the layer where its paths are shortest. There always is one. Leaves it in port, own and hops,
 * its dependencies added.
 */
void odo_layered_squeeze(odo_grower *growth, uint32_t lot);

/** What odo_layered_climb() leaves. */
typedef struct odo_climbed {
	uint8_t *lost;   /**< [n_trees * n] trees that some switch has no way in, as ODO_NO_PORT */
	uint32_t n_lost; /**< such trees */
	uint64_t n_longer; /**< switches without a shortest way, of all trees */
} odo_climbed;

/**
 * Grow all trees by shortest ways that go up and then down in some layer (climb.c).
 * @param longer where there is none take a longer one
 * @param trial  0; or leave the forest as it is, and count in g->load the paths between hosts over
 *               each cable in the trees of about one destination in so many
 * @return 0 or ODO_ENOMEM
 */
int odo_layered_climb(odo_grower *growth, bool longer, uint32_t trial, odo_climbed *to,
		      odo_error *err);

/**
 * Add what the paths of a tree depend on to their layers, unchecked, hops being known.
 * @param port [n] the tree
 * @param sl   [n] layers
 * @return true if some switch of the destination's part has no way
 */
bool odo_layered_mark(odo_grower *growth, const uint8_t *port, const uint8_t *sl, uint32_t d);

/** Links to d of what arrives by these ports, into hops; ODO_NONE for the rest. */
void odo_layered_measure(odo_grower *growth, const uint8_t *port, uint32_t d);

/** Of equal ways of a tree, the one whose cables' lots are highest is taken. */
static inline uint32_t odo_layered_lot(const odo_grower *growth, unsigned k, uint32_t d)
{
	return odo_mix(growth->hash[d] + k * 0x9E3779B1u);
}

/** A price that favours and disfavours nothing, and the least and the highest. */
#define ODO_FAIR_PRICE 1024u
#define ODO_LEAST_PRICE 64u
#define ODO_MOST_PRICE 16384u

/**
 * Of equal ways the one of least cost is taken, its lot weighed with its price: of ways with other
 * prices each is taken about as often as its price is low, and a price that changes a little moves
 * few.
 */
static inline uint64_t odo_layered_cost(uint32_t lot, uint32_t price)
{
	/* The logarithm of a lot, times 4096: with its negative as a rate, the least of several is
	 * each as often as its rate's share. */
	unsigned zeros = (unsigned)__builtin_clz(lot | 1);
	uint32_t log = ((zeros + 1) << 12) - ((lot | 1) << zeros >> 19 & 0xFFF);
	return (uint64_t)log * price;
}

/** Prices by the loads of a climb that was made with the prices so far (price.c).
 * @param fully all the way to what would be fair, not half of it */
void odo_layered_reprice(odo_grower *growth, bool fully);

/** Cost of the forest as it stands: the sum of all paths' links times the paths between hosts on
 * the fullest cable. @return 0 or ODO_ENOMEM */
int odo_layered_rate(odo_grower *growth, uint64_t *cost, odo_error *err);

/**
 * Take paths over from the tables before wherever they still lead, and connect the rest
 * (keep.c). False where that cannot be; the layers are then to be emptied.
 */
bool odo_layered_keep(odo_grower *growth, const odo_tables *before);

/** Bring tree k to switch d back from the forest: port, own and hops. */
void odo_layered_fetch(odo_grower *growth, unsigned k, uint32_t d);

/**
 * Connect what tree k to switch d leaves without a way, somehow or other (grow.c).
 * @param growing what there is may stay: the layers know of it
 */
void odo_layered_connect(odo_grower *growth, unsigned k, uint32_t d, bool growing);

/**
 * Grow tree k to switch d into the forest (grow.c).
 * @param whole false: port, own and hops hold what is there already, hops ODO_NONE for the rest
 * @return false, and the layers as they were, where there is no room
 */
bool odo_layered_grow(odo_grower *growth, unsigned k, uint32_t d, bool whole);

#endif
