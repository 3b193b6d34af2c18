/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/judge/polish.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* Maximum passes. Each pass makes the description shorter, so the passes end; few fabrics need more
 * than two. */
enum { MOST_PASSES = 8 };

static bool all_complete(const odo_placement *placement)
{
	for (unsigned i = 0; i < placement->n_dims; i++)
		if (placement->factor[i] != ODO_COMPLETE)
			return false;
	return placement->n_dims > 1;
}

static uint32_t fitting_links(const odo_finding *h, uint32_t v)
{
	uint32_t n = 0;
	for (uint32_t a = h->g->first[v]; a < h->g->first[v + 1]; a++)
		n += h->edge_class[h->g->edge[a]] != ODO_PORT_WRONG;
	return n;
}

static void vacate_place(odo_placement *placement, uint32_t v)
{
	uint32_t *at = odo_placement_at(placement, v);
	placement->occupant[odo_placement_position(placement, at)] = ODO_NONE;
	memset(at, 0xFF, placement->n_dims * sizeof *at);
}

/* A switch is in its place if this share of its links fit. In a wrong place the links of at most
 * one dimension fit. */
static const odo_share at_home = {3, 4};

/* A switch in a wrong place of its line has all links of that line, but almost none of the others.
 * In a FlatFly of unequal dimensions the line may have most of its links. */
static const odo_share linked = {1, 4};

/* Return true if v is linked to few of the switches beside its place in a complete dimension. */
static bool is_stranger(const odo_finding *h, uint32_t v)
{
	const odo_placement *placement = &h->placement;
	uint32_t at[ODO_MAX_DIMS], links[ODO_MAX_DIMS] = {0};
	memcpy(at, odo_placement_at(placement, v), placement->n_dims * sizeof *at);
	for (uint32_t a = h->g->first[v]; a < h->g->first[v + 1]; a++)
		if (h->edge_class[h->g->edge[a]] < placement->n_dims)
			links[h->edge_class[h->g->edge[a]]]++;
	for (unsigned i = 0; i < placement->n_dims; i++) {
		uint32_t own = at[i], there = 0;
		if (placement->factor[i] != ODO_COMPLETE)
			continue;
		for (at[i] = 0; at[i] < placement->size[i]; at[i]++)
			there += at[i] != own &&
				 placement->occupant[odo_placement_position(placement, at)] !=
					 ODO_NONE;
		at[i] = own;
		if (there > 1 && !odo_reaches(links[i], linked, there))
			return true;
	}
	return false;
}

/* Remove switches from wrong places. Return true if any was removed. */
static bool evict_misfits(const odo_finding *h, odo_placement *placement)
{
	bool any = false;
	for (uint32_t v = 0; v < placement->n; v++) {
		if (!odo_placement_placed(placement, v) ||
		    (odo_reaches(fitting_links(h, v), at_home, odo_degree(h->g, v)) &&
		     !is_stranger(h, v)))
			continue;
		vacate_place(placement, v);
		any = true;
	}
	return any;
}

/* Settle a placement, and adopt it in h if it saves more bits. The placement is consumed. */
static int consider_placement(odo_finding *h, odo_placement *placement, bool *better,
			      odo_error *err)
{
	odo_finding trial = {.kind = h->kind, .g = h->g, .placement = *placement};
	*placement = (odo_placement){0};
	*better = false;
	int status = odo_placement_index(h->g, &trial.placement, odo_placement_room(h->g), err);
	if (!status)
		status = odo_placement_settle(h->g, &trial.placement, err);
	if (!status)
		status = odo_finding_weigh(&trial, err);
	if (!status && trial.n_placed >= h->n_placed &&
	    odo_finding_saving(&trial) > odo_finding_saving(h)) {
		odo_finding swapped = *h;
		*h = trial;
		trial = swapped;
		*better = true;
	}
	odo_finding_clear(&trial);
	return status == ODO_EUNKNOWN ? 0 : status;
}

static int place_misfits(odo_finding *h, bool *better, odo_error *err)
{
	odo_placement placement;
	*better = false;
	int status = odo_placement_copy(&h->placement, &placement, err);
	if (!status)
		status = odo_placement_index(h->g, &placement, odo_placement_room(h->g), err);
	if (!status && evict_misfits(h, &placement))
		status = consider_placement(h, &placement, better, err);
	odo_placement_clear(&placement);
	return status;
}

/* Remove value x of dimension `dim`. Its switches are then unplaced. */
static void drop_value(odo_placement *placement, unsigned dim, uint32_t x)
{
	for (uint32_t v = 0; v < placement->n; v++) {
		uint32_t *at = odo_placement_at(placement, v);
		if (at[dim] == ODO_NONE)
			continue;
		if (at[dim] == x)
			memset(at, 0xFF, placement->n_dims * sizeof *at);
		else
			at[dim] -= at[dim] > x;
	}
	placement->size[dim]--;
}

