/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Paths of a fat tree that go down and up again. They exist where damage leaves no path up and
 * down.
 */
#ifndef ODONATA_ROUTING_TURNS_H
#define ODONATA_ROUTING_TURNS_H

#include "fabric/coordinates.h"
#include "routing/tables.h"

typedef struct odo_turns {
	uint64_t n_pairs;  /**< pairs of two switches with hosts, whose levels are known */
	uint64_t n_turned; /**< pairs whose path goes down and up again */
} odo_turns;

/**
 * Follow the paths between switches with hosts, one LID for each.
 * @param c coordinates of a fat tree; for all other kinds both numbers are 0
 * Errors: ODO_ENOMEM.
 */
int odo_turns_count(const odo_tables *t, const odo_coordinates *c, odo_turns *turns,
		    odo_error *err);

#endif
