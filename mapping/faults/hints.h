/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Hints: unequal structure of trees that no cable contradicts. A lost spine takes the cables that
 * would tell of it with it, so that faults.h finds nothing; free ports and unequal numbers remain.
 */
#ifndef ODONATA_MAPPING_FAULTS_HINTS_H
#define ODONATA_MAPPING_FAULTS_HINTS_H

#include "fabric/coordinates.h"

typedef struct odo_hint {
	char text[200]; /**< one line, for people */
	/** Some have what others lack, or a port is free amid those that lead up; else ports are
	 * free at the end, which may be room to grow. */
	bool strong;
} odo_hint;

/**
 * Find the hints of a mapped fabric; kinds without levels have those of their rails only.
 * @param hints for free(); NULL where there are none
 * Errors: ODO_ENOMEM.
 */
int odo_hints_find(const odo_fabric *f, const odo_coordinates *c, odo_hint **hints, uint32_t *n,
		   odo_error *err);

#endif
