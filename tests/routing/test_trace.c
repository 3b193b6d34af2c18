/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Paths hop by hop, the pairs over a cable, and the suspects of slow paths. */
#include "fixture.h"

#include "base/random.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/path.h"

typedef struct trace_case {
	const char *spec, *engine;
	double damage;
} trace_case;
static const trace_case cases[] = {{"dragonfly:p=2,a=4,h=2", "dragonfly", 0},
				   {"torus:k=5x4,c=2", "torus", 0},
				   {"random:n=20,d=4,c=2", "layered", 0},
				   {"fattree:k=4,levels=3", "fattree", 0},
				   {"flatfly:k=4x3,c=3", NULL, 0.1}};
enum { N_CASES = sizeof cases / sizeof *cases };

static odo_tables *route_trace(fixture *x, const trace_case *of, uint8_t lmc)
{
	odo_tables *t;
	odo_error err;
	*x = make(of->spec, lmc);
	if (of->damage > 0) {
		fixture less = damaged(x, 0, of->damage, 3);
		unmake(x);
		*x = less;
	}
	if (odo_route(x->f, x->c, of->engine, NULL, &t, &err))
		fail_msg("%s: %s", of->spec, err.text);
	return t;
}

static void a_path_has_the_slots_of_the_analyser(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x;
		odo_tables *t = route_trace(&x, &cases[i], 1);
		uint32_t slots[ODO_MAX_PATH + 3];
		odo_path path;
		for (uint32_t h = 0; h < x.f->n_hosts; h++)
			for (uint32_t lid = 1; lid < x.f->lid_count; lid++) {
				uint32_t s = odo_host_switch(x.f, h);
				if (x.f->lid_switch[lid] == ODO_NONE ||
				    x.f->lid_host[lid] == ODO_NONE || x.f->lid_host[lid] == h)
					continue;
				uint32_t n = odo_follow(t, h, lid, slots);
				odo_path_find(t, h, s, lid, odo_path_sl(t, s, lid), &path);
				assert_int_equal(path.n, n);
				assert_int_equal(path.end, ODO_PATH_ARRIVES);
				for (uint32_t k = 0; k < n; k++) {
					assert_int_equal(path.hop[k].slot, slots[k]);
					assert_true(path.hop[k].vl < t->n_vls);
				}
			}
		odo_tables_free(t);
		unmake(&x);
	}
}

static void a_path_says_where_it_ends(void **state)
{
	(void)state;
	fixture x;
	odo_tables *t = route_trace(&x, &cases[1], 0);
	const odo_fabric *f = x.f;
	uint32_t lid = f->port_lid[f->host_slot[f->n_hosts - 1]], home = f->lid_switch[lid];
	uint32_t s = odo_host_switch(f, 0), n = f->lid_count;
	odo_path path;
	assert_int_not_equal(s, home);
	uint8_t good = t->lft[(size_t)s * n + lid], *entry = &t->lft[(size_t)s * n + lid];
	*entry = ODO_NO_PORT;
	odo_path_find(t, 0, s, lid, 0, &path);
	assert_int_equal(path.end, ODO_PATH_NO_ENTRY);
	assert_int_equal(path.at, s);
	assert_int_equal(path.n, 1);
	*entry = (uint8_t)odo_port(f, f->peer[f->host_slot[0]]);
	odo_path_find(t, 0, s, lid, 0, &path);
	assert_int_equal(path.end, ODO_PATH_NO_CABLE);
	*entry = good;
	uint32_t next = odo_next_switch(f, odo_slot(f, s, good));
	uint8_t *back = &t->lft[(size_t)next * n + lid], kept = *back;
	*back = (uint8_t)odo_port(f, f->peer[odo_slot(f, s, good)]);
	odo_path_find(t, 0, s, lid, 0, &path);
	assert_int_equal(path.end, ODO_PATH_LOOPS);
	assert_int_equal(path.n, ODO_MOST_HOPS);
	*back = kept;
	odo_sl2vl drop = {{ODO_VL_DROP}};
	odo_error err;
	uint16_t row;
	assert_int_equal(odo_tables_row(t, &drop, &row, &err), 0);
	*odo_sl2vl_entry(t, s, odo_port(f, f->peer[f->host_slot[0]]), good) = row;
	odo_path_find(t, 0, s, lid, 0, &path);
	assert_int_equal(path.end, ODO_PATH_DROPPED);
	assert_int_equal(path.at, s);
	odo_path_find(t, ODO_NONE, home, f->switch_lid[home], 0, &path);
	assert_int_equal(path.end, ODO_PATH_ARRIVES);
	assert_int_equal(path.n, 0);
	odo_tables_free(t);
	unmake(&x);
}

