/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The best split of a traffic under adaptive tables: on small fabrics the exact optimum, which GLPK
 * finds for a linear program of every channel and every LID, lies between the bounds. Where the
 * optimum is known in closed form, too. */
#include <glpk.h>
#include <math.h>

#include "base/random.h"
#include "routing/adaptive.h"
#include "routing/analyze/split.h"
#include "tests/routing/fixture.h"

/* A linear program: a row for each state of each LID, where as much goes out as comes in, and a
 * row for each slot, which carries no more than it can. Column 1 is the load. */
typedef struct program {
	glp_prob *lp;
	const odo_tables *t;
	int *row_of_slot;  /* [n_slots] or 0 */
	int *row_of_state; /* [n_slots * VLs] of the LID at hand, or 0 */
	uint32_t *stack;
	uint32_t n_stack;
} program;

static int add_row(program *p, int kind, double bound)
{
	int row = glp_add_rows(p->lp, 1);
	glp_set_row_bnds(p->lp, row, kind, bound, bound);
	return row;
}

/* Row of a state: what came over a slot on a VL. */
static int enter(program *p, uint32_t slot, unsigned vl)
{
	uint32_t state = slot * p->t->n_vls + vl;
	if (!p->row_of_state[state]) {
		p->row_of_state[state] = add_row(p, GLP_FX, 0);
		p->stack[p->n_stack++] = state;
	}
	return p->row_of_state[state];
}

static int carry_row(program *p, uint32_t slot)
{
	if (!p->row_of_slot[slot])
		p->row_of_slot[slot] = add_row(p, GLP_UP, 1);
	return p->row_of_slot[slot];
}

static void add_to(program *p, int column, int row, double value)
{
	int rows[64];
	double values[64];
	int n = glp_get_mat_col(p->lp, column, rows, values);
	assert_true(n < 63);
	rows[n + 1] = row;
	values[n + 1] = value;
	glp_set_mat_col(p->lp, column, n + 1, rows, values);
}

static int add_column(program *p)
{
	int column = glp_add_cols(p->lp, 1);
	glp_set_col_bnds(p->lp, column, GLP_LO, 0, 0);
	return column;
}

/* The ways of a state, each a column. */
static void expand(program *p, uint32_t state, uint32_t lid)
{
	const odo_fabric *f = p->t->fabric;
	uint32_t peer = f->peer[state / p->t->n_vls], s = f->owner[peer];
	odo_candidate way[ODO_MAX_CANDIDATES];
	unsigned n = odo_candidates(p->t, s, odo_port(f, peer), state % p->t->n_vls, lid, way);
	int from = p->row_of_state[state];
	assert_true(n > 0);
	for (unsigned i = 0; i < n; i++) {
		uint32_t slot = odo_slot(f, s, way[i].port);
		int carry = carry_row(p, slot), column = add_column(p);
		add_to(p, column, from, 1);
		add_to(p, column, carry, 1);
		if (s != f->lid_switch[lid])
			add_to(p, column, enter(p, slot, way[i].vl), -1);
	}
}

/* All that is sent to a host; `rate` [n_hosts]. What the load's column has of it goes to `rows`. */
static size_t add_destination(program *p, uint32_t to, const double *rate, int *rows,
			      double *values)
{
	const odo_fabric *f = p->t->fabric;
	uint32_t lid = f->port_lid[f->host_slot[to]];
	size_t n = 0;
	memset(p->row_of_state, 0, (size_t)f->n_slots * p->t->n_vls * sizeof *p->row_of_state);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		if (h == to || rate[h] <= 0)
			continue;
		uint32_t slot = f->host_slot[h];
		rows[n] = enter(p, slot, p->t->adaptive->inject(p->t, h, lid));
		values[n++] = -rate[h];
	}
	while (p->n_stack)
		expand(p, p->stack[--p->n_stack], lid);
	return n;
}

