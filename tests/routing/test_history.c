/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Connections keep the SLs that they were given while cables are cut and repaired under them. */
#include "fixture.h"
#include "mapping/mapping.h"
#include "routing/reroute/carry.h"
#include "routing/reroute/hold.h"
#include "series.h"

typedef struct outcome {
	unsigned unsafe,
		kept; /* changes after which it is not safe; after which every SL is kept */
	uint64_t n_reconnect, n_pairs;
} outcome;

typedef struct place {
	const char *spec;
	double switches, links;
	unsigned steps;
	bool needs_sls; /* it would go wrong if SLs were chosen anew each time */
} place;

static outcome play(const place *p, bool forgetful)
{
	fixture whole = make(p->spec, 0), x = damaged(&whole, p->switches, p->links, 3);
	series s = {.forgetful = forgetful};
	outcome o = {0};
	series_start(&s, x.f, 11, 8);
	for (unsigned i = 0; i < p->steps; i++) {
		series_change(&s);
		series_route(&s);
		o.unsafe += !series_union_safe(&s);
		o.kept += !s.changes.n_changed && !s.changes.n_reconnect;
		o.n_reconnect += s.changes.n_reconnect;
		o.n_pairs += s.changes.n_pairs;
	}
	series_end(&s);
	unmake(&x);
	unmake(&whole);
	return o;
}

static const place places[] = {
	{"dragonfly:p=2,a=4,h=2", 0, 0.02, 30, true},
	{"dragonfly:p=2,a=4,h=2", 0.05, 0.02, 30, true},
	{"dragonfly:p=2,a=4,h=2", 0, 0.06, 30, true},
	{"random:n=20,d=5,c=2", 0, 0, 8, true},
	{"random:n=24,d=6,c=2", 0, 0.05, 8, true},
	{"torus:k=5x5,c=1", 0, 0, 8, false},
	{"flatfly:k=4x4,c=2", 0, 0, 8, false},
};

static void what_is_held_stays_safe(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, places, places[i].spec); i += test_stride()) {
		const place *p = &places[i];
		outcome o = play(p, false);
		print_message(
			"%s %g %g: %u of %u keep every SL; %llu of %llu pairs must reconnect\n",
			p->spec, p->switches, p->links, o.kept, p->steps,
			(unsigned long long)o.n_reconnect, (unsigned long long)o.n_pairs);
		assert_int_equal(o.unsafe, 0);
		assert_true(o.n_reconnect * 30 < o.n_pairs); /* one in 30 */
		if (!p->needs_sls)
			assert_int_equal(o.kept, p->steps);
	}
}

/* Else the test above would show nothing. */
static void without_a_history_it_is_not(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, places, NULL); i += test_stride())
		if (places[i].needs_sls)
			assert_true(play(&places[i], true).unsafe > 0);
}

static odo_tables *routed(const fixture *x, const char *engine)
{
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine, err.text);
	return t;
}

static odo_history *noted(const odo_history *before, const odo_tables *t)
{
	odo_history *h;
	odo_error err;
	assert_int_equal(odo_history_note(before, t, &h, &err), 0);
	return h;
}

/* The verifier follows what is held as a plain walk does, be it safe or not. */
static void the_verifier_follows_what_is_held(void **state)
{
	(void)state;
	fixture x = make("random:n=12,d=4,c=1", 0);
	odo_rng rng = odo_rng_make(5, 0);
	size_t n = (size_t)x.f->n_switches * x.f->lid_count;
	unsigned safe = 0, rounds = 60;
	for (unsigned i = 0; i < rounds; i++) {
		odo_verdict verdict;
		odo_error err;
		odo_tables *t = routed(&x, "layered");
		series s = {.f = x.f, .t = t, .given = calloc(n, sizeof *s.given)};
		t->held_of_pair = calloc(n, sizeof *t->held_of_pair);
		for (size_t j = 0; j < n; j++) {
			uint32_t sw = (uint32_t)(j / x.f->lid_count),
				 lid = (uint32_t)(j % x.f->lid_count);
			if (x.f->lid_switch[lid] == ODO_NONE)
				continue;
			if (!odo_rng_below(&rng, 2u << i % 6))
				t->held_of_pair[j] = (uint16_t)(1u
								<< odo_rng_below(&rng, t->n_sls));
			s.given[j] = (uint16_t)(t->held_of_pair[j] | 1u << odo_path_sl(t, sw, lid));
		}
		bool expected = series_union_safe(&s);
		assert_int_equal(odo_verify(t, &verdict, &err), expected ? 0 : ODO_EUNSAFE);
		assert_int_equal(verdict.deadlock_free, expected);
		odo_verdict_clear(&verdict);
		free(s.given);
		odo_tables_free(t);
		safe += expected;
	}
	assert_in_range(safe, 1, rounds - 1);
	unmake(&x);
}

