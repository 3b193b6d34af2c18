/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Paper 000's ring A depends on the consecutive arrangement of global cables and on the numbers of
 * groups. Coordinates that mapping finds have neither. So groups are inserted into the ring one by
 * one, wherever a group fits between two others. A group must be entered and left by different
 * switches, so that a path through all its switches fits between them.
 */
#include "routing/adaptive/ring.h"

#include <string.h>

#include "base/lists.h"

/* A global cable from one group to another. */
typedef struct hop {
	uint32_t from, to;
	uint8_t port;
} hop;

typedef struct plan {
	const odo_groups *g;
	hop *hops; /**< [n_groups] hop i leaves the i-th group of the ring for the next one */
	uint32_t n;
	const uint32_t *first,
		*members; /**< members of a group: first [n_groups + 1] into members */
} plan;

/* Return true if a group may be entered at `a` and left at `b`. */
static bool may_cross_group(const plan *p, uint32_t a, uint32_t b)
{
	uint32_t group = p->g->group[a];
	return a != b || p->first[group + 1] - p->first[group] == 1;
}

/* Find the next cable from group x to group y, after switch *m of x and its ports *left. */
static bool next_hop(const plan *p, uint32_t x, uint32_t y, uint32_t *m, uint64_t *left, hop *out)
{
	const odo_groups *groups = p->g;
	for (; *m < p->first[x + 1]; (*m)++, *left = UINT64_MAX) {
		uint32_t s = p->members[*m];
		uint64_t ports = odo_groups_to(groups, s, y) & *left;
		if (!ports)
			continue;
		unsigned port = (unsigned)__builtin_ctzll(ports) + 1;
		*left = ports & (ports - 1);
		*out = (hop){s, odo_groups_next(groups, s, port), (uint8_t)port};
		return true;
	}
	return false;
}

/* Find cables x -> z -> y. Group x is entered at `in` (ODO_NONE for anywhere), y is left at `out`.
 * Each of the three groups must be entered and left at switches that fit. */
static bool find_detour(const plan *p, const uint32_t at[3], uint32_t in, uint32_t out, hop way[2])
{
	uint32_t m = p->first[at[0]];
	uint64_t left = UINT64_MAX;
	while (next_hop(p, at[0], at[1], &m, &left, &way[0])) {
		uint32_t m2 = p->first[at[1]];
		uint64_t left2 = UINT64_MAX;
		if (in != ODO_NONE && !may_cross_group(p, in, way[0].from))
			continue;
		while (next_hop(p, at[1], at[2], &m2, &left2, &way[1]))
			if (may_cross_group(p, way[0].to, way[1].from) &&
			    (out == ODO_NONE || may_cross_group(p, way[1].to, out)))
				return true;
	}
	return false;
}

/* Start with a ring of two groups (two cables), or of three groups if only one cable connects
 * two. */
static bool start_ring(plan *p)
{
	uint32_t n = p->g->n_groups;
	for (uint32_t b = 1; b < n; b++) {
		hop way[2];
		uint32_t m = p->first[0];
		uint64_t left = UINT64_MAX;
		hop first;
		while (next_hop(p, 0, b, &m, &left, &first)) {
			/* 0 -> b -> 0, where 0 is entered and left at different switches */
			uint32_t m2 = p->first[b];
			uint64_t left2 = UINT64_MAX;
			while (next_hop(p, b, 0, &m2, &left2, &way[1])) {
				if (!may_cross_group(p, first.to, way[1].from) ||
				    !may_cross_group(p, way[1].to, first.from))
					continue;
				p->hops[0] = first;
				p->hops[1] = way[1];
				p->n = 2;
				return true;
			}
			for (uint32_t c = 1; c < n; c++) {
				uint32_t back[3] = {b, c, 0};
				if (c == b || !find_detour(p, back, first.to, first.from, way))
					continue;
				p->hops[0] = first;
				p->hops[1] = way[0];
				p->hops[2] = way[1];
				p->n = 3;
				return true;
			}
		}
	}
	return false;
}

