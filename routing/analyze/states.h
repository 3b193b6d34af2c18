/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The states of packets under adaptive tables, as a graph for each group of destinations.
 *
 * A state is (switch, class of the input port, VL): the input of adaptive tables (adaptive.h). Its
 * ways are arcs, each over one cable. LIDs of one switch that the tables treat alike share a graph.
 * Ways that are `onward` count for all packets of a state, also for packets that came by that very
 * port. A split may therefore use more ways than a switch would grant, so upper bounds remain
 * valid.
 */
#ifndef ODONATA_ROUTING_ANALYZE_STATES_H
#define ODONATA_ROUTING_ANALYZE_STATES_H

#include <stdbool.h>

#include "routing/adaptive.h"
#include "routing/analyze/analyze.h"

/** A way from a state. */
typedef struct odo_arc {
	uint32_t slot; /**< slot that sends */
	uint32_t to;   /**< next state; 0 is the destination's switch */
} odo_arc;

/** Traffic of a switch's hosts to the graph's destinations. */
typedef struct odo_supply {
	uint32_t state;
	double rate;
} odo_supply;

/** States from which packets of some source can still reach one group of destinations. State 0 is
 * the destination's switch. Arcs lead to lower states, unless the graph is cyclic. */
typedef struct odo_states {
	uint32_t n, n_supplies, n_arcs;
	bool cyclic;
	uint32_t *first; /**< [n + 1] index into `arc` */
	odo_arc *arc;
	odo_supply *supply;
} odo_states;

/** The groups of destinations of a traffic. */
typedef struct odo_commodities odo_commodities;

/**
 * @param flows NULL for uniform traffic: each host sends at rate 1 to all others
 * @param out   free with odo_commodities_free(); borrows tables and flows
 * Errors: ODO_ENOMEM; ODO_EDECLINE for a fabric with too many states.
 */
int odo_commodities_create(const odo_tables *t, const odo_flow *flows, size_t n,
			   odo_commodities **out, odo_error *err);
void odo_commodities_free(odo_commodities *commodities);
uint32_t odo_commodities_count(const odo_commodities *commodities);

/**
 * Add the rate of each host's traffic, sent and received. Flows to hosts without a LID are left
 * out.
 * @param sent, received [n_hosts] added to
 */
void odo_commodities_host_rates(const odo_commodities *commodities, double *sent, double *received);

/**
 * Return the graph of a group, lent until the next call. Graphs are stored while memory allows.
 * @return NULL if memory runs out
 */
const odo_states *odo_commodities_states(odo_commodities *commodities, uint32_t index);

#endif
