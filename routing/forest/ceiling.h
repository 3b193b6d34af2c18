/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What tables can be rated at most, by those of their paths that are known so far. Loads only grow,
 * so who deals paths out can stop once they cannot reach what is needed.
 */
#ifndef ODONATA_ROUTING_FOREST_CEILING_H
#define ODONATA_ROUTING_FOREST_CEILING_H

#include "routing/forest/forest.h"

/** What is asked, and the answer: for odo_route_options. */
typedef struct odo_ceiling {
	const uint32_t *sender; /**< [n_patterns * n_senders] who sends to a host, lent */
	const float *part; /**< [slots of switches] what a path adds to the use of a cable, lent */
	unsigned n_patterns;
	double needed;      /**< geometric mean of both bounds that tables must exceed */
	odo_rating at_most; /**< gets what they reach at most */
	bool low;           /**< gets whether that is not enough: the tables were not made */
} odo_ceiling;

/** The loads behind it. */
typedef struct odo_ceiling_loads {
	odo_ceiling *ceiling; /* NULL: nothing is asked, and nothing is counted */
	const odo_forest *forest;
	uint32_t *flows; /* [n_patterns * slots] paths of each pattern over a cable */
	float *fullest;  /* [n_patterns] use of the fullest cable */
	double share;    /* of what a host gets, over each of its LIDs at least */
} odo_ceiling_loads;

/** @param out for odo_ceiling_end(), also after a failure. 0 or ODO_ENOMEM */
int odo_ceiling_begin(const odo_forest *forest, odo_ceiling *ceiling, odo_ceiling_loads *out);
void odo_ceiling_end(odo_ceiling_loads *x);

/**
 * Add the path of each pattern to a LID of a host.
 * @param number [n] place in the column of each switch
 * @param column port of each switch that leads to the LID's own
 */
void odo_ceiling_count(odo_ceiling_loads *x, uint32_t lid, const uint32_t *number,
		       const uint8_t *column);

/**
 * Find what can be reached at most.
 * @param uniform pairs of a host and a LID over the cable that they fill most, times its part
 * @return true if that is not enough
 */
bool odo_ceiling_is_low(const odo_ceiling_loads *x, double uniform);

#endif
