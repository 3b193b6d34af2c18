/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Dependencies of paths under different SLs, added to a graph that stays acyclic (hold.c). */
#ifndef ODONATA_ROUTING_GRAPH_WALK_H
#define ODONATA_ROUTING_GRAPH_WALK_H

#include "routing/graph/acyclic.h"

typedef struct odo_walker {
	const odo_tables *t;
	const odo_fabric *f;
	odo_acyclic graph;
	uint32_t *far;       /* [slots of switches] switch behind each, or ODO_NONE */
	uint16_t *from_host; /* [slots of switches * ODO_N_SLS] VLs of packets that a switch's hosts
				send */
	uint16_t *injected;  /* [n_switches] SLs for which all hosts of the switch have a VL */
	odo_edge *edges;     /* edges of the current path */
	uint32_t n_edges;
	uint32_t *trail; /* trail of the current path: switch * n_vls + VL by which it leaves */
	uint32_t n_trail;
	uint16_t *passed; /* [n_switches * n_vls] SLs of paths to passed_to that are in the graph */
	uint32_t passed_to; /* a LID; ODO_NONE: there are no such paths */
	odo_edge *journal;  /* edges added since odo_walker_begin() */
	size_t journal_room;
	uint32_t n_journal;
	bool no_memory; /* a path was refused because memory ran out */
} odo_walker;

/**
 * Create an empty graph.
 * @param w zeroed; clear with odo_walker_clear(), also on ODO_ENOMEM, without a message
 */
int odo_walker_init(odo_walker *w, const odo_tables *t);
void odo_walker_clear(odo_walker *w);

/** Note that entries of the tables changed since paths were added. Existing dependencies stay. */
void odo_walker_entries_changed(odo_walker *w);

/** Remove all dependencies. The order of the channels stays. */
void odo_walker_clear_edges(odo_walker *w);

/**
 * Return the number of VLs of the link that delivers a LID; more than any link has if the switch
 * itself has the LID.
 */
unsigned odo_walker_delivery_vls(const odo_walker *w, uint32_t lid);

/**
 * Add the dependencies of the path from switch s to a LID under some SLs, a bit each, without a
 * check.
 * @return false if some link lacks a VL for it
 */
bool odo_walker_mark(odo_walker *w, uint32_t s, uint32_t lid, unsigned sls);
/** Order the channels. @return false if there is a cycle */
bool odo_walker_sort(odo_walker *w);

/** Begin a group of odo_walker_add() calls that can be undone. */
void odo_walker_begin(odo_walker *w);
/**
 * Like odo_walker_mark(), but also return false if the path closes a cycle; then call
 * odo_walker_undo().
 */
bool odo_walker_add(odo_walker *w, uint32_t s, uint32_t lid, unsigned sls);
/** Undo all additions since odo_walker_begin(). @return false, so that callers can return it */
bool odo_walker_undo(odo_walker *w);

#endif
