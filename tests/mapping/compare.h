/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Compares two sets of coordinates of one fabric, up to relabelling. */
#ifndef ODONATA_TESTS_MAPPING_COMPARE_H
#define ODONATA_TESTS_MAPPING_COMPARE_H

#include <stdlib.h>
#include <string.h>

#include "fabric/coordinates.h"
#include "base/memory.h"

static inline bool all_pairs(const odo_coordinates *c)
{
	for (unsigned i = 0; i < c->n_dims; i++)
		if (c->size[i] != 2)
			return false;
	return true;
}

static inline odo_kind plain_kind(const odo_coordinates *c)
{
	bool flat = c->kind == ODO_KIND_FLATFLY || c->kind == ODO_KIND_HYPERCUBE;
	return flat && all_pairs(c) ? ODO_KIND_HYPERCUBE : c->kind;
}

typedef struct relation {
	const odo_coordinates *found, *truth;
	uint32_t *there, *back; /* values of found to truth's and back, ODO_NONE unset */
	uint32_t room;
} relation;

/* A group of switches within which labels are free: one group of a dragonfly, or all. */
typedef struct scope {
	const uint32_t *member;
	uint32_t n;
} scope;

static inline bool neighbours_in_cycle(uint32_t size, uint32_t a, uint32_t b)
{
	return (a + 1) % size == b || (b + 1) % size == a;
}

/* A relabelling of a cycle must take neighbours to neighbours. */
static inline bool keeps_cycle(const relation *r, unsigned i, unsigned j)
{
	uint32_t size = r->truth->size[j];
	for (uint32_t x = 0; x < size; x++) {
		uint32_t a = r->there[x], b = r->there[(x + 1) % size];
		if (a != ODO_NONE && b != ODO_NONE && !neighbours_in_cycle(size, a, b))
			return false;
	}
	return r->found->size[i] == size;
}

/* Dimension i of found and j of truth hold the same, up to the names of values. */
static inline bool same_dimension(relation *r, const scope *s, unsigned i, unsigned j)
{
	memset(r->there, 0xFF, r->room * sizeof *r->there);
	memset(r->back, 0xFF, r->room * sizeof *r->back);
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t x = odo_at(r->found, s->member[k])[i];
		uint32_t y = odo_at(r->truth, s->member[k])[j];
		if (x == ODO_NONE || y == ODO_NONE || x >= r->room || y >= r->room)
			return false;
		if (r->there[x] == ODO_NONE && r->back[y] == ODO_NONE) {
			r->there[x] = y;
			r->back[y] = x;
		}
		if (r->there[x] != y || r->back[y] != x)
			return false;
	}
	return r->truth->factor[j] != ODO_CYCLE || keeps_cycle(r, i, j);
}

/* Match dimensions from `from` on; to[] gets truth's dimension for each of found's. */
static inline bool match_dims(relation *r, const scope *s, unsigned from, uint8_t *to)
{
	bool taken[ODO_MAX_DIMS] = {0};
	for (unsigned i = from; i < r->found->n_dims; i++) {
		unsigned j = from;
		while (j < r->truth->n_dims && (taken[j] || !same_dimension(r, s, i, j)))
			j++;
		if (j == r->truth->n_dims)
			return false;
		taken[j] = true;
		to[i] = (uint8_t)j;
	}
	return true;
}

static inline uint32_t wrong_ports(const odo_fabric *f, const relation *r, const scope *s,
				   const uint8_t *to)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t v = s->member[k];
		for (uint32_t i = f->first_slot[v]; i < f->first_slot[v + 1]; i++) {
			uint8_t class = r->found->port_class[i];
			if (class < r->found->n_dims)
				class = to[class];
			n += class != r->truth->port_class[i];
		}
	}
	return n;
}

static inline bool compare_scope(const odo_fabric *f, relation *r, const scope *s, unsigned from,
				 uint8_t *to, uint32_t *ports, odo_error *why)
{
	if (!match_dims(r, s, from, to)) {
		odo_fail(why, ODO_EINPUT, "no relabelling makes the coordinates around %s agree",
			 s->n ? odo_name(f, s->member[0]) : "nothing");
		return false;
	}
	*ports += wrong_ports(f, r, s, to);
	return true;
}

typedef struct grouped {
	uint32_t group, node;
} grouped;

