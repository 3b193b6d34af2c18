/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No fabric is slower than with balanced up*\/down* paths: those carry all of a whole tree, and
 * what is chosen automatically is rated no less, within the margin, and proved. Nor is a damaged
 * one of a known kind slower than with shortest paths. */
#include "bounds.h"
#include "mapping/mapping.h"
#include "routing/choose/objective.h"

/* As the plugin sees a fabric: with what mapping finds. */
static fixture mapped(const char *spec, double switches, double links, uint64_t seed)
{
	fixture x = make(spec, 0), y = damaged(&x, switches, links, seed);
	odo_error err;
	odo_coordinates_free(y.c);
	assert_int_equal(odo_map(y.f, &y.c, &err), 0);
	unmake(&x);
	return y;
}

static const char *const trees[] = {"fattree:k=36,levels=2", "fattree:k=8,levels=3",
				    "fattree:k=6,levels=3"};
#define N_TREES (sizeof trees / sizeof *trees)

static void up_and_down_carries_all_of_a_whole_tree(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_TREES; i++) {
		for (uint64_t seed = 0; seed < 3; seed++) {
			fixture x = make(trees[i], 0), y = shuffled(&x, seed);
			odo_tables *t = route(seed ? &y : &x, "updown", NULL);
			assert_true(uniform(t) > 0.9999);
			odo_tables_free(t);
			unmake(&y);
			unmake(&x);
		}
	}
}

/* By any number of hosts, which ftree carries too. */
static void up_and_down_carries_every_shift_over_two_levels(void **state)
{
	(void)state;
	fixture x = make("fattree:k=36,levels=2", 0);
	odo_tables *t = route(&x, "updown", NULL);
	for (uint32_t by = 1; by < x.f->n_hosts; by += test_wide() ? 1 : 13)
		assert_true(shift(t, by) > 0.9999);
	odo_tables_free(t);
	unmake(&x);
}

/* A root that the operator names, be it a spine, takes nothing away. */
static void a_named_spine_leaves_the_others(void **state)
{
	(void)state;
	fixture x = make("fattree:k=12,levels=2", 0);
	for (uint32_t s = 0; s < x.f->n_switches; s++) {
		odo_route_options options = {.roots = &x.f->node_guid[s], .n_roots = 1};
		odo_tables *t;
		odo_error err;
		assert_int_equal(odo_route(x.f, NULL, "updown", &options, &t, &err), 0);
		assert_true(uniform(t) > 0.9999);
		odo_tables_free(t);
	}
	unmake(&x);
}

static const struct {
	const char *spec;
	double switches, links;
} cases[] = {
	{"fattree:k=36,levels=2", 0, 0},       {"fattree:k=36,levels=2", 0, 0.03},
	{"fattree:k=36,levels=2", 0.05, 0.05}, {"fattree:k=8,levels=3", 0, 0},
	{"fattree:k=8,levels=3", 0, 0.05},     {"fattree:k=8,levels=3", 0.05, 0.05},
	{"random:n=64,d=6,c=2", 0, 0},         {"flatfly:k=4x4x4,c=4", 0, 0.03},
	{"flatfly:k=4x4x4,c=4", 0.05, 0.03},   {"torus:k=6x6,c=2", 0, 0.03},
	{"mesh:k=6x6,c=2", 0, 0.03},
};

/* Check the judgement of tables: one candidate is chosen, it is theirs, and no other that was rated
 * and not replaced is worth the highest price. */
static void check_judgement(const odo_tables *t)
{
	char text[2048], line[64];
	unsigned n_chosen = 0;
	odo_write_portfolio(&t->from, text, sizeof text);
	assert_true(t->from.n_judged > 0);
	for (unsigned i = 0; i < t->from.n_judged; i++) {
		const odo_judged *x = &t->from.judged[i];
		bool rated = x->rating.uniform > 0;
		snprintf(line, sizeof line, "%s (%s)", x->engine, x->candidate);
		assert_non_null(strstr(text, line));
		n_chosen += x->standing == ODO_CHOSEN;
		if (x->standing == ODO_CHOSEN)
			assert_string_equal(x->engine, t->engine);
		if (x->standing == ODO_CHOSEN && t->from.compared[0])
			assert_memory_equal(&x->rating, &t->from.rating, sizeof x->rating);
		assert_true(x->standing != ODO_HOPELESS || rated == x->at_most);
		if (x->standing == ODO_NOT_WORTH && t->from.compared[0])
			assert_false(odo_is_worth(ODO_RECONNECTS, &t->from.rating, &x->rating));
	}
	assert_int_equal(n_chosen, 1);
}

