/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Generated fabrics against the closed forms of paper 004, section 1: switches, hosts, degree,
 * diameter, and relative bisection, the least over cuts that halve one dimension. */
#include <stdlib.h>
#include <string.h>

#include "fabric/topology/field.h"
#include "fabric/topology/topology.h"
#include "tests/unit.h"

static odo_error err;

typedef struct form {
	const char *spec;
	odo_kind kind;
	uint32_t switches, hosts, degree, diameter; /* degree with hosts */
	double bisection;                           /* 0 where there is no easy form */
} form;

static const form forms[] = {
	/* Paper 004's own tables. */
	{"paper-torus-3d", ODO_KIND_TORUS, 2048, 16384, 34, 20, 0.15625},
	{"paper-torus-4d", ODO_KIND_TORUS, 2048, 16384, 36, 14, 0.25},
	{"paper-flatfly", ODO_KIND_FLATFLY, 2048, 16384, 35, 4, 0.5},
	{"paper-hypercube", ODO_KIND_HYPERCUBE, 2048, 16384, 30, 11, 0.25},
	{"paper-dragonfly", ODO_KIND_DRAGONFLY, 2048, 16384, 31, 3, 0},
	{"paper-slimfly-1", ODO_KIND_SLIMFLY_FLATFLY, 2048, 16384, 34, 4, 0},
	{"paper-slimfly-2", ODO_KIND_SLIMFLY_FLATFLY, 2048, 16384, 35, 3, 0},
	/* Its formulas elsewhere. */
	{"flatfly:k=7x5,l=1x3,c=2", ODO_KIND_FLATFLY, 35, 70, 2 + 6 + 3 * 4, 2, 0},
	{"flatfly:k=6x4,l=1x3,c=2", ODO_KIND_FLATFLY, 24, 48, 2 + 5 + 3 * 3, 2, 6. / 4},
	{"flatfly:k=1,c=5", ODO_KIND_FLATFLY, 1, 5, 5, 0, 0},
	{"flatfly:k=4x1x2", ODO_KIND_FLATFLY, 8, 8, 5, 2, 0.5 * 2},
	{"hypercube:n=7,l=2,c=3", ODO_KIND_HYPERCUBE, 128, 384, 17, 7, 2. * 2 / 6},
	{"hypercube:n=1", ODO_KIND_FLATFLY, 2, 2, 2, 1, 1},
	{"torus:k=6x10,l=2x1,c=1", ODO_KIND_TORUS, 60, 60, 7, 8, 0.4},
	{"mesh:k=6x10,l=2x1,c=1", ODO_KIND_MESH, 60, 60, 7, 14, 0.2},
	/* Cycles of 2, 3 and 4 are complete graphs and their products. */
	{"torus:k=2x2x2", ODO_KIND_HYPERCUBE, 8, 8, 4, 3, 1},
	{"torus:k=4x4", ODO_KIND_HYPERCUBE, 16, 16, 5, 4, 1},
	{"torus:k=3x2", ODO_KIND_FLATFLY, 6, 6, 4, 2, 0},
	{"torus:k=4x5", ODO_KIND_TORUS, 20, 20, 5, 4, 0},
	/* g = a*h + 1 groups of a switches; degree p + (a - 1) + h. */
	{"dragonfly:p=3,a=6,h=3", ODO_KIND_DRAGONFLY, 114, 342, 11, 3, 0},
	{"dragonfly:p=3,a=6,h=3,arrangement=consecutive", ODO_KIND_DRAGONFLY, 114, 342, 11, 3, 0},
	{"dragonfly:p=3,a=6,h=3,arrangement=relative", ODO_KIND_DRAGONFLY, 114, 342, 11, 3, 0},
	{"dragonfly:p=3,a=6,h=3,arrangement=circulant", ODO_KIND_DRAGONFLY, 114, 342, 11, 3, 0},
	{"dragonfly:p=3,a=6,h=3,g=18,arrangement=numbered", ODO_KIND_DRAGONFLY, 108, 324, 11, 3, 0},
	{"dragonfly:p=3,a=6,h=3,arrangement=shuffled", ODO_KIND_DRAGONFLY, 114, 342, 11, 3, 0},
	{"dragonfly:p=3,a=6,h=3,w=2", ODO_KIND_DRAGONFLY, 114, 342, 14, 3, 0},
	{"dragonfly:p=1,a=3x4,h=1,l=2x1", ODO_KIND_DRAGONFLY, 156, 156, 1 + 4 + 3 + 1, 5, 0},
	{"dragonfly:p=1,a=2x2x3,h=1", ODO_KIND_DRAGONFLY, 156, 156, 1 + 1 + 1 + 2 + 1, ODO_NONE, 0},
	{"dragonfly:p=2,a=8,h=4,g=9", ODO_KIND_DRAGONFLY, 72, 144, 13, 3, 0},
	{"dragonfly:p=2,a=8,h=4,g=9,cables=2", ODO_KIND_DRAGONFLY, 72, 144, 13, 3, 0},
	/* 2q^2 switches of degree (3q - delta)/2 where q = 4w + delta, diameter 2. */
	{"slimfly:q=3", ODO_KIND_SLIMFLY, 18, 18, 1 + 5, 2, 0},
	{"slimfly:q=4", ODO_KIND_SLIMFLY, 32, 32, 1 + 6, 2, 0},
	{"slimfly:q=5", ODO_KIND_SLIMFLY, 50, 50, 1 + 7, 2, 0},
	{"slimfly:q=7", ODO_KIND_SLIMFLY, 98, 98, 1 + 11, 2, 0},
	{"slimfly:q=8", ODO_KIND_SLIMFLY, 128, 128, 1 + 12, 2, 0},
	{"slimfly:q=9,c=7", ODO_KIND_SLIMFLY, 162, 1134, 7 + 13, 2, 0},
	{"slimfly:q=11", ODO_KIND_SLIMFLY, 242, 242, 1 + 17, 2, 0},
	{"slimfly:q=13,l=2", ODO_KIND_SLIMFLY, 338, 338, 1 + 2 * 19, 2, 0},
	{"slimfly:q=16", ODO_KIND_SLIMFLY, 512, 512, 1 + 24, 2, 0},
	{"slimfly:q=25", ODO_KIND_SLIMFLY, 1250, 1250, 1 + 37, 2, 0},
	{"slimfly:q=27", ODO_KIND_SLIMFLY, 1458, 1458, 1 + 41, 2, 0},
	{"slimfly-flatfly:q=5,l=2,k=3x2,w=1x3,c=4", ODO_KIND_SLIMFLY_FLATFLY, 300, 1200,
	 4 + 14 + 2 + 3, 4, 0},
	/* Of k ports and L levels: (2L - 1) * (k/2)^(L - 1) switches, 2 * (k/2)^L hosts. */
	{"fattree:k=6,levels=2", ODO_KIND_FATTREE, 9, 18, 6, 2, 0},
	{"fattree:k=6,levels=3", ODO_KIND_FATTREE, 45, 54, 6, 4, 0},
	{"fattree:k=4,levels=4", ODO_KIND_FATTREE, 56, 32, 4, 6, 0},
	/* 18 leaves, 12 of the middle in 3 pods, 4 on top. */
	{"pgft:m=4x6x3,w=1x2x2,p=1x2x1", ODO_KIND_FATTREE, 28, 72, 14, 4, 0},
	/* Leaves of one group are 2 apart, of different ones 3. */
	{"dragonfly-plus:p=2,leaves=4,spines=4,h=2,g=9", ODO_KIND_DRAGONFLY_PLUS, 72, 72, 6, ODO_NONE,
	 0},
	/* The negatives. */
	{"random:n=50,d=5,c=2", ODO_KIND_UNKNOWN, 50, 100, 7, ODO_NONE, 0},
	{"bipartite:n=20,d=4,c=1", ODO_KIND_UNKNOWN, 40, 40, 5, ODO_NONE, 0},
};
#define N_FORMS (sizeof forms / sizeof *forms)

