/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Static and the S, D, G, I family on dragonflies (paper 004, section 3.5).
 *
 * Local hops use VLs 0 and 1 in the source group, 2 and 3 in an intermediate group, 4 and 5 in the
 * destination group. The paper does not give the VL of global hops. Here they use VL 1 out of the
 * source group, and VL 3 out of an intermediate group. Local and global cables are different
 * channels, so the order is local 0, local 1, global 1, local 2, local 3, global 3, local 4, local
 * 5, and no cycle exists.
 *
 * A switch knows the progress of a packet from three facts: whether its group is the destination's,
 * the class of the input port, and the input VL. A local input on VL 0 or 1 means source group, on
 * VL 2 or 3 intermediate group. A global input means that the packet just entered the group, which
 * is intermediate if it is not the destination's.
 *
 * Meaning of the letters, where the paper is short:
 * - G: a global hop to any group, from the source switch or from the switch that has the cable. G
 *   does not include a local hop towards another group's cable. Otherwise links that packets share
 *   in intermediate and destination groups limit bit complement to 1/16 under G, and to 1/8 under
 *   GI and GD, but no longer under GID. These are the paper's figures.
 * - S: a local hop to any switch, and from there the hop that Static would make, also with G.
 *   Complement under GS, GSI and GSD then has the same result as under G, GI and GD, in the paper
 *   and here.
 * - I, D: the same in the other groups. Packets within one group are in their source and in their
 *   destination group: S or D allow the extra hop, on VLs 4 and 5.
 * - A switch that has the cable itself makes an extra local hop only to a switch that also has one.
 * - A packet makes no extra hop back through its input port, unless damage leaves no other.
 *
 * The engine ofar-ar (profile ib-ar) covers as much of OFAR's misroutings (paper 000, section 3.1)
 * as limited switches can do. In such a switch the output VL follows from (input VL, input port,
 * output port) alone, and the table follows from input VL and input port. They can do one global
 * misrouting, after at most one local hop, and one local misrouting in every group that is entered.
 * There is no escape: such a switch cannot give its last-resort group a VL of its own. Instead VLs
 * count hops: local 0 and 1 before a global hop, 2 and 3 after the first, 4 and 5 after the second,
 * in any group. The order is the same as above, so safety is not lost. Four tables are enough: for
 * packets from hosts, after the first local hop, after a global cable, and for minimal ways only.
 *
 * Damage: a bit per (destination, switch, state) says if a way on exists. Only such ways are
 * offered. Pairs without a way go up and down a spanning tree on VL 6.
 */
#include <string.h>

#include "base/memory.h"
#include "routing/adaptive/groups.h"

#define N_VLS 6u
#define TREE_VL 6u

/* Arrival of a packet at a switch. AFTER_n: by a local hop on VL n. In the destination group:
 * FROM_HOST, ENTERED, or AFTER_0 for one local hop. Only ofar-ar uses the last two. */
typedef enum arrival {
	FROM_HOST,
	AFTER_0,
	AFTER_1,
	ENTERED,
	AFTER_2,
	AFTER_3,
	ENTERED_AGAIN,
	AFTER_4
} arrival;

typedef struct state {
	odo_arena memory;
	odo_groups groups;
	unsigned letters;
	uint8_t *alive; /**< NULL if undamaged; [n * n] bit `came` at d * n + s */
	uint8_t *tree;  /**< NULL if undamaged; [n * n] ports */
} state;

static arrival find_arrival(const state *e, uint32_t s, uint32_t d, unsigned input, unsigned in_vl)
{
	static const arrival by_vl[] = {AFTER_0, AFTER_1, AFTER_2, AFTER_3, AFTER_4, AFTER_4};
	const odo_groups *groups = &e->groups;
	bool home = groups->group[s] == groups->group[d] && !(e->letters & ODO_GSID_COUNT_HOPS);
	if (input == ODO_BY_LOCAL)
		return home || in_vl > 5 ? AFTER_0 : by_vl[in_vl];
	if (input == ODO_BY_OTHER)
		return FROM_HOST;
	return e->letters & ODO_GSID_COUNT_HOPS && in_vl == 3 ? ENTERED_AGAIN : ENTERED;
}

