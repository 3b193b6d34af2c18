/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Unicast paths usually make good trees. With dimension order, paths from a root differ from
 * unicast paths only in turns back towards the root. These turns lead away from every channel that
 * could close a cycle. If that does not hold, the check finds it, and another root, or the paths to
 * the root, are tried.
 */
#include "routing/multicast/multicast.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "routing/forest/forest.h"
#include "routing/graph/acyclic.h"
#include "routing/verify/internal.h"

/* Number of roots tried in each connected part. */
#define N_ROOTS 16u

typedef struct planter {
	const odo_tables *t;
	const odo_fabric *f;
	odo_arena memory;
	odo_mcast *m;
	uint32_t n;
	odo_acyclic unicast;  /* dependencies of unicast and of the trees accepted so far */
	uint32_t *part, *lid; /* [n] connected part; a LID behind each switch, or 0 */
	uint8_t *in_tree;     /* [n] */
	uint8_t *tree_port;   /* [slots of switches] */
	uint16_t *vls; /* [slots of switches * ODO_N_SLS] VLs on which packets of an SL leave */
	const odo_dependencies *found; /* NULL, or gets all dependencies, without a check */
	odo_edge *journal;
	size_t journal_room;
	uint32_t n_journal, n_ordered;
	bool no_memory; /* no memory for the journal: a turn then counts as one that closes a cycle
			 */
} planter;

static uint32_t slot_to_lid(const planter *p, uint32_t s, uint32_t lid)
{
	uint8_t port = odo_next_port(p->t, s, lid);
	return port && port <= odo_n_ports(p->f, s) ? odo_slot(p->f, s, port) : ODO_NONE;
}

static void join_tree(planter *p, uint32_t s, uint32_t up)
{
	p->in_tree[s] = 1;
	p->m->up[s] = up;
	p->m->order[p->n_ordered++] = s;
}

/* Grow the tree by paths from the root: a switch that is not in the tree yet is attached to the
 * switch before it. */
static void grow_from_root(planter *p, uint32_t root)
{
	for (uint32_t d = 0; d < p->n; d++) {
		if (p->part[d] != p->part[root] || !p->lid[d])
			continue;
		for (uint32_t s = root; s != d;) {
			uint32_t slot = slot_to_lid(p, s, p->lid[d]);
			if (slot == ODO_NONE)
				break; /* in carried tables */
			s = odo_next_switch(p->f, slot);
			if (!p->in_tree[s])
				join_tree(p, s, p->f->peer[slot]);
		}
	}
}

/* Grow the tree by paths to the root, each from its end. */
static void grow_towards_root(planter *p, uint32_t root)
{
	for (uint32_t d = 0; d < p->n && p->lid[root]; d++) {
		uint32_t *path = p->m->order +
				 p->n_ordered; /* used as a stack, after the ordered switches */
		uint32_t n_path = 0;
		if (p->part[d] != p->part[root] ||
		    (d != root && slot_to_lid(p, d, p->lid[root]) == ODO_NONE))
			continue;
		for (uint32_t s = d; !p->in_tree[s];) {
			path[n_path++] = s;
			s = odo_next_switch(p->f, slot_to_lid(p, s, p->lid[root]));
		}
		for (uint32_t i = 0; i < n_path / 2; i++) {
			uint32_t held = path[i];
			path[i] = path[n_path - 1 - i];
			path[n_path - 1 - i] = held;
		}
		for (uint32_t i = 0; i < n_path; i++)
			join_tree(p, path[i], slot_to_lid(p, path[i], p->lid[root]));
	}
}

static bool is_host_slot(const odo_fabric *f, uint32_t slot)
{
	return f->peer[slot] != ODO_NONE && f->slot_host[slot] != ODO_NONE;
}

/* Return the VLs on which packets leave by a port of the tree, from its other ports and from
 * hosts. */
static uint16_t leaving_vls(const planter *p, uint32_t s, uint32_t out, unsigned sl)
{
	unsigned port = odo_port(p->f, out);
	uint16_t vls = (uint16_t)(1u << odo_vl(p->t, s, 0, port, sl));
	for (uint32_t in = p->f->first_slot[s]; in < p->f->first_slot[s + 1]; in++)
		if (in != out && (p->tree_port[in] || is_host_slot(p->f, in)))
			vls |= (uint16_t)(1u << odo_vl(p->t, s, odo_port(p->f, in), port, sl));
	return vls;
}

/*
 * Add the dependencies of packets that came in by `in` and leave by `out`.
 * @return false if they close a cycle
 */
