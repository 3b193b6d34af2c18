/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Paths through a third group of a Dragonfly+, for all LIDs of a host except its first.
 *
 * Standard switches know the port by which a packet came, but neither its earlier path nor its VL.
 * Therefore a path may cross a third group at one of its spines, from global cable to global cable,
 * but not through its leaves: there it would look like a path that starts in this group. A spine
 * with a cable into the destination's group uses this cable. Spines without such a cable send
 * packets to a spine that has one.
 *
 * - host -> leaf -> spine -> global cable: VL 0
 * - global cable -> any, spine -> leaf: VL 1
 *
 * Packets on VL 0 go up and across; packets on VL 1 go across and down. A packet that starts at a
 * spine may go down to a leaf and up again on VL 0, before all other hops. Paths to LIDs of
 * switches have many forms. They use VL 1 from the start, by an SL of their own, and follow the
 * order of the tree (tree.h), as the other paths on VL 1 do. So no cycle exists.
 */
#include <string.h>

#include "routing/tree/tree.h"

enum { SL_OF_SWITCHES = 1 };

typedef struct passing {
	const odo_tree *tree;
	const odo_fabric *f;
	odo_tables *t;
	uint32_t *by_group, *group_at; /* [n], [groups + 2] switches of each group */
	uint64_t *load;                /* [slots of switches] paths between hosts */
	uint64_t *crowd;               /* [slots of switches] paths to the current group */
	uint8_t *direct;               /* [n] spines with a cable to the group of the current LID */
	uint32_t *way;                 /* [n] slot by which a spine sends through another group */
} passing;

static bool is_global_cable(const passing *x, uint32_t slot)
{
	return x->tree->c->port_class[slot] == ODO_PORT_GLOBAL &&
	       odo_next_switch(x->f, slot) != ODO_NONE;
}

static uint32_t slot_towards_lid(const passing *x, uint32_t s, uint32_t lid)
{
	unsigned port = odo_next_port(x->t, s, lid);
	return port - 1u < odo_n_ports(x->f, s) ? odo_slot(x->f, s, port) : ODO_NONE;
}

static void list_switches_by_group(passing *x)
{
	uint32_t n_groups = x->tree->c->size[x->tree->dim[ODO_TREE_POD]];
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < x->tree->n; i++) {
			uint32_t s = x->tree->sorted[i], group = odo_tree_pod(x->tree, s);
			if (group != ODO_NONE && pass)
				x->by_group[x->group_at[group + 1]++] = s;
			else if (group != ODO_NONE)
				x->group_at[group + 2]++;
		}
		for (uint32_t g = 2; !pass && g < n_groups + 2; g++)
			x->group_at[g] += x->group_at[g - 1];
	}
}

/* Find the spines whose global cable leads to the LID's group, and from there straight down to its
 * switch. */
static void find_direct(passing *x, uint32_t lid, uint32_t d)
{
	for (uint32_t s = 0; s < x->tree->n; s++) {
		uint32_t slot = slot_towards_lid(x, s, lid);
		x->direct[s] = false;
		if (slot == ODO_NONE || !is_global_cable(x, slot))
			continue;
		uint32_t far = odo_next_switch(x->f, slot), down = slot_towards_lid(x, far, lid);
		x->direct[s] = odo_tree_pod(x->tree, s) != odo_tree_pod(x->tree, d) &&
			       odo_tree_pod(x->tree, far) == odo_tree_pod(x->tree, d) &&
			       down != ODO_NONE && odo_next_switch(x->f, down) == d;
	}
}

/* Cost of a way: paths to the same group on its fullest cable, since an adversary would choose
 * them; then all paths. */
typedef struct price {
	uint64_t crowd, load;
} price;

static void add_cable_to_price(const passing *x, uint32_t slot, price *p)
{
	p->crowd = x->crowd[slot] > p->crowd ? x->crowd[slot] : p->crowd;
	p->load = x->load[slot] > p->load ? x->load[slot] : p->load;
}

/* Return the cost of a way. @param slot a spine's global cable to a direct spine */
static price price_of_way(const passing *x, uint32_t slot, uint32_t lid)
{
	price p = {0};
	uint32_t across = slot_towards_lid(x, odo_next_switch(x->f, slot), lid);
	add_cable_to_price(x, slot, &p);
	add_cable_to_price(x, across, &p);
	add_cable_to_price(x, slot_towards_lid(x, odo_next_switch(x->f, across), lid), &p);
	return p;
}

