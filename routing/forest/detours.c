/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detours. If damage removes a port of a structured path, some switches no longer reach a
 * destination along this path. Entries that still lead there are kept. A switch whose own port is
 * missing gets the shortest way into the rest of the tree that does not descend in the ranks of
 * channels. For example, it takes an extra hop in a dimension rather than another order of
 * dimensions. Entries that lead to this switch are kept, too. Only if that is not enough, other
 * entries change or ranks descend.
 *
 * Thus one dead cable changes only the entries that used it. Trees to one destination, which its
 * hosts share, take different detours. If this crowds cables, odo_route() tries another method: all
 * switches without a path take the shortest way into the rest, which costs more entries and VLs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "routing/graph/columns.h"
#include "routing/graph/deal.h"
#include "routing/forest/forest.h"

static bool row_is_broken(const odo_forest *forest, const uint8_t *row, uint32_t s, uint32_t d)
{
	return row[d] == ODO_NO_PORT && forest->part[s] == forest->part[d];
}

int odo_forest_broken(const odo_forest *forest, uint32_t **broken, uint32_t *n_broken,
		      odo_error *err)
{
	uint32_t n = 0, *list = odo_new((size_t)forest->n_trees * forest->n, sizeof *list);
	uint8_t *marked = odo_new((size_t)forest->n_trees * forest->n, 1);
	*broken = list;
	*n_broken = 0;
	if (!list || !marked) {
		free(marked);
		return odo_fail(err, ODO_ENOMEM, "no memory for detours");
	}
	for (unsigned k = 0; k < forest->n_trees; k++) {
		for (uint32_t s = 0; s < forest->n; s++) {
			const uint8_t *row = odo_forest_row(forest, k, s), *at = row;
			while ((at = memchr(at, ODO_NO_PORT, (size_t)(row + forest->n - at)))) {
				uint32_t d = (uint32_t)(at++ - row);
				marked[(size_t)k * forest->n + d] |= row_is_broken(forest, row, s,
										   d);
			}
		}
	}
	for (uint32_t tree = 0; tree < forest->n_trees * forest->n; tree++)
		if (marked[tree])
			list[n++] = tree;
	free(marked);
	*n_broken = n;
	return 0;
}

typedef struct detours {
	odo_forest *forest;
	odo_arena memory;
	uint8_t *port; /* [n] the tree: port towards its destination */
	uint32_t *depth;
	uint32_t *path;
	uint8_t *lost;
	uint8_t *keeps;         /* [n] the path offered to the switch uses the port that it has */
	uint32_t *list, n_lost; /* n_lost: switches in `list`, which had no path at first */
	uint32_t n_left;        /* switches in `list` that still have no path */
	bool wild;              /* some detour does not ascend */
	bool anew;              /* all lost switches take the shortest way; see the route options */
	uint32_t *bucket; /* [n + 1] switches with an offer of this depth, as doubly linked lists */
	uint32_t *before, *after, deepest;
	uint8_t *block; /* columns */
	size_t stride;
	uint32_t block_at; /* first tree of the block */
} detours;

/* Depth of switches whose packets do not arrive. It can be incremented without overflow. */
#define LOST (UINT32_MAX - 2)

/* Return true if packets that start before `slot` and then follow t's hops ascend. They may be on
 * another VL at t than packets that start at t, so the hop after that is checked as well. */
static bool does_detour_ascend(const detours *x, unsigned k, uint32_t d, uint32_t slot)
{
	const odo_forest *forest = x->forest;
	const uint8_t *class_of = forest->class_of;
	uint32_t t = forest->next[slot];
	if (t == d)
		return true;
	uint32_t on = forest->f->first_slot[t] + x->port[t] - 1, then = forest->next[on];
	unsigned sub = forest->sub[ODO_CLASS_HOST][class_of[slot]];
	unsigned sub_on = forest->sub[class_of[forest->f->peer[slot]]][class_of[on]];
	if (!odo_forest_ascends(forest, k, slot, sub, on, sub_on))
		return false;
	if (forest->n_sub == 1 || then == d)
		return true;
	uint32_t last = forest->f->first_slot[then] + x->port[then] - 1;
	unsigned sub_last = forest->sub[class_of[forest->f->peer[on]]][class_of[last]];
	return odo_forest_ascends(forest, k, on, sub_on, last, sub_last);
}

enum { ASCENDS, STAYS, DESCENDS };

/* Classify a hop by `slot` into switch t, whose next hop is known: how do ranks change? Only the
 * classes of ports count: VLs do not affect the quality of a detour. */
