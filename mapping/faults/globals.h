/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Wrong and missing global cables of a dragonfly. The structure of a dragonfly only determines the
 * number of cables between two groups. The arrangement shows which of several cables is wrong: in
 * every arrangement, two groups that share a switch in one group share one in most other groups.
 * The companions of a cable are the other groups cabled to its switch. Its score counts how often,
 * in all groups, companions share a switch with the cable's far group.
 */
#ifndef ODONATA_MAPPING_FAULTS_GLOBALS_H
#define ODONATA_MAPPING_FAULTS_GLOBALS_H

#include "mapping/judge/finding.h"

/** A missing global link, with the switches that it would join. */
typedef struct odo_missing {
	uint32_t end[2]; /**< vertices */
	uint32_t count;
} odo_missing;

/**
 * Give wrong global links the class ODO_PORT_WRONG in `h`, which must have been weighed.
 * @param wrong [n_edges] zero; gets the number of wrong cables of each global link
 * @param missing links whose missing cables could be determined, for free()
 */
int odo_globals_check(odo_finding *h, uint8_t *wrong, odo_missing **missing, uint32_t *n_missing,
		      odo_error *err);

#endif
