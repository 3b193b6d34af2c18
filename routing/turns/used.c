/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns that packets take, and their order. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "routing/forest/forest.h"
#include "routing/graph/columns.h"
#include "routing/turns/internal.h"

/* Added to the uses of a turn of a multicast tree: more than there are LIDs. */
#define IN_TREE 0x10000u

/* Fill in the links of each turn. */
static void find_links(odo_turning *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		unsigned ports = odo_n_ports(f, s);
		for (unsigned out = 1; out <= ports; out++)
			x->next[odo_slot(f, s, out)] = odo_next_switch(f, odo_slot(f, s, out));
		for (unsigned in = 0; in <= ports; in++)
			for (unsigned out = 0; out <= ports; out++) {
				uint32_t turn = odo_turn_at(x, s, in, out);
				uint32_t slot = in ? odo_slot(f, s, in) : ODO_NONE;
				uint32_t on = out ? odo_slot(f, s, out) : ODO_NONE;
				bool linked = in && x->next[slot] != ODO_NONE;
				x->from[turn] = linked ? f->peer[slot] : ODO_NONE;
				x->to[turn] = out && x->next[on] != ODO_NONE ? on : ODO_NONE;
			}
	}
}

/* Return the slot by which a switch sends to another one, or ODO_NONE. */
static uint32_t slot_of_entry(const odo_turning *x, uint32_t s, unsigned port)
{
	if (port - 1u >= odo_n_ports(x->f, s))
		return ODO_NONE;
	uint32_t slot = odo_slot(x->f, s, port);
	return x->next[slot] == ODO_NONE ? ODO_NONE : slot;
}

static void note_turn_pair(odo_turning *x, uint32_t first, unsigned in, uint32_t second,
			   unsigned out)
{
	odo_set_bit(x->after + (size_t)first * x->words, out);
	odo_set_bit(x->before + (size_t)second * x->words, in);
}

/* Slots by which switches send to a LID, each by one of two. */
typedef struct choice {
	const uint32_t *slots[2];
	uint8_t *held; /* NULL, or gets the turns: odo_turning.held */
} choice;

/* Return slot number i of a switch, or ODO_NONE; the same slot only once. */
static uint32_t slot_of_choice(const choice *by, uint32_t s, unsigned i)
{
	return i && by->slots[0][s] == by->slots[1][s] ? ODO_NONE : by->slots[i][s];
}

/* Note the turns of packets that enter switch `s` by input `in`, and go on to a LID. */
static void note_turns(odo_turning *x, const choice *by, uint32_t s, unsigned in)
{
	for (unsigned i = 0; i < 2; i++) {
		uint32_t slot = slot_of_choice(by, s, i);
		if (slot == ODO_NONE)
			continue;
		uint32_t first = odo_turn_at(x, s, in, odo_port(x->f, slot)), to = x->next[slot];
		unsigned there = odo_port(x->f, x->f->peer[slot]);
		x->has_bare |= x->hunts && !odo_is_coloured(x, first);
		if (x->hunts)
			continue;
		x->uses[first]++;
		if (by->held)
			by->held[first] = 1;
		for (unsigned k = 0; k < 2; k++) {
			uint32_t then = slot_of_choice(by, to, k);
			if (then == ODO_NONE)
				continue;
			unsigned out = odo_port(x->f, then);
			note_turn_pair(x, first, in, odo_turn_at(x, to, there, out), out);
		}
	}
}

/* Note the turns of packets to a LID. */
static void note_choice(odo_turning *x, const choice *by)
{
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		note_turns(x, by, s, 0);
		for (unsigned i = 0; i < 2; i++) {
			uint32_t slot = slot_of_choice(by, s, i);
			if (slot != ODO_NONE)
				note_turns(x, by, x->next[slot], odo_port(x->f, x->f->peer[slot]));
		}
	}
}

