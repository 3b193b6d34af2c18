/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State that the steps of filling LFTs share. fill.c describes the steps. */
#ifndef ODONATA_ROUTING_TREE_FILLER_H
#define ODONATA_ROUTING_TREE_FILLER_H

#include "routing/tree/tree.h"

struct odo_tree_groups;

/** Passes over all goals. */
enum { ODO_FILL_DRAFT, ODO_FILL_PLAN, ODO_FILL_COUNT, ODO_FILL_CHOOSE };

typedef struct odo_filler {
	const odo_tree *tree;
	const odo_fabric *f;
	const uint8_t *whole;         /* [lid_count * n] columns of the undamaged tree, or NULL */
	uint8_t *columns;             /* [lid_count * n] port of each switch for each LID */
	uint32_t *sources, n_sources; /* n_sources: switches with hosts */
	uint64_t *load;               /* [slots of switches] paths between hosts so far */
	/* The current destination switch: */
	uint32_t d;
	uint32_t *depth;         /* [n] hops to it, or ODO_NONE */
	uint8_t *down;           /* [n] the switch reaches d by going down only */
	uint32_t *queue, n_down; /* n_down: the switches with `down`, nearest first */
	uint8_t *any;            /* [n] port of some way, for switches on no path between hosts */
	odo_tree_link *ways;     /* each switch's next hops that are nearer, in the last pass */
	uint32_t *way_at;        /* [n + 1] */
	/* The current goal: */
	const odo_tree_goal *goal;
	uint32_t i_goal;
	uint8_t *port; /* [n] column of the goal */
	uint32_t *visit;
	uint32_t n_visit;
	uint32_t side[ODO_TREE_LEVELS];   /* which of several parallel cables to take up from each
					     level */
	uint32_t column[ODO_TREE_LEVELS]; /* column of the switch of the way, or ODO_NONE */
	uint32_t *carried;                /* [n] paths that reach a switch */
	/* State while paths are chosen by load: */
	uint8_t *open;    /* [n] the switch's own paths are not counted yet */
	uint64_t *beyond; /* [n] lower bound of the cost of the best way on; UINT64_MAX: unknown */
	struct odo_tree_groups *groups; /* for a Dragonfly+, else NULL */
	bool drafts;                    /* the first plan is being made */
} odo_filler;

static inline uint32_t odo_filler_slot(const odo_filler *x, uint32_t s)
{
	return x->f->first_slot[s] + x->port[s] - 1;
}

static inline uint32_t odo_filler_next(const odo_filler *x, uint32_t s)
{
	return x->f->owner[x->f->peer[odo_filler_slot(x, s)]];
}

/** Return true if t is one hop nearer and s may send to it. */
static inline bool odo_filler_is_way(const odo_filler *x, uint32_t s, uint32_t t)
{
	bool up = x->tree->order[t] < x->tree->order[s];
	return x->depth[t] + 1 == x->depth[s] && x->depth[t] != ODO_NONE && up == !x->down[s] &&
	       (up || x->down[t]);
}

static inline void odo_filler_set(odo_filler *x, uint32_t s, uint32_t slot)
{
	x->port[s] = (uint8_t)(slot - x->f->first_slot[s] + 1);
}

/** Compute depths and other values that depend only on the destination switch and the pass. */
void odo_tree_approach(odo_filler *x, uint32_t d, int pass);

/** The plan of a Dragonfly+: for each group a spine and its global cable. */
void odo_tree_plan_groups(odo_filler *x);
/** Return true if a draft comes first, so that plans are made with all loads known. */
bool odo_tree_has_draft(const odo_filler *x);
/** Subtract the draft of the current goal from the loads. */
void odo_tree_forget_groups(odo_filler *x);
/** Return the groups of a Dragonfly+, as long as `memory` lives; NULL without memory. */
struct odo_tree_groups *odo_tree_groups_new(const odo_tree *tree, uint32_t n_goals,
					    odo_arena *memory);

/** Count paths from s to the destination. */
void odo_tree_walk(odo_filler *x, uint32_t s, uint64_t paths);

/** Choose and count all paths without a plan, from the farthest switches inwards. */
void odo_tree_choose_rest(odo_filler *x);
/** Give a port to switches that are on no path between hosts. */
void odo_tree_take_any(odo_filler *x);

#endif
