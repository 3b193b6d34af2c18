/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Repair works on the fabric as it was, with missing cables marked as dead. The graph begins with
 * the dependencies of the old tables, also those of dead cables, and none is ever removed. So old
 * and new paths close no cycle together, in whatever order switches get their new entries.
 *
 * Dead cables cut the tree to a LID into pieces. The root of a piece is the switch whose entry
 * leads over a dead cable. A piece is tied to the rest by its root, if the root has a neighbour
 * there; otherwise by another switch of the piece, and the root then gets an entry towards that
 * switch.
 */
#include "routing/reroute/splice.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/twins.h"
#include "routing/reroute/carry.h"
#include "routing/graph/walk.h"

/* Number of attempts. Each begins with the LID that found no path in the attempt before. */
#define N_TRIES 8

/* A port by which a switch might send. */
typedef struct tie {
	uint32_t s, slot;
	uint32_t depth; /* of the switch there */
	uint32_t moved; /* entries that take this port already */
	bool root, like;
} tie;

typedef struct splicer {
	const odo_fabric *then, *now;
	const odo_tables *like;
	odo_tables *t; /* of the fabric as it was */
	odo_walker walker;
	uint32_t *twin;  /* [n_switches] number of each in the present fabric, or ODO_NONE */
	uint32_t *next;  /* [slots] switch at the far end of what still stands, or ODO_NONE */
	uint32_t *moved; /* [slots] entries that take this port already */
	/* The LID at hand: */
	uint32_t lid;
	bool stuck;       /* it has no path */
	uint32_t *depth;  /* [n] hops to the LID; ODO_NONE: cut off, as are missing switches */
	uint32_t *path;   /* [n] */
	uint8_t *was_off; /* [n] */
	tie *ties;
	size_t ties_room;
	uint32_t n_ties;
} splicer;

static uint32_t slot_of(const splicer *x, uint32_t s)
{
	unsigned port = odo_next_port(x->t, s, x->lid);
	return port - 1u < odo_n_ports(x->then, s) ? odo_slot(x->then, s, port) : ODO_NONE;
}

/* Return the next switch on the path, or ODO_NONE. */
static uint32_t next_on_path(const splicer *x, uint32_t s)
{
	uint32_t slot = slot_of(x, s);
	return slot == ODO_NONE ? ODO_NONE : x->next[slot];
}

static void find_cables_left(splicer *x)
{
	const odo_fabric *then = x->then;
	for (uint32_t i = 0; i < then->first_slot[then->n_switches]; i++)
		x->next[i] = odo_same_cable(then, i, x->now, x->twin) ? odo_next_switch(then, i)
								      : ODO_NONE;
}

/* Measure depths in the tree of the LID. Return true if an existing switch is cut off. */
static bool measure_depths(splicer *x)
{
	uint32_t n_switches = x->then->n_switches, home = x->then->lid_switch[x->lid];
	bool off = false;
	memset(x->depth, 0xFF, n_switches * sizeof *x->depth);
	x->depth[home] = 0;
	for (uint32_t i = 0; i < n_switches; i++) {
		uint32_t n = 0, s = i;
		while (s != ODO_NONE && x->depth[s] == ODO_NONE && n < n_switches) {
			x->path[n++] = s;
			s = next_on_path(x, s);
		}
		uint32_t depth = s == ODO_NONE ? ODO_NONE : x->depth[s];
		while (n && depth != ODO_NONE)
			x->depth[x->path[--n]] = ++depth;
		off |= x->twin[i] != ODO_NONE && x->depth[i] == ODO_NONE;
	}
	return off;
}

static int by_preference(const void *a, const void *b)
{
	const tie *x = a, *y = b;
	if (x->root != y->root)
		return x->root ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->like != y->like)
		return x->like ? -1 : 1;
	if (x->moved != y->moved)
		return x->moved < y->moved ? -1 : 1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* List the ports of switches that are cut off to switches that are not, best first. */
