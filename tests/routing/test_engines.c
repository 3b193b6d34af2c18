/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every engine on every fabric it routes, whole, shuffled and damaged: its
 * tables pass the verifier, or it declines for want of VLs. */
#include "fixture.h"

static const char *const specs[] = {
	"flatfly:k=4x4,c=2",     "flatfly:k=4x3x3,l=2x1x1,c=3", "flatfly:k=5,c=2",
	"dragonfly:p=2,a=4,h=2", "dragonfly:p=2,a=4,h=2,g=5",
};
#define N_SPECS (sizeof specs / sizeof *specs)

/* One of each kind. */
static const char *const every_kind[] = {
	"flatfly:k=3x4,c=1",     "hypercube:n=4,c=1",
	"mesh:k=4x5,c=1",        "torus:k=5x6,c=1",
	"dragonfly:p=1,a=4,h=2", "slimfly:q=3,c=1",
	"fattree:k=4,levels=3",  "slimfly-flatfly:q=4,k=3",
	"random:n=20,d=4,c=1",   "dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5"};
#define N_KINDS (sizeof every_kind / sizeof *every_kind)

static bool try_engine(const fixture *x, const odo_engine *row, const odo_route_options *options,
		       const char *spec)
{
	odo_tables *t = NULL;
	odo_error err = {0};
	odo_verdict verdict = {0};
	int status = odo_route(x->f, x->c, row ? row->name : NULL, options, &t, &err);
	if (status == ODO_EDECLINE && row) {
		assert_true(strlen(err.text) > 0);
		return false;
	}
	if (status)
		fail_msg("%s on %s: %s", row ? row->name : "any engine", spec, err.text);
	/* odo_route() has verified; this is for what it says about the whole. */
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	if (options && options->max_vls)
		assert_true(t->n_vls <= options->max_vls);
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	return true;
}

static bool suits(const odo_engine *row, const fixture *x)
{
	return row->route && row->kinds & 1u << x->c->kind;
}

static void whole_fabrics_are_routed_by_every_engine(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SPECS; i++) {
		fixture x = make(specs[i], 0), y = shuffled(&x, i + 1);
		for (const odo_engine *row = odo_engines; row->name; row++) {
			odo_route_options as_stated = {.max_vls = row->n_vls};
			if (!suits(row, &x))
				continue;
			assert_true(try_engine(&x, row, &as_stated, specs[i]));
			assert_true(try_engine(&y, row, NULL, specs[i]));
		}
		unmake(&x);
		unmake(&y);
	}
}

/* Ways over other groups of a Dragonfly+ have a test of their own (test_dragonfly_plus.c). */
static void damaged_fabrics_are_routed_or_declined(void **state)
{
	(void)state;
	static const double shares[][2] = {{0, 0.02}, {0.05, 0.05}, {0.2, 0.15}, {0.4, 0.5}};
	for (size_t i = 0; i < N_SPECS + N_KINDS; i++) {
		const char *spec = i < N_SPECS ? specs[i] : every_kind[i - N_SPECS];
		fixture x = make(spec, 0);
		for (uint64_t seed = 0; seed < (test_wide() ? 12 : 4); seed++) {
			const double *share = shares[seed % 4];
			fixture y = damaged(&x, share[0], share[1], seed);
			for (const odo_engine *row = odo_engines; row->name; row++)
				if (suits(row, &y) && strcmp(row->name, "dragonfly-plus-valiant"))
					try_engine(&y, row, NULL, spec);
			unmake(&y);
		}
		unmake(&x);
	}
}

