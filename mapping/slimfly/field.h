/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finite field of a Slim Fly, read from the links. */
#ifndef ODONATA_MAPPING_SLIMFLY_FIELD_H
#define ODONATA_MAPPING_SLIMFLY_FIELD_H

#include "mapping/graph/bits.h"

/**
 * Label the vertices of a graph that may be the Slim Fly of q. Links and vertices may be missing,
 * and a few links may be wrong. The time is proportional to links and to q^3. The method needs
 * triangles, so q must be at least 9, and some switch of every column.
 * @param ref the links of the complete Slim Fly, by label
 * @param column [g->n] by odo_mms_find_columns()
 * @param label [g->n] gets t*q^2 + x*q + y, or ODO_BITS_NONE if unknown
 * @param found true if labels could be read; the caller must check them
 * @return 0 or ODO_ENOMEM
 */
int odo_mms_read_field(const odo_links *g, const odo_bits *ref, uint32_t q, const uint32_t *column,
		       uint16_t *label, bool *found);

#endif