static void the_choice_is_not_below_up_and_down(void **state)
{
	(void)state;
	unsigned n_replaced = 0;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x = mapped(cases[i].spec, cases[i].switches, cases[i].links, i);
		odo_tables *t = route(&x, NULL, NULL), *floor = route(&x, "updown", NULL);
		odo_tables *again = route(&x, NULL, t);
		odo_rating own, other;
		odo_error err;
		assert_int_equal(odo_floor_rate(t, &own, &err), 0);
		assert_int_equal(odo_floor_rate(floor, &other, &err), 0);
		if (odo_is_worth(ODO_MOVES_MOST, &own, &other) ||
		    uniform(t) * 1.15 < uniform(floor))
			fail_msg("%s: %s carries %g uniform, %g shifts, and updown %g, %g",
				 cases[i].spec, t->engine, own.uniform, own.shifts, other.uniform,
				 other.shifts);
		check_judgement(t);
		check_judgement(again);
		for (unsigned k = 0; k < t->from.n_judged; k++)
			n_replaced += t->from.judged[k].standing == ODO_REPLACED;
		odo_tables_free(again);
		odo_tables_free(floor);
		odo_tables_free(t);
		unmake(&x);
	}
	assert_true(n_replaced > 0);
}

/* Whole fabrics of a kind are not compared: nothing would come of it. */
static void a_whole_kind_is_not_below_up_and_down(void **state)
{
	(void)state;
	static const char *const specs[] = {"dragonfly:p=2,a=4,h=2",
					    "dragonfly:p=4,a=4,h=2",
					    "dragonfly:p=2,a=4,h=4,g=5",
					    "flatfly:k=4x4x4,c=2",
					    "flatfly:k=2x9,c=4",
					    "hypercube:n=6,c=2",
					    "torus:k=6x6,c=2",
					    "torus:k=9,c=2",
					    "torus:k=3x12,c=2",
					    "mesh:k=6x6,c=2",
					    "mesh:k=2x9,c=2",
					    "mesh:k=4x4x4,c=2",
					    "slimfly:q=5,c=3",
					    "slimfly-flatfly:q=4,k=3,c=2"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = mapped(specs[i], 0, 0, 1);
		odo_tables *t = route(&x, NULL, NULL), *floor = route(&x, "updown", NULL);
		odo_rating own, other;
		odo_error err;
		assert_false(odo_floor_due(t, x.c));
		assert_int_equal(odo_floor_rate(t, &own, &err), 0);
		assert_int_equal(odo_floor_rate(floor, &other, &err), 0);
		if (own.uniform < other.uniform || own.shifts < other.shifts)
			fail_msg("%s: %g uniform, %g shifts, and updown %g, %g", specs[i],
				 own.uniform, own.shifts, other.uniform, other.shifts);
		odo_tables_free(floor);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Shortest paths whose SL depends on the pair replace others only where they are half as good
 * again: engine.c. */
static bool is_worth_it(const odo_tables *t, const odo_rating *own, const odo_tables *made,
			const odo_rating *other)
{
	if (made->from.by_pair && !t->from.by_pair)
		return odo_floor_mean(other) > 1.5 * odo_floor_mean(own);
	return odo_is_worth(ODO_MOVES_MOST, own, other);
}

/* Detours of a kind's own engine crowd the cables beside what is missing: what is chosen is rated
 * no less than shortest paths are. */
static void a_damaged_kind_is_not_below_shortest_paths(void **state)
{
	(void)state;
	static const char *const specs[] = {"flatfly:k=4x4x4,c=4", "dragonfly:p=4,a=8,h=4",
					    "hypercube:n=6,c=4"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		for (uint64_t seed = 1 + i % test_stride(); seed < 4; seed += test_stride()) {
			fixture x = mapped(specs[i], 0.05, 0.02, seed);
			odo_tables *t = route(&x, NULL, NULL), *floor = route(&x, "layered", NULL);
			odo_rating own, other;
			odo_error err;
			assert_int_equal(odo_floor_rate(t, &own, &err), 0);
			assert_int_equal(odo_floor_rate(floor, &other, &err), 0);
			if (is_worth_it(t, &own, floor, &other))
				fail_msg("%s, seed %u: %s carries %g uniform, %g shifts, and "
					 "layered %g, %g",
					 specs[i], (unsigned)seed, t->engine, own.uniform,
					 own.shifts, other.uniform, other.shifts);
			odo_tables_free(floor);
			odo_tables_free(t);
			unmake(&x);
		}
}

/* Entries that differ. */
static uint32_t differ(const odo_tables *a, const odo_tables *b)
{
	size_t n = (size_t)a->fabric->n_switches * a->fabric->lid_count;
	uint32_t found = 0;
	for (size_t i = 0; i < n; i++)
		found += a->lft[i] != b->lft[i];
	return found;
}

/* Which detours are taken does not depend on those before. */
static void detours_depend_on_the_fabric_alone(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 6; seed++) {
		fixture x = mapped("flatfly:k=4x4x4,c=4", 0.05, 0.02, seed);
		odo_tables *first = route(&x, NULL, NULL), *then = route(&x, NULL, first);
		assert_string_equal(then->engine, first->engine);
		assert_int_equal(then->from.detours_anew, first->from.detours_anew);
		assert_int_equal(differ(then, first), 0);
		odo_tables_free(then);
		odo_tables_free(first);
		unmake(&x);
	}
}

/* In the middle of operation only what broke changes, however crowded cables get. */
static void what_is_in_operation_is_not_relieved(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *whole = route(&x, NULL, NULL);
	unsigned found = 0;
	for (uint64_t seed = 1; seed < 6; seed++) {
		fixture y = mapped("dragonfly:p=2,a=4,h=2", 0.05, 0.02, seed);
		odo_tables *then = route(&y, NULL, whole), *anew = route(&y, NULL, NULL);
		odo_tables *named = route(&y, "dragonfly", whole);
		assert_false(then->from.relieved);
		assert_int_equal(differ(then, named), 0);
		found += anew->from.relieved;
		odo_tables_free(named);
		odo_tables_free(anew);
		odo_tables_free(then);
		unmake(&y);
	}
	assert_true(found > 0);
	odo_tables_free(whole);
	unmake(&x);
}

/* No pattern that tables are judged by is slower in a than in b. */
static void assert_no_pattern_is_slower(const odo_tables *a, const odo_tables *b)
{
	uint32_t n = a->fabric->n_senders, *to = calloc((size_t)n * ODO_FLOOR_PATTERNS, sizeof *to);
	odo_flow *flows = calloc(n, sizeof *flows);
	odo_analysis own = {0}, other = {0};
	odo_error err;
	assert_true(to && flows);
	assert_int_equal(odo_floor_patterns(a->fabric, to, &err), 0);
	for (unsigned p = 0; p < ODO_FLOOR_PATTERNS; p++) {
		for (uint32_t h = 0; h < n; h++)
			flows[h] = (odo_flow){h, to[p * n + h], 1};
		assert_int_equal(odo_analyze_flows(a, NULL, flows, n, &own, &err), 0);
		assert_int_equal(odo_analyze_flows(b, NULL, flows, n, &other, &err), 0);
		assert_true(own.saturation > other.saturation - 1e-9);
		odo_analysis_clear(&own);
		odo_analysis_clear(&other);
	}
	free(to);
	free(flows);
}

/* Detours that crowd cables are led round them: few entries move, no VL is added, and no other
 * traffic has to pay for it. */
static void crowded_detours_are_relieved(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		double gain; /* in uniform traffic, at least in the mean of all seeds */
	} rows[] = {{"torus:k=5x5x5,c=2", "torus", 1.5},
		    {"flatfly:k=16x16,c=16", "dor", 1.2},
		    {"hypercube:n=6,c=2", "dor", 1.2},
		    {"dragonfly:p=2,a=4,h=2", "dragonfly", 1.2},
		    {"dragonfly:p=3,a=6,h=3", "dragonfly", 1.3}};
	enum { N_SEEDS = 4 };
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		double gain = 0;
		unsigned n = 0;
		for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
			fixture x = mapped(rows[i].spec, 0.03, 0.02, seed);
			odo_tables *t = route(&x, NULL, NULL),
				   *named = route(&x, rows[i].engine, NULL);
			assert_true(uniform(t) > 0.97 * uniform(named));
			if (!strcmp(t->engine, named->engine) &&
			    t->from.detours_anew == named->from.detours_anew) {
				gain += uniform(t) / uniform(named);
				n++;
				assert_int_equal(t->n_vls, named->n_vls);
				assert_true(differ(t, named) <
					    0.06 * x.f->n_switches * x.f->lid_count);
				assert_no_pattern_is_slower(t, named);
			}
			odo_tables_free(named);
			odo_tables_free(t);
			unmake(&x);
		}
		if (n < 2 || gain < n * rows[i].gain)
			fail_msg("%s: %u of its own engine, %g", rows[i].spec, n, n ? gain / n : 0);
	}
}

