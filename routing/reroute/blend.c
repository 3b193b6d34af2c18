/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The graph begins with the dependencies of the old tables, and none is removed. A tree is taken
 * from the new tables, or as many of its entries as possible, on two conditions: the graph stays
 * free of cycles, and no packet goes round between a switch's new entry and another's old one. The
 * other entries may follow in a later step, whose graph no longer has the replaced entries.
 *
 * A newly added switch uses its new entries immediately, because no old path crosses it.
 */
#include "routing/reroute/blend.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/twins.h"
#include "routing/reroute/carry.h"
#include "routing/graph/walk.h"

#define NO_ROW UINT16_MAX

/* A switch whose entry differs in the new tree, and its hops to the LID there. */
typedef struct stray {
	uint32_t s, hops;
} stray;

typedef struct blender {
	const odo_fabric *then, *f; /* fabric as it was, and as it is */
	const odo_tables *like;
	odo_tables *t;
	odo_walker walker;
	uint32_t *twin;  /* [n_switches] number of each in `then`; ODO_NONE: added since */
	uint8_t *came;   /* [slots] the cable was added */
	uint16_t *row;   /* [rows of like] number of each in t, or NO_ROW */
	uint8_t *was;    /* [n] entries of the tree at hand */
	uint32_t *into;  /* [n] number of entries that lead to each switch */
	uint32_t *queue; /* [n] */
	stray *strays;   /* [n] of the tree at hand */
	bool stuck;      /* a LID cannot be reached in this step */
	/* Each added switch is a leaf behind an old one: no other packets cross it. */
	bool as_leaves;
	uint32_t *model; /* [n] a LID of each switch, or 0 */
} blender;

static uint8_t *entry_of(const blender *x, uint32_t s, uint32_t lid)
{
	return &x->t->lft[(size_t)s * x->f->lid_count + lid];
}

static void find_gains(blender *x)
{
	for (uint32_t i = 0; i < x->f->first_slot[x->f->n_switches]; i++)
		x->came[i] = odo_next_switch(x->f, i) != ODO_NONE &&
			     !odo_same_cable(x->f, i, x->then, x->twin);
}

static int take_row(blender *x, uint16_t theirs, uint16_t *ours, odo_error *err)
{
	int status = 0;
	if (x->row[theirs] == NO_ROW)
		status = odo_tables_row(x->t, &x->like->rows[theirs], &x->row[theirs], err);
	*ours = x->row[theirs];
	return status;
}

/* Return true if a switch, or the cable of its port, was added. */
static bool is_new(const blender *x, uint32_t s, unsigned port)
{
	return x->twin[s] == ODO_NONE || (port && x->came[odo_slot(x->f, s, port)]);
}

/* Return an input of a switch for packets of its hosts; 0, its own input, without hosts. */
static unsigned own_input(const odo_fabric *f, uint32_t s)
{
	for (unsigned in = 1; in <= odo_n_ports(f, s); in++)
		if (f->slot_host[odo_slot(f, s, in)] != ODO_NONE)
			return in;
	return 0;
}

/* Map SLs of packets from an added leaf like those from hosts of the switch before it. */
static void map_leaves(blender *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		uint32_t s = f->owner[i], leaf = odo_next_switch(f, i);
		if (leaf == ODO_NONE || x->twin[leaf] != ODO_NONE || x->twin[s] == ODO_NONE)
			continue;
		unsigned like = own_input(f, s), in = odo_port(f, i);
		for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
			if (!is_new(x, s, out))
				*odo_sl2vl_entry(x->t, s, in, out) = *odo_sl2vl_entry(x->t, s, like,
										      out);
	}
}

static int take_maps(blender *x, odo_error *err)
{
	const odo_fabric *f = x->f;
	int status = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 0; out <= odo_n_ports(f, s) && !status; out++)
				if (is_new(x, s, in) || is_new(x, s, out))
					status = take_row(x, *odo_sl2vl_entry(x->like, s, in, out),
							  odo_sl2vl_entry(x->t, s, in, out), err);
	for (uint32_t h = 0; h < f->n_hosts && !status; h++)
		if (x->twin[odo_host_switch(f, h)] == ODO_NONE)
			status = take_row(x, x->like->host_row[h], &x->t->host_row[h], err);
	if (x->as_leaves)
		map_leaves(x);
	return status;
}

