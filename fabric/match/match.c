/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/match/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/twins.h"

/* Weight of a vote. Equal port numbers at the near end add 1, which decides between equal votes. */
enum { VOTE = 256 };

/* Rounds of voting. Each one extends places from nodes to their neighbours; four suffice for a
 * chain of four replaced switches. */
enum { ROUNDS = 4 };

/* Evidence about the nodes of `is`: nodes of `plan`, or ODO_NONE. */
typedef struct evidence {
	uint32_t *guid, *name, *hint, *voted;
	bool *strong;            /* two cables, and most of them, vote for `voted` */
	uint32_t *votes, *named; /* [nodes of `plan`] votes for a node, and list of
				    nodes with votes */
} evidence;

static bool is_same_sort(const odo_match *m, uint32_t v, uint32_t x)
{
	return m->plan->node_type[v] == m->is->node_type[x];
}

static void clear_list(uint32_t *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		list[i] = ODO_NONE;
}

static uint32_t *new_list(odo_match *m, uint32_t n)
{
	uint32_t *list = odo_arena_new(&m->memory, n, sizeof *list);
	if (list)
		clear_list(list, n);
	return list;
}

static void drop_other_sorts(const odo_match *m, uint32_t *back)
{
	for (uint32_t x = 0; x < m->is->n_nodes; x++)
		if (back[x] != ODO_NONE && !is_same_sort(m, back[x], x))
			back[x] = ODO_NONE;
}

static void count_evidence(const odo_match *m, const uint32_t *back, bool *of_sort)
{
	for (uint32_t x = 0; x < m->is->n_nodes; x++)
		of_sort[odo_is_switch(m->is, x)] |= back[x] != ODO_NONE;
}

/* Find nodes by GUID, and by names that are unique on both sides. */
static int find_identities(odo_match *m, evidence *e)
{
	uint32_t *forth = new_list(m, m->plan->n_nodes);
	e->name = new_list(m, m->is->n_nodes);
	e->guid = new_list(m, m->is->n_nodes);
	if (m->memory.failed || odo_twins_by_name(m->plan, m->is, forth, e->name))
		return ODO_ENOMEM;
	if (!m->plan->no_guids && !m->is->no_guids) {
		uint32_t *back = odo_twins(m->is, m->is->n_nodes, m->plan, m->plan->n_nodes);
		if (!back)
			return ODO_ENOMEM;
		memcpy(e->guid, back, m->is->n_nodes * sizeof *back);
		free(back);
	}
	drop_other_sorts(m, e->guid);
	drop_other_sorts(m, e->name);
	count_evidence(m, e->guid, m->guids);
	count_evidence(m, e->name, m->names);
	return 0;
}

uint32_t odo_match_port(const odo_match *m, uint32_t slot)
{
	uint32_t x = m->forth[m->plan->owner[slot]];
	unsigned port = odo_port(m->plan, slot);
	return x == ODO_NONE || port > odo_n_ports(m->is, x) ? ODO_NONE : odo_slot(m->is, x, port);
}

/* Vote for the nodes of `plan` that a neighbour, or a port of it, has in the place of `x`. */
static void vote_for(const odo_match *m, evidence *e, uint32_t x, uint32_t v, uint32_t weight,
		     uint32_t *n)
{
	if (v == ODO_NONE || !is_same_sort(m, v, x))
		return;
	if (!e->votes[v])
		e->named[(*n)++] = v;
	e->votes[v] += weight;
}

/* Let the cable in a slot of `is` vote.
 * @return false if its far end has no place */
static bool take_vote(const odo_match *m, evidence *e, uint32_t slot, uint32_t *n)
{
	uint32_t x = m->is->owner[slot], far = m->is->peer[slot];
	uint32_t u = far == ODO_NONE ? ODO_NONE : m->back[m->is->owner[far]];
	if (u == ODO_NONE)
		return false;
	if (!m->ports) {
		for (uint32_t i = m->plan->first_slot[u]; i < m->plan->first_slot[u + 1]; i++)
			vote_for(m, e, x, odo_neighbour(m->plan, i), VOTE, n);
		return true;
	}
	unsigned port = odo_port(m->is, far);
	if (port <= odo_n_ports(m->plan, u)) {
		uint32_t to = m->plan->peer[odo_slot(m->plan, u, port)];
		bool alike = to != ODO_NONE && odo_port(m->plan, to) == odo_port(m->is, slot);
		vote_for(m, e, x, to == ODO_NONE ? ODO_NONE : m->plan->owner[to], VOTE + alike, n);
	}
	return true;
}

/* Find the place of a node by its cables.
 * @param only_free leave out places that are taken
 * @return whether two cables, and most of them, vote for it */
static bool vote_on(const odo_match *m, evidence *e, uint32_t x, bool only_free)
{
	uint32_t n = 0, cast = 0, best = ODO_NONE, most = 0, own = m->back[x];
	bool tie = false;
	for (uint32_t i = m->is->first_slot[x]; i < m->is->first_slot[x + 1]; i++)
		cast += take_vote(m, e, i, &n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = e->named[i], votes = e->votes[v];
		e->votes[v] = 0;
		if (votes < most || (only_free && m->forth[v] != ODO_NONE))
			continue;
		tie = votes == most;
		best = votes > most || v == own ? v : best;
		most = votes;
	}
	e->voted[x] = tie && best != own && !only_free ? ODO_NONE : best;
	return most >= 2 * VOTE && 2 * (most / VOTE) > cast;
}

