/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Candidates that an engine computes, and their relief. */
#include "routing/choose/portfolio.h"

#include <string.h>

#include "routing/choose/floor.h"
#include "routing/choose/relieve.h"
#include "routing/turns/colour.h"

/* Engines for any graph, which others are compared with. */
#define UPDOWN "updown"
#define LAYERED "layered"
#define TOGETHER "turns"

static odo_kind kind_of(const odo_coordinates *c)
{
	return c ? c->kind : ODO_KIND_UNKNOWN;
}

static bool is_damaged(const odo_portfolio *p)
{
	return !p->coordinates || !odo_is_pure(p->coordinates);
}

bool odo_is_allowed(const odo_tables *t, const odo_route_options *options)
{
	return (!options->max_vls || t->n_vls <= options->max_vls) &&
	       (!options->max_sls || t->n_sls <= options->max_sls);
}

static int check_engine(const odo_engine *engine, const odo_coordinates *c,
			const odo_route_options *options, odo_error *err)
{
	if (!(engine->kinds & 1u << kind_of(c)))
		return odo_fail(err, ODO_EDECLINE, "does not route the kind \"%s\"",
				odo_kind_name(kind_of(c)));
	if (!engine->route)
		return odo_fail(err, ODO_EDECLINE, "needs state in packets: no tables exist");
	if (options->strict && c && odo_contradictions(c) && engine->kinds != ODO_ANY_KIND)
		return odo_fail(err, ODO_EDECLINE,
				"%u contradictions in the fabric, and strictness is asked for",
				odo_contradictions(c));
	return 0;
}

/* Let an engine fill in tables. */
static int run_engine(const odo_portfolio *p, const odo_engine *engine,
		      const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_tables *t = NULL;
	int status = check_engine(engine, p->coordinates, options, err);
	if (!status)
		status = odo_tables_create(p->fabric, engine->name, &t, err);
	if (!status) {
		t->profile = engine->profile;
		t->from.detours_anew = engine->mends && options->detours_anew;
		status = engine->route(engine, p->fabric, p->coordinates, options, t, err);
		t->from.by_pair = t->sl_of_pair != NULL;
	}
	if (!status && !odo_is_allowed(t, options))
		status = odo_fail(err, ODO_EDECLINE,
				  "takes %u VLs and %u SLs, more than are allowed", t->n_vls,
				  t->n_sls);
	if (status)
		odo_tables_free(t);
	*out = status ? NULL : t;
	return status;
}

/* Switches up to which candidates beside the first tables have VLs by turn. A colouring of larger
 * fabrics can take seconds. */
#define MOST_TURNING 256u

/* Return true if VLs may be chosen by turn: all SLs are then alike. Engine `turns` does so itself.
 */
static bool may_turn(const odo_portfolio *p, const odo_engine *engine,
		     const odo_route_options *options)
{
	return options->max_sls == 1 && options->max_vls != 1 &&
	       engine->profile == ODO_PROFILE_IB && strcmp(engine->name, TOGETHER) != 0 &&
	       (!p->chosen.tables || p->fabric->n_switches <= MOST_TURNING);
}

/* Let an engine take all VLs and SLs. If it needs several SLs, choose VLs by turn instead. */
static int run_by_turn(const odo_portfolio *p, const odo_engine *engine,
		       const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_route_options all = *options;
	odo_tables *t;
	all.max_vls = all.max_sls = 0;
	int status = run_engine(p, engine, &all, &t, err);
	if (status || odo_is_allowed(t, options)) {
		*out = t;
		return status;
	}
	status = odo_colour_turns(t, options->max_vls, options->before, out, NULL, err);
	odo_tables_free(t);
	return status;
}

/* Choose VLs by turn again, so that turns that no packet takes get VLs. The tables stay if they find
 * none, or if entries would have to move to leave room for a multicast tree: the engine has evened
 * out their loads. */
