/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Kinds with something more: switches that hang on a core, and hosts where a kind has none. */
#include "base/random.h"
#include "fabric/topology/topology.h"
#include "site.h"

/* The cables and hosts of a generated fabric, with room for more switches. */
static void start_core(site *x, const char *spec, uint32_t more, odo_kind *kind)
{
	odo_fabric *f;
	odo_coordinates *truth;
	odo_error err;
	if (odo_topology_generate(spec, 0, &f, &truth, &err))
		fail_msg("%s: %s", spec, err.text);
	*kind = truth->kind;
	start(x, f->n_switches + more);
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		uint32_t s = f->owner[slot], next = odo_next_switch(f, slot);
		if (odo_is_switch(f, s) && next != ODO_NONE && slot < f->peer[slot])
			connect(x, s, next);
	}
	for (uint32_t s = 0; s < f->n_switches; s++)
		add_hosts(x, s, odo_hosts_of(f, s));
	odo_coordinates_free(truth);
	odo_fabric_free(f);
}

typedef struct extra {
	const char *name;
	uint32_t switches, cables, hosts; /* of each switch; cables to random core switches */
	bool chained;                     /* each further one hangs on the one before */
} extra;

static const extra extras[] = {{"login switch", 1, 1, 4, false},
			       {"island of two", 2, 2, 4, true},
			       {"storage", 2, 4, 20, false},
			       {"gateways without hosts", 3, 4, 0, false}};

static const char *const cores[] = {
	"slimfly:q=5,c=3",       "torus:k=6x6,c=2",   "flatfly:k=4x4x3,c=3", "hypercube:n=6,c=2",
	"dragonfly:p=3,a=6,h=3", "torus:k=4x4x4,c=2", "slimfly:q=7,c=2"};

static void hang_on(site *x, uint32_t n_core, const extra *e, odo_rng *rng)
{
	for (uint32_t i = 0; i < e->switches; i++) {
		for (uint32_t k = 0; k < e->cables; k++)
			connect(x, n_core + i, odo_rng_next(rng) % n_core);
		if (e->chained && i)
			connect(x, n_core + i, n_core + i - 1);
		add_hosts(x, n_core + i, e->hosts);
	}
}

static void what_hangs_on_a_core_does_not_hide_its_kind(void **state)
{
	(void)state;
	unsigned n_right = 0, n_tried = 0;
	for (size_t i = 0; TEST_ROW(i, cores, cores[i]); i++)
		for (size_t j = 0; TEST_ROW(j, extras, extras[j].name); j++)
			for (uint64_t seed = 1; seed <= (test_wide() ? 20 : 1); seed++) {
				odo_rng rng = odo_rng_make(seed, 10 * i + j);
				odo_kind kind;
				odo_fabric *f;
				site x;
				start_core(&x, cores[i], extras[j].switches, &kind);
				uint32_t n_core = x.n - extras[j].switches, n_placed = 0;
				hang_on(&x, n_core, &extras[j], &rng);
				odo_coordinates *c = map_site(&x, &f);
				for (uint32_t s = 0; s < n_core && c->n_dims; s++)
					n_placed += odo_at(c, s)[0] != ODO_NONE;
				bool right = c->kind == kind && n_placed == n_core && !c->n_faults;
				if (!right)
					print_message("%s with %s, seed %u: %s, %u faults; %s\n",
						      cores[i], extras[j].name, (unsigned)seed,
						      odo_kind_name(c->kind), c->n_faults,
						      c->reason);
				n_right += right;
				n_tried++;
				odo_coordinates_free(c);
				odo_fabric_free(f);
			}
	print_message("%u of %u cores with something more are right\n", n_right, n_tried);
	assert_true(100 * n_right >= 98 * n_tried);
}

static void few_hosts_on_cores_do_not_hide_a_tree(void **state)
{
	static const char *const trees[] = {"fattree:k=8,levels=3", "fattree:k=6,levels=3"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, trees, trees[i]); i++)
		for (uint32_t n = 1; n < 9; n++) {
			odo_kind kind;
			odo_fabric *f;
			site x;
			start_core(&x, trees[i], 0, &kind);
			for (uint32_t k = 0; k < n; k++)
				add_hosts(&x, x.n - 1 - k, 1);
			odo_coordinates *c = map_site(&x, &f);
			if (c->kind != ODO_KIND_FATTREE || c->n_faults)
				fail_msg("%u hosts on cores: %s, %u faults; %s", n,
					 odo_kind_name(c->kind), c->n_faults, c->reason);
			odo_coordinates_free(c);
			odo_fabric_free(f);
		}
}

/* A FlatFly of 7x4 whose last row has no hosts yet, and crosses two of its cables to other rows. */
static void a_row_without_hosts_keeps_its_wrong_cables(void **state)
{
	enum { ROWS = 7, COLUMNS = 4, N = ROWS * COLUMNS, LAST = N - COLUMNS };
	(void)state;
	odo_fabric *f;
	site x;
	start(&x, N);
	for (uint32_t s = 0; s < N; s++) {
		for (uint32_t t = s + 1; t < N; t++) {
			bool crossed = s < 2 && (t == LAST || t == LAST + 1);
			if (s / COLUMNS == t / COLUMNS || (s - t) % COLUMNS == 0)
				connect(&x, s, crossed ? LAST + 1 - s : t);
		}
		add_hosts(&x, s, s < LAST ? 3 : 0);
	}
	odo_coordinates *c = map_site(&x, &f);
	if (c->kind != ODO_KIND_FLATFLY || c->n_faults != 2 || c->n_more_switches)
		fail_msg("%s, %u faults; %s", odo_kind_name(c->kind), c->n_faults, c->reason);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* A random graph with hosts of several numbers has no core. */
static void a_graph_at_random_has_no_core(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 5; seed++) {
		odo_rng rng = odo_rng_make(seed, 77);
		odo_fabric *f;
		site x;
		start(&x, 60);
		for (uint32_t s = 0; s < 60; s++) {
			for (unsigned k = 0; k < 3; k++)
				connect(&x, s, (s + 1 + odo_rng_next(&rng) % 59) % 60);
			add_hosts(&x, s, odo_rng_next(&rng) % 8);
		}
		odo_coordinates *c = map_site(&x, &f);
		assert_int_equal(c->kind, ODO_KIND_UNKNOWN);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_hangs_on_a_core_does_not_hide_its_kind),
		cmocka_unit_test(few_hosts_on_cores_do_not_hide_a_tree),
		cmocka_unit_test(a_row_without_hosts_keeps_its_wrong_cables),
		cmocka_unit_test(a_graph_at_random_has_no_core),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