/* Remove values with less than half of the usual switches of their dimension, which may be
 * splinters of others. */
static int drop_values(odo_finding *h, unsigned dim, bool *better, odo_error *err)
{
	uint32_t k = h->placement.size[dim], *count = odo_new(k, sizeof *count);
	int status = count ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	for (uint32_t v = 0; v < h->placement.n && !status; v++)
		if (odo_placement_placed(&h->placement, v))
			count[odo_placement_at(&h->placement, v)[dim]]++;
	*better = false;
	for (uint32_t x = k;
	     x-- > 0 && k > 2 && !status && !*better && odo_may_go_on(h->g->budget);) {
		odo_placement placement;
		if (odo_half((uint64_t)count[x] * k, h->n_placed))
			continue;
		status = odo_placement_copy(&h->placement, &placement, err);
		if (!status) {
			drop_value(&placement, dim, x);
			status = consider_placement(h, &placement, better, err);
		}
		odo_placement_clear(&placement);
	}
	free(count);
	return status;
}

/* Count the placed neighbours of v that differ from u in dimension `dim` alone, u included. */
static uint32_t in_line(const odo_finding *h, uint32_t v, uint32_t u, unsigned dim)
{
	const odo_placement *placement = &h->placement;
	uint32_t line[ODO_MAX_DIMS], n = 0;
	memcpy(line, odo_placement_at(placement, u), placement->n_dims * sizeof *line);
	for (uint32_t a = h->g->first[v]; a < h->g->first[v + 1]; a++) {
		const uint32_t *at = odo_placement_at(placement, h->g->to[a]);
		line[dim] = at[dim];
		n += at[dim] != ODO_NONE && !memcmp(at, line, placement->n_dims * sizeof *at);
	}
	return n;
}

/* Count the switches in the line through u in dimension `dim`. */
static uint32_t line_length(const odo_placement *placement, uint32_t u, unsigned dim)
{
	uint32_t at[ODO_MAX_DIMS], n = 0;
	memcpy(at, odo_placement_at(placement, u), placement->n_dims * sizeof *at);
	for (at[dim] = 0; at[dim] < placement->size[dim]; at[dim]++)
		n += placement->occupant[odo_placement_position(placement, at)] != ODO_NONE;
	return n;
}

/* Share of each line across a row to which a switch of the row is linked, after damage. */
static const odo_share nearly_all_of_line = {3, 4};

/* Return a neighbour in whose line in dimension `dim` nearly all switches are neighbours of v, and
 * which contains half of v's neighbours. Return ODO_NONE if there is none. */
static uint32_t line_of(const odo_finding *h, uint32_t v, unsigned dim)
{
	uint32_t placed = 0;
	uint64_t degree = odo_degree(h->g, v);
	odo_charge(h->g->budget, degree * degree);
	for (uint32_t a = h->g->first[v]; a < h->g->first[v + 1]; a++)
		placed += odo_placement_placed(&h->placement, h->g->to[a]);
	for (uint32_t a = h->g->first[v]; a < h->g->first[v + 1]; a++) {
		uint32_t u = h->g->to[a];
		if (!odo_placement_placed(&h->placement, u))
			continue;
		uint32_t n = in_line(h, v, u, dim);
		if (n > 1 && odo_half(n, placed) &&
		    odo_reaches(n, nearly_all_of_line, line_length(&h->placement, u, dim)))
			return u;
	}
	return ODO_NONE;
}

/* Add a value for switches that are linked to whole lines. They may be a last row that was bought
 * in part, too small to be recognised at first. Switches that are unplaced are considered, and
 * those that got a free place only because a wrong cable joined two rows. */
static int add_value(odo_finding *h, unsigned dim, bool *better, odo_error *err)
{
	odo_placement placement = {0};
	uint32_t moved = 0;
	*better = false;
	int status = odo_placement_copy(&h->placement, &placement, err);
	for (uint32_t v = 0; v < placement.n && !status; v++) {
		bool placed = odo_placement_placed(&h->placement, v) && !is_stranger(h, v);
		uint32_t u = placed ? ODO_NONE : line_of(h, v, dim);
		if (u == ODO_NONE)
			continue;
		uint32_t *at = odo_placement_at(&placement, v);
		memcpy(at, odo_placement_at(&h->placement, u), placement.n_dims * sizeof *at);
		at[dim] = placement.size[dim];
		moved++;
	}
	if (moved && !status) {
		placement.size[dim]++;
		status = consider_placement(h, &placement, better, err);
	}
	odo_placement_clear(&placement);
	return status;
}

