/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Copies of a FlatFly in a graph: possible groups of a dragonfly. */
#ifndef ODONATA_MAPPING_DRAGONFLY_COPIES_H
#define ODONATA_MAPPING_DRAGONFLY_COPIES_H

#include "mapping/graph/shapes.h"

typedef struct odo_copies {
	uint32_t n, members;
	uint32_t *member; /**< [n * members] vertices by position, the first dimension fastest */
	size_t room;
} odo_copies;

/** Build a table of the cables between every two vertices: [n * n], 255 on the diagonal; for
 * free(). */
uint8_t *odo_copies_table(const odo_links *g);

/**
 * List all copies of a shape. The vertices of a copy have exactly the links of the shape between
 * them, and equally many cables to other vertices. Each copy is listed once, with its smallest
 * vertex at the origin.
 * @param table from odo_copies_table()
 * @param budget remaining comparisons, about 1 ns each; decreased by those made
 * Errors: ODO_EUNKNOWN if some vertex is in no copy, or the budget is spent.
 */
int odo_copies_find(const odo_links *g, const uint8_t *table, const odo_flat_shape *shape,
		    uint64_t *budget, odo_copies *out, odo_error *err);

void odo_copies_clear(odo_copies *c);

#endif
