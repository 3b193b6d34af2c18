/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Sets of switches with many links inside and few links to other sets. Groups of a dragonfly are
 * such sets, in any arrangement and with any damage. The method is the constant Potts model (Traag,
 * Van Dooren and Nesterov, "Narrow scope for resolution-limit-free community detection", 2011).
 * Links within communities add to the worth, and pairs of switches within subtract a price each.
 * The worth is maximised by moving switches, and then whole communities.
 */
#ifndef ODONATA_MAPPING_DRAGONFLY_COMMUNITIES_H
#define ODONATA_MAPPING_DRAGONFLY_COMMUNITIES_H

#include "mapping/graph/links.h"

/**
 * Find communities.
 * @param price price of a pair: a community has at least this share of its possible links
 * @param of [n] gets for each switch the number of one member of its community
 */
int odo_communities_find(const odo_links *g, double price, uint32_t *of, odo_error *err);

#endif
