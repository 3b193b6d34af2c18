/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Routing, proving and what connections hold: where memory runs out no pair goes uncounted, and no
 * table comes out other than it would have. */
#include "fabric/twins.h"
#include "fixture.h"
#include "mapping/mapping.h"
#include "routing/analyze/split.h"
#include "routing/analyze/worst.h"
#include "routing/choose/floor.h"
#include "routing/multicast/multicast.h"
#include "routing/reroute/blend.h"
#include "routing/reroute/connections.h"
#include "routing/reroute/splice.h"
#include "routing/transition/transition.h"
#include "tests/exhaust.h"

/* What is there to route and prove. */
struct world {
	fixture x;
	const char *engine; /* NULL: by topology */
	odo_route_options options;
	odo_tables *t;
	const odo_tables *before;
	odo_history *history;
};

static int route(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_tables *t;
	odo_error err;
	int status = odo_route(w->x.f, w->x.c, w->engine, &w->options, &t, &err);
	if (status)
		return status;
	uint64_t sum = 0;
	for (uint32_t s = 0; s < w->x.f->n_switches; s++)
		for (uint32_t lid = 0; lid < w->x.f->lid_count; lid++)
			sum = sum * 31 + odo_next_port(t, s, lid) * 256u +
			      odo_path_sl(t, s, lid) * 16u + odo_held_sls(t, s, lid);
	snprintf(said, room, "%s, %u VLs, %u SLs, entries %llx", t->engine, t->n_vls, t->n_sls,
		 (unsigned long long)sum);
	odo_tables_free(t);
	return 0;
}

static int pair_switches(void *world, char *said, size_t room)
{
	const struct world *w = world;
	const odo_fabric *now = w->x.f, *was = w->before->fabric;
	uint32_t *twin = odo_twins(now, now->n_switches, was, was->n_switches);
	if (!twin)
		return ODO_ENOMEM;
	snprintf(said, room, "the last was %u", twin[now->n_switches - 1]);
	free(twin);
	return 0;
}

static int verify(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_verdict verdict;
	odo_error err;
	int status = odo_verify(w->t, &verdict, &err);
	if (!status)
		snprintf(said, room, "%llu pairs, %llu cut, %u hops, %llu dependencies",
			 (unsigned long long)verdict.n_pairs, (unsigned long long)verdict.n_cut,
			 verdict.max_hops, (unsigned long long)verdict.n_dependencies);
	odo_verdict_clear(&verdict);
	return status;
}

static int rate(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_rating r;
	odo_error err;
	int status = odo_floor_rate(w->t, &r, &err);
	if (!status)
		snprintf(said, room, "%.4f uniform, %.4f shifts", r.uniform, r.shifts);
	return status;
}

static int worst(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_worst worst;
	odo_error err;
	int status = odo_worst_find(w->t, 0, &worst, &err);
	if (!status)
		snprintf(said, room, "%u flows, load %.4f, slot %u", worst.n_flows, worst.load,
			 worst.slot);
	odo_worst_clear(&worst);
	return status;
}

static int split(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_split best;
	odo_analysis even;
	odo_error err;
	int status = odo_split_find(w->t, w->x.c, NULL, 0, &(odo_split_limits){.precision = 0.5},
				    &best, &even, &err);
	if (!status)
		snprintf(said, room, "%.4f, even %.4f", best.at_most, best.even);
	odo_analysis_clear(&even);
	return status;
}

static int plant(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_mcast *tree;
	odo_error err;
	int status = odo_mcast_create(w->t, 1, &tree, &err);
	if (status)
		return status;
	uint64_t sum = 0;
	for (uint32_t s = 0; s < w->x.f->n_switches; s++)
		sum = sum * 31 + tree->up[s];
	snprintf(said, room, "tree %llx", (unsigned long long)sum);
	odo_mcast_free(tree);
	return 0;
}

static int note(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_history *h;
	odo_sl_changes changes;
	odo_error err;
	int status = odo_history_note(w->history, w->t, &h, &err);
	if (status)
		return status;
	status = odo_history_compare(h, w->t, &changes, NULL, 0, &err);
	if (!status)
		snprintf(said, room, "%u switches, %llu pairs, %llu changed", h->n_switches,
			 (unsigned long long)changes.n_pairs,
			 (unsigned long long)changes.n_changed);
	odo_history_free(h);
	return status;
}

