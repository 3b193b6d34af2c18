/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Everywhere a FlatFly may be in a graph: the groups that a dragonfly may have. */
#ifndef ODONATA_MAPPING_DRAGONFLY_COPIES_H
#define ODONATA_MAPPING_DRAGONFLY_COPIES_H

#include "mapping/graph/shapes.h"

typedef struct odo_copies {
	uint32_t n, members;
	uint32_t *member; /**< [n * members] vertices by position, the first dimension fastest */
	size_t room;
} odo_copies;

/** Cables between each two vertices: [n * n], 255 for a vertex and itself; for free(). */
uint8_t *odo_copies_table(const odo_links *g);

/**
 * All copies of a shape: as many vertices with these links between them and no others, and as
 * many cables to other vertices. Each is listed once, with its smallest vertex at the origin.
 * @param table  from odo_copies_table()
 * @param budget comparisons that may still be made, about 1 ns each; what is done is taken off
 * Errors: ODO_EUNKNOWN where some vertex is in none, or the budget is used up.
 */
int odo_copies_find(const odo_links *g, const uint8_t *table, const odo_flat_shape *shape,
		    uint64_t *budget, odo_copies *out, odo_error *err);

void odo_copies_clear(odo_copies *c);

#endif
