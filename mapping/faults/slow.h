/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Faults of single cables, which every kind may have, an unknown one too. */
#ifndef ODONATA_MAPPING_FAULTS_SLOW_H
#define ODONATA_MAPPING_FAULTS_SLOW_H

#include "fabric/coordinates.h"

/**
 * Add slow cables to the faults of `c`, and in a fabric of unknown kind the cables from a switch to
 * itself (elsewhere they are wrong cables already).
 *
 * A cable is slow where it carries less than is usual in its class, unless that may be how the
 * fabric was built: where more than one in ODO_RARE cables of the class carry as little or less
 * (the smallest class may have one), or where a switch or adapter at one of its ends has several
 * cables and none that carries more. The usual rate is the one that most cables of the class have,
 * of two that as many have the lower. Classes are those of the ports; cables to hosts are one. A
 * cable that contradicts the finding, and in an unknown fabric each, is held against all cables
 * between switches. Where width or speed is unknown, a cable says nothing.
 * Errors: ODO_ENOMEM.
 */
int odo_faults_of_rates(const odo_fabric *f, odo_coordinates *c, odo_error *err);

#endif
