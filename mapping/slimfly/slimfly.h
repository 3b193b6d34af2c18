/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds the labels of a Slim Fly's vertices. */
#ifndef ODONATA_MAPPING_SLIMFLY_SLIMFLY_H
#define ODONATA_MAPPING_SLIMFLY_SLIMFLY_H

#include "mapping/graph/bits.h"

typedef struct odo_mms {
	uint32_t q, n;     /**< order of the field; 2 q^2 vertices */
	odo_bits adjacent; /**< links of the whole Slim Fly, by label t*q^2 + x*q + y */
	uint32_t *label;   /**< [graph's n] ODO_NONE where not known */
} odo_mms;

/**
 * Label a graph, perhaps damaged and with wrong links, by what it shows of the field that it was
 * built over (field.h). Quick, and from q = 9 on nearly always enough.
 * @param mms for odo_mms_clear()
 * Errors: ODO_EUNKNOWN where it shows none.
 */
int odo_mms_read(const odo_links *g, odo_mms *mms, odo_error *err);

/**
 * Match a graph, perhaps damaged, with the Slim Flies that it could be: a few vertices are
 * matched by trial, and every two of them bring in their only common neighbour, since paths
 * of length two are unique for most pairs (paper 004, section 3.6).
 * @param mms for odo_mms_clear()
 * Errors: ODO_EUNKNOWN where it is none.
 */
int odo_mms_search(const odo_links *g, odo_mms *mms, odo_error *err);
void odo_mms_clear(odo_mms *mms);

/**
 * Labels that say the same: a Slim Fly is like itself in many ways.
 * @param q     order of the field
 * @param label [2 q^2] what some labels must become, ODO_NONE for others; gets what all become
 * Errors: ODO_EUNKNOWN where links would not be links then.
 */
int odo_mms_relabel(uint32_t q, uint32_t *label, odo_error *err);

#endif
