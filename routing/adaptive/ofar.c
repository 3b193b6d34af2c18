/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * OFAR (paper 000, section 3) on switches that keep no state in packets: the VL stores which
 * misroutings a packet has used. Minimal ways come first, then non-minimal ones, then the escape
 * subnetwork on VLs of its own. Channels of the other VLs may wait for each other in a cycle.
 * Packets in all of them are also offered an escape channel, and escape channels have no cycle.
 *
 * Bit 0 of the VL says that the local misrouting of this group is used, bit 1 the global one.
 * Global hops clear bit 0. A packet with bit 1 clear that is not in its destination's group is in
 * its source group, since a minimal global hop leads to the destination's group. So the rules of
 * paper 000 (section 3.1) can be followed:
 * - within its group a packet may be misrouted locally;
 * - in the source group, a packet from a host may be misrouted by a global cable of its switch.
 *   After a local hop it may be misrouted locally first, and from there by a global cable (MM+L).
 *   Here it may not return to the switch that it left, so that the longest path remains
 *   l-l-g-l-l-g-l-l;
 * - in an intermediate group a packet may be misrouted locally, if the minimal way is local.
 *
 * Escape: the tree is that of section 3.3.1. In the paper, ring channels need bubble flow control.
 * Tables have no bubbles. Therefore the ring has two VLs and a dateline, and both directions; a
 * packet takes the shorter one.
 *
 * OFAR lets packets leave the escape subnetwork wherever they can, as often as they like. This rule
 * is safe, but no proof of delivery exists for paths of unlimited length. With the tree, a packet
 * may leave once, on a VL for minimal ways only. Packets that enter again from there use another VL
 * of the tree and stay on it. This helps past saturation (advg:n=2 on 36 switches, preset ofar:
 * 0.45 of the load against 0.28). The ring has no VLs left for that below 8.
 *
 * Damage leaves fewer ways, and at least the escape: the tree spans every connected part. The ring
 * needs all switches; without them the engine declines.
 */

#include "base/memory.h"
#include "routing/adaptive/ring.h"

/* Further class of input ports: the ring's port to the previous switch. */
enum { BY_RING = ODO_N_BY, N_INPUTS };

enum { LOCAL_SPENT = 1, GLOBAL_SPENT = 2 };

/* VLs of ofar-tree beyond the flags: minimal ways after the escape, which may be left once. */
enum { BACK_VL = 4, FIRST_ESCAPE_VL = 5, LAST_ESCAPE_VL = 6 };

typedef struct state {
	odo_arena memory;
	odo_groups groups;
	odo_ofar_escape escape;
	uint8_t escape_vl; /**< the first of the escape's two VLs */
	uint8_t *tree;     /**< [n * n] ports, or NULL with a ring */
	odo_ext_ring ring;
} state;

/* Return the ring's way from s to d, for a packet that is on the ring or enters it. */
static odo_candidate ring_way(const state *e, uint32_t s, uint32_t d, unsigned input,
			      unsigned in_vl)
{
	const odo_ext_ring *r = &e->ring;
	bool inside = in_vl >= e->escape_vl;
	uint32_t ahead = (r->place[d] + r->n - r->place[s]) % r->n;
	bool onward = inside ? input == BY_RING : ahead <= r->n / 2;
	bool crosses = r->place[s] == (onward ? r->n - 1 : 0);
	bool crossed = inside && in_vl > e->escape_vl;
	return (odo_candidate){.port = onward ? r->next[s] : r->before[s],
			       .vl = (uint8_t)(e->escape_vl + (crosses || crossed)),
			       .priority = 2,
			       .escape = 1};
}

static unsigned add_escape(const state *e, uint32_t s, uint32_t d, unsigned input, unsigned in_vl,
			   odo_candidate *way, unsigned n)
{
	if (e->tree) {
		uint8_t port = e->tree[(size_t)s * e->groups.n + d];
		bool last = in_vl == BACK_VL || in_vl == LAST_ESCAPE_VL;
		if (port != ODO_NO_PORT)
			way[n++] = (odo_candidate){.port = port,
						   .vl = last ? LAST_ESCAPE_VL : FIRST_ESCAPE_VL,
						   .priority = 2,
						   .escape = 1};
	} else {
		way[n++] = ring_way(e, s, d, input, in_vl);
	}
	return n;
}

