/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Dependencies of paths under one SL or another, added to a graph that stays acyclic (hold.c). */
#ifndef ODONATA_ROUTING_REROUTE_WALK_H
#define ODONATA_ROUTING_REROUTE_WALK_H

#include "routing/graph/acyclic.h"

typedef struct odo_walker {
	const odo_tables *t;
	const odo_fabric *f;
	odo_acyclic graph;
	uint16_t *from_host; /* [slots of switches * ODO_N_SLS] VLs of what a switch's hosts send */
	uint16_t *injected;  /* [n_switches] SLs for which all its hosts have a VL */
	odo_edge *edges;     /* of the path at hand */
	uint32_t n_edges;
	uint32_t *trail; /* of the path at hand: switch * n_vls + VL by which it leaves */
	uint32_t n_trail;
	uint16_t *passed;   /* [n_switches * n_vls] SLs of paths to one LID that are in the graph */
	uint32_t passed_to; /* that LID; ODO_NONE: none is */
	odo_edge *journal;  /* added since odo_walker_begin() */
	size_t journal_room;
	uint32_t n_journal;
	bool no_memory; /* some path was refused for lack of it */
} odo_walker;

/** An empty graph. @param w zeroed; for odo_walker_clear(), also on ODO_ENOMEM, without a message
 */
int odo_walker_init(odo_walker *w, const odo_tables *t);
void odo_walker_clear(odo_walker *w);

/** Entries of the tables have changed since paths were added. What paths waited for stays. */
void odo_walker_entries_changed(odo_walker *w);

/** Take all dependencies away. The order of the channels stays. */
void odo_walker_clear_edges(odo_walker *w);

/** VLs of the link that delivers a LID; more than any where that is the switch itself. */
unsigned odo_walker_delivery_vls(const odo_walker *w, uint32_t lid);

/** Add the dependencies of the path from switch s to a LID under some SLs, a bit each, unchecked.
 * False where some link lacks a VL for it. */
bool odo_walker_mark(odo_walker *w, uint32_t s, uint32_t lid, unsigned sls);
/** Order the channels; false where there is a cycle. */
bool odo_walker_sort(odo_walker *w);

/** From here on odo_walker_add() can be undone. */
void odo_walker_begin(odo_walker *w);
/** As odo_walker_mark(), but false where it closed a cycle; then odo_walker_undo() must follow. */
bool odo_walker_add(odo_walker *w, uint32_t s, uint32_t lid, unsigned sls);
/** Take back all since odo_walker_begin(). @return false, which callers hand on */
bool odo_walker_undo(odo_walker *w);

#endif
