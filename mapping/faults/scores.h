/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** How well the global cables of a dragonfly suit its arrangement: see globals.h. */
#ifndef ODONATA_MAPPING_FAULTS_SCORES_H
#define ODONATA_MAPPING_FAULTS_SCORES_H

#include "mapping/faults/parallel_pairs.h"
#include "mapping/faults/globals.h"
#include "mapping/graph/shares.h"

typedef struct odo_scores {
	odo_finding *h;
	uint32_t n;         /**< groups */
	uint32_t *together; /**< [n * n] switches that are cabled to both groups */
	uint32_t *global;   /**< [switches] global links, or cables */
	uint32_t usual;     /**< median score of all global links */
	uint32_t ports;     /**< global links of a switch, nothing missing */
	bool sure;          /**< most switches have as many */
	uint32_t cabled;    /**< the same in cables */
	uint32_t cables;    /**< that most global links have */
	odo_parallel_pairs beside;
	uint32_t *room; /**< [pairs] how many cables are right */
	bool regular;   /**< next to no links are low at one end */
	odo_share low;  /**< of the usual score: less is low */
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

/** Scores are in so many parts of a group for each companion. */
#define ODO_SCORE_ONE 64ull

/** Scores say something of an arrangement in which the usual link's companions share four switches
 * with its far group: chance, and a shuffled arrangement, make fewer. */
static inline bool odo_scores_tell(const odo_scores *scores)
{
	return scores->usual >= 4 * ODO_SCORE_ONE;
}

/** Companions of a cable, and how often in all they share a switch with its far group. */
typedef struct odo_score {
	uint32_t companions, shared;
} odo_score;

/** How a cable from v to `group` suits the others of v. With `own` it is there, and counted once
 * itself: a wrong cable must not speak for itself. */
void odo_scores_add(const odo_scores *scores, uint32_t v, uint32_t group, bool own, odo_score *sum);

/** In parts as ODO_SCORE_ONE; the usual score where there are none to ask. */
uint32_t odo_scores_of(const odo_scores *scores, uint32_t e);

/** Count global links by switch, or their cables. */
void odo_scores_recount(odo_scores *scores, bool cables);

/** Count ports and cables, for what is cabled.
 * @param out for odo_scores_clear(), failed or not */
int odo_scores_make(odo_finding *h, odo_scores *out);
void odo_scores_clear(odo_scores *scores);

/** Score all global links. */
int odo_scores_find(odo_scores *scores);

/** Cables missing between groups, where it can be told which, by what suits the arrangement.
 * @param list for free() */
int odo_scores_missing(odo_scores *scores, odo_missing **list, uint32_t *n);

#endif
