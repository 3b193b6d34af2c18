/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Passes over the states of one commodity (states.h): from the destination back, and towards the
 * destination. */
#ifndef ODONATA_ROUTING_ANALYZE_PASS_H
#define ODONATA_ROUTING_ANALYZE_PASS_H

#include "routing/analyze/states.h"

/** Buffers for passes; zero them first, and free them with odo_pass_clear(). */
typedef struct odo_pass {
	double *dist;    /**< [states] price of the cheapest path; INFINITY if there is none */
	double *chance;  /**< [states] sum over paths of the product of their links' chances, each
			    divided by the number of ways of the state before the link */
	double *mass;    /**< [states] traffic that reaches the state */
	uint32_t *order; /**< [states] cheapest first, if the graph is cyclic */
	size_t dist_room, chance_room, mass_room, order_room;
	double rate;    /**< sum of all supplies that have a path */
	double cost;    /**< cost of these supplies by their cheapest paths */
	double dearest; /**< highest price of these paths */
	double lost;    /**< supplies without a path */
	uint64_t arcs;  /**< arcs followed so far */
} odo_pass;

void odo_pass_clear(odo_pass *pass);

/**
 * Compute the cheapest paths, and the chances of all paths. Add to `rate`, `cost`, `dearest` and
 * `lost`. In a cyclic graph, only paths count whose price falls with every link.
 * @param price  [slots] price of each link
 * @param chance [slots] chance of each link; NULL: only prices
 * Errors: ODO_ENOMEM
 */
int odo_pass_back(odo_pass *pass, const odo_states *g, const double *price, const double *chance);

/**
 * Send all supplies, split over ways by the chance of the paths behind them. Call odo_pass_back()
 * with the same arguments first.
 * @param load [slots] added to
 * Errors: ODO_ENOMEM
 */
int odo_pass_send(odo_pass *pass, const odo_states *g, const double *price, const double *chance,
		  double *load);

/** Send all supplies, split evenly over all ways. In a cyclic graph some traffic may loop. Traffic
 * that has not arrived after many rounds is lost, and so is traffic in a state without a way.
 * Errors: ODO_ENOMEM */
int odo_pass_send_evenly(odo_pass *pass, const odo_states *g, double *load);

#endif
