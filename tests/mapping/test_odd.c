/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics at the edge of making sense. */
#include "base/random.h"
#include "trial.h"
#include "tests/unit.h"

/* `n` switches of 40 ports, cabled as `link` says: pairs of switches, in order of free ports. */
static odo_fabric *make(uint32_t n, const uint32_t (*link)[2], size_t n_links)
{
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	unsigned *used = calloc(n, sizeof *used);
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < n; s++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = 40};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (size_t i = 0; i < n_links; i++) {
		unsigned p = ++used[link[i][0]], q = ++used[link[i][1]];
		assert_int_equal(
			odo_builder_link(b, link[i][0], p, link[i][1], q, (odo_link_info){0}, &err),
			0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	free(used);
	return f;
}

static odo_coordinates *map(const odo_fabric *f)
{
	odo_coordinates *c;
	odo_error err;
	assert_int_equal(odo_map(f, &c, &err), 0);
	assert_int_equal(c->n_switches, f->n_switches);
	assert_true(c->kind != ODO_KIND_UNKNOWN || *c->reason);
	return c;
}

static void expect_kind(uint32_t n, const uint32_t (*link)[2], size_t n_links, odo_kind kind)
{
	odo_fabric *f = make(n, link, n_links);
	odo_coordinates *c = map(f);
	assert_int_equal(c->kind, kind);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void few_switches_are_what_they_are(void **state)
{
	static const uint32_t one[][2] = {{0, 1}}, three[][2] = {{0, 1}, {1, 2}, {2, 0}};
	(void)state;
	expect_kind(0, NULL, 0, ODO_KIND_UNKNOWN);
	expect_kind(1, NULL, 0, ODO_KIND_FLATFLY);
	expect_kind(2, NULL, 0, ODO_KIND_UNKNOWN);
	expect_kind(2, one, 1, ODO_KIND_FLATFLY);
	expect_kind(3, three, 3, ODO_KIND_FLATFLY);
	expect_kind(3, NULL, 0, ODO_KIND_UNKNOWN);
	expect_kind(5, one, 1, ODO_KIND_UNKNOWN);
}

static void a_cable_from_a_switch_to_itself_is_wrong(void **state)
{
	static const uint32_t links[][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 1}};
	(void)state;
	odo_fabric *f = make(3, links, 4);
	odo_coordinates *c = map(f);
	assert_int_equal(c->kind, ODO_KIND_FLATFLY);
	assert_int_equal(c->n_faults, 1);
	assert_int_equal(c->faults[0].type, ODO_FAULT_WRONG_LINK);
	assert_int_equal(c->faults[0].node[0], 1);
	assert_int_equal(c->faults[0].node[1], 1);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* The dimension in which a cable joins two places, from coordinates alone; -1 for none. */
static int dimension_between(const odo_coordinates *c, uint32_t s, uint32_t t)
{
	const uint32_t *a = odo_at(c, s), *b = odo_at(c, t);
	if (c->kind == ODO_KIND_DRAGONFLY && a[0] != b[0])
		return ODO_PORT_GLOBAL;
	int dim = -1;
	for (unsigned i = 0; i < c->n_dims; i++) {
		if (a[i] == b[i])
			continue;
		if (dim >= 0)
			return -1;
		dim = (int)i;
		uint32_t k = c->size[i];
		if (c->factor[i] == ODO_CYCLE && (a[i] + 1) % k != b[i] && (b[i] + 1) % k != a[i])
			return -1;
	}
	return dim;
}

/* Whatever is found, coordinates and port classes must say the same of every cable, no two switches
 * share a place, and next to no cable is wrong: nothing is bent into a shape. */
static void expect_honest(const odo_fabric *f, const odo_coordinates *c)
{
	uint32_t wrong = 0, n = 0;
	if (c->kind == ODO_KIND_UNKNOWN) {
		assert_true(*c->reason && !strchr(c->reason, '\n'));
		for (uint32_t i = 0; i < c->n_faults; i++) { /* cables to the same switch */
			assert_int_equal(c->faults[i].type, ODO_FAULT_WRONG_LINK);
			assert_int_equal(c->faults[i].node[0], c->faults[i].node[1]);
		}
		return;
	}
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (unsigned i = 0; i < c->n_dims; i++)
			assert_true(odo_at(c, s)[i] < c->size[i] || odo_at(c, s)[i] == ODO_NONE);
		for (uint32_t t = 0; t < s; t++)
			assert_true(odo_at(c, s)[0] == ODO_NONE ||
				    memcmp(odo_at(c, s), odo_at(c, t), c->n_dims * sizeof *c->at));
	}
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		uint32_t far = odo_next_switch(f, slot);
		if (far == ODO_NONE || far == f->owner[slot]) /* a loop is wrong by itself */
			continue;
		n++;
		assert_int_equal(c->port_class[slot], c->port_class[f->peer[slot]]);
		if (c->port_class[slot] == ODO_PORT_WRONG)
			wrong++;
		else
			assert_int_equal(c->port_class[slot],
					 dimension_between(c, f->owner[slot], far));
	}
	assert_true(wrong <= 8 || wrong <= n / 10); /* both ends of two, or of 5 % */
}

/* A graph by name, in which vertices a < b are linked where `linked` says so. */
typedef struct named {
	const char *name;
	uint32_t n;
	bool (*linked)(uint32_t a, uint32_t b);
	odo_kind kind; /* expected; -1 for an honest answer */
} named;

static bool in_mesh(uint32_t a, uint32_t b)
{
	return (a / 8 == b / 8 && b - a == 1) || b - a == 8;
}