static bool is_way_cheaper(price a, price b)
{
	return a.crowd != b.crowd ? a.crowd < b.crowd : a.load < b.load;
}

/* Return the cheapest way of a spine through a third group, or ODO_NONE. */
static uint32_t choose_way(const passing *x, uint32_t s, const odo_tree_goal *goal)
{
	uint32_t first = x->f->first_slot[s], n = odo_n_ports(x->f, s), best = ODO_NONE;
	for (uint32_t i = 0; i < n && !x->direct[s]; i++) {
		uint32_t slot = first + (i + goal->number) % n;
		if (!is_global_cable(x, slot) || !x->direct[odo_next_switch(x->f, slot)])
			continue;
		if (best == ODO_NONE || is_way_cheaper(price_of_way(x, slot, goal->lid),
						       price_of_way(x, best, goal->lid)))
			best = slot;
	}
	return best;
}

/* Return the upward cable of a leaf with the cheapest way through a third group, or ODO_NONE. */
static uint32_t choose_cable_up(const passing *x, uint32_t leaf, const odo_tree_goal *goal)
{
	const odo_tree *tree = x->tree;
	uint32_t first = tree->up_at[leaf], n = tree->up_at[leaf + 1] - first, best = ODO_NONE;
	price least = {0};
	for (uint32_t i = 0; i < n; i++) {
		const odo_tree_link *up = &tree->up[first + (i + goal->number) % n];
		if (x->way[up->to] == ODO_NONE)
			continue;
		price p = price_of_way(x, x->way[up->to], goal->lid);
		add_cable_to_price(x, up->slot, &p);
		if (best != ODO_NONE && !is_way_cheaper(p, least))
			continue;
		best = up->slot;
		least = p;
	}
	return best;
}

static void count_way(passing *x, uint32_t up, uint32_t lid, uint64_t paths)
{
	uint32_t slot = up;
	for (unsigned i = 0; i < 4; i++) {
		x->load[slot] += paths;
		x->crowd[slot] += paths;
		slot = slot_towards_lid(x, odo_next_switch(x->f, slot), lid);
	}
}

static void set_port_to_slot(const passing *x, uint32_t slot, uint32_t lid)
{
	uint32_t s = x->f->owner[slot];
	x->t->lft[(size_t)s * x->f->lid_count + lid] = (uint8_t)odo_port(x->f, slot);
}

/* For a spine that cannot use a third group itself: go down to a leaf whose own next spine can, or
 * is direct. Only packets that start at the spine take this path. */
static void step_aside(const passing *x, uint32_t spine, uint32_t lid)
{
	const odo_tree *tree = x->tree;
	for (uint32_t i = tree->down_at[spine]; i < tree->down_at[spine + 1]; i++) {
		uint32_t up = slot_towards_lid(x, tree->down[i].to, lid);
		uint32_t to = up == ODO_NONE ? ODO_NONE : odo_next_switch(x->f, up);
		if (to == ODO_NONE || !(x->direct[to] || x->way[to] != ODO_NONE))
			continue;
		set_port_to_slot(x, tree->down[i].slot, lid);
		return;
	}
}

static void choose_ways(passing *x, const uint32_t *s, const uint32_t *end,
			const odo_tree_goal *goal)
{
	for (const uint32_t *spine = s; spine < end; spine++) {
		x->way[*spine] = x->tree->level[*spine] ? choose_way(x, *spine, goal) : ODO_NONE;
		if (x->way[*spine] != ODO_NONE)
			set_port_to_slot(x, x->way[*spine], goal->lid);
	}
	for (const uint32_t *leaf = s; leaf < end; leaf++) {
		uint32_t up = x->tree->hosts[*leaf] ? choose_cable_up(x, *leaf, goal) : ODO_NONE;
		if (up == ODO_NONE)
			continue;
		set_port_to_slot(x, up, goal->lid);
		count_way(x, up, goal->lid, x->tree->hosts[*leaf]);
	}
}

static bool is_first_lid(const odo_fabric *f, uint32_t lid)
{
	return f->port_lid[f->host_slot[f->lid_host[lid]]] == lid;
}

/* Choose the ways to a LID from one group. Spines get a way even if no leaf uses them, so that a
 * packet that starts at a spine also crosses at most one group. */