static int turn_again(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	odo_tables *t = NULL;
	odo_colours found = {0};
	int status = odo_colour_turns(x->tables, p->options->max_vls, x->tables, &t, &found, err);
	if (!status && !found.n_moved) {
		odo_tables_free(x->tables);
		x->tables = t;
		return 0;
	}
	odo_tables_free(t);
	return status == ODO_EDECLINE ? 0 : status;
}

/* Make tables by an engine, without a proof. If paths may have one SL only, an engine that needs
 * more is asked for tables with one SL if VLs cannot be chosen by turn. */
static int make_tables(const odo_portfolio *p, odo_candidate *x, const odo_route_options *options,
		       odo_error *err)
{
	int status = ODO_EDECLINE;
	if (may_turn(p, x->engine, options))
		status = run_by_turn(p, x->engine, options, &x->tables, err);
	if (status == ODO_EDECLINE)
		status = run_engine(p, x->engine, options, &x->tables, err);
	if (!status && x->tables->from.by_turn && !strcmp(x->engine->name, TOGETHER))
		status = turn_again(p, x, err);
	return status ? odo_fail_within(err, "%s", x->engine->name) : 0;
}

/* First tables: of the operator's engine; else of an engine that leads LIDs of one host over
 * different paths, if that is asked for; else of the first engine made for the kind; else of an
 * engine for any graph. */

static bool is_first(const odo_portfolio *p, const odo_engine *engine)
{
	return !p->chosen.tables && !p->named && engine->profile == ODO_PROFILE_IB &&
	       engine->kinds & 1u << kind_of(p->coordinates);
}

static bool has_lmc(const odo_fabric *f)
{
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (f->port_lmc[f->host_slot[h]])
			return true;
	return false;
}

bool odo_is_named(const odo_portfolio *p, const odo_engine *engine)
{
	return engine == p->named && !p->chosen.tables;
}

bool odo_is_spreading(const odo_portfolio *p, const odo_engine *engine)
{
	return is_first(p, engine) && engine->kinds != ODO_ANY_KIND && engine->spreads_lids &&
	       p->options->spread_lids && has_lmc(p->fabric);
}

bool odo_is_of_kind(const odo_portfolio *p, const odo_engine *engine)
{
	const odo_engine *first = odo_engines;
	while (first->name && (first->profile != ODO_PROFILE_IB ||
			       !(first->kinds & 1u << kind_of(p->coordinates))))
		first++;
	return is_first(p, engine) && engine->kinds != ODO_ANY_KIND && engine == first;
}

bool odo_is_general(const odo_portfolio *p, const odo_engine *engine)
{
	return is_first(p, engine) && engine->kinds == ODO_ANY_KIND && !p->options->no_fallback;
}

static int make_afresh(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	odo_route_options options = *p->options;
	options.afresh = true;
	return make_tables(p, x, &options, err);
}

/* Keep entries as they are, or as they were in the undamaged fabric, if the engine can. */
int odo_make_kept(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	int status = make_tables(p, x, p->options, err);
	return status == ODO_EDECLINE && x->engine->spares ? make_afresh(p, x, err) : status;
}

odo_price odo_price_first(const odo_portfolio *p, const odo_candidate *x)
{
	(void)p;
	(void)x;
	return ODO_FREE;
}

/* Tables that keep entries may crowd cables. */
bool odo_is_recomputed(const odo_portfolio *p, const odo_engine *engine)
{
	const odo_tables *chosen = p->chosen.tables;
	return chosen && chosen->from.spared && engine == p->chosen.engine;
}

int odo_make_recomputed(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	return make_afresh(p, x, err);
}

/* Tables that need fewer VLs cost nothing. Installed entries are moved only for a larger gain than
 * entries of the undamaged fabric. */
odo_price odo_price_recomputed(const odo_portfolio *p, const odo_candidate *x)
{
	const odo_tables *kept = p->chosen.tables;
	if (x->tables && kept->n_vls > x->tables->n_vls)
		return ODO_FREE;
	return kept->from.recalled ? ODO_MOVES_MOST : ODO_RESTORES_CAPACITY;
}

