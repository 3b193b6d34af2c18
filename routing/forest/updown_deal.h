/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Up*\/down* trees: state and functions that the files of updown share. */
#ifndef ODONATA_ROUTING_FOREST_UPDOWN_DEAL_H
#define ODONATA_ROUTING_FOREST_UPDOWN_DEAL_H

#include "base/arena.h"
#include "routing/forest/updown.h"

/* A cable that leads to a switch nearer to the destination. */
typedef struct odo_updown_way {
	uint32_t t;    /* switch at the far end */
	uint32_t gate; /* cable into the destination at the end of the way; n_gates: several */
} odo_updown_way;

/* Switches are called by their numbers here, and up means towards lower numbers, so that data used
 * together is stored together. Paths are counted in 32 bits, since there are fewer than 2^16
 * LIDs. */
struct odo_updown {
	odo_forest *forest;
	odo_arena memory; /* all arrays */
	uint32_t n;
	uint32_t *sorted; /* [n] switch of each number */
	uint32_t *number; /* [n] number of each switch */
	/* [n + 1] first cable up; the cables down end where the next switch's cables begin */
	uint32_t *above;
	uint32_t *below; /* [n] first cable down */
	uint32_t *to;    /* [cables] switch at the far end */
	uint8_t *port;   /* [cables] */
	uint32_t *load;  /* [cables] paths between hosts assigned so far */
	uint32_t *hosts; /* [n] hosts that send */
	/* The current destination: */
	uint16_t *depth;              /* [n] hops to it; UINT16_MAX: not connected */
	uint8_t *down;                /* [n] the switch reaches it by going down only */
	uint32_t *far, n_far;         /* switches that reach it, farthest first */
	uint32_t *start;              /* [n] scratch */
	odo_updown_way *ways;         /* ways of each switch, up before down */
	uint32_t *cable;              /* [ways] */
	uint32_t *paths;              /* [ways] load of the cable */
	uint32_t *first, *first_down; /* [n + 1] first way of each switch; its first way down */
	uint32_t *gate, n_gates;      /* [n] the gate of all ways of a switch, or n_gates */
	uint32_t *planned;            /* [n_gates + 1] paths by each gate */
	uint32_t fair;                /* number of paths by each gate if they are spread evenly */
	/* The current tree: */
	uint8_t *column;   /* [n] used by odo_updown_tree() */
	uint8_t *entered;  /* [n] a packet came from above, so that it must go down */
	uint32_t *carried; /* [n] hosts whose packets reach the switch, so far */
	uint32_t *ahead;   /* [n] load of the least loaded cable to go on by */
	uint64_t *rank;    /* [ways] load, then load of the least loaded cable beyond */
};

/** Find the ways to switch number d. @param weight number of LIDs of d, in all its trees */
void odo_updown_approach(odo_updown *u, uint32_t d, uint32_t weight);

/**
 * Assign paths to d, as a tree.
 * @param port   [n] gets the tree, by numbers
 * @param weight number of LIDs that the tree leads to
 */
void odo_updown_deal(odo_updown *u, uint8_t *port, uint32_t d, uint32_t weight);

/** Store the paths assigned to d as loads of cables. */
void odo_updown_leave(odo_updown *u);

/**
 * Write columns of tree k into the forest.
 * @param d [n_columns] destinations of the columns, as switches
 */
void odo_updown_put(const odo_updown *u, unsigned k, const uint8_t *columns, const uint32_t *d,
		    uint32_t n_columns);

/* updown_order.c */

/**
 * Number the switches; up is towards lower numbers. Every connected part grows switch by switch
 * from a root. Each next switch is a neighbour of a numbered one. So every switch has a path up to
 * the root, and every pair of switches has a path up and then down. No pair needs another root to
 * meet at.
 *
 * Switches above the root come first, level by level, so that the root may use any path up. Then
 * the candidate that is farthest from switches with hosts follows: in a tree, a spine. A single
 * leaf, which connects all of them, comes before the spines, and the other leaves come after them.
 * Shortest paths over any spine then go up and down, so all top switches are as good as roots. If
 * every switch has hosts, this is the order of distance from the root.
 *
 * @param hash   [n] breaks ties, so that numbers do not depend on the order of storage
 * @param order  [n] filled: number of each switch
 * @param sorted [n] filled: switches by number
 * @return 0 or ODO_ENOMEM
 */
int odo_updown_order(const odo_forest *forest, const uint32_t *hash, uint32_t *order,
		     uint32_t *sorted);

#endif