static uint32_t farthest(const odo_fabric *f, uint32_t from, uint32_t *distance, uint32_t *queue)
{
	uint32_t head = 0, tail = 0;
	memset(distance, 0xff, f->n_switches * sizeof *distance);
	distance[queue[tail++] = from] = 0;
	while (head < tail) {
		uint32_t s = queue[head++];
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t t = odo_next_switch(f, i);
			if (t != ODO_NONE && distance[t] == ODO_NONE)
				distance[queue[tail++] = t] = distance[s] + 1;
		}
	}
	assert_int_equal(tail, f->n_switches);
	return distance[queue[tail - 1]];
}

/* Over up to about 200 sources, all for small fabrics. */
static uint32_t diameter(const odo_fabric *f)
{
	uint32_t *distance = calloc(f->n_switches, sizeof *distance), most = 0;
	uint32_t *queue = calloc(f->n_switches, sizeof *queue);
	for (uint32_t s = 0; s < f->n_switches; s += 1 + f->n_switches / 200) {
		uint32_t far = farthest(f, s, distance, queue);
		most = far > most ? far : most;
	}
	free(distance);
	free(queue);
	return most;
}

static uint32_t most_cabled(const odo_fabric *f)
{
	uint32_t most = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t n = 0;
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
			n += f->peer[i] != ODO_NONE;
		most = n > most ? n : most;
	}
	return most;
}

/* Cables that a cut in the middle of each even dimension severs, per host of a half. */
static double bisection(const odo_fabric *f, const odo_coordinates *c)
{
	double least = 1e9;
	for (unsigned d = 0; d < c->n_dims; d++) {
		uint32_t half = c->size[d] / 2, cut = 0;
		for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++)
			if (odo_next_switch(f, i) != ODO_NONE)
				cut += odo_at(c, f->owner[i])[d] < half &&
				       odo_at(c, odo_neighbour(f, i))[d] >= half;
		if (c->size[d] % 2 == 0 && cut / (f->n_hosts / 2.) < least)
			least = cut / (f->n_hosts / 2.);
	}
	return least;
}