static inline int by_group(const void *a, const void *b)
{
	const grouped *x = a, *y = b;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Group by group: dimension 0 first, over all, then the others within each group. */
static inline bool compare_groups(const odo_fabric *f, relation *r, uint32_t *member,
				  uint32_t *ports, odo_error *why)
{
	uint32_t n = f->n_switches;
	scope all = {member, n};
	uint8_t to[ODO_MAX_DIMS] = {0};
	if (!same_dimension(r, &all, 0, 0)) {
		odo_fail(why, ODO_EINPUT, "the groups differ");
		return false;
	}
	grouped *order = odo_new(n, sizeof *order);
	if (!order)
		return false;
	for (uint32_t v = 0; v < n; v++)
		order[v] = (grouped){odo_at(r->truth, v)[0], v};
	qsort(order, n, sizeof *order, by_group);
	for (uint32_t i = 0; i < n; i++)
		member[i] = order[i].node;
	bool same = true;
	for (uint32_t i = 0, j; i < n && same; i = j) {
		for (j = i; j < n && order[j].group == order[i].group; j++)
			;
		same = compare_scope(f, r, &(scope){member + i, j - i}, 1, to, ports, why);
	}
	free(order);
	return same;
}

/* Levels agree as they are; parts, such as pods, up to their names, among the switches from level
 * `lowest` to below `end`. */
static inline bool same_parts(const odo_fabric *f, relation *r, unsigned level_dim, unsigned dim,
			      uint32_t lowest, uint32_t end, uint32_t *member)
{
	scope s = {member, 0};
	for (uint32_t v = 0; v < f->n_switches; v++) {
		uint32_t level = odo_at(r->truth, v)[level_dim];
		if (odo_at(r->found, v)[level_dim] != level)
			return false;
		if (level >= lowest && level < end)
			member[s.n++] = v;
	}
	return same_dimension(r, &s, dim, dim);
}

/* Kinds that are no products: switches of one level and part may have any index. */
static inline bool compare_tree(const odo_fabric *f, relation *r, uint32_t *member, uint32_t *ports,
				odo_error *why)
{
	static const uint8_t to[ODO_MAX_DIMS] = {0, 1, 2, 3};
	bool fattree = r->truth->kind == ODO_KIND_FATTREE, same;
	uint32_t top = r->truth->size[ODO_TREE_LEVEL] - 1;
	if (fattree)
		same = same_parts(f, r, ODO_TREE_LEVEL, ODO_TREE_POD, 0, top > 1 ? top : 0,
				  member) &&
		       same_parts(f, r, ODO_TREE_LEVEL, ODO_TREE_PLANE, 1, top + 1, member);
	else
		same = same_parts(f, r, 1, 0, 0, 2, member);
	if (!same)
		odo_fail(why, ODO_EINPUT, "levels or parts differ");
	for (uint32_t v = 0; v < f->n_switches; v++)
		member[v] = v;
	*ports += wrong_ports(f, r, &(scope){member, f->n_switches}, to);
	return same;
}

static inline bool same_shape(const odo_coordinates *found, const odo_coordinates *truth,
			      odo_error *why)
{
	if (plain_kind(found) != plain_kind(truth))
		odo_fail(why, ODO_EINPUT, "expected a %s, found a %s", odo_kind_name(truth->kind),
			 odo_kind_name(found->kind));
	else if (found->n_dims != truth->n_dims)
		odo_fail(why, ODO_EINPUT, "expected %u dimensions, found %u", truth->n_dims,
			 found->n_dims);
	else
		return true;
	return false;
}

/**
 * True if `found` says the same as `truth`: the kind, and the coordinates of every switch up to
 * the order of dimensions and the names of values (in cycles up to rotation and reflection;
 * in a dragonfly up to the names of switches within each group, dimension by dimension). An
 * all-K_2 FlatFly and a hypercube are the same kind.
 * @param ports out: how many are classed differently
 * @param why   the first difference, for people; NULL if not wanted
 */
static inline bool same_places(const odo_fabric *f, const odo_coordinates *found,
			       const odo_coordinates *truth, uint32_t *ports, odo_error *why)
{
	*ports = 0;
	if (!same_shape(found, truth, why))
		return false;
	relation r = {.found = found, .truth = truth, .room = f->n_switches + 1};
	for (unsigned i = 0; i < truth->n_dims; i++)
		if (truth->size[i] >= r.room)
			r.room = truth->size[i] + 1;
	r.there = odo_new(r.room, sizeof *r.there);
	r.back = odo_new(r.room, sizeof *r.back);
	uint32_t *member = odo_new(f->n_switches, sizeof *member);
	bool same = r.there && r.back && member;
	for (uint32_t v = 0; v < f->n_switches && same; v++)
		member[v] = v;
	uint8_t to[ODO_MAX_DIMS];
	if (same && truth->kind == ODO_KIND_DRAGONFLY)
		same = compare_groups(f, &r, member, ports, why);
	else if (same && odo_kind_of(truth->kind)->dimensions)
		same = compare_tree(f, &r, member, ports, why);
	else if (same)
		same = compare_scope(f, &r, &(scope){member, f->n_switches}, 0, to, ports, why);
	free(r.there);
	free(r.back);
	free(member);
	return same;
}

/** The same places, and the class of every port. */
static inline bool same_coordinates(const odo_fabric *f, const odo_coordinates *found,
				    const odo_coordinates *truth, odo_error *why)
{
	uint32_t ports;
	bool same = same_places(f, found, truth, &ports, why);
	if (same && ports)
		odo_fail(why, ODO_EINPUT, "%u ports are classed differently", ports);
	return same && !ports;
}

#endif
