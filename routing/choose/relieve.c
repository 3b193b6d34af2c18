/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detours start where a path is broken, and so they crowd the cables near by. A loop takes the
 * fullest cable, finds all moves that relieve it (relieve.h), and tries them, the best first. The
 * best move leaves the fullest of the changed cables least full. A move adds dependencies to the
 * graph, and old ones are never removed; if it closes a cycle, it is undone and the next is tried.
 * The loop ends when no move relieves the fullest cable: other cables do not limit uniform traffic.
 */
#include "routing/choose/relieve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/analyze/analyze.h"
#include "routing/choose/floor.h"
#include "routing/forest/forest.h"
#include "routing/graph/columns.h"
#include "routing/graph/deal.h"
#include "routing/graph/walk.h"

/* Limits of time. Tables with more pairs (switch, LID) than MAX_PAIRS are not relieved. Moves end
 * after MAX_WORK steps: entries read and cables visited. Up to MAX_TRIES moves are tried for a
 * cable. */
#define MAX_PAIRS 6000000u
#define MAX_WORK 100000000u
#define MAX_TRIES 64u

/* Another port of a switch for a LID. */
typedef struct move {
	double fullest; /* use of the fullest cable that it changes */
	uint64_t name;  /* of the cable at the new port */
	uint32_t lid, s, slot;
} move;

typedef struct reliever {
	odo_tables *t;
	const odo_fabric *f;
	uint32_t n;
	uint8_t *columns; /* [lid_count * stride] the LFTs, LID by LID */
	size_t stride;
	uint32_t *next;  /* [slots] switch at the far end, or ODO_NONE */
	double *part;    /* [slots] what a path adds to the use of a cable */
	uint64_t *load;  /* [slots] paths between hosts */
	uint64_t *name;  /* [slots] order of equally full cables, however the fabric is stored */
	uint32_t *hosts; /* [n] hosts of a switch that send */
	odo_walker walker;
	/* Of patterns that the tables are judged by: */
	uint32_t *sender;                 /* [ODO_FLOOR_PATTERNS * n_senders] sender to a host */
	uint32_t *flows;                  /* [ODO_FLOOR_PATTERNS * slots] flows on a cable */
	double limit[ODO_FLOOR_PATTERNS]; /* use of the fullest cable at first */
	/* The LID at hand: */
	uint32_t lid, d;
	uint32_t *slot;    /* [n] slot that the switch sends by, or ODO_NONE */
	uint32_t *to;      /* [n] next switch, or ODO_NONE */
	uint32_t *depth;   /* [n] hops to the LID; ODO_NONE: packets do not arrive */
	uint32_t *order;   /* [n] switches, nearest first */
	uint32_t *start;   /* [n + 1] scratch */
	uint32_t *carried; /* [n] hosts whose packets pass */
	uint32_t n_order;
	uint8_t *crosses; /* [n] the switch's path crosses the cable or the switch at hand */
	uint32_t *stamp;  /* [n] last switch whose old path was seen to pass here */
	uint64_t work;
	move moves[MAX_TRIES]; /* the best so far */
	uint32_t n_moves;
} reliever;

/* Return true if hosts send to a LID. Aggregation nodes send and receive nothing. */
static bool is_sent_to(const reliever *x, uint32_t lid)
{
	return x->f->lid_switch[lid] != ODO_NONE && x->f->lid_host[lid] < x->f->n_senders;
}

static uint32_t slot_to(const reliever *x, uint32_t s, uint32_t lid)
{
	unsigned port = x->columns[lid * x->stride + s];
	return port - 1u < odo_n_ports(x->f, s) ? odo_slot(x->f, s, port) : ODO_NONE;
}

/* Sort switches by depth, and those of equal depth by number. */
static void sort_by_depth(reliever *x, uint32_t deepest)
{
	memset(x->start, 0, (deepest + 1ul) * sizeof *x->start);
	for (uint32_t s = 0; s < x->n; s++)
		if (x->depth[s] < deepest)
			x->start[x->depth[s] + 1]++;
	for (uint32_t depth = 1; depth <= deepest; depth++)
		x->start[depth] += x->start[depth - 1];
	x->n_order = 0;
	for (uint32_t s = 0; s < x->n; s++) {
		if (x->depth[s] == ODO_NONE)
			continue;
		x->order[x->start[x->depth[s]]++] = s;
		x->n_order++;
	}
}