static unsigned ways_by_vl(const state *e, uint32_t s, uint32_t d, arrival came, odo_port_set *sets)
{
	static const uint8_t local_vl[] = {0, 1, 1, 2, 3, 3, 4, 5};
	static const uint8_t global_vl[] = {1, 1, 1, 3, 3, 3, 3, 3};
	const odo_groups *groups = &e->groups;
	bool at_home = groups->group[s] == groups->group[d],
	     source = came == FROM_HOST || came == AFTER_0;
	bool may_stray = came == FROM_HOST || came == ENTERED || came == ENTERED_AGAIN;
	uint64_t own = at_home ? 0 : odo_groups_to(groups, s, groups->group[d]);
	uint64_t near = at_home ? odo_groups_local(groups, s, d)
				: (own ? 0 : odo_groups_via(groups, s, groups->group[d]));
	if (came == AFTER_0 && !at_home)
		near = 0; /* OFAR allows a second local hop before a global one, but four tables do
			     not */
	uint64_t astray = source && !at_home ? groups->global[s] & ~own : 0;
	uint64_t others = may_stray && (!own || came == FROM_HOST) ? groups->local[s] & ~near : 0;
	sets[0] = (odo_port_set){own, global_vl[came], 0, false};
	sets[1] = (odo_port_set){near, local_vl[came], 0, false};
	sets[2] = (odo_port_set){astray, global_vl[came], 1, false};
	sets[3] = (odo_port_set){others, local_vl[came], 1, false};
	return 4;
}

static unsigned ways_in_home_group(const state *e, uint32_t s, uint32_t d, arrival came,
				   odo_port_set *sets)
{
	const odo_groups *groups = &e->groups;
	uint64_t direct = odo_groups_local(groups, s, d);
	unsigned extra = came == FROM_HOST ? ODO_GSID_S | ODO_GSID_D : ODO_GSID_D;
	if (came == AFTER_0) {
		sets[0] = (odo_port_set){direct, 5, 0, false};
		return 1;
	}
	sets[0] = (odo_port_set){direct, 4, 0, false};
	sets[1] = (odo_port_set){e->letters & extra ? groups->local[s] & ~direct : 0, 4, 1, false};
	return 2;
}

static unsigned ways_from_source(const state *e, uint32_t s, uint32_t d, arrival came,
				 odo_port_set *sets)
{
	const odo_groups *groups = &e->groups;
	uint64_t own = odo_groups_to(groups, s, groups->group[d]),
		 via = odo_groups_via(groups, s, groups->group[d]);
	unsigned vl = came == FROM_HOST ? 0 : 1, n = 0;
	if (own)
		sets[n++] = (odo_port_set){own, 1, 0, false};
	else if (came == FROM_HOST || (came == AFTER_0 && e->letters & ODO_GSID_S))
		sets[n++] = (odo_port_set){via, (uint8_t)vl, 0, false};
	if (e->letters & ODO_GSID_G && (own || came == FROM_HOST))
		sets[n++] = (odo_port_set){groups->global[s] & ~own, 1, 1, false};
	if (e->letters & ODO_GSID_S && came == FROM_HOST)
		sets[n++] = (odo_port_set){own ? via : groups->local[s] & ~via, 0, 1, false};
	return n;
}

static unsigned ways_from_between(const state *e, uint32_t s, uint32_t d, arrival came,
				  odo_port_set *sets)
{
	const odo_groups *groups = &e->groups;
	uint64_t own = odo_groups_to(groups, s, groups->group[d]),
		 via = odo_groups_via(groups, s, groups->group[d]);
	unsigned n = 0;
	if (own)
		sets[n++] = (odo_port_set){own, 3, 0, false};
	else if (came == ENTERED)
		sets[n++] = (odo_port_set){via, 2, 0, false};
	else if (came == AFTER_2)
		sets[n++] = (odo_port_set){via, 3, 0, false};
	if (came == ENTERED && e->letters & ODO_GSID_I)
		sets[n++] = (odo_port_set){own ? via : groups->local[s] & ~via, 2, 1, false};
	return n;
}

static unsigned ways_of_arrival(const state *e, uint32_t s, uint32_t d, arrival came,
				odo_port_set *sets)
{
	const odo_groups *groups = &e->groups;
	if (groups->group[s] == ODO_NONE || groups->group[d] == ODO_NONE)
		return 0;
	if (e->letters & ODO_GSID_COUNT_HOPS)
		return ways_by_vl(e, s, d, came, sets);
	if (groups->group[s] == groups->group[d])
		return ways_in_home_group(e, s, d, came, sets);
	if (came == FROM_HOST || came == AFTER_0 || came == AFTER_1)
		return ways_from_source(e, s, d, came, sets);
	return ways_from_between(e, s, d, came, sets);
}

/* Return the arrival of a packet after the hop from s by `port` on `vl`. */
static arrival arrival_after_hop(const state *e, uint32_t s, unsigned port, unsigned vl, uint32_t d)
{
	const odo_groups *groups = &e->groups;
	uint32_t v = odo_groups_next(groups, s, port);
	return find_arrival(
		e, v, d, groups->global[s] & odo_ext_bit(port) ? ODO_BY_GLOBAL : ODO_BY_LOCAL, vl);
}

