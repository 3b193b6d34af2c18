/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entries that lead packets past turns without a VL.
 *
 * A turn that finds no VL is taken by packets to some LIDs. For each such LID, the switch with the
 * turn, or the one before it, gets another port: the first by which the new turns and pairs of
 * turns close no cycle. Turns and pairs that are not needed any more stay in the graph: the graph
 * is then a superset of what packets do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/turns/internal.h"

/* Links by which a path may get longer. A shorter way is taken first. */
#define MOST_DETOUR 2u

/* Two turns that some packet takes one after the other. */
typedef struct pair {
	uint32_t first, second;
	uint8_t in, out; /* input of the first turn, output of the second */
} pair;

/* Additions of one move, so that it can be taken back. */
typedef struct attempt {
	pair *pairs; /* new pairs */
	size_t pairs_room;
	uint32_t n_pairs;
	uint32_t turn[ODO_MAX_PORTS + 2]; /* turns that got a VL */
	uint32_t n_turns;
} attempt;

static unsigned port_to_lid(const odo_turning *x, uint32_t s, uint32_t lid)
{
	return odo_next_port(x->t, s, lid);
}

/* Return the switch behind a port, or ODO_NONE. */
static uint32_t switch_behind(const odo_turning *x, uint32_t s, unsigned port)
{
	return port - 1u < odo_n_ports(x->f, s) ? x->next[odo_slot(x->f, s, port)] : ODO_NONE;
}

/* Return true if packets to a LID come into switch `s` by a port; by port 0 they always do. */
static bool comes_by(const odo_turning *x, uint32_t s, unsigned in, uint32_t lid)
{
	if (!in)
		return true;
	uint32_t child = switch_behind(x, s, in);
	return child != ODO_NONE && child != x->f->lid_switch[lid] &&
	       odo_slot(x->f, child, port_to_lid(x, child, lid)) ==
		       x->f->peer[odo_slot(x->f, s, in)];
}

/* Count the links to a LID from a switch. @return ODO_NONE if the path passes `past`, or is longer
 * than `most` */
static uint32_t links_to_lid(const odo_turning *x, uint32_t s, uint32_t lid, uint32_t past,
			     uint32_t most)
{
	uint32_t n = 0;
	for (; s != x->f->lid_switch[lid]; n++) {
		if (s == past || s == ODO_NONE || n == most)
			return ODO_NONE;
		s = switch_behind(x, s, port_to_lid(x, s, lid));
	}
	return n;
}

static void take_back_attempt(odo_turning *x, attempt *a)
{
	while (a->n_turns)
		odo_turn_uncolour(x, a->turn[--a->n_turns]);
	while (a->n_pairs) {
		const pair *p = &a->pairs[--a->n_pairs];
		odo_clear_bit(x->before + (size_t)p->second * x->words, p->in);
		odo_clear_bit(x->after + (size_t)p->first * x->words, p->out);
		if (odo_is_coloured(x, p->first) && odo_is_coloured(x, p->second))
			odo_channels_remove(&x->channels, odo_pair_edge(x, p->first, p->second));
	}
}

/* Add a pair, unless it is there. @return false if it closes a cycle */
static bool add_turn_pair(odo_turning *x, attempt *a, uint32_t first, unsigned in, uint32_t second,
			  unsigned out)
{
	if (odo_has_bit(x->after + (size_t)first * x->words, out) &&
	    odo_has_bit(x->before + (size_t)second * x->words, in))
		return true;
	if (odo_grow(&a->pairs, &a->pairs_room, a->n_pairs + 1ul, sizeof *a->pairs)) {
		x->channels.no_memory = true;
		return false;
	}
	if (odo_is_coloured(x, first) && odo_is_coloured(x, second) &&
	    !odo_channels_add(&x->channels, odo_pair_edge(x, first, second)))
		return false;
	odo_set_bit(x->before + (size_t)second * x->words, in);
	odo_set_bit(x->after + (size_t)first * x->words, out);
	a->pairs[a->n_pairs++] = (pair){first, second, (uint8_t)in, (uint8_t)out};
	return true;
}

static bool colour_new_turn(odo_turning *x, attempt *a, uint32_t turn)
{
	if (odo_is_coloured(x, turn))
		return true;
	if (!odo_turn_colour(x, turn))
		return false;
	a->turn[a->n_turns++] = turn;
	return true;
}

/* Add the turn of packets to a LID that come into switch `s` by `in` and now leave by `port`, with
 * its pairs. @param onward turn that comes next, or ODO_NONE */
