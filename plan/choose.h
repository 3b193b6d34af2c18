/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Candidates of all kinds, with racks and prices, in order. */
#ifndef ODONATA_PLAN_CHOOSE_H
#define ODONATA_PLAN_CHOOSE_H

#include "plan/plan.h"
#include "plan/racks.h"

/** Rating of the tables that Odonata would install, as in routing/analyze/analyze.h. */
typedef struct odo_plan_rating {
	char engine[48]; /**< empty if there are none, or none were requested */
	unsigned vls;
	double uniform;
	double worst; /**< bound under the worst permutation; 0: not searched */
	bool cut; /**< the search for the worst was ended early: a worse permutation may exist */
} odo_plan_rating;

typedef struct odo_plan_choice {
	odo_plan_candidate candidate;
	odo_plan_bill bill;
	odo_plan_rating rating;
	bool enough;    /**< meets the wish; if it has tables, by these tables */
	unsigned found; /**< its place in odo_plan_list.best */
} odo_plan_choice;

typedef struct odo_plan_options {
	unsigned per_kind;    /**< candidates of each row of kinds, 1 .. ODO_PLAN_KEPT */
	uint32_t rated_hosts; /**< if at most this many hosts are wanted, fabrics are routed */
	/** Called for each candidate before it is built, with the number of finished rows of kinds
	 * and of all rows; or NULL. */
	void (*progress)(void *context, const char *spec, unsigned done, unsigned n);
	void *context;
} odo_plan_options;

/**
 * Choose the best of each row of kinds; candidates that meet the wish come first, sorted by cost.
 * @param out [*n] for free(), also on failure
 * Errors: ODO_ENOMEM.
 */
int odo_plan_choose(const odo_plan_wish *wish, const odo_plan_prices *prices,
		    const odo_plan_options *options, odo_plan_choice **out, unsigned *n,
		    odo_error *err);

/** Cost in dollars, of switches and cables. */
static inline double odo_plan_cost(const odo_plan_bill *bill)
{
	return bill->switches + bill->cables;
}

#endif
