/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State that the files of this folder share. */
#ifndef ODONATA_ROUTING_TURNS_INTERNAL_H
#define ODONATA_ROUTING_TURNS_INTERNAL_H

#include "base/arena.h"
#include "base/bits.h"
#include "routing/turns/channels.h"
#include "routing/turns/colour.h"
#include "routing/turns/stage.h"

#define ODO_UNCOLOURED UINT8_MAX
/** Moves tried for one fabric: about two seconds. Fabrics for which moves sufficed took half of
 * it (a dragonfly of 1,056 hosts without 5 % of its switches and cables: 17,000). */
#define ODO_MOST_TRIES 30000u
/** The same while multicast trees have VLs together with unicast: without them there is a way. */
#define ODO_MOST_TRIES_BESIDE_TREES 5000u

/** Packets that new entries meet. */
typedef enum odo_mixing {
	ODO_NEW_ALONE,    /**< none by other entries */
	ODO_SIDE_BY_SIDE, /**< packets by old entries all the way */
	ODO_ANY_ORDER     /**< packets by old entries and new ones in turn */
} odo_mixing;

/**
 * The turns of tables. Turns have the numbers of SL2VL entries (odo_tables.sl2vl_at): switch, input
 * port, output port. Input 0 stands for the switch and all its hosts. Two turns form a *pair* if
 * some packet takes one after the other: then the VL of the first waits for the VL of the second.
 */
typedef struct odo_turning {
	odo_tables *t; /**< copy that is coloured: its LFTs may change */
	const odo_fabric *f;
	odo_arena memory, found;     /**< found: what follows from the LFTs */
	const odo_tables *installed; /**< tables with VLs by turn, or NULL */
	odo_mixing mixing;           /**< which turns of theirs are beside the new ones */
	uint8_t *emptied; /**< [LIDs of both] a byte for each LID: entries that change are removed
			     first, so that old ones and new ones do not meet */
	bool hunts;       /**< turns are not noted: LIDs whose packets take one without a VL are */
	bool has_bare;    /**< the LID at hand is one of these */
	odo_stage stage;  /**< how entries change, if there are tables before */
	uint8_t *held;    /**< [n_turns] packets of the tables before take the turn */
	uint32_t n_turns;
	unsigned ports;   /**< most of any switch */
	unsigned words;   /**< of a set of its ports */
	uint32_t *next;   /**< [slots of switches] switch at the far end, or ODO_NONE */
	uint32_t *slots;  /**< [n_switches] slots by which switches send to the LID at hand */
	uint64_t *before; /**< [n_turns * words] inputs from which packets come to the link of
			     the turn's input port, before this turn: a bit each */
	uint64_t *after;  /**< [n_turns * words] outputs that packets take next */
	uint32_t *from;   /**< [n_turns] slot that sends on the turn's input link; ODO_NONE for
			     packets of the switch and its hosts */
	uint32_t *to;     /**< [n_turns] slot of the turn's output link; ODO_NONE if it leads to no
			     switch */
	uint32_t *uses;   /**< [n_turns] trees with the turn; 0: no packet takes it */
	uint8_t *colour;  /**< [n_turns] VL, or ODO_UNCOLOURED */
	uint8_t *wish;    /**< [n_turns] VL to try first, or ODO_UNCOLOURED */
	uint32_t *order;  /**< [n_used] turns in the order in which packets take them */
	uint32_t n_used;
	uint32_t n_cyclic;     /**< of these, turns on cycles of turns, or behind them */
	uint32_t n_moved_then; /**< entries that were moved when the turns were found */
	unsigned max_vls;
	bool apart; /**< each turn has a VL of its own: the graph is then that of the turns */
	odo_channels channels;
	uint32_t *hosts, *load; /**< [n_switches], [slots]: hosts, and paths between hosts */
	uint32_t *bare;         /**< turns without a VL */
	uint32_t n_bare;
	uint32_t n_tries; /**< moves that were tried */
	uint32_t root;    /**< number of the roots of multicast trees; ODO_NONE: no trees */
	odo_colours *report;
} odo_turning;

/** Return the turn of a switch by input port and output port. */
static inline uint32_t odo_turn_at(const odo_turning *x, uint32_t s, unsigned in, unsigned out)
{
	return x->t->sl2vl_at[s] + in * (odo_n_ports(x->f, s) + 1) + out;
}

/** Return the turn before `turn` whose packets come by input `in` of the switch that sends. */
static inline uint32_t odo_turn_before(const odo_turning *x, uint32_t turn, unsigned in)
{
	uint32_t slot = x->from[turn];
	return odo_turn_at(x, x->f->owner[slot], in, odo_port(x->f, slot));
}

/** Return the turn after `turn` that leaves the next switch by output `out`. */
static inline uint32_t odo_turn_after(const odo_turning *x, uint32_t turn, unsigned out)
{
	uint32_t slot = x->f->peer[x->to[turn]];
	return odo_turn_at(x, x->f->owner[slot], odo_port(x->f, slot), out);
}

static inline bool odo_may_try(const odo_turning *x)
{
	return x->n_tries < (x->root == ODO_NONE ? ODO_MOST_TRIES : ODO_MOST_TRIES_BESIDE_TREES);
}

/** Return the input port of a turn. */
static inline unsigned odo_turn_input(const odo_turning *x, uint32_t turn)
{
	uint32_t s = x->f->owner[x->to[turn]];
	return (turn - x->t->sl2vl_at[s]) / (odo_n_ports(x->f, s) + 1);
}

/** Return the number of VLs that a turn may have. */
static inline unsigned odo_turn_vls(const odo_turning *x, uint32_t turn)
{
	unsigned most = x->f->n_vls[x->to[turn]];
	return most < x->max_vls ? most : x->max_vls;
}

static inline uint32_t odo_turn_channel(const odo_turning *x, uint32_t turn)
{
	return odo_channel_at(&x->channels, x->to[turn], x->colour[turn]);
}

static inline bool odo_is_coloured(const odo_turning *x, uint32_t turn)
{
	return x->colour[turn] != ODO_UNCOLOURED;
}

/** Return the VL that the tables give a turn already. */
static inline unsigned odo_turn_own(const odo_turning *x, uint32_t turn)
{
	return x->t->rows[x->t->sl2vl[turn]].vl[0];
}

/** Return the edge of a pair of coloured turns. */
static inline odo_edge odo_pair_edge(const odo_turning *x, uint32_t first, uint32_t second)
{
	return (odo_edge){odo_turn_channel(x, first), odo_turn_channel(x, second)};
}

/** Find turns and pairs of the tables, and order the turns (used.c). Errors: ODO_ENOMEM. */
int odo_turns_find(odo_turning *x, odo_error *err);

/** Find LIDs whose packets take a turn without a VL while tables change: x->emptied. Errors:
 * ODO_ENOMEM. */
int odo_turns_hunt(odo_turning *x, odo_error *err);

/**
 * Give a turn a VL such that its pairs with coloured turns close no cycle (colour.c).
 * @return false, with the graph unchanged, if there is none
 */
bool odo_turn_colour(odo_turning *x, uint32_t turn);
/** Take the VL of a turn back. */
void odo_turn_uncolour(odo_turning *x, uint32_t turn);

/** Let entries avoid turns without a VL, as far as possible (move.c). */
void odo_turns_avoid(odo_turning *x);

/** Colour unused turns, and write SL2VL maps (write.c). */
int odo_turns_write(odo_turning *x, odo_error *err);

#endif
