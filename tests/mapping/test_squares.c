/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Triangles and rectangles are those that one finds by looking at all triples and pairs of
 * switches. */
#include <stdio.h>
#include <stdlib.h>

#include "fabric/topology/topology.h"
#include "mapping/graph/squares.h"
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
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