static unsigned ways_in_group(const odo_groups *groups, uint32_t s, uint32_t d, unsigned spent,
			      odo_candidate *way)
{
	uint64_t direct = odo_groups_local(groups, s, d);
	unsigned n = odo_ext_emit(way, 0, direct, spent, 0, false);
	if (!(spent & LOCAL_SPENT))
		n = odo_ext_emit(way, n, groups->local[s] & ~direct, spent | LOCAL_SPENT, 1, true);
	return n;
}

static unsigned ways_to_group(const odo_groups *groups, uint32_t s, uint32_t d, unsigned input,
			      unsigned spent, odo_candidate *way)
{
	uint64_t own = odo_groups_to(groups, s, groups->group[d]),
		 via = odo_groups_via(groups, s, groups->group[d]);
	bool in_source = !(spent & GLOBAL_SPENT), local_spent = spent & LOCAL_SPENT;
	unsigned n = odo_ext_emit(way, 0, own, spent & GLOBAL_SPENT, 0, false);
	if (!own && !(in_source && local_spent))
		n = odo_ext_emit(way, n, via, spent, 0, false);
	if (in_source && (input == ODO_BY_OTHER || local_spent))
		return odo_ext_emit(way, n, groups->global[s] & ~own, GLOBAL_SPENT, 1, false);
	if (!local_spent && (in_source || !own))
		n = odo_ext_emit(way, n, groups->local[s] & ~(own ? 0 : via), spent | LOCAL_SPENT,
				 1, true);
	return n;
}

/* List minimal ways only. */
static unsigned minimal_ways_back(const odo_groups *groups, uint32_t s, uint32_t d,
				  odo_candidate *way)
{
	uint64_t near = groups->group[s] == groups->group[d]
				? odo_groups_local(groups, s, d)
				: odo_groups_to(groups, s, groups->group[d]);
	if (!near && groups->group[s] != groups->group[d])
		near = odo_groups_via(groups, s, groups->group[d]);
	return odo_ext_emit(way, 0, near, BACK_VL, 0, false);
}

static unsigned list_ofar_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_candidate *way)
{
	const state *e = t->adaptive->state;
	const odo_groups *groups = &e->groups;
	uint32_t d = t->fabric->lid_switch[lid];
	unsigned n = 0;
	if (d == s)
		return odo_ext_deliver(t->fabric, lid, in_vl, way);
	bool known = groups->group[s] != ODO_NONE && groups->group[d] != ODO_NONE;
	if (known && e->tree && (in_vl == BACK_VL || in_vl == FIRST_ESCAPE_VL)) {
		n = minimal_ways_back(groups, s, d, way);
	} else if (known && in_vl <= (LOCAL_SPENT | GLOBAL_SPENT)) {
		if (groups->group[s] == groups->group[d])
			n = ways_in_group(groups, s, d, in_vl, way);
		else
			n = ways_to_group(groups, s, d, input, in_vl, way);
	}
	return add_escape(e, s, d, input, in_vl, way, n);
}

static int prepare_escape(state *e, const odo_fabric *f, const odo_coordinates *c, odo_error *err)
{
	int status = odo_groups_init(&e->groups, &e->memory, f, c, err);
	if (status)
		return status;
	if (e->escape == ODO_OFAR_TREE)
		return odo_ext_tree(f, c, &e->memory, &e->tree, err);
	status = odo_ext_ring_init(&e->ring, &e->memory, &e->groups, f, err);
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		e->groups.input[odo_slot(f, s, e->ring.before[s])] = BY_RING;
	return status;
}

int odo_route_ofar(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		   const odo_route_options *options, odo_tables *t, odo_error *err)
{
	state *e = odo_new(1, sizeof *e);
	if (!e)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	e->escape = (odo_ofar_escape)row->variant;
	e->escape_vl = (LOCAL_SPENT | GLOBAL_SPENT) + 1;
	if (e->escape == ODO_OFAR_TREE)
		e->escape_vl = FIRST_ESCAPE_VL;
	unsigned needed = e->escape_vl + 2u;
	unsigned vls = odo_ext_vls(f, options);
	int status = needed <= vls ? prepare_escape(e, f, c, err)
				   : odo_fail(err, ODO_EDECLINE, "needs %u VLs, %u can be used",
					      needed, vls);
	return odo_ext_finish(row, t, status ? status : (int)needed,
			      (odo_adaptive){
				      .state = e,
				      .inject = odo_ext_inject,
				      .candidates = list_ofar_ways,
				      .has_escape = true,
				      .alike = odo_ext_alike,
				      .input = e->groups.input,
				      .n_inputs = N_INPUTS,
			      },
			      err);
}
