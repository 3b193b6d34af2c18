/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Matches a graph with a Slim Fly by trial. */
#ifndef ODONATA_MAPPING_SLIMFLY_SEARCH_H
#define ODONATA_MAPPING_SLIMFLY_SEARCH_H

#include "mapping/graph/bits.h"

/** Of the links of a match so many are those of a Slim Fly, but for wrong ones (of a whole one:
 * all). */
#define ODO_MMS_LEAST_FITTING 0.9

/**
 * @param got     the graph's links as bits
 * @param ref     those of the whole Slim Fly, by label
 * @param whole   nothing may be missing
 * @param allowed contradictions that are forgiven in 64 comparisons: wrong links
 * @param label   [g->n] gets vertices of ref, ODO_BITS_NONE for some that few links tell
 * @param found   whether a match was found whose links are those of the Slim Fly
 * Returns 0 or ODO_ENOMEM.
 */
int odo_mms_seek(const odo_links *g, const odo_bits *ref, const odo_bits *got, bool whole,
		 uint32_t allowed, uint16_t *label, bool *found);

/** Share of the links between vertices with labels that are links of the Slim Fly. */
double odo_mms_fitting(const odo_links *g, const odo_bits *ref, const uint16_t *label);

/**
 * Extend a match of a graph with itself: label [ref->n] is what some vertices are matched with,
 * ODO_BITS_NONE for others, and gets that of all.
 * @param found whether there is such a match
 */
int odo_mms_extend(const odo_links *g, const odo_bits *ref, uint16_t *label, bool *found);

#endif
