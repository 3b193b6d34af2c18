/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The equivalence relation on links of paper 004, section 2.1: rules 3 and 4. */
#ifndef ODONATA_MAPPING_PRODUCT_CLASSES_H
#define ODONATA_MAPPING_PRODUCT_CLASSES_H

#include "mapping/product/bonds.h"
#include "mapping/graph/links.h"
#include "mapping/graph/squares.h"

typedef struct odo_classes {
	uint32_t n;        /**< classes large enough to matter, the largest first */
	uint32_t *of;      /**< [n_edges] class, or ODO_NONE */
	uint32_t *n_edges; /**< [n] */
	bool *trusted;     /**< [n_edges] edges that were allowed to unite others */
} odo_classes;

/** The ratio of an edge that closes a triangle or rectangle with all other links at its ends. */
#define ODO_RATIO_ONE 64ull

/**
 * Compute for each edge the share of other links at its ends with which it closes a triangle or
 * rectangle. Links of an undamaged product reach ODO_RATIO_ONE. Wrong cables rarely reach more than
 * a few hundredths of it.
 */
void odo_support_ratio(const odo_links *g, const odo_support *support, uint8_t *ratio);

/** Return the value below which `share` of all edges lie. Edges without any support are ignored. */
uint8_t odo_ratio_quantile(const uint8_t *ratio, uint32_t n_edges, double share);

/** Unite the trusted edges. Classes below `smallest` edges are dropped.
 * @param alike NULL, or the support of edges: then only alike edges (odo_support_alike()) are
 *   united */
int odo_classes_find(const odo_links *g, odo_walk *walk, const odo_support *alike,
		     const bool *trusted, uint32_t smallest, odo_classes *classes, odo_error *err);

/** Find classes in the same way, but by bonds. A bond counts only if both edges are trusted. */
int odo_classes_bonded(const odo_links *g, const odo_bonds *bonds, const bool *trusted,
		       uint32_t smallest, odo_classes *classes, odo_error *err);
void odo_classes_clear(odo_classes *classes);

#endif
