/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detours start where a path is broken, and so they crowd the cables near by. Here the fullest
 * cable is looked at again and again: of all switches that lead over it to some LID, one takes
 * another port for that LID, such that no cable becomes as full. What packets then wait for is
 * added to the dependencies that there are, none of which is taken away; if that closes a cycle the
 * next best is tried. Where nothing helps the fullest cable there is nothing to win further down.
 */
#include "routing/choose/relieve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/analyze/analyze.h"
#include "routing/forest/forest.h"
#include "routing/graph/deal.h"
#include "routing/reroute/walk.h"

/* Pairs of a switch and a LID up to which it is tried: about a tenth of a second. Then entries
 * looked at for all cables, and ways tried for one, before what is left stays. */
#define MAX_PAIRS 1000000u
#define MAX_WORK 100000000u
#define MAX_TRIES 64u

/* Another port of a switch for a LID. */
typedef struct move {
	double fullest; /* of the cables that it changes */
	uint64_t name;  /* of the cable */
	uint32_t lid, s, slot;
} move;

typedef struct reliever {
	odo_tables *t;
	const odo_fabric *f;
	uint32_t n;
	double *part;    /* [slots] what a path adds to the use of a cable */
	uint64_t *load;  /* [slots] paths between hosts */
	uint64_t *name;  /* [slots] by which equals are told apart, however the fabric is stored */
	uint32_t *hosts; /* [n] that send */
	odo_walker walker;
	/* The LID at hand: */
	uint32_t lid, d;
	uint32_t *depth;   /* [n] ODO_NONE: does not arrive */
	uint32_t *order;   /* [n] nearest first */
	uint32_t *carried; /* [n] hosts whose packets pass */
	uint32_t *path;    /* [n] scratch */
	uint32_t n_order;
	uint8_t *crosses; /* [n] the cable at hand */
	uint32_t *stamp;  /* [n] the switch whose old path passes */
	uint64_t work;
	move *moves;
	size_t moves_room;
	uint32_t n_moves;
} reliever;

static uint32_t slot_to(const reliever *x, uint32_t s, uint32_t lid)
{
	unsigned port = odo_next_port(x->t, s, lid);
	return port - 1u < odo_n_ports(x->f, s) ? odo_slot(x->f, s, port) : ODO_NONE;
}

/* By hosts; aggregation nodes send and get nothing. */
static bool is_sent_to(const reliever *x, uint32_t lid)
{
	return x->f->lid_switch[lid] != ODO_NONE && x->f->lid_host[lid] < x->f->n_senders;
}

static uint32_t after(const reliever *x, uint32_t slot)
{
	return slot == ODO_NONE ? ODO_NONE : odo_next_switch(x->f, slot);
}

/* Depths of all switches, and an order by them. */
static void look_at(reliever *x, uint32_t lid)
{
	uint32_t deepest = 0;
	x->lid = lid;
	x->d = x->f->lid_switch[lid];
	memset(x->depth, 0xFF, x->n * sizeof *x->depth);
	x->depth[x->d] = 0;
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t n = 0, s = i;
		while (s != ODO_NONE && x->depth[s] == ODO_NONE && n < x->n) {
			x->path[n++] = s;
			s = after(x, slot_to(x, s, lid));
		}
		uint32_t depth = s == ODO_NONE ? ODO_NONE : x->depth[s];
		while (n && depth != ODO_NONE)
			x->depth[x->path[--n]] = ++depth;
		deepest = depth != ODO_NONE && depth > deepest ? depth : deepest;
	}
	x->n_order = 0;
	for (uint32_t depth = 0; depth <= deepest; depth++)
		for (uint32_t s = 0; s < x->n; s++)
			if (x->depth[s] == depth)
				x->order[x->n_order++] = s;
	memcpy(x->carried, x->hosts, x->n * sizeof *x->carried);
	for (uint32_t i = x->n_order; i-- > 1;) {
		uint32_t s = x->order[i];
		x->carried[after(x, slot_to(x, s, lid))] += x->carried[s];
	}
	x->work += x->n * 8ull;
}

static double use_of(const reliever *x, uint32_t slot, uint64_t more)
{
	return (double)(x->load[slot] + more) * x->part[slot];
}

/* The paths that now go by the ports of the LID at hand, added or taken away. */
static void count(reliever *x, bool added)
{
	for (uint32_t i = 1; i < x->n_order; i++) {
		uint64_t *load = &x->load[slot_to(x, x->order[i], x->lid)];
		uint32_t paths = x->carried[x->order[i]];
		*load = added ? *load + paths : *load - paths;
	}
}

