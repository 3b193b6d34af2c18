/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns against closed forms and, where they are random, against chi-square at a fixed
 * seed. What holds for every row is tested by walking the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "tests/unit.h"

static const char *const fabrics[] = {
	"dragonfly:p=2,a=4,h=2", "flatfly:k=4x4x4,c=1",
	"flatfly:k=5x3,c=3",     "flatfly:k=2x2x2x2x2,c=2",
	"fattree:k=4,levels=3",  "dragonfly-plus:p=2,leaves=3,spines=2,h=2"};
#define N_FABRICS (sizeof fabrics / sizeof *fabrics)

/** A fabric, its coordinates and a traffic on it; cmocka fails where any cannot be made. */
struct world {
	odo_fabric *f;
	odo_coordinates *c;
	odo_traffic *t;
};

static struct world make(const char *fabric, const char *pattern)
{
	struct world w = {0};
	odo_error err = {0};
	if (odo_topology_generate(fabric, 0, &w.f, &w.c, &err) ||
	    odo_traffic_create(pattern, w.f, w.c, 1, &w.t, &err))
		fail_msg("%s on %s: %s", pattern, fabric, err.text);
	return w;
}

static void done(struct world *w)
{
	odo_traffic_free(w->t);
	odo_coordinates_free(w->c);
	odo_fabric_free(w->f);
}

/** First destination of each rank, as ranks; ODO_NONE where silent. */
static void first_ranks(const struct world *w, uint32_t *to)
{
	const odo_order *o = w->t->order;
	for (uint32_t r = 0; r < o->n_hosts; r++) {
		odo_rng rng = odo_rng_make(7, r);
		uint32_t h = odo_traffic_destination(w->t, o->host[r], &rng, 0);
		to[r] = h == ODO_NONE ? ODO_NONE : o->rank[h];
	}
}

static uint32_t group_of(const struct world *w, uint32_t host)
{
	return odo_at(w->c, odo_host_switch(w->f, host))[0];
}

static void every_row_sends_to_others_on_every_fabric(void **state)
{
	(void)state;
	unsigned served = 0;
	for (size_t i = 0; i < N_FABRICS; i++)
		for (const odo_pattern *row = odo_patterns; row->name; row++) {
			struct world w = {0};
			odo_error err = {0};
			assert_int_equal(odo_topology_generate(fabrics[i], 0, &w.f, &w.c, &err), 0);
			int status = odo_traffic_create(row->name, w.f, w.c, 3, &w.t, &err);
			if (status) {
				assert_int_equal(status, ODO_EDECLINE);
				assert_non_null(strstr(err.text, "expected"));
				done(&w);
				continue;
			}
			served++;
			uint32_t silent = 0, n = w.f->n_hosts;
			for (uint32_t h = 0; h < n; h++) {
				odo_rng rng = odo_rng_make(5, h);
				uint32_t to = odo_traffic_destination(w.t, h, &rng, 0);
				silent += to == ODO_NONE;
				assert_true(to == ODO_NONE || (to < n && to != h));
			}
			assert_float_equal(odo_traffic_active(w.t, 0), (double)(n - silent) / n,
					   1e-9);
			assert_int_equal(silent == n, !strcmp(row->name, "silent"));
			done(&w);
		}
	assert_true(served > 40);
}

static void same_seed_gives_the_same_and_another_does_not(void **state)
{
	(void)state;
	struct world w = make(fabrics[0], "permutation");
	odo_traffic *same, *other;
	odo_error err;
	assert_int_equal(odo_traffic_create("permutation", w.f, w.c, 1, &same, &err), 0);
	assert_int_equal(odo_traffic_create("permutation", w.f, w.c, 2, &other, &err), 0);
	uint32_t n = w.f->n_hosts, differ = 0;
	for (uint32_t h = 0; h < n; h++) {
		odo_rng rng = odo_rng_make(1, h);
		uint32_t to = odo_traffic_destination(w.t, h, &rng, 0);
		assert_int_equal(to, odo_traffic_destination(same, h, &rng, 0));
		differ += to != odo_traffic_destination(other, h, &rng, 0);
	}
	assert_true(differ > n / 2);
	odo_traffic_free(same);
	odo_traffic_free(other);
	done(&w);
}