/* Add the dependencies of the tree to a LID. Return false, and undo them, if they close a cycle. */
static bool add_tree(blender *x, uint32_t lid, bool new_switches_alone)
{
	odo_walker_entries_changed(&x->walker);
	odo_walker_begin(&x->walker);
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (s != x->f->lid_switch[lid] && *entry_of(x, s, lid) != ODO_NO_PORT &&
		    (!new_switches_alone || x->twin[s] == ODO_NONE) &&
		    !odo_walker_add(&x->walker, s, lid, 1u << odo_path_sl(x->t, s, lid)))
			return odo_walker_undo(&x->walker);
	return true;
}

static bool mark_old_waits(blender *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		for (uint32_t s = 0; f->lid_switch[lid] != ODO_NONE && s < f->n_switches; s++)
			if (s != f->lid_switch[lid] && *entry_of(x, s, lid) != ODO_NO_PORT &&
			    !odo_walker_mark(&x->walker, s, lid, 1u << odo_path_sl(x->t, s, lid)))
				return false;
	return odo_walker_sort(&x->walker);
}

static void set_path(blender *x, uint32_t s, uint32_t lid, unsigned port, unsigned sl)
{
	*entry_of(x, s, lid) = (uint8_t)port;
	if (x->t->sl_of_pair)
		x->t->sl_of_pair[(size_t)s * x->f->lid_count + lid] = (uint8_t)sl;
}

/* Slot of a leaf to a switch that was there, another one for each LID; or ODO_NONE. */
static uint32_t stem_of(const blender *x, uint32_t leaf, uint32_t lid)
{
	const odo_fabric *f = x->f;
	uint32_t n = odo_n_ports(f, leaf);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = odo_slot(f, leaf, (i + lid) % n + 1);
		uint32_t t = odo_next_switch(f, slot);
		if (t != ODO_NONE && x->twin[t] != ODO_NONE && x->model[t])
			return slot;
	}
	return ODO_NONE;
}

/* From leaves to a LID; and to that of a leaf as to one of the switch before it. */
static bool lead_leaves(blender *x, uint32_t lid)
{
	const odo_fabric *f = x->f;
	uint32_t home = f->lid_switch[lid], stem = stem_of(x, home, lid), model = lid;
	bool unknown = x->twin[home] == ODO_NONE;
	if (unknown && stem == ODO_NONE)
		return false;
	if (unknown)
		model = x->model[odo_next_switch(f, stem)];
	if (unknown)
		x->t->sl_of_lid[lid] = x->t->sl_of_lid[model];
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (unknown && s != home && x->twin[s] != ODO_NONE)
			set_path(x, s, lid,
				 f->lid_switch[model] == s ? odo_port(f, f->peer[stem])
							   : odo_next_port(x->t, s, model),
				 odo_path_sl(x->t, s, model));
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t up = s != home && x->twin[s] == ODO_NONE ? stem_of(x, s, lid) : ODO_NONE;
		if (s != home && x->twin[s] == ODO_NONE && up == ODO_NONE)
			return false;
		if (up != ODO_NONE)
			set_path(x, s, lid, odo_port(f, up),
				 odo_path_sl(x->t, odo_next_switch(f, up), lid));
	}
	return true;
}

/* Take new entries for added switches and for LIDs that no port had before. Old tables have none.
 */
static bool take_what_came(blender *x, uint32_t lid)
{
	const odo_fabric *f = x->f;
	bool unknown = x->twin[f->lid_switch[lid]] == ODO_NONE, any = false;
	for (uint32_t s = 0; s < f->n_switches; s++)
		any |= *entry_of(x, s, lid) == ODO_NO_PORT && (unknown || x->twin[s] == ODO_NONE);
	if (any && x->as_leaves)
		return lead_leaves(x, lid) && add_tree(x, lid, !unknown);
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (*entry_of(x, s, lid) == ODO_NO_PORT && (unknown || x->twin[s] == ODO_NONE))
			set_path(x, s, lid, odo_next_port(x->like, s, lid),
				 odo_path_sl(x->like, s, lid));
	if (unknown)
		x->t->sl_of_lid[lid] = x->like->sl_of_lid[lid];
	return !any || add_tree(x, lid, !unknown);
}

