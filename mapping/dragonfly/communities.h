/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Sets of switches that have many links among themselves and few to others: what the groups of a
 * dragonfly are, whatever is missing and however they are arranged. The constant Potts model
 * (Traag, Van Dooren and Nesterov, "Narrow scope for resolution-limit-free community detection",
 * 2011): links within communities count for them, and pairs of switches within against, at a price
 * each; it is made as large as moving switches, and then whole communities, makes it.
 */
#ifndef ODONATA_MAPPING_DRAGONFLY_COMMUNITIES_H
#define ODONATA_MAPPING_DRAGONFLY_COMMUNITIES_H

#include "mapping/graph/links.h"

/**
 * @param weight [n_edges] of each link, 255 for one that counts in full; NULL: all do
 * @param price  of a pair: communities have at least that share of the links that they could have
 * @param of     [n] gets the number of one of its members for each community
 */
int odo_communities_find(const odo_links *g, const uint8_t *weight, double price, uint32_t *of,
			 odo_error *err);

#endif
