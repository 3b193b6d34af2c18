/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The objective, by which one of two tables is taken. Tables are rated by one figure: the geometric
 * mean of two static bounds (floor.h). A change has a price: the factor by which the
 * candidate's figure must exceed that of the chosen tables, or may fall below it. The order of
 * prices is the order of harms: deadlock while switches change, lost packets, connections that must
 * be re-established, moved entries.
 */
#ifndef ODONATA_ROUTING_CHOOSE_OBJECTIVE_H
#define ODONATA_ROUTING_CHOOSE_OBJECTIVE_H

#include <stdbool.h>

#include "routing/provenance.h"

/** Price of a change to the candidate; the factors and their reasons are in objective.c. */
typedef enum odo_price {
	ODO_FREE,              /**< taken whatever its bounds are */
	ODO_MOVES_FEW,         /**< moves few entries, or no tables are installed yet */
	ODO_MOVES_MOST,        /**< moves most entries */
	ODO_RECONNECTS,        /**< takes SLs by pair: later changes cost connections */
	ODO_RESTORES_CAPACITY, /**< gives up entries of the undamaged fabric */
	ODO_SPARES_MOVES,      /**< the chosen tables move most entries instead */
	ODO_SPARES_DEADLOCK,   /**< packets could deadlock on the way to the chosen tables */
	ODO_FORBIDDEN,         /**< never taken */
} odo_price;

/** Return true if a candidate is worth its price. */
bool odo_is_worth(odo_price price, const odo_rating *chosen, const odo_rating *candidate);

/** Return true if no tables at all can be worth this price. */
bool odo_is_hopeless(odo_price price, const odo_rating *chosen);

/** Return the mean that a candidate must exceed. 0 if its price does not depend on the mean. */
double odo_mean_needed(odo_price price, const odo_rating *chosen);

/** Return the bounds that a candidate needs, in words, as in "15 % more". */
const char *odo_price_text(odo_price price);

#endif
