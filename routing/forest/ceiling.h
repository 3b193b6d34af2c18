/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * An upper bound of the rating of tables, computed from the paths that are known so far. Loads only
 * grow, so an engine can stop once the tables can no longer reach the rating that is needed.
 */
#ifndef ODONATA_ROUTING_FOREST_CEILING_H
#define ODONATA_ROUTING_FOREST_CEILING_H

#include "routing/forest/forest.h"

/** The rating that is needed, and the result. Belongs to odo_route_options. */
typedef struct odo_ceiling {
	const uint32_t *sender; /**< [n_patterns * n_senders] sender to each host, lent */
	const float *part;      /**< [slots of switches] use of a cable by one path, lent */
	unsigned n_patterns;
	double needed;      /**< geometric mean of both bounds that the tables must exceed */
	odo_rating at_most; /**< gets the upper bounds of the tables */
	bool low;           /**< gets true if that is not enough: the tables were not made */
} odo_ceiling;

/** Loads that the bound is computed from. */
typedef struct odo_ceiling_loads {
	odo_ceiling *ceiling; /* NULL: count nothing */
	const odo_forest *forest;
	odo_arena memory;
	uint32_t *flows; /* [n_patterns * slots] paths of each pattern over a cable */
	float *fullest;  /* [n_patterns] use of the fullest cable */
	double share;    /* part of a host's traffic that each of its LIDs gets at least */
} odo_ceiling_loads;

/**
 * @param out free with odo_ceiling_end(), also after a failure
 * @return 0 or ODO_ENOMEM
 */
int odo_ceiling_begin(const odo_forest *forest, odo_ceiling *ceiling, odo_ceiling_loads *out);
void odo_ceiling_end(odo_ceiling_loads *x);

/**
 * Add the path of each pattern to a LID of a host.
 * @param number [n] index of each switch in the column
 * @param column [n] port of each switch towards the switch of the LID
 */
void odo_ceiling_count(odo_ceiling_loads *x, uint32_t lid, const uint32_t *number,
		       const uint8_t *column);

/**
 * Compute the upper bounds.
 * @param uniform number of pairs (host, LID) over the fullest cable, times its part
 * @return true if the bounds are too low
 */
bool odo_ceiling_is_low(const odo_ceiling_loads *x, double uniform);

#endif
