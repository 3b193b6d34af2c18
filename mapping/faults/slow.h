/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Faults of single cables, which can occur in every kind, including the unknown one. */
#ifndef ODONATA_MAPPING_FAULTS_SLOW_H
#define ODONATA_MAPPING_FAULTS_SLOW_H

#include "fabric/coordinates.h"

/**
 * Add slow cables to the faults of `c`. In a fabric of unknown kind also add cables from a switch
 * to itself; elsewhere they are wrong cables already.
 *
 * A cable is slow if its rate is below the usual rate of its class, with two exceptions that
 * suggest design. First, more than one in ODO_RARE cables of the class have this rate or less (the
 * smallest class may have one). Second, a switch or adapter at one end has several cables and none
 * with a higher rate. The usual rate is the most frequent rate of the class; of two equally
 * frequent ones it is the lower. Classes are those of the ports, and cables to hosts are one class.
 * A cable that contradicts the finding, and every cable of an unknown fabric, is compared with all
 * cables between switches. Cables of unknown width or speed are ignored.
 * Errors: ODO_ENOMEM.
 */
int odo_faults_of_rates(const odo_fabric *f, odo_coordinates *c, odo_error *err);

#endif
