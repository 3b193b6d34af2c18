/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Match of a graph with a Slim Fly, by trial. */
#ifndef ODONATA_MAPPING_SLIMFLY_SEARCH_H
#define ODONATA_MAPPING_SLIMFLY_SEARCH_H

#include "mapping/graph/bits.h"

/** Minimum share of the links of a match that are links of the Slim Fly; the rest are wrong cables.
 * A complete graph needs all. */
#define ODO_MMS_LEAST_FITTING 0.9

/**
 * Search for a match.
 * @param got the links of the graph as bits
 * @param ref the links of the complete Slim Fly, by label
 * @param whole nothing may be missing
 * @param allowed contradictions allowed in 64 comparisons, for wrong links
 * @param label [g->n] gets vertices of ref, ODO_BITS_NONE if few links identify one
 * @param found true if a match was found whose links are those of the Slim Fly
 * @return 0 or ODO_ENOMEM
 */
int odo_mms_seek(const odo_links *g, const odo_bits *ref, const odo_bits *got, bool whole,
		 uint32_t allowed, uint16_t *label, bool *found);

/** Return the share of the links between labelled vertices that are links of the Slim Fly. */
double odo_mms_fitting(const odo_links *g, const odo_bits *ref, const uint16_t *label);

/**
 * Extend a match of a graph with itself.
 * @param label [ref->n] matches of some vertices, ODO_BITS_NONE for others; gets the matches of all
 * @param found true if there is such a match
 */
int odo_mms_extend(const odo_links *g, const odo_bits *ref, uint16_t *label, bool *found);

#endif
