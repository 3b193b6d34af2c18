/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rounds of an acceptance test, and cables that are found by them. */
#include "fixture.h"

#include "base/random.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/path.h"
#include "routing/analyze/rounds.h"

typedef struct rounds_case {
	const char *spec;
	double damage;
	uint8_t lmc;
} rounds_case;
static const rounds_case cases[] = {
	{"dragonfly:p=2,a=4,h=2", 0, 0}, {"torus:k=5x4,c=2", 0, 1},
	{"random:n=20,d=4,c=2", 0, 0},   {"fattree:k=4,levels=3", 0, 0},
	{"flatfly:k=4x3,c=3", 0.1, 0},   {"dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5", 0, 0}};

static odo_tables *route_rounds(fixture *x, const rounds_case *of)
{
	odo_tables *t;
	odo_error err;
	*x = make(of->spec, of->lmc);
	if (of->damage > 0) {
		fixture less = damaged(x, 0, of->damage, 5);
		unmake(x);
		*x = less;
	}
	if (odo_route(x->f, x->c, NULL, NULL, &t, &err))
		fail_msg("%s: %s", of->spec, err.text);
	return t;
}

static uint32_t follow_pair(const odo_tables *t, uint32_t from, uint32_t to, uint32_t *path)
{
	return odo_follow(t, from, t->fabric->port_lid[t->fabric->host_slot[to]], path);
}

/* Count the pairs of hosts over each channel. */
static uint32_t *count_first_lids(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	uint32_t *n = calloc(f->n_slots, sizeof *n), path[ODO_MAX_PATH + 3];
	for (uint32_t from = 0; from < f->n_senders; from++)
		for (uint32_t to = 0; to < f->n_hosts; to++) {
			uint32_t hops = from == to ? 0 : follow_pair(t, from, to, path);
			while (hops)
				n[path[--hops]]++;
		}
	return n;
}

static void rounds_share_no_cable_and_cross_all(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++)
		for (uint32_t times = 1; times < 4; times++) {
			fixture x;
			odo_tables *t = route_rounds(&x, &cases[i]);
			const odo_fabric *f = x.f;
			odo_rounds rounds;
			odo_error err;
			assert_int_equal(odo_rounds_find(t, times, 7, &rounds, &err), 0);
			uint32_t *used = calloc(f->n_slots, sizeof *used), n_idle = 0;
			uint32_t *crossed = calloc(f->n_slots, sizeof *crossed);
			uint32_t *all = count_first_lids(t), path[ODO_MAX_PATH + 3];
			for (size_t k = 0; k < rounds.n; k++) {
				const odo_round_pair *pair = &rounds.pair[k];
				uint32_t hops = follow_pair(t, pair->from, pair->to, path);
				assert_true(hops && pair->round < rounds.n_rounds);
				assert_true(!k || pair->round >= pair[-1].round);
				while (hops) {
					assert_true(used[path[--hops]] < pair->round + 1);
					used[path[hops]] = pair->round + 1;
					crossed[path[hops]]++;
				}
			}
			for (uint32_t slot = 0; slot < f->n_slots; slot++) {
				assert_true(crossed[slot] >=
					    (all[slot] < times ? all[slot] > 0 : times));
				n_idle += f->peer[slot] != ODO_NONE && !all[slot];
			}
			assert_int_equal(rounds.n_idle, n_idle);
			for (uint32_t k = 0; k < n_idle; k++)
				assert_int_equal(all[rounds.idle[k]], 0);
			odo_rounds_clear(&rounds);
			free(used);
			free(crossed);
			free(all);
			odo_tables_free(t);
			unmake(&x);
		}
}

/* Any part of the rounds misses the channels that paths use, but none of its pairs. */
static void channels_that_no_pair_crossed_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x;
		odo_tables *t = route_rounds(&x, &cases[i]);
		odo_rounds rounds;
		odo_error err;
		uint32_t *all = count_first_lids(t), *missed = calloc(x.f->n_slots, sizeof *missed);
		uint32_t path[ODO_MAX_PATH + 3], n, k;
		assert_int_equal(odo_rounds_find(t, 1, 7, &rounds, &err), 0);
		odo_measured *pairs = calloc(rounds.n, sizeof *pairs);
		for (size_t part = 0; part <= rounds.n; part++) {
			assert_int_equal(odo_rounds_missed(t, pairs, part, missed, &n, &err), 0);
			k = 0;
			for (uint32_t slot = 0; slot < x.f->n_slots; slot++)
				if (all[slot])
					assert_true(k < n && missed[k++] == slot);
			assert_int_equal(k, n);
			if (part == rounds.n)
				break;
			pairs[part] = (odo_measured){rounds.pair[part].from, rounds.pair[part].to,
						     false};
			uint32_t hops = follow_pair(t, pairs[part].from, pairs[part].to, path);
			while (hops)
				all[path[--hops]] = 0;
		}
		assert_int_equal(n, 0);
		odo_rounds_clear(&rounds);
		free(pairs);
		free(missed);
		free(all);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Slow the cable at a slot in both directions to half of its rate, measure with up to 10 % less,
 * and judge at 80 %. */
static void measure_rounds(const odo_tables *t, const odo_rounds *rounds, uint32_t slot,
			   odo_rng *rng, odo_measured *pairs)
{
	uint32_t path[ODO_MAX_PATH + 3];
	for (size_t k = 0; k < rounds->n; k++) {
		const odo_round_pair *pair = &rounds->pair[k];
		double rate = 1;
		uint32_t hops = follow_pair(t, pair->from, pair->to, path);
		while (hops--)
			if (path[hops] == slot || path[hops] == t->fabric->peer[slot])
				rate = 0.5;
		rate *= 1 - 0.1 * (odo_rng_next(rng) % 1000) / 1000;
		pairs[k] = (odo_measured){pair->from, pair->to, rate < 0.8};
	}
}

static void a_slow_cable_is_named(void **state)
{
	(void)state;
	unsigned n_named = 0, n_tried = 0;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x;
		odo_tables *t = route_rounds(&x, &cases[i]);
		odo_rounds rounds;
		odo_error err;
		for (uint64_t seed = 0; seed < 100; seed++) {
			odo_rng rng = odo_rng_make(seed, i);
			uint32_t slot = odo_rng_next(&rng) % x.f->n_slots, n, named = 0;
			assert_int_equal(odo_rounds_find(t, 4, seed, &rounds, &err), 0);
			while (x.f->peer[slot] == ODO_NONE)
				slot = (slot + 1) % x.f->n_slots;
			odo_measured *pairs = calloc(rounds.n, sizeof *pairs);
			odo_suspect suspect[1];
			measure_rounds(t, &rounds, slot, &rng, pairs);
			assert_int_equal(
				odo_suspects_find(t, pairs, rounds.n, 1, suspect, &n, &err), 0);
			for (uint32_t k = 0; k < n; k++)
				named |= suspect[k].slot == slot ||
					 suspect[k].slot == x.f->peer[slot];
			n_tried += n > 0;
			n_named += named;
			free(pairs);
			odo_rounds_clear(&rounds);
		}
		odo_tables_free(t);
		unmake(&x);
	}
	print_message("%u of %u slow cables are the first suspect\n", n_named, n_tried);
	assert_true(n_tried > 500);
	assert_true(100 * n_named >= 99 * n_tried);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_share_no_cable_and_cross_all),
		cmocka_unit_test(channels_that_no_pair_crossed_are_named),
		cmocka_unit_test(a_slow_cable_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