/* Candidates beside the first tables, where those may be uneven. */

/* Return true if the operator asks for more than bounds can measure. */
static bool wants_more(const odo_portfolio *p)
{
	return p->options->no_fallback || (p->options->spread_lids && has_lmc(p->fabric));
}

int odo_begin_comparison(odo_portfolio *p, odo_error *err)
{
	bool due = p->named ? p->options->compare : !wants_more(p);
	if (!due || !odo_floor_due(p->chosen.tables, p->coordinates))
		return 0;
	p->first = odo_engine_find(p->chosen.tables->engine);
	p->thorough = !p->named && odo_floor_worth_more(p->chosen.tables);
	return odo_rate_candidate(p, &p->chosen, err);
}

static bool is_made_for_kind(const odo_portfolio *p)
{
	return p->thorough && p->first->kinds != ODO_ANY_KIND;
}

/* Return true if the chosen tables are those of an engine, without other detours. */
static bool is_chosen(const odo_portfolio *p, const char *engine, bool anew)
{
	const odo_tables *chosen = p->chosen.tables;
	return !strcmp(chosen->engine, engine) && chosen->from.detours_anew == anew;
}

static bool is_installed(const odo_portfolio *p, const char *engine, bool anew)
{
	const odo_tables *before = p->options->before;
	return before && !strcmp(before->engine, engine) && before->from.detours_anew == anew;
}

/* During operation, only a rival that is installed takes part. Nor does it on a damaged fabric:
 * lost cables already make loads uneven. */
bool odo_is_rival(const odo_portfolio *p, const odo_engine *engine)
{
	const char *rival = is_made_for_kind(p) ? p->first->rival : NULL;
	return rival && !strcmp(engine->name, rival) && !is_chosen(p, rival, false) &&
	       (p->options->before ? is_installed(p, rival, false) : !is_damaged(p));
}

/* Shorter detours take more VLs. */
bool odo_has_other_detours(const odo_portfolio *p, const odo_engine *engine)
{
	return is_made_for_kind(p) && engine == p->first && engine->mends &&
	       !p->chosen.tables->from.spilt && !is_chosen(p, engine->name, true);
}

/* Every fabric can have up*\/down* paths, so none must be slower. */
bool odo_is_updown(const odo_portfolio *p, const odo_engine *engine)
{
	return !strcmp(engine->name, UPDOWN) && !is_chosen(p, UPDOWN, false);
}

/* Layers need an SL for each pair, and a manager does not change to such SLs during operation. So
 * they take part at the first sweep, or if they are installed; otherwise the slowest tables of all
 * would be made for nothing. */
bool odo_is_layered(const odo_portfolio *p, const odo_engine *engine)
{
	const odo_tables *before = p->options->before;
	return is_made_for_kind(p) && !strcmp(engine->name, LAYERED) &&
	       !is_chosen(p, LAYERED, false) && (!before || !strcmp(before->engine, LAYERED));
}

/* Beside VLs by turn, the same engine may find good paths for one SL. */
bool odo_is_of_one_sl(const odo_portfolio *p, const odo_engine *engine)
{
	return p->thorough && engine == p->first && p->chosen.tables->from.by_turn;
}

/* Paths and VLs that are found together are safe on any SL, also where no VLs suit other paths. */
bool odo_is_together(const odo_portfolio *p, const odo_engine *engine)
{
	return p->thorough && !strcmp(engine->name, TOGETHER) && !is_chosen(p, TOGETHER, false) &&
	       p->options->max_sls == 1 && p->fabric->n_switches <= MOST_TURNING;
}

int odo_make_of_one_sl(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	int status = run_engine(p, x->engine, p->options, &x->tables, err);
	return status ? odo_fail_within(err, "%s", x->engine->name) : 0;
}

int odo_make_other(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	odo_route_options options = *p->options;
	options.detours_anew = x->row->anew;
	return make_tables(p, x, &options, err);
}

