/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Packets that do not carry the SL of their path, judged by walking each of them hop by hop. */
#include "base/random.h"
#include "naive.h"
#include "routing/verify/sls.h"

/* Tables as they are for packets that all carry one SL. */
static odo_tables with_sl(const odo_tables *t, unsigned sl, uint8_t *sl_of_lid)
{
	odo_tables view = *t;
	memset(sl_of_lid, (int)sl, t->fabric->lid_count);
	view.sl_of_lid = sl_of_lid;
	view.sl_of_pair = NULL;
	view.n_sls = ODO_N_SLS;
	view.n_vls = ODO_MAX_VLS;
	return view;
}

enum { UNSEEN, OPEN, DONE };

static bool closes(const naive *x, uint32_t at, uint8_t *state)
{
	state[at] = OPEN;
	for (uint32_t next = 0; next < x->n; next++) {
		if (!x->waits[(size_t)at * x->n + next])
			continue;
		if (state[next] == OPEN || (state[next] == UNSEEN && closes(x, next, state)))
			return true;
	}
	state[at] = DONE;
	return false;
}

static bool has_cycle(const naive *x)
{
	uint8_t *state = calloc(x->n + 1u, 1);
	bool found = false;
	for (uint32_t i = 0; i < x->n && !found; i++)
		found = state[i] == UNSEEN && closes(x, i, state);
	free(state);
	return found;
}

static naive joined(const naive *a, const naive *b)
{
	naive x = *a;
	size_t n = (size_t)x.n * x.n;
	x.waits = calloc(n + 1, 1);
	for (size_t i = 0; i < n; i++)
		x.waits[i] = a->waits[i] | b->waits[i];
	return x;
}

static void add(naive *to, const naive *x)
{
	naive sum = joined(to, x);
	free(to->waits);
	*to = sum;
}

static bool is_safe(const naive *x)
{
	return x->delivers && x->within_vls && !has_cycle(x);
}

typedef struct tally {
	unsigned all, alone, none, beside, not_beside;
} tally;

/* Every SL by itself, and those that are said to be safe at once, beside the paths' own. */
static void check(const odo_tables *t, tally *n)
{
	uint8_t *sl_of_lid = calloc(t->fabric->lid_count + 1u, 1);
	odo_sl_verdict verdict;
	odo_error err;
	naive paths = naive_follow(t), one[ODO_N_SLS];
	bool proved = is_safe(&paths);
	assert_int_equal(odo_verify_sls(t, proved, &verdict, &err), 0);
	assert_int_equal(verdict.judged, ODO_ALL_SLS);
	assert_int_equal(verdict.beside & ~verdict.alone, 0);
	naive together = joined(&paths, &paths);
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++) {
		odo_tables view = with_sl(t, sl, sl_of_lid);
		one[sl] = naive_follow(&view);
		assert_int_equal(verdict.alone >> sl & 1, is_safe(&one[sl]));
		if (verdict.beside >> sl & 1)
			add(&together, &one[sl]);
	}
	if (verdict.beside)
		assert_true(proved && !has_cycle(&together));
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++) {
		bool left_out = verdict.alone & ~verdict.beside & 1u << sl;
		naive more = joined(&together, &one[sl]);
		if (left_out)
			assert_true(!proved || has_cycle(&more));
		n->not_beside += left_out && proved;
		free(more.waits);
		free(one[sl].waits);
	}
	n->all += verdict.alone == ODO_ALL_SLS;
	n->none += !verdict.alone;
	n->alone += verdict.alone && verdict.alone != ODO_ALL_SLS;
	n->beside += verdict.beside != 0;
	free(together.waits);
	free(paths.waits);
	free(sl_of_lid);
}

static const char *const specs[] = {"random:n=8,d=3,c=1", "torus:k=5,c=1", "torus:k=3x3,c=1",
				    "flatfly:k=3x3,c=1", "dragonfly:p=1,a=2,h=1"};