/* Up*\/down* tables as long as they may exceed a rating. */
static odo_tables *up_to(const odo_fabric *f, const odo_rating *own, odo_price price,
			 odo_ceiling *ceiling)
{
	const odo_engine *row = odo_engine_find("updown");
	odo_route_options options = {.ceiling = ceiling};
	odo_tables *t;
	odo_error err;
	assert_int_equal(odo_floor_ceiling(f, odo_mean_needed(price, own), ceiling, &err), 0);
	assert_int_equal(odo_tables_create(f, row->name, &t, &err), 0);
	int status = row->route(row, f, NULL, &options, t, &err);
	odo_floor_ceiling_clear(ceiling);
	assert_int_equal(status, ceiling->low ? ODO_EDECLINE : 0);
	if (status) {
		odo_tables_free(t);
		return NULL;
	}
	return t;
}

/* A ceiling never says that tables are not better when they are, and what it says that they reach
 * at most is no less than they do. Where it says nothing they are as without it. */
static void check_ceiling(const odo_fabric *f, double factor, odo_price price, unsigned *n_low)
{
	odo_tables *whole;
	odo_rating rating;
	odo_ceiling ceiling;
	odo_error err;
	assert_int_equal(odo_route(f, NULL, "updown", NULL, &whole, &err), 0);
	assert_int_equal(odo_floor_rate(whole, &rating, &err), 0);
	odo_rating own = {rating.uniform * factor, rating.shifts * factor};
	odo_tables *t = up_to(f, &own, price, &ceiling);
	*n_low += ceiling.low;
	assert_true(ceiling.at_most.uniform > rating.uniform * (1 - 1e-6));
	assert_true(ceiling.at_most.shifts > rating.shifts * (1 - 1e-6));
	assert_false(ceiling.low && odo_is_worth(price, &own, &rating));
	if (t)
		assert_memory_equal(t->lft, whole->lft, (size_t)f->n_switches * f->lid_count);
	odo_tables_free(t);
	odo_tables_free(whole);
}