/* Read the tree to a LID: depths, order, and hosts whose packets pass each switch. */
static void read_tree(reliever *x, uint32_t lid)
{
	uint32_t deepest = 0, *path = x->order;
	x->lid = lid;
	x->d = x->f->lid_switch[lid];
	memset(x->depth, 0xFF, x->n * sizeof *x->depth);
	x->depth[x->d] = 0;
	for (uint32_t s = 0; s < x->n; s++) {
		x->slot[s] = slot_to(x, s, lid);
		x->to[s] = x->slot[s] == ODO_NONE ? ODO_NONE : x->next[x->slot[s]];
	}
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t n = 0, s = i;
		while (s != ODO_NONE && x->depth[s] == ODO_NONE && n < x->n) {
			path[n++] = s;
			s = x->to[s];
		}
		uint32_t depth = s == ODO_NONE ? ODO_NONE : x->depth[s];
		while (n && depth != ODO_NONE)
			x->depth[path[--n]] = ++depth;
		deepest = depth != ODO_NONE && depth > deepest ? depth : deepest;
	}
	sort_by_depth(x, deepest);
	memcpy(x->carried, x->hosts, x->n * sizeof *x->carried);
	for (uint32_t i = x->n_order; i-- > 1;)
		x->carried[x->to[x->order[i]]] += x->carried[x->order[i]];
	x->work += x->n * 8ull;
}

static double cable_use(const reliever *x, uint32_t slot, uint64_t more)
{
	return (double)(x->load[slot] + more) * x->part[slot];
}

/* Find the switch of the host that sends to the LID at hand in a pattern; ODO_NONE if its packets
 * do not arrive. */
static uint32_t find_source(const reliever *x, unsigned pattern)
{
	uint32_t h = x->sender[pattern * x->f->n_senders + x->f->lid_host[x->lid]];
	uint32_t s = odo_host_switch(x->f, h);
	return x->depth[s] == ODO_NONE ? ODO_NONE : s;
}

static uint32_t *flows_on(const reliever *x, unsigned pattern, uint32_t slot)
{
	return &x->flows[(size_t)pattern * x->f->first_slot[x->n] + slot];
}

/* Add the paths to the LID at hand to loads and flows, or subtract them. */
static void count_paths(reliever *x, bool added)
{
	for (uint32_t i = 1; i < x->n_order; i++) {
		uint64_t *load = &x->load[x->slot[x->order[i]]];
		uint32_t paths = x->carried[x->order[i]];
		*load = added ? *load + paths : *load - paths;
	}
	for (unsigned p = 0; p < ODO_FLOOR_PATTERNS; p++)
		for (uint32_t s = find_source(x, p); s != ODO_NONE && s != x->d; s = x->to[s])
			*flows_on(x, p, x->slot[s]) += added ? 1 : -1u;
}

/* Find the patterns in which packets to the LID at hand pass s, a bit each. */
static unsigned patterns_at(const reliever *x, uint32_t s)
{
	unsigned set = 0;
	for (unsigned p = 0; p < ODO_FLOOR_PATTERNS; p++) {
		uint32_t t = find_source(x, p);
		while (t != ODO_NONE && t != x->d && t != s)
			t = x->to[t];
		set |= (unsigned)(t == s) << p;
	}
	return set;
}

/* Return true if one more flow of some pattern makes a cable fuller than any was at first. */
static bool crowds_cable(const reliever *x, uint32_t slot, unsigned patterns)
{
	for (; patterns; patterns &= patterns - 1) {
		unsigned p = (unsigned)__builtin_ctz(patterns);
		if ((*flows_on(x, p, slot) + 1) * x->part[slot] > x->limit[p])
			return true;
	}
	return false;
}

static uint32_t fullest_cable(const reliever *x)
{
	uint32_t best = 0;
	double most = 0;
	for (uint32_t i = 0; i < x->f->first_slot[x->n]; i++) {
		double use = cable_use(x, i, 0);
		if (use < most || (use == most && x->name[i] <= x->name[best]))
			continue;
		most = use;
		best = i;
	}
	return best;
}

/* Return the use of the fullest cable that a new path of s changes, up to the switch where it joins
 * the old path, which is stamped. Return `limit` if the new path is useless: as full, crowded under
 * a pattern, or over the cable at hand again. */
static double try_way(const reliever *x, uint32_t s, uint32_t slot, unsigned patterns, double limit)
{
	double most = 0;
	uint32_t t = x->next[slot];
	for (;;) {
		double use = cable_use(x, slot, x->carried[s]);
		most = use > most ? use : most;
		if (use >= limit || crowds_cable(x, slot, patterns))
			return limit;
		if (t == x->d || x->stamp[t] == s)
			break;
		slot = x->slot[t];
		t = x->to[t];
	}
	return x->crosses[t] ? limit : most;
}

static bool precedes_move(const move *a, const move *b)
{
	if (a->fullest != b->fullest)
		return a->fullest < b->fullest;
	return a->lid != b->lid ? a->lid < b->lid : a->name < b->name;
}