/* Structured paths of a whole fabric are as long as the paper says, and no longer. */
static void paths_are_no_longer_than_they_should_be(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		uint32_t hops;
	} cases[] = {
		{"flatfly:k=4x3x3,l=2x1x1,c=3", "dor", 3},
		{"flatfly:k=4x3x3,l=2x1x1,c=3", "mixed-dor", 3},
		{"hypercube:n=5,c=1", "dor", 5},
		{"torus:k=5x6x7,c=1", "torus", 2 + 3 + 3},
		{"mesh:k=5x6x7,c=1", "dor", 4 + 5 + 6},
		{"torus:k=5x6x3x5,c=1", "torus", 2 + 3 + 1 + 2},
		{"torus:k=5x5x5x5,c=1", "torus", 8},
		{"dragonfly:p=2,a=4,h=2", "dragonfly", 3},
		{"slimfly:q=5,c=2", "slimfly", 2},
		{"slimfly:q=8,c=1", "mixed-dor", 2},
		{"slimfly-flatfly:q=4,k=3x2,c=2", "slimfly", 4},
		{"slimfly:q=7,c=1", "layered", 2},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x = make(cases[i].spec, 0);
		odo_tables *t;
		odo_verdict verdict;
		odo_error err;
		if (odo_route(x.f, x.c, cases[i].engine, NULL, &t, &err))
			fail_msg("%s on %s: %s", cases[i].engine, cases[i].spec, err.text);
		assert_int_equal(odo_verify(t, &verdict, &err), 0);
		assert_int_equal(verdict.max_hops, cases[i].hops);
		odo_verdict_clear(&verdict);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Without a name something always routes what is connected, whatever the VLs. */
static void fallback_always_routes(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SPECS; i++) {
		fixture x = make(specs[i], 0);
		for (uint64_t seed = 0; seed < 6; seed++) {
			fixture y = damaged(&x, 0.1 * (double)seed, 0.15, seed);
			odo_route_options few = {.max_vls = 1 + (unsigned)seed % 3};
			assert_true(try_engine(&y, NULL, &few, specs[i]));
			y.c->kind = ODO_KIND_UNKNOWN;
			assert_true(try_engine(&y, NULL, &few, specs[i]));
			unmake(&y);
		}
		unmake(&x);
	}
}

static void lmc_gives_every_lid_a_path(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SPECS; i++) {
		fixture x = make(specs[i], 2);
		for (const odo_engine *row = odo_engines; row->name; row++)
			if (suits(row, &x))
				assert_true(try_engine(&x, row, NULL, specs[i]));
		unmake(&x);
	}
}

/* LIDs of one host take other ways where that is asked for, and there are several. */
static void lids_are_spread_on_request(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		uint8_t lmc;
	} cases[] = {
		{"flatfly:k=4x4,c=2", "dor", 0},
		{"flatfly:k=4x4,c=2", "mixed-dor", 1},
		{"dragonfly:p=2,a=4,h=2", "dragonfly", 0},
		{"slimfly:q=5,c=1", "mixed-dor", 2},
		{"torus:k=5x5,c=1", "torus", 1},
		{"dragonfly:p=2,a=4,h=2", "dragonfly-valiant", 1},
		{"dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5", "dragonfly-plus", 0},
		{"dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5", "dragonfly-plus-valiant", 1},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x = make(cases[i].spec, cases[i].lmc);
		odo_route_options spread = {.spread_lids = true};
		odo_tables *t;
		odo_error err;
		assert_int_equal(odo_route(x.f, x.c, NULL, &spread, &t, &err), 0);
		assert_string_equal(t->engine, cases[i].engine);
		odo_tables_free(t);
		unmake(&x);
	}
}

static void routing_is_reproducible(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SPECS; i++) {
		fixture x = make(specs[i], 0), y = damaged(&x, 0.1, 0.1, 7);
		odo_tables *a, *b;
		odo_error err;
		assert_int_equal(odo_route(y.f, y.c, NULL, NULL, &a, &err), 0);
		assert_int_equal(odo_route(y.f, y.c, NULL, NULL, &b, &err), 0);
		assert_memory_equal(a->lft, b->lft, (size_t)y.f->n_switches * y.f->lid_count);
		assert_memory_equal(a->sl_of_lid, b->sl_of_lid, y.f->lid_count);
		odo_tables_free(a);
		odo_tables_free(b);
		unmake(&x);
		unmake(&y);
	}
}

static void no_engine_takes_more_vls_or_sls_than_are_allowed(void **state)
{
	const unsigned few = (unsigned)test_stride();
	(void)state;
	for (size_t i = 0; i < N_KINDS; i++) {
		fixture x = make(every_kind[i], 1);
		for (const odo_engine *row = odo_engines; row->name; row++)
			for (unsigned n = (unsigned)(i + (size_t)(row - odo_engines)) % few; n < 4;
			     n += few) {
				odo_route_options options = {.max_vls = 1 + n % 2,
							     .max_sls = 1 + n / 2};
				odo_tables *t = NULL;
				odo_error err;
				if (odo_route(x.f, x.c, row->name, &options, &t, &err))
					continue;
				if (t->n_vls > options.max_vls || t->n_sls > options.max_sls)
					fail_msg("%s, %s: %u VLs, %u SLs", every_kind[i], row->name,
						 t->n_vls, t->n_sls);
				odo_tables_free(t);
			}
		unmake(&x);
	}
}

