/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Triangles and rectangles are those that one finds by looking at all triples and pairs of
 * switches; and what is bonded by them, and the sets of that. */
#include <stdio.h>
#include <stdlib.h>

#include "fabric/topology/topology.h"
#include "mapping/graph/squares.h"
#include "mapping/product/growth.h"
#include "mapping/slimfly/columns.h"
#include "tests/unit.h"

static const char *const specs[] = {
	"random:n=24,d=7,c=1", "random:n=40,d=5,c=1,seed=3", "dragonfly:p=1,a=4,h=2",
	"flatfly:k=4x3,c=1",   "hypercube:n=4,c=1",          "slimfly:q=5,c=1",
	"torus:k=5x3,c=1",
};

static bool joined(const odo_links *g, uint32_t u, uint32_t v)
{
	return odo_links_arc(g, u, v) != ODO_NONE;
}

static uint32_t common(const odo_links *g, uint32_t u, uint32_t v)
{
	uint32_t n = 0;
	for (uint32_t x = 0; x < g->n; x++)
		n += joined(g, u, x) && joined(g, v, x);
	return n;
}

static void expect_squares(const odo_links *g, odo_walk *walk, uint32_t u)
{
	uint32_t n, expected = 0;
	const odo_square *list = odo_walk_squares(walk, u, &n);
	for (uint32_t far = u + 1; far < g->n; far++)
		expected += !joined(g, u, far) && common(g, u, far) == 2;
	assert_int_equal(n, expected);
	for (uint32_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 2; k++) {
			uint32_t mid = odo_far_end(g, list[i].near[k], u);
			uint32_t far = odo_far_end(g, list[i].away[k], mid);
			assert_true(far > u && common(g, u, far) == 2 && !joined(g, u, far));
		}
}

/* Slim Flies count them in another way, for all links at once. */
static void expect_triangles(const odo_links *g, const uint32_t *triangles)
{
	uint8_t *counted = calloc(g->n_edges, sizeof *counted);
	assert_non_null(counted);
	assert_int_equal(odo_mms_count_triangles(g, counted), 0);
	for (uint32_t e = 0; e < g->n_edges; e++)
		assert_int_equal(counted[e], triangles[e]);
	free(counted);
}

/* Rectangles of which neither diagonal is a link or has a third path, from each of four corners. */
static uint32_t count_plain_corners(const odo_links *g)
{
	uint32_t n = 0;
	for (uint32_t u = 0; u < g->n; u++)
		for (uint32_t v = 0; v < g->n; v++)
			for (uint32_t x = 0; x < g->n; x++)
				for (uint32_t y = x + 1; y < g->n && joined(g, u, x) && joined(g, x, v); y++)
					n += u != v && joined(g, v, y) && joined(g, y, u) && !joined(g, u, v) &&
					     !joined(g, x, y) && common(g, u, v) == 2 && common(g, x, y) == 2;
	return n;
}

/* Each two opposite sides of a rectangle, and each two of a triangle, in both directions. */
static void expect_bonds(const odo_links *g, odo_walk *walk, const uint32_t *triangles)
{
	odo_bonds bonds;
	odo_error err;
	uint32_t ends = 0;
	bool *use = calloc(g->n_edges, sizeof *use);
	assert_non_null(use);
	for (uint32_t e = 0; e < g->n_edges; e++) {
		use[e] = true;
		ends += 2 * triangles[e];
	}
	assert_int_equal(odo_bonds_make(g, walk, NULL, use, &bonds, &err), 0);
	assert_int_equal(bonds.first[g->n_edges], ends + count_plain_corners(g));
	odo_bonds_clear(&bonds);
	odo_walk_restrict(walk, NULL);
	free(use);
}

/* Two sets of three, one of two that is too small. */
static void sets_have_the_members_they_must(void **state)
{
	(void)state;
	uint32_t first[] = {0, 2, 4, 6, 8, 10, 12, 13, 14};
	uint32_t to[] = {1, 2, 0, 2, 0, 1, 4, 5, 3, 5, 3, 4, 7, 6};
	const odo_bonds bonds = {.n = 8, .first = first, .to = to};
	const bool use[8] = {true, true, true, true, true, true, true, true};
	odo_sets sets;
	odo_error err;
	assert_int_equal(odo_sets_grow(&bonds, use, 1, 3, &sets, &err), 0);
	assert_int_equal(sets.n, 2);
	for (uint32_t v = 0; v < 8; v++)
		assert_int_equal(sets.of[v], v < 3 ? 0 : v < 6 ? 1 : ODO_NONE);
	assert_true(sets.size[0] == 3 && sets.size[1] == 3);
	free(sets.of);
}

static void triangles_and_rectangles_are_those_of_all_triples(void **state)
{
	(void)state;
	/* Vertices that no walk starts from, as in large graphs, have their triangles all the same.
	 */
	for (size_t i = 0; i < 2 * (sizeof specs / sizeof *specs); i++) {
		odo_fabric *f;
		odo_coordinates *c;
		odo_links g = {0};
		odo_walk walk = {0};
		odo_support support = {0};
		odo_error err;
		assert_int_equal(odo_topology_generate(specs[i / 2], 0, &f, &c, &err), 0);
		assert_int_equal(odo_links_make(f, &g, NULL, &err), 0);
		assert_int_equal(odo_walk_make(&g, &walk, &err), 0);
		walk.stride = i % 2 ? 3 : 1;
		assert_int_equal(odo_support_find(&walk, &support, &err), 0);
		for (uint32_t e = 0; e < g.n_edges; e++)
			if (support.triangles[e] != common(&g, g.end[e][0], g.end[e][1]))
				fail_msg("%s: edge %u is in %u triangles, and not in %u",
					 specs[i / 2], e, common(&g, g.end[e][0], g.end[e][1]),
					 support.triangles[e]);
		expect_triangles(&g, support.triangles);
		if (walk.stride == 1)
			expect_bonds(&g, &walk, support.triangles);
		for (uint32_t u = 0; u < g.n; u++)
			expect_squares(&g, &walk, u);
		odo_support_clear(&support);
		odo_walk_clear(&walk);
		odo_links_clear(&g);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(triangles_and_rectangles_are_those_of_all_triples),
		cmocka_unit_test(sets_have_the_members_they_must),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
