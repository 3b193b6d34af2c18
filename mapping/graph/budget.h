/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Budget for the work of mapping. It counts visited links and compared pairs, not time, so that
 * every machine gets the same result. A step that spends its budget ends as if it had found
 * nothing.
 */
#ifndef ODONATA_MAPPING_GRAPH_BUDGET_H
#define ODONATA_MAPPING_GRAPH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/watch.h"

typedef struct odo_budget {
	uint64_t left; /**< for the current step */
	uint64_t used; /**< by all steps so far */
	bool spent;    /**< some step ended because its budget was spent */
	/** Watch that gets reports of `used` out of `all`; may be NULL. */
	const odo_watch *watch;
	uint64_t all;
	uint64_t next_report; /**< value of `used` at which the next report is due */
} odo_budget;

/** Message if mapping stopped before it tried everything. */
#define ODO_GAVE_UP "gave up looking further"

/** Number of reports in all. */
enum { ODO_BUDGET_REPORTS = 256 };

static inline void odo_budget_report(odo_budget *b)
{
	odo_tell_at_most(b->watch, "mapping", b->used, b->all);
	b->next_report = b->used + b->all / ODO_BUDGET_REPORTS;
}

/** Charge work to the budget. NULL means no limit. */
static inline void odo_charge(odo_budget *b, uint64_t work)
{
	if (!b)
		return;
	b->used += work;
	b->left -= work < b->left ? work : b->left;
	if (b->watch && b->used >= b->next_report)
		odo_budget_report(b);
}

/** Return false if the budget is spent and the step must end. */
static inline bool odo_may_go_on(odo_budget *b)
{
	if (!b || b->left)
		return true;
	b->spent = true;
	return false;
}

/** Reserve a quarter of the remaining budget during a step. odo_budget_release() returns it
 * afterwards. */
static inline uint64_t odo_budget_reserve(odo_budget *b)
{
	uint64_t reserved = b->left / 4;
	b->left -= reserved;
	return reserved;
}

static inline void odo_budget_release(odo_budget *b, uint64_t reserved)
{
	b->left += reserved;
}

#endif