static int change(void *world, char *said, size_t room)
{
	const struct world *w = world;
	odo_transition r;
	odo_error err;
	int status = odo_transition_count(w->before, w->t, false, &r, &err);
	if (!status)
		snprintf(said, room, "%llu pairs, %llu loop, %llu least, cycles of %u and %u",
			 (unsigned long long)r.n_pairs, (unsigned long long)r.n_looping,
			 (unsigned long long)r.n_least, r.n_cycle, r.n_cycle_mixed);
	return status;
}

typedef int from_before(const odo_tables *before, const odo_tables *like, odo_tables **out,
			odo_error *err);

/* That it cannot be done so is an answer, too. */
static int go_over(const struct world *w, from_before *how, char *said, size_t room)
{
	odo_tables *t;
	odo_error err;
	int status = how(w->before, w->t, &t, &err);
	if (status && status != ODO_EDECLINE)
		return status;
	snprintf(said, room, "%s", status ? err.text : t->from.unfinished ? "begun" : "done");
	if (!status)
		odo_tables_free(t);
	return 0;
}

static int splice(void *world, char *said, size_t room)
{
	return go_over(world, odo_splice, said, room);
}

static int blend(void *world, char *said, size_t room)
{
	return go_over(world, odo_blend, said, room);
}

/* Tables of a fabric with which others begin: what was handed out before, or what was there. */
static odo_tables *first_tables(const struct world *w)
{
	odo_tables *t;
	odo_error err;
	if (odo_route(w->x.f, w->x.c, w->engine, &w->options, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static void routings(void **state)
{
	static const struct {
		const char *spec, *engine;
	} rows[] = {
		{"dragonfly:p=1,a=2,h=1", NULL},
		{"flatfly:k=3x2,c=1", NULL},
		{"torus:k=4x4,c=1", NULL},
		{"slimfly:q=4,c=1", NULL},
		{"fattree:k=4,levels=2", NULL},
		{"fattree:k=4,levels=2", "fattree-ar"},
		{"dragonfly:p=1,a=2,h=1", "ofar-tree"},
		{"dragonfly-plus:p=1,leaves=2,spines=1,h=2", NULL},
		{"random:n=8,d=3,c=1", "layered"},
		{"random:n=8,d=3,c=1", "updown"},
		{"random:n=8,d=3,c=1", "turns"},
		{"random:n=8,d=3,c=1", NULL},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		struct world w = {.x = make(rows[i].spec, 0), .engine = rows[i].engine};
		fault_each(route, &w, rows[i].spec, ODO_ENOMEM);
		w.t = first_tables(&w);
		fault_each(verify, &w, rows[i].spec, ODO_ENOMEM);
		if (w.t->adaptive)
			fault_each(split, &w, rows[i].spec, ODO_ENOMEM);
		if (!w.t->adaptive) { /* which are not rated, and have no multicast */
			fault_each(plant, &w, rows[i].spec, ODO_ENOMEM);
			fault_each(rate, &w, rows[i].spec, ODO_ENOMEM);
			fault_each(worst, &w, rows[i].spec, ODO_ENOMEM);
		}
		odo_tables_free(w.t);
		unmake(&w.x);
	}
}

/* Each engine on a damaged fabric of each of its kinds: damage takes ways that whole fabrics do
 * not. Engines for any graph know no kinds, so two fabrics are enough for them. */
static void engines_on_damaged_fabrics(void **state)
{
	static const char *const specs[] = {
		"dragonfly:p=1,a=4,h=1", "flatfly:k=3x3,c=1",
		"torus:k=4x4,c=1",       "mesh:k=3x3,c=1",
		"slimfly:q=4,c=1",       "fattree:k=4,levels=2",
		"hypercube:n=3,c=1",     "dragonfly-plus:p=1,leaves=2,spines=2,h=1",
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture whole = make(specs[i], 0);
		struct world w = {.x = damaged(&whole, 0, 0.15, 1)};
		for (const odo_engine *e = odo_engines; e->name; e++) {
			odo_tables *t;
			odo_error err;
			char what[128];
			w.engine = e->name;
			if (!e->route || !(e->kinds >> w.x.c->kind & 1) ||
			    (e->kinds == ODO_ANY_KIND && i % 5) ||
			    odo_route(w.x.f, w.x.c, e->name, NULL, &t, &err))
				continue;
			odo_tables_free(t);
			snprintf(what, sizeof what, "%s on damaged %s", e->name, specs[i]);
			fault_each(route, &w, what, ODO_ENOMEM);
		}
		unmake(&w.x);
		unmake(&whole);
	}
}

/* Detours for which there are not VLs enough. */
static void routings_that_spill(void **state)
{
	(void)state;
	fixture whole = make("dragonfly:p=1,a=4,h=1", 0);
	struct world w = {.x = damaged(&whole, 0, 0.12, 1), .engine = "dragonfly"};
	w.options.max_vls = 2;
	w.t = first_tables(&w);
	assert_true(w.t->from.spilt);
	fault_each(route, &w, "without VLs", ODO_ENOMEM);
	odo_tables_free(w.t);
	unmake(&w.x);
	unmake(&whole);
}

/* VLs by turn. */
static void vls_by_turn(void **state)
{
	(void)state;
	struct world w = {.x = make("torus:k=6,c=1", 0), .engine = "torus"};
	w.options.max_sls = 1;
	w.t = first_tables(&w);
	assert_true(w.t->from.by_turn);
	fault_each(route, &w, "VLs by turn", ODO_ENOMEM);
	odo_tables_free(w.t);
	unmake(&w.x);
}

/* Without some cables, of which mapping knows. */
static fixture less(const fixture *x, uint64_t seed)
{
	fixture y = damaged(x, 0, 0.03, seed);
	odo_error err;
	odo_coordinates_free(y.c);
	assert_int_equal(odo_map(y.f, &y.c, &err), 0);
	return y;
}

/* A damaged torus loses cables more, and only other VLs avoid a cycle of old and new paths. */
static void routings_on_other_vls(void **state)
{
	(void)state;
	fixture whole = make("torus:k=5x5,c=1", 0);
	struct world first = {.x = less(&whole, 1)}, w = {0};
	first.t = first_tables(&first);
	w.options.before = first.t;
	for (uint64_t seed = 1; seed < 30; seed++) {
		w.x = less(&first.x, seed);
		w.t = first_tables(&w);
		if (w.t->from.spliced && w.t->n_vls > first.t->n_vls)
			break;
		odo_tables_free(w.t);
		unmake(&w.x);
		w.t = NULL;
	}
	assert_non_null(w.t);
	fault_each(route, &w, "other VLs", ODO_ENOMEM);
	odo_tables_free(w.t);
	unmake(&w.x);
	odo_tables_free(first.t);
	unmake(&first.x);
	unmake(&whole);
}

/* Cables die under tables that stand, and connections hold SLs of paths that are no more. */
static void reroutings(void **state)
{
	static const struct {
		const char *spec, *engine;
	} rows[] = {{"random:n=10,d=4,c=1", "layered"},
		    {"dragonfly:p=1,a=4,h=1", NULL},
		    {"torus:k=4x4,c=1", NULL},
		    {"fattree:k=4,levels=3", NULL},
		    {"random:n=8,d=3,c=1", "updown"}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		struct world whole = {.x = make(rows[i].spec, 0), .engine = rows[i].engine};
		odo_error err;
		whole.t = first_tables(&whole);
		assert_int_equal(odo_history_note(NULL, whole.t, &whole.history, &err), 0);
		odo_history_add(whole.history, 3);
		struct world w = {.x = damaged(&whole.x, 0, 0.1, 1), .engine = rows[i].engine};
		w.history = whole.history;
		w.options = (odo_route_options){.before = whole.t, .history = whole.history};
		fault_each(route, &w, rows[i].spec, ODO_ENOMEM);
		w.t = first_tables(&w);
		fault_each(verify, &w, rows[i].spec, ODO_ENOMEM);
		fault_each(note, &w, rows[i].spec, ODO_ENOMEM);
		w.before = whole.t;
		fault_each(change, &w, rows[i].spec, ODO_ENOMEM);
		fault_each(splice, &w, rows[i].spec, ODO_ENOMEM);
		fault_each(pair_switches, &w, rows[i].spec, ODO_ENOMEM);
		struct world back = {.x = whole.x, .t = whole.t, .before = w.t};
		fault_each(blend, &back, rows[i].spec, ODO_ENOMEM);
		odo_tables_free(w.t);
		unmake(&w.x);
		odo_history_free(whole.history);
		odo_tables_free(whole.t);
		unmake(&whole.x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routings),
		cmocka_unit_test(engines_on_damaged_fabrics),
		cmocka_unit_test(routings_that_spill),
		cmocka_unit_test(vls_by_turn),
		cmocka_unit_test(routings_on_other_vls),
		cmocka_unit_test(reroutings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