static odo_tables *routed_within(const fixture *x, const char *engine, unsigned vls, unsigned sls)
{
	odo_route_options options = {.max_vls = vls, .max_sls = sls};
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, &options, &t, &err))
		fail_msg("%u VLs, %u SLs: %s", vls, sls, err.text);
	return t;
}

/* What keeps the whole fabric's entries may take more than what is made afresh, or less: to forbid
 * what is not used takes neither away. */
static void a_limit_that_is_kept_anyway_changes_nothing(void **state)
{
	(void)state;
	unsigned of_one_sl = 0, n_seeds = 30 / (unsigned)test_stride();
	fixture whole[2] = {make("dragonfly:p=2,a=4,h=2", 0), make("dragonfly:p=3,a=6,h=3", 0)};
	for (uint64_t seed = 1; seed < n_seeds; seed++) {
		fixture x = damaged(&whole[seed % 2], 0, seed % 2 ? 0.01 : 0.02, seed);
		odo_tables *t = routed_within(&x, "dragonfly", 0, 0);
		odo_tables *limited = routed_within(&x, "dragonfly", t->n_vls, t->n_sls);
		assert_int_equal(limited->n_vls, t->n_vls);
		assert_int_equal(limited->n_sls, t->n_sls);
		of_one_sl += t->n_sls == 1;
		odo_tables_free(limited);
		odo_tables_free(t);
		unmake(&x);
	}
	assert_true(of_one_sl >= n_seeds / 3);
	unmake(&whole[0]);
	unmake(&whole[1]);
}

static void options_are_kept_to(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x3x3x3,c=4", 0), torus = make("torus:k=5x5x5,c=1", 0);
	odo_route_options two_sls = {.max_sls = 2}, strict = {.strict = true};
	odo_tables *t;
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, "mixed-dor", &two_sls, &t, &err), 0);
	assert_int_equal(t->n_sls, 2);
	odo_tables_free(t);
	assert_int_equal(odo_route(torus.f, torus.c, "torus", &two_sls, &t, &err), ODO_EDECLINE);
	assert_int_equal(odo_route(torus.f, torus.c, NULL, &two_sls, &t, &err), 0);
	assert_int_equal(odo_engine_find(t->engine)->kinds, ODO_ANY_KIND);
	assert_true(t->n_sls <= 2);
	odo_tables_free(t);
	x.c->faults = calloc(1, sizeof *x.c->faults);
	x.c->n_faults = 1;
	assert_int_equal(odo_route(x.f, x.c, "dor", &strict, &t, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, "contradictions"));
	assert_int_equal(odo_route(x.f, x.c, "dor", NULL, &t, &err), 0);
	odo_tables_free(t);
	assert_int_equal(odo_route(x.f, x.c, "no-such", NULL, &t, &err), ODO_EINPUT);
	unmake(&x);
	unmake(&torus);
}

/* With one SL allowed no SL is told from another, so that a packet is safe whatever it carries. */
static void one_sl_is_safe_for_every_sl(void **state)
{
	(void)state;
	odo_route_options options = {.max_sls = 1};
	for (size_t i = 0; i < N_KINDS; i++)
		for (uint64_t seed = 0; seed < 4; seed++) {
			fixture x = make(every_kind[i], 0),
				y = damaged(&x, 0.05 * seed, 0.05 * seed, seed);
			odo_tables *t;
			odo_error err;
			if (odo_route(y.f, y.c, NULL, &options, &t, &err))
				fail_msg("%s: %s", every_kind[i], err.text);
			assert_int_equal(t->n_sls, 1);
			for (uint32_t row = 0; row < t->n_rows; row++)
				for (unsigned sl = 1; sl < ODO_N_SLS; sl++)
					assert_int_equal(t->rows[row].vl[sl], t->rows[row].vl[0]);
			odo_tables_free(t);
			unmake(&y);
			unmake(&x);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_fabrics_are_routed_by_every_engine),
		cmocka_unit_test(paths_are_no_longer_than_they_should_be),
		cmocka_unit_test(damaged_fabrics_are_routed_or_declined),
		cmocka_unit_test(fallback_always_routes),
		cmocka_unit_test(lmc_gives_every_lid_a_path),
		cmocka_unit_test(lids_are_spread_on_request),
		cmocka_unit_test(routing_is_reproducible),
		cmocka_unit_test(no_engine_takes_more_vls_or_sls_than_are_allowed),
		cmocka_unit_test(a_limit_that_is_kept_anyway_changes_nothing),
		cmocka_unit_test(options_are_kept_to),
		cmocka_unit_test(one_sl_is_safe_for_every_sl),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