static void permutations_are_bijections(void **state)
{
	(void)state;
	static const char *const names[] = {"permutation",
					    "complement",
					    "reverse",
					    "rotation",
					    "shuffle",
					    "transpose",
					    "shift:n=7",
					    "bits:from=2x0x1",
					    "reverse:of=switches",
					    "shuffle:of=switches,first=fast"};
	for (size_t i = 0; i < N_FABRICS; i++)
		for (size_t k = 0; TEST_ROW(k, names, names[k]); k++) {
			struct world w = make(fabrics[i], names[k]);
			uint32_t n = w.f->n_hosts, *to = calloc(n, sizeof *to);
			uint8_t *hit = calloc(n, 1);
			first_ranks(&w, to);
			for (uint32_t r = 0; r < n; r++)
				if (to[r] != ODO_NONE)
					assert_int_equal(hit[to[r]]++, 0);
			free(to);
			free(hit);
			done(&w);
		}
}

/** On 64 ranks, written out by hand: bits b5 b4 b3 b2 b1 b0 of 0b001101 = 13. */
static void bit_patterns_move_bits_as_defined(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t of_13, of_32;
	} rows[] = {
		{"complement", 062, 037}, /* 110010, 011111 */
		{"reverse", 054, 001},    /* 101100, 000001 */
		{"rotation", 046, 020},   /* 100110, 010000 */
		{"shuffle", 032, 001},    /* 011010, 000001 */
		{"transpose", 051, 004},  /* 101001, 000100 */
		{"bits:from=5x0x1x2x3x4", 032, 001},
		{"bits:from=3x4x5x0x1x2", 051, 004},
	};
	for (size_t k = 0; TEST_ROW(k, rows, rows[k].name); k++) {
		struct world w = make("flatfly:k=4x4x4,c=1", rows[k].name);
		uint32_t to[64];
		first_ranks(&w, to);
		assert_int_equal(to[13], rows[k].of_13);
		assert_int_equal(to[32], rows[k].of_32);
		done(&w);
	}
}

/** On 32 switches, coordinates of 1 and 4 bits: 0b10110 is (1, 6), its reverse 0b01101 is (0, 13).
 * With the first coordinate fast it is (0, 11), and the reverse (1, 6). */
static void bit_patterns_of_switches_keep_the_host(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t from[2], to[2];
	} rows[] = {
		{"reverse:of=switches", {1, 6}, {0, 13}},
		{"reverse:of=switches,first=fast", {0, 11}, {1, 6}},
		{"shuffle:of=switches", {1, 6}, {0, 13}},
		{"shuffle:of=switches,first=fast", {0, 11}, {1, 6}},
		{"rotation:of=switches", {1, 7}, {1, 11}},
	};
	for (size_t k = 0; TEST_ROW(k, rows, rows[k].name); k++) {
		struct world w = make("flatfly:k=2x16,c=3", rows[k].name);
		uint32_t to[96], from = odo_order_find(w.t->order, rows[k].from);
		uint32_t there = odo_order_find(w.t->order, rows[k].to);
		first_ranks(&w, to);
		for (uint32_t i = 0; i < 3; i++)
			assert_int_equal(to[3 * from + i], 3 * there + i);
		done(&w);
	}
}

static void hosts_beyond_a_power_of_two_are_silent_in_bit_patterns(void **state)
{
	(void)state;
	struct world w = make("dragonfly:p=2,a=4,h=2", "complement");
	uint32_t to[72];
	first_ranks(&w, to);
	for (uint32_t r = 0; r < 72; r++)
		assert_int_equal(to[r], r < 64 ? 63 - r : ODO_NONE);
	assert_float_equal(odo_traffic_active(w.t, 0), 64 / 72.0, 1e-9);
	done(&w);
}

/** Counts of destinations of one source over many draws. */
static void count(const struct world *w, uint32_t src, uint64_t cycle, unsigned draws,
		  uint32_t *hits)
{
	odo_rng rng = odo_rng_make(11, src);
	memset(hits, 0, w->f->n_hosts * sizeof *hits);
	for (unsigned i = 0; i < draws; i++)
		hits[odo_traffic_destination(w->t, src, &rng, cycle)]++;
}

/** Chi-square of the hits of hosts in `where`, expected all alike. */
static double chi_square(const uint32_t *hits, const uint8_t *where, uint32_t n, unsigned *freedom)
{
	double sum = 0, chi = 0;
	*freedom = 0;
	for (uint32_t h = 0; h < n; h++)
		if (where[h]) {
			sum += hits[h];
			++*freedom;
		}
	double mean = sum / *freedom;
	for (uint32_t h = 0; h < n; h++)
		if (where[h])
			chi += (hits[h] - mean) * (hits[h] - mean) / mean;
	--*freedom;
	return chi;
}