static bool add_moved_turn(odo_turning *x, attempt *a, uint32_t lid, uint32_t s, unsigned in,
			   unsigned port, uint32_t onward)
{
	uint32_t turn = odo_turn_at(x, s, in, port);
	uint32_t child = in ? switch_behind(x, s, in) : ODO_NONE;
	for (unsigned i = 0; child != ODO_NONE && i <= odo_n_ports(x->f, child); i++) {
		uint32_t first = odo_turn_at(x, child, i, port_to_lid(x, child, lid));
		if (comes_by(x, child, i, lid) && !add_turn_pair(x, a, first, i, turn, port))
			return false;
	}
	if (onward != ODO_NONE &&
	    !add_turn_pair(x, a, turn, in, onward, odo_port(x->f, x->to[onward])))
		return false;
	return colour_new_turn(x, a, turn);
}

/* Add the turns at the switch `to` and the one behind it. @return false if they find no VL */
static bool add_onward(odo_turning *x, attempt *a, uint32_t lid, uint32_t to, unsigned in,
		       uint32_t *onward)
{
	*onward = ODO_NONE;
	if (to == x->f->lid_switch[lid])
		return true;
	uint32_t turn = odo_turn_at(x, to, in, port_to_lid(x, to, lid));
	uint32_t then = x->f->peer[x->to[turn]], s = x->f->owner[then];
	*onward = turn;
	if (s != x->f->lid_switch[lid]) {
		unsigned out = port_to_lid(x, s, lid);
		uint32_t next = odo_turn_at(x, s, odo_port(x->f, then), out);
		if (!add_turn_pair(x, a, turn, in, next, out))
			return false;
	}
	return colour_new_turn(x, a, turn);
}

/* Count the hosts whose packets to a LID pass a switch. */
static uint32_t hosts_through(const odo_turning *x, uint32_t s, uint32_t lid)
{
	uint32_t n = x->hosts[s];
	for (unsigned in = 1; in <= odo_n_ports(x->f, s); in++)
		if (comes_by(x, s, in, lid))
			n += hosts_through(x, switch_behind(x, s, in), lid);
	return n;
}

/* Add to the load of all cables from a switch to a LID. */
static void load_cables(odo_turning *x, uint32_t s, uint32_t lid, uint32_t load)
{
	while (s != x->f->lid_switch[lid]) {
		uint32_t slot = odo_slot(x->f, s, port_to_lid(x, s, lid));
		x->load[slot] += load;
		s = x->next[slot];
	}
}

/* Lead a LID by another port of a switch. @return false, with all unchanged, if a turn has no VL */
static bool try_port(odo_turning *x, attempt *a, uint32_t s, uint32_t lid, unsigned port)
{
	uint32_t to = switch_behind(x, s, port), onward;
	unsigned in = odo_port(x->f, x->f->peer[odo_slot(x->f, s, port)]);
	a->n_pairs = a->n_turns = 0;
	x->n_tries++;
	bool moved = add_onward(x, a, lid, to, in, &onward);
	for (unsigned i = 0; moved && i <= odo_n_ports(x->f, s); i++)
		if (comes_by(x, s, i, lid))
			moved = add_moved_turn(x, a, lid, s, i, port, onward);
	if (!moved)
		take_back_attempt(x, a);
	return moved;
}

/* Change an entry, and the loads of cables with it. */
static void set_loaded_entry(odo_turning *x, uint32_t s, uint32_t lid, unsigned port)
{
	uint32_t load = odo_is_sent_to(x->f, lid) ? hosts_through(x, s, lid) : 0;
	load_cables(x, s, lid, -load);
	x->t->lft[(size_t)s * x->f->lid_count + lid] = (uint8_t)port;
	load_cables(x, s, lid, load);
}

/* Another port for a LID at a switch. */
typedef struct way {
	uint32_t s, load, links; /* load: of the fullest cable */
	unsigned port;
} way;

static int by_load(const void *a, const void *b)
{
	const way *x = a, *y = b;
	if (x->load != y->load)
		return x->load < y->load ? -1 : 1;
	return x->links < y->links ? -1 : x->links > y->links;
}

/* Return the load of the fullest cable from a slot to a LID. */
static uint32_t fullest_load(const odo_turning *x, uint32_t slot, uint32_t lid)
{
	uint32_t most = x->load[slot], s;
	while ((s = x->next[slot]) != x->f->lid_switch[lid]) {
		slot = odo_slot(x->f, s, port_to_lid(x, s, lid));
		most = x->load[slot] > most ? x->load[slot] : most;
	}
	return most;
}

/* List other ports of a switch for a LID whose paths have at most so many links. */
static void list_ways(const odo_turning *x, uint32_t s, uint32_t lid, uint32_t most, way *ways,
		      unsigned *n)
{
	for (unsigned port = 1; port <= odo_n_ports(x->f, s); port++) {
		uint32_t to = switch_behind(x, s, port), slot = odo_slot(x->f, s, port);
		if (port == port_to_lid(x, s, lid) || to == ODO_NONE)
			continue;
		uint32_t links = links_to_lid(x, to, lid, s, most);
		if (links < most) /* not ODO_NONE */
			ways[(*n)++] = (way){s, fullest_load(x, slot, lid), links, port};
	}
}