static unsigned classify_turn(const detours *x, unsigned k, uint32_t d, uint32_t slot)
{
	const odo_forest *forest = x->forest;
	uint32_t t = forest->next[slot];
	if (t == d)
		return ASCENDS;
	uint32_t on = forest->f->first_slot[t] + x->port[t] - 1;
	unsigned here = forest->rank[k][forest->class_of[slot]][0],
		 then = forest->rank[k][forest->class_of[on]][0];
	if (here == then)
		return forest->place[slot] < forest->place[on] ? ASCENDS : STAYS;
	return here < then ? ASCENDS : DESCENDS;
}

/* Penalty of a detour by `slot`. Ties are resolved by switch, destination and cable, so that
 * switches that all lost their cable to one destination do not all use the same third switch. */
static uint64_t detour_penalty(const detours *x, unsigned k, uint32_t d, uint32_t slot)
{
	const odo_forest *forest = x->forest;
	uint32_t s = forest->f->owner[slot], cable = slot - forest->f->first_slot[s];
	uint32_t lot = odo_mix((odo_node_hash(forest->f, forest->next[slot]) + cable) ^
			       odo_node_hash(forest->f, s)) ^
		       odo_node_hash(forest->f, d) * (2 * (k % forest->n_unlike) + 1);
	return (uint64_t)classify_turn(x, k, d, slot) << 32 | odo_mix(lot);
}

/* Choose among ways of the same length, the best first; trees that are otherwise alike choose in
 * turn. Ways that descend in ranks are used only if there are no others, or if all lost switches
 * are routed again. */
static void choose_detour(detours *x, unsigned k, uint32_t d, uint32_t s)
{
	const odo_forest *forest = x->forest;
	uint32_t first = forest->f->first_slot[s];
	uint64_t cost[ODO_MAX_PORTS];
	uint8_t port[ODO_MAX_PORTS];
	unsigned n = 0, n_good = 0;
	for (uint32_t i = first; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		if (t == ODO_NONE || t == s || x->depth[t] + 1 != x->depth[s])
			continue;
		uint64_t this = detour_penalty(x, k, d, i);
		unsigned at = n++;
		for (; at && cost[at - 1] > this; at--) {
			cost[at] = cost[at - 1];
			port[at] = port[at - 1];
		}
		cost[at] = this;
		port[at] = (uint8_t)(i - first + 1);
		n_good += x->anew || this >> 32 < DESCENDS;
	}
	if (n)
		x->port[s] = port[k / forest->n_unlike % (n_good ? n_good : n)];
}

/* Remove switch s from its bucket. */
static void withdraw_offer(detours *x, uint32_t s)
{
	uint32_t before = x->before[s], after = x->after[s];
	if (before == ODO_NONE)
		x->bucket[x->depth[s]] = after;
	else
		x->after[before] = after;
	if (after != ODO_NONE)
		x->before[after] = before;
}

/* Offer switch s a path of length `depth`. So far, s is lost or has a longer offer. */
static void offer_path(detours *x, uint32_t s, uint32_t depth, bool keeps)
{
	if (x->depth[s] != LOST)
		withdraw_offer(x, s);
	x->keeps[s] = keeps;
	x->depth[s] = depth;
	x->before[s] = ODO_NONE;
	x->after[s] = x->bucket[depth];
	if (x->after[s] != ODO_NONE)
		x->before[x->after[s]] = s;
	x->bucket[depth] = s;
	if (depth > x->deepest)
		x->deepest = depth;
}

/* Return the least depth at which s can enter a switch that arrives, without a worse turn. */
static uint32_t least_way_in(const detours *x, unsigned k, uint32_t d, uint32_t s, unsigned worst)
{
	const odo_forest *forest = x->forest;
	uint32_t least = LOST;
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		if (t != ODO_NONE && !x->lost[t] && x->depth[t] + 1 < least &&
		    classify_turn(x, k, d, i) <= worst)
			least = x->depth[t] + 1;
	}
	return least;
}

/* Switches that may change: those whose own port is missing, or all lost switches. */
enum { CUT, ALL };

static bool may_entry_change(const detours *x, uint32_t s, unsigned whom)
{
	return whom == ALL || x->port[s] == ODO_NO_PORT;
}

/* Settle s, and offer its lost neighbours a path through it. Neighbours whose port already leads to
 * s may keep it. */
static void settle_switch(detours *x, unsigned k, uint32_t d, uint32_t s, unsigned whom,
			  unsigned worst)
{
	const odo_forest *forest = x->forest;
	uint32_t depth = x->depth[s] + 1;
	x->lost[s] = 0;
	x->n_left--;
	if (!x->keeps[s])
		choose_detour(x, k, d, s);
	x->wild |= !does_detour_ascend(x, k, d, forest->f->first_slot[s] + x->port[s] - 1);
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i], back = forest->f->peer[i];
		if (t == ODO_NONE || !x->lost[t])
			continue;
		bool keeps = x->port[t] == back - forest->f->first_slot[t] + 1;
		bool enters = may_entry_change(x, t, whom) && classify_turn(x, k, d, back) <= worst;
		if (x->depth[t] + !x->keeps[t] > depth && (keeps || enters))
			offer_path(x, t, depth, keeps);
	}
}

