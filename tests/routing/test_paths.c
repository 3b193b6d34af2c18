/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Paths are those that the papers describe, are dealt out evenly, and stay where they are when
 * a cable elsewhere dies. */
#include "fixture.h"
#include "fabric/topology/field.h"
#include "routing/graph/distance.h"

static odo_tables *route(const fixture *x, const char *engine)
{
	odo_tables *t = NULL;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static uint32_t step(const odo_tables *t, uint32_t s, uint32_t lid)
{
	return odo_next_switch(t->fabric, odo_slot(t->fabric, s, odo_next_port(t, s, lid)));
}

/* True if the cable that s uses for a LID runs in this dimension. */
static bool runs_in(const odo_tables *t, const odo_coordinates *c, uint32_t s, uint32_t lid,
		    unsigned dim)
{
	return c->port_class[odo_slot(t->fabric, s, odo_next_port(t, s, lid))] == dim;
}

static void dor_takes_dimensions_in_order(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x4x2,c=2", 0);
	odo_tables *t = route(&x, "dor");
	for (uint32_t s = 0; s < x.f->n_switches; s++) {
		for (uint32_t lid = 1; lid < x.f->lid_count; lid++) {
			uint32_t d = x.f->lid_switch[lid], dim = 0;
			if (d == s)
				continue;
			while (odo_at(x.c, s)[dim] == odo_at(x.c, d)[dim])
				dim++;
			assert_true(runs_in(t, x.c, s, lid, dim));
		}
	}
	odo_tables_free(t);
	unmake(&x);
}

/* Paper 004, section 3.3: (1,2,3,4), (2,4,1,3), (3,1,4,2), (4,3,2,1) by the host's index; with
 * several LIDs per host, by the LID's offset too. */
static void mixed_dor_takes_the_papers_orders(void **state)
{
	(void)state;
	static const unsigned orders[4][4] = {
		{0, 1, 2, 3}, {1, 3, 0, 2}, {2, 0, 3, 1}, {3, 2, 1, 0}};
	for (uint8_t lmc = 0; lmc < 3; lmc++) {
		fixture x = make("flatfly:k=2x3x2x2,c=4", lmc);
		odo_tables *t = route(&x, "mixed-dor");
		assert_int_equal(t->n_sls, 4);
		assert_int_equal(t->n_vls, 4);
		for (uint32_t h = 0; h < x.f->n_hosts; h++) {
			for (unsigned sl = 0; sl < 4; sl++) /* hosts' own links have them, too */
				assert_int_equal(t->rows[t->host_row[h]].vl[sl], sl);
			for (uint32_t k = 0; k < 1u << lmc; k++) {
				uint32_t lid = x.f->port_lid[x.f->host_slot[h]] + k;
				unsigned index = (h % 4 + k) % 4;
				const unsigned *dim = orders[index];
				assert_int_equal(t->sl_of_lid[lid], index);
				for (uint32_t s = 0; s < x.f->n_switches; s++) {
					uint32_t d = x.f->lid_switch[lid], i = 0;
					while (i < 4 &&
					       odo_at(x.c, s)[dim[i]] == odo_at(x.c, d)[dim[i]])
						i++;
					assert_true(i == 4 || runs_in(t, x.c, s, lid, dim[i]));
				}
			}
		}
		odo_tables_free(t);
		unmake(&x);
	}
}

static unsigned global_hops(const odo_tables *t, const odo_coordinates *c, uint32_t s, uint32_t lid,
			    unsigned *hops)
{
	unsigned n = 0;
	*hops = 0;
	while (t->fabric->lid_switch[lid] != s) {
		n += runs_in(t, c, s, lid, ODO_PORT_GLOBAL);
		s = step(t, s, lid);
		++*hops;
	}
	return n;
}

static void further_lids_pass_other_groups(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 2);
	odo_tables *t = route(&x, "dragonfly-valiant");
	unsigned n_over[4] = {0}, n_pairs = 0;
	for (uint32_t h = 0; h < x.f->n_hosts; h++) {
		for (uint32_t s = 0; s < x.f->n_switches; s++) {
			uint32_t d = odo_host_switch(x.f, h);
			n_pairs += odo_at(x.c, s)[0] != odo_at(x.c, d)[0];
			for (uint32_t k = 0; k < 4; k++) {
				uint32_t lid = x.f->port_lid[x.f->host_slot[h]] + k;
				unsigned hops, n = global_hops(t, x.c, s, lid, &hops);
				assert_true(hops <= (k ? 5 : 3));
				assert_true(n <= (k ? 2 : 1));
				n_over[k] += n == 2;
			}
		}
	}
	assert_int_equal(n_over[0], 0);
	/* Sources in the group passed go straight on: 1 in 8 here. */
	for (unsigned k = 1; k < 4; k++)
		assert_true(n_over[k] * 10 > n_pairs * 8);
	odo_tables_free(t);
	unmake(&x);
}

