/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Hints: irregularities of trees that no cable contradicts. A missing spine also lacks the cables
 * that would show its absence, so faults.h finds nothing. Free ports and unequal numbers remain as
 * evidence.
 */
#ifndef ODONATA_MAPPING_FAULTS_HINTS_H
#define ODONATA_MAPPING_FAULTS_HINTS_H

#include "fabric/coordinates.h"

typedef struct odo_hint {
	char text[200]; /**< one line, for people */
	/** Some switches have what others lack, or a port is free between ports that lead up.
	 * Otherwise ports are free at the end, which may be reserved for growth. */
	bool strong;
} odo_hint;

/**
 * Find the hints of a mapped fabric. Kinds without levels have only those of their rails.
 * @param hints for free(); NULL if there are none
 * Errors: ODO_ENOMEM.
 */
int odo_hints_find(const odo_fabric *f, const odo_coordinates *c, odo_hint **hints, uint32_t *n,
		   odo_error *err);

#endif