static bool add_turn(planter *p, uint32_t in, uint32_t out, unsigned sl)
{
	uint32_t s = p->f->owner[in], from = p->f->peer[in];
	unsigned n_vls = p->t->n_vls;
	unsigned vl = odo_vl(p->t, s, odo_port(p->f, in), odo_port(p->f, out), sl);
	for (unsigned left = p->vls[(size_t)from * ODO_N_SLS + sl]; left; left &= left - 1) {
		unsigned held = (unsigned)__builtin_ctz(left);
		odo_edge edge = {from * n_vls + held, out * n_vls + vl};
		if (held >= n_vls || vl >= n_vls)
			return false;
		if (p->found) {
			odo_depend(p->found, from, held, odo_port(p->f, out), vl);
			continue;
		}
		if (odo_acyclic_has(&p->unicast, edge))
			continue;
		if (odo_grow(&p->journal, &p->journal_room, p->n_journal + 1ul, sizeof *p->journal))
			p->no_memory = true;
		if (p->no_memory || !odo_acyclic_add(&p->unicast, edge))
			return false;
		p->journal[p->n_journal++] = edge;
	}
	return true;
}

/* Add the turns of all packets that came into s by `in`. @return false if they close a cycle */
static bool add_turns(planter *p, uint32_t s, uint32_t in)
{
	for (uint32_t out = p->f->first_slot[s]; out < p->f->first_slot[s + 1]; out++) {
		if (out == in || !p->tree_port[out])
			continue;
		for (unsigned sls = p->m->sls; sls; sls &= sls - 1)
			if (!add_turn(p, in, out, (unsigned)__builtin_ctz(sls)))
				return false;
	}
	return true;
}

static void find_switch_vls(planter *p, uint32_t s)
{
	for (uint32_t out = p->f->first_slot[s]; out < p->f->first_slot[s + 1]; out++)
		for (unsigned sls = p->m->sls; sls; sls &= sls - 1) {
			unsigned sl = (unsigned)__builtin_ctz(sls);
			p->vls[(size_t)out * ODO_N_SLS + sl] = p->tree_port[out]
								       ? leaving_vls(p, s, out, sl)
								       : 0;
		}
}

/* Return true if the tree of the switches ordered from `first` on is safe. Its dependencies then
 * stay. */
static bool accept_tree(planter *p, uint32_t first)
{
	const uint32_t *order = p->m->order;
	bool safe = true;
	for (uint32_t i = first; i < p->n_ordered; i++) {
		uint32_t up = p->m->up[order[i]];
		if (up != ODO_NONE)
			p->tree_port[up] = p->tree_port[p->f->peer[up]] = 1;
	}
	for (uint32_t i = first; i < p->n_ordered; i++)
		find_switch_vls(p, order[i]);
	p->n_journal = 0;
	for (uint32_t i = first; i < p->n_ordered && safe; i++) {
		uint32_t s = order[i];
		for (uint32_t in = p->f->first_slot[s]; in < p->f->first_slot[s + 1]; in++)
			safe = safe && (!p->tree_port[in] || add_turns(p, s, in));
	}
	return safe;
}

static void take_back_tree(planter *p, uint32_t first)
{
	while (p->n_journal)
		odo_acyclic_remove(&p->unicast, p->journal[--p->n_journal]);
	while (p->n_ordered > first) {
		uint32_t s = p->m->order[--p->n_ordered], up = p->m->up[s];
		if (up != ODO_NONE)
			p->tree_port[up] = p->tree_port[p->f->peer[up]] = 0;
		p->in_tree[s] = 0;
	}
}

/* Add turns within s, and turns of packets from s in its neighbours: both may use new VLs. */
static bool add_turns_around(planter *p, uint32_t s)
{
	bool safe = true;
	for (uint32_t slot = p->f->first_slot[s]; slot < p->f->first_slot[s + 1]; slot++) {
		uint32_t t = odo_next_switch(p->f, slot);
		if (p->tree_port[slot])
			safe = safe && add_turns(p, s, slot) && add_turns(p, t, p->f->peer[slot]);
	}
	return safe;
}

/* Attach the switch at the far end of a slot to the tree, if that is safe. */
static bool hang_switch(planter *p, uint32_t slot)
{
	uint32_t s = p->f->owner[slot], t = odo_next_switch(p->f, slot), peer = p->f->peer[slot];
	uint32_t n_before = p->n_journal;
	p->tree_port[slot] = p->tree_port[peer] = 1;
	find_switch_vls(p, s);
	find_switch_vls(p, t);
	bool safe = add_turns_around(p, s);
	if (!safe) {
		while (p->n_journal > n_before)
			odo_acyclic_remove(&p->unicast, p->journal[--p->n_journal]);
		p->tree_port[slot] = p->tree_port[peer] = 0;
		find_switch_vls(p, s);
		find_switch_vls(p, t);
	}
	return safe;
}

