/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "mapping/classes.h"

/* A wrong cable stays below half of what links of the fabric usually reach. */
static void trust(const odo_links *g, const odo_support *s, uint8_t *ratio, bool *trusted)
{
	odo_support_ratio(g, s, ratio);
	unsigned usual = odo_ratio_quantile(ratio, g->n_edges, 0.5);
	for (uint32_t e = 0; e < g->n_edges; e++)
		trusted[e] = ratio[e] && 2u * ratio[e] > usual;
}

/* One switch, or two: nothing to find, and nothing to unite. */
static int trivial(const odo_links *g, odo_placement *p, odo_error *err)
{
	int status = odo_placement_make(g->n, 1, p, err);
	if (status)
		return status;
	p->factor[0] = ODO_COMPLETE;
	p->size[0] = g->n;
	for (uint32_t v = 0; v < g->n; v++)
		p->at[v] = v;
	return odo_placement_index(g, p, g->n, err);
}

/* Classes whose links join vertices of the same value are fragments of other classes. Forget
 * them and close the gaps in the numbering. Returns how many classes are left. */
static unsigned drop_collapsed(const odo_links *g, uint32_t *dim_of, unsigned n,
			       const double *collapsed)
{
	uint32_t number[ODO_MAX_DIMS];
	unsigned left = 0;
	for (unsigned i = 0; i < n; i++)
		number[i] = collapsed[i] < 0.5 ? left++ : ODO_NONE;
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (dim_of[e] != ODO_NONE)
			dim_of[e] = number[dim_of[e]];
	return left;
}

static int place(const odo_links *g, uint32_t *dim_of, unsigned n_dims, odo_placement *p,
		 odo_error *err)
{
	for (;;) {
		double collapsed[ODO_MAX_DIMS] = {0};
		int status = odo_placement_make(g->n, n_dims, p, err);
		if (!status)
			status = odo_placement_coordinates(g, dim_of, p, collapsed, err);
		unsigned left = status ? 0 : drop_collapsed(g, dim_of, n_dims, collapsed);
		if (!status && !left)
			status = odo_fail(err, ODO_EUNKNOWN,
					  "no class of parallel links is a dimension");
		if (status || left == n_dims)
			return status;
		odo_placement_clear(p);
		n_dims = left;
	}
}

int odo_factors_find(const odo_links *g, odo_walk *w, const odo_support *s, odo_placement *p,
		     odo_error *err)
{
	*p = (odo_placement){0};
	if (g->n <= 1 || (g->n == 2 && g->n_edges))
		return trivial(g, p, err);
	odo_classes c = {0};
	uint8_t *ratio = odo_new(g->n_edges, sizeof *ratio);
	bool *trusted = odo_new(g->n_edges, sizeof *trusted);
	int status = ratio && trusted ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for classes");
	if (!status) {
		trust(g, s, ratio, trusted);
		/* A torus has the smallest classes, one for each step of each of its
		 * cycles: at least sqrt(n) edges in two dimensions. */
		status = odo_classes_find(g, w, trusted, (uint32_t)(0.2 * sqrt(g->n)) + 1, &c,
					  err);
	}
	if (!status && !c.n)
		status = odo_fail(err, ODO_EUNKNOWN, "no links close rectangles or triangles");
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		if (c.of[e] >= ODO_MAX_DIMS)
			c.of[e] = ODO_NONE;
	if (!status)
		status = place(g, c.of, c.n < ODO_MAX_DIMS ? c.n : ODO_MAX_DIMS, p, err);
	if (!status)
		status = odo_placement_index(g, p, 8 * (size_t)g->n + 64, err);
	if (!status)
		status = odo_placement_settle(g, p, err);
	if (status)
		odo_placement_clear(p);
	odo_classes_clear(&c);
	free(ratio);
	free(trusted);
	return status;
}