static int list_ties(splicer *x)
{
	const odo_fabric *then = x->then;
	x->n_ties = 0;
	for (uint32_t s = 0; s < then->n_switches; s++) {
		if (x->twin[s] == ODO_NONE || x->depth[s] != ODO_NONE)
			continue;
		unsigned port = x->lid < x->now->lid_count
					? odo_next_port(x->like, x->twin[s], x->lid)
					: ODO_NO_PORT;
		for (uint32_t i = then->first_slot[s]; i < then->first_slot[s + 1]; i++) {
			if (x->next[i] == ODO_NONE || x->depth[x->next[i]] == ODO_NONE)
				continue;
			if (odo_grow(&x->ties, &x->ties_room, x->n_ties + 1ul, sizeof *x->ties))
				return ODO_ENOMEM;
			x->ties[x->n_ties++] = (tie){.s = s,
						     .slot = i,
						     .depth = x->depth[x->next[i]],
						     .moved = x->moved[i],
						     .root = next_on_path(x, s) == ODO_NONE,
						     .like = odo_port(then, i) == port};
		}
	}
	if (x->n_ties)
		qsort(x->ties, x->n_ties, sizeof *x->ties, by_preference);
	return 0;
}

/* Ties a piece to the rest, unless that could close a cycle. */
static bool make_tie(splicer *x, const tie *at)
{
	uint32_t n = x->then->n_switches;
	uint8_t *entry = &x->t->lft[(size_t)at->s * x->then->lid_count + x->lid], before = *entry;
	bool fits = true;
	for (uint32_t s = 0; s < n; s++)
		x->was_off[s] = x->depth[s] == ODO_NONE;
	*entry = (uint8_t)odo_port(x->then, at->slot);
	measure_depths(x);
	odo_walker_entries_changed(&x->walker);
	odo_walker_begin(&x->walker);
	for (uint32_t s = 0; s < n && fits; s++)
		if (x->was_off[s] && x->depth[s] != ODO_NONE)
			fits = odo_walker_add(&x->walker, s, x->lid,
					      1u << odo_path_sl(x->t, s, x->lid));
	x->moved[at->slot] += fits;
	if (fits)
		return true;
	odo_walker_undo(&x->walker);
	*entry = before;
	measure_depths(x);
	return false;
}

/* Takes the first of the ties that fits. */
static bool make_some_tie(splicer *x)
{
	for (uint32_t i = 0; i < x->n_ties; i++)
		if (make_tie(x, &x->ties[i]))
			return true;
	return false;
}

/* @return 0, ODO_EDECLINE or ODO_ENOMEM, without a message */
static int splice_lid(splicer *x)
{
	while (measure_depths(x)) {
		int status = list_ties(x);
		if (status || !x->n_ties) /* what is left has no cable to the rest */
			return status;
		x->stuck = !make_some_tie(x);
		if (x->stuck)
			return x->walker.no_memory ? ODO_ENOMEM : ODO_EDECLINE;
	}
	return 0;
}

/* Nothing waits for a cable that is gone: what was to be sent over it is dropped. */
static void forget_gone(splicer *x)
{
	const odo_dependencies *deps = &x->walker.graph.forward;
	for (uint32_t i = 0; i < x->then->first_slot[x->then->n_switches]; i++)
		for (unsigned vl = 0; x->next[i] == ODO_NONE && vl < deps->n_vls; vl++)
			memset(odo_successors(deps, i, vl), 0,
			       deps->words * sizeof *odo_successors(deps, i, vl));
}

/* What packets wait for under the old tables. */
static bool mark_paths_before(splicer *x)
{
	const odo_fabric *f = x->then;
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		for (uint32_t s = 0; f->lid_switch[lid] != ODO_NONE && s < f->n_switches; s++)
			if (s != f->lid_switch[lid] &&
			    !odo_walker_mark(&x->walker, s, lid, 1u << odo_path_sl(x->t, s, lid)))
				return false;
	forget_gone(x);
	return odo_walker_sort(&x->walker);
}