/* Make tables as long as they could be worth their price. */
int odo_make_bounded(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	odo_route_options options = *p->options;
	odo_ceiling ceiling = {0};
	double needed = odo_mean_needed(odo_price_other(p, x), &p->chosen.rating);
	options.detours_anew = x->row->anew;
	options.ceiling = &ceiling;
	int status = odo_floor_ceiling(p->fabric, needed, &ceiling, err);
	if (!status)
		status = make_tables(p, x, &options, err);
	odo_floor_ceiling_clear(&ceiling);
	if (ceiling.low) {
		x->at_most = true;
		x->rating = ceiling.at_most;
	}
	return status;
}

/* Return the price of tables without SLs by pair. Installed paths stay unless others are clearly
 * better.
 *
 * At first, up*\/down* paths stand like installed ones beside `layered`, which takes all available
 * VLs, and beside tables whose SLs depend on the pair. They need no SL, so no connection has to be
 * re-established after a change.
 *
 * Detours of the kind's own engine depend on the fabric alone, if SLs do not depend on the pair.
 * They change little from sweep to sweep. In a tree whose host names follow no order, shifts become
 * a few random permutations. These sometimes favour up*\/down* paths by a few percent. */
static odo_price price_moves(const odo_portfolio *p, const odo_candidate *x)
{
	const odo_tables *before = p->options->before, *chosen = p->chosen.tables;
	bool anew = x->row->anew, updown = !strcmp(x->engine->name, UPDOWN);
	if (before && is_installed(p, x->engine->name, anew) && (!anew || before->from.by_pair))
		return ODO_SPARES_MOVES;
	if (!before && updown && (chosen->from.by_pair || !strcmp(chosen->engine, LAYERED)))
		return ODO_SPARES_MOVES;
	return before || updown || is_damaged(p) ? ODO_MOVES_MOST : ODO_MOVES_FEW;
}

/* A named engine is never replaced. During operation, no tables are taken for which most
 * connections would have to be re-established. */
odo_price odo_price_other(const odo_portfolio *p, const odo_candidate *x)
{
	bool by_pair = x->tables && x->tables->from.by_pair;
	bool upsets = by_pair && p->options->before &&
		      !is_installed(p, x->engine->name, x->row->anew);
	if ((x->tables && p->named) || upsets)
		return ODO_FORBIDDEN;
	return by_pair && !p->chosen.tables->from.by_pair ? ODO_RECONNECTS : price_moves(p, x);
}

/* Return true if entries may be moved. Up*\/down* paths and those of trees are arranged for shifts,
 * which moved entries would break. During operation, entries are moved only if the tables before
 * have moved entries. While switches have different tables, packets could loop between an old entry
 * and a moved one. */
static bool may_relieve(const odo_portfolio *p)
{
	const odo_tables *before = p->options->before, *chosen = p->chosen.tables;
	bool suits = odo_engine_find(chosen->engine)->mends || !strcmp(chosen->engine, LAYERED);
	return suits && (!before || before->from.relieved);
}

bool odo_is_relieved_first(const odo_portfolio *p, const odo_engine *engine)
{
	(void)engine;
	return is_made_for_kind(p) && may_relieve(p);
}

bool odo_is_relieved_last(const odo_portfolio *p, const odo_engine *engine)
{
	(void)engine;
	return p->thorough && (p->replaced || !is_made_for_kind(p)) && may_relieve(p);
}

int odo_make_relieved(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	uint32_t n_moved = 0;
	int status = odo_tables_copy(p->chosen.tables, &x->tables, err);
	if (!status)
		status = odo_relieve(x->tables, p->options->watch, &n_moved, err);
	if (!status && !n_moved)
		status = odo_fail(err, ODO_EDECLINE, "no path can leave the fullest cable");
	if (!status && x->tables->from.by_turn)
		status = turn_again(p, x, err);
	if (!status)
		x->tables->from.relieved = true;
	return status;
}

odo_price odo_price_relieved(const odo_portfolio *p, const odo_candidate *x)
{
	(void)p;
	(void)x;
	return ODO_MOVES_FEW;
}