/* Return the node of the plan that a node is by GUID or name: if they contradict each other, the
 * name counts only where the cables agree with it. */
static uint32_t identity_of(const evidence *e, uint32_t x)
{
	bool by_name = e->name[x] != ODO_NONE &&
		       (e->guid[x] == ODO_NONE || e->voted[x] == e->name[x]);
	return by_name ? e->name[x] : e->guid[x] != ODO_NONE ? e->guid[x] : e->hint[x];
}

static void give_place(odo_match *m, uint32_t v, uint32_t x)
{
	if (v == ODO_NONE || m->forth[v] != ODO_NONE || m->back[x] != ODO_NONE)
		return;
	m->forth[v] = x;
	m->back[x] = v;
}

/* Give a place to a node that is new. A switch whose ports do not count needs more than one cable
 * that agrees. */
static void place_new_node(odo_match *m, evidence *e, uint32_t x)
{
	if (m->back[x] != ODO_NONE || identity_of(e, x) != ODO_NONE)
		return;
	bool strong = vote_on(m, e, x, true);
	if (strong || m->ports || !odo_is_switch(m->is, x))
		give_place(m, e->voted[x], x);
}

/* Give places: to nodes whose cables agree, then by identity, then to nodes that are new. */
static void give_places(odo_match *m, evidence *e)
{
	uint32_t n = m->is->n_nodes;
	clear_list(m->forth, m->plan->n_nodes);
	clear_list(m->back, n);
	for (uint32_t x = 0; x < n; x++)
		if (e->strong[x] && identity_of(e, x) == e->voted[x])
			give_place(m, e->voted[x], x);
	for (uint32_t x = 0; x < n; x++)
		if (e->strong[x])
			give_place(m, e->voted[x], x);
	for (uint32_t x = 0; x < n; x++)
		give_place(m, identity_of(e, x), x);
	for (uint32_t x = 0; x < n; x++)
		place_new_node(m, e, x);
}

/* Give places by identity alone. */
static void know_places(odo_match *m, evidence *e)
{
	uint32_t n = m->is->n_nodes;
	memset(e->strong, 0, n * sizeof *e->strong);
	clear_list(e->voted, n);
	clear_list(m->forth, m->plan->n_nodes);
	clear_list(m->back, n);
	for (uint32_t x = 0; x < n; x++)
		give_place(m, identity_of(e, x), x);
}

static void vote_in_rounds(odo_match *m, evidence *e)
{
	uint32_t n = m->is->n_nodes;
	give_places(m, e);
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (uint32_t x = 0; x < n; x++)
			e->strong[x] = vote_on(m, e, x, false);
		give_places(m, e);
	}
}

/* Identities are of GUIDs and names only: cables know places. */
static void set_identities(odo_match *m, evidence *e)
{
	clear_list(m->known, m->plan->n_nodes);
	clear_list(m->was, m->is->n_nodes);
	clear_list(e->hint, m->is->n_nodes);
	for (int in_place = 1; in_place >= 0; in_place--)
		for (uint32_t x = 0; x < m->is->n_nodes; x++) {
			uint32_t v = identity_of(e, x);
			if (v == ODO_NONE || m->known[v] != ODO_NONE || m->was[x] != ODO_NONE ||
			    (in_place && m->back[x] != v))
				continue;
			m->known[v] = x;
			m->was[x] = v;
		}
}

static void join_slots(odo_match *m, uint32_t s, uint32_t a)
{
	uint32_t t = m->plan->peer[s], b = m->is->peer[a];
	m->slot[s] = a;
	m->slot[t] = b;
	m->cable[a] = s;
	m->cable[b] = t;
}

static bool has_one_cable(const odo_fabric *f, uint32_t v)
{
	unsigned n = 0;
	for (uint32_t i = f->first_slot[v]; i < f->first_slot[v + 1]; i++)
		n += f->peer[i] != ODO_NONE;
	return n == 1;
}

/* Return true if a slot of `is` has the cable of a slot of `plan`, at the same ports. The port of
 * an adapter does not matter if it uses only one. */
static bool has_same_ends(const odo_match *m, uint32_t s, uint32_t a)
{
	uint32_t t = m->plan->peer[s], b = m->is->peer[a];
	uint32_t v = m->plan->owner[t], y = b == ODO_NONE ? ODO_NONE : m->is->owner[b];
	return y != ODO_NONE && m->forth[v] == y &&
	       (odo_port(m->plan, t) == odo_port(m->is, b) ||
		(!odo_is_switch(m->plan, v) && has_one_cable(m->plan, v) &&
		 has_one_cable(m->is, y)));
}

