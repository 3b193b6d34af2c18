/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Missing switches of groups: were they ever there? A switch that was lost took global cables with
 * it, so that other groups have free ends. Groups of unequal size are cabled to each other alike.
 */
#ifndef ODONATA_MAPPING_FAULTS_GROUP_DOUBTS_H
#define ODONATA_MAPPING_FAULTS_GROUP_DOUBTS_H

#include "fabric/coordinates.h"

/** Mark missing switches of a dragonfly as guesses where no free end bears them out.
 * @param fitting [switches] cables to other switches that are not wrong
 * @param lacks [switches] cables that are missing, within groups to missing switches as well
 * @param guess [faults] set for those that nothing bears out
 * Errors: ODO_ENOMEM. */
int odo_doubt_groups(const odo_fabric *f, const odo_coordinates *c, const uint32_t *fitting,
		     const uint32_t *lacks, bool *guess);

#endif