/* Every seventh cable between switches is slow, or all are fast. */
static void change_widths(odo_fabric *f, bool fast)
{
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		if (odo_next_switch(f, slot) != ODO_NONE && (fast || slot % 7 == 0))
			f->width[slot] = f->width[f->peer[slot]] = fast ? 12 : 1;
}

static void a_ceiling_is_never_too_low(void **state)
{
	(void)state;
	static const double factors[] = {0.5, 0.86, 0.88, 1.1, 1.16, 2, 5};
	static const odo_price prices[] = {ODO_MOVES_MOST, ODO_SPARES_MOVES, ODO_MOVES_FEW};
	unsigned n_low = 0, n = 0;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++)
		for (size_t k = i % (2 * test_stride() - 1); TEST_ROW(k, factors, NULL);
		     k += 2 * test_stride() - 1) {
			fixture x = mapped(cases[i].spec, cases[i].switches, cases[i].links, i);
			if (k % 2)
				change_widths(x.f, k % 4 == 3);
			check_ceiling(x.f, factors[k], prices[k % 3], &n_low);
			n++;
			unmake(&x);
		}
	assert_true(n_low > n / 4 && n_low < n);
}

/* With two LIDs for each host, each gets half of what the host is sent. */
static void a_ceiling_knows_of_several_lids(void **state)
{
	(void)state;
	static const double factors[] = {0.7, 0.9, 1.2, 3};
	unsigned n_low = 0;
	for (size_t k = 0; TEST_ROW(k, factors, NULL); k++) {
		odo_error err;
		odo_fabric *f;
		odo_coordinates *c;
		assert_int_equal(odo_topology_generate("flatfly:k=4x4x4,c=2", 1, &f, &c, &err), 0);
		check_ceiling(f, factors[k], ODO_MOVES_MOST, &n_low);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
	assert_true(n_low > 0);
}

/* Beyond 1,024 switches, too, and what it was compared with need not be made. */
static void large_fabrics_are_compared(void **state)
{
	(void)state;
	fixture x = mapped("flatfly:k=32x36,c=1", 0.01, 0.01, 1);
	odo_tables *t = route(&x, NULL, NULL);
	assert_true(x.f->n_switches > 1024);
	assert_string_equal(t->from.compared, "updown");
	assert_true(t->from.at_most);
	assert_false(odo_is_worth(ODO_MOVES_MOST, &t->from.rating, &t->from.other));
	odo_tables_free(t);
	unmake(&x);
}

/* As if mapping had not found out what it is. */
static fixture unknown(const char *spec)
{
	fixture x = make(spec, 0);
	odo_error err;
	odo_coordinates_free(x.c);
	assert_int_equal(odo_coordinates_create(x.f, 0, &x.c, &err), 0);
	return x;
}

static void both_figures_are_in_the_tables(void **state)
{
	(void)state;
	fixture x = unknown("fattree:k=12,levels=2");
	odo_tables *t = route(&x, NULL, NULL);
	assert_string_equal(t->engine, "updown");
	assert_string_equal(t->from.compared, "layered");
	assert_true(t->from.rating.uniform > 0.9999 && t->from.rating.shifts > 0.9999);
	assert_true(t->from.other.uniform > 0 && t->from.other.uniform < 0.9);
	assert_true(t->from.other.shifts > 0 && t->from.other.shifts < 0.9);
	odo_tables_free(t);
	unmake(&x);
}

/* A named engine stays, and is compared where that is asked for. */
static void a_named_engine_is_not_replaced(void **state)
{
	(void)state;
	fixture x = mapped("fattree:k=12,levels=2", 0, 0, 1);
	for (int compare = 0; compare < 2; compare++) {
		odo_route_options options = {.compare = compare};
		odo_tables *t;
		odo_error err;
		assert_int_equal(odo_route(x.f, x.c, "layered", &options, &t, &err), 0);
		assert_string_equal(t->engine, "layered");
		assert_string_equal(t->from.compared, compare ? "updown" : "");
		odo_tables_free(t);
	}
	unmake(&x);
}

/* Where the kind's own engine could take other detours, or `layered` be better, too. */
static void a_damaged_kind_of_a_named_engine_is_compared_with_updown_alone(void **state)
{
	(void)state;
	fixture x = mapped("flatfly:k=4x4x4,c=2", 0.05, 0.02, 3);
	odo_route_options options = {.compare = true};
	odo_tables *t;
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, "dor", &options, &t, &err), 0);
	assert_string_equal(t->from.compared, "updown");
	odo_tables_free(t);
	unmake(&x);
}