/* Note the turns of a packet that a switch copies to all ports of a tree. */
static void note_copies(odo_turning *x, const uint8_t *in_tree, uint32_t s, uint32_t slot)
{
	const odo_fabric *f = x->f;
	uint32_t to = x->next[slot];
	unsigned out = odo_port(f, slot), there = odo_port(f, f->peer[slot]);
	for (unsigned in = 0; in <= odo_n_ports(f, s); in++) {
		uint32_t first = odo_turn_at(x, s, in, out);
		if (in == out || (in && !in_tree[odo_slot(f, s, in)]))
			continue;
		x->uses[first] += IN_TREE;
		for (unsigned next = 1; next <= odo_n_ports(f, to); next++)
			if (next != there && in_tree[odo_slot(f, to, next)])
				note_turn_pair(x, first, in, odo_turn_at(x, to, there, next), next);
	}
}

/* Return the first LID behind a switch, or 0. */
static uint32_t first_lid_of(const odo_fabric *f, uint32_t s)
{
	uint32_t lid = 1;
	while (lid < f->lid_count && f->lid_switch[lid] != s)
		lid++;
	return lid < f->lid_count ? lid : 0;
}

/* Add the cables of the paths towards a root. */
static void add_root_tree(odo_turning *x, uint8_t *in_tree, const uint32_t *part, uint32_t root)
{
	const odo_fabric *f = x->f;
	uint32_t lid = first_lid_of(f, root);
	for (uint32_t s = 0; lid && s < f->n_switches; s++) {
		uint32_t slot = slot_of_entry(x, s, odo_next_port(x->t, s, lid));
		if (part[s] == part[root] && s != root && slot != ODO_NONE)
			in_tree[slot] = in_tree[f->peer[slot]] = 1;
	}
}

/* Note the turns of a multicast tree for each connected part: of the paths towards one of the roots
 * that odo_mcast_create() tries, which come in the order of a hash. */
static int note_trees(odo_turning *x, odo_error *err)
{
	const odo_fabric *f = x->f;
	uint32_t n = f->n_switches;
	uint32_t *part = odo_arena_new(&x->found, n, sizeof *part);
	uint32_t *before = odo_arena_new(&x->found, n, sizeof *before);
	uint64_t *pick = odo_arena_new(&x->found, n, sizeof *pick);
	uint8_t *in_tree = odo_arena_new(&x->found, f->first_slot[n], 1);
	int n_parts = x->found.failed ? ODO_ENOMEM : odo_fabric_parts(f, part, err);
	if (n_parts < 0)
		return n_parts;
	for (uint32_t s = 0; s < n; s++)
		pick[s] = (uint64_t)odo_node_hash(f, s) << 32 | s;
	qsort(pick, n, sizeof *pick, odo_by_u64);
	for (uint32_t i = 0; i < n; i++)
		if (before[part[(uint32_t)pick[i]]]++ == x->root)
			add_root_tree(x, in_tree, part, (uint32_t)pick[i]);
	for (uint32_t slot = 0; slot < f->first_slot[n]; slot++)
		if (in_tree[slot])
			note_copies(x, in_tree, f->owner[slot], slot);
	return 0;
}

/* Columns of tables for some LIDs, from `first` on. */
typedef struct block {
	uint8_t *columns;
	size_t stride;
	uint32_t n, first, width; /* switches, LIDs */
} block;

static bool make_block(odo_turning *x, block *b, uint32_t n)
{
	b->n = n;
	b->stride = odo_column_stride(n);
	b->columns = odo_arena_new(&x->found, ODO_COLUMNS, b->stride);
	return b->columns;
}

static void cut_block(block *b, const odo_tables *t, uint32_t first)
{
	uint32_t n = t->fabric->lid_count;
	b->first = first;
	b->width = first < n ? odo_column_width(n, first) : 0;
	if (b->width)
		odo_columns_cut(t->lft + first, n, b->n, b->width, b->columns, b->stride);
}

static const uint8_t *column_of(const block *b, uint32_t lid)
{
	return b->columns + (lid - b->first) * b->stride;
}

/* Return true if the LID before is of the same switch, and packets to both take the same turns. */
static bool repeats_column(const block *b, const odo_tables *t, uint32_t lid)
{
	uint32_t home = t->fabric->lid_switch[lid];
	if (lid == b->first || t->fabric->lid_switch[lid - 1] != home)
		return false;
	const uint8_t *now = column_of(b, lid), *last = now - b->stride;
	return !memcmp(now, last, home) &&
	       !memcmp(now + home + 1, last + home + 1, b->n - home - 1);
}