/* Find a cable between the same two nodes at any ports. */
static uint32_t find_beside(const odo_match *m, uint32_t s)
{
	uint32_t x = m->forth[m->plan->owner[s]], y = m->forth[m->plan->owner[m->plan->peer[s]]];
	if (x == ODO_NONE || y == ODO_NONE)
		return ODO_NONE;
	for (uint32_t a = m->is->first_slot[x]; a < m->is->first_slot[x + 1]; a++)
		if (m->cable[a] == ODO_NONE && odo_neighbour(m->is, a) == y)
			return a;
	return ODO_NONE;
}

static void match_cables(odo_match *m, bool at_any_port)
{
	for (uint32_t s = 0; s < m->plan->n_slots; s++) {
		if (m->plan->peer[s] == ODO_NONE || m->plan->peer[s] < s || m->slot[s] != ODO_NONE)
			continue;
		uint32_t a = at_any_port ? find_beside(m, s) : odo_match_port(m, s);
		if (a != ODO_NONE && (at_any_port || has_same_ends(m, s, a)))
			join_slots(m, s, a);
	}
}

static uint32_t count_joined(const odo_match *m)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < m->plan->n_slots; s++)
		n += m->slot[s] != ODO_NONE;
	return n / 2;
}

double odo_match_share(const odo_match *m)
{
	uint32_t least = m->plan->n_links < m->is->n_links ? m->plan->n_links : m->is->n_links;
	return least ? (double)count_joined(m) / least : 1;
}

static void settle_cables(odo_match *m)
{
	clear_list(m->slot, m->plan->n_slots);
	clear_list(m->cable, m->is->n_slots);
	match_cables(m, false);
	if (!m->ports)
		match_cables(m, true);
}

/* Port numbers do not count if most cables between nodes that are known are at other ports. */
static void judge_ports(odo_match *m)
{
	m->ports = true;
	settle_cables(m);
	uint32_t same = count_joined(m);
	match_cables(m, true);
	uint32_t all = count_joined(m);
	m->ports = 2 * same > all || !all;
}

/* Find out whether port numbers count, by the nodes that are known, and let cables vote. */
static double try_hint(odo_match *m, evidence *e, const uint32_t *hint)
{
	memcpy(e->hint, hint, m->is->n_nodes * sizeof *hint);
	know_places(m, e);
	judge_ports(m);
	vote_in_rounds(m, e);
	settle_cables(m);
	return odo_match_share(m);
}

/* Hints of the structure: the first follows port numbers, the others count walks. */
static int make_hint(odo_match *m, unsigned i, uint32_t *hint)
{
	clear_list(hint, m->is->n_nodes);
	return i ? odo_match_walks(m->plan, m->is, i - 1, hint)
		 : odo_match_follow(m->plan, m->is, hint);
}

/* Try names and GUIDs alone. If they explain few cables, try the structure as well. */
static int try_evidence(odo_match *m, evidence *e)
{
	/* Shares of cables. From `good` on, names and GUIDs are those of this fabric, whatever is
	 * damaged. From `best_there_is` on, further attempts are left out. */
	static const double good = 0.75, best_there_is = 0.99;
	uint32_t *hint = new_list(m, m->is->n_nodes), *best = new_list(m, m->is->n_nodes);
	if (m->memory.failed)
		return ODO_ENOMEM;
	double most = try_hint(m, e, best), share = most;
	if (most >= good)
		return 0;
	for (unsigned i = 0; i <= ODO_WALK_ATTEMPTS && most < best_there_is; i++) {
		if (make_hint(m, i, hint))
			return ODO_ENOMEM;
		share = try_hint(m, e, hint);
		if (share > most) {
			memcpy(best, hint, m->is->n_nodes * sizeof *hint);
			most = share;
		}
		if (!i && most >= good) /* walks ignore port numbers, which suffice */
			break;
	}
	if (share < most)
		try_hint(m, e, best);
	return 0;
}

static void allocate_match(odo_match *m, evidence *e)
{
	uint32_t n = m->plan->n_nodes, k = m->is->n_nodes;
	m->forth = new_list(m, n);
	m->known = new_list(m, n);
	m->back = new_list(m, k);
	m->was = new_list(m, k);
	m->slot = new_list(m, m->plan->n_slots);
	m->cable = new_list(m, m->is->n_slots);
	e->hint = new_list(m, k);
	e->voted = new_list(m, k);
	e->strong = odo_arena_new(&m->memory, k, sizeof *e->strong);
	e->votes = odo_arena_new(&m->memory, n, sizeof *e->votes);
	e->named = odo_arena_new(&m->memory, n, sizeof *e->named);
}

int odo_match_make(const odo_fabric *plan, const odo_fabric *is, odo_match *m, odo_error *err)
{
	evidence e = {0};
	*m = (odo_match){.plan = plan, .is = is};
	allocate_match(m, &e);
	if (m->memory.failed || find_identities(m, &e) || try_evidence(m, &e))
		return odo_fail(err, ODO_ENOMEM, "no memory to compare two fabrics");
	set_identities(m, &e);
	return 0;
}

void odo_match_clear(odo_match *m)
{
	odo_arena_free(&m->memory);
	*m = (odo_match){0};
}