/* Find the shortest paths of lost switches, by growing depth (Dijkstra with buckets). */
static void reach_lost(detours *x, unsigned k, uint32_t d, unsigned whom, unsigned worst)
{
	memset(x->bucket, 0xFF, (x->forest->n + 1ul) * sizeof *x->bucket);
	x->deepest = 0;
	for (uint32_t i = 0; i < x->n_lost; i++) {
		uint32_t s = x->list[i], depth = LOST;
		if (x->lost[s] && may_entry_change(x, s, whom))
			depth = least_way_in(x, k, d, s, worst);
		if (depth != LOST)
			offer_path(x, s, depth, false);
	}
	for (uint32_t depth = 1; depth <= x->deepest; depth++) {
		while (x->bucket[depth] != ODO_NONE) {
			uint32_t s = x->bucket[depth];
			withdraw_offer(x, s);
			settle_switch(x, k, d, s, whom, worst);
		}
	}
}

/* Return true if neighbour t, at the far end of a slot, sends back through it. */
static bool sends_back_through(const detours *x, uint32_t slot, uint32_t t)
{
	uint32_t back = x->forest->f->peer[slot];
	return x->port[t] == back - x->forest->f->first_slot[t] + 1;
}

/* List the switches that can take a detour for s, which lost its port: s, and neighbours that led
 * through it. */
static unsigned list_helpers(const detours *x, uint32_t s, uint32_t helper[ODO_MAX_PORTS + 1])
{
	const odo_forest *forest = x->forest;
	unsigned n = 0;
	helper[n++] = s;
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		if (t != ODO_NONE && t != s && sends_back_through(x, i, t))
			helper[n++] = t;
	}
	return n;
}

/*
 * List slots of a switch from which packets arrive after at most `most` further links.
 * @param list NULL to count only
 */
static unsigned list_detour_slots(const detours *x, uint32_t s, uint32_t most, uint32_t *list)
{
	const odo_forest *forest = x->forest;
	unsigned n = 0;
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		if (t == ODO_NONE || t == s || x->depth[t] > most)
			continue;
		if (list)
			list[n] = i;
		n++;
	}
	return n;
}

static uint32_t least_depth_beyond(const detours *x, uint32_t s)
{
	const odo_forest *forest = x->forest;
	uint32_t least = LOST;
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		if (t != ODO_NONE && t != s && x->depth[t] < least)
			least = x->depth[t];
	}
	return least;
}

/*
 * Choose a detour that is at most one link longer than the shortest. Trees use them in turn, first
 * different helpers and then different cables, because a single detour would be crowded.
 * @return its slot, or ODO_NONE
 */
static uint32_t choose_way_out(const detours *x, unsigned k, uint32_t d, uint32_t s)
{
	const odo_forest *forest = x->forest;
	uint32_t helper[ODO_MAX_PORTS + 1], ways[ODO_MAX_PORTS], least = LOST;
	unsigned n = list_helpers(x, s, helper), n_able = 0;
	for (unsigned i = 0; i < n; i++) {
		uint32_t beyond = least_depth_beyond(x, helper[i]);
		least = beyond < least ? beyond : least;
	}
	if (least == LOST)
		return ODO_NONE;
	for (unsigned i = 0; i < n; i++)
		if (list_detour_slots(x, helper[i], least + 1, NULL))
			helper[n_able++] = helper[i];
	uint32_t turn = forest->turn[d] * forest->n_trees + k +
			odo_node_hash(forest->f, s) % n_able;
	n = list_detour_slots(x, helper[turn % n_able], least + 1, ways);
	return ways[(turn / n_able + odo_node_hash(forest->f, helper[turn % n_able])) % n];
}

static void set_tree_port(detours *x, unsigned k, uint32_t d, uint32_t s, uint32_t slot)
{
	x->port[s] = (uint8_t)(slot - x->forest->f->first_slot[s] + 1);
	odo_forest_row(x->forest, k, s)[d] = x->port[s];
}

/* Return true if a detour within the group suits the ranks. */
static bool has_local_detour(const detours *x, unsigned k, uint32_t d, uint32_t s)
{
	const odo_forest *forest = x->forest;
	bool found = false;
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		found |= t != ODO_NONE && t != s && x->depth[t] < LOST &&
			 forest->class_of[i] != ODO_PORT_GLOBAL &&
			 classify_turn(x, k, d, i) <= STAYS;
	}
	return found;
}

