/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A search for paths and VLs together, on any graph and any number of VLs. It has a tree of LFT
 * entries for each destination, and a VL for each turn, the same for all trees and SLs. Entries are
 * added one at a time. An entry is refused if its dependencies would close a cycle of (link, VL)
 * with those of all other entries, so the trees are free of deadlock at any time.
 *
 * While trees grow, the paths over a spanning tree stay possible on VL 0: their dependencies are in
 * the graph from the beginning (escape.c). So every tree can be completed.
 */
#ifndef ODONATA_ROUTING_TURNS_PATHFINDER_H
#define ODONATA_ROUTING_TURNS_PATHFINDER_H

#include "base/random.h"
#include "routing/forest/forest.h"
#include "routing/turns/channels.h"

/* Work, in about nanoseconds, of a channel, a link and a path that are examined. */
#define ODO_CHANNEL_WORK 8u
#define ODO_LINK_WORK 10u
#define ODO_PATH_WORK 4u

/** A step that can be undone: a dependency that was added or removed; or, if `edge.from` is
 * ODO_NONE, a user that the turn `edge.to` got or lost. */
typedef struct odo_pathfinder_step {
	odo_edge edge;
	uint8_t vl; /**< VL of the turn before the step */
	bool added;
} odo_pathfinder_step;

/** Ranks of hosts, in the order of their LIDs, grouped by place: by the switch of the host, or by
 * the tree that leads to it. */
typedef struct odo_ranks {
	uint32_t *first; /**< [places + 1] */
	uint32_t *rank;  /**< [first[places]] */
} odo_ranks;

typedef struct odo_pathfinder {
	odo_forest *forest; /**< lent */
	const odo_fabric *f;
	odo_arena memory; /**< all arrays, except those of `channels` and the journal */
	odo_channels channels;
	odo_rng rng;
	uint32_t n, n_trees; /**< switches; trees to all destinations */
	unsigned n_vls;
	uint32_t *
		turn_at;    /**< [n + 1] first turn of each switch; turns have the numbers of
			       odo_tables.sl2vl, and input 0 stands for the switch and all its hosts */
	uint8_t *vl;        /**< [turns] */
	uint32_t *uses;     /**< [turns] entries that take each turn */
	uint8_t *ports;     /**< [n_trees * n] output port of each switch, tree by tree */
	uint32_t *sequence; /**< [n_trees] trees in random order */
	odo_pathfinder_step *journal;
	size_t journal_room;
	uint32_t n_journal;
	bool falls;    /**< the first order lets VLs fall along paths, not rise */
	bool searches; /**< moves may change the order of the channels */
	uint64_t work; /**< of loads, in about nanoseconds; see odo_pathfinder_work() */
	/* Loads by uniform traffic, and by each shift: */
	uint32_t *hosts;  /**< [n] sending hosts */
	uint32_t *weight; /**< [n_trees] LIDs of hosts that follow each tree */
	double *part;     /**< [slots of switches] load that a pair of hosts adds: 1 on the fastest
			     cable */
	double *load;     /**< [slots of switches] */
	double fair;      /**< load that others are compared with */
	uint32_t n_ranks; /**< hosts with ranks, and so the number of shifts */
	uint16_t *count;  /**< NULL on large fabrics; [slots of switches * n_ranks] paths of each
			     shift */
	double common;    /**< count that others are compared with */
	odo_ranks sources, destinations;
	/* The current tree, to switch d: */
	uint32_t tree, d;
	uint8_t *port;  /**< [n] */
	uint32_t *hops; /**< [n] links to d on a shortest path, or ODO_NONE */
	uint32_t *near; /**< [n] switches by `hops` */
	uint32_t n_near;
	uint32_t *depth;   /**< [n] links of the path; only while the tree grows, as `cost` */
	double *cost;      /**< [n] price of the path */
	uint32_t *settled; /**< [n] switches in the order of their entries */
	uint32_t n_settled;
	uint64_t *heap, *late; /**< [slots of switches] ways of switches without an entry */
	uint32_t n_heap, n_late;
	uint32_t *carried; /**< [n] hosts whose packets pass each switch */
	uint32_t *list;    /**< [n] scratch, as `order` */
	uint32_t *order;
	/* The spanning tree: */
	uint32_t *up;     /**< [n] slot to the parent, or ODO_NONE */
	uint32_t *escape; /**< [n] slot towards d */
	uint8_t *forced;  /**< [n] switches that must send by it */
	uint32_t *number; /**< [n] scratch, as `key` */
	uint64_t *key;    /**< [slots of switches] */
} odo_pathfinder;