static void find_new_slots(odo_turning *x, const uint8_t *column, uint32_t home)
{
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		x->slots[s] = s == home ? ODO_NONE : slot_of_entry(x, s, column[s]);
}

/* Note turns of packets that are under way: those that came over a cable that is gone, too. */
static void note_old_column(odo_turning *x, const uint8_t *column, uint32_t home)
{
	odo_stage *stage = &x->stage;
	const choice old = {{stage->old, stage->old}, x->held};
	const odo_fabric *then = x->installed->fabric;
	odo_stage_begin(stage, column, home);
	note_choice(x, &old);
	for (uint32_t i = 0; i < stage->n_gone; i++) {
		const odo_gone_link *link = &stage->gone[i];
		if (column[then->owner[link->from]] == odo_port(then, link->from))
			note_turns(x, &old, link->s, link->in);
	}
}

/* Note turns of packets to a LID that find an old entry at one switch and a new one at another. */
static void note_change(odo_turning *x, uint32_t lid)
{
	odo_stage *stage = &x->stage;
	x->has_bare = false;
	if (odo_stage_choose(stage, x->slots, x->f->lid_switch[lid])) {
		const choice late = {{stage->first, x->slots}, NULL};
		note_choice(x, &late);
	}
	const choice early = {{stage->old, stage->first}, NULL};
	note_choice(x, &early);
	x->emptied[lid] |= x->hunts && x->has_bare;
}

/* Note turns of packets to a LID: by old entries, by new ones, and by both. */
static void note_lid(odo_turning *x, const block *now, const block *then, uint32_t lid)
{
	const choice new = {{x->slots, x->slots}, NULL};
	bool is_old = x->mixing && lid - then->first < then->width &&
		      x->installed->fabric->lid_switch[lid] != ODO_NONE;
	bool is_new = lid - now->first < now->width && x->f->lid_switch[lid] != ODO_NONE;
	if ((!is_old || repeats_column(then, x->installed, lid)) &&
	    (!is_new || repeats_column(now, x->t, lid))) {
		if (is_old && is_new)
			x->emptied[lid] = x->emptied[lid - 1];
		return;
	}
	if (is_old)
		note_old_column(x, column_of(then, lid),
				x->stage.home[x->installed->fabric->lid_switch[lid]]);
	if (is_new)
		find_new_slots(x, column_of(now, lid), x->f->lid_switch[lid]);
	if (is_new && is_old && x->mixing == ODO_ANY_ORDER && !x->emptied[lid] &&
	    odo_stage_is_shared(&x->stage, lid))
		note_change(x, lid);
	else if (is_new && !x->hunts)
		note_choice(x, &new);
}

static int note_columns(odo_turning *x)
{
	uint32_t n_lids = x->f->lid_count;
	block now, then = {0};
	bool room = make_block(x, &now, x->f->n_switches);
	if (x->mixing) {
		const odo_fabric *f = x->installed->fabric;
		room &= make_block(x, &then, f->n_switches);
		n_lids = f->lid_count > n_lids ? f->lid_count : n_lids;
	}
	for (uint32_t lid = 0; room && lid < n_lids; lid++) {
		if (lid % ODO_COLUMNS == 0) {
			cut_block(&now, x->t, lid);
			if (x->mixing)
				cut_block(&then, x->installed, lid);
		}
		note_lid(x, &now, &then, lid);
	}
	return room ? 0 : ODO_ENOMEM;
}

/* Append a turn to the order. It is no longer waited for. */
static void append_turn(odo_turning *x, uint32_t turn, uint32_t *waiting)
{
	waiting[turn] = ODO_NONE;
	x->order[x->n_used++] = turn;
}

/* Append turns that follow those of the order from `head` on, as soon as no turn before them is
 * missing. */