static bool insert_group(plan *p, uint32_t z)
{
	const uint32_t *group = p->g->group;
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t in = p->hops[(i + p->n - 1) % p->n].to;
		uint32_t out = p->hops[(i + 1) % p->n].from;
		uint32_t at[3] = {group[p->hops[i].from], z, group[p->hops[i].to]};
		hop way[2];
		if (!find_detour(p, at, in, out, way))
			continue;
		memmove(p->hops + i + 2, p->hops + i + 1, (p->n - i - 1) * sizeof *p->hops);
		p->hops[i] = way[0];
		p->hops[i + 1] = way[1];
		p->n++;
		return true;
	}
	return false;
}

static bool plan_groups(plan *p)
{
	if (p->g->n_groups == 1)
		return true;
	if (!start_ring(p))
		return false;
	for (uint32_t z = 0; z < p->g->n_groups; z++) {
		bool in_ring = false;
		for (uint32_t i = 0; i < p->n; i++)
			in_ring = in_ring || p->g->group[p->hops[i].from] == z;
		if (!in_ring && !insert_group(p, z))
			return false;
	}
	return true;
}

/* Append the cable s -> v, by `port`. */
static void append_to_ring(odo_ext_ring *r, const odo_fabric *f, uint32_t s, unsigned port,
			   uint32_t place)
{
	uint32_t far = f->peer[odo_slot(f, s, port)];
	r->place[s] = place;
	r->next[s] = (uint8_t)port;
	r->before[f->owner[far]] = (uint8_t)odo_port(f, far);
}

/*
 * Walk through a group, from the switch entered to the switch left.
 * @return false if a cable of the direct path is missing
 */
static bool walk_group(odo_ext_ring *r, const plan *p, const odo_fabric *f, uint32_t in,
		       uint32_t out, uint32_t *place)
{
	const odo_groups *groups = p->g;
	uint32_t group = groups->group[in], s = in;
	for (uint32_t m = p->first[group]; m <= p->first[group + 1]; m++) {
		bool last = m == p->first[group + 1];
		uint32_t v = last ? out : p->members[m];
		if (v == s || (!last && (v == in || v == out)))
			continue;
		uint64_t ports = odo_groups_local(groups, s, v);
		if (!ports)
			return false;
		append_to_ring(r, f, s, (unsigned)__builtin_ctzll(ports) + 1, (*place)++);
		s = v;
	}
	return true;
}

static bool walk_ring(odo_ext_ring *r, const plan *p, const odo_fabric *f)
{
	uint32_t place = 0;
	if (p->n == 0) { /* one group: any order of its switches, and back */
		uint32_t first = p->members[0], last = p->members[p->first[1] - 1];
		uint64_t back = p->first[1] > 2 ? odo_groups_local(p->g, last, first) : 0;
		if (!back || !walk_group(r, p, f, first, last, &place))
			return false;
		append_to_ring(r, f, last, (unsigned)__builtin_ctzll(back) + 1, place);
		return true;
	}
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t in = p->hops[(i + p->n - 1) % p->n].to;
		if (!walk_group(r, p, f, in, p->hops[i].from, &place))
			return false;
		append_to_ring(r, f, p->hops[i].from, p->hops[i].port, place++);
	}
	return true;
}

int odo_ext_ring_init(odo_ext_ring *r, odo_arena *memory, const odo_groups *groups,
		      const odo_fabric *f, odo_error *err)
{
	uint32_t n = groups->n, n_groups = groups->n_groups;
	odo_lists members;
	*r = (odo_ext_ring){.n = n,
			    .place = odo_arena_new(memory, n, sizeof *r->place),
			    .next = odo_arena_new(memory, n, 1),
			    .before = odo_arena_new(memory, n, 1)};
	plan p = {.g = groups, .hops = odo_arena_new(memory, n_groups + 2ul, sizeof *p.hops)};
	int status = odo_lists_make(groups->group, n, n_groups, &members);
	p.first = members.first;
	p.members = members.item;
	if (status || memory->failed)
		status = odo_fail(err, ODO_ENOMEM, "no memory for a ring");
	else if (n < 3 || p.first[n_groups] != n || !plan_groups(&p) || !walk_ring(r, &p, f))
		status = odo_fail(err, ODO_EDECLINE, "found no ring through all switches");
	odo_lists_clear(&members);
	return status;
}
