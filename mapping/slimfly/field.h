/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Reads the field that a Slim Fly was built over out of its links. */
#ifndef ODONATA_MAPPING_SLIMFLY_FIELD_H
#define ODONATA_MAPPING_SLIMFLY_FIELD_H

#include "mapping/graph/bits.h"

/**
 * Label the vertices of a graph that may be the Slim Fly of q, with links and vertices missing and
 * a few links wrong: time in proportion to links and q^3. It needs triangles, which there are
 * from q = 9 on, and some switch of every column.
 * @param ref    the links of the whole Slim Fly, by label
 * @param column [g->n] by odo_mms_find_columns()
 * @param label [g->n] gets t*q^2 + x*q + y, ODO_BITS_NONE where it is not told
 * @param found whether that was read at all; whether it is true the caller must check
 * Returns 0 or ODO_ENOMEM.
 */
int odo_mms_read_field(const odo_links *g, const odo_bits *ref, uint32_t q, const uint32_t *column,
		       uint16_t *label, bool *found);

#endif