/** Mean + 4 deviations: passed by all but 1 in some 10,000 honest seeds. */
static void assert_alike(const uint32_t *hits, const uint8_t *where, uint32_t n)
{
	unsigned freedom;
	double chi = chi_square(hits, where, n, &freedom), over = chi - freedom;
	assert_true(over < 0 || over * over < 16 * 2 * freedom);
	for (uint32_t h = 0; h < n; h++)
		assert_true(where[h] || !hits[h]);
}

static void uniform_reaches_all_others_alike(void **state)
{
	(void)state;
	struct world w = make(fabrics[0], "uniform");
	uint32_t hits[72];
	uint8_t where[72];
	for (uint32_t src = 0; src < 72; src += 13) {
		for (uint32_t h = 0; h < 72; h++)
			where[h] = h != src;
		count(&w, src, 0, 72000, hits);
		assert_alike(hits, where, 72);
	}
	done(&w);
}

static void check_groups(const struct world *w, uint64_t cycle, uint32_t by)
{
	uint32_t hits[72];
	uint8_t where[72];
	for (uint32_t src = 0; src < 72; src += 7) {
		uint32_t target = (group_of(w, src) + by) % w->c->size[0];
		for (uint32_t h = 0; h < 72; h++)
			where[h] = group_of(w, h) == target;
		count(w, src, cycle, 8000, hits);
		assert_alike(hits, where, 72);
	}
}

static void advg_reaches_all_of_the_right_group(void **state)
{
	(void)state;
	for (uint32_t by = 1; by < 9; by++) {
		char spec[32];
		snprintf(spec, sizeof spec, "advg:n=%u", by);
		struct world w = make(fabrics[0], spec);
		check_groups(&w, 0, by);
		done(&w);
	}
	struct world w = make(fabrics[0], "advg:n=2,unit=h");
	check_groups(&w, 0, 4);
	done(&w);
}

static void pattern_changes_at_the_cycle_named(void **state)
{
	(void)state;
	struct world w = make(fabrics[0], "advg:n=2/5000/advg:n=6/6000/advg:n=1");
	check_groups(&w, 0, 2);
	check_groups(&w, 4999, 2);
	check_groups(&w, 5000, 6);
	check_groups(&w, 5999, 6);
	check_groups(&w, 6000, 1);
	done(&w);
}

static void load_changes_with_the_share_that_is_silent(void **state)
{
	(void)state;
	struct world w = make(fabrics[0], "uniform/100/25%uniform+75%silent");
	uint32_t sent[2] = {0};
	for (uint32_t i = 0; i < 8000; i++) {
		odo_rng rng = odo_rng_make(7, i);
		uint32_t src = i % w.f->n_hosts;
		sent[0] += odo_traffic_destination(w.t, src, &rng, 99) != ODO_NONE;
		sent[1] += odo_traffic_destination(w.t, src, &rng, 100) != ODO_NONE;
	}
	assert_int_equal(sent[0], 8000);
	assert_in_range(sent[1], 1800, 2200);
	assert_float_equal(odo_traffic_active(w.t, 1), 0.25, 1e-9);
	done(&w);
}

static void advl_stays_in_the_group_and_reaches_the_next_switch(void **state)
{
	(void)state;
	struct world w = make(fabrics[0], "advl:n=3");
	for (uint32_t src = 0; src < 72; src++) {
		odo_rng rng = odo_rng_make(1, src);
		uint32_t to = odo_traffic_destination(w.t, src, &rng, 0);
		const uint32_t *at = odo_at(w.c, odo_host_switch(w.f, src));
		const uint32_t *next = odo_at(w.c, odo_host_switch(w.f, to));
		assert_int_equal(next[0], at[0]);
		assert_int_equal(next[1], (at[1] + 3) % 4);
	}
	done(&w);
}

static void check_move(const char *fabric, const char *pattern, const uint32_t *by)
{
	struct world w = make(fabric, pattern);
	for (uint32_t src = 0; src < w.f->n_hosts; src++) {
		odo_rng rng = odo_rng_make(1, src);
		uint32_t to = odo_traffic_destination(w.t, src, &rng, 0);
		assert_int_not_equal(to, ODO_NONE);
		const uint32_t *at = odo_at(w.c, odo_host_switch(w.f, src));
		const uint32_t *next = odo_at(w.c, odo_host_switch(w.f, to));
		for (unsigned d = 0; d < w.c->n_dims; d++)
			assert_int_equal(next[d], (at[d] + by[d]) % w.c->size[d]);
	}
	done(&w);
}