/* @param flows each host sends at most at rate 1, which its own cable carries */
static double exact(const odo_tables *t, const odo_flow *flows, size_t n)
{
	const odo_fabric *f = t->fabric;
	program p = {.lp = glp_create_prob(), .t = t};
	size_t n_states = (size_t)f->n_slots * t->n_vls, n_load = 0;
	p.row_of_slot = calloc(f->n_slots, sizeof *p.row_of_slot);
	p.row_of_state = calloc(n_states, sizeof *p.row_of_state);
	p.stack = calloc(n_states, sizeof *p.stack);
	int *rows = calloc(n + 2, sizeof *rows);
	double *values = calloc(n + 2, sizeof *values), *rate = calloc(f->n_hosts, sizeof *rate);
	glp_set_obj_dir(p.lp, GLP_MAX);
	glp_set_col_bnds(p.lp, add_column(&p), GLP_DB, 0, 1);
	glp_set_obj_coef(p.lp, 1, 1);
	for (uint32_t to = 0; to < f->n_hosts; to++) {
		memset(rate, 0, f->n_hosts * sizeof *rate);
		for (size_t i = 0; i < n; i++)
			if (flows[i].to == to)
				rate[flows[i].from] += (double)flows[i].rate;
		n_load += add_destination(&p, to, rate, rows + 1 + n_load, values + 1 + n_load);
	}
	glp_set_mat_col(p.lp, 1, (int)n_load, rows, values);
	glp_smcp how;
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_ERR;
	how.presolve = GLP_ON;
	assert_int_equal(glp_simplex(p.lp, &how), 0);
	assert_int_equal(glp_get_status(p.lp), GLP_OPT);
	double load = glp_get_obj_val(p.lp);
	glp_delete_prob(p.lp);
	free(p.row_of_slot);
	free(p.row_of_state);
	free(p.stack);
	free(rows);
	free(values);
	free(rate);
	return load;
}

/* Each host sends to up to two others, in parts that are no round numbers. */
static size_t draw_flows(const odo_fabric *f, uint64_t seed, odo_flow *flows)
{
	odo_rng rng = odo_rng_make(seed, 0);
	size_t n = 0;
	for (uint32_t h = 0; h < f->n_hosts && f->n_hosts > 1; h++) {
		uint32_t one = odo_rng_below(&rng, f->n_hosts),
			 two = odo_rng_below(&rng, f->n_hosts);
		if (one != h)
			flows[n++] = (odo_flow){h, one, 0.625f};
		if (two != h && two != one)
			flows[n++] = (odo_flow){h, two, 0.375f};
	}
	return n;
}

static const char *const fabrics[] = {"random:n=8,d=3,c=2",          "flatfly:k=3x2,c=3",
				      "flatfly:k=4x2,l=1x2,c=3",     "dragonfly:p=2,a=3,h=1",
				      "dragonfly:p=1,a=4,h=1",       "hypercube:n=3,c=2",
				      "fattree:k=4,levels=2",        "slimfly:q=3,c=1",
				      "slimfly-flatfly:q=3,k=2,c=1", "bipartite:n=10,d=3,c=2"};

/* @return whether the engine serves the fabric */
static bool check(const fixture *x, const char *spec, const char *engine, uint64_t seed,
		  double *widest)
{
	odo_error err = {0};
	odo_tables *t;
	odo_split split;
	odo_analysis even;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		return false;
	odo_flow *flows = calloc(2ul * x->f->n_hosts, sizeof *flows);
	size_t n = draw_flows(x->f, seed, flows);
	if (odo_split_find(t, x->c, flows, n, &(odo_split_limits){.most_arcs = 30000000}, &split,
			   &even, &err))
		fail_msg("%s %s: %s", spec, engine, err.text);
	double best = exact(t, flows, n);
	if (best > split.at_most * (1 + 1e-6) || best < split.not_below * (1 - 1e-6))
		fail_msg("%s %s, seed %llu: %.6f is not between %.6f and %.6f", spec, engine,
			 (unsigned long long)seed, best, split.not_below, split.at_most);
	assert_true(split.even <= best * (1 + 1e-6));
	assert_true(even.lost < 1e-5);
	*widest = fmax(*widest, split.at_most / split.not_below - 1);
	odo_analysis_clear(&even);
	odo_tables_free(t);
	free(flows);
	return true;
}

static void the_exact_optimum_is_between_the_bounds(void **state)
{
	(void)state;
	double widest = 0;
	unsigned n = 0;
	for (const odo_engine *e = odo_engines; e->name; e++) {
		if (e->profile != ODO_PROFILE_IB_AR && e->profile != ODO_PROFILE_IB_EXT)
			continue;
		for (size_t i = 0; TEST_ROW(i, fabrics, fabrics[i]); i++) {
			fixture x = make(fabrics[i], 0), y = damaged(&x, 0, 0.08, i);
			for (uint64_t seed = 0; seed < (test_wide() ? 8 : 1); seed++) {
				n += check(&x, fabrics[i], e->name, n + seed, &widest);
				n += check(&y, "damaged", e->name, n + seed, &widest);
			}
			unmake(&x);
			unmake(&y);
		}
	}
	print_message("%u programs; bounds at most %.4f apart\n", n, widest);
	assert_true(n > 60);
	assert_true(widest <= 0.0101);
}