/* On a Dragonfly+ a group is passed at a spine, or the way is the shortest: here for 6 in 16 pairs
 * of groups there is a third one where both cables are at one spine. */
static void further_lids_pass_groups_at_spines(void **state)
{
	(void)state;
	fixture x = make("dragonfly-plus:p=2,leaves=4,spines=4,h=4,g=17", 1);
	odo_tables *t = route(&x, "dragonfly-plus-valiant");
	unsigned n_over[2] = {0}, n_pairs = 0;
	for (uint32_t h = 0; h < x.f->n_hosts; h++) {
		for (uint32_t s = 0; s < x.f->n_switches; s++) {
			uint32_t d = odo_host_switch(x.f, h);
			if (odo_at(x.c, s)[0] == odo_at(x.c, d)[0] || !odo_hosts_of(x.f, s))
				continue;
			n_pairs++;
			for (uint32_t k = 0; k < 2; k++) {
				uint32_t lid = x.f->port_lid[x.f->host_slot[h]] + k;
				unsigned hops, n = global_hops(t, x.c, s, lid, &hops);
				assert_int_equal(hops, n + 2);
				assert_true(n <= (k ? 2 : 1));
				n_over[k] += n == 2;
			}
		}
	}
	assert_int_equal(n_over[0], 0);
	assert_int_equal(16 * n_over[1], 6 * n_pairs);
	odo_tables_free(t);
	unmake(&x);
}

typedef struct vertex {
	uint32_t t, x, y;
} vertex;

static vertex vertex_of(const fixture *f, uint32_t s)
{
	uint32_t q = f->c->q, v = odo_at(f->c, s)[0];
	return (vertex){v / (q * q), v / q % q, v % q};
}

static uint32_t subtract(const odo_field *field, uint32_t a, uint32_t b)
{
	return odo_field_add(field, a, odo_field_negative(field, b));
}

/* The middle vertex of two hops by paper 004, section 3.6. Its unified form of (1) and (2)
 * has the wrong sign in the second line; they say y_i = y_s - x_s x_i for t = 0. */
static void expect_middle(const odo_field *field, vertex s, vertex m, vertex d)
{
	if (s.t == d.t && s.x == d.x) {
		assert_true(m.t == s.t && m.x == s.x);
		return;
	}
	if (s.t == d.t) {
		/* (x_s - x_d) x_i = +-(y_s - y_d): (1) and (2) without the division. */
		uint32_t dy = subtract(field, s.y, d.y);
		uint32_t product = odo_field_multiply(field, s.x, m.x);
		assert_int_equal(m.t, 1 - s.t);
		assert_int_equal(odo_field_multiply(field, subtract(field, s.x, d.x), m.x),
				 s.t ? odo_field_negative(field, dy) : dy);
		assert_int_equal(m.y, s.t ? odo_field_add(field, s.y, product)
					  : subtract(field, s.y, product));
		return;
	}
	uint32_t product = odo_field_multiply(field, s.x, d.x);
	if (d.t < s.t)
		product = odo_field_negative(field, product); /* (t_d - t_s) x_s x_d */
	vertex ty = {d.t, d.x, subtract(field, s.y, product)};
	vertex yt = {s.t, s.x, odo_field_add(field, d.y, product)};
	bool is_ty = m.t == ty.t && m.x == ty.x && m.y == ty.y;
	bool is_yt = m.t == yt.t && m.x == yt.x && m.y == yt.y;
	assert_true(is_ty || is_yt);
}

