/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a paper says, held against a CSV. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_VERDICT_H
#define ODONATA_EXPERIMENT_REPRODUCE_VERDICT_H

#include "experiment/reproduce/manifest.h"
#include "experiment/result.h"

typedef enum odo_verdict {
	ODO_VERDICT_AGREES,
	ODO_VERDICT_DIFFERS,
	ODO_VERDICT_UNKNOWN, /**< it cannot be told */
} odo_verdict;

/** "agrees", "differs", "cannot be told". */
extern const char *const odo_verdict_names[];

typedef struct odo_judgement {
	odo_verdict verdict;
	double ours;     /**< where it can be told */
	uint32_t seeds;  /**< of which it is the mean */
	uint32_t alone;  /**< of those, the ones that by themselves give the same verdict */
	bool near;       /**< of one seed, and so near to what still agrees, or no longer, that
			      another seed may give another verdict */
	const char *why; /**< why it cannot be told; NULL where it can */
} odo_judgement;

/** Whether another seed may, or does, give another verdict. */
static inline bool odo_judgement_hangs(const odo_judgement *j)
{
	return j->verdict != ODO_VERDICT_UNKNOWN && (j->alone < j->seeds || j->near);
}

/** What a claim means by one of its picks. */
typedef struct odo_picked {
	double figure;   /**< mean over seeds */
	uint32_t seeds;  /**< of which; 0: why tells */
	uint32_t point;  /**< its number, with the first seed */
	const char *why; /**< why there is none */
} odo_picked;

/** Mean of a figure over the seeds of a point, which is numbered with its first seed.
 * @return seeds that have it */
uint32_t odo_result_mean(const odo_result *r, uint32_t point, const char *column, double *mean);

/** First point of a curve under a pattern at a load, all by their numbers. */
uint32_t odo_result_point(const odo_result *r, uint32_t curve, uint32_t pattern, uint32_t load);

/** Loads of an experiment; 1 where the measure has none. */
uint32_t odo_result_loads(const odo_result *r);

/** Whether a point accepts less than it offers: 1/64 or more. Its latency says only how long the
 * run was. */
bool odo_result_saturated(const odo_result *r, uint32_t point);

/** Which curve and pattern are meant. Errors: ODO_EINPUT where the experiment has none such. */
int odo_pick_find(const odo_pick *pick, const odo_experiment *x, uint32_t *curve, uint32_t *pattern,
		  odo_error *err);

/**
 * The figure that a claim means.
 * @param pattern for which "all" stands
 * Errors: those of odo_claim_judge().
 */
int odo_claim_pick(const odo_claim *c, const odo_pick *pick, const odo_result *r, uint32_t pattern,
		   odo_picked *out, odo_error *err);

/** Whether a pick stands for all patterns. */
bool odo_pick_is_of_all(const odo_pick *pick);

/**
 * Judge a claim.
 * @param r NULL where there is no CSV
 * Errors: ODO_EINPUT where it speaks of what the experiment does not have.
 */
int odo_claim_judge(const odo_claim *c, const odo_result *r, odo_judgement *out, odo_error *err);

#endif
