/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/choose/objective.h"

#include "routing/choose/floor.h"

/*
 * Factors of the objective. Bounds are computed exactly, but they depend on chance: a lost cable
 * often changes by a few percent which tables are best. The factors are chosen so that such
 * differences change nothing. Surveys show their effect; none compares them with other factors.
 *
 * FEW: the least gain. Few entries move, or entries that are not in use yet.
 * docs/results/routing/choice.csv has the tables chosen for 618 damaged fabrics.
 * MOST: a change of engine moves nearly all entries, also those that work. As a loss it is 1 /
 * MOST: 13 % less. RECONNECTING: connections keep their SLs until they are re-established. To avoid
 * a deadlock during the change is worth as much: repaired tables carry at least 1 / RECONNECTING,
 * two thirds, of new ones. docs/results/routing/sequences.csv has the bounds of 7 fabrics after
 * losses. SPARED: entries of the undamaged fabric, or of the tables before, stay while each bound
 * is at least this share of the recomputed tables' bound. The next loss then moves fewer entries.
 */
#define FEW 1.03
#define MOST 1.15
#define RECONNECTING 1.5
#define SPARED 0.94

typedef enum price_rule { ALWAYS, MUST_GAIN, MAY_LOSE, CROWDED, NEVER } price_rule;

static const struct {
	price_rule rule;
	double factor;
	const char *text;
} prices[] = {
	[ODO_FREE] = {ALWAYS, 0, "any bounds"},
	[ODO_MOVES_FEW] = {MUST_GAIN, FEW, "3 % more"},
	[ODO_MOVES_MOST] = {MUST_GAIN, MOST, "15 % more"},
	[ODO_RECONNECTS] = {MUST_GAIN, RECONNECTING, "50 % more"},
	[ODO_RESTORES_CAPACITY] = {CROWDED, SPARED, "6 % more of one bound"},
	[ODO_SPARES_MOVES] = {MAY_LOSE, MOST, "at most 13 % less"},
	[ODO_SPARES_DEADLOCK] = {MAY_LOSE, RECONNECTING, "at most 33 % less"},
	[ODO_FORBIDDEN] = {NEVER, 0, "is never taken"},
};

bool odo_is_worth(odo_price price, const odo_rating *chosen, const odo_rating *candidate)
{
	double factor = prices[price].factor;
	switch (prices[price].rule) {
	case ALWAYS:
		return true;
	case MUST_GAIN:
		return odo_floor_mean(candidate) > factor * odo_floor_mean(chosen);
	case MAY_LOSE:
		return odo_floor_mean(chosen) <= factor * odo_floor_mean(candidate);
	case CROWDED:
		return chosen->uniform < factor * candidate->uniform ||
		       chosen->shifts < factor * candidate->shifts;
	case NEVER:
		return false;
	}
	return false;
}

bool odo_is_hopeless(odo_price price, const odo_rating *chosen)
{
	return !odo_is_worth(price, chosen, &(odo_rating){1, 1});
}

double odo_mean_needed(odo_price price, const odo_rating *chosen)
{
	price_rule rule = prices[price].rule;
	double factor = rule == MUST_GAIN  ? prices[price].factor
			: rule == MAY_LOSE ? 1 / prices[price].factor
					   : 0;
	return odo_floor_mean(chosen) * factor;
}

const char *odo_price_text(odo_price price)
{
	return prices[price].text;
}
