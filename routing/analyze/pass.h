/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Passes over the states of one commodity (states.h): from the destination back, and towards it.
 */
#ifndef ODONATA_ROUTING_ANALYZE_PASS_H
#define ODONATA_ROUTING_ANALYZE_PASS_H

#include "routing/analyze/states.h"

/** Room for passes; zeroed at first, for odo_pass_clear(). */
typedef struct odo_pass {
	double *dist;    /**< [states] price of the cheapest path; INFINITY: there is none */
	double *chance;  /**< [states] sum over paths of the product of their links' chances,
			   each over the number of ways of the state before it */
	double *mass;    /**< [states] what comes there */
	uint32_t *order; /**< [states] cheapest first, where the graph is cyclic */
	size_t dist_room, chance_room, mass_room, order_room;
	double rate;    /**< of all supplies that have a path */
	double cost;    /**< of these, each by its cheapest path */
	double dearest; /**< of these paths */
	double lost;    /**< supplies without a path */
	uint64_t arcs;  /**< followed so far */
} odo_pass;

void odo_pass_clear(odo_pass *pass);

/**
 * Cheapest paths, and the chances of all. `rate`, `cost`, `dearest` and `lost` are added to. In a
 * cyclic graph only paths count that become cheaper with every link.
 * @param price  [slots] of each link
 * @param chance [slots] of each link; NULL: prices alone
 * Errors: ODO_ENOMEM
 */
int odo_pass_back(odo_pass *pass, const odo_states *g, const double *price, const double *chance);

/** Send all supplies, split over ways by the chance of the paths behind them, after
 * odo_pass_back() with the same arguments. @param load [slots] added to. Errors: ODO_ENOMEM */
int odo_pass_send(odo_pass *pass, const odo_states *g, const double *price, const double *chance,
		  double *load);

/** Send all supplies, split evenly over all ways. Some may go round in a cyclic graph; what has not
 * come out after many rounds is lost, as is what comes to a state without a way. Errors: ODO_ENOMEM
 */
int odo_pass_send_evenly(odo_pass *pass, const odo_states *g, double *load);

#endif
