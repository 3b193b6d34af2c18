/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Columns of a Slim Fly's vertices (t, x, y): sets of equal t and x. */
#ifndef ODONATA_MAPPING_SLIMFLY_COLUMNS_H
#define ODONATA_MAPPING_SLIMFLY_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "mapping/graph/bits.h"
#include "mapping/graph/links.h"

/** Slim Flies of larger fields need switches of more than ODO_MAX_PORTS ports. */
enum { ODO_MMS_MOST_Q = 169 };

/** Count the triangles of each link, at most 255. The work is proportional to links times degree.
 * @param triangles [g->n_edges]
 * @return 0 or ODO_ENOMEM */
int odo_mms_count_triangles(const odo_links *g, uint8_t *triangles);

/**
 * Find the 2q columns by the triangles of their links, for q from 9 to ODO_MMS_MOST_Q.
 * @param g the links, some of which may be missing or wrong
 * @param column [g->n] side * q + index within the side, or ODO_NONE; the largest columns of each
 *   side have index 0 and 1
 * @param found true if there are 2q columns, q on each side
 * @return 0 or ODO_ENOMEM
 */
int odo_mms_find_columns(const odo_links *g, const uint8_t *triangles, uint32_t q, uint32_t *column,
			 bool *found);

#endif
