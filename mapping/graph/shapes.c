/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/shapes.h"

#include <stdlib.h>

#include "base/memory.h"

/* Counts of links by their number of cables. */
typedef struct counts {
	const odo_links *g;
	uint32_t links[256]; /* links with each number of cables */
	uint32_t cables;     /* in all */
	uint32_t most;       /* cables of the widest link */
	uint32_t least;      /* cables of the vertex with fewest */
} counts;

static void count_link_widths(const odo_links *g, counts *c)
{
	*c = (counts){.g = g, .least = UINT32_MAX};
	for (uint32_t e = 0; e < g->n_edges; e++) {
		c->links[g->n_cables[e]]++;
		c->cables += g->n_cables[e];
		c->most = g->n_cables[e] > c->most ? g->n_cables[e] : c->most;
	}
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t degree = odo_links_cables_of(g, v);
		c->least = degree < c->least ? degree : c->least;
	}
}

/* Find the cables of a global link: the largest number for which every link of another width is
 * local. */
static uint32_t global_width(const counts *c, const odo_flat_shape *s)
{
	for (uint32_t w = c->most; w > 1; w--) {
		uint64_t others = 0, local = 0;
		for (uint32_t x = 1; x <= c->most; x++)
			others += x % w ? c->links[x] : 0;
		for (unsigned i = 0; i < s->n_dims; i++)
			local += s->width[i] % w ? c->g->n * (uint64_t)(s->size[i] - 1) / 2 : 0;
		if (others == local)
			return w;
	}
	return 1;
}

/* Compute the cables between such groups. Return false if it is impossible. */
static bool spread_global_cables(const counts *c, odo_flat_shape *s)
{
	uint32_t groups = c->g->n / s->members, local = c->g->n * s->cables;
	if (s->cables > c->least || (2 * c->cables - local) % groups)
		return false;
	uint32_t w = global_width(c, s);
	s->ports = (2 * c->cables - local) / groups;
	s->between[0] = s->ports / w / (groups - 1) * w;
	s->between[1] = s->between[0] + (s->ports / w % (groups - 1) ? w : 0);
	return s->ports % w == 0 && s->between[0] > 0;
}

/* Add all shapes that begin with the dimensions of `s` and have `left` times as many members. */
static int complete_shape(const counts *c, odo_flat_shape s, uint32_t left, odo_shapes *to)
{
	int status = 0;
	if (left == 1) {
		if (!spread_global_cables(c, &s))
			return 0;
		status = odo_grow(&to->list, &to->room, to->n + 1, sizeof *to->list);
		if (!status)
			to->list[to->n++] = s;
		return status;
	}
	uint32_t last = s.n_dims ? s.size[s.n_dims - 1] : left;
	for (uint32_t k = last < left ? last : left; k > 1; k--)
		for (uint32_t w = c->most; w > 0 && left % k == 0 && !status; w--) {
			odo_flat_shape more = s;
			unsigned i = more.n_dims++;
			bool after = i == 0 || k < s.size[i - 1] || w <= s.width[i - 1];
			if (!after || 2 * (uint64_t)c->links[w] < (uint64_t)c->g->n * (k - 1))
				continue;
			more.size[i] = k;
			more.width[i] = w;
			more.members *= k;
			more.cables += w * (k - 1);
			if (more.cables <= c->least && more.n_dims + 1 < ODO_MAX_DIMS)
				status = complete_shape(c, more, left / k, to);
		}
	return status;
}

int odo_shapes_find(const odo_links *g, odo_shapes *out, odo_error *err)
{
	counts c;
	int status = 0;
	*out = (odo_shapes){0};
	count_link_widths(g, &c);
	for (uint32_t members = g->n / 2; members > 2 && !status; members--)
		if (g->n % members == 0)
			status = complete_shape(&c, (odo_flat_shape){.members = 1}, members, out);
	if (status) {
		odo_shapes_clear(out);
		odo_fail(err, status, "no memory for shapes of groups");
	}
	return status;
}

void odo_shapes_clear(odo_shapes *s)
{
	free(s->list);
	*s = (odo_shapes){0};
}
