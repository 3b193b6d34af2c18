/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The worst permutation against all permutations, and against closed forms. */
#include "fixture.h"

#include <math.h>

#include "base/random.h"
#include "routing/analyze/analyze.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/matching.h"
#include "routing/analyze/worst.h"

#define MOST_HOSTS 8

static odo_tables *route(const fixture *x, const char *engine)
{
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine, err.text);
	return t;
}

static odo_worst find(const odo_tables *t, uint64_t most_pairs)
{
	odo_worst worst;
	odo_error err;
	if (odo_worst_find(t, most_pairs, &worst, &err))
		fail_msg("%s", err.text);
	return worst;
}

/* use[(from * n + to) * slots + slot] of one flow at rate 1. */
static double *use_of_pairs(const odo_tables *t)
{
	uint32_t n = t->fabric->n_senders, slots = t->fabric->n_slots;
	double *use = calloc((size_t)n * n * slots, sizeof *use);
	assert_non_null(use);
	for (uint32_t i = 0; i < n * n; i++) {
		odo_flow flow = {i / n, i % n, 1};
		odo_analysis a;
		odo_error err;
		assert_int_equal(odo_analyze_flows(t, NULL, &flow, 1, &a, &err), 0);
		memcpy(use + (size_t)i * slots, a.use, slots * sizeof *use);
		odo_analysis_clear(&a);
	}
	return use;
}

static double most_of(const double *sum, uint32_t slots)
{
	double most = 0;
	for (uint32_t slot = 0; slot < slots; slot++)
		most = fmax(most, sum[slot]);
	return most;
}

/* Most use of any channel, over all ways to match hosts from `from` on. @param sum by slot */
static double try_all(const odo_tables *t, const double *use, uint32_t from, uint32_t taken,
		      const double *sum)
{
	uint32_t n = t->fabric->n_senders, slots = t->fabric->n_slots;
	double most = from == n ? most_of(sum, slots) : 0, *next = malloc(slots * sizeof *next);
	assert_non_null(next);
	for (uint32_t to = 0; from < n && to < n; to++) {
		if (taken >> to & 1)
			continue;
		const double *more = use + ((size_t)from * n + to) * slots;
		for (uint32_t slot = 0; slot < slots; slot++)
			next[slot] = sum[slot] + more[slot];
		most = fmax(most, try_all(t, use, from + 1, taken | 1u << to, next));
	}
	free(next);
	return most;
}

static double brute_force(const odo_tables *t)
{
	double *use = use_of_pairs(t), *none = calloc(t->fabric->n_slots, sizeof *none);
	assert_non_null(none);
	double most = try_all(t, use, 0, 0, none);
	free(use);
	free(none);
	return most;
}

/* What is named is a permutation, and the analyser finds that load on that channel. */
static void assert_honest(const odo_tables *t, const odo_worst *worst)
{
	uint32_t n = t->fabric->n_hosts, n_flows = 0;
	odo_flow *flows = calloc(n, sizeof *flows);
	bool *taken = calloc(n, sizeof *taken);
	odo_analysis a;
	odo_error err;
	assert_true(flows && taken);
	for (uint32_t h = 0; h < n; h++) {
		if (worst->to[h] == ODO_NONE)
			continue;
		assert_false(taken[worst->to[h]]);
		assert_int_not_equal(worst->to[h], h);
		taken[worst->to[h]] = true;
		flows[n_flows++] = (odo_flow){h, worst->to[h], 1};
	}
	assert_int_equal(n_flows, worst->n_flows);
	assert_int_equal(odo_analyze_flows(t, NULL, flows, n_flows, &a, &err), 0);
	assert_true(fabs(a.max_use - worst->load) < 1e-9);
	assert_int_equal(worst->slot == ODO_NONE, !worst->n_flows);
	if (worst->n_flows)
		assert_true(fabs(a.use[worst->slot] - worst->load) < 1e-9);
	odo_analysis_clear(&a);
	free(flows);
	free(taken);
}

static void assert_worst(const odo_tables *t, double load, const char *what)
{
	odo_worst worst = find(t, 0);
	if (fabs(worst.load - load) > 1e-9)
		fail_msg("%s: expected load %g, found %g", what, load, worst.load);
	assert_true(worst.at_most == worst.load);
	assert_honest(t, &worst);
	odo_worst_clear(&worst);
}

