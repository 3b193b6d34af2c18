/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The portfolio: all tables that odo_route() considers for a fabric. A candidate is a row: its
 * name, the function that makes it, the condition under which it takes part, and its price
 * (objective.h). One loop judges the rows in order: it makes a candidate, rates it, compares it
 * with the tables chosen so far, and proves it before it is chosen. A candidate that cannot be
 * worth its lowest price is not made. Tables do not change once they are proved; only their
 * provenance does, which records the judgement.
 */
#ifndef ODONATA_ROUTING_CHOOSE_PORTFOLIO_H
#define ODONATA_ROUTING_CHOOSE_PORTFOLIO_H

#include "routing/choose/objective.h"
#include "routing/engine.h"
#include "routing/transition/transition.h"

struct odo_candidate_row;

/** Tables, with their rating and their effects on switches that change to them. */
typedef struct odo_candidate {
	const struct odo_candidate_row *row;
	const odo_engine *engine; /**< NULL for tables derived from others */
	odo_tables *tables;
	odo_rating rating;
	bool rated;
	bool at_most;          /**< `rating` is an upper bound: the tables were not made */
	odo_transition change; /**< from the tables before; only if `weighs_change` is set */
} odo_candidate;

typedef struct odo_portfolio {
	const odo_fabric *fabric;
	const odo_coordinates *coordinates;
	const odo_engine *named;          /**< the operator's engine, or NULL */
	const odo_route_options *options; /**< not NULL */
	odo_candidate chosen;             /**< its tables are NULL until some are proved */
	const odo_engine *first;          /**< engine of the first tables, if others are compared */
	bool thorough;                    /**< compare with more than up*\/down* paths */
	bool replaced;      /**< another engine, or other detours, replaced the first tables */
	bool weighs_change; /**< the change from the tables before could do harm */
	bool has_step;      /**< tables between those before and the chosen ones were made */
	odo_error why;      /**< of the first candidate that failed */
	int failure;        /**< status of the last candidate that failed */
	odo_judged judged[ODO_MOST_JUDGED];
	unsigned n_judged;
} odo_portfolio;

typedef bool odo_taking_part(const odo_portfolio *p, const odo_engine *engine);
typedef int odo_making(const odo_portfolio *p, odo_candidate *x, odo_error *err);
/** Return the price of a candidate. Before its tables are made, this is the lowest price that they
 * may have: an engine may still assign SLs by pair, which cost more. */
typedef odo_price odo_pricing(const odo_portfolio *p, const odo_candidate *x);

typedef struct odo_candidate_row {
	const char *name;
	odo_taking_part *takes_part; /**< asked for each engine; once without one if `derived` */
	odo_making *make;
	odo_pricing *price;
	bool anew;         /**< start detours at the source: odo_route_options.detours_anew */
	bool step;         /**< leads to the chosen tables, so that none repairs those before */
	bool derived;      /**< made from other tables, with SLs assigned already */
	bool records_gain; /**< if chosen, record the bounds of the tables that it replaces */
	bool records_loss; /**< if not chosen, record its bounds */
} odo_candidate_row;

/* Conditions, functions and prices of tables that an engine computes (computed.c). */
odo_taking_part odo_is_named, odo_is_spreading, odo_is_of_kind, odo_is_general, odo_is_recomputed,
	odo_is_relieved_first, odo_is_rival, odo_has_other_detours, odo_is_updown, odo_is_layered,
	odo_is_of_one_sl, odo_is_together, odo_is_relieved_last;
odo_making odo_make_kept, odo_make_recomputed, odo_make_relieved, odo_make_other, odo_make_bounded,
	odo_make_of_one_sl;
odo_pricing odo_price_first, odo_price_recomputed, odo_price_relieved, odo_price_other;

/* The same for tables that are close to those before (change.c). */
odo_taking_part odo_is_step, odo_is_repair, odo_is_apart, odo_is_mixing, odo_is_rest;
odo_making odo_make_step, odo_make_repair, odo_make_apart, odo_make_unmixed, odo_make_rest;
odo_pricing odo_price_step, odo_price_repair, odo_price_apart;

/** Decide which comparisons are due after the first tables. Errors: ODO_ENOMEM. */
int odo_begin_comparison(odo_portfolio *p, odo_error *err);

/** Weigh the change from the tables before to the chosen ones. Errors: ODO_ENOMEM. */
int odo_weigh_change(odo_portfolio *p, odo_error *err);

/** Compute the rating of a candidate, unless it is known. Errors: ODO_ENOMEM. */
int odo_rate_candidate(const odo_portfolio *p, odo_candidate *x, odo_error *err);

/** Return true if tables use no more VLs and SLs than the operator allows. */
bool odo_is_allowed(const odo_tables *t, const odo_route_options *options);

/**
 * Judge all candidates. Errors: as odo_route().
 * @param p fabric, coordinates, engine and options; gets the chosen tables and the judgement
 */
int odo_portfolio_judge(odo_portfolio *p, odo_error *err);

#endif
