/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The Slim Fly as a graph. */
#ifndef ODONATA_FABRIC_TOPOLOGY_SLIMFLY_H
#define ODONATA_FABRIC_TOPOLOGY_SLIMFLY_H

#include "base/error.h"

#include <stdint.h>

/**
 * List the neighbours of each of the 2 q^2 vertices, which are numbered t*q^2 + x*q + y.
 * @param next [2 q^2 * degree], for free()
 * @param degree of every vertex
 * Errors: ODO_EINPUT if there is no Slim Fly of q.
 */
int odo_slimfly_neighbours(uint32_t q, uint32_t **next, uint32_t *degree, odo_error *err);

#endif