/*
 * Attach switches that are not in the tree, cable by cable.
 * @param carefully only where that closes no cycle
 */
static void grow_rest(planter *p, uint32_t first, bool carefully)
{
	for (uint32_t i = first; i < p->n_ordered; i++) {
		uint32_t s = p->m->order[i];
		for (uint32_t slot = p->f->first_slot[s]; slot < p->f->first_slot[s + 1]; slot++) {
			uint32_t t = odo_next_switch(p->f, slot);
			if (t != ODO_NONE && !p->in_tree[t] && (!carefully || hang_switch(p, slot)))
				join_tree(p, t, p->f->peer[slot]);
		}
	}
}

/* Grow the tree cable by cable. @return true if it reaches all switches */
static bool grow_carefully(planter *p, uint32_t first, uint32_t root)
{
	uint32_t n_part = 0;
	for (uint32_t s = 0; s < p->n; s++)
		n_part += p->part[s] == p->part[root];
	p->n_journal = 0;
	grow_rest(p, first, true);
	return p->n_ordered - first == n_part;
}

enum plan { FROM_ROOT, TOWARDS_ROOT, CAREFULLY, N_PLANS };

static bool plant_tree(planter *p, uint32_t root, enum plan plan)
{
	uint32_t first = p->n_ordered;
	bool safe;
	join_tree(p, root, ODO_NONE);
	if (plan == CAREFULLY) {
		safe = grow_carefully(p, first, root);
	} else {
		if (plan == FROM_ROOT)
			grow_from_root(p, root);
		else
			grow_towards_root(p, root);
		grow_rest(p, first, false); /* no path leads to a switch without a LID */
		safe = accept_tree(p, first);
	}
	if (!safe)
		take_back_tree(p, first);
	return safe;
}

/* Make a tree for the part of the first switch in `pick`, from one of a few roots there. */
static bool plant_somewhere(planter *p, const uint64_t *pick, uint32_t n, enum plan plan)
{
	uint32_t tried = 0, part = p->part[(uint32_t)pick[0]];
	for (uint32_t i = 0; i < n && tried < N_ROOTS; i++) {
		uint32_t root = (uint32_t)pick[i];
		if (p->part[root] != part)
			continue;
		tried++;
		if (plant_tree(p, root, plan))
			return true;
	}
	return false;
}

/* Choose roots by hash, so that they do not depend on the order of switches. */
static int plant_all(planter *p, odo_error *err)
{
	uint64_t *pick = odo_arena_new(&p->memory, p->n, sizeof *pick);
	if (!pick)
		return odo_fail(err, ODO_ENOMEM, "no memory for multicast trees");
	for (uint32_t s = 0; s < p->n; s++)
		pick[s] = (uint64_t)odo_node_hash(p->f, s) << 32 | s;
	qsort(pick, p->n, sizeof *pick, odo_by_u64);
	int status = 0;
	for (uint32_t i = 0; i < p->n && !status; i++) {
		uint32_t s = (uint32_t)pick[i];
		bool planted = p->in_tree[s];
		for (int plan = 0; plan < N_PLANS && !planted; plan++)
			planted = plant_somewhere(p, pick + i, p->n - i, (enum plan)plan);
		if (p->no_memory)
			status = odo_fail(err, ODO_ENOMEM, "no memory for multicast trees");
		else if (!planted)
			status = odo_fail(err, ODO_EDECLINE,
					  "no multicast tree from %u roots tried is free of "
					  "deadlock beside unicast",
					  N_ROOTS);
	}
	return status;
}

