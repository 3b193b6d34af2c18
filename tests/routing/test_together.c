/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Engine `turns`: paths and VLs found together, on any graph and any number of VLs. */
#include "fixture.h"
#include "naive.h"
#include "routing/choose/floor.h"

static odo_tables *tables_of(const fixture *x, const char *engine, unsigned max_vls)
{
	odo_route_options options = {.max_vls = max_vls, .max_sls = 1};
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, &options, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

/* The naive checker follows packets of SL 0. They stand for all SLs if all have the same VLs. */
static void assert_safe_on_any_sl(const odo_tables *t, unsigned max_vls)
{
	naive x = naive_check(t);
	assert_true(odo_tables_sls_alike(t));
	assert_in_range(t->n_vls, 1, max_vls);
	assert_true(x.delivers);
	assert_true(x.deadlock_free);
	assert_true(x.within_vls);
}

static void random_graphs_are_safe_on_any_number_of_vls(void **state)
{
	static const unsigned vls[] = {1, 2, 4, 8};
	(void)state;
	for (unsigned seed = 1; seed <= test_seeds(300); seed++) {
		unsigned n = 8 + seed % 9, max_vls = vls[seed % 4];
		char spec[64];
		snprintf(spec, sizeof spec, "random:n=%u,d=%u,c=%u,seed=%u", n, 4 - (n % 2 == 0),
			 1 + seed % 2, seed);
		fixture x = make(spec, seed % 5 == 0);
		odo_tables *t = tables_of(&x, "turns", max_vls);
		assert_safe_on_any_sl(t, max_vls);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Fabrics of other kinds, whole or less some cables: some of these fall into parts. */
static void damaged_fabrics_of_all_kinds_are_safe(void **state)
{
	static const struct {
		const char *spec;
		double links;
		unsigned lmc, max_vls;
	} rows[] = {
		{"torus:k=9,c=1", 0, 0, 4},
		{"torus:k=9,c=1", 0, 0, 1},
		{"torus:k=5x5,c=1", 0, 0, 3},
		{"torus:k=5x5,c=1", 0.1, 1, 2},
		{"mesh:k=5,c=1", 0, 0, 2},
		{"mesh:k=4x4,c=1", 0.3, 0, 2},
		{"hypercube:n=4,c=1", 0.1, 2, 1},
		{"hypercube:n=4,c=1", 0.6, 0, 4},
		{"dragonfly:p=1,a=4,h=1", 0.1, 0, 2},
		{"slimfly:q=4,c=1", 0.1, 0, 3},
		{"fattree:k=4,levels=3", 0.2, 0, 1},
		{"random:n=6,d=3,l=3,c=4", 0.1, 0, 8},
		{"flatfly:k=3x3,c=1", 0.9, 0, 2},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		fixture whole = make(rows[i].spec, (uint8_t)rows[i].lmc);
		fixture x = damaged(&whole, 0, rows[i].links, i);
		odo_tables *t = tables_of(&x, "turns", rows[i].max_vls);
		assert_safe_on_any_sl(t, rows[i].max_vls);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
}

/* The same fabric, also in another memory, gets the same tables. */
static void tables_depend_on_the_fabric_alone(void **state)
{
	(void)state;
	fixture x = make("random:n=20,d=4,c=2", 0), y = make("random:n=20,d=4,c=2", 0);
	odo_tables *a = tables_of(&x, "turns", 4), *b = tables_of(&y, "turns", 4);
	size_t entries = (size_t)x.f->n_switches * x.f->lid_count;
	assert_memory_equal(a->lft, b->lft, entries);
	assert_int_equal(a->n_rows, b->n_rows);
	assert_memory_equal(a->rows, b->rows, a->n_rows * sizeof *a->rows);
	assert_memory_equal(a->sl2vl, b->sl2vl, a->sl2vl_at[x.f->n_switches] * sizeof *a->sl2vl);
	odo_tables_free(a);
	odo_tables_free(b);
	unmake(&x);
	unmake(&y);
}

static odo_rating rating_of(const odo_tables *t)
{
	odo_rating rating;
	odo_error err;
	assert_int_equal(odo_floor_rate(t, &rating, &err), 0);
	return rating;
}

/* Bounds on any SL, as shares of those that another engine has with as many SLs as it takes. */
static void loads_are_nearly_as_even_as_with_free_sls(void **state)
{
	static const struct {
		const char *spec, *engine;
		unsigned max_vls;
		double uniform, shifts;
	} rows[] = {
		{"random:n=64,d=8,c=4", "layered", 4, 1, 1},
		{"random:n=64,d=8,c=4", "layered", 2, 0.95, 1},
		{"torus:k=6x6,c=2", "torus", 2, 0.7, 0.5},
		{"torus:k=9,c=1", "torus", 2, 0.75, 0.75},
		{"hypercube:n=5,c=2", "dor", 2, 0.9, 0.6},
		{"fattree:k=6,levels=3", "fattree", 2, 0.85, 0.4},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		fixture x = make(rows[i].spec, 0);
		odo_route_options free_sls = {0};
		odo_tables *best, *t = tables_of(&x, "turns", rows[i].max_vls);
		odo_error err;
		assert_int_equal(odo_route(x.f, x.c, rows[i].engine, &free_sls, &best, &err), 0);
		odo_rating of_best = rating_of(best), rating = rating_of(t);
		assert_true(rating.uniform >= rows[i].uniform * of_best.uniform);
		assert_true(rating.shifts >= rows[i].shifts * of_best.shifts);
		odo_tables_free(best);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* With one SL, up*\/down* tables were taken, which crowd their root. */
static void tables_of_one_sl_are_found_together(void **state)
{
	static const char *const specs[] = {"random:n=20,d=4,c=2"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0);
		odo_tables *t = tables_of(&x, NULL, 2), *updown = tables_of(&x, "updown", 2);
		odo_rating rating = rating_of(t), of_updown = rating_of(updown);
		assert_string_equal(t->engine, "turns");
		assert_true(rating.uniform > 1.3 * of_updown.uniform);
		assert_safe_on_any_sl(t, 2);
		odo_tables_free(updown);
		odo_tables_free(t);
		unmake(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs_are_safe_on_any_number_of_vls),
		cmocka_unit_test(damaged_fabrics_of_all_kinds_are_safe),
		cmocka_unit_test(tables_depend_on_the_fabric_alone),
		cmocka_unit_test(loads_are_nearly_as_even_as_with_free_sls),
		cmocka_unit_test(tables_of_one_sl_are_found_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