/* By topology these tables are led off the fullest cables. */
static void a_named_engine_keeps_its_entries(void **state)
{
	(void)state;
	fixture x = mapped("torus:k=5x5x5,c=2", 0, 0.03, 1);
	odo_route_options options = {.compare = true};
	odo_tables *own, *t, *chosen = route(&x, NULL, NULL);
	odo_error err;
	assert_true(chosen->from.relieved);
	assert_int_equal(odo_route(x.f, x.c, "torus", NULL, &own, &err), 0);
	assert_int_equal(odo_route(x.f, x.c, "torus", &options, &t, &err), 0);
	assert_false(t->from.relieved);
	assert_memory_equal(t->lft, own->lft, (size_t)x.f->n_switches * x.f->lid_count);
	odo_tables_free(chosen);
	odo_tables_free(own);
	odo_tables_free(t);
	unmake(&x);
}

/* Nobody else is to take over, and the one engine that may has too few VLs. */
static void without_fallback_all_decline(void **state)
{
	(void)state;
	fixture x = mapped("dragonfly:p=2,a=4,h=2", 0, 0, 1);
	odo_route_options options = {.no_fallback = true, .max_vls = 1};
	odo_tables *t = NULL;
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, NULL, &options, &t, &err), ODO_EDECLINE);
	assert_null(t);
	unmake(&x);
}

