/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Compare a paper's claims with a CSV. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_VERDICT_H
#define ODONATA_EXPERIMENT_REPRODUCE_VERDICT_H

#include "experiment/reproduce/manifest.h"
#include "experiment/result.h"

typedef enum odo_claim_verdict {
	ODO_CLAIM_AGREES,
	ODO_CLAIM_DIFFERS,
	ODO_CLAIM_UNKNOWN, /**< the verdict is unknown */
} odo_claim_verdict;

/** "agrees", "differs", "cannot be told". */
extern const char *const odo_claim_verdict_names[];

typedef struct odo_judgement {
	odo_claim_verdict verdict;
	double ours;     /**< our figure, if known */
	uint32_t seeds;  /**< number of seeds that it averages */
	uint32_t alone;  /**< number of these seeds that alone give the same verdict */
	bool near;       /**< a single seed, so near to the limit of agreement that another seed may
			  * give another verdict */
	const char *why; /**< reason why it is unknown; NULL if it is known */
} odo_judgement;

/** May another seed give another verdict, or does one? */
static inline bool odo_judgement_is_doubtful(const odo_judgement *j)
{
	return j->verdict != ODO_CLAIM_UNKNOWN && (j->alone < j->seeds || j->near);
}

/** Figure that a claim selects by one of its picks. */
typedef struct odo_picked {
	double figure;   /**< mean over seeds */
	uint32_t seeds;  /**< number of seeds; 0: see `why` */
	uint32_t point;  /**< its number, with the first seed */
	const char *why; /**< reason why there is none */
} odo_picked;

/** Find the curve and pattern of a pick. Errors: ODO_EINPUT if the experiment does not have them.
 */
int odo_pick_find(const odo_pick *pick, const odo_experiment *x, uint32_t *curve, uint32_t *pattern,
		  odo_error *err);

/**
 * Find the figure that a claim selects.
 * @param pattern used if the pick says "all"
 * Errors: those of odo_claim_judge().
 */
int odo_claim_pick(const odo_claim *c, const odo_pick *pick, const odo_result *r, uint32_t pattern,
		   odo_picked *out, odo_error *err);

/** Does a pick select all patterns? */
bool odo_pick_is_of_all(const odo_pick *pick);

/**
 * Judge a claim.
 * @param r NULL if there is no CSV
 * Errors: ODO_EINPUT if it names something that the experiment does not have.
 */
int odo_claim_judge(const odo_claim *c, const odo_result *r, odo_judgement *out, odo_error *err);

#endif