static void fabrics_have_the_closed_forms(void **state)
{
	(void)state;
	for (const form *x = forms; x < forms + N_FORMS; x++) {
		odo_fabric *f;
		odo_coordinates *c;
		if (odo_topology_generate(x->spec, 0, &f, &c, &err))
			fail_msg("%s", err.text);
		uint32_t far = diameter(f);
		if (f->n_switches != x->switches || f->n_hosts != x->hosts ||
		    most_cabled(f) != x->degree || c->kind != x->kind ||
		    (x->diameter != ODO_NONE && far != x->diameter))
			fail_msg("%s: %u switches, %u hosts, degree %u, diameter %u, %s", x->spec,
				 f->n_switches, f->n_hosts, most_cabled(f), far,
				 odo_kind_name(c->kind));
		if (x->bisection > 0 && bisection(f, c) != x->bisection)
			fail_msg("%s: bisection %g, not %g", x->spec, bisection(f, c),
				 x->bisection);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

/* Each group of the reference dragonfly has one cable to each other and one port left: half
 * the groups have 64 * 64 cables to the other half, for 8,192 hosts. */
static void reference_dragonfly_is_halved_as_in_the_paper(void **state)
{
	(void)state;
	odo_fabric *f;
	odo_coordinates *c;
	assert_int_equal(odo_topology_generate("paper-dragonfly", 0, &f, &c, &err), 0);
	uint32_t cut = 0, global = 0;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		if (c->port_class[i] != ODO_PORT_GLOBAL)
			continue;
		global++;
		cut += odo_at(c, f->owner[i])[0] < 64 && odo_at(c, odo_neighbour(f, i))[0] >= 64;
	}
	assert_int_equal(global, 128 * 127);
	assert_int_equal(cut * 2, 8192);
	assert_int_equal(c->width[0], 1);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void check_field(uint32_t q)
{
	odo_field field;
	assert_int_equal(odo_field_make(&field, q, &err), 0);
	for (uint32_t a = 0; a < q; a++) {
		assert_int_equal(odo_field_add(&field, a, odo_field_negative(&field, a)), 0);
		assert_int_equal(odo_field_multiply(&field, a, 1), a);
		uint32_t inverses = 0;
		for (uint32_t b = 0; b < q; b++) {
			uint32_t ab = odo_field_multiply(&field, a, b), c = (a * 7 + b * 3 + 1) % q;
			inverses += ab == 1;
			assert_true(ab < q && (ab || !a || !b));
			assert_int_equal(
				odo_field_multiply(&field, a, odo_field_add(&field, b, c)),
				odo_field_add(&field, ab, odo_field_multiply(&field, a, c)));
		}
		assert_int_equal(inverses, a != 0);
	}
}

static void finite_fields_are_fields(void **state)
{
	(void)state;
	static const uint32_t orders[] = {2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49, 64, 81, 125, 169, 512};
	static const uint32_t none[] = {0, 1, 6, 10, 12, 100, 500, 521};
	odo_field field;
	for (size_t i = 0; TEST_ROW(i, orders, NULL); i++)
		check_field(orders[i]);
	for (size_t i = 0; TEST_ROW(i, none, NULL); i++)
		assert_int_equal(odo_field_make(&field, none[i], &err), ODO_EINPUT);
}

static void seeds_make_random_graphs_differ(void **state)
{
	(void)state;
	static const char *const kinds[] = {"random:n=40,d=3", "bipartite:n=20,d=3"};
	for (unsigned i = 0; i < 2; i++) {
		odo_fabric *f[3];
		for (unsigned k = 0; k < 3; k++) {
			char spec[60];
			snprintf(spec, sizeof spec, "%s,seed=%u", kinds[i], k / 2);
			assert_int_equal(odo_topology_generate(spec, 0, &f[k], NULL, &err), 0);
		}
		size_t size = f[0]->n_slots * sizeof *f[0]->peer;
		assert_memory_equal(f[0]->peer, f[1]->peer, size);
		assert_memory_not_equal(f[0]->peer, f[2]->peer, size);
		for (uint32_t s = 0; i == 1 && s < f[0]->first_slot[40]; s++) {
			uint32_t t = odo_next_switch(f[0], s);
			if (t != ODO_NONE)
				assert_true((f[0]->owner[s] < 20) != (t < 20));
		}
		for (unsigned k = 0; k < 3; k++)
			odo_fabric_free(f[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finite_fields_are_fields),
		cmocka_unit_test(fabrics_have_the_closed_forms),
		cmocka_unit_test(reference_dragonfly_is_halved_as_in_the_paper),
		cmocka_unit_test(seeds_make_random_graphs_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