/* Only engines that lead round damage can do it in two ways, and those that can say which. */
static void detours_are_told_of_by_those_who_take_them(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		bool anew;
	} takers[] = {{"flatfly:k=4x4,c=2", "dor", true},
		      {"dragonfly:p=2,a=4,h=2", "dragonfly", true},
		      {"slimfly:q=5,c=2", "slimfly", true},
		      {"torus:k=5x6,c=2", "torus", true},
		      {"fattree:k=6,levels=3", "fattree", false},
		      {"torus:k=5x6,c=2", "updown", false}};
	odo_route_options options = {.detours_anew = true};
	for (size_t i = 0; TEST_ROW(i, takers, takers[i].spec); i++) {
		fixture whole = make(takers[i].spec, 0), x = damaged(&whole, 0, 0.03, 1);
		odo_tables *t;
		odo_error err;
		if (odo_route(x.f, x.c, takers[i].engine, &options, &t, &err))
			fail_msg("%s: %s", takers[i].spec, err.text);
		assert_int_equal(t->from.detours_anew, takers[i].anew);
		odo_tables_free(t);
		unmake(&whole);
		unmake(&x);
	}
}

/* Engines made for a whole fabric, and wishes that bounds do not tell of, are left alone. */
static void what_needs_no_floor_has_none(void **state)
{
	(void)state;
	fixture x = mapped("flatfly:k=4x4,c=2", 0, 0, 1),
		y = mapped("flatfly:k=4x4,c=2", 0, 0.04, 1);
	odo_route_options options = {.no_fallback = true};
	odo_tables *t = route(&x, NULL, NULL);
	odo_error err;
	assert_string_equal(t->from.compared, "");
	odo_tables_free(t);
	assert_int_equal(odo_route(y.f, y.c, NULL, &options, &t, &err), 0);
	assert_string_equal(t->from.compared, "");
	odo_tables_free(t);
	unmake(&x);
	unmake(&y);
}

/* What is a little better does not take over, whichever of both is there. */
static void a_little_better_is_not_enough(void **state)
{
	(void)state;
	static const odo_rating low = {0.50, 0.20}, high = {0.52, 0.21}, best = {0.9, 0.6};
	assert_false(odo_is_worth(ODO_MOVES_MOST, &low, &high));
	assert_true(odo_is_worth(ODO_SPARES_MOVES, &low, &high));
	assert_true(odo_is_worth(ODO_SPARES_MOVES, &high, &low));
	assert_true(odo_is_worth(ODO_MOVES_MOST, &high, &best));
	assert_false(odo_is_worth(ODO_SPARES_MOVES, &best, &low));
	assert_true(odo_is_worth(ODO_MOVES_FEW, &low, &high));
	assert_false(odo_is_worth(ODO_MOVES_FEW, &low, &(odo_rating){0.505, 0.201}));
	assert_true(odo_is_hopeless(ODO_MOVES_MOST, &(odo_rating){0.99, 0.99}));
	assert_false(odo_is_hopeless(ODO_MOVES_MOST, &best));
	assert_false(odo_is_hopeless(ODO_SPARES_MOVES, &(odo_rating){0, 0}));
}

/* Whatever the order of names: shifts are random permutations then. */
static void a_whole_tree_is_routed_as_one(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 9; seed++) {
		fixture x = make("fattree:k=6,levels=3", 0), y = shuffled(&x, seed);
		odo_tables *t;
		odo_error err;
		odo_coordinates_free(y.c);
		assert_int_equal(odo_map(y.f, &y.c, &err), 0);
		assert_int_equal(odo_route(y.f, y.c, NULL, NULL, &t, &err), 0);
		assert_string_equal(t->engine, "fattree");
		odo_tables_free(t);
		unmake(&y);
		unmake(&x);
	}
}

