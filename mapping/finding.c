/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/finding.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"

void odo_finding_clear(odo_finding *h)
{
	odo_placement_clear(&h->placement);
	free(h->edge_class);
	free(h->pair);
	free(h->by_pair);
	*h = (odo_finding){0};
}

static uint8_t class_of(const odo_finding *h, uint32_t e)
{
	const odo_placement *p = &h->placement;
	uint32_t u = h->g->end[e][0], v = h->g->end[e][1];
	if (!odo_placement_placed(p, u) || !odo_placement_placed(p, v))
		return ODO_PORT_WRONG;
	const uint32_t *a = odo_placement_at(p, u), *b = odo_placement_at(p, v);
	if (h->kind == ODO_KIND_DRAGONFLY && a[0] != b[0])
		return ODO_PORT_GLOBAL;
	int dim = odo_placement_between(p, a, b);
	return dim < 0 ? ODO_PORT_WRONG : (uint8_t)dim;
}

/* The width of a dimension is the largest that at least one link in 20 has: cables go
 * missing, and a wrong one rarely lands beside right ones. */
static uint32_t usual_width(const uint32_t count[256])
{
	uint32_t total = 0, wide = 0, w = 255;
	for (uint32_t i = 1; i < 256; i++)
		total += count[i];
	for (; w > 1; w--) {
		wide += count[w];
		if (20 * (uint64_t)wide >= total && wide)
			break;
	}
	return total ? w : 0;
}

static void find_widths(odo_finding *h)
{
	for (unsigned i = 0; i < h->placement.n_dims; i++) {
		uint32_t count[256] = {0};
		for (uint32_t e = 0; e < h->g->n_edges; e++)
			if (h->edge_class[e] == i)
				count[h->g->n_cables[e]]++;
		h->width[i] = usual_width(count);
	}
}

typedef struct keyed {
	uint64_t key;
	uint32_t edge;
} keyed;

static int by_key(const void *a, const void *b)
{
	const keyed *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static uint64_t groups_of(const odo_finding *h, uint32_t e)
{
	uint32_t a = odo_placement_at(&h->placement, h->g->end[e][0])[0];
	uint32_t b = odo_placement_at(&h->placement, h->g->end[e][1])[0];
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static void add_to_pairs(odo_finding *h, const keyed *k, uint32_t at)
{
	if (!h->n_pairs || h->pair[h->n_pairs - 1].group[0] != k->key >> 32 ||
	    h->pair[h->n_pairs - 1].group[1] != (uint32_t)k->key)
		h->pair[h->n_pairs++] = (odo_pair){
			.group = {(uint32_t)(k->key >> 32), (uint32_t)k->key}, .first_edge = at};
	odo_pair *pair = &h->pair[h->n_pairs - 1];
	pair->n_edges++;
	pair->n_cables += h->g->n_cables[k->edge];
	h->by_pair[at] = k->edge;
}

/* Collect global links by the pair of groups that they join. */
static int find_pairs(odo_finding *h, odo_error *err)
{
	uint32_t n = 0;
	keyed *order = odo_new(h->g->n_edges, sizeof *order);
	h->by_pair = odo_new(h->g->n_edges, sizeof *h->by_pair);
	h->pair = odo_new(h->g->n_edges, sizeof *h->pair);
	if (!order || !h->by_pair || !h->pair) {
		free(order);
		return odo_fail(err, ODO_ENOMEM, "no memory for global links");
	}
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		if (h->edge_class[e] == ODO_PORT_GLOBAL)
			order[n++] = (keyed){groups_of(h, e), e};
	qsort(order, n, sizeof *order, by_key);
	for (uint32_t i = 0; i < n; i++)
		add_to_pairs(h, &order[i], i);
	free(order);
	return 0;
}

/* Most and fewest cables between two groups. Ports that do not divide by the other groups
 * give two neighbouring numbers. */
static void find_global_width(odo_finding *h)
{
	uint32_t count[256] = {0};
	for (uint32_t i = 0; i < h->n_pairs; i++)
		count[h->pair[i].n_cables < 255 ? h->pair[i].n_cables : 255]++;
	uint32_t most = usual_width(count);
	h->width[0] = most;
	h->least_width = most > 1 && 5 * (uint64_t)count[most - 1] >= h->n_pairs ? most - 1 : most;
}

/* Links between the switches placed; those within groups only, for a dragonfly. */
static void count_expected(odo_finding *h)
{
	const odo_placement *p = &h->placement;
	for (uint32_t v = 0; v < p->n; v++) {
		if (!odo_placement_placed(p, v))
			continue;
		uint32_t at[ODO_MAX_DIMS];
		memcpy(at, odo_placement_at(p, v), p->n_dims * sizeof *at);
		for (unsigned i = 0; i < p->n_dims; i++) {
			uint32_t own = at[i];
			if (p->factor[i] == ODO_GROUPS)
				continue;
			for (at[i] = own + 1; at[i] < p->size[i]; at[i]++)
				h->expected[i] += odo_placement_linked(p, i, own, at[i]) &&
						  p->occupant[odo_placement_position(p, at)] !=
							  ODO_NONE;
			at[i] = own;
		}
	}
}

static void sum_up(odo_finding *h)
{
	for (unsigned i = 0; i < h->placement.n_dims; i++) {
		h->n_expected += h->expected[i];
		h->n_fitting += h->fitting[i];
	}
}

int odo_finding_weigh(odo_finding *h, odo_error *err)
{
	int status = 0;
	h->edge_class = odo_new(h->g->n_edges, sizeof *h->edge_class);
	if (!h->edge_class)
		status = odo_fail(err, ODO_ENOMEM, "no memory for classes of links");
	for (uint32_t v = 0; v < h->g->n && !status; v++)
		h->n_placed += odo_placement_placed(&h->placement, v);
	for (uint32_t e = 0; e < h->g->n_edges && !status; e++) {
		h->edge_class[e] = class_of(h, e);
		h->n_wrong += h->edge_class[e] == ODO_PORT_WRONG;
		if (h->edge_class[e] < ODO_MAX_DIMS &&
		    h->placement.factor[h->edge_class[e]] != ODO_GROUPS)
			h->fitting[h->edge_class[e]]++;
	}
	if (!status)
		find_widths(h);
	if (!status && h->kind == ODO_KIND_DRAGONFLY) {
		status = find_pairs(h, err);
		if (!status)
			find_global_width(h);
	}
	if (!status) {
		count_expected(h);
		sum_up(h);
	}
	return status;
}
