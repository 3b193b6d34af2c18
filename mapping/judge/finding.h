/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A hypothesis of what a fabric is, and how well its cables bear it out. */
#ifndef ODONATA_MAPPING_JUDGE_FINDING_H
#define ODONATA_MAPPING_JUDGE_FINDING_H

#include "mapping/graph/placement.h"

/** Cables between two groups of a dragonfly. */
typedef struct odo_pair {
	uint32_t group[2]; /**< the smaller first */
	uint32_t n_cables;
	uint32_t first_edge; /**< in odo_finding.by_pair, the pair's edges follow */
	uint32_t n_edges;
} odo_pair;

/** Wrong links that are no share of a small fabric: of two that were swapped. */
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
	uint32_t least_width; /**< fewest cables between two groups, nothing missing */
	uint32_t n_wide;      /**< groups to which each has the most; 0 where nobody knows */
	bool guessed;         /**< groups are one of many guesses */
	bool even_groups;     /**< all groups have equally many cables to others */

	/* The verdict. */
	uint32_t n_placed; /**< switches with coordinates */
	uint32_t n_wrong;  /**< links that contradict */
	/** Links there would be between the switches placed, and those of them there are, by
	 * dimension; without global ones. */
	uint64_t expected[ODO_MAX_DIMS], fitting[ODO_MAX_DIMS];
	uint64_t n_expected, n_fitting; /**< sums of these */
	/** Cables of these links: there would be, by the widths, and those of them there are. */
	uint64_t cables_expected, cables_fitting;
	uint64_t n_excess; /**< cables beyond a link's width */
} odo_finding;

/** Coordinate 0 is the group of a dragonfly. */
static inline bool odo_finding_grouped(const odo_finding *h)
{
	return odo_kind_of(h->kind)->grouped;
}

/** Class every link and count. The placement must be filled and, but for a dragonfly, indexed. */
int odo_finding_weigh(odo_finding *h, odo_error *err);

/** Nothing contradicts the finding and nothing is missing. */
bool odo_finding_whole(const odo_finding *h);

/** How many bits it takes less to describe the links by the finding than as a random graph. */
double odo_finding_saving(const odo_finding *h);

/** 0 if the cables bear it out, else ODO_EUNKNOWN with the reason. */
int odo_finding_judge(const odo_finding *h, odo_error *err);

void odo_finding_clear(odo_finding *h);

/** Coordinates, widths, port classes and faults for the caller of odo_map(). Wrong global links
 * are classed so on the way. */
int odo_finding_report(odo_finding *h, const odo_fabric *f, const uint32_t *slot_edge,
		       odo_coordinates *c, odo_error *err);

#endif