/* Four switches in a row: every path is up and down, so that one VL does. All cables of a trunk are
 * used alike; over two of three it were 0.16. */
static void trunks_in_a_row_take_one_vl(void **state)
{
	(void)state;
	fixture x = mapped("mesh:k=4,l=3,c=12", 0, 0, 0);
	odo_tables *t;
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, NULL, NULL, &t, &err), 0);
	assert_int_equal(t->n_vls, 1);
	assert_true(uniform(t) > 0.24);
	odo_tables_free(t);
	unmake(&x);
}

/* Hosts that cables do not divide evenly: that those left over share cables is better here, for
 * uniform traffic too. */
static void hosts_left_over_may_share_cables(void **state)
{
	(void)state;
	fixture x = mapped("pgft:m=16x4x2,w=1x2x2,p=1x4x6", 0, 0, 0);
	odo_tables *t, *own = route(&x, "fattree", NULL);
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, NULL, NULL, &t, &err), 0);
	assert_string_equal(t->engine, "fattree-shifts");
	assert_true(uniform(t) > uniform(own));
	assert_true(shift(t, 1 + x.f->n_hosts / 2) > shift(own, 1 + x.f->n_hosts / 2));
	odo_tables_free(own);
	odo_tables_free(t);
	unmake(&x);
}

/* The order in which a fabric is stored decides nothing. */
static void ratings_do_not_depend_on_storage(void **state)
{
	(void)state;
	fixture x = make("fattree:k=8,levels=3", 0);
	odo_tables *t = route(&x, "layered", NULL);
	odo_rating a, b;
	odo_error err;
	assert_int_equal(odo_floor_rate(t, &a, &err), 0);
	odo_fabric *f = x.f;
	/* Hosts the other way round: their numbers, not their LIDs. */
	for (uint32_t h = 0; h < f->n_hosts / 2; h++) {
		uint32_t other = f->n_hosts - 1 - h, slot = f->host_slot[h];
		f->host_slot[h] = f->host_slot[other];
		f->host_slot[other] = slot;
	}
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h];
		f->slot_host[slot] = f->slot_host[f->peer[slot]] = h;
		f->lid_host[f->port_lid[slot]] = h;
	}
	assert_int_equal(odo_floor_rate(t, &b, &err), 0);
	assert_true(a.uniform - b.uniform < 1e-9 && b.uniform - a.uniform < 1e-9);
	assert_true(a.shifts - b.shifts < 1e-9 && b.shifts - a.shifts < 1e-9);
	odo_tables_free(t);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(up_and_down_carries_all_of_a_whole_tree),
		cmocka_unit_test(up_and_down_carries_every_shift_over_two_levels),
		cmocka_unit_test(a_named_spine_leaves_the_others),
		cmocka_unit_test(the_choice_is_not_below_up_and_down),
		cmocka_unit_test(a_whole_kind_is_not_below_up_and_down),
		cmocka_unit_test(a_damaged_kind_is_not_below_shortest_paths),
		cmocka_unit_test(detours_depend_on_the_fabric_alone),
		cmocka_unit_test(what_is_in_operation_is_not_relieved),
		cmocka_unit_test(crowded_detours_are_relieved),
		cmocka_unit_test(a_ceiling_is_never_too_low),
		cmocka_unit_test(a_ceiling_knows_of_several_lids),
		cmocka_unit_test(large_fabrics_are_compared),
		cmocka_unit_test(both_figures_are_in_the_tables),
		cmocka_unit_test(a_named_engine_is_not_replaced),
		cmocka_unit_test(a_damaged_kind_of_a_named_engine_is_compared_with_updown_alone),
		cmocka_unit_test(detours_are_told_of_by_those_who_take_them),
		cmocka_unit_test(what_needs_no_floor_has_none),
		cmocka_unit_test(a_little_better_is_not_enough),
		cmocka_unit_test(a_named_engine_keeps_its_entries),
		cmocka_unit_test(without_fallback_all_decline),
		cmocka_unit_test(a_whole_tree_is_routed_as_one),
		cmocka_unit_test(trunks_in_a_row_take_one_vl),
		cmocka_unit_test(hosts_left_over_may_share_cables),
		cmocka_unit_test(ratings_do_not_depend_on_storage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
