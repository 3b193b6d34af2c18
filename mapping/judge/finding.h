/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A hypothesis about the kind of a fabric, and how well its cables confirm it. */
#ifndef ODONATA_MAPPING_JUDGE_FINDING_H
#define ODONATA_MAPPING_JUDGE_FINDING_H

#include "mapping/graph/placement.h"

/** Cables between two groups of a dragonfly. */
typedef struct odo_pair {
	uint32_t group[2]; /**< the smaller first */
	uint32_t n_cables;
	uint32_t first_edge; /**< index in odo_finding.by_pair, where the pair's edges follow */
	uint32_t n_edges;
} odo_pair;

/** Number of wrong links that is accepted in any small fabric: two, after one swap. */
enum { ODO_ONE_SWAP = 2 };

typedef struct odo_finding {
	odo_kind kind;
	const odo_links *g;
	odo_placement placement; /**< owned */
	uint32_t width[ODO_MAX_DIMS];
	uint8_t *edge_class; /**< [n_edges] dimension or ODO_PORT_WRONG; owned */
	/* Dragonfly only; owned. */
	odo_pair *pair; /**< [n_pairs] pairs of groups with cables between */
	uint32_t n_pairs;
	uint32_t *by_pair;    /**< edges by pair */
	uint32_t least_width; /**< fewest cables between two groups if nothing is missing */
	/** Number of groups to which each group has the most cables; 0 if unknown. */
	uint32_t n_wide;
	bool guessed;     /**< groups are one of many guesses */
	bool even_groups; /**< all groups have equally many cables to others */

	/* ---- Verdict ---- */
	uint32_t n_placed; /**< switches with coordinates */
	uint32_t n_wrong;  /**< links that contradict the finding */
	/** Expected links between placed switches, and existing ones among them, by dimension;
	 * without global ones. */
	uint64_t expected[ODO_MAX_DIMS], fitting[ODO_MAX_DIMS];
	uint64_t n_expected, n_fitting; /**< sums of these */
	/** Expected cables of these links, by the widths, and existing ones among them. */
	uint64_t cables_expected, cables_fitting;
	uint64_t n_excess; /**< cables beyond a link's width */
} odo_finding;

/** Return true if coordinate 0 is the group of a dragonfly. */
static inline bool odo_finding_grouped(const odo_finding *h)
{
	return odo_kind_of(h->kind)->grouped;
}

/** Assign a class to every link, and count. The placement must be filled in and, except for a
 * dragonfly, indexed. */
int odo_finding_weigh(odo_finding *h, odo_error *err);

/** Count the switches with each number of global links, or of cables of these. */
void odo_finding_count_global(const odo_finding *h, bool cables, uint32_t count[256]);

/** Return true if nothing contradicts the finding and nothing is missing. */
bool odo_finding_whole(const odo_finding *h);

/** Return the bits that describing the links by the finding saves, compared with a random graph. */
double odo_finding_saving(const odo_finding *h);

/** Return 0 if the cables confirm the finding, else ODO_EUNKNOWN with the reason. */
int odo_finding_judge(const odo_finding *h, odo_error *err);

void odo_finding_clear(odo_finding *h);

/** Fill in coordinates, widths, port classes and faults for the caller of odo_map(). Wrong global
 * links are found in this step. */
int odo_finding_report(odo_finding *h, const odo_fabric *f, const uint32_t *slot_edge,
		       odo_coordinates *c, odo_error *err);

#endif
