/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Places of switches and hosts: racks in rows on a floor that is about square, as in paper 001,
 * section 5, and its reference [14]. Cables run along rows and across them, so their lengths are
 * Manhattan distances.
 *
 * Switches with their hosts fill rack after rack. Neighbours in the last dimension are placed
 * together; groups and pods follow one after the other. A torus is cut into boxes of a rack each,
 * and folded, so no cable is longer than two steps. The top of a fat tree stands in the middle.
 */
#ifndef ODONATA_PLAN_RACKS_H
#define ODONATA_PLAN_RACKS_H

#include <stdbool.h>
#include <stdio.h>

#include "fabric/coordinates.h"
#include "plan/prices.h"

typedef struct odo_plan_racks {
	uint32_t n, columns; /**< racks; racks of a row, where the last row may have fewer */
	uint32_t *rack;      /**< [n_nodes] rack of each node, row by row from 0 */
	uint32_t *position;  /**< [n_nodes] position in the rack, from 1: switches, then hosts */
} odo_plan_racks;

/** Parts of a fabric in its racks. Cables to hosts stay inside racks. */
typedef struct odo_plan_bill {
	uint32_t racks, rows, columns;
	uint64_t inside;     /**< cables between switches inside racks */
	uint64_t electrical; /**< between racks */
	uint64_t optical;    /**< between racks */
	double metres;       /**< mean length of cables between racks; 0 for none */
	double longest;
	double switches, cables; /**< dollars, including cables of hosts */
} odo_plan_bill;

/** @param c   its true coordinates
 * @param out for odo_plan_racks_clear(), also on failure
 * Errors: ODO_ENOMEM. */
int odo_plan_racks_make(const odo_fabric *f, const odo_coordinates *c, const odo_plan_prices *p,
			odo_plan_racks *out, odo_error *err);
void odo_plan_racks_clear(odo_plan_racks *racks);

/** Length in metres of a cable between two nodes. */
double odo_plan_metres(const odo_plan_racks *racks, const odo_plan_prices *p, uint32_t node,
		       uint32_t other);

/** Count the parts. @param ports ports paid for on each switch */
void odo_plan_count(const odo_plan_racks *racks, const odo_fabric *f, const odo_plan_prices *p,
		    double ports, odo_plan_bill *out);

/**
 * Make the bill of a spec in its racks.
 * Errors: those of the generator.
 */
int odo_plan_bill_of(const char *spec, double ports, const odo_plan_prices *p, odo_plan_bill *out,
		     odo_error *err);

/** Write every cable of a spec, for the people who install it: a CSV line each. Errors: those of
 * the generator; ODO_EIO. */
int odo_plan_cabling(const char *spec, const odo_plan_prices *p, FILE *to, odo_error *err);

#endif