/* A VL that a link lacks is no VL, though only what is held asks for it. */
static void what_is_held_needs_vls(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x3,c=1", 0);
	odo_tables *t = routed(&x, "dor");
	odo_verdict verdict;
	odo_error err;
	t->held_of_lid = calloc(x.f->lid_count, sizeof *t->held_of_lid);
	memset(t->held_of_lid, 0xFF, x.f->lid_count * sizeof *t->held_of_lid);
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	odo_verdict_clear(&verdict);
	t->rows[0].vl[9] = 1;
	assert_int_equal(odo_verify(t, &verdict, &err), ODO_EUNSAFE);
	assert_false(verdict.within_vls);
	odo_verdict_clear(&verdict);
	t->rows[0].vl[9] = ODO_VL_DROP;
	assert_int_equal(odo_verify(t, &verdict, &err), ODO_EUNSAFE);
	assert_false(verdict.delivers);
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

/* Where every SL is safe, paths keep one that only a damaged fabric needed. */
static void an_sl_stays_where_none_is_needed(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = routed(&x, "dragonfly"), *again = routed(&x, "dragonfly");
	odo_error err;
	odo_sl_changes changes;
	uint32_t lid = x.f->lid_count - 1;
	t->sl_of_lid[lid] = 5;
	t->n_sls = 6;
	odo_history *h = noted(NULL, t);
	assert_int_equal(odo_hold(h, again, &err), 0);
	assert_int_equal(again->sl_of_lid[lid], 5);
	assert_null(again->sl_of_pair);
	assert_int_equal(odo_history_compare(h, again, &changes, NULL, 0, &err), 0);
	assert_int_equal(changes.n_changed + changes.n_reconnect, 0);
	assert_int_equal(changes.n_pairs,
			 (uint64_t)x.f->n_switches * (x.f->n_hosts + x.f->n_switches));
	odo_history_free(h);
	odo_tables_free(t);
	odo_tables_free(again);
	unmake(&x);
}

/* A switch that is gone for a sweep has not been forgotten when it is back, under other names. */
static void what_was_gone_is_remembered(void **state)
{
	(void)state;
	fixture x = make("torus:k=5x5,c=1", 0), less = damaged(&x, 0.2, 0, 1);
	odo_tables *t = routed(&x, "torus"), *t2 = routed(&less, "layered");
	odo_error err;
	odo_history *past;
	odo_history *h = noted(NULL, t), *h2 = noted(h, t2), *h3 = noted(h2, t);
	assert_true(less.f->n_switches < x.f->n_switches);
	assert_int_equal(h2->n_switches, x.f->n_switches);
	assert_int_equal(odo_history_continue(h2, x.f, &past, &err), 0);
	for (uint32_t s = 0; s < x.f->n_switches; s++)
		for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
			if (x.f->lid_switch[lid] != ODO_NONE && lid >= less.f->lid_count)
				assert_int_equal(odo_history_last(past, s, lid),
						 odo_path_sl(t, s, lid));
	odo_history_free(past);
	assert_int_equal(h3->n_switches, x.f->n_switches);
	odo_history_free(h);
	odo_history_free(h2);
	odo_history_free(h3);
	odo_tables_free(t);
	odo_tables_free(t2);
	unmake(&less);
	unmake(&x);
}

/* Of all SLs that were ever given, not of the last alone; and what others gave counts. */
static void sls_add_up(void **state)
{
	(void)state;
	fixture x = make("torus:k=5x5,c=1", 0);
	odo_tables *t = routed(&x, "torus");
	odo_error err;
	odo_history *past;
	odo_history *h = noted(NULL, t);
	odo_history_add(h, 1u << 3);
	assert_int_equal(odo_history_continue(h, x.f, &past, &err), 0);
	for (uint32_t s = 0; s < x.f->n_switches; s++)
		for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
			if (x.f->lid_switch[lid] != ODO_NONE)
				assert_int_equal(odo_history_held(past, s, lid),
						 1u << odo_path_sl(t, s, lid) | 1u << 3);
	odo_history_free(past);
	odo_history_free(h);
	odo_tables_free(t);
	unmake(&x);
}

/* A history that a thread is writing to a file does not change meanwhile. */
static void a_shared_history_stays(void **state)
{
	(void)state;
	fixture x = make("torus:k=5x5,c=1", 0);
	odo_tables *t = routed(&x, "torus");
	odo_history *h = noted(NULL, t);
	odo_connections c = {.history = odo_history_share(h)};
	unsigned before = odo_history_sls(h);
	odo_connections_foreign(&c, 1u << 15);
	assert_int_equal(odo_history_sls(h), before);
	assert_int_equal(odo_history_sls(c.history), before | 1u << 15);
	assert_memory_equal(c.history->port_guid, h->port_guid, h->n_ports * sizeof *h->port_guid);
	odo_connections_replace(&c, NULL);
	odo_history_free(h);
	odo_tables_free(t);
	unmake(&x);
}

/* Carried tables are proved with what is held as well. */
static void carried_tables_hold_too(void **state)
{
	(void)state;
	fixture x = make("random:n=20,d=5,c=2", 0);
	series s = {0};
	odo_carried carried;
	odo_tables *t;
	odo_error err;
	series_start(&s, x.f, 4, 6);
	for (unsigned i = 0; i < 6; i++) {
		series_change(&s);
		series_route(&s);
	}
	series_change(&s);
	odo_fabric *now = series_fabric(&s);
	if (odo_carry(s.t, s.history, now, &t, &carried, &err))
		fail_msg("%s", err.text);
	series after = {.f = now, .t = t, .given = s.given};
	assert_true(series_union_safe(&after));
	odo_tables_free(t);
	odo_fabric_free(now);
	series_end(&s);
	unmake(&x);
}

static odo_tables *routed_again(const fixture *x, const char *engine, const odo_history *h)
{
	odo_tables *t;
	odo_error err;
	const odo_route_options options = {.history = h, .compare = true};
	if (odo_route(x->f, x->c, engine, &options, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static uint64_t n_differing(const odo_tables *a, const odo_tables *b)
{
	size_t n = (size_t)a->fabric->n_switches * a->fabric->lid_count;
	uint64_t differ = 0;
	for (size_t i = 0; i < n; i++)
		differ += a->lft[i] != b->lft[i];
	return differ;
}

/* Entries after another engine was in force for a while, and is not any more. */
static uint64_t left_by_layered(const char *spec, uint64_t seed)
{
	fixture whole = make(spec, 0), x = damaged(&whole, 0.03, 0.04, seed);
	odo_error err;
	odo_coordinates_free(x.c);
	assert_int_equal(odo_map(x.f, &x.c, &err), 0);
	odo_tables *first = routed_again(&x, NULL, NULL);
	odo_history *h = noted(NULL, first);
	odo_tables *layered = routed_again(&x, "layered", h);
	odo_history *after = noted(h, layered);
	odo_tables *back = routed_again(&x, NULL, after);
	odo_tables *forgetful = routed_again(&x, NULL, NULL);
	uint64_t n = n_differing(first, back);
	assert_int_equal(n_differing(first, forgetful), 0);
	assert_true(!n || (first->from.relieved && back->from.relieved));
	odo_tables_free(first);
	odo_tables_free(layered);
	odo_tables_free(back);
	odo_tables_free(forgetful);
	odo_history_free(h);
	odo_history_free(after);
	unmake(&x);
	unmake(&whole);
	return n;
}

/* The SLs that connections hold are the whole reason why entries differ: entries that would be led
 * off full cables stay where that could deadlock with what is held. */
static void what_is_held_alone_moves_entries(void **state)
{
	(void)state;
	uint64_t n = 0;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		n += left_by_layered("dragonfly:p=2,a=4,h=2", seed);
		n += left_by_layered("torus:k=5x5,c=1", seed);
		n += left_by_layered("flatfly:k=4x4,c=2", seed);
	}
	print_message("%llu entries differ\n", (unsigned long long)n);
	assert_true(n > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_held_stays_safe),
		cmocka_unit_test(without_a_history_it_is_not),
		cmocka_unit_test(the_verifier_follows_what_is_held),
		cmocka_unit_test(what_is_held_needs_vls),
		cmocka_unit_test(an_sl_stays_where_none_is_needed),
		cmocka_unit_test(what_was_gone_is_remembered),
		cmocka_unit_test(sls_add_up),
		cmocka_unit_test(a_shared_history_stays),
		cmocka_unit_test(carried_tables_hold_too),
		cmocka_unit_test(what_is_held_alone_moves_entries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