static int prepare_splice(splicer *x, const odo_tables *before, odo_error *err)
{
	uint32_t n = x->then->n_switches, slots = x->then->first_slot[n];
	int grown = odo_has_grown(x->now, x->then);
	if (grown)
		return grown < 0 ? odo_fail(err, ODO_ENOMEM, "no memory to mend tables")
				 : odo_fail(err, ODO_EDECLINE, "a cable or a switch has come");
	x->twin = odo_twins(x->then, n, x->now, x->now->n_switches);
	x->next = odo_new(slots, sizeof *x->next);
	x->moved = odo_new(slots, sizeof *x->moved);
	x->depth = odo_new(n, sizeof *x->depth);
	x->path = odo_new(n, sizeof *x->path);
	x->was_off = odo_new(n, 1);
	if (!x->twin || !x->next || !x->moved || !x->depth || !x->path || !x->was_off)
		return odo_fail(err, ODO_ENOMEM, "no memory to mend tables");
	find_cables_left(x);
	int status = odo_carry_unproved(before, x->then, &x->t, err);
	if (!status && odo_walker_init(&x->walker, x->t))
		status = odo_fail(err, ODO_ENOMEM, "no memory to mend tables");
	if (!status && !mark_paths_before(x))
		status = odo_fail(err, ODO_EDECLINE, "the tables of before are not safe");
	return status;
}

/* Does some switch send to some LID by `like`, and by these tables not? */
static bool is_less(const odo_tables *t, const odo_tables *like)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (odo_next_port(t, s, lid) == ODO_NO_PORT &&
			    odo_next_port(like, s, lid) != ODO_NO_PORT)
				return true;
	return false;
}

static int splice_tables(splicer *x, const uint32_t *order, const odo_tables *before,
			 odo_tables **out, odo_error *err)
{
	const odo_fabric *f = x->then;
	int status = prepare_splice(x, before, err);
	for (uint32_t i = 0; i < f->lid_count && !status; i++) {
		uint32_t s = f->lid_switch[order[i]];
		x->lid = order[i];
		if (s == ODO_NONE || x->twin[s] == ODO_NONE)
			continue;
		status = splice_lid(x);
		if (status)
			odo_fail(err, status, "LID %u cannot be reached so", x->lid);
	}
	if (!status)
		status = odo_carry_unproved(x->t, x->now, out, err);
	if (status)
		return status;
	(*out)->from.carried = false;
	(*out)->from.spliced = true;
	if (!is_less(*out, x->like))
		return 0;
	odo_tables_free(*out);
	return odo_fail(err, ODO_EDECLINE, "a LID has come");
}

static void clear_splicer(splicer *x)
{
	odo_walker_clear(&x->walker);
	odo_tables_free(x->t);
	free(x->twin);
	free(x->next);
	free(x->moved);
	free(x->depth);
	free(x->path);
	free(x->was_off);
	free(x->ties);
}

static void put_first(uint32_t *order, uint32_t lid)
{
	uint32_t i = 0;
	while (order[i] != lid)
		i++;
	memmove(order + 1, order, i * sizeof *order);
	order[0] = lid;
}

int odo_splice(const odo_tables *before, const odo_tables *like, odo_tables **out, odo_error *err)
{
	uint32_t lids = before->fabric->lid_count, *order = odo_new(lids, sizeof *order);
	int status = order ? ODO_EDECLINE : odo_fail(err, ODO_ENOMEM, "no memory to mend tables");
	bool stuck = true;
	for (uint32_t lid = 0; order && lid < lids; lid++)
		order[lid] = lid;
	for (unsigned i = 0; i < N_TRIES && status == ODO_EDECLINE && stuck; i++) {
		splicer x = {.then = before->fabric, .now = like->fabric, .like = like};
		status = splice_tables(&x, order, before, out, err);
		stuck = x.stuck && order[0] != x.lid;
		if (stuck)
			put_first(order, x.lid);
		clear_splicer(&x);
	}
	free(order);
	return status;
}