/* Count the links between every two values of a dimension of four values. */
static void count_links_between_values(const odo_finding *h, unsigned dim, uint32_t count[4][4])
{
	for (uint32_t e = 0; e < h->g->n_edges; e++) {
		if (h->edge_class[e] != dim)
			continue;
		uint32_t a = odo_placement_at(&h->placement, h->g->end[e][0])[dim];
		uint32_t b = odo_placement_at(&h->placement, h->g->end[e][1])[dim];
		count[a][b]++;
		count[b][a]++;
	}
}

/* Wrong links between values that should not be linked, as a share of the links between other
 * values. */
static const odo_share stray = {1, 2};

/* Return the value that value 0 has no links to, if the other two have none to each other: a cycle
 * of four, which is K_2 x K_2. Return 0 if there is none. */
static uint32_t opposite_value(uint32_t count[4][4])
{
	for (uint32_t far = 1; far < 4; far++) {
		uint32_t a = far == 1 ? 2 : 1, b = 6 - far - a;
		uint32_t across = count[0][far] + count[a][b], least = UINT32_MAX;
		for (uint32_t i = 0; i < 2; i++) {
			uint32_t x = i ? far : 0;
			least = count[x][a] < least ? count[x][a] : least;
			least = count[x][b] < least ? count[x][b] : least;
		}
		if (!odo_reaches(across, stray, least))
			return far;
	}
	return 0;
}

/* Split a cycle of four, because wrong links can join two dimensions of pairs. */
static int split_cycles(odo_finding *h, unsigned dim, bool *better, odo_error *err)
{
	const odo_placement *from = &h->placement;
	uint32_t count[4][4] = {{0}}, far = 0;
	odo_placement placement = {0};
	*better = false;
	if (from->size[dim] == 4 && from->n_dims < ODO_MAX_DIMS) {
		count_links_between_values(h, dim, count);
		far = opposite_value(count);
	}
	if (!far)
		return 0;
	int status = odo_placement_make(from->n, from->n_dims + 1, &placement, err);
	for (uint32_t v = 0; v < from->n && !status; v++) {
		uint32_t *at = odo_placement_at(&placement, v), x = odo_placement_at(from, v)[dim];
		memcpy(at, odo_placement_at(from, v), from->n_dims * sizeof *at);
		uint32_t low = far == 1 ? 2 : 1; /* 0 and `low` are adjacent, `far` is opposite */
		at[dim] = x == ODO_NONE ? x : x == far || x == low;
		at[from->n_dims] = x == ODO_NONE ? x : x != 0 && x != low;
	}
	memcpy(placement.size, from->size, sizeof placement.size);
	memcpy(placement.factor, from->factor, sizeof placement.factor);
	placement.size[dim] = placement.size[from->n_dims] = 2;
	placement.factor[from->n_dims] = ODO_COMPLETE;
	if (!status)
		status = consider_placement(h, &placement, better, err);
	odo_placement_clear(&placement);
	return status;
}

int odo_polish(odo_finding *h, odo_error *err)
{
	bool complete = all_complete(&h->placement);
	bool better = (complete || h->placement.n_dims > 1) && !odo_finding_whole(h) &&
		      odo_uses("polish");
	int status = 0;
	for (unsigned i = 0; i < h->placement.n_dims && complete && better && !status; i++) {
		bool split;
		if (odo_uses("cycles of four split"))
			status = split_cycles(h, i, &split, err);
	}
	for (int pass = 0; pass < MOST_PASSES && better && !status && odo_may_go_on(h->g->budget);
	     pass++) {
		better = false;
		if (odo_uses("misfits placed anew"))
			status = place_misfits(h, &better, err);
		for (unsigned i = 0; i < h->placement.n_dims && complete && !status; i++) {
			bool added = false, dropped = false;
			if (odo_uses("values added"))
				status = add_value(h, i, &added, err);
			if (!status && !added && odo_uses("values dropped"))
				status = drop_values(h, i, &dropped, err);
			better |= added | dropped;
		}
	}
	return status;
}

/* Names for the values within groups, found group by group. */
typedef struct names {
	const odo_finding *h;
	uint32_t k;      /* values */
	uint32_t *name;  /* [groups * k] name of each value, or ODO_NONE */
	uint32_t *votes; /* [k * k] value, name */
	uint32_t *links; /* [groups] links to groups that have names */
	bool *named;     /* [groups] */
	bool *taken;     /* [k] names of the present group */
} names;

