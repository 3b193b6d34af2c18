/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Scores of global cables in the arrangement of a dragonfly: see globals.h. */
#ifndef ODONATA_MAPPING_FAULTS_SCORES_H
#define ODONATA_MAPPING_FAULTS_SCORES_H

#include "mapping/faults/parallel_pairs.h"
#include "mapping/faults/globals.h"
#include "mapping/graph/shares.h"

typedef struct odo_scores {
	odo_finding *h;
	uint32_t n;         /**< groups */
	uint32_t *together; /**< [n * n] switches cabled to both groups */
	uint32_t *global;   /**< [switches] global links, or cables */
	uint32_t usual;     /**< median score of all global links */
	uint32_t ports;     /**< global links of a switch if nothing is missing */
	bool sure;          /**< most switches have this number */
	uint32_t cabled;    /**< the same, counted in cables */
	uint32_t cables;    /**< cables that most global links have */
	odo_parallel_pairs beside;
	uint32_t *room; /**< [pairs] number of right cables */
	bool regular;   /**< almost no links are low at one end */
	odo_share low;  /**< share of the usual score below which a score is low */
} odo_scores;

static inline uint32_t odo_scores_group(const odo_scores *scores, uint32_t v)
{
	return odo_placement_at(&scores->h->placement, v)[0];
}

static inline bool odo_scores_global(const odo_scores *scores, uint32_t e)
{
	return scores->h->edge_class[e] == ODO_PORT_GLOBAL;
}

static inline void odo_scores_groups(const odo_scores *scores, uint32_t e, uint32_t group[2])
{
	group[0] = odo_scores_group(scores, scores->h->g->end[e][0]);
	group[1] = odo_scores_group(scores, scores->h->g->end[e][1]);
}

/** A score counts companions in units of 1 / ODO_SCORE_ONE. */
#define ODO_SCORE_ONE 64ull

/** Return true if scores are meaningful: companions of the usual link share four switches with its
 * far group. In random and shuffled arrangements they share fewer. */
static inline bool odo_scores_are_meaningful(const odo_scores *scores)
{
	return scores->usual >= 4 * ODO_SCORE_ONE;
}

/** Companions of a cable, and how often they share a switch with its far group, in all. */
typedef struct odo_score {
	uint32_t companions, shared;
} odo_score;

/** Add how well a cable from v to `group` suits the other cables of v. With `own` the cable exists
 * and is subtracted, so that a wrong cable does not confirm itself. */
void odo_scores_add(const odo_scores *scores, uint32_t v, uint32_t group, bool own, odo_score *sum);

/** Return the score in units of ODO_SCORE_ONE, or the usual score if there are no companions. */
uint32_t odo_scores_of(const odo_scores *scores, uint32_t e);

/** Count the global links of each switch, or their cables. */
void odo_scores_recount(odo_scores *scores, bool cables);

/** Count ports and cables of the existing links.
 * @param out for odo_scores_clear(), also on failure */
int odo_scores_make(odo_finding *h, odo_scores *out);
void odo_scores_clear(odo_scores *scores);

/** Score all global links. */
int odo_scores_find(odo_scores *scores);

/** Find missing cables between groups, if the arrangement determines them.
 * @param list for free() */
int odo_scores_missing(odo_scores *scores, odo_missing **list, uint32_t *n);

#endif