static odo_split split_complement(const char *fabric, const char *engine)
{
	fixture x = make(fabric, 0);
	const uint32_t hosts = x.f->n_hosts;
	odo_flow *flows = calloc(hosts, sizeof *flows);
	odo_error err;
	odo_tables *t;
	odo_split split;
	odo_analysis even;
	assert_int_equal(odo_route(x.f, x.c, engine, NULL, &t, &err), 0);
	for (uint32_t h = 0; h < hosts; h++)
		flows[h] = (odo_flow){h, hosts - 1 - h, 1};
	assert_int_equal(odo_split_find(t, x.c, flows, hosts, NULL, &split, &even, &err), 0);
	odo_analysis_clear(&even);
	odo_tables_free(t);
	free(flows);
	unmake(&x);
	return split;
}

/* Complement on a FlatFly of dimensions of k switches, c hosts each: a share p goes straight, over
 * one link, the rest over two of k - 2 others. Both kinds are full at c p = c (1 - p) 2 / (k - 2).
 */
static void complement_on_a_flatfly_is_as_in_closed_form(void **state)
{
	(void)state;
	odo_split split = split_complement("flatfly:k=4x4,c=8", "ador");
	double straight = 2. / (2 + 4 - 2), best = 1 / (8 * straight);
	assert_true(split.not_below <= best * 1.000001 && best <= split.at_most * 1.000001);
	assert_true(split.at_most <= split.not_below * 1.01);
}

/* All cables are full alike: each of three hops is one of four hosts' only way through its
 * dimension. Prices alone come within a thousandth. */
static void links_that_are_full_alike_tell_the_bound_itself(void **state)
{
	(void)state;
	odo_split split = split_complement("flatfly:k=4x4x4,c=4", "distance-based");
	assert_true(fabs(split.at_most - 0.25) < 1e-6);
}

/* Uniform traffic, counted without a list of flows, is what its list says. */
static void uniform_traffic_is_the_same_as_its_flows(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	const uint32_t hosts = x.f->n_hosts;
	odo_flow *flows = calloc((size_t)hosts * hosts, sizeof *flows);
	odo_error err;
	odo_tables *t;
	odo_split one, two;
	odo_analysis even, listed;
	size_t n = 0;
	for (uint32_t a = 0; a < hosts; a++)
		for (uint32_t b = 0; b < hosts; b++)
			if (a != b)
				flows[n++] = (odo_flow){a, b, 1.0f / (float)(hosts - 1)};
	assert_int_equal(odo_route(x.f, x.c, "dragonfly-gid", NULL, &t, &err), 0);
	assert_int_equal(odo_split_find(t, x.c, NULL, 0, NULL, &one, &even, &err), 0);
	assert_int_equal(odo_split_find(t, x.c, flows, n, NULL, &two, &listed, &err), 0);
	for (uint32_t i = 0; i < x.f->n_slots; i++)
		assert_true(fabs(even.load[i] - listed.load[i]) < 1e-5);
	assert_true(fabs(one.at_most - two.at_most) < 0.011 * one.at_most);
	odo_analysis_clear(&even);
	odo_analysis_clear(&listed);
	odo_tables_free(t);
	free(flows);
	unmake(&x);
}

static void static_tables_are_declined(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x2,c=1", 0);
	odo_error err;
	odo_tables *t;
	odo_split split;
	odo_analysis even;
	assert_int_equal(odo_route(x.f, x.c, "dor", NULL, &t, &err), 0);
	assert_int_equal(odo_split_find(t, x.c, NULL, 0, NULL, &split, &even, &err), ODO_EDECLINE);
	odo_analysis_clear(&even);
	odo_tables_free(t);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exact_optimum_is_between_the_bounds),
		cmocka_unit_test(complement_on_a_flatfly_is_as_in_closed_form),
		cmocka_unit_test(links_that_are_full_alike_tell_the_bound_itself),
		cmocka_unit_test(uniform_traffic_is_the_same_as_its_flows),
		cmocka_unit_test(static_tables_are_declined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