enum { N_SPECS = sizeof specs / sizeof *specs };

static odo_tables *routed(const fixture *x, const char *engine)
{
	odo_tables *t = NULL;
	odo_error err;
	odo_route_options options = {0};
	return odo_route(x->f, x->c, engine, &options, &t, &err) ? NULL : t;
}

/* Maps that no engine would make: SLs share VLs, are dropped, or need more than there are. */
static void spoil_maps(odo_tables *t, odo_rng *draw)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
			if (!odo_rng_below(draw, 3))
				t->rows[row].vl[sl] = (uint8_t)odo_rng_below(draw, 2);
	unsigned sl = (unsigned)odo_rng_below(draw, ODO_N_SLS);
	t->rows[odo_rng_below(draw, t->n_rows)].vl[sl] = odo_rng_below(draw, 2) ? 12 : 15;
}

static void each_set_of_sls_is_what_walking_every_packet_finds(void **state)
{
	static const char *const engines[] = {NULL, "layered", "updown"};
	tally n = {0};
	(void)state;
	for (unsigned i = 0; i < 10 * N_SPECS; i++) {
		fixture whole = make(specs[i % N_SPECS], 0);
		fixture x = damaged(&whole, 0, i % 2 ? 0.1 : 0, i);
		odo_rng draw = odo_rng_make(1, i);
		odo_tables *t = routed(&x, engines[i % 3]);
		if (t && i % 4 == 3)
			spoil_maps(t, &draw);
		if (t)
			check(t, &n);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
	assert_true(n.all > 3 && n.alone > 3 && n.none > 3 && n.beside > 3);
}

/* The torus that is proved with the SLs of its paths, and closes a cycle on any one of them. */
static void a_torus_is_safe_with_path_sls_only(void **state)
{
	fixture x = make("torus:k=5,c=1", 0);
	odo_sl_verdict verdict;
	odo_error err;
	odo_tables *t = routed(&x, "torus");
	(void)state;
	assert_int_equal(odo_verify_sls(t, true, &verdict, &err), 0);
	assert_int_equal(verdict.alone | verdict.beside, 0);
	assert_false(odo_any_sl_is_safe(&verdict));
	odo_tables_free(t);
	unmake(&x);
}

/* SLs on random VLs: alone they may break the ring elsewhere than the path SLs do. */
static void sls_that_are_safe_alone_may_not_be_beside_paths(void **state)
{
	fixture x = make("torus:k=5,c=1", 0);
	tally n = {0};
	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		odo_rng draw = odo_rng_make(2, i);
		odo_tables *t = routed(&x, "torus");
		for (uint32_t row = 0; row < t->n_rows; row++)
			for (unsigned sl = t->n_sls; sl < ODO_N_SLS; sl++)
				t->rows[row].vl[sl] = (uint8_t)odo_rng_below(&draw, 2);
		for (uint32_t at = 0; at < t->sl2vl_at[x.f->n_switches]; at++)
			t->sl2vl[at] = (uint16_t)(odo_rng_below(&draw, 8) ? t->sl2vl[at] : 0);
		check(t, &n);
		odo_tables_free(t);
	}
	unmake(&x);
	assert_true(n.not_beside);
}

static void sls_are_written_as_ranges(void **state)
{
	char text[ODO_SLS_TEXT];
	(void)state;
	assert_string_equal(odo_write_sls(0, text), "none");
	assert_string_equal(odo_write_sls(ODO_ALL_SLS, text), "0-15");
	assert_string_equal(odo_write_sls(0x10F, text), "0-3,8");
	assert_string_equal(odo_write_sls(0x5555, text), "0,2,4,6,8,10,12,14");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_set_of_sls_is_what_walking_every_packet_finds),
		cmocka_unit_test(a_torus_is_safe_with_path_sls_only),
		cmocka_unit_test(sls_that_are_safe_alone_may_not_be_beside_paths),
		cmocka_unit_test(sls_are_written_as_ranges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