static void neighbour_and_tornado_move_along_dimensions(void **state)
{
	(void)state;
	check_move("flatfly:k=4x4x4,c=4", "neighbour:dim=1", (uint32_t[]){0, 1, 0});
	check_move("flatfly:k=4x4x4,c=4", "neighbour:dim=2,n=3", (uint32_t[]){0, 0, 3});
	check_move("flatfly:k=4x7x5,c=2", "tornado", (uint32_t[]){1, 3, 2});
}

static void hot_region_gets_its_share(void **state)
{
	(void)state;
	struct world w = make(fabrics[0], "hotregion");
	uint32_t hits[72], hot = 0;
	count(&w, 40, 0, 100000, hits);
	for (uint32_t h = 0; h < 72; h++)
		if (w.t->order->rank[h] < 9)
			hot += hits[h];
	/* 25 % + 75 % * 9/71, 5 deviations either side. */
	double p = 0.25 + 0.75 * 9 / 71, deviation = 5 * 0.0015;
	assert_float_equal(hot / 100000.0, p, deviation);
	done(&w);
}

static void mixes_keep_their_shares(void **state)
{
	(void)state;
	static const double shares[] = {0.1, 0.2, 0.4};
	for (int mix = 1; mix <= 3; mix++) {
		char spec[16];
		snprintf(spec, sizeof spec, "mix%d", mix);
		struct world w = make(fabrics[0], spec);
		uint32_t hits[72], in[9] = {0};
		count(&w, 0, 0, 100000, hits);
		for (uint32_t h = 0; h < 72; h++)
			in[group_of(&w, h)] += hits[h];
		/* Groups 1 and h = 2 get their share, and 8/71 of the uniform rest. */
		double p = shares[mix - 1], rest = (1 - 2 * p) * 8 / 71;
		assert_float_equal(in[1] / 100000.0, p + rest, 0.01);
		assert_float_equal(in[2] / 100000.0, p + rest, 0.01);
		assert_float_equal(in[5] / 100000.0, rest, 0.01);
		done(&w);
	}
}

static void shuffled_fabric_keeps_its_patterns(void **state)
{
	(void)state;
	static const char *const patterns[] = {"advg:n=3", "advl", "complement"};
	struct world w = make(fabrics[0], "uniform");
	odo_origin origin;
	odo_error err;
	struct world s = {0};
	assert_int_equal(odo_fabric_shuffle(w.f, 9, &s.f, &origin, &err), 0);
	assert_int_equal(odo_coordinates_carry(w.c, s.f, &origin, &s.c, &err), 0);
	for (size_t k = 0; TEST_ROW(k, patterns, patterns[k]); k++) {
		uint32_t a[72], b[72];
		odo_traffic_free(w.t);
		odo_traffic_free(s.t);
		assert_int_equal(odo_traffic_create(patterns[k], w.f, w.c, 1, &w.t, &err), 0);
		assert_int_equal(odo_traffic_create(patterns[k], s.f, s.c, 1, &s.t, &err), 0);
		first_ranks(&w, a);
		first_ranks(&s, b);
		assert_memory_equal(a, b, sizeof a);
	}
	odo_origin_free(&origin);
	done(&w);
	done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_sends_to_others_on_every_fabric),
		cmocka_unit_test(same_seed_gives_the_same_and_another_does_not),
		cmocka_unit_test(permutations_are_bijections),
		cmocka_unit_test(bit_patterns_move_bits_as_defined),
		cmocka_unit_test(bit_patterns_of_switches_keep_the_host),
		cmocka_unit_test(hosts_beyond_a_power_of_two_are_silent_in_bit_patterns),
		cmocka_unit_test(uniform_reaches_all_others_alike),
		cmocka_unit_test(advg_reaches_all_of_the_right_group),
		cmocka_unit_test(pattern_changes_at_the_cycle_named),
		cmocka_unit_test(load_changes_with_the_share_that_is_silent),
		cmocka_unit_test(advl_stays_in_the_group_and_reaches_the_next_switch),
		cmocka_unit_test(neighbour_and_tornado_move_along_dimensions),
		cmocka_unit_test(hot_region_gets_its_share),
		cmocka_unit_test(mixes_keep_their_shares),
		cmocka_unit_test(shuffled_fabric_keeps_its_patterns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