static uint64_t living_ports(const state *e, const odo_port_set *set, uint32_t s, uint32_t d)
{
	uint64_t out = set->ports;
	for (uint64_t left = set->ports; left; left &= left - 1) {
		unsigned port = (unsigned)__builtin_ctzll(left) + 1;
		uint32_t v = odo_groups_next(&e->groups, s, port);
		if (v != d && !(e->alive[(size_t)d * e->groups.n + v] >>
					arrival_after_hop(e, s, port, set->vl, d) &
				1))
			out &= ~odo_ext_bit(port);
	}
	return out;
}

static uint8_t inject_gsid(const odo_tables *t, uint32_t host, uint32_t lid)
{
	const state *e = t->adaptive->state;
	if (!e->alive)
		return 0;
	uint32_t s = odo_host_switch(t->fabric, host), d = t->fabric->lid_switch[lid];
	bool lost = d != ODO_NONE && s != d &&
		    !(e->alive[(size_t)d * e->groups.n + s] >> FROM_HOST & 1);
	return lost ? TREE_VL : 0;
}

static unsigned list_gsid_sets(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_port_set *set)
{
	const state *e = t->adaptive->state;
	uint32_t d = t->fabric->lid_switch[lid];
	if (in_vl == TREE_VL && e->tree)
		return odo_ext_tree_set(e->tree, e->groups.n, s, d, TREE_VL, set);
	unsigned n = ways_of_arrival(e, s, d, find_arrival(e, s, d, input, in_vl), set);
	for (unsigned i = 0; i < n; i++) {
		set[i].ports = e->alive ? living_ports(e, &set[i], s, d) : set[i].ports;
		set[i].onward = !e->alive && set[i].priority;
	}
	return n;
}

static unsigned list_gsid_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_candidate *way)
{
	return odo_ext_ways(t, s, input, in_vl, lid, way, list_gsid_sets);
}

/* Search for ways. VLs only rise along a path, so the search ends. `known` has the bits found so
 * far. */
static bool search_arrivals(state *e, uint8_t *known, uint32_t s, uint32_t d, arrival came)
{
	uint8_t *alive = &e->alive[(size_t)d * e->groups.n + s];
	uint8_t bit = (uint8_t)(1u << came);
	odo_port_set sets[ODO_MAX_PORT_SETS];
	if (s == d)
		return true;
	if (known[s] & bit)
		return *alive & bit;
	known[s] |= bit;
	unsigned n_sets = ways_of_arrival(e, s, d, came, sets);
	for (unsigned i = 0; i < n_sets; i++) {
		for (uint64_t left = sets[i].ports; left; left &= left - 1) {
			unsigned port = (unsigned)__builtin_ctzll(left) + 1;
			if (search_arrivals(e, known, odo_groups_next(&e->groups, s, port), d,
					    arrival_after_hop(e, s, port, sets[i].vl, d)))
				*alive |= bit;
		}
	}
	return *alive & bit;
}

/* @return 1 if some connected pair needs the tree, 0 if none, or a negative status */
static int find_gsid_ways(state *e, odo_error *err)
{
	uint32_t n = e->groups.n;
	bool lost = false;
	e->alive = odo_arena_new(&e->memory, n, n);
	uint8_t *known = odo_arena_new(&e->memory, n, 1);
	if (e->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for the ways that are left");
	for (uint32_t d = 0; d < n; d++) {
		memset(known, 0, n);
		for (uint32_t s = 0; s < n; s++)
			lost |= !search_arrivals(e, known, s, d, FROM_HOST) &&
				e->tree[(size_t)s * n + d] != ODO_NO_PORT;
	}
	return lost;
}

/* @return the number of VLs needed, or a negative status */
static int count_gsid_vls(state *e, const odo_fabric *f, const odo_coordinates *c,
			  const odo_route_options *options, odo_error *err)
{
	unsigned vls = odo_ext_vls(f, options);
	int rescue = 0;
	if (!e->groups.whole) {
		rescue = odo_ext_tree(f, c, &e->memory, &e->tree, err);
		if (!rescue)
			rescue = find_gsid_ways(e, err);
		if (rescue < 0)
			return rescue;
	}
	unsigned needed = N_VLS + (unsigned)rescue;
	return needed <= vls
		       ? (int)needed
		       : odo_fail(err, ODO_EDECLINE, "needs %u VLs, %u can be used", needed, vls);
}

int odo_route_gsid(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		   const odo_route_options *options, odo_tables *t, odo_error *err)
{
	state *e = odo_new(1, sizeof *e);
	if (!e)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	e->letters = row->variant;
	int vls = odo_groups_init(&e->groups, &e->memory, f, c, err);
	if (!vls)
		vls = count_gsid_vls(e, f, c, options, err);
	return odo_ext_finish(row, t, vls,
			      (odo_adaptive){
				      .state = e,
				      .inject = inject_gsid,
				      .candidates = list_gsid_ways,
				      .alike = odo_ext_alike,
				      .input = e->groups.input,
				      .n_inputs = ODO_N_BY,
				      .sets = list_gsid_sets,
			      },
			      err);
}
