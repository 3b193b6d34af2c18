/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Matching of the nodes of two fabrics by GUID or by name. */
#ifndef ODONATA_FABRIC_TWINS_H
#define ODONATA_FABRIC_TWINS_H

#include "fabric/fabric.h"

/**
 * Find for each of the first `n_a` nodes of `a` the node with the same GUID among the first `n_b`
 * of `b`, or ODO_NONE. Switches come first: n_switches selects switches only, n_nodes all nodes.
 * @return [n_a], for free(); NULL without memory
 */
uint32_t *odo_twins(const odo_fabric *a, uint32_t n_a, const odo_fabric *b, uint32_t n_b);

/**
 * Match remaining nodes by names that are unique in each fabric: a switch by its description, an
 * adapter by machine and adapter, or by machine alone.
 * @param forth, back [n_nodes] of `a` and `b`, as odo_twins() returns them
 * @return 0, or ODO_ENOMEM
 */
int odo_twins_by_name(const odo_fabric *a, const odo_fabric *b, uint32_t *forth, uint32_t *back);

/**
 * Return true if `b` has the same cable between switches, at the same ports. Return false for no
 * cable, or one to a host.
 * @param twin [a->n_switches] the same switch in `b`, with as many ports, or ODO_NONE
 */
bool odo_same_cable(const odo_fabric *a, uint32_t slot, const odo_fabric *b, const uint32_t *twin);

/**
 * Return 1 if `now` has a switch, or a cable between switches, that `then` lacks. A switch with
 * another number of ports counts as a different one.
 * @return 0 or 1; -1 without memory
 */
int odo_has_grown(const odo_fabric *now, const odo_fabric *then);

#endif
