/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a transform is to do to a fabric, and the one function that does it. */
#ifndef ODONATA_FABRIC_TRANSFORM_PLAN_H
#define ODONATA_FABRIC_TRANSFORM_PLAN_H

#include "fabric/transform/transform.h"

/** Streams of a seed, so that draws for one purpose do not shift those for another. */
enum {
	ODO_DRAW_NODES,
	ODO_DRAW_LABELS,
	ODO_DRAW_PORTS,
	ODO_DRAW_SWITCHES,
	ODO_DRAW_LINKS,
	ODO_DRAW_SWAPS,
	ODO_DRAW_MOVES
};

/** All in terms of the old fabric. */
typedef struct odo_plan {
	uint32_t n_nodes;
	uint32_t *node;  /**< [n_nodes] node at each place in the new order, switches first */
	uint32_t *peer;  /**< [n_slots] cables as they shall be */
	uint8_t *port;   /**< [n_slots] new port number */
	uint32_t *label; /**< [n_nodes] makes a new GUID and name; NULL to keep them, and LIDs */
} odo_plan;

/** The plan that changes nothing; for odo_plan_clear(), also on failure. */
int odo_plan_make(const odo_fabric *f, odo_plan *plan, odo_error *err);
void odo_plan_clear(odo_plan *plan);

/** @param origin NULL if not wanted */
int odo_plan_carry_out(const odo_fabric *f, const odo_plan *plan, odo_fabric **out,
		       odo_origin *origin, odo_error *err);

/** List the lower slot of each cable between switches that both stay.
 * @param gone  [n_nodes] non-zero for a switch that does not stay; NULL if all do
 * @param links room for [n_links]
 * @return how many */
uint32_t odo_plan_links(const odo_fabric *f, const uint8_t *gone, uint32_t *links);

bool odo_is_share(double share);

#endif