static uint32_t fullest_cable(const reliever *x)
{
	uint32_t best = 0;
	double most = 0;
	for (uint32_t i = 0; i < x->f->first_slot[x->n]; i++) {
		double use = use_of(x, i, 0);
		if (use < most || (use == most && x->name[i] <= x->name[best]))
			continue;
		most = use;
		best = i;
	}
	return best;
}

/* The fullest cable that a new way of s changes, up to where it meets the old one; or more than
 * `limit`. The old way is stamped. */
static double try_way(const reliever *x, uint32_t s, uint32_t slot, double limit)
{
	double most = 0;
	uint32_t t = after(x, slot);
	for (;;) {
		double use = use_of(x, slot, x->carried[s]);
		most = use > most ? use : most;
		if (use >= limit || t == x->d || x->stamp[t] == s)
			break;
		slot = slot_to(x, t, x->lid);
		t = after(x, slot);
	}
	return x->crosses[t] ? limit : most;
}

static int note(reliever *x, double fullest, uint32_t s, uint32_t slot)
{
	if (odo_grow(&x->moves, &x->moves_room, x->n_moves + 1ul, sizeof *x->moves))
		return ODO_ENOMEM;
	x->moves[x->n_moves++] = (move){fullest, x->name[slot], x->lid, s, slot};
	return 0;
}

/* Ways of s that spare the cable at hand. */
static int note_ways(reliever *x, uint32_t s, uint32_t cable)
{
	double limit = use_of(x, cable, 0);
	uint32_t now = slot_to(x, s, x->lid);
	int status = 0;
	for (uint32_t t = s; t != x->d; t = after(x, slot_to(x, t, x->lid)))
		x->stamp[t] = s;
	for (uint32_t i = x->f->first_slot[s]; i < x->f->first_slot[s + 1] && !status; i++) {
		uint32_t t = odo_next_switch(x->f, i);
		if (i == now || t == ODO_NONE || t == s || x->depth[t] >= x->depth[s])
			continue;
		double fullest = try_way(x, s, i, limit);
		double left = limit - x->carried[s] * x->part[cable];
		if (fullest < limit)
			status = note(x, fullest > left ? fullest : left, s, i);
		x->work += x->depth[t] + 1;
	}
	return status;
}

static int find_moves(reliever *x, uint32_t cable)
{
	uint32_t at = x->f->owner[cable];
	int status = 0;
	x->n_moves = 0;
	for (uint32_t lid = 1; lid < x->f->lid_count && !status; lid++) {
		if (!is_sent_to(x, lid) || slot_to(x, at, lid) != cable)
			continue;
		look_at(x, lid);
		memset(x->crosses, 0, x->n);
		memset(x->stamp, 0xFF, x->n * sizeof *x->stamp);
		x->crosses[at] = 1;
		for (uint32_t i = x->depth[at] == ODO_NONE ? x->n_order : 1;
		     i < x->n_order && !status; i++) {
			uint32_t s = x->order[i];
			x->crosses[s] |= x->crosses[after(x, slot_to(x, s, lid))];
			if (x->crosses[s] && x->carried[s])
				status = note_ways(x, s, cable);
		}
	}
	return status;
}