static void note_move(reliever *x, move m)
{
	uint32_t i = x->n_moves;
	if (i == MAX_TRIES && !precedes_move(&m, &x->moves[--i]))
		return;
	for (; i && precedes_move(&m, &x->moves[i - 1]); i--)
		x->moves[i] = x->moves[i - 1];
	x->moves[i] = m;
	x->n_moves += x->n_moves < MAX_TRIES;
}

/* Note the moves of s that relieve the cable at hand. */
static void note_ways(reliever *x, uint32_t s, uint32_t cable)
{
	double limit = cable_use(x, cable, 0), left = limit - x->carried[s] * x->part[cable];
	unsigned patterns = patterns_at(x, s);
	for (uint32_t t = s; t != x->d; t = x->to[t])
		x->stamp[t] = s;
	for (uint32_t i = x->f->first_slot[s]; i < x->f->first_slot[s + 1]; i++) {
		uint32_t t = x->next[i];
		if (i == x->slot[s] || t == ODO_NONE || t == s || x->depth[t] >= x->depth[s])
			continue;
		double fullest = try_way(x, s, i, patterns, limit);
		if (fullest < limit)
			note_move(x, (move){fullest > left ? fullest : left, x->name[i], x->lid, s,
					    i});
		x->work += x->depth[t] + 1;
	}
}

static void find_moves(reliever *x, uint32_t cable)
{
	uint32_t at = x->f->owner[cable];
	x->n_moves = 0;
	for (uint32_t lid = 1; lid < x->f->lid_count; lid++) {
		if (!is_sent_to(x, lid) || slot_to(x, at, lid) != cable)
			continue;
		read_tree(x, lid);
		memset(x->crosses, 0, x->n);
		memset(x->stamp, 0xFF, x->n * sizeof *x->stamp);
		x->crosses[at] = 1;
		for (uint32_t i = x->depth[at] == ODO_NONE ? x->n_order : 1; i < x->n_order; i++) {
			uint32_t s = x->order[i];
			x->crosses[s] |= x->crosses[x->to[s]];
			if (x->crosses[s] && x->carried[s])
				note_ways(x, s, cable);
		}
	}
}

/* Return the SL of the path from s to the LID at hand, as a set. */
static unsigned own_sl(const reliever *x, uint32_t s)
{
	return 1u << odo_path_sl(x->t, s, x->lid);
}

static void set_entry(reliever *x, const move *m, uint8_t port)
{
	x->t->lft[(size_t)m->s * x->f->lid_count + m->lid] = port;
	x->columns[m->lid * x->stride + m->s] = port;
	read_tree(x, m->lid);
}

/* Make a move; undo it if it could close a cycle. */
static bool make_move(reliever *x, const move *m)
{
	uint8_t before = x->columns[m->lid * x->stride + m->s];
	bool fits = true;
	read_tree(x, m->lid);
	count_paths(x, false);
	set_entry(x, m, (uint8_t)odo_port(x->f, m->slot));
	memset(x->crosses, 0, x->n);
	x->crosses[m->s] = 1;
	odo_walker_entries_changed(&x->walker);
	odo_walker_begin(&x->walker);
	for (uint32_t i = 1; i < x->n_order && fits; i++) {
		uint32_t s = x->order[i];
		x->crosses[s] |= x->crosses[x->to[s]];
		fits = !x->crosses[s] || odo_walker_add(&x->walker, s, m->lid, own_sl(x, s));
	}
	if (!fits) {
		odo_walker_undo(&x->walker);
		set_entry(x, m, before);
	}
	count_paths(x, true);
	return fits;
}

/* Make the best move off a cable that is safe. Return false if there is none. */
static bool lighten_cable(reliever *x, uint32_t cable)
{
	bool moved = false;
	find_moves(x, cable);
	for (uint32_t i = 0; i < x->n_moves && !moved; i++)
		moved = make_move(x, &x->moves[i]);
	return moved;
}

/* Make moves until no cable fills before the hosts' own cables do. */
static int relieve_cables(reliever *x, const odo_watch *watch, uint32_t *n_moved)
{
	static const char what[] = "relieving the fullest cables";
	double full = x->f->n_senders - 1.0;
	odo_tell_at_most(watch, what, 0, MAX_WORK);
	while (x->work < MAX_WORK && cable_use(x, fullest_cable(x), 0) > full &&
	       lighten_cable(x, fullest_cable(x))) {
		++*n_moved;
		odo_tell_at_most(watch, what, x->work, MAX_WORK);
	}
	return x->walker.no_memory ? ODO_ENOMEM : 0;
}

