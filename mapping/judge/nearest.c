/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/judge/nearest.h"

#include <stdio.h>

#include "mapping/graph/shares.h"

/* Write the shape: "of 8x8 switches", or the number of groups and of their switches. */
static void write_shape(const odo_finding *h, char *text, size_t room)
{
	const odo_placement *placement = &h->placement;
	size_t used = 0;
	text[0] = 0;
	if (odo_finding_grouped(h)) {
		snprintf(text, room, "%u groups of up to %zu", placement->size[0],
			 placement->n_positions / placement->size[0]);
		return;
	}
	for (unsigned i = 0; i < placement->n_dims && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%u", i ? "x" : "",
					 placement->size[i]);
	if (used < room)
		snprintf(text + used, room - used, " switches");
}

/* Return true if the shape is meaningful. A single group, or groups of one switch, resemble
 * nothing. */
static bool has_a_shape(const odo_finding *h)
{
	const uint32_t *size = h->placement.size;
	if (!h->placement.n_dims || !h->placement.n_positions || !h->n_placed)
		return false;
	return !odo_finding_grouped(h) || (size[0] > 1 && size[1] > 1);
}

void odo_nearest_offer(const odo_finding *h, const char *why)
{
	odo_nearest *nearest = h->g->nearest;
	char shape[64];
	if (!nearest || !has_a_shape(h))
		return;
	double saving = odo_finding_saving(h);
	if (nearest->text[0] && saving <= nearest->saving)
		return;
	nearest->saving = saving;
	write_shape(h, shape, sizeof shape);
	snprintf(nearest->text, sizeof nearest->text, "a %s of %s, but %s", odo_kind_name(h->kind),
		 shape, why);
}

void odo_nearest_product(const odo_finding *h)
{
	const odo_placement *placement = &h->placement;
	odo_nearest *nearest = h->g->nearest;
	if (!nearest || !odo_finding_whole(h))
		return;
	size_t used = 0, room = sizeof nearest->product;
	for (unsigned i = 0; i < placement->n_dims && used < room; i++)
		used += (size_t)snprintf(
			nearest->product + used, room - used, "%s%s of %u",
			i ? " times " : "a product: ", odo_factor_of(placement->factor[i])->name,
			placement->size[i]);
}

void odo_nearest_explain(const odo_nearest *nearest, char *text, size_t size)
{
	if (nearest->product[0])
		snprintf(text, size, "no known topology, but %s", nearest->product);
	else if (nearest->text[0])
		snprintf(text, size, "no known topology; nearest is %s", nearest->text);
	else
		snprintf(text, size, "no known topology, and none is near: cables form no pattern");
}

/* A switch of a torus of d dimensions has 2d links. A link closes two rectangles with each other
 * dimension. Each rectangle adds two corners to the count of its link, one for each diagonal. */
void odo_nearest_explain_twisted(const odo_links *g, const odo_support *support, char *text,
				 size_t size)
{
	uint32_t dims = g->n ? (g->n_edges + g->n / 2) / g->n : 0, alike = 0, even = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		alike += !support->triangles[e] && support->corners[e] == 4 * (dims - 1);
	for (uint32_t v = 0; v < g->n; v++)
		even += odo_degree(g, v) == 2 * dims;
	if (dims > 1 && odo_all_but_rare(alike, g->n_edges) && odo_all_but_rare(even, g->n))
		snprintf(text, size,
			 "no known topology; nearest is a torus of %u dimensions, but its rings do "
			 "not close as in one: they may be closed with a twist",
			 dims);
}
