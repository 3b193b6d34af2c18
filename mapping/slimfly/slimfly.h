/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Labels of the vertices of a Slim Fly. */
#ifndef ODONATA_MAPPING_SLIMFLY_SLIMFLY_H
#define ODONATA_MAPPING_SLIMFLY_SLIMFLY_H

#include "mapping/graph/bits.h"

typedef struct odo_mms {
	uint32_t q, n;     /**< order of the field; 2 q^2 vertices */
	odo_bits adjacent; /**< links of the whole Slim Fly, by label t*q^2 + x*q + y */
	uint32_t *label;   /**< [graph's n] ODO_NONE if unknown */
} odo_mms;

/**
 * Label a graph by reading the finite field from its links (field.h). Links may be missing or
 * wrong. This is quick, and from q = 9 on it nearly always suffices.
 * @param mms for odo_mms_clear()
 * Errors: ODO_EUNKNOWN if no field can be read.
 */
int odo_mms_read(const odo_links *g, odo_mms *mms, odo_error *err);

/**
 * Match a graph, perhaps damaged, with the possible Slim Flies. A few vertices are matched by
 * trial, and every two determine their only common neighbour, because paths of length two are
 * unique for most pairs (paper 004, section 3.6).
 * @param mms for odo_mms_clear()
 * Errors: ODO_EUNKNOWN if it is no Slim Fly.
 */
int odo_mms_search(const odo_links *g, odo_mms *mms, odo_error *err);
void odo_mms_clear(odo_mms *mms);

/**
 * Change labels by a symmetry of the Slim Fly, which has many.
 * @param q order of the field
 * @param label [2 q^2] required new labels of some vertices, ODO_NONE for others; gets the new
 *   labels of all
 * Errors: ODO_EUNKNOWN if links would join vertices that are not linked.
 */
int odo_mms_relabel(uint32_t q, uint32_t *label, odo_error *err);

#endif