/* Name each cable by the switches at its ends and its port. */
static void name_cables(reliever *x)
{
	double unit = odo_unit_rate(x->f);
	for (uint32_t s = 0; s < x->n; s++) {
		for (uint32_t i = x->f->first_slot[s]; i < x->f->first_slot[s + 1]; i++) {
			uint32_t t = x->next[i] = odo_next_switch(x->f, i);
			if (t == ODO_NONE)
				continue;
			uint32_t ends = odo_mix(odo_node_hash(x->f, s)) ^ odo_node_hash(x->f, t);
			x->name[i] = (uint64_t)ends << 8 | odo_port(x->f, i);
			x->part[i] = unit / odo_cable_capacity(x->f, i);
		}
	}
}

static void find_limits(reliever *x)
{
	for (unsigned p = 0; p < ODO_FLOOR_PATTERNS; p++)
		for (uint32_t i = 0; i < x->f->first_slot[x->n]; i++) {
			double use = *flows_on(x, p, i) * x->part[i];
			x->limit[p] = use > x->limit[p] ? use : x->limit[p];
		}
}

/* Read loads and dependencies of the tables as they are. Return false if these dependencies close a
 * cycle, or a path needs a VL that a link lacks. */
static bool begin_relief(reliever *x)
{
	name_cables(x);
	for (uint32_t lid = 0; lid < x->f->lid_count; lid += ODO_COLUMNS) {
		uint32_t left = x->f->lid_count - lid;
		odo_columns_cut(x->t->lft + lid, x->f->lid_count, x->n,
				left < ODO_COLUMNS ? left : ODO_COLUMNS,
				x->columns + lid * x->stride, x->stride);
	}
	for (uint32_t h = 0; h < x->f->n_senders; h++)
		x->hosts[odo_host_switch(x->f, h)]++;
	for (uint32_t lid = 1; lid < x->f->lid_count; lid++) {
		if (x->f->lid_switch[lid] == ODO_NONE)
			continue;
		read_tree(x, lid);
		for (uint32_t i = 1; i < x->n_order; i++)
			if (!odo_walker_mark(&x->walker, x->order[i], lid, own_sl(x, x->order[i])))
				return false;
		if (is_sent_to(x, lid))
			count_paths(x, true);
	}
	find_limits(x);
	return odo_walker_sort(&x->walker);
}

static int allocate_reliever(reliever *x)
{
	size_t n = x->n, slots = x->f->first_slot[n];
	x->stride = odo_column_stride(x->n);
	x->columns = odo_new(x->f->lid_count, x->stride);
	x->next = odo_new(slots, sizeof *x->next);
	x->part = odo_new(slots, sizeof *x->part);
	x->load = odo_new(slots, sizeof *x->load);
	x->name = odo_new(slots, sizeof *x->name);
	x->hosts = odo_new(n, sizeof *x->hosts);
	x->sender = odo_new((size_t)x->f->n_senders * ODO_FLOOR_PATTERNS, sizeof *x->sender);
	x->flows = odo_new(slots * ODO_FLOOR_PATTERNS, sizeof *x->flows);
	x->slot = odo_new(n, sizeof *x->slot);
	x->to = odo_new(n, sizeof *x->to);
	x->depth = odo_new(n, sizeof *x->depth);
	x->order = odo_new(n, sizeof *x->order);
	x->start = odo_new(n + 1, sizeof *x->start);
	x->carried = odo_new(n, sizeof *x->carried);
	x->crosses = odo_new(n, 1);
	x->stamp = odo_new(n, sizeof *x->stamp);
	return x->columns && x->next && x->part && x->load && x->name && x->hosts && x->sender &&
			       x->flows && x->slot && x->to && x->depth && x->order && x->start &&
			       x->carried && x->crosses && x->stamp
		       ? 0
		       : ODO_ENOMEM;
}

int odo_relieve(odo_tables *t, const odo_watch *watch, uint32_t *n_moved, odo_error *err)
{
	reliever x = {.t = t, .f = t->fabric, .n = t->fabric->n_switches};
	*n_moved = 0;
	if ((uint64_t)x.n * x.f->lid_count > MAX_PAIRS || x.f->n_senders < 2)
		return 0;
	int status = allocate_reliever(&x);
	if (!status)
		status = odo_floor_senders(x.f, ODO_FLOOR_PATTERNS, x.sender, err);
	if (!status)
		status = odo_walker_init(&x.walker, t);
	if (!status && begin_relief(&x))
		status = relieve_cables(&x, watch, n_moved);
	odo_walker_clear(&x.walker);
	free(x.columns);
	free(x.next);
	free(x.part);
	free(x.load);
	free(x.name);
	free(x.hosts);
	free(x.sender);
	free(x.flows);
	free(x.slot);
	free(x.to);
	free(x.depth);
	free(x.order);
	free(x.carried);
	free(x.start);
	free(x.crosses);
	free(x.stamp);
	return status ? odo_fail(err, ODO_ENOMEM, "no memory to relieve cables") : 0;
}