/* Count the pairs over every slot by following all of them. */
static uint64_t *count_all_pairs(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	uint64_t *n = calloc(f->n_slots, sizeof *n);
	uint32_t path[ODO_MAX_PATH + 3];
	for (uint32_t h = 0; h < f->n_senders; h++)
		for (uint32_t lid = 1; lid < f->lid_count; lid++) {
			if (f->lid_switch[lid] == ODO_NONE || f->lid_host[lid] == ODO_NONE ||
			    f->lid_host[lid] == h)
				continue;
			uint32_t hops = odo_follow(t, h, lid, path);
			for (uint32_t k = 0; k < hops; k++)
				n[path[k]]++;
		}
	return n;
}

static void a_crossing_has_the_pairs_that_cross(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x;
		odo_tables *t = route_trace(&x, &cases[i], i % 2);
		uint64_t *n = count_all_pairs(t);
		odo_crossing crossing;
		odo_error err;
		for (uint32_t slot = 0; slot < x.f->n_slots; slot++) {
			uint64_t sends = 0, gets = 0;
			assert_int_equal(odo_crossing_find(t, slot, &crossing, &err), 0);
			for (uint32_t h = 0; h < x.f->n_hosts; h++) {
				sends += crossing.sends[h];
				gets += crossing.gets[h];
			}
			assert_int_equal(crossing.n_pairs, n[slot]);
			assert_int_equal(sends, n[slot]);
			assert_int_equal(gets, n[slot]);
			odo_crossing_clear(&crossing);
		}
		free(n);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* A fault that makes paths slow: a channel, a cable, a switch or an adapter. */
typedef enum slow_sort { ONE_WAY, CABLE, SWITCH, ADAPTER, N_SORTS } slow_sort;

static bool is_slow_over(const odo_fabric *f, slow_sort sort, uint32_t slot, uint32_t sent)
{
	return sort == ONE_WAY ? sent == slot
	       : sort == CABLE ? sent == slot || sent == f->peer[slot]
			       : f->owner[sent] == f->owner[slot] ||
					 f->owner[f->peer[sent]] == f->owner[slot];
}

/* Return true if a suspect is crossed by the slow pairs and no others, or is the fault. */
static bool is_found(const odo_suspect *x, slow_sort sort, uint32_t slot, const odo_fabric *f)
{
	bool whole = !x->n_fine && x->score > 0.999999;
	bool same = sort >= SWITCH ? x->node == f->owner[slot]
				   : x->slot == slot || (x->slot == f->peer[slot] && x->both);
	return whole || same;
}

static void a_slow_part_is_the_first_suspect(void **state)
{
	(void)state;
	unsigned n_found = 0, n_tried = 0;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x;
		odo_tables *t = route_trace(&x, &cases[i], 0);
		const odo_fabric *f = x.f;
		uint32_t path[ODO_MAX_PATH + 3], n = 0, n_slow;
		odo_measured *pairs = calloc((size_t)f->n_hosts * f->n_hosts, sizeof *pairs);
		for (uint64_t seed = 0; seed < 40; seed++) {
			odo_rng rng = odo_rng_make(seed, i);
			slow_sort sort = (slow_sort)(seed % N_SORTS);
			uint32_t slot = odo_rng_next(&rng) % f->n_slots;
			while (f->peer[slot] == ODO_NONE ||
			       (sort >= SWITCH &&
				odo_is_switch(f, f->owner[slot]) != (sort == SWITCH)))
				slot = (slot + 1) % f->n_slots;
			n = n_slow = 0;
			for (uint32_t k = 0; k < f->n_hosts * f->n_hosts; k++) {
				odo_measured pair = {k / f->n_hosts, k % f->n_hosts, false};
				uint32_t lid = f->port_lid[f->host_slot[pair.to]];
				if (pair.from == pair.to || odo_rng_next(&rng) % 2)
					continue;
				uint32_t hops = odo_follow(t, pair.from, lid, path);
				while (hops && !pair.slow)
					pair.slow = is_slow_over(f, sort, slot, path[--hops]);
				n_slow += pair.slow;
				pairs[n++] = pair;
			}
			odo_suspect suspect[3];
			uint32_t n_suspects;
			odo_error err;
			assert_int_equal(
				odo_suspects_find(t, pairs, n, 3, suspect, &n_suspects, &err), 0);
			assert_int_equal(n_suspects > 0, n_slow > 0);
			n_tried += n_slow > 0;
			n_found += n_slow && is_found(&suspect[0], sort, slot, f);
			if (n_slow && suspect[0].score > 0.999999)
				assert_int_equal(suspect[0].n_slow, n_slow);
		}
		free(pairs);
		odo_tables_free(t);
		unmake(&x);
	}
	print_message("%u of %u slow parts are the first suspect\n", n_found, n_tried);
	assert_true(n_tried > 150);
	assert_int_equal(n_found, n_tried);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_has_the_slots_of_the_analyser),
		cmocka_unit_test(a_path_says_where_it_ends),
		cmocka_unit_test(a_crossing_has_the_pairs_that_cross),
		cmocka_unit_test(a_slow_part_is_the_first_suspect),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