static void append_followers(odo_turning *x, uint32_t head, uint32_t *waiting)
{
	for (; head < x->n_used; head++) {
		uint32_t turn = x->order[head];
		const uint64_t *after = x->after + (size_t)turn * x->words;
		unsigned end = 64 * x->words;
		for (unsigned out = 0; (out = odo_next_bit(after, x->words, out)) < end; out++) {
			uint32_t next = odo_turn_after(x, turn, out);
			if (waiting[next] != ODO_NONE && !--waiting[next])
				append_turn(x, next, waiting);
		}
	}
}

/* List turns that are still waited for, those of most trees first. @return their number */
static uint32_t list_waiting(const odo_turning *x, const uint32_t *waiting, uint64_t *list)
{
	uint32_t n = 0;
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		if (waiting[turn] != ODO_NONE)
			list[n++] = (uint64_t)(UINT32_MAX - x->uses[turn]) << 32 | turn;
	qsort(list, n, sizeof *list, odo_by_u64);
	return n;
}

static void await_turns(odo_turning *x, uint32_t *waiting)
{
	x->n_used = 0;
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		waiting[turn] = x->uses[turn]
					? (uint32_t)odo_count_bits(
						  x->before + (size_t)turn * x->words, x->words)
					: ODO_NONE;
}

static void append_ready(odo_turning *x, uint32_t *waiting)
{
	uint32_t head = x->n_used;
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		if (!waiting[turn])
			append_turn(x, turn, waiting);
	append_followers(x, head, waiting);
}

/* Order the turns (Kahn). On cycles some turn has to come first: that of most trees, since a turn
 * that comes last may find no VL, and each of its trees must then avoid it. Turns of multicast
 * trees come before all others. */
static void order_turns(odo_turning *x, uint32_t *waiting, uint64_t *list)
{
	await_turns(x, waiting);
	append_ready(x, waiting);
	x->n_cyclic = list_waiting(x, waiting, list);
	await_turns(x, waiting);
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		if (x->uses[turn] >= IN_TREE)
			append_turn(x, turn, waiting);
	append_followers(x, 0, waiting);
	append_ready(x, waiting);
	uint32_t n_left = list_waiting(x, waiting, list);
	for (uint32_t i = 0; i < n_left; i++) {
		if (waiting[(uint32_t)list[i]] == ODO_NONE)
			continue;
		append_turn(x, (uint32_t)list[i], waiting);
		append_followers(x, x->n_used - 1, waiting);
	}
	x->report->n_turns = x->n_used;
}

int odo_turns_find(odo_turning *x, odo_error *err)
{
	size_t n = x->n_turns;
	uint32_t n_slots = x->f->first_slot[x->f->n_switches];
	odo_arena_free(&x->found);
	x->n_used = 0;
	x->next = odo_arena_new(&x->found, n_slots, sizeof *x->next);
	x->slots = odo_arena_new(&x->found, x->f->n_switches, sizeof *x->slots);
	x->before = odo_arena_new(&x->found, n, x->words * sizeof *x->before);
	x->after = odo_arena_new(&x->found, n, x->words * sizeof *x->after);
	x->from = odo_arena_new(&x->found, n, sizeof *x->from);
	x->to = odo_arena_new(&x->found, n, sizeof *x->to);
	x->uses = odo_arena_new(&x->found, n, sizeof *x->uses);
	x->order = odo_arena_new(&x->found, n, sizeof *x->order);
	uint32_t *waiting = odo_arena_new(&x->found, n, sizeof *waiting);
	uint64_t *list = odo_arena_new(&x->found, n, sizeof *list);
	if (x->found.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for turns");
	find_links(x);
	if (note_columns(x))
		return odo_fail(err, ODO_ENOMEM, "no memory for turns");
	if (x->root != ODO_NONE && note_trees(x, err))
		return odo_fail(err, ODO_ENOMEM, "no memory for turns");
	order_turns(x, waiting, list);
	return 0;
}

int odo_turns_hunt(odo_turning *x, odo_error *err)
{
	x->hunts = true;
	int status = note_columns(x);
	x->hunts = false;
	return status ? odo_fail(err, ODO_ENOMEM, "no memory for turns") : 0;
}