static void slimfly_paths_satisfy_the_field_equations(void **state)
{
	(void)state;
	static const char *const specs[] = {"slimfly:q=4,c=1", "slimfly:q=5,c=1", "slimfly:q=7,c=1",
					    "slimfly:q=9,c=1"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0);
		odo_tables *t = route(&x, "slimfly");
		odo_field field;
		odo_error err;
		assert_int_equal(odo_field_make(&field, x.c->q, &err), 0);
		for (uint32_t s = 0; s < x.f->n_switches; s++) {
			for (uint32_t d = 0; d < x.f->n_switches; d++) {
				uint32_t lid = x.f->switch_lid[d], m;
				if (s == d || (m = step(t, s, lid)) == d)
					continue;
				assert_int_equal(step(t, m, lid), d);
				expect_middle(&field, vertex_of(&x, s), vertex_of(&x, m),
					      vertex_of(&x, d));
			}
		}
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Hosts' LIDs over each of the parallel cables from one switch to another. */
static void parallel_cables_share_evenly(void **state)
{
	(void)state;
	static const char *const specs[] = {"flatfly:k=4x3,l=2x3,c=6", "hypercube:n=4,l=2,c=4"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture whole = make(specs[i], 0), x = shuffled(&whole, 5);
		odo_tables *t = route(&x, NULL);
		uint32_t *load = calloc(x.f->n_slots, sizeof *load);
		for (uint32_t s = 0; s < x.f->n_switches; s++)
			for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
				if (x.f->lid_host[lid] != ODO_NONE)
					load[odo_slot(x.f, s, odo_next_port(t, s, lid))]++;
		for (uint32_t a = 0; a < x.f->first_slot[x.f->n_switches]; a++)
			for (uint32_t b = x.f->first_slot[x.f->owner[a]]; b < a; b++)
				if (odo_next_switch(x.f, a) != ODO_NONE &&
				    odo_next_switch(x.f, a) == odo_next_switch(x.f, b))
					assert_int_equal(load[a], load[b]);
		free(load);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
}

static bool is_cut(const odo_fabric *f, const odo_fabric *g, uint32_t slot)
{
	return f->peer[slot] != ODO_NONE && g->peer[slot] == ODO_NONE;
}

/* True if packets from s to a LID pass a slot that is cut. */
static bool led_over(const odo_tables *t, const odo_fabric *g, uint32_t s, uint32_t lid)
{
	bool led = false;
	for (; t->fabric->lid_switch[lid] != s; s = step(t, s, lid)) {
		uint32_t slot = odo_slot(t->fabric, s, odo_next_port(t, s, lid));
		led |= is_cut(t->fabric, g, slot) || is_cut(t->fabric, g, t->fabric->peer[slot]);
	}
	return led;
}

/* With one cable gone, entries change whose packets passed it, and few others: none where it
 * was not one of several equal ways, which are then dealt out anew. */
static void one_dead_cable_changes_what_it_must(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		unsigned others; /* changes allowed for each that must be */
	} cases[] = {
		{"flatfly:k=4x4x4,l=2x1x1,c=4", "dor", 0},
		{"flatfly:k=4x4x4,l=1x1x2,c=4", "mixed-dor", 0},
		{"hypercube:n=5,l=2,c=2", "dor", 0},
		{"dragonfly:p=2,a=4,h=2", "dragonfly", 0},
		{"dragonfly:p=2,a=4,h=2,g=5", "dragonfly", 1},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x = make(cases[i].spec, 0);
		odo_tables *before = route(&x, cases[i].engine);
		uint32_t n_ends = 0;
		for (uint32_t a = 0; a < x.f->first_slot[x.f->n_switches]; a++)
			n_ends += odo_next_switch(x.f, a) != ODO_NONE;
		for (uint64_t seed = 0; seed < 6; seed++) {
			fixture y = damaged(&x, 0, 2.0 / n_ends, seed);
			odo_tables *after = route(&y, cases[i].engine);
			unsigned must = 0, other = 0;
			for (uint32_t s = 0; s < x.f->n_switches; s++) {
				for (uint32_t lid = 1; lid < x.f->lid_count; lid++) {
					bool led = led_over(before, y.f, s, lid);
					must += led;
					other += !led && odo_next_port(before, s, lid) !=
								 odo_next_port(after, s, lid);
				}
			}
			assert_true(must > 0);
			assert_memory_equal(before->sl_of_lid, after->sl_of_lid, x.f->lid_count);
			if (other > cases[i].others * must)
				fail_msg("%s: %u entries changed besides %u", cases[i].spec, other,
					 must);
			odo_tables_free(after);
			unmake(&y);
		}
		odo_tables_free(before);
		unmake(&x);
	}
}

/* Detours in a complete graph go up*\/down* within it, so that damage costs no further VLs. */
static void detours_on_a_flatfly_keep_to_their_layer(void **state)
{
	(void)state;
	static const struct {
		const char *engine;
		unsigned n_vls;
	} cases[] = {{"dor", 1}, {"mixed-dor", 4}};
	fixture x = make("flatfly:k=8x8x4,l=1x1x2,c=2", 0);
	for (uint64_t seed = 0; seed < 4; seed++) {
		fixture y = damaged(&x, 0, 0.04, seed);
		for (size_t i = 0; TEST_ROW(i, cases, cases[i].engine); i++) {
			odo_tables *t = route(&y, cases[i].engine);
			assert_int_equal(t->n_vls, cases[i].n_vls);
			odo_tables_free(t);
		}
		unmake(&y);
	}
	unmake(&x);
}

/* From and to the root up*\/down* paths are shortest ones. */
static void a_named_root_is_the_root(void **state)
{
	(void)state;
	fixture x = make("torus:k=6x5,c=1", 0);
	odo_error err;
	odo_arena memory = {0};
	uint8_t *dist;
	assert_int_equal(odo_distances(x.f, &memory, &dist, &err), 0);
	for (uint32_t root = 0; root < x.f->n_switches; root += 7) {
		uint64_t roots[] = {1, x.f->node_guid[root], x.f->node_guid[0]};
		odo_route_options options = {.roots = roots, .n_roots = 3};
		odo_tables *t;
		assert_int_equal(odo_route(x.f, x.c, "updown", &options, &t, &err), 0);
		for (uint32_t s = 0; s < x.f->n_switches; s++) {
			unsigned hops = 0;
			for (uint32_t at = s; at != root; hops++)
				at = step(t, at, x.f->switch_lid[root]);
			assert_int_equal(hops, dist[s * x.f->n_switches + root]);
			for (uint32_t at = root; at != s; hops--)
				at = step(t, at, x.f->switch_lid[s]);
			assert_int_equal(hops, 0);
		}
		odo_tables_free(t);
	}
	odo_arena_free(&memory);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dor_takes_dimensions_in_order),
		cmocka_unit_test(mixed_dor_takes_the_papers_orders),
		cmocka_unit_test(further_lids_pass_other_groups),
		cmocka_unit_test(further_lids_pass_groups_at_spines),
		cmocka_unit_test(slimfly_paths_satisfy_the_field_equations),
		cmocka_unit_test(parallel_cables_share_evenly),
		cmocka_unit_test(one_dead_cable_changes_what_it_must),
		cmocka_unit_test(a_named_root_is_the_root),
		cmocka_unit_test(detours_on_a_flatfly_keep_to_their_layer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
