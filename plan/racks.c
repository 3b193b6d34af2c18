/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plan/racks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void odo_plan_racks_clear(odo_plan_racks *racks)
{
	free(racks->rack);
	free(racks->position);
	*racks = (odo_plan_racks){0};
}

/* Fold a cycle: in the order 0 2 4 5 3 1, neighbours on a cycle are at most two places apart. */
static uint32_t fold_cycle(uint32_t at, uint32_t size)
{
	return at * 2 < size ? at * 2 : 2 * (size - at) - 1;
}

/* Order of switches: first by their box, then by their place within the box. Only tori are cut into
 * boxes; each box fills a rack. */
typedef struct order {
	const odo_coordinates *c;
	uint32_t box[ODO_MAX_DIMS];
	uint32_t hosts; /* hosts of a box; 0 if there is only one box */
} order;

static uint32_t next_divisor(uint32_t n, uint32_t above)
{
	uint32_t i = above + 1;
	while (n % i)
		i++;
	return i;
}

/* Enlarge the shortest side of the box that can grow, until the rack is full. Sides divide those of
 * the torus. @return whether a side was enlarged */
static bool enlarge_box(order *x, double most)
{
	unsigned best = ODO_MAX_DIMS;
	double volume = 1;
	for (unsigned i = 0; i < x->c->n_dims; i++)
		volume *= x->box[i];
	for (unsigned i = 0; i < x->c->n_dims; i++) {
		uint32_t size = x->c->size[i], side = x->box[i];
		if (side < size && volume / side * next_divisor(size, side) <= most &&
		    (best == ODO_MAX_DIMS || side < x->box[best]))
			best = i;
	}
	if (best < ODO_MAX_DIMS)
		x->box[best] = next_divisor(x->c->size[best], x->box[best]);
	return best < ODO_MAX_DIMS;
}

static void find_box(const odo_fabric *f, const odo_plan_prices *p, order *x)
{
	double volume = 1, hosts = fmax(1, (double)f->n_hosts / f->n_switches);
	bool torus = x->c->kind == ODO_KIND_TORUS;
	for (unsigned i = 0; i < ODO_MAX_DIMS; i++)
		x->box[i] = torus ? 1 : UINT32_MAX;
	if (!torus)
		return;
	while (enlarge_box(x, fmin(p->rack_switches, p->rack_hosts / hosts))) {
	}
	for (unsigned i = 0; i < x->c->n_dims; i++)
		volume *= x->box[i];
	x->hosts = (uint32_t)(volume * hosts);
}

static uint32_t place_in(const order *x, uint32_t s, unsigned i)
{
	static const unsigned of_tree[] = {ODO_TREE_POD, ODO_TREE_LEVEL, ODO_TREE_PLANE,
					   ODO_TREE_INDEX};
	const odo_coordinates *c = x->c;
	unsigned dim = c->kind == ODO_KIND_FATTREE ? of_tree[i] : i;
	uint32_t at = odo_at(c, s)[dim];
	return c->factor[dim] == ODO_CYCLE ? fold_cycle(at, c->size[dim]) : at;
}

/* Compare two switches by their boxes: -1, 0 or 1. */
static int compare_boxes(const order *x, uint32_t s, uint32_t t)
{
	for (unsigned i = 0; i < x->c->n_dims; i++) {
		uint32_t a = place_in(x, s, i) / x->box[i], b = place_in(x, t, i) / x->box[i];
		if (a != b)
			return a < b ? -1 : 1;
	}
	return 0;
}

static int by_box_and_place(const void *a, const void *b, void *context)
{
	const order *x = context;
	uint32_t s = *(const uint32_t *)a, t = *(const uint32_t *)b;
	int boxes = compare_boxes(x, s, t);
	for (unsigned i = 0; i < x->c->n_dims && !boxes; i++) {
		uint32_t here = place_in(x, s, i), there = place_in(x, t, i);
		boxes = here < there ? -1 : here > there;
	}
	return boxes ? boxes : s < t ? -1 : s > t;
}

static bool is_top_switch(const odo_coordinates *c, uint32_t s)
{
	return c->kind == ODO_KIND_FATTREE &&
	       odo_at(c, s)[ODO_TREE_LEVEL] + 1 == c->size[ODO_TREE_LEVEL];
}