/** Allocate all arrays. @param x clear with odo_pathfinder_clear(), also after a failure */
int odo_pathfinder_init(odo_pathfinder *x, odo_forest *forest, odo_error *err);
/** Begin without entries.
 * @param seed  of the order of trees, and of all choices between equal ways
 * @param falls let VLs fall along paths: see odo_pathfinder_order() */
int odo_pathfinder_begin(odo_pathfinder *x, uint64_t seed, bool falls, odo_error *err);
void odo_pathfinder_clear(odo_pathfinder *x);

/** Return the work done so far, in about nanoseconds, but the same on every machine. */
static inline uint64_t odo_pathfinder_work(const odo_pathfinder *x)
{
	return x->work + ODO_CHANNEL_WORK * x->channels.graph.work;
}

/* Entries of the current tree (entries.c). */

void odo_pathfinder_select(odo_pathfinder *x, uint32_t tree);

/** Return the slot by which a switch sends to d, or ODO_NONE. */
static inline uint32_t odo_pathfinder_slot(const odo_pathfinder *x, uint32_t s)
{
	return s == x->d || x->port[s] == ODO_NO_PORT ? ODO_NONE : odo_slot(x->f, s, x->port[s]);
}

/** Return the slot that follows on the path to d, or ODO_NONE. */
static inline uint32_t odo_pathfinder_next(const odo_pathfinder *x, uint32_t slot)
{
	return odo_pathfinder_slot(x, x->forest->next[slot]);
}

/** Return a turn of the switch that sends by `slot`, from input `in`. */
static inline uint32_t odo_pathfinder_turn(const odo_pathfinder *x, unsigned in, uint32_t slot)
{
	uint32_t s = x->f->owner[slot];
	return x->turn_at[s] + in * (odo_n_ports(x->f, s) + 1) + odo_port(x->f, slot);
}

/**
 * Add the dependencies of an entry by `slot`, which leads to d or to a switch with an entry. Turns
 * without users get VLs.
 * @param search change the order of the channels if necessary
 * @return false, with nothing changed, if they would close a cycle, or disagree with the order
 */
bool odo_pathfinder_add(odo_pathfinder *x, uint32_t slot, bool search);
/** Remove the dependencies of the entry of a switch. */
void odo_pathfinder_remove(odo_pathfinder *x, uint32_t s);
/** Count one user more of a turn, or one less. */
void odo_pathfinder_use(odo_pathfinder *x, uint32_t turn, unsigned vl, bool more);
bool odo_pathfinder_add_edge(odo_pathfinder *x, odo_edge edge);
void odo_pathfinder_remove_edge(odo_pathfinder *x, odo_edge edge);
/** Undo all steps since n_journal was `n`. */
void odo_pathfinder_undo(odo_pathfinder *x, uint32_t n);

/* Escape paths (escape.c). */

/** Find a spanning tree from a random root, and an order of channels that favours it. */
void odo_pathfinder_order(odo_pathfinder *x);
/** Add the dependencies of the spanning tree, or remove them. */
void odo_pathfinder_hold_escapes(odo_pathfinder *x, bool hold);
/** Find the paths over the spanning tree to d, and list their switches, nearest first. */
void odo_pathfinder_find_escapes(odo_pathfinder *x);

/** Grow all trees (grow.c). */
void odo_pathfinder_grow(odo_pathfinder *x);

/* Loads (loads.c). */

/** Add uniform traffic of so many hosts to the cables from `slot` to d. */
void odo_pathfinder_load(odo_pathfinder *x, uint32_t slot, double hosts);
/** Rank hosts, if shifts can be counted. @return 0 or ODO_ENOMEM */
int odo_pathfinder_rank(odo_pathfinder *x);
/** Count the paths of all shifts. */
void odo_pathfinder_count(odo_pathfinder *x);
/** Compare loads and counts with the present highest ones. */
void odo_pathfinder_rescale(odo_pathfinder *x);
/**
 * Add the paths of listed switches to the cables from `slot` to d, or take them away.
 * @param list  [n] switches whose paths lead over `slot`
 * @param hosts of these switches
 * @param sign  1 or -1
 * @return change of the cost of all loads
 */
double odo_pathfinder_shift(odo_pathfinder *x, uint32_t slot, const uint32_t *list, uint32_t n,
			    uint32_t hosts, int sign);
/** Return a figure by which trees are compared: the less the better. */
double odo_pathfinder_rate(const odo_pathfinder *x);

/** Move entries off the fullest cables, as long as it helps and `work` is below a limit
 * (improve.c). */
void odo_pathfinder_improve(odo_pathfinder *x, uint64_t most_work);

#endif
