/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Nodes of two fabrics that are the same one, by GUID or by name. */
#ifndef ODONATA_FABRIC_TWINS_H
#define ODONATA_FABRIC_TWINS_H

#include "fabric/fabric.h"

/**
 * For each of the first `n_a` nodes of `a` the one of the first `n_b` of `b` with its GUID, or
 * ODO_NONE. Switches come first: n_switches looks at them alone, n_nodes at all.
 * @return [n_a], for free(); NULL without memory
 */
uint32_t *odo_twins(const odo_fabric *a, uint32_t n_a, const odo_fabric *b, uint32_t n_b);

/**
 * Match nodes that no GUID has matched by names that are one node's in each fabric: a switch by its
 * description, an adapter by machine and adapter, or by machine alone.
 * @param forth, back [n_nodes] of `a` and `b`, as odo_twins() gives them
 * @return 0, or ODO_ENOMEM
 */
int odo_twins_by_name(const odo_fabric *a, const odo_fabric *b, uint32_t *forth, uint32_t *back);

/**
 * Is the cable at a switch's slot of `a` in `b`, too, between the same ports? False for no cable,
 * or one to a host.
 * @param twin [a->n_switches] what each is called in `b`, with as many ports, or ODO_NONE
 */
bool odo_same_cable(const odo_fabric *a, uint32_t slot, const odo_fabric *b, const uint32_t *twin);

/**
 * Has `now` a switch, or a cable between switches, that `then` had not? A switch with another
 * number of ports is another one.
 * @return 0 or 1; -1 without memory
 */
int odo_has_grown(const odo_fabric *now, const odo_fabric *then);

#endif
