/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Up*\/down* trees to one destination: what the files of updown share. */
#ifndef ODONATA_ROUTING_FOREST_UPDOWN_DEAL_H
#define ODONATA_ROUTING_FOREST_UPDOWN_DEAL_H

#include "routing/forest/updown.h"

/* A cable that leads nearer to the destination. */
typedef struct odo_updown_way {
	uint32_t t; /* the far end */
	uint32_t
		gate; /* by which of the cables into the destination it ends; n_gates: by several */
} odo_updown_way;

/* Switches go by their numbers here, up being towards lower ones: what is looked at together lies
 * together. Paths are counted in 32 bits: there are fewer than 2^16 LIDs. */
struct odo_updown {
	odo_forest *forest;
	uint32_t n;
	uint32_t *sorted; /* [n] switch of each number */
	uint32_t *number; /* [n] of each switch */
	uint32_t *above;  /* [n + 1] first cable up; cables down end where the next begin */
	uint32_t *below;  /* [n] first cable down */
	uint32_t *to;     /* [cables] the far end */
	uint8_t *port;    /* [cables] */
	uint32_t *load;   /* [cables] paths between hosts dealt so far */
	uint32_t *hosts;  /* [n] that send */
	/* The destination at hand: */
	uint16_t *depth; /* [n] hops to it; UINT16_MAX: not connected */
	uint8_t *down;   /* [n] reaches it by going down only */
	uint32_t *far;   /* all that reach it, furthest first */
	uint32_t n_far;
	uint32_t *start;              /* [n] scratch */
	odo_updown_way *ways;         /* of each switch, up before down */
	uint32_t *cable;              /* [ways] */
	uint32_t *paths;              /* [ways] load of the cable */
	uint32_t *first, *first_down; /* [n + 1] first of either */
	uint32_t *gate;               /* [n] of all its ways, or n_gates */
	uint32_t n_gates;
	uint32_t *planned; /* [n_gates + 1] paths by each */
	uint32_t fair;     /* such paths, if all shared alike */
	/* The tree at hand: */
	uint8_t *column;   /* [n] of odo_updown_tree() */
	uint8_t *entered;  /* [n] from above, so that packets must go down */
	uint32_t *carried; /* [n] hosts whose packets have come so far */
	uint32_t *ahead;   /* [n] load of the emptiest cable by which to go on */
	uint64_t *rank;    /* [ways] load, then that of the emptiest cable beyond */
};

/** Find the ways to switch number d. @param weight LIDs of d, of all its trees */
void odo_updown_approach(odo_updown *u, uint32_t d, uint32_t weight);

/** Deal a tree to d. @param port [n] gets it, by numbers @param weight LIDs that it leads to */
void odo_updown_deal(odo_updown *u, uint8_t *port, uint32_t d, uint32_t weight);

/** Keep what has been dealt to d as loads of cables. */
void odo_updown_leave(odo_updown *u);

/** Write columns of tree k into the forest. @param d [n_columns] their destinations, as switches */
void odo_updown_put(const odo_updown *u, unsigned k, const uint8_t *columns, const uint32_t *d,
		    uint32_t n_columns);

#endif
