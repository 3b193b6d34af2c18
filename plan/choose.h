/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Candidates of all kinds in their racks, priced and in order. */
#ifndef ODONATA_PLAN_CHOOSE_H
#define ODONATA_PLAN_CHOOSE_H

#include "plan/plan.h"
#include "plan/racks.h"

/** What the tables carry that Odonata would install, as routing/analyze/analyze.h has it. */
typedef struct odo_plan_rating {
	char engine[48]; /**< empty where there are none, or nobody asked */
	unsigned vls;
	double uniform;
	double worst; /**< a permutation; 0: not looked for */
	bool cut;     /**< the search for the worst was given up: there may be worse */
} odo_plan_rating;

typedef struct odo_plan_choice {
	odo_plan_candidate candidate;
	odo_plan_bill bill;
	odo_plan_rating rating;
	bool enough;    /**< has what is wanted; by its tables, where there are any */
	unsigned found; /**< its place in odo_plan_list.best */
} odo_plan_choice;

typedef struct odo_plan_options {
	unsigned per_kind;    /**< candidates of each row of kinds, 1 .. ODO_PLAN_KEPT */
	uint32_t rated_hosts; /**< where up to so many hosts are wanted, fabrics are routed */
	/** Told of each candidate before it is built, with how many rows of kinds of all are done;
	 * or NULL. */
	void (*progress)(void *context, const char *spec, unsigned done, unsigned n);
	void *context;
} odo_plan_options;

/**
 * The best of each row of kinds: those that are enough come first, by their cost.
 * @param out [*n] for free(), also on failure
 * Errors: ODO_ENOMEM.
 */
int odo_plan_choose(const odo_plan_wish *wish, const odo_plan_prices *prices,
		    const odo_plan_options *options, odo_plan_choice **out, unsigned *n,
		    odo_error *err);

/** Dollars, of switches and cables. */
static inline double odo_plan_cost(const odo_plan_bill *bill)
{
	return bill->switches + bill->cables;
}

#endif