/* List the switches in the order in which they fill racks. */
static void order_switches(order *x, uint32_t *list)
{
	const odo_coordinates *c = x->c;
	uint32_t below = 0, n = c->n_switches, middle;
	for (uint32_t s = 0; s < n; s++)
		if (!is_top_switch(c, s))
			list[below++] = s;
	qsort_r(list, below, sizeof *list, by_box_and_place, x);
	middle = below / 2;
	memmove(list + middle + (n - below), list + middle, (below - middle) * sizeof *list);
	for (uint32_t s = 0; s < n; s++)
		if (is_top_switch(c, s))
			list[middle++] = s;
}

/* Fill the racks. A rack is full of hosts or of switches. A switch with its hosts always fits in an
 * empty rack. A box that does not fit completely goes into the next rack. */
static void fill_racks(const odo_fabric *f, const odo_plan_prices *p, const order *x,
		       const uint32_t *list, odo_plan_racks *racks)
{
	double hosts = 0, switches = 0;
	racks->n = 1;
	for (uint32_t i = 0; i < f->n_switches; i++) {
		uint32_t s = list[i], more = odo_hosts_of(f, s), own = more;
		if (i && x->hosts && compare_boxes(x, list[i - 1], s))
			more = x->hosts;
		if (switches > 0 &&
		    (hosts + more > p->rack_hosts || switches + 1 > p->rack_switches)) {
			racks->n++;
			hosts = switches = 0;
		}
		racks->rack[s] = racks->n - 1;
		racks->position[s] = (uint32_t)++switches;
		hosts += own;
	}
	for (uint32_t h = 0; h < f->n_hosts; h++)
		racks->rack[f->owner[f->host_slot[h]]] = racks->rack[odo_host_switch(f, h)];
}

/* Place hosts behind all switches of their rack. @param next [racks] zeroed */
static void find_positions(const odo_fabric *f, odo_plan_racks *racks, uint32_t *next)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		next[racks->rack[s]]++;
	for (uint32_t v = f->n_switches; v < f->n_nodes; v++)
		racks->position[v] = ++next[racks->rack[v]];
}

static double rack_distance(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

double odo_plan_metres(const odo_plan_racks *racks, const odo_plan_prices *p, uint32_t node,
		       uint32_t other)
{
	uint32_t a = racks->rack[node], b = racks->rack[other], columns = racks->columns;
	if (a == b)
		return p->inside;
	return p->overhead + rack_distance(a % columns, b % columns) * p->rack_width +
	       rack_distance(a / columns, b / columns) * p->rack_depth;
}

static double all_metres(const odo_plan_racks *racks, const odo_plan_prices *p, const odo_fabric *f)
{
	double sum = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t next = odo_next_switch(f, slot);
			if (next != ODO_NONE && next > s)
				sum += odo_plan_metres(racks, p, s, next);
		}
	return sum;
}

/* Choose the number of columns with the shortest cables, among floors that are not much longer than
 * wide. */
static void choose_columns(const odo_fabric *f, const odo_plan_prices *p, odo_plan_racks *racks)
{
	double square = sqrt(racks->n * p->rack_depth / p->rack_width), least = INFINITY;
	uint32_t first = (uint32_t)fmin(racks->n, fmax(1, floor(square / 1.5))), best = first;
	for (uint32_t columns = first; columns <= racks->n && columns <= ceil(square * 1.5);
	     columns++) {
		racks->columns = columns;
		double sum = all_metres(racks, p, f);
		if (sum < least * (1 - 1e-9)) {
			least = sum;
			best = columns;
		}
	}
	racks->columns = best;
}

int odo_plan_racks_make(const odo_fabric *f, const odo_coordinates *c, const odo_plan_prices *p,
			odo_plan_racks *out, odo_error *err)
{
	order x = {.c = c};
	uint32_t *list = odo_new(f->n_switches, sizeof *list), *next = NULL;
	*out = (odo_plan_racks){.rack = odo_new(f->n_nodes, sizeof *out->rack),
				.position = odo_new(f->n_nodes, sizeof *out->position)};
	bool whole = list && out->rack && out->position;
	if (whole) {
		find_box(f, p, &x);
		order_switches(&x, list);
		fill_racks(f, p, &x, list, out);
		next = odo_new(out->n, sizeof *next);
		whole = next != NULL;
	}
	if (whole) {
		find_positions(f, out, next);
		choose_columns(f, p, out);
	}
	free(list);
	free(next);
	return whole ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for racks");
}