static int by_fullest(const void *a, const void *b)
{
	const move *x = a, *y = b;
	if (x->fullest != y->fullest)
		return x->fullest < y->fullest ? -1 : 1;
	if (x->lid != y->lid)
		return x->lid < y->lid ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* The SL of the path from s to the LID at hand, as a set. */
static unsigned sls_of(const reliever *x, uint32_t s)
{
	return 1u << odo_path_sl(x->t, s, x->lid);
}

/* Makes a move, or leaves all as it was where it could close a cycle. */
static bool make_move(reliever *x, const move *m)
{
	uint8_t *entry = &x->t->lft[(size_t)m->s * x->f->lid_count + m->lid], before = *entry;
	bool fits = true;
	look_at(x, m->lid);
	count(x, false);
	*entry = (uint8_t)odo_port(x->f, m->slot);
	look_at(x, m->lid);
	memset(x->crosses, 0, x->n);
	x->crosses[m->s] = 1;
	odo_walker_entries_changed(&x->walker);
	odo_walker_begin(&x->walker);
	for (uint32_t i = 1; i < x->n_order && fits; i++) {
		uint32_t s = x->order[i];
		x->crosses[s] |= x->crosses[after(x, slot_to(x, s, m->lid))];
		fits = !x->crosses[s] || odo_walker_add(&x->walker, s, m->lid, sls_of(x, s));
	}
	if (!fits) {
		odo_walker_undo(&x->walker);
		*entry = before;
		look_at(x, m->lid);
	}
	count(x, true);
	return fits;
}

/* Moves something off a cable, if anything can be. */
static int lighten(reliever *x, uint32_t cable, bool *moved)
{
	int status = find_moves(x, cable);
	*moved = false;
	if (x->n_moves)
		qsort(x->moves, x->n_moves, sizeof *x->moves, by_fullest);
	for (uint32_t i = 0; !status && i < x->n_moves && i < MAX_TRIES && !*moved; i++)
		*moved = make_move(x, &x->moves[i]);
	return x->walker.no_memory ? ODO_ENOMEM : status;
}

/* Until no cable fills before those of hosts do. */
static int relieve(reliever *x, uint32_t *n_moved)
{
	double full = x->f->n_senders - 1.0;
	bool moved = true;
	int status = 0;
	while (!status && moved && x->work < MAX_WORK && use_of(x, fullest_cable(x), 0) > full) {
		status = lighten(x, fullest_cable(x), &moved);
		*n_moved += moved;
	}
	return status;
}

/* A cable is named by the switches at its ends and its port. */
static void name_cables(reliever *x)
{
	double unit = odo_unit_rate(x->f);
	for (uint32_t s = 0; s < x->n; s++) {
		for (uint32_t i = x->f->first_slot[s]; i < x->f->first_slot[s + 1]; i++) {
			uint32_t t = odo_next_switch(x->f, i);
			if (t == ODO_NONE)
				continue;
			uint32_t ends = odo_mix(odo_node_hash(x->f, s)) ^ odo_node_hash(x->f, t);
			x->name[i] = (uint64_t)ends << 8 | odo_port(x->f, i);
			x->part[i] = unit / odo_cable_capacity(x->f, i);
		}
	}
}

/* Loads and dependencies of the tables as they are. False if these do not fit together. */
static bool begin(reliever *x)
{
	name_cables(x);
	for (uint32_t h = 0; h < x->f->n_senders; h++)
		x->hosts[odo_host_switch(x->f, h)]++;
	for (uint32_t lid = 1; lid < x->f->lid_count; lid++) {
		if (x->f->lid_switch[lid] == ODO_NONE)
			continue;
		look_at(x, lid);
		for (uint32_t i = 1; i < x->n_order; i++)
			if (!odo_walker_mark(&x->walker, x->order[i], lid, sls_of(x, x->order[i])))
				return false;
		if (is_sent_to(x, lid))
			count(x, true);
	}
	return odo_walker_sort(&x->walker);
}

static int allocate(reliever *x)
{
	size_t n = x->n, slots = x->f->first_slot[n];
	x->part = odo_new(slots, sizeof *x->part);
	x->load = odo_new(slots, sizeof *x->load);
	x->name = odo_new(slots, sizeof *x->name);
	x->hosts = odo_new(n, sizeof *x->hosts);
	x->depth = odo_new(n, sizeof *x->depth);
	x->order = odo_new(n, sizeof *x->order);
	x->carried = odo_new(n, sizeof *x->carried);
	x->path = odo_new(n, sizeof *x->path);
	x->crosses = odo_new(n, 1);
	x->stamp = odo_new(n, sizeof *x->stamp);
	return x->part && x->load && x->name && x->hosts && x->depth && x->order && x->carried &&
			       x->path && x->crosses && x->stamp
		       ? 0
		       : ODO_ENOMEM;
}

int odo_relieve(odo_tables *t, uint32_t *n_moved, odo_error *err)
{
	reliever x = {.t = t, .f = t->fabric, .n = t->fabric->n_switches};
	*n_moved = 0;
	if ((uint64_t)x.n * x.f->lid_count > MAX_PAIRS || x.f->n_senders < 2)
		return 0;
	int status = allocate(&x);
	if (!status)
		status = odo_walker_init(&x.walker, t);
	if (!status && begin(&x))
		status = relieve(&x, n_moved);
	odo_walker_clear(&x.walker);
	free(x.part);
	free(x.load);
	free(x.name);
	free(x.hosts);
	free(x.depth);
	free(x.order);
	free(x.carried);
	free(x.path);
	free(x.crosses);
	free(x.stamp);
	free(x.moves);
	return status ? odo_fail(err, ODO_ENOMEM, "no memory to relieve cables") : 0;
}