static int prepare_planter(planter *p, odo_error *err)
{
	size_t slots = p->f->first_slot[p->n];
	p->part = odo_arena_new(&p->memory, p->n, sizeof *p->part);
	p->lid = odo_arena_new(&p->memory, p->n, sizeof *p->lid);
	p->in_tree = odo_arena_new(&p->memory, p->n, 1);
	p->tree_port = odo_arena_new(&p->memory, slots, 1);
	p->vls = odo_arena_new(&p->memory, slots * ODO_N_SLS, sizeof *p->vls);
	p->m->up = odo_arena_new(&p->m->memory, p->n, sizeof *p->m->up);
	p->m->order = odo_arena_new(&p->m->memory, p->n, sizeof *p->m->order);
	if (p->memory.failed || p->m->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for multicast trees");
	for (uint32_t lid = p->f->lid_count; lid-- > 1;)
		if (p->f->lid_switch[lid] != ODO_NONE)
			p->lid[p->f->lid_switch[lid]] = lid;
	int n_parts = odo_fabric_parts(p->f, p->part, err);
	if (n_parts < 0)
		return n_parts;
	int status = odo_acyclic_init(&p->unicast, p->f, p->t->n_vls, err);
	if (!status)
		status = odo_verify_collect(p->t, &p->unicast.forward, err);
	if (!status && !odo_acyclic_sort(&p->unicast))
		status = odo_fail(err, ODO_EUNSAFE, "the unicast tables can deadlock");
	return status;
}

int odo_mcast_create(const odo_tables *t, unsigned sls, odo_mcast **out, odo_error *err)
{
	if (!sls || sls >> ODO_N_SLS || t->adaptive)
		return odo_fail(err, ODO_EDECLINE, "multicast needs SLs below %u and static tables",
				ODO_N_SLS);
	planter p = {.t = t, .f = t->fabric, .n = t->fabric->n_switches};
	p.m = odo_new(1, sizeof *p.m);
	if (!p.m)
		return odo_fail(err, ODO_ENOMEM, "no memory for multicast trees");
	p.m->fabric = t->fabric;
	p.m->sls = sls;
	int status = prepare_planter(&p, err);
	if (!status)
		status = plant_all(&p, err);
	free(p.journal);
	odo_arena_free(&p.memory);
	odo_acyclic_clear(&p.unicast);
	if (status)
		odo_mcast_free(p.m);
	else
		*out = p.m;
	return status;
}

int odo_mcast_depend(const odo_mcast *mcast, const odo_tables *t, const odo_dependencies *deps,
		     odo_error *err)
{
	planter p = {.t = t, .f = t->fabric, .n = t->fabric->n_switches, .found = deps};
	odo_mcast trees = *mcast;
	size_t slots = p.f->first_slot[p.n];
	p.m = &trees;
	p.n_ordered = p.n;
	p.tree_port = odo_arena_new(&p.memory, slots, 1);
	p.vls = odo_arena_new(&p.memory, slots * ODO_N_SLS, sizeof *p.vls);
	int status = p.memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for multicast trees")
		     : accept_tree(&p, 0)
			     ? 0
			     : odo_fail(err, ODO_EUNSAFE, "multicast uses VLs that are not used");
	odo_arena_free(&p.memory);
	return status;
}

void odo_mcast_free(odo_mcast *mcast)
{
	if (mcast)
		odo_arena_free(&mcast->memory);
	free(mcast);
}

/* Count members below each switch, including the switch; a root thus gets the number in its whole
 * part. */
static void count_members_below(const odo_mcast *mcast, uint32_t *below)
{
	for (uint32_t i = mcast->fabric->n_switches; i-- > 0;) {
		uint32_t s = mcast->order[i], up = mcast->up[s];
		if (up != ODO_NONE)
			below[odo_next_switch(mcast->fabric, up)] += below[s];
	}
}

int odo_mcast_ports(const odo_mcast *mcast, const uint32_t *member, uint32_t n_members,
		    const uint32_t *switches, uint32_t n_switches, uint8_t *on, odo_error *err)
{
	const odo_fabric *f = mcast->fabric;
	odo_arena scratch = {0};
	uint32_t *below = odo_arena_new(&scratch, f->n_switches, sizeof *below);
	uint32_t *whole = odo_arena_new(&scratch, f->n_switches, sizeof *whole);
	if (scratch.failed) {
		odo_arena_free(&scratch);
		return odo_fail(err, ODO_ENOMEM, "no memory for a multicast group");
	}
	memset(on, 0, f->first_slot[f->n_switches]);
	for (uint32_t i = 0; i < n_members; i++) {
		on[member[i]] = 1;
		below[f->owner[member[i]]]++;
	}
	for (uint32_t i = 0; i < n_switches; i++)
		below[switches[i]]++;
	count_members_below(mcast, below);
	for (uint32_t i = 0; i < f->n_switches; i++) {
		uint32_t s = mcast->order[i], up = mcast->up[s];
		whole[s] = up == ODO_NONE ? below[s] : whole[odo_next_switch(f, up)];
		/* A cable is used if there are members on both its sides. */
		if (up != ODO_NONE && below[s] && below[s] < whole[s])
			on[up] = on[f->peer[up]] = 1;
	}
	odo_arena_free(&scratch);
	return 0;
}
