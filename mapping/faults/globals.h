/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Which global cables of a dragonfly are wrong, and which are missing. The structure of a
 * dragonfly only says how many cables two groups have between them. Which of two is wrong shows
 * in the arrangement: whichever it is, two groups that share a switch in one group share one in
 * most others. Companions of a cable are the groups that its switch is cabled to besides; its
 * score is how often, in all groups, companions share a switch with the cable's far group.
 */
#ifndef ODONATA_MAPPING_FAULTS_GLOBALS_H
#define ODONATA_MAPPING_FAULTS_GLOBALS_H

#include "mapping/judge/finding.h"

/** A global link that is missing, between the switches that it would join. */
typedef struct odo_missing {
	uint32_t end[2]; /**< vertices */
	uint32_t count;
} odo_missing;

/**
 * Class wrong global links ODO_PORT_WRONG in `h`, which has been weighed.
 * @param wrong [n_edges] zero; gets how many cables of each global link are wrong
 * @param missing links that are missing where it can be told which, for free()
 */
int odo_globals_check(odo_finding *h, uint8_t *wrong, odo_missing **missing, uint32_t *n_missing,
		      odo_error *err);

#endif