static void names_make(const odo_finding *h, odo_arena *memory, names *t)
{
	size_t groups = h->placement.size[0], k = h->placement.size[1];
	*t = (names){.h = h,
		     .k = (uint32_t)k,
		     .name = odo_arena_new(memory, groups * k, sizeof *t->name),
		     .votes = odo_arena_new(memory, k * k, sizeof *t->votes),
		     .links = odo_arena_new(memory, groups, sizeof *t->links),
		     .named = odo_arena_new(memory, groups, sizeof *t->named),
		     .taken = odo_arena_new(memory, k, sizeof *t->taken)};
}

/* Let links from `group` to groups that have names vote for the names of its values. */
static void vote_for_names(names *t, uint32_t group)
{
	const odo_placement *placement = &t->h->placement;
	const odo_links *g = t->h->g;
	memset(t->votes, 0, (size_t)t->k * t->k * sizeof *t->votes);
	for (uint32_t x = 0; x < t->k; x++) {
		uint32_t v = placement->occupant[(size_t)group * t->k + x];
		for (uint32_t a = v == ODO_NONE ? 0 : g->first[v];
		     v != ODO_NONE && a < g->first[v + 1]; a++) {
			const uint32_t *far = odo_placement_at(placement, g->to[a]);
			if (far[0] != ODO_NONE && far[0] != group && t->named[far[0]])
				t->votes[(size_t)x * t->k +
					 t->name[(size_t)far[0] * t->k + far[1]]]++;
		}
	}
}

/* Find the value without a name and the free name with the most votes, the first of equals. */
static void best_pair(const names *t, const uint32_t *name, uint32_t *value, uint32_t *best)
{
	uint32_t most = 0;
	*value = ODO_NONE;
	for (uint32_t x = 0; x < t->k; x++) {
		for (uint32_t y = 0; y < t->k && name[x] == ODO_NONE; y++) {
			uint32_t votes = t->votes[(size_t)x * t->k + y];
			if (t->taken[y] || (*value != ODO_NONE && votes <= most))
				continue;
			most = votes;
			*value = x;
			*best = y;
		}
	}
}

static void elect_names(names *t, uint32_t group)
{
	uint32_t *name = t->name + (size_t)group * t->k;
	memset(t->taken, 0, t->k * sizeof *t->taken);
	for (uint32_t round = 0; round < t->k; round++) {
		uint32_t value, best = 0;
		best_pair(t, name, &value, &best);
		name[value] = best;
		t->taken[best] = true;
	}
	t->named[group] = true;
	for (uint32_t i = 0; i < t->h->n_pairs; i++)
		for (int side = 0; side < 2; side++)
			if (t->h->pair[i].group[side] == group)
				t->links[t->h->pair[i].group[!side]] += t->h->pair[i].n_edges;
}

/* Name the values of the group with the most switches first, then repeatedly those of the group
 * with the most links to named groups. */
static void name_all(names *t)
{
	uint32_t groups = t->h->placement.size[0];
	memset(t->name, 0xFF, (size_t)groups * t->k * sizeof *t->name);
	for (uint32_t round = 0; round < groups; round++) {
		uint32_t best = ODO_NONE, most = 0;
		for (uint32_t c = 0; c < groups; c++) {
			uint32_t n = round ? t->links[c]
					   : odo_placement_members(&t->h->placement, c);
			if (t->named[c] || (best != ODO_NONE && n <= most))
				continue;
			best = c;
			most = n;
		}
		vote_for_names(t, best);
		elect_names(t, best);
	}
}

static void rename_values(const names *t, odo_placement *placement)
{
	for (uint32_t v = 0; v < placement->n; v++) {
		uint32_t *at = odo_placement_at(placement, v);
		if (at[0] != ODO_NONE)
			at[1] = t->name[(size_t)at[0] * t->k + at[1]];
	}
	placement->factor[0] = ODO_COMPLETE;
}

/* Return true if at least half of the links between the switches of two groups of a product
 * exist. */
static bool nearly_all(const odo_finding *h)
{
	double groups = h->placement.size[0], n = h->n_placed / groups, links = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++)
		links += h->pair[i].n_edges;
	return groups * (groups - 1) / 2 * n < 2 * links;
}

int odo_polish_align(const odo_finding *groups, odo_placement *placement, odo_error *err)
{
	names t;
	odo_arena memory = {0};
	*placement = (odo_placement){0};
	if (groups->placement.n_dims != 2 || !nearly_all(groups))
		return odo_fail(err, ODO_EUNKNOWN, "groups have few links between them");
	names_make(groups, &memory, &t);
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for coordinates")
				   : odo_placement_copy(&groups->placement, placement, err);
	if (!status) {
		name_all(&t);
		rename_values(&t, placement);
		status = odo_placement_index(groups->g, placement, odo_placement_room(groups->g),
					     err);
	}
	if (!status)
		status = odo_placement_settle(groups->g, placement, err);
	odo_arena_free(&memory);
	return status;
}