static void find_switch_lids(blender *x)
{
	for (uint32_t lid = 1; lid < x->f->lid_count; lid++) {
		uint32_t s = x->f->lid_switch[lid];
		if (s != ODO_NONE && x->twin[s] != ODO_NONE &&
		    (!x->model[s] || x->f->lid_host[lid] != ODO_NONE))
			x->model[s] = lid;
	}
}

static uint32_t next_by(const blender *x, uint32_t s, uint8_t port)
{
	return port - 1u < odo_n_ports(x->f, s) ? odo_next_switch(x->f, odo_slot(x->f, s, port))
						: ODO_NONE;
}

/* Return true if a packet can go round by old and new entries. Switches to which no entry leads are
 * removed, again and again. The switches of a circle remain. */
static bool can_loop(blender *x, uint32_t lid)
{
	uint32_t n = x->f->n_switches, n_queue = 0;
	memset(x->into, 0, n * sizeof *x->into);
	for (uint32_t s = 0; s < n; s++) {
		uint32_t a = next_by(x, s, x->was[s]), b = next_by(x, s, *entry_of(x, s, lid));
		if (a != ODO_NONE)
			x->into[a]++;
		if (b != ODO_NONE)
			x->into[b]++;
	}
	for (uint32_t s = 0; s < n; s++)
		if (!x->into[s])
			x->queue[n_queue++] = s;
	for (uint32_t i = 0; i < n_queue; i++) {
		uint32_t s = x->queue[i];
		uint32_t a = next_by(x, s, x->was[s]), b = next_by(x, s, *entry_of(x, s, lid));
		if (a != ODO_NONE && !--x->into[a])
			x->queue[n_queue++] = a;
		if (b != ODO_NONE && !--x->into[b])
			x->queue[n_queue++] = b;
	}
	return n_queue < n;
}

/* Return true if the new tree leads through an added switch, which has no entries yet and would
 * lose packets. */
static bool passes_new(const blender *x, uint32_t lid)
{
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		uint32_t t = next_by(x, s, *entry_of(x, s, lid));
		if (t != ODO_NONE && x->twin[s] != ODO_NONE && x->twin[t] == ODO_NONE)
			return x->twin[x->f->lid_switch[lid]] != ODO_NONE;
	}
	return false;
}

static uint32_t hops_from(const blender *x, uint32_t s, uint32_t lid)
{
	uint32_t hops = 0;
	while (s != ODO_NONE && s != x->f->lid_switch[lid] && hops < x->f->n_switches) {
		s = next_by(x, s, odo_next_port(x->like, s, lid));
		hops++;
	}
	return hops;
}

static int nearest_first(const void *a, const void *b)
{
	const stray *x = a, *y = b;
	if (x->hops != y->hops)
		return x->hops < y->hops ? -1 : 1;
	return x->s < y->s ? -1 : x->s > y->s;
}

/* New entries for these switches, or for as many of them as may have them. @return whether for all
 */
static bool take_entries(blender *x, uint32_t lid, const stray *strays, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		*entry_of(x, strays[i].s, lid) = odo_next_port(x->like, strays[i].s, lid);
	if (!passes_new(x, lid) && !can_loop(x, lid) && add_tree(x, lid, false))
		return true;
	for (uint32_t i = 0; i < n; i++)
		*entry_of(x, strays[i].s, lid) = x->was[strays[i].s];
	if (n > 1) {
		take_entries(x, lid, strays, n / 2);
		take_entries(x, lid, strays + n / 2, n - n / 2);
	}
	return false;
}

/* Takes the new tree to a LID, or as much of it as may be, what is near to it first: others lead
 * there. @return whether it is the new one then */