/* Rows are closed, columns are not. */
static bool in_cylinder(uint32_t a, uint32_t b)
{
	return in_mesh(a, b) || (a / 8 == b / 8 && b - a == 7);
}

/* Each row's ends are linked to the next row's: a torus with a twist. */
static bool in_twisted(uint32_t a, uint32_t b)
{
	return b - a == 1 || b - a == 63 || b - a == 8 || b - a == 56;
}

static bool in_petersen(uint32_t a, uint32_t b)
{
	if (a < 5 && b < 5)
		return b - a == 1 || b - a == 4;
	return a >= 5 ? b - a == 2 || b - a == 3 : b == a + 5;
}

static bool in_star(uint32_t a, uint32_t b)
{
	return a == 0 && b;
}

static bool in_path(uint32_t a, uint32_t b)
{
	return b == a + 1;
}

static bool in_ring(uint32_t a, uint32_t b)
{
	return b == a + 1 || b - a == 29;
}

static bool in_bipartite(uint32_t a, uint32_t b)
{
	return (a ^ b) & 1;
}

static bool in_tree(uint32_t a, uint32_t b)
{
	return (b - 1) / 3 == a;
}

/* Quadratic residues of 37: a Paley graph. */
static bool in_paley(uint32_t a, uint32_t b)
{
	for (uint32_t x = 1; x < 37; x++)
		if (x * x % 37 == b - a)
			return true;
	return false;
}

static bool in_de_bruijn(uint32_t a, uint32_t b)
{
	return 2 * a % 64 == b || 2 * b % 64 == a || (2 * a + 1) % 64 == b || (2 * b + 1) % 64 == a;
}

static bool in_two_cliques(uint32_t a, uint32_t b)
{
	return a / 12 == b / 12;
}

static bool in_dumbbell(uint32_t a, uint32_t b)
{
	return a / 12 == b / 12 || (a == 11 && b == 12);
}

static const named graphs[] = {
	{"8x8 mesh", 64, in_mesh, ODO_KIND_MESH},
	{"cylinder", 64, in_cylinder, ODO_KIND_TORUS},
	{"twisted 8x8 torus", 64, in_twisted, -1},
	{"Petersen", 10, in_petersen, ODO_KIND_UNKNOWN},
	{"star", 30, in_star, ODO_KIND_UNKNOWN},
	{"path", 30, in_path, ODO_KIND_MESH},
	{"ring", 30, in_ring, ODO_KIND_TORUS},
	{"complete bipartite", 24, in_bipartite, ODO_KIND_UNKNOWN},
	{"tree", 40, in_tree, ODO_KIND_UNKNOWN},
	{"Paley", 37, in_paley, ODO_KIND_UNKNOWN},
	{"de Bruijn", 64, in_de_bruijn, ODO_KIND_UNKNOWN},
	{"two cliques", 24, in_two_cliques, ODO_KIND_UNKNOWN},
	{"dumbbell", 24, in_dumbbell, -1},
};

static void graphs_near_to_a_kind_are_not_bent_into_it(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, graphs, graphs[i].name); i++) {
		static uint32_t link[64 * 63 / 2][2];
		const named *g = &graphs[i];
		size_t n = 0;
		for (uint32_t a = 0; a < g->n; a++) {
			for (uint32_t b = a + 1; b < g->n; b++) {
				if (!g->linked(a, b))
					continue;
				link[n][0] = a;
				link[n++][1] = b;
			}
		}
		odo_fabric *f = make(g->n, (const uint32_t(*)[2])link, n);
		odo_coordinates *c = map(f);
		if ((int)g->kind >= 0 && c->kind != g->kind)
			fail_msg("%s: found a %s", g->name, odo_kind_name(c->kind));
		expect_honest(f, c);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

/* All ports of two switches cabled to each other: a width of 254. */
static void as_many_cables_as_ports_are_one_link(void **state)
{
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	(void)state;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < 2; s++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = ODO_MAX_PORTS};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (unsigned p = 1; p <= ODO_MAX_PORTS; p++)
		assert_int_equal(odo_builder_link(b, 0, p, 1, p, (odo_link_info){0}, &err), 0);
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	odo_coordinates *c = map(f);
	assert_int_equal(c->kind, ODO_KIND_FLATFLY);
	assert_int_equal(c->width[0], ODO_MAX_PORTS);
	assert_int_equal(c->n_faults, 0);
	expect_honest(f, c);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* Nothing is expected of these but an honest answer: dense, sparse, parallel and looped cables. */
static void random_cabling_gets_an_answer(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		odo_rng rng = odo_rng_make(seed, 0);
		uint32_t n = 1 + odo_rng_below(&rng, 40), links[400][2];
		size_t n_links = odo_rng_below(&rng, n * 8 < 400 ? n * 8 : 400), kept = 0;
		unsigned used[41] = {0};
		for (size_t i = 0; i < n_links; i++) {
			uint32_t a = odo_rng_below(&rng, n), b = odo_rng_below(&rng, n);
			if (used[a] + 2 > 40 || used[b] + 2 > 40)
				continue;
			used[a]++;
			used[b]++;
			links[kept][0] = a;
			links[kept++][1] = b;
		}
		odo_fabric *f = make(n, (const uint32_t(*)[2])links, kept);
		odo_coordinates *c = map(f);
		expect_honest(f, c);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_switches_are_what_they_are),
		cmocka_unit_test(a_cable_from_a_switch_to_itself_is_wrong),
		cmocka_unit_test(graphs_near_to_a_kind_are_not_bent_into_it),
		cmocka_unit_test(as_many_cables_as_ports_are_one_link),
		cmocka_unit_test(random_cabling_gets_an_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
