/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Columns of a Slim Fly's vertices (t, x, y): those of equal t and x. */
#ifndef ODONATA_MAPPING_SLIMFLY_COLUMNS_H
#define ODONATA_MAPPING_SLIMFLY_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "mapping/graph/bits.h"
#include "mapping/graph/links.h"

/** Slim Flies of larger fields need switches of more than ODO_MAX_PORTS ports. */
enum { ODO_MMS_MOST_Q = 169 };

/** How many triangles each link closes, at most 255: steps in proportion to links by degree.
 * @param triangles [g->n_edges]
 * @return 0 or ODO_ENOMEM */
int odo_mms_count_triangles(const odo_links *g, uint8_t *triangles);

/**
 * Find the 2q columns by the triangles that their links close, q 9 to ODO_MMS_MOST_Q.
 * @param g      the links, some of which may be missing or wrong
 * @param column [g->n] side * q + index within the side, or ODO_NONE; of each side the fullest
 *               columns are 0 and 1
 * @param found  whether there are 2q, q of them on each side
 * @return 0 or ODO_ENOMEM
 */
int odo_mms_find_columns(const odo_links *g, const uint8_t *triangles, uint32_t q, uint32_t *column,
			 bool *found);

#endif