static bool take_tree(blender *x, uint32_t lid)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		x->was[s] = *entry_of(x, s, lid);
		if (x->was[s] != odo_next_port(x->like, s, lid))
			x->strays[n++] = (stray){s, hops_from(x, s, lid)};
	}
	qsort(x->strays, n, sizeof *x->strays, nearest_first);
	return !n || take_entries(x, lid, x->strays, n);
}

static int prepare_blend(blender *x, const odo_tables *before, odo_error *err)
{
	uint32_t n = x->f->n_switches;
	int lost = odo_has_grown(x->then, x->f), come = odo_has_grown(x->f, x->then);
	if (lost < 0 || come < 0)
		return odo_fail(err, ODO_ENOMEM, "no memory to blend tables");
	if (lost)
		return odo_fail(err, ODO_EDECLINE, "something is lost");
	if (!come && !before->from.unfinished)
		return odo_fail(err, ODO_EDECLINE, "nothing has come");
	x->twin = odo_twins(x->f, n, x->then, x->then->n_switches);
	x->came = odo_new(x->f->first_slot[n], 1);
	x->row = odo_new(x->like->n_rows, sizeof *x->row);
	x->was = odo_new(n, 1);
	x->into = odo_new(n, sizeof *x->into);
	x->queue = odo_new(n, sizeof *x->queue);
	x->strays = odo_new(n, sizeof *x->strays);
	x->model = odo_new(n, sizeof *x->model);
	if (!x->twin || !x->came || !x->row || !x->was || !x->into || !x->queue || !x->strays ||
	    !x->model)
		return odo_fail(err, ODO_ENOMEM, "no memory to blend tables");
	memset(x->row, 0xFF, x->like->n_rows * sizeof *x->row);
	find_gains(x);
	find_switch_lids(x);
	return odo_carry_unproved(before, x->f, &x->t, err);
}

static int blend_tables(blender *x, const odo_tables *before, odo_error *err)
{
	const odo_fabric *f = x->f;
	int status = prepare_blend(x, before, err);
	if (status)
		return status;
	x->t->n_vls = x->t->n_vls > x->like->n_vls ? x->t->n_vls : x->like->n_vls;
	x->t->n_sls = x->t->n_sls > x->like->n_sls ? x->t->n_sls : x->like->n_sls;
	status = take_maps(x, err);
	if (!status && odo_walker_init(&x->walker, x->t))
		status = odo_fail(err, ODO_ENOMEM, "no memory to blend tables");
	if (!status && !mark_old_waits(x))
		status = odo_fail(err, ODO_EDECLINE, "the tables of before are not safe");
	for (uint32_t lid = 1; lid < f->lid_count && !status; lid++)
		if (f->lid_switch[lid] != ODO_NONE && !take_what_came(x, lid)) {
			x->stuck = true;
			status = odo_fail(err, ODO_EDECLINE, "LID %u cannot be reached so", lid);
		}
	x->t->from.unfinished = false;
	for (uint32_t lid = 1; lid < f->lid_count && !status; lid++)
		if (f->lid_switch[lid] != ODO_NONE && !take_tree(x, lid))
			x->t->from.unfinished = true;
	x->t->from.carried = false;
	x->t->from.spliced = true;
	return x->walker.no_memory ? odo_fail(err, ODO_ENOMEM, "no memory to blend tables")
				   : status;
}

static void clear_blender(blender *x)
{
	odo_walker_clear(&x->walker);
	free(x->twin);
	free(x->came);
	free(x->row);
	free(x->was);
	free(x->into);
	free(x->queue);
	free(x->strays);
	free(x->model);
}

int odo_blend(const odo_tables *before, const odo_tables *like, odo_tables **out, odo_error *err)
{
	int status = ODO_EDECLINE;
	bool stuck = true;
	for (int as_leaves = 0; as_leaves < 2 && stuck; as_leaves++) {
		blender x = {.then = before->fabric, .f = like->fabric, .like = like};
		x.as_leaves = as_leaves;
		status = blend_tables(&x, before, err);
		stuck = x.stuck && status == ODO_EDECLINE;
		if (status)
			odo_tables_free(x.t);
		else
			*out = x.t;
		clear_blender(&x);
	}
	return status;
}