/* Entries of the LFTs turned elsewhere: some loop, some lead nowhere. */
static void disturb(odo_tables *t, unsigned n, uint64_t seed)
{
	const odo_fabric *f = t->fabric;
	odo_rng rng = odo_rng_make(seed, 0);
	for (unsigned i = 0; i < n; i++) {
		uint32_t s = odo_rng_below(&rng, f->n_switches);
		uint32_t lid = odo_rng_below(&rng, f->lid_count);
		uint32_t port = 1 + odo_rng_below(&rng, odo_n_ports(f, s) + 1);
		t->lft[(size_t)s * f->lid_count + lid] = (uint8_t)port;
	}
}

static void no_permutation_is_worse(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"dragonfly:p=1,a=2,h=1", "dragonfly"},
					       {"flatfly:k=3x2,c=1", "dor"},
					       {"torus:k=6,c=1", "updown"},
					       {"random:n=7,d=4,c=1", "layered"},
					       {"flatfly:k=3,c=2", "layered"},
					       {"fattree:k=4,levels=2", "updown"},
					       {"flatfly:k=1,c=5", "dor"}};
	for (unsigned i = 0; TEST_ROW(i, cases, cases[i][0]); i++)
		for (uint8_t lmc = 0; lmc < 3; lmc++) {
			fixture x = make(cases[i][0], lmc);
			assert_true(x.f->n_hosts <= MOST_HOSTS);
			for (uint64_t seed = 0; seed < 6; seed++) {
				odo_tables *t = route(&x, cases[i][1]);
				disturb(t, seed < 1 ? 0 : x.f->n_switches * 2, seed);
				assert_worst(t, brute_force(t), cases[i][0]);
				odo_tables_free(t);
			}
			unmake(&x);
		}
}