static void pass_from_group(passing *x, uint32_t group, const odo_tree_goal *goal)
{
	const uint32_t *s = x->by_group + x->group_at[group],
		       *end = x->by_group + x->group_at[group + 1];
	for (const uint32_t *spine = s; spine < end; spine++)
		x->way[*spine] = ODO_NONE;
	if (!is_first_lid(x->f, goal->lid))
		choose_ways(x, s, end, goal);
	for (const uint32_t *spine = s; spine < end; spine++)
		if (x->tree->level[*spine] && x->way[*spine] == ODO_NONE && !x->direct[*spine])
			step_aside(x, *spine, goal->lid);
}

static void pass_to_group(passing *x, uint32_t group, const odo_tree_goal *goals, uint32_t n_goals)
{
	const odo_fabric *f = x->f;
	uint32_t n_groups = x->tree->c->size[x->tree->dim[ODO_TREE_POD]];
	memset(x->crowd, 0, f->first_slot[x->tree->n] * sizeof *x->crowd);
	for (uint32_t i = 0; i < n_goals; i++) {
		if (!odo_is_sent_to(f, goals[i].lid) || odo_tree_pod(x->tree, goals[i].d) != group)
			continue;
		find_direct(x, goals[i].lid, goals[i].d);
		for (uint32_t from = 0; from < n_groups; from++)
			if (from != group)
				pass_from_group(x, from, &goals[i]);
	}
}

/* Return true if a packet between two ports of a switch leaves on VL 1 whatever its SL is. Packets
 * that hosts or the aggregation node of a spine send down do not. */
static bool leaves_on_vl1(const passing *x, uint32_t s, unsigned in, unsigned out)
{
	uint32_t from = odo_slot(x->f, s, in), to = odo_slot(x->f, s, out);
	bool starts = odo_next_switch(x->f, from) == ODO_NONE;
	return is_global_cable(x, from) ||
	       (x->tree->level[s] && !is_global_cable(x, to) && !starts);
}

static int write_vls(const passing *x, odo_error *err)
{
	const odo_fabric *f = x->f;
	odo_sl2vl early = {{[SL_OF_SWITCHES] = 1}}, late;
	uint16_t row[2];
	memset(late.vl, 1, sizeof late.vl);
	int status = odo_tables_row(x->t, &early, &row[0], err);
	if (!status)
		status = odo_tables_row(x->t, &late, &row[1], err);
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
				*odo_sl2vl_entry(
					x->t, s, in,
					out) = row[in && out && leaves_on_vl1(x, s, in, out)];
	for (uint32_t h = 0; h < f->n_hosts && !status; h++)
		x->t->host_row[h] = row[0];
	for (uint32_t lid = 0; lid < f->lid_count && !status; lid++)
		if (f->lid_switch[lid] != ODO_NONE && !odo_is_sent_to(f, lid))
			x->t->sl_of_lid[lid] = SL_OF_SWITCHES;
	x->t->n_vls = x->t->n_sls = 2;
	return status;
}

int odo_tree_pass_groups(const odo_tree *tree, const odo_tree_goal *goals, uint32_t n_goals,
			 odo_tables *t, odo_error *err)
{
	uint32_t n_groups = tree->c->size[tree->dim[ODO_TREE_POD]];
	odo_arena scratch = {0};
	passing x = {.tree = tree, .f = tree->f, .t = t};
	x.by_group = odo_arena_new(&scratch, tree->n, sizeof *x.by_group);
	x.group_at = odo_arena_new(&scratch, n_groups + 2ul, sizeof *x.group_at);
	x.load = odo_arena_new(&scratch, tree->f->first_slot[tree->n], sizeof *x.load);
	x.crowd = odo_arena_new(&scratch, tree->f->first_slot[tree->n], sizeof *x.crowd);
	x.direct = odo_arena_new(&scratch, tree->n, 1);
	x.way = odo_arena_new(&scratch, tree->n, sizeof *x.way);
	int status = scratch.failed ? odo_fail(err, ODO_ENOMEM, "no memory for LFTs")
				    : write_vls(&x, err);
	if (!status) {
		list_switches_by_group(&x);
		for (uint32_t group = 0; group < n_groups; group++)
			pass_to_group(&x, group, goals, n_goals);
	}
	odo_arena_free(&scratch);
	return status;
}
