/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Plan of a transform, and the only function that carries it out. */
#ifndef ODONATA_FABRIC_TRANSFORM_PLAN_H
#define ODONATA_FABRIC_TRANSFORM_PLAN_H

#include "fabric/transform/transform.h"

/** Streams of random numbers, one for each purpose, so that they do not influence each other. */
enum {
	ODO_DRAW_NODES,
	ODO_DRAW_LABELS,
	ODO_DRAW_PORTS,
	ODO_DRAW_SWITCHES,
	ODO_DRAW_LINKS,
	ODO_DRAW_SWAPS,
	ODO_DRAW_MOVES
};

/** A plan, in nodes and slots of the old fabric. */
typedef struct odo_plan {
	odo_arena memory;
	uint32_t n_nodes;
	uint32_t *node; /**< [n_nodes] node at each place in the new order, switches first */
	uint32_t *peer; /**< [n_slots] new cables */
	uint8_t *port;  /**< [n_slots] new port number */
	/** [n_nodes] number for a new GUID and name; NULL to keep them, and LIDs. */
	uint32_t *label;
	const char *const *name; /**< [n_nodes of the old fabric] new name, or NULL; NULL: none */
	uint8_t *silent;         /**< [n_slots] adapters' ports that do not send */
} odo_plan;

/** Make a plan that changes nothing; for odo_plan_clear(), also on failure. */
int odo_plan_make(const odo_fabric *f, odo_plan *plan, odo_error *err);
void odo_plan_clear(odo_plan *plan);

/** Make the new fabric.
 * @param origin may be NULL */
int odo_plan_carry_out(const odo_fabric *f, const odo_plan *plan, odo_fabric **out,
		       odo_origin *origin, odo_error *err);

/** List the lower slot of each cable between two remaining switches.
 * @param gone [n_nodes] non-zero for a removed switch; NULL: none
 * @param links room for [n_links]
 * @return the number of cables */
uint32_t odo_plan_links(const odo_fabric *f, const uint8_t *gone, uint32_t *links);

bool odo_is_share(double share);

#endif