/* Cables of half the lanes, some between switches and some of hosts. */
static void slow_cables_count_by_their_rate(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 20; seed++) {
		fixture x = make("random:n=6,d=3,c=1", seed % 2);
		odo_rng rng = odo_rng_make(seed, 1);
		for (uint32_t slot = 0; slot < x.f->n_slots; slot++)
			if (x.f->peer[slot] != ODO_NONE && !odo_rng_below(&rng, 3))
				x.f->width[slot] = x.f->width[x.f->peer[slot]] = 1;
		odo_tables *t = route(&x, "layered");
		assert_worst(t, brute_force(t), "slow cables");
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Two switches with three ports for hosts each, of which some are aggregation nodes. */
static odo_fabric *pair_of_switches(unsigned aggregating)
{
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	uint32_t sw[2], id;
	odo_node_info info = {.type = ODO_SWITCH, .n_ports = 4};
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(odo_builder_add(b, &info, &sw[i], &err), 0);
	for (unsigned i = 0; i < 6; i++) {
		odo_node_info host = {.type = ODO_CA, .n_ports = 1, .name = "host"};
		if (i < aggregating)
			host.name = "Mellanox Technologies Aggregation Node";
		assert_int_equal(odo_builder_add(b, &host, &id, &err), 0);
		assert_int_equal(
			odo_builder_link(b, sw[i / 3], i % 3 + 1, id, 1, (odo_link_info){0}, &err),
			0);
	}
	assert_int_equal(odo_builder_link(b, sw[0], 4, sw[1], 4, (odo_link_info){0}, &err), 0);
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	return f;
}

/* They send nothing and nothing is sent to them. */
static void aggregation_nodes_take_no_part(void **state)
{
	(void)state;
	for (unsigned aggregating = 0; aggregating < 4; aggregating++) {
		fixture x = {.f = pair_of_switches(aggregating)};
		assert_int_equal(x.f->n_senders, 6 - aggregating);
		odo_tables *t = route(&x, "updown");
		assert_worst(t, aggregating < 3 ? 3 - aggregating : 1, "aggregation nodes");
		assert_worst(t, brute_force(t), "aggregation nodes");
		odo_tables_free(t);
		unmake(&x);
	}
}

/*
 * Minimal paths of a whole dragonfly: all a*p hosts of a group send over the one cable to another
 * (Kim et al. 2008, 3.1). Dimension order in a FlatFly of three: a cable of the middle dimension
 * has the k*c hosts that differ in the first behind it, and as many before it. A complete graph:
 * the c hosts of a switch. A ring of n with one host each: at most n/2 hops.
 */
static void known_fabrics_have_their_closed_forms(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		double load;
	} cases[] = {
		{"dragonfly:p=2,a=4,h=2", "dragonfly", 4 * 2},
		{"dragonfly:p=4,a=8,h=4", "dragonfly", 8 * 4},
		{"flatfly:k=4x4x4,c=2", "dor", 4 * 2},
		{"flatfly:k=6,c=3", "dor", 3},
		{"torus:k=7,c=1", "torus", 3},
		{"flatfly:k=1,c=8", "dor", 1},
	};
	for (unsigned i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x = make(cases[i].spec, 0);
		odo_tables *t = route(&x, cases[i].engine);
		assert_worst(t, cases[i].load, cases[i].spec);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Whatever the limit, what is found lies below the worst, and what is promised above. */
static void a_limited_search_brackets_the_worst(void **state)
{
	(void)state;
	fixture x = make("random:n=40,d=5,c=3", 0);
	odo_tables *t = route(&x, "layered");
	odo_worst all = find(t, 0);
	bool open = false;
	for (uint64_t pairs = 1; pairs < 1000000; pairs *= 4) {
		odo_worst some = find(t, pairs);
		assert_honest(t, &some);
		assert_true(some.load <= all.load && some.at_most >= all.load);
		open |= some.at_most > some.load;
		odo_worst_clear(&some);
	}
	assert_true(open);
	odo_worst_clear(&all);
	odo_tables_free(t);
	unmake(&x);
}

static void random_permutations_are_no_worse(void **state)
{
	(void)state;
	fixture x = make("random:n=40,d=5,c=3", 1);
	odo_tables *t = route(&x, "layered");
	odo_worst worst = find(t, 0);
	uint32_t n = x.f->n_hosts, *to = calloc(n, sizeof *to);
	odo_flow *flows = calloc(n, sizeof *flows);
	assert_true(to && flows);
	assert_honest(t, &worst);
	for (uint64_t seed = 0; seed < 300; seed++) {
		odo_rng rng = odo_rng_make(seed, 0);
		odo_analysis a;
		odo_error err;
		for (uint32_t h = 0; h < n; h++)
			to[h] = h;
		odo_rng_shuffle(&rng, to, n);
		for (uint32_t h = 0; h < n; h++)
			flows[h] = (odo_flow){h, to[h], 1};
		assert_int_equal(odo_analyze_flows(t, NULL, flows, n, &a, &err), 0);
		assert_true(a.max_use <= worst.load + 1e-9);
		odo_analysis_clear(&a);
	}
	free(to);
	free(flows);
	odo_worst_clear(&worst);
	odo_tables_free(t);
	unmake(&x);
}

/* Most weight over all ways to give targets from `d` on a source with room. */
static uint64_t match_all(const uint32_t w[6][6], uint32_t *room, uint32_t d)
{
	if (d == 6)
		return 0;
	uint64_t most = match_all(w, room, d + 1);
	for (uint32_t s = 0; s < 6; s++) {
		if (!room[s] || !w[s][d])
			continue;
		room[s]--;
		uint64_t with = w[s][d] + match_all(w, room, d + 1);
		room[s]++;
		most = with > most ? with : most;
	}
	return most;
}

/* Prices bound every matching from above, so equality proves both. */
static void matchings_are_heaviest_and_prices_prove_it(void **state)
{
	(void)state;
	odo_matching m;
	odo_error err;
	assert_int_equal(odo_matching_create(&m, 6, 6, &err), 0);
	for (uint64_t seed = 0; seed < 500; seed++) {
		odo_rng rng = odo_rng_make(seed, 0);
		uint32_t w[6][6] = {0}, room[6], n = 0, highest = 1 + (uint32_t)seed % 8;
		odo_edge edges[36];
		for (uint32_t i = 0; i < 36; i++) {
			if (odo_rng_below(&rng, 3))
				continue;
			w[i / 6][i % 6] = 1 + odo_rng_below(&rng, highest);
			edges[n++] = (odo_edge){i / 6, i % 6, w[i / 6][i % 6]};
		}
		for (uint32_t s = 0; s < 6; s++)
			room[s] = odo_rng_below(&rng, 3);
		uint64_t weight, prices;
		assert_int_equal(odo_matching_find(&m, room, edges, n, &weight, &prices, &err), 0);
		assert_int_equal(weight, match_all(w, room, 0));
		assert_int_equal(weight, prices);
	}
	odo_matching_clear(&m);
}

static void adaptive_tables_are_declined(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x3,c=1", 0);
	odo_tables *t = route(&x, "ador");
	odo_worst worst;
	odo_error err;
	assert_int_equal(odo_worst_find(t, 0, &worst, &err), ODO_EDECLINE);
	odo_worst_clear(&worst);
	odo_tables_free(t);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_permutation_is_worse),
		cmocka_unit_test(slow_cables_count_by_their_rate),
		cmocka_unit_test(aggregation_nodes_take_no_part),
		cmocka_unit_test(known_fabrics_have_their_closed_forms),
		cmocka_unit_test(a_limited_search_brackets_the_worst),
		cmocka_unit_test(random_permutations_are_no_worse),
		cmocka_unit_test(matchings_are_heaviest_and_prices_prove_it),
		cmocka_unit_test(adaptive_tables_are_declined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