/* Lead a LID past a turn by another port of its switch, or of the switch before it: by that with
 * the least load on its fullest cable. */
static bool move_by_one_entry(odo_turning *x, attempt *a, uint32_t s, uint32_t child, uint32_t lid,
			      uint32_t most)
{
	way ways[2 * ODO_MAX_PORTS];
	unsigned n = 0;
	list_ways(x, s, lid, most, ways, &n);
	if (child != ODO_NONE)
		list_ways(x, child, lid, most + 1, ways, &n);
	qsort(ways, n, sizeof *ways, by_load);
	for (unsigned i = 0; i < n; i++)
		if (try_port(x, a, ways[i].s, lid, ways[i].port)) {
			set_loaded_entry(x, ways[i].s, lid, ways[i].port);
			x->report->n_moved++;
			return true;
		}
	return false;
}

/* Lead a LID from a switch by a neighbour that first gets another port itself. */
static bool move_by_two_entries(odo_turning *x, attempt a[2], uint32_t s, uint32_t lid,
				uint32_t most)
{
	unsigned ports = odo_n_ports(x->f, s), now = port_to_lid(x, s, lid);
	for (unsigned i = 0; i < ports; i++) {
		unsigned port = (i + lid) % ports + 1;
		uint32_t to = switch_behind(x, s, port);
		if (port == now || to == ODO_NONE || to == s || to == x->f->lid_switch[lid])
			continue;
		unsigned was = port_to_lid(x, to, lid);
		for (unsigned next = 1; next <= odo_n_ports(x->f, to); next++) {
			uint32_t then = switch_behind(x, to, next);
			if (next == was || then == ODO_NONE || then == s ||
			    links_to_lid(x, then, lid, s, most) == ODO_NONE ||
			    links_to_lid(x, then, lid, to, most) == ODO_NONE ||
			    !try_port(x, &a[1], to, lid, next))
				continue;
			set_loaded_entry(x, to, lid, next);
			if (try_port(x, &a[0], s, lid, port)) {
				set_loaded_entry(x, s, lid, port);
				x->report->n_moved += 2;
				return true;
			}
			set_loaded_entry(x, to, lid, was);
			take_back_attempt(x, &a[1]);
		}
	}
	return false;
}

/* Lead a LID past a turn. */
static bool avoid_turn(odo_turning *x, attempt a[2], uint32_t turn, uint32_t lid)
{
	uint32_t s = x->f->owner[x->to[turn]];
	uint32_t child = x->from[turn] == ODO_NONE ? ODO_NONE : x->f->owner[x->from[turn]];
	uint32_t most = MOST_DETOUR + links_to_lid(x, s, lid, ODO_NONE, x->f->n_switches);
	return move_by_one_entry(x, a, s, child, lid, most) ||
	       move_by_two_entries(x, a, s, lid, most) ||
	       (child != ODO_NONE && move_by_two_entries(x, a, child, lid, most + 1));
}

/* Lead all LIDs past a turn. @return false if some cannot be */
static bool avoid_for_all(odo_turning *x, attempt *a, uint32_t turn)
{
	const odo_fabric *f = x->f;
	uint32_t s = f->owner[x->to[turn]];
	unsigned port = odo_port(f, x->to[turn]);
	unsigned in = x->from[turn] == ODO_NONE ? 0 : odo_port(f, f->peer[x->from[turn]]);
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE && f->lid_switch[lid] != s &&
		    port_to_lid(x, s, lid) == port && comes_by(x, s, in, lid) &&
		    !avoid_turn(x, a, turn, lid))
			return false;
	return true;
}

/* Count the paths between hosts over each cable. */
static void count_host_loads(odo_turning *x)
{
	const odo_fabric *f = x->f;
	memset(x->load, 0, f->first_slot[f->n_switches] * sizeof *x->load);
	for (uint32_t s = 0; s < f->n_switches; s++)
		x->hosts[s] = odo_hosts_of(f, s);
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		for (uint32_t s = 0; odo_is_sent_to(f, lid) && s < f->n_switches; s++)
			if (x->hosts[s] &&
			    links_to_lid(x, s, lid, ODO_NONE, f->n_switches) != ODO_NONE)
				load_cables(x, s, lid, x->hosts[s]);
}

void odo_turns_avoid(odo_turning *x)
{
	attempt a[2] = {0};
	uint32_t before;
	count_host_loads(x);
	do {
		before = x->n_bare;
		x->n_bare = 0;
		for (uint32_t i = 0; i < before; i++)
			if (!odo_is_coloured(x, x->bare[i]) &&
			    (!odo_may_try(x) || !avoid_for_all(x, a, x->bare[i])))
				x->bare[x->n_bare++] = x->bare[i];
	} while (x->n_bare && x->n_bare < before);
	free(a[0].pairs);
	free(a[1].pairs);
}
