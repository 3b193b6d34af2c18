/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Work that mapping may do: counted in links visited and pairs compared, not by the clock, so that
 * every machine finds the same. A step that runs out ends as if it had found nothing.
 */
#ifndef ODONATA_MAPPING_GRAPH_BUDGET_H
#define ODONATA_MAPPING_GRAPH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/watch.h"

typedef struct odo_budget {
	uint64_t left; /**< of the step that is done now */
	uint64_t used; /**< by all steps so far */
	bool spent;    /**< some step ended for want of it */
	/** NULL, or told of what is used of `all`. */
	const odo_watch *watch;
	uint64_t all;
	uint64_t told_at; /**< what must be used before it is told again */
} odo_budget;

/** What is told where more was left to look at. */
#define ODO_GAVE_UP "gave up looking further"

/** What is told: so many times in all. */
enum { ODO_BUDGET_TELLS = 256 };

static inline void odo_budget_tell(odo_budget *b)
{
	odo_tell_at_most(b->watch, "mapping", b->used, b->all);
	b->told_at = b->used + b->all / ODO_BUDGET_TELLS;
}

/** Take work that is done, or must be done, off the budget. NULL: there is none. */
static inline void odo_charge(odo_budget *b, uint64_t work)
{
	if (!b)
		return;
	b->used += work;
	b->left -= work < b->left ? work : b->left;
	if (b->watch && b->used >= b->told_at)
		odo_budget_tell(b);
}

/** False where nothing is left, and the step must end. */
static inline bool odo_may_go_on(odo_budget *b)
{
	if (!b || b->left)
		return true;
	b->spent = true;
	return false;
}

/** Hold back a quarter of what is left while a step is done: what odo_give_back() gives back after
 * it. */
static inline uint64_t odo_hold_back(odo_budget *b)
{
	uint64_t held = b->left / 4;
	b->left -= held;
	return held;
}

static inline void odo_give_back(odo_budget *b, uint64_t held)
{
	b->left += held;
}

#endif
