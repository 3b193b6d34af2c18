/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * List all copies of the group's shape, then choose copies that cover every vertex exactly once.
 * This is an exact cover with an additional constraint: every two chosen copies have the same
 * number of cables between them. The vertex with the fewest remaining copies is decided next.
 */
#include "mapping/dragonfly/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/dragonfly/copies.h"

#define TAKEN (1u << 24) /* more than any number of cables */

typedef struct cover {
	const odo_links *g;
	const odo_flat_shape *shape;
	odo_copies copies;
	uint32_t *list; /* copies that may still be chosen; each decision appends its own list */
	size_t room;
	uint32_t *group; /* [groups] copies taken */
	/* [n] cables from the last chosen copy to each vertex; TAKEN for its own vertices. */
	uint32_t *cables;
	uint32_t *n_left; /* [n] remaining copies that contain a vertex */
	uint32_t *of;     /* [n] group of each vertex, or ODO_NONE */
	uint64_t budget;
} cover;

static const uint32_t *members_of_copy(const cover *c, uint32_t copy)
{
	return c->copies.member + (size_t)copy * c->shape->members;
}

static void count_cables_of_copy(cover *c, uint32_t copy)
{
	const odo_links *g = c->g;
	const uint32_t *v = members_of_copy(c, copy);
	memset(c->cables, 0, g->n * sizeof *c->cables);
	for (uint32_t i = 0; i < c->shape->members; i++)
		for (uint32_t a = g->first[v[i]]; a < g->first[v[i] + 1]; a++)
			c->cables[g->to[a]] += g->n_cables[g->edge[a]];
	for (uint32_t i = 0; i < c->shape->members; i++)
		c->cables[v[i]] = TAKEN;
}

/* Append those of the copies in list[start .. end - 1] that can be groups beside the copy whose
 * cables were counted. */
static int filter_copies(cover *c, size_t start, size_t end, size_t *to)
{
	uint32_t m = c->shape->members;
	uint64_t work = (uint64_t)(end - start) * m + c->g->n;
	*to = end;
	if (work > c->budget)
		return ODO_EUNKNOWN;
	c->budget -= work;
	if (odo_grow(&c->list, &c->room, 2 * end - start, sizeof *c->list))
		return ODO_ENOMEM;
	memset(c->n_left, 0, c->g->n * sizeof *c->n_left);
	for (size_t i = start; i < end; i++) {
		const uint32_t *v = members_of_copy(c, c->list[i]);
		uint32_t between = 0;
		for (uint32_t j = 0; j < m; j++)
			between += c->cables[v[j]];
		if (between != c->shape->between[0] && between != c->shape->between[1])
			continue;
		for (uint32_t j = 0; j < m; j++)
			c->n_left[v[j]]++;
		c->list[(*to)++] = c->list[i];
	}
	return 0;
}

/* Return the vertex that is in no group and in the fewest copies, or ODO_NONE if all are in
 * groups. */
static uint32_t rarest_vertex(const cover *c)
{
	uint32_t best = ODO_NONE;
	for (uint32_t v = 0; v < c->g->n; v++)
		if (c->of[v] == ODO_NONE && (best == ODO_NONE || c->n_left[v] < c->n_left[best]))
			best = v;
	return best;
}

static bool copy_contains(const cover *c, uint32_t copy, uint32_t v)
{
	const uint32_t *member = members_of_copy(c, copy);
	for (uint32_t i = 0; i < c->shape->members; i++)
		if (member[i] == v)
			return true;
	return false;
}

static void assign_copy(cover *c, uint32_t copy, uint32_t group)
{
	for (uint32_t i = 0; i < c->shape->members; i++)
		c->of[members_of_copy(c, copy)[i]] = group;
}

/* Cover the remaining vertices with copies of list[start .. end - 1]. `n_left` counts these
 * copies. */
static int search_cover(cover *c, uint32_t n_groups, size_t start, size_t end)
{
	uint32_t v = rarest_vertex(c);
	if (v == ODO_NONE)
		return 0;
	int status = ODO_EUNKNOWN;
	for (size_t i = start; i < end && status == ODO_EUNKNOWN && c->budget; i++) {
		size_t stop;
		uint32_t copy = c->list[i];
		if (!copy_contains(c, copy, v))
			continue;
		count_cables_of_copy(c, copy);
		assign_copy(c, copy, n_groups);
		c->group[n_groups] = copy;
		status = filter_copies(c, start, end, &stop);
		if (!status)
			status = search_cover(c, n_groups + 1, end, stop);
		else if (status == ODO_EUNKNOWN)
			c->budget = 0;
		if (status)
			assign_copy(c, copy, ODO_NONE);
	}
	return status;
}

static int cover_all(cover *c, odo_error *err)
{
	uint32_t n = c->g->n, m = c->shape->members;
	c->group = odo_new(n / m, sizeof *c->group);
	c->cables = odo_new(n, sizeof *c->cables);
	c->n_left = odo_new(n, sizeof *c->n_left);
	c->of = odo_new(n, sizeof *c->of);
	int status = c->group && c->cables && c->n_left && c->of ? 0 : ODO_ENOMEM;
	if (!status)
		status = odo_grow(&c->list, &c->room, c->copies.n, sizeof *c->list);
	if (status)
		return odo_fail(err, status, "no memory for groups");
	memset(c->of, 0xFF, n * sizeof *c->of);
	for (uint32_t i = 0; i < c->copies.n; i++) {
		c->list[i] = i;
		for (uint32_t j = 0; j < m; j++)
			c->n_left[members_of_copy(c, i)[j]]++;
	}
	status = search_cover(c, 0, 0, c->copies.n);
	return status ? odo_fail(err, status,
				 status == ODO_ENOMEM ? "no memory for groups"
						      : "no groups cover all switches")
		      : 0;
}

static int place_cover(const cover *c, odo_placement *placement, odo_error *err)
{
	const odo_flat_shape *s = c->shape;
	int status = odo_placement_make(c->g->n, s->n_dims + 1, placement, err);
	if (status)
		return status;
	placement->factor[0] = ODO_GROUPS;
	placement->size[0] = c->g->n / s->members;
	for (unsigned i = 0; i < s->n_dims; i++) {
		placement->factor[i + 1] = ODO_COMPLETE;
		placement->size[i + 1] = s->size[i];
	}
	for (uint32_t group = 0; group < placement->size[0]; group++)
		for (uint32_t x = 0; x < s->members; x++) {
			uint32_t *at = odo_placement_at(placement,
							members_of_copy(c, c->group[group])[x]);
			at[0] = group;
			for (uint32_t i = 0, rest = x; i < s->n_dims; rest /= s->size[i++])
				at[i + 1] = rest % s->size[i];
		}
	return 0;
}

int odo_cover_find(const odo_links *g, const uint8_t *table, const odo_flat_shape *shape,
		   uint64_t *budget, odo_placement *placement, odo_error *err)
{
	cover c = {.g = g, .shape = shape};
	*placement = (odo_placement){0};
	int status = odo_copies_find(g, table, shape, budget, &c.copies, err);
	c.budget = *budget;
	if (!status) {
		status = cover_all(&c, err);
		*budget = c.budget;
	}
	if (!status)
		status = place_cover(&c, placement, err);
	odo_copies_clear(&c.copies);
	free(c.list);
	free(c.group);
	free(c.cables);
	free(c.n_left);
	free(c.of);
	return status;
}
