/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/judge/chance.h"

#include <math.h>

#include "base/odds.h"

/* Limit of a sum of three squares of normally distributed numbers that is exceeded in one of 100
 * cases. */
#define USUAL 11.3

static double squared(double x)
{
	return x * x;
}

/* Return the probability that two vertices with `degree` neighbours each, among `room` vertices,
 * have exactly two in common: the hypergeometric distribution. */
static double exactly_two(double degree, double room)
{
	return exp2(odo_log2_choose(degree, 2) + odo_log2_choose(room - degree, degree - 2) -
		    odo_log2_choose(room, degree));
}

typedef struct counts {
	/* `diagonals`: unlinked pairs of vertices with two common neighbours. */
	double triangles, diagonals;
	double variance; /* of the triangles of an edge */
} counts;

static counts count_closed_shapes(const odo_links *g, const odo_support *support)
{
	double m = g->n_edges, sum = 0, squares = 0, corners = 0;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		sum += support->triangles[e];
		squares += squared(support->triangles[e]);
		corners += support->corners[e];
	}
	return (counts){sum / 3, corners / 4, squares / m - squared(sum / m)};
}

bool odo_chance_explains(const odo_walk *walk, const odo_support *support, uint32_t fewest)
{
	const odo_links *g = walk->g;
	double n = g->n, m = g->n_edges, paths = 0;
	for (uint32_t v = 0; v < g->n; v++)
		paths += odo_degree(g, v) * (odo_degree(g, v) - 1.0) / 2;
	/* `on`: links that continue from the end of a link. */
	double degree = 2 * m / n, on = paths / m;
	if (g->n < fewest || degree < 2 || on < 1)
		return false;
	/* Each edge is in `each` triangles. The other paths of length two join unlinked
	 * vertices. */
	double triangles = on * on * on / 6, each = 3 * triangles / m;
	double apart = n * (n - 1) / 2 - m, room = degree * degree * apart / (paths - m * each);
	if (!(room > 2 * degree))
		return false;
	double two = exactly_two(degree, room), variance = each * squared(1 - each / on);
	counts c = count_closed_shapes(g, support);
	double z = squared(c.triangles - triangles) / triangles +
		   squared(c.diagonals - apart * two) / (apart * two * (1 - two) * walk->stride) +
		   squared(c.variance / c.triangles * triangles / variance - 1) * m / 2;
	return z < USUAL;
}