/*
 * Give each switch without a port another of its own cables, or a cable of a neighbour that led
 * through it. Leave the entries of other switches unchanged.
 * @return true if any detour was found
 */
static bool detour_in_turn(detours *x, unsigned k, uint32_t d)
{
	const odo_forest *forest = x->forest;
	bool found = false;
	for (uint32_t s = 0; s < forest->n; s++) {
		if (x->port[s] != ODO_NO_PORT || x->depth[s] != LOST ||
		    has_local_detour(x, k, d, s))
			continue;
		uint32_t out = choose_way_out(x, k, d, s);
		if (out == ODO_NONE)
			continue;
		uint32_t over = forest->f->owner[out];
		if (over != s)
			set_tree_port(
				x, k, d, s,
				forest->f->peer[forest->f->first_slot[over] + x->port[over] - 1]);
		set_tree_port(x, k, d, over, out);
		found = true;
	}
	return found;
}

static void list_lost_switches(detours *x)
{
	x->n_lost = 0;
	x->wild = false;
	for (uint32_t s = 0; s < x->forest->n; s++) {
		x->lost[s] = x->depth[s] == LOST;
		x->keeps[s] = 0;
		if (x->lost[s])
			x->list[x->n_lost++] = s;
	}
	x->n_left = x->n_lost;
}

/* Load the column of a tree. Columns are cut from the rows by cache lines, because trees come in
 * order. */
static void load_tree_column(detours *x, uint32_t tree)
{
	const odo_forest *forest = x->forest;
	uint32_t k = tree / forest->n, d = tree % forest->n, first = d - d % ODO_COLUMNS;
	if (x->block_at != k * forest->n + first)
		odo_forest_cut(forest, k, first, x->block, x->stride);
	x->block_at = k * forest->n + first;
	x->port = x->block + (d - first) * x->stride;
}

static void add_detours(detours *x, uint32_t tree)
{
	odo_forest *forest = x->forest;
	unsigned k = tree / forest->n;
	uint32_t d = tree % forest->n;
	load_tree_column(x, tree);
	odo_forest_hops(forest, x->port, d, LOST, x->depth, x->path);
	bool turned = forest->turn && !x->anew && detour_in_turn(x, k, d);
	if (turned)
		odo_forest_hops(forest, x->port, d, LOST, x->depth, x->path);
	list_lost_switches(x);
	x->wild = turned;
	unsigned worst = x->anew                                   ? DESCENDS
			 : forest->ordered && k < forest->n_unlike ? ASCENDS
								   : STAYS;
	for (; worst <= DESCENDS; worst++)
		for (unsigned whom = x->anew ? ALL : CUT; whom <= ALL && x->n_left; whom++)
			reach_lost(x, k, d, whom, worst);
	for (uint32_t i = 0; i < x->n_lost; i++)
		odo_forest_row(forest, k, x->list[i])[d] = x->lost[x->list[i]]
								   ? ODO_NO_PORT
								   : x->port[x->list[i]];
}

int odo_forest_detour(odo_forest *forest, uint32_t *broken, uint32_t n_broken, uint32_t *n_wild,
		      odo_error *err)
{
	uint32_t wild = 0;
	detours x = {.forest = forest, .anew = forest->options && forest->options->detours_anew};
	x.stride = odo_column_stride(forest->n);
	x.block = odo_arena_new(&x.memory, x.stride, ODO_COLUMNS);
	x.block_at = ODO_NONE;
	x.lost = odo_arena_new(&x.memory, forest->n, 1);
	x.keeps = odo_arena_new(&x.memory, forest->n, 1);
	x.depth = odo_arena_new(&x.memory, forest->n, sizeof *x.depth);
	x.path = odo_arena_new(&x.memory, forest->n, sizeof *x.path);
	x.list = odo_arena_new(&x.memory, forest->n, sizeof *x.list);
	x.before = odo_arena_new(&x.memory, forest->n, sizeof *x.before);
	x.after = odo_arena_new(&x.memory, forest->n, sizeof *x.after);
	x.bucket = odo_arena_new(&x.memory, forest->n + 1ul, sizeof *x.bucket);
	int status = x.memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for detours") : 0;
	for (uint32_t i = 0; !status && i < n_broken; i++) {
		odo_forest_tell(forest, "finding detours", i, n_broken);
		add_detours(&x, broken[i]);
		if (x.wild)
			broken[wild++] = broken[i];
	}
	odo_arena_free(&x.memory);
	*n_wild = wild;
	return status;
}
